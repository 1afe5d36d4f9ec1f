"""Every finding in the stacks that are judged together, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from qm_constructs.errors import shown
from qm_constructs.plan import Path, Resource, Unknown
from qm_constructs.rules import RULES, Finding, judge, judge_queue, judge_queues, judge_resources
from qm_constructs.template.components import components
from qm_constructs.template.plans import Group
from qm_constructs.template.report import Located
from qm_constructs.template.scope import Scope
from qm_constructs.template.stack import Stack, Written
from qm_constructs.template.universe import Member, Universe, section
from qm_constructs.template.values import NO_VALUE
from qm_constructs.template.worlds import World, all_worlds

# A group is judged in so many worlds that it costs no more than this many resources do.
_MOST_JUDGEMENTS: Final = 20_000
_FEWEST_WORLDS: Final = 16
_MOST_WORLDS: Final = 1_000
_MOST_SHOWN: Final = 3

Circumstances = frozenset[tuple[str, object]]


@dataclass(frozen=True)
class _Key:
    """What makes two findings in two worlds the same."""

    rule: str
    member: Member
    path: Path
    number: int = 0


def judge_stacks(stacks: Sequence[Stack]) -> list[Located]:
    """Returns what is wrong with the stacks, in the order of the stacks and of their resources.

    Args:
        stacks: The stacks that are judged together.
    """
    universe = Universe(stacks)
    place = {member: number for number, member in enumerate(universe.members)}
    found: list[tuple[int, Located]] = []
    for members in components(universe):
        for key, located in _judge_group(universe, members):
            found.append((place[key.member], located))
    rank = {id: number for number, id in enumerate(RULES)}
    found.sort(key=lambda pair: (pair[0], pair[1].line or 0, rank[pair[1].rule.id]))
    if all(stack.written for stack in stacks):
        # What a quotas file writes once may be a property of several resources.
        return sorted(dict.fromkeys(one for _, one in found), key=lambda one: one.line or 0)
    return [located for _, located in found]


def _judge_group(universe: Universe, members: list[Member]) -> Iterator[tuple[_Key, Located]]:
    findings: dict[_Key, Finding] = {}
    holds: dict[_Key, Circumstances] = {}
    everywhere: Circumstances | None = None
    most = min(_MOST_WORLDS, max(_FEWEST_WORLDS, _MOST_JUDGEMENTS // len(members)))
    for world in all_worlds(most):
        group = Group(universe, members, world)
        met: dict[_Key, Finding] = {}
        for finding in _findings(group):
            key = _key(group, finding)
            while key in met:
                key = replace(key, number=key.number + 1)
            met[key] = finding
        circumstances = _circumstances(world)
        everywhere = circumstances if everywhere is None else everywhere & circumstances
        for key, finding in met.items():
            findings.setdefault(key, finding)
            holds[key] = holds.get(key, circumstances) & circumstances
    for key, finding in findings.items():
        when = _when(holds[key] - (everywhere or frozenset()))
        yield key, _located(universe, key, finding, when)


def _findings(group: Group) -> Iterator[Finding]:
    for resource in group.member_of:
        yield from judge(resource, group.quota_management(resource))
    by_stack: dict[int, list[Resource]] = {}
    for resource, member in group.member_of.items():
        by_stack.setdefault(member.stack, []).append(resource)
    for resources in by_stack.values():
        yield from judge_resources(resources)
    for plan in group.plans:
        yield from judge_queue(plan)
    if len(group.plans) > 1:
        yield from judge_queues(group.plans)


def _key(group: Group, finding: Finding) -> _Key:
    member = group.member_of[finding.resource]
    path = _written(group.scopes[member.stack], member.body, ("Properties", *finding.path))
    return _Key(finding.rule.id, member, path)


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


def _circumstances(world: World) -> Circumstances:
    # What decides a condition is told by the condition.
    decided = world.conditions or world.chosen
    told = [*decided.items(), *world.unusual.items()]
    return frozenset((name, value) for (_, name), value in told)


def _when(circumstances: Circumstances) -> str:
    """Says under which conditions a finding holds; empty when it always does."""
    told = sorted(
        f"{name} is {str(value).lower() if isinstance(value, bool) else shown(value)}"
        for name, value in circumstances
    )
    if not told:
        return ""
    more = " and so on" if len(told) > _MOST_SHOWN else ""
    return f" This is so when {' and '.join(told[:_MOST_SHOWN])}{more}."


def _located(universe: Universe, key: _Key, finding: Finding, when: str) -> Located:
    member, stack = key.member, universe.stacks[key.member.stack]
    construct = section(member.body, "Metadata").get(
        "aws:cdk:path", stack.constructs.get(member.id)
    )
    unconfirmed = f" {finding.rule.unconfirmed}" if finding.rule.unconfirmed else ""
    written = Written(member.id, key.path, finding.value)
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


def _value(value: Any) -> str:
    """Returns the value at fault; nothing for a list or a map that holds something."""
    if value is None or (isinstance(value, Mapping | list) and value):
        return ""
    return shown(value.source if isinstance(value, Unknown) else value)
