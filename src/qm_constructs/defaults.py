"""What a queue and its quota shares have when nobody says otherwise."""

from __future__ import annotations

from typing import Any, Final

from qm_constructs.plan import LEND
from qm_constructs.rules.time_limits import (
    INSUFFICIENT_INSTANCE_CAPACITY,
    QUOTA_MANAGEMENT_LIMIT_EXCEEDED,
    RUNNABLE,
    SERVICE_ENVIRONMENT_MAX_RESOURCE,
    TERMINATE,
)

PRIORITY: Final = 1
ENABLED: Final = True
IN_SHARE_PREEMPTION: Final = False
STRATEGY: Final = LEND

TIME_LIMIT_REASONS: Final = {
    "service_environment_max_resource": SERVICE_ENVIRONMENT_MAX_RESOURCE,
    "quota_management_limit_exceeded": QUOTA_MANAGEMENT_LIMIT_EXCEEDED,
    "insufficient_instance_capacity": INSUFFICIENT_INSTANCE_CAPACITY,
}
"""What each job state time limit is for, in the order in which they are rendered."""

# A job that can never run must not block its share for ever; one that waits for capacity may wait.
TIME_LIMIT_SECONDS: Final[dict[str, int | None]] = {
    "service_environment_max_resource": 3600,
    "quota_management_limit_exceeded": 3600,
    "insufficient_instance_capacity": None,
}


def time_limit_action(limit: str, seconds: Any) -> dict[str, Any]:
    """Returns a job state time limit action in the CloudFormation view.

    Args:
        limit: One of ``TIME_LIMIT_REASONS``.
        seconds: After how many seconds it acts.
    """
    return {
        "Action": TERMINATE,
        "MaxTimeSeconds": seconds,
        "Reason": TIME_LIMIT_REASONS[limit],
        "State": RUNNABLE,
    }


class Default:
    """Stands for an argument that the caller left out, and shows what it is then.

    Args:
        value: What it is then.
    """

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)
