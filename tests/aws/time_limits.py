"""Job state time limit actions of a job queue."""

from __future__ import annotations

from typing import Final

from .errors import ClientError
from .state import Json
from .switches import refuses

INSUFFICIENT_CAPACITY: Final = "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY"
ENVIRONMENT_TOO_SMALL: Final = "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE"
SHARE_TOO_SMALL: Final = "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"
_REASONS: Final = (INSUFFICIENT_CAPACITY, ENVIRONMENT_TOO_SMALL, SHARE_TOO_SMALL)  # JT-05


def check_time_limits(actions: list[Json], is_sagemaker: bool) -> None:
    """Refuses actions that a job queue cannot have."""
    allowed = "TERMINATE" if is_sagemaker else "CANCEL"
    seen = set()
    for action in actions:
        if action["action"] != allowed:  # JT-03
            raise ClientError(f"Invalid job action. Valid job actions: [{allowed}]")
        if not 600 <= action["maxTimeSeconds"] <= 86400:  # JT-04
            raise ClientError("maxTimeSeconds must be between 600 and 86400.")
        if is_sagemaker and action["reason"] not in _REASONS and refuses("JT-08"):
            raise ClientError(f"Invalid reason. Valid reasons: [{', '.join(_REASONS)}]")
        if (action["state"], action["reason"]) in seen:  # JT-06
            raise ClientError("Duplicate job state limit actions are not allowed.")
        seen.add((action["state"], action["reason"]))
