"""What a diff says, and how the formats word what they have in common."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from qm_constructs.changes import Change, Effect
from qm_constructs.cli._wording import count
from qm_constructs.plan import Unknown
from qm_constructs.template.report import Unreadable


@dataclass
class Difference:
    """What is said of all that was compared.

    Args:
        changes: The changes, the worst first.
        unreadable: What could not be read; nothing was compared then.
        resources: How many resources of the four types were compared.
        fail_on: The effect that counts as failure, with those that are worse.
    """

    changes: list[Change] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)
    resources: int = 0
    fail_on: Effect = Effect.SLOWS_JOBS

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        if self.unreadable:
            return 2
        return int(any(map(self.is_fatal, self.changes)))

    def is_fatal(self, change: Change) -> bool:
        """Tells whether a change counts as failure."""
        return change.hit.effect.rank <= self.fail_on.rank


def value(given: Any) -> str:
    """Returns a value as people read it."""
    if given is None:
        return "none"
    if isinstance(given, bool):
        return str(given).lower()
    return "unknown" if isinstance(given, Unknown) else str(given)


def place(change: Change) -> str:
    """Returns a resource with the stacks that it is in, from the outside."""
    return "/".join([*filter(None, [change.stack]), *change.nested, change.resource])


def moved(change: Change) -> str:
    """Returns a value before and after; empty where there is neither."""
    if change.hit.before is None and change.hit.after is None:
        return ""
    return f"{value(change.hit.before)} -> {value(change.hit.after)}"


def summary(difference: Difference) -> str:
    """Returns in a line what was found, in how much."""
    compared = f"{count(difference.resources, 'resource')} of AWS Batch"
    if not difference.resources:
        return "Nothing to compare: no resource of AWS Batch quota management"
    if not difference.changes:
        return f"No changes in {compared}"
    numbers = Counter(change.hit.effect for change in difference.changes)
    told = ", ".join(f"{numbers[effect]} {effect.value}" for effect in Effect if numbers[effect])
    return f"{count(len(difference.changes), 'change')} in {compared}: {told}"
