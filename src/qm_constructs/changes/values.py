"""When two values are the same, and how they are told; one that is not known is no exception."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from qm_constructs import capacity
from qm_constructs.plan import Resource, Unknown, UnknownText, is_whole_number, text_key

_MOST_NAMED: Final = 5
_DIGITS: Final = re.compile(r"[0-9]{1,18}")
_PLAIN: Final = (str, int, float, Unknown)


class OneOf(UnknownText):
    """A value that is one of some, and of which the templates do not tell which.

    Args:
        source: What stands for the value.
        parts: What identifies it.
        options: All that it can be.
    """


def options_of(value: Any) -> tuple[Any, ...] | None:
    """Returns all that a value can be; None where the templates do not tell."""
    if isinstance(value, OneOf):
        return value.options
    return None if isinstance(value, Unknown) else (value,)


def bounds_of(value: Any) -> tuple[int, int] | None:
    """Returns the least and the most that a whole number can be; None where nothing tells."""
    numbers = [number(option) for option in options_of(value) or ()]
    known = [found for found in numbers if found is not None]
    return (min(known), max(known)) if known and len(known) == len(numbers) else None


def number(value: Any) -> int | None:
    """Returns a whole number, also one that is written as text; None for anything else."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    return value if is_whole_number(value) else None


def identity(value: Any) -> Hashable:
    """Returns what two values have in common when they are the same, known or not."""
    if isinstance(value, Unknown):
        parts = text_key(value)
        return "unknown", identity(value.source) if parts is None else parts
    if isinstance(value, Mapping):
        return "map", frozenset((str(key), identity(member)) for key, member in value.items())
    if isinstance(value, list | tuple):
        return "list", tuple(map(identity, value))
    if isinstance(value, bool | int | float):
        # CloudFormation takes these and their text for the same.
        value = str(value).lower() if isinstance(value, bool) else str(value)
    return type(value).__name__, repr(value)


def same(one: Any, other: Any) -> bool:
    """Tells whether two values are known to be the same."""
    return identity(one) == identity(other)


def same_in_any_order(one: Any, other: Any) -> bool:
    """Tells whether two lists hold the same, in whatever order."""
    if not isinstance(one, list) or not isinstance(other, list):
        return False
    return Counter(map(identity, one)) == Counter(map(identity, other))


def told(value: Any) -> str:
    """Returns a value as a message shows it."""
    found = plain(value)
    if found is None:
        return "none"
    return "a value that is not known" if isinstance(found, Unknown) else str(found)


def plain(value: Any) -> Any:
    """Returns a value that is no list and no map; an ``Unknown`` in the place of one that is."""
    return value if value is None or isinstance(value, _PLAIN) else Unknown(value)


def name_of_share(share: Resource) -> str:
    """Returns the name of a share, or what stands for one that is not known."""
    return capacity.name_of_share(share) or "a name that is not known"


def names(of: Iterable[str | None]) -> str:
    """Returns some names in quotes, those beyond the first few counted."""
    quoted = [f"'{name}'" for name in of]
    more = len(quoted) - _MOST_NAMED
    shown = quoted if more <= 0 else [*quoted[:_MOST_NAMED], f"{more} more"]
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))


@dataclass(frozen=True)
class Limits:
    """The capacity limits of a resource.

    Args:
        by_unit: The limit of each unit that is known; an ``Unknown`` where it is not a number.
        open: The entries of which not even the unit is known.
    """

    by_unit: dict[str, Any] = field(default_factory=dict)
    open: Counter[Hashable] = field(default_factory=Counter)


def limits_of(resource: Resource) -> Limits:
    """Returns the capacity limits of a service environment or a share."""
    entries = resource.at(("CapacityLimits",))
    found = Limits()
    given: dict[str, list[Any]] = {}
    if entries is None and isinstance(resource.properties, Mapping):
        return found
    if not isinstance(entries, list):
        found.open[identity(entries)] += 1
        return found
    for entry in entries:
        unit = entry.get("CapacityUnit") if isinstance(entry, Mapping) else None
        if not isinstance(unit, str):
            found.open[identity(entry)] += 1
            continue
        given.setdefault(unit, []).append(entry.get("MaxCapacity"))
    for unit, most in given.items():
        if len(most) > 1:  # AWS does not say which of two counts
            found.by_unit[unit] = Unknown(sorted(most, key=lambda value: repr(identity(value))))
        else:
            is_known = is_whole_number(most[0]) or isinstance(most[0], Unknown)
            found.by_unit[unit] = most[0] if is_known else Unknown(most[0])
    return found
