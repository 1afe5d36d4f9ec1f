"""The sample, from an empty account to an empty account, as its user runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.aws.endpoint import ROOT
from tests.e2e.making import make

if TYPE_CHECKING:
    from tests.e2e.cloud import Cloud

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk]

STACK = "QuotaManagedTraining"


def test_the_sample_is_deployed_and_changes_no_more_and_leaves_nothing(either_way: Cloud) -> None:
    cloud, before = either_way, either_way.has()
    # As cdk.json says.
    app: dict[str, Any] = {"cwd": ROOT}
    out = f"--output={cloud.outdir()}"

    said = cloud.cdk("diff", out, **app)
    for type in ("SchedulingPolicy", "ServiceEnvironment", "JobQueue", "QuotaShare"):
        assert f"[+] AWS::Batch::{type} " in said

    said = cloud.run(*make("deploy", f"CDK_FLAGS=--require-approval=never {out}"), **app)
    queue = _queue_as_the_guide_checks_it(cloud)
    assert f"{STACK}.JobQueueArn = {queue}" in said
    listed = cloud.aws("batch", "list-quota-shares", f"--job-queue={queue}")["quotaShares"]
    assert {share["quotaShareName"] for share in listed} == {"inference", "product", "research"}
    assert {(share["state"], share["status"]) for share in listed} == {("ENABLED", "VALID")}

    assert "Number of stacks with differences: 0" in cloud.cdk("diff", out, **app)
    described = cloud.described()
    assert "(no changes)" in cloud.cdk("deploy", out, **app)
    assert cloud.described() == described
    assert cloud.stacks.statuses() == {STACK: "CREATE_COMPLETE"}

    assert "destroyed" in cloud.run(*make("destroy", f"CDK_FLAGS=--force {out}"), **app)
    assert cloud.has() == before
    assert cloud.stacks.statuses() == {}


def _queue_as_the_guide_checks_it(cloud: Cloud) -> str:
    """Returns the queue's ARN, once it is what the AWS guide asks one to check."""
    (queue,) = cloud.aws("batch", "describe-job-queues")["jobQueues"]
    assert (queue["state"], queue["status"]) == ("ENABLED", "VALID")
    assert queue["statusReason"] == "JobQueue Healthy"
    assert queue["jobQueueType"] == "SAGEMAKER_TRAINING"
    return str(queue["jobQueueArn"])
