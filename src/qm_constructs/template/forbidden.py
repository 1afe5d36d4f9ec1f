"""Whether the ``Rules`` of a template forbid a world, whatever is not decided in it yet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from qm_constructs.plan import UnknownText
from qm_constructs.template.calls import walk
from qm_constructs.template.places import owner_of
from qm_constructs.template.scope import Scope, Scopes
from qm_constructs.template.universe import Universe, mentioned_ids, section
from qm_constructs.template.worlds import OtherThan, UndecidedError, World, next_script

# In so many ways the rest is tried; of more it is taken that one is allowed.
_MOST_TRIED: Final = 64
# And so many functions are looked at for one world, beside each one so often.
_MOST_LOOKED_AT: Final = 2_000
_MOST_TIMES: Final = 8


class TemplateRules:
    """The ``Rules`` of one template.

    Args:
        universe: The stacks.
        stack: The stack of the template, by number.
    """

    def __init__(self, universe: Universe, stack: int) -> None:
        rules = section(universe.stacks[stack].template, "Rules")
        self._universe = universe
        self._stack = stack
        self._ids = {name: frozenset(mentioned_ids(rule)) for name, rule in rules.items()}
        self._weight = {name: sum(1 for _ in walk(rule)) for name, rule in rules.items()}
        self._asking: defaultdict[str, list[str]] = defaultdict(list)
        for name, ids in self._ids.items():
            for id in ids:
                self._asking[id].append(name)
        self.weight = sum(self._weight.values())

    def forbid(self, scopes: Scopes) -> bool:
        """Tells whether CloudFormation refuses the template in a world for its rules.

        What else must be for it to take the template is noted in the world.

        Args:
            scopes: All stacks in the world.
        """
        scopes.world.is_settled = True
        broken = {name: _is_broken(scopes[self._stack], name) for name in self._ids}
        scopes.world.is_settled = False
        if True in broken.values():
            return True
        undecided = [name for name, is_broken in broken.items() if is_broken is None]
        return bool(undecided) and self._cannot_be_kept(scopes, undecided)

    def _cannot_be_kept(self, scopes: Scopes, undecided: Sequence[str]) -> bool:
        """Tells whether some rules are broken whatever is not decided yet."""
        broken = self._broken(Scopes(scopes.universe, scopes.world.continued(())), undecided)
        if not broken:
            return False
        matter = self._that_matter(scopes.world, undecided)
        rules = [name for name in undecided if name in matter]
        active = [name for name in broken if name in matter]
        left = _MOST_LOOKED_AT + _MOST_TIMES * self.weight
        while active:
            tried = self._tried(scopes, active, left)
            if tried is None:
                return False
            left -= tried.looked_at
            scopes.world.needed |= _common(scopes.world, tried.kept, tried.broken)
            if not tried.kept:
                return True
            # They may be kept in a way that breaks another one.
            others = [name for name in rules if name not in active]
            is_kept = False
            found: dict[str, None] = {}
            for kept in tried.kept:
                broken = self._broken(kept, others)
                is_kept = is_kept or not broken
                found |= dict.fromkeys(broken)
                left -= self._weight_of(others)
                if is_kept and left < _MOST_TIMES * self.weight:
                    return False
            if not found:
                return False
            active += found
        return False

    def _that_matter(self, world: World, undecided: Sequence[str]) -> set[str]:
        """Returns the rules that have to do with anything that was asked for in a world."""
        open_ = set(undecided)
        asked = {id for name in undecided for id in self._ids[name] if self._decides(world, id)}
        rest = [name for id in asked for name in self._asking[id]]
        found: set[str] = set()
        seen = set(asked)
        while rest:
            name = rest.pop()
            if name in open_ and name not in found:
                found.add(name)
                rest += [other for id in self._ids[name] - seen for other in self._asking[id]]
                seen |= self._ids[name]
        return found

    def _decides(self, world: World, id: str) -> bool:
        return world.decides((owner_of(self._universe, self._stack, id), id))

    def _tried(self, scopes: Scopes, rules: Sequence[str], left: int) -> _Tried | None:
        """Returns all ways in which the rest can turn out, None where they are too many."""
        kept: list[Scopes] = []
        broken: list[Scopes] = []
        script: Sequence[int] = ()
        cost = self._weight_of(rules)
        for number in range(min(_MOST_TRIED, left // cost)):
            world = scopes.world.continued(script)
            here = Scopes(scopes.universe, world)
            is_kept = not any(here[self._stack].breaks(name) for name in rules)
            (kept if is_kept else broken).append(here)
            following = next_script(world)
            if following is None:
                return _Tried(kept, broken, cost * (number + 1))
            script = following
        return None

    def _broken(self, scopes: Scopes, rules: Sequence[str]) -> list[str]:
        return [name for name in rules if scopes[self._stack].breaks(name)]

    def _weight_of(self, rules: Sequence[str]) -> int:
        return sum(self._weight[name] for name in rules) + 1


class _Tried(NamedTuple):
    """The ways in which the rest can turn out, by whether some rules are kept in them.

    Args:
        kept: Those in which all are kept.
        broken: Those in which one is not.
        looked_at: How many functions that took.
    """

    kept: list[Scopes]
    broken: list[Scopes]
    looked_at: int


def _is_broken(scope: Scope, rule: str) -> bool | None:
    try:
        return scope.breaks(rule)
    except UndecidedError:
        return None


def _common(
    before: World, kept: Sequence[Scopes], broken: Sequence[Scopes]
) -> dict[tuple[int, str], str | OtherThan]:
    """Returns what the parameters must be for some rules to be kept, where that was open before."""
    allowed = [one.world.decided_after(before) for one in kept]
    needed: dict[tuple[int, str], str | OtherThan] = {}
    found = {key: [world.get(key) for world in allowed] for key in (allowed[0] if allowed else ())}
    of_text = {key: values for key, values in found.items() if all(map(_is_text, values))}
    for key, values in of_text.items():
        texts = _texts(values)
        tried = _texts(one.world.decided_after(before).get(key) for one in broken)
        refused = tuple(sorted(tried - texts))
        if len(texts) == 1 and all(isinstance(value, str) for value in values):
            needed[key] = texts.pop()
        elif refused:
            needed[key] = OtherThan(refused)
    return needed


def _is_text(value: Any) -> bool:
    return isinstance(value, str | UnknownText)


def _texts(values: Iterable[Any]) -> set[str]:
    return {value for value in values if isinstance(value, str)}
