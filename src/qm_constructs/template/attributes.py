"""What the properties of a resource ask of others, and of whom there is none."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from qm_constructs.plan import Asked, Miswritten, Path
from qm_constructs.rules._functions import PSEUDO_PARAMETERS, is_as_asked
from qm_constructs.schema import TYPES
from qm_constructs.template.miswritten import miswritten_in
from qm_constructs.template.scope import Scope
from qm_constructs.template.universe import Member, Universe, section

# What stands in a loop may be of its variable.
_LOOP: Final = "Fn::ForEach"
_IN_SUB: Final = re.compile(r"\$\{(AWS::[A-Za-z0-9:]*|[A-Za-z0-9]+)(?:\.([^}]+))?\}")
_ID: Final = re.compile("AWS::[A-Za-z0-9:]*|[A-Za-z0-9]+")


def asked_by(universe: Universe, member: Member) -> tuple[Asked | Miswritten, ...]:
    """Returns what a resource asks for by a function and is at fault, or the function that is.

    Args:
        universe: The stacks.
        member: The resource.
    """
    if member.asked is None:
        properties = section(member.body, "Properties")
        member.asked = (
            *asked_in(universe, member.stack, properties),
            *no_conditions_in(universe, member.stack, properties),
            *miswritten_in(universe, member),
        )
    return member.asked


def absent_in(universe: Universe, member: Member, scope: Scope) -> tuple[Asked, ...]:
    """Returns what a resource asks of others that are not there, as their conditions do not hold.

    Args:
        universe: The stacks.
        member: The resource.
        scope: Its stack in the world in question.
    """
    if member.conditional is None:
        member.conditional = tuple(_conditional(universe, member))
    body = section(member.body, "Properties")
    return tuple(
        asked
        for condition, asked in member.conditional
        if not scope.condition(condition) and _counts(scope, body, asked.path)
    )


def _conditional(universe: Universe, member: Member) -> Iterator[tuple[str, Asked]]:
    """Yields what a resource asks of others that are there on a condition, with the condition."""
    if member.stack in universe.with_more:
        return
    resources = section(universe.stacks[member.stack].template, "Resources")
    for path, id, attribute in _in(section(member.body, "Properties"), ()):
        condition = section(resources, id).get("Condition")
        if not isinstance(condition, str) or condition == member.body.get("Condition"):
            continue
        if universe.may_have_condition(member.stack, condition):
            type_ = universe.type_of(member.stack, id)
            yield condition, Asked(path, id, type_, attribute, is_absent=True)


def _counts(scope: Scope, node: Any, path: Path) -> bool:
    """Tells whether a part of some properties is in no branch of an ``Fn::If`` that is not taken.

    Args:
        scope: The stack in the world in question.
        node: The properties.
        path: Where the part is in them.
    """
    for place, step in enumerate(path):
        branch = scope.branch(node) if step == "Fn::If" else None
        if branch is not None and path[place + 1 : place + 2] not in ((), (branch[0],)):
            return False
        node = node[step]
    return True


def asked_in(universe: Universe, stack: int, node: Any) -> Iterator[Asked]:
    """Yields the attributes that a part of a template asks for: of the four types, or of nothing.

    Args:
        universe: The stacks.
        stack: The stack of the template, by number.
        node: The part.
    """
    for path, id, attribute in _in(node, ()):
        type_ = universe.type_of(stack, id)
        if id.startswith("AWS::"):
            if id not in PSEUDO_PARAMETERS and not universe.may_be_changed(stack):
                yield Asked(path, id, None, attribute, _pseudo_spelt_like(id))
        elif type_ in TYPES and attribute:
            yield Asked(path, id, type_, attribute)
        elif not universe.may_have(stack, id):
            yield Asked(path, id, None, attribute, universe.spelt_like(stack, id))


def _pseudo_spelt_like(id: str) -> str:
    names = {name.removeprefix("AWS::"): name for name in PSEUDO_PARAMETERS}
    close = difflib.get_close_matches(id.removeprefix("AWS::"), names, n=1)
    return names[close[0]] if close else ""


def no_conditions_in(universe: Universe, stack: int, node: Any) -> Iterator[Asked]:
    """Yields the conditions by which a part of a template chooses, and that the template lacks.

    Args:
        universe: The stacks.
        stack: The stack of the template, by number.
        node: The part.
    """
    for path, name in _conditions_in(node, ()):
        if not universe.may_have_condition(stack, name):
            near = universe.section_spelt_like(stack, "Conditions", name)
            yield Asked(path, name, None, "", near, is_condition=True)


def _conditions_in(node: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from _conditions_in(item, (*path, index))
    elif not isinstance(node, str) and isinstance(node, Mapping):
        for key, value in node.items():
            if str(key).startswith(_LOOP):
                continue
            if key == "Fn::If" and is_as_asked(key, value) and isinstance(value[0], str):
                yield (*path, key, 0), value[0]
            yield from _conditions_in(value, (*path, key))


def _in(node: Any, path: Path) -> Iterator[tuple[Path, str, str]]:
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from _in(item, (*path, index))
    elif not isinstance(node, str) and isinstance(node, Mapping):
        for key, value in node.items():
            if str(key).startswith(_LOOP):
                continue
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
    if is_as_asked("Fn::GetAtt", pair) and isinstance(pair[1], str):
        yield pair[0], pair[1]


def _of_sub(argument: Any) -> Iterator[tuple[str, str]]:
    text, values = argument if isinstance(argument, list) and len(argument) == 2 else (argument, {})
    for id, attribute in _IN_SUB.findall(text) if isinstance(text, str) else ():
        name = f"{id}.{attribute}" if attribute else id
        if not isinstance(values, Mapping) or name not in values:
            yield id, attribute
