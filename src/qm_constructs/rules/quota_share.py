"""QS: what AWS asks of a quota share, and of all the shares of one queue."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from qm_constructs.plan import (
    BORROW_LIMIT,
    LEND_AND_BORROW,
    QUOTA_SHARE,
    SAGEMAKER_TRAINING,
    STRATEGIES,
    STRATEGY,
    Path,
    QueuePlan,
    Resource,
)
from qm_constructs.rules import _checks
from qm_constructs.rules._rule import (
    API,
    SERVICE_LIMITS,
    SHARE_GUIDE,
    Evidence,
    Rule,
    Severity,
    Violation,
)

MAX_SHARES: Final = 20
UNLIMITED: Final = -1

_CREATE_GUIDE = "https://docs.aws.amazon.com/batch/latest/userguide/create-quota-shares.html"
_NAME: Path = ("QuotaShareName",)

QS_02 = Rule(
    id="QS-02",
    title="A quota share's name has 1 to 128 letters, digits, hyphens and underscores",
    why="The name becomes part of the share's ARN, whose pattern allows no other character.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_CreateQuotaShare.html",
)
QS_03 = Rule(
    id="QS-03",
    title="A quota share's name is unique within its queue",
    why="The name makes the share's ARN, so the second share of a name already exists.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_CREATE_GUIDE,
)
QS_04 = Rule(
    id="QS-04",
    title="A quota share has 1 to 5 capacity limits",
    why="AWS Batch takes no more and no fewer.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=SHARE_GUIDE,
)
QS_05 = Rule(
    id="QS-05",
    title="A quota share's capacity limit is 1 instance or more",
    why="CloudFormation's schema of the type refuses any less.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source="https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/"
    "aws-properties-batch-quotashare-quotasharecapacitylimit.html",
)
QS_06 = Rule(
    id="QS-06",
    title="A quota share's capacity unit is a SageMaker instance type",
    why="A share divides instances of one type each; NUM_INSTANCES and other units have no "
    "meaning there.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=SHARE_GUIDE,
)
QS_07 = Rule(
    id="QS-07",
    title="A resource sharing strategy is RESERVE, LEND or LEND_AND_BORROW",
    why="CloudFormation's schema of the type refuses any other.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_QuotaShareResourceSharingConfiguration.html",
)
QS_08 = Rule(
    id="QS-08",
    title="Only a share that borrows has a borrow limit",
    why="AWS allows a borrow limit with LEND_AND_BORROW alone.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_QuotaShareResourceSharingConfiguration.html",
)
QS_09 = Rule(
    id="QS-09",
    title="A borrow limit is a percentage of the share's own limits, or -1 for unlimited",
    why="CloudFormation's schema of the type refuses any less than -1.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_QuotaShareResourceSharingConfiguration.html",
)
QS_10 = Rule(
    id="QS-10",
    title="A share that borrows with a borrow limit of 0 cannot borrow",
    why="0 passes the schema and should mean the same as LEND; AWS does not say so.",
    severity=Severity.WARNING,
    evidence=Evidence.INFERRED,
    source=f"{API}/API_QuotaShareResourceSharingConfiguration.html",
    unconfirmed="AWS has not confirmed what 0 does.",
)
QS_16 = Rule(
    id="QS-16",
    title="A queue has at most 20 quota shares",
    why="The quota is 20 shares for each queue, and it cannot be raised.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=SERVICE_LIMITS,
)
QS_20 = Rule(
    id="QS-20",
    title="A quota share belongs to a queue of quota management",
    why="Only a SAGEMAKER_TRAINING queue with a quota-share scheduling policy has shares.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_CREATE_GUIDE,
)


@QS_02.on(QUOTA_SHARE)
def _name(share: Resource) -> Iterator[Violation]:
    return _checks.name(share, _NAME)


@QS_03.on_queue
def _name_twice(plan: QueuePlan) -> Iterator[Violation]:
    seen: dict[str, list[Resource]] = defaultdict(list)
    for share in plan.shares:
        name = share.at(_NAME)
        if isinstance(name, str):
            seen[name].append(share)
    for name, shares in seen.items():
        for share in shares[1:]:
            yield Violation(
                _NAME,
                f"This queue already has a quota share {name!r}.",
                "Choose another name.",
                share,
            )


@QS_04.on(QUOTA_SHARE)
def _number_of_limits(share: Resource) -> Iterator[Violation]:
    return _checks.number_of_limits(share, "A quota share")


@QS_05.on(QUOTA_SHARE)
def _max_capacity(share: Resource) -> Iterator[Violation]:
    return _checks.capacity_at_least_one(share)


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
    strategy = share.at(STRATEGY)
    if isinstance(strategy, str) and strategy not in STRATEGIES:
        close = difflib.get_close_matches(strategy.upper(), STRATEGIES, n=1)
        yield Violation(
            STRATEGY,
            f"A resource sharing strategy is one of {', '.join(STRATEGIES)}.",
            f"Did you mean {close[0]!r}?" if close else "Choose one of them.",
        )


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
    limit = share.at(BORROW_LIMIT)
    if isinstance(limit, int) and limit < UNLIMITED:
        yield Violation(
            BORROW_LIMIT,
            "A borrow limit is a percentage of the share's own capacity limits, or "
            f"{UNLIMITED} for unlimited.",
            f"Give a percentage, or {UNLIMITED} for unlimited.",
        )


@QS_10.on(QUOTA_SHARE)
def _borrow_nothing(share: Resource) -> Iterator[Violation]:
    if share.at(STRATEGY) == LEND_AND_BORROW and share.at(BORROW_LIMIT) == 0:
        yield Violation(
            BORROW_LIMIT,
            "With a borrow limit of 0 the share lends and can never borrow.",
            "Choose LEND, or a percentage above 0.",
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


@QS_20.on_queue
def _not_of_quota_management(plan: QueuePlan) -> Iterator[Violation]:
    properties = plan.queue.properties
    if not properties:
        return  # made elsewhere
    kind, policy = properties.get("JobQueueType"), properties.get("SchedulingPolicyArn")
    if kind is None or (isinstance(kind, str) and kind != SAGEMAKER_TRAINING):
        problem = f"the job queue type {SAGEMAKER_TRAINING}; this queue has {kind or 'none'}"
    elif policy is None:
        problem = "a scheduling policy with a QuotaSharePolicy; this queue has no policy"
    else:
        return
    for share in plan.shares:
        yield Violation(
            ("JobQueue",),
            f"Only a queue of quota management takes quota shares: one with {problem}.",
            "Make the queue with QuotaManagedTrainingQueue.",
            share,
        )


RULES = (QS_02, QS_03, QS_04, QS_05, QS_06, QS_07, QS_08, QS_09, QS_10, QS_16, QS_20)
