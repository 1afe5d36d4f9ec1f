"""JQ and JT: what AWS asks of a job queue of quota management, and of its time limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from qm_constructs.arns import EXAMPLES, parse_arn
from qm_constructs.plan import JOB_QUEUE, Path, QueuePlan, Resource
from qm_constructs.rules import _checks
from qm_constructs.rules._rule import (
    API,
    OBSERVED,
    QUOTA_GUIDE,
    Evidence,
    Rule,
    Severity,
    Violation,
)

MIN_PRIORITY: Final = 0
MAX_PRIORITY: Final = 1000
MIN_TIME_SECONDS: Final = 600
MAX_TIME_SECONDS: Final = 86400

# What AWS Batch compares with, to the letter.
TERMINATE: Final = "TERMINATE"
RUNNABLE: Final = "RUNNABLE"
SERVICE_ENVIRONMENT_MAX_RESOURCE: Final = "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE"
QUOTA_MANAGEMENT_LIMIT_EXCEEDED: Final = "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"
INSUFFICIENT_INSTANCE_CAPACITY: Final = "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY"


JQ_01 = Rule(
    id="JQ-01",
    title="A job queue's priority is a whole number from 0 to 1000",
    why="CloudFormation's schema of the type refuses any other.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=QUOTA_GUIDE,
)
JQ_07 = Rule(
    id="JQ-07",
    title="A queue of quota management has a scheduling policy with a QuotaSharePolicy",
    why="Without one the queue is FIFO or fair-share: it takes no quota shares, and the kind of a "
    "policy cannot be changed later.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=QUOTA_GUIDE,
)
JQ_08 = Rule(
    id="JQ-08",
    title="A job queue's scheduling policy is named by the ARN of a scheduling policy",
    why="AWS Batch refuses it: 'Only scheduling policy Arn can be allowed.'",
    severity=Severity.ERROR,
    evidence=Evidence.OBSERVED,
    source=f"{OBSERVED}/pf-batch-jq-scheduling-policy-arn-type",
)
JQ_09 = Rule(
    id="JQ-09",
    title="A job queue's name has 1 to 128 letters, digits, hyphens and underscores",
    why="AWS Batch refuses it: 'Job Queue name should match a valid pattern.'",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_CreateJobQueue.html",
)
JT_04 = Rule(
    id="JT-04",
    title="A job state time limit action acts after 600 to 86400 seconds",
    why="CloudFormation's schema of the type refuses any other.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_JobStateTimeLimitAction.html",
)


@JQ_01.on(JOB_QUEUE)
def _priority(queue: Resource) -> Iterator[Violation]:
    path: Path = ("Priority",)
    priority = queue.at(path)
    if isinstance(priority, int) and not MIN_PRIORITY <= priority <= MAX_PRIORITY:
        yield Violation(
            path,
            f"A job queue's priority is a whole number from {MIN_PRIORITY} to {MAX_PRIORITY}.",
            f"Give a number from {MIN_PRIORITY} to {MAX_PRIORITY}.",
        )


@JQ_07.on_queue
def _kind_of_policy(plan: QueuePlan) -> Iterator[Violation]:
    if plan.policy is not None and plan.policy.at(("QuotaSharePolicy",)) is None:
        kind = "a fair-share" if plan.policy.at(("FairsharePolicy",)) is not None else "another"
        yield Violation(
            ("SchedulingPolicyArn",),
            f"A queue of quota management needs a quota-share policy; this is {kind} policy.",
            "Leave it out to get a policy of its own, or give a QuotaShareSchedulingPolicy.",
        )


@JQ_08.on(JOB_QUEUE)
def _policy_arn(queue: Resource) -> Iterator[Violation]:
    path: Path = ("SchedulingPolicyArn",)
    arn = queue.at(path)
    if isinstance(arn, str) and parse_arn(arn, "scheduling-policy") is None:
        yield Violation(
            path,
            "A queue names its scheduling policy by the ARN of a scheduling policy.",
            f"Give one like {EXAMPLES['scheduling-policy']!r}.",
        )


@JQ_09.on(JOB_QUEUE)
def _name(queue: Resource) -> Iterator[Violation]:
    return _checks.name(queue, ("JobQueueName",))


@JT_04.on(JOB_QUEUE)
def _time_limits(queue: Resource) -> Iterator[Violation]:
    for index, action in enumerate(queue.at(("JobStateTimeLimitActions",)) or ()):
        seconds = action.get("MaxTimeSeconds")
        if isinstance(seconds, int) and not MIN_TIME_SECONDS <= seconds <= MAX_TIME_SECONDS:
            yield Violation(
                ("JobStateTimeLimitActions", index, "MaxTimeSeconds"),
                f"A job state time limit is {MIN_TIME_SECONDS} to {MAX_TIME_SECONDS} seconds "
                f"(10 minutes to 24 hours); this one is {seconds} seconds.",
                "Give a duration in that range, or None to turn the limit off.",
            )


RULES = (JQ_01, JQ_07, JQ_08, JQ_09, JT_04)
