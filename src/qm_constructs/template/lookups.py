"""The lookups in maps for which CloudFormation refuses a template, whatever else is judged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from qm_constructs.plan import Path
from qm_constructs.rules._functions import is_as_asked
from qm_constructs.template.beside import has_macro
from qm_constructs.template.calls import calls_in, conditions_named
from qm_constructs.template.places import owner_of
from qm_constructs.template.scope import Scopes
from qm_constructs.template.universe import Universe, mentioned_ids, section
from qm_constructs.template.worlds import World, next_script

_LOOKUP: Final = "Fn::FindInMap"
# Most templates have a few, of one or two maps.
_MOST_LOOKUPS: Final = 32
# In so many ways the rest is tried; of more it is taken that one finds something.
_MOST_TRIED: Final = 64


class _Guard(NamedTuple):
    """A condition without which a lookup is none, and whether it must hold."""

    name: str
    holds: bool


class Lookup(NamedTuple):
    """A value that a template looks up by what is not spelt out.

    Args:
        stack: The stack of the template, by number.
        node: The function.
        guards: On what it depends whether it counts.
        names: The parameters that its keys are made of.
        conditions: The conditions by which its keys are chosen.
        made_by: The resources that it stands in, by their ids; an output is none.
    """

    stack: int
    node: Mapping[str, Any]
    guards: tuple[_Guard, ...]
    names: frozenset[str]
    conditions: frozenset[str]
    made_by: set[str]


def lookups_in(universe: Universe, stack: int) -> list[Lookup]:
    """Returns the lookups in the resources and the outputs of a template that may find nothing.

    Args:
        universe: The stacks.
        stack: The stack, by number.
    """
    if stack not in universe.lookups:
        universe.lookups[stack] = _lookups_in(universe, stack)
    return universe.lookups[stack]


def _lookups_in(universe: Universe, stack: int) -> list[Lookup]:
    template = universe.stacks[stack].template
    if "Mappings" not in template or universe.may_be_changed(stack):
        return []
    resources = section(template, "Resources").items()
    bodies = [({id}, body, section(body, "Properties")) for id, body in resources]
    bodies += [(set[str](), output, output) for output in section(template, "Outputs").values()]
    found: dict[tuple[str, tuple[_Guard, ...]], Lookup] = {}
    for ids, body, part in bodies:
        if isinstance(body, Mapping) and not has_macro(body):
            for one in _lookups(universe, stack, body.get("Condition"), part):
                key = json.dumps(one.node), one.guards
                if key in found or len(found) < _MOST_LOOKUPS:
                    found.setdefault(key, one).made_by.update(ids)
    return [*found.values()]


def _lookups(universe: Universe, stack: int, own: Any, part: Any) -> Iterator[Lookup]:
    for path, function, argument, beside in calls_in(part):
        if function != _LOOKUP or beside or not is_as_asked(function, argument):
            continue
        # What has a default to fall back on finds that.
        if len(argument) > 3 or all(isinstance(key, str) for key in argument):
            continue
        chosen = [*_chosen(part, path), *([(own, True)] if own is not None else [])]
        guards = [_Guard(name, holds) for name, holds in chosen if isinstance(name, str)]
        if len(guards) == len(chosen) and all(
            universe.may_have_condition(stack, guard.name) for guard in guards
        ):
            names, conditions = mentioned_ids(argument), conditions_named(argument)
            node = {function: argument}
            yield Lookup(stack, node, (*guards,), frozenset(names), frozenset(conditions), set())


def _chosen(node: Any, path: Path) -> Iterator[tuple[Any, bool]]:
    """Yields the conditions by which a part of another is chosen, each with whether it holds."""
    for place, step in enumerate(path):
        arguments = node.get("Fn::If") if isinstance(node, Mapping) else None
        if isinstance(arguments, list) and arguments and step == "Fn::If":
            yield arguments[0], path[place + 1] == 1
        node = node[step]


def find_nothing(scopes: Scopes, lookups: Iterable[Lookup]) -> bool:
    """Tells whether one of some lookups finds nothing, whatever is not decided in a world yet.

    Nothing more is decided in it.

    Args:
        scopes: All stacks in the world.
        lookups: The lookups.
    """
    return any(_finds_nothing(scopes, one) for one in lookups if _is_decided(scopes, one))


def _is_decided(scopes: Scopes, one: Lookup) -> bool:
    """Tells whether a lookup has to do with anything that was asked for in a world."""
    universe, world = scopes.universe, scopes.world
    if any((one.stack, name) in world.conditions for name in one.conditions):
        return True
    return any(world.decides((owner_of(universe, one.stack, name), name)) for name in one.names)


def _finds_nothing(scopes: Scopes, one: Lookup) -> bool:
    script: list[int] = []
    for _ in range(_MOST_TRIED):
        world = scopes.world.continued(script)
        if not _is_refused(scopes.universe, world, one):
            return False
        following = next_script(world)
        if following is None:
            return True
        script = following
    return False


def _is_refused(universe: Universe, world: World, one: Lookup) -> bool:
    scope = Scopes(universe, world)[one.stack]
    if any(scope.condition(guard.name) is not guard.holds for guard in one.guards):
        return False
    scope.value(one.node)
    return world.cannot_be
