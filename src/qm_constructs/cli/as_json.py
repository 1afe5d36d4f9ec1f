"""Findings for programs."""

from __future__ import annotations

import json
from typing import Any

from qm_constructs._version import VERSION
from qm_constructs.cli._paths import unreadable_for_programs
from qm_constructs.template.report import Located, Report


def render(report: Report) -> str:
    """Returns the report as a JSON document in ASCII."""
    document = {
        "version": VERSION,
        "findings": [_finding(found) for found in report.findings],
        "checked": {
            "templates": report.templates,
            "quotas_files": report.quotas_files,
            "resources": report.resources,
        },
        "acknowledged": report.acknowledged,
        "ignored": report.ignored,
        "notes": [note._asdict() for note in report.notes],
        "unreadable": unreadable_for_programs(report.unreadable),
    }
    return json.dumps(document, indent=2) + "\n"


def _finding(found: Located) -> dict[str, Any]:
    return {
        "rule": found.rule.id,
        "severity": found.rule.severity.value,
        "file": found.file,
        "stack": found.stack,
        "construct": found.construct,
        "line": found.line,
        "resource": found.resource,
        "path": list(found.path),
        "value": found.value or None,
        "message": found.message,
        "fix": found.fix,
        "source": found.rule.source,
    }
