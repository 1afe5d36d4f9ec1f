"""The four types as CloudFormation's registry has them: properties, their kinds, what is required.

Source: the CloudFormation registry schemas of October 2026; a test compares them with cfn-lint's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from qm_constructs.plan import JOB_QUEUE, QUOTA_SHARE, SCHEDULING_POLICY, SERVICE_ENVIRONMENT, Path


class Kind:
    """What a property holds.

    Args:
        article: How a message names the kind.
    """

    def __init__(self, article: str) -> None:
        self.article = article


class ListOf(NamedTuple):
    """A list.

    Args:
        item: What each entry holds.
    """

    item: AnyKind
    article: str = "a list"


class Struct(NamedTuple):
    """A map with names that the schema gives.

    Args:
        members: The kind of each.
        required: The names that cannot be left out.
    """

    members: Mapping[str, AnyKind]
    required: tuple[str, ...] = ()
    article: str = "a map"


AnyKind = Kind | ListOf | Struct

TEXT: Final = Kind("text")
WHOLE_NUMBER: Final = Kind("a whole number")
TAGS: Final = Kind("a map of keys to values")
# Fair-share scheduling and compute environments are nobody's business here.
ANYTHING: Final = Kind("anything")

QUOTA_SHARE_POLICY: Final = Struct({"IdleResourceAssignmentStrategy": TEXT})
ENVIRONMENT_LIMIT: Final = Struct({"CapacityUnit": TEXT, "MaxCapacity": WHOLE_NUMBER})
_SHARE_LIMIT: Final = Struct(ENVIRONMENT_LIMIT.members, ("CapacityUnit", "MaxCapacity"))
_SHARING: Final = Struct({"Strategy": TEXT, "BorrowLimit": WHOLE_NUMBER}, ("Strategy",))
_TIME_LIMIT: Final = Struct(
    {"Reason": TEXT, "State": TEXT, "MaxTimeSeconds": WHOLE_NUMBER, "Action": TEXT},
    ("Reason", "State", "MaxTimeSeconds", "Action"),
)

TYPES: Final[Mapping[str, Struct]] = {
    SCHEDULING_POLICY: Struct(
        {
            "Name": TEXT,
            "QuotaSharePolicy": QUOTA_SHARE_POLICY,
            "FairsharePolicy": ANYTHING,
            "Tags": TAGS,
        }
    ),
    SERVICE_ENVIRONMENT: Struct(
        {
            "ServiceEnvironmentName": TEXT,
            "ServiceEnvironmentType": TEXT,
            "State": TEXT,
            "CapacityLimits": ListOf(ENVIRONMENT_LIMIT),
            "Tags": TAGS,
        },
        ("ServiceEnvironmentType", "CapacityLimits"),
    ),
    JOB_QUEUE: Struct(
        {
            "JobQueueName": TEXT,
            "JobQueueType": TEXT,
            "Priority": WHOLE_NUMBER,
            "State": TEXT,
            "SchedulingPolicyArn": TEXT,
            "ServiceEnvironmentOrder": ListOf(
                Struct(
                    {"Order": WHOLE_NUMBER, "ServiceEnvironment": TEXT},
                    ("Order", "ServiceEnvironment"),
                )
            ),
            "ComputeEnvironmentOrder": ANYTHING,
            "JobStateTimeLimitActions": ListOf(_TIME_LIMIT),
            "Tags": TAGS,
        },
        ("Priority",),
    ),
    QUOTA_SHARE: Struct(
        {
            "QuotaShareName": TEXT,
            "JobQueue": TEXT,
            "State": TEXT,
            "CapacityLimits": ListOf(_SHARE_LIMIT),
            "ResourceSharingConfiguration": _SHARING,
            "PreemptionConfiguration": Struct({"InSharePreemption": TEXT}, ("InSharePreemption",)),
            "Tags": TAGS,
        },
        (
            "QuotaShareName",
            "JobQueue",
            "CapacityLimits",
            "ResourceSharingConfiguration",
            "PreemptionConfiguration",
        ),
    ),
}


def kind_at(type: str, path: Path) -> AnyKind | None:
    """Returns what the schema of a type says of a property; None where it says nothing.

    Args:
        type: The CloudFormation type.
        path: Where the property stands.
    """
    kind: AnyKind | None = TYPES.get(type)
    for step in path:
        if isinstance(kind, Struct):
            kind = kind.members.get(str(step))
        else:
            kind = kind.item if isinstance(kind, ListOf) else None
    return kind


PROPERTIES: Final = "Properties"
ATTRIBUTES: Final = frozenset(
    (
        *("Type", PROPERTIES, "Condition", "CreationPolicy", "DeletionPolicy"),
        *("DependsOn", "Metadata", "UpdatePolicy", "UpdateReplacePolicy"),
    )
)
"""What every resource can have: the reference guide's "Resource attributes", and its properties."""

ARN_ATTRIBUTE: Final[Mapping[str, str]] = {
    SCHEDULING_POLICY: "Arn",
    SERVICE_ENVIRONMENT: "ServiceEnvironmentArn",
    JOB_QUEUE: "JobQueueArn",
    QUOTA_SHARE: "QuotaShareArn",
}
"""The one attribute of each type; ``Ref`` gives the same ARN."""

NAME_PROPERTY: Final[Mapping[str, str]] = {
    SCHEDULING_POLICY: "Name",
    SERVICE_ENVIRONMENT: "ServiceEnvironmentName",
    JOB_QUEUE: "JobQueueName",
    QUOTA_SHARE: "QuotaShareName",
}

CREATE_ONLY: Final[Mapping[str, tuple[str, ...]]] = {
    SCHEDULING_POLICY: ("Name",),
    SERVICE_ENVIRONMENT: ("ServiceEnvironmentName", "ServiceEnvironmentType"),
    JOB_QUEUE: ("JobQueueName", "JobQueueType"),
    QUOTA_SHARE: ("QuotaShareName", "JobQueue"),
}
"""The properties whose change makes CloudFormation replace the resource."""

ARN_KIND: Final[Mapping[str, str]] = {
    SCHEDULING_POLICY: "scheduling-policy",
    SERVICE_ENVIRONMENT: "service-environment",
    JOB_QUEUE: "job-queue",
    QUOTA_SHARE: "quota-share",
    "AWS::Batch::ComputeEnvironment": "compute-environment",
}
"""What stands before the name in the ARN of a type."""
