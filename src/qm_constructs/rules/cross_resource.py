"""XR: what a queue's environment and its shares ask of one another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from qm_constructs.arns import Arn, parse_arn, partition_of
from qm_constructs.capacity import (
    at_least,
    at_most,
    environment_limits,
    held_by_each,
    holdings,
    may_lend,
)
from qm_constructs.instance_types import TRAINING_INSTANCE_TYPES
from qm_constructs.plan import (
    BORROW_LIMIT,
    INSTANCE_TYPE_PREFIX,
    LEND_AND_BORROW,
    STRATEGY,
    Path,
    QueuePlan,
    Resource,
    Unknown,
    UnknownArn,
)
from qm_constructs.rules import _checks
from qm_constructs.rules._checks import similar_unit
from qm_constructs.rules._examples import LEFT_OUT, Pair
from qm_constructs.rules._named import NAMED
from qm_constructs.rules._rule import (
    OBSERVED,
    SHARE_GUIDE,
    Evidence,
    Place,
    Rule,
    Severity,
    Violation,
)
from qm_constructs.schema import ARN_KIND

_STUCK_GUIDE = (
    "https://docs.aws.amazon.com/batch/latest/userguide/"
    "sm_job_stuck_in_runnable_misconfiguration.html"
)

_REGION = "Region"
_PARTITION = "partition"
_STACK = "the stack"

_POLICY_ARN = "arn:aws:batch:{}:111122223333:scheduling-policy/gpus"
_ENVIRONMENT_ARN = "arn:aws:batch:{}:111122223333:service-environment/gpus"

XR_01 = Rule(
    id="XR-01",
    title="The service environment has every instance type that a share holds",
    why="Jobs on a type without a limit in the environment wait for ever: "
    "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE.",
    severity=Severity.ERROR,
    evidence=Evidence.INFERRED,
    source=_STUCK_GUIDE,
    pair=Pair(
        {
            "Product.CapacityLimits": [
                {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 6},
                {"CapacityUnit": "ml.g5.12xlarge", "MaxCapacity": 1},
            ]
        }
    ),
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
    pair=Pair({"Product.CapacityLimits.0.MaxCapacity": 7}),
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
    pair=Pair(
        {"Research": LEFT_OUT, "Product.CapacityLimits.0.MaxCapacity": 17},
        {"Research": LEFT_OUT, "Product.CapacityLimits.0.MaxCapacity": 16},
    ),
)
XR_06 = Rule(
    id="XR-06",
    title="Somebody lends what a share may borrow",
    why="A share borrows from shares that lend; where none lends the unit it can never borrow.",
    severity=Severity.WARNING,
    evidence=Evidence.INFERRED,
    source=_STUCK_GUIDE,
    unconfirmed="AWS has not confirmed this.",
    pair=Pair({"Product.ResourceSharingConfiguration.Strategy": "RESERVE"}),
)
XR_09 = Rule(
    id="XR-09",
    title="A queue, its policy, its environment and its shares are in one account and Region",
    why="AWS Batch looks ARNs up in its own Region: 'SchedulingPolicy ... not found.'",
    severity=Severity.ERROR,
    evidence=Evidence.OBSERVED,
    source=f"{OBSERVED}/pf-batch-jq-scheduling-policy-arn-region",
    pair=Pair(
        {
            "Queue.SchedulingPolicyArn": _POLICY_ARN.format("us-east-1"),
            "Queue.ServiceEnvironmentOrder.0.ServiceEnvironment": _ENVIRONMENT_ARN.format(
                "us-west-2"
            ),
        },
        {
            "Queue.SchedulingPolicyArn": _POLICY_ARN.format("us-west-2"),
            "Queue.ServiceEnvironmentOrder.0.ServiceEnvironment": _ENVIRONMENT_ARN.format(
                "us-west-2"
            ),
        },
    ),
)


@XR_01.on_queue
def _unit_not_in_environment(plan: QueuePlan) -> Iterator[Violation]:
    limits = environment_limits(plan)
    if limits is None or _checks.NUM_INSTANCES in limits:
        return  # no unit of quota management, which is SE-05's
    # What the environment has of no instance type at all, which is SE-07's, may be meant for one.
    miswritten = [unit for unit in limits if not unit.startswith(INSTANCE_TYPE_PREFIX)]
    may_be = {similar_unit(unit) for unit in miswritten}
    for share in plan.shares:
        for limit in share.capacity_limits:
            if isinstance(limit.unit, Unknown) or limit.unit in limits:
                continue
            if not limit.unit.startswith(INSTANCE_TYPE_PREFIX):
                continue  # no capacity unit at all, which is QS-06's
            if may_be & {limit.unit, None}:
                continue
            yield Violation(
                ("CapacityLimits", limit.place, "CapacityUnit"),
                f"The service environment has no capacity limit for {limit.unit!r}, so a job on it "
                f"could never run; it has {', '.join(sorted(limits))}.",
                _instead_of_absent(limit.unit, limits),
                share,
            )


def _instead_of_absent(unit: str, limits: Collection[str]) -> str:
    """Says how to mend a capacity unit that a service environment lacks."""
    add = f"add {unit!r} to the service environment, or leave it out of the share."
    meant = _meant(unit, limits)
    if meant:
        return f"Did you mean {meant!r}? If not, {add}"
    misspelt = [other for other in sorted(limits) if _meant(other, (unit,))]
    if misspelt:
        return f"Does the environment mean it by {misspelt[0]!r}? If not, {add}"
    return add[0].upper() + add[1:]


def _meant(unit: str, known: Iterable[str] = TRAINING_INSTANCE_TYPES) -> str | None:
    """Returns what is meant by an instance type that there may not be; None for any other."""
    return None if unit in TRAINING_INSTANCE_TYPES else similar_unit(unit, known)


@XR_02.on_queue
def _sum_above_environment(plan: QueuePlan) -> Iterator[Violation]:
    for unit, limit in (environment_limits(plan) or {}).items():
        # A limit below 1 is SE-08's.
        most = at_most(limit)
        if most is None or most < 1 or plan.environment is None:
            continue
        held = held_by_each(plan, unit)
        # What one share alone has above it is XR-03's.
        if sum(min(one, most) for one in held) > most:
            together = sum(held)
            is_open = any(isinstance(one.max_capacity, Unknown) for _, one in holdings(plan, unit))
            or_more = " or more" if is_open else ""
            lowered = " or more" if is_open or isinstance(limit, Unknown) else ""
            path = _path_of_unit(plan.environment, unit)
            yield Violation(
                path,
                f"The quota shares hold {together}{or_more} {unit} together, the service "
                f"environment has {most}{_or_less(limit)}: they cannot all have what they are "
                "promised at once.",
                f"Lower the shares' limits by {together - most}{lowered} together, or raise the "
                "environment's.",
                plan.environment,
            )


@XR_03.on_queue
def _share_above_environment(plan: QueuePlan) -> Iterator[Violation]:
    for unit, limit in (environment_limits(plan) or {}).items():
        most = at_most(limit)
        if most is not None and most >= 1:
            yield from _above(plan, unit, most, _or_less(limit))


def _or_less(limit: int | Unknown) -> str:
    return " or less" if isinstance(limit, Unknown) else ""


def _above(plan: QueuePlan, unit: str, most: int, or_less: str) -> Iterator[Violation]:
    for share, limit in holdings(plan, unit):
        held = at_least(limit.max_capacity)
        if held is not None and held > most:
            or_more = " or more" if isinstance(limit.max_capacity, Unknown) else ""
            yield Violation(
                ("CapacityLimits", limit.place, "MaxCapacity"),
                f"The share holds {held}{or_more} {unit}, the whole service environment "
                f"{most}{or_less}: a job above that never runs.",
                f"Lower it to {most}, or raise the environment's limit.",
                share,
            )


@XR_06.on_queue
def _borrower_without_lender(plan: QueuePlan) -> Iterator[Violation]:
    if not plan.complete or plan.in_outputs:
        return
    limits = environment_limits(plan)
    for share in plan.shares:
        if share.at(STRATEGY) != LEND_AND_BORROW or share.at(BORROW_LIMIT) == 0:
            continue
        others = [other for other in plan.shares if other is not share]
        # What is no capacity unit of a share nobody can lend, which is QS-06's.
        units = [limit.unit for limit in share.capacity_limits if isinstance(limit.unit, str)]
        never = [
            unit
            for unit in units
            # Of what the environment lacks there is nothing to borrow, which is XR-01's.
            if unit.startswith(INSTANCE_TYPE_PREFIX) and (limits is None or unit in limits)
            if not any(_may_mean_to_lend(other, unit) for other in others)
        ]
        if never:
            together = " or ".join(never)
            nothing = len(never) == len(share.capacity_limits)
            yield Violation(
                STRATEGY,
                f"No other share that is made here lends {together}, so this one can never borrow "
                "it.",
                f"Let another share lend {together}{', or choose LEND' if nothing else ''}.",
                share,
            )


def _may_mean_to_lend(share: Resource, unit: str) -> bool:
    """Tells whether a share lends a unit, or one that is misspelt and may be meant for it."""
    units = [limit.unit for limit in share.capacity_limits if isinstance(limit.unit, str)]
    meant = [other for other in units if _meant(other, (unit,))]
    return any(may_lend(share, one) for one in (unit, *meant))


@XR_09.on_queue
def _elsewhere(plan: QueuePlan) -> Iterator[Violation]:
    for resource in (plan.queue, *plan.shares):
        named = _named(resource)
        if not named:
            continue
        place = plan.places.get(resource, (plan.account, plan.region))
        told = {**_known(*resource.place), **_known(*place)}
        expected = {what: (where, _STACK) for what, where in told.items()}
        # No condition tells which of the Regions it is that the template allows.
        allowed = {_REGION, _PARTITION} - _known(*resource.place).keys()
        for path, kind, arn in named:
            for what in _from_stack(resource, path, arn):
                expected.setdefault(what, (_place(arn)[what], f"the {kind}"))
        for path, kind, arn in named:
            there = _place(arn)
            # Of two ARNs in different places one is wrong, wherever the stack is.
            found = list(_differing(there, f"the {kind}", expected))
            for what, where, whose in found:
                is_where = f"{whose} in {where}"
                fix = f"Give a {kind} of {what} {where}."
                if whose == _STACK and resource.is_one_region_of_several and what in allowed:
                    is_where, fix = f"{whose} is not", f"Give a {kind} of the stack's own {what}."
                yield Violation(path, _in_two_places(what, there, is_where), fix, resource)
            if not found:
                yield from _of_no_place(resource, path, arn)


@XR_09.on_resources
def _elsewhere_than_another(resources: Sequence[Resource], place: Place) -> Iterator[Violation]:
    # Where the stack is known to be, each resource is compared with that.
    stack = _known(*place)
    expected: dict[str, tuple[str, str]] = {}
    others: list[tuple[Resource, Path, str, dict[str, str]]] = []
    for resource in resources:
        named = _named(resource)
        if not named:
            continue
        own, seen = _known(*resource.place), {*stack}
        # First what cannot be wrong, wherever the stack is.
        for path, kind, arn in named:
            there = _place(arn)
            sure = _from_stack(resource, path, arn)
            sure |= {what for what in there.keys() & own if own[what] == there[what]}
            for what in sure - stack.keys():
                whose = f"the {kind} of {resource.label}"
                expected.setdefault(what, (there[what], whose))
            seen |= sure
        for path, kind, arn in named:
            there = _place(arn)
            # What differs from the resource's own place is told by itself.
            new = {w: there[w] for w in there if w not in seen and own.get(w, there[w]) == there[w]}
            seen |= new.keys()
            others.append((resource, path, kind, new))
    for resource, path, kind, new in others:
        for what, where, whose in _differing(new, f"the {kind} of {resource.label}", expected):
            fix = f"Give a {kind} of {what} {where}, or put one of the two into another stack."
            problem = _in_two_places(what, new, f"{whose} in {where}")
            yield Violation(path, problem, fix, resource)


def _from_stack(resource: Resource, path: Path, arn: Arn | UnknownArn) -> set[str]:
    """Returns what an ARN tells of its place that it takes from the stack, and is right."""
    account, region, partition = resource.from_stack.get(path, (False, False, False))
    taken = {"account": account, _REGION: region, _PARTITION: partition or region}
    return {what for what in _place(arn) if taken[what]}


def _differing(
    there: Mapping[str, str], whose: str, expected: dict[str, tuple[str, str]]
) -> Iterator[tuple[str, str, str]]:
    """Yields in what a place differs from what is expected, with that and whose place it is.

    Args:
        there: The place.
        whose: Whose place it is.
        expected: What is known of the one place of all, to which the rest of this is added.
    """
    differing = [
        what for what in there if expected.setdefault(what, (there[what], whose))[0] != there[what]
    ]
    for what in differing:
        # Regions of two partitions are two Regions, and one finding.
        if what != _PARTITION or _REGION not in differing:
            yield what, *expected[what]


def _in_two_places(what: str, there: Mapping[str, str], other: str) -> str:
    return (
        f"It is in {what} {there[what]}, {other}; AWS Batch finds only what is in its "
        "own account and Region."
    )


def _of_no_place(resource: Resource, path: Path, arn: Arn | UnknownArn) -> Iterator[Violation]:
    """Yields that an ARN has a Region of another partition than its own, and so names nothing."""
    right = partition_of(arn.region) if arn.region is not None else None
    if right is not None and arn.partition not in (None, right):
        problem = f"The Region {arn.region} is in the partition {right}, not in {arn.partition}."
        yield Violation(
            path, problem, f"Write arn:{right}:, or the Region that is meant.", resource
        )


def _named(resource: Resource) -> list[tuple[Path, str, Arn | UnknownArn]]:
    """Returns the ARNs by which a resource names others, each with its property and its kind.

    Those that tell nothing of a place, which most do, are left out.
    """
    found: list[tuple[Path, str, Arn | UnknownArn]] = []
    for path, type_ in NAMED.get(resource.type, {}).items():
        kind = ARN_KIND[type_]
        arn = _arn(resource.at(path), kind)
        if arn is not None and (arn.account or arn.region or arn.partition):
            found.append((path, kind.replace("-", " "), arn))
    return found


def _arn(value: object, kind: str) -> Arn | UnknownArn | None:
    if isinstance(value, str):
        return parse_arn(value, kind)
    return value if isinstance(value, UnknownArn) else None


def _known(account: str | None, region: str | None, partition: str | None = None) -> dict[str, str]:
    """Returns what is known of a place; the Region tells the partition."""
    told = None if region is None else partition_of(region)
    place = {"account": account, _REGION: region, _PARTITION: told or partition}
    return {what: where for what, where in place.items() if where is not None}


def _place(arn: Arn | UnknownArn) -> dict[str, str]:
    return _known(arn.account, arn.region, arn.partition)


def _path_of_unit(resource: Resource, unit: str) -> Path:
    index = next(limit.place for limit in resource.capacity_limits if limit.unit == unit)
    return ("CapacityLimits", index, "MaxCapacity")


RULES = (XR_01, XR_02, XR_03, XR_06, XR_09)
