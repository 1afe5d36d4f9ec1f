"""Changes as annotations of a GitHub Actions run."""

from __future__ import annotations

from qm_constructs.changes import Change, Effect
from qm_constructs.cli._changes import Difference, place, summary
from qm_constructs.cli._output import plain
from qm_constructs.cli._wording import STDIN
from qm_constructs.cli.as_github import command


def render(difference: Difference) -> str:
    """Returns a workflow command for each change, and a summary."""
    commands = [_command(difference, change) for change in difference.changes]
    return "\n".join([*commands, summary(difference)]) + "\n"


def _command(difference: Difference, change: Change) -> str:
    hit = change.hit
    level = "notice" if hit.effect is Effect.SAFE else "warning"
    if difference.is_fatal(change):
        level = "error"
    properties = {
        "file": None if change.file in (None, STDIN) else plain(str(change.file)),
        "line": change.line,
        "title": plain(f"{hit.effect.value} {place(change)} {hit.property}".rstrip()),
    }
    advice = f"\n-> {plain(hit.advice)}" if hit.advice else ""
    return command(level, properties, f"{plain(hit.message)}{advice}")
