"""Findings as SARIF 2.1.0, which code scanning services read."""

from __future__ import annotations

import json
import os
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from qm_constructs._version import VERSION
from qm_constructs.cli._output import plain
from qm_constructs.cli._wording import STDIN, note_line, said, unreadable_line
from qm_constructs.plan import readable
from qm_constructs.rules import RULES, Rule
from qm_constructs.template.report import Located, Note, Report, Unreadable

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_INDEX: Final = {id: index for index, id in enumerate(RULES)}


def render(report: Report) -> str:
    """Returns the report as a SARIF log with one run, in ASCII."""
    driver = {
        "name": "qm-constructs",
        "version": VERSION,
        "rules": [_rule(rule) for rule in RULES.values()],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [_invocation(report)],
        "results": _results(report),
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    why = f"{rule.why} {rule.unconfirmed}".rstrip()
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": why},
        "help": {"text": f"{rule.title}.\n\n{why}\n\nEvidence: {rule.evidence.value}."},
        "helpUri": rule.source,
        "defaultConfiguration": {"level": rule.severity.value},
    }


def _invocation(report: Report) -> dict[str, Any]:
    unread = [_notification(problem) for problem in report.unreadable]
    notes = [_note(note) for note in report.notes]
    return {"executionSuccessful": not unread, "toolExecutionNotifications": [*unread, *notes]}


def _notification(problem: Unreadable) -> dict[str, Any]:
    return {
        "level": "error",
        "message": {"text": plain(unreadable_line(problem))},
        "locations": [_location(problem.file, problem.line)],
    }


def _note(note: Note) -> dict[str, Any]:
    return {
        "level": "note",
        "message": {"text": plain(note_line(note))},
        "locations": [_location(note.file, None)],
    }


def _results(report: Report) -> list[dict[str, Any]]:
    seen: Counter[str] = Counter()
    results = []
    for found in report.findings:
        identity = _identity(found)
        results.append(_result(found, f"{identity}:{seen[identity]}"))
        seen[identity] += 1
    return results


def _result(found: Located, fingerprint: str) -> dict[str, Any]:
    resource = {
        "name": plain(found.resource),
        "fullyQualifiedName": plain(found.construct or found.resource),
        "kind": "resource",
    }
    return {
        "ruleId": found.rule.id,
        "ruleIndex": _INDEX[found.rule.id],
        "level": found.rule.severity.value,
        "message": {"text": plain(f"{said(found)} {found.fix}")},
        "locations": [{**_location(found.file, found.line), "logicalLocations": [resource]}],
        "partialFingerprints": {"qmConstructs/v1": fingerprint},
        "properties": {
            "stack": found.stack and plain(found.stack),
            "property": plain(readable(found.path)),
            "fix": plain(found.fix),
        },
    }


def _identity(found: Located) -> str:
    # Without the line and the wording, so that a finding stays the same one as the file changes.
    parts = [found.rule.id, _uri(found.file), found.resource, *found.path]
    return sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _location(file: str, line: int | None) -> dict[str, Any]:
    if file == STDIN:
        return {}
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
    if line is not None:
        physical["region"] = {"startLine": line}
    return {"physicalLocation": physical}


def _uri(file: str) -> str:
    """Returns a file's URI: relative to this folder where it is in it, as a repository needs it."""
    path = Path(os.path.normpath(file))
    if not path.is_absolute():
        return quote(os.fsencode(path.as_posix()))
    try:
        return quote(os.fsencode(path.relative_to(Path.cwd()).as_posix()))
    except (ValueError, OSError):  # elsewhere, or this folder is no more
        return path.as_uri()
