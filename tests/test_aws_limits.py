"""What AWS Batch takes on the endpoint, and how many of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.aws.requests import A_QUEUE, ENVIRONMENT, POLICY, QUEUE, SHARE, Json, limits, serves

if TYPE_CHECKING:
    from tests.aws.calls import Calls
    from tests.aws.endpoint import Endpoint

pytestmark = pytest.mark.aws


def test_a_queue_has_at_most_20_shares(aws: Calls) -> None:  # QS-16
    aws.make_queue()
    for number in range(19):
        aws.client.create_quota_share(**_share(f"s{number}"))
    assert "at most 20 quota shares" in aws.refusal(SHARE, quotaShareName="one-more")


def test_an_account_has_at_most_50_environments_and_50_queues(aws: Calls) -> None:
    from tests.aws.calls import SOUND

    aws(POLICY)
    counted = {**SOUND[ENVIRONMENT], "capacityLimits": limits("NUM_INSTANCES")}
    for number in range(50):
        name = f"e{number}"
        aws.client.create_service_environment(**{**counted, "serviceEnvironmentName": name})
    assert "limit of 50" in aws.refusal(ENVIRONMENT)
    aws.settle()
    plain = {**SOUND[QUEUE], "serviceEnvironmentOrder": serves("e0")}
    del plain["schedulingPolicyArn"]
    for number in range(50):
        aws.client.create_job_queue(**{**plain, "jobQueueName": f"q{number}"})
    assert "limit of 50" in aws.refusal(QUEUE, **{**plain, "schedulingPolicyArn": None})


def _share(name: str) -> Json:
    from tests.aws.calls import SOUND

    return {**SOUND[SHARE], "quotaShareName": name}


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


# Calls that name what there is not: (call, what they name)
MISSING: list[tuple[str, Json]] = [
    ("UpdateSchedulingPolicy", {"arn": "missing"}),
    ("DeleteSchedulingPolicy", {"arn": "missing"}),
    ("UpdateServiceEnvironment", {"serviceEnvironment": "missing"}),
    ("DeleteServiceEnvironment", {"serviceEnvironment": "missing"}),
    ("UpdateJobQueue", {"jobQueue": "missing"}),
    ("DeleteJobQueue", {"jobQueue": "missing"}),
    ("GetJobQueueSnapshot", {"jobQueue": "missing"}),
    ("ListQuotaShares", {"jobQueue": "missing"}),
    ("ListServiceJobs", {"jobQueue": "missing"}),
    ("UpdateQuotaShare", {"quotaShareArn": "missing"}),
    ("DeleteQuotaShare", {"quotaShareArn": "missing"}),
    ("DescribeServiceJob", {"jobId": "missing"}),
    ("UpdateServiceJob", {"jobId": "missing", "schedulingPriority": 1}),
    ("TerminateServiceJob", {"jobId": "missing", "reason": "enough"}),
    ("ListTagsForResource", {"resourceArn": "missing"}),
]


@pytest.mark.parametrize(("call", "given"), MISSING, ids=[row[0] for row in MISSING])
def test_what_is_missing_is_said_to_be(aws: Calls, call: str, given: Json) -> None:
    assert "missing does not exist" in aws.refusal(call, **given)


def test_a_list_of_what_is_missing_is_empty(aws: Calls) -> None:
    aws.make_queue()
    for call, member in (
        ("describe_job_queues", "jobQueues"),
        ("describe_service_environments", "serviceEnvironments"),
    ):
        assert getattr(aws.client, call)(**{member: ["missing"]})[member] == []
    arns = [aws.arn("scheduling-policy", "missing")]
    assert aws.client.describe_scheduling_policies(arns=arns)["schedulingPolicies"] == []


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"maxResults": 101}, "must be between 1 and 100"),
        ({"nextToken": "x"}, "Invalid next token"),
    ],
)
def test_pages_have_limits(aws: Calls, given: Json, says: str) -> None:
    assert says in aws.refusal("ListSchedulingPolicies", **given)


def test_a_queue_has_environments_of_one_kind_or_the_other(aws: Calls) -> None:
    bare = {"schedulingPolicyArn": None, "serviceEnvironmentOrder": None, "jobQueueType": "ECS"}
    assert "must have a computeEnvironmentOrder" in aws.refusal(QUEUE, **bare)


def test_tags_of_aws_are_not_taken_off(aws: Calls) -> None:
    aws(POLICY)
    arn = aws.arn("scheduling-policy", "policy")
    assert "aws:" in aws.refusal("UntagResource", resourceArn=arn, tagKeys=["aws:a"])
