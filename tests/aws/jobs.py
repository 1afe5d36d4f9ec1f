"""Service jobs: submitted, described, listed, given another priority, and ended."""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Callable, Iterable
from typing import Final

from .errors import ClientError, does_not_exist
from .names import arn_of, check_name, name_from
from .pages import page
from .rate import check_rate
from .state import Job, JobQueue, Json, here
from .tags import check_tags

_GLOB: Final = re.compile(r"[\w\s.:*\-,/()']{1,512}")


def now() -> int:
    return time.time_ns() // 1_000_000


def _instances(payload: str) -> tuple[str | None, int]:
    """Returns the instance type that a payload asks for, and how many; nothing where it is odd."""
    try:
        resources = json.loads(payload)["ResourceConfig"]
        return str(resources["InstanceType"]), int(resources.get("InstanceCount", 1))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None, 0


def _check_retries(strategy: Json) -> None:
    if not 1 <= strategy["attempts"] <= 10:  # SJ-07
        raise ClientError("retryStrategy.attempts must be between 1 and 10.")
    conditions = strategy.get("evaluateOnExit", [])
    if len(conditions) > 5:
        raise ClientError("retryStrategy.evaluateOnExit can have at most 5 entries.")
    for condition in conditions:
        if not _GLOB.fullmatch(condition.get("onStatusReason", "*")):
            raise ClientError("onStatusReason should match a valid pattern.")


def _check_share(given: Json, queue: JobQueue) -> None:
    name = given.get("quotaShareName")
    if not here().has_quota_shares(queue):
        if name is not None:  # SJ-02
            raise ClientError("quotaShareName requires a job queue with a quota share policy.")
        return
    if name is None:
        raise ClientError("quotaShareName is required on a job queue with a quota share policy.")
    if "shareIdentifier" in given:
        raise ClientError("shareIdentifier can't be used with a quota share policy.")
    share = here().shares.get(f"{queue.arn}/quota-share/{name}")
    if share is None or share.life.status == "DELETING":
        raise does_not_exist(f"Quota share {name}")
    if share.state != "ENABLED":  # QS-13
        raise ClientError(f"Quota share {name} is not ENABLED.")


def _check_submission(given: Json) -> JobQueue:
    if len(given["serviceRequestPayload"].encode()) > 10 * 1024:  # SJ-06
        raise ClientError("serviceRequestPayload must not exceed 10 KiB.")
    if len(json.dumps(given).encode()) > 30 * 1024:
        raise ClientError("The request must not exceed 30 KiB.")
    check_name(given["jobName"], "Job")  # SJ-10
    if not 0 <= given.get("schedulingPriority", 0) <= 9999:  # SJ-03
        raise ClientError("schedulingPriority must be between 0 and 9999.")
    if given.get("preemptionConfiguration", {}).get("preemptionRetriesBeforeTermination", 0) < 0:
        raise ClientError("preemptionRetriesBeforeTermination must be 0 or more.")
    if "retryStrategy" in given:
        _check_retries(given["retryStrategy"])
    check_tags(given.get("tags", {}))
    queue = here().queues.get(name_from("job-queue", given["jobQueue"]))
    if queue is None:
        raise does_not_exist(given["jobQueue"])
    if queue.type != "SAGEMAKER_TRAINING":
        raise ClientError("Service jobs require a SAGEMAKER_TRAINING job queue.")
    if queue.state != "ENABLED" or queue.life.status not in ("VALID", "UPDATING"):
        raise ClientError(f"Job queue {queue.name} is not ENABLED and VALID.")
    _check_share(given, queue)
    return queue


def submit_service_job(given: Json) -> Json:
    check_rate()
    queue = _check_submission(given)
    place, token = here(), given.get("clientToken")
    for job in place.jobs.values() if token else ():
        if job.given.get("clientToken") == token:
            return {"jobArn": job.arn, "jobName": job.name, "jobId": job.id}
    unit, quantity = _instances(given["serviceRequestPayload"])
    id = str(uuid.uuid4())
    place.jobs[id] = job = Job(
        id,
        arn_of("service-job", id),
        given["jobName"],
        dict(given.get("tags", {})),
        queue.arn,
        given,
        unit,
        quantity,
        given.get("schedulingPriority", 0),
        now(),
        len(place.jobs),
    )
    return {"jobArn": job.arn, "jobName": job.name, "jobId": id}


def _job(id: str) -> Job | None:
    return here().jobs.get(name_from("service-job", id))


def _find_job(id: str) -> Job:
    job = _job(id)
    if job is None:
        raise does_not_exist(f"Service job {id}")
    return job


def _listed(job: Job) -> Json:
    answer: Json = {
        "createdAt": job.created,
        "jobArn": job.arn,
        "jobId": job.id,
        "jobName": job.name,
        "serviceJobType": job.given["serviceJobType"],
        "status": job.status,
        "isTerminated": job.is_terminated,
    }
    optional = {
        "scheduledAt": job.scheduled,
        "startedAt": job.started,
        "stoppedAt": job.stopped,
        "statusReason": job.reason,
        "shareIdentifier": job.given.get("shareIdentifier"),
        "quotaShareName": job.share,
    }
    answer.update((name, value) for name, value in optional.items() if value is not None)
    if job.unit is not None:
        answer["capacityUsage"] = [{"capacityUnit": job.unit, "quantity": float(job.quantity)}]
    if job.resource is not None:
        answer["latestAttempt"] = {"serviceResourceId": job.resource}
    return answer


def describe_service_job(given: Json) -> Json:
    job = _find_job(given["jobId"])
    answer: Json = {
        "startedAt": 0,  # the model requires it, of a waiting job too
        **_listed(job),
        "attempts": job.attempts,
        "jobQueue": job.queue_arn,
        "schedulingPriority": job.priority,
        "serviceRequestPayload": job.given["serviceRequestPayload"],
        "tags": dict(job.tags),
    }
    for name in ("retryStrategy", "timeoutConfig", "preemptionConfiguration"):
        if name in job.given:
            answer[name] = job.given[name]
    if job.preempted:
        answer["preemptionSummary"] = {
            "preemptedAttemptCount": len(job.preempted),
            "recentPreemptedAttempts": job.preempted[-10:],
        }
    return answer


def _matches_name(value: str) -> Callable[[Job], bool]:
    wanted = value.lower()
    if wanted.endswith("*"):
        return lambda job: job.name.lower().startswith(wanted[:-1])
    return lambda job: job.name.lower() == wanted


_FILTERS: Final[dict[str, Callable[[str], Callable[[Job], bool]]]] = {
    "JOB_NAME": _matches_name,
    "BEFORE_CREATED_AT": lambda value: lambda job: job.created < int(value),
    "AFTER_CREATED_AT": lambda value: lambda job: job.created > int(value),
    "SHARE_IDENTIFIER": lambda value: lambda job: job.given.get("shareIdentifier") == value,
    "QUOTA_SHARE_NAME": lambda value: lambda job: job.share == value,
}


def list_service_jobs(given: Json) -> Json:
    if "jobQueue" not in given:
        raise ClientError("jobQueue is required.")
    queue = here().queues.get(name_from("job-queue", given["jobQueue"]))
    if queue is None:
        raise does_not_exist(given["jobQueue"])
    jobs, filters = here().jobs_of(queue.arn), given.get("filters", [])
    if len(filters) > 1:
        raise ClientError("Only one filter can be used at a time.")
    status = given.get("jobStatus", None if filters else "RUNNING")
    for one in filters:
        name, values = one.get("name"), one.get("values", [])
        if name not in _FILTERS or not values:
            raise ClientError(f"Invalid filter. Valid filters: [{', '.join(_FILTERS)}]")
        if not name.endswith(("_IDENTIFIER", "_SHARE_NAME")):
            status = None
        if name.endswith("CREATED_AT") and not all(value.isdecimal() for value in values):
            raise ClientError(f"{name} must be a number of milliseconds.")
        tests = [_FILTERS[name](value) for value in values]
        jobs = [job for job in jobs if any(test(job) for test in tests)]
    jobs = [job for job in jobs if status in (None, job.status)]
    jobs.sort(key=lambda job: -job.number)
    return page([_listed(job) for job in jobs], given, "jobSummaryList")


def update_service_job(given: Json) -> Json:
    job = _find_job(given["jobId"])
    if not 0 <= given["schedulingPriority"] <= 9999:
        raise ClientError("schedulingPriority must be between 0 and 9999.")
    if job.is_over:
        raise ClientError(f"Service job {job.id} is {job.status}.")
    job.priority = given["schedulingPriority"]
    return {"jobArn": job.arn, "jobName": job.name, "jobId": job.id}


def close_attempt(job: Job, reason: str) -> Json | None:
    """Ends the SageMaker job that a job has, if it has one; returns the attempt."""
    if job.resource is None or not job.is_active:
        return None
    attempt: Json = {
        "serviceResourceId": job.resource,
        "stoppedAt": now(),
        "statusReason": reason,
    }
    if job.started is not None:
        attempt["startedAt"] = job.started
    job.attempts.append(attempt)
    return attempt


def end_jobs(jobs: Iterable[Job], reason: str) -> None:
    """Ends jobs, running or waiting."""
    for job in jobs:
        if not job.is_over:
            close_attempt(job, reason)
            job.status, job.reason, job.stopped = "FAILED", reason, now()
            job.is_terminated, job.blocked = True, None


def terminate_service_job(given: Json) -> Json:
    end_jobs([_find_job(given["jobId"])], given["reason"])
    return {}


def terminate_service_jobs(given: Json) -> Json:
    successful: list[str] = []
    errors: list[Json] = []
    for id in given["jobs"]:
        job = _job(id)
        if job is None:
            error = does_not_exist(f"Service job {id}")
            errors.append({"job": id, "code": error.code, "message": str(error)})
        else:
            end_jobs([job], given["reason"])
            successful.append(id)
    return {"successful": successful, "errors": errors}
