"""Changes for a person at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from qm_constructs.changes import Change, Effect
from qm_constructs.cli._changes import Difference, moved, place, summary
from qm_constructs.cli._output import BOLD, RED, YELLOW, Paint, painter, plain
from qm_constructs.cli._wording import wrapped

_STYLES = {
    Effect.TERMINATES_JOBS: RED,
    Effect.PREEMPTS_JOBS: RED,
    Effect.CANNOT_DEPLOY: RED,
    Effect.BLOCKS_SUBMISSIONS: YELLOW,
    Effect.SLOWS_JOBS: YELLOW,
    Effect.SAFE: BOLD,
}


def render(difference: Difference) -> str:
    """Returns the changes, the worst first, and a summary."""
    paint = painter(sys.stdout)
    blocks = ["\n".join(_lines(change, paint)) for change in difference.changes]
    return "\n\n".join([*blocks, summary(difference)]) + "\n"


def _lines(change: Change, paint: Paint) -> Iterator[str]:
    hit = change.hit
    parts = [hit.effect.value, place(change), hit.property, hit.unit or ""]
    head = wrapped(plain("  ".join(filter(None, [*parts, moved(change)]))), "", "  ")
    yield head.replace(hit.effect.value, paint(hit.effect.value, _STYLES[hit.effect]), 1)
    yield wrapped(plain(hit.message), "  ")
    if hit.advice:
        yield wrapped(plain(hit.advice), "  -> ", "     ")
