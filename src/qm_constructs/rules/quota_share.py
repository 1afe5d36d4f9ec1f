"""QS: what AWS asks of a quota share, and of all the shares of one queue."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterator
from typing import Any, Final

from qm_constructs.arns import EXAMPLES, NAME, parse_arn
from qm_constructs.plan import (
    BORROW_LIMIT,
    LEND_AND_BORROW,
    QUOTA_SHARE,
    SAGEMAKER_TRAINING,
    STRATEGIES,
    STRATEGY,
    UNLIMITED,
    Path,
    QueuePlan,
    Resource,
    UnknownArn,
    is_whole_number,
    text_key,
)
from qm_constructs.rules import _checks, _spelt
from qm_constructs.rules._examples import LEFT_OUT, SOUND, Pair
from qm_constructs.rules._rule import (
    API,
    CLOUDFORMATION,
    SERVICE_LIMITS,
    SHARE_GUIDE,
    Evidence,
    Rule,
    Severity,
    Violation,
)

MAX_SHARES: Final = 20

_CREATE_GUIDE = "https://docs.aws.amazon.com/batch/latest/userguide/create-quota-shares.html"
_TYPE_PAGE = f"{CLOUDFORMATION}/aws-resource-batch-quotashare.html"
_NAME: Path = ("QuotaShareName",)
_QUEUE: Path = ("JobQueue",)
_TYPE: Path = ("JobQueueType",)
_POLICY: Path = ("SchedulingPolicyArn",)
_COMPUTE: Path = ("ComputeEnvironmentOrder",)
_IN_SHARE_PREEMPTION: Path = ("PreemptionConfiguration", "InSharePreemption")
_LEND = {"Strategy": "LEND", "BorrowLimit": 50}


def _shares(number: int) -> dict[str, Any]:
    """Returns the changes to a queue that many shares of one instance divide."""
    research = SOUND["Resources"]["Research"]
    shares = {
        f"Team{index}": {
            **research,
            "Properties": {
                **research["Properties"],
                "QuotaShareName": f"team-{index}",
                "CapacityLimits": [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 1}],
                "ResourceSharingConfiguration": {"Strategy": "LEND"},
            },
        }
        for index in range(1, number + 1)
    }
    return {
        "Environment.CapacityLimits.0.MaxCapacity": 24,
        "Research": LEFT_OUT,
        "Product": LEFT_OUT,
        **shares,
    }


QS_01 = Rule(
    id="QS-01",
    title="A quota share has a name, a queue, capacity limits, sharing and preemption",
    why="CloudFormation's schema of the type requires all five.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_TYPE_PAGE,
    pair=Pair({"Product.PreemptionConfiguration": LEFT_OUT}),
)

QS_02 = Rule(
    id="QS-02",
    title="A quota share's name has 1 to 128 letters, digits, hyphens and underscores",
    why="The name becomes part of the share's ARN, whose pattern allows no other character.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_CreateQuotaShare.html",
    pair=Pair({"Product.QuotaShareName": "team product"}),
)
QS_03 = Rule(
    id="QS-03",
    title="A quota share's name is unique within its queue",
    why="The name makes the share's ARN, so the second share of a name already exists.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_CREATE_GUIDE,
    pair=Pair({"Product.QuotaShareName": "research"}),
)
QS_03_CASE = Rule(
    id="QS-03-CASE",
    title="Two names of one queue's quota shares differ in more than their case",
    why="Whoever submits a job may take them for one, and so may AWS: it does not say.",
    severity=Severity.WARNING,
    evidence=Evidence.INFERRED,
    source=_CREATE_GUIDE,
    unconfirmed="AWS has not confirmed that it takes them for two names.",
    pair=Pair({"Product.QuotaShareName": "Research"}),
)
QS_04 = Rule(
    id="QS-04",
    title="A quota share has 1 to 5 capacity limits",
    why="AWS Batch takes no more and no fewer.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=SHARE_GUIDE,
    pair=Pair({"Product.CapacityLimits": []}),
)
QS_05 = Rule(
    id="QS-05",
    title="A quota share's capacity limit is 1 instance or more",
    why="CloudFormation's schema of the type refuses any less.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source="https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/"
    "aws-properties-batch-quotashare-quotasharecapacitylimit.html",
    pair=Pair({"Product.CapacityLimits.0.MaxCapacity": 0}),
)
QS_06 = Rule(
    id="QS-06",
    title="A quota share's capacity unit is a SageMaker instance type",
    why="A share divides instances of one type each; NUM_INSTANCES and other units have no "
    "meaning there.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=SHARE_GUIDE,
    pair=Pair({"Product.CapacityLimits.0.CapacityUnit": "p5.48xlarge"}),
)
QS_07 = Rule(
    id="QS-07",
    title="A resource sharing strategy is RESERVE, LEND or LEND_AND_BORROW",
    why="CloudFormation's schema of the type refuses any other.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_QuotaShareResourceSharingConfiguration.html",
    pair=Pair({"Product.ResourceSharingConfiguration.Strategy": "BORROW"}),
)
QS_08 = Rule(
    id="QS-08",
    title="Only a share that borrows has a borrow limit",
    why="AWS allows a borrow limit with LEND_AND_BORROW alone.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_QuotaShareResourceSharingConfiguration.html",
    pair=Pair({"Product.ResourceSharingConfiguration": _LEND}),
)
QS_09 = Rule(
    id="QS-09",
    title="A borrow limit is a percentage of the share's own limits, or -1 for unlimited",
    why="CloudFormation's schema of the type refuses any less than -1.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_QuotaShareResourceSharingConfiguration.html",
    pair=Pair({"Research.ResourceSharingConfiguration.BorrowLimit": -2}),
)
QS_10 = Rule(
    id="QS-10",
    title="A share that borrows with a borrow limit of 0 cannot borrow",
    why="0 passes the schema and should mean the same as LEND; AWS does not say so.",
    severity=Severity.WARNING,
    evidence=Evidence.INFERRED,
    source=f"{API}/API_QuotaShareResourceSharingConfiguration.html",
    unconfirmed="AWS has not confirmed what 0 does.",
    pair=Pair({"Research.ResourceSharingConfiguration.BorrowLimit": 0}),
)
QS_11 = Rule(
    id="QS-11",
    title="A borrow limit allows at least one instance",
    why="A borrow limit is a percentage of the share's own limit, and AWS does not say how it "
    "rounds: less than one instance may be none.",
    severity=Severity.WARNING,
    evidence=Evidence.UNCONFIRMED,
    source=f"{API}/API_QuotaShareResourceSharingConfiguration.html",
    unconfirmed="AWS has not confirmed how it rounds.",
    pair=Pair({"Research.ResourceSharingConfiguration.BorrowLimit": 5}),
)
QS_12 = Rule(
    id="QS-12",
    title="In-share preemption is ENABLED or DISABLED",
    why="CloudFormation's schema of the type requires it and has no other.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_TYPE_PAGE,
    pair=Pair({"Product.PreemptionConfiguration.InSharePreemption": "ON"}),
)
QS_13 = Rule(
    id="QS-13",
    title="A quota share's state is ENABLED or DISABLED",
    why="The AWS Batch API has no other; CloudFormation's schema of the type does not check it.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_CreateQuotaShare.html",
    pair=Pair({"Product.State": "PAUSED"}, {"Product.State": "DISABLED"}),
)
QS_15 = Rule(
    id="QS-15",
    title="A quota share is made after its queue",
    why="CloudFormation makes what is only named by its name at the same time, and AWS Batch takes "
    "a share only for a queue that is VALID.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_TYPE_PAGE,
    pair=Pair(
        {"Queue.JobQueueName": "gpu-queue", "Product.JobQueue": "gpu-queue"},
        {"Queue.JobQueueName": "gpu-queue"},
    ),
)
QS_16 = Rule(
    id="QS-16",
    title="A queue has at most 20 quota shares",
    why="The quota is 20 shares for each queue, and it cannot be raised.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=SERVICE_LIMITS,
    pair=Pair(_shares(21), _shares(20)),
)
QS_17 = Rule(
    id="QS-17",
    title="A quota share has one capacity limit for each unit",
    why="AWS does not say which of two limits for one instance type counts, or whether it takes "
    "them.",
    severity=Severity.WARNING,
    evidence=Evidence.UNCONFIRMED,
    source=SHARE_GUIDE,
    unconfirmed="AWS has not confirmed whether it takes this.",
    pair=Pair(
        {
            "Product.CapacityLimits": [
                {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 3},
                {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 3},
            ]
        }
    ),
)
QS_20 = Rule(
    id="QS-20",
    title="A quota share belongs to a queue of quota management",
    why="Only a SAGEMAKER_TRAINING queue with a quota-share scheduling policy has shares.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_CREATE_GUIDE,
    pair=Pair(
        {"Queue.SchedulingPolicyArn": LEFT_OUT, "Policy": LEFT_OUT, "Research": LEFT_OUT},
        {"Research": LEFT_OUT},
    ),
)


@QS_01.on(QUOTA_SHARE)
def _required(share: Resource) -> Iterator[Violation]:
    return _checks.missing(share, (), "A quota share")


@QS_02.on(QUOTA_SHARE)
def _name(share: Resource) -> Iterator[Violation]:
    return _checks.name(share, _NAME)


@QS_02.on_queue
def _name_like_that_of_another(plan: QueuePlan) -> Iterator[Violation]:
    taken = {name for share in plan.shares if isinstance(name := share.at(_NAME), str)}
    for share in plan.shares:
        name = share.at(_NAME)
        for found in _checks.name(share, _NAME) if isinstance(name, str) else ():
            valid = _checks.valid_name(name)
            if valid in taken and valid not in ("", name):
                fix = f"Choose another name; {valid!r} is that of another share."
                yield found._replace(fix=_checks.by_sub(name, fix), resource=share)
            taken.add(valid)


@QS_03.on_queue
def _name_twice(plan: QueuePlan) -> Iterator[Violation]:
    seen: set[Hashable] = set()
    for share in plan.shares:
        name = share.at(_NAME)
        key = text_key(name)
        if key is not None and key in seen:
            this = f"a quota share {name!r}" if isinstance(name, str) else "a share of this name"
            problem = f"This queue already has {this}."
            yield Violation(_NAME, problem, "Choose another name.", share)
        seen.add(key)


@QS_03_CASE.on_queue
def _name_twice_but_for_its_case(plan: QueuePlan) -> Iterator[Violation]:
    seen: dict[str, str] = {}
    for share in plan.shares:
        name = share.at(_NAME)
        if isinstance(name, str):
            other = seen.setdefault(name.casefold(), name)
            if other != name:
                yield Violation(
                    _NAME,
                    f"This queue has a quota share {other!r} too.",
                    "Choose a name that differs in more than its case.",
                    share,
                )


@QS_04.on(QUOTA_SHARE)
def _number_of_limits(share: Resource) -> Iterator[Violation]:
    return _checks.number_of_limits(share, "A quota share")


@QS_05.on(QUOTA_SHARE)
def _limit(share: Resource) -> Iterator[Violation]:
    yield from _checks.capacity_at_least_one(share)
    for index, _ in _checks.entries(share, ("CapacityLimits",)):
        yield from _checks.missing(share, ("CapacityLimits", index), "A capacity limit")


@QS_06.on(QUOTA_SHARE)
def _unit(share: Resource) -> Iterator[Violation]:
    for path, unit in _checks.units(share):
        if unit == _checks.NUM_INSTANCES:
            yield Violation(
                path,
                "A quota share counts instances of one type each, not NUM_INSTANCES.",
                "Name the instance type, such as 'ml.p5.48xlarge'.",
            )
    yield from _checks.not_an_instance_type(share)


@QS_07.on(QUOTA_SHARE)
def _strategy(share: Resource) -> Iterator[Violation]:
    yield from _checks.missing(share, STRATEGY[:1], "A resource sharing configuration")
    yield from _checks.one_of(share, STRATEGY, "A resource sharing strategy", STRATEGIES)


@QS_08.on(QUOTA_SHARE)
def _borrow_limit_without_borrowing(share: Resource) -> Iterator[Violation]:
    strategy = share.at(STRATEGY)
    lends_or_reserves = strategy in STRATEGIES and strategy != LEND_AND_BORROW
    if lends_or_reserves and share.at(BORROW_LIMIT) is not None:
        yield Violation(
            BORROW_LIMIT,
            f"Only a share with the strategy {LEND_AND_BORROW} has a borrow limit; this one has "
            f"{strategy}.",
            f"Leave the borrow limit out, or choose {LEND_AND_BORROW}.",
        )


@QS_09.on(QUOTA_SHARE)
def _borrow_limit(share: Resource) -> Iterator[Violation]:
    return _checks.whole_number(
        share,
        BORROW_LIMIT,
        (UNLIMITED, math.inf),
        "A borrow limit is a whole number of per cent of the share's own capacity limits, or "
        f"{UNLIMITED} for unlimited.",
        f"Give a whole number such as 50, without a sign for per cent, or {UNLIMITED} for "
        "unlimited.",
    )


@QS_10.on(QUOTA_SHARE)
def _borrow_nothing(share: Resource) -> Iterator[Violation]:
    limit = share.at(BORROW_LIMIT)
    if share.at(STRATEGY) == LEND_AND_BORROW and is_whole_number(limit) and limit == 0:
        yield Violation(
            BORROW_LIMIT,
            "With a borrow limit of 0 the share lends and can never borrow.",
            "Choose LEND, or a percentage above 0.",
        )


@QS_11.on(QUOTA_SHARE)
def _borrow_less_than_one(share: Resource) -> Iterator[Violation]:
    percentage = share.at(BORROW_LIMIT)
    if share.at(STRATEGY) != LEND_AND_BORROW or not is_whole_number(percentage) or percentage < 1:
        return
    for limit in share.capacity_limits:
        unit = limit.unit if isinstance(limit.unit, str) else "instances"
        if isinstance(limit.max_capacity, int) and 0 < limit.max_capacity * percentage < 100:
            yield Violation(
                BORROW_LIMIT,
                f"{percentage} % of {limit.max_capacity} {unit} is less than one instance, so the "
                "share may never borrow any.",
                f"Give {-(-100 // limit.max_capacity)} or more, or choose LEND.",
            )


@QS_12.on(QUOTA_SHARE)
def _in_share_preemption(share: Resource) -> Iterator[Violation]:
    what = "In-share preemption"
    yield from _checks.missing(share, _IN_SHARE_PREEMPTION[:1], "A preemption configuration")
    yield from _checks.one_of(share, _IN_SHARE_PREEMPTION, what, _checks.STATES)


@QS_13.on(QUOTA_SHARE)
def _state(share: Resource) -> Iterator[Violation]:
    return _checks.one_of(share, ("State",), "A state", _checks.STATES)


@QS_15.on_queue
def _made_too_early(plan: QueuePlan) -> Iterator[Violation]:
    if _is_for_containers(plan.queue):
        return  # QS-20 says that it is the wrong one
    for resource, path in plan.not_awaited:
        if resource is not plan.queue:
            yield Violation(
                path,
                "The queue is made in the same stack, but nothing makes CloudFormation make it "
                "before the share.",
                "Name it by Ref, or add it to the share's DependsOn.",
                resource,
            )


@QS_16.on_queue
def _number_of_shares(plan: QueuePlan) -> Iterator[Violation]:
    for place, share in enumerate(plan.shares[MAX_SHARES:], MAX_SHARES + 1):
        yield Violation(
            _NAME,
            f"A queue has at most {MAX_SHARES} quota shares; this would be number {place}.",
            "Give two teams one share, or make a second queue with its own service environment.",
            share,
        )


@QS_17.on(QUOTA_SHARE)
def _unit_twice(share: Resource) -> Iterator[Violation]:
    return _checks.unit_twice(share, "This quota share")


@QS_20.on(QUOTA_SHARE)
def _names_no_queue(share: Resource) -> Iterator[Violation]:
    queue = share.at(_QUEUE)
    named = isinstance(queue, str) and (re.fullmatch(NAME, queue) or parse_arn(queue, "job-queue"))
    other_kind = isinstance(queue, UnknownArn) and queue.kind not in (None, "job-queue")
    if other_kind or (isinstance(queue, str) and not named) or _checks.has_arn_within(queue):
        yield Violation(
            _QUEUE,
            "A quota share names its queue by the name or the ARN of a job queue."
            f"{_checks.other_resource(queue)}",
            _checks.by_sub(
                queue,
                f"Give one like {EXAMPLES['job-queue']!r}, or Ref of a queue of the template.",
            ),
        )


@QS_20.on_queue
def _not_of_quota_management(plan: QueuePlan) -> Iterator[Violation]:
    if _is_for_containers(plan.queue):
        for share in plan.shares:
            yield Violation(
                _QUEUE,
                "Only a queue of quota management takes quota shares; this one has compute "
                "environments, and no service environment.",
                f"Name a queue of the type {SAGEMAKER_TRAINING}.",
                share,
            )
        return
    lacking = _lacking_for_quota_management(plan)
    if not lacking:
        return
    path, needed, has = lacking[0]
    needs = " and ".join(what for _, what, _ in lacking)
    for share in plan.shares:
        yield Violation(
            _QUEUE,
            f"Only a queue of quota management takes quota shares: one with {needed}; this queue "
            f"has {has}.",
            f"Give the queue {needs}.",
            share,
            cause=(plan.queue, path),
        )


def _is_for_containers(queue: Resource) -> bool:
    """Tells whether a queue runs jobs of another kind, so that it is the share that is at fault."""
    at_odds = queue.at(_TYPE) == SAGEMAKER_TRAINING or _spelt.is_written(
        queue, "ServiceEnvironmentOrder"
    )
    return bool(queue.at(_COMPUTE)) and not at_odds


def _lacking_for_quota_management(plan: QueuePlan) -> list[tuple[Path, str, str]]:
    """Returns what a queue is known to lack: the property, what it needs, and what it has."""
    queue = plan.queue
    if not queue.properties:
        return []  # made elsewhere
    lacking: list[tuple[Path, str, str]] = []
    kind = queue.at(_TYPE)
    # The queue itself is at fault where it has a quota-share policy and another type.
    quota = plan.policy is not None and plan.policy.at(("QuotaSharePolicy",)) is not None
    fair = plan.policy is not None and plan.policy.at(("FairsharePolicy",)) is not None
    is_another = isinstance(kind, str) and kind != SAGEMAKER_TRAINING
    if not quota and (is_another or not _spelt.is_written(queue, "JobQueueType")):
        lacking.append((_TYPE, f"the type {SAGEMAKER_TRAINING}", str(kind or "none")))
    needed = "a scheduling policy with a QuotaSharePolicy"
    if not _spelt.is_written(queue, "SchedulingPolicyArn"):
        lacking.append((_POLICY, needed, "no policy"))
    elif fair and not quota:
        lacking.append((_POLICY, needed, "a fair-share policy"))
    return lacking


RULES = (
    QS_01,
    QS_02,
    QS_03,
    QS_03_CASE,
    QS_04,
    QS_05,
    QS_06,
    QS_07,
    QS_08,
    QS_09,
    QS_10,
    QS_11,
    QS_12,
    QS_13,
    QS_15,
    QS_16,
    QS_17,
    QS_20,
)
