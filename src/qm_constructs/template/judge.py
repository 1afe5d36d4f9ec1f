"""Every finding in the stacks that are judged together, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from qm_constructs.plan import JOB_QUEUE
from qm_constructs.rules import RULES, Finding
from qm_constructs.template.beside import named_by
from qm_constructs.template.calls import conditions_named
from qm_constructs.template.components import components
from qm_constructs.template.elsewhere import misused_attributes
from qm_constructs.template.explored import Explored
from qm_constructs.template.leading_nowhere import leading_nowhere
from qm_constructs.template.locating import located
from qm_constructs.template.nested_twice import told_once
from qm_constructs.template.occasions import Occasions
from qm_constructs.template.one_world import Key, by_key, found_instead
from qm_constructs.template.outputs import absent_from_outputs
from qm_constructs.template.report import Located, Note
from qm_constructs.template.stack import Stack
from qm_constructs.template.told_names import ToldNames
from qm_constructs.template.universe import Member, Universe
from qm_constructs.template.worlds import World

# How many resources are judged in all the worlds of all groups together, if each needs many.
_BUDGET: Final = 40_000


class Judgement(NamedTuple):
    """What is wrong with the stacks that are judged together.

    Args:
        findings: What is wrong, in the order of the stacks and of their resources.
        notes: What was not judged in full.
    """

    findings: list[Located]
    notes: list[Note]


def judge_stacks(stacks: Sequence[Stack]) -> list[Located]:
    """Returns what is wrong with the stacks, in the order of the stacks and of their resources.

    Args:
        stacks: The stacks that are judged together.
    """
    return judgement(stacks).findings


def judgement(stacks: Sequence[Stack]) -> Judgement:
    """Returns what is wrong with the stacks, and what could not be looked at in full.

    Args:
        stacks: The stacks that are judged together.
    """
    universe = Universe(stacks)
    place = {member: number for number, member in enumerate(universe.members)}
    notes: list[Note] = []
    found: list[tuple[int, Located]] = []
    groups = components(universe)
    left = _BUDGET
    for number, members in enumerate(groups):
        explored = Explored(universe, members, left // (len(groups) - number))
        found += [(place[key.member], one) for key, one in _judged(universe, explored)]
        left -= explored.judged
        if not explored.is_whole:
            queues = [member for member in members if member.type == JOB_QUEUE]
            first = (queues or members)[0]
            notes.append(_not_whole(stacks[first.stack], first))
    found += [(place[member], one) for member in place for one in named_by(universe, member)]
    found += [(len(place), one) for one in misused_attributes(universe)]
    found += [(len(place), one) for one in leading_nowhere(universe)]
    found += [(len(place), one) for one in absent_from_outputs(universe)]
    rank = {id: number for number, id in enumerate(RULES)}
    # One text may ask for the same twice.
    found = told_once(universe, list(dict.fromkeys(found)))
    found.sort(key=lambda pair: (pair[0], pair[1].line or 0, rank[pair[1].rule.id]))
    findings = [one for _, one in found]
    if all(stack.written for stack in stacks):
        # What a quotas file writes once may be a property of several resources.
        findings = sorted(dict.fromkeys(findings), key=lambda one: one.line or 0)
    return Judgement(findings, list(dict.fromkeys(notes)))


def _not_whole(stack: Stack, member: Member) -> Note:
    return Note(
        stack.file,
        member.id,
        f"The conditions and parameters that {member.id} and what belongs to it depend on have too "
        "many combinations: not all of them were judged.",
    )


def _judged(universe: Universe, explored: Explored) -> Iterator[tuple[Key, Located]]:
    met = []
    with_shares: set[tuple[str, Member | None]] = set()
    for group in explored.groups():
        found = by_key(group)
        # Most groups are sound, and have no need of it.
        group.scopes.world.cannot_be |= bool(found) and explored.is_refused(group)
        instead = {key: one for key in found if (one := found_instead(group, found[key]))}
        met.append((group.scopes.world, group.part_of, found, instead))
        for key in found:
            if key.rule == "QS-20":
                with_shares.add(("JQ-13", key.member))
    # What CloudFormation refuses in every world is judged all the same.
    can_be = [one for one in met if not one[0].cannot_be] or met
    forbidden = [one for one in met if one[0].is_forbidden and len(can_be) < len(met)]
    first: dict[Key, Finding] = {}
    worlds_of: dict[Key, set[int]] = {}
    judged_in: dict[Member | None, set[int]] = {None: set()}
    weaker_in: dict[tuple[Key, Key], set[int]] = {}
    for number, (_, part_of, found, instead) in enumerate(can_be):
        judged_in.setdefault(part_of, set()).add(number)
        for pair in instead.items():
            weaker_in.setdefault(pair, set()).add(number)
        for key, finding in found.items():
            first.setdefault(key, finding)
            worlds_of.setdefault(key, set()).add(number)
    # What a queue lacks for its shares is an error, though these may not all be there.
    first = {key: one for key, one in first.items() if (key.rule, key.member) not in with_shares}
    # Where more is known in one world, it is what is so in the others too.
    for (weaker, stronger), numbers in weaker_in.items():
        if weaker in first and stronger in first:
            worlds_of[stronger] |= numbers
            worlds_of[weaker] -= numbers
            if not worlds_of[weaker]:
                del first[weaker]
    worlds = [world for world, *_ in [*can_be, *forbidden]]
    occasions = Occasions(worlds, ToldNames(universe, worlds))
    whole = judged_in[None]
    own_of = cache(_own_conditions)
    for key, finding in first.items():
        so = worlds_of[key]
        refused = {len(can_be) + n for n, (_, _, found, _) in enumerate(forbidden) if key in found}
        member = key.member
        not_so = (whole | judged_in.get(key.member, set())) - so if whole - so else set()
        if universe.on_nothing:
            if _is_of_nothing(universe, key.member, worlds, so, not_so):
                continue
            not_so = {n for n in not_so if _may_be_there(universe, key.member, worlds[n])}
        said = occasions.said_of(so, not_so, member.stack, refused, own_of(member))
        yield key, located(universe, key, finding, said)


def _own_conditions(member: Member) -> set[tuple[int, str]]:
    """Returns the conditions that a resource names itself."""
    return {(member.stack, name) for name in conditions_named(member.body)}


def _is_of_nothing(
    universe: Universe, member: Member, worlds: Sequence[World], so: set[int], not_so: set[int]
) -> bool:
    """Tells whether something hinges on the condition of another resource, and there is none such.

    Args:
        universe: The stacks.
        member: The resource at fault.
        worlds: The worlds.
        so: Those in which it is so, by number.
        not_so: Those in which it is not.
    """
    own = universe.on_nothing.get(member)
    for name in {*universe.on_nothing.values()} - {own}:
        states = [world.conditions.get(name) for world in worlds]
        here = {states[number] for number in so}
        if len(here) == 1 and any(states[number] not in here for number in not_so):
            return True
    return False


def _may_be_there(universe: Universe, member: Member, world: World) -> bool:
    """Tells whether a resource is there in a world, if its condition is none of the template."""
    own = universe.on_nothing.get(member)
    return own is None or world.conditions.get(own) is not False
