"""What AWS Batch refuses on the endpoint, and in which words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.aws.requests import (
    A_QUEUE,
    A_SHARE,
    ENVIRONMENT,
    FAIR,
    FIFO,
    GPU,
    LONG,
    POLICY,
    QUEUE,
    QUOTA_ARN,
    SHARE,
    WAITS,
    Json,
    limits,
    named,
    serves,
)

if TYPE_CHECKING:
    from tests.aws.calls import Calls
    from tests.aws.endpoint import Endpoint

pytestmark = pytest.mark.aws


VALID_PATTERN = "should match a valid pattern."

# (fact, call, what is otherwise than in the sound request, what AWS Batch says)
REFUSED: list[tuple[str, str, Json, str]] = [
    ("SP-02", POLICY, {"name": "a b"}, f"Scheduling policy name {VALID_PATTERN}"),
    ("SP-02", POLICY, {"name": LONG}, f"Scheduling policy name {VALID_PATTERN}"),
    (
        "SP-03",
        POLICY,
        {"name": "new", "quotaSharePolicy": {"idleResourceAssignmentStrategy": "fifo"}},
        "Idle resource assignment strategy must be one of [FIFO].",
    ),
    (
        "SP-04",
        POLICY,
        {"name": "new", "fairsharePolicy": FAIR},
        "A scheduling policy can have either fairsharePolicy or quotaSharePolicy, but not both.",
    ),
    ("SP-01", POLICY, {}, "Object already exists"),
    ("SP-05", "UpdateSchedulingPolicy", {"arn": "policy"}, "cannot be removed or changed"),
    (
        "UP-02",
        "UpdateSchedulingPolicy",
        {"arn": "policy", "fairsharePolicy": FAIR},
        "cannot be removed or changed",
    ),
    (
        "UP-02",
        "UpdateSchedulingPolicy",
        {"arn": "fair", "quotaSharePolicy": FIFO},
        "cannot be removed or changed",
    ),
    ("DE-04", "DeleteSchedulingPolicy", {"arn": "policy"}, "existing JobQueue relationship"),
    ("SE-03", ENVIRONMENT, {}, "Object already exists"),
    (
        "SE-03",
        ENVIRONMENT,
        {"serviceEnvironmentName": "a.b"},
        f"Service environment name {VALID_PATTERN}",
    ),
    (
        "SE-02",
        ENVIRONMENT,
        {"serviceEnvironmentName": "new", "serviceEnvironmentType": "ECS"},
        "must be one of [SAGEMAKER_TRAINING]",
    ),
    (
        "SE-04",
        ENVIRONMENT,
        {"serviceEnvironmentName": "new", "capacityLimits": []},
        "Capacitylimits are required.",
    ),
    (
        "SE-04",
        ENVIRONMENT,
        {"serviceEnvironmentName": "new", "capacityLimits": limits(*["ml.g5.xlarge"] * 6)},
        "Number of capacity limits exceeds 5.",
    ),
    (
        "SE-06",
        ENVIRONMENT,
        {"serviceEnvironmentName": "new", "capacityLimits": limits("NUM_INSTANCES", GPU)},
        "Capacity units must specify either number of instances OR instance type, but not both",
    ),
    (
        "SE-07",
        ENVIRONMENT,
        {"serviceEnvironmentName": "new", "capacityLimits": limits("VCPU")},
        "VCPU is unknown capacity unit in [ml.",
    ),
    (
        "SE-08",
        ENVIRONMENT,
        {"serviceEnvironmentName": "new", "capacityLimits": limits(GPU, most=0)},
        "Max capacity must be more than 0.",
    ),
    (
        "SE-09",
        ENVIRONMENT,
        {"serviceEnvironmentName": "new", "capacityLimits": [{}]},
        "is unknown capacity unit in [ml.",
    ),
    (
        "SE-10",
        ENVIRONMENT,
        {"serviceEnvironmentName": "new", "state": "PAUSED"},
        "must be one of [ENABLED, DISABLED]",
    ),
    (
        "SE-05",
        "UpdateServiceEnvironment",
        {"serviceEnvironment": "environment", "capacityLimits": limits("NUM_INSTANCES")},
        "Quota management requires instance types",
    ),
    (
        "DE-03",
        "DeleteServiceEnvironment",
        {"serviceEnvironment": "environment"},
        "must be DISABLED first",
    ),
    (
        "DE-03",
        "DeleteServiceEnvironment",
        {"serviceEnvironment": "disabled"},
        "existing JobQueue relationship",
    ),
    ("JQ-01", QUEUE, {**A_QUEUE, "priority": -1}, "priority must be between 0 and 1000"),
    ("JQ-01", QUEUE, {**A_QUEUE, "priority": 1001}, "priority must be between 0 and 1000"),
    (
        "JQ-02",
        QUEUE,
        {**A_QUEUE, "jobQueueType": "ECS"},
        "The jobQueueType provided is ECS, which is incompatible with the provided "
        "serviceEnvironmentOrder.",
    ),
    ("JQ-02", QUEUE, {**A_QUEUE, "jobQueueType": None}, "is incompatible with the provided"),
    (
        "JQ-03",
        QUEUE,
        {**A_QUEUE, "serviceEnvironmentOrder": serves("spare", "environment")},
        "Job queue can only have 1 service environment.",
    ),
    (
        "JQ-04",
        QUEUE,
        {**A_QUEUE, "serviceEnvironmentOrder": None},
        "Job queues of type SAGEMAKER_TRAINING must have serviceEnvironmentOrder.",
    ),
    (
        "JQ-05",
        QUEUE,
        {**A_QUEUE, "computeEnvironmentOrder": [{"order": 1, "computeEnvironment": "c"}]},
        "can't have both a serviceEnvironmentOrder and a computeEnvironmentOrder",
    ),
    (
        "JQ-06",
        QUEUE,
        {**A_QUEUE, "serviceEnvironmentOrder": serves("missing")},
        "Service environments must be created and valid before attaching them to a job queue.",
    ),
    (
        "XR-09",
        QUEUE,
        {
            **A_QUEUE,
            "serviceEnvironmentOrder": serves(
                "arn:aws:batch:eu-west-1:111122223333:service-environment/spare"
            ),
        },
        "Service environments must be created and valid before attaching them to a job queue.",
    ),
    (
        "SE-12",
        QUEUE,
        {**A_QUEUE, "serviceEnvironmentOrder": serves("environment")},
        "is already connected to job queue",
    ),
    (
        "SE-12",
        QUEUE,
        {**A_QUEUE, "serviceEnvironmentOrder": serves("environment"), "schedulingPolicyArn": None},
        "is already connected to job queue",
    ),
    (
        "SE-05",
        QUEUE,
        {**A_QUEUE, "serviceEnvironmentOrder": serves("counted")},
        "Quota management requires instance types",
    ),
    (
        "JQ-07",
        QUEUE,
        {
            **A_QUEUE,
            "jobQueueType": "ECS",
            "serviceEnvironmentOrder": None,
            "computeEnvironmentOrder": [{"order": 1, "computeEnvironment": "c"}],
        },
        "Quota Management feature is only supported for SageMaker Training job queues.",
    ),
    (
        "JQ-08",
        QUEUE,
        {**A_QUEUE, "schedulingPolicyArn": "arn:aws:batch:us-east-1:111122223333:job-queue/q"},
        "Only scheduling policy Arn can be allowed.",
    ),
    (
        "JQ-08",
        QUEUE,
        {
            **A_QUEUE,
            "schedulingPolicyArn": "arn:aws:batch:eu-west-1:111122223333:scheduling-policy/policy",
        },
        "SchedulingPolicy arn:aws:batch:eu-west-1:111122223333:scheduling-policy/policy not found.",
    ),
    ("JQ-09", QUEUE, {**A_QUEUE, "jobQueueName": "a/b"}, f"Job Queue name {VALID_PATTERN}"),
    ("JQ-09", QUEUE, {"serviceEnvironmentOrder": serves("spare")}, "Object already exists"),
    ("JQ-10", QUEUE, {**A_QUEUE, "state": "ON"}, "must be one of [ENABLED, DISABLED]"),
    (
        "JT-02",
        QUEUE,
        {**A_QUEUE, "jobStateTimeLimitActions": [{**WAITS, "state": "RUNNING"}]},
        "must be one of [RUNNABLE]",
    ),
    (
        "JT-03",
        QUEUE,
        {**A_QUEUE, "jobStateTimeLimitActions": [{**WAITS, "action": "CANCEL"}]},
        "Invalid job action. Valid job actions: [TERMINATE]",
    ),
    (
        "JT-04",
        QUEUE,
        {**A_QUEUE, "jobStateTimeLimitActions": [{**WAITS, "maxTimeSeconds": 599}]},
        "must be between 600 and 86400",
    ),
    (
        "JT-04",
        QUEUE,
        {**A_QUEUE, "jobStateTimeLimitActions": [{**WAITS, "maxTimeSeconds": 86401}]},
        "must be between 600 and 86400",
    ),
    (
        "JT-06",
        QUEUE,
        {**A_QUEUE, "jobStateTimeLimitActions": [WAITS, {**WAITS, "maxTimeSeconds": 700}]},
        "Duplicate job state limit actions are not allowed.",
    ),
    (
        "UP-03",
        "UpdateJobQueue",
        {"jobQueue": "plain", "schedulingPolicyArn": "policy"},
        "without a scheduling policy can't get one",
    ),
    (
        "JQ-08",
        "UpdateJobQueue",
        {"jobQueue": "queue", "schedulingPolicyArn": "missing"},
        "not found.",
    ),
    (
        "SE-12",
        "UpdateJobQueue",
        {"jobQueue": "plain", "serviceEnvironmentOrder": serves("environment")},
        "is already connected to job queue",
    ),
    (
        "JQ-04",
        "UpdateJobQueue",
        {"jobQueue": "queue", "serviceEnvironmentOrder": []},
        "must have serviceEnvironmentOrder",
    ),
    ("DE-02", "DeleteJobQueue", {"jobQueue": "queue"}, "must be DISABLED first"),
    ("QS-02", SHARE, {"quotaShareName": "a b"}, f"Quota share name {VALID_PATTERN}"),
    ("QS-03", SHARE, {}, "Object already exists"),
    ("QS-04", SHARE, {**A_SHARE, "capacityLimits": []}, "must have 1 to 5 capacity limits"),
    (
        "QS-04",
        SHARE,
        {**A_SHARE, "capacityLimits": limits(*[GPU] * 6)},
        "must have 1 to 5 capacity limits",
    ),
    (
        "QS-05",
        SHARE,
        {**A_SHARE, "capacityLimits": limits(GPU, most=0)},
        "Max capacity must be more than 0.",
    ),
    (
        "QS-06",
        SHARE,
        {**A_SHARE, "capacityLimits": limits("NUM_INSTANCES")},
        "NUM_INSTANCES is unknown capacity unit",
    ),
    (
        "QS-07",
        SHARE,
        {**A_SHARE, "resourceSharingConfiguration": {"strategy": "BORROW"}},
        "must be one of [RESERVE, LEND, LEND_AND_BORROW]",
    ),
    (
        "QS-09",
        SHARE,
        {
            **A_SHARE,
            "resourceSharingConfiguration": {"strategy": "LEND_AND_BORROW", "borrowLimit": -2},
        },
        "borrowLimit must be -1 or more",
    ),
    (
        "QS-12",
        SHARE,
        {**A_SHARE, "preemptionConfiguration": {"inSharePreemption": "ON"}},
        "must be one of [ENABLED, DISABLED]",
    ),
    ("QS-20", SHARE, {**A_SHARE, "jobQueue": "plain"}, "require a job queue with a quota share"),
    ("QS-20", SHARE, {**A_SHARE, "jobQueue": "missing"}, "missing does not exist"),
    (
        "QS-05",
        "UpdateQuotaShare",
        {QUOTA_ARN: "share", "capacityLimits": limits(GPU, most=-1)},
        "Max capacity must be more than 0.",
    ),
    ("QS-14", "DescribeQuotaShare", {QUOTA_ARN: "missing"}, "does not exist"),
    ("DE-01", "DeleteQuotaShare", {QUOTA_ARN: "share"}, "must be DISABLED first"),
    ("SJ-09", POLICY, {"name": "new", "tags": {"aws:x": "1"}}, "must not start with 'aws:'"),
    (
        "SJ-09",
        "TagResource",
        {"resourceArn": "policy", "tags": {str(n): "" for n in range(51)}},
        "at most 50 tags",
    ),
    ("SJ-09", QUEUE, {**A_QUEUE, "tags": {"a": "b" * 257}}, VALID_PATTERN),
    ("SJ-09", SHARE, {**A_SHARE, "tags": {"a!": "b"}}, VALID_PATTERN),
    ("XR-09", "TagResource", {"resourceArn": "missing", "tags": {}}, "does not exist"),
]


@pytest.fixture(scope="module")
def furnished(endpoint: Endpoint, calls_of_aws: Calls) -> Iterator[Calls]:
    """A queue with a share, a plain queue, spare environments and a fair-share policy."""
    aws = calls_of_aws
    endpoint.reset()
    endpoint.turn(dict.fromkeys(endpoint.turn({}), False))
    aws.make_queue()
    aws(POLICY, name="fair", quotaSharePolicy=None, fairsharePolicy=FAIR)
    aws(ENVIRONMENT, serviceEnvironmentName="spare")
    aws(ENVIRONMENT, serviceEnvironmentName="counted", capacityLimits=limits("NUM_INSTANCES"))
    aws(ENVIRONMENT, serviceEnvironmentName="disabled", state="DISABLED")
    aws(
        QUEUE,
        jobQueueName="plain",
        serviceEnvironmentOrder=serves("disabled"),
        schedulingPolicyArn=None,
    )
    yield aws
    endpoint.reset()


@pytest.mark.parametrize(
    ("call", "given", "says"),
    [row[1:] for row in REFUSED],
    ids=[f"{row[0]}-{row[1]}-{number}" for number, row in enumerate(REFUSED)],
)
def test_a_rule_is_enforced_and_nothing_changes(
    furnished: Calls, call: str, given: Json, says: str
) -> None:
    before = list(furnished.all())
    assert says in furnished.refusal(call, **named(furnished, given))
    assert list(furnished.all()) == before
