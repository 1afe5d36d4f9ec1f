"""Plans as one page that needs nothing else: no network, no script."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Final

from qm_constructs._version import VERSION
from qm_constructs.capacity import ShareCapacity, UnitCapacity
from qm_constructs.cli import _plan_wording as wording
from qm_constructs.cli._plan_picture import STYLE, Picture, colour, description, numbers_of
from qm_constructs.quota_plan import QuotaPlan
from qm_constructs.template.quota_plans import LeftOut

_STYLE: Final = (
    STYLE
    + """\
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 76rem; line-height: 1.5;
  font: 1rem/1.5 system-ui, sans-serif; background: var(--page); color: var(--text);
  overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.3rem; margin: 2.5rem 0 0; }
h3 { font-size: 1.05rem; margin: 1.75rem 0 0; }
p { margin: .25rem 0; } footer { margin-top: 2rem; }
.muted { color: var(--muted); font-size: .9rem; }
.note { border-left: 3px solid var(--edge); padding-left: .6rem; }
nav ul { margin: .25rem 0; padding-left: 1.2rem; columns: 22rem; }
a { color: inherit; } a:focus-visible { outline: 3px solid var(--edge); outline-offset: 2px; }
figure { margin: .75rem 0; } figure svg { display: block; width: 100%; overflow: visible; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--rule); padding: .35rem .6rem; text-align: right;
  vertical-align: top; font-weight: normal; }
thead th { color: var(--muted); font-size: .9rem; white-space: nowrap; vertical-align: bottom; }
th:first-child { text-align: left; } td.text, th.text { text-align: left; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
td { white-space: nowrap; }
.label { display: flex; gap: .5em; align-items: baseline; }
.number { flex: none; min-width: 1.9em; padding: 0 .3em;
  border: 1px solid var(--edge); text-align: center; font-size: .85em; }
.unknown { font-style: italic; color: var(--muted); }
@media (max-width: 640px) {
  table, tbody, tr, td, tbody th { display: block; width: 100%; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { border: 1px solid var(--rule); margin: .5rem 0; padding: .3rem 0; }
  tbody th { font-weight: 600; border: 0; }
  td, td.text { display: flex; justify-content: space-between; gap: 1rem; border: 0;
    padding: .1rem .6rem; text-align: right; }
  td::before { content: attr(data-column); color: var(--muted); }
}
@media print {
  body { max-width: none; padding: 0 2px; font-size: 10pt; }
  nav { display: none; } figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
  .number { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
)
_LEGEND: Final = (
    "In the pictures, a filled box is a share's own limit, a dashed one its reach by borrowing or, "
    "with a question mark, a limit that is unknown, whose width says nothing; what is hatched no "
    "share has."
)
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def render(plans: Sequence[QuotaPlan], left_out: Sequence[LeftOut] = ()) -> str:
    """Returns an HTML document with a picture and a table for each unit of each queue."""
    return "\n".join(filter(None, _document(plans, left_out))) + "\n"


def _document(plans: Sequence[QuotaPlan], left_out: Sequence[LeftOut]) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield '<head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<meta name="generator" content="qm-constructs {VERSION}">'
    yield f"<title>{_title(plans)}</title>"
    yield f"<style>\n{_STYLE}</style></head>"
    yield "<body><header><h1>Quota plan</h1>"
    yield "<p>Who gets what of each queue of AWS Batch quota management.</p>"
    if any(plan.units for plan in plans):
        yield f'<p class="muted">{_LEGEND}</p>'
    yield from _contents(plans) if len(plans) > 1 else ()
    yield "</header><main>"
    yield _paragraphs(wording.of_no_plan(plans, left_out), "note")
    for number, plan in enumerate(plans):
        yield from _queue(plan, number)
    yield "</main>"
    yield f"<footer>{_paragraphs(wording.notes(plans), 'muted')}</footer>"
    yield "</body></html>"


def _title(plans: Sequence[QuotaPlan]) -> str:
    name = f" of {wording.queue_title(plans[0])}" if len(plans) == 1 else ""
    return escape(f"Quota plan{name}")


def _contents(plans: Sequence[QuotaPlan]) -> Iterator[str]:
    yield '<nav aria-label="Queues"><ul>'
    for number, plan in enumerate(plans):
        name = f"{wording.queue_title(plan)} {wording.queue_place(plan)}".strip()
        yield f'<li><a href="#queue-{number}">{escape(name)}</a></li>'
    yield "</ul></nav>"


def _queue(plan: QuotaPlan, number: int) -> Iterator[str]:
    yield f'<section aria-labelledby="queue-{number}">'
    yield f'<h2 id="queue-{number}">{escape(wording.queue_title(plan))}</h2>'
    yield f'<p class="muted">{escape(wording.queue_place(plan))}</p>'
    numbers = numbers_of(plan)
    for place, unit in enumerate(plan.units):
        yield from _unit(unit, numbers, f"{number}-{place}")
    yield _paragraphs(wording.queue_notes(plan), "note")
    yield "</section>"


def _unit(unit: UnitCapacity, numbers: Mapping[Hashable, int], id: str) -> Iterator[str]:
    name = escape(wording.unit_name(unit))
    yield f'<h3 id="unit-{id}">{name}</h3>'
    yield f"<p>{escape(wording.unit_summary(unit).capitalize())}.</p>"
    yield _paragraphs(wording.unit_notes(unit), "note")
    if unit.shares or unit.environment.known:
        drawn, height = Picture(unit, numbers, id).lines(4)
        yield (
            f'<figure><svg xmlns="http://www.w3.org/2000/svg" width="100%" height="{height}" '
            f'role="img" aria-labelledby="title-{id} description-{id}">'
            f'<title id="title-{id}">How {name} is divided</title>'
            f'<desc id="description-{id}">{escape(description(unit))}</desc>'
        )
        yield f"{drawn}</svg></figure>"
    if unit.shares:
        yield from _table(unit, numbers, name)


def _table(unit: UnitCapacity, numbers: Mapping[Hashable, int], name: str) -> Iterator[str]:
    # The roles stay what they are where the page lays the table out as blocks.
    yield f'<table role="table"><caption>The shares of {name}</caption>'
    head = "".join(
        f'<th scope="col" role="columnheader"{_kind(column)}>{column}</th>'
        for column in wording.COLUMNS
    )
    yield f'<thead role="rowgroup"><tr role="row">{head}</tr></thead><tbody role="rowgroup">'
    for share in unit.shares:
        yield _row(share, numbers[share.key])
    yield "</tbody></table>"


def _row(share: ShareCapacity, number: int) -> str:
    name, *cells = wording.cells(share)
    mark = f'<span class="number {colour(number)}">{number}</span>'
    row = f'<tr role="row"><th scope="row" role="rowheader"><span class="label">{mark}'
    row += f"<span>{escape(name)}</span></span></th>"
    for column, cell in zip(wording.COLUMNS[1:], cells, strict=True):
        value = f'<span class="unknown">{cell}</span>' if cell == wording.UNKNOWN else escape(cell)
        row += f'<td role="cell"{_kind(column)} data-column="{column}">{value}</td>'
    return f"{row}</tr>"


def _kind(column: str) -> str:
    return ' class="text"' if column in ("share", "strategy") else ""


def _paragraphs(texts: Iterable[str], kind: str) -> str:
    return "\n".join(f'<p class="{kind}">{escape(text)}</p>' for text in texts)
