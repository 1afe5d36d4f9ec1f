"""What AWS has not said that it takes: deployed where it does, rolled back where it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.apps.training import GPU, LIMITS, OTHER, SHARES, STACK, synthesize, with_shares
from tests.e2e.apps.unconfirmed import TWO_QUEUES, synthesize_two_queues

if TYPE_CHECKING:
    from tests.e2e.cloud import Cloud

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk]

either = pytest.mark.parametrize("refused", [False, True], ids=["lenient", "strict"])
SHARED = "The quota share policy is attached to another job queue."
TOO_MUCH = f"Quota shares exceed the service environment's {LIMITS[GPU]} {GPU}."


@either
def test_two_queues_with_one_policy(cloud: Cloud, refused: bool) -> None:  # SP-08
    cloud.refuse("SP-08", refused)
    before = cloud.has()
    said = cloud.deploy(synthesize_two_queues(cloud.outdir()), fails=refused)
    assert (SHARED in said) == refused
    if refused:
        assert cloud.stacks.statuses() == {TWO_QUEUES: "ROLLBACK_COMPLETE"}
        assert cloud.has() == before
    else:
        queues = cloud.batch.client.describe_job_queues()["jobQueues"]
        assert len({queue["jobQueueArn"] for queue in queues}) == 2
        assert len({queue["schedulingPolicyArn"] for queue in queues}) == 1


@either
def test_a_queue_that_is_renamed_over_a_policy_of_a_fixed_name(
    cloud: Cloud, refused: bool
) -> None:  # SP-08
    cloud.refuse("SP-08", refused)
    name = {"scheduling_policy_name": "policy"}
    cloud.deploy(synthesize(cloud.outdir(), job_queue_name="old", **name))
    before = cloud.described()
    new = synthesize(cloud.outdir(), job_queue_name="new", **name)
    said = cloud.deploy(new, fails=refused)
    assert (SHARED in said) == refused
    if refused:
        assert cloud.described() == before
        # Renamed with its queue, it is in nobody's way.
        name = {"scheduling_policy_name": "new-policy"}
        cloud.deploy(synthesize(cloud.outdir(), job_queue_name="new", **name))
    assert cloud.queue_arn() == cloud.batch.arn("job-queue", "new")
    assert len(cloud.described()) == len(before)


@either
def test_shares_that_hold_more_than_the_environment(cloud: Cloud, refused: bool) -> None:  # XR-02
    cloud.refuse("XR-02", refused)
    before = cloud.has()
    app = synthesize(cloud.outdir(), **with_shares(vision={"capacity_limits": {GPU: 7}}))
    said = cloud.deploy(app, fails=refused)
    assert (TOO_MUCH in said) == refused
    if refused:
        assert cloud.stacks.statuses() == {STACK: "ROLLBACK_COMPLETE"}
        assert cloud.has() == before
    else:
        assert cloud.stacks.statuses() == {STACK: "CREATE_COMPLETE"}
        cloud.submit("vision")


@either
def test_a_share_that_is_renamed_where_shares_hold_all_there_is(
    cloud: Cloud, refused: bool
) -> None:  # XR-02, because the new one comes before the old one goes
    cloud.refuse("XR-02", refused)
    shares = {"vision": {"capacity_limits": {GPU: LIMITS[GPU]}}}
    cloud.deploy(synthesize(cloud.outdir(), shares=shares))
    before, job = cloud.described(), cloud.submit("vision")
    renamed = {"images": shares["vision"]}
    said = cloud.deploy(synthesize(cloud.outdir(), shares=renamed), fails=refused)
    assert (TOO_MUCH in said) == refused
    if refused:
        assert cloud.described() == before
        assert cloud.status_of(job) == "RUNNING"
    else:
        (share,) = (arn for arn in cloud.described() if "/quota-share/" in arn)
        assert share.endswith("/quota-share/images")
        assert cloud.status_of(job) == "FAILED"


@either
def test_an_instance_type_that_is_given_up(cloud: Cloud, refused: bool) -> None:  # UP-08
    cloud.refuse("UP-08", refused)
    cloud.deploy(synthesize(cloud.outdir()))
    ids = cloud.stacks.physical_ids(STACK)
    assert OTHER in SHARES["speech"]["capacity_limits"]
    without = with_shares(speech={"capacity_limits": {GPU: 2}})
    limits = {"capacity_limits": {GPU: LIMITS[GPU]}}
    # In one deploy, the environment changes before the shares.
    said = cloud.deploy(synthesize(cloud.outdir(), **limits, **without), fails=refused)
    assert ("in use by quota shares" in said) == refused
    if refused:
        # Shares first, then the environment.
        cloud.deploy(synthesize(cloud.outdir(), **without))
        cloud.deploy(synthesize(cloud.outdir(), **limits, **without))
    assert cloud.stacks.physical_ids(STACK) == ids
    assert OTHER not in str(cloud.described())


def test_capacity_moves_from_a_share_to_another_in_two_deploys(cloud: Cloud) -> None:  # XR-02
    cloud.refuse_all(True)
    half = {"capacity_limits": {GPU: LIMITS[GPU] // 2}}
    less, more = {"capacity_limits": {GPU: 1}}, {"capacity_limits": {GPU: LIMITS[GPU] - 1}}
    for vision, speech in ((half, half), (less, half), (less, more), (less, less), (more, less)):
        cloud.deploy(synthesize(cloud.outdir(), shares={"vision": vision, "speech": speech}))
    assert cloud.stacks.statuses() == {STACK: "UPDATE_COMPLETE"}
