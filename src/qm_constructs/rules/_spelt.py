"""What a property is meant for, if it is none of its type: one cause is one finding, CF-01."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from qm_constructs.plan import Path, Resource
from qm_constructs.schema import TYPES, AnyKind, Kind, ListOf, Struct, kind_at
from qm_constructs.spelling import nearest

_ALIKE: Final = 0.8
# Any entry of a list, where a path is one of the schema.
ENTRY: Final = "*"
_WORD: Final = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


class UnknownMember(NamedTuple):
    """A key of a map that the schema does not give it.

    Args:
        kind: What the schema says of the map.
        key: The key.
        path: Where it stands.
        written: The map.
    """

    kind: Struct
    key: str
    path: Path
    written: Mapping[Any, Any]


def unknown_members(resource: Resource) -> list[UnknownMember]:
    """Returns the keys in a resource's properties that the schema does not know there."""
    found: list[UnknownMember] = []
    _unknown_in(TYPES[resource.type], resource.properties, (), found)
    return found


def _unknown_in(kind: AnyKind, value: Any, path: Path, found: list[UnknownMember]) -> None:
    for step, inner, part in inside(kind, value):
        if inner is None:
            # Nothing else has a part of which the schema says nothing.
            assert isinstance(kind, Struct)
            found.append(UnknownMember(kind, str(step), (*path, step), value))
        elif not isinstance(inner, Kind):
            _unknown_in(inner, part, (*path, step), found)


def inside(kind: AnyKind, value: Any) -> Sequence[tuple[str | int, AnyKind | None, Any]]:
    """Returns the parts of a value with their kinds; None where the schema has no such part."""
    if isinstance(kind, Struct) and isinstance(value, dict):
        kind_of = kind.members.get
        return [(key, kind_of(key), part) for key, part in value.items()]
    if isinstance(kind, ListOf) and isinstance(value, list):
        return [(index, kind.item, part) for index, part in enumerate(value)]
    return ()


def home_of(type: str, key: str) -> Path:
    """Returns where a property of a type belongs, which may be spelt in another way; empty if none.

    Args:
        type: The CloudFormation type.
        key: The property's name, as it is written.

    Returns:
        Its path, with ``*`` for any entry of a list; empty too where several have that name.
    """
    homes = [
        (*path, member)
        for path, kind in _maps(TYPES[type], ())
        for member in kind.members
        if plain(member) == plain(key)
    ]
    return homes[0] if len(homes) == 1 else ()


def written_at(home: Path) -> str:
    """Says where a property is to be written; empty where it belongs nowhere.

    Args:
        home: Where it belongs.
    """
    if not home:
        return ""
    *owner, name = home
    entry = "an entry of " if ENTRY in owner else ""
    return f"Write {name} {f'within {entry}{owner[0]}' if owner else 'directly within Properties'}."


def _maps(kind: AnyKind, path: Path) -> Iterator[tuple[Path, Struct]]:
    if isinstance(kind, Struct):
        yield path, kind
        for name, inner in kind.members.items():
            yield from _maps(inner, (*path, name))
    elif isinstance(kind, ListOf):
        yield from _maps(kind.item, (*path, ENTRY))


def spelt_like(kind: Struct, key: object, written: Mapping[Any, Any]) -> str | None:
    """Returns the member that an unknown key of a map is spelt like; None for none.

    Args:
        kind: What the schema says of the map.
        key: The unknown key.
        written: The map.
    """
    left = _left(kind, written)
    by_letters = {plain(member): member for member in left}
    return by_letters.get(nearest(plain(key), by_letters, _ALIKE))


def meant(kind: Struct, key: object, written: Mapping[Any, Any]) -> str:
    """Returns the only member that an unknown key of a map is short for; empty for none.

    Args:
        kind: What the schema says of the map.
        key: The unknown key.
        written: The map.
    """
    words = _words(key)
    left = _left(kind, written)
    found = [member for member in left if words and _is_short_for(words, _words(member))]
    return found[0] if len(found) == 1 else ""


def is_written(resource: Resource, *path: str | int) -> bool:
    """Tells whether a resource has a property, or another key that is meant for it.

    Args:
        resource: The resource.
        path: Where the property belongs.
    """
    *before, member = path
    kind, owner = kind_at(resource.type, tuple(before)), resource.at(tuple(before))
    if isinstance(kind, Struct) and isinstance(owner, Mapping):
        if member in owner:
            return True
        unknown = [key for key in owner if key not in kind.members]
        near = [spelt_like(kind, key, owner) or meant(kind, key, owner) for key in unknown]
        if member in near:
            return True
    return _is_elsewhere(resource, path)


def _is_elsewhere(resource: Resource, path: Path) -> bool:
    """Tells whether a property, or what it has within it, stands in a map where it is unknown."""
    wanted = tuple(ENTRY if isinstance(step, int) else step for step in path)
    homes = (home_of(resource.type, unknown.key) for unknown in unknown_members(resource))
    return any(home[: len(wanted)] == wanted for home in homes)


def _left(kind: Struct, written: Mapping[Any, Any]) -> list[str]:
    return [key for key in kind.members if key not in written]


def plain(key: object) -> str:
    """Returns a property's name without what snake_case and camelCase do to it."""
    return str(key).replace("_", "").replace("-", "").lower()


def _words(key: object) -> list[str]:
    return [word.casefold() for word in _WORD.findall(str(key))]


def _is_short_for(words: Sequence[str], whole: Sequence[str]) -> bool:
    """Tells whether some words are of a name, in its order, or the name ends them."""
    left = iter(whole)
    return all(word in left for word in words) or words[-len(whole) :] == whole
