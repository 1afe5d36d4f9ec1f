"""What becomes of a job: it waits, starts, runs, is preempted, or ends."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from .jobs import close_attempt, end_jobs, now
from .names import arn_of
from .state import Job, Json
from .time_limits import ENVIRONMENT_TOO_SMALL


@dataclass
class Pace:
    """How fast jobs go; a job runs until it is ended, unless it is given seconds."""

    step_seconds: float = 0.05
    job_seconds: float | None = None
    # What a second of a job state time limit takes.
    time_limit_scale: float = 1.0


PACE = Pace()


def move_on(job: Job) -> None:
    """Brings a job to the status that it has by now."""
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


def start(job: Job) -> None:
    job.status, job.dispatched, job.scheduled = "SCHEDULED", time.monotonic(), now()
    job.reason = job.blocked = job.started = None
    training_job = arn_of("training-job", f"AWSBatch{job.name}-{len(job.attempts)}-{job.id[:8]}")
    job.resource = {
        "name": "TrainingJobArn",
        "value": training_job.replace(":batch:", ":sagemaker:", 1),  # SJ-14
    }


def refuse_payload(job: Job) -> None:
    """SageMaker, not AWS Batch, refuses a payload. [SJ-05]"""
    end_jobs([job], "Received status from SageMaker: ValidationException")
    job.is_terminated = False


def preempt(jobs: Iterable[Job], reason: str) -> None:
    """Stops jobs, which wait again, or fail where they were preempted too often. [SC-09, SJ-04]"""
    for job in jobs:
        attempt = close_attempt(job, reason)
        assert attempt is not None
        job.preempted.append(attempt)
        job.status, job.reason, job.started = "RUNNABLE", reason, None
        preemption = job.given.get("preemptionConfiguration", {})
        most = preemption.get("preemptionRetriesBeforeTermination")
        if most is not None and len(job.preempted) > most:
            job.status, job.stopped = "FAILED", now()


def block(job: Job, reason: str, text: str) -> None:
    """Says of a job that waits why it can never run."""
    if job.blocked != reason:
        job.blocked, job.blocked_since = reason, time.monotonic()
    job.reason = f"{reason} - {text}"


def block_by_environment(job: Job) -> None:
    block(
        job,
        ENVIRONMENT_TOO_SMALL,
        "Service environment(s) associated with the job queue cannot meet the capacity requirement "
        "of the job.",
    )


def waiting(jobs: Iterable[Job]) -> list[Job]:
    """Returns the jobs that wait, the next one first. [SC-03]"""
    runnable = [job for job in jobs if job.status == "RUNNABLE"]
    return sorted(runnable, key=lambda job: (-job.priority, job.number))


def held(jobs: Iterable[Job], unit: str) -> int:
    """Returns how many instances of a type jobs hold."""
    return sum(job.quantity for job in jobs if job.is_active and job.unit == unit)


def usage(jobs: Iterable[Job]) -> list[Json]:
    """Returns how many instances of each type jobs hold, as a call answers it."""
    active = [job for job in jobs if job.is_active]
    units = sorted({job.unit for job in active if job.unit is not None})
    return [{"capacityUnit": unit, "quantity": float(held(active, unit))} for unit in units]
