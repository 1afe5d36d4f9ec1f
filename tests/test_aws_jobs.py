"""Service jobs on the endpoint: which of them run, and what ends them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.scenarios import ACCOUNT, REGION

if TYPE_CHECKING:
    from tests.aws.calls import Calls

pytestmark = pytest.mark.aws

GPU = "ml.g5.xlarge"
Json = dict[str, Any]


def payload(count: int, unit: str = GPU) -> str:
    return json.dumps({"ResourceConfig": {"InstanceType": unit, "InstanceCount": count}})


def shares(aws: Calls, **strategies: str | int) -> None:
    """Makes a queue of 8 instances with shares of 4: a strategy, or a borrow limit."""
    for call in ("CreateSchedulingPolicy", "CreateServiceEnvironment", "CreateJobQueue"):
        aws(call)
    for name, strategy in strategies.items():
        sharing: Json = {"strategy": strategy}
        if isinstance(strategy, int):
            sharing = {"strategy": "LEND_AND_BORROW", "borrowLimit": strategy}
        aws("CreateQuotaShare", quotaShareName=name, resourceSharingConfiguration=sharing)


def submit(aws: Calls, share: str, count: int, name: str = "job", priority: int = 0) -> str:
    return aws.submit(
        quotaShareName=share,
        jobName=name,
        serviceRequestPayload=payload(count),
        schedulingPriority=priority,
    )


def status(aws: Calls, id: str) -> str:
    return str(aws.job(id)["status"])


def runs(aws: Calls, id: str) -> bool:
    """Whether a job runs, now or in a moment."""
    from tests.aws.calls import wait_until

    if status(aws, id) == "RUNNABLE":
        return False
    wait_until(lambda: status(aws, id) not in ("SCHEDULED", "STARTING"))
    return status(aws, id) == "RUNNING"


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


# (strategy of a, of b; instances of each job: those of b first; which run)
RUNNING: list[tuple[str | int, str | int, list[int], list[int], list[bool]]] = [
    ("RESERVE", "LEND", [], [4, 1], [True, False]),
    ("LEND", "LEND", [], [4, 1], [True, False]),
    (-1, "LEND", [], [4, 4], [True, True]),
    (-1, "RESERVE", [], [4, 1], [True, False]),
    (100, -1, [], [4, 4], [True, True]),
    (50, "LEND", [], [4, 2, 1], [True, True, False]),
    (0, "LEND", [], [4, 1], [True, False]),
    (25, "LEND", [4], [4, 1], [True, True, False]),
    (-1, "LEND", [3], [4, 1, 1], [True, True, True, False]),
]


@pytest.mark.parametrize("case", RUNNING)
def test_a_share_runs_what_is_its_own_and_what_others_lend(
    aws: Calls, case: tuple[str | int, str | int, list[int], list[int], list[bool]]
) -> None:  # SC-04, QS-09
    of_a, of_b, in_b, in_a, expected = case
    shares(aws, a=of_a, b=of_b)
    ids = [submit(aws, "b", count) for count in in_b]
    ids += [submit(aws, "a", count) for count in in_a]
    assert [runs(aws, id) for id in ids] == expected


def test_the_environment_is_never_exceeded(aws: Calls) -> None:
    shares(aws, a="RESERVE", b="RESERVE", c="RESERVE")
    ids = [submit(aws, name, 4) for name in "abc"]
    assert [runs(aws, id) for id in ids] == [True, True, False]


def test_a_higher_priority_goes_first_and_may_change(aws: Calls) -> None:  # SC-03
    shares(aws, a="RESERVE")
    first = submit(aws, "a", 4)
    low, high = submit(aws, "a", 4, priority=1), submit(aws, "a", 4, priority=2)
    aws("UpdateServiceJob", jobId=low, schedulingPriority=3)
    aws("TerminateServiceJob", jobId=first, reason="done")
    assert (runs(aws, low), runs(aws, high)) == (True, False)


# (strategy, instances, what is said of the job while it waits)
STUCK: list[tuple[str | int, int, str]] = [
    (
        "RESERVE",
        9,
        "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE - Service environment(s) associated "
        "with the job queue cannot meet the capacity requirement of the job.",
    ),
    (
        "LEND",
        5,
        "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED - Job requirements exceed quota share "
        "capacity limits.",
    ),
    (
        50,
        7,
        "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED - Job requirements exceed quota share "
        "capacity limits and borrow limits.",
    ),
    (
        -1,
        5,
        "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED - Job requires borrowing that exceeds "
        "all configured borrowable capacity.",
    ),
]


@pytest.mark.parametrize(("strategy", "count", "says"), STUCK)
def test_a_job_that_can_never_run_says_why(
    aws: Calls, strategy: str | int, count: int, says: str
) -> None:
    others = {} if strategy == -1 else {"b": "LEND"}
    shares(aws, a=strategy, **others)
    job = aws.job(submit(aws, "a", count))
    assert (job["status"], job["statusReason"]) == ("RUNNABLE", says)


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


def test_a_disabled_environment_starts_no_jobs(aws: Calls) -> None:  # UP-11
    aws.make_queue()
    aws("UpdateServiceEnvironment", serviceEnvironment="environment", state="DISABLED")
    id = aws.submit()
    assert not runs(aws, id)
    aws("UpdateServiceEnvironment", serviceEnvironment="environment", state="ENABLED")
    assert runs(aws, id)


def test_lower_limits_of_the_environment_stop_no_job(aws: Calls) -> None:  # UP-06
    aws.make_queue()
    id = submit(aws, "share", 4)
    limits = [{"capacityUnit": GPU, "maxCapacity": 1}]
    aws("UpdateServiceEnvironment", serviceEnvironment="environment", capacityLimits=limits)
    assert runs(aws, id)


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
    assert "Only one filter" in aws.refusal("ListServiceJobs", jobQueue="queue", filters=two)


def test_the_snapshot_tells_who_uses_what_and_who_is_next(aws: Calls) -> None:
    shares(aws, a="RESERVE", b="RESERVE")
    running, waiting = submit(aws, "a", 3), submit(aws, "a", 2)
    snapshot = aws("GetJobQueueSnapshot", jobQueue="queue")
    used = [{"capacityUnit": GPU, "quantity": 3.0}]
    utilization = snapshot["queueUtilization"]
    assert utilization["totalCapacityUsage"] == used
    assert utilization["quotaShareUtilization"]["topCapacityUtilization"] == [
        {"quotaShareName": "a", "capacityUsage": used}
    ]
    front = snapshot["frontOfQuotaShares"]["quotaShares"]
    assert [job["jobArn"] for job in front["a"]] == [aws.arn("service-job", waiting)]
    assert front["b"] == []
    assert [job["jobArn"] for job in snapshot["frontOfQueue"]["jobs"]] == [front["a"][0]["jobArn"]]
    assert runs(aws, running)


def test_several_jobs_are_terminated_at_once(aws: Calls) -> None:
    aws.make_queue()
    id = aws.submit()
    answer = aws("TerminateServiceJobs", jobs=[id, "missing"], reason="enough")
    assert answer["successful"] == [id]
    assert [error["job"] for error in answer["errors"]] == ["missing"]


def test_a_plain_queue_runs_jobs_in_order(aws: Calls) -> None:
    limits = [{"capacityUnit": "NUM_INSTANCES", "maxCapacity": 2}]
    aws("CreateServiceEnvironment", capacityLimits=limits)
    aws("CreateJobQueue", schedulingPolicyArn=None)
    ids = [
        aws.submit(quotaShareName=None, serviceRequestPayload=payload(count)) for count in (2, 1)
    ]
    assert [runs(aws, id) for id in ids] == [True, False]
