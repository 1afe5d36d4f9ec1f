"""Plans for a person at a terminal."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

# A table of rich itself takes four milliseconds, too long for a hundred of them.
from rich.cells import cell_len, chop_cells

from qm_constructs.capacity import UnitCapacity
from qm_constructs.cli import _plan_wording as wording
from qm_constructs.cli._output import BOLD, Paint, painter
from qm_constructs.quota_plan import QuotaPlan
from qm_constructs.template.quota_plans import LeftOut

_WIDEST: Final = 100
_NARROWEST: Final = 60
_INDENT: Final = "  "
_ROOM_FOR_NAMES: Final = 24
_LEAST_FOR_NAMES: Final = 8
_TO_THE_LEFT: Final = ("share", "strategy")


def render(plans: Sequence[QuotaPlan], left_out: Sequence[LeftOut] = ()) -> str:
    """Returns a table for each unit of each queue, and what is to be said of all."""
    paint = painter(sys.stdout)
    columns = shutil.get_terminal_size((_WIDEST, 1)).columns
    width = max(_NARROWEST, min(_WIDEST, columns))
    lines = [line for plan in plans for line in _queue(plan, width, paint)]
    notes = [*wording.of_no_plan(plans, left_out), *wording.notes(plans)]
    lines += [line for note in notes for line in _wrapped(note, width)]
    return "".join(f"{line}\n" for line in lines)


def _queue(plan: QuotaPlan, width: int, paint: Paint) -> Iterator[str]:
    title = wording.queue_title(plan)
    yield from _titled(title, f" {wording.queue_place(plan)}", width, paint)
    for unit in plan.units:
        yield ""
        for line in _unit(unit, width - len(_INDENT), paint):
            yield _INDENT + line
    for note in wording.queue_notes(plan):
        yield from _wrapped(note, width, _INDENT)
    yield ""


def _unit(unit: UnitCapacity, width: int, paint: Paint) -> Iterator[str]:
    yield from _titled(wording.unit_name(unit), f": {wording.unit_summary(unit)}", width, paint)
    if unit.shares:
        yield from _table(unit, width)
    for note in wording.unit_notes(unit):
        yield from _wrapped(note, width)


def _table(unit: UnitCapacity, width: int) -> Iterator[str]:
    rows = [wording.cells(share) for share in unit.shares]
    headings = [heading.rpartition(" ") for heading in wording.COLUMNS]
    lines = [[above for above, _, _ in headings], [below for _, _, below in headings]]
    widths = [max(map(cell_len, column)) for column in zip(*lines, *rows, strict=True)]
    others = sum(widths[1:])
    gap = 2 if width - others >= _ROOM_FOR_NAMES else 1
    room = width - others - gap * (len(widths) - 1)
    if room < min(widths[0], _LEAST_FOR_NAMES):
        yield from _list(rows, width)
        return
    widths[0] = min(widths[0], room)
    for name, *numbers in rows:
        # A long name goes on in the lines below.
        for part, line in zip_longest(chop_cells(name, widths[0]), [numbers], fillvalue=None):
            lines.append([part or "", *(line or [""] * len(numbers))])
    for cells in lines:
        padded = map(_padded, cells, widths, wording.COLUMNS)
        yield (" " * gap).join(padded).rstrip()


def _list(rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Yields the shares one below the other, where a table of them would be too wide."""
    for name, *numbers in rows:
        yield from chop_cells(name, width)
        said = map(" ".join, zip(wording.COLUMNS[1:], numbers, strict=True))
        yield from _wrapped(", ".join(said), width, _INDENT)


def _padded(cell: str, width: int, column: str) -> str:
    space = " " * (width - cell_len(cell))
    return cell + space if column in _TO_THE_LEFT else space + cell


def _titled(title: str, rest: str, width: int, paint: Paint) -> Iterator[str]:
    """Yields a line that begins with a title; where it is too long, the title in lines alone."""
    if cell_len(title + rest) <= width:
        yield paint(title, BOLD) + rest
        return
    for part in chop_cells(title, width):
        yield paint(part, BOLD)
    yield from _wrapped(rest.removeprefix(":").strip(), width)


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Returns a text in lines; textwrap takes a wide character for a narrow one."""
    lines = [""]
    for word in text.split():
        for part in chop_cells(word, width - len(indent)):
            longer = f"{lines[-1]} {part}".lstrip()
            if cell_len(longer) <= width - len(indent):
                lines[-1] = longer
            else:
                lines.append(part)
    return [f"{indent}{line}" for line in lines if line]
