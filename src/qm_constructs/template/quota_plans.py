"""The queues of quota management in templates, each as it is when nobody sets a parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, Final

from qm_constructs.plan import (
    JOB_QUEUE,
    SAGEMAKER_TRAINING,
    Asked,
    Miswritten,
    Path,
    QueuePlan,
    Resource,
    Unknown,
    UnknownArn,
)
from qm_constructs.quota_plan import Origin, QuotaPlan, Standing
from qm_constructs.schema import ARN_KIND
from qm_constructs.template.components import components
from qm_constructs.template.given_away import given_away
from qm_constructs.template.loading import load
from qm_constructs.template.macros import may_have_more
from qm_constructs.template.plans import POLICY, Group
from qm_constructs.template.report import Unreadable
from qm_constructs.template.stack import Stack
from qm_constructs.template.standing_errors import StandingErrors, has_one_environment, rivals_in
from qm_constructs.template.universe import Member, Universe
from qm_constructs.template.values import Target, known, target
from qm_constructs.template.worlds import Worlds

# A group is read in so many worlds that it costs no more than this many resources do.
_MOST_READ: Final = 20_000
_FEWEST_WORLDS: Final = 16
_MOST_WORLDS: Final = 256
BY_MACRO: Final = "A macro, a module or an Fn::ForEach of the template"
_QUEUE: Final[Path] = ("JobQueue",)


@dataclass(frozen=True)
class LeftOut:
    """A queue that seems to be meant as one of quota management and is none, or what may make one.

    Args:
        queue: The queue; empty where there is none.
        file: Where it was written.
        why: Why it is none, or what may make one, as a sentence with ``{file}`` and ``{queue}``.
    """

    queue: str
    file: str
    why: str

    def said(self, called: Callable[[str], str] = str) -> str:
        """Returns the sentence.

        Args:
            called: Returns how a name is written.
        """
        return self.why.format(queue=called(self.queue), file=called(self.file))


@dataclass(frozen=True)
class PlansRead:
    """What was read of files and folders.

    Args:
        plans: The queues of quota management.
        unreadable: What could not be read.
        templates: How many templates and quotas files were read.
        left_out: What seems to be meant as one of them and is none, or may make one.
        by_macro: The files in which a macro, a module or an ``Fn::ForEach`` may make queues.
    """

    plans: list[QuotaPlan]
    unreadable: list[Unreadable]
    templates: int
    left_out: list[LeftOut]
    by_macro: list[str]


def read_plans(paths: Sequence[str], stdin: BinaryIO) -> PlansRead:
    """Returns the queues in files and folders.

    Args:
        paths: Templates, ``cdk.out`` folders, and ``-`` for standard input.
        stdin: Standard input.
    """
    groups, unreadable = load(paths, stdin)
    groups = [stacks for stacks in groups if not any(stack.faulty for stack in stacks)]
    found = [plan for stacks in groups for plan in _all_plans(stacks)]
    plans = [plan for plan in found if _is_managed(plan)]
    others = [plan for plan in found if not _is_managed(plan) and (plan.shares or not plans)]
    stacks = [stack for group in groups for stack in group]
    by_macro = [*dict.fromkeys(one.file for one in stacks if may_have_more(one.template))]
    left_out = [*map(_why_none, others)]
    if not plans:
        left_out += [
            LeftOut("", file, f"{BY_MACRO} {{file}} may make queues.") for file in by_macro
        ]
    templates = len({stack.file for stack in stacks})
    return PlansRead(plans, unreadable, templates, left_out, by_macro)


def plans_of(stacks: Sequence[Stack]) -> list[QuotaPlan]:
    """Returns the queues of stacks that belong together, in the order of the templates.

    Args:
        stacks: The stacks.
    """
    return [plan for plan in _all_plans(stacks) if _is_managed(plan)]


def _is_managed(plan: QuotaPlan) -> bool:
    return plan.ways[0].quota_management


def _why_none(plan: QuotaPlan) -> LeftOut:
    way = plan.ways[0]
    if way.policy is not None:
        why = "its scheduling policy has no QuotaSharePolicy, which quota management needs (JQ-07)"
    elif way.queue.at(POLICY) is None:
        why = "it has no scheduling policy, and quota management needs one (JQ-07)"
    else:
        why = "it has no quota share, and its scheduling policy is not in what was read"
    # One that is made elsewhere is never left out.
    queue, file = str(plan.origin.queue), str(plan.origin.file)
    return LeftOut(queue, file, f"{{queue}} in {{file}} is none: {why}.")


def _all_plans(stacks: Sequence[Stack]) -> list[QuotaPlan]:
    """Returns the queues of quota management, and those that seem to be meant for it."""
    universe = Universe(stacks)
    place = {member: number for number, member in enumerate(universe.members)}
    found = [pair for members in components(universe) for pair in _queues(universe, members)]
    found.sort(key=lambda pair: place[pair[0]])
    return [plan for _, plan in found]


def _queues(universe: Universe, members: list[Member]) -> Iterator[tuple[Member, QuotaPlan]]:
    """Yields each queue of a group of resources, with the resource that stands for it."""
    most = min(_MOST_WORLDS, max(_FEWEST_WORLDS, _MOST_READ // len(members)))
    worlds = Worlds(most, most, keeps_defaults=True)
    groups = [Group(universe, members, world) for world in worlds]
    # What CloudFormation refuses in every world is told all the same.
    groups = [group for group in groups if not group.scopes.world.cannot_be] or groups
    member_of: dict[Resource, Member] = {}
    ways: dict[Member, list[tuple[QueuePlan, list[QueuePlan]]]] = {}
    for group in groups:
        member_of.update(group.member_of)
        rivals = rivals_in(group)
        for plan in group.plans:
            way = plan, rivals.get(plan, [])
            ways.setdefault(_stands_for(plan, member_of), []).append(way)
    errors = StandingErrors(universe, groups) if ways else None
    for member, all_ways in ways.items():
        found = [way for way in all_ways if way[0].quota_management]
        found = found or [way for way in all_ways if _may_be_meant(way[0])]
        if found and errors is not None:
            plans = [_as_far_as_sure(*way) for way in found]
            parts = {member_of[part] for plan, _ in found for part in _parts(plan, member_of)}
            others = {member_of[rival.queue] for _, rivals in found for rival in rivals}
            standing = _standing(universe, member, plans[0], errors.of(parts, others))
            standing = replace(standing, whole=worlds.complete)
            origin = _origin(universe, member, plans[0])
            yield member, QuotaPlan(plans, member_of.__getitem__, origin, standing)


def _parts(plan: QueuePlan, member_of: Mapping[Resource, Member]) -> Iterator[Resource]:
    for part in (plan.queue, plan.environment, plan.policy, *plan.shares):
        if part is not None and part in member_of:
            yield part


def _as_far_as_sure(plan: QueuePlan, rivals: Sequence[QueuePlan]) -> QueuePlan:
    """Returns a queue without its environment, where AWS refuses what the template has of it."""
    return plan if has_one_environment(plan) and not rivals else plan.without_environment()


def _standing(
    universe: Universe, member: Member, plan: QueuePlan, errors: tuple[str, ...]
) -> Standing:
    if plan.queue.id is not None and member.stack in universe.with_more:
        return Standing(errors, f"{BY_MACRO} may add shares to this queue", by_macro=True)
    if plan.queue.id is None or member in given_away(universe).made:
        return Standing(errors)
    told = "A share whose queue the template does not tell may be one of this queue"
    return Standing(errors, told)


def _may_be_meant(plan: QueuePlan) -> bool:
    return bool(plan.shares) or plan.queue.at(("JobQueueType",)) == SAGEMAKER_TRAINING


def _stands_for(plan: QueuePlan, member_of: dict[Resource, Member]) -> Member:
    # A queue that is made elsewhere is known by its first share.
    return member_of[plan.queue if plan.queue in member_of else plan.shares[0]]


def _origin(universe: Universe, member: Member, plan: QueuePlan) -> Origin:
    stack = universe.stacks[member.stack]
    if plan.queue.id is not None:
        return Origin(stack.file, stack.path, member.id)
    share = plan.shares[0]
    if _has_none(share):
        return Origin(stack.file, stack.path, is_none=True)
    return Origin(stack.file, stack.path, name=_name_elsewhere(share))


def _has_none(share: Resource) -> bool:
    """Tells whether a share names no queue: nothing, nothing that there is, or something else."""
    value, named = share.at(_QUEUE), _named_by(share)
    kind = value.kind if isinstance(value, UnknownArn) else named and named.kind
    is_other = kind not in (None, ARN_KIND[JOB_QUEUE])
    return value is None or is_other or any(map(_is_of_no_queue, share.asked))


def _is_of_no_queue(asked: Asked | Miswritten) -> bool:
    """Tells whether what is asked for is of nothing there is, in the place of a queue."""
    if asked.path[:1] != _QUEUE or not isinstance(asked, Asked):
        return False
    return asked.type is None and not asked.what


def _name_elsewhere(share: Resource) -> str | None:
    named = _named_by(share)
    return None if named is None else known(named.name)


def _named_by(share: Resource) -> Target | None:
    value = share.at(_QUEUE)
    return target(value) if isinstance(value, str | Unknown) else None
