"""The queues of quota management in templates, each as it is when nobody sets a parameter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO, Final

from qm_constructs.plan import QueuePlan, Resource, Unknown
from qm_constructs.quota_plan import Origin, QuotaPlan
from qm_constructs.template.components import components
from qm_constructs.template.loading import load
from qm_constructs.template.plans import Group
from qm_constructs.template.report import Unreadable
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Member, Universe
from qm_constructs.template.values import known, target
from qm_constructs.template.worlds import Worlds

# A group is read in so many worlds that it costs no more than this many resources do.
_MOST_READ: Final = 20_000
_FEWEST_WORLDS: Final = 16
_MOST_WORLDS: Final = 256


def read_plans(
    paths: Sequence[str], stdin: BinaryIO
) -> tuple[list[QuotaPlan], list[Unreadable], int]:
    """Returns the queues in files and folders, what is not readable, and how many templates are.

    Args:
        paths: Templates, ``cdk.out`` folders, and ``-`` for standard input.
        stdin: Standard input.
    """
    groups, unreadable = load(paths, stdin)
    groups = [stacks for stacks in groups if not any(stack.faulty for stack in stacks)]
    plans = [plan for stacks in groups for plan in plans_of(stacks)]
    return plans, unreadable, sum(map(len, groups))


def plans_of(stacks: Sequence[Stack]) -> list[QuotaPlan]:
    """Returns the queues of stacks that belong together, in the order of the templates.

    Args:
        stacks: The stacks.
    """
    universe = Universe(stacks)
    place = {member: number for number, member in enumerate(universe.members)}
    found = [pair for members in components(universe) for pair in _queues(universe, members)]
    found.sort(key=lambda pair: place[pair[0]])
    return [plan for _, plan in found]


def _queues(universe: Universe, members: list[Member]) -> Iterator[tuple[Member, QuotaPlan]]:
    """Yields each queue of a group of resources, with the resource that stands for it."""
    most = min(_MOST_WORLDS, max(_FEWEST_WORLDS, _MOST_READ // len(members)))
    member_of: dict[Resource, Member] = {}
    ways: dict[Member, list[QueuePlan]] = {}
    groups = [Group(universe, members, world) for world in Worlds(most, keeps_defaults=True)]
    # What CloudFormation refuses in every world is told all the same.
    for group in [group for group in groups if not group.scopes.world.cannot_be] or groups:
        member_of.update(group.member_of)
        for plan in group.plans:
            if plan.quota_management:
                ways.setdefault(_stands_for(plan, member_of), []).append(plan)
    for member, plans in ways.items():
        yield member, QuotaPlan(plans, member_of.__getitem__, _origin(universe, member, plans[0]))


def _stands_for(plan: QueuePlan, member_of: dict[Resource, Member]) -> Member:
    # A queue that is made elsewhere is known by its first share.
    return member_of[plan.queue if plan.queue in member_of else plan.shares[0]]


def _origin(universe: Universe, member: Member, plan: QueuePlan) -> Origin:
    stack = universe.stacks[member.stack]
    if plan.queue.id is not None:
        return Origin(stack.file, stack.name, member.id)
    return Origin(stack.file, stack.name, name=_name_elsewhere(plan.shares[0]))


def _name_elsewhere(share: Resource) -> str | None:
    value = share.at(("JobQueue",))
    named = target(value) if isinstance(value, str | Unknown) else None
    return None if named is None else known(named.name)
