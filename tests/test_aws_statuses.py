"""Statuses on the endpoint: what is on its way, and what has to wait for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.aws.requests import A_SHARE, ENVIRONMENT, POLICY, QUEUE, SHARE
from tests.scenarios import ACCOUNT, REGION

if TYPE_CHECKING:
    from tests.aws.calls import Calls
    from tests.aws.endpoint import Endpoint

pytestmark = pytest.mark.aws


@pytest.fixture(scope="module")
def slow_endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    """An endpoint whose statuses move slowly enough to be seen."""
    from tests.aws.endpoint import Endpoint

    slow = ["--status-seconds=1"]
    with Endpoint(tmp_path_factory.mktemp("slow"), arguments=slow) as running:
        yield running


@pytest.fixture
def aws(slow_endpoint: Endpoint) -> Calls:
    from tests.aws.calls import Calls

    slow_endpoint.reset()
    return Calls(slow_endpoint, ACCOUNT, REGION)


def test_a_queue_is_healthy_in_the_words_that_aws_asks_one_to_look_for(aws: Calls) -> None:
    from tests.aws.calls import SOUND

    aws("CreateSchedulingPolicy")
    aws("CreateServiceEnvironment")
    given = {
        **SOUND["CreateJobQueue"],
        "schedulingPolicyArn": aws.arn("scheduling-policy", "policy"),
    }
    aws.client.create_job_queue(**given)
    (queue,) = aws.client.describe_job_queues(jobQueues=["queue"])["jobQueues"]
    assert queue["status"] == "CREATING"
    aws.settle()
    (queue,) = aws.client.describe_job_queues(jobQueues=[aws.queue_arn])["jobQueues"]
    assert (queue["state"], queue["status"]) == ("ENABLED", "VALID")
    assert queue["statusReason"] == "JobQueue Healthy"


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
    client = aws.client
    environment, queue = {"serviceEnvironment": "environment"}, {"jobQueue": "queue"}
    share = {"quotaShareArn": aws.share_arn}
    for given, update in (
        (environment, client.update_service_environment),
        (queue, client.update_job_queue),
        (share, client.update_quota_share),
    ):
        update(**given, state="DISABLED")
    named = {"ServiceEnvironment": environment, "JobQueue": queue, "QuotaShare": share}
    for noun, given in named.items():
        for verb in ("Update", "Delete"):
            says = aws.refusal(f"{verb}{noun}", **given)
            assert says == f"Cannot {verb.lower()}, resource is being modified."


def test_what_is_being_deleted_may_be_deleted_again(aws: Calls) -> None:
    aws.make_queue()
    for noun, given, delete in (
        ("QuotaShare", {"quotaShareArn": aws.share_arn}, aws.client.delete_quota_share),
        ("JobQueue", {"jobQueue": "queue"}, aws.client.delete_job_queue),
        (
            "ServiceEnvironment",
            {"serviceEnvironment": "environment"},
            aws.client.delete_service_environment,
        ),
    ):
        aws(f"Update{noun}", **given, state="DISABLED")
        delete(**given)
        assert "DELETING" in {one.get("status") for one in aws.all()}
        delete(**given)
        aws.settle()
    assert [one["name"] for one in aws.all()] == ["policy"]
