"""What is wrong with the four types beside their properties, in outputs and in other resources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from qm_constructs.errors import shown
from qm_constructs.plan import Path
from qm_constructs.rules import RULES, Violation
from qm_constructs.rules.shape import lacking, missing, wrong_attributes
from qm_constructs.schema import TYPES
from qm_constructs.spelling import nearest
from qm_constructs.template.attributes import asked_in, no_conditions_in
from qm_constructs.template.calls import calls_in
from qm_constructs.template.report import Located, Note
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Member, Universe, section

# AWS Batch has these types too.
_OTHER_TYPES: Final = (
    "AWS::Batch::ComputeEnvironment",
    "AWS::Batch::ConsumableResource",
    "AWS::Batch::JobDefinition",
)
_ALIKE: Final = 0.9


def misused_attributes(universe: Universe) -> Iterator[Located]:
    """Yields each attribute that a type lacks and that another resource or an output asks for.

    Of an output also what it asks for and the template lacks.

    Args:
        universe: The stacks.
    """
    for number, stack in enumerate(universe.stacks):
        if not universe.members_of[number]:
            continue
        for id, body in section(stack.template, "Resources").items():
            if (number, id) not in universe.member_of and isinstance(body, Mapping):
                for _, found in _wrong_in(universe, number, section(body, "Properties")):
                    yield _located(stack, id, "CF-03", ("Properties",), found)
        for name, output in section(stack.template, "Outputs").items():
            place = ("Outputs", name)
            for id, found in _wrong_in(universe, number, output):
                yield _located(stack, id, "CF-03", place, found)
            for id, found in _missing_in(universe, number, name, output):
                yield _located(stack, id, "CF-04", place, found)


def named_by(universe: Universe, member: Member) -> Iterator[Located]:
    """Yields what a resource depends on beside its properties, and the template lacks.

    Args:
        universe: The stacks.
        member: The resource.
    """
    stack, number = universe.stacks[member.stack], member.stack
    if _has_macro(member.body):
        return
    for found in _no_condition(universe, number, member.body):
        yield _located(stack, member.id, "CF-04", (), found)
    given = member.body.get("DependsOn")
    for index, id in enumerate(given if isinstance(given, list) else [given]):
        if isinstance(id, str) and not universe.may_have_resource(number, id):
            near = universe.spelt_like(number, id, "Resources")
            path = ("DependsOn", index) if isinstance(given, list) else ("DependsOn",)
            found = Violation(path, *lacking("resource", id, near))
            yield _located(stack, member.id, "CF-04", (), found)


def _wrong_in(universe: Universe, stack: int, node: Any) -> Iterator[tuple[str, Violation]]:
    for asked in asked_in(universe, stack, calls_in(node)):
        for found in wrong_attributes([asked]):
            yield asked.resource, found


def _missing_in(
    universe: Universe, stack: int, name: str, output: Any
) -> Iterator[tuple[str, Violation]]:
    """Yields what an output asks for and the template lacks, with what may waive it."""
    template = universe.stacks[stack].template
    # Of what a loop makes, or a macro of all outputs, nothing is known.
    outputs, resources = section(template, "Outputs"), section(template, "Resources")
    if name.startswith("Fn::") or _has_macro(outputs) or _has_macro(output):
        return
    # What is not there can waive nothing: what may be meant stands for it.
    first = universe.members_of[stack][0].id
    for found in _no_condition(universe, stack, output):
        yield first, found
    calls = calls_in(output)
    for asked in no_conditions_in(universe, stack, calls):
        yield first, Violation(asked.path, *missing(asked))
    for asked in asked_in(universe, stack, calls):
        if asked.type is None:
            near = asked.near if asked.near in resources else first
            yield near, Violation(asked.path, *missing(asked))


def _has_macro(body: Any) -> bool:
    return isinstance(body, Mapping) and "Fn::Transform" in body


def _no_condition(universe: Universe, stack: int, body: Any) -> Iterator[Violation]:
    """Yields that the condition of a resource or of an output is none of the template."""
    name = body.get("Condition") if isinstance(body, Mapping) else None
    if isinstance(name, str) and not universe.may_have_condition(stack, name):
        near = universe.spelt_like(stack, name, "Conditions")
        yield Violation(("Condition",), *lacking("condition", name, near))


def _located(stack: Stack, id: str, rule: str, before: Path, found: Violation) -> Located:
    body = section(stack.template, "Resources").get(id)
    construct = section(body, "Metadata").get("aws:cdk:path", stack.constructs.get(id))
    path = (*before, *found.path)
    place = path if path[0] == "Outputs" else ("Resources", id, *path)
    return Located(
        rule=RULES[rule],
        file=stack.file,
        stack=stack.name,
        construct=construct if isinstance(construct, str) else None,
        line=stack.line_of(place),
        resource=id,
        path=path,
        message=found.problem,
        fix=found.fix,
    )


def misspelt_types(stack: Stack) -> Iterator[Note]:
    """Yields a note on each type that is spelt much like one of the four, and is none.

    Args:
        stack: The stack.
    """
    spellings = {type_.lower(): type_ for type_ in TYPES}
    for id, body in section(stack.template, "Resources").items():
        type_ = body.get("Type") if isinstance(body, Mapping) else None
        if not isinstance(type_, str) or type_ in TYPES or type_ in _OTHER_TYPES:
            continue
        near = nearest(type_.strip().lower(), spellings, _ALIKE)
        if near:
            meant = f"did you mean {spellings[near]}?"
            yield Note(
                stack.file, id, f"{id} has the type {shown(type_)}, which is not judged; {meant}"
            )
