"""The pictures of plans alone, as one SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from qm_constructs.cli import _plan_wording as wording
from qm_constructs.cli._plan_picture import (
    STYLE,
    Picture,
    description,
    in_lines,
    numbers_of,
    shortened,
)
from qm_constructs.quota_plan import QuotaPlan
from qm_constructs.template.quota_plans import LeftOut

_LINE: Final = 20
_GAP: Final = 28
_ROOM: Final = 330
_LEGEND: Final = (
    "Filled: a share's own limit.",
    "Dashed: its reach by borrowing;",
    "with a question mark: unknown, of any width.",
    "Hatched: what no share has.",
    "Instances are whole ones, rounded down;",
    "how AWS rounds is not documented.",
)


def render(plans: Sequence[QuotaPlan], left_out: Sequence[LeftOut] = ()) -> str:
    """Returns an SVG document with a bar for each unit of each queue."""
    elements: list[str] = []
    told: list[str] = []
    y = _GAP
    for number, plan in enumerate(plans):
        numbers = numbers_of(plan)
        for place, unit in enumerate(plan.units):
            title, queue = wording.unit_name(unit), wording.queue_title(plan)
            told.append(f"{queue}, {title}: {description(unit)}")
            elements.append(_text(y, shortened(title, _ROOM), "heading"))
            elements.append(_text(y + _LINE, shortened(queue, _ROOM), "quiet"))
            # The file is the end of it.
            written = shortened(wording.queue_place(plan)[::-1], _ROOM)[::-1]
            elements.append(_text(y + 2 * _LINE, written, "quiet"))
            picture = Picture(unit, numbers, f"{number}-{place}", names_all=True)
            drawn, y = picture.lines(y + _LINE + _GAP + 6)
            elements.append(drawn)
            y = _notes(elements, wording.unit_notes(unit), y + _LINE) + _GAP
        y = _notes(elements, wording.queue_notes(plan), y) + (_GAP if plan.units else 0)
        told += wording.queue_notes(plan)
    if not plans:
        told = [wording.NO_QUEUES]
    y = _notes(elements, wording.of_no_plan(plans, left_out), y)
    for line in _LEGEND if any(plan.units for plan in plans) else ():
        elements.append(_text(y, line, "quiet"))
        y += _LINE
    drawn = "\n".join(elements)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="{y}" role="img" '
        'aria-labelledby="title description" style="max-width: 1280px">\n'
        f'<title id="title">Quota plan</title>\n'
        f'<desc id="description">{escape(" ".join(told))}</desc>\n'
        f"<style>\n{STYLE}</style>\n"
        '<rect width="100%" height="100%" style="fill: var(--page)"/>\n'
        f'<svg x="2%" width="96%" height="{y}" overflow="visible">\n{drawn}\n</svg>\n'
        "</svg>\n"
    )


def _notes(elements: list[str], notes: Iterable[str], y: int) -> int:
    """Adds notes in lines that a phone has room for, and returns the height below them."""
    for note in notes:
        for line in in_lines(note, _ROOM):
            elements.append(_text(y, line, "quiet"))
            y += _LINE
    return y


def _text(y: int, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="0" y="{y}">{escape(text)}</text>'
