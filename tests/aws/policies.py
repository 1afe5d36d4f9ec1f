"""Scheduling policies."""

from __future__ import annotations

from .errors import ClientError, already_exists, does_not_exist
from .names import arn_of, check_name
from .pages import page
from .state import Json, SchedulingPolicy, here
from .switches import refuses
from .tags import check_tags


def _check_members(quota_share: Json | None, fair_share: Json | None) -> None:
    if quota_share is not None and fair_share is not None:  # SP-04
        raise ClientError(
            "A scheduling policy can have either fairsharePolicy or quotaSharePolicy, but not both."
        )
    if quota_share is not None and quota_share["idleResourceAssignmentStrategy"] != "FIFO":  # SP-03
        raise ClientError("Idle resource assignment strategy must be one of [FIFO].")


def create_scheduling_policy(given: Json) -> Json:
    name, quota_share, fair_share = (
        given["name"],
        given.get("quotaSharePolicy"),
        given.get("fairsharePolicy"),
    )
    check_name(name, "Scheduling policy")  # SP-02
    _check_members(quota_share, fair_share)
    if quota_share is None and fair_share is None and refuses("SP-06"):
        raise ClientError("A scheduling policy must have fairsharePolicy or quotaSharePolicy.")
    tags = given.get("tags", {})
    check_tags(tags)
    arn = arn_of("scheduling-policy", name)
    if arn in here().policies:
        raise already_exists(name)
    here().policies[arn] = SchedulingPolicy(name, arn, dict(tags), quota_share, fair_share)
    return {"name": name, "arn": arn}


def update_scheduling_policy(given: Json) -> Json:
    policy = here().policies.get(given["arn"])
    if policy is None:
        raise does_not_exist(given["arn"])
    quota_share, fair_share = given.get("quotaSharePolicy"), given.get("fairsharePolicy")
    _check_members(quota_share, fair_share)
    if policy.quota_share is not None and quota_share is None:  # SP-05, UP-02
        raise ClientError("quotaSharePolicy cannot be removed or changed to a fairsharePolicy.")
    if policy.fair_share is not None and fair_share is None:
        raise ClientError("fairsharePolicy cannot be removed or changed to a quotaSharePolicy.")
    policy.quota_share, policy.fair_share = quota_share, fair_share
    return {}


def _described(policy: SchedulingPolicy) -> Json:
    answer: Json = {"name": policy.name, "arn": policy.arn, "tags": dict(policy.tags)}
    if policy.quota_share is not None:
        answer["quotaSharePolicy"] = dict(policy.quota_share)
    if policy.fair_share is not None:
        answer["fairsharePolicy"] = dict(policy.fair_share)
    return answer


def describe_scheduling_policies(given: Json) -> Json:
    found = (here().policies.get(arn) for arn in given["arns"])
    return {"schedulingPolicies": [_described(policy) for policy in found if policy is not None]}


def list_scheduling_policies(given: Json) -> Json:
    return page([{"arn": arn} for arn in here().policies], given, "schedulingPolicies")


def delete_scheduling_policy(given: Json) -> Json:
    arn = given["arn"]
    if arn not in here().policies:
        raise does_not_exist(arn)
    if any(queue.policy_arn == arn for queue in here().queues.values()):  # DE-04
        raise ClientError("Cannot delete, found existing JobQueue relationship.")
    del here().policies[arn]
    return {}
