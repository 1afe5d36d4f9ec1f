"""AWS Batch: every call that it takes, and how one is carried out."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any, Final

from . import environments, jobs, policies, queues, shares, snapshot, tags
from .scheduler import advance
from .shapes import check_input
from .state import LOCK, Json, here

Operation = Callable[[Json], Json]


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


_CALLS: Final = {
    policies: (
        "CreateSchedulingPolicy",
        "UpdateSchedulingPolicy",
        "DescribeSchedulingPolicies",
        "ListSchedulingPolicies",
        "DeleteSchedulingPolicy",
    ),
    environments: (
        "CreateServiceEnvironment",
        "UpdateServiceEnvironment",
        "DescribeServiceEnvironments",
        "DeleteServiceEnvironment",
    ),
    queues: ("CreateJobQueue", "UpdateJobQueue", "DescribeJobQueues", "DeleteJobQueue"),
    shares: (
        "CreateQuotaShare",
        "UpdateQuotaShare",
        "DescribeQuotaShare",
        "ListQuotaShares",
        "DeleteQuotaShare",
    ),
    jobs: (
        "SubmitServiceJob",
        "DescribeServiceJob",
        "ListServiceJobs",
        "UpdateServiceJob",
        "TerminateServiceJob",
        "TerminateServiceJobs",
    ),
    snapshot: ("GetJobQueueSnapshot",),
    tags: ("TagResource", "UntagResource", "ListTagsForResource"),
}

OPERATIONS: Final[dict[str, Operation]] = {
    name: getattr(module, _snake(name)) for module, names in _CALLS.items() for name in names
}


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def perform(operation: str, given: Json) -> Json:
    """Carries out a call in the account and Region of the caller.

    Raises:
        ClientError: AWS Batch refuses the call; then nothing has changed.
    """
    given = _without_nulls(given)
    with LOCK:
        place = here()
        place.sweep()
        advance(place)
        check_input(operation, given)
        answer = OPERATIONS[operation](given)
        advance(place)
        return copy.deepcopy(answer)
