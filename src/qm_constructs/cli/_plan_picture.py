"""The picture of a unit: one bar to scale, the shares as segments, borrowing as reach beyond them.

Widths are in per cent and heights in pixels, so that a picture fits any width with text as it is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Final

from qm_constructs.capacity import ShareCapacity, UnitCapacity
from qm_constructs.cli import _plan_wording as wording
from qm_constructs.quota_plan import QuotaPlan

STYLE: Final = """\
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1b1f24; --muted: #57606a; --edge: #6e7781; --rule: #d0d7de;
  --c0: #b6d4fe; --c1: #ffd8a8; --c2: #b2e2bd; --c3: #e5c7f5;
  --c4: #f7b9c4; --c5: #b5e5e8; --c6: #f3e08f; --c7: #d5d9de;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1117; --text: #e6edf3; --muted: #9da7b3; --edge: #8b949e; --rule: #30363d;
    --c0: #1f4b85; --c1: #7a4a12; --c2: #1d5a30; --c3: #5b3a7a;
    --c4: #7c2f3e; --c5: #1b5a60; --c6: #665611; --c7: #444c56;
  }
}
@media print {
  :root {
    color-scheme: light;
    --page: #ffffff; --text: #000000; --muted: #333333; --edge: #444444; --rule: #999999;
    --c0: #b6d4fe; --c1: #ffd8a8; --c2: #b2e2bd; --c3: #e5c7f5;
    --c4: #f7b9c4; --c5: #b5e5e8; --c6: #f3e08f; --c7: #d5d9de;
  }
}
svg text { font: 12px system-ui, sans-serif; fill: var(--text); }
svg text.heading { font-size: 15px; font-weight: 600; }
svg text.quiet { fill: var(--muted); }
svg .edge { stroke: var(--edge); stroke-width: 1; fill: none; }
svg .mark { stroke: var(--text); stroke-width: 2; }
svg .open { stroke: var(--edge); stroke-width: 1.5; stroke-dasharray: 4 3; fill: none; }
svg .hatched { stroke: var(--rule); stroke-width: 2; }
.c0 { fill: var(--c0); background: var(--c0); } .c1 { fill: var(--c1); background: var(--c1); }
.c2 { fill: var(--c2); background: var(--c2); } .c3 { fill: var(--c3); background: var(--c3); }
.c4 { fill: var(--c4); background: var(--c4); } .c5 { fill: var(--c5); background: var(--c5); }
.c6 { fill: var(--c6); background: var(--c6); } .c7 { fill: var(--c7); background: var(--c7); }
@media (max-width: 760px) { svg .roomy { display: none; } }
"""
"""What a picture looks like, in the light, in the dark and on paper."""

_COLOURS: Final = 8
_BAR: Final = 36
_LINE: Final = 20
_REACH: Final = 10
# In pixels, of the 330 that a phone has.
_ROOM_IN_A_LINE: Final = 180
# From these widths, in per cent, a segment has room for its number, on a phone or elsewhere.
_ROOM_ON_A_PHONE: Final = 6.0
_ROOM: Final = 2.2
_ROOM_FOR_A_NAME: Final = 9.0


def colour(number: int) -> str:
    """Returns the class of a share's colour, by its number in the queue."""
    return f"c{(number - 1) % _COLOURS}"


def numbers_of(plan: QuotaPlan) -> dict[Hashable, int]:
    """Returns the number of each share, by which all pictures and tables of a queue know it."""
    return {share.key: number for number, share in enumerate(plan.shares, 1)}


def shortened(text: str, room: float) -> str:
    """Returns a text that is cut where it is too long for a picture.

    Args:
        text: The text.
        room: How many pixels there are for it.
    """
    for length, character in enumerate(text):
        room -= _width(character)
        if room < 0:
            return f"{text[: max(0, length - 1)]}\u2026"
    return text


def in_lines(text: str, room: float) -> list[str]:
    """Returns a text in lines; a word that is too long for one is cut.

    Args:
        text: The text.
        room: How many pixels there are for a line.
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if sum(map(_width, longer)) <= room:
            lines[-1] = longer
        else:
            lines.append(shortened(word, room))
    return [line for line in lines if line]


def _width(character: str) -> int:
    """Returns about how many pixels a character takes; no font is known to be there."""
    if not character.isascii():
        return 13
    return {"m": 12, "w": 10, "M": 11, "W": 12, "@": 12, "%": 11}.get(
        character, 9 if character.isupper() else 8
    )


def description(unit: UnitCapacity) -> str:
    """Returns what a picture shows, in words."""
    shares = (
        f"{wording.share_name(share)}: limit {wording.number(share.max_capacity)}, can borrow "
        f"{wording.number(share.borrowable)}, largest job {wording.number(share.largest_job)}"
        for share in unit.shares
    )
    return ". ".join([wording.unit_summary(unit).capitalize(), *shares]) + "."


@dataclass(frozen=True)
class _Segment:
    """A share in the bar; all numbers are instances, or stand for them where none are known."""

    number: int
    share: ShareCapacity
    start: Fraction
    size: Fraction


class Picture:
    """The bar of one unit, and the reach of those that borrow.

    Args:
        unit: The unit.
        numbers: The number of each share in the queue.
        id: What makes ids in the document unique.
        names_all: Whether every share gets a line of text, and not just those that borrow.
    """

    def __init__(
        self,
        unit: UnitCapacity,
        numbers: Mapping[Hashable, int],
        id: str,
        *,
        names_all: bool = False,
    ) -> None:
        self._unit = unit
        self._id = id
        self._names_all = names_all
        known = [share.max_capacity.known for share in unit.shares]
        held = sum(most for most in known if most is not None)
        environment = unit.environment.known or 0
        # What is not known is drawn as a tenth of what is.
        guess = max(Fraction(1), Fraction(max(held, environment), 10))
        self._segments: list[_Segment] = []
        end = Fraction()
        for share, most in zip(unit.shares, known, strict=True):
            size = guess if most is None else Fraction(most)
            self._segments.append(_Segment(numbers[share.key], share, end, size))
            end += size
        self._end = end
        # A float holds no capacity limit of three hundred digits.
        self._scale = max(end, Fraction(environment), Fraction(1))

    def lines(self, y: int) -> tuple[str, int]:
        """Returns the elements of the picture, and the height at which it ends.

        Args:
            y: The height at which it starts.
        """
        elements = [*self._bar(y)]
        y += _BAR
        elements += self._environment(y)
        y += _LINE
        for segment in self._segments:
            reach = self._reach_of(segment)
            if not reach and not self._names_all:
                continue
            elements += self._text_of(segment, y, y + _LINE - 5, bool(reach))
            y += _LINE
            if reach:
                elements += self._reach(segment, y, reach)
                y += _REACH + 4
        return "\n".join(elements), y

    def _percent(self, instances: Fraction | int) -> str:
        return f"{float(100 * instances / self._scale):.3f}%"

    def _bar(self, y: int) -> Iterator[str]:
        for segment in self._segments:
            yield from self._segment(segment, y)
        environment, unallocated = self._unit.environment.known, self._unit.unallocated.known
        if environment is not None and unallocated and environment > self._end:
            yield from self._unallocated(y, environment - self._end)
        yield f'<rect class="edge" x="0" y="{y}" width="100%" height="{_BAR}"/>'

    def _segment(self, segment: _Segment, y: int) -> Iterator[str]:
        share, number = segment.share, segment.number
        name, most = wording.share_name(share), wording.number(share.max_capacity)
        known = share.max_capacity.known is not None
        start, size = self._percent(segment.start), self._percent(segment.size)
        yield (
            f'<svg x="{start}" y="{y}" width="{size}" height="{_BAR}">'
            f"<title>{escape(name)}: {most}</title>"
        )
        if known:
            yield f'<rect class="{colour(segment.number)}" width="100%" height="100%"/>'
        yield f'<rect class="{"edge" if known else "open"}" width="100%" height="100%"/>'
        width = float(100 * segment.size / self._scale)
        if width >= _ROOM:
            roomy = "" if width >= _ROOM_ON_A_PHONE else ' class="roomy"'
            yield f'<text{roomy} x="50%" y="15" text-anchor="middle">{number}</text>'
            below, kind = (most if known else "?"), roomy
            if known and width >= _ROOM_FOR_A_NAME:
                below, kind = escape(shortened(name, width * 7 - 8)), ' class="roomy"'
            yield f'<text{kind} x="50%" y="30" text-anchor="middle">{below}</text>'
        yield "</svg>"

    def _unallocated(self, y: int, size: Fraction) -> Iterator[str]:
        pattern = f"hatch-{self._id}"
        yield (
            f'<pattern id="{pattern}" width="8" height="8" patternUnits="userSpaceOnUse" '
            'patternTransform="rotate(45)"><path class="hatched" d="M0 0V8"/></pattern>'
        )
        yield (
            f'<rect x="{self._percent(self._end)}" y="{y}" width="{self._percent(size)}" '
            f'height="{_BAR}" fill="url(#{pattern})"><title>unallocated</title></rect>'
        )

    def _environment(self, y: int) -> Iterator[str]:
        environment = self._unit.environment.known
        if environment is None:
            yield f'<text class="quiet" x="0" y="{y + 15}">service environment: unknown</text>'
            return
        at = self._percent(environment)
        top, bottom = y - _BAR - 3, y + 5
        strokes = [(top, bottom)]
        if environment < self._end:  # a whole line would strike out the text of a share
            strokes = [(top, top + 8), (bottom - 8, bottom)]
        for start, end in strokes:
            yield f'<line class="mark" x1="{at}" x2="{at}" y1="{start}" y2="{end}"/>'
        anchor = "end" if environment > self._scale / 2 else "start"
        yield (
            f'<text class="quiet" x="{at}" y="{y + 17}" text-anchor="{anchor}">'
            f"service environment: {environment or 'no limit'}</text>"
        )

    def _reach_of(self, segment: _Segment) -> list[tuple[Fraction, Fraction]]:
        """Returns the stretches that a share reaches by borrowing; none where it does not.

        They lie over shares that lend, those to the right first, then the nearest to the left.
        """
        own, largest = segment.share.max_capacity.known, segment.share.largest_job.known
        if own is None or largest is None or largest <= own:
            return []
        missing = Fraction(largest - own)
        place = self._segments.index(segment)
        found: list[tuple[Fraction, Fraction]] = []
        for other in [*self._segments[place + 1 :], *reversed(self._segments[:place])]:
            taken = min(missing, other.size) if other.share.lendable.most != 0 else Fraction()
            if taken:
                to_the_left = other.start < segment.start
                start = other.start + other.size - taken if to_the_left else other.start
                found.append((start, start + taken))
                missing -= taken
        return _joined(found)

    def _text_of(self, segment: _Segment, top: int, y: int, borrows: bool) -> Iterator[str]:
        share = segment.share
        text = (
            f"{segment.number} {shortened(wording.share_name(share), _ROOM_IN_A_LINE)}: "
            f"{wording.number(share.max_capacity)}"
        )
        if borrows:
            text += f", with borrowing {wording.number(share.largest_job)}"
        elif share.largest_job.known != share.max_capacity.known:
            text += f", largest job {wording.number(share.largest_job)}"
        if self._names_all:
            yield (
                f'<rect class="{colour(segment.number)}" x="0" y="{top + 5}" width="10" '
                f'height="10"/><rect class="edge" x="0" y="{top + 5}" width="10" height="10"/>'
            )
        yield f'<text x="{16 if self._names_all else 0}" y="{y}">{escape(text)}</text>'

    def _reach(
        self, segment: _Segment, y: int, reach: Sequence[tuple[Fraction, Fraction]]
    ) -> Iterator[str]:
        yield (
            f'<rect class="{colour(segment.number)}" x="{self._percent(segment.start)}" y="{y}" '
            f'width="{self._percent(segment.size)}" height="{_REACH}"/>'
            f'<rect class="edge" x="{self._percent(segment.start)}" y="{y}" '
            f'width="{self._percent(segment.size)}" height="{_REACH}"/>'
        )
        for left, right in reach:
            yield (
                f'<rect class="open" x="{self._percent(left)}" y="{y}" '
                f'width="{self._percent(right - left)}" height="{_REACH}"/>'
            )


def _joined(stretches: Sequence[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    """Returns stretches from left to right, those that touch as one."""
    found: list[tuple[Fraction, Fraction]] = []
    for start, end in sorted(stretches):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found
