"""A template of the four types, and a stack of it, by boto3."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .calls import Calls
    from .endpoint import Endpoint

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

    def __init__(self, endpoint: Endpoint, account: str, region: str) -> None:
        self.client = endpoint.boto3("cloudformation", account, region)

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
        from .calls import wait_until

        wait_until(lambda: not self.described(name)["StackStatus"].endswith("IN_PROGRESS"))
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


def names(aws: Calls) -> list[str]:
    """Returns the names of all that there is, sorted."""
    keys = ("name", "serviceEnvironmentName", "quotaShareName", "jobQueueName")
    return sorted(next(one[key] for key in keys if key in one) for one in aws.all())


def of_stack(aws: Calls, arn: str) -> Json:
    """Returns how the API describes a resource."""
    keys = ("arn", "serviceEnvironmentArn", "quotaShareArn", "jobQueueArn")
    (found,) = (one for one in aws.all() if next(one[key] for key in keys if key in one) == arn)
    return found
