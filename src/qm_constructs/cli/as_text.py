"""Findings for a person at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby

from qm_constructs.cli._output import BOLD, RED, YELLOW, Paint, painter, plain
from qm_constructs.cli._wording import note_line, place, property_of, summary, wrapped
from qm_constructs.rules import Severity
from qm_constructs.template.report import Located, Report

_STYLES = {Severity.ERROR: RED, Severity.WARNING: YELLOW}


def render(report: Report) -> str:
    """Returns the findings, those of one line in a file together, and a summary."""
    paint = painter(sys.stdout)
    groups = groupby(report.findings, lambda found: place(found.file, found.line))
    blocks = [
        "\n".join([paint(plain(where), BOLD), *(_block(found, paint) for found in here)])
        for where, here in groups
    ]
    notes = [wrapped(plain(f"note: {note_line(note)}"), rest="  ") for note in report.notes]
    return "\n\n".join([*blocks, *notes, summary(report)]) + "\n"


def _block(found: Located, paint: Paint) -> str:
    return "\n".join(_lines(found, paint))


def _lines(found: Located, paint: Paint) -> Iterator[str]:
    severity = found.rule.severity
    what = f"{found.rule.id}  {found.resource}  {property_of(found)}".rstrip()
    head = wrapped(plain(f"{severity.value} {what}"), "  ", "    ")
    yield head.replace(severity.value, paint(severity.value, _STYLES[severity]), 1)
    if found.construct:
        yield wrapped(plain(f"construct {found.construct}"), "    ", "      ")
    yield wrapped(plain(found.message), "    ")
    yield wrapped(plain(found.fix), "    -> ", "       ")
