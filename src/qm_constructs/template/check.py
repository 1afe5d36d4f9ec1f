"""From paths to a report: what is read, judged, and left out because somebody has waived it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, BinaryIO, Final

from qm_constructs.errors import shown
from qm_constructs.rules import NAMESPACE, RULES
from qm_constructs.schema import TYPES
from qm_constructs.template.calls import LOOP, walk
from qm_constructs.template.elsewhere import misspelt_types
from qm_constructs.template.judge import judgement
from qm_constructs.template.loading import load
from qm_constructs.template.macros import macros
from qm_constructs.template.report import Located, Note, Report
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Universe, section

_LONGEST: Final = 60


def check(paths: Sequence[str], stdin: BinaryIO, ignore: AbstractSet[str] = frozenset()) -> Report:
    """Returns what is wrong with the templates in files and folders.

    Args:
        paths: Templates, ``cdk.out`` folders, and ``-`` for standard input.
        stdin: Standard input.
        ignore: The ids of the rules that are left out everywhere.
    """
    groups, unreadable = load(paths, stdin)
    report = Report(unreadable=unreadable)
    for stacks in groups:
        quotas_files = sum(stack.written is not None for stack in stacks)
        report.quotas_files += quotas_files
        report.templates += len({stack.file for stack in stacks}) - quotas_files
        members = Universe(stacks).members
        report.resources += len({(stacks[one.stack].file, one.id) for one in members})
        judged = judgement(stacks)
        report.notes += [*judged.notes, *_left_out(stacks)]
        # A template that is nested twice is two stacks.
        for stack in {stack.file: stack for stack in stacks}.values():
            report.notes += [*_of_no_effect(stack), *misspelt_types(stack)]
            report.notes += [*_macros(stack), *_loops(stack)]
        for found in judged.findings:
            _count(report, found, stacks, ignore)
    return report


def _count(
    report: Report, found: Located, stacks: Iterable[Stack], ignore: AbstractSet[str]
) -> None:
    if found.rule.id in ignore:
        return
    stack = next(stack for stack in stacks if stack.file == found.file)
    if found.rule.id in acknowledged(stack, found.construct):
        report.acknowledged += 1
    elif found.rule.id in waived(stack, found.resource):
        report.ignored += 1
    else:
        report.findings.append(found)


def _left_out(stacks: Iterable[Stack]) -> Iterator[Note]:
    for stack in stacks:
        if stack.left_out:
            times = "once" if stack.left_out == 1 else f"{stack.left_out} times"
            yield Note(
                stack.file,
                "",
                f"The template is nested more often than it is judged: it was left out {times}, "
                "with all that is nested in it there.",
            )


def _macros(stack: Stack) -> Iterator[Note]:
    names = macros(stack.template)
    if names and Universe([stack]).members:
        yield Note(
            stack.file,
            "",
            f"The template has a macro that may change it, {shown(', '.join(names))}: it is judged "
            "as it is written, but for what the macro may put in place.",
        )


def _loops(stack: Stack) -> Iterator[Note]:
    for name, body in section(stack.template, "Resources").items():
        made = {part.get("Type") for part in walk(body) if isinstance(part.get("Type"), str)}
        if name.startswith(LOOP) and made & TYPES.keys():
            yield Note(
                stack.file, "", f"What the loop {name} makes is not judged, and counts in no sum."
            )


def _of_no_effect(stack: Stack) -> Iterator[Note]:
    for name, body in section(stack.template, "Resources").items():
        for given in _given(body):
            if isinstance(given, str) and _rule_id(given) in RULES:
                continue
            yield Note(
                stack.file,
                name,
                f"The Metadata of {name} ignores {_as_text(given)}, which is no rule; all rules "
                "are listed by: qm-constructs rules",
            )


def _as_text(given: Any) -> str:
    if given is None or given in ("", [], {}):
        return "an empty value"
    if isinstance(given, str):
        return shown(given)
    # As a template has it, not as Python does.
    text = json.dumps(given)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def acknowledged(stack: Stack, construct: str | None) -> set[str]:
    """Returns the rules that the app has acknowledged on a construct or on anything above it."""
    if construct is None:
        return set(stack.acknowledged.get("", ()))
    parts = construct.split("/")
    paths = ["/".join(parts[:end]) for end in range(len(parts) + 1)]
    return {rule for path in paths for rule in stack.acknowledged.get(path, ())}


def waived(stack: Stack, resource: str) -> set[str]:
    """Returns the rules that a resource's own Metadata waives.

    Args:
        stack: The stack.
        resource: The logical id of the resource.
    """
    body = section(stack.template, "Resources")[resource]
    return {_rule_id(id) for id in _given(body) if isinstance(id, str)}


def _given(body: Any) -> list[Any]:
    ids = section(section(body, "Metadata"), NAMESPACE).get("ignore", [])
    return ids if isinstance(ids, list) else [ids]


def _rule_id(given: Any) -> str:
    return str(given).removeprefix(f"{NAMESPACE}::").upper()
