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
        for beyond in _beyond(scope, *argument)
        if _is_so(scope, argument[1])
    )


def _is_so(scope: Scope, items: Any) -> bool:
    """Tells whether a list is the same in every deploy like this, or in one that sets nothing."""
    parameters = section(scope.stack.template, "Parameters")
    given = [id for id in mentioned_ids(items) if id in parameters]
    # With what a condition asks, more may be given.
    return not (scope.is_chosen() and given) or scope.is_by_default(given)


def _beyond(scope: Scope, index: Any, items: Any) -> Iterator[list[Any]]:
    """Yields the index and the list as they are in a world, if the list has no such entry."""
    number = known(parts_of(scope.value(index)))
    if index_in(number) is None:
        return
    # What is left out of a list that is spelt out is no entry either, or so it may be.
    found = items if isinstance(items, list) else _entries(scope, scope.value(items))
    if found is not None and not is_as_asked(_SELECT, [number, found]):
        yield [number, found]


def _entries(scope: Scope, found: Any) -> list[Any] | None:
    if not isinstance(found, list):
        # Its entries are chosen one by one where a condition compares them.
        return scope.default_items(found)
    # A text that is not known may hold the delimiter by which it is split.
    is_known = all(known(parts_of(item)) is not None for item in found)
    return found if is_known else None
