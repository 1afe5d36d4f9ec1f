"""Service jobs on the endpoint: which of them run, and what ends them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.aws.job_requests import GPU, Json, runs, shares, status, submit
from tests.scenarios import ACCOUNT, REGION

if TYPE_CHECKING:
    from tests.aws.calls import Calls

pytestmark = pytest.mark.aws


def test_a_job_runs_until_it_is_terminated(aws: Calls) -> None:
    aws.make_queue()
    id = aws.submit(tags={"team": "a"}, schedulingPriority=7)
    assert runs(aws, id)
    job = aws.job(id)
    assert job["quotaShareName"] == "share"
    assert job["schedulingPriority"] == 7
    assert job["capacityUsage"] == [{"capacityUnit": GPU, "quantity": 1.0}]
    assert ":training-job/AWSBatch" in job["latestAttempt"]["serviceResourceId"]["value"]
    assert job["jobQueue"] == aws.queue_arn
    assert job["tags"] == {"team": "a"}
    aws("TerminateServiceJob", jobId=id, reason="enough")
    job = aws.job(id)
    assert (job["status"], job["statusReason"], job["isTerminated"]) == ("FAILED", "enough", True)
    assert job["stoppedAt"] >= job["startedAt"] > 0


def test_what_sagemaker_refuses_fails_and_does_not_block(aws: Calls) -> None:  # SJ-05
    aws.make_queue()
    odd = aws.submit(serviceRequestPayload="not JSON")
    assert aws.job(odd)["statusReason"].startswith("Received status from SageMaker: ")
    assert runs(aws, aws.submit())


def test_a_share_that_is_deleted_ends_its_jobs_and_no_others(aws: Calls) -> None:  # DE-01
    shares(aws, a="RESERVE", b="RESERVE")
    running, waiting, other = submit(aws, "a", 4), submit(aws, "a", 4), submit(aws, "b", 4)
    arn = f"{aws.queue_arn}/quota-share/a"
    aws("UpdateQuotaShare", quotaShareArn=arn, state="DISABLED")
    assert runs(aws, running)
    aws("DeleteQuotaShare", quotaShareArn=arn)
    assert (status(aws, running), status(aws, waiting)) == ("FAILED", "FAILED")
    assert runs(aws, other)
    assert "does not exist" in aws.refusal("DescribeQuotaShare", quotaShareArn=arn)


def test_a_queue_that_is_deleted_ends_its_jobs(aws: Calls) -> None:  # DE-02
    aws.make_queue()
    id = aws.submit()
    aws("UpdateJobQueue", jobQueue="queue", state="DISABLED")
    assert runs(aws, id)
    aws("DeleteJobQueue", jobQueue="queue")
    assert status(aws, id) == "FAILED"
    assert aws.client.describe_job_queues()["jobQueues"] == []


REFUSED: list[tuple[str, Json, str]] = [
    ("SJ-02", {"quotaShareName": None}, "quotaShareName is required"),
    ("SJ-02", {"shareIdentifier": "a"}, "shareIdentifier can't be used"),
    ("SJ-02", {"quotaShareName": "missing"}, "Quota share missing does not exist"),
    ("SJ-02", {"jobQueue": "plain"}, "quotaShareName requires a job queue with a quota share"),
    ("QS-13", {"quotaShareName": "disabled"}, "Quota share disabled is not ENABLED"),
    ("SJ-01", {"jobQueue": "missing"}, "missing does not exist"),
    ("SJ-03", {"schedulingPriority": -1}, "must be between 0 and 9999"),
    ("SJ-03", {"schedulingPriority": 10000}, "must be between 0 and 9999"),
    (
        "SJ-04",
        {"preemptionConfiguration": {"preemptionRetriesBeforeTermination": -1}},
        "must be 0 or more",
    ),
    ("SJ-06", {"serviceRequestPayload": "x" * 10241}, "must not exceed 10 KiB"),
    (
        "SJ-06",
        {
            "serviceRequestPayload": "x" * 10240,
            "tags": {f"{n:0128}": "x" * 256 for n in range(50)},
            "retryStrategy": {"attempts": 1, "evaluateOnExit": [{"onStatusReason": "a" * 512}] * 5},
        },
        "must not exceed 30 KiB",
    ),
    ("SJ-01", {"jobQueue": "disabled", "quotaShareName": None}, "is not ENABLED and VALID"),
    ("SJ-01", {"jobQueue": "containers", "quotaShareName": None}, "SAGEMAKER_TRAINING job queue"),
    ("SJ-07", {"retryStrategy": {"attempts": 0}}, "must be between 1 and 10"),
    ("SJ-07", {"retryStrategy": {"attempts": 11}}, "must be between 1 and 10"),
    (
        "SJ-07",
        {"retryStrategy": {"attempts": 1, "evaluateOnExit": [{"action": "EXIT"}] * 6}},
        "at most 5 entries",
    ),
    (
        "SJ-07",
        {
            "retryStrategy": {
                "attempts": 1,
                "evaluateOnExit": [{"action": "EXIT", "onStatusReason": "a" * 513}],
            }
        },
        "should match a valid pattern",
    ),
    ("SJ-09", {"tags": {"aws:a": "b"}}, "must not start with 'aws:'"),
    ("SJ-10", {"jobName": "a b"}, "Job name should match a valid pattern"),
    ("SJ-10", {"jobName": "a" * 129}, "Job name should match a valid pattern"),
]


def test_what_is_refused_at_submission(aws: Calls) -> None:
    aws.make_queue()
    aws("CreateQuotaShare", quotaShareName="disabled", state="DISABLED")
    aws("CreateServiceEnvironment", serviceEnvironmentName="spare")
    spare = [{"order": 1, "serviceEnvironment": "spare"}]
    aws(
        "CreateJobQueue",
        jobQueueName="plain",
        serviceEnvironmentOrder=spare,
        schedulingPolicyArn=None,
    )
    aws("CreateServiceEnvironment", serviceEnvironmentName="other")
    other = [{"order": 1, "serviceEnvironment": "other"}]
    aws("CreateJobQueue", jobQueueName="disabled", state="DISABLED", serviceEnvironmentOrder=other)
    containers = [{"order": 1, "computeEnvironment": "c"}]
    aws(
        "CreateJobQueue",
        jobQueueName="containers",
        jobQueueType="ECS",
        schedulingPolicyArn=None,
        serviceEnvironmentOrder=None,
        computeEnvironmentOrder=containers,
    )
    said = {(fact, says): aws.refusal("SubmitServiceJob", **given) for fact, given, says in REFUSED}
    assert [key for key, text in said.items() if key[1] not in text] == []
    assert aws("ListServiceJobs", jobQueue="queue", jobStatus="RUNNABLE")["jobSummaryList"] == []


def test_more_than_five_submissions_a_second_have_to_wait(tmp_path: Path) -> None:  # SJ-06
    from tests.aws.calls import Calls
    from tests.aws.endpoint import Endpoint

    statuses: list[int] = []
    with Endpoint(tmp_path) as endpoint:
        aws = Calls(endpoint, ACCOUNT, REGION)
        aws.client.meta.events.register(
            "before-parse.batch.SubmitServiceJob",
            lambda response_dict, **_: statuses.append(response_dict["status_code"]),
        )
        aws.make_queue()
        # boto3 tries again by itself, as users' clients do.
        assert len({aws.submit() for _ in range(6)}) == 6
    assert statuses[:6] == [200] * 5 + [429]
    assert statuses[-1] == 200


def test_one_client_token_is_one_job(aws: Calls) -> None:
    aws.make_queue()
    assert aws.submit(clientToken="t") == aws.submit(clientToken="t")


def test_jobs_are_listed_by_status_or_by_one_filter(aws: Calls) -> None:
    shares(aws, a="RESERVE", b="RESERVE")
    names = {
        submit(aws, "a", 4, "Train-1"): "Train-1",
        submit(aws, "a", 4, "train-2"): "train-2",
        submit(aws, "b", 4, "other"): "other",
    }
    for id in names:
        runs(aws, id)
    first = aws.job(next(iter(names)))["createdAt"]

    def listed(status: str | None = None, **one: str) -> list[str]:
        given: Json = {"jobStatus": status} if status else {}
        if one:
            given["filters"] = [{"name": name, "values": [value]} for name, value in one.items()]
        answer = aws("ListServiceJobs", jobQueue="queue", **given)
        return [job["jobName"] for job in answer["jobSummaryList"]]

    assert listed() == ["other", "Train-1"]
    assert listed("RUNNABLE") == ["train-2"]
    assert listed(JOB_NAME="TRAIN*") == ["train-2", "Train-1"]
    assert listed("RUNNABLE", JOB_NAME="train-1") == ["Train-1"]
    assert listed(QUOTA_SHARE_NAME="a") == ["train-2", "Train-1"]
    assert listed("RUNNING", QUOTA_SHARE_NAME="a") == ["Train-1"]
    assert listed(SHARE_IDENTIFIER="a") == []
    assert listed(BEFORE_CREATED_AT=str(first)) == []
    assert listed(AFTER_CREATED_AT=str(first - 1)) == ["other", "train-2", "Train-1"]
    two = [{"name": "JOB_NAME", "values": ["a"]}] * 2
    wrong: list[tuple[Json, str]] = [
        ({"filters": [{"name": "COLOUR", "values": ["a"]}]}, "Invalid filter"),
        ({"filters": [{"name": "JOB_NAME", "values": []}]}, "Invalid filter"),
        ({"filters": [{"name": "AFTER_CREATED_AT", "values": ["a"]}]}, "number of milliseconds"),
        ({"jobQueue": None}, "jobQueue is required"),
    ]
    for given, says in wrong:
        assert says in aws.refusal("ListServiceJobs", **{"jobQueue": "queue", **given})
    assert "Only one filter" in aws.refusal("ListServiceJobs", jobQueue="queue", filters=two)


def test_several_jobs_are_terminated_at_once(aws: Calls) -> None:
    aws.make_queue()
    id = aws.submit()
    answer = aws("TerminateServiceJobs", jobs=[id, "missing"], reason="enough")
    assert answer["successful"] == [id]
    assert [error["job"] for error in answer["errors"]] == ["missing"]


def test_a_priority_is_given_within_its_range_and_to_jobs_that_go_on(aws: Calls) -> None:  # SJ-03
    aws.make_queue()
    id = aws.submit()
    for priority in (-1, 10000):
        says = aws.refusal("UpdateServiceJob", jobId=id, schedulingPriority=priority)
        assert "must be between 0 and 9999" in says
    aws("UpdateServiceJob", jobId=id, schedulingPriority=9999)
    aws("TerminateServiceJob", jobId=id, reason="enough")
    assert "is FAILED" in aws.refusal("UpdateServiceJob", jobId=id, schedulingPriority=1)
