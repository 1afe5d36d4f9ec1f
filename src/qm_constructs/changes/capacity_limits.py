"""What changed capacity limits do, of a share or of a service environment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from qm_constructs.changes.effects import Hit
from qm_constructs.changes.values import limits_of, same
from qm_constructs.plan import Resource, is_whole_number

PROPERTY: Final = "CapacityLimits"

Worded = Callable[[str | None, Any, Any], Hit]
"""Makes the hit for a unit (None for units that are not known), with its limit before and after."""


def limit_hits(old: Resource, new: Resource, less: Worded, more: Worded) -> Iterator[Hit]:
    """Yields what the difference of two resources' capacity limits does.

    Args:
        old: The resource before.
        new: The resource after.
        less: Words a limit that falls, goes or may do so.
        more: Words a limit that rises or comes.
    """
    before, after = limits_of(old), limits_of(new)
    for unit in dict.fromkeys([*before.by_unit, *after.by_unit]):
        one, other = before.by_unit.get(unit), after.by_unit.get(unit)
        if not same(one, other):
            yield (more if _is_more(one, other) else less)(unit, one, other)
    if before.open != after.open:
        yield less(None, None, None)


def _is_more(before: Any, after: Any) -> bool:
    if before is None:
        return True
    return is_whole_number(before) and is_whole_number(after) and after > before


def moved(unit: str | None, before: Any, after: Any) -> str:
    """Returns what becomes of a limit, as the end of a sentence."""
    if unit is None:
        return "may change: the templates do not tell its capacity limits"
    if before is None:
        return f"for {unit} comes: {after}" if is_whole_number(after) else f"for {unit} comes"
    if after is None:
        return (
            f"for {unit} goes; it was {before}" if is_whole_number(before) else f"for {unit} goes"
        )
    if is_whole_number(before) and is_whole_number(after):
        return f"for {unit} {'rises' if after > before else 'falls'} from {before} to {after}"
    return f"for {unit} may fall: the templates do not tell {_untold(before, after)}"


def _untold(before: Any, after: Any) -> str:
    told = [is_whole_number(value) for value in (before, after)]
    if not any(told):
        return "either value"
    return (
        f"the value after; it was {before}" if told[0] else f"the value before; it is {after} now"
    )


def lower_limits(before: Resource | None, after: Resource | None) -> str:
    """Returns a sentence about the limits that a queue's new service environment has less of.

    Args:
        before: The environment before; None when it is not known.
        after: The environment after, likewise.
    """
    if before is None or after is None:
        return " The templates do not tell whether its limits are lower."
    old, new = (limits_of(found).by_unit for found in (before, after))
    lower = [
        f"{unit} falls from {most} to {new.get(unit, 0)}"
        for unit, most in old.items()
        if is_whole_number(most) and is_whole_number(new.get(unit, 0)) and new.get(unit, 0) < most
    ]
    return f" Its limit of {', of '.join(lower)}." if lower else ""
