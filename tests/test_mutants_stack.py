"""What is known of a stack of which only the template is given, and what it is nested in."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.stack import Stack, Written, around


@pytest.mark.parametrize(
    ("attribute", "default"),
    [
        ("name", None),
        ("account", None),
        ("region", None),
        ("assembly", ""),
        ("artifact", ""),
        ("dependencies", frozenset()),
        ("acknowledged", {}),
        ("constructs", {}),
        ("parent", None),
        ("parent_resource", ""),
        ("written", None),
        ("faulty", False),
        ("left_out", 0),
        ("path", None),
    ],
)
def test_a_template_by_itself_tells_nothing_else(attribute: str, default: object) -> None:
    found = getattr(Stack({"Resources": {}}, "a.json"), attribute)
    assert (found, type(found)) == (default, type(default))


def test_what_is_said_of_a_stack_is_kept() -> None:
    given: dict[str, Any] = {
        "artifact": "A",
        "dependencies": {"B"},
        "written": Written,
        "faulty": True,
        "left_out": 2,
    }
    stack = Stack({"Resources": {}}, "a.json", **given)
    assert {name: getattr(stack, name) for name in given} == given


def test_stacks_that_are_nested_in_a_circle_end() -> None:
    stack = Stack({"Resources": {}}, "a.json")
    stack.parent = stack
    assert around(stack) == [stack] * 100
