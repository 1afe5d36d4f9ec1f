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
