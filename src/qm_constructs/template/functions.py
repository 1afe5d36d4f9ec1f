"""The intrinsic functions that make texts and lists of others, as far as they are known."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any, Final

from qm_constructs.plan import Unknown
from qm_constructs.rules._functions import index_in, is_name_in_sub
from qm_constructs.template.maps import lacked_by
from qm_constructs.template.universe import section
from qm_constructs.template.values import (
    Atom,
    Parts,
    is_other_than,
    known,
    parts_of,
    put_together,
    text,
)

if TYPE_CHECKING:
    from qm_constructs.template.scope import Scope

_IN_SUB: Final = re.compile(r"\$\{([^}]*)\}")
# A file of a few megabytes would have millions.
_MOST_PIECES: Final = 10_000
_PLAIN: Final = ("AWS::AccountId", "AWS::Partition", "AWS::Region", "AWS::StackName")


def sub(scope: Scope, argument: Any, node: Any) -> Any:
    template, values = argument, {}
    if isinstance(argument, list) and len(argument) == 2:
        template, values = argument
    if not isinstance(template, str) or not isinstance(values, Mapping):
        return scope.opaque(node)
    pieces = _IN_SUB.split(template)
    # What stands in a text a thousand times is read once.
    names = set(pieces[1::2])
    if not all(map(is_name_in_sub, names)):
        return scope.opaque(node)
    found = {
        name: (f"${{{name[1:]}}}",)
        if name.startswith("!")
        else _substituted(scope, name.strip(), values)
        for name in names
    }
    texts = (found[piece] if index % 2 else (piece,) for index, piece in enumerate(pieces))
    parts = put_together(texts)
    return scope.opaque(node) if parts is None else text(parts, node, scope.number)


def _substituted(scope: Scope, name: str, values: Mapping[str, Any]) -> Parts:
    if name in values:
        node = values[name]
    elif "." in name:
        node = {"Fn::GetAtt": name}
    else:
        node = {"Ref": name}
    return _parts(scope, node)


def _parts(scope: Scope, node: Any) -> Parts:
    parts = parts_of(scope.value(node))
    return parts if parts is not None else scope.opaque(node).parts


def join(scope: Scope, argument: Any, node: Any) -> Any:
    if not isinstance(argument, list) or len(argument) != 2 or not isinstance(argument[0], str):
        return scope.opaque(node)
    delimiter, items = argument[0], scope.value(argument[1])
    if not isinstance(items, list):
        excluded = (one.replace(",", delimiter) for one in _excluded(items))
        return scope.opaque(node, frozenset(excluded))
    texts = [parts_of(item) for item in items]
    if None in texts:
        return scope.opaque(node)
    separated = ((delimiter, *(parts or ())) if n else parts or () for n, parts in enumerate(texts))
    parts = put_together(separated)
    return scope.opaque(node) if parts is None else text(parts, node, scope.number)


def _excluded(list_: Any) -> frozenset[str]:
    """Returns what a list that is not known is known not to be, each as its parameter is given."""
    parts = parts_of(list_) or ()
    return parts[0].other_than if len(parts) == 1 and isinstance(parts[0], Atom) else frozenset()


def split(scope: Scope, argument: Any, node: Any) -> Any:
    if not isinstance(argument, list) or len(argument) != 2:
        return Unknown(node)
    delimiter, parts = argument[0], parts_of(scope.value(argument[1]))
    if not isinstance(delimiter, str) or not delimiter or parts is None:
        return Unknown(node)
    count = sum(part.count(delimiter) for part in parts if isinstance(part, str))
    if count > _MOST_PIECES:
        return Unknown(node)
    pieces: list[list[Hashable]] = [[]]
    for part in parts:
        if isinstance(part, str):
            first, *rest = part.split(delimiter)
            pieces[-1].append(first)
            pieces += [[piece] for piece in rest]
        elif delimiter in ("/", ":") and _is_plain(part):
            pieces[-1].append(part)
        else:
            return Unknown(node)
    return [text(piece, node, scope.number) for piece in pieces]


def select(scope: Scope, argument: Any, node: Any) -> Any:
    if not isinstance(argument, list) or len(argument) != 2:
        return scope.opaque(node)
    number = index_in(known(parts_of(scope.value(argument[0]))))
    items = scope.value(argument[1])
    if number is None:
        return scope.opaque(node)
    # As a text or as a number, the place is the same.
    same = {"Fn::Select": [number, argument[1]]}
    if not isinstance(items, list):
        return scope.entry(items, number, same)
    if number < len(items):
        return items[number]
    if scope.is_chosen_list(argument[1]):
        scope.refuse()
    return scope.opaque(same)


def find_in_map(scope: Scope, argument: Any, node: Any) -> Any:
    if not isinstance(argument, list) or len(argument) not in (3, 4):
        return scope.opaque(node)
    found: Any = section(scope.stack.template, "Mappings")
    for key in argument[:3]:
        parts = parts_of(scope.value(key))
        options = found if isinstance(found, Mapping) else {}
        if parts is None or "Fn::Transform" in options:
            return scope.opaque(node)
        if known(parts) is None and not all(is_other_than(parts, str(o)) for o in options):
            return scope.opaque(node)
        found = options.get(known(parts))
    if found is not None:
        # No function stands in a map.
        return scope.opaque(node) if isinstance(found, Mapping) else scope.value(found)
    default = argument[3] if len(argument) == 4 else None
    if isinstance(default, Mapping) and "DefaultValue" in default:
        return scope.value(default["DefaultValue"])
    # What no key can find is told (CF-04).
    mappings = section(scope.stack.template, "Mappings")
    if not scope.is_refused and lacked_by(mappings, argument) is None:
        scope.refuse()
    return scope.opaque(node)


def _is_plain(part: Hashable) -> bool:
    """Tells whether a part that is not known surely has neither a slash nor a colon in it."""
    return isinstance(part, Atom) and (bool(part.resource) or part.expression in _PLAIN)


FUNCTIONS: Final[Mapping[str, Callable[[Scope, Any, Any], Any]]] = {
    "Fn::FindInMap": find_in_map,
    "Fn::Join": join,
    "Fn::Select": select,
    "Fn::Split": split,
    "Fn::Sub": sub,
}
