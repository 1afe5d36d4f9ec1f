"""Which stacks are in one account and Region, where it is not known in which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from qm_constructs.template.imports import imported_from
from qm_constructs.template.stack import around
from qm_constructs.template.universe import IMPORTS, Universe, section

if TYPE_CHECKING:
    from qm_constructs.template.scope import Scopes

# What the account and the Region settle.
_OF_A_PLACE: Final = frozenset(
    ("AWS::AccountId", "AWS::Partition", "AWS::Region", "AWS::URLSuffix")
)


def owner_of(universe: Universe, stack: int, name: str) -> int:
    """Returns the number of the stack that stands for all that share a parameter.

    Args:
        universe: The stacks.
        stack: A stack, by number.
        name: A parameter or pseudo parameter of it.
    """
    return home_of(universe, stack) if name in _OF_A_PLACE else stack


def home_of(universe: Universe, stack: int) -> int:
    """Returns the number of the stack that stands for all in its account and Region.

    Args:
        universe: The stacks.
        stack: A stack, by number.
    """
    assert universe.homes is not None
    return universe.homes[stack]


def homes_by_nesting(universe: Universe) -> list[int]:
    """Returns for each stack the outermost that it is nested in: both are in one place."""
    numbers = universe.number_of
    return [
        [numbers[id(outer)] for outer in around(stack) if id(outer) in numbers][-1]
        for stack in universe.stacks
    ]


def homes_by_imports(scopes: Scopes) -> list[int]:
    """Returns for each stack one that stands for its place: what it imports is there too.

    Args:
        scopes: All stacks in the usual case, with those at home that are nested in one another.
    """
    universe = scopes.universe
    homes = [home_of(universe, number) for number in range(len(universe.stacks))]
    # To look for what is imported takes as long as some rules, and one stack has none to ask.
    if len(homes) == 1:
        return homes
    for number, stack in enumerate(universe.stacks):
        if stack.account is not None and stack.region is not None:
            continue
        for function, argument in _imports(universe, stack.template):
            other = imported_from(scopes[number], function, argument)
            if other is not None and homes[other] != homes[number]:
                here, there = sorted((homes[number], homes[other]))
                homes = [here if home == there else home for home in homes]
    return homes


def _imports(universe: Universe, template: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name in ("Resources", "Outputs"):
        for part in universe.references_in(section(template, name)):
            for function in IMPORTS:
                if function in part:
                    yield function, part[function]
