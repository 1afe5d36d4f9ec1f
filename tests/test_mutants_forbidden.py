"""What the rules of a template forbid, whatever the parameters are that nothing else asks for."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.calls import walk
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack
from tests.test_leading_nowhere import EAST, IS_EAST, ONLY
from tests.test_one_place import nest

Body = dict[str, Any]
SIXTEEN = [f"v{n}" for n in range(16)]


def is_one_of(name: str, *texts: str) -> Body:
    return {"Fn::Or": [{"Fn::Equals": [{"Ref": name}, text]} for text in texts]}


def never(name: str) -> Body:
    return {"Fn::And": [is_one_of(name, "v0", "v0"), is_one_of(name, "v1", "v1")]}


def asserts(*either: Any, size: int = 0) -> Body:
    """Returns a rule that one of some conditions holds, of so many functions and maps at least."""
    rule = {"Assertions": [{"Assert": {"Fn::Or": [*either]}}]}
    more = size - len([*walk(rule)])
    rule["Assertions"][0]["Assert"]["Fn::Or"] += [{"Fn::Equals": ["a", "b"]}] * more
    return rule


def is_refused(*rules: Body, is_nested: bool = False) -> bool:
    """Tells whether rules forbid the Regions in which an output names what is not there."""
    parameter = {"Type": "String", "AllowedValues": SIXTEEN}
    named = {f"R{number}": rule for number, rule in enumerate(rules)}
    whole = {**ONLY, **EAST, "Parameters": dict.fromkeys("PQ", parameter), "Rules": named}
    parent = Stack({"Resources": {}}, "top.json")
    stacks = [parent, nest(whole, parent)] if is_nested else [Stack(whole, "a.json")]
    return not any("is not there" in one.message for one in judge_stacks(stacks))


IN_EAST = asserts(IS_EAST, never("P"))
# Either may be kept by itself.
FIRST, SECOND = (is_one_of("P", *half) for half in (SIXTEEN[:8], SIXTEEN[8:]))
ANYWHERE = [IS_EAST, {"Fn::Not": [IS_EAST]}]


@pytest.mark.parametrize("is_nested", [True, False])
@pytest.mark.parametrize(
    ("rules", "refused"),
    [
        ([IN_EAST], True),
        ([asserts(IS_EAST, FIRST)], False),
        ([asserts(IS_EAST, FIRST), asserts(IS_EAST, SECOND)], True),
        ([asserts(IS_EAST, SECOND), asserts(IS_EAST, FIRST)], True),
        ([IN_EAST, asserts(IS_EAST, is_one_of("Q", "v3"))], True),
        ([asserts(IS_EAST, is_one_of("Q", "v3")), IN_EAST], True),
        # What has to do with no Region is broken in all of them.
        ([asserts(never("P"))], False),
        (
            [
                asserts(never("P")),
                asserts(*ANYWHERE, is_one_of("P", "v3")),
                asserts(IS_EAST, is_one_of("Q", "v3")),
            ],
            False,
        ),
    ],
    ids=range(8),
)
def test_a_rule_that_nothing_keeps_forbids_a_region(
    rules: list[Body], *, refused: bool, is_nested: bool
) -> None:
    assert is_refused(*rules, is_nested=is_nested) is refused


@pytest.mark.parametrize(("size", "refused"), [(248, True), (249, False)])
def test_a_rule_is_tried_up_to_a_size(size: int, *, refused: bool) -> None:
    assert is_refused(asserts(IS_EAST, never("P"), size=size)) is refused


@pytest.mark.parametrize(("size", "refused"), [(49, True), (50, False)])
def test_two_rules_are_tried_up_to_a_size(size: int, *, refused: bool) -> None:
    rules = (asserts(IS_EAST, half, size=size) for half in (FIRST, SECOND))
    assert is_refused(*rules) is refused
