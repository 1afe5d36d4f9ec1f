"""What a property is meant for, if it is none of its type: one cause is one finding, CF-01."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from qm_constructs.plan import Resource
from qm_constructs.schema import TYPES, Struct
from qm_constructs.spelling import nearest

_ALIKE: Final = 0.8
_WORD: Final = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def spelt_like(kind: Struct, key: object, written: Iterable[object]) -> str | None:
    """Returns the member that an unknown key of a map is spelt like; None for none.

    Args:
        kind: What the schema says of the map.
        key: The unknown key.
        written: All the keys of the map.
    """
    left = _left(kind, written)
    by_letters = {plain(member): member for member in left}
    return by_letters.get(nearest(plain(key), by_letters, _ALIKE))


def meant(kind: Struct, key: object, written: Iterable[object]) -> str:
    """Returns the only member that an unknown key of a map is short for; empty for none.

    Args:
        kind: What the schema says of the map.
        key: The unknown key.
        written: All the keys of the map.
    """
    words = _words(key)
    left = _left(kind, written)
    found = [member for member in left if words and _is_short_for(words, _words(member))]
    return found[0] if len(found) == 1 else ""


def is_written(resource: Resource, member: str) -> bool:
    """Tells whether a resource has a property, or another key that is meant for it.

    Args:
        resource: The resource.
        member: The property.
    """
    return stands_in(TYPES[resource.type], resource.properties, member)


def stands_in(kind: Struct, owner: Mapping[Any, Any], member: str) -> bool:
    """Tells whether a map has a member, or another key that is meant for it.

    Args:
        kind: What the schema says of the map.
        owner: The map.
        member: The member.
    """
    if member in owner:
        return True
    return any(
        (spelt_like(kind, key, owner) or meant(kind, key, owner)) == member
        for key in owner
        if key not in kind.members
    )


def _left(kind: Struct, written: Iterable[object]) -> list[str]:
    there = {*written}
    return [key for key in kind.members if key not in there]


def plain(key: object) -> str:
    """Returns a property's name without what snake_case and camelCase do to it."""
    return str(key).replace("_", "").replace("-", "").lower()


def _words(key: object) -> list[str]:
    return [word.casefold() for word in _WORD.findall(str(key))]


def _is_short_for(words: Sequence[str], whole: Sequence[str]) -> bool:
    """Tells whether some words are of a name, in its order, or the name ends them."""
    left = iter(whole)
    return all(word in left for word in words) or words[-len(whole) :] == whole
