"""What is wrong with a group of resources in one world, and where it is written."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from qm_constructs.plan import Path, Resource
from qm_constructs.rules import (
    Finding,
    Place,
    judge,
    judge_queue,
    judge_queues,
    judge_resources,
)
from qm_constructs.template.calls import is_call
from qm_constructs.template.places import home_of
from qm_constructs.template.plans import Group
from qm_constructs.template.scope import Scope
from qm_constructs.template.universe import Member
from qm_constructs.template.values import NO_VALUE


class Key(NamedTuple):
    """What makes two findings in two worlds the same."""

    rule: str
    member: Member
    path: Path
    number: int = 0
    apart: str = ""


def by_key(group: Group) -> dict[Key, Finding]:
    """Returns what is wrong with a group of resources in its world, by what makes it the same."""
    met: dict[Key, Finding] = {}
    for finding in _findings(group):
        if group.may_be_put_right(finding):
            continue
        if finding.cause is not None:
            resource, path = finding.cause
            told = finding._replace(resource=resource, path=path)
            met.setdefault(_key(group, told), told)
            continue
        key = _key(group, finding)
        # What is found again knows more: the other shares of the queue, say.
        while key in met and met[key].problem != finding.problem:
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
        home = home_of(group.scopes.universe, member.stack)
        key = home if None in place else place
        by_place.setdefault(key, (place, []))[1].append(resource)
    for place, resources in by_place.values():
        yield from judge_resources(resources, place)
    for plan in group.plans:
        yield from judge_queue(plan)
    if len(group.plans) > 1:
        yield from judge_queues(group.plans)


def _key(group: Group, finding: Finding) -> Key:
    as_written = finding.as_written
    key = _key_of(group, finding.rule.id, finding.resource, finding.path, as_written=as_written)
    return key._replace(apart=finding.apart)


def found_instead(group: Group, finding: Finding) -> Key | None:
    """Returns what is found instead of a finding where more is known, None where nothing is."""
    weaker_than = finding.weaker_than
    return None if weaker_than is None else _key_of(group, *weaker_than)


def _key_of(
    group: Group, rule: str, resource: Resource, path: Path, *, as_written: bool = False
) -> Key:
    member, whole = group.member_of[resource], ("Properties", *path)
    if not as_written:
        whole = _written(group.scopes[member.stack], member.body, whole)
    return Key(rule, member, whole)


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
            written, node = (*written, index), node[index]
        else:
            break
        while branch := scope.branch(node):
            written, node = (*written, "Fn::If", branch[0]), branch[1]
    return written


def _index(scope: Scope, items: list[Any], place: int) -> int:
    """Returns the index in a list as it is written, of an entry of the list without NoValue."""
    left = (
        index
        for index, item in enumerate(items)
        if not is_call(item) or scope.value(item) is not NO_VALUE
    )
    return next(islice(left, place, None))
