"""YAML as CloudFormation takes it: 1.1, its short forms of functions, nothing of Python.

PyYAML makes the events; they are put together here, because its own composer and constructor
recurse, expand aliases without a bound, and let a key that stands twice pass.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from copy import copy
from functools import lru_cache, partial
from typing import Any, Final, NoReturn

import yaml

from qm_constructs.errors import shown
from qm_constructs.plan import Path
from qm_constructs.template._reading import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_VALUES,
    CannotRead,
    Places,
    key_twice,
    odd_integer,
    place_in,
    too_deep,
    too_many,
)

_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVERS: Final[dict[str, list[tuple[str, re.Pattern[str]]]]] = (
    yaml.SafeLoader.yaml_implicit_resolvers
)
_CONSTRUCTOR: Final = yaml.constructor.SafeConstructor()

_CORE: Final = "tag:yaml.org,2002:"
_COLLECTIONS: Final = {"map": dict, "seq": list}
# Compiled where it is needed: that takes as long as it takes to read a small template.
_UNPRINTABLE: Final = (
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_CHARACTERS_PER_VALUE: Final = 100


class _Node:
    """One value: ``text`` is what was written where it is a scalar, and None where it is not."""

    __slots__ = ("column", "height", "line", "places", "plain", "size", "text", "value")

    def __init__(
        self,
        value: Any,
        line: int,
        column: int,
        text: str | None = None,
        plain: bool = False,
        *,
        places: Places | None = None,
        size: int = 1,
        height: int = 0,
    ) -> None:
        self.value = value
        self.line = line
        self.column = column
        self.text = text
        self.plain = plain
        self.places = places
        self.size = size
        self.height = height


class _Open:
    """A mapping or sequence whose end is not yet met."""

    __slots__ = (
        "anchor",
        "column",
        "depth",
        "function",
        "height",
        "kind",
        "line",
        "nodes",
        "size_before",
    )

    def __init__(
        self,
        kind: type,
        function: str | None,
        anchor: str | None,
        line: int,
        column: int,
        *,
        size_before: int,
        depth: int,
    ) -> None:
        self.kind = kind
        self.function = function
        self.anchor = anchor
        self.line = line
        self.column = column
        self.size_before = size_before
        self.depth = depth
        self.nodes: list[_Node] = []
        self.height = 0


def parse_yaml(text: str) -> tuple[Any, Callable[[Path], tuple[int, int]]]:
    """Returns the value that YAML text stands for, and what finds line and column of a path."""
    try:
        root = _Composer().compose(_LOADER(text))
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(error, text) from None
    except yaml.reader.ReaderError:
        raise _character_error(text) from None
    if root is None or root.value is None:
        raise CannotRead("is empty")
    return root.value, partial(place_in, (root.line, root.column, root.places))


class _Composer:
    def __init__(self) -> None:
        self._open: list[_Open] = []
        # None while the value is still open.
        self._anchors: dict[str, _Node | None] = {}
        self._size = 0
        self._root: _Node | None = None

    def compose(self, loader: Any) -> _Node | None:
        """Returns the one document that a loader reads, None where there is none."""
        # A template has tens of thousands of events, most of them short texts without a tag.
        next_event, opened = loader.get_event, self._open
        scalar, ends = yaml.ScalarEvent, (yaml.MappingEndEvent, yaml.SequenceEndEvent)
        end_of_stream = yaml.StreamEndEvent
        try:
            while (kind := type(event := next_event())) is not end_of_stream:
                if kind is scalar and opened and event.tag is event.anchor is None:
                    mark, text, plain = event.start_mark, event.value, event.implicit[0]
                    line = mark.line + 1
                    self._size += 1 + len(text) // _CHARACTERS_PER_VALUE
                    if self._size > MAX_VALUES:
                        raise too_many(line)
                    nodes, value = opened[-1].nodes, text
                    # Of a key only the text counts.
                    if plain and (len(nodes) % 2 or opened[-1].kind is list):
                        value = text if len(text) > MAX_DIGITS else _resolved_once(text)
                    nodes.append(_Node(value, line, mark.column + 1, text, plain))
                elif kind in ends:
                    self._end()
                else:
                    self._other(event, event.start_mark.line + 1, event.start_mark.column + 1)
        finally:
            loader.dispose()
        return self._root

    def _other(self, event: Any, line: int, column: int) -> None:
        if isinstance(event, yaml.CollectionStartEvent):
            self._begin(event, line, column)
        elif isinstance(event, yaml.ScalarEvent):
            self._scalar(event, line, column)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event.anchor or "", line, column)
        elif isinstance(event, yaml.DocumentStartEvent) and self._root is not None:
            raise CannotRead(
                "holds more than one YAML document; a template or a quotas file is one", line
            )

    def _scalar(self, event: Any, line: int, column: int) -> None:
        text: str = event.value
        function = _function(event.tag)
        size = 1 + len(text) // _CHARACTERS_PER_VALUE
        self._grow(size, line)
        if function is not None:
            node = _called(function, _Node(_argument(function, text), line, column, size=size))
        elif event.implicit[0]:
            node = _Node(_resolved(text), line, column, text, True, size=size)
        else:
            node = _Node(_tagged(event.tag, text, line), line, column, text, size=size)
        self._add(node, event.anchor)

    def _begin(self, event: Any, line: int, column: int) -> None:
        kind = dict if isinstance(event, yaml.MappingStartEvent) else list
        function = _function(event.tag)
        if function is None:
            _check_collection(event.tag, kind, line)
        depth = (self._open[-1].depth if self._open else 0) + (1 if function is None else 2)
        if depth > MAX_DEPTH:
            raise too_deep(line)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._open.append(
            _Open(kind, function, event.anchor, line, column, size_before=self._size, depth=depth)
        )
        self._grow(1, line)

    def _end(self) -> None:
        opened = self._open.pop()
        put_together = _mapping if opened.kind is dict else _sequence
        value, places = put_together(opened.nodes)
        size, height = self._size - opened.size_before, opened.height + 1
        node = _Node(value, opened.line, opened.column, places=places, size=size, height=height)
        if opened.function is not None:
            node = _called(opened.function, node)
        self._add(node, opened.anchor)

    def _alias(self, anchor: str, line: int, column: int) -> None:
        if anchor not in self._anchors:
            raise CannotRead(f"has the alias *{_name(anchor)}, but no anchor of that name", line)
        node = self._anchors[anchor]
        if node is None:
            raise CannotRead(f"has the alias *{_name(anchor)} inside of its own anchor", line)
        self._grow(node.size, line, " once its aliases are expanded")
        if self._open and self._open[-1].depth + node.height > MAX_DEPTH:
            raise too_deep(line)
        again = copy(node)
        again.line, again.column = line, column
        self._add(again, None)

    def _grow(self, size: int, line: int, why: str = "") -> None:
        self._size += size
        if self._size > MAX_VALUES:
            raise too_many(line, why)

    def _add(self, node: _Node, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = node
        if self._open:
            parent = self._open[-1]
            parent.nodes.append(node)
            parent.height = max(parent.height, node.height)
        else:
            self._root = node


def _sequence(nodes: list[_Node]) -> tuple[list[Any], Places]:
    places: Places = {
        index: (node.line, node.column, node.places) for index, node in enumerate(nodes)
    }
    return [node.value for node in nodes], places


def _mapping(nodes: list[_Node]) -> tuple[dict[str, Any], Places]:
    value: dict[str, Any] = {}
    places: Places = {}
    merged: list[_Node] = []
    for key, node in zip(nodes[::2], nodes[1::2], strict=True):
        if key.text is None:
            raise CannotRead("has a key that is no plain text", key.line)
        if key.plain and key.text == "<<":
            merged.append(node)
            continue
        if key.text in value:
            raise key_twice(shown(key.text), key.line, key.column, places[key.text][0])
        value[key.text] = node.value
        places[key.text] = (key.line, key.column, node.places)
    for node in merged:
        _merge(node, value, places)
    return value, places


def _merge(node: _Node, value: dict[str, Any], places: Places) -> None:
    """Adds what ``<<`` brings in; the mapping's own keys and the earlier ones win."""
    several = isinstance(node.value, list)
    sources = node.value if several else [node.value]
    for index, source in enumerate(sources):
        within = (node.places or {})[index][2] if several else node.places
        if not isinstance(source, dict):
            raise CannotRead("merges with '<<' what is no mapping", node.line)
        for key, item in source.items():
            if key not in value:
                value[key] = item
                places[key] = (within or {})[key]


def _function(tag: str | None) -> str | None:
    """Returns the long form of a short function: ``Fn::Sub`` for ``!Sub``."""
    if tag is None or tag == "!" or not tag.startswith("!"):
        return None
    name = tag[1:]
    return name if name in {"Ref", "Condition"} else f"Fn::{name}"


def _argument(function: str, text: str) -> Any:
    if function == "Fn::GetAtt" and "." in text:
        return text.split(".", 1)
    return text


def _called(function: str, argument: _Node) -> _Node:
    places: Places = {function: (argument.line, argument.column, argument.places)}
    return _Node(
        {function: argument.value},
        argument.line,
        argument.column,
        places=places,
        size=argument.size,
        height=argument.height + 1,
    )


def _resolved(text: str) -> Any:
    """Returns what an untagged, unquoted scalar stands for."""
    return text if len(text) > MAX_DIGITS else _resolved_once(text)


@lru_cache(maxsize=4096)
def _resolved_once(text: str) -> Any:
    tags = (tag for tag, pattern in _RESOLVERS.get(text[:1], []) if pattern.match(text))
    kind = next(tags, "str").removeprefix(_CORE)
    # CloudFormation has no dates; "<<" and "=" mean nothing as a value.
    return _converted(kind, text) if kind in _CONVERTERS else text


def _tagged(tag: str | None, text: str, line: int) -> Any:
    kind = (tag or "").removeprefix(_CORE)
    if tag in {None, "!"} or kind == "str":
        return text
    if tag == kind or kind not in _CONVERTERS:
        _refuse_tag(tag, line)
    if len(text) > MAX_DIGITS:
        return text
    try:
        return _CONVERTERS[kind](text)
    except (ValueError, KeyError, IndexError):
        raise CannotRead(f"has {shown(text)} tagged as !!{kind}, which it is not", line) from None


def _check_collection(tag: str | None, kind: type, line: int) -> None:
    if tag not in {None, "!"} and _COLLECTIONS.get((tag or "").removeprefix(_CORE)) is not kind:
        _refuse_tag(tag, line)


def _refuse_tag(tag: str | None, line: int) -> NoReturn:
    name = shown((tag or "").replace(_CORE, "!!"))
    raise CannotRead(f"has the tag {name}, which CloudFormation does not take", line)


def _converted(kind: str, text: str) -> Any:
    try:
        return _CONVERTERS[kind](text)
    except ValueError:  # "0x_" looks like a number, and is none
        return text


_ODD: Final = re.compile("[-+]?0[0-7_]+|.*:.*")


def _integer(text: str) -> int:
    number = _plain_integer(text)
    return odd_integer(text, number) if _ODD.fullmatch(text) else number


def _plain_integer(text: str) -> int:
    return _CONSTRUCTOR.construct_yaml_int(yaml.ScalarNode(f"{_CORE}int", text))


def _float(text: str) -> float | str:
    number = _CONSTRUCTOR.construct_yaml_float(yaml.ScalarNode(f"{_CORE}float", text))
    if ":" in text and number.is_integer():
        return odd_integer(text, int(number))
    return number if math.isfinite(number) else text


def _bool(text: str) -> bool:
    return _CONSTRUCTOR.bool_values[text.lower()]


def _null(text: str) -> None:
    del text


_CONVERTERS: Final[dict[str, Callable[[str], Any]]] = {
    "int": _integer,
    "float": _float,
    "bool": _bool,
    "null": _null,
}


def _name(anchor: str) -> str:
    return shown(anchor)[1:-1]


def _syntax_error(error: yaml.MarkedYAMLError, text: str) -> CannotRead:
    mark = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "it cannot be read"
    if mark is None:
        return CannotRead(f"is no valid YAML: {problem}")
    line = mark.line + 1
    if "nesting depth" in problem:
        return too_deep(line)
    if _character_at(text, mark) == "\t":
        problem = "a tab stands where only spaces may stand"
    return CannotRead(
        f"is no valid YAML: {problem} (column {mark.column + 1}){_context(error, line)}", line
    )


def _context(error: yaml.MarkedYAMLError, line: int) -> str:
    began = error.context_mark
    if began is None or began.line + 1 == line or not error.context:
        return ""
    return f", {error.context} that begins in line {began.line + 1}"


def _character_at(text: str, mark: Any) -> str:
    lines = text.splitlines()[mark.line : mark.line + 1]
    return lines[0][mark.column : mark.column + 1] if lines else ""


def _character_error(text: str) -> CannotRead:
    found = re.search(_UNPRINTABLE, text)
    if found is None:
        return CannotRead("is no valid YAML: it holds a character that YAML does not take")
    line = text.count("\n", 0, found.start()) + 1
    return CannotRead(f"holds the control character {found.group()!a}", line)
