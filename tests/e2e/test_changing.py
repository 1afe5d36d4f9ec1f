"""A deployed queue is changed: each change in one deploy, and nothing else is touched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest
from aws_cdk import Duration

from qm_constructs import JobStateTimeLimits, ResourceSharing
from tests.e2e.apps.training import GPU, LIMITS, OTHER, SHARES, STACK, synthesize

if TYPE_CHECKING:
    from tests.e2e.cloud import Cloud

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk]

Json = dict[str, Any]
ALL = {"policy", "environment", "queue", "vision", "speech", "robots"}
A_DAY = JobStateTimeLimits(insufficient_instance_capacity=Duration.days(1))

# (what changes, arguments of the queue, arguments of shares, what is touched, what one of it says)
CHANGES: list[tuple[str, Json, Json, set[str], Json]] = [
    ("a share more", {}, {"robots": {"capacity_limits": {GPU: 1}}}, {"robots"}, {}),
    (
        "a share's limits",
        {},
        {"vision": {"capacity_limits": {GPU: 3}}},
        {"vision"},
        {"capacityLimits": [{"capacityUnit": GPU, "maxCapacity": 3}]},
    ),
    (
        "the environment's limits",
        {"capacity_limits": {**LIMITS, GPU: 9}},
        {},
        {"environment"},
        {
            "capacityLimits": [
                {"capacityUnit": GPU, "maxCapacity": 9},
                {"capacityUnit": OTHER, "maxCapacity": 2},
            ]
        },
    ),
    (
        "the strategy",
        {},
        {"vision": {"resource_sharing": ResourceSharing.lend_and_borrow(borrow_limit=50)}},
        {"vision"},
        {"resourceSharingConfiguration": {"strategy": "LEND_AND_BORROW", "borrowLimit": 50}},
    ),
    (
        "in-share preemption",
        {},
        {"speech": {"in_share_preemption": True}},
        {"speech"},
        {"preemptionConfiguration": {"inSharePreemption": "ENABLED"}},
    ),
    ("the priority", {"priority": 2}, {}, {"queue"}, {"priority": 2}),
    ("the time limits", {"job_state_time_limits": A_DAY}, {}, {"queue"}, {}),
    ("the tags", {"tags": {"cost-center": "42"}}, {}, ALL, {}),
    ("a share's state", {}, {"speech": {"enabled": False}}, {"speech"}, {"state": "DISABLED"}),
    ("the queue's state", {"enabled": False}, {}, {"queue"}, {"state": "DISABLED"}),
]


def kind(arn: str) -> str:
    """Returns what a resource is called here: its type, or a share's name."""
    if "/quota-share/" in arn:
        return arn.rpartition("/")[2]
    return arn.partition("/")[0].rpartition("-")[2]


def touched(before: Mapping[str, Json], after: Mapping[str, Json]) -> set[str]:
    """Returns what is new, gone or otherwise."""
    arns = before.keys() | after.keys()
    return {kind(arn) for arn in arns if before.get(arn) != after.get(arn)}


def test_each_change_is_one_deploy_that_touches_nothing_else_and_all_are_taken_back(
    either_way: Cloud,
) -> None:
    cloud, queue = either_way, dict[str, Any]()
    shares = {name: dict(arguments) for name, arguments in SHARES.items()}
    cloud.deploy(synthesize(cloud.outdir(), shares=shares))
    at_first, ids_at_first = cloud.described(), cloud.stacks.physical_ids(STACK)
    jobs = {"vision": cloud.submit("vision")}

    for title, of_queue, of_shares, touches, says in CHANGES:
        before, ids = cloud.described(), cloud.stacks.physical_ids(STACK)
        queue |= of_queue
        for name, arguments in of_shares.items():
            shares[name] = {**shares.get(name, {}), **arguments}
        cloud.deploy(synthesize(cloud.outdir(), shares=shares, **queue))
        after, ids_after = cloud.described(), cloud.stacks.physical_ids(STACK)
        assert touched(before, after) == touches, title
        assert ids.items() <= ids_after.items(), title
        if says:
            (changed,) = (one for arn, one in after.items() if kind(arn) in touches)
            assert changed.items() >= says.items(), title
        if title == "a share more":
            jobs["robots"] = cloud.submit("robots")
    (changed,) = (one for arn, one in cloud.described().items() if kind(arn) == "queue")
    limits = {one["reason"]: one["maxTimeSeconds"] for one in changed["jobStateTimeLimitActions"]}
    assert limits["CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY"] == 86400
    for one in cloud.described().values():
        assert one["tags"]["cost-center"] == "42"
    assert {cloud.status_of(job) for job in jobs.values()} == {"RUNNING"}

    # All back: the share that came goes, and its job with it.
    cloud.deploy(synthesize(cloud.outdir()))
    assert cloud.described() == at_first
    assert cloud.stacks.physical_ids(STACK) == ids_at_first
    assert cloud.status_of(jobs["robots"]) == "FAILED"
    assert cloud.status_of(jobs["vision"]) == "RUNNING"
