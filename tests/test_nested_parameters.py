"""A nested stack has the parameters that its parent gives it, and the defaults of the others."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack

Body = dict[str, Any]
NO_VALUE = {"Ref": "AWS::NoValue"}


def equals(one: Any, other: Any) -> Body:
    return {"Fn::Equals": [one, other]}


def ref(name: str) -> Body:
    return {"Ref": name}


def either(condition: str, one: Any, other: Any) -> Body:
    return {"Fn::If": [condition, one, other]}


def choice(*values: str, default: str | None = None) -> Body:
    given = {"Type": "String", "AllowedValues": [*values]}
    return given if default is None else {**given, "Default": default}


def shares(sharing: Body, **sections: Any) -> Body:
    """Returns a template of two shares: a lender, and one with a strategy of its own."""
    resources = {id: copy.deepcopy(SOUND["Resources"][id]) for id in ("Research", "Product")}
    for body in resources.values():
        body["Properties"]["JobQueue"] = ref("Queue")
    resources["Research"]["Properties"]["ResourceSharingConfiguration"] = sharing
    parameters = {"Queue": {"Type": "String"}, **sections.pop("Parameters", {})}
    return {"Resources": resources, "Parameters": parameters, **sections}


def nesting(given: Any, **more: Any) -> Body:
    parameters = {"Queue": ref("Queue"), **given} if "Fn::If" not in given else given
    properties = {"TemplateURL": "x", "Parameters": parameters}
    return {"Type": "AWS::CloudFormation::Stack", "Properties": properties, **more}


def queue(nested: Body, **sections: Any) -> Body:
    resources = copy.deepcopy(SOUND["Resources"])
    del resources["Research"], resources["Product"]
    return {"Resources": {**resources, "Shares": nested}, **sections}


def said(parent: Body, template: Body) -> list[str]:
    """Returns when it is so that the share must not have a borrow limit."""
    above = Stack(parent, "parent.json", name="Parent")
    inner = Stack(template, "shares.json", parent=above, parent_resource="Shares")
    found = judge_stacks([above, inner])
    assert {one.rule.id for one in found} <= {"QS-08"}
    return [one.message.partition(" This is so")[2] for one in found]


BORROWS = choice("LEND", "LEND_AND_BORROW", default="LEND_AND_BORROW")
GIVEN = shares({"Strategy": ref("How"), "BorrowLimit": 50}, Parameters={"How": BORROWS})
IN_PROD = {"InProd": equals(ref("Stage"), "prod")}
STAGE = {"Stage": choice("dev", "prod", default="dev")}
PER_STAGE = {"Conditions": IN_PROD, "Parameters": STAGE}
WHEN_PROD = " when InProd is true."


@pytest.mark.parametrize(
    ("given", "sections", "expected"),
    [
        ({}, {}, []),
        ({"How": "LEND_AND_BORROW"}, {}, []),
        ({"How": "LEND"}, {}, [""]),
        ({"How": NO_VALUE}, {}, []),
        ({"How": either("InProd", "LEND", NO_VALUE)}, PER_STAGE, [WHEN_PROD]),
        ({"How": either("InProd", "LEND_AND_BORROW", NO_VALUE)}, PER_STAGE, []),
        ({"How": ref("Open")}, {"Parameters": {"Open": {"Type": "String"}}}, []),
        # Whether it is given is not known.
        ({"Fn::If": ["InProd", {}, {"How": "LEND"}]}, PER_STAGE, [" when How is 'LEND'."]),
        ({"Fn::Transform": {"Name": "Any"}}, {}, [" when How is 'LEND'."]),
        ({}, {"Transform": "Any"}, [" when How is 'LEND'."]),
    ],
)
def test_what_the_parent_does_not_give_is_the_default(
    given: Body, sections: Body, expected: list[str]
) -> None:
    assert said(queue(nesting(given), **sections), GIVEN) == expected


def test_a_condition_on_what_is_not_given_is_as_the_default_makes_it() -> None:
    sharing = {"Strategy": either("Borrows", "LEND_AND_BORROW", "LEND"), "BorrowLimit": 50}
    template = shares(
        sharing,
        Parameters={"Use": choice("yes", "no", default="yes")},
        Conditions={"Borrows": equals(ref("Use"), "yes")},
    )
    assert said(queue(nesting({})), template) == []
    assert said(queue(nesting({"Use": "no"})), template) == [""]


def test_a_template_by_itself_may_be_given_anything() -> None:
    (one,) = judge_stacks([Stack(GIVEN, "shares.json")])
    assert one.message.endswith(" This is so when How is 'LEND'.")


def test_a_parameter_that_is_stored_is_given_by_the_name_of_what_holds_it() -> None:
    stored = {"Type": "AWS::SSM::Parameter::Value<String>"}
    template = shares({"Strategy": ref("How")}, Parameters={"How": stored})
    assert said(queue(nesting({"How": "/team/strategy"})), template) == []


SIZES = {"Size": choice("small", "big", default="small"), **STAGE}
OPEN = {name: {"Type": "String"} for name in ("Size", "Stage")}
IF_BIG = {"Strategy": "LEND", "BorrowLimit": either("Big", 50, NO_VALUE)}
IF_BOTH = {"Strategy": "LEND", "BorrowLimit": either("Both", 50, NO_VALUE)}
BIG = {"Big": equals(ref("Size"), "big")}
BOTH = {"Both": {"Fn::And": [{"Condition": "Big"}, {"Condition": "InProd"}]}, **BIG, **IN_PROD}
PASSED = {"Size": ref("Size"), "Stage": ref("Stage")}
BIG_IN_PROD = " when Big is true and InProd is true."


@pytest.mark.parametrize(
    ("nested", "sections", "template", "expected"),
    [
        (
            nesting({"Size": ref("Size")}, Condition="InProd"),
            {"Conditions": IN_PROD, "Parameters": SIZES},
            shares(IF_BIG, Conditions=BIG, Parameters=OPEN),
            [BIG_IN_PROD],
        ),
        (
            nesting(PASSED),
            {"Parameters": SIZES},
            shares(IF_BOTH, Conditions=BOTH, Parameters=OPEN),
            [" when Both is true."],
        ),
        (
            nesting({"Size": either("InProd", ref("Size"), "small")}),
            {"Conditions": IN_PROD, "Parameters": SIZES},
            shares(IF_BIG, Conditions=BIG, Parameters=OPEN),
            [" when Big is true."],
        ),
        (
            nesting({"Size": {"Fn::Sub": "${Size}-${Stage}"}}),
            {"Parameters": SIZES},
            shares(IF_BIG, Conditions={"Big": equals(ref("Size"), "big-prod")}, Parameters=OPEN),
            [" when Big is true."],
        ),
        (
            nesting({"Size": ref("Size"), "Stage": "big"}),
            {"Parameters": {"Size": {"Type": "String", "Default": "small"}}},
            shares(IF_BIG, Conditions={"Big": equals(ref("Size"), ref("Stage"))}, Parameters=OPEN),
            [" when Big is true."],
        ),
        (
            nesting({"Size": ref("Size")}, Condition="InProd"),
            {"Conditions": IN_PROD, "Parameters": {**SIZES, "Size": choice("small", "large")}},
            shares(IF_BIG, Conditions=BIG, Parameters=OPEN),
            [],
        ),
    ],
)
def test_what_is_passed_on_and_compared_there_is_judged_in_all_combinations(
    nested: Body, sections: Body, template: Body, expected: list[str]
) -> None:
    assert said(queue(nested, **sections), template) == expected


@pytest.mark.parametrize(
    "value", [{"Fn::ImportValue": "Size"}, {"Fn::GetAtt": ["Inner", "Outputs.Size"]}]
)
def test_what_another_stack_puts_out_is_compared_too(value: Body) -> None:
    parameters = {"Size": {"Type": "String", "Default": "small"}, **STAGE}
    outputs = {"Size": {"Value": ref("Size"), "Export": {"Name": "Size"}}}
    conditions = {"Big": equals(value, "big"), **IN_PROD}
    template = shares(IF_BOTH, Conditions={**conditions, "Both": BOTH["Both"]}, Parameters=STAGE)
    above = Stack(template, "shares.json", name="Shares")
    is_nested = "Fn::GetAtt" in value
    given = {"Size": ref("Stage")} if is_nested else {}
    template["Resources"]["Inner"] = nesting(given)
    sizes = Stack(
        {"Resources": {}, "Parameters": parameters, "Outputs": outputs},
        "sizes.json",
        name=None if is_nested else "Sizes",
        parent=above if is_nested else None,
        parent_resource="Inner",
    )
    found = [one for one in judge_stacks([above, sizes]) if one.rule.id == "QS-08"]
    # Nested, it is the stage that is the size: never both big and that of production.
    assert [one.message.partition(" This is so")[2] for one in found] == (
        [] if is_nested else [" when Both is true."]
    )


def test_a_size_that_a_nested_stack_puts_out_may_be_what_it_is_given() -> None:
    conditions = {"Big": equals({"Fn::GetAtt": "Inner.Outputs.Size"}, "big")}
    template = shares(IF_BIG, Conditions=conditions, Parameters=SIZES)
    template["Resources"]["Inner"] = nesting({"Size": ref("Size")})
    above = Stack(template, "shares.json", name="Shares")
    inner = {"Resources": {}, "Parameters": OPEN, "Outputs": {"Size": {"Value": ref("Size")}}}
    nested = Stack(inner, "sizes.json", parent=above, parent_resource="Inner")
    found = [one for one in judge_stacks([above, nested]) if one.rule.id == "QS-08"]
    assert [one.message.partition(" This is so")[2] for one in found] == [" when Big is true."]


@pytest.mark.parametrize(("allowed", "is_found"), [("dev", False), ("prod", True), ("", True)])
def test_what_the_rules_of_the_parent_forbid_is_not_told_of_what_it_nests(
    allowed: str, *, is_found: bool
) -> None:
    sharing = {"Strategy": ref("How"), "BorrowLimit": 50}
    inner = shares(sharing, Parameters={"How": {"Type": "String"}})
    how = either("InProd", "LEND", "LEND_AND_BORROW")
    rule = {"Assertions": [{"Assert": equals(ref("Stage"), allowed)}]}
    rules = {"Rules": {"R": rule}} if allowed else {}
    # Nothing of the parent itself is judged with the shares.
    nested = nesting({"Queue": "team-queue", "How": how})
    parent = {"Resources": {"Shares": nested}, **PER_STAGE, **rules}
    assert bool(said(parent, inner)) is is_found


# -- what the parameter of a nested stack allows

TEXT = {"Type": "String"}
UNTAKEN = {"InQ": equals(ref("How"), "q")}


@pytest.mark.parametrize(
    "given",
    [
        ref("Stage"),
        {"Fn::Select": [0, {"Fn::Split": ["-", ref("Stage")]}]},
        {"Fn::ImportValue": "stage"},
        "{{resolve:ssm:stage}}",
    ],
    ids=str,
)
@pytest.mark.parametrize(
    ("declared", "may_be"),
    [
        ({}, True),
        ({"AllowedValues": ["dev", "q"]}, True),
        ({"AllowedValues": ["dev", "prod"]}, False),
    ],
    ids=str,
)
def test_a_nested_stack_is_given_nothing_that_its_parameter_forbids(
    declared: Body, given: Any, *, may_be: bool
) -> None:
    sharing = {"Strategy": "LEND", "BorrowLimit": either("InQ", 50, ref("AWS::NoValue"))}
    inner = shares(sharing, Parameters={"How": {**TEXT, **declared}}, Conditions=UNTAKEN)
    parent = queue(nesting({"How": given}), Parameters={"Stage": TEXT})
    assert bool(said(parent, inner)) is may_be


@pytest.mark.parametrize(
    ("declared", "may_be"),
    [
        ({"AllowedPattern": "dev|q"}, True),
        ({"AllowedPattern": "dev|prod"}, False),
        ({"MinLength": 2}, False),
        ({"MaxLength": 1}, True),
    ],
    ids=str,
)
def test_a_nested_stack_is_given_what_its_pattern_and_length_take(
    declared: Body, *, may_be: bool
) -> None:
    sharing = {"Strategy": "LEND", "BorrowLimit": either("InQ", 50, ref("AWS::NoValue"))}
    inner = shares(sharing, Parameters={"How": {**TEXT, **declared}}, Conditions=UNTAKEN)
    parent = queue(nesting({"How": ref("Stage")}), Parameters={"Stage": TEXT})
    assert bool(said(parent, inner)) is may_be
