"""Queues with shares, and jobs on them, that the tests have in common."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .calls import Calls

GPU = "ml.g5.xlarge"
Json = dict[str, Any]


def payload(count: int, unit: str = GPU) -> str:
    return json.dumps({"ResourceConfig": {"InstanceType": unit, "InstanceCount": count}})


def shares(aws: Calls, **strategies: str | int) -> None:
    """Makes a queue of 8 instances with shares of 4: a strategy, or a borrow limit."""
    for call in ("CreateSchedulingPolicy", "CreateServiceEnvironment", "CreateJobQueue"):
        aws(call)
    for name, strategy in strategies.items():
        sharing: Json = {"strategy": strategy}
        if isinstance(strategy, int):
            sharing = {"strategy": "LEND_AND_BORROW", "borrowLimit": strategy}
        aws("CreateQuotaShare", quotaShareName=name, resourceSharingConfiguration=sharing)


def submit(aws: Calls, share: str, count: int, name: str = "job", priority: int = 0) -> str:
    return aws.submit(
        quotaShareName=share,
        jobName=name,
        serviceRequestPayload=payload(count),
        schedulingPriority=priority,
    )


def status(aws: Calls, id: str) -> str:
    return str(aws.job(id)["status"])


def runs(aws: Calls, id: str) -> bool:
    """Whether a job runs, now or in a moment."""
    from .calls import wait_until

    if status(aws, id) == "RUNNABLE":
        return False
    wait_until(lambda: status(aws, id) not in ("SCHEDULED", "STARTING"))
    return status(aws, id) == "RUNNING"
