"""Entries of lists that there are not, by what parameters and maps are in one world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from qm_constructs.plan import Miswritten
from qm_constructs.rules._functions import index_in, is_as_asked
from qm_constructs.template.attributes import calls_of, counts
from qm_constructs.template.scope import Scope
from qm_constructs.template.universe import Member, Universe, mentioned_ids, section
from qm_constructs.template.values import known, parts_of

_SELECT: Final = "Fn::Select"


def beyond_in(universe: Universe, member: Member, scope: Scope) -> tuple[Miswritten, ...]:
    """Returns the functions of a resource that ask for an entry which a list does not have.

    Args:
        universe: The stacks.
        member: The resource.
        scope: Its stack in the world in question.
    """
    calls = [call for call in calls_of(member) if call.function == _SELECT]
    # Most resources have none.
    if not calls or universe.may_be_changed(member.stack):
        return ()
    body = section(member.body, "Properties")
    return tuple(
        Miswritten(path, function, argument=beyond)
        for path, function, argument, beside in calls
        if not beside and is_as_asked(function, argument) and counts(scope, body, path)
        if not (scope.is_chosen() and _is_given(universe, member.stack, argument[1]))
        for beyond in _beyond(scope, *argument)
    )


def _is_given(universe: Universe, stack: int, items: Any) -> bool:
    """Tells whether a list is of a parameter: with what a condition asks, more may be given."""
    parameters = section(universe.stacks[stack].template, "Parameters")
    return any(id in parameters for id in mentioned_ids(items))


def _beyond(scope: Scope, index: Any, items: Any) -> Iterator[list[Any]]:
    """Yields the index and the list as they are in a world, if the list has no such entry."""
    number = known(parts_of(scope.value(index)))
    if index_in(number) is None:
        return
    # What is left out of a list that is spelt out is no entry either, or so it may be.
    found = items if isinstance(items, list) else _known_whole(scope.value(items))
    if found is not None and not is_as_asked(_SELECT, [number, found]):
        yield [number, found]


def _known_whole(found: Any) -> list[Any] | None:
    # A text that is not known may hold the delimiter by which it is split.
    is_known = isinstance(found, list) and all(known(parts_of(item)) is not None for item in found)
    return found if is_known else None
