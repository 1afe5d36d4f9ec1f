"""CloudFormation's stacks as a test sees them, by boto3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.aws.calls import wait_until
from tests.aws.endpoint import Endpoint

BOOTSTRAP: Final = "CDKToolkit"


class Stacks:
    """The stacks of one account and Region, CDK's bootstrap aside."""

    def __init__(self, endpoint: Endpoint, account: str, region: str) -> None:
        self._client = endpoint.boto3("cloudformation", account, region)
        self._earlier: set[str] = set()

    def begin(self) -> None:
        """Begins a test, which is told nothing of the stacks of earlier ones."""
        self._earlier = {one["StackId"] for one in self._client.list_stacks()["StackSummaries"]}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for stack in self._client.describe_stacks()["Stacks"]:
            if stack["StackName"] != BOOTSTRAP:
                yield stack

    def create(self, name: str, template: str) -> None:
        """Creates a stack of a template, and waits until it is there."""
        self._client.create_stack(StackName=name, TemplateBody=template)
        wait_until(lambda: self.statuses()[name] == "CREATE_COMPLETE", seconds=60)

    def statuses(self) -> dict[str, str]:
        """Returns the status of each stack that there is, by name."""
        return {stack["StackName"]: stack["StackStatus"] for stack in self}

    def physical_ids(self, name: str) -> dict[str, str]:
        """Returns the physical id of each resource of AWS Batch, by logical id."""
        found = self._client.describe_stack_resources(StackName=name)["StackResources"]
        return {
            one["LogicalResourceId"]: one["PhysicalResourceId"]
            for one in found
            if one["ResourceType"].startswith("AWS::Batch::")
        }

    def outputs(self, name: str) -> dict[str, str]:
        (stack,) = self._client.describe_stacks(StackName=name)["Stacks"]
        return {one["OutputKey"]: one["OutputValue"] for one in stack["Outputs"]}

    def delete_all(self) -> None:
        """Deletes every stack, those first to which no other refers."""
        for _ in range(5):
            for name in self.statuses():
                self._client.delete_stack(StackName=name)
            wait_until(
                lambda: (
                    not any(status.endswith("IN_PROGRESS") for status in self.statuses().values())
                ),
                seconds=60,
            )
            if not self.statuses():
                return
        raise AssertionError(f"stacks that cannot be deleted: {self.statuses()}")

    def events(self) -> str:
        """Returns what the test did to each stack, deleted ones too, the oldest event first."""
        lines = []
        for stack in self._client.list_stacks()["StackSummaries"]:
            if stack["StackName"] == BOOTSTRAP or stack["StackId"] in self._earlier:
                continue
            lines.append(f"{stack['StackName']}: {stack['StackStatus']}")
            events = self._client.describe_stack_events(StackName=stack["StackId"])["StackEvents"]
            lines += [
                f"  {one['ResourceStatus']} {one['LogicalResourceId']}"
                f" {one.get('PhysicalResourceId', '')} {one.get('ResourceStatusReason', '')}"
                for one in reversed(events)
            ]
        return "\n".join(lines)
