"""CloudFormation on the endpoint: the four types made, changed, replaced and deleted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.aws.stacks import GPU, TEMPLATE, Json, Stack, names, of_stack, template
from tests.scenarios import ACCOUNT, REGION

if TYPE_CHECKING:
    from tests.aws.calls import Calls
    from tests.aws.endpoint import Endpoint

pytestmark = pytest.mark.aws


@pytest.fixture
def stack(endpoint: Endpoint, aws: Calls) -> Stack:
    assert list(aws.all()) == []
    return Stack(endpoint, ACCOUNT, REGION)


def test_the_four_types_are_made_and_known_by_their_arns(stack: Stack, aws: Calls) -> None:
    assert stack.create(TEMPLATE) == "CREATE_COMPLETE"
    outputs = stack.outputs()
    for id in TEMPLATE["Resources"]:
        assert outputs[f"{id}Ref"] == outputs[f"{id}Arn"] == stack.physical_ids()[id]
    assert outputs["QueueArn"] == aws.queue_arn
    assert outputs["ShareArn"] == aws.share_arn
    assert outputs["PolicyArn"].startswith(aws.arn("scheduling-policy", "stack-Policy-"))
    assert outputs["EnvironmentArn"].startswith(aws.arn("service-environment", "stack-Environment"))
    (queue,) = (one for one in aws.all() if "priority" in one)
    assert queue["statusReason"] == "JobQueue Healthy"
    assert queue["tags"]["aws:cloudformation:stack-name"] == "stack"
    assert stack.delete() == "DELETE_COMPLETE"
    assert list(aws.all()) == []


# Changes that leave every physical id as it is: (resource, properties, what the API then says)
IN_PLACE: list[tuple[str, Json, Json]] = [
    ("Environment", {"State": "DISABLED"}, {"state": "DISABLED"}),
    (
        "Environment",
        {"CapacityLimits": [{"CapacityUnit": GPU, "MaxCapacity": 9.0}]},
        {"capacityLimits": [{"capacityUnit": GPU, "maxCapacity": 9}]},
    ),
    ("Queue", {"Priority": 2}, {"priority": 2}),
    ("Queue", {"State": "DISABLED"}, {"state": "DISABLED"}),
    (
        "Queue",
        {
            "JobStateTimeLimitActions": [
                {
                    "Action": "TERMINATE",
                    "MaxTimeSeconds": 600,
                    "Reason": "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY",
                    "State": "RUNNABLE",
                }
            ]
        },
        {
            "jobStateTimeLimitActions": [
                {
                    "action": "TERMINATE",
                    "maxTimeSeconds": 600,
                    "reason": "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY",
                    "state": "RUNNABLE",
                }
            ]
        },
    ),
    ("Share", {"State": "DISABLED"}, {"state": "DISABLED"}),
    (
        "Share",
        {"CapacityLimits": [{"CapacityUnit": GPU, "MaxCapacity": 5}]},
        {"capacityLimits": [{"capacityUnit": GPU, "maxCapacity": 5}]},
    ),
    (
        "Share",
        {"ResourceSharingConfiguration": {"Strategy": "LEND_AND_BORROW", "BorrowLimit": 50}},
        {"resourceSharingConfiguration": {"strategy": "LEND_AND_BORROW", "borrowLimit": 50}},
    ),
    (
        "Share",
        {"PreemptionConfiguration": {"InSharePreemption": "ENABLED"}},
        {"preemptionConfiguration": {"inSharePreemption": "ENABLED"}},
    ),
]


def test_what_is_not_create_only_changes_in_place_and_back(stack: Stack, aws: Calls) -> None:
    stack.create(TEMPLATE)
    ids = stack.physical_ids()
    for resource, properties, says in IN_PLACE:
        before = {id: of_stack(aws, arn) for id, arn in ids.items()}
        assert stack.update(template(**{resource: properties})) == "UPDATE_COMPLETE"
        assert stack.physical_ids() == ids
        changed = of_stack(aws, ids[resource])
        assert {name: changed[name] for name in says} == says
        others = [id for id in ids if id != resource]
        assert {id: of_stack(aws, ids[id]) for id in others} == {id: before[id] for id in others}
        # A state that a template no longer names stays as it is, so it is named.
        back = {"State": "ENABLED"} if "State" in properties else {}
        assert stack.update(template(**{resource: back})) == "UPDATE_COMPLETE"
        assert stack.physical_ids() == ids


@pytest.mark.parametrize("resource", TEMPLATE["Resources"])
def test_tags_come_and_go_and_those_of_others_stay(stack: Stack, aws: Calls, resource: str) -> None:
    stack.create(template(**{resource: {"Tags": {"a": "1", "b": "2"}}}))
    ids = stack.physical_ids()
    aws("TagResource", resourceArn=ids[resource], tags={"by-hand": "yes"})
    stack.update(template(**{resource: {"Tags": {"b": "3", "c": "4"}}}))
    assert stack.physical_ids() == ids
    tags = of_stack(aws, ids[resource])["tags"]
    own = {key: value for key, value in tags.items() if not key.startswith("aws:")}
    assert own == {"b": "3", "c": "4", "by-hand": "yes"}
    assert tags["aws:cloudformation:logical-id"] == resource


def renamed(queue: str) -> Json:
    """Returns a template whose queue has another name, and so another environment."""
    body = template(Queue={"JobQueueName": queue})
    text = json.dumps(body).replace('"Environment"', '"NewEnvironment"')
    changed: Json = json.loads(text)
    return changed


# Changes that make something anew: (what changes, resources whose physical ids change)
REPLACING: list[tuple[Json, set[str]]] = [
    (template(Policy={"Name": "named"}), {"Policy"}),
    (template(Environment={"ServiceEnvironmentName": "named"}), {"Environment"}),
    (template(Share={"QuotaShareName": "named"}), {"Share"}),
    (renamed("named"), {"Queue", "Share", "NewEnvironment"}),
]


@pytest.mark.parametrize(("body", "anew"), REPLACING, ids=["policy", "env", "share", "queue"])
def test_what_is_create_only_replaces_and_leaves_nothing_old(
    stack: Stack, aws: Calls, body: Json, anew: set[str]
) -> None:
    stack.create(TEMPLATE)
    before = stack.physical_ids()
    assert stack.update(body) == "UPDATE_COMPLETE", stack.reasons()
    after = stack.physical_ids()
    assert {id for id, arn in after.items() if before.get(id) != arn} == anew
    assert len(names(aws)) == 4
    for arn in after.values():
        assert of_stack(aws, arn)
    # The queue is served by what the stack has now.
    queue = of_stack(aws, after["Queue"])
    assert queue["schedulingPolicyArn"] == after["Policy"]
    (order,) = queue["serviceEnvironmentOrder"]
    assert order["serviceEnvironment"] in after.values()
    assert stack.delete() == "DELETE_COMPLETE"
    assert list(aws.all()) == []


def test_a_share_that_is_taken_out_ends_its_jobs(stack: Stack, aws: Calls) -> None:
    stack.create(TEMPLATE)
    id = aws.submit()
    assert stack.update(template(Share=None)) == "UPDATE_COMPLETE"
    assert aws.job(id)["status"] == "FAILED"
    assert len(names(aws)) == 3


def test_a_queue_that_is_renamed_ends_the_jobs_of_the_old_one(stack: Stack, aws: Calls) -> None:
    stack.create(TEMPLATE)
    id = aws.submit()
    stack.update(renamed("named"))
    assert aws.job(id)["status"] == "FAILED"
    aws.submit(jobQueue="named")


def test_an_empty_quota_share_policy_is_fifo_or_refused(
    stack: Stack, aws: Calls, endpoint: Endpoint
) -> None:  # SP-06
    body = template(Policy={"QuotaSharePolicy": {}})
    endpoint.turn({"SP-06": True})
    assert stack.create(body) == "ROLLBACK_COMPLETE"
    assert stack.delete() == "DELETE_COMPLETE"
    endpoint.turn({"SP-06": False})
    assert stack.create(body) == "CREATE_COMPLETE"
    fifo = {"idleResourceAssignmentStrategy": "FIFO"}
    assert fifo in [one.get("quotaSharePolicy") for one in aws.all()]


@pytest.mark.parametrize("refused", [True, False])
def test_a_queue_with_a_share_of_others_is_kept_or_takes_it_along(
    stack: Stack, aws: Calls, endpoint: Endpoint, refused: bool
) -> None:  # DE-06
    endpoint.turn({"DE-06": refused})
    stack.create(template(Share=None))
    aws("CreateQuotaShare", quotaShareName="of-others")
    if refused:
        assert stack.delete() == "DELETE_FAILED"
        assert "existing QuotaShare relationship" in stack.reasons()
        assert "of-others" in names(aws)
        aws(
            "UpdateQuotaShare",
            quotaShareArn=f"{aws.queue_arn}/quota-share/of-others",
            state="DISABLED",
        )
        aws("DeleteQuotaShare", quotaShareArn=f"{aws.queue_arn}/quota-share/of-others")
    assert stack.delete() == "DELETE_COMPLETE"
    assert list(aws.all()) == []


def test_what_is_gone_already_is_deleted(stack: Stack, aws: Calls) -> None:
    stack.create(TEMPLATE)
    aws("UpdateQuotaShare", quotaShareArn=aws.share_arn, state="DISABLED")
    aws("DeleteQuotaShare", quotaShareArn=aws.share_arn)
    assert stack.delete() == "DELETE_COMPLETE"


def test_stacks_are_made_and_deleted_at_once(stack: Stack, aws: Calls) -> None:
    names_of_stacks = [f"stack-{number}" for number in range(4)]
    for name in names_of_stacks:
        body = json.dumps(template(Queue={"JobQueueName": name}))
        stack.client.create_stack(StackName=name, TemplateBody=body)
    assert {stack.settled(name) for name in names_of_stacks} == {"CREATE_COMPLETE"}
    assert len(names(aws)) == 16
    ids = [stack.described(name)["StackId"] for name in names_of_stacks]
    for name in names_of_stacks:
        stack.client.delete_stack(StackName=name)
    assert {stack.settled(id) for id in ids} == {"DELETE_COMPLETE"}
    assert list(aws.all()) == []


def test_a_change_set_foretells_a_replacement(stack: Stack) -> None:
    stack.create(TEMPLATE)
    stack.client.create_change_set(
        StackName="stack",
        ChangeSetName="changes",
        TemplateBody=json.dumps(template(Queue={"JobQueueName": "named"})),
    )
    from tests.aws.calls import wait_until

    def described() -> Json:
        found: Json = stack.client.describe_change_set(StackName="stack", ChangeSetName="changes")
        return found

    wait_until(lambda: described()["Status"] == "CREATE_COMPLETE")
    changes = [one["ResourceChange"] for one in described()["Changes"]]
    told = {one["LogicalResourceId"]: one["Replacement"] for one in changes}
    assert told == {"Queue": "True", "Share": "True"}
