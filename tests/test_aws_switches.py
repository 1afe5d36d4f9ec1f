"""What AWS leaves open: refused or accepted on the endpoint, as a switch says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.aws.requests import (
    A_QUEUE,
    A_SHARE,
    ENVIRONMENT,
    FAIR,
    GPU,
    OTHER,
    POLICY,
    QUEUE,
    QUOTA_ARN,
    SHARE,
    WAITS,
    Json,
    limits,
    named,
)

if TYPE_CHECKING:
    from tests.aws.calls import Calls
    from tests.aws.endpoint import Endpoint

pytestmark = pytest.mark.aws

# What AWS leaves open: (fact, the steps that lead there, the call)
OPEN: list[tuple[str, list[tuple[str, Json]], tuple[str, Json]]] = [
    (
        "SE-11",
        [],
        (ENVIRONMENT, {"serviceEnvironmentName": "e", "capacityLimits": limits(GPU, GPU)}),
    ),
    (
        "SE-13",
        [],
        (ENVIRONMENT, {"serviceEnvironmentName": "e", "capacityLimits": limits("ml.p99.large")}),
    ),
    ("QS-17", [], (SHARE, {**A_SHARE, "capacityLimits": limits(GPU, GPU)})),
    (
        "QS-08",
        [],
        (
            SHARE,
            {**A_SHARE, "resourceSharingConfiguration": {"strategy": "LEND", "borrowLimit": 5}},
        ),
    ),
    ("XR-01", [], (SHARE, {**A_SHARE, "capacityLimits": limits(OTHER)})),
    ("XR-02", [], (SHARE, {**A_SHARE, "capacityLimits": limits(GPU, most=5)})),
    (
        "XR-03",
        [],
        ("UpdateQuotaShare", {QUOTA_ARN: "share", "capacityLimits": limits(GPU, most=9)}),
    ),
    (
        "JT-08",
        [],
        (
            "UpdateJobQueue",
            {"jobQueue": "queue", "jobStateTimeLimitActions": [{**WAITS, "reason": "PATIENCE"}]},
        ),
    ),
    ("SP-06", [], (POLICY, {"name": "new", "quotaSharePolicy": None})),
    ("SP-08", [(ENVIRONMENT, {"serviceEnvironmentName": "spare"})], (QUEUE, A_QUEUE)),
    (
        "JQ-13",
        [(ENVIRONMENT, {"serviceEnvironmentName": "spare"})],
        (QUEUE, {**A_QUEUE, "schedulingPolicyArn": None}),
    ),
    (
        "UP-04",
        [(POLICY, {"name": "fair", "quotaSharePolicy": None, "fairsharePolicy": FAIR})],
        ("UpdateJobQueue", {"jobQueue": "queue", "schedulingPolicyArn": "fair"}),
    ),
    (
        "UP-08",
        [],
        (
            "UpdateServiceEnvironment",
            {"serviceEnvironment": "environment", "capacityLimits": limits(OTHER)},
        ),
    ),
    (
        "DE-06",
        [("UpdateJobQueue", {"jobQueue": "queue", "state": "DISABLED"})],
        ("DeleteJobQueue", {"jobQueue": "queue"}),
    ),
]


@pytest.mark.parametrize(("fact", "steps", "last"), OPEN, ids=[row[0] for row in OPEN])
def test_what_aws_leaves_open_is_refused_or_accepted_as_its_switch_says(
    aws: Calls,
    endpoint: Endpoint,
    fact: str,
    steps: list[tuple[str, Json]],
    last: tuple[str, Json],
) -> None:
    aws.make_queue()
    for call, given in steps:
        aws(call, **given)
    call, given = last[0], named(aws, last[1])
    before = list(aws.all())
    endpoint.turn({fact: True})
    assert aws.refusal(call, **given)
    assert list(aws.all()) == before
    # No other switch refuses it.
    endpoint.turn({**dict.fromkeys(endpoint.turn({}), True), fact: False, **_entailed(fact)})
    aws(call, **given)
    assert list(aws.all()) != before


def _entailed(fact: str) -> dict[str, bool]:
    """Returns the switch that must be off with this one, because it refuses the same."""
    also = {"XR-03": "XR-02", "UP-04": "JQ-13"}
    return {also[fact]: False} if fact in also else {}


def test_every_switch_is_tested(endpoint: Endpoint) -> None:
    assert {row[0] for row in OPEN} == endpoint.turn({}).keys()
