"""What is said of a group of resources by what the others of it are, and of which stack it is."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template import explored, plans
from qm_constructs.template.judge import judge_stacks, judgement
from qm_constructs.template.report import whole_path
from qm_constructs.template.stack import Stack
from qm_constructs.template.values import Parts, is_other_than
from tests.test_mutants_plans import (
    HERE,
    LEND,
    OTHER,
    POLICY_ARN,
    REGION,
    WEST,
    arn,
    found,
    resources,
)
from tests.test_resolving import judged, rules_of, template

Body = dict[str, Any]
QUEUE = "Product.JobQueue"
IS_EAST = {"C": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}}
TEXT = {"Type": "String"}


def if_(condition: str, one: Any, other: Any) -> Body:
    return {"Fn::If": [condition, one, other]}


# -- of what is not there


@pytest.mark.parametrize(
    ("type", "properties", "is_told"),
    [
        ("JobQueue", {"JobQueueName": "Queue"}, False),
        ("JobQueue", {"JobQueueName": {"Ref": "Given"}}, False),
        ("JobQueue", {"JobQueueName": "team"}, True),
        ("JobQueue", {}, True),
        ("JobQueue", None, True),
        ("SchedulingPolicy", {"Name": "Queue"}, True),
    ],
    ids=str,
)
def test_a_queue_on_a_condition_may_be_called_as_a_logical_id(
    type: str, properties: Any, *, is_told: bool
) -> None:
    other = {"Type": f"AWS::Batch::{type}", "Properties": properties, "Condition": "C"}
    whole = template(
        {QUEUE: "Queue", "Other": other}, Conditions=IS_EAST, Parameters={"Given": TEXT}
    )
    assert (("CF-04-ID", "Product") in rules_of(judged(whole))) == is_told


def test_a_reference_to_what_a_condition_leaves_out_is_told() -> None:
    whole = template(Conditions=IS_EAST)
    for id in ("Queue", "Research"):
        whole["Resources"][id]["Condition"] = "C"
    assert ("CF-04", "Product") in rules_of(judged(whole))


def test_an_environment_that_is_spelt_as_its_logical_id_is_told() -> None:
    path = "Queue.ServiceEnvironmentOrder.0.ServiceEnvironment"
    assert rules_of(judged(template({path: "Environment"}))) == [("CF-04-ID", "Queue")]


def test_among_many_combinations_another_share_may_lend(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of the shares each is looked at without the others, as there are so many.
    monkeypatch.setattr(explored, "_SURE_WORLDS", 8)
    monkeypatch.setattr(explored, "_MOST_WORLDS", 8)
    monkeypatch.setattr(explored, "_FEWEST_WORLDS", 4)
    names = [f"P{n}" for n in range(5)]
    whole = template(
        {
            "Product.ResourceSharingConfiguration": {"Strategy": "LEND_AND_BORROW"},
            "Research.ResourceSharingConfiguration": LEND,
            "Policy.Tags": {name: if_(name, "a", "b") for name in names},
        },
        Conditions={name: {"Fn::Equals": [{"Ref": name}, "yes"]} for name in names},
        Parameters=dict.fromkeys(names, TEXT),
    )
    assert judged(whole) == []


# -- beside the properties


def test_properties_a_level_too_high_are_told_for_that_alone() -> None:
    share = SOUND["Resources"]["Product"]
    whole = template({"Product": {"Type": share["Type"], **share["Properties"]}})
    assert {rule for rule, _ in rules_of(judged(whole))} == {"CF-01"}


@pytest.mark.parametrize("properties", [[], {"Fn::Transform": {"Name": "Include"}}], ids=str)
def test_what_stands_beside_properties_that_are_none(properties: Any) -> None:
    share = {**SOUND["Resources"]["Product"], "Properties": properties, "JobQueue": "q"}
    assert ("CF-01", "Product") in rules_of(judged(template({"Product": share})))


# -- in another place


def two_queues(one: Any, other: Any) -> Body:
    order = [{"Order": 1, "ServiceEnvironment": {"Ref": "Environment2"}}]
    made = resources(
        Policy={"Name": "p"},
        Environment2={},
        Queue={"SchedulingPolicyArn": one},
        Queue2={"SchedulingPolicyArn": other, "ServiceEnvironmentOrder": order},
        Research={"ResourceSharingConfiguration": LEND},
        Product={"JobQueue": {"Ref": "Queue2"}},
    )
    made["Queue2"]["DependsOn"] = "Policy"
    return made


def test_a_policy_of_the_same_name_in_another_region_is_another() -> None:
    there = arn("scheduling-policy", "p", "us-west-2")
    assert found(two_queues(POLICY_ARN, there), **HERE) == [("XR-09", "Queue2")]
    same = arn("scheduling-policy", "p", REGION)
    assert found(two_queues(POLICY_ARN, same), **HERE) == [("SP-08", "Queue2")]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("A", "the queue 'Queue' of the stack 'A'"),
        (None, "the queue 'Queue' of the template 'a.json'"),
    ],
    ids=str,
)
def test_where_there_are_several_a_queue_is_told_with_its_stack(
    name: str | None, expected: str
) -> None:
    stacks = [
        Stack({"Resources": two_queues(POLICY_ARN, POLICY_ARN)}, "a.json", name=name),
        Stack({"Resources": {}}, "b.json", name="B"),
    ]
    [one] = judge_stacks(stacks)
    assert one.message.startswith(f"This scheduling policy serves {expected} too.")


@pytest.mark.parametrize(
    ("kind", "condition"), [("account", "AWS::AccountId"), ("Region", "AWS::Region")]
)
def test_a_queue_is_there_in_one_place_alone(kind: str, condition: str) -> None:
    there = arn("scheduling-policy", "p", "us-west-2", "123456789012")
    made = resources(Queue={"SchedulingPolicyArn": there})
    value = "111122223333" if kind == "account" else "us-east-1"
    for id in ("Queue", "Research", "Product"):
        made[id]["Condition"] = "C"
    conditions = {"C": {"Fn::Equals": [{"Ref": condition}, value]}}
    said = judged({"Resources": made, "Conditions": conditions})
    assert [one.rule.id for one in said] == ["XR-09"]
    assert f"{kind}" in said[0].message


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (WEST, "It is in Region us-east-1, the stack in us-west-2"),
        (OTHER, "It is in account 111122223333, the stack in 123456789012"),
    ],
    ids=str,
)
def test_a_policy_elsewhere_is_told_beside_the_place_of_the_stack(
    place: dict[str, Any], told: str
) -> None:
    queue = resources(Queue={"SchedulingPolicyArn": arn("scheduling-policy", "p")})["Queue"]
    order = [{"Order": 1, "ServiceEnvironment": "e"}]
    queue["Properties"]["ServiceEnvironmentOrder"] = order
    stack = Stack({"Resources": {"Queue": queue}}, "a.json", **place)
    [one] = judge_stacks([stack])
    assert one.message.startswith(told)


def test_an_environment_without_quota_management_may_leave_a_limit_empty() -> None:
    made = resources(Environment={"CapacityLimits": [{"CapacityUnit": "NUM_INSTANCES"}]})
    alone = {"Environment": made["Environment"]}
    del made["Queue"]["Properties"]["SchedulingPolicyArn"]
    assert found(alone) == [("SE-09", "Environment")]
    assert found({**alone, "Queue": made["Queue"]}) == []


# -- with a macro


def test_a_macro_mends_what_a_policy_lacks_and_nothing_of_its_queue() -> None:
    made = resources(Queue={"SchedulingPolicyArn": {"Fn::ImportValue": "policy"}})
    policy = made.pop("Policy")
    del policy["Properties"]["QuotaSharePolicy"]
    outputs = {"Out": {"Value": POLICY_ARN, "Export": {"Name": "policy"}}}
    whole: Body = {"Resources": {"Policy": policy}, "Outputs": outputs}
    its = [Stack({"Resources": made}, "b.json", name="B")]

    def said(priority: int, **sections: Any) -> list[str]:
        made["Queue"]["Properties"]["Priority"] = priority
        stacks = [Stack({**whole, **sections}, "a.json", name="A"), *its]
        return [one.rule.id for one in judge_stacks(stacks)]

    assert said(1) == ["JQ-07"]
    assert said(1, Transform="Mine") == []
    assert said(1001) == ["JQ-01", "JQ-07"]
    assert said(1001, Transform="Mine") == ["JQ-01"]


@pytest.mark.parametrize(
    ("sections", "is_told"),
    [
        ({}, True),
        ({"Transform": "AWS::Serverless-2016-10-31"}, False),
        ({"Parameters": {"Fn::ForEach::P": ["P", ["a"], {}]}}, False),
        ({"Parameters": {"P": TEXT}}, True),
    ],
    ids=str,
)
def test_what_a_macro_or_a_loop_may_make_is_not_lacking(sections: Body, *, is_told: bool) -> None:
    whole = template({"Queue.JobQueueName": {"Ref": "Name"}}, **sections)
    assert (("CF-04", "Queue") in rules_of(judged(whole))) == is_told


# -- where it is told


@pytest.mark.parametrize(
    ("path", "whole"),
    [
        (("Conditions", "C"), ("Conditions", "C")),
        (("Conditions", "C", "Fn::Equals"), ("Conditions", "C", "Fn::Equals")),
        (("Outputs", "Out", "Value"), ("Outputs", "Out", "Value")),
        (("Outputs", "Out"), ("Outputs", "Out")),
        (("Conditions",), ("Resources", "Queue", "Conditions")),
        (("Outputs",), ("Resources", "Queue", "Outputs")),
        (("Properties", "Tags"), ("Resources", "Queue", "Properties", "Tags")),
        ((), ("Resources", "Queue")),
    ],
    ids=str,
)
def test_the_place_in_the_whole_template(path: tuple[str, ...], whole: tuple[str, ...]) -> None:
    assert whole_path("Queue", path) == whole


# -- by which name


def sized(limit: Any, queue: Any, **sections: Any) -> Body:
    share = copy.deepcopy(SOUND["Resources"]["Product"])
    share["Properties"]["JobQueue"] = queue
    share["Properties"]["CapacityLimits"][0]["MaxCapacity"] = limit
    return {"Resources": {"Share": share}, **sections}


SIZES = {"Mappings": {"S": {"us-east-1": {"n": 0}, "eu-west-1": {"n": 16}}}}
OF_REGION = {"Fn::FindInMap": ["S", {"Ref": "AWS::Region"}, "n"]}


def nested(inner: Body, outer: Body) -> list[Stack]:
    parent = Stack(copy.deepcopy(outer), "a.json", name="A")
    return [parent, Stack(inner, "inner.json", parent=parent, parent_resource="Inner")]


def nesting(**parameters: Any) -> Body:
    given = {"TemplateURL": "x", "Parameters": parameters}
    return {"Inner": {"Type": "AWS::CloudFormation::Stack", "Properties": given}}


def when(stacks: list[Stack]) -> dict[str, str]:
    return {
        one.file: one.message.partition(" This is so ")[2]
        for one in judge_stacks(stacks)
        if one.rule.id == "QS-05"
    }


def test_of_two_stacks_each_has_a_region_of_its_own() -> None:
    here = "when AWS::Region of this stack is 'us-east-1'."
    stacks = [Stack(sized(OF_REGION, "q", **SIZES), file) for file in ("a.json", "b.json")]
    assert when(stacks) == {"a.json": here, "b.json": here}
    inner, outer = sized(OF_REGION, "q", **SIZES), {"Resources": nesting()}
    assert when([*nested(inner, outer), stacks[1]]) == {"inner.json": here, "b.json": here}


def test_a_condition_of_the_parent_that_another_stack_has_too() -> None:
    limit = if_("C", 0, 4)
    outer = {"Resources": nesting(Size=limit), "Conditions": IS_EAST}
    inner = sized({"Ref": "Size"}, "q", Parameters={"Size": {"Type": "Number"}})
    other = Stack(sized(limit, "q", Conditions=IS_EAST), "b.json", name="B")
    assert when([*nested(inner, outer), other]) == {
        "inner.json": "when C of 'A' is true.",
        "b.json": "when C of this stack is true.",
    }


def test_what_has_a_name_is_not_sought_among_all_that_have_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[str] = []

    def noted(parts: Parts, name: str) -> bool:
        compared.append(name)
        return is_other_than(parts, name)

    monkeypatch.setattr(plans, "is_other_than", noted)
    whole = copy.deepcopy(SOUND)
    environment = whole["Resources"]["Environment"]
    for n in range(20):
        one = copy.deepcopy(environment)
        one["Properties"]["ServiceEnvironmentName"] = f"E{n}"
        whole["Resources"][f"E{n}"] = one
    order = whole["Resources"]["Queue"]["Properties"]["ServiceEnvironmentOrder"]
    order[0]["ServiceEnvironment"] = whole["Resources"]["Queue"]["DependsOn"] = "E7"
    assert not [
        one for one in judgement([Stack(whole, "a.json")]).findings if one.rule.id == "CF-04-ID"
    ]
    assert compared == []
