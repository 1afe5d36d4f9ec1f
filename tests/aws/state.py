"""What the service keeps, by account and Region."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ministack.core.responses import get_account_id, get_region

from .lifecycle import Life

Json = dict[str, Any]

# Held for the length of a call: CloudFormation's handlers run in threads of their own.
LOCK = threading.RLock()


@dataclass
class SchedulingPolicy:
    name: str
    arn: str
    tags: dict[str, str]
    quota_share: Json | None
    fair_share: Json | None


@dataclass
class ServiceEnvironment:
    name: str
    arn: str
    tags: dict[str, str]
    state: str
    type: str
    limits: list[Json]
    life: Life = field(default_factory=Life)

    def limit_of(self, unit: str) -> int:
        """How many of a unit may be used at once."""
        return limit_of(self.limits, unit)


@dataclass
class JobQueue:
    name: str
    arn: str
    tags: dict[str, str]
    state: str
    type: str | None
    priority: int
    policy_arn: str | None
    service_environments: list[Json]
    compute_environments: list[Json]
    time_limits: list[Json]
    life: Life = field(default_factory=Life)

    @property
    def environment_arns(self) -> list[str]:
        return [order["serviceEnvironment"] for order in self.service_environments]


@dataclass
class QuotaShare:
    name: str
    arn: str
    tags: dict[str, str]
    state: str
    queue_arn: str
    limits: list[Json]
    sharing: Json
    preemption: Json
    life: Life = field(default_factory=Life)

    @property
    def strategy(self) -> str:
        return str(self.sharing["strategy"])

    def limit_of(self, unit: str) -> int:
        """How many of a unit are its own."""
        return limit_of(self.limits, unit)


@dataclass
class Job:
    id: str
    arn: str
    name: str
    tags: dict[str, str]
    queue_arn: str
    given: Json
    unit: str | None
    quantity: int
    priority: int
    created: int
    number: int
    status: str = "SUBMITTED"
    reason: str | None = None
    blocked: str | None = None
    blocked_since: float = 0
    dispatched: float = 0
    scheduled: int | None = None
    started: int | None = None
    stopped: int | None = None
    is_terminated: bool = False
    resource: Json | None = None
    attempts: list[Json] = field(default_factory=list)
    preempted: list[Json] = field(default_factory=list)

    @property
    def share(self) -> str | None:
        return self.given.get("quotaShareName")

    @property
    def is_active(self) -> bool:
        """Whether it holds instances."""
        return self.status in ("SCHEDULED", "STARTING", "RUNNING")

    @property
    def is_over(self) -> bool:
        return self.status in ("SUCCEEDED", "FAILED")


@dataclass
class Place:
    """All of one account and Region: policies and shares by ARN, jobs by id, the rest by name."""

    policies: dict[str, SchedulingPolicy] = field(default_factory=dict)
    environments: dict[str, ServiceEnvironment] = field(default_factory=dict)
    queues: dict[str, JobQueue] = field(default_factory=dict)
    shares: dict[str, QuotaShare] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)

    def sweep(self) -> None:
        """Lets go of what has been deleted."""
        _drop_the_deleted(self.environments)
        _drop_the_deleted(self.queues)
        _drop_the_deleted(self.shares)

    def shares_of(self, queue_arn: str) -> list[QuotaShare]:
        return [share for share in self.shares.values() if share.queue_arn == queue_arn]

    def jobs_of(self, queue_arn: str, share: str | None = None) -> list[Job]:
        return [
            job
            for job in self.jobs.values()
            if job.queue_arn == queue_arn and (share is None or job.share == share)
        ]

    def environment_of(self, queue: JobQueue) -> ServiceEnvironment | None:
        for environment in self.environments.values():
            if environment.arn in queue.environment_arns:
                return environment
        return None

    def has_quota_shares(self, queue: JobQueue) -> bool:
        """Whether it is a queue of quota management."""
        policy = self.policies.get(queue.policy_arn or "")
        return policy is not None and policy.quota_share is not None


Kept = TypeVar("Kept", ServiceEnvironment, JobQueue, QuotaShare)


def _drop_the_deleted(kept: dict[str, Kept]) -> None:
    for key in [key for key, one in kept.items() if one.life.is_over]:
        del kept[key]


def limit_of(limits: Iterable[Json], unit: str) -> int:
    return sum(limit["maxCapacity"] for limit in limits if limit["capacityUnit"] == unit)


_places: dict[tuple[str, str], Place] = {}


def here() -> Place:
    """Returns what the caller's account has in the Region of the call."""
    return _places.setdefault((get_account_id(), get_region()), Place())


def forget_all() -> None:
    _places.clear()
