"""Outputs of resources of the four types that are not there, as their conditions do not hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Final, NamedTuple

from qm_constructs.plan import Asked
from qm_constructs.rules import Violation
from qm_constructs.rules.shape import absent
from qm_constructs.template.attributes import conditional_in, counts
from qm_constructs.template.beside import has_macro, placed
from qm_constructs.template.calls import calls_in
from qm_constructs.template.forbidden import TemplateRules
from qm_constructs.template.lookups import find_nothing, lookups_in
from qm_constructs.template.nesting import is_nested, numbers_around
from qm_constructs.template.occasions import Occasions
from qm_constructs.template.report import Located
from qm_constructs.template.scope import Scopes
from qm_constructs.template.told_names import ToldNames
from qm_constructs.template.universe import Universe, section
from qm_constructs.template.worlds import World, Worlds

# In so many ways the conditions of one output are tried.
_MOST_WORLDS: Final = 128


class _Output(NamedTuple):
    """An output that tells of resources which are not always there.

    Args:
        stack: The stack, by number.
        name: Its name.
        body: The output as the template has it.
        asked: What it asks of those resources, each with the condition of the resource.
    """

    stack: int
    name: str
    body: Mapping[str, Any]
    asked: list[tuple[str, Asked]]


def absent_from_outputs(universe: Universe) -> Iterator[Located]:
    """Yields the outputs that tell of a resource of the four types which is not always there.

    Args:
        universe: The stacks.
    """
    outputs = [one for number in sorted(universe.with_conditions) for one in _of(universe, number)]
    if not outputs:
        return
    universe.judge_outputs([(one.stack, one.body) for one in outputs])
    for number, some in groupby(outputs, lambda one: one.stack):
        refused = _Refused(universe, number)
        for output in some:
            # What an output names twice is not there once.
            told: dict[tuple[str, str], Violation] = {}
            for id, found in _absent_from(universe, output, refused):
                told.setdefault((id, found.problem), found)
            for (id, _), found in told.items():
                stack = universe.stacks[number]
                yield placed(stack, id, "CF-04", ("Outputs", output.name), found)


def _of(universe: Universe, number: int) -> Iterator[_Output]:
    outputs = section(universe.stacks[number].template, "Outputs")
    if not universe.members_of[number] or has_macro(outputs):
        return
    for name, output in outputs.items():
        if not isinstance(output, Mapping) or has_macro(output):
            continue
        own = output.get("Condition")
        if own is None or _is_one(universe, number, own):
            asked = [
                (condition, asked)
                for condition, asked in conditional_in(universe, number, calls_in(output))
                if condition != own and (number, asked.resource) in universe.member_of
            ]
            yield from [_Output(number, name, output, asked)] if asked else ()


class _Refused:
    """What CloudFormation refuses of a stack, whatever its outputs are."""

    def __init__(self, universe: Universe, number: int) -> None:
        self._rules = [TemplateRules(universe, one) for one in numbers_around(universe, number)]
        self._lookups = lookups_in(universe, number)

    def is_in(self, scopes: Scopes, *, is_absent: bool) -> bool:
        """Tells whether something is refused in a world; of lookups only where that matters."""
        if any(rules.forbid(scopes) for rules in self._rules) or scopes.world.cannot_be:
            return True
        return is_absent and find_nothing(scopes, self._lookups)


def _absent_from(
    universe: Universe, output: _Output, refused: _Refused
) -> Iterator[tuple[str, Violation]]:
    number, own = output.stack, output.body.get("Condition")
    for condition, asked in output.asked:
        worlds: list[World] = []
        so: set[int] = set()
        for world in Worlds(_MOST_WORLDS):
            scopes = Scopes(universe, world)
            scope = scopes[number]
            is_there = scope.condition(condition)
            is_told = own is None or scope.condition(own)
            is_absent = is_told and not is_there and counts(scope, output.body, asked.path)
            is_absent = is_absent and is_nested(scopes, number)
            if refused.is_in(scopes, is_absent=is_absent):
                continue
            so |= {len(worlds)} if is_absent else set()
            worlds.append(world)
        if so:
            occasions = Occasions(worlds, ToldNames(universe, worlds))
            said = occasions.said_of(so, {*range(len(worlds))} - so, number)
            problem, fix = absent(asked)
            yield asked.resource, Violation(asked.path, f"{problem}{said}", fix)


def _is_one(universe: Universe, number: int, name: Any) -> bool:
    return isinstance(name, str) and universe.may_have_condition(number, name)
