"""Requests that the tests of AWS Batch's rules have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .calls import Calls

Json = dict[str, Any]
GPU = "ml.g5.xlarge"
OTHER = "ml.p4d.24xlarge"
LONG = "a" * 129
FIFO = {"idleResourceAssignmentStrategy": "FIFO"}
FAIR = {"shareDecaySeconds": 600}
WAITS = {
    "reason": "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE",
    "state": "RUNNABLE",
    "maxTimeSeconds": 600,
    "action": "TERMINATE",
}


def limits(*units: str, most: int = 1) -> list[Json]:
    return [{"capacityUnit": unit, "maxCapacity": most} for unit in units]


def serves(*names: str) -> list[Json]:
    return [
        {"order": number, "serviceEnvironment": name} for number, name in enumerate(names, start=1)
    ]


POLICY, ENVIRONMENT, QUEUE, SHARE = (
    "CreateSchedulingPolicy",
    "CreateServiceEnvironment",
    "CreateJobQueue",
    "CreateQuotaShare",
)
A_QUEUE = {"jobQueueName": "new", "serviceEnvironmentOrder": serves("spare")}
A_SHARE = {"quotaShareName": "new"}
QUOTA_ARN = "quotaShareArn"


def named(aws: Calls, given: Json) -> Json:
    """Returns a request with ARNs where the table has names."""
    kinds = {"arn": "scheduling-policy", "resourceArn": "scheduling-policy"}
    read = {
        name: aws.arn(kinds[name], value) if name in kinds else value
        for name, value in given.items()
    }
    if QUOTA_ARN in read:
        read[QUOTA_ARN] = f"{aws.queue_arn}/quota-share/{read[QUOTA_ARN]}"
    return read
