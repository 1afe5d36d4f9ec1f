"""In which of the worlds something is so, told by conditions and parameters."""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple

from qm_constructs.errors import shown
from qm_constructs.template.told_names import ToldNames
from qm_constructs.template.worlds import OtherThan, World

_MOST_SHOWN: Final = 3


class _Fact(NamedTuple):
    """What a condition or a parameter is in a world."""

    stack: int
    name: str
    value: bool | str | OtherThan


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
        self._facts = [
            _facts(world.conditions) | _facts(world.chosen) | _facts(world.unusual)
            for world in worlds
        ]
        first = worlds[0]
        self._usual = _facts(first.conditions) | _facts(first.chosen)
        self._needed = [_facts(world.needed) for world in worlds]
        self._denied: dict[_Fact, frozenset[int]] = {}

    def said_of(
        self,
        so: AbstractSet[int],
        not_so: AbstractSet[int],
        at: int,
        refused: AbstractSet[int] = frozenset(),
        own: AbstractSet[tuple[int, str]] = frozenset(),
    ) -> str:
        """Returns a sentence that says when something is so; empty when it always is.

        Args:
            so: The worlds in which it is so, by number.
            not_so: Those in which it is not.
            at: The stack in which it is so, by number.
            refused: Those in which it would be, if the template did not forbid them.
            own: The conditions that the resource at fault names itself.
        """
        if not not_so:
            return ""
        first = min(so)
        common = self._common(self._facts, so, not_so)
        always = common | self._let_go(so, not_so)
        example = self._facts[first] | _facts(self._worlds[first].usual)
        example -= frozenset.intersection(*(self._facts[number] for number in so | not_so))
        is_exact = all(self._denies(fact).isdisjoint(so) for fact in always) and (
            self._told_apart(always, not_so) >= self._told_apart(example, not_so)
        )
        told = always if is_exact else example
        named = frozenset(f for f in told if f[:2] in own and isinstance(f.value, bool))
        order = {key: number for number, key in enumerate(self._worlds[first].conditions)}
        told = self._least(told, not_so | refused, named, order)
        told |= self._common(self._needed, so, not_so) if is_exact else self._needed[first]
        example_only = "" if is_exact else ", for example,"
        return f" This is so{example_only} when {self._listed(told, at)}." if told else ""

    def _listed(self, told: _Facts, at: int) -> str:
        texts = sorted(
            f"{self._names.name_of(fact, at, told)} {_shown(fact.value)}" for fact in told
        )
        more = " and so on" if len(texts) > _MOST_SHOWN else ""
        return " and ".join(texts[:_MOST_SHOWN]) + more

    @staticmethod
    def _common(facts: Sequence[_Facts], so: AbstractSet[int], not_so: AbstractSet[int]) -> _Facts:
        """Returns what is so in the worlds and not in all others."""
        here = frozenset.intersection(*(facts[number] for number in so))
        return here - frozenset.intersection(*(facts[number] for number in so | not_so))

    def _denies(self, fact: _Fact) -> frozenset[int]:
        """Returns the worlds in which a condition or a parameter is known to be something else."""
        if fact not in self._denied:
            found = (n for n, world in enumerate(self._worlds) if _is_denied(fact, world))
            self._denied[fact] = frozenset(found)
        return self._denied[fact]

    def _told_apart(self, told: _Facts, not_so: AbstractSet[int]) -> frozenset[int]:
        """Returns those of some worlds that are known to differ from what is told."""
        return frozenset(number for fact in told for number in self._denies(fact) & not_so)

    def _least(
        self,
        told: _Facts,
        not_so: AbstractSet[int],
        kept: _Facts,
        order: Mapping[tuple[int, str], int],
    ) -> _Facts:
        """Returns the facts without those that are of no consequence.

        Args:
            told: The facts.
            not_so: The worlds that they tell from those in which it is so.
            kept: What is rather told than other facts.
            order: When each condition was asked for: what one is made of comes after it.
        """
        denied = {fact: self._denies(fact) & not_so for fact in told}
        times = Counter(number for numbers in denied.values() for number in numbers)

        def telling(fact: _Fact) -> tuple[object, ...]:
            asked = -order.get((fact.stack, fact.name), 0)
            is_unusual = fact not in self._usual
            return fact in kept, _rank(fact), is_unusual, asked, fact.name, fact.stack

        for fact in sorted(told, key=telling):
            if all(times[number] > 1 for number in denied[fact]):
                told -= {fact}
                times.subtract(denied[fact])
        return told

    def _let_go(self, so: AbstractSet[int], not_so: AbstractSet[int]) -> _Facts:
        """Returns the usual values without which it is no longer so."""
        usual = {self._rest(n): self._worlds[n].usual for n in so if not self._worlds[n].unusual}
        return frozenset(
            _Fact(*key, usual[self._rest(number)][key])
            for number in not_so
            if self._rest(number) in usual
            for key in self._worlds[number].unusual
            if key in usual[self._rest(number)]
        )

    def _rest(self, number: int) -> _Facts:
        return self._facts[number] - _facts(self._worlds[number].unusual)


def _facts(named: Mapping[tuple[int, str], Any]) -> _Facts:
    return frozenset(_Fact(*key, value) for key, value in named.items())


def _rank(fact: _Fact) -> tuple[bool, bool]:
    """Returns how much a fact tells beside others that tell the same worlds apart."""
    if isinstance(fact.value, bool):
        return True, fact.value
    return False, isinstance(fact.value, str)


def _is_denied(fact: _Fact, world: World) -> bool:
    """Tells whether a condition or a parameter is known to be something else in a world."""
    key = fact.stack, fact.name
    if isinstance(fact.value, bool):
        return world.conditions.get(key, fact.value) != fact.value
    told = ChainMap[Any, Any](world.chosen, world.unusual, world.usual).get(key)
    # One that has no default and no value of its list is not known, and nothing hinges on it.
    return world.decides(key) if told is None else told != fact.value


def _shown(value: bool | str | OtherThan) -> str:
    if isinstance(value, bool):
        return f"is {str(value).lower()}"
    if isinstance(value, str):
        return f"is {shown(value)}"
    texts = [shown(text) for text in value.texts]
    if len(texts) > _MOST_SHOWN:
        return f"is none of {', '.join(texts[:_MOST_SHOWN])} and so on"
    return f"is not {texts[0]}" if len(texts) == 1 else f"is neither {' nor '.join(texts)}"
