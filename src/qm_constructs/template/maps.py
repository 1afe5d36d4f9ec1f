"""What ``Fn::FindInMap`` looks up by its name, and the template lacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Lacked(NamedTuple):
    """A map, or a key of one, that there is not.

    Args:
        place: Which argument of the function names it.
        name: Its name.
        names: Those that there are.
    """

    place: int
    name: str
    names: list[str]


def lacked_by(mappings: Mapping[str, Any], arguments: Sequence[Any]) -> Lacked | None:
    """Returns what a lookup can never find, whatever the keys are that are not spelt out.

    Args:
        mappings: The maps of the template.
        arguments: What the function is given: the map, and two keys, without a default.
    """
    levels: list[Any] = [mappings]
    for place, name in enumerate(arguments):
        # What a macro, an include or a loop adds is not known.
        if any(not isinstance(one, Mapping) or _is_open(one) for one in levels):
            return None
        if isinstance(name, str) and "{{" not in name:
            names = list(dict.fromkeys(str(key) for one in levels for key in one))
            if name not in names:
                return Lacked(place, name, names)
            levels = [inner for one in levels for key, inner in one.items() if str(key) == name]
        elif place == 0:
            return None
        else:
            levels = [inner for one in levels for inner in one.values()]
    return None


def _is_open(one: Mapping[str, Any]) -> bool:
    return any(str(key).startswith("Fn::") for key in one)
