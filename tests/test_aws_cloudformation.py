"""CloudFormation on the endpoint: the four types made, changed, replaced and deleted."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.scenarios import ACCOUNT, REGION

if TYPE_CHECKING:
    from tests.aws.calls import Calls
    from tests.aws.endpoint import Endpoint

pytestmark = pytest.mark.aws

Json = dict[str, Any]
GPU = "ml.g5.xlarge"
OTHER = "ml.p4d.24xlarge"
TEMPLATE: Json = {
    "Resources": {
        "Policy": {
            "Type": "AWS::Batch::SchedulingPolicy",
            "Properties": {"QuotaSharePolicy": {"IdleResourceAssignmentStrategy": "FIFO"}},
        },
        "Environment": {
            "Type": "AWS::Batch::ServiceEnvironment",
            "Properties": {
                "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
                "CapacityLimits": [{"CapacityUnit": GPU, "MaxCapacity": 8}],
            },
        },
        "Queue": {
            "Type": "AWS::Batch::JobQueue",
            "Properties": {
                "JobQueueName": "queue",
                "JobQueueType": "SAGEMAKER_TRAINING",
                "Priority": 1,
                "SchedulingPolicyArn": {"Fn::GetAtt": ["Policy", "Arn"]},
                "ServiceEnvironmentOrder": [
                    {"Order": 1, "ServiceEnvironment": {"Ref": "Environment"}}
                ],
            },
        },
        "Share": {
            "Type": "AWS::Batch::QuotaShare",
            "Properties": {
                "QuotaShareName": "share",
                "JobQueue": {"Ref": "Queue"},
                "CapacityLimits": [{"CapacityUnit": GPU, "MaxCapacity": "4"}],
                "ResourceSharingConfiguration": {"Strategy": "LEND"},
                "PreemptionConfiguration": {"InSharePreemption": "DISABLED"},
            },
        },
    },
    "Outputs": {
        f"{id}{way}": {"Value": value}
        for id, attribute in (
            ("Policy", "Arn"),
            ("Environment", "ServiceEnvironmentArn"),
            ("Queue", "JobQueueArn"),
            ("Share", "QuotaShareArn"),
        )
        for way, value in (("Ref", {"Ref": id}), ("Arn", {"Fn::GetAtt": [id, attribute]}))
    },
}


def template(**changes: Json | None) -> Json:
    """Returns the template with other properties, by resource; None leaves a resource out.

    A property of None is left out.
    """
    changed: Json = copy.deepcopy(TEMPLATE)
    for id, properties in changes.items():
        if properties is None:
            del changed["Resources"][id]
            for output in [name for name in changed["Outputs"] if name.startswith(id)]:
                del changed["Outputs"][output]
            continue
        merged = {**changed["Resources"][id]["Properties"], **properties}
        changed["Resources"][id]["Properties"] = {
            name: value for name, value in merged.items() if value is not None
        }
    return changed


class Stack:
    """A stack, by boto3."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.client = endpoint.boto3("cloudformation", ACCOUNT, REGION)

    def create(self, body: Json) -> str:
        self.client.create_stack(StackName="stack", TemplateBody=json.dumps(body))
        return self.settled()

    def update(self, body: Json) -> str:
        self.client.update_stack(StackName="stack", TemplateBody=json.dumps(body))
        return self.settled()

    def delete(self) -> str:
        stack_id = self.described()["StackId"]
        self.client.delete_stack(StackName="stack")
        return self.settled(stack_id)

    def described(self, name: str = "stack") -> Json:
        (found,) = self.client.describe_stacks(StackName=name)["Stacks"]
        described: Json = found
        return described

    def settled(self, name: str = "stack") -> str:
        from tests.aws.calls import wait_until

        wait_until(lambda: not self.described(name)["StackStatus"].endswith("IN_PROGRESS"), 30)
        return str(self.described(name)["StackStatus"])

    def outputs(self) -> dict[str, str]:
        return {one["OutputKey"]: one["OutputValue"] for one in self.described()["Outputs"]}

    def physical_ids(self) -> dict[str, str]:
        found = self.client.describe_stack_resources(StackName="stack")["StackResources"]
        return {one["LogicalResourceId"]: one["PhysicalResourceId"] for one in found}

    def reasons(self) -> str:
        """Returns why something failed, in all the stack's events."""
        events = self.client.describe_stack_events(StackName="stack")["StackEvents"]
        return "\n".join(
            one.get("ResourceStatusReason", "")
            for one in events
            if one["ResourceStatus"].endswith("FAILED")
        )


@pytest.fixture
def stack(endpoint: Endpoint, aws: Calls) -> Stack:
    assert list(aws.all()) == []
    return Stack(endpoint)


def names(aws: Calls) -> list[str]:
    """Returns the names of all that there is, sorted."""
    keys = ("name", "serviceEnvironmentName", "quotaShareName", "jobQueueName")
    return sorted(next(one[key] for key in keys if key in one) for one in aws.all())


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
        {"CapacityLimits": [{"CapacityUnit": GPU, "MaxCapacity": 9}]},
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


def of_stack(aws: Calls, arn: str) -> Json:
    """Returns how the API describes a resource."""
    keys = ("arn", "serviceEnvironmentArn", "quotaShareArn", "jobQueueArn")
    (found,) = (one for one in aws.all() if next(one[key] for key in keys if key in one) == arn)
    return found


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
