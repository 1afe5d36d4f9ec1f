"""The queues of a group of resources, with what belongs to each, in one world."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from itertools import chain
from typing import Any, Final

from qm_constructs.arns import NAME
from qm_constructs.plan import (
    ENVIRONMENT,
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    Path,
    QueuePlan,
    Resource,
    Unknown,
    WholePlace,
)
from qm_constructs.rules import Finding
from qm_constructs.schema import ARN_KIND, NAME_PROPERTY, PROPERTIES, TYPES
from qm_constructs.template.attributes import absent_in, asked_by
from qm_constructs.template.beside import has_attributes_alone, stray
from qm_constructs.template.coercion import coerced
from qm_constructs.template.components import depends_on
from qm_constructs.template.confined import compares_places, place_of, taken_from_stack
from qm_constructs.template.given_away import given_away
from qm_constructs.template.macros import may_be_put_right
from qm_constructs.template.nesting import is_nested
from qm_constructs.template.places import home_of
from qm_constructs.template.scope import Scope, Scopes
from qm_constructs.template.selected import beyond_in
from qm_constructs.template.universe import Member, Universe
from qm_constructs.template.values import (
    Atom,
    Parts,
    Target,
    is_other_than,
    known,
    parts_of,
    target,
)
from qm_constructs.template.worlds import World

POLICY: Final[Path] = ("SchedulingPolicyArn",)
_QUEUE: Final[Path] = ("JobQueue",)
_LACKED_BY_ANOTHER: Final = (
    ("JQ-07", POLICY, SCHEDULING_POLICY, ("QuotaSharePolicy", "FairsharePolicy")),
    ("QS-20", _QUEUE, JOB_QUEUE, ("SchedulingPolicyArn",)),
)


class Group:
    """A group of resources in one world.

    Args:
        universe: The stacks.
        members: The resources of the group.
        world: The world.
        part_of: The resource for whose sake these are looked at, where the group has more.
        scopes: What expressions mean in that world, where it is not what they mean in any.
    """

    def __init__(
        self,
        universe: Universe,
        members: list[Member],
        world: World,
        part_of: Member | None = None,
        scopes: Scopes | None = None,
    ) -> None:
        self.scopes = Scopes(universe, world) if scopes is None else scopes
        self._universe = universe
        self.resources: dict[Member, Resource] = {}
        self.member_of: dict[Resource, Member] = {}
        self._named: dict[tuple[str, Parts], list[Member]] = {}
        # By type, the names that are not known as a whole.
        self._open_names: dict[str, list[Parts]] = {}
        self.part_of = part_of
        for member in members:
            self._read(member)
        self._plans: dict[Hashable, QueuePlan] = {}
        for member, queue in self._sound(JOB_QUEUE):
            self._plans[member] = self._plan(member, queue)
        # A share of which nothing is known may be of any queue, and lend there.
        self._may_be_of_any = any(
            member.type == QUOTA_SHARE and not isinstance(resource.properties, Mapping)
            for member, resource in self.resources.items()
        )
        for member, share in self._sound(QUOTA_SHARE):
            self._attach(member, share)
        if self._may_be_of_any:
            for plan in self._plans.values():
                plan.complete = False
        self.plans = list({id(plan): plan for plan in self._plans.values()}.values())
        for plan in self.plans:
            plan.quota_management = _is_quota_management(plan)
        self._managed: dict[Resource, bool] = {}
        for plan in self.plans:
            for part in filter(None, (plan.queue, plan.environment)):
                if plan.quota_management or part not in self._managed:
                    self._managed[part] = plan.quota_management

    def quota_management(self, resource: Resource) -> bool | None:
        """Tells whether a resource is of quota management; None where nothing tells, or asks."""
        return self._managed.get(resource)

    def target_of(self, member: Member, path: Path, type: str) -> Member | None:
        """Returns the resource of a type that a property names, None where it is none of these."""
        resource = self.resources[member]
        return self._target(member, resource, path, type)

    def may_be_put_right(self, finding: Finding) -> bool:
        """Tells whether a macro may put in place what a finding says is wrong or missing."""
        changed = self._universe.with_macros
        if not changed:
            return False
        member = self.member_of[finding.resource]
        if member.stack in changed and may_be_put_right(finding):
            return True
        # These say of one resource what another lacks.
        for rule, path, type_, members in _LACKED_BY_ANOTHER:
            other = self.target_of(member, path, type_) if finding.rule.id == rule else None
            if other is not None and other.stack in changed:
                return all(self.resources[other].at((name,)) is None for name in members)
        return False

    def _read(self, member: Member) -> None:
        scope = self.scopes[member.stack]
        condition = member.body.get("Condition")
        if isinstance(condition, str) and not scope.condition(condition):
            return
        if not is_nested(self.scopes, member.stack):
            return
        was_refused = self.scopes.world.cannot_be
        given = coerced(TYPES[member.type], _properties(member, scope))
        universe = self._universe
        asked = asked_by(universe, member) + absent_in(universe, member, scope)
        place: WholePlace = (None, None, None)
        from_stack: dict[Path, tuple[bool, bool, bool]] = {}
        # In a world that is settled nothing more is asked.
        if not self.scopes.world.is_settled:
            beyond = beyond_in(universe, member, scope)
            asked += beyond
            # What is told is no reason to look at other values alone.
            self.scopes.world.cannot_be &= was_refused or not beyond
            if compares_places(universe, member.stack):
                place = place_of(self.scopes, member)
                from_stack = taken_from_stack(self.scopes, member)
        resource = Resource(
            member.type,
            given,
            asked,
            member.id,
            place=place,
            label=f"{member.id!r}{self._of_stack(member)}",
            from_stack=from_stack,
            is_one_region_of_several=scope.is_one_region_of_several(),
        )
        self.resources[member] = resource
        self.member_of[resource] = member
        name = parts_of(resource.at((NAME_PROPERTY[member.type],)))
        if name is not None:
            self._named.setdefault((member.type, name), []).append(member)
            if not all(isinstance(part, str) for part in name):
                self._open_names.setdefault(member.type, []).append(name)

    def _sound(self, type: str) -> list[tuple[Member, Resource]]:
        return [
            (member, resource)
            for member, resource in self.resources.items()
            if member.type == type and isinstance(resource.properties, Mapping)
        ]

    def _plan(self, member: Member, queue: Resource) -> QueuePlan:
        scope = self.scopes[member.stack]
        plan = QueuePlan(
            queue=queue,
            label=self._label(member),
            complete=not self._may_have_more(member),
            in_outputs=member in given_away(self._universe).told,
            account=scope.account(),
            region=scope.region(),
        )
        environment = self._target(member, queue, ENVIRONMENT, SERVICE_ENVIRONMENT)
        policy = self._target(member, queue, POLICY, SCHEDULING_POLICY)
        plan.environment = self._found(environment)
        plan.policy = self._found(policy)
        plan.environment_keys = self._keys(member, environment, queue, ENVIRONMENT)
        plan.policy_keys = self._keys(member, policy, queue, POLICY)
        for other, path in ((environment, ENVIRONMENT), (policy, POLICY)):
            if self._is_not_awaited(member, other):
                plan.not_awaited.append((queue, path))
        if self._is_id(member, queue, ENVIRONMENT, SERVICE_ENVIRONMENT):
            plan.spelt_ids.append((queue, ENVIRONMENT, queue.at(ENVIRONMENT)))
        return plan

    def _label(self, queue: Member) -> str:
        return f"the queue {queue.id!r}{self._of_stack(queue)}"

    def _of_stack(self, member: Member) -> str:
        """Says of which stack a resource is, where there are several."""
        if len(self._universe.stacks) == 1:
            return ""
        stack = self._universe.stacks[member.stack]
        path = stack.path
        return f" of the stack {path!r}" if path else f" of the template {stack.file!r}"

    def _may_have_more(self, queue: Member) -> bool:
        """Tells whether a queue may have shares that are not in the group."""
        if self.part_of is not None:
            return True
        universe = self._universe
        return queue.stack in universe.with_more or queue in given_away(universe).made

    def _attach(self, member: Member, share: Resource) -> None:
        queue = self._target(member, share, _QUEUE, JOB_QUEUE)
        plan = self._plans.get(queue)
        scope = self.scopes[member.stack]
        place = scope.account(), scope.region()
        if plan is None:
            plan = self._plan_outside(self._keys(member, None, share, _QUEUE) or {member})
            is_id = self._is_id(member, share, _QUEUE, JOB_QUEUE)
            self._may_be_of_any |= is_id or _may_be_of_any(share)
            if is_id:
                plan.spelt_ids.append((share, _QUEUE, share.at(_QUEUE)))
        plan.shares.append(share)
        plan.places[share] = place
        if queue is not None and self._is_not_awaited(member, queue):
            plan.not_awaited.append((share, _QUEUE))

    def _plan_outside(self, keys: set[Hashable]) -> QueuePlan:
        """Returns the plan of a queue that is none of the group, by what identifies it."""
        known_as = [key for key in keys if key in self._plans]
        outside = QueuePlan(Resource(JOB_QUEUE, {}), complete=False)
        plan = self._plans[known_as[0]] if known_as else outside
        self._plans.update(dict.fromkeys(keys, plan))
        return plan

    def _target(self, member: Member, resource: Resource, path: Path, type: str) -> Member | None:
        """Returns the resource that a property names, None where it is none of the group."""
        named = target(resource.at(path))
        if named is None or named.kind not in (None, ARN_KIND[type]):
            return None
        name = named.name[0]
        if len(named.name) == 1 and isinstance(name, Atom) and name.resource:
            found = self._universe.member_of.get((name.owner, name.resource))
            return found if found in self.resources and found.type == type else None
        for other in self._named.get((type, named.name), ()):
            if self._may_be(member, other, named):
                return other
        return None

    def _is_id(self, member: Member, resource: Resource, path: Path, type: str) -> bool:
        """Tells whether a name is the logical id of a resource of a type, and the name of none."""
        name = resource.at(path)
        universe = self._universe
        if not isinstance(name, str) or universe.type_of(member.stack, name) != type:
            return False
        # Where the one that has the id is not there, another may have been given its name.
        if universe.member_of[member.stack, name] not in self.resources:
            return False
        if (type, (name,)) in self._named or universe.may_be_changed(member.stack):
            return False
        if _written_at(self.scopes[member.stack], member, path) != name:
            return False
        return not self._may_be_name(name, type)

    def _may_be_name(self, name: str, type: str) -> bool:
        """Tells whether a resource whose name is not known to be another may have a name."""
        if not all(is_other_than(parts, name) for parts in self._open_names.get(type, ())):
            return True
        names = self._universe.names_of(type)
        others = chain(names.get(name, ()), names.get(None, ()))
        return any(other not in self.resources for other in others)

    def _may_be(self, member: Member, other: Member, named: Target) -> bool:
        """Tells whether a name or an ARN in one stack is that of a named resource."""
        here, there = self.scopes[member.stack].place(), self.scopes[other.stack].place()
        place = here if named.kind is None else (named.account, named.region)
        if home_of(self._universe, member.stack) == home_of(self._universe, other.stack):
            # Whatever AWS Batch finds is in its own account and Region.
            pairs = [(known(one), known(two)) for one, two in zip(place, there, strict=True)]
            return not any(None not in pair and pair[0] != pair[1] for pair in pairs)
        return place == there

    def _is_not_awaited(self, member: Member, other: Member | None) -> bool:
        """Tells whether nothing makes CloudFormation make another resource of the stack first."""
        if other is None or member.stack != other.stack:
            return False
        return not depends_on(self._universe, member, other)

    def _found(self, member: Member | None) -> Resource | None:
        if member is None or not isinstance(self.resources[member].properties, Mapping):
            return None
        return self.resources[member]

    def _keys(
        self, member: Member, found: Member | None, resource: Resource, path: Path
    ) -> set[Hashable]:
        """Returns what identifies the resource that a property names."""
        if found is not None:
            return {found}
        named = target(resource.at(path))
        if named is None:
            return set()
        here = self.scopes[member.stack].place()
        place = here if named.kind is None else (named.account, named.region)
        return {(home_of(self._universe, member.stack), named.name), (place, named.name)}


def _may_be_of_any(share: Resource) -> bool:
    """Tells whether a share of a queue that is none of the group may be of any of them."""
    named = target(share.at(_QUEUE))
    name = known(named.name) if named is not None else None
    # What names no queue (QS-20) may be meant for any.
    is_queue = named is not None and named.kind in (None, ARN_KIND[JOB_QUEUE])
    return name is None or not is_queue or not re.fullmatch(NAME, name)


def _written_at(scope: Scope, member: Member, path: Path) -> Any:
    """Returns what is written in a property, in the branches of ``Fn::If`` that are taken."""
    node: Any = member.body.get(PROPERTIES)
    try:
        for step in path:
            node = _taken(scope, node)[step]
    # A list of which something is left out has it in another place.
    except (KeyError, IndexError, TypeError):
        return None
    return _taken(scope, node)


def _taken(scope: Scope, node: Any) -> Any:
    while (branch := scope.branch(node)) is not None:
        node = branch[1]
    return node


def _properties(member: Member, scope: Scope) -> Any:
    body = member.body
    if has_attributes_alone(member):
        return scope.value(body.get(PROPERTIES, {}))
    beside = stray(member).values()
    # What a macro adds beside the properties is not known, nor what is meant to be all of them.
    if PROPERTIES in beside or any(str(key).startswith("Fn::") for key in body):
        return Unknown(body)
    properties = scope.value(body.get(PROPERTIES, {}))
    if not isinstance(properties, Mapping):
        return properties
    # What stands a level too high is not missing.
    too_high = [name for name in beside if name in TYPES[member.type].members]
    return {**{name: Unknown(body) for name in too_high}, **properties}


def _is_quota_management(plan: QueuePlan) -> bool:
    """Tells whether a queue is one of quota management, or is surely meant to be."""
    if plan.policy is not None and plan.policy.at(("QuotaSharePolicy",)) is not None:
        return True
    if plan.policy is not None and plan.policy.at(("FairsharePolicy",)) is not None:
        return False
    outside = not plan.queue.properties
    return bool(plan.shares) and (outside or plan.queue.at(POLICY) is not None)
