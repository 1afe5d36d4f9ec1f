"""Service jobs in a deployed queue: submitted, seen, given another priority, and ended."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from qm_constructs import ResourceSharing
from tests.aws.calls import wait_until
from tests.e2e.apps.training import GPU, synthesize, with_shares

if TYPE_CHECKING:
    from tests.e2e.cloud import Cloud

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk]


def asking(instances: int, unit: str = GPU) -> str:
    """Returns the payload of a job that asks for so many instances."""
    return json.dumps({"ResourceConfig": {"InstanceType": unit, "InstanceCount": instances}})


def test_jobs_of_teams_run_wait_borrow_and_end(cloud: Cloud) -> None:
    borrow = ResourceSharing.lend_and_borrow(borrow_limit=50)
    shares = with_shares(
        vision={"resource_sharing": borrow, "in_share_preemption": True},
        ops={"capacity_limits": {GPU: 1}, "resource_sharing": ResourceSharing.reserve()},
    )
    cloud.deploy(synthesize(cloud.outdir(), job_queue_name="gpu", **shares))
    aws, queue = cloud.batch, "gpu"

    def listed(status: str) -> list[str]:
        command = ["batch", "list-service-jobs", f"--job-queue={queue}", f"--job-status={status}"]
        return sorted(one["jobName"] for one in cloud.aws(*command)["jobSummaryList"])

    # A job names its share.
    assert "quotaShareName is required" in aws.refusal(
        "SubmitServiceJob", jobQueue=queue, quotaShareName=None
    )
    # Vision has 4 and borrows 2 of speech's.
    own = cloud.submit("vision", jobName="own", serviceRequestPayload=asking(4))
    borrowing = cloud.submit("vision", jobName="borrowing", serviceRequestPayload=asking(2))
    assert listed("RUNNING") == ["borrowing", "own"]
    given = {"jobQueue": queue, "quotaShareName": "vision", "serviceRequestPayload": asking(1)}
    early = aws.submit(**given, jobName="early", schedulingPriority=1)
    late = aws.submit(**given, jobName="late", schedulingPriority=1)
    wait_until(lambda: listed("RUNNABLE") == ["early", "late"])

    snapshot = cloud.aws("batch", "get-job-queue-snapshot", f"--job-queue={queue}")
    usage = snapshot["queueUtilization"]["totalCapacityUsage"]
    assert usage == [{"capacityUnit": GPU, "quantity": 6.0}]
    front = snapshot["frontOfQuotaShares"]["quotaShares"]["vision"]
    assert [one["jobArn"].rpartition("/")[2] for one in front] == [early]

    # Of two that wait, the one with the higher priority is next.
    aws("UpdateServiceJob", jobId=late, schedulingPriority=2)
    aws("TerminateServiceJob", jobId=borrowing, reason="room for others")
    wait_until(lambda: cloud.status_of(late) == "RUNNING")
    described = aws.job(borrowing)
    assert (described["status"], described["statusReason"]) == ("FAILED", "room for others")
    aws("TerminateServiceJob", jobId=own, reason="done")
    wait_until(lambda: cloud.status_of(early) == "RUNNING")


@pytest.mark.parametrize(
    ("instances", "unit", "reason"),
    [
        (5, GPU, "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"),
        (9, GPU, "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE"),
    ],
)
def test_a_job_that_can_never_run_is_ended_by_the_default_time_limits(
    cloud: Cloud, instances: int, unit: str, reason: str
) -> None:
    cloud.deploy(synthesize(cloud.outdir(), job_queue_name="gpu"))
    given = {"jobQueue": "gpu", "quotaShareName": "vision"}
    job = cloud.batch.submit(**given, serviceRequestPayload=asking(instances, unit))
    wait_until(lambda: cloud.status_of(job) == "FAILED")
    assert cloud.batch.job(job)["statusReason"] == (
        f"Terminated by JobStateTimeLimit action due to reason: {reason}"
    )
    # The next one runs.
    cloud.submit("vision", serviceRequestPayload=asking(4))
