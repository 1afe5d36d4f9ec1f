"""What the properties of a resource ask of others: attributes of the four types, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from qm_constructs.plan import Asked, Path
from qm_constructs.schema import TYPES
from qm_constructs.template.universe import Member, Universe, section

_IN_SUB: Final = re.compile(r"\$\{([A-Za-z0-9]+)(?:\.([^}]+))?\}")
_ID: Final = re.compile("[A-Za-z0-9]+")


def asked_by(universe: Universe, member: Member) -> tuple[Asked, ...]:
    """Returns what a resource asks for by ``Ref``, ``Fn::GetAtt`` or ``Fn::Sub``, and is at fault.

    Args:
        universe: The stacks.
        member: The resource.
    """
    if member.asked is None:
        properties = section(member.body, "Properties")
        member.asked = tuple(asked_in(universe, member.stack, properties))
    return member.asked


def asked_in(universe: Universe, stack: int, node: Any) -> Iterator[Asked]:
    """Yields the attributes that a part of a template asks for: of the four types, or of nothing.

    Args:
        universe: The stacks.
        stack: The stack of the template, by number.
        node: The part.
    """
    for path, id, attribute in _in(node, ()):
        type_ = universe.type_of(stack, id)
        if type_ in TYPES and attribute:
            yield Asked(path, id, type_, attribute)
        elif not universe.may_have(stack, id):
            yield Asked(path, id, None, attribute, universe.spelt_like(stack, id))


def _in(node: Any, path: Path) -> Iterator[tuple[Path, str, str]]:
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from _in(item, (*path, index))
    elif not isinstance(node, str) and isinstance(node, Mapping):
        for key, value in node.items():
            if key == "Ref":
                if isinstance(value, str) and _ID.fullmatch(value):
                    yield path, value, ""
            elif key == "Fn::GetAtt":
                yield from ((path, *pair) for pair in _of_get_att(value))
            elif key == "Fn::Sub":
                yield from ((path, *pair) for pair in _of_sub(value))
                yield from _in(value, (*path, key))
            else:
                yield from _in(value, (*path, key))


def _of_get_att(argument: Any) -> Iterator[tuple[str, str]]:
    pair = argument.split(".", 1) if isinstance(argument, str) else argument
    if isinstance(pair, list) and len(pair) == 2 and all(isinstance(part, str) for part in pair):
        yield pair[0], pair[1]


def _of_sub(argument: Any) -> Iterator[tuple[str, str]]:
    text, values = argument if isinstance(argument, list) and len(argument) == 2 else (argument, {})
    for id, attribute in _IN_SUB.findall(text) if isinstance(text, str) else ():
        name = f"{id}.{attribute}" if attribute else id
        if not isinstance(values, Mapping) or name not in values:
            yield id, attribute
