"""The sound template, and each rule's faulty and correct one as changes to it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

Template = dict[str, Any]

LEFT_OUT: Final = object()
"""In place of a value: the property is not there."""

SOUND: Final[Template] = {
    "Resources": {
        "Policy": {
            "Type": "AWS::Batch::SchedulingPolicy",
            "Properties": {"QuotaSharePolicy": {"IdleResourceAssignmentStrategy": "FIFO"}},
        },
        "Environment": {
            "Type": "AWS::Batch::ServiceEnvironment",
            "Properties": {
                "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
                "CapacityLimits": [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 16}],
            },
        },
        "Queue": {
            "Type": "AWS::Batch::JobQueue",
            "Properties": {
                "JobQueueType": "SAGEMAKER_TRAINING",
                "Priority": 1,
                "SchedulingPolicyArn": {"Fn::GetAtt": ["Policy", "Arn"]},
                "ServiceEnvironmentOrder": [
                    {"Order": 1, "ServiceEnvironment": {"Ref": "Environment"}}
                ],
            },
        },
        "Research": {
            "Type": "AWS::Batch::QuotaShare",
            "Properties": {
                "QuotaShareName": "research",
                "JobQueue": {"Ref": "Queue"},
                "CapacityLimits": [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 10}],
                "ResourceSharingConfiguration": {"Strategy": "LEND_AND_BORROW", "BorrowLimit": 50},
                "PreemptionConfiguration": {"InSharePreemption": "ENABLED"},
            },
        },
        "Product": {
            "Type": "AWS::Batch::QuotaShare",
            "Properties": {
                "QuotaShareName": "product",
                "JobQueue": {"Ref": "Queue"},
                "CapacityLimits": [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 6}],
                "ResourceSharingConfiguration": {"Strategy": "LEND"},
                "PreemptionConfiguration": {"InSharePreemption": "DISABLED"},
            },
        },
    }
}
"""A queue of 16 instances that two teams divide; AWS Batch has no objection to it."""

Changes = Mapping[str, Any]
"""By path, such as ``Queue.Priority`` or ``Research``: a resource's property, or a resource."""


_AS_IT_IS: Final[Changes] = {}


class Pair(NamedTuple):
    """A faulty and a correct template.

    Args:
        faulty: What is otherwise in the faulty one than in the sound one.
        correct: What is otherwise in the correct one; nothing where it is the sound one.
    """

    faulty: Changes
    correct: Changes = _AS_IT_IS

    def faulty_template(self) -> Template:
        """Returns the faulty template, whole."""
        return changed(self.faulty)

    def correct_template(self) -> Template:
        """Returns the correct template, whole."""
        return changed(self.correct)

    def excerpt(self, template: Template) -> Template:
        """Returns the resources of one of the two templates that differ between them."""
        changes = [*self.faulty, *self.correct]
        named = dict.fromkeys(change.split(".")[0] for change in changes)
        resources = template["Resources"]
        return {"Resources": {name: resources[name] for name in named if name in resources}}


def changed(changes: Changes) -> Template:
    """Returns the sound template with changes.

    Args:
        changes: The changes, by path.
    """
    template = copy.deepcopy(SOUND)
    for path, value in changes.items():
        resource, *steps = path.split(".")
        if not steps:
            _put(template["Resources"], resource, value)
            continue
        place = template["Resources"][resource]["Properties"]
        for step in steps[:-1]:
            place = place[int(step) if step.isdecimal() else step]
        last = steps[-1]
        _put(place, int(last) if last.isdecimal() else last, value)
    return template


def _put(place: Any, key: Any, value: Any) -> None:
    if value is LEFT_OUT:
        del place[key]
    else:
        place[key] = copy.deepcopy(value)


def fifo_queue() -> Changes:
    """Returns the changes to a queue without quota management, and so without shares."""
    return {
        "Queue.SchedulingPolicyArn": LEFT_OUT,
        "Environment.CapacityLimits": [{"CapacityUnit": "NUM_INSTANCES", "MaxCapacity": 16}],
        "Policy": LEFT_OUT,
        "Research": LEFT_OUT,
        "Product": LEFT_OUT,
    }
