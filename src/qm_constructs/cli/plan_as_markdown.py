"""Plans for a pull request or a wiki."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qm_constructs.capacity import UnitCapacity
from qm_constructs.cli import _plan_wording as wording
from qm_constructs.cli._markdown import code
from qm_constructs.quota_plan import QuotaPlan
from qm_constructs.template.quota_plans import LeftOut


def render(plans: Sequence[QuotaPlan], left_out: Sequence[LeftOut] = ()) -> str:
    """Returns the plans as GitHub's Markdown, with a table for each unit."""
    blocks = [block for plan in plans for block in _queue(plan)]
    blocks += wording.of_no_plan(plans, left_out, code)
    blocks += wording.notes(plans)
    return "\n\n".join(blocks) + "\n"


def _queue(plan: QuotaPlan) -> Iterator[str]:
    yield f"## {code(wording.queue_title(plan))}"
    place = wording.queue_place(plan)
    if place:
        yield code(place[1:-1])
    for unit in plan.units:
        yield from _unit(unit)
    yield from map(_note, wording.queue_notes(plan, code))


def _unit(unit: UnitCapacity) -> Iterator[str]:
    yield f"### {code(wording.unit_name(unit))}"
    yield f"{wording.unit_summary(unit).capitalize()}."
    if unit.shares:
        yield "\n".join(_table(unit))
    yield from map(_note, wording.unit_notes(unit))


def _table(unit: UnitCapacity) -> Iterator[str]:
    yield f"| {' | '.join(wording.COLUMNS)} |"
    sides = ("---" if column in ("share", "strategy") else "--:" for column in wording.COLUMNS)
    yield f"| {' | '.join(sides)} |"
    for share in unit.shares:
        name, *cells = wording.cells(share)
        yield f"| {' | '.join([code(name), *cells])} |"


def _note(text: str) -> str:
    return f"> {text}"
