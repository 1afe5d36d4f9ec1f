"""``QuotaPlan``: what can be told of a queue before it is deployed, wherever it was written."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

from qm_constructs.capacity import UnitCapacity, capacity_of, unit_named, units_of
from qm_constructs.plan import QueuePlan, Resource


@dataclass(frozen=True)
class Origin:
    """Where a queue was written; each is None when it is not known.

    Args:
        file: The file, as the user named it.
        stack: The name of the stack.
        queue: The queue's logical id.
        name: The name of a queue that is made elsewhere.
    """

    file: str | None = None
    stack: str | None = None
    queue: str | None = None
    name: str | None = None


class QuotaPlan:
    """A queue's service environment and the quota shares that divide it.

    Args:
        ways: The queue in each way in which it may turn out, at least one: a template with
            conditions on what it does not tell has several.
        key_of: Returns what identifies a share, in whichever way; the share itself by default.
        origin: Where the queue was written.
    """

    def __init__(
        self,
        ways: Sequence[QueuePlan],
        key_of: Callable[[Resource], Hashable] = id,
        origin: Origin = Origin(),
    ) -> None:
        self.ways = tuple(ways)
        self.origin = origin
        self._key_of = key_of

    @classmethod
    def of(cls, plan: QueuePlan) -> QuotaPlan:
        """Returns the plan of a queue that can turn out in one way only."""
        return cls([plan])

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
        return tuple(capacity_of(self.ways, unit, self._key_of) for unit in units_of(self.ways))

    def unit(self, instance_type: str, asked: Hashable = None) -> UnitCapacity:
        """Returns how one unit is divided, whether or not there is any of it.

        Args:
            instance_type: The unit.
            asked: What identifies a share that is listed even if it holds none of the unit.
        """
        return capacity_of(self.ways, unit_named(instance_type), self._key_of, asked)

    def _same(self, name: str) -> str | None:
        values = [way.queue.at((name,)) for way in self.ways]
        first = values[0]
        return first if isinstance(first, str) and values.count(first) == len(values) else None
