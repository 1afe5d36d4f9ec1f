"""Outputs of resources of the four types that are not there, as their conditions do not hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from qm_constructs.rules import Violation
from qm_constructs.rules.shape import absent
from qm_constructs.template.attributes import conditional_in, counts
from qm_constructs.template.beside import has_macro, placed
from qm_constructs.template.calls import calls_in
from qm_constructs.template.forbidden import TemplateRules
from qm_constructs.template.nesting import is_nested, numbers_around
from qm_constructs.template.occasions import Occasions
from qm_constructs.template.report import Located
from qm_constructs.template.scope import Scopes
from qm_constructs.template.told_names import ToldNames
from qm_constructs.template.universe import Universe, section
from qm_constructs.template.worlds import World, Worlds

# In so many ways the conditions of one output are tried.
_MOST_WORLDS: Final = 128


def absent_from_outputs(universe: Universe) -> Iterator[Located]:
    """Yields the outputs that tell of a resource of the four types which is not always there.

    Args:
        universe: The stacks.
    """
    for number in sorted(universe.with_conditions):
        stack = universe.stacks[number]
        outputs = section(stack.template, "Outputs")
        if not universe.members_of[number] or number in universe.with_more or has_macro(outputs):
            continue
        rules = [TemplateRules(universe, one) for one in numbers_around(universe, number)]
        for name, output in outputs.items():
            if not name.startswith("Fn::") and isinstance(output, Mapping):
                # What an output names twice is not there once.
                told: dict[tuple[str, str], Violation] = {}
                for id, found in _absent_from(universe, number, output, rules):
                    told.setdefault((id, found.problem), found)
                for (id, _), found in told.items():
                    yield placed(stack, id, "CF-04", ("Outputs", name), found)


def _absent_from(
    universe: Universe, number: int, output: Mapping[str, Any], rules: Sequence[TemplateRules]
) -> Iterator[tuple[str, Violation]]:
    own = output.get("Condition")
    if has_macro(output) or not (own is None or _is_one(universe, number, own)):
        return
    for condition, asked in conditional_in(universe, number, calls_in(output)):
        if condition == own or (number, asked.resource) not in universe.member_of:
            continue
        worlds: list[World] = []
        so: set[int] = set()
        for world in Worlds(_MOST_WORLDS):
            scopes = Scopes(universe, world)
            scope = scopes[number]
            is_there = scope.condition(condition)
            is_told = own is None or scope.condition(own)
            is_absent = is_told and not is_there and counts(scope, output, asked.path)
            is_absent = is_absent and is_nested(scopes, number)
            if any(one.forbid(scopes) for one in rules) or world.cannot_be:
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
