"""What both syntaxes have in common: the limits, the failure, and where each value stands."""

from __future__ import annotations

from typing import Final

from qm_constructs.plan import Path

MAX_BYTES: Final = 16 * 2**20
"""CloudFormation itself takes 1 MB."""

MAX_VALUES: Final = 500_000
"""A value is two bytes at least, so that no template of CloudFormation's 1 MB has more."""

MAX_DEPTH: Final = 200
"""Everything that walks a template may recurse this deep."""

MAX_DIGITS: Final = 100
"""A longer number stays text: to turn it into a number takes quadratic time."""

Place = tuple[int, int, "Places | None"]
"""A line and a column, each from 1, and the places within what stands there."""

Places = dict[str | int, Place]
"""By key or index, where it stands."""


class CannotRead(Exception):  # noqa: N818 - reads as what it says
    """A file is not what it should be.

    Args:
        reason: Why, in one line that goes on from the file's name: ``is empty``.
        line: The line in the file, from 1; None where there is none.
        column: The column in that line, from 1; None where it is not known.
        fix: How to mend it, as a sentence; empty where the reason says it.
    """

    def __init__(
        self, reason: str, line: int | None = None, column: int | None = None, fix: str = ""
    ) -> None:
        super().__init__(reason, line)
        self.reason = reason
        self.line = line
        self.column = column
        self.fix = fix


class OddInteger(int):
    """A number that YAML 1.1 takes for another than most people read: ``010`` is 8, ``1:30`` 90."""

    text: str
    """How it is written."""


def odd_integer(text: str, number: int) -> OddInteger:
    """Returns a number that knows how it is written."""
    made = OddInteger(number)
    made.text = text
    return made


def too_large() -> CannotRead:
    """Returns the failure of a file that is too large to be looked at."""
    return CannotRead("is larger than 16 MiB; CloudFormation takes templates of up to 1 MB")


def too_deep(line: int) -> CannotRead:
    """Returns the failure of a file that is nested too deeply."""
    return CannotRead(f"is nested more than {MAX_DEPTH} levels deep", line)


def too_many(line: int, why: str = "") -> CannotRead:
    """Returns the failure of a file that holds too many values."""
    return CannotRead(f"holds more than {MAX_VALUES:,} values{why}", line)


def key_twice(key: str, line: int, column: int, first: int) -> CannotRead:
    """Returns the failure of a mapping that has a key twice."""
    reason = f"has the key {key} twice in one mapping, first in line {first}"
    return CannotRead(reason, line, column, "Keep one of the two.")


def place_in(root: Place, path: Path) -> tuple[int, int]:
    """Returns line and column of what a path leads to, or of the deepest part that is there."""
    line, column, places = root
    for step in path:
        found = places.get(step) if places else None
        if found is None:
            break
        line, column, places = found
    return line, column
