"""What is wrong with the four types in the rest of a template: outputs, and other resources."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from qm_constructs.errors import shown
from qm_constructs.plan import Path
from qm_constructs.rules import RULES
from qm_constructs.rules.shape import wrong_attributes
from qm_constructs.schema import TYPES
from qm_constructs.template.attributes import asked_in
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


def misused_attributes(universe: Universe) -> Iterator[Located]:
    """Yields each attribute that a type lacks and that another resource or an output asks for.

    Args:
        universe: The stacks.
    """
    for number, stack in enumerate(universe.stacks):
        if not universe.members_of[number]:
            continue
        for id, body in section(stack.template, "Resources").items():
            if (number, id) not in universe.member_of and isinstance(body, Mapping):
                properties = section(body, "Properties")
                for path, problem, fix, _ in _wrong_in(universe, number, properties):
                    yield _located(stack, id, ("Properties", *path), problem, fix)
        for name, output in section(stack.template, "Outputs").items():
            for path, problem, fix, id in _wrong_in(universe, number, output):
                yield _located(stack, id, ("Outputs", name, *path), problem, fix)


def _wrong_in(universe: Universe, stack: int, node: Any) -> Iterator[tuple[Path, str, str, str]]:
    for asked in asked_in(universe, stack, node):
        for found in wrong_attributes([asked]):
            yield found.path, found.problem, found.fix, asked.resource


def _located(stack: Stack, id: str, path: Path, problem: str, fix: str) -> Located:
    body = section(stack.template, "Resources").get(id)
    metadata = section(body, "Metadata") if isinstance(body, Mapping) else {}
    construct = metadata.get("aws:cdk:path", stack.constructs.get(id))
    place = path if path[0] == "Outputs" else ("Resources", id, *path)
    return Located(
        rule=RULES["CF-03"],
        file=stack.file,
        stack=stack.name,
        construct=construct if isinstance(construct, str) else None,
        line=stack.line_of(place),
        resource=id,
        path=path,
        message=problem,
        fix=fix,
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
        if "batch" in type_.lower():
            wanted = type_.strip().lower()
            for near in difflib.get_close_matches(wanted, spellings, n=1, cutoff=_ALIKE):
                yield Note(
                    stack.file,
                    id,
                    f"{id} has the type {shown(type_)}, which is not judged; did you mean "
                    f"{spellings[near]}?",
                )
