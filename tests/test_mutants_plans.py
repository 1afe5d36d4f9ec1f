"""Which queue a share is in, which environment and policy a queue has, and in which place."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack

ACCOUNT, REGION = "111122223333", "us-east-1"
HERE = {"account": ACCOUNT, "region": REGION}
WEST = {**HERE, "region": "us-west-2"}
OTHER = {**HERE, "account": "123456789012"}
LEND = {"Strategy": "LEND"}


def arn(kind: str, name: str, region: str = REGION, account: str = ACCOUNT) -> str:
    return f"arn:aws:batch:{region}:{account}:{kind}/{name}"


def resources(**changes: dict[str, Any]) -> dict[str, Any]:
    """Returns the resources of the sound template, with other properties and more resources."""
    whole: dict[str, Any] = copy.deepcopy(SOUND["Resources"])
    for id, properties in changes.items():
        known = whole.get(id) or copy.deepcopy(whole[id.rstrip("2")])
        whole[id] = {**known, "Properties": {**known["Properties"], **properties}}
    return whole


def found(made: dict[str, Any], **attributes: Any) -> list[tuple[str, str]]:
    stack = Stack({"Resources": made}, "a.json", **attributes)
    return [(one.rule.id, one.resource) for one in judge_stacks([stack])]


SPLIT = {"Fn::Select": [1, {"Fn::Split": ["/", {"Fn::GetAtt": ["Policy", "Arn"]}]}]}
ORDER = {"Order": 1, "ServiceEnvironment": "e"}


def test_an_environment_of_two_queues_is_of_quota_management_if_one_is() -> None:
    numbers = [{"CapacityUnit": "NUM_INSTANCES", "MaxCapacity": 1}]
    made = resources(Environment={"CapacityLimits": numbers}, Queue2={})
    for id in ("Research", "Product"):
        del made[id]
    fifo = made["Queue2"]["Properties"]
    del fifo["SchedulingPolicyArn"]
    for first, second in (("Queue", "Queue2"), ("Queue2", "Queue")):
        its = {id: made[id] for id in ("Policy", "Environment", first, second)}
        assert found(its) == [("SE-05", "Environment"), ("SE-12", second)]


@pytest.mark.parametrize(
    ("place", "elsewhere"),
    [({}, []), (HERE, []), (WEST, ["XR-09"]), (OTHER, ["XR-09"])],
)
def test_the_policy_of_a_queue_is_where_its_stack_is(
    place: dict[str, str], elsewhere: list[str]
) -> None:
    made = resources(Queue={"SchedulingPolicyArn": arn("scheduling-policy", "p")})
    assert found(made, **place) == [(rule, "Queue") for rule in elsewhere]


IMPORTED = {"Fn::ImportValue": "Policy"}
POLICY_ARN = {"Fn::GetAtt": ["Policy", "Arn"]}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (POLICY_ARN, POLICY_ARN, True),
        (POLICY_ARN, {"Ref": "Policy"}, True),
        (POLICY_ARN, arn("scheduling-policy", "p"), True),
        (arn("scheduling-policy", "x"), arn("scheduling-policy", "x"), True),
        (arn("scheduling-policy", "x"), arn("scheduling-policy", "y"), False),
        (POLICY_ARN, arn("scheduling-policy", "x"), False),
        (IMPORTED, IMPORTED, True),
        (IMPORTED, {"Fn::ImportValue": "Other"}, False),
    ],
    ids=str,
)
def test_two_queues_may_have_one_policy(one: Any, other: Any, same: bool) -> None:
    made = resources(
        Policy={"Name": "p"},
        Environment2={},
        Queue={"SchedulingPolicyArn": one},
        Queue2={
            "SchedulingPolicyArn": other,
            "ServiceEnvironmentOrder": [
                {"Order": 1, "ServiceEnvironment": {"Ref": "Environment2"}}
            ],
        },
    )
    for id in ("Queue", "Queue2"):
        made[id]["DependsOn"] = "Policy"
    made["Research"]["Properties"]["ResourceSharingConfiguration"] = LEND
    # Each has a share, so that each is of quota management.
    made["Product"]["Properties"]["JobQueue"] = {"Ref": "Queue2"}
    assert found(made) == ([("SP-08", "Queue2")] if same else [])


@pytest.mark.parametrize(
    ("job_queue", "lonely"),
    [
        ("elsewhere", True),
        (arn("job-queue", "elsewhere"), True),
        ({"Ref": "P"}, False),
        ({"Fn::Sub": "${P}-queue"}, False),
        ({"Fn::ImportValue": "queue"}, False),
        (["x"], False),
    ],
    ids=str,
)
def test_a_share_of_a_queue_that_is_not_known_may_be_in_any(job_queue: Any, lonely: bool) -> None:
    made = resources(Queue={"JobQueueName": "q"}, Product={"JobQueue": job_queue})
    said = found(made)
    assert (("XR-06", "Research") in said) == lonely


def test_a_name_of_another_kind_of_resource_is_no_environment() -> None:
    order = [{"Order": 1, "ServiceEnvironment": SPLIT}]
    limits = [{"CapacityUnit": "ml.new.thing", "MaxCapacity": 1}]
    made = resources(
        Queue={"ServiceEnvironmentOrder": order},
        Research={"ResourceSharingConfiguration": LEND},
        Product={"CapacityLimits": limits},
    )
    assert found(made) == [("SE-13", "Product")]
    same_name = [{"Order": 1, "ServiceEnvironment": "p"}]
    made = resources(
        Policy={"Name": "p"},
        Queue={"ServiceEnvironmentOrder": same_name},
        Research={"ResourceSharingConfiguration": LEND},
        Product={"CapacityLimits": limits},
    )
    assert found(made) == [("SE-13", "Product")]


@pytest.mark.parametrize(
    ("job_queue", "place", "rules"),
    [
        (arn("job-queue", "q"), HERE, ["QS-03"]),
        (arn("job-queue", "q"), {}, ["QS-03"]),
        (arn("job-queue", "q"), {"region": REGION}, ["QS-03"]),
        (arn("job-queue", "q"), {"account": ACCOUNT}, ["QS-03"]),
        (arn("job-queue", "q"), WEST, ["XR-09"]),
        (arn("job-queue", "q"), OTHER, ["XR-09"]),
        (arn("job-queue", "q"), {"account": "123456789012"}, ["XR-09"]),
        (arn("job-queue", "r"), HERE, []),
        (arn("scheduling-policy", "q"), HERE, ["QS-20"]),
        ("q", WEST, ["QS-03"]),
        ("q", {}, ["QS-03"]),
    ],
    ids=str,
)
def test_a_queue_named_by_its_arn_is_where_the_arn_says(
    job_queue: Any, place: dict[str, str], rules: list[str]
) -> None:
    made = resources(
        Queue={"JobQueueName": "q"},
        Research={"ResourceSharingConfiguration": LEND},
        Product={"JobQueue": job_queue, "QuotaShareName": "research"},
    )
    made["Product"]["DependsOn"] = "Queue"
    assert found(made, **place) == [(rule, "Product") for rule in rules]


@pytest.mark.parametrize(
    ("one", "one_place", "other", "other_place", "same"),
    [
        ("shared", HERE, "shared", HERE, True),
        ("shared", HERE, "shared", WEST, False),
        ("shared", HERE, "shared", OTHER, False),
        ("shared", {}, "shared", {}, False),
        ("shared", HERE, "shared", {}, False),
        ("shared", {"region": REGION}, "shared", {"region": REGION}, False),
        ("shared", HERE, arn("job-queue", "shared"), HERE, True),
        ("shared", HERE, arn("job-queue", "shared"), {}, True),
        ("shared", WEST, arn("job-queue", "shared"), {}, False),
        ("shared", HERE, arn("job-queue", "other"), {}, False),
        (arn("job-queue", "shared"), {}, arn("job-queue", "shared"), {}, True),
        (arn("job-queue", "shared"), HERE, arn("job-queue", "shared"), WEST, True),
        (arn("job-queue", "shared"), {}, arn("job-queue", "shared", "us-west-2"), {}, False),
    ],
    ids=str,
)
def test_a_queue_that_is_made_elsewhere_and_named_in_two_stacks(
    one: Any, one_place: Any, other: Any, other_place: Any, same: bool
) -> None:
    stacks = []
    for file, job_queue, place in (("a", one, one_place), ("b", other, other_place)):
        share = copy.deepcopy(SOUND["Resources"]["Product"])
        share["Properties"]["JobQueue"] = job_queue
        stacks.append(Stack({"Resources": {"Share": share}}, file, **place))
    said = [(found.rule.id, found.file) for found in judge_stacks(stacks)]
    assert (("QS-03", "b") in said) == same
    assert {rule for rule, _ in said} <= {"QS-03", "XR-09"}


@pytest.mark.parametrize("wrong", [None, [], "x", {"Fn::Transform": {"Name": "Include"}}, 3])
def test_properties_that_are_none_are_of_no_queue(wrong: Any) -> None:
    for id in ("Policy", "Environment", "Queue", "Product"):
        made = resources(Research={"ResourceSharingConfiguration": LEND})
        made[id]["Properties"] = wrong
        assert {(rule, where) for rule, where in found(made) if where != id} == set()
