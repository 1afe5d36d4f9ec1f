"""Findings as annotations of a GitHub Actions run."""

from __future__ import annotations

from qm_constructs.cli._output import plain
from qm_constructs.cli._wording import STDIN, said, summary
from qm_constructs.plan import readable
from qm_constructs.template.report import Located, Report


def render(report: Report) -> str:
    """Returns a workflow command for each finding, and a summary."""
    return "\n".join([*map(_command, report.findings), summary(report)]) + "\n"


def _command(found: Located) -> str:
    title = f"{found.rule.id} {found.resource} {readable(found.path)}".rstrip()
    properties = {
        "file": None if found.file == STDIN else plain(found.file),
        "line": found.line,
        "title": plain(title),
    }
    given = ",".join(
        f"{name}={_property(str(value))}" for name, value in properties.items() if value is not None
    )
    text = f"{plain(said(found))}\n-> {plain(found.fix)}"
    return f"::{found.rule.severity.value} {given}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
