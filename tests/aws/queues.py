"""Job queues: those of quota management, and others simply."""

from __future__ import annotations

import re
from typing import Final

from .environments import check_units_suit
from .errors import ClientError, already_exists, being_modified, does_not_exist
from .jobs import end_jobs
from .names import arn_of, check_name, name_from
from .pages import page
from .shares import check_shares_fit
from .state import JobQueue, Json, SchedulingPolicy, here
from .switches import refuses
from .tags import check_tags
from .time_limits import check_time_limits

SAGEMAKER_TRAINING: Final = "SAGEMAKER_TRAINING"
_MOST: Final = 50
_POLICY_ARN: Final = re.compile(r"arn:[^:]+:batch:[^:]+:[^:]+:scheduling-policy/[^/]+")


def find_queue(given: str) -> JobQueue:
    found = here().queues.get(name_from("job-queue", given))
    if found is None:
        raise does_not_exist(given)
    return found


def _policy(arn: str) -> SchedulingPolicy:
    if not _POLICY_ARN.fullmatch(arn):  # JQ-08
        raise ClientError("Only scheduling policy Arn can be allowed.")
    policy = here().policies.get(arn)
    if policy is None:
        raise ClientError(f"SchedulingPolicy {arn} not found.")
    return policy


def _check_orders(queue: JobQueue) -> None:
    services, computes = queue.service_environments, queue.compute_environments
    if services and computes:  # JQ-05
        raise ClientError(
            "A job queue can't have both a serviceEnvironmentOrder and a computeEnvironmentOrder."
        )
    if services and queue.type != SAGEMAKER_TRAINING:  # JQ-02
        raise ClientError(
            f"The jobQueueType provided is {queue.type}, which is incompatible with the provided "
            "serviceEnvironmentOrder."
        )
    if queue.type == SAGEMAKER_TRAINING and not services:  # JQ-04
        raise ClientError(
            "Job queues of type SAGEMAKER_TRAINING must have serviceEnvironmentOrder."
        )
    if len(services) > 1:  # JQ-03
        raise ClientError("Job queue can only have 1 service environment.")
    if not services and not computes:
        raise ClientError("A job queue must have a computeEnvironmentOrder.")


def _check_policy(queue: JobQueue) -> None:
    if queue.policy_arn is None:
        return
    policy = _policy(queue.policy_arn)
    if policy.quota_share is None:
        return
    if queue.type != SAGEMAKER_TRAINING:  # JQ-07
        raise ClientError(
            "Quota Management feature is only supported for SageMaker Training job queues."
        )
    others = (one for one in here().queues.values() if one.name != queue.name)
    if refuses("SP-08") and any(one.policy_arn == policy.arn for one in others):
        raise ClientError("The quota share policy is attached to another job queue.")


def _check_environment(queue: JobQueue) -> None:
    """Refuses an environment that cannot serve the queue; puts its ARN where its name was."""
    place, has_quota_shares = here(), here().has_quota_shares(queue)
    for order in queue.service_environments:
        name = name_from("service-environment", order["serviceEnvironment"])
        environment = place.environments.get(name)
        if environment is None or not environment.life.is_valid:  # JQ-06
            raise ClientError(
                "Service environments must be created and valid before attaching them to a job "
                "queue."
            )
        order["serviceEnvironment"] = environment.arn
        check_units_suit(has_quota_shares, {one["capacityUnit"] for one in environment.limits})
        for other in place.queues.values():
            if other.name == queue.name or environment.arn not in other.environment_arns:
                continue
            if has_quota_shares or place.has_quota_shares(other):  # SE-12, JQ-06
                raise ClientError(
                    f"Service environment {environment.arn} is already connected to job queue "
                    f"{other.arn}: one with quota management serves one job queue."
                )


def _check(queue: JobQueue) -> None:
    check_name(queue.name, "Job Queue")  # JQ-09
    if not 0 <= queue.priority <= 1000:  # JQ-01
        raise ClientError("Job queue priority must be between 0 and 1000.")
    _check_orders(queue)
    check_time_limits(queue.time_limits, queue.type == SAGEMAKER_TRAINING)


def create_job_queue(given: Json) -> Json:
    name, place = given["jobQueueName"], here()
    queue = JobQueue(
        name,
        arn_of("job-queue", name),
        dict(given.get("tags", {})),
        given.get("state", "ENABLED"),
        given.get("jobQueueType"),
        given["priority"],
        given.get("schedulingPolicyArn"),
        given.get("serviceEnvironmentOrder", []),
        given.get("computeEnvironmentOrder", []),
        given.get("jobStateTimeLimitActions", []),
    )
    if name in place.queues:
        raise already_exists(name)
    _check(queue)
    _check_policy(queue)
    _check_environment(queue)
    check_tags(queue.tags)
    if len(place.queues) >= _MOST:
        raise ClientError(f"The account has reached its limit of {_MOST} job queues.")
    place.queues[name] = queue
    return {"jobQueueName": name, "jobQueueArn": queue.arn}


def update_job_queue(given: Json) -> Json:
    queue = find_queue(given["jobQueue"])
    if not queue.life.is_valid:
        raise being_modified("update")
    changed = JobQueue(
        queue.name,
        queue.arn,
        queue.tags,
        given.get("state", queue.state),
        queue.type,
        given.get("priority", queue.priority),
        given.get("schedulingPolicyArn", queue.policy_arn),
        given.get("serviceEnvironmentOrder", queue.service_environments),
        given.get("computeEnvironmentOrder", queue.compute_environments),
        given.get("jobStateTimeLimitActions", queue.time_limits),
        queue.life,
    )
    for order in changed.service_environments:
        name = name_from("service-environment", order["serviceEnvironment"])
        order["serviceEnvironment"] = arn_of("service-environment", name)
    _check(changed)
    has_new_policy = changed.policy_arn != queue.policy_arn
    has_new_environment = changed.environment_arns != queue.environment_arns
    if has_new_policy:
        _check_policy_change(queue, changed)
        _check_policy(changed)
    if has_new_policy or has_new_environment:
        _check_environment(changed)
    environment = here().environment_of(changed)
    if environment is not None and has_new_environment:
        check_shares_fit(here().shares_of(queue.arn), environment)
    here().queues[queue.name] = changed
    changed.life.move("UPDATING")
    return {"jobQueueName": queue.name, "jobQueueArn": queue.arn}


def _check_policy_change(queue: JobQueue, changed: JobQueue) -> None:
    if queue.policy_arn is None:  # UP-03
        raise ClientError("A job queue that was created without a scheduling policy can't get one.")
    _policy(changed.policy_arn or "")
    kinds = here().has_quota_shares(queue), here().has_quota_shares(changed)
    if kinds[0] != kinds[1] and refuses("UP-04"):
        raise ClientError("A job queue can't change between fairsharePolicy and quotaSharePolicy.")


def _described(queue: JobQueue) -> Json:
    status = queue.life.status
    answer: Json = {
        "jobQueueName": queue.name,
        "jobQueueArn": queue.arn,
        "state": queue.state,
        "status": status,
        "statusReason": "JobQueue Healthy" if status == "VALID" else f"JobQueue {status.title()}",
        "priority": queue.priority,
        "computeEnvironmentOrder": queue.compute_environments,
        "serviceEnvironmentOrder": queue.service_environments,
        "tags": dict(queue.tags),
        "jobStateTimeLimitActions": queue.time_limits,
    }
    if queue.type is not None:
        answer["jobQueueType"] = queue.type
    if queue.policy_arn is not None:
        answer["schedulingPolicyArn"] = queue.policy_arn
    return answer


def describe_job_queues(given: Json) -> Json:
    asked = {name_from("job-queue", one) for one in given.get("jobQueues", ())}
    found = [queue for queue in here().queues.values() if not asked or queue.name in asked]
    return page([_described(queue) for queue in found], given, "jobQueues")


def delete_job_queue(given: Json) -> Json:
    queue, place = find_queue(given["jobQueue"]), here()
    if queue.life.status == "DELETING":
        return {}
    if not queue.life.is_valid:
        raise being_modified("delete")
    if queue.state != "DISABLED":  # DE-02
        raise ClientError("Cannot delete, the job queue must be DISABLED first.")
    shares = place.shares_of(queue.arn)
    if shares and refuses("DE-06"):
        raise ClientError("Cannot delete, found existing QuotaShare relationship.")
    for share in shares:
        share.life.move("DELETING")
    end_jobs(place.jobs_of(queue.arn), "Job queue is deleted")
    queue.life.move("DELETING")
    return {}
