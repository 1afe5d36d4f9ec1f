"""Templates read as CloudFormation reads them: what is known counts, and nothing else."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.report import Located
from qm_constructs.template.stack import Stack

UNIT = "ml.p5.48xlarge"
TOO_MANY = {"CapacityUnit": UNIT, "MaxCapacity": 99}


def template(changes: Mapping[str, Any] | None = None, **sections: Any) -> dict[str, Any]:
    """Returns the sound template with changes such as {"Queue.Priority": 3}, and more sections."""
    whole = {**copy.deepcopy(SOUND), **copy.deepcopy(sections)}
    for path, value in (changes or {}).items():
        resource, *steps = path.split(".")
        if not steps:
            whole["Resources"][resource] = value
            continue
        place = whole["Resources"][resource]
        for step in ["Properties", *steps[:-1]] if steps[0][:1].isupper() else steps[:-1]:
            place = place[int(step) if step.isdecimal() else step]
        place[int(steps[-1]) if steps[-1].isdecimal() else steps[-1]] = value
    return whole


def judged(*templates: Mapping[str, Any], **attributes: Any) -> list[Located]:
    return judge_stacks([Stack(t, f"{n}.json", **attributes) for n, t in enumerate(templates)])


def rules_of(found: list[Located]) -> list[tuple[str, str]]:
    return [(finding.rule.id, finding.resource) for finding in found]


def beside_functions(found: list[Located]) -> list[tuple[str, str]]:
    """Returns the rules but those of a function itself, and of what it names and there is not."""
    return [one for one in rules_of(found) if one[0] not in ("CF-04", "CF-05")]


def sub(text: str, **values: Any) -> dict[str, Any]:
    return {"Fn::Sub": [text, values] if values else text}


def join(*parts: Any, by: str = "") -> dict[str, Any]:
    return {"Fn::Join": [by, [*parts]]}


PSEUDO = "arn:${AWS::Partition}:batch:${AWS::Region}:${AWS::AccountId}"
REGION, ACCOUNT = {"Ref": "AWS::Region"}, {"Ref": "AWS::AccountId"}
QUEUE_ARN = {"Fn::GetAtt": ["Queue", "JobQueueArn"]}

# Whatever a parameter, a mapping or a function is known to be, the priority is 1001.
TOO_HIGH: list[tuple[Any, dict[str, Any]]] = [
    ("1001", {}),
    (1001.0, {}),
    ("1001.0", {}),
    ("+1001", {}),
    ({"Ref": "P"}, {"P": {"Type": "Number", "Default": 1001}}),
    ({"Ref": "P"}, {"P": {"Type": "String", "Default": "1001"}}),
    ({"Ref": "P"}, {"P": {"Type": "Number", "AllowedValues": [1, 1001]}}),
    ({"Ref": "P"}, {"P": {"Type": "Number", "Default": 1, "AllowedValues": [1, 1001]}}),
    (sub("${P}001", P=1), {}),
    (sub("1${P}"), {"P": {"Type": "String", "Default": "001"}}),
    (sub("1${ P }"), {"P": {"Type": "String", "Default": "001"}}),
    (join("10", "01"), {}),
    (join(1, 0, 1, by="0"), {}),
    ({"Fn::Select": [1, [1, 1001]]}, {}),
    ({"Fn::Select": ["1", {"Fn::Split": [",", "1,1001"]}]}, {}),
    (
        {"Fn::Select": [1, {"Ref": "L"}]},
        {"L": {"Type": "CommaDelimitedList", "Default": "1, 1001"}},
    ),
    ({"Fn::Select": [0, {"Ref": "L"}]}, {"L": {"Type": "List<Number>", "Default": "1001"}}),
    ({"Fn::FindInMap": ["M", "top", "high"]}, {}),
    ({"Fn::FindInMap": ["M", {"Ref": "T"}, "high"]}, {"T": {"Type": "String", "Default": "top"}}),
    ({"Fn::FindInMap": ["M", {"Ref": "T"}, "high"]}, {"T": {"Type": "String"}}),
    ({"Fn::FindInMap": ["M", "top", {"Ref": "K"}]}, {"K": {"Type": "String", "Default": "low"}}),
    ({"Fn::FindInMap": ["M", "top", "none", {"DefaultValue": 1001}]}, {}),
    (
        {"Fn::FindInMap": ["M", {"Ref": "T"}, "low", {"DefaultValue": 1001}]},
        {"T": {"Type": "String"}},
    ),
    ({"Fn::If": ["Known", 1001, 1]}, {}),
    ({"Fn::If": ["Unknown", 1001, 1]}, {}),
    ({"Fn::If": ["Unknown", 1, 1001]}, {}),
    ({"Fn::If": ["Known", {"Fn::If": ["Unknown", 1001, 1]}, 1]}, {}),
]

# Not known, or known to be fine.
NOT_TOO_HIGH: list[tuple[Any, dict[str, Any]]] = [
    ({"Ref": "P"}, {"P": {"Type": "Number"}}),
    ({"Ref": "P"}, {"P": {"Type": "Number", "Default": 1000}}),
    ({"Ref": "P"}, {"P": {"Type": "AWS::SSM::Parameter::Value<Number>", "Default": "/a/b"}}),
    ({"Ref": "AWS::StackId"}, {}),
    ({"Fn::GetAtt": ["Custom", "Priority"]}, {}),
    ({"Fn::GetAtt": "Custom.Priority"}, {}),
    ({"Fn::GetAtt": 3}, {}),
    ({"Fn::ImportValue": "priority"}, {}),
    ("{{resolve:ssm:/priority}}", {}),
    (sub("{{resolve:ssm:/${P}}}"), {"P": {"Type": "String", "Default": "x"}}),
    (sub("1${P}"), {"P": {"Type": "String"}}),
    (join("1", {"Ref": "P"}), {"P": {"Type": "String"}}),
    ({"Fn::Select": [7, [1, 1001]]}, {}),
    ({"Fn::Select": [{"Ref": "P"}, [1, 1001]]}, {"P": {"Type": "String"}}),
    ({"Fn::Select": [0, {"Fn::GetAZs": ""}]}, {}),
    ({"Fn::Select": 3}, {}),
    ({"Fn::Split": [",", "1,1001"]}, {"broken": True}),
    ({"Fn::FindInMap": ["M", "top", "none"]}, {}),
    ({"Fn::FindInMap": ["M", {"Ref": "AWS::StackId"}, "low"]}, {}),
    ({"Fn::FindInMap": []}, {}),
    ({"Fn::If": ["Known", 1, 1001]}, {}),
    ({"Fn::If": ["NotKnown", 1001, 1]}, {}),
    ({"Fn::If": ["Known", 1]}, {}),
    ({"Fn::If": ["Nowhere", 1, 1001]}, {}),
    ({"Fn::Transform": {"Name": "Priority"}}, {}),
    ({"Fn::Length": [1, 2]}, {}),
    ({"Ref": ["P"]}, {}),
]


def with_priority(priority: Any, parameters: dict[str, Any]) -> dict[str, Any]:
    return template(
        {"Queue.Priority": priority, "Custom": {"Type": "Custom::Priority"}},
        Parameters={"Stage": {"Type": "String"}, **parameters},
        Mappings={"M": {"top": {"high": 1001, "low": 1}}},
        Conditions={
            "Known": {"Fn::Equals": ["a", "a"]},
            "NotKnown": {"Fn::Not": [{"Condition": "Known"}]},
            "Unknown": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]},
        },
    )


@pytest.mark.parametrize(("priority", "parameters"), TOO_HIGH, ids=range(len(TOO_HIGH)))
def test_a_number_that_is_known_is_judged(priority: Any, parameters: dict[str, Any]) -> None:
    found = judged(with_priority(priority, parameters))
    assert beside_functions(found) == [("JQ-01", "Queue")]


@pytest.mark.parametrize(("priority", "parameters"), NOT_TOO_HIGH, ids=range(len(NOT_TOO_HIGH)))
def test_a_number_that_is_not_known_is_not(priority: Any, parameters: dict[str, Any]) -> None:
    found = judged(with_priority(priority, {k: v for k, v in parameters.items() if k != "broken"}))
    assert beside_functions(found) == ([("CF-02", "Queue")] if "broken" in parameters else [])


# How a share can name the queue of its own template, which has a name.
NAMES: list[Any] = [
    {"Ref": "Queue"},
    QUEUE_ARN,
    {"Fn::GetAtt": "Queue.JobQueueArn"},
    sub("${Queue}"),
    sub("${Queue.JobQueueArn}"),
    sub("${Q}", Q={"Ref": "Queue"}),
    join({"Ref": "Queue"}),
    "gpu-queue",
    sub("gpu-${What}", What="queue"),
    {"Ref": "QueueName"},
    "arn:aws:batch:us-east-1:111122223333:job-queue/gpu-queue",
    sub(f"{PSEUDO}:job-queue/gpu-queue"),
    sub(f"{PSEUDO}:job-queue/${{QueueName}}"),
    join("arn:aws:batch", REGION, ACCOUNT, "job-queue/gpu-queue", by=":"),
    {"Fn::Select": [1, {"Fn::Split": ["/", QUEUE_ARN]}]},
    {"Fn::If": ["Unknown", {"Ref": "Queue"}, "gpu-queue"]},
]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_queue_is_the_same_queue_however_it_is_named(name: Any) -> None:
    changes = {"Queue.JobQueueName": "gpu-queue", "Product.JobQueue": name}
    changes["Product.QuotaShareName"] = "research"
    whole = template(
        changes,
        Parameters={
            "QueueName": {"Type": "String", "Default": "gpu-queue"},
            "S": {"Type": "String"},
        },
        Conditions={"Unknown": {"Fn::Equals": [{"Ref": "S"}, "prod"]}},
    )
    whole["Resources"]["Product"]["DependsOn"] = "Queue"
    assert rules_of(judged(whole)) == [("QS-03", "Product")]


# What is no name of the queue, or not known to be one: the shares are in two queues.
OTHER_NAMES: list[Any] = [
    "gpu-queue2",
    {"Ref": "S"},
    {"Fn::ImportValue": "queue"},
    sub("${S}-queue"),
    "arn:aws:batch:us-east-1:111122223333:job-queue/other",
    sub(f"{PSEUDO}:job-queue/${{S}}"),
    {"Fn::Select": [5, {"Fn::Split": [":", QUEUE_ARN]}]},
    {"Fn::Select": [1, {"Fn::Split": ["-", QUEUE_ARN]}]},
]


@pytest.mark.parametrize("name", OTHER_NAMES, ids=range(len(OTHER_NAMES)))
def test_another_queue_is_not_taken_for_it(name: Any) -> None:
    whole = template(
        {
            "Queue.JobQueueName": "gpu-queue",
            "Product.JobQueue": name,
            "Product.QuotaShareName": "research",
            "Research.ResourceSharingConfiguration": {"Strategy": "LEND"},
        },
        Parameters={"S": {"Type": "String"}},
    )
    assert rules_of(judged(whole)) == []


def two_names(one: Any, other: Any, **sections: Any) -> list[tuple[str, str]]:
    """Returns what is said of two shares of a queue elsewhere that have one name."""
    changes = {"Research.JobQueue": one, "Product.JobQueue": other}
    changes["Product.QuotaShareName"] = "research"
    whole = template(changes, **sections)
    for name in ("Policy", "Environment", "Queue"):
        del whole["Resources"][name]
    return rules_of(judged(whole))


SHARED = "arn:aws:batch:us-east-1:111122223333:job-queue/shared"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("shared", "shared", True),
        (SHARED, SHARED, True),
        ("shared", SHARED, True),
        ("shared", sub(f"{PSEUDO}:job-queue/shared"), True),
        ({"Ref": "P"}, {"Ref": "P"}, True),
        ({"Ref": "P"}, sub("${P}"), True),
        ({"Fn::ImportValue": "queue"}, {"Fn::ImportValue": "queue"}, True),
        ({"Fn::ImportValue": "queue"}, {"Fn::ImportValue": "queue2"}, False),
        ("shared", "Shared", False),
        ({"Ref": "P"}, {"Ref": "P2"}, False),
        ({"Ref": "P"}, "shared", False),
        ({"Fn::Transform": {"Name": "Queue"}}, "shared", False),
    ],
)
def test_shares_of_a_queue_elsewhere(one: Any, other: Any, same: bool) -> None:
    found = two_names(one, other, Parameters={"P": {"Type": "String"}, "P2": {"Type": "String"}})
    assert found == ([("QS-03", "Product")] if same else [])


class TestBranches:
    def test_of_a_list_are_told_apart(self) -> None:
        limits = [
            {"Fn::If": ["Big", TOO_MANY, {"Ref": "AWS::NoValue"}]},
            {"CapacityUnit": "g5.xlarge", "MaxCapacity": 1},
        ]
        found = self.judged({"Environment.CapacityLimits": limits})
        assert [(f.rule.id, f.path[2:]) for f in found if f.resource == "Environment"] == [
            ("SE-07", (1, "CapacityUnit"))
        ]
        # Where the first limit is not there, the shares hold what the environment lacks.
        xr = [f for f in found if f.rule.id == "XR-01"]
        assert [f.resource for f in xr] == ["Research", "Product"]
        assert all("This is so when Big is false." in f.message for f in xr)

    def test_of_a_whole_property(self) -> None:
        limits = {"Fn::If": ["Big", [TOO_MANY], [{"CapacityUnit": UNIT, "MaxCapacity": 0}]]}
        found = self.judged({"Environment.CapacityLimits": limits})
        assert [(f.rule.id, f.path) for f in found] == [
            (
                "SE-08",
                ("Properties", "CapacityLimits", "Fn::If", 2, 0, "MaxCapacity"),
            )
        ]

    def test_of_one_condition_go_together(self) -> None:
        changes = {
            "Environment.CapacityLimits.0.MaxCapacity": {"Fn::If": ["Big", 99, 16]},
            "Research.CapacityLimits.0.MaxCapacity": {"Fn::If": ["Big", 90, 10]},
        }
        assert self.judged(changes) == []
        changes["Research.CapacityLimits.0.MaxCapacity"] = {"Fn::If": ["Big", 10, 90]}
        found = self.judged(changes)
        assert rules_of(found) == [("XR-02", "Environment"), ("XR-03", "Research")]
        assert "when Big is false." in found[0].message

    def test_of_two_conditions_on_one_parameter_go_together(self) -> None:
        changes = {
            "Environment.CapacityLimits.0.MaxCapacity": {"Fn::If": ["Big", 99, 16]},
            "Research.CapacityLimits.0.MaxCapacity": {"Fn::If": ["Small", 10, 90]},
        }
        assert rules_of(self.judged(changes)) == [
            ("XR-02", "Environment"),  # neither: 16 in all, 90 for research
            ("XR-03", "Research"),
        ]
        changes["Environment.CapacityLimits.0.MaxCapacity"] = {"Fn::If": ["Small", 16, 99]}
        assert self.judged(changes) == []

    @staticmethod
    def judged(changes: Mapping[str, Any]) -> list[Located]:
        return judged(
            template(
                changes,
                Parameters={"Stage": {"Type": "String"}},
                Conditions={
                    "Big": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]},
                    "Small": {"Fn::Equals": ["dev", {"Ref": "Stage"}]},
                },
            )
        )


def test_what_is_not_known_is_one_text_at_a_time() -> None:
    shape = "{{resolve:ssm:/shape}}"
    changes = {
        "Environment.CapacityLimits.0.MaxCapacity": {"Fn::If": ["Big", 99, 16]},
        "Research.CapacityLimits.0.MaxCapacity": {"Fn::If": ["Small", 90, 10]},
    }
    conditions: dict[str, Any] = {
        "Big": {"Fn::Equals": [shape, "big"]},
        "Small": {"Fn::Equals": ["small", shape]},
    }
    found = judged(template(changes, Conditions=conditions))
    assert rules_of(found) == [("XR-02", "Environment"), ("XR-03", "Research")]
    conditions["Small"] = {"Fn::Equals": ["big", shape]}
    assert judged(template(changes, Conditions=conditions)) == []
    conditions["Small"] = {"Fn::Not": [{"Fn::Not": [{"Condition": "Big"}]}]}
    assert judged(template(changes, Conditions=conditions)) == []


class TestResourcesUnderACondition:
    CONDITIONS: ClassVar = {
        "Prod": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]},
        "Dev": {"Fn::Not": [{"Condition": "Prod"}]},
        "Never": {"Fn::And": [{"Condition": "Prod"}, {"Condition": "Dev"}]},
        "Either": {"Fn::Or": [{"Condition": "Prod"}, {"Condition": "Dev"}]},
        "Odd": {"Fn::Equals": [{"Fn::GetAtt": ["Custom", "X"]}, "x"]},
        "Circle": {"Condition": "Circle"},
    }

    @pytest.mark.parametrize(
        ("one", "other", "together"),
        [
            ("Prod", "Dev", False),
            ("Prod", "Prod", True),
            ("Never", None, False),
            ("Either", None, True),
            ("Odd", None, True),
            ("Odd", "Prod", True),
            ("Circle", None, False),
            ("Missing", None, False),
            (None, None, True),
        ],
    )
    def test_two_shares_of_one_name(self, one: Any, other: Any, together: bool) -> None:
        whole = template(
            {"Product.QuotaShareName": "research"},
            Parameters={"Stage": {"Type": "String"}},
            Conditions=self.CONDITIONS,
        )
        lend = {"Strategy": "LEND"}
        for id, condition in (("Research", one), ("Product", other)):
            whole["Resources"][id]["Properties"]["ResourceSharingConfiguration"] = lend
            if condition is not None:
                whole["Resources"][id]["Condition"] = condition
        assert beside_functions(judged(whole)) == ([("QS-03", "Product")] if together else [])

    def test_an_environment_that_is_not_there_is_not_judged(self) -> None:
        whole = template(Conditions={"No": {"Fn::Equals": ["a", "b"]}})
        whole["Resources"]["Environment"]["Condition"] = "No"
        whole["Resources"]["Environment"]["Properties"]["CapacityLimits"] = []
        assert rules_of(judged(whole)) == [("CF-04", "Queue")]


def test_parameters_are_varied_one_at_a_time() -> None:
    counts = {"Type": "Number", "Default": 16, "AllowedValues": [16, 99]}
    changes = {
        "Environment.CapacityLimits.0.MaxCapacity": {"Ref": "All"},
        "Research.CapacityLimits.0.MaxCapacity": {"Ref": "Some"},
    }
    some = {"Type": "Number", "Default": 10, "AllowedValues": [10, 90]}
    found = judged(template(changes, Parameters={"All": counts, "Some": some}))
    assert rules_of(found) == [("XR-02", "Environment"), ("XR-03", "Research")]
    assert "This is so when Some is '90'." in found[0].message
    fine = {**some, "AllowedValues": [10, 5]}
    assert judged(template(changes, Parameters={"All": counts, "Some": fine})) == []


def test_many_conditions_cost_a_bounded_time_and_each_branch_is_judged() -> None:
    conditions = {f"C{n}": {"Fn::Equals": [{"Ref": f"P{n}"}, "yes"]} for n in range(40)}
    whole = template(
        {"Queue.Tags": {f"t{n}": {"Fn::If": [f"C{n}", "yes!", "no"]} for n in range(40)}},
        Conditions=conditions,
        Parameters={f"P{n}": {"Type": "String"} for n in range(40)},
    )
    found = judged(whole)
    assert [f.path[2] for f in found] == [f"t{n}" for n in range(40)]
    assert {f.rule.id for f in found} == {"SJ-09"}
