"""``QuotaPlan``: what can be told of a queue before it is deployed, wherever it was written."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from qm_constructs.capacity import (
    ShareCapacity,
    UnitCapacity,
    capacity_of,
    is_enabled,
    name_of_share,
    unit_named,
    units_of,
)
from qm_constructs.errors import Fault, QuotaManagementError, shown
from qm_constructs.explaining import ENVIRONMENT_PART, Circumstances, Explanation, explain
from qm_constructs.plan import QueuePlan, Resource, Unknown, is_whole_number
from qm_constructs.questions import faults_of_count, faults_of_instance_type, faults_of_name

if TYPE_CHECKING:
    from qm_constructs.quotas.loading import Source


@dataclass(frozen=True)
class Origin:
    """Where a queue was written; each is None when it is not known.

    Args:
        file: The file, as the user named it.
        stack: The name of the stack; of a nested one ``Parent/LogicalId``.
        queue: The queue's logical id.
        name: The name of a queue that is made elsewhere.
        is_none: Whether there is no queue: it is what the shares name that have none.
    """

    file: str | None = None
    stack: str | None = None
    queue: str | None = None
    name: str | None = None
    is_none: bool = False


@dataclass(frozen=True)
class Standing:
    """What a template says of a queue beside its resources.

    Args:
        errors: A sentence for each error that stands however the template turns out.
        more_shares: Why the queue may have shares that are not listed, as a clause.
        by_macro: Whether a macro, a module or an ``Fn::ForEach`` of its template may make them.
        whole: Whether there are no more ways to turn out than those that were looked at.
    """

    errors: tuple[str, ...] = ()
    more_shares: str = "Other templates may add shares to this queue"
    by_macro: bool = False
    whole: bool = True


class QuotaPlan:
    """A queue's service environment and the quota shares that divide it.

    Args:
        ways: The queue in each way in which it may turn out, at least one: a template with
            conditions on what it does not tell has several.
        key_of: Returns what identifies a share, in whichever way; the share itself by default.
        origin: Where the queue was written.
        standing: What its template says of it beside its resources.
    """

    def __init__(
        self,
        ways: Sequence[QueuePlan],
        key_of: Callable[[Resource], Hashable] = id,
        origin: Origin = Origin(),
        standing: Standing = Standing(),
    ) -> None:
        self.ways = tuple(ways)
        self.origin = origin
        self.standing = standing
        self.source: Source | None = None
        self._key_of = key_of

    def __repr__(self) -> str:
        """Returns what the plan is of, for a debugger or a prompt."""
        origin = self.origin
        name = next(filter(None, (self.name, origin.queue)), None)
        units = ", ".join(f"{unit.name} {unit.environment.known}" for unit in self.units)
        shares = ", ".join(shown(share.name) for share in self.shares)
        where = "" if origin.file is None else f" in {shown(origin.file)}"
        return f"<QuotaPlan {shown(name)}{where}: {units or 'no unit'}; shares {shares or 'none'}>"

    @classmethod
    def of(cls, plan: QueuePlan) -> QuotaPlan:
        """Returns the plan of a queue that can turn out in one way only."""
        return cls([plan])

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> QuotaPlan:
        """Returns the plan of the queue that a quotas file stands for.

        Args:
            path: The file, in YAML or JSON; its keys are in docs/quotas-file.md.

        Raises:
            QuotaManagementError: The file cannot be read, has a key or a value that a quotas file
                cannot have, or has what AWS Batch would refuse; with every fault's place.
        """
        from qm_constructs.quotas.loading import plan_from  # noqa: PLC0415

        return plan_from(path)

    def to_file(self, path: str | os.PathLike[str]) -> None:
        """Writes the plan as a quotas file, over one that is there.

        What was read from a file is written as it was set there, without its comments; of any
        other plan, what is as by default is left out.

        Args:
            path: The file, whose name ends in ``.yaml``, ``.yml`` or ``.json``.

        Raises:
            QuotaManagementError: The name ends otherwise, the file cannot be written, or the plan
                has what a quotas file cannot say, such as a value that only the deploy knows.
        """
        from qm_constructs.quotas.writing import write  # noqa: PLC0415

        write(self, path)

    @property
    def name(self) -> str | None:
        """The queue's name; None when it is not known."""
        return self.origin.name or self._same("JobQueueName")

    @property
    def complete(self) -> bool:
        """Whether all of the queue's shares are known."""
        return all(way.complete for way in self.ways)

    @cached_property
    def units(self) -> tuple[UnitCapacity, ...]:
        """How each capacity unit is divided, those of the environment first."""
        return tuple(self._divided(unit) for unit in units_of(self.ways))

    def unit(self, instance_type: str, asked: Hashable = None) -> UnitCapacity:
        """Returns how one unit is divided, whether or not there is any of it.

        Args:
            instance_type: The unit.
            asked: What identifies a share that is listed even if it holds none of the unit.
        """
        return self._divided(unit_named(instance_type), asked)

    def _divided(self, unit: Hashable, asked: Hashable = None) -> UnitCapacity:
        return capacity_of(self.ways, unit, self._key_of, asked, whole=self.standing.whole)

    @cached_property
    def shares(self) -> tuple[PlannedShare, ...]:
        """The queue's shares, those that hold nothing too."""
        names: dict[Hashable, set[str | None]] = {}
        for way in self.ways:
            for share in way.shares:
                names.setdefault(self._key_of(share), set()).add(name_of_share(share))
        return tuple(
            PlannedShare(self, key, told.pop() if len(told) == 1 else None)
            for key, told in names.items()
        )

    def share_of(self, resource: Resource) -> PlannedShare:
        """Returns the share that a resource of the plan is."""
        key = self._key_of(resource)
        return next(share for share in self.shares if share.key == key)

    def share(self, name: str) -> PlannedShare:
        """Returns a share by its name.

        Args:
            name: The share's name.

        Raises:
            QuotaManagementError: No share, or more than one, has the name.
        """
        faults = faults_of_name(name, [share.name for share in self.shares])
        if faults:
            raise QuotaManagementError(f"QuotaPlan.share({shown(name)})", faults)
        return next(share for share in self.shares if share.name == name)

    def largest_job(self, share: str, instance_type: str) -> int | None:
        """Returns the most instances that one job of a share can have (XR-07).

        Args:
            share: The share's name.
            instance_type: A SageMaker instance type, such as ``ml.p5.48xlarge``.

        Returns:
            Whole instances, 0 or more; None when it is not known.

        Raises:
            QuotaManagementError: There is no such share, or no such instance type.
        """
        return self.share(share).largest_job(instance_type)

    @cached_property
    def circumstances(self) -> Circumstances:
        """What of the queue counts for a job beside its capacity."""
        named = (
            ("queue", [way.queue for way in self.ways]),
            (ENVIRONMENT_PART, [way.environment for way in self.ways]),
        )
        disabled = tuple(
            name
            for name, resources in named
            if all(found is not None and is_enabled(found) is False for found in resources)
        )
        limits = [_time_limits(way.queue) for way in self.ways]
        return Circumstances(
            disabled, limits[0] if len(set(limits)) == 1 else None, self.standing.errors
        )

    def faults_of_type(self, instance_type: object) -> list[Fault]:
        """Returns what is wrong with an instance type that somebody asks about."""
        return faults_of_instance_type(
            instance_type, [unit.name for unit in self.units if unit.name is not None]
        )

    def _same(self, name: str) -> str | None:
        values = [way.queue.at((name,)) for way in self.ways]
        first = values[0]
        return first if isinstance(first, str) and values.count(first) == len(values) else None


class PlannedShare:
    """A quota share of a plan.

    Args:
        plan: The plan.
        key: What identifies the share in it.
        name: The share's name; None when it is not known.
    """

    def __init__(self, plan: QuotaPlan, key: Hashable, name: str | None) -> None:
        self.name = name
        self._plan = plan
        self.key = key

    def largest_job(self, instance_type: str) -> int | None:
        """Returns the most instances that one job of the share can have (XR-07).

        Args:
            instance_type: A SageMaker instance type, such as ``ml.p5.48xlarge``.

        Returns:
            Whole instances, 0 or more; None when it is not known.

        Raises:
            QuotaManagementError: There is no such instance type.
        """
        faults = self._plan.faults_of_type(instance_type)
        if faults:
            raise QuotaManagementError(f"largest_job({shown(instance_type)})", faults)
        return self._capacity(instance_type)[1].largest_job.known

    def explain(self, instance_type: str, count: int) -> Explanation:
        """Returns whether a job of the share can ever run, and why (XR-07, SE-14).

        Args:
            instance_type: A SageMaker instance type, such as ``ml.p5.48xlarge``.
            count: How many instances the job asks for, a whole number from 1 to 2147483647.

        Raises:
            QuotaManagementError: There is no such instance type, or the count is no such number.
        """
        faults = [*self._plan.faults_of_type(instance_type), *faults_of_count(count)]
        if faults:
            raise QuotaManagementError(f"explain({shown(instance_type)}, {shown(count)})", faults)
        return explain(*self._capacity(instance_type), count, self._plan.circumstances)

    def _capacity(self, instance_type: str) -> tuple[UnitCapacity, ShareCapacity]:
        unit = self._plan.unit(instance_type, self.key)
        return unit, next(share for share in unit.shares if share.key == self.key)


def _time_limits(queue: Resource) -> tuple[tuple[str, int], ...] | None:
    """Returns after how many seconds a queue ends a job that is stuck, by reason."""
    actions = queue.at(("JobStateTimeLimitActions",))
    if not queue.properties or isinstance(actions, Unknown):
        return None
    found: list[tuple[str, int]] = []
    for action in actions if isinstance(actions, list) else ():
        known = action if isinstance(action, dict) else {}
        reason, seconds = known.get("Reason"), known.get("MaxTimeSeconds")
        if any(isinstance(part, Unknown) for part in (action, reason, seconds)):
            return None
        if isinstance(reason, str) and is_whole_number(seconds):
            found.append((reason, seconds))
    return tuple(found)
