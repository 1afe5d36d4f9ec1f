"""What an environment, its queue and its shares ask of one another, and where each of them is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.test_mutants_queues import changed
from tests.test_resolving import judged, sub

P5, G5 = "ml.p5.48xlarge", "ml.g5.xlarge"
GIVEN = {"P": {"Type": "String"}}
HERE = {"Here": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}}
FINDS = "AWS Batch finds only what is in its own account and Region."


def said(whole: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one.rule.id, one.resource) for one in judged(whole)]


def limits(*units: str, most: Any = 4) -> dict[str, Any]:
    return {"CapacityLimits": [{"CapacityUnit": unit, "MaxCapacity": most} for unit in units]}


def sharing(strategy: str) -> dict[str, Any]:
    return {"ResourceSharingConfiguration": {"Strategy": strategy}}


# -- capacity


@pytest.mark.parametrize(
    ("environment", "share", "unit"),
    [
        ([P5], [P5, G5], 1),
        ([P5, "g5.2xlarge"], [P5, "ml.g5.2xlarge", G5], 2),
        ([P5], ["GPU", G5], 1),
        ([P5], [G5, P5], 0),
    ],
)
def test_each_unit_of_a_share_is_looked_up(
    environment: list[str], share: list[str], unit: int
) -> None:
    whole = changed("Research", Environment=limits(*environment), Product=limits(*share))
    found = [one.path[2] for one in judged(whole) if one.rule.id == "XR-01"]
    assert found == [unit]


@pytest.mark.parametrize("most", [0, -1])
def test_a_limit_that_cannot_be_is_compared_with_nothing(most: int) -> None:
    both = limits(P5)["CapacityLimits"] + limits(G5, most=most)["CapacityLimits"]
    whole = changed("Research", Environment={"CapacityLimits": both}, Product=limits(P5))
    assert said(whole) == [("SE-08", "Environment")]


@pytest.mark.parametrize("first", ["RESERVE", "LEND"])
def test_a_share_may_borrow_from_any_other(first: str) -> None:
    whole = changed(Research=sharing(first), Product=sharing("LEND_AND_BORROW"))
    assert said(whole) == ([] if first == "LEND" else [("XR-06", "Product")])


# -- places


def arn(kind: str, region: str = "us-east-1", partition: str = "aws") -> str:
    return f"arn:{partition}:batch:{region}:111122223333:{kind}/shared"


def at_one_place(whole: dict[str, Any], **sections: Any) -> list[tuple[str, tuple[Any, ...], str]]:
    found = judged({**whole, **sections})
    return [
        (one.message, (one.resource, *one.path[1:]), one.fix)
        for one in found
        if one.rule.id == "XR-09"
    ]


def test_two_shares_name_queues_of_one_place() -> None:
    whole = changed(
        "Queue Policy Environment",
        Research={"JobQueue": arn("job-queue")},
        Product={"JobQueue": arn("job-queue", "us-west-2")},
    )
    assert at_one_place(whole) == [
        (
            f"It is in Region us-west-2, the job queue of 'Research' in us-east-1; {FINDS}",
            ("Product", "JobQueue"),
            "Give a job queue of Region us-east-1, or put one of the two into another stack.",
        )
    ]


def test_two_shares_name_queues_of_one_partition() -> None:
    by_region = {"P": {"Ref": "P"}}
    first, second = (
        {"JobQueue": sub(arn("job-queue", "${P}", partition), **by_region)}
        for partition in ("aws", "aws-cn")
    )
    whole = changed("Queue Policy Environment", Research=first, Product=second)
    assert at_one_place(whole, Parameters=GIVEN) == [
        (
            f"It is in partition aws-cn, the job queue of 'Research' in aws; {FINDS}",
            ("Product", "JobQueue"),
            "Give a job queue of partition aws, or put one of the two into another stack.",
        )
    ]


def test_a_region_is_of_one_partition() -> None:
    share = {"JobQueue": arn("job-queue", partition="aws-cn")}
    whole = changed("Queue Policy Environment Research", Product=share)
    assert at_one_place(whole) == [
        (
            "The Region us-east-1 is in the partition aws, not in aws-cn.",
            ("Product", "JobQueue"),
            "Write arn:aws:, or the Region that is meant.",
        )
    ]


def test_an_arn_with_the_region_of_the_stack_is_right_in_its_partition_too() -> None:
    order = {
        "Order": 1,
        "ServiceEnvironment": sub(arn("service-environment", "${AWS::Region}")),
    }
    queue = {
        "SchedulingPolicyArn": arn("scheduling-policy", "cn-north-1", "aws-cn"),
        "ServiceEnvironmentOrder": [order],
        "State": {"Fn::If": ["Here", "ENABLED", "DISABLED"]},
    }
    whole = changed("Policy Environment Research Product", Queue=queue)
    assert [place for _, place, _ in at_one_place(whole, Conditions=HERE)] == [
        ("Queue", "SchedulingPolicyArn")
    ]
