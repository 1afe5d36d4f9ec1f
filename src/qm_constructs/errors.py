"""The one error of the library, and the faults that it lists.

ValueError
└── QuotaManagementError    .faults: every Fault of one call
"""

from __future__ import annotations

import re
import reprlib
import textwrap
from collections.abc import Iterable
from typing import Any, Final, NamedTuple


class _NotGiven:
    def __repr__(self) -> str:
        return "<not given>"


NOT_GIVEN: Final[Any] = _NotGiven()
"""Stands for the value of an argument that the caller left out."""

_WIDTH = 79
_ADDRESS = re.compile(r" object at 0x[0-9a-f]+")


class Fault(NamedTuple):
    """One thing that is wrong with one argument.

    Args:
        argument: The argument as the caller wrote it: ``capacity_limits['ml.p5.48xlarge']``.
        value: What it was; ``NOT_GIVEN`` when it was left out.
        problem: What is wrong and what is allowed, as a sentence.
        fix: How to mend it, as a sentence.
        rule: The id of the rule behind it, such as ``"JQ-01"``; None for a plain mistake of type.
        place: Where it was written, as ``file:line:column``; None for an argument of a call.
    """

    argument: str
    value: Any
    problem: str
    fix: str
    rule: str | None = None
    place: str | None = None

    def __str__(self) -> str:
        value = shown(self.value) if self.place is None else as_written(self.value)
        head = self.argument if self.value is NOT_GIVEN else f"{self.argument} = {value}"
        head = head if self.place is None else f"{self.place}: {head}".removesuffix(": ")
        rule = f" [{self.rule}]" if self.rule else ""
        lines = [_wrapped(head, "  ", "      "), _wrapped(self.problem, "    ", "    ")]
        lines.append(_wrapped(f"{self.fix}{rule}", "    -> ", "       "))
        return "\n".join(lines)


class QuotaManagementError(ValueError):
    """A call was given what AWS Batch quota management would refuse or could never run.

    Args:
        call: The call at fault, such as ``QuotaManagedTrainingQueue('Training')``.
        faults: Every fault of that call, at least one; kept as ``.faults``.
    """

    def __init__(self, call: str, faults: Iterable[Fault]) -> None:
        self.call = call
        self.faults = tuple(faults)
        super().__init__(call, self.faults)

    def __repr__(self) -> str:
        return f"<QuotaManagementError {str(self)!r}>"

    def __str__(self) -> str:
        count = "1 fault" if len(self.faults) == 1 else f"{len(self.faults)} faults"
        return "\n".join([f"{self.call}: {count}", *map(str, self.faults)])


# A traceback then ends in the name that users import.
QuotaManagementError.__module__ = "qm_constructs"


class _Shown(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = 80
        self.maxdict = self.maxlist = self.maxtuple = 3


class _Written(_Shown):
    """Words a value as JSON and YAML have it, and not as Python does."""

    def repr_NoneType(self, value: None, level: int) -> str:  # noqa: N802 - the name of its type
        del value, level
        return "null"

    def repr_bool(self, value: bool, level: int) -> str:
        del level
        return "true" if value else "false"


_SHOWN, _WRITTEN = _Shown(), _Written()


def shown(value: object) -> str:
    """Returns a value as a caller could have written it, shortened, control characters escaped."""
    return _in_a_line(value, _SHOWN)


def as_written(value: object) -> str:
    """Returns a value as a file in YAML or JSON could have it, otherwise as ``shown`` does."""
    return _in_a_line(value, _WRITTEN)


def _in_a_line(value: object, words: _Shown) -> str:
    try:
        text = words.repr(value)
    except Exception:  # a value whose own repr fails is still only bad input
        text = object.__repr__(value)
    text = _ADDRESS.sub("", text)
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _wrapped(text: str, first: str, rest: str) -> str:
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
