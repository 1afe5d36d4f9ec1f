"""XR: what a queue's environment and its shares ask of one another."""

from __future__ import annotations

from collections.abc import Iterator

from qm_constructs.arns import Arn, parse_arn
from qm_constructs.capacity import environment_limits, held_by_each, holdings, may_lend
from qm_constructs.instance_types import TRAINING_INSTANCE_TYPES
from qm_constructs.plan import (
    BORROW_LIMIT,
    LEND_AND_BORROW,
    STRATEGY,
    Path,
    QueuePlan,
    Resource,
    Unknown,
    UnknownArn,
)
from qm_constructs.rules._checks import INSTANCE_TYPE_PREFIX, similar_unit
from qm_constructs.rules._rule import OBSERVED, SHARE_GUIDE, Evidence, Rule, Severity, Violation

_STUCK_GUIDE = (
    "https://docs.aws.amazon.com/batch/latest/userguide/"
    "sm_job_stuck_in_runnable_misconfiguration.html"
)

XR_01 = Rule(
    id="XR-01",
    title="The service environment has every instance type that a share holds",
    why="Jobs on a type without a limit in the environment wait for ever: "
    "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE.",
    severity=Severity.ERROR,
    evidence=Evidence.INFERRED,
    source=_STUCK_GUIDE,
)
XR_02 = Rule(
    id="XR-02",
    title="The shares of a queue together hold no more than the service environment",
    why="What a share is promised beyond the environment cannot be there when all ask at once; "
    "AWS does not say whether it refuses such shares.",
    severity=Severity.WARNING,
    evidence=Evidence.UNCONFIRMED,
    source=SHARE_GUIDE,
    unconfirmed="AWS has not confirmed whether it takes this.",
)
XR_03 = Rule(
    id="XR-03",
    title="No share holds more than the service environment",
    why="A job larger than the environment's limit waits for ever: "
    "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE; AWS does not say whether it refuses such "
    "a share.",
    severity=Severity.WARNING,
    evidence=Evidence.UNCONFIRMED,
    source=_STUCK_GUIDE,
    unconfirmed="AWS has not confirmed whether it takes this.",
)
XR_06 = Rule(
    id="XR-06",
    title="Somebody lends what a share may borrow",
    why="A share borrows from shares that lend; where none lends the unit it can never borrow.",
    severity=Severity.WARNING,
    evidence=Evidence.INFERRED,
    source=_STUCK_GUIDE,
    unconfirmed="AWS has not confirmed this.",
)
XR_09 = Rule(
    id="XR-09",
    title="A queue, its policy, its environment and its shares are in one account and Region",
    why="AWS Batch looks ARNs up in its own Region: 'SchedulingPolicy ... not found.'",
    severity=Severity.ERROR,
    evidence=Evidence.OBSERVED,
    source=f"{OBSERVED}/pf-batch-jq-scheduling-policy-arn-region",
)


@XR_01.on_queue
def _unit_not_in_environment(plan: QueuePlan) -> Iterator[Violation]:
    limits = environment_limits(plan)
    if limits is None:
        return
    for share in plan.shares:
        for limit in share.capacity_limits:
            if isinstance(limit.unit, Unknown) or limit.unit in limits:
                continue
            if not limit.unit.startswith(INSTANCE_TYPE_PREFIX):
                continue  # no capacity unit at all, which is QS-06's
            known = limit.unit in TRAINING_INSTANCE_TYPES
            meant = None if known else similar_unit(limit.unit, limits)
            yield Violation(
                ("CapacityLimits", limit.index, "CapacityUnit"),
                f"The service environment has no capacity limit for {limit.unit!r}, so a job on it "
                f"could never run; it has {', '.join(sorted(limits))}.",
                (f"Did you mean {meant!r}? If not, add" if meant else "Add")
                + f" {limit.unit!r} to the service environment, or leave it out of the share.",
                share,
            )


@XR_02.on_queue
def _sum_above_environment(plan: QueuePlan) -> Iterator[Violation]:
    for unit, limit in (environment_limits(plan) or {}).items():
        if isinstance(limit, Unknown) or plan.environment is None:
            continue
        held = held_by_each(plan, unit)
        # What one share alone has above it is XR-03's.
        if sum(min(most, limit) for most in held) > limit:
            together = sum(held)
            path = _path_of_unit(plan.environment, unit)
            yield Violation(
                path,
                f"The quota shares hold {together} {unit} together, the service environment has "
                f"{limit}: they cannot all have what they are promised at once.",
                f"Lower the shares' limits by {together - limit} together, or raise the "
                "environment's.",
                plan.environment,
            )


@XR_03.on_queue
def _share_above_environment(plan: QueuePlan) -> Iterator[Violation]:
    for unit, limit in (environment_limits(plan) or {}).items():
        if isinstance(limit, int):
            yield from _above(plan, unit, limit)


def _above(plan: QueuePlan, unit: str, environment_limit: int) -> Iterator[Violation]:
    for share, limit in holdings(plan, unit):
        if isinstance(limit.max_capacity, int) and limit.max_capacity > environment_limit:
            yield Violation(
                ("CapacityLimits", limit.index, "MaxCapacity"),
                f"The share holds {limit.max_capacity} {unit}, the whole service environment "
                f"{environment_limit}: a job above that never runs.",
                f"Lower it to {environment_limit}, or raise the environment's limit.",
                share,
            )


@XR_06.on_queue
def _borrower_without_lender(plan: QueuePlan) -> Iterator[Violation]:
    if not plan.complete:
        return
    for share in plan.shares:
        if share.at(STRATEGY) != LEND_AND_BORROW or share.at(BORROW_LIMIT) == 0:
            continue
        others = [other for other in plan.shares if other is not share]
        never = [
            limit.unit
            for limit in share.capacity_limits
            if isinstance(limit.unit, str) and not any(may_lend(o, str(limit.unit)) for o in others)
        ]
        if never:
            units = " or ".join(never)
            nothing = len(never) == len(share.capacity_limits)
            yield Violation(
                STRATEGY,
                f"No other share that is made here lends {units}, so this one can never borrow it.",
                f"Let another share lend {units}{', or choose LEND' if nothing else ''}.",
                share,
            )


@XR_09.on_queue
def _elsewhere(plan: QueuePlan) -> Iterator[Violation]:
    queue = plan.queue
    named: list[tuple[Resource, Path, Path, str]] = [
        (queue, ("SchedulingPolicyArn",), ("SchedulingPolicyArn",), "scheduling-policy"),
        (
            queue,
            ("ServiceEnvironmentOrder",),
            ("ServiceEnvironmentOrder", 0, "ServiceEnvironment"),
            "service-environment",
        ),
        *((share, ("JobQueue",), ("JobQueue",), "job-queue") for share in plan.shares),
    ]
    here = (plan.account, plan.region)
    for resource, path, arn_path, kind in named:
        arn = resource.at(arn_path)
        if isinstance(arn, str):
            arn = parse_arn(arn, kind)
        if not isinstance(arn, Arn | UnknownArn):
            continue
        for what, there, expected in zip(
            ("account", "Region"), (arn.account, arn.region), here, strict=True
        ):
            if None not in (there, expected) and there != expected:
                yield Violation(
                    path,
                    f"It is in {what} {there}, the stack in {expected}; AWS Batch finds only "
                    f"what is in its own account and Region.",
                    f"Give a {kind.replace('-', ' ')} of {what} {expected}.",
                    resource,
                )


def _path_of_unit(resource: Resource, unit: str) -> Path:
    index = next(limit.index for limit in resource.capacity_limits if limit.unit == unit)
    return ("CapacityLimits", index, "MaxCapacity")


RULES = (XR_01, XR_02, XR_03, XR_06, XR_09)
