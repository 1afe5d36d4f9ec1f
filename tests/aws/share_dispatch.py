"""Quota shares at work: each runs what is its own or lent to it, and takes back what it lent."""

from __future__ import annotations

from dataclasses import dataclass

from .running import (
    block,
    block_by_environment,
    held,
    preempt,
    refuse_payload,
    start,
    waiting,
)
from .shares import BORROWS, UNLIMITED
from .state import Job, JobQueue, Place, QuotaShare, ServiceEnvironment
from .time_limits import SHARE_TOO_SMALL

CROSS_SHARE = "Cross-share preemption triggered to reclaim borrowed capacity"
# AWS publishes no text for this one.
IN_SHARE = "In-share preemption triggered by a job of a higher priority"


def dispatch_to_shares(place: Place, queue: JobQueue, environment: ServiceEnvironment) -> None:
    """Starts what can start, the first job of each share in turn until none can. [SC-01]"""
    shares = place.shares_of(queue.arn)
    moved = True
    while moved:
        moved = False
        for share in shares:
            for job in waiting(place.jobs_of(queue.arn, share.name))[:1]:
                moved |= _dispatch(place, job, share, environment)


def _dispatch(place: Place, job: Job, share: QuotaShare, environment: ServiceEnvironment) -> bool:
    """Starts a job if it can start; returns whether it no longer waits."""
    if job.unit is None:
        refuse_payload(job)
        return True
    if job.quantity > environment.limit_of(job.unit):
        block_by_environment(job)
        return False
    of_unit = _Unit(place, job.unit, share, place.shares_of(share.queue_arn))
    if too_large := of_unit.never_fits(job):
        block(job, SHARE_TOO_SMALL, too_large)
        return False
    missing = of_unit.total() + job.quantity - environment.limit_of(job.unit)
    if of_unit.beyond_the_share(job) > 0:
        victims = _enough(of_unit.of_lower_priority(job), of_unit.beyond_the_share(job))
        reason = IN_SHARE
    elif missing > 0:
        is_own = of_unit.used(share) + job.quantity <= share.limit_of(job.unit)
        candidates, reason = (of_unit.borrowing() if is_own else []), CROSS_SHARE
        victims = _enough(candidates, missing)
        if not victims:
            victims, reason = _enough(of_unit.of_lower_priority(job), missing), IN_SHARE
    else:
        start(job)
        return True
    preempt(victims, reason)
    if victims:
        start(job)
    return bool(victims)


def _enough(candidates: list[Job], missing: int) -> list[Job]:
    """Returns as many of the candidates as make room, or none if all are too few."""
    chosen: list[Job] = []
    for job in candidates:
        if sum(one.quantity for one in chosen) < missing:
            chosen.append(job)
    return chosen if sum(one.quantity for one in chosen) >= missing else []


@dataclass
class _Unit:
    """One instance type of a queue, as one of its shares sees it."""

    place: Place
    unit: str
    share: QuotaShare
    shares: list[QuotaShare]

    def jobs(self, share: QuotaShare) -> list[Job]:
        return self.place.jobs_of(share.queue_arn, share.name)

    def used(self, share: QuotaShare) -> int:
        return held(self.jobs(share), self.unit)

    def total(self) -> int:
        return sum(self.used(share) for share in self.shares)

    def lenders(self) -> list[QuotaShare]:
        others = (one for one in self.shares if one.name != self.share.name)
        return [one for one in others if one.strategy != "RESERVE"]  # SC-04

    def most_to_borrow(self, lendable: int) -> int:
        if self.share.strategy != BORROWS:
            return 0
        limit = int(self.share.sharing["borrowLimit"])
        if limit == UNLIMITED:
            return max(0, lendable)
        return min(max(0, lendable), self.share.limit_of(self.unit) * limit // 100)  # QS-09

    def beyond_the_share(self, job: Job) -> int:
        """Returns how many instances a job needs that its share neither has nor can borrow now."""
        wanted = self.used(self.share) + job.quantity - self.share.limit_of(self.unit)
        if wanted <= 0:
            return 0
        idle = sum(max(0, one.limit_of(self.unit) - self.used(one)) for one in self.lenders())
        lent = sum(
            max(0, self.used(one) - one.limit_of(self.unit))
            for one in self.shares
            if one.name != self.share.name
        )
        return max(0, wanted - self.most_to_borrow(idle - lent))

    def borrowing(self) -> list[Job]:
        """Returns the jobs that hold instances of other shares, the first to stop first. [SC-08]"""
        jobs: list[Job] = []
        for share in self.shares:
            borrowed = self.used(share) - share.limit_of(self.unit)
            active = (job for job in self.jobs(share) if job.is_active and job.unit == self.unit)
            for job in sorted(active, key=_first_to_stop):
                if borrowed > 0 and share.strategy == BORROWS:
                    jobs.append(job)
                    borrowed -= job.quantity
        return sorted(jobs, key=_first_to_stop)

    def of_lower_priority(self, job: Job) -> list[Job]:
        """Returns the jobs of the share that a job may stop, the first to stop first. [SC-07]"""
        if self.share.preemption["inSharePreemption"] != "ENABLED":
            return []
        jobs = [
            one
            for one in self.jobs(self.share)
            if one.is_active and one.unit == self.unit and one.priority < job.priority
        ]
        return sorted(jobs, key=_first_to_stop)

    def never_fits(self, job: Job) -> str | None:
        """Returns what AWS says of a job that its share can never run. [XR-07]"""
        own = self.share.limit_of(self.unit)
        most = self.most_to_borrow(sum(one.limit_of(self.unit) for one in self.lenders()))
        if job.quantity <= own + most:
            return None
        if self.share.strategy != BORROWS:
            return "Job requirements exceed quota share capacity limits."
        limit = int(self.share.sharing["borrowLimit"])
        if limit != UNLIMITED and job.quantity > own + own * limit // 100:
            return "Job requirements exceed quota share capacity limits and borrow limits."
        return "Job requires borrowing that exceeds all configured borrowable capacity."


def _first_to_stop(job: Job) -> tuple[int, float]:
    return job.priority, -job.dispatched
