"""Which resources may have to do with one another, told without resolving anything."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, Final

from qm_constructs.arns import NAME
from qm_constructs.plan import QUOTA_SHARE
from qm_constructs.rules._named import NAMED
from qm_constructs.schema import NAME_PROPERTY
from qm_constructs.template.calls import is_call
from qm_constructs.template.macros import is_made_otherwise
from qm_constructs.template.places import home_of
from qm_constructs.template.scope import Scopes
from qm_constructs.template.universe import (
    NESTED_STACK,
    Member,
    Universe,
    referred_to,
    section,
)
from qm_constructs.template.values import parts_of
from qm_constructs.template.worlds import World, Worlds

_EXPORTED: Final = "exported"
_NO_VALUE: Final = {"Ref": "AWS::NoValue"}
_MOST_NAMES: Final = 64


def components(universe: Universe) -> list[list[Member]]:
    """Returns the resources in groups that can be judged each by itself.

    Args:
        universe: The stacks.
    """
    groups = _Groups()
    Scopes(universe, World())  # by which it is known which stacks are in one place
    for member in universe.members:
        groups.join(member, member)
        properties = section(member.body, "Properties")
        others, whatever_is_exported = _reached(universe, member.stack, properties)
        for other in others:
            groups.join(member, other)
        if whatever_is_exported:
            groups.join(member, _EXPORTED)
        for path, type_ in NAMED.get(member.type, {}).items():
            value = properties.get(str(path[0]))
            if value is None and member.type != QUOTA_SHARE:
                continue
            for key in _keys_of_names(universe, member, value, type_):
                groups.join(member, key)
        if member.type != QUOTA_SHARE and NAME_PROPERTY[member.type] in properties:
            for name in _names_of(universe, member, properties[NAME_PROPERTY[member.type]]):
                groups.join(member, ("named", member.type, name))
            groups.offer(("by name", member.type), member)
        groups.offer(("open", member.stack, member.type), member)
    for member in exported(universe):
        groups.offer(_EXPORTED, member)
    return groups.all(universe.members)


def _keys_of_names(universe: Universe, member: Member, node: Any, type_: str) -> Iterator[Hashable]:
    """Yields what a resource has in common with those of a type that it may name by their names."""
    for stack, chosen in _choices(universe, member.stack, node):
        if chosen == _NO_VALUE or _mentions(universe, stack, chosen, type_):
            continue
        yield "by name", type_
        # One may be named by its logical id (CF-04-ID).
        if isinstance(chosen, str) and (stack, chosen) in universe.member_of:
            yield universe.member_of[stack, chosen]
        if _tells_a_place(chosen):
            yield "placed", home_of(universe, member.stack)
        if not isinstance(chosen, str) or not _may_be_named(chosen):
            yield "open", member.stack, type_


def _names_of(universe: Universe, member: Member, node: Any) -> set[Hashable]:
    """Returns what the name of a resource can be, in the first worlds that differ in it."""
    if isinstance(node, str):
        return {(node,)}
    names = set[Hashable]()
    for world in Worlds(_MOST_NAMES, changes=_MOST_NAMES):
        found = parts_of(Scopes(universe, world)[member.stack].value(node))
        names.add(found or member)
    return names


def _choices(universe: Universe, stack: int, node: Any) -> Iterator[tuple[int, Any]]:
    """Yields what a property that names a resource can be, by the branches of ``Fn::If``.

    Each is in its own stack: one may choose in another what it gives to this one.
    """
    # Most choose nothing, and name one resource.
    rest, seen = [(stack, node)], set[tuple[int, int]]()
    while rest:
        stack, node = rest.pop()
        if (stack, id(node)) in seen:
            continue
        seen.add((stack, id(node)))
        inner = _chosen(universe, stack, node)
        if inner:
            rest += inner
        else:
            yield stack, node


def _chosen(universe: Universe, stack: int, node: Any) -> list[tuple[int, Any]]:
    """Returns the parts that a part of a template is one of, or that may name a resource."""
    if isinstance(node, list):
        return [(stack, part) for part in node]
    if not isinstance(node, Mapping):
        return []
    if not is_call(node):
        # An entry of an order, which names an environment.
        named = node.get("ServiceEnvironment")
        return [] if named is None else [(stack, named)]
    branches = node.get("Fn::If")
    if isinstance(branches, list):
        return [(stack, branch) for branch in branches[1:]]
    if "Fn::ImportValue" in node:
        name = node["Fn::ImportValue"]
        return [*_exported(universe, name)] if isinstance(name, str) else []
    given = node.get("Ref")
    return [*_behind(universe, stack, given)] if isinstance(given, str) else []


def _may_be_named(text: str) -> bool:
    """Tells whether a text can be a name or an ARN; any other may be meant for any resource."""
    return "arn:" in text or re.fullmatch(NAME, text) is not None


def _tells_a_place(node: Any) -> bool:
    """Tells whether there is an ARN in what names a resource, with which all others must agree."""
    if isinstance(node, str):
        return "arn:" in node
    parts = node.values() if isinstance(node, Mapping) else node
    return isinstance(parts, Iterable) and any(map(_tells_a_place, parts))


def mentioned(universe: Universe, member: Member) -> list[Member]:
    """Returns the resources that a resource's properties refer to, in other stacks too.

    Args:
        universe: The stacks.
        member: The resource.
    """
    return mentioned_in(universe, member.stack, section(member.body, "Properties"))


def mentioned_in(universe: Universe, stack: int, node: Any) -> list[Member]:
    """Returns the members that a part of a template refers to, in other stacks too.

    Args:
        universe: The stacks.
        stack: The stack of the template, by number.
        node: The part.
    """
    found, whatever_is_exported = _reached(universe, stack, node)
    return list(dict.fromkeys([*found, *exported(universe)])) if whatever_is_exported else found


def exported(universe: Universe) -> list[Member]:
    """Returns the members that any export of the stacks leads to.

    Args:
        universe: The stacks.
    """
    if universe.exported is None:
        outputs = (pair for pairs in universe.outputs_by_export.values() for pair in pairs)
        found = (_reached(universe, stack, output.get("Value"))[0] for stack, output in outputs)
        universe.exported = list(dict.fromkeys(member for members in found for member in members))
    return universe.exported


def _mentions(universe: Universe, stack: int, node: Any, type_: str) -> bool:
    """Tells whether a part of a template refers, or may refer, to a resource of a type."""
    if is_call(node):
        # Most name one resource, by Ref or by an attribute of it.
        known = (universe.member_of.get((stack, id)) for id in referred_to(node))
        if any(member is not None and member.type == type_ for member in known):
            return True
    found, whatever_is_exported = _reached(universe, stack, node)
    if any(member.type == type_ for member in found):
        return True
    return whatever_is_exported and any(member.type == type_ for member in exported(universe))


def _reached(universe: Universe, stack: int, node: Any) -> tuple[list[Member], bool]:
    """Returns what a part of a template refers to, and whether to what any export leads to too."""
    found: dict[Member, None] = {}
    whatever_is_exported = False
    seen: set[tuple[int, int]] = set()
    rest = [(stack, node)]
    while rest:
        stack, node = rest.pop()
        if (stack, id(node)) in seen:
            continue
        seen.add((stack, id(node)))
        for part in universe.references_in(node):
            for name in referred_to(part):
                member = universe.member_of.get((stack, name))
                if member is not None:
                    found[member] = None
                else:
                    rest += _behind(universe, stack, name)
            if "Fn::ImportValue" in part:
                name = part["Fn::ImportValue"]
                # A name that is put together may be any.
                whatever_is_exported |= not isinstance(name, str)
                rest += _exported(universe, name) if isinstance(name, str) else ()
            if "Fn::GetStackOutput" in part:
                rest += _published(universe, part["Fn::GetStackOutput"])
    return list(found), whatever_is_exported


def _behind(universe: Universe, stack: int, name: str) -> Iterator[tuple[int, Any]]:
    """Yields what stands in other stacks behind a parameter or a nested stack."""
    if name in section(universe.stacks[stack].template, "Parameters"):
        passed = universe.passed(stack, name)
        if passed is not None:
            yield passed
    elif universe.type_of(stack, name) == NESTED_STACK and (stack, name) in universe.nested:
        nested = universe.nested[stack, name]
        yield nested, section(universe.stacks[nested].template, "Outputs")


def _exported(universe: Universe, name: str) -> Iterator[tuple[int, Any]]:
    for stack, output in universe.outputs_by_export.get(name, ()):
        yield stack, output.get("Value")


def _published(universe: Universe, argument: Any) -> Iterator[tuple[int, Any]]:
    """Yields the outputs of other stacks that a reference to a stack's output may be."""
    if isinstance(argument, Mapping):
        for stack in universe.stacks_named.get(str(argument.get("StackName")), ()):
            output = section(universe.stacks[stack].template, "Outputs")
            yield stack, output.get(str(argument.get("OutputName")))


class _Groups:
    """Members joined by whatever they have in common."""

    def __init__(self) -> None:
        self._parent: dict[Hashable, Hashable] = {}
        self._offers: list[tuple[Hashable, Member]] = []

    def join(self, one: Hashable, other: Hashable) -> None:
        """Says that two belong together."""
        self._parent[self._root(one)] = self._root(other)

    def offer(self, key: Hashable, member: Member) -> None:
        """Says that a member belongs to all that have a key, if any has."""
        self._offers.append((key, member))

    def all(self, members: list[Member]) -> list[list[Member]]:
        """Returns the groups, each in the order of its members."""
        for key, member in self._offers:
            if key in self._parent:
                self.join(member, key)
        groups: dict[Hashable, list[Member]] = {}
        for member in members:
            groups.setdefault(self._root(member), []).append(member)
        return list(groups.values())

    def _root(self, item: Hashable) -> Hashable:
        path = []
        while self._parent.setdefault(item, item) != item:
            path.append(item)
            item = self._parent[item]
        for passed in path:
            self._parent[passed] = item
        return item


def depends_on(universe: Universe, member: Member, other: Member) -> bool:
    """Tells whether CloudFormation makes one resource of a stack after another, or may do so.

    Args:
        universe: The stacks.
        member: The resource that should come later.
        other: The resource that should come first.
    """
    template = universe.stacks[member.stack].template
    resources, parameters = section(template, "Resources"), section(template, "Parameters")
    seen: dict[str, Any] = {}
    # The nearest first: what is waited for is mostly named by the resource itself.
    rest = deque([member.id])
    while rest:
        name = rest.popleft()
        if name == other.id:
            return True
        if name in seen:
            continue
        seen[name] = body = resources.get(name)
        if isinstance(body, Mapping):
            direct = body.get("DependsOn", [])
            direct = direct if isinstance(direct, list) else [direct]
            rest += [id for id in direct if isinstance(id, str)]
            for part in universe.references_in(body.get("Properties")):
                rest += referred_to(part)
    # What a macro, a module or a loop makes may depend on anything.
    made = [id for id in seen if not (id in resources or id in parameters or ":" in id)]
    return any(universe.may_have(member.stack, id) for id in made) or any(
        map(is_made_otherwise, seen.values())
    )
