"""What is said of a queue and of what belongs to it, word by word: each case of its kind."""

from __future__ import annotations

from typing import Any, Final

import pytest

from qm_constructs.rules import SOUND
from tests.test_resolving import judged, sub, template

LEFT_OUT: Final = object()
CONTAINERS = [{"Order": 1, "ComputeEnvironment": "on-demand"}]
OF_CONTAINERS = {"ComputeEnvironmentOrder": CONTAINERS, "ServiceEnvironmentOrder": LEFT_OUT}
UNCONFIRMED = " AWS has not confirmed whether it takes this."
TRAINING = "A queue with a service environment has the type SAGEMAKER_TRAINING; this one has "
BOTH = "A job queue has compute environments or a service environment; this one has both."
ONLY = "Only a queue of quota management takes quota shares"
NEITHER = "This scheduling policy has neither a QuotaSharePolicy nor a FairsharePolicy."
NEEDS = (
    "Give the queue the type SAGEMAKER_TRAINING and a scheduling policy with a QuotaSharePolicy."
)
WITHIN = "CloudFormation knows no 'service_environment_order' beside "


def changed(without: str = "", **properties: dict[str, Any]) -> dict[str, Any]:
    """Returns the sound template with other properties of some resources, and without others."""
    whole = template()
    for id in without.split():
        del whole["Resources"][id]
    for id, changes in properties.items():
        of_it = {**whole["Resources"][id].get("Properties", {}), **changes}
        kept = {name: value for name, value in of_it.items() if value is not LEFT_OUT}
        whole["Resources"][id]["Properties"] = kept
    return whole


def said(whole: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    return [(one.rule.id, one.resource, one.message, one.fix) for one in judged(whole)]


ENVIRONMENTS = SOUND["Resources"]["Queue"]["Properties"]["ServiceEnvironmentOrder"]


@pytest.mark.parametrize(
    ("queue", "policy", "expected"),
    [
        (
            {"ComputeEnvironmentOrder": CONTAINERS},
            {},
            [("JQ-05", "Queue", BOTH, "Leave ComputeEnvironmentOrder out.")],
        ),
        (
            {"ComputeEnvironmentOrder": CONTAINERS, "JobQueueType": LEFT_OUT},
            {},
            [
                ("JQ-02", "Queue", f"{TRAINING}none.", "Write SAGEMAKER_TRAINING."),
                ("JQ-05", "Queue", BOTH, "Leave ComputeEnvironmentOrder out."),
            ],
        ),
        (
            OF_CONTAINERS,
            {},
            [
                (
                    "JQ-04",
                    "Queue",
                    "A queue of the type SAGEMAKER_TRAINING has a service environment; this one "
                    "has none.",
                    "Name one in ServiceEnvironmentOrder, and leave ComputeEnvironmentOrder out, "
                    "or give a queue of containers its type, such as ECS.",
                )
            ],
        ),
        (
            {**OF_CONTAINERS, "JobQueueType": "ECS"},
            {},
            [
                (
                    "JQ-07",
                    "Queue",
                    "Only a queue of the type SAGEMAKER_TRAINING takes a quota-share policy; this "
                    "one has ECS.",
                    "Leave the policy out, or give it a FairsharePolicy.",
                ),
                *(
                    (
                        "QS-20",
                        share,
                        f"{ONLY}; this one has compute environments, and no service environment.",
                        "Name a queue of the type SAGEMAKER_TRAINING.",
                    )
                    for share in ("Research", "Product")
                ),
            ],
        ),
        (
            {"State": "ON"},
            {},
            [
                (
                    "JQ-10",
                    "Queue",
                    "A state is one of ENABLED, DISABLED.",
                    "Choose one of them.",
                )
            ],
        ),
        (
            {"JobQueueType": LEFT_OUT},
            {"QuotaSharePolicy": LEFT_OUT, "FairsharePolicy": {}},
            [
                (
                    "QS-20",
                    "Queue",
                    f"{ONLY}: one with the type SAGEMAKER_TRAINING; this queue has none.",
                    NEEDS,
                )
            ],
        ),
        (
            {"JobQueueType": "ECS", "SchedulingPolicyArn": LEFT_OUT},
            {},
            [
                ("JQ-02", "Queue", f"{TRAINING}ECS.", "Write SAGEMAKER_TRAINING."),
                (
                    "QS-20",
                    "Queue",
                    f"{ONLY}: one with the type SAGEMAKER_TRAINING; this queue has ECS.",
                    NEEDS,
                ),
            ],
        ),
    ],
)
def test_a_queue_of_another_kind(
    queue: dict[str, Any], policy: dict[str, Any], expected: list[tuple[str, str, str, str]]
) -> None:
    assert said(changed(Queue=queue, Policy=policy)) == expected


@pytest.mark.parametrize("key", ["service_environment_order", "ServiceEnvironmentsOrder"])
def test_an_environment_by_a_wrong_key_is_none_that_is_missing(key: str) -> None:
    whole = changed(Queue={**OF_CONTAINERS, key: ENVIRONMENTS, "JobQueueType": LEFT_OUT})
    found = [(rule, id, fix) for rule, id, _, fix in said(whole)]
    assert ("CF-01", "Queue", "Write ServiceEnvironmentOrder.") in found
    assert "QS-20" not in {rule for rule, _, _ in found}


@pytest.mark.parametrize("key", ["queue_typ", "queue-typ", "Queue_Typ"])
def test_a_key_is_compared_without_what_parts_its_words(key: str) -> None:
    whole = changed(Queue={"JobQueueType": LEFT_OUT, key: "SAGEMAKER_TRAINING"})
    assert [(rule, fix) for rule, _, _, fix in said(whole)] == [("CF-01", "Write JobQueueType.")]


def test_a_property_that_is_there_stands_for_no_other() -> None:
    of_it = {"ServiceEnvironmentType": LEFT_OUT, "ServiceEnvironmentName": "gpus"}
    missing = "A service environment has no ServiceEnvironmentType, which is required."
    found = said(changed(Environment=of_it))
    assert found == [("SE-01", "Environment", missing, "Add ServiceEnvironmentType.")]


NO_SHARES = "Research Product"
COUNTED = [{"CapacityUnit": "NUM_INSTANCES", "MaxCapacity": 4}]


@pytest.mark.parametrize(
    ("without", "policy", "environment", "expected"),
    [
        (
            NO_SHARES,
            {"QuotaSharePolicy": LEFT_OUT},
            {},
            [
                (
                    "SP-06",
                    "Policy",
                    NEITHER + UNCONFIRMED,
                    "Add QuotaSharePolicy: {IdleResourceAssignmentStrategy: FIFO}.",
                )
            ],
        ),
        (NO_SHARES, {"QuotaSharePolicy": LEFT_OUT}, {"CapacityLimits": COUNTED}, []),
        (NO_SHARES, {}, {}, []),
        (
            "",
            {"QuotaSharePolicy": LEFT_OUT},
            {},
            [
                (
                    "JQ-07",
                    "Queue",
                    "A queue of quota management needs a quota-share policy; this is another "
                    "policy.",
                    "Give it a scheduling policy with a QuotaSharePolicy.",
                )
            ],
        ),
        (
            NO_SHARES,
            {"QuotaSharePolicy": {}},
            {},
            [
                (
                    "SP-06",
                    "Policy",
                    "This QuotaSharePolicy has no IdleResourceAssignmentStrategy." + UNCONFIRMED,
                    "Add IdleResourceAssignmentStrategy: FIFO.",
                )
            ],
        ),
    ],
)
def test_a_policy_of_no_kind(
    without: str,
    policy: dict[str, Any],
    environment: dict[str, Any],
    expected: list[tuple[str, str, str, str]],
) -> None:
    whole = changed(without, Policy=policy, Environment=environment)
    assert said(whole) == expected


@pytest.mark.parametrize("key", ["QuotaSharePolic", "quota_share_policy"])
def test_a_policy_with_its_kind_by_a_wrong_key_is_of_a_kind(key: str) -> None:
    policy = {"QuotaSharePolicy": LEFT_OUT, key: {"IdleResourceAssignmentStrategy": "FIFO"}}
    (one,) = said(changed(NO_SHARES, Policy=policy))
    assert (one[0], one[3]) == ("CF-01", "Write QuotaSharePolicy.")


def test_a_policy_of_no_kind_is_told_once_where_there_may_be_shares() -> None:
    whole = changed("Research", Policy={"QuotaSharePolicy": LEFT_OUT})
    whole["Conditions"] = {"C": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}}
    whole["Resources"]["Product"]["Condition"] = "C"
    assert [(rule, id) for rule, id, _, _ in said(whole)] == [("JQ-07", "Queue")]


def test_the_time_limits_of_a_queue_with_both_kinds_of_environments_are_those_of_training() -> None:
    limit = {
        "Reason": "QUOTA_MANAGEMENT_LIMIT_EXCEEDED",
        "State": "RUNNABLE",
        "MaxTimeSeconds": 600,
        "Action": "TERMINATE",
    }
    queue = {"ComputeEnvironmentOrder": CONTAINERS, "JobStateTimeLimitActions": [limit]}
    assert [rule for rule, *_ in said(changed(Queue=queue))] == ["JQ-05", "JT-08"]
    without = {**queue, "ServiceEnvironmentOrder": LEFT_OUT}
    assert [rule for rule, *_ in said(changed(Queue=without))] == ["JQ-04"]


def test_nothing_is_said_of_a_policy_whose_environment_is_made_elsewhere() -> None:
    order = [{"Order": 1, "ServiceEnvironment": "gpus"}]
    whole = changed(
        f"{NO_SHARES} Environment",
        Queue={"ServiceEnvironmentOrder": order},
        Policy={"QuotaSharePolicy": LEFT_OUT},
    )
    assert said(whole) == []


def test_in_share_preemption_is_on_or_off() -> None:
    share = {"PreemptionConfiguration": {"InSharePreemption": "ON"}}
    problem = "In-share preemption is one of ENABLED, DISABLED."
    assert said(changed(Product=share)) == [("QS-12", "Product", problem, "Choose one of them.")]


def test_shares_are_counted_from_the_first_one() -> None:
    whole = template()
    for number in range(20):
        share = whole["Resources"]["Product"]
        of_it = {**share["Properties"], "QuotaShareName": f"team-{number}"}
        whole["Resources"][f"Team{number}"] = {**share, "Properties": of_it}
    found = [message for rule, _, message, _ in said(whole) if rule == "QS-16"]
    too_many = "A queue has at most 20 quota shares; this would be number {}."
    assert found == [too_many.format(21), too_many.format(22)]


TAKEN = "Choose another name; 'a-b' is that of another share."
BY_SUB = "Write it with Fn::Sub (!Sub in YAML), which fills in what is in ${}, but not in ${!}."


@pytest.mark.parametrize(
    ("names", "fixes"),
    [
        (["a b", "a-b"], [TAKEN]),
        (["a b", "a b"], ["Write 'a-b', say.", TAKEN]),
        (["a b", "a/b"], ["Write 'a-b', say.", TAKEN]),
        (["", " "], ["Write a name.", "Choose another name."]),
        (["a-b", "/a-b/"], [TAKEN]),
        (["a-b", "${a}b"], [BY_SUB]),
        ([{"Ref": "AWS::StackName"}, "a b"], ["Write 'a-b', say."]),
    ],
    ids=str,
)
def test_a_name_that_is_not_valid_beside_another(names: list[Any], fixes: list[str]) -> None:
    research, product = ({"QuotaShareName": name} for name in names)
    found = said(changed(Research=research, Product=product))
    assert [fix for rule, _, _, fix in found if rule == "QS-02"] == fixes


@pytest.mark.parametrize("before", ["", "queues/"])
def test_a_queue_is_named_by_a_whole_arn(before: str) -> None:
    whole = changed(Product={"JobQueue": sub(before + "${Queue}")})
    assert ("QS-20" in {rule for rule, _, _, _ in said(whole)}) == bool(before)
