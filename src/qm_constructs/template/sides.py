"""Two lists of stacks, before a change and after it, as what is compared."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, Final

from qm_constructs.changes.side import RETAINING, Deployed, Key, Reference, Side
from qm_constructs.changes.values import identity
from qm_constructs.plan import (
    ENVIRONMENT,
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    Path,
    Unknown,
    readable,
)
from qm_constructs.template.attributes import asked_in
from qm_constructs.template.calls import calls_in
from qm_constructs.template.pairing import Paired, pair_stacks
from qm_constructs.template.plans import Group
from qm_constructs.template.settled import SettledScope, SettledScopes
from qm_constructs.template.stack import Stack, Written, around
from qm_constructs.template.universe import Member, Universe, section
from qm_constructs.template.values import Target, known, target
from qm_constructs.template.worlds import UndecidedError

_REFERENCES: Final[Mapping[str, tuple[tuple[Path, str], ...]]] = {
    QUOTA_SHARE: ((("JobQueue",), JOB_QUEUE),),
    JOB_QUEUE: ((ENVIRONMENT, SERVICE_ENVIRONMENT), (("SchedulingPolicyArn",), SCHEDULING_POLICY)),
}


def read_sides(old: Sequence[Stack], new: Sequence[Stack]) -> tuple[Side, Side]:
    """Returns what is compared.

    Args:
        old: The stacks before, of one template or one cdk.out.
        new: The stacks after, likewise.

    Raises:
        PairingError: If it is not known which stacks are the same.
    """
    paired: Paired = pair_stacks(old, new)
    return (
        _Reader(paired.old, paired.in_old).side(),
        _Reader(paired.new, paired.in_new).side(),
    )


class _Reader:
    """Reads one side.

    Args:
        stacks: The stacks, each at its number.
        present: Those that there are.
    """

    def __init__(self, stacks: Sequence[Stack], present: AbstractSet[int]) -> None:
        self._whole = Universe(stacks)
        self._first = SettledScopes(self._whole)
        self._conditions: dict[Key, Hashable] = {}
        self._present = {number for number in present if self._is_there(stacks[number])}
        self._stacks = self._without_what_is_not_there(stacks)
        self._universe = Universe(self._stacks)
        for member in self._universe.members:
            # A reference to what a condition leaves out leads somewhere all the same.
            properties = section(member.body, "Properties")
            member.asked = tuple(asked_in(self._whole, member.stack, calls_in(properties)))
        scopes = SettledScopes(self._universe)
        self._group = Group(self._universe, self._universe.members, scopes.world, scopes=scopes)

    def side(self) -> Side:
        """Returns the side."""
        numbers = self._universe.number_of
        return Side(
            deployed={
                (member.stack, member.id): self._deployed(member)
                for member in self._universe.members
                if member in self._group.resources
            },
            plans=self._group.plans,
            stacks=frozenset(self._present),
            root_of={
                number: numbers[id(around(stack)[-1])] for number, stack in enumerate(self._stacks)
            },
            type_of=self._type_of,
            file_of={number: self._stacks[number].file for number in self._present},
            defaults_of=self._defaults_of_condition,
            awaits=_awaits(self._stacks),
        )

    def _type_of(self, key: Key) -> str | None:
        number, id = key
        resources = section(self._stacks[number].template, "Resources")
        if id not in resources:
            return None
        type = resources[id].get("Type") if isinstance(resources[id], Mapping) else None
        return type if isinstance(type, str) else ""

    def _defaults_of_condition(self, key: Key) -> Mapping[str, Any]:
        number, id = key
        template = self._whole.stacks[number].template
        body = section(template, "Resources").get(id)
        name = body.get("Condition") if isinstance(body, Mapping) else None
        return self._first[number].defaults({"Condition": name}) if isinstance(name, str) else {}

    # -- what is there

    def _is_there(self, stack: Stack) -> bool:
        """Tells whether a stack is there: no nested stack around it is left out."""
        for inner, outer in zip(around(stack), around(stack)[1:], strict=False):
            body = section(outer.template, "Resources").get(inner.parent_resource)
            if not self._holds(self._whole.number_of[id(outer)], inner.parent_resource, body):
                return False
        return True

    def _holds(self, stack: int, id: str, body: Any) -> bool:
        """Tells whether a resource is there; where nothing tells, notes on what it depends."""
        name = body.get("Condition") if isinstance(body, Mapping) else None
        if not isinstance(name, str):
            return True
        try:
            return self._first[stack].condition(name)
        except UndecidedError:
            opaque = self._first[stack].opaque({"Condition": name})
            self._conditions[stack, id] = identity(opaque)
            return True

    def _without_what_is_not_there(self, stacks: Sequence[Stack]) -> list[Stack]:
        copies = [
            stack.but(template=self._template(number, stack)) for number, stack in enumerate(stacks)
        ]
        for copy in copies:
            if copy.parent is not None:
                copy.parent = copies[self._whole.number_of[id(copy.parent)]]
        return copies

    def _template(self, number: int, stack: Stack) -> dict[str, Any]:
        bodies = section(stack.template, "Resources") if number in self._present else {}
        resources = {
            id: _without_condition(body)
            for id, body in bodies.items()
            if self._holds(number, id, body)
        }
        return {**stack.template, "Resources": resources}

    # -- one resource

    def _deployed(self, member: Member) -> Deployed:
        stack = self._stacks[member.stack]
        scope = self._group.scopes[member.stack]
        assert isinstance(scope, SettledScope)
        return Deployed(
            key=(member.stack, member.id),
            resource=self._group.resources[member],
            stack=around(stack)[-1].name,
            nested=tuple(inner.parent_resource for inner in reversed(around(stack)[:-1])),
            place=(stack.account, stack.region),
            references=self._references(member, scope),
            deletion_policy=scope.value(member.body.get("DeletionPolicy")),
            replace_policy=scope.value(member.body.get("UpdateReplacePolicy")),
            condition=self._conditions.get((member.stack, member.id)),
            stack_is_kept=self._is_kept(stack),
            line=partial(stack.line_of, ("Resources", member.id)),
            defaults=partial(_defaults, scope, member),
            written=partial(_written, stack.written, member.id) if stack.written else None,
        )

    def _references(self, member: Member, scope: SettledScope) -> dict[str, Reference]:
        resource = self._group.resources[member]
        found: dict[str, Reference] = {}
        for path, type in _REFERENCES.get(member.type, ()):
            value = resource.at(path)
            if value is None:
                continue
            at = str(path[0])
            named = target(value) if isinstance(value, str | Unknown) else None
            other = self._group.target_of(member, path, type)
            if other is not None:
                by_name = named is not None and named.kind is None
                is_here = by_name or named is None or _is_here(named, scope)
                found[at] = Reference((other.stack, other.id), by_name, is_here=is_here)
            elif named is not None:
                place = (named.account, named.region)
                where = scope.place() if named.kind is None else place
                is_known = known(named.name) is not None
                found[at] = Reference(("outside", named.name, where), named.kind is None, is_known)
            else:
                found[at] = Reference(identity(value), is_known=False)
        return found

    def _is_kept(self, stack: Stack) -> bool:
        for inner, outer in zip(around(stack), around(stack)[1:], strict=False):
            body = section(outer.template, "Resources").get(inner.parent_resource)
            policy = body.get("DeletionPolicy") if isinstance(body, Mapping) else None
            if isinstance(policy, str) and policy in RETAINING:
                return True
        return False


def _awaits(stacks: Sequence[Stack]) -> dict[int, set[int]]:
    """Returns by stack those that are deployed before it, directly or by way of others."""
    number_of = {
        (stack.assembly, stack.artifact): number
        for number, stack in enumerate(stacks)
        if stack.artifact and stack.parent is None
    }
    found: dict[int, set[int]] = {}
    for number, stack in enumerate(stacks):
        met, rest = set[int](), [stack]
        while rest:
            one = rest.pop()
            ids = [number_of.get((one.assembly, id)) for id in one.dependencies]
            new = {before for before in ids if before is not None} - met
            met |= new
            rest.extend(stacks[before] for before in new)
        found[number] = met
    return found


def _without_condition(body: Any) -> Any:
    if not isinstance(body, Mapping) or "Condition" not in body:
        return body
    return {key: value for key, value in body.items() if key != "Condition"}


def _defaults(scope: SettledScope, member: Member, name: str) -> Mapping[str, Any]:
    node = section(member.body, "Properties").get(name)
    return scope.defaults(node)


def _is_here(named: Target, scope: SettledScope) -> bool:
    """Tells whether an ARN surely names the account and the Region of its stack."""
    return (named.account, named.region) == scope.place()


def _written(written: Callable[[str, Path], Written], id: str, name: str) -> str:
    return readable(written(id, ("Properties", *name.split("."))).path)
