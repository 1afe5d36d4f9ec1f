"""JSON, by the standard library, and where in the text each value stands."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from functools import cache
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Final

from qm_constructs.errors import shown
from qm_constructs.plan import Path
from qm_constructs.template._reading import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_VALUES,
    CannotRead,
    Place,
    Places,
    key_twice,
    place_in,
    too_deep,
    too_many,
)

_WORDS: Final = {
    "Expecting value": "a value is missing",
    "Expecting property name enclosed in double quotes": "a key in double quotes is missing",
    "Expecting ':' delimiter": "a ':' is missing",
    "Expecting ',' delimiter": "a ',' or a closing bracket is missing",
    "Extra data": "there is more text after the end",
    "Unterminated string starting at": "the text that starts here has no closing quote",
    "Invalid \\escape": "a backslash starts no escape",
    "Invalid \\uXXXX escape": "a '\\u' needs four hexadecimal digits",
    "Invalid control character at": "a line break, a tab or a control character is inside a text",
}

_TOKEN: Final = re.compile(r'[{}\[\]",]|[^\s{}\[\]",:]+')
_AT_START: Final[Place] = (1, 1, None)
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


class _Fault(Exception):  # noqa: N818 - never leaves this module
    """Something is wrong whose line the decoder does not know."""


def parse_json(text: str) -> tuple[Any, Callable[[Path], tuple[int, int]]]:
    """Returns the value that JSON text stands for, and what finds line and column of a path."""
    try:
        if _most_values(text) > MAX_VALUES:
            _Scan(text).run()
        value = _DECODER.decode(text)
        _check_depth(value)
    except json.JSONDecodeError as error:
        words = _WORDS.get(error.msg, error.msg.lower())
        raise CannotRead(
            f"is no valid JSON: {words} (column {error.colno})", error.lineno
        ) from None
    except (_Fault, RecursionError) as error:
        _Scan(text).run()
        raise CannotRead("is no valid JSON") from error
    if _SURROGATE.search(text):
        _check_characters(value)
    places = cache(_Scan(text).run)
    return value, lambda path: place_in(places(), path)


def _most_values(text: str) -> int:
    """Returns a number that the values in a text never exceed.

    Before each but the outermost stands a comma or the bracket that opens what it is in.
    """
    return 1 + text.count(",") + text.count("[") + text.count("{")


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in _children(node)]
        if not level:
            return
    raise _Fault


def _children(value: Any) -> Iterable[Any]:
    """Returns what a walk has to go into next: numbers and texts are of no depth."""
    if isinstance(value, dict):
        return [child for child in value.values() if isinstance(child, (dict, list))]
    if isinstance(value, list):
        return [child for child in value if isinstance(child, (dict, list))]
    return ()


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise _Fault
    return mapping


def _constant(name: str) -> Any:
    del name
    raise _Fault


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= MAX_DIGITS else digits


def _float(digits: str) -> float | str:
    number = float(digits) if len(digits) <= MAX_DIGITS else math.inf
    return number if math.isfinite(number) else digits


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_mapping, parse_constant=_constant, parse_int=_integer, parse_float=_float
)


def _check_characters(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise CannotRead("has an escape from \\ud800 to \\udfff that is no character") from None


class _Scan:
    """One walk through JSON text, without recursion; what is no JSON is passed over."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line = 1
        self._column: int
        self._line_start = self._counted = 0
        self._values = 0
        self._open: list[tuple[Places, bool]] = []
        self._key: tuple[str, int, int] | None = None
        self._root = _AT_START

    def run(self) -> Place:
        """Returns the place of the outermost value and those within it."""
        end = 0
        while token := _TOKEN.search(self._text, end):
            self._count_lines(token.start())
            end = token.end()
            word = token.group()
            if word == '"':
                value, end = scanstring(self._text, end)
                self._string(value)
            elif word in {"{", "["}:
                self._begin(word == "{")
            elif word in {"}", "]"}:
                self._end()
            elif word != ",":
                self._literal(word)
        return self._root

    def _count_lines(self, position: int) -> None:
        breaks = self._text.count("\n", self._counted, position)
        if breaks:
            self._line += breaks
            self._line_start = self._text.rindex("\n", self._counted, position) + 1
        self._counted = position
        self._column = position - self._line_start + 1

    def _string(self, value: str) -> None:
        if self._open and self._open[-1][1] and self._key is None:
            places = self._open[-1][0]
            if value in places:
                raise key_twice(shown(value), self._line, self._column, places[value][0])
            self._key = (value, self._line, self._column)
        else:
            self._put(None)

    def _begin(self, mapping: bool) -> None:
        places: Places = {}
        self._put(places)
        self._open.append((places, mapping))
        if len(self._open) > MAX_DEPTH:
            raise too_deep(self._line)

    def _end(self) -> None:
        if self._open:
            self._open.pop()
        self._key = None

    def _literal(self, word: str) -> None:
        if word in {"NaN", "Infinity", "-Infinity"}:
            raise CannotRead(f"is no valid JSON: {word} is no number there", self._line)
        self._put(None)

    def _put(self, within: Places | None) -> None:
        self._values += 1
        if self._values > MAX_VALUES:
            raise too_many(self._line)
        if not self._open:
            self._root = (self._line, self._column, within)
            return
        places = self._open[-1][0]
        if self._key is None:
            places[len(places)] = (self._line, self._column, within)
        else:
            key, line, column = self._key
            places[key] = (line, column, within)
            self._key = None
