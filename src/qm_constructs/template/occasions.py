"""In which of the worlds something is so, told by conditions and parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple

from qm_constructs.errors import shown
from qm_constructs.template.told_names import ToldNames
from qm_constructs.template.worlds import World

_MOST_SHOWN: Final = 3


class _Fact(NamedTuple):
    """What a condition or a parameter is in a world."""

    stack: int
    name: str
    value: bool | str


_Facts = frozenset[_Fact]


class Occasions:
    """The worlds, and how each is told from the others.

    Args:
        worlds: The worlds.
        names: How their conditions and parameters are named.
    """

    def __init__(self, worlds: Sequence[World], names: ToldNames) -> None:
        self._worlds = worlds
        self._names = names
        self._conditions = [_facts(world.conditions) for world in worlds]
        self._chosen = [_facts(world.chosen) for world in worlds]
        self._unusual = [_facts(world.unusual) for world in worlds]
        self._needed = [_facts(world.needed) for world in worlds]

    def said_of(self, so: AbstractSet[int], not_so: AbstractSet[int], at: int) -> str:
        """Returns a sentence that says when something is so; empty when it always is.

        Args:
            so: The worlds in which it is so, by number.
            not_so: Those in which it is not.
            at: The stack in which it is so, by number.
        """
        if not not_so:
            return ""
        told = self._common(self._conditions, so, not_so)
        if not self._tells(told, not_so):
            told |= self._common(self._chosen, so, not_so)
        told = self._least(told, not_so)
        told |= self._common(self._unusual, so, not_so) | self._let_go(so, not_so)
        if told:
            needed = frozenset.intersection(*(self._needed[number] for number in so))
            return f" This is so when {self._listed(told | needed, at)}."
        first = min(so)
        told = (self._conditions[first] or self._chosen[first]) | self._unusual[first]
        return f" This is so, for example, when {self._listed(told, at)}." if told else ""

    def _listed(self, told: _Facts, at: int) -> str:
        texts = sorted(
            f"{self._names.name_of(fact, at, told)} is {_shown(fact.value)}" for fact in told
        )
        more = " and so on" if len(texts) > _MOST_SHOWN else ""
        return " and ".join(texts[:_MOST_SHOWN]) + more

    @staticmethod
    def _common(facts: Sequence[_Facts], so: AbstractSet[int], not_so: AbstractSet[int]) -> _Facts:
        """Returns what is so in the worlds and not in all others."""
        here = frozenset.intersection(*(facts[number] for number in so))
        return here - frozenset.intersection(*(facts[number] for number in so | not_so))

    def _tells(self, told: _Facts, not_so: AbstractSet[int]) -> bool:
        """Tells whether each of these worlds is known to differ from what is told."""
        return all(any(_is_denied(fact, self._worlds[n]) for fact in told) for n in not_so)

    def _least(self, told: _Facts, not_so: AbstractSet[int]) -> _Facts:
        """Returns the facts without those that are of no consequence."""
        if not self._tells(told, not_so):
            return told
        usual = self._conditions[0] | self._chosen[0]
        order = {fact: (fact.value is True, fact not in usual, fact.name) for fact in told}
        for fact in sorted(told, key=order.__getitem__):
            if self._tells(told - {fact}, not_so):
                told -= {fact}
        return told

    def _let_go(self, so: AbstractSet[int], not_so: AbstractSet[int]) -> _Facts:
        """Returns the usual values without which it is no longer so."""
        usual = {self._rest(n): self._worlds[n].usual for n in so if not self._unusual[n]}
        return frozenset(
            _Fact(*key, usual[self._rest(number)][key])
            for number in not_so
            if self._rest(number) in usual
            for key in self._worlds[number].unusual
            if key in usual[self._rest(number)]
        )

    def _rest(self, number: int) -> tuple[_Facts, _Facts]:
        return self._conditions[number], self._chosen[number]


def _facts(named: Mapping[tuple[int, str], Any]) -> _Facts:
    return frozenset(_Fact(*key, value) for key, value in named.items())


def _is_denied(fact: _Fact, world: World) -> bool:
    """Tells whether a condition or a parameter is known to be something else in a world."""
    key = fact.stack, fact.name
    told = world.conditions if isinstance(fact.value, bool) else world.chosen
    return key in told and told[key] != fact.value


def _shown(value: bool | str) -> str:
    return str(value).lower() if isinstance(value, bool) else shown(value)
