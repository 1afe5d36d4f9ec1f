"""Whether the ``Rules`` of a template forbid a world, whatever is not decided in it yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qm_constructs.template.places import owner_of
from qm_constructs.template.scope import Scope, Scopes
from qm_constructs.template.universe import mentioned_ids, section
from qm_constructs.template.worlds import UndecidedError, World, next_script

# In so many ways the rest is tried; of more it is taken that one is allowed.
_MOST_TRIED: Final = 64


def forbidden(scopes: Scopes, stack: int) -> bool:
    """Tells whether CloudFormation refuses a template in a world for its own ``Rules``.

    What else must be for it to take the template is noted in the world.

    Args:
        scopes: All stacks in the world.
        stack: The stack of the template, by number.
    """
    rules = section(scopes.universe.stacks[stack].template, "Rules")
    if not rules:
        return False
    world = scopes.world
    world.is_settled = True
    broken = {name: _is_broken(scopes[stack], name) for name in rules}
    world.is_settled = False
    if True in broken.values():
        return True
    undecided = [name for name, is_broken in broken.items() if is_broken is None]
    # What depends on nothing that was asked for says nothing of this world.
    asked = {id for name in undecided for id in mentioned_ids(rules[name])}
    if not any(world.decides((owner_of(scopes.universe, stack, id), id)) for id in asked):
        return False
    return _cannot_be_kept(scopes, stack, undecided)


def _is_broken(scope: Scope, rule: str) -> bool | None:
    try:
        return scope.breaks(rule)
    except UndecidedError:
        return None


def _cannot_be_kept(scopes: Scopes, stack: int, rules: Sequence[str]) -> bool:
    """Tells whether some rules are broken whatever is not decided yet."""
    kept: list[World] = []
    script: list[int] = []
    for number in range(_MOST_TRIED):
        world = scopes.world.continued(script)
        scope = Scopes(scopes.universe, world)[stack]
        if not any(scope.breaks(name) for name in rules):
            if number == 0:
                return False
            kept.append(world)
        following = next_script(world)
        if following is None:
            scopes.world.needed = _common(scopes.world, kept)
            return not kept
        script = following
    return False


def _common(before: World, worlds: Sequence[World]) -> dict[tuple[int, str], str]:
    """Returns what the parameters are in all of some worlds, and were not before."""
    told = [{**world.chosen, **world.unusual} for world in worlds]
    return {
        key: value
        for key, value in (told[0].items() if told else ())
        if key not in before.chosen
        and key not in before.unusual
        and all(other.get(key) == value for other in told)
    }
