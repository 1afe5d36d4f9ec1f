"""Texts of which a template gives only some parts, and the ARNs and names among them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from qm_constructs.arns import ACCOUNT, REGION
from qm_constructs.plan import Unknown, UnknownText

Parts = tuple[Hashable, ...]


class Atom(NamedTuple):
    """A part of a text that only the deploy knows; equal atoms are the same text.

    Args:
        owner: The stack, by number, in which the expression has its meaning.
        expression: What stands for the text in the template.
        other_than: The texts that it is known not to be.
        resource: The logical id of the resource whose name it is; empty where it is no name.
    """

    owner: int
    expression: str
    other_than: frozenset[str] = frozenset()
    resource: str = ""


class _NoValue:
    """Stands for ``AWS::NoValue``: the property, or the entry of a list, is left out."""


NO_VALUE: Final = _NoValue()

_RESOLVE: Final = "{{resolve:"
_DYNAMIC_REFERENCE: Final = re.compile(r"(\{\{resolve:[^}]*\}\})")
# Far more than a property of the four types can hold.
_LONGEST_TEXT: Final = 100_000


def text(parts: Iterable[Hashable], source: Any, owner: int) -> str | UnknownText:
    """Returns a text made of parts: plain where all are known; a dynamic reference is not.

    Args:
        parts: The parts.
        source: What stands for the text in the template.
        owner: The stack, by number, in which a dynamic reference has its meaning.
    """
    joined: list[Hashable] = []
    run: list[str] = []
    for part in (*parts, None):
        if isinstance(part, str):
            run.append(part)
            continue
        joined += [one for one in ("".join(run), part) if one not in ("", None)]
        run.clear()
    if any(isinstance(part, str) and _RESOLVE in part for part in joined):
        joined = [*_resolved_later((*joined,), owner)]
    if not joined:
        return ""
    if len(joined) == 1 and isinstance(joined[0], str):
        return joined[0]
    return UnknownText(source, tuple(joined))


def _resolved_later(parts: Parts, owner: int) -> Iterator[Hashable]:
    """Yields the parts of a text with each dynamic reference as one, whatever is put into it."""
    marked = _marked(parts)
    if marked is None:
        yield Atom(owner, repr(parts))
        return
    for index, piece in enumerate(_DYNAMIC_REFERENCE.split(marked)):
        inner = _unmarked(piece, parts)
        if index % 2:
            yield Atom(owner, piece if len(inner) == 1 else repr(inner))
        else:
            yield from inner


def put_together(pieces: Iterable[Iterable[Hashable]]) -> list[Hashable] | None:
    """Returns the parts of some texts one after the other; None where that is far too long.

    Args:
        pieces: The parts of each.
    """
    together: list[Hashable] = []
    size = 0
    for piece in pieces:
        for part in piece:
            together.append(part)
            size += 1 + len(part) if isinstance(part, str) else 1
        if size > _LONGEST_TEXT:
            return None
    return together


def literal(written: str, owner: int) -> str | UnknownText:
    """Returns a text as a template has it; a dynamic reference in it is not known."""
    return text([written], written, owner) if _RESOLVE in written else written


def parts_of(value: Any) -> Parts | None:
    """Returns the parts of a value that CloudFormation takes as a text; None for any other."""
    if isinstance(value, UnknownText):
        return value.parts
    if isinstance(value, bool):
        return (str(value).lower(),)
    if isinstance(value, str | int | float):
        return (str(value),)
    return None


class Target(NamedTuple):
    """What a property names: a resource by its ARN, or by its name alone.

    Args:
        kind: The kind of resource in the ARN, such as ``job-queue``; None for a name alone.
        account: The account in the ARN; None for a name alone.
        region: The Region in the ARN; None for a name alone.
        name: The name of the resource.
        partition: The partition in the ARN; None for a name alone.
    """

    kind: str | None
    account: Parts | None
    region: Parts | None
    name: Parts
    partition: Parts | None = None


Way = Mapping[Hashable, str]

# Two unknown parts in a text of this length; a literal in a template is far shorter.
_MOST_WAYS: Final = 4_096


def ways(parts: Parts, text_: str) -> list[Way] | None:
    """Returns what the unknown parts of a text can be when it is a literal one; None for too many.

    Args:
        parts: The text.
        text_: The literal text.
    """
    unknown = len({part for part in parts if not isinstance(part, str)})
    if (len(text_) + 1) ** max(unknown - 1, 0) > _MOST_WAYS:
        return None
    return list(_ways(parts, text_, {}))


# Of two unknown parts next to one another, these can be no more than what they look like.
_SHAPES: Final = {"AWS::AccountId": re.compile(ACCOUNT), "AWS::Region": re.compile(REGION)}


def may_be(part: Hashable, text_: str) -> bool:
    """Tells whether an unknown part of a text may be a literal one, by what it stands for.

    Args:
        part: The part: an atom, or what is as text the name that ``Ref`` has.
        text_: The literal text.
    """
    shape = _SHAPES.get(part.expression if isinstance(part, Atom) else str(part))
    return shape is None or bool(shape.fullmatch(text_))


def _ways(parts: Parts, text_: str, met: Way) -> Iterator[Way]:
    if not parts:
        if not text_:
            yield met
        return
    first, rest = parts[0], parts[1:]
    piece = first if isinstance(first, str) else met.get(first)
    if piece is not None:
        if text_.startswith(piece):
            yield from _ways(rest, text_[len(piece) :], met)
        return
    excluded = first.other_than if isinstance(first, Atom) else ()
    for end in range(len(text_) + 1) if rest else [len(text_)]:
        if text_[:end] not in excluded and may_be(first, text_[:end]):
            yield from _ways(rest, text_[end:], {**met, first: text_[:end]})


def is_other_than(parts: Parts, text_: str) -> bool:
    """Tells whether a text that is not known is known not to be another."""
    return ways(parts, text_) == []


_FIELD = "([^:/]*)"
_ARN = re.compile(
    f"arn:{_FIELD}:batch:{_FIELD}:{_FIELD}:([a-z-]+)/([^:/]+)(?:/(quota-share)/([^:/]+))?"
)
_MARK = re.compile("(\ue000[0-9]+\ue001)")


def target(value: str | Unknown) -> Target | None:
    """Returns what a text names; None where it is not known whether it is a name or an ARN."""
    parts = parts_of(value)
    return None if parts is None else _target(parts)


# Each property is asked for what it names, once as a value and once for what has that name.
@lru_cache(maxsize=64)
def _target(parts: Parts) -> Target | None:
    marked = _marked(parts)
    if marked is None:
        return None
    match = _ARN.fullmatch(marked)
    if match:
        partition, region, account, kind, name, share, share_name = match.groups()
        return Target(
            share or kind,
            _unmarked(account, parts),
            _unmarked(region, parts),
            _unmarked(share_name or name, parts),
            _unmarked(partition, parts),
        )
    if ":" in marked or "/" in marked:
        return None
    return Target(None, None, None, parts)


def known(parts: Parts | None) -> str | None:
    """Returns a text that is known whole, None for any other."""
    if parts is not None and len(parts) == 1 and isinstance(parts[0], str):
        return parts[0]
    return None


def _marked(parts: Parts) -> str | None:
    """Returns one text in which marks stand for the unknown parts; None where it has such marks."""
    if any(isinstance(part, str) and "\ue000" in part for part in parts):
        return None
    return "".join(
        part if isinstance(part, str) else f"\ue000{index}\ue001"
        for index, part in enumerate(parts)
    )


def _unmarked(marked: str, parts: Parts) -> Parts:
    return tuple(
        parts[int(piece[1:-1])] if index % 2 else piece
        for index, piece in enumerate(_MARK.split(marked))
        if piece
    )
