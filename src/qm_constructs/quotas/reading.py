"""The value of a quotas file, with its keys and kinds of values checked against the table."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from qm_constructs.errors import NOT_GIVEN
from qm_constructs.plan import MAX_INTEGER, Path, is_whole_number
from qm_constructs.quotas.keys import (
    FILE,
    FUNCTION,
    NOT_LITERAL,
    TAGS,
    AnyKind,
    Entries,
    Flag,
    Number,
    Section,
    Text,
)
from qm_constructs.rules._spelt import plain
from qm_constructs.template._reading import MAX_DIGITS, OddInteger
from qm_constructs.tokens import is_token

_NUMBER: Final = re.compile(r"[-+]?[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?")

FAULTY: Final[Any] = object()
"""Stands for a value that is at fault already, so that no rule judges it too."""


@dataclass(frozen=True)
class ShapeFault:
    """A key or a value that is none of a quotas file.

    Args:
        path: Where it stands.
        value: What it is; ``NOT_GIVEN`` where it is missing.
        problem: What is wrong and what is allowed, as a sentence.
        fix: How to mend it, as a sentence.
    """

    path: Path
    value: Any
    problem: str
    fix: str


@dataclass
class Read:
    """What a quotas file holds.

    Args:
        values: Its value, without keys that it cannot have; ``FAULTY`` stands for what is wrong.
        faults: What is wrong with its keys and kinds, in the order of the file.
    """

    values: dict[str, Any]
    faults: list[ShapeFault] = field(default_factory=list)


def read(value: Any) -> Read:
    """Returns what a quotas file holds.

    Args:
        value: The value of the whole file.
    """
    reader = _Reader()
    values = reader.value(FILE, value, ())
    return Read(values if isinstance(values, dict) else {"capacity_limits": FAULTY}, reader.faults)


class _Digits(str):
    """A number that was left as text, shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class _Reader:
    def __init__(self) -> None:
        self.faults: list[ShapeFault] = []

    def value(self, kind: AnyKind, value: Any, path: Path) -> Any:
        """Returns a value as its kind has it; ``FAULTY`` where it is of another."""
        if isinstance(kind, Section | Entries):
            if isinstance(value, Mapping):
                read = self._section if isinstance(kind, Section) else self._entries
                return read(kind, value, path)  # type: ignore[arg-type]
        elif isinstance(kind, Number):
            return self._number(kind, value, path)
        elif isinstance(kind, Flag):
            if isinstance(value, bool):
                return value
        elif isinstance(value, str):
            return value if self._literal(value, value, path) else FAULTY
        problem = f"Must be {_article(kind)}; this is {_what(value)}."
        return self._fault(path, value, problem, _fix(kind, value))

    def _number(self, kind: Number, value: Any, path: Path) -> Any:
        if value is None and kind.or_null:
            return None
        if isinstance(value, OddInteger):
            problem = f"YAML reads {value.text} as {int(value)}, which may not be what is meant."
            return self._fault(path, int(value), problem, f"Write {_in_decimal(value)}.")
        if isinstance(value, str) and _is_too_large(value):
            return self._too_large(path, _Digits(value))
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not is_whole_number(value):
            what = "not whole" if isinstance(value, float) else _what(value)
            problem = f"Must be {_article(kind)}; this is {what}."
            return self._fault(path, value, problem, _fix(kind, value))
        return self._too_large(path, value) if abs(value) > MAX_INTEGER else value

    def _too_large(self, path: Path, value: Any) -> Any:
        problem = "This number is too large: it must fit into 32 bits, as the AWS Batch API has it."
        return self._fault(path, value, problem, f"Give a number of at most {MAX_INTEGER}.")

    def _section(self, kind: Section, value: Mapping[str, Any], path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, part in value.items():
            if key in kind.members:
                found[key] = self.value(kind.members[key].kind, part, (*path, key))
                continue
            meant = _meant(key, [member for member in kind.members if member not in value])
            if meant is not None:
                found[meant] = FAULTY
            known = ", ".join(member for member in kind.members if not member.startswith("$"))
            problem = f"There is no such key here; {kind.name} has {known}."
            fix = f"Did you mean {meant}?" if meant else "Leave it out."
            self._fault((*path, key), part, problem, fix)
        for key in kind.required:
            if key not in found:
                example = _example(kind.members[key].kind)
                problem = f"{key} is missing, which {kind.name} needs."
                fix = f"Add {key}: {example}, say."
                found[key] = self._fault(path, NOT_GIVEN, problem, fix)
        return found

    def _entries(self, kind: Entries, value: Mapping[str, Any], path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, part in value.items():
            here = (*path, key)
            if kind is TAGS and re.match(FUNCTION, key):
                problem = "CloudFormation takes such a tag key for a function."
                self._fault(here, part, problem, "Choose another key.")
            elif self._literal(key, part, here):
                found[key] = self.value(kind.values, part, here)
        return found

    def _literal(self, text: str, value: Any, path: Path) -> bool:
        if not is_token(text) and not re.search(NOT_LITERAL, text):
            return True
        problem = "A quotas file holds plain text, without tokens or references."
        self._fault(path, value, problem, "Write the text itself.")
        return False

    def _fault(self, path: Path, value: Any, problem: str, fix: str) -> Any:
        self.faults.append(ShapeFault(path, value, problem, fix))
        return FAULTY


def _meant(key: str, members: Sequence[str]) -> str | None:
    known = {plain(member): member for member in members}
    close = difflib.get_close_matches(plain(key), known, n=1, cutoff=0.75)
    return known[close[0]] if close else None


def _example(kind: AnyKind) -> str:
    if isinstance(kind, Section | Entries):
        return kind.example
    return kind.options[0] if isinstance(kind, Text) and kind.options else "..."


def _article(kind: AnyKind) -> str:
    if isinstance(kind, Section):
        return f"a map of {', '.join(kind.members)}"
    if isinstance(kind, Entries):
        return kind.article
    if isinstance(kind, Number):
        return "a whole number or null" if kind.or_null else "a whole number"
    if isinstance(kind, Flag):
        return "true or false"
    return f"one of {', '.join(kind.options)}" if kind.options else "text"


def _is_too_large(text: str) -> bool:
    """Tells whether a text is a number that the reader has left as text, because of its size."""
    if not _NUMBER.fullmatch(text):
        return False
    return len(text) > MAX_DIGITS or math.isinf(float(text.replace("_", "")))


def _in_decimal(number: OddInteger) -> str:
    digits = number.text.replace("_", "").lstrip("+-0")
    if ":" in digits or not digits or int(digits) == abs(number):
        return str(int(number))
    sign = "-" if number < 0 else ""
    return f"{sign}{digits}, or {int(number)}"


def _what(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, Mapping | list):
        return "a map" if isinstance(value, Mapping) else "a list"
    if isinstance(value, str):
        return "text"
    return str(value).lower() if isinstance(value, bool) else "a number"


def _fix(kind: AnyKind, value: Any) -> str:
    if isinstance(kind, Section | Entries):
        options = next(_options(kind), ())
        if isinstance(value, str) and value in options:
            return f"Write {{strategy: {value}}}."
        return f"Write {kind.example}, say."
    if isinstance(kind, Flag):
        known = {"enabled": True, "disabled": False, "true": True, "false": False}
        meant = known.get(str(value).lower())
        return "Write true or false." if meant is None else f"Write {str(meant).lower()}."
    if isinstance(kind, Number):
        digits = isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,10}", value)
        return _as_number(value) if digits else _number_for(kind)
    if value is None or isinstance(value, Mapping | list):
        return f"Write {kind.options[0]}, say." if kind.options else "Write a text."
    return "Put it in quotes."


def _as_number(text: str) -> str:
    # YAML takes 08 for text, as no octal number has an 8.
    zero = " and without a zero in front" if re.match("-?0[0-9]", text) else ""
    return f"Write {int(text)}, without quotes{zero}."


def _number_for(kind: Number) -> str:
    most = "" if kind.most == MAX_INTEGER else f" to {kind.most}"
    return f"Write a number from {kind.least}{most}."


def _options(kind: Section | Entries) -> Iterator[tuple[str, ...]]:
    for key in kind.members.values() if isinstance(kind, Section) else ():
        if isinstance(key.kind, Text) and key.kind.options:
            yield key.kind.options
