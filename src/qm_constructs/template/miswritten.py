"""The intrinsic functions in the properties of a resource that CloudFormation does not take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from qm_constructs.plan import Miswritten, Path
from qm_constructs.rules._functions import OF_SECTIONS, is_as_asked, is_known
from qm_constructs.template.calls import LOOP, Call
from qm_constructs.template.kinds_given import misgiven
from qm_constructs.template.universe import Universe

# What a macro makes of its place, and of all that stands beside it, is not known.
_MACRO: Final = "Fn::Transform"


def miswritten_in(
    universe: Universe, stack: int, body: Mapping[str, Any], calls: Sequence[Call]
) -> Iterator[Miswritten]:
    """Yields the functions of a resource that are not written as CloudFormation asks.

    Args:
        universe: The stacks.
        stack: The stack of the resource, by number.
        body: The resource.
        calls: The functions in its properties.
    """
    # Nobody wrote the functions of a template that is made of a quotas file.
    if universe.stacks[stack].written is not None:
        return
    if _MACRO not in body and not universe.may_be_changed(stack):
        is_open = universe.takes_functions_anywhere(stack)
        for call in _wrong_in(calls, is_open):
            path, function, argument, beside = call
            id = _resource(argument)
            type_ = universe.type_of(stack, id)
            yield Miswritten(path, function, id, type_, argument, beside)
        if not is_open:
            yield from _misgiven_in(universe, stack, calls)


def _misgiven_in(universe: Universe, stack: int, calls: Sequence[Call]) -> Iterator[Miswritten]:
    for path, function, argument, beside in _of_no_macro(calls):
        if not beside and is_as_asked(function, argument):
            given = misgiven(universe, stack, function, argument)
            if given is not None:
                yield Miswritten(path, function, given=given)


def _wrong_in(calls: Sequence[Call], is_open: bool) -> Iterator[Call]:
    seen: set[Path] = set()
    for call in _of_no_macro(calls):
        path, function, argument, beside = call
        if path in seen:
            continue
        if not is_known(function):
            yield call if not beside else Call((*path, function), function, None)
        elif beside and _is_to_be_alone(call):
            seen.add(path)
            yield call
        elif not beside and (_stands_elsewhere(call) or not _fits(function, argument, is_open)):
            yield call


def _of_no_macro(calls: Sequence[Call]) -> Iterator[Call]:
    """Yields the functions that no macro is given."""
    macros = [call.path for call in calls if call.function == _MACRO]
    for call in calls:
        if not any(call.path[: len(macro)] == macro for macro in macros):
            yield call


def _is_to_be_alone(call: Call) -> bool:
    """Tells whether a function stands beside other keys, of which CloudFormation knows none."""
    # A property, a tag or a tool's function may be named so; a loop adds to what it stands in.
    is_function = call.function.startswith("Fn::") and call.function.count("::") == 1
    is_function |= call.function == "Ref" and call.path != ("Tags",)
    return is_function and not call.beside.startswith(LOOP)


def _stands_elsewhere(call: Call) -> bool:
    """Tells whether a function of conditions or rules stands in a property, and in none such."""
    if call.function not in OF_SECTIONS:
        return False
    is_inside = any(str(step) in OF_SECTIONS for step in call.path)
    is_asked = any(pair == ("Fn::If", 0) for pair in pairwise(call.path))
    return not is_inside and not is_asked


def _fits(function: str, argument: Any, is_open: bool) -> bool:
    if is_as_asked(function, argument):
        return True
    parts = argument if isinstance(argument, list) else [argument]
    return any(isinstance(part, Mapping) and (is_open or _MACRO in part) for part in parts)


def _resource(argument: Any) -> str:
    """Returns the logical id that a ``Fn::GetAtt`` begins with, empty for none."""
    first = argument[0] if isinstance(argument, list) and argument else argument
    return first.partition(".")[0] if isinstance(first, str) else ""
