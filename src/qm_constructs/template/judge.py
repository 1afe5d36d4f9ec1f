"""Every finding in the stacks that are judged together, each with its place."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, Final, NamedTuple

from qm_constructs.errors import shown
from qm_constructs.plan import JOB_QUEUE, Path, Resource, Unknown
from qm_constructs.rules import (
    RULES,
    Finding,
    Place,
    judge,
    judge_queue,
    judge_queues,
    judge_resources,
)
from qm_constructs.template.components import components
from qm_constructs.template.elsewhere import misused_attributes, named_by
from qm_constructs.template.explored import Explored
from qm_constructs.template.nested_twice import told_once
from qm_constructs.template.occasions import Occasions
from qm_constructs.template.plans import Group
from qm_constructs.template.report import Located, Note
from qm_constructs.template.scope import Scope
from qm_constructs.template.stack import Stack, Written
from qm_constructs.template.universe import Member, Universe, section
from qm_constructs.template.values import NO_VALUE
from qm_constructs.template.worlds import World

_LONGEST_VALUE: Final = 60
# How many resources are judged in all the worlds of all groups together, if each needs many.
_BUDGET: Final = 40_000


class Key(NamedTuple):
    """What makes two findings in two worlds the same."""

    rule: str
    member: Member
    path: Path
    number: int = 0


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
        left = max(0, left - explored.judged)
        if not explored.is_whole:
            queues = [member for member in members if member.type == JOB_QUEUE]
            first = (queues or members)[0]
            notes.append(_not_whole(stacks[first.stack], first))
    found += [(place[member], one) for member in place for one in named_by(universe, member)]
    found += [(len(place), one) for one in misused_attributes(universe)]
    rank = {id: number for number, id in enumerate(RULES)}
    found = told_once(universe, found)
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
    stronger_than: dict[Key, Key] = {}
    at_shares: set[tuple[str, Member | None]] = set()
    for group in explored.groups():
        found = by_key(group)
        met.append((group.scopes.world, group.part_of, found))
        stronger_than |= {key: one for key in found if (one := _stronger(group, found[key]))}
        for key in found:
            if key.rule == "QS-20":
                at_shares.add(("JQ-13", group.target_of(key.member, ("JobQueue",), JOB_QUEUE)))
    # What CloudFormation refuses in every world is judged all the same.
    met = [one for one in met if not one[0].cannot_be] or met
    first: dict[Key, Finding] = {}
    worlds_of: dict[Key, set[int]] = {}
    judged_in: dict[Member | None, set[int]] = {}
    for number, (_, part_of, found) in enumerate(met):
        judged_in.setdefault(part_of, set()).add(number)
        for key, finding in found.items():
            first.setdefault(key, finding)
            worlds_of.setdefault(key, set()).add(number)
    # A queue that lacks what its shares need is told at these, though they may not all be there.
    first = {key: one for key, one in first.items() if (key.rule, key.member) not in at_shares}
    # Where more is known in one world, it is what is so in the others too.
    for weaker, stronger in stronger_than.items():
        if weaker in first and stronger in first:
            worlds_of[stronger] |= worlds_of[weaker]
            del first[weaker]
    worlds = [world for world, _, _ in met]
    occasions = Occasions(worlds)
    whole = judged_in.get(None, set())
    for key, finding in first.items():
        so = worlds_of[key]
        not_so = (whole | judged_in.get(key.member, set())) - so if whole - so else set()
        if universe.on_nothing:
            if _is_of_nothing(universe, key.member, worlds, so, not_so):
                continue
            not_so = {n for n in not_so if _may_be_there(universe, key.member, worlds[n])}
        yield key, located(universe, key, finding, occasions.said_of(so, not_so))


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
        here = {worlds[number].conditions.get(name) for number in so}
        if len(here) == 1 and any(worlds[n].conditions.get(name) not in here for n in not_so):
            return True
    return False


def _may_be_there(universe: Universe, member: Member, world: World) -> bool:
    """Tells whether a resource is there in a world, if its condition is none of the template."""
    own = universe.on_nothing.get(member)
    return own is None or world.conditions.get(own, True)


def by_key(group: Group) -> dict[Key, Finding]:
    """Returns what is wrong with a group of resources in its world, by what makes it the same."""
    met: dict[Key, Finding] = {}
    for finding in _findings(group):
        if group.may_be_put_right(finding):
            continue
        key = _key(group, finding)
        while key in met:
            key = key._replace(number=key.number + 1)
        met[key] = finding
    return met


def _findings(group: Group) -> Iterator[Finding]:
    for resource in group.member_of:
        yield from judge(resource, group.quota_management(resource))
    # Whether a resource is ever there with others is not known if its condition is none.
    apart = group.scopes.universe.on_nothing
    for finding in _between(group):
        if group.member_of[finding.resource] not in apart:
            yield finding


def _between(group: Group) -> Iterator[Finding]:
    by_place: dict[Hashable, tuple[Place, list[Resource]]] = {}
    for resource, member in group.member_of.items():
        scope = group.scopes[member.stack]
        place = scope.account(), scope.region()
        key = member.stack if None in place else place
        by_place.setdefault(key, (place, []))[1].append(resource)
    for place, resources in by_place.values():
        yield from judge_resources(resources, place)
    for plan in group.plans:
        yield from judge_queue(plan)
    if len(group.plans) > 1:
        yield from judge_queues(group.plans)


def _key(group: Group, finding: Finding) -> Key:
    if finding.as_written:
        member = group.member_of[finding.resource]
        return Key(finding.rule.id, member, ("Properties", *finding.path))
    return _key_of(group, finding.rule.id, finding.resource, finding.path)


def _stronger(group: Group, finding: Finding) -> Key | None:
    """Returns what is found instead of a finding where more is known, None where nothing is."""
    return None if finding.weaker_than is None else _key_of(group, *finding.weaker_than)


def _key_of(group: Group, rule: str, resource: Resource, path: Path) -> Key:
    member = group.member_of[resource]
    scope = group.scopes[member.stack]
    return Key(rule, member, _written(scope, member.body, ("Properties", *path)))


def _written(scope: Scope, node: Any, path: Path) -> Path:
    """Returns where in the template a property is written, as deep as it is written there.

    Args:
        scope: The stack in its world.
        node: The resource.
        path: The property as CloudFormation sees it.
    """
    written: Path = ()
    for step in path:
        if isinstance(node, Mapping) and step in node:
            written, node = (*written, step), node[step]
        elif isinstance(node, list) and isinstance(step, int):
            index = _index(scope, node, step)
            if index is None:
                break
            written, node = (*written, index), node[index]
        else:
            break
        while branch := scope.branch(node):
            written, node = (*written, "Fn::If", branch[0]), branch[1]
    return written


def _index(scope: Scope, items: list[Any], place: int) -> int | None:
    """Returns the index in a list as it is written, of an entry of the list without NoValue."""
    left = [index for index, item in enumerate(items) if scope.value(item) is not NO_VALUE]
    return left[place] if place < len(left) else None


def located(universe: Universe, key: Key, finding: Finding, when: str) -> Located:
    """Returns a finding with its place.

    Args:
        universe: The stacks.
        key: What makes it the same in another world.
        finding: The finding.
        when: A sentence that says when it is so; empty when it always is.
    """
    member, stack = key.member, universe.stacks[key.member.stack]
    construct = section(member.body, "Metadata").get(
        "aws:cdk:path", stack.constructs.get(member.id)
    )
    unconfirmed = f" {finding.rule.unconfirmed}" if finding.rule.unconfirmed else ""
    written = Written(member.id, key.path, _as_written(finding, member.body, key.path))
    if stack.written is not None:
        written = stack.written(member.id, key.path)
    return Located(
        rule=finding.rule,
        file=stack.file,
        stack=stack.name,
        construct=construct if isinstance(construct, str) else None,
        line=stack.line_of(("Resources", member.id, *key.path)),
        resource=written.resource,
        path=written.path,
        value=_value(written.value),
        message=f"{finding.problem}{when}{unconfirmed}",
        fix=finding.fix,
    )


def _as_written(finding: Finding, body: Any, path: Path) -> Any:
    """Returns the value at fault, as the template has it where it is not known.

    Args:
        finding: What is wrong.
        body: The resource as the template has it.
        path: Where the value is written in it.
    """
    # What stands for it may be in another stack.
    is_known = not isinstance(finding.value, Unknown)
    return finding.value if is_known else reduce(lambda node, step: node[step], path, body)


def _value(value: Any) -> str:
    """Returns the value at fault; nothing for a list or a map that holds something."""
    if value is None or (isinstance(value, Mapping | list) and value and not _is_function(value)):
        return ""
    if not isinstance(value, Mapping | list | bool):
        return shown(value)
    # As a template has it, not as Python does.
    text = json.dumps(value, default=str)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def _is_function(value: Any) -> bool:
    names = list(map(str, value)) if isinstance(value, Mapping) else []
    return len(names) == 1 and (names[0] == "Ref" or names[0].startswith("Fn::"))
