"""What leads to nothing in conditions of ours, and in what is given to nested stacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from qm_constructs.plan import Miswritten, Path
from qm_constructs.rules import Violation
from qm_constructs.rules._conditions import of_a_resource, wrong_in
from qm_constructs.rules._functions import OF_SECTIONS, mended
from qm_constructs.rules.shape import missing
from qm_constructs.template.attributes import asked_in, lacked_in, no_condition_of
from qm_constructs.template.beside import has_macro, no_condition, placed
from qm_constructs.template.calls import LOOP, Call, calls_in, walk
from qm_constructs.template.compared import conditions_behind
from qm_constructs.template.miswritten import miswritten_in
from qm_constructs.template.report import Located
from qm_constructs.template.universe import (
    Universe,
    parameters_given,
    referred_to,
    section,
)

_OPEN: Final = ("Fn::Transform", LOOP)
_PARAMETERS: Path = ("Properties", "Parameters")


def leading_nowhere(universe: Universe) -> Iterator[Located]:
    """Yields what leads to nothing, or is no function, on the way to the four types.

    That is in the conditions on which they depend, and in what is given to the stacks that are
    nested and have them.

    Args:
        universe: The stacks.
    """
    nesting: dict[int, dict[str, Mapping[str, Any]]] = {}
    for number, id in universe.nested:
        body = section(section(universe.stacks[number].template, "Resources"), id)
        nesting.setdefault(number, {})[id] = body
        if not has_macro(body):
            yield from _in_nesting(universe, number, id, body)
    for number, members in enumerate(universe.members_of):
        ours = {member.id: member.body for member in members}
        yield from _in_conditions(universe, number, {**ours, **nesting.get(number, {})})


def _in_nesting(
    universe: Universe, number: int, id: str, body: Mapping[str, Any]
) -> Iterator[Located]:
    stack = universe.stacks[number]
    for found in no_condition(universe, number, body):
        yield placed(stack, id, "CF-04", (), found)
    calls = calls_in(parameters_given(body))
    for asked in (*asked_in(universe, number, calls), *lacked_in(universe, number, calls)):
        if asked.type is None:
            yield placed(stack, id, "CF-04", _PARAMETERS, Violation(asked.path, *missing(asked)))
    for call in miswritten_in(universe, number, body, calls):
        yield placed(stack, id, "CF-05", _PARAMETERS, _mended(call))


def _mended(call: Miswritten) -> Violation:
    return Violation(call.path, *mended(call))


def _in_conditions(
    universe: Universe, number: int, bodies: Mapping[str, Mapping[str, Any]]
) -> Iterator[Located]:
    """Yields what leads to nothing in the conditions on which some resources depend."""
    stack = universe.stacks[number]
    # Most have none, and all their resources would be looked through for nothing.
    if "Conditions" not in stack.template:
        return
    first_on: dict[str, str] = {}
    for id, body in bodies.items():
        for name in conditions_behind(stack.template, [body]):
            first_on.setdefault(name, id)
    for name, id in first_on.items():
        node = section(stack.template, "Conditions")[name]
        if has_macro(node):
            continue
        calls = calls_in(node)
        lacking = [*asked_in(universe, number, calls), *lacked_in(universe, number, calls)]
        lacking += [
            no_condition_of(universe, number, path, asked)
            for path, asked in _conditions_asked(node, ())
            if not universe.may_have_condition(number, asked)
        ]
        nowhere = [asked for asked in lacking if asked.type is None]
        for asked in nowhere:
            found = Violation(asked.path, *missing(asked))
            yield placed(stack, id, "CF-04", ("Conditions", name), found)
        told = {asked.path for asked in nowhere}
        for found in _miswritten(universe, number, node, calls):
            if found.path not in told:
                told.add(found.path)
                yield placed(stack, id, "CF-05", ("Conditions", name), found)


def _miswritten(
    universe: Universe, number: int, node: Any, calls: Sequence[Call]
) -> Iterator[Violation]:
    """Yields what is wrong with the functions of a condition."""
    # What a macro or a loop makes of a part of it is not known.
    is_open = any(str(key).startswith(_OPEN) for part in walk(node) for key in part)
    if is_open or universe.may_be_changed(number):
        return
    others = [call for call in calls if call.function not in OF_SECTIONS]
    yield from map(_mended, miswritten_in(universe, number, {}, others))
    if universe.takes_functions_anywhere(number):
        return
    yield from (Violation(*wrong) for wrong in wrong_in(node))
    for path, function, argument, _ in calls:
        # The ids in a text with values of its own may be theirs.
        for id in () if isinstance(argument, list) else referred_to({function: argument}):
            if universe.type_of(number, id) is not None:
                yield Violation(path, *of_a_resource(id))


def _conditions_asked(node: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """Yields the conditions that one is made of, each with its place."""
    if isinstance(node, Mapping):
        name = node.get("Condition")
        if isinstance(name, str):
            yield (*path, "Condition"), name
        parts: Any = node.items()
    else:
        parts = enumerate(node) if isinstance(node, list) else ()
    for step, part in parts:
        yield from _conditions_asked(part, (*path, step))
