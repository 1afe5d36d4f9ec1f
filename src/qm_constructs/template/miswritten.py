"""The intrinsic functions in the properties of a resource that CloudFormation does not take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from qm_constructs.plan import Miswritten, Path
from qm_constructs.rules._functions import is_as_asked, is_known
from qm_constructs.template.universe import Member, Universe, section

# What a macro makes of its place, and of all that stands beside it, is not known.
_MACRO: Final = "Fn::Transform"
_LOOP: Final = "Fn::ForEach"


def miswritten_in(universe: Universe, member: Member) -> Iterator[Miswritten]:
    """Yields the functions of a resource that are not written as CloudFormation asks.

    Args:
        universe: The stacks.
        member: The resource.
    """
    # Nobody wrote the functions of a template that is made of a quotas file.
    if universe.stacks[member.stack].written is not None:
        return
    if _MACRO not in member.body and not universe.may_be_changed(member.stack):
        is_open = universe.takes_functions_anywhere(member.stack)
        for path, function, argument in _in(section(member.body, "Properties"), (), is_open):
            id = _resource(argument) if function == "Fn::GetAtt" else ""
            yield Miswritten(path, function, id, universe.type_of(member.stack, id))


def _in(node: Any, path: Path, is_open: bool) -> Iterator[tuple[Path, str, Any]]:
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from _in(item, (*path, index), is_open)
    elif not isinstance(node, str) and isinstance(node, Mapping) and _MACRO not in node:
        for key, value in node.items():
            if str(key).startswith(_LOOP):
                continue
            if key == "Ref" or str(key).startswith("Fn::"):
                is_alone = len(node) == 1
                if not is_known(key) or (is_alone and not _fits(key, value, is_open)):
                    yield path if is_alone else (*path, key), key, value
            yield from _in(value, (*path, key), is_open)


def _fits(function: str, argument: Any, is_open: bool) -> bool:
    parts = argument if isinstance(argument, list) else [argument]
    if any(isinstance(part, Mapping) and (is_open or _MACRO in part) for part in parts):
        return True
    return is_as_asked(function, argument)


def _resource(argument: Any) -> str:
    """Returns the logical id that a ``Fn::GetAtt`` begins with, empty for none."""
    first = argument[0] if isinstance(argument, list) and argument else argument
    return first.partition(".")[0] if isinstance(first, str) else ""
