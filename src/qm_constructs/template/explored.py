"""A group of resources in each of the worlds that it can be in, or in as many as are affordable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from qm_constructs.template.components import mentioned
from qm_constructs.template.plans import Group
from qm_constructs.template.universe import Member, Universe
from qm_constructs.template.worlds import World, Worlds

# A group is judged in so many worlds that it costs no more than this many resources do.
_MOST_JUDGEMENTS: Final = 20_000
_FEWEST_WORLDS: Final = 16
_MOST_WORLDS: Final = 1_000
_FEWEST_OF_ONE: Final = 8


class Explored:
    """The worlds of a group of resources.

    Args:
        universe: The stacks.
        members: The resources of the group.
    """

    def __init__(self, universe: Universe, members: list[Member]) -> None:
        self._universe = universe
        self._members = members
        self._known = set(members)
        self.is_whole = True

    def groups(self) -> Iterator[Group]:
        """Yields the group in each world.

        Where they are too many, it is the first of them, each single change from one, and those
        that differ in what one resource depends on, with those that it names.
        """
        most = min(_MOST_WORLDS, max(_FEWEST_WORLDS, _MOST_JUDGEMENTS // len(self._members)))
        more = most // 4
        worlds = Worlds(most, changes=more)
        for world in worlds:
            yield self._group(world, [])
        self.is_whole = worlds.complete
        of_one = 0 if worlds.complete else max(_FEWEST_OF_ONE, more // len(self._members))
        for member in self._members if of_one else ():
            near = self._near(member)
            for script in self._scripts(near, of_one):
                yield self._group(World(script), near)

    def _group(self, world: World, early: list[Member]) -> Group:
        group = Group(self._universe, self._members, world, early)
        # What depends on nothing that was asked for cannot break a rule of the template.
        world.is_settled = True
        stacks = {member.stack for member in self._members}
        if any(group.scopes[stack].breaks_a_rule() for stack in stacks):
            world.cannot_be = True
        world.is_settled = False
        return group

    def _near(self, member: Member) -> list[Member]:
        """Returns a resource and those that it names, and those that these name."""
        near = {member: None}
        for one in (*near, *mentioned(self._universe, member)):
            near.update(dict.fromkeys([one, *mentioned(self._universe, one)]))
        return [one for one in near if one in self._known]

    def _scripts(self, near: list[Member], most: int) -> Iterator[list[int]]:
        """Yields what to choose for each combination of what a few resources depend on."""
        for world in Worlds(most):
            Group(self._universe, near, world)
            yield [index for index, _ in world.trail]
