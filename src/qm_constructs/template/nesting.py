"""The stacks that a stack is nested in, and whether they make it."""

from __future__ import annotations

from collections.abc import Mapping

from qm_constructs.template.scope import Scopes
from qm_constructs.template.stack import around
from qm_constructs.template.universe import Universe, section


def numbers_around(universe: Universe, stack: int) -> list[int]:
    """Returns a stack and those that it is nested in and that are judged with it, by number.

    Args:
        universe: The stacks.
        stack: The stack, by number.
    """
    numbers = universe.number_of
    return [numbers[id(one)] for one in around(universe.stacks[stack]) if id(one) in numbers]


def is_nested(scopes: Scopes, stack: int) -> bool:
    """Tells whether a stack is there, by the conditions of the resources that nest it.

    Args:
        scopes: All stacks in one world.
        stack: The stack, by number.
    """
    universe = scopes.universe
    inner, *outer = around(universe.stacks[stack])
    for above in outer:
        body = section(above.template, "Resources").get(inner.parent_resource)
        condition = body.get("Condition") if isinstance(body, Mapping) else None
        number = universe.number_of.get(id(above))
        if isinstance(condition, str) and number is not None:
            is_one = universe.may_have_condition(number, condition)
            if is_one and not scopes[number].condition(condition):
                return False
        inner = above
    return True
