"""The stacks that are judged together, and what each tells before anything is resolved."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from qm_constructs.plan import Asked, Miswritten
from qm_constructs.schema import NAME_PROPERTY, TYPES
from qm_constructs.spelling import nearest
from qm_constructs.template.calls import Call, walk
from qm_constructs.template.macros import (
    LANGUAGE_EXTENSIONS,
    macros,
    makes_resources,
    may_have_more,
    may_have_more_parameters,
    transforms,
)
from qm_constructs.template.parameters import least_value, options_of
from qm_constructs.template.stack import Stack

if TYPE_CHECKING:
    from qm_constructs.template.lookups import Lookup

_IN_SUB: Final = re.compile(r"\$\{([A-Za-z0-9:]+)[^}]*\}")
NESTED_STACK: Final = "AWS::CloudFormation::Stack"
# What reads an output of another stack.
IMPORTS: Final = ("Fn::ImportValue", "Fn::GetStackOutput")
_REFERENCES: Final = frozenset(("Ref", "Fn::GetAtt", "Fn::Sub", *IMPORTS))


class Member:
    """One resource of the four types, in its stack.

    Args:
        stack: The stack, by number.
        id: The logical id.
        type: The CloudFormation type.
        body: The resource as the template has it.
    """

    def __init__(self, stack: int, id: str, type: str, body: Mapping[str, Any]) -> None:
        self.stack = stack
        self.id = id
        self.type = type
        self.body = body
        self.asked: tuple[Asked | Miswritten, ...] | None = None
        self.calls: list[Call] | None = None
        self.conditional: tuple[tuple[str, Asked], ...] | None = None


class GivenAway(NamedTuple):
    """The queues that a share may name in a template that is not judged here.

    Args:
        made: What may make shares, or is made for other templates to read, has them.
        told: An output that another stack may read has them, and most often people do.
    """

    made: AbstractSet[Member]
    told: AbstractSet[Member]


def section(template: Any, name: str) -> Mapping[str, Any]:
    """Returns a section of a template or of a resource, empty where it is none."""
    # To ask whether something is a mapping of any kind takes much longer.
    found = template.get(name) if isinstance(template, dict) else None
    return found if isinstance(found, dict) else {}


def parameters_given(body: Any) -> Mapping[str, Any]:
    """Returns the parameters that a resource gives to the stack nested by it."""
    return section(section(body, "Properties"), "Parameters")


class Universe:
    """The stacks that are judged together.

    Args:
        stacks: The stacks.
    """

    def __init__(self, stacks: Sequence[Stack]) -> None:
        self.stacks = stacks
        self.members = [
            Member(number, name, body["Type"], body)
            for number, stack in enumerate(stacks)
            for name, body in section(stack.template, "Resources").items()
            if isinstance(body, dict)
            and isinstance(body.get("Type"), str)
            and body["Type"] in TYPES
        ]
        self.member_of = {(member.stack, member.id): member for member in self.members}
        self.number_of = {id(stack): number for number, stack in enumerate(stacks)}
        self.given_away: GivenAway | None = None
        self.exported: list[Member] | None = None
        self.homes: list[int] | None = None
        self.compared: dict[tuple[int, str], list[str]] | None = None
        self.judged_outputs: Sequence[tuple[int, Mapping[str, Any]]] = ()
        self.lookups: dict[int, list[Lookup]] = {}
        self._name_givers: dict[int, set[str]] = {}
        self.choices: dict[tuple[int, str, bool, int], tuple[frozenset[str], list[Any]]] = {}
        self._options: dict[tuple[int, str], tuple[str, ...]] = {}
        self.named_regions: dict[int, bool] = {}
        self.comparing_places: dict[int, bool] = {}
        self.told_by_conditions: dict[tuple[int, str], dict[tuple[str, bool], bool]] = {}
        # With the part itself, as the id of one that is gone may be another's.
        self._references: dict[int, tuple[Any, list[Mapping[str, Any]]]] = {}

    def set_homes(self, homes: list[int]) -> None:
        """Says which stacks are in one account and Region.

        Args:
            homes: For each stack, by number, one that stands for all in its place.
        """
        # What is compared with a Region is so for all that are there.
        self.homes, self.compared = homes, None
        self.possible: dict[tuple[int, str, bool], tuple[list[Any], bool]] = {}

    def judge_outputs(self, outputs: Sequence[tuple[int, Mapping[str, Any]]]) -> None:
        """Says that what some outputs compare makes a difference too.

        Args:
            outputs: The outputs, each with the number of its stack.
        """
        self.judged_outputs, self.compared, self.possible = outputs, None, {}

    def references_in(self, node: Any) -> list[Mapping[str, Any]]:
        """Returns the mappings in a part of a template that refer to something beside it.

        Args:
            node: The part.
        """
        if id(node) not in self._references:
            found = [part for part in walk(node) if not _REFERENCES.isdisjoint(part)]
            self._references[id(node)] = node, found
        return self._references[id(node)][1]

    def type_of(self, stack: int, id: str) -> str | None:
        """Returns the type of a resource, None where there is none of the id."""
        body = section(self.stacks[stack].template, "Resources").get(id)
        return _type_of(body) or None

    def may_have(self, stack: int, id: str) -> bool:
        """Tells whether a template may have a parameter or a resource of an id.

        Args:
            stack: The stack, by number.
            id: The id.
        """
        template = self.stacks[stack].template
        return (
            any(id in section(template, part) for part in ("Resources", "Parameters"))
            or stack in self.with_more
            or makes_resources(template)
            or may_have_more_parameters(template)
        )

    @cached_property
    def least_values(self) -> dict[tuple[int, str], str]:
        """The least number that each parameter without a default allows.

        It is empty where only one parameter without a default says what it allows.
        """
        is_open = {
            (number, name): parameter
            for number, stack in enumerate(self.stacks)
            for name, parameter in section(stack.template, "Parameters").items()
            if isinstance(parameter, Mapping)
            if "AllowedValues" in parameter and "Default" not in parameter
        }
        if len(is_open) < 2:
            return {}
        found = {key: least_value(parameter) for key, parameter in is_open.items()}
        return {key: least for key, least in found.items() if least is not None}

    def options(self, stack: int, name: str) -> tuple[str, ...]:
        """Returns the texts of which a parameter is one; none where it may be any.

        Args:
            stack: The stack, by number.
            name: The parameter.
        """
        key = stack, name
        if key not in self._options:
            parameter = section(section(self.stacks[stack].template, "Parameters"), name)
            self._options[key] = options_of(parameter)
        return self._options[key]

    def gives_a_name(self, stack: int, id: str) -> bool:
        """Tells whether a resource of the four types may have its name from another resource.

        Args:
            stack: The stack, by number.
            id: The other resource.
        """
        if stack not in self._name_givers:
            names = [
                section(member.body, "Properties").get(NAME_PROPERTY[member.type])
                for member in self.members_of[stack]
            ]
            self._name_givers[stack] = set(mentioned_ids(names))
        return id in self._name_givers[stack]

    def spelt_like(self, stack: int, name: str, *parts: str) -> str:
        """Returns what a template has that is spelt most like a name; empty where nothing is.

        Args:
            stack: The stack, by number.
            name: The name.
            parts: The sections of the template in which it may be meant.
        """
        template = self.stacks[stack].template
        names = [known for part in parts for known in section(template, part)]
        return nearest(name, names)

    @cached_property
    def with_conditions(self) -> set[int]:
        """The stacks of which some resources are there on a condition."""
        return {
            number
            for number, stack in enumerate(self.stacks)
            for body in section(stack.template, "Resources").values()
            if isinstance(body, Mapping) and "Condition" in body
        }

    @cached_property
    def on_nothing(self) -> dict[Member, tuple[int, str]]:
        """The resources whose condition is none of the template, with that condition."""
        return {
            member: (member.stack, name)
            for member in self.members
            if isinstance(name := member.body.get("Condition"), str)
            and not self.may_have_condition(member.stack, name)
        }

    @cached_property
    def with_more(self) -> set[int]:
        """The stacks that may have resources that their templates do not spell out."""
        return {number for number, stack in enumerate(self.stacks) if may_have_more(stack.template)}

    @cached_property
    def with_macros(self) -> set[int]:
        """The stacks of whose resources a macro may make anything."""
        return {number for number, stack in enumerate(self.stacks) if macros(stack.template)}

    @cached_property
    def members_of(self) -> list[list[Member]]:
        """The resources of the four types, by stack."""
        found: list[list[Member]] = [[] for _ in self.stacks]
        for member in self.members:
            found[member.stack].append(member)
        return found

    def names_of(self, type: str) -> Mapping[str | None, Sequence[Member]]:
        """Returns the resources of a type by the name as it is written, those of any under None.

        Args:
            type: One of the four types.
        """
        return self._names.get(type, {})

    @cached_property
    def _names(self) -> dict[str, dict[str | None, list[Member]]]:
        found: dict[str, dict[str | None, list[Member]]] = {}
        for member in self.members:
            name = section(member.body, "Properties").get(NAME_PROPERTY[member.type])
            if isinstance(name, (str, Mapping)):
                key = name if isinstance(name, str) else None
                found.setdefault(member.type, {}).setdefault(key, []).append(member)
        return found

    @cached_property
    def outputs_by_export(self) -> dict[str, list[tuple[int, Mapping[str, Any]]]]:
        """The outputs that are exported, by the name as it is written, with their stack."""
        found: defaultdict[str, list[tuple[int, Mapping[str, Any]]]] = defaultdict(list)
        for number, stack in enumerate(self.stacks):
            for output in section(stack.template, "Outputs").values():
                export = output.get("Export") if isinstance(output, Mapping) else None
                name = export.get("Name") if isinstance(export, Mapping) else None
                for text in _export_names(name, stack.name):
                    found[text].append((number, output))
        return found

    @cached_property
    def stacks_named(self) -> dict[str, list[int]]:
        """The stacks by their name."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, stack in enumerate(self.stacks):
            if stack.name is not None:
                found[stack.name].append(number)
        return found

    @cached_property
    def nested(self) -> dict[tuple[int, str], int]:
        """The nested stacks, by their parent and their logical id in it."""
        return {
            (self.number_of[id(stack.parent)], stack.parent_resource): number
            for number, stack in enumerate(self.stacks)
            if stack.parent is not None and id(stack.parent) in self.number_of
        }

    def passed(self, stack: int, name: str) -> tuple[int, Any] | None:
        """Returns what a parent gives for a parameter of a nested stack, with the parent's number.

        Args:
            stack: The nested stack, by number.
            name: The parameter.
        """
        number = self.number_of.get(id(self.stacks[stack].parent))
        if number is None:
            return None
        given = parameters_given(self._nesting(stack))
        return (number, given[name]) if name in given else None

    def gives_no_more(self, stack: int) -> bool:
        """Tells whether a parent surely gives a nested stack only the parameters it spells out.

        Args:
            stack: The stack, by number.
        """
        number = self.number_of.get(id(self.stacks[stack].parent))
        if number is None or self.may_be_changed(number):
            return False
        body = self._nesting(stack)
        properties = section(body, "Properties")
        given = properties.get("Parameters", {})
        return isinstance(given, Mapping) and not any(
            str(key).startswith("Fn::") for key in (*body, *properties, *given)
        )

    def _nesting(self, stack: int) -> Mapping[str, Any]:
        """Returns the resource that nests a stack, as its parent has it."""
        nested = self.stacks[stack]
        assert nested.parent is not None
        return section(section(nested.parent.template, "Resources"), nested.parent_resource)

    def may_be_changed(self, stack: int) -> bool:
        """Tells whether a macro, or the tool that packs a template, may write it anew.

        Args:
            stack: The stack, by number.
        """
        return stack in self._changed

    @cached_property
    def _changed(self) -> set[int]:
        return {number for number, stack in enumerate(self.stacks) if _is_changed(stack.template)}

    def takes_functions_anywhere(self, stack: int) -> bool:
        """Tells whether a function may stand where CloudFormation by itself takes text alone.

        Args:
            stack: The stack, by number.
        """
        return LANGUAGE_EXTENSIONS in transforms(self.stacks[stack].template)

    def may_have_resource(self, stack: int, id: str) -> bool:
        """Tells whether a template may have a resource of an id.

        Args:
            stack: The stack, by number.
            id: The id.
        """
        return id in section(self.stacks[stack].template, "Resources") or self._may_grow(stack)

    def may_have_condition(self, stack: int, name: str) -> bool:
        """Tells whether a template may have a condition of a name.

        Args:
            stack: The stack, by number.
            name: The name.
        """
        conditions = section(self.stacks[stack].template, "Conditions")
        if name in conditions:
            return True
        return any(str(key).startswith("Fn::") for key in conditions) or self._may_grow(stack)

    def _may_grow(self, stack: int) -> bool:
        return stack in self.with_more or makes_resources(self.stacks[stack].template)


def _type_of(body: Any) -> str:
    return str(body.get("Type")) if isinstance(body, dict) else ""


def construct_of(stack: Stack, id: str) -> str | None:
    """Returns the path of the CDK construct behind a resource, None without CDK.

    Args:
        stack: The stack.
        id: The logical id of the resource.
    """
    body = section(section(stack.template, "Resources"), id)
    path = section(body, "Metadata").get("aws:cdk:path", stack.constructs.get(id))
    return path if isinstance(path, str) else None


def mentioned_ids(node: Any) -> Iterator[str]:
    """Yields the logical ids and parameters that a part of a template refers to."""
    for part in walk(node):
        yield from referred_to(part)


def referred_to(part: Mapping[str, Any]) -> Iterator[str]:
    """Yields the logical ids and parameters that a mapping refers to, if it is a function."""
    argument = part.get("Ref")
    if isinstance(argument, str):
        yield argument
    if "Fn::GetAtt" in part:
        argument = part["Fn::GetAtt"]
        id = argument.split(".")[0] if isinstance(argument, str) else argument
        id = id[0] if isinstance(id, list) and id else id
        if isinstance(id, str):
            yield id
    if "Fn::Sub" in part:
        argument = part["Fn::Sub"]
        template = argument[0] if isinstance(argument, list) and argument else argument
        if isinstance(template, str):
            yield from _IN_SUB.findall(template)


def _export_names(name: Any, stack_name: str | None) -> Iterator[str]:
    if isinstance(name, Mapping) and isinstance(name.get("Fn::Sub"), str) and stack_name:
        name = name["Fn::Sub"].replace("${AWS::StackName}", stack_name)
    if isinstance(name, str) and "${" not in name:
        yield name


def _is_changed(template: Mapping[str, Any]) -> bool:
    places = (template, section(template, "Resources"))
    has_macro = any("Fn::Transform" in place for place in places)
    return has_macro or "Modules" in template or bool(macros(template))
