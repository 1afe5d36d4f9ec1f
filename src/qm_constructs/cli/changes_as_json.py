"""Changes for programs."""

from __future__ import annotations

import json
from typing import Any

from qm_constructs._version import VERSION
from qm_constructs.changes import Change
from qm_constructs.cli._changes import Difference
from qm_constructs.plan import Unknown


def render(difference: Difference) -> str:
    """Returns the changes as a JSON document in ASCII."""
    document = {
        "version": VERSION,
        "changes": list(map(_change, difference.changes)),
        "unreadable": [
            {"file": problem.file, "line": problem.line, "reason": problem.reason}
            for problem in difference.unreadable
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def _change(change: Change) -> dict[str, Any]:
    hit = change.hit
    return {
        "resource": change.resource,
        "type": change.type,
        "effect": hit.effect.value,
        "share": hit.share,
        "capacity_unit": hit.unit,
        "before": _value(hit.before),
        "after": _value(hit.after),
        "message": hit.message,
        "advice": hit.advice or None,
        "stack": change.stack,
        "nested_stack": "/".join(change.nested) or None,
        "property": hit.property or None,
        "file": change.file,
        "line": change.line,
        "source": hit.source,
    }


def _value(given: Any) -> Any:
    return None if isinstance(given, Unknown) else given
