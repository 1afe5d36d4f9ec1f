"""What a template tells before it is resolved: who mentions whom, and what is compared."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.plan import QUOTA_SHARE
from qm_constructs.template.calls import walk
from qm_constructs.template.compared import compared_with
from qm_constructs.template.components import components, depends_on
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Universe, mentioned_ids


def universe(*templates: dict[str, Any], **attributes: Any) -> Universe:
    return Universe([Stack(t, f"{n}.json", **attributes) for n, t in enumerate(templates)])


@pytest.mark.parametrize(
    ("node", "ids"),
    [
        ({"Ref": "A"}, ["A"]),
        ({"Ref": 3}, []),
        ({"Fn::GetAtt": ["A", "Arn"]}, ["A"]),
        ({"Fn::GetAtt": "A.Arn"}, ["A"]),
        ({"Fn::GetAtt": "A.B.C"}, ["A"]),
        ({"Fn::GetAtt": []}, []),
        ({"Fn::GetAtt": [3]}, []),
        ({"Fn::GetAtt": 3}, []),
        ({"Fn::Sub": "x${A}y${B.Arn}z${!C}"}, ["A", "B"]),
        ({"Fn::Sub": "${AWS::Region}${A:b}"}, ["A:b", "AWS::Region"]),
        ({"Fn::Sub": ["${A}", {"A": {"Ref": "B"}}]}, ["A", "B"]),
        ({"Fn::Sub": []}, []),
        ({"Fn::Sub": 3}, []),
        ({"Fn::Other": "A"}, []),
        ([{"X": {"Ref": "A"}}, [{"Ref": "B"}]], ["A", "B"]),
        ("A", []),
        (None, []),
    ],
    ids=str,
)
def test_the_ids_that_are_mentioned(node: Any, ids: list[str]) -> None:
    assert sorted(mentioned_ids(node)) == ids


def test_every_mapping_is_walked() -> None:
    inner: dict[str, Any] = {"a": 1}
    assert list(walk([inner, [inner], "x"])) == [inner, inner]
    assert list(walk({"b": inner})) == [{"b": inner}, inner]
    assert list(walk(3)) == []


@pytest.mark.parametrize(
    ("template", "more"),
    [
        ({"Resources": {}}, False),
        ({"Transform": "AWS::Serverless-2016-10-31"}, False),
        ({"Transform": ["AWS::Serverless-2016-10-31", "AWS::LanguageExtensions"]}, False),
        ({"Transform": ["AWS::LanguageExtensions", "Mine"]}, True),
        ({"Transform": "Mine"}, True),
        ({"Transform": {"Name": "AWS::Include"}}, True),
        ({"Resources": {"Fn::ForEach::X": []}}, True),
        ({"Resources": {"M": {"Type": "My::Own::Thing::MODULE"}}}, True),
        ({"Resources": {"M": {"Type": "My::Own::MODULE::Thing"}}}, False),
        ({"Resources": {"M": None, "N": {"Type": 3}}}, False),
        ({"Resources": []}, False),
    ],
    ids=str,
)
def test_which_templates_may_hold_more(template: dict[str, Any], more: bool) -> None:
    assert universe({"Resources": {}}, template).with_more == ({1} if more else set())


def test_the_resources_of_the_four_types() -> None:
    share = {"Type": QUOTA_SHARE}
    resources = {"A": share, "B": {"Type": "AWS::S3::Bucket"}, "C": {}, "D": None, "E": share}
    made = universe({"Resources": {"X": {"Type": ["a"]}}}, {"Resources": resources})
    assert [(m.stack, m.id, m.type, m.body) for m in made.members] == [
        (1, "A", QUOTA_SHARE, share),
        (1, "E", QUOTA_SHARE, share),
    ]
    assert made.members_of == [[], made.members]
    assert made.member_of[1, "E"] is made.members[1]
    assert made.type_of(1, "B") == "AWS::S3::Bucket"
    assert made.type_of(1, "A") == QUOTA_SHARE
    assert made.type_of(1, "D") is None
    assert made.type_of(0, "A") is None


def test_exports_by_name() -> None:
    def output(name: Any) -> dict[str, Any]:
        return {"Value": 1, "Export": {"Name": name}}

    sub = {"Fn::Sub": "${AWS::StackName}-Q"}
    outputs = {
        "A": output("plain"),
        "B": output(sub),
        "C": output({"Fn::Sub": "${AWS::Region}-Q"}),
        "D": output({"Ref": "P"}),
        "E": output({"Fn::Sub": [3]}),
        "F": {"Value": 1},
        "G": None,
        "H": {"Export": "x"},
        "I": output("${x}"),
    }
    made = universe({"Outputs": outputs}, {"Outputs": {"A": output("plain")}}, name="S")
    assert {
        name: [stack for stack, _ in found] for name, found in made.outputs_by_export.items()
    } == {
        "plain": [0, 1],
        "S-Q": [0],
    }
    assert made.outputs_by_export["S-Q"] == [(0, output(sub))]
    assert made.stacks_named == {"S": [0, 1]}
    unnamed = universe({"Outputs": outputs})
    assert list(unnamed.outputs_by_export) == ["plain"]
    assert unnamed.stacks_named == {}


MAPPINGS = {"M": {"one": {"a": 1, "b": 2}, "two": {"c": 3}, "odd": 4}}


@pytest.mark.parametrize(
    ("node", "texts"),
    [
        ({"Fn::Equals": [{"Ref": "P"}, "x"]}, ["x"]),
        ({"Fn::Equals": ["x", {"Ref": "P"}]}, ["x"]),
        ({"Fn::Equals": [3, {"Ref": "P"}]}, ["3"]),
        ({"Fn::Equals": [True, {"Ref": "P"}]}, ["true"]),
        ({"Fn::Equals": [{"Ref": "P"}, {"Ref": "Q"}]}, []),
        ({"Fn::Equals": [{"Ref": "Q"}, "x"]}, []),
        ({"Fn::Equals": [{"Ref": "P"}, "x", "y"]}, []),
        ({"Fn::Equals": "x"}, []),
        ({"Fn::Equals": [{"Ref": "P", "X": 1}, "x"]}, []),
        ({"Fn::Or": [{"Fn::Equals": [{"Ref": "P"}, t]} for t in ("x", "y", "x")]}, "xy"),
        ({"Fn::FindInMap": ["M", {"Ref": "P"}, "a"]}, ["one", "two", "odd"]),
        ({"Fn::FindInMap": ["M", "one", {"Ref": "P"}]}, "abc"),
        ({"Fn::FindInMap": ["M", {"Ref": "P"}, {"Ref": "P"}, {}]}, ["one", "two", "odd", *"abc"]),
        ({"Fn::FindInMap": ["M", {"Ref": "P"}]}, []),
        ({"Fn::FindInMap": ["N", {"Ref": "P"}, "a"]}, []),
        ({"Fn::FindInMap": [{"Ref": "P"}, {"Ref": "P"}, "a"]}, []),
        ({"Fn::FindInMap": "xyz"}, []),
    ],
    ids=str,
)
def test_what_a_parameter_is_compared_with(node: Any, texts: Any) -> None:
    share = {"Type": QUOTA_SHARE, "Properties": {"X": node}}
    made = universe({"Resources": {"S": share}, "Mappings": MAPPINGS}, {})
    # The order is that of the walk, which begins at the end of a list.
    assert sorted(compared_with(made, 0, "P")) == sorted(texts)
    assert compared_with(made, 1, "P") == []


def test_only_conditions_that_matter_are_compared() -> None:
    def equals(name: str) -> dict[str, Any]:
        return {"Fn::Equals": [{"Ref": name}, name.lower()]}

    conditions = {
        "Of": equals("A"),
        "In": {"Fn::And": [{"Condition": "Behind"}, equals("B")]},
        "Behind": {"Fn::Not": [{"Condition": "In"}, equals("C")]},
        "Idle": equals("D"),
    }
    share = {
        "Type": QUOTA_SHARE,
        "Condition": "Of",
        "Properties": {"X": {"Fn::If": ["In", 1, 2]}, "Y": {"Fn::If": "Idle"}, "Z": {"Fn::If": []}},
    }
    bucket = {"Type": "AWS::S3::Bucket", "Condition": "Idle"}
    made = universe({"Resources": {"S": share, "B": bucket}, "Conditions": conditions})
    assert {name: compared_with(made, 0, name) for name in "ABCD"} == {
        "A": ["a"],
        "B": ["b"],
        "C": ["c"],
        "D": [],
    }


@pytest.mark.parametrize(
    ("later", "after"),
    [
        ({"DependsOn": "First"}, True),
        ({"DependsOn": ["Other", "First"]}, True),
        ({"DependsOn": "Other"}, False),
        ({"DependsOn": ["Between"]}, True),
        ({"DependsOn": [3, None]}, False),
        ({"DependsOn": "Circle"}, False),
        ({"DependsOn": "Nowhere"}, False),
        ({"Properties": {"X": {"Ref": "First"}}}, True),
        ({"Properties": {"X": {"Ref": "Between"}}}, True),
        ({"Metadata": {"X": {"Ref": "First"}}}, False),
        ({}, False),
    ],
    ids=str,
)
def test_what_is_made_after_what(later: dict[str, Any], after: bool) -> None:
    resources = {
        "Later": {"Type": QUOTA_SHARE, **later},
        "First": {"Type": QUOTA_SHARE},
        "Other": {"Type": "AWS::S3::Bucket"},
        "Between": {"Type": "AWS::S3::Bucket", "Properties": {"Y": {"Fn::GetAtt": "First.X"}}},
        "Circle": {"DependsOn": ["Later", "Circle"]},
    }
    made = universe({"Resources": resources})
    assert depends_on(made, made.members[0], made.members[1]) == after


def groups(*templates: dict[str, Any]) -> list[list[str]]:
    made = Universe([Stack(t, f"{n}.json", name=f"S{n}") for n, t in enumerate(templates)])
    return [[member.id for member in group] for group in components(made)]


def resource(kind: str, **properties: Any) -> dict[str, Any]:
    return {"Type": f"AWS::Batch::{kind}", "Properties": properties}


QUEUE = resource("JobQueue", JobQueueName="q")


@pytest.mark.parametrize(
    ("resources", "together"),
    [
        ({"Q": QUEUE, "S": resource("QuotaShare", JobQueue={"Ref": "Q"})}, [["Q", "S"]]),
        ({"Q": QUEUE, "S": resource("QuotaShare", JobQueue="q")}, [["Q", "S"]]),
        ({"Q": resource("JobQueue"), "S": resource("QuotaShare", JobQueue="q")}, [["Q"], ["S"]]),
        (
            {"Q": resource("JobQueue"), "S": resource("QuotaShare", JobQueue={"Ref": "P"})},
            [["Q", "S"]],
        ),
        ({"Q": resource("JobQueue"), "S": resource("QuotaShare")}, [["Q", "S"]]),
        (
            {
                "A": resource("QuotaShare", JobQueue={"Ref": "Q"}),
                "B": resource("QuotaShare", JobQueue={"Ref": "R"}),
                "Q": resource("JobQueue"),
                "R": resource("JobQueue"),
            },
            [["A", "Q"], ["B", "R"]],
        ),
        ({"Q": QUEUE, "R": QUEUE}, [["Q", "R"]]),
        ({"Q": QUEUE, "R": resource("JobQueue", JobQueueName="r")}, [["Q"], ["R"]]),
        (
            {"Q": QUEUE, "E": resource("ServiceEnvironment", ServiceEnvironmentName="q")},
            [["Q"], ["E"]],
        ),
        (
            {
                "Q": resource("JobQueue", SchedulingPolicyArn="x"),
                "P": resource("SchedulingPolicy", Name="x"),
                "E": resource("ServiceEnvironment", ServiceEnvironmentName="x"),
            },
            [["Q", "P"], ["E"]],
        ),
        (
            {
                "Q": resource("JobQueue", ServiceEnvironmentOrder=[{"ServiceEnvironment": "x"}]),
                "P": resource("SchedulingPolicy"),
                "E": resource("ServiceEnvironment"),
            },
            [["Q", "E"], ["P"]],
        ),
        (
            {
                "Q": resource("JobQueue", SchedulingPolicyArn={"Fn::GetAtt": ["P", "Arn"]}),
                "P": resource("SchedulingPolicy"),
                "P2": resource("SchedulingPolicy"),
            },
            [["Q", "P"], ["P2"]],
        ),
        (
            {"E": resource("ServiceEnvironment"), "E2": resource("ServiceEnvironment")},
            [["E"], ["E2"]],
        ),
        (
            {
                "S": resource("QuotaShare", JobQueue="one"),
                "T": resource("QuotaShare", JobQueue="two"),
            },
            [["S", "T"]],
        ),
    ],
    ids=str,
)
def test_which_resources_are_judged_together(
    resources: dict[str, Any], together: list[list[str]]
) -> None:
    assert groups({"Resources": resources}) == together


IMPORT = {"Fn::ImportValue": "Q"}
OUTPUT = {"Fn::GetStackOutput": {"StackName": "S0", "OutputName": "Q"}}


@pytest.mark.parametrize(
    ("job_queue", "together"),
    [
        (IMPORT, True),
        ({"Fn::ImportValue": {"Fn::Sub": "${P}"}}, True),
        ({"Fn::ImportValue": "R"}, False),
        (OUTPUT, True),
        ({"Fn::GetStackOutput": {"StackName": "S0", "OutputName": "R"}}, False),
        ({"Fn::GetStackOutput": {"StackName": "S2", "OutputName": "Q"}}, False),
        ({"Fn::GetStackOutput": "S0"}, False),
        ({"Fn::Join": ["", [IMPORT]]}, True),
    ],
    ids=str,
)
def test_which_resources_of_two_stacks_are(job_queue: Any, together: bool) -> None:
    queue = {
        "Resources": {"Queue": resource("JobQueue")},
        "Outputs": {
            "Q": {"Value": {"Ref": "Queue"}, "Export": {"Name": "Q"}},
            "R": {"Value": "r", "Export": {"Name": "R"}},
        },
    }
    share = {"Resources": {"Share": resource("QuotaShare", JobQueue=job_queue)}}
    one, two = [["Queue", "Share"]], [["Queue"], ["Share"]]
    assert groups(queue, share) == (one if together else two)


def nested(
    parent: dict[str, Any], child: dict[str, Any], *, linked: bool = True
) -> list[list[str]]:
    """Returns the groups of a stack and the one nested in it by its resource Nested."""
    outer = Stack(parent, "parent.json")
    inner = Stack(child, "child.json", parent=outer, parent_resource="Nested" if linked else "")
    made = Universe([inner, outer])
    return [[member.id for member in group] for group in components(made)]


def nesting(parameters: Any, **resources: Any) -> dict[str, Any]:
    body = {"Type": "AWS::CloudFormation::Stack", "Properties": {"Parameters": parameters}}
    return {"Resources": {**resources, "Nested": body}}


def test_a_parameter_leads_to_what_the_parent_gives() -> None:
    # A tag with the queue's name in it is a mention too, and the only one here.
    share = resource("QuotaShare", JobQueue="elsewhere", Tags={"a": {"Ref": "Given"}})
    child = {"Resources": {"Share": share}, "Parameters": {"Given": {"Type": "String"}}}
    given = nesting({"Given": {"Ref": "Queue"}}, Queue=resource("JobQueue"))
    other = nesting({"Other": {"Ref": "Queue"}}, Queue=resource("JobQueue"))
    together, apart = [["Share", "Queue"]], [["Share"], ["Queue"]]
    assert nested(given, child) == together
    assert nested(given, child, linked=False) == apart
    assert nested(other, child) == apart
    assert nested(given, {"Resources": {"Share": share}}) == apart  # no such parameter
    alone = Universe([Stack(child, "child.json", parent=Stack(given, "parent.json"))])
    assert [[member.id for member in group] for group in components(alone)] == [["Share"]]


def test_an_output_of_a_nested_stack_leads_into_it() -> None:
    output = {"Fn::GetAtt": ["Nested", "Outputs.Q"]}
    share = resource("QuotaShare", JobQueue="elsewhere", Tags={"a": output})
    child = {
        "Resources": {"Queue": resource("JobQueue")},
        "Outputs": {"Q": {"Value": {"Ref": "Queue"}}},
    }
    together, apart = [["Queue", "Share"]], [["Queue"], ["Share"]]
    assert nested(nesting({}, Share=share), child) == together
    assert nested(nesting({}, Share=share), child, linked=False) == apart
    assert nested(nesting({}, Share=share), {**child, "Outputs": {}}) == apart
    no_stack = {"Resources": {"Share": share, "Nested": {"Type": "AWS::S3::Bucket"}}}
    assert nested(no_stack, child) == apart


@pytest.mark.parametrize("order", [(0, 0, 1), (0, 1, 0), (1, 0, 0)])
def test_what_is_mentioned_twice_hides_nothing(order: tuple[int, ...]) -> None:
    names = ("One", "Two")
    queues = {
        "Resources": {name: resource("JobQueue") for name in names},
        "Outputs": {n: {"Value": {"Ref": n}, "Export": {"Name": n}} for n in names},
    }
    tags = {str(place): {"Fn::ImportValue": names[n]} for place, n in enumerate(order)}
    share = resource("QuotaShare", JobQueue="elsewhere", Tags=tags)
    assert groups(queues, {"Resources": {"Share": share}}) == [["One", "Two", "Share"]]
