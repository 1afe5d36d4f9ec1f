"""CloudFormation on the endpoint: what fails, and that nothing of it is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.aws.stacks import GPU, TEMPLATE, Json, Stack, template
from tests.scenarios import ACCOUNT, REGION

if TYPE_CHECKING:
    from tests.aws.calls import Calls
    from tests.aws.endpoint import Endpoint

pytestmark = pytest.mark.aws


@pytest.fixture
def stack(endpoint: Endpoint, aws: Calls) -> Stack:
    assert list(aws.all()) == []
    return Stack(endpoint, ACCOUNT, REGION)


def test_a_queue_renamed_over_a_kept_environment_rolls_back(stack: Stack, aws: Calls) -> None:
    stack.create(TEMPLATE)
    before, ids = list(aws.all()), stack.physical_ids()
    id = aws.submit()
    body = template(Queue={"JobQueueName": "named"}, Policy={"Tags": {"changed": "first"}})
    assert stack.update(body) == "UPDATE_ROLLBACK_COMPLETE"
    assert "is already connected to job queue" in stack.reasons()
    assert stack.physical_ids() == ids
    assert list(aws.all()) == before
    assert aws.job(id)["status"] in ("RUNNABLE", "SCHEDULED", "STARTING", "RUNNING")


# What fails at the deploy: (properties by resource, what the events say)
FAILING: list[tuple[Json, str]] = [
    ({"Queue": {"Priority": 1001}}, "#/Priority: 1001 is not less or equal to 1000"),
    ({"Queue": {"Priority": None}}, "#: required key [Priority] not found"),
    ({"Queue": {"ServiceEnvironmentOrder": None}}, "#: 0 subschemas matched instead of one"),
    ({"Queue": {"ComputeEnvironmentOrder": []}}, "#: 2 subschemas matched instead of one"),
    ({"Queue": {"Colour": "red"}}, "#: extraneous key [Colour] is not permitted"),
    ({"Queue": {"State": "ON"}}, "#/State: ON is not a valid enum value"),
    ({"Queue": {"JobQueueArn": "arn"}}, "extraneous key [JobQueueArn]"),
    ({"Queue": {"JobQueueType": "sagemaker_training"}}, "is not a valid enum value"),
    ({"Queue": {"JobQueueType": None}}, "is incompatible with the provided"),
    ({"Queue": {"JobQueueName": "a b"}}, "Job Queue name should match a valid pattern."),
    (
        {"Share": {"CapacityLimits": [{"CapacityUnit": GPU, "MaxCapacity": 0}]}},
        "#/CapacityLimits/0/MaxCapacity: 0 is not greater or equal to 1",
    ),
    ({"Share": {"CapacityLimits": []}}, "must have 1 to 5 capacity limits"),
    ({"Share": {"Tags": {"aws:a": "b"}}}, "must not start with 'aws:'"),
    ({"Environment": {"CapacityLimits": []}}, "Capacitylimits are required."),
    ({"Environment": {"CapacityLimits": [{}]}}, "is unknown capacity unit"),
    ({"Policy": {"Tags": [{"Key": "team", "Value": "ml"}]}}, "#/Tags: failed validation"),
    ({"Policy": {"FairsharePolicy": {"ShareDecaySeconds": 60}}}, "but not both."),
    ({"Policy": {"QuotaSharePolicy": None}}, "require a job queue with a quota share policy"),
]


@pytest.mark.parametrize(
    ("changes", "says"), FAILING, ids=[str(number) for number in range(len(FAILING))]
)
def test_a_create_that_fails_leaves_nothing(
    stack: Stack, aws: Calls, changes: Json, says: str
) -> None:
    assert stack.create(template(**changes)) == "ROLLBACK_COMPLETE"
    assert says in stack.reasons()
    assert list(aws.all()) == []


# Updates that AWS Batch refuses: (properties by resource, what the events say)
REFUSED: list[tuple[Json, str]] = [
    ({"Policy": {"QuotaSharePolicy": None}}, "cannot be removed or changed"),  # UP-02
    ({"Queue": {"JobQueueType": "ECS"}}, "custom-named resource requires replacing. Rename"),
    ({"Share": {"QuotaShareName": "a b"}}, "Quota share name should match a valid pattern."),
    ({"Environment": {"CapacityLimits": []}}, "Capacitylimits are required."),
]


@pytest.mark.parametrize(("changes", "says"), REFUSED)
def test_an_update_that_fails_changes_nothing(
    stack: Stack, aws: Calls, changes: Json, says: str
) -> None:
    stack.create(TEMPLATE)
    before = list(aws.all())
    # The first of the resources changes, and has to change back.
    first = {"Tags": {"changed": "first"}}
    body = template(**{"Policy": first, **changes})
    body["Resources"]["Queue"].setdefault("DependsOn", ["Policy"])
    assert stack.update(body) == "UPDATE_ROLLBACK_COMPLETE"
    assert says in stack.reasons()
    assert list(aws.all()) == before
