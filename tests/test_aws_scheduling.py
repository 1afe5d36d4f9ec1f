"""Which jobs run on the endpoint: limits, lending and borrowing, priorities and preemption."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.aws.job_requests import GPU, payload, runs, shares, status, submit
from tests.scenarios import ACCOUNT, REGION

if TYPE_CHECKING:
    from tests.aws.calls import Calls

pytestmark = pytest.mark.aws

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


def test_what_is_lent_once_is_not_lent_twice(aws: Calls) -> None:
    shares(aws, a=-1, b=-1, c="LEND")
    # Room for more than the shares have together, which none of them may use.
    limits = [{"capacityUnit": GPU, "maxCapacity": 16}]
    aws("UpdateServiceEnvironment", serviceEnvironment="environment", capacityLimits=limits)
    ids = [submit(aws, name, count) for name, count in (("a", 4), ("a", 3), ("b", 4), ("b", 2))]
    assert [runs(aws, id) for id in ids] == [True, True, True, False]


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


def test_a_share_takes_back_what_it_has_lent(aws: Calls) -> None:  # SC-06, SC-09
    shares(aws, a=-1, b="LEND")
    own, borrowed = submit(aws, "a", 4), submit(aws, "a", 2)
    assert (runs(aws, own), runs(aws, borrowed)) == (True, True)
    first = aws.job(borrowed)["latestAttempt"]["serviceResourceId"]["value"]
    of_the_owner = submit(aws, "b", 4)
    assert [runs(aws, id) for id in (own, of_the_owner, borrowed)] == [True, True, False]
    preempted = aws.job(borrowed)["preemptionSummary"]
    assert preempted["preemptedAttemptCount"] == 1
    (attempt,) = preempted["recentPreemptedAttempts"]
    assert attempt["statusReason"] == (
        "Cross-share preemption triggered to reclaim borrowed capacity"
    )
    assert attempt["serviceResourceId"]["value"] == first
    # It goes on when there is room again, as a new SageMaker job.
    aws("TerminateServiceJob", jobId=of_the_owner, reason="done")
    assert runs(aws, borrowed)
    assert aws.job(borrowed)["latestAttempt"]["serviceResourceId"]["value"] != first


@pytest.mark.parametrize(("retries", "then"), [(0, "FAILED"), (1, "RUNNABLE"), (None, "RUNNABLE")])
def test_a_preempted_job_waits_again_as_often_as_it_said(
    aws: Calls, retries: int | None, then: str
) -> None:  # SJ-04
    shares(aws, a=-1, b="LEND")
    submit(aws, "a", 4)
    more = {} if retries is None else {"preemptionRetriesBeforeTermination": retries}
    borrowed = aws.submit(
        quotaShareName="a", serviceRequestPayload=payload(4), preemptionConfiguration=more
    )
    assert runs(aws, borrowed)
    submit(aws, "b", 4)
    assert status(aws, borrowed) == then


@pytest.mark.parametrize(("preemption", "expected"), [("ENABLED", True), ("DISABLED", False)])
def test_a_higher_priority_stops_a_lower_one_where_the_share_says_so(
    aws: Calls, preemption: str, expected: bool
) -> None:  # SC-07
    shares(aws, a="RESERVE")
    arn = f"{aws.queue_arn}/quota-share/a"
    aws(
        "UpdateQuotaShare",
        quotaShareArn=arn,
        preemptionConfiguration={"inSharePreemption": preemption},
    )
    low = submit(aws, "a", 3, priority=1)
    assert runs(aws, low)
    same = submit(aws, "a", 4, priority=1)
    assert not runs(aws, same)
    high = submit(aws, "a", 4, priority=2)
    assert (runs(aws, high), runs(aws, low)) == (expected, not expected)


def test_a_time_limit_ends_a_job_that_can_never_run(tmp_path: Path) -> None:
    from tests.aws.calls import Calls, wait_until
    from tests.aws.endpoint import Endpoint

    reason = "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"
    limit = {"reason": reason, "state": "RUNNABLE", "maxTimeSeconds": 600, "action": "TERMINATE"}
    with Endpoint(
        tmp_path, arguments=["--time-limit-scale=0.0001", "--job-seconds=0.2"]
    ) as running:
        aws = Calls(running, ACCOUNT, REGION)
        aws.make_queue()
        aws("UpdateJobQueue", jobQueue="queue", jobStateTimeLimitActions=[limit])
        done, stuck = submit(aws, "share", 4), submit(aws, "share", 5)
        wait_until(lambda: status(aws, stuck) == "FAILED")
        assert aws.job(stuck)["statusReason"] == (
            f"Terminated by JobStateTimeLimit action due to reason: {reason}"
        )
        wait_until(lambda: status(aws, done) == "SUCCEEDED")


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


def test_a_plain_queue_runs_jobs_in_order(aws: Calls) -> None:
    limits = [{"capacityUnit": "NUM_INSTANCES", "maxCapacity": 2}]
    aws("CreateServiceEnvironment", capacityLimits=limits)
    aws("CreateJobQueue", schedulingPolicyArn=None)
    ids = [
        aws.submit(quotaShareName=None, serviceRequestPayload=payload(count)) for count in (2, 1)
    ]
    assert [runs(aws, id) for id in ids] == [True, False]
    aws("TerminateServiceJobs", jobs=ids, reason="done")
    odd = aws.submit(quotaShareName=None, serviceRequestPayload="{}")
    too_large = aws.submit(quotaShareName=None, serviceRequestPayload=payload(3))
    assert (status(aws, odd), status(aws, too_large)) == ("FAILED", "RUNNABLE")
    assert "SERVICE_ENVIRONMENT_MAX_RESOURCE" in aws.job(too_large)["statusReason"]
