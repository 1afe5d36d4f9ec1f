"""What parameters are compared with, however a template does so, and in whatever stack."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.compared import compared_with, names_its_regions
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Universe

Body = dict[str, Any]
P, Q, REGION = {"Ref": "P"}, {"Ref": "Q"}, {"Ref": "AWS::Region"}
SHARE = {"Type": "AWS::Batch::QuotaShare", "Condition": "C", "Properties": {}}
NESTED = "AWS::CloudFormation::Stack"


def equals(*sides: Any) -> Body:
    return {"Fn::Equals": [*sides]}


def with_condition(condition: Any, **sections: Any) -> Body:
    """Returns a template whose one resource is there on a condition."""
    return {"Resources": {"S": SHARE}, "Conditions": {"C": condition}, **sections}


def texts(universe: Universe, stack: int = 0) -> Body:
    """Returns by name what P, Q, L and the entries of L are compared with, where any is."""
    names = ("P", "Q", "L", "L[0]", "L[1]", "L[2]")
    found = {name: sorted(compared_with(universe, stack, name)) for name in names}
    return {name: told for name, told in found.items() if told}


def alone(whole: Body) -> Body:
    return texts(Universe([Stack(whole, "a.json")]))


@pytest.mark.parametrize(
    ("node", "text", "expected"),
    [
        ({"Fn::If": ["X", P, Q]}, "x", {"P": ["x"], "Q": ["x"]}),
        ({"Fn::If": ["X", {"Fn::If": ["X", "y", P]}, "z"]}, "x", {"P": ["x"]}),
        ({"Fn::If": 3}, "x", {}),
        # An entry of a list, and the list joined, are told as its parameter is given.
        ({"Fn::Select": [0, {"Ref": "L"}]}, "x", {"L[0]": ["x"]}),
        ({"Fn::Select": ["2", {"Ref": "L"}]}, "x", {"L[2]": ["x"]}),
        ({"Fn::Select": ["-", {"Ref": "L"}]}, "a-b", {}),
        ({"Fn::Select": [0, {"Ref": "L"}], "X": 1}, "x", {}),
        (
            {"Fn::Sub": ["p${x}", {"x": {"Fn::Select": [1, {"Ref": "L"}]}}]},
            "pa",
            {"L[1]": ["a"]},
        ),
        ({"Fn::Select": [0, ["y", P]]}, "x", {}),
        ({"Fn::Select": [0]}, "x", {}),
        ({"Fn::Join": ["-", {"Ref": "L"}]}, "a-b", {"L": ["a,b"]}),
        ({"Fn::Join": ["", {"Ref": "L"}]}, "a-b", {"L": ["a-b"]}),
        ({"Fn::Join": [3, {"Ref": "L"}]}, "a3b", {}),
        ({"Fn::Join": ["-", {"Ref": "L"}], "X": 1}, "a-b", {}),
        # Of a text that is put together each part.
        ({"Fn::Join": ["-", ["a", P]]}, "a-x", {"P": ["x"]}),
        ({"Fn::Join": ["-", ["a", P, 3]]}, "a-x-3", {"P": ["x"]}),
        ({"Fn::Join": ["-", [True, P]]}, "true-x", {"P": ["x"]}),
        ({"Fn::Join": ["-", [P, Q]]}, "x-y", {"P": ["x"], "Q": ["y"]}),
        ({"Fn::Join": ["-", [P, Q]]}, "a-b-c", {"P": ["a", "a-b"], "Q": ["b-c", "c"]}),
        ({"Fn::Join": ["-", ["b", P]]}, "a-x", {}),
        ({"Fn::Join": ["-", ["a", P, {"Fn::ImportValue": "i"}]]}, "a-x-y", {}),
        ({"Fn::Join": [3, ["a", P]]}, "a3x", {}),
        ({"Fn::Join": ["-", ["a", P], "-"]}, "a-x", {}),
        ({"Fn::Join": ["-", ["a", P]], "X": 1}, "a-x", {}),
        ({"Fn::Sub": "a-${P}"}, "a-x", {"P": ["x"]}),
        ({"Fn::Sub": "${P}${Q}"}, "xy", {"P": ["", "x", "xy"], "Q": ["", "xy", "y"]}),
        ({"Fn::Sub": "${P}.${P}"}, "x.x", {"P": ["x"]}),
        ({"Fn::Sub": "${P}.${P}"}, "x.y", {}),
        ({"Fn::Sub": ["a-${Q}", {"Q": P}]}, "a-x", {"P": ["x"]}),
        ({"Fn::Sub": ["a-${Q}${P}", {"Q": "q"}]}, "a-qx", {"P": ["x"]}),
        ({"Fn::Sub": ["a-${Q}${P}", {"Q": {"Fn::ImportValue": "i"}}]}, "a-qx", {}),
        ({"Fn::Sub": ["a-${P}", [1]]}, "a-x", {}),
        ({"Fn::Sub": ["a-${P}"]}, "a-x", {}),
        ({"Fn::Sub": "a-${P}", "X": 1}, "a-x", {}),
        ({"Fn::Sub": "${!P}-${P}"}, "${!P}-x", {"P": ["x"]}),
        ({"Ref": ["P"]}, "x", {}),
        # Of many ways the first eight.
        (
            {"Fn::Sub": "${P}${Q}"},
            "a" * 9,
            {q: ["a" * n for n in w] for q, w in (("P", range(8)), ("Q", range(2, 10)))},
        ),
    ],
    ids=str,
)
def test_what_the_parameters_in_an_expression_are_compared_with(
    node: Any, text: str, expected: Body
) -> None:
    for sides in ((node, text), (text, node)):
        assert alone(with_condition(equals(*sides))) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"Fn::EachMemberEquals": [[P, Q], "x"]}, {"P": ["x"], "Q": ["x"]}),
        ({"Fn::EachMemberEquals": [P, "x"]}, {}),
        ({"Fn::EachMemberEquals": [[P]]}, {}),
        ({"Fn::Contains": [["x", "y"], P]}, {"P": ["x", "y"]}),
        ({"Fn::Contains": [P, "x"]}, {}),
        (equals(P, {"Fn::ImportValue": "nowhere"}), {}),
        (equals(P, {"Fn::GetAtt": "N"}), {}),
        (equals(P, {"Fn::GetAtt": [["N"], "Outputs.O"]}), {}),
        (equals(P, 3), {"P": ["3"]}),
        (equals(P, False), {"P": ["false"]}),
        (equals(P, ["x"]), {}),
    ],
    ids=str,
)
def test_what_the_rules_of_a_template_compare_counts_as_what_a_condition_does(
    condition: Any, expected: Body
) -> None:
    rules = {"R": {"Assertions": [{"Assert": condition}]}}
    assert alone(with_condition(condition)) == expected
    assert alone({"Resources": {"S": SHARE}, "Rules": rules}) == expected
    # A template may have all sections.
    assert alone(with_condition("C", Rules=rules, Mappings={"M": {}})) == expected


def test_what_only_an_output_compares_counts_where_there_is_another_stack() -> None:
    value = {"Fn::If": ["D", "a", "b"]}
    whole = with_condition(equals(P, "x"), Outputs={"O": {"Value": value}})
    whole["Conditions"]["D"] = equals(Q, "y")
    assert alone(whole) == {"P": ["x"]}
    both = Universe([Stack(whole, "a.json"), Stack({}, "b.json")])
    assert texts(both) == {"P": ["x"], "Q": ["y"]}


def nested(whole: Body, given: Any, **sections: Any) -> Universe:
    """Returns a stack, and another nested in it that is given something for P."""
    properties = {"TemplateURL": "u", "Parameters": {"P": given}}
    inner: Body = {"N": {"Type": NESTED, "Properties": properties}}
    outer = {**sections, "Resources": {**inner, **sections.get("Resources", {})}}
    parent = Stack(outer, "outer.json")
    return Universe([parent, Stack(whole, "inner.json", parent=parent, parent_resource="N")])


@pytest.mark.parametrize(
    ("node", "given", "expected"),
    [
        (P, P, ["x"]),
        ({"Fn::Sub": "a${P}"}, P, []),
        ({"Fn::Sub": "${P}"}, P, ["x"]),
        ({"Fn::Sub": "x${P}"}, {"Fn::Sub": "a${P}"}, []),
        ({"Fn::If": ["X", P, 1]}, {"Fn::If": ["X", 1, P]}, ["x"]),
        (P, {"Fn::Sub": "${P}"}, ["x"]),
        ({"Fn::Sub": "${Q}"}, P, []),
    ],
    ids=str,
)
def test_what_a_nested_stack_compares_counts_for_what_it_is_given(
    node: Any, given: Any, expected: list[str]
) -> None:
    made = nested(with_condition(equals(node, "x"), Parameters={"P": {"Type": "String"}}), given)
    assert compared_with(made, 0, "P") == expected


def test_a_part_of_a_text_is_told_in_both_stacks() -> None:
    made = nested(with_condition(equals({"Fn::Sub": "${P}-x"}, "a-x")), P)
    assert texts(made, 0) == texts(made, 1) == {"P": ["a"]}


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        (["N", "Outputs.O"], ["x"]),
        ("N.Outputs.O", ["x"]),
        (["N", "Outputs.Other"], []),
        ("N.Outputs", []),
        ("N", []),
        ("M.Outputs.O", []),
    ],
    ids=str,
)
def test_what_a_stack_compares_counts_for_what_a_nested_one_gives(
    argument: Any, expected: list[str]
) -> None:
    inner: Body = {"Resources": {}, "Outputs": {"O": {"Value": P}}}
    outer = with_condition(equals({"Fn::GetAtt": argument}, "x"))
    assert compared_with(nested(inner, "y", **outer), 1, "P") == expected
    # And what the nested one gives, written out, is compared.
    inner = {"Resources": {}, "Outputs": {"O": {"Value": "x"}}}
    outer = with_condition(equals({"Fn::GetAtt": argument}, Q))
    assert compared_with(nested(inner, "y", **outer), 0, "Q") == expected


@pytest.mark.parametrize("value", [P, {"Fn::If": ["X", P, 1]}, {"Fn::Sub": "${P}"}], ids=str)
def test_what_leads_in_a_circle_is_compared_with_nothing_more(value: Any) -> None:
    inner = with_condition(equals(value, "x"), Outputs={"O": {"Value": value}})
    made = nested(inner, {"Fn::GetAtt": "N.Outputs.O"})
    assert compared_with(made, 1, "P") == ["x"]


@pytest.mark.parametrize("value", [P, {"Fn::Sub": "${P}"}], ids=str)
@pytest.mark.parametrize(("depth", "expected"), [(99, ["x"]), (100, [])])
def test_it_is_told_through_a_hundred_stacks(value: Any, depth: int, expected: list[str]) -> None:
    def inside(**sections: Any) -> Body:
        properties = {"TemplateURL": "u", "Parameters": {"P": value}}
        return {"Resources": {"N": {"Type": NESTED, "Properties": properties}}, **sections}

    stacks = [Stack(inside(), "0.json")]
    for number in range(1, depth + 1):
        whole = inside() if number < depth else with_condition(equals(value, "x"))
        stacks.append(Stack(whole, f"{number}.json", parent=stacks[-1], parent_resource="N"))
    assert compared_with(Universe(stacks), 0, "P") == expected


@pytest.mark.parametrize(
    ("assertion", "expected"),
    [
        (equals(REGION, "us-east-1"), True),
        (equals({"Fn::Sub": "x-${AWS::Region}"}, "x-us-east-1"), False),
        (equals({"Fn::If": ["C", REGION, "x"]}, "us-east-1"), True),
        (equals(P, "us-east-1"), False),
        ({"Fn::Contains": [["us-east-1"], REGION]}, True),
        ("x", False),
    ],
    ids=str,
)
def test_the_regions_that_a_rule_names(assertion: Any, *, expected: bool) -> None:
    for more, is_named in (({}, expected), ({"RuleCondition": equals(P, "x")}, False)):
        rules = {"R": {"Assertions": [{"Assert": assertion}], **more}}
        whole = with_condition(equals(P, "x"), Rules=rules)
        assert names_its_regions(Universe([Stack(whole, "a.json")]), 0) is is_named
