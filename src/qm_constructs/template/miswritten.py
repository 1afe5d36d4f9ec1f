"""The intrinsic functions in the properties of a resource that CloudFormation does not take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from qm_constructs.plan import Miswritten, Path
from qm_constructs.rules._functions import is_as_asked, is_known
from qm_constructs.template.calls import Call
from qm_constructs.template.universe import Member, Universe

# What a macro makes of its place, and of all that stands beside it, is not known.
_MACRO: Final = "Fn::Transform"


def miswritten_in(
    universe: Universe, member: Member, calls: Sequence[Call]
) -> Iterator[Miswritten]:
    """Yields the functions of a resource that are not written as CloudFormation asks.

    Args:
        universe: The stacks.
        member: The resource.
        calls: The functions in its properties.
    """
    # Nobody wrote the functions of a template that is made of a quotas file.
    if universe.stacks[member.stack].written is not None:
        return
    if _MACRO not in member.body and not universe.may_be_changed(member.stack):
        is_open = universe.takes_functions_anywhere(member.stack)
        for path, function, argument in _wrong_in(calls, is_open):
            id = _resource(argument) if function == "Fn::GetAtt" else ""
            yield Miswritten(path, function, id, universe.type_of(member.stack, id), argument)


def _wrong_in(calls: Sequence[Call], is_open: bool) -> Iterator[tuple[Path, str, Any]]:
    macros = [call.path for call in calls if call.function == _MACRO]
    for path, function, argument, is_alone in calls:
        if any(path[: len(macro)] == macro for macro in macros):
            continue
        if not is_known(function) or (is_alone and not _fits(function, argument, is_open)):
            yield path if is_alone else (*path, function), function, argument


def _fits(function: str, argument: Any, is_open: bool) -> bool:
    if is_as_asked(function, argument):
        return True
    parts = argument if isinstance(argument, list) else [argument]
    return any(isinstance(part, Mapping) and (is_open or _MACRO in part) for part in parts)


def _resource(argument: Any) -> str:
    """Returns the logical id that a ``Fn::GetAtt`` begins with, empty for none."""
    first = argument[0] if isinstance(argument, list) and argument else argument
    return first.partition(".")[0] if isinstance(first, str) else ""
