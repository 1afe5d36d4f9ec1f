"""What is wrong with the four types beside their properties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from qm_constructs.errors import shown
from qm_constructs.plan import Path
from qm_constructs.rules import RULES, Violation
from qm_constructs.rules._spelt import home_of, plain, written_at
from qm_constructs.rules.shape import kind_of, lacking
from qm_constructs.schema import ATTRIBUTES, PROPERTIES, TYPES
from qm_constructs.spelling import nearest
from qm_constructs.template.report import Located, whole_path
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Member, Universe, construct_of

_NAMES_NOTHING: Final = ATTRIBUTES - {"Condition", "DependsOn"}
# SAM takes these away.
_OF_MACROS: Final = frozenset(("Connectors", "IgnoreGlobals"))
_ALIKE: Final = 0.8


def has_attributes_alone(member: Member) -> bool:
    """Tells whether a resource has no key but those that CloudFormation gives every resource."""
    return ATTRIBUTES.issuperset(member.body)


def stray(member: Member) -> dict[str, str]:
    """Returns the keys beside a resource's properties that CloudFormation does not know.

    For each it returns what is meant: an attribute, or a property of the type; empty for neither.

    Args:
        member: The resource.
    """
    if has_attributes_alone(member):
        return {}
    known = ATTRIBUTES | _OF_MACROS
    return {key: _meant(key, member) for key in member.body if key not in known}


def _meant(key: str, member: Member) -> str:
    absent = {name.lower(): name for name in ATTRIBUTES if name not in member.body}
    of_type = {name.lower(): name for name in TYPES[member.type].members}
    known = {**of_type, **absent}
    near = nearest(plain(key), known, _ALIKE)
    return known[near] if near else ""


def named_by(universe: Universe, member: Member) -> Iterator[Located]:
    """Yields what is wrong with a resource beside its properties.

    That is what it depends on and the template lacks, and what CloudFormation does not take there.

    Args:
        universe: The stacks.
        member: The resource.
    """
    stack, number = universe.stacks[member.stack], member.stack
    # Most resources have nothing else, and so nothing that can be wrong.
    if _NAMES_NOTHING.issuperset(member.body) or has_macro(member.body):
        return
    refused = [("CF-01", _unknown(member, key, meant)) for key, meant in stray(member).items()]
    refused += [("CF-02", found) for found in _of_another_kind(member.body)]
    if refused and not universe.may_be_changed(number):
        for rule, found in refused:
            yield placed(stack, member.id, rule, (), found)
    for found in no_condition(universe, number, member.body):
        yield placed(stack, member.id, "CF-04", (), found)
    given = member.body.get("DependsOn")
    for index, id in enumerate(given if isinstance(given, list) else [given]):
        if isinstance(id, str) and not universe.may_have_resource(number, id):
            near = universe.spelt_like(number, id, "Resources")
            path = ("DependsOn", index) if isinstance(given, list) else ("DependsOn",)
            found = Violation(path, *lacking("resource", id, near))
            yield placed(stack, member.id, "CF-04", (), found)


def _unknown(member: Member, key: str, meant: str) -> Violation:
    # What a resource may have is in the order in which most people write it.
    usual = ("Type", "Condition", "DependsOn", "Metadata", PROPERTIES)
    problem = (
        f"CloudFormation knows no {shown(key)} beside the properties of a resource; it knows "
        f"{', '.join(usual)}, and policies of creation, update and deletion."
    )
    if meant in ATTRIBUTES:
        return Violation((key,), problem, f"Write {meant}.")
    if meant:
        return Violation((key,), problem, f"Write {meant} within {PROPERTIES}.")
    return Violation((key,), problem, written_at(home_of(member.type, key)) or "Leave it out.")


def _of_another_kind(body: Mapping[str, Any]) -> Iterator[Violation]:
    """Yields that a condition is no text, or that what a resource waits for is no list of ids."""
    condition, given = body.get("Condition", ""), body.get("DependsOn", "")
    if not isinstance(condition, str):
        problem = f"A condition is the name of one of the template; this is {kind_of(condition)}."
        yield Violation(("Condition",), problem, "Write its name as text.")
    if not isinstance(given, str | list):
        problem = f"DependsOn has the ids of resources; this is {kind_of(given)}."
        yield Violation(("DependsOn",), problem, "Write an id, or a list of ids.")
    for index, id in enumerate(given if isinstance(given, list) else ()):
        if not isinstance(id, str):
            problem = f"DependsOn has the ids of resources; this is {kind_of(id)}."
            yield Violation(("DependsOn", index), problem, "Write an id as text.")


def has_macro(body: Any) -> bool:
    """Tells whether a macro stands in a part of a template, and may make anything of it."""
    return isinstance(body, Mapping) and "Fn::Transform" in body


def no_condition(universe: Universe, stack: int, body: Any) -> Iterator[Violation]:
    """Yields that the condition of a resource or of an output is none of the template."""
    name = body.get("Condition") if isinstance(body, Mapping) else None
    if isinstance(name, str) and not universe.may_have_condition(stack, name):
        near = universe.spelt_like(stack, name, "Conditions")
        yield Violation(("Condition",), *lacking("condition", name, near))


def placed(stack: Stack, id: str, rule: str, before: Path, found: Violation) -> Located:
    """Returns what is wrong beside the properties of a resource, or in no resource, with its place.

    Args:
        stack: The stack.
        id: The logical id of the resource that may waive it.
        rule: The id of the rule.
        before: What the path of the violation begins with.
        found: What is wrong.
    """
    path = (*before, *found.path)
    return Located(
        rule=RULES[rule],
        file=stack.file,
        stack=stack.name,
        construct=construct_of(stack, id),
        line=stack.line_of(whole_path(id, path)),
        resource=id,
        path=path,
        message=found.problem,
        fix=found.fix,
    )
