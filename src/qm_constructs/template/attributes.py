"""What the properties of a resource ask of others, and of whom there is none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from qm_constructs.plan import Asked, Miswritten, Path
from qm_constructs.rules._functions import PSEUDO_PARAMETERS, is_as_asked
from qm_constructs.schema import TYPES
from qm_constructs.spelling import nearest
from qm_constructs.template.calls import Call, calls_in
from qm_constructs.template.maps import lacked_by
from qm_constructs.template.miswritten import miswritten_in
from qm_constructs.template.scope import Scope
from qm_constructs.template.universe import Member, Universe, section

_IN_SUB: Final = re.compile(r"\$\{(AWS::[A-Za-z0-9:]*|[A-Za-z0-9]+)(?:\.([^}]+))?\}")


def asked_by(universe: Universe, member: Member) -> tuple[Asked | Miswritten, ...]:
    """Returns what a resource asks for by a function and is at fault, or the function that is.

    Args:
        universe: The stacks.
        member: The resource.
    """
    if member.asked is None:
        calls = calls_of(member)
        member.asked = tuple(_asked_by(universe, member, calls)) if calls else ()
    return member.asked


def _asked_by(
    universe: Universe, member: Member, calls: Sequence[Call]
) -> Iterator[Asked | Miswritten]:
    yield from asked_in(universe, member.stack, calls)
    yield from lacked_in(universe, member.stack, calls)
    yield from miswritten_in(universe, member.stack, member.body, calls)


def calls_of(member: Member) -> list[Call]:
    """Returns the functions in the properties of a resource.

    Args:
        member: The resource.
    """
    if member.calls is None:
        member.calls = calls_in(section(member.body, "Properties"))
    return member.calls


def absent_in(universe: Universe, member: Member, scope: Scope) -> tuple[Asked, ...]:
    """Returns what a resource asks of others that are not there, as their conditions do not hold.

    Args:
        universe: The stacks.
        member: The resource.
        scope: Its stack in the world in question.
    """
    if member.conditional is None:
        member.conditional = tuple(conditional_in(universe, member.stack, calls_of(member)))
    body = section(member.body, "Properties")
    return tuple(
        asked
        for condition, asked in member.conditional
        if not scope.condition(condition) and counts(scope, body, asked.path)
    )


def conditional_in(
    universe: Universe, stack: int, calls: Iterable[Call]
) -> Iterator[tuple[str, Asked]]:
    """Yields what a part of a template asks of resources that have a condition, with that.

    Args:
        universe: The stacks.
        stack: The stack of the template, by number.
        calls: The functions in the part.
    """
    if stack in universe.with_more or stack not in universe.with_conditions:
        return
    resources = section(universe.stacks[stack].template, "Resources")
    for path, id, _ in _asked_in(calls):
        condition = section(resources, id).get("Condition")
        if isinstance(condition, str) and universe.may_have_condition(stack, condition):
            yield condition, Asked(path, id, None, is_absent=True)


def counts(scope: Scope, node: Any, path: Path) -> bool:
    """Tells whether a part is in no branch of an ``Fn::If`` that is not taken.

    Args:
        scope: The stack in the world in question.
        node: The properties of a resource, or an output.
        path: Where the part is in them.
    """
    for place, step in enumerate(path):
        branch = scope.branch(node)
        if branch is not None and path[place + 1] != branch[0]:
            return False
        node = node[step]
    return True


def asked_in(universe: Universe, stack: int, calls: Iterable[Call]) -> Iterator[Asked]:
    """Yields the attributes that a part of a template asks for: of the four types, or of nothing.

    Args:
        universe: The stacks.
        stack: The stack of the template, by number.
        calls: The functions in the part.
    """
    for path, id, attribute in _asked_in(calls):
        type_ = universe.type_of(stack, id)
        if id.startswith("AWS::"):
            if id not in PSEUDO_PARAMETERS and not universe.may_be_changed(stack):
                yield Asked(path, id, None, near=_pseudo_spelt_like(id))
        elif type_ in TYPES and attribute:
            yield Asked(path, id, type_, attribute)
        elif (stack, id) in universe.nested:
            yield from _no_output(
                universe, universe.nested[stack, id], Asked(path, id, None, attribute)
            )
        elif not universe.may_have(stack, id):
            yield Asked(path, id, None, near=_spelt_like(universe, stack, id))


def _no_output(universe: Universe, nested: int, asked: Asked) -> Iterator[Asked]:
    """Yields the output that is asked of a nested stack, if its template has none such."""
    outputs = section(universe.stacks[nested].template, "Outputs")
    kind, _, name = asked.attribute.partition(".")
    # A loop may make it.
    is_open = universe.may_be_changed(nested) or any(key.startswith("Fn::") for key in outputs)
    if kind != "Outputs" or name in outputs or is_open:
        return
    near = nearest(name, outputs)
    yield asked._replace(resource=name, attribute=asked.resource, near=near, what="output")


def _spelt_like(universe: Universe, stack: int, id: str) -> str:
    # Some write the attribute that only Fn::GetAtt takes.
    whole = id.partition(".")[0]
    if universe.type_of(stack, whole) is not None:
        return whole
    return universe.spelt_like(stack, id, "Parameters", "Resources")


def _pseudo_spelt_like(id: str) -> str:
    names = {name.removeprefix("AWS::"): name for name in PSEUDO_PARAMETERS}
    near = nearest(id.removeprefix("AWS::"), names)
    return names[near] if near else ""


def lacked_in(universe: Universe, stack: int, calls: Iterable[Call]) -> Iterator[Asked]:
    """Yields the conditions and the maps by which a part of a template chooses, and it lacks.

    Args:
        universe: The stacks.
        stack: The stack of the template, by number.
        calls: The functions in the part.
    """
    for path, function, argument, _ in calls:
        if function not in ("Fn::If", "Fn::FindInMap") or not is_as_asked(function, argument):
            continue
        place = (*path, function)
        if function == "Fn::FindInMap":
            yield from _not_in_maps(universe, stack, place, argument)
        elif not universe.may_have_condition(stack, str(argument[0])):
            yield no_condition_of(universe, stack, (*place, 0), str(argument[0]))


def no_condition_of(universe: Universe, stack: int, path: Path, name: str) -> Asked:
    """Returns that a part of a template asks for a condition that there is not."""
    near = universe.spelt_like(stack, name, "Conditions")
    return Asked(path, name, None, near=near, what="condition")


def _not_in_maps(
    universe: Universe, stack: int, place: Path, argument: Sequence[Any]
) -> Iterator[Asked]:
    """Yields the map, or the key of one, that is looked up by its name and is not there."""
    # What has a default to fall back on needs none.
    if len(argument) > 3 or universe.may_be_changed(stack):
        return
    lacked = lacked_by(section(universe.stacks[stack].template, "Mappings"), argument)
    if lacked is not None:
        what = "key" if lacked.place else "map"
        near = nearest(lacked.name, lacked.names)
        yield Asked((*place, lacked.place), lacked.name, None, str(argument[0]), near, what=what)


def _asked_in(calls: Iterable[Call]) -> Iterator[tuple[Path, str, str]]:
    for path, function, argument, beside in calls:
        # Among other keys it is a key like any other: that of a tag.
        if function == "Ref" and not beside and is_as_asked(function, argument):
            yield path, argument, ""
        elif function == "Fn::GetAtt":
            yield from ((path, *pair) for pair in _of_get_att(argument))
        elif function == "Fn::Sub":
            yield from ((path, *pair) for pair in _of_sub(argument))


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
