"""``qm-constructs rules``: the catalogue, or some of its rules in full."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Final

import yaml

from qm_constructs.cli._arguments import Parser
from qm_constructs.cli._output import BOLD, RED, YELLOW, Paint, painter, write
from qm_constructs.cli._rule_ids import rule_id
from qm_constructs.cli._wording import wrapped
from qm_constructs.rules import NAMESPACE, RULES, Rule, Severity

_ID_WIDTH: Final = max(map(len, RULES)) + 2
_STYLES = {Severity.ERROR: RED, Severity.WARNING: YELLOW}


def run(arguments: Sequence[str]) -> int:
    """Shows the catalogue, or the rules that the arguments name, and returns the exit code."""
    parser = Parser(
        "qm-constructs rules",
        "[ID]...",
        "Lists the rules of AWS Batch quota management, or shows some of them in full.",
        "ID is a rule's: XR-02 or qm-constructs::XR-02.",
    )
    _, ids = parser.parse(arguments)
    named = [RULES[rule_id(parser, id)] for id in ids]
    paint = painter(sys.stdout)
    text = "\n".join(_in_full(rule, paint) for rule in named) if named else _table(paint)
    write(text, sys.stdout)
    return 0


def _table(paint: Paint) -> str:
    rows = [paint(_row("ID", "Severity", "Title"), BOLD)]
    for rule in RULES.values():
        severity = rule.severity
        row = _row(rule.id, severity.value, rule.title)
        rows.append(row.replace(severity.value, paint(severity.value, _STYLES[severity]), 1))
    return "\n".join(rows) + "\n"


def _row(id: str, severity: str, title: str) -> str:
    left = f"{id:<{_ID_WIDTH}}{severity:<10}"
    return wrapped(title, left, " " * len(left))


def _in_full(rule: Rule, paint: Paint) -> str:
    return "\n".join(_lines(rule, paint)) + "\n"


def _lines(rule: Rule, paint: Paint) -> Iterator[str]:
    severity = rule.severity
    yield f"{paint(rule.id, BOLD)}  {paint(severity.value, _STYLES[severity])}"
    yield wrapped(rule.title, "  ")
    yield ""
    yield wrapped(f"{rule.why} {rule.unconfirmed}", "  ")
    yield ""
    yield f"  Evidence: {rule.evidence.value} ({rule.date})"
    yield f"  Source:   {rule.source}"
    for title, template in (("Faulty", rule.faulty), ("Correct", rule.correct)):
        yield from _section(title, yaml.safe_dump(rule.pair.excerpt(template), sort_keys=False))
    yield from _section("Acknowledge it in a CDK app", _ACKNOWLEDGE.format(rule=rule))
    yield from _section("Waive it in a template, on the resource", _WAIVE.format(rule=rule))
    yield from _section("Leave it out of one check", f"qm-constructs check --ignore {rule.id} PATH")


def _section(title: str, text: str) -> Iterator[str]:
    yield f"\n  {title}:"
    yield from (f"    {line}".rstrip() for line in text.strip("\n").splitlines())


_ACKNOWLEDGE = f"""\
Validations.of(construct).acknowledge(
    Acknowledgment(id="{NAMESPACE}::{{rule.id}}", reason="...")
)"""

_WAIVE = f"""\
Metadata:
  {NAMESPACE}:
    ignore: [{{rule.id}}]"""
