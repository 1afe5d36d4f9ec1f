"""What AWS Batch refuses on the endpoint, and in which words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.aws.calls import Calls
    from tests.aws.endpoint import Endpoint

pytestmark = pytest.mark.aws

Json = dict[str, Any]
GPU = "ml.g5.xlarge"
OTHER = "ml.p4d.24xlarge"
LONG = "a" * 129
FIFO = {"idleResourceAssignmentStrategy": "FIFO"}
FAIR = {"shareDecaySeconds": 600}
WAITS = {
    "reason": "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE",
    "state": "RUNNABLE",
    "maxTimeSeconds": 600,
    "action": "TERMINATE",
}


def limits(*units: str, most: int = 1) -> list[Json]:
    return [{"capacityUnit": unit, "maxCapacity": most} for unit in units]


def serves(*names: str) -> list[Json]:
    return [
        {"order": number, "serviceEnvironment": name} for number, name in enumerate(names, start=1)
    ]


POLICY, ENVIRONMENT, QUEUE, SHARE = (
    "CreateSchedulingPolicy",
    "CreateServiceEnvironment",
    "CreateJobQueue",
    "CreateQuotaShare",
)
A_QUEUE = {"jobQueueName": "new", "serviceEnvironmentOrder": serves("spare")}
A_SHARE = {"quotaShareName": "new"}
VALID_PATTERN = "should match a valid pattern."
QUOTA_ARN = "quotaShareArn"

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


def named(aws: Calls, given: Json) -> Json:
    """Returns a request with ARNs where the table has names."""
    kinds = {"arn": "scheduling-policy", "resourceArn": "scheduling-policy"}
    read = {
        name: aws.arn(kinds[name], value) if name in kinds else value
        for name, value in given.items()
    }
    if QUOTA_ARN in read:
        read[QUOTA_ARN] = f"{aws.queue_arn}/quota-share/{read[QUOTA_ARN]}"
    return read


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


# What AWS leaves open: (fact, the steps that lead there, the call)
OPEN: list[tuple[str, list[tuple[str, Json]], tuple[str, Json]]] = [
    (
        "SE-11",
        [],
        (ENVIRONMENT, {"serviceEnvironmentName": "e", "capacityLimits": limits(GPU, GPU)}),
    ),
    ("QS-17", [], (SHARE, {**A_SHARE, "capacityLimits": limits(GPU, GPU)})),
    (
        "QS-08",
        [],
        (
            SHARE,
            {**A_SHARE, "resourceSharingConfiguration": {"strategy": "LEND", "borrowLimit": 5}},
        ),
    ),
    ("XR-01", [], (SHARE, {**A_SHARE, "capacityLimits": limits(OTHER)})),
    ("XR-02", [], (SHARE, {**A_SHARE, "capacityLimits": limits(GPU, most=5)})),
    (
        "XR-03",
        [],
        ("UpdateQuotaShare", {QUOTA_ARN: "share", "capacityLimits": limits(GPU, most=9)}),
    ),
    (
        "JT-08",
        [],
        (
            "UpdateJobQueue",
            {"jobQueue": "queue", "jobStateTimeLimitActions": [{**WAITS, "reason": "PATIENCE"}]},
        ),
    ),
    ("SP-06", [], (POLICY, {"name": "new", "quotaSharePolicy": None})),
    ("SP-08", [(ENVIRONMENT, {"serviceEnvironmentName": "spare"})], (QUEUE, A_QUEUE)),
    (
        "JQ-13",
        [(ENVIRONMENT, {"serviceEnvironmentName": "spare"})],
        (QUEUE, {**A_QUEUE, "schedulingPolicyArn": None}),
    ),
    (
        "UP-04",
        [(POLICY, {"name": "fair", "quotaSharePolicy": None, "fairsharePolicy": FAIR})],
        ("UpdateJobQueue", {"jobQueue": "queue", "schedulingPolicyArn": "fair"}),
    ),
    (
        "UP-08",
        [],
        (
            "UpdateServiceEnvironment",
            {"serviceEnvironment": "environment", "capacityLimits": limits(OTHER)},
        ),
    ),
    (
        "DE-06",
        [("UpdateJobQueue", {"jobQueue": "queue", "state": "DISABLED"})],
        ("DeleteJobQueue", {"jobQueue": "queue"}),
    ),
]


@pytest.mark.parametrize(("fact", "steps", "last"), OPEN, ids=[row[0] for row in OPEN])
def test_what_aws_leaves_open_is_refused_or_accepted_as_its_switch_says(
    aws: Calls,
    endpoint: Endpoint,
    fact: str,
    steps: list[tuple[str, Json]],
    last: tuple[str, Json],
) -> None:
    aws.make_queue()
    for call, given in steps:
        aws(call, **given)
    call, given = last[0], named(aws, last[1])
    before = list(aws.all())
    endpoint.turn({fact: True})
    assert aws.refusal(call, **given)
    assert list(aws.all()) == before
    # No other switch refuses it.
    endpoint.turn({**dict.fromkeys(endpoint.turn({}), True), fact: False, **_entailed(fact)})
    aws(call, **given)
    assert list(aws.all()) != before


def _entailed(fact: str) -> dict[str, bool]:
    """Returns the switch that must be off with this one, because it refuses the same."""
    also = {"XR-03": "XR-02", "UP-04": "JQ-13"}
    return {also[fact]: False} if fact in also else {}


def test_every_switch_is_tested(endpoint: Endpoint) -> None:
    assert {row[0] for row in OPEN} == endpoint.turn({}).keys()


def test_a_queue_has_at_most_20_shares(aws: Calls) -> None:  # QS-16
    aws.make_queue()
    for number in range(19):
        aws.client.create_quota_share(**_share(f"s{number}"))
    assert "at most 20 quota shares" in aws.refusal(SHARE, quotaShareName="one-more")


def _share(name: str) -> Json:
    from tests.aws.calls import SOUND

    return {**SOUND[SHARE], "quotaShareName": name}


def test_a_share_needs_a_queue_that_is_valid(aws: Calls) -> None:  # QS-15
    aws.make_queue()
    aws.client.update_job_queue(jobQueue="queue", priority=2)
    assert "must be VALID" in aws.refusal(SHARE, **A_SHARE)
    aws.settle()
    aws(SHARE, **A_SHARE)


def test_a_queue_needs_an_environment_that_is_valid(aws: Calls) -> None:  # JQ-06
    from tests.aws.calls import SOUND

    aws(POLICY)
    aws.client.create_service_environment(**SOUND[ENVIRONMENT])
    assert "must be created and valid" in aws.refusal(QUEUE)
    aws.settle()
    aws(QUEUE)


def test_what_is_on_its_way_is_not_changed(aws: Calls) -> None:
    aws.make_queue()
    aws.client.update_quota_share(quotaShareArn=aws.share_arn, state="DISABLED")
    assert "being modified" in aws.refusal("DeleteQuotaShare", quotaShareArn=aws.share_arn)


def test_environments_by_number_of_instances_may_be_shared(aws: Calls) -> None:  # SE-12, JQ-12
    aws(ENVIRONMENT, capacityLimits=limits("NUM_INSTANCES"))
    for name in ("one", "two"):
        aws(QUEUE, jobQueueName=name, schedulingPolicyArn=None)


def test_an_empty_list_of_compute_environments_is_no_list(aws: Calls) -> None:  # JQ-05
    aws(POLICY)
    aws(ENVIRONMENT)
    aws(QUEUE, computeEnvironmentOrder=[])


def test_one_share_name_may_be_under_two_queues(aws: Calls) -> None:  # QS-03
    aws.make_queue()
    aws(ENVIRONMENT, serviceEnvironmentName="spare")
    aws(QUEUE, **A_QUEUE)
    aws(SHARE, jobQueue="new")
    assert len([one for one in aws.all() if one.get("quotaShareName") == "share"]) == 2


def test_a_borrow_limit_is_unlimited_by_default_and_absent_elsewhere(aws: Calls) -> None:  # QS-09
    aws.make_queue()
    sharing = {"strategy": "LEND_AND_BORROW"}
    aws("UpdateQuotaShare", quotaShareArn=aws.share_arn, resourceSharingConfiguration=sharing)
    described = aws("DescribeQuotaShare", quotaShareArn=aws.share_arn)
    assert described["resourceSharingConfiguration"] == {**sharing, "borrowLimit": -1}
    sharing = {"strategy": "RESERVE"}
    aws("UpdateQuotaShare", quotaShareArn=aws.share_arn, resourceSharingConfiguration=sharing)
    described = aws("DescribeQuotaShare", quotaShareArn=aws.share_arn)
    assert described["resourceSharingConfiguration"] == sharing


def test_accounts_and_regions_are_apart(endpoint: Endpoint, aws: Calls) -> None:
    from tests.aws.calls import Calls

    aws.make_queue()
    for account, region in (("111122223333", "eu-west-1"), ("123456789012", "us-east-1")):
        elsewhere = Calls(endpoint, account, region)
        assert list(elsewhere.all()) == []
        elsewhere.make_queue()
        assert elsewhere.queue_arn.split(":")[3:5] == [region, account]
    assert len(list(aws.all())) == 4
