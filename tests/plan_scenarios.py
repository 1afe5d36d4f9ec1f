"""Queues in one line of text, for the tests of what can be told of them before a deploy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qm_constructs.plan import (
    JOB_QUEUE,
    LEND,
    LEND_AND_BORROW,
    QUOTA_SHARE,
    RESERVE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    QueuePlan,
    Resource,
    Unknown,
)
from qm_constructs.quota_plan import QuotaPlan

GPU = "ml.p5.48xlarge"
OTHER = "ml.g5.xlarge"
UNKNOWN = Unknown({"Ref": "Parameter"})


def limits(held: Mapping[Any, Any]) -> list[dict[str, Any]]:
    """Returns the property CapacityLimits."""
    return [{"CapacityUnit": unit, "MaxCapacity": most} for unit, most in held.items()]


def environment(held: Mapping[Any, Any]) -> Resource:
    return Resource(SERVICE_ENVIRONMENT, {"CapacityLimits": limits(held)})


def share(
    name: Any,
    held: Mapping[Any, Any],
    strategy: Any = LEND,
    borrow_limit: Any = None,
    *,
    state: str = "ENABLED",
) -> Resource:
    sharing = {"Strategy": strategy}
    if borrow_limit is not None:
        sharing["BorrowLimit"] = borrow_limit
    return Resource(
        QUOTA_SHARE,
        {
            "QuotaShareName": name,
            "CapacityLimits": limits(held),
            "ResourceSharingConfiguration": sharing,
            "State": state,
        },
    )


def queue_plan(
    environment_: Resource | None, *shares: Resource, complete: bool = True, **properties: Any
) -> QueuePlan:
    return QueuePlan(
        Resource(JOB_QUEUE, {"JobQueueName": "training", **properties}),
        environment=environment_,
        shares=[*shares],
        complete=complete,
    )


def plan_of(held: str, text: str) -> QuotaPlan:
    """Returns the plan of a queue that is written in short.

    Args:
        held: The environment's limit for GPU, ``-`` for none, ``?`` for one that is not known.
        text: The shares: name, own limit, and R (reserve), L (lend) or B with the borrow limit
            (``B50``; ``B`` alone leaves it out; ``B?`` and ``?`` are not known). A limit may end in
            ``x`` for a share of another unit, a strategy in ``!`` for a share that is DISABLED;
            ``...`` stands for shares of other templates.
    """
    words = [part.split() for part in text.split(",")]
    shares = [_share(*word) for word in words if word != ["..."]]
    whole = queue_plan(_environment(held), *shares, complete=["..."] not in words)
    return QuotaPlan.of(whole)


def _environment(held: str) -> Resource | None:
    if held == "elsewhere":
        return None
    limit = UNKNOWN if held == "?" else held
    return environment({OTHER: 99} if limit == "-" else {GPU: _number(limit), OTHER: 99})


def _share(name: str, own: str, how: str) -> Resource:
    unit = OTHER if own.endswith("x") else GPU
    state = "DISABLED" if how.endswith("!") else "ENABLED"
    how = how.removesuffix("!")
    strategy = {"R": RESERVE, "L": LEND, "B": LEND_AND_BORROW}.get(how[0], UNKNOWN)
    borrow_limit = _number(how[1:]) if how[1:] else None
    return share(name, {unit: _number(own.removesuffix("x"))}, strategy, borrow_limit, state=state)


def _number(text: Any) -> Any:
    return UNKNOWN if text in ("?", UNKNOWN) else int(text)


def template(
    held: Mapping[Any, Any],
    shares: Mapping[str, tuple[Mapping[Any, Any], Any, Any]],
    *,
    name: str = "training",
    parameters: Sequence[str] = (),
) -> dict[str, Any]:
    """Returns a template of one queue.

    Args:
        held: The environment's limits.
        shares: By name, a share's limits, strategy and borrow limit.
        name: The queue's name.
        parameters: The parameters, which have no default.
    """
    policy = {"QuotaSharePolicy": {"IdleResourceAssignmentStrategy": "FIFO"}}
    order = {"Order": 1, "ServiceEnvironment": {"Ref": "Env"}}
    queue = {
        "JobQueueName": name,
        "JobQueueType": "SAGEMAKER_TRAINING",
        "Priority": 1,
        "SchedulingPolicyArn": {"Ref": "Policy"},
        "ServiceEnvironmentOrder": [order],
    }
    resources: dict[str, Any] = {
        "Policy": {"Type": SCHEDULING_POLICY, "Properties": policy},
        "Env": {
            "Type": SERVICE_ENVIRONMENT,
            "Properties": {
                "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
                "CapacityLimits": limits(held),
            },
        },
        "Queue": {"Type": JOB_QUEUE, "Properties": queue},
    }
    for number, (share_name, (own, strategy, borrow_limit)) in enumerate(shares.items()):
        made = share(share_name, own, strategy, borrow_limit)
        properties = {**made.properties, "JobQueue": {"Ref": "Queue"}}
        properties["PreemptionConfiguration"] = {"InSharePreemption": "DISABLED"}
        resources[f"Share{number}"] = {"Type": QUOTA_SHARE, "Properties": properties}
    declared = {parameter: {"Type": "String"} for parameter in parameters}
    return {"Parameters": declared, "Resources": resources}
