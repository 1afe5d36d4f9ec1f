"""Plans for a person at a terminal."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len, chop_cells
from rich.console import Console, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from qm_constructs.capacity import UnitCapacity
from qm_constructs.cli import _plan_wording as wording
from qm_constructs.cli._output import BOLD, painter
from qm_constructs.quota_plan import QuotaPlan

_WIDEST: Final = 100
_NARROWEST: Final = 60
_INDENT: Final = 2
_ROOM_FOR_NAMES: Final = 24


def render(plans: Sequence[QuotaPlan]) -> str:
    """Returns a table for each unit of each queue, and what is to be said of all."""
    if not plans:
        return f"{wording.NO_QUEUES}\n"
    page = _Page()
    for plan in plans:
        _queue(page, plan)
    for note in wording.notes(plans):
        page.add(Text(note))
    return page.text()


class _Page:
    """Lines that fit the terminal, in colour where a person looks at it."""

    def __init__(self) -> None:
        coloured = painter(sys.stdout)("", BOLD) != ""
        columns = shutil.get_terminal_size((_WIDEST, 1)).columns
        self.width = max(_NARROWEST, min(_WIDEST, columns)) - _INDENT
        self._console = Console(
            file=io.StringIO(),
            width=self.width,
            force_terminal=coloured,
            color_system="standard" if coloured else None,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )
        self._lines: list[str] = []

    def add(self, part: RenderableType, indent: int = 0) -> None:
        """Adds a part, indented by some columns."""
        with self._console.capture() as captured:
            self._console.print(part)
        # Rich's own padding renders a table three times.
        lines = captured.get().splitlines() or [""]
        self._lines += [f"{' ' * indent}{line}".rstrip() for line in lines]

    def text(self) -> str:
        """Returns all lines."""
        return "".join(f"{line}\n" for line in self._lines)


def _queue(page: _Page, plan: QuotaPlan) -> None:
    title = Text(wording.queue_title(plan), style="bold")
    page.add(title.append(f" {wording.queue_place(plan)}", style="not bold"))
    for unit in plan.units:
        page.add("")
        _unit(page, unit)
    for note in wording.queue_notes(plan):
        page.add(Text(note), _INDENT)
    page.add("")


def _unit(page: _Page, unit: UnitCapacity) -> None:
    heading = Text(wording.unit_name(unit), style="bold")
    page.add(heading.append(f": {wording.unit_summary(unit)}", style="not bold"), _INDENT)
    if unit.shares:
        page.add(_table(unit, page.width), _INDENT)
    for note in wording.unit_notes(unit):
        page.add(Text(note), _INDENT)


def _table(unit: UnitCapacity, width: int) -> Table:
    rows = [wording.cells(share) for share in unit.shares]
    headings = [heading.replace(" ", "\n") for heading in wording.COLUMNS]
    columns = [*zip(*rows, strict=True)]
    widths = [
        max(map(cell_len, [*heading.split("\n"), *column]))
        for heading, column in zip(headings, columns, strict=True)
    ]
    gap = 2 if width - sum(widths[1:]) >= _ROOM_FOR_NAMES else 1
    widths[0] = min(widths[0], width - sum(widths[1:]) - gap * (len(widths) - 1))
    folded = [chop_cells(row[0], widths[0]) or [""] for row in rows]
    cells = [Text("\n".join("\n".join(name) for name in folded))]
    for column in columns[1:]:
        values = zip(column, folded, strict=True)
        cells.append(Text("".join(value + "\n" * len(name) for value, name in values)[:-1]))
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="dim")
    for heading, size in zip(headings, widths, strict=True):
        justify: JustifyMethod = "left" if heading in ("share", "strategy") else "right"
        table.add_column(heading, justify=justify, width=size, no_wrap=True, vertical="bottom")
    # Rich takes a millisecond for two rows, however many lines they have.
    table.add_row(*cells)
    return table
