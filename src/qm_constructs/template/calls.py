"""The maps in a part of a template, and the intrinsic functions with where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeGuard

from qm_constructs.plan import Path

# What stands in a loop may be of its variable.
LOOP: Final = "Fn::ForEach"


def walk(node: Any) -> Iterator[Mapping[str, Any]]:
    """Yields every mapping in a part of a template."""
    rest = [node]
    while rest:
        node = rest.pop()
        if isinstance(node, dict):
            yield node
            rest += [part for part in node.values() if not isinstance(part, str)]
        elif isinstance(node, list):
            rest += node


def is_call(node: Any) -> TypeGuard[Mapping[str, Any]]:
    """Tells whether a part of a template is a map of one key, as a function is."""
    return isinstance(node, dict) and len(node) == 1


def conditions_named(node: Any) -> set[str]:
    """Returns the conditions that a part of a template names itself."""
    asked = [part.get("Fn::If") for part in walk(node)]
    found = [one[0] for one in asked if isinstance(one, list) and one]
    found += [node.get("Condition")] if isinstance(node, Mapping) else []
    return {name for name in found if isinstance(name, str)}


class Call(NamedTuple):
    """One function.

    Args:
        path: Where the map that holds it stands in the part.
        function: Its name, which may be that of none.
        argument: What it is given.
        beside: Another key of that map; empty where there is none.
    """

    path: Path
    function: str
    argument: Any
    beside: str = ""


def calls_in(node: Any) -> list[Call]:
    """Returns the functions in a part of a template, other than those in loops.

    Args:
        node: The part.
    """
    found: list[Call] = []
    _collect(node, (), found)
    return found


def _beside(key: str, node: Mapping[str, Any]) -> str:
    return "" if len(node) == 1 else next(str(other) for other in node if other != key)


def _collect(node: Any, path: Path, found: list[Call]) -> None:
    # Most of what there is is text, in which there is nothing to look for.
    if isinstance(node, list):
        for index, item in enumerate(node):
            if not isinstance(item, str):
                _collect(item, (*path, index), found)
    elif type(node) is dict or isinstance(node, Mapping):
        for key, value in node.items():
            if key == "Ref":
                found.append(Call(path, key, value, _beside(key, node)))
                continue
            if str(key).startswith("Fn::"):
                if key.startswith(LOOP):
                    continue
                found.append(Call(path, key, value, _beside(key, node)))
            if not isinstance(value, str | int):
                _collect(value, (*path, key), found)
