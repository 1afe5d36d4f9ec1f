"""Findings as annotations of a GitHub Actions run."""

from __future__ import annotations

from collections.abc import Mapping

from qm_constructs.cli._output import plain
from qm_constructs.cli._wording import STDIN, note_line, said, summary
from qm_constructs.plan import readable
from qm_constructs.template.report import Located, Note, Report


def render(report: Report) -> str:
    """Returns a workflow command for each finding, and a summary."""
    commands = [*map(_command, report.findings), *map(_notice, report.notes)]
    return "\n".join([*commands, summary(report)]) + "\n"


def _command(found: Located) -> str:
    title = f"{found.rule.id} {found.resource} {readable(found.path)}".rstrip()
    properties = {
        "file": None if found.file == STDIN else plain(found.file),
        "line": found.line,
        "title": plain(title),
    }
    text = f"{plain(said(found))}\n-> {plain(found.fix)}"
    return command(found.rule.severity.value, properties, text)


def command(level: str, properties: Mapping[str, str | int | None], text: str) -> str:
    """Returns a workflow command, which GitHub shows as an annotation.

    Args:
        level: ``error``, ``warning`` or ``notice``.
        properties: Where it is shown, and under which title; None for what is not known.
        text: What it says.
    """
    given = ",".join(
        f"{name}={_property(str(value))}" for name, value in properties.items() if value is not None
    )
    return f"::{level} {given}::{_data(text)}"


def _notice(note: Note) -> str:
    return f"::notice::{_data(plain(note_line(note)))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
