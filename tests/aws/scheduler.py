"""Which jobs of an account and Region start now, and which have waited too long."""

from __future__ import annotations

import time

from .jobs import end_jobs
from .running import PACE, block_by_environment, move_on, refuse_payload, start, waiting
from .share_dispatch import dispatch_to_shares
from .state import JobQueue, Place, ServiceEnvironment


def advance(place: Place) -> None:
    """Brings the jobs of an account and Region up to now."""
    for job in place.jobs.values():
        move_on(job)
    for queue in place.queues.values():
        environment = place.environment_of(queue)
        if environment is None or environment.state != "ENABLED":  # UP-11
            continue
        if place.has_quota_shares(queue):
            dispatch_to_shares(place, queue, environment)
        else:
            _dispatch_in_order(place, queue, environment)
        _apply_time_limits(place, queue)


def _dispatch_in_order(place: Place, queue: JobQueue, environment: ServiceEnvironment) -> None:
    jobs = place.jobs_of(queue.arn)
    for job in waiting(jobs):
        if job.unit is None:
            refuse_payload(job)
            continue
        by_count = environment.limit_of("NUM_INSTANCES")
        peers = [one for one in jobs if one.is_active and (by_count or one.unit == job.unit)]
        most = by_count or environment.limit_of(job.unit)
        if job.quantity > most:
            block_by_environment(job)
            return
        if sum(one.quantity for one in peers) + job.quantity > most:
            return
        start(job)


def _apply_time_limits(place: Place, queue: JobQueue) -> None:
    seconds = {one["reason"]: one["maxTimeSeconds"] for one in queue.time_limits}
    for job in waiting(place.jobs_of(queue.arn)):
        most = seconds.get(job.blocked or "")
        if most is None:
            continue
        if time.monotonic() - job.blocked_since >= most * PACE.time_limit_scale:
            end_jobs([job], f"Terminated by JobStateTimeLimit action due to reason: {job.blocked}")
