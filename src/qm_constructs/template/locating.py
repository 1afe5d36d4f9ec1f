"""A finding with its place in the template, and with the value that is written there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import reduce
from typing import Any, Final

from qm_constructs.errors import shown
from qm_constructs.plan import Path, Unknown
from qm_constructs.rules import Finding
from qm_constructs.template.one_world import Key
from qm_constructs.template.report import Located
from qm_constructs.template.stack import Written
from qm_constructs.template.universe import Universe, construct_of

_LONGEST_VALUE: Final = 60


def located(universe: Universe, key: Key, finding: Finding, when: str) -> Located:
    """Returns a finding with its place.

    Args:
        universe: The stacks.
        key: What makes it the same in another world.
        finding: The finding.
        when: A sentence that says when it is so; empty when it always is.
    """
    member, stack = key.member, universe.stacks[key.member.stack]
    unconfirmed = f" {finding.rule.unconfirmed}" if finding.rule.unconfirmed else ""
    written = Written(member.id, key.path, _as_written(finding, member.body, key.path))
    if stack.written is not None:
        written = stack.written(member.id, key.path)
    return Located(
        rule=finding.rule,
        file=stack.file,
        stack=stack.name,
        construct=construct_of(stack, member.id),
        line=stack.line_of(("Resources", member.id, *key.path)),
        resource=written.resource,
        path=written.path,
        value=_value(written.value),
        message=f"{finding.problem}{when}{unconfirmed}",
        fix=finding.fix,
    )


def _as_written(finding: Finding, body: Any, path: Path) -> Any:
    """Returns the value at fault, as the template has it where it is not known.

    Args:
        finding: What is wrong.
        body: The resource as the template has it.
        path: Where the value is written in it.
    """
    # What stands for it may be in another stack.
    is_known = not (isinstance(finding.value, Unknown) or finding.as_written)
    return finding.value if is_known else reduce(lambda node, step: node[step], path, body)


def _value(value: Any) -> str:
    """Returns the value at fault; nothing for a list or a map that holds something."""
    if value is None or (isinstance(value, Mapping | list) and value and not _is_function(value)):
        return ""
    if not isinstance(value, Mapping | list | bool):
        return shown(value)
    # As a template has it, not as Python does.
    text = json.dumps(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def _is_function(value: Any) -> bool:
    names = list(map(str, value)) if isinstance(value, Mapping) else []
    return len(names) == 1 and (names[0] == "Ref" or names[0].startswith("Fn::"))
