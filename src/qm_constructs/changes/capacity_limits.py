"""What changed capacity limits do, of a share or of a service environment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from qm_constructs.changes.effects import Hit
from qm_constructs.changes.values import bounds_of, limits_of, number, options_of, same
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
    return before is None or _surely_falls(after, before, or_stays=True)


def _surely_falls(before: Any, after: Any, *, or_stays: bool = False) -> bool:
    """Tells whether a limit falls, whichever values it may have before and after."""
    old, new = bounds_of(before), bounds_of(after)
    if old is None or new is None:
        return False
    return new[1] <= old[0] if or_stays else new[1] < old[0]


def moved(unit: str | None, before: Any, after: Any) -> str:
    """Returns what becomes of a limit, as the end of a sentence."""
    if unit is None:
        return "may change: the templates do not tell its capacity limits"
    old, new = (_told(value) for value in (before, after))
    if before is None:
        return f"for {unit} comes: {new}" if new else f"for {unit} comes"
    if after is None:
        return f"for {unit} goes; it was {old}" if old else f"for {unit} goes"
    if old and new:
        verb = "falls" if _surely_falls(before, after) else "may fall"
        verb = "rises" if _is_more(before, after) else verb
        return f"for {unit} {verb} from {old} to {new}"
    return f"for {unit} may fall: the templates do not tell {_untold(old, new)}"


def _told(value: Any) -> str:
    """Returns a limit as a message shows it; empty where the templates do not tell."""
    bounds = bounds_of(value)
    if bounds is None:
        return ""
    if bounds[0] == bounds[1]:
        return str(bounds[0])
    options = {number(option) for option in options_of(value) or ()}
    return f"{bounds[0]} {'or' if len(options) == len(bounds) else 'to'} {bounds[1]}"


def _untold(before: str, after: str) -> str:
    if not before and not after:
        return "either value"
    return f"the value after; it was {before}" if before else f"the value before; it is {after} now"


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
