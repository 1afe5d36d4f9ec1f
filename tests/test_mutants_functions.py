"""Intrinsic functions that are written wrongly, and what is and is not one and the same text."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack

SECTIONS: dict[str, Any] = {
    "Parameters": {"P": {"Type": "String"}, "One": {"Type": "String", "Default": "1001"}},
    "Mappings": {
        "M": {"top": {"high": 1001, "low": 1}, "deep": {"one": {"a": "b"}, "two": {"a": "b"}}}
    },
}


def found_of(template: dict[str, Any], **attributes: Any) -> list[tuple[str, str]]:
    found = judge_stacks([Stack(template, "a.json", **attributes)])
    return [(one.rule.id, one.resource) for one in found]


def priority(value: Any) -> list[tuple[str, str]]:
    whole = {**copy.deepcopy(SOUND), **SECTIONS}
    whole["Resources"]["Queue"]["Properties"]["Priority"] = value
    return found_of(whole)


@pytest.mark.parametrize(
    "value",
    [
        {"Fn::Sub": ["${One}", {}]},
        {"Fn::Sub": ["${ One }", {}]},
        {"Fn::Sub": ["${A}01", {"A": "10"}]},
        {"Fn::Sub": ["${One}", {"Two": "1"}]},
        {"Fn::Join": ["", ["1001"]]},
        {"Fn::Join": ["0", ["1", "01"]]},
        {"Fn::Select": ["0", ["1001"]]},
        {"Fn::Select": [1, {"Fn::Split": ["/", "1/1001"]}]},
        {"Fn::Select": [1, {"Fn::Split": ["--", "1--1001"]}]},
        {"Fn::FindInMap": ["M", "top", "high", {"DefaultValue": 1}]},
        {"Fn::FindInMap": ["M", "no", "high", {"DefaultValue": 1001}]},
        {"Fn::FindInMap": ["No", "top", "high", {"DefaultValue": 1001}]},
    ],
    ids=str,
)
def test_what_is_known_is_1001(value: Any) -> None:
    assert priority(value) == [("JQ-01", "Queue")]


@pytest.mark.parametrize(
    "value",
    [
        {"Fn::Sub": ["1001", {}, "more"]},
        {"Fn::Sub": ["1001"]},
        {"Fn::Sub": [1001, {}]},
        {"Fn::Sub": ["${P}001", 3]},
        {"Fn::Sub": ["1001", "x"]},
        {"Fn::Sub": 1001},
        {"Fn::Sub": ["${V}", {"V": [1001]}]},
        {"Fn::Join": ["", ["1001"], "more"]},
        {"Fn::Join": ["1001"]},
        {"Fn::Join": [1, ["1001"]]},
        {"Fn::Join": ["", "1001"]},
        {"Fn::Join": ["", ["1001", ["x"]]]},
        {"Fn::Join": "xy"},
        {"Fn::Select": [0, ["1001"], "more"]},
        {"Fn::Select": [2, [1, 1001]]},
        {"Fn::Select": [-1, [1, 1001]]},
        {"Fn::Select": ["x", [1, 1001]]},
        {"Fn::Select": [0, "1001"]},
        {"Fn::Select": "xy"},
        {"Fn::Select": [0, {"Fn::Split": ["", "1001"]}]},
        {"Fn::Select": [0, {"Fn::Split": [3, "1001"]}]},
        {"Fn::Select": [0, {"Fn::Split": [",", ["1001"]]}]},
        {"Fn::Select": [0, {"Fn::Split": [",", "1001", "more"]}]},
        {"Fn::Select": [0, {"Fn::Split": "xy"}]},
        {"Fn::FindInMap": ["M", "top"]},
        {"Fn::FindInMap": ["M", "top", "high", {}, "more"]},
        {"Fn::FindInMap": ["M", "top", "none", {"Default": 1001}]},
        {"Fn::FindInMap": ["M", "top", "none", [1001]]},
        {"Fn::FindInMap": "xyz"},
        {"Fn::If": ["No", 1001]},
        {"Fn::GetAtt": ["Queue", "Arn", "more"]},
        {"Fn::GetAtt": [3, "Arn"]},
        {"Fn::GetAtt": ["Nowhere", {"Ref": "P"}]},
        {"Fn::ImportValue": {"Ref": "P"}},
        {"Fn::ImportValue": ["x"]},
        {"Fn::GetStackOutput": ["x"]},
        {"Ref": 3},
        {"Ref": "P", "Fn::Sub": "1001"},
        {"Fn::Nothing": "1001"},
        {"Fn::ForEach::X": ["A", [], {}]},
    ],
    ids=str,
)
def test_what_is_written_wrongly_is_not_known(value: Any) -> None:
    assert [rule for rule, _ in priority(value) if rule not in ("CF-02", "CF-05")] == []


def same(one: Any, other: Any, **attributes: Any) -> bool:
    """Tells whether two shares of one name are taken to be in one queue, which is elsewhere."""
    research, product = (copy.deepcopy(SOUND["Resources"][id]) for id in ("Research", "Product"))
    research["Properties"]["JobQueue"] = one
    product["Properties"].update(JobQueue=other, QuotaShareName="research")
    template = {"Resources": {"Research": research, "Product": product}, **SECTIONS}
    # What is asked of nothing there is counts as not known beside.
    found = {rule for rule, _ in found_of(template, **attributes)} - {"CF-04", "CF-05"}
    assert found <= {"QS-03"}
    return bool(found)


SUB = {"Fn::Sub": "x/${P}"}
IN_REGION = {"Fn::Sub": "a-${AWS::Region}"}


@pytest.mark.parametrize(
    "unknown",
    [
        ({"Fn::Sub": 3}, {"Fn::Sub": 4}),
        ({"Fn::Sub": ["a${V}", {"V": [1]}]}, {"Fn::Sub": ["a${V}", {"V": [2]}]}),
        ({"Fn::Join": 3}, {"Fn::Join": 4}),
        ({"Fn::Join": ["", "a"]}, {"Fn::Join": ["", "b"]}),
        ({"Fn::Join": ["", [["a"]]]}, {"Fn::Join": ["", [["b"]]]}),
        ({"Fn::Select": 3}, {"Fn::Select": 4}),
        ({"Fn::Select": ["x", ["a"]]}, {"Fn::Select": ["y", ["a"]]}),
        ({"Fn::Select": [1, ["a"]]}, {"Fn::Select": [2, ["a"]]}),
        ({"Fn::FindInMap": 3}, {"Fn::FindInMap": 4}),
        ({"Fn::FindInMap": ["M", "a", "b"]}, {"Fn::FindInMap": ["M", "a", "c"]}),
        ({"Fn::FindInMap": ["M", {"Ref": "P"}, "b"]}, {"Fn::FindInMap": ["M", {"Ref": "P"}, "c"]}),
        (
            {"Fn::FindInMap": ["M", {"Fn::GetAtt": ["A", "b"]}, "b"]},
            {"Fn::FindInMap": ["M", {"Fn::GetAtt": ["A", "b"]}, "c"]},
        ),
        ({"Fn::FindInMap": ["M", "deep", "one"]}, {"Fn::FindInMap": ["M", "deep", "two"]}),
        ({"Fn::Sub": "${a b}x"}, {"Fn::Sub": "${a b}y"}),
        ({"Fn::Sub": "x" * 100_001}, {"Fn::Sub": "y" * 100_001}),
        ({"Fn::Join": ["", ["x" * 100_001]]}, {"Fn::Join": ["", ["y" * 100_001]]}),
        ({"Fn::If": ["C", "a"]}, {"Fn::If": ["C", "b"]}),
        ({"Fn::GetAtt": ["A", "b"]}, {"Fn::GetAtt": ["A", "c"]}),
        ({"Fn::GetAtt": 3}, {"Fn::GetAtt": 4}),
        ({"Fn::ImportValue": "a"}, {"Fn::ImportValue": "b"}),
        ({"Fn::Nothing": "a"}, {"Fn::Nothing": "b"}),
        ({"Ref": "Nowhere"}, {"Ref": "Elsewhere"}),
        (
            {"Fn::GetStackOutput": {"StackName": "a", "OutputName": "b"}},
            {"Fn::GetStackOutput": {"StackName": "a", "OutputName": "c"}},
        ),
    ],
    ids=lambda unknown: str(unknown)[:80],
)
def test_two_expressions_that_are_not_known_are_two_queues(unknown: tuple[Any, Any]) -> None:
    one, other = unknown
    assert same(one, copy.deepcopy(one))
    assert not same(one, other)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        # A parameter may have a slash or a dash in it, a Region a dash.
        ({"Fn::Select": [1, {"Fn::Split": ["/", SUB]}]}, {"Ref": "P"}, False),
        ({"Fn::Select": [1, {"Fn::Split": ["-", IN_REGION]}]}, {"Ref": "AWS::Region"}, False),
        ({"Fn::Select": [1, {"Fn::Split": ["/", {"Fn::Sub": "a/x${AWS::Region}"}]}]}, "x", False),
        (
            {"Fn::Select": [1, {"Fn::Split": ["/", {"Fn::Sub": "a/x-${AWS::Region}"}]}]},
            {"Fn::Sub": "x-${AWS::Region}"},
            True,
        ),
        (
            {"Fn::Select": [1, {"Fn::Split": [":", {"Fn::Sub": "a:x-${AWS::StackName}"}]}]},
            {"Fn::Join": ["-", ["x", {"Ref": "AWS::StackName"}]]},
            True,
        ),
        ({"Fn::Select": [0, {"Fn::Split": [".", "x.y"]}]}, "x", True),
        ({"Fn::Join": ["-", ["x", {"Ref": "P"}]]}, {"Fn::Sub": "x-${P}"}, True),
        ({"Fn::Join": ["-", ["x", {"Ref": "P"}]]}, {"Fn::Sub": "x${P}"}, False),
        ({"Fn::Sub": ["x-${P}", {"P": "y"}]}, "x-y", True),
        ({"Fn::Sub": "x-${A.B}"}, {"Fn::Join": ["-", ["x", {"Fn::GetAtt": "A.B"}]]}, True),
        ("{{resolve:ssm:/q}}", "{{resolve:ssm:/q}}", True),
        ("{{resolve:ssm:/q}}", {"Fn::Sub": "{{resolve:ssm:/q}}"}, True),
        ("{{resolve:ssm:/q}}", "{{resolve:ssm:/r}}", False),
    ],
    ids=str,
)
def test_what_is_partly_known(one: Any, other: Any, is_same: bool) -> None:
    assert same(one, other) == is_same


ARN = "arn:aws:batch:us-east-1:111122223333:job-queue/q"


@pytest.mark.parametrize(
    ("region", "partition"),
    [
        ("us-east-1", "aws"),
        ("cn-north-1", "aws-cn"),
        ("us-gov-west-1", "aws-us-gov"),
        ("us-isob-east-1", "aws-iso-b"),
    ],
)
def test_the_partition_follows_from_the_region(region: str, partition: str) -> None:
    here = {"account": "111122223333", "region": region}
    arn = {"Fn::Sub": "arn:${AWS::Partition}:batch:${AWS::Region}:${AWS::AccountId}:job-queue/q"}
    there = f"arn:{partition}:batch:{region}:111122223333:job-queue/q"
    assert same(arn, there, **here)
    assert same("q", there, **here)


def test_the_name_of_the_stack_is_known_where_it_is_given() -> None:
    assert same({"Fn::Sub": "${AWS::StackName}-q"}, "Team-q", name="Team")
    assert not same({"Fn::Sub": "${AWS::StackName}-q"}, "Team-q", name="Other")
    assert not same({"Fn::Sub": "${AWS::StackName}-q"}, "Team-q")


def test_a_dollar_that_is_written_out() -> None:
    whole = {**copy.deepcopy(SOUND), **SECTIONS}
    whole["Resources"]["Product"]["Properties"]["QuotaShareName"] = {"Fn::Sub": "a${!P}b"}
    [found] = judge_stacks([Stack(whole, "a.json")])
    assert found.message.endswith("this one has '$', '{', '}'.")
    assert found.fix.startswith("Write it with Fn::Sub")


def test_a_dynamic_reference_in_two_stacks_may_be_two_values() -> None:
    def stack(name: str) -> Stack:
        share = copy.deepcopy(SOUND["Resources"]["Product"])
        share["Properties"]["JobQueue"] = {"Fn::Sub": "{{resolve:ssm:/q}}"}
        return Stack({"Resources": {"Share": share}}, f"{name}.json", name=name)

    assert judge_stacks([stack("A"), stack("B")]) == []
