"""Service jobs in a deployed queue: submitted, seen, given another priority, and ended."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from qm_constructs import ResourceSharing
from tests.aws.calls import wait_until
from tests.e2e.apps.training import GPU, LIMITS, synthesize, with_shares

if TYPE_CHECKING:
    from tests.e2e.cloud import Cloud

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk]


def asking(instances: int) -> str:
    """Returns the payload of a job that asks for so many instances."""
    return json.dumps({"ResourceConfig": {"InstanceType": GPU, "InstanceCount": instances}})


def test_jobs_of_teams_run_borrow_give_back_wait_and_end(cloud: Cloud) -> None:
    borrow = ResourceSharing.lend_and_borrow(borrow_limit=50)
    shares = with_shares(vision={"resource_sharing": borrow})
    # All that the environment has is somebody's.
    limits = {"capacity_limits": {**LIMITS, GPU: 6}}
    cloud.deploy(synthesize(cloud.outdir(), job_queue_name="gpu", **limits, **shares))
    aws, of_vision = cloud.batch, {"jobQueue": "gpu", "quotaShareName": "vision"}

    def listed(status: str) -> list[str]:
        command = ["batch", "list-service-jobs", "--job-queue=gpu", f"--job-status={status}"]
        return sorted(one["jobName"] for one in cloud.aws(*command)["jobSummaryList"])

    # A job names its share.
    said = aws.refusal("SubmitServiceJob", jobQueue="gpu", quotaShareName=None)
    assert "quotaShareName is required" in said

    # Vision has 4 and borrows 2 of speech's, until speech wants them back.
    own = cloud.submit("vision", jobName="own", serviceRequestPayload=asking(4))
    borrowing = cloud.submit("vision", jobName="borrowing", serviceRequestPayload=asking(2))
    assert listed("RUNNING") == ["borrowing", "own"]
    cloud.submit("speech", jobName="owner", serviceRequestPayload=asking(2))
    assert listed("RUNNING") == ["own", "owner"]
    assert aws.job(borrowing)["preemptionSummary"]["preemptedAttemptCount"] == 1

    # Of those that wait, the one with the highest priority is next.
    large = {**of_vision, "serviceRequestPayload": asking(4), "schedulingPriority": 1}
    early, late = aws.submit(**large, jobName="early"), aws.submit(**large, jobName="late")
    wait_until(lambda: cloud.status_of(late) == "RUNNABLE")
    aws("UpdateServiceJob", jobId=late, schedulingPriority=2)
    snapshot = cloud.aws("batch", "get-job-queue-snapshot", "--job-queue=gpu")
    usage = snapshot["queueUtilization"]["totalCapacityUsage"]
    assert usage == [{"capacityUnit": GPU, "quantity": 6.0}]
    (front,) = snapshot["frontOfQuotaShares"]["quotaShares"]["vision"]
    assert front["jobArn"].rpartition("/")[2] == late
    aws("TerminateServiceJob", jobId=own, reason="room for others")
    wait_until(lambda: cloud.status_of(late) == "RUNNING")
    assert listed("RUNNABLE") == ["borrowing", "early"]
    assert listed("FAILED") == ["own"]
    assert aws.job(own)["statusReason"] == "room for others"
    aws("TerminateServiceJob", jobId=late, reason="room for others")
    wait_until(lambda: cloud.status_of(early) == "RUNNING")


@pytest.mark.parametrize(
    ("instances", "reason"),
    [
        (5, "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"),
        (9, "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE"),
    ],
)
def test_a_job_that_can_never_run_is_ended_by_the_default_time_limits(
    cloud: Cloud, instances: int, reason: str
) -> None:
    cloud.deploy(synthesize(cloud.outdir(), job_queue_name="gpu"))
    given = {"jobQueue": "gpu", "quotaShareName": "vision"}
    job = cloud.batch.submit(**given, serviceRequestPayload=asking(instances))
    wait_until(lambda: cloud.status_of(job) == "FAILED")
    assert cloud.batch.job(job)["statusReason"] == (
        f"Terminated by JobStateTimeLimit action due to reason: {reason}"
    )
    # The next one runs.
    cloud.submit("vision", serviceRequestPayload=asking(4))
