"""The pictures of plans alone, as one SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from qm_constructs.cli import _plan_wording as wording
from qm_constructs.cli._plan_picture import STYLE, Picture, description, numbers_of, shortened
from qm_constructs.quota_plan import QuotaPlan

_LINE: Final = 20
_GAP: Final = 28
_ROOM_FOR_A_TITLE: Final = 330
_LEGEND: Final = (
    "Filled: a share's own limit.",
    "Dashed: its reach by borrowing, or unknown.",
    "Hatched: what no share has.",
    "Instances are whole ones, rounded down;",
    "how AWS rounds is not documented.",
)


def render(plans: Sequence[QuotaPlan], left_out: Sequence[str] = ()) -> str:
    """Returns an SVG document with a bar for each unit of each queue."""
    del left_out  # the picture is of the plans alone
    elements: list[str] = []
    told: list[str] = []
    y = _GAP
    for number, plan in enumerate(plans):
        numbers = numbers_of(plan)
        for place, unit in enumerate(plan.units):
            title, queue = wording.unit_name(unit), wording.queue_title(plan)
            told.append(f"{queue}, {title}: {description(unit)}")
            elements.append(_text(y, shortened(title, _ROOM_FOR_A_TITLE), "heading"))
            elements.append(_text(y + _LINE, shortened(queue, _ROOM_FOR_A_TITLE), "quiet"))
            picture = Picture(unit, numbers, f"{number}-{place}", names_all=True)
            drawn, y = picture.lines(y + _GAP + 6)
            elements.append(drawn)
            y += 2 * _GAP
    if not told:
        told = [wording.NO_QUEUES if not plans else "No queue has a capacity limit."]
        elements.append(_text(y, told[0], "quiet"))
        y += _LINE
    for line in _LEGEND if elements[1:] else ():
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


def _text(y: int, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="0" y="{y}">{escape(text)}</text>'
