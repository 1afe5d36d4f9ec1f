"""When a finding is so: which of several ways to say it is taken."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.judge import judgement
from qm_constructs.template.stack import Stack
from tests.test_mutants_judge import chosen, when_too_many
from tests.test_occasions import IN_USE, USE, _when, either, equals, in_region, numbers, ref, said

Body = dict[str, Any]
NOT = "Fn::Not"
REGION = ref("AWS::Region")


def when(changes: dict[str, Body], **sections: Any) -> list[str]:
    whole = {**copy.deepcopy(SOUND), **sections}
    for id, properties in changes.items():
        whole["Resources"][id]["Properties"].update(properties)
    found = judgement([Stack(whole, "a.json")]).findings
    return [f"{one.rule.id}{_when(one.message)}" for one in found]


def text(*allowed: str) -> Body:
    return {"Type": "String", "AllowedValues": [*allowed]}


def test_one_condition_that_is_otherwise_than_usual_is_said_rather_than_two() -> None:
    parameters = {"P": text("a", "b", "c")}
    conditions = {
        "IsC": equals(ref("P"), "c"),
        "IsNotA": {NOT: [equals(ref("P"), "a")]},
        "IsNotB": {NOT: [equals(ref("P"), "b")]},
    }
    orders: list[tuple[list[str], list[str]]] = [
        (["IsNotA", "IsNotB"], []),
        (["IsC", "IsNotA", "IsNotB"], []),
        ([], ["IsNotA", "IsNotB"]),
    ]
    for first, last in orders:
        changes = {
            "Queue": {
                "Priority": chosen(first, 1),
                "State": either("IsC", "ON", chosen(last, "ENABLED")),
            }
        }
        found = when(changes, Parameters=parameters, Conditions=conditions)
        assert found == ["JQ-10 when IsC is true"]


def test_a_condition_that_the_resource_names_is_said_though_it_is_false() -> None:
    conditions = {**IN_USE, "Unused": {NOT: [{"Condition": "InUse"}]}}
    changes = {
        "Environment": {"State": either("Unused", "ENABLED", "ENABLED")},
        "Queue": {"Priority": either("InUse", 1, 1001)},
    }
    found = when(changes, Conditions=conditions, Parameters={"Use": USE})
    assert found == ["JQ-01 when InUse is false"]


def test_what_is_so_in_each_case_is_said_rather_than_a_condition_that_it_is_part_of() -> None:
    parameters = {"Size": numbers(32, 4), "Use": text("yes", "no")}
    both = {"Fn::And": [equals(ref("Size"), "32"), equals(ref("Use"), "yes")]}
    found = when_too_many(["Both"], Parameters=parameters, Conditions={"Both": both})
    assert found == [" when Size is '32'"]


def test_where_the_usual_value_alone_does_harm_it_is_said() -> None:
    sizes = {"Size": numbers(4, 8, 16, default=4)}
    assert said(ref("Size"), 3, Parameters=sizes) == ["XR-02 when Size is '4'"]


STAGES = {"Stage": text("prod", "dev")}
PROD = {"Prod": equals(ref("Stage"), "prod")}


@pytest.mark.parametrize(
    ("rule", "sizes", "expected"),
    [
        # What a rule asks for in one of several cases need not be.
        (equals(ref("Stage"), "prod"), (4, 32), " when Size is '32'"),
        (equals(ref("Size"), "32"), (4, 32), " when Ready is 'yes' and Size is '32'"),
        # Of an example it is what this one asks for.
        (
            equals(ref("Size"), "32"),
            (4, 32, 64),
            ", for example, when Ready is 'yes' and Size is '32'",
        ),
    ],
)
def test_what_a_rule_of_the_template_asks_for_is_said_of_all_cases(
    rule: Any, sizes: tuple[int, ...], expected: str
) -> None:
    rules = {"R": {"RuleCondition": rule, "Assertions": [{"Assert": equals(ref("Ready"), "yes")}]}}
    parameters = {**STAGES, "Ready": text("no", "yes"), "Size": numbers(*sizes)}
    found = when_too_many(["Prod"], Parameters=parameters, Conditions=PROD, Rules=rules)
    assert found == [expected]


def test_three_texts_that_it_must_not_be_are_all_said() -> None:
    regions = [f"us-west-{number}" for number in range(3)]
    rules = {f"R{n}": in_region(equals(REGION, region), "4") for n, region in enumerate(regions)}
    sizes = {"Size": numbers(4, 32, default=4)}
    found = when_too_many([], Parameters=sizes, Rules=rules)
    names = "'us-west-0' nor 'us-west-1' nor 'us-west-2'"
    assert found == [f" when AWS::Region is neither {names} and Size is '32'"]
