"""The ways in which the conditions and parameters of a template can turn out."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeGuard


class UndecidedError(Exception):
    """A value is asked for that nothing has decided yet in a world that is settled."""


class OtherThan(NamedTuple):
    """What a parameter is that must be none of some texts."""

    texts: tuple[str, ...]


class World:
    """One way: each variable has one value, wherever it is asked for.

    Args:
        script: Which option to take, by number, for the variables in the order they are asked for;
            the first option after its end.
        keeps_defaults: Whether each parameter that has a default is that, as in a deploy that sets
            none.

    Once it ``is_settled``, nothing more is chosen: what is not decided yet raises an error. One
    that ``cannot_be`` has values with which CloudFormation would refuse the template; it
    ``is_forbidden`` if that is for the template's ``Rules``. What is ``needed`` is what else must
    be for the rules not to do so.
    """

    def __init__(self, script: Sequence[int] = (), *, keeps_defaults: bool = False) -> None:
        self.keeps_defaults = keeps_defaults
        self._script = script
        self._values: dict[Hashable, Any] = {}
        self._strayed = False
        self._is_open = False
        self._is_least = False
        self.trail: list[tuple[int, int]] = []
        self.conditions: dict[tuple[int, str], bool] = {}
        self.chosen: dict[tuple[int, str], str | OtherThan] = {}
        self.taken: dict[Hashable, str] = {}
        self.unusual: dict[tuple[int, str], str] = {}
        self.usual: dict[tuple[int, str], str] = {}
        self.needed: dict[tuple[int, str], str | OtherThan] = {}
        self.is_settled = False
        self.cannot_be = False
        self.is_forbidden = False

    def decides(self, variable: Hashable) -> bool:
        """Tells whether a variable has a value already."""
        return variable in self._values

    def parameters(self) -> dict[tuple[int, str], Any]:
        """Returns the values of parameters that are decided, and of entries of lists."""
        return {key: value for key, value in self._values.items() if _is_parameter(key)}

    def entries_of(self, list_: tuple[int, str]) -> list[Any]:
        """Returns the values of the entries of a list, as far as they are decided.

        Args:
            list_: The list, a parameter of a stack.
        """
        stack, name = list_
        return [
            value
            for key, value in self._values.items()
            if _is_parameter(key) and key[0] == stack and key[1].startswith(f"{name}[")
        ]

    def decided_after(self, other: World) -> dict[tuple[int, str], Any]:
        """Returns the values of parameters that another world, of which it goes on, lacks.

        Args:
            other: The other world.
        """
        known = other._values.keys()
        return {key: value for key, value in self.parameters().items() if key not in known}

    def continued(self, script: Sequence[int]) -> World:
        """Returns a world that is this one so far, and goes on by itself.

        Args:
            script: Which option to take for the variables that have no value yet.
        """
        other = copy.copy(self)
        other._script, other.trail = script, []
        for name in ("_values", "conditions", "chosen", "taken", "unusual", "usual"):
            setattr(other, name, dict(getattr(self, name)))
        return other

    def choose(self, variable: Hashable, options: Sequence[Any]) -> Any:
        """Returns the value of a variable in this world."""
        if variable not in self._values:
            self._values[variable] = options[self._next(len(options))]
        return self._values[variable]

    def choose_alone(
        self, variable: Hashable, options: Sequence[Any], *, is_open: bool = False
    ) -> Any:
        """Returns the value of a variable of which the first option is the usual one.

        At most one such variable of a world has another: two parameters are seldom set without
        regard for each other.

        Args:
            variable: The variable.
            options: What it can be.
            is_open: Whether it has no usual value, and the first option stands for any.
        """
        if variable not in self._values:
            is_bound = self._strayed or (self._is_least and not is_open)
            index = self._next(1 if is_bound else len(options))
            self._is_open |= index > 0 and is_open
            self._strayed |= index > 0
            self._values[variable] = options[index]
        return self._values[variable]

    def takes_least(self) -> bool:
        """Tells whether each parameter that only has a list of numbers is the least of its own.

        That is so in some worlds; in the others one of them at a time is what its list allows,
        and the rest are not known. Beside it one that has no default either may be each of its own.
        """
        has_default = self._strayed and not self._is_open
        if not (self._is_least or has_default or self.keeps_defaults):
            self._is_least = self.choose("least", (False, True))
        return self._is_least

    def _next(self, count: int) -> int:
        if self.is_settled:
            raise UndecidedError
        place = len(self.trail)
        index = min(self._script[place], count - 1) if place < len(self._script) else 0
        self.trail.append((index, count))
        return index


def _is_parameter(key: Hashable) -> TypeGuard[tuple[int, str]]:
    # What is not known of a rule is a variable too, named by its place.
    return isinstance(key, tuple) and tuple(map(type, key)) == (int, str)


def next_script(world: World) -> list[int] | None:
    """Returns the script of the world after one that has been explored, None after the last.

    Args:
        world: The world.
    """
    trail = list(world.trail)
    while trail and trail[-1][0] + 1 == trail[-1][1]:
        trail.pop()
    return [index for index, _ in trail[:-1]] + [trail[-1][0] + 1] if trail else None


class Worlds:
    """Every world; where they are too many, the first and each single change from one.

    Each world must be explored before the next is asked for: its variables are known by then.

    Args:
        most: How many are too many.
        changes: How many single changes there are at most then.
        keeps_defaults: Whether each parameter that has a default is that in all of them.
    """

    def __init__(self, most: int, changes: int = 0, *, keeps_defaults: bool = False) -> None:
        self._most = most
        self._changes = changes
        self._keeps_defaults = keeps_defaults
        self.complete = False

    def __iter__(self) -> Iterator[World]:
        script: list[int] = []
        usual: list[tuple[int, int]] = []
        for number in range(self._most):
            world = World(script, keeps_defaults=self._keeps_defaults)
            yield world
            usual = usual if number else list(world.trail)
            following = next_script(world)
            if following is None:
                self.complete = True
                return
            script = following
        changes = ((place, i) for place, (_, count) in enumerate(usual) for i in range(1, count))
        for place, index in islice(changes, self._changes):
            yield World([0] * place + [index], keeps_defaults=self._keeps_defaults)
