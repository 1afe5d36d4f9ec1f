"""A group of resources in each of the worlds that it can be in, or in as many as are affordable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from qm_constructs.template.components import mentioned
from qm_constructs.template.forbidden import TemplateRules
from qm_constructs.template.lookups import find_nothing, lookups_in
from qm_constructs.template.nesting import numbers_around
from qm_constructs.template.plans import Group
from qm_constructs.template.universe import Member, Universe
from qm_constructs.template.worlds import Worlds

# A group is judged in so many worlds that it costs no more than this many resources do.
_MOST_JUDGEMENTS: Final = 20_000
_FEWEST_WORLDS: Final = 16
_MOST_WORLDS: Final = 1_000
# What each group may take, whatever the others have taken.
_SURE_WORLDS: Final = 128
_MOST_OF_ONE: Final = 16
# So many functions cost as much as a resource does.
_FUNCTIONS_OF_ONE: Final = 10


class Explored:
    """The worlds of a group of resources.

    Args:
        universe: The stacks.
        members: The resources of the group.
        budget: How many resources may be judged for it, one as often as there are worlds, if it
            needs more than each group may take.
    """

    def __init__(self, universe: Universe, members: list[Member], budget: int) -> None:
        inner = {member.stack for member in members}
        # The rules of the template around it are those of a nested stack too.
        stacks = {number for stack in inner for number in numbers_around(universe, stack)}
        self._rules = [TemplateRules(universe, stack) for stack in sorted(stacks)]
        # Rules of the template are looked at in each world too.
        size = len(members) + sum(rules.weight for rules in self._rules) // _FUNCTIONS_OF_ONE
        most = min(_MOST_WORLDS, max(_FEWEST_WORLDS, _MOST_JUDGEMENTS // size))
        self._most = min(most, max(_SURE_WORLDS, budget // size))
        self.judged = 0
        self._universe = universe
        self._members = members
        self._known = set(members)
        self.is_whole = True

    def groups(self) -> Iterator[Group]:
        """Yields the group in each world.

        Where they are too many, it is the first of them and each single change from one. Then each
        resource follows, with those that it names and as part of the group, in the worlds that
        differ in what these depend on.
        """
        worlds = Worlds(self._most, changes=self._most // 4)
        for world in worlds:
            yield self._settled(Group(self._universe, self._members, world))
        self.is_whole = worlds.complete
        for member in () if worlds.complete else self._members:
            near = self._near(member)
            for world in Worlds(min(_MOST_OF_ONE, max(_FEWEST_WORLDS, self._most // 4))):
                yield self._settled(Group(self._universe, near, world, part_of=member))

    def is_refused(self, group: Group) -> bool:
        """Tells whether CloudFormation refuses a world of the group for what others look up there.

        Args:
            group: The group in that world.
        """
        # What the resources of the group look up is known as they are judged.
        lookups = [
            one
            for stack in sorted({member.stack for member in group.resources})
            for one in lookups_in(self._universe, stack)
            if one.made_by.isdisjoint(m.id for m in group.resources if m.stack == stack)
        ]
        return find_nothing(group.scopes, lookups)

    def _settled(self, group: Group) -> Group:
        """Notes of a group whether its world can be at all."""
        self.judged += len(group.resources)
        if any(rules.forbid(group.scopes) for rules in self._rules):
            group.scopes.world.cannot_be = group.scopes.world.is_forbidden = True
        return group

    def _near(self, member: Member) -> list[Member]:
        """Returns a resource and those that it names, and those that these name."""
        near = {member: None}
        for one in (*near, *mentioned(self._universe, member)):
            near.update(dict.fromkeys([one, *mentioned(self._universe, one)]))
        return [one for one in near if one in self._known]
