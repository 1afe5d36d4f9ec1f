"""Which job starts when: each share within its own limits, and within what others lend it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from .jobs import close_attempt, end_jobs, now
from .names import arn_of
from .shares import BORROWS, UNLIMITED
from .state import Job, JobQueue, Json, Place, QuotaShare, ServiceEnvironment
from .time_limits import ENVIRONMENT_TOO_SMALL, SHARE_TOO_SMALL


@dataclass
class Pace:
    """How fast jobs go; a job runs until it is ended, unless it is given seconds."""

    step_seconds: float = 0.05
    job_seconds: float | None = None
    # What a second of a job state time limit takes.
    time_limit_scale: float = 1.0


PACE = Pace()


def advance(place: Place) -> None:
    """Brings the jobs of an account and Region up to now."""
    for job in place.jobs.values():
        _move_on(job)
    for queue in place.queues.values():
        environment = place.environment_of(queue)
        if environment is None or environment.state != "ENABLED":  # UP-11
            continue
        if place.has_quota_shares(queue):
            _dispatch_to_shares(place, queue, environment)
        else:
            _dispatch_in_order(place, queue, environment)
        _apply_time_limits(place, queue)


def _move_on(job: Job) -> None:
    elapsed = time.monotonic() - job.dispatched
    if job.status == "SUBMITTED":
        job.status = "RUNNABLE"
    if job.status == "SCHEDULED" and elapsed >= PACE.step_seconds:
        job.status = "STARTING"
    if job.status == "STARTING" and elapsed >= 2 * PACE.step_seconds:
        job.status, job.started = "RUNNING", now()
    if job.status == "RUNNING" and PACE.job_seconds is not None and elapsed >= PACE.job_seconds:
        close_attempt(job, "Received status from SageMaker: Completed")
        job.status, job.stopped, job.reason = "SUCCEEDED", now(), None


def _start(job: Job) -> None:
    job.status, job.dispatched, job.scheduled = "SCHEDULED", time.monotonic(), now()
    job.reason = job.blocked = job.started = None
    training_job = arn_of("training-job", f"AWSBatch{job.name}-{len(job.attempts)}-{job.id[:8]}")
    job.resource = {
        "name": "TrainingJobArn",
        "value": training_job.replace(":batch:", ":sagemaker:", 1),  # SJ-14
    }


def waiting(jobs: list[Job]) -> list[Job]:
    """Returns the jobs that wait, the next one first. [SC-03]"""
    runnable = [job for job in jobs if job.status == "RUNNABLE"]
    return sorted(runnable, key=lambda job: (-job.priority, job.number))


def _refuse_payload(job: Job) -> None:
    """SageMaker, not AWS Batch, refuses a payload. [SJ-05]"""
    end_jobs([job], "Received status from SageMaker: ValidationException")
    job.is_terminated = False


def _dispatch_in_order(place: Place, queue: JobQueue, environment: ServiceEnvironment) -> None:
    jobs = place.jobs_of(queue.arn)
    for job in waiting(jobs):
        if job.unit is None:
            _refuse_payload(job)
            continue
        by_count = environment.limit_of("NUM_INSTANCES")
        peers = [one for one in jobs if one.is_active and (by_count or one.unit == job.unit)]
        most = by_count or environment.limit_of(job.unit)
        if job.quantity > most:
            _block(job, ENVIRONMENT_TOO_SMALL, _ENVIRONMENT_TEXT)
            return
        if sum(one.quantity for one in peers) + job.quantity > most:
            return
        _start(job)


def _dispatch_to_shares(place: Place, queue: JobQueue, environment: ServiceEnvironment) -> None:
    shares = place.shares_of(queue.arn)
    moved = True
    while moved:
        moved = False
        for share in shares:
            for job in waiting(place.jobs_of(queue.arn, share.name))[:1]:
                moved |= _dispatch(place, job, share, shares, environment)


def _dispatch(
    place: Place,
    job: Job,
    share: QuotaShare,
    shares: list[QuotaShare],
    environment: ServiceEnvironment,
) -> bool:
    """Starts a job if it can start; returns whether it no longer waits."""
    if job.unit is None:
        _refuse_payload(job)
        return True
    unit, quantity = job.unit, job.quantity
    used = {one.name: _used(place, one, unit) for one in shares}
    if quantity > environment.limit_of(unit):
        _block(job, ENVIRONMENT_TOO_SMALL, _ENVIRONMENT_TEXT)
        return False
    if too_large := _never_fits(job, share, shares):
        _block(job, SHARE_TOO_SMALL, too_large)
        return False
    own = share.limit_of(unit)
    over = max(0, used[share.name] + quantity - own)
    lent_to_others = sum(max(0, used[one.name] - one.limit_of(unit)) for one in shares) - max(
        0, used[share.name] - own
    )
    idle = sum(max(0, one.limit_of(unit) - used[one.name]) for one in _lenders(share, shares))
    if over > _most_to_borrow(share, unit, idle - lent_to_others):
        return False
    if sum(used.values()) + quantity > environment.limit_of(unit):
        return False
    _start(job)
    return True


def _used(place: Place, share: QuotaShare, unit: str) -> int:
    jobs = place.jobs_of(share.queue_arn, share.name)
    return sum(job.quantity for job in jobs if job.is_active and job.unit == unit)


def _lenders(share: QuotaShare, shares: list[QuotaShare]) -> list[QuotaShare]:
    return [one for one in shares if one.name != share.name and one.strategy != "RESERVE"]  # SC-04


def _most_to_borrow(share: QuotaShare, unit: str, lendable: int) -> int:
    if share.strategy != BORROWS:
        return 0
    limit = int(share.sharing["borrowLimit"])
    if limit == UNLIMITED:
        return max(0, lendable)
    return min(max(0, lendable), share.limit_of(unit) * limit // 100)  # QS-09


_ENVIRONMENT_TEXT = (
    "Service environment(s) associated with the job queue cannot meet the capacity requirement of "
    "the job."
)


def _never_fits(job: Job, share: QuotaShare, shares: list[QuotaShare]) -> str | None:
    """Returns what AWS says of a job that its share can never run. [XR-07]"""
    assert job.unit is not None
    own = share.limit_of(job.unit)
    lenders = sum(one.limit_of(job.unit) for one in _lenders(share, shares))
    if job.quantity <= own + _most_to_borrow(share, job.unit, lenders):
        return None
    if share.strategy != BORROWS:
        return "Job requirements exceed quota share capacity limits."
    limit = share.sharing["borrowLimit"]
    if limit != UNLIMITED and job.quantity > own + own * limit // 100:
        return "Job requirements exceed quota share capacity limits and borrow limits."
    return "Job requires borrowing that exceeds all configured borrowable capacity."


def _block(job: Job, reason: str, text: str) -> None:
    if job.blocked != reason:
        job.blocked, job.blocked_since = reason, time.monotonic()
    job.reason = f"{reason} - {text}"


def _apply_time_limits(place: Place, queue: JobQueue) -> None:
    seconds = {one["reason"]: one["maxTimeSeconds"] for one in queue.time_limits}
    for job in waiting(place.jobs_of(queue.arn)):
        most = seconds.get(job.blocked or "")
        if most is None:
            continue
        if time.monotonic() - job.blocked_since >= most * PACE.time_limit_scale:
            end_jobs([job], f"Terminated by JobStateTimeLimit action due to reason: {job.blocked}")


def usage(jobs: list[Job]) -> list[Json]:
    """Returns how many instances of each type jobs hold."""
    held: dict[str, int] = {}
    for job in jobs:
        if job.is_active and job.unit is not None:
            held[job.unit] = held.get(job.unit, 0) + job.quantity
    return [{"capacityUnit": unit, "quantity": float(count)} for unit, count in held.items()]
