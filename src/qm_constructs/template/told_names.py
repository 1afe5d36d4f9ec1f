"""How conditions and parameters are named where several stacks have one of a name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Protocol

from qm_constructs.errors import shown
from qm_constructs.template.places import owner_of
from qm_constructs.template.universe import Universe, section
from qm_constructs.template.worlds import World

_SECTIONS: Final = ("Conditions", "Parameters")


class Named(Protocol):
    """A condition or a parameter of a stack."""

    @property
    def stack(self) -> int:
        """The stack, by number."""

    @property
    def name(self) -> str:
        """Its name."""


class ToldNames:
    """The conditions and parameters of some worlds, with all the stacks that have one of a name.

    Args:
        universe: The stacks.
        worlds: The worlds.
    """

    def __init__(self, universe: Universe, worlds: Sequence[World]) -> None:
        self._universe = universe
        self._stacks_with: dict[str, set[int]] = {}
        if len(universe.stacks) > 1:
            for world in worlds:
                told = (world.conditions, world.chosen, world.unusual, world.usual, world.needed)
                for stack, name in (key for facts in told for key in facts):
                    self._stacks_with.setdefault(name, set()).add(stack)

    def name_of(self, one: Named, at: int, told: Collection[Named]) -> str:
        """Returns how a condition or a parameter is called where something is told of a stack.

        Args:
            one: The condition or parameter.
            at: The stack of which something is told, by number.
            told: All conditions and parameters that are told together.
        """
        own = owner_of(self._universe, at, one.name)
        if not self._is_one_of_several(one, own, told):
            return one.name
        if one.stack == own:
            return f"{one.name} of this stack"
        stack = self._universe.stacks[one.stack]
        return f"{one.name} of {shown(stack.path or stack.file)}"

    def _is_one_of_several(self, one: Named, own: int, told: Collection[Named]) -> bool:
        stacks = self._universe.stacks
        if any(other.name == one.name and other.stack != one.stack for other in told):
            return True
        others = self._stacks_with.get(one.name, set()) - {one.stack}
        if one.stack == own:
            # Where a template is nested several times, it is said for which of them.
            return any(stacks[other].template is not stacks[own].template for other in others)
        is_here_too = any(one.name in section(stacks[own].template, part) for part in _SECTIONS)
        return is_here_too or bool(others)
