"""Changes as Markdown, made to be posted as a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from qm_constructs.changes import Change, Effect
from qm_constructs.cli._changes import Difference, moved, place, summary
from qm_constructs.cli._output import plain

_MEANS: Final = {
    Effect.TERMINATES_JOBS: "Ends jobs",
    Effect.PREEMPTS_JOBS: "Preempts jobs",
    Effect.CANNOT_DEPLOY: "Cannot be deployed",
    Effect.BLOCKS_SUBMISSIONS: "Blocks submissions",
    Effect.SLOWS_JOBS: "Slows jobs",
    Effect.SAFE: "Safe",
}
_MARKUP: Final = re.compile(r"([\\`*_\[\]!|~$])")
# Platforms make mentions, links and pictures of these, even where they are escaped.
_LINKED: Final = re.compile(r"(@|#|://|www\.|GH-|:(?=[\w+-]+:))")
_APART: Final = "&#8203;"


def render(difference: Difference) -> str:
    """Returns a summary, a table of the changes and what to do about those that are not safe."""
    lines = ["### AWS Batch quota shares: whom this change hurts", "", text(summary(difference))]
    if difference.changes:
        lines += ["", *_table(difference)]
        notes = [change for change in difference.changes if change.hit.effect is not Effect.SAFE]
        lines += ["", *map(_note, notes)] if notes else []
    return "\n".join(lines) + "\n"


def text(given: str) -> str:
    """Returns a text that Markdown shows as it is: no markup, no mention, one line."""
    shown = plain(given).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _LINKED.sub(lambda found: found[1] + _APART, _MARKUP.sub(r"\\\1", shown))


def _table(difference: Difference) -> Iterator[str]:
    yield "| Effect | Resource | Share | Unit | Change |"
    yield "|---|---|---|---|---|"
    for change in difference.changes:
        hit = change.hit
        what = " ".join(filter(None, [hit.property, moved(change)]))
        cells = (place(change), hit.share or "", hit.unit or "", what)
        yield f"| **{_MEANS[hit.effect]}** | {' | '.join(map(text, cells))} |"


def _note(change: Change) -> str:
    hit = change.hit
    advice = f" *{text(hit.advice)}*" if hit.advice else ""
    return f"- **{_MEANS[hit.effect]}**: {text(hit.message)}{advice} [\\[AWS\\]]({hit.source})"
