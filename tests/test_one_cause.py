"""One cause is one finding, at the place that is to be mended."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.rules._examples import LEFT_OUT, changed
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.report import Located
from qm_constructs.template.stack import Stack

SHARING = "Product.ResourceSharingConfiguration"


def judged(changes: dict[str, Any]) -> list[Located]:
    return judge_stacks([Stack(changed(changes), "a.json")])


def value_at(path: str) -> Any:
    id, *steps = path.split(".")
    value = SOUND["Resources"][id]["Properties"]
    for step in steps:
        value = value[int(step) if step.isdecimal() else step]
    return value


def renamed(path: str, name: str) -> dict[str, Any]:
    parent = path.rpartition(".")[0]
    return {f"{parent}.{name}": value_at(path), path: LEFT_OUT}


# -- a property of another name

ORDER = "Queue.ServiceEnvironmentOrder"


OF_QUOTAS = ", or leave it out, if the queue is none of quota management"


@pytest.mark.parametrize(
    ("path", "name", "unless"),
    [
        ("Product.QuotaShareName", "Name", ""),
        ("Product.QuotaShareName", "QuotaShare", ""),
        ("Product.QuotaShareName", "QuotaShareNme", ""),
        ("Product.JobQueue", "JobQueueArn", ""),
        ("Product.JobQueue", "Queue", ""),
        ("Product.PreemptionConfiguration", "Preemption", ""),
        (SHARING, "ResourceSharing", ""),
        (f"{SHARING}.Strategy", "Stratgy", ""),
        (f"{SHARING}.Strategy", "ResourceSharingStrategy", ""),
        ("Product.CapacityLimits", "capacity-limits", ""),
        ("Product.CapacityLimits.0.MaxCapacity", "MaxCapcity", ""),
        ("Product.CapacityLimits.0.MaxCapacity", "Max", ""),
        ("Environment.CapacityLimits.0.MaxCapacity", "MaxCapcity", ""),
        ("Environment.CapacityLimits.0.CapacityUnit", "Unit", OF_QUOTAS),
        ("Environment.ServiceEnvironmentType", "Type", ""),
        ("Policy.QuotaSharePolicy", "QuotaSharingPolicy", ""),
        ("Policy.QuotaSharePolicy.IdleResourceAssignmentStrategy", "IdleStrategy", OF_QUOTAS),
        ("Queue.JobQueueType", "Type", OF_QUOTAS),
        ("Queue.Priority", "Prioritiy", ""),
        ("Queue.Priority", "JobQueuePriority", ""),
        ("Queue.SchedulingPolicyArn", "SchedulingPolicyARN", ""),
        ("Queue.SchedulingPolicyArn", "SchedulingPolicy", ""),
        ("Queue.SchedulingPolicyArn", "schedulingPolicyArn", ""),
        (ORDER, "ServiceEnvironmentOrders", ""),
        (ORDER, "ServiceEnvironments", ""),
        (f"{ORDER}.0.Order", "Ordre", ""),
        (f"{ORDER}.0.ServiceEnvironment", "ServiceEnvironmentArn", ""),
    ],
)
def test_what_is_spelt_otherwise_is_not_missing_too(path: str, name: str, unless: str) -> None:
    found = judged(renamed(path, name))
    assert [(one.rule.id, one.path[-1]) for one in found] == [("CF-01", name)]
    meant = path.rpartition(".")[2]
    assert found[0].fix == f"Write {meant}{unless}."


@pytest.mark.parametrize(
    ("resource", "name", "meant"),
    [("Product", "Share", ""), ("Environment", "Name", "ServiceEnvironmentName")],
)
def test_what_nothing_asks_for_may_be_left_out(resource: str, name: str, meant: str) -> None:
    (one,) = judged({f"{resource}.{name}": "x"})
    assert one.fix == (
        f"Write {meant}, if that is meant, or leave it out." if meant else "Leave it out."
    )


@pytest.mark.parametrize("name", ["Colour", "Limit", "Fn"])
def test_what_may_be_meant_for_nothing_or_for_several_is_to_be_left_out(name: str) -> None:
    (one,) = judged({f"Product.{name}": "red"})
    assert one.fix == "Leave it out." if name != "Limit" else one.rule.id == "CF-01"
    found = judged(renamed("Product.QuotaShareName", "Colour"))
    assert sorted(one.rule.id for one in found) == ["CF-01", "QS-01"]


# -- a queue that lacks what its shares need

FAIR = {"Type": "AWS::Batch::SchedulingPolicy", "Properties": {"FairsharePolicy": {}}}
NO_POLICY = {"Queue.SchedulingPolicyArn": LEFT_OUT}
GIVE = "Give the queue a scheduling policy with a QuotaSharePolicy."
GIVE_BOTH = (
    "Give the queue the type SAGEMAKER_TRAINING and a scheduling policy with a QuotaSharePolicy."
)


@pytest.mark.parametrize(
    ("changes", "rule", "path", "fix"),
    [
        (NO_POLICY, "QS-20", ("Properties",), GIVE),
        ({"Policy": FAIR}, "QS-20", ("Properties", "SchedulingPolicyArn"), GIVE),
        ({**NO_POLICY, "Queue.JobQueueType": LEFT_OUT}, "QS-20", ("Properties",), GIVE_BOTH),
        (
            {"Policy.QuotaSharePolicy": LEFT_OUT},
            "JQ-07",
            ("Properties", "SchedulingPolicyArn"),
            "Give it a scheduling policy with a QuotaSharePolicy.",
        ),
        (
            {"Queue.SchedulingPolicyArn": None},
            "CF-02",
            ("Properties", "SchedulingPolicyArn"),
            "Write a value, or leave it out, if the queue is none of quota management.",
        ),
    ],
)
def test_what_a_queue_lacks_for_its_shares_is_told_once(
    changes: dict[str, Any], rule: str, path: tuple[str, ...], fix: str
) -> None:
    (one,) = judged(changes)
    assert (one.rule.id, one.resource, one.path, one.fix) == (rule, "Queue", path, fix)


# -- a unit that is none

UNIT = "Environment.CapacityLimits.0.CapacityUnit"


@pytest.mark.parametrize("unit", ["p5.48xlarge", "GPU", "ML.P5.48XLARGE"])
def test_the_shares_do_not_lack_what_the_environment_misspells(unit: str) -> None:
    assert [(one.rule.id, one.resource) for one in judged({UNIT: unit})] == [
        ("SE-07", "Environment")
    ]


def test_what_the_environment_lacks_beside_a_misspelt_unit_is_told() -> None:
    both = [*value_at("Product.CapacityLimits"), {"CapacityUnit": "ml.g5.xlarge", "MaxCapacity": 1}]
    found = judged({UNIT: "p5.48xlarge", "Product.CapacityLimits": both})
    assert [(one.rule.id, one.value) for one in found] == [
        ("SE-07", "'p5.48xlarge'"),
        ("XR-01", "'ml.g5.xlarge'"),
    ]


# -- what is missing, and of another kind

REQUIRED = "QuotaShareName, no JobQueue, no CapacityLimits, no ResourceSharingConfiguration and no "


@pytest.mark.parametrize(
    ("id", "rule", "problem"),
    [
        ("Product", "QS-01", f"A quota share has no {REQUIRED}PreemptionConfiguration, which are "),
        ("Environment", "SE-01", "A service environment has no ServiceEnvironmentType and no "),
    ],
)
def test_all_that_a_resource_lacks_is_one_finding(id: str, rule: str, problem: str) -> None:
    found = judged({id: {"Type": SOUND["Resources"][id]["Type"]}})
    (one,) = [one for one in found if one.resource == id]
    assert one.rule.id == rule
    assert one.message.startswith(problem)


def test_what_is_lacking_in_one_way_only_is_told_of_that_way() -> None:
    whole = changed({"Product.PreemptionConfiguration": LEFT_OUT})
    whole["Conditions"] = {"C": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}}
    properties = whole["Resources"]["Product"]["Properties"]
    name = properties["QuotaShareName"]
    properties["QuotaShareName"] = {"Fn::If": ["C", name, {"Ref": "AWS::NoValue"}]}
    found = judge_stacks([Stack(whole, "a.json")])
    assert {(one.fix, one.message.partition(". ")[2]) for one in found} == {
        ("Add PreemptionConfiguration.", "This is so when C is true."),
        ("Add QuotaShareName and PreemptionConfiguration.", "This is so when C is false."),
    }


def test_all_that_a_time_limit_lacks_is_one_finding() -> None:
    (one,) = judged({"Queue.JobStateTimeLimitActions": [{}]})
    assert (one.rule.id, one.fix) == ("JT-01", "Add Reason, State, MaxTimeSeconds and Action.")


@pytest.mark.parametrize(
    "kind", [{"Ref": "Environment"}, {"Fn::GetAtt": ["Policy", "Arn"]}], ids=str
)
def test_the_arn_of_a_resource_is_no_type_of_a_queue(kind: Any) -> None:
    (one,) = judged({"Queue.JobQueueType": kind})
    assert (one.rule.id, one.path[-1]) == ("JQ-02", "JobQueueType")
    assert "this one has the ARN of a resource." in one.message


def test_a_queue_of_containers_with_the_type_of_training_jobs_is_wrong_in_that_alone() -> None:
    reason = "MISCONFIGURATION:COMPUTE_ENVIRONMENT_MAX_RESOURCE"
    limit = {"Reason": reason, "State": "RUNNABLE", "MaxTimeSeconds": 600, "Action": "CANCEL"}
    compute = [{"Order": 1, "ComputeEnvironment": "spot"}]
    changes = {
        **dict.fromkeys(("Research", "Product", "Policy", "Environment"), LEFT_OUT),
        "Queue.ServiceEnvironmentOrder": LEFT_OUT,
        "Queue.SchedulingPolicyArn": LEFT_OUT,
        "Queue.ComputeEnvironmentOrder": compute,
        "Queue.JobStateTimeLimitActions": [limit],
    }
    (one,) = judged(changes)
    assert one.rule.id == "JQ-04"
    assert one.fix.endswith("or give a queue of containers its type, such as ECS.")
    assert judged({**changes, "Queue.JobQueueType": "ECS"}) == []


# -- a borrower, where something is wrong with its unit or with who lends to it


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"Research.CapacityLimits.0.CapacityUnit": "p5.48xlarge"}, ["QS-06"]),
        ({"Research.CapacityLimits.0.CapacityUnit": "NUM_INSTANCES"}, ["QS-06"]),
        ({"Product.JobQueue": ""}, ["QS-20"]),
        ({"Product.JobQueue": "${Queue}"}, ["QS-20"]),
        ({"Product.JobQueue": {"Ref": "Environment"}}, ["QS-20"]),
        ({"Product.JobQueue": "another-queue"}, ["XR-06"]),
    ],
)
def test_nothing_is_said_of_lending_where_its_cause_is_told(
    changes: dict[str, Any], rules: list[str]
) -> None:
    assert [one.rule.id for one in judged(changes)] == rules


@pytest.mark.parametrize("properties", [None, [], {"Ref": "Queue"}], ids=str)
def test_a_share_without_readable_properties_may_lend(properties: Any) -> None:
    share = {"Type": "AWS::Batch::QuotaShare", "Properties": properties}
    assert "XR-06" not in [one.rule.id for one in judged({"Product": share})]


@pytest.mark.parametrize("ids", [("Product", "Third"), ("Third", "Product")])
def test_a_share_of_any_queue_may_lend_before_and_after_others(ids: tuple[str, str]) -> None:
    shares = {}
    for id, queue in zip(ids, ("${Queue}", "another-queue"), strict=True):
        shares[id] = copy.deepcopy(SOUND["Resources"]["Product"])
        shares[id]["Properties"]["JobQueue"] = queue
    assert [one.rule.id for one in judged(shares)] == ["QS-20"]


# -- a queue of another kind

CONTAINERS = {
    "Queue.JobQueueType": LEFT_OUT,
    "Queue.ServiceEnvironmentOrder": LEFT_OUT,
    "Queue.SchedulingPolicyArn": LEFT_OUT,
    "Queue.ComputeEnvironmentOrder": [{"Order": 1, "ComputeEnvironment": "c"}],
    "Research": LEFT_OUT,
}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"Queue.JobQueueType": "ECS"},
        {"Queue.JobQueueName": "q", "Product.JobQueue": "q"},
        {"Queue.SchedulingPolicyArn": {"Ref": "Policy"}, "Policy": FAIR},
    ],
    ids=str,
)
def test_a_share_of_a_queue_for_containers_is_at_fault_and_not_the_queue(
    more: dict[str, Any],
) -> None:
    (one,) = judged({**CONTAINERS, **more})
    assert (one.rule.id, one.resource, one.path) == ("QS-20", "Product", ("Properties", "JobQueue"))
    assert one.message == (
        "Only a queue of quota management takes quota shares; this one has compute environments, "
        "and no service environment."
    )
    assert one.fix == "Name a queue of the type SAGEMAKER_TRAINING."


# -- a capacity unit that is misspelt

OWN_UNIT = "CapacityLimits.0.CapacityUnit"
MISSPELT = "ml.p5.48xlarg"
OTHER = "ml.g5.12xlarge"


@pytest.mark.parametrize("unit", [MISSPELT, "ml.p5.48xlarge "])
def test_a_unit_that_a_lender_misspells_is_lent(unit: str) -> None:
    (one,) = judged({f"Product.{OWN_UNIT}": unit})
    assert (one.rule.id, one.resource) == ("XR-01", "Product")
    assert one.fix.startswith("Did you mean 'ml.p5.48xlarge'? If not, add ")


def test_a_unit_of_another_type_is_not_lent() -> None:
    found = judged({f"Product.{OWN_UNIT}": OTHER})
    assert [(one.rule.id, one.resource) for one in found] == [
        ("XR-06", "Research"),
        ("XR-01", "Product"),
    ]
    reserved = {f"Product.{OWN_UNIT}": MISSPELT, f"{SHARING}.Strategy": "RESERVE"}
    assert [one.rule.id for one in judged(reserved)] == ["XR-06", "XR-01"]


def test_what_the_environment_lacks_is_not_missed_by_a_borrower_too() -> None:
    (one,) = judged({f"Research.{OWN_UNIT}": OTHER})
    assert (one.rule.id, one.resource) == ("XR-01", "Research")
    assert one.fix == (f"Add {OTHER!r} to the service environment, or leave it out of the share.")


def test_a_unit_that_the_environment_misspells_is_named_in_each_share() -> None:
    found = judged({f"Environment.{OWN_UNIT}": MISSPELT})
    assert [one.rule.id for one in found] == ["SE-13", "XR-01", "XR-01"]
    assert {one.fix for one in found[1:]} == {
        f"Does the environment mean it by {MISSPELT!r}? If not, add 'ml.p5.48xlarge' to the "
        "service environment, or leave it out of the share."
    }
