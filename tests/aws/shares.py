"""Quota shares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from .errors import ClientError, already_exists, being_modified, does_not_exist
from .jobs import end_jobs
from .names import check_name, name_from
from .pages import page
from .shapes import is_training_instance_type
from .state import JobQueue, Json, QuotaShare, ServiceEnvironment, here
from .switches import refuses
from .tags import check_tags

UNLIMITED: Final = -1
BORROWS: Final = "LEND_AND_BORROW"
_MOST: Final = 20


def _check_limits(limits: list[Json]) -> None:
    if not 1 <= len(limits) <= 5:  # QS-04
        raise ClientError("A quota share must have 1 to 5 capacity limits.")
    for limit in limits:
        if not is_training_instance_type(limit["capacityUnit"]):  # QS-06
            raise ClientError(f"{limit['capacityUnit']} is unknown capacity unit")
        if limit["maxCapacity"] < 1:  # QS-05
            raise ClientError("Max capacity must be more than 0.")
    units = [limit["capacityUnit"] for limit in limits]
    if len(set(units)) < len(units) and refuses("QS-17"):
        raise ClientError("Duplicate capacity units are not allowed.")


def _check_sharing(sharing: Json) -> Json:
    """Returns a resource sharing configuration as the service keeps it."""
    limit = sharing.get("borrowLimit")
    if sharing["strategy"] != BORROWS:
        if limit is not None and refuses("QS-08"):
            raise ClientError("borrowLimit can only be set with the strategy LEND_AND_BORROW.")
        return {"strategy": sharing["strategy"]}
    if limit is not None and limit < UNLIMITED:  # QS-09
        raise ClientError("borrowLimit must be -1 or more.")
    return {"strategy": BORROWS, "borrowLimit": UNLIMITED if limit is None else limit}


def check_shares_fit(shares: Sequence[QuotaShare], environment: ServiceEnvironment) -> None:
    """Refuses what a service environment and the shares of its queue may not say of each other."""
    for share in shares:
        _check_fits(share, environment, [one for one in shares if one.arn != share.arn])


def _check_fits(
    share: QuotaShare, environment: ServiceEnvironment, others: Iterable[QuotaShare]
) -> None:
    for unit in {limit["capacityUnit"] for limit in share.limits}:
        own, most = share.limit_of(unit), environment.limit_of(unit)
        together = own + sum(other.limit_of(unit) for other in others)
        if not most and refuses("XR-01"):
            raise ClientError(f"The service environment has no capacity limit for {unit}.")
        if most and own > most and refuses("XR-03"):
            raise ClientError(f"The quota share exceeds the service environment's {most} {unit}.")
        if most and together > most and refuses("XR-02"):
            raise ClientError(f"Quota shares exceed the service environment's {most} {unit}.")


def _check(share: QuotaShare, queue: JobQueue) -> None:
    check_name(share.name, "Quota share")  # QS-02
    _check_limits(share.limits)
    environment = here().environment_of(queue)
    if environment is not None:
        others = [one for one in here().shares_of(queue.arn) if one.arn != share.arn]
        _check_fits(share, environment, others)


def _valid_queue(given: str) -> JobQueue:
    queue = here().queues.get(name_from("job-queue", given))
    if queue is None:
        raise does_not_exist(given)
    if not queue.life.is_valid:  # QS-15
        raise ClientError("The job queue must be VALID before a quota share is created.")
    if not here().has_quota_shares(queue):  # QS-20
        raise ClientError("Quota shares require a job queue with a quota share policy.")
    return queue


def create_quota_share(given: Json) -> Json:
    queue, place, name = _valid_queue(given["jobQueue"]), here(), given["quotaShareName"]
    share = QuotaShare(
        name,
        f"{queue.arn}/quota-share/{name}",
        dict(given.get("tags", {})),
        given.get("state", "ENABLED"),
        queue.arn,
        given["capacityLimits"],
        _check_sharing(given["resourceSharingConfiguration"]),
        given["preemptionConfiguration"],
    )
    _check(share, queue)
    check_tags(share.tags)
    if share.arn in place.shares:  # QS-03
        raise already_exists(name)
    if len(place.shares_of(queue.arn)) >= _MOST:  # QS-16
        raise ClientError(f"A job queue can have at most {_MOST} quota shares.")
    place.shares[share.arn] = share
    return {"quotaShareName": name, "quotaShareArn": share.arn}


def _find_share(arn: str) -> QuotaShare:
    share = here().shares.get(arn)
    if share is None:
        raise does_not_exist(arn)
    return share


def update_quota_share(given: Json) -> Json:
    share = _find_share(given["quotaShareArn"])
    if not share.life.is_valid:
        raise being_modified("update")
    sharing = given.get("resourceSharingConfiguration")
    changed = QuotaShare(
        share.name,
        share.arn,
        share.tags,
        given.get("state", share.state),
        share.queue_arn,
        given.get("capacityLimits", share.limits),
        share.sharing if sharing is None else _check_sharing(sharing),
        given.get("preemptionConfiguration", share.preemption),
        share.life,
    )
    queue = here().queues[name_from("job-queue", share.queue_arn)]
    _check(changed, queue)
    here().shares[share.arn] = changed
    changed.life.move("UPDATING")
    return {"quotaShareName": share.name, "quotaShareArn": share.arn}


def _listed(share: QuotaShare) -> Json:
    return {
        "quotaShareName": share.name,
        "quotaShareArn": share.arn,
        "jobQueueArn": share.queue_arn,
        "capacityLimits": share.limits,
        "resourceSharingConfiguration": share.sharing,
        "preemptionConfiguration": share.preemption,
        "state": share.state,
        "status": share.life.status,
    }


def describe_quota_share(given: Json) -> Json:
    share = _find_share(given["quotaShareArn"])
    return {**_listed(share), "tags": dict(share.tags)}


def list_quota_shares(given: Json) -> Json:
    queue = here().queues.get(name_from("job-queue", given["jobQueue"]))
    if queue is None:
        raise does_not_exist(given["jobQueue"])
    return page([_listed(share) for share in here().shares_of(queue.arn)], given, "quotaShares")


def delete_quota_share(given: Json) -> Json:
    share = _find_share(given["quotaShareArn"])
    if share.life.status == "DELETING":
        return {}
    if not share.life.is_valid:
        raise being_modified("delete")
    if share.state != "DISABLED":  # DE-01
        raise ClientError("Cannot delete, the quota share must be DISABLED first.")
    end_jobs(here().jobs_of(share.queue_arn, share.name), "Quota share is deleted")
    share.life.move("DELETING")
    return {}
