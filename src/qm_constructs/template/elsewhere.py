"""What is wrong in outputs and in other resources that ask for something of the four types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from qm_constructs.errors import shown
from qm_constructs.rules import Violation
from qm_constructs.rules.shape import missing, wrong_attributes
from qm_constructs.schema import TYPES
from qm_constructs.spelling import nearest
from qm_constructs.template.attributes import asked_in, lacked_in
from qm_constructs.template.beside import has_macro, no_condition, placed
from qm_constructs.template.calls import calls_in
from qm_constructs.template.report import Located, Note
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Universe, section

# AWS Batch has these types too.
_OTHER_TYPES: Final = (
    "AWS::Batch::ComputeEnvironment",
    "AWS::Batch::ConsumableResource",
    "AWS::Batch::JobDefinition",
)
_ALIKE: Final = 0.9
_FOUR: Final = tuple(TYPES)


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
                    yield placed(stack, id, "CF-03", ("Properties",), found)
        for name, output in section(stack.template, "Outputs").items():
            place = ("Outputs", name)
            for id, found in _wrong_in(universe, number, output):
                yield placed(stack, id, "CF-03", place, found)
            for id, found in _missing_in(universe, number, name, output):
                yield placed(stack, id, "CF-04", place, found)


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
    if name.startswith("Fn::") or has_macro(outputs) or has_macro(output):
        return
    calls = calls_in(output)
    # What is not there can waive nothing: what is beside it, or may be meant, stands for it.
    beside = [asked.resource for asked in asked_in(universe, stack, calls) if asked.type]
    first = [*beside, universe.members_of[stack][0].id][0]
    for found in no_condition(universe, stack, output):
        yield first, found
    for asked in lacked_in(universe, stack, calls):
        yield first, Violation(asked.path, *missing(asked))
    for asked in asked_in(universe, stack, calls):
        if asked.type is None:
            near = asked.near if asked.near in resources else first
            yield near, Violation(asked.path, *missing(asked))


def misspelt_types(stack: Stack) -> Iterator[Note]:
    """Yields a note on each type that is spelt much like one of the four, and is none.

    Args:
        stack: The stack.
    """
    spellings = {type_.lower(): type_ for type_ in TYPES}
    for id, body in section(stack.template, "Resources").items():
        type_ = body.get("Type") if isinstance(body, Mapping) else None
        for key in _spelt_otherwise(body) if type_ is None else ():
            said = f"{id} has {shown(key)}, and no Type: it is not judged; did you mean Type?"
            yield Note(stack.file, id, said)
        if not isinstance(type_, str) or type_ in TYPES or type_ in _OTHER_TYPES:
            continue
        near = nearest(type_.strip().lower(), spellings, _ALIKE)
        if near:
            meant = f"did you mean {spellings[near]}?"
            yield Note(
                stack.file, id, f"{id} has the type {shown(type_)}, which is not judged; {meant}"
            )


def _spelt_otherwise(body: Any) -> list[str]:
    """Returns the keys of a resource that hold one of the four types as if they were its type."""
    members = body.items() if isinstance(body, Mapping) else ()
    return [key for key, value in members if key.lower() == "type" and value in _FOUR]
