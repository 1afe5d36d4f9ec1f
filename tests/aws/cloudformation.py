"""CloudFormation's handlers of the four types, on the calls of AWS Batch."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ministack.services.cloudformation.provisioners import _physical_name

from .errors import ClientError
from .resource_schemas import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    arn_attribute,
    read_properties,
)
from .service import perform
from .state import Json
from .switches import refuses
from .tags import check_tags, mark

_PATIENCE: Final = 30.0


@dataclass(frozen=True)
class Handler:
    """How CloudFormation makes, changes and deletes the resources of a type."""

    type: str
    # The type's name in calls, such as CreateJobQueue, and the member by which they know it.
    noun: str
    identifier: str
    name_property: str
    # The members that an update call takes.
    updatable: frozenset[str]
    find: Callable[[str], Json | None]

    def create(self, logical_id: str, properties: Json, stack_name: str) -> tuple[str, Json]:
        """Makes a resource and waits until it is valid; returns its Ref and attributes."""
        given = self._read(logical_id, properties)
        own, system = _split(given.pop("tags", {}))
        name = _member(self.name_property)
        given.setdefault(name, _physical_name(stack_name, logical_id))
        answer = perform(f"Create{self.noun}", {**given, "tags": own})
        arn = str(answer[_member(arn_attribute(self.type))])
        mark(arn, system)
        self._wait_until_valid(arn)
        return arn, {arn_attribute(self.type): arn}

    def update(
        self, arn: str, old: Json, new: Json, _stack_name: str, logical_id: str
    ) -> tuple[str, Json]:
        """Changes a resource in place; leaves alone what the template leaves out."""
        given, before = self._read(logical_id, new), self._read(logical_id, old)
        tags, old_tags = given.pop("tags", {}), before.pop("tags", {})
        changes = {key: value for key, value in given.items() if key in self.updatable}
        # Faulty tags change nothing, not even the rest.
        check_tags(_split(tags)[0])
        if given != before:
            perform(f"Update{self.noun}", {**changes, self.identifier: arn})
            self._wait_until_valid(arn)
        self._retag(arn, tags, old_tags)
        return arn, {arn_attribute(self.type): arn}

    def delete(self, arn: str, _properties: Json) -> None:
        """Disables a resource, deletes it, and waits until it is gone."""
        found = self.find(arn)
        if found is None:
            return
        if found.get("state") == "ENABLED" and found["status"] != "DELETING":
            self._wait_until_valid(arn)
            perform(f"Update{self.noun}", {self.identifier: arn, "state": "DISABLED"})
            self._wait_until_valid(arn)
        try:
            perform(f"Delete{self.noun}", {self.identifier: arn})
        except ClientError:
            if self.find(arn) is not None:  # somebody else's deletion may just have ended
                raise
        _wait(lambda: self.find(arn) is None, f"{arn} is not gone")

    def _read(self, logical_id: str, properties: Json) -> Json:
        given: Json = _members(read_properties(self.type, logical_id, properties))
        if given.get("quotaSharePolicy") == {} and not refuses("SP-06"):
            given["quotaSharePolicy"] = {"idleResourceAssignmentStrategy": "FIFO"}
        return given

    def _wait_until_valid(self, arn: str) -> None:
        def is_valid() -> bool:
            found = self.find(arn)
            return found is not None and found.get("status", "VALID") == "VALID"

        _wait(is_valid, f"{arn} is not VALID")

    @staticmethod
    def _retag(arn: str, new: Mapping[str, str], old: Mapping[str, str]) -> None:
        own, system = _split(new)
        gone = sorted(set(_split(old)[0]) - set(own))
        if gone:
            perform("UntagResource", {"resourceArn": arn, "tagKeys": gone})
        if own:
            perform("TagResource", {"resourceArn": arn, "tags": own})
        mark(arn, system)

    def registered(self) -> Json:
        """Returns the handler in the form in which ministack takes one."""
        return {
            "create": self.create,
            "update": self.update,
            "update_with_logical_id": True,
            "delete": self.delete,
        }


def _wait(until: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not until():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{otherwise} after {_PATIENCE:.0f} s")
        time.sleep(0.01)


def _split(tags: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Returns the user's tags, and those that CloudFormation puts on what it makes."""
    own = {key: value for key, value in tags.items() if not key.startswith("aws:cloudformation:")}
    return own, {key: value for key, value in tags.items() if key not in own}


def _member(name: str) -> str:
    return name[:1].lower() + name[1:]


def _members(value: Any) -> Any:
    """Returns properties under the names that they have in calls; tags keep their keys."""
    if isinstance(value, list):
        return [_members(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {_member(key): item if key == "Tags" else _members(item) for key, item in value.items()}


def _policy(arn: str) -> Json | None:
    return next(
        iter(perform("DescribeSchedulingPolicies", {"arns": [arn]})["schedulingPolicies"]), None
    )


def _environment(arn: str) -> Json | None:
    answer = perform("DescribeServiceEnvironments", {"serviceEnvironments": [arn]})
    return next(iter(answer["serviceEnvironments"]), None)


def _queue(arn: str) -> Json | None:
    return next(iter(perform("DescribeJobQueues", {"jobQueues": [arn]})["jobQueues"]), None)


def _share(arn: str) -> Json | None:
    try:
        return perform("DescribeQuotaShare", {"quotaShareArn": arn})
    except ClientError:
        return None


HANDLERS: Final = (
    Handler(
        SCHEDULING_POLICY,
        "SchedulingPolicy",
        "arn",
        "Name",
        frozenset({"quotaSharePolicy", "fairsharePolicy"}),
        _policy,
    ),
    Handler(
        SERVICE_ENVIRONMENT,
        "ServiceEnvironment",
        "serviceEnvironment",
        "ServiceEnvironmentName",
        frozenset({"state", "capacityLimits"}),
        _environment,
    ),
    Handler(
        JOB_QUEUE,
        "JobQueue",
        "jobQueue",
        "JobQueueName",
        frozenset(
            {
                "state",
                "priority",
                "schedulingPolicyArn",
                "serviceEnvironmentOrder",
                "computeEnvironmentOrder",
                "jobStateTimeLimitActions",
            }
        ),
        _queue,
    ),
    Handler(
        QUOTA_SHARE,
        "QuotaShare",
        "quotaShareArn",
        "QuotaShareName",
        frozenset(
            {
                "state",
                "capacityLimits",
                "resourceSharingConfiguration",
                "preemptionConfiguration",
            }
        ),
        _share,
    ),
)
