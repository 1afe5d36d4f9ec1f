"""SP: what AWS asks of a quota-share scheduling policy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from qm_constructs.plan import (
    SCHEDULING_POLICY,
    Path,
    QueuePlan,
    Resource,
    sharing,
)
from qm_constructs.rules import _checks, _spelt
from qm_constructs.rules._examples import LEFT_OUT, SOUND, Pair
from qm_constructs.rules._rule import (
    API,
    CLOUDFORMATION,
    OBSERVED,
    QUOTA_GUIDE,
    Evidence,
    Rule,
    Severity,
    Violation,
)

_QUOTA: Path = ("QuotaSharePolicy",)
_MEMBER = "IdleResourceAssignmentStrategy"
_STRATEGY: Path = (*_QUOTA, _MEMBER)

SP_02 = Rule(
    id="SP-02",
    title="A scheduling policy's name has 1 to 128 letters, digits, hyphens and underscores",
    why="AWS Batch refuses it: 'Scheduling policy name should match a valid pattern.'",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_CreateSchedulingPolicy.html",
    pair=Pair({"Policy.Name": "gpu policy"}, {"Policy.Name": "gpu-policy"}),
)
SP_03 = Rule(
    id="SP-03",
    title="The idle resource assignment strategy is FIFO",
    why="AWS Batch refuses it: 'Idle resource assignment strategy must be one of [FIFO].'",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_QuotaSharePolicy.html",
    pair=Pair({"Policy.QuotaSharePolicy.IdleResourceAssignmentStrategy": "FAIR"}),
)
SP_04 = Rule(
    id="SP-04",
    title="A scheduling policy is fair-share or quota-share, not both",
    why="AWS Batch refuses it: 'A scheduling policy can have either fairsharePolicy or "
    "quotaSharePolicy, but not both.'",
    severity=Severity.ERROR,
    evidence=Evidence.OBSERVED,
    source=f"{OBSERVED}/pf-batch-sp-fairshare-quotashare-exclusive",
    pair=Pair({"Policy.FairsharePolicy": {"ShareDecaySeconds": 600}}),
)
SP_06 = Rule(
    id="SP-06",
    title="A QuotaSharePolicy names its idle resource assignment strategy",
    why="The API requires the strategy, CloudFormation does not, and AWS does not say what an "
    "empty QuotaSharePolicy does.",
    severity=Severity.WARNING,
    evidence=Evidence.UNCONFIRMED,
    source=f"{CLOUDFORMATION}/aws-properties-batch-schedulingpolicy-quotasharepolicy.html",
    unconfirmed="AWS has not confirmed whether it takes this.",
    pair=Pair({"Policy.QuotaSharePolicy.IdleResourceAssignmentStrategy": LEFT_OUT}),
)
SP_08 = Rule(
    id="SP-08",
    title="One quota-share scheduling policy serves one queue",
    why="AWS does not say whether several queues may share one.",
    severity=Severity.WARNING,
    evidence=Evidence.UNCONFIRMED,
    source=QUOTA_GUIDE,
    unconfirmed="AWS has not confirmed whether it takes this.",
    pair=Pair(
        {
            "Environment2": SOUND["Resources"]["Environment"],
            "Queue2": {
                "Type": "AWS::Batch::JobQueue",
                "Properties": {
                    **SOUND["Resources"]["Queue"]["Properties"],
                    "ServiceEnvironmentOrder": [
                        {"Order": 1, "ServiceEnvironment": {"Ref": "Environment2"}}
                    ],
                },
            },
        },
        {
            "Environment2": SOUND["Resources"]["Environment"],
            "Policy2": SOUND["Resources"]["Policy"],
            "Queue2": {
                "Type": "AWS::Batch::JobQueue",
                "Properties": {
                    **SOUND["Resources"]["Queue"]["Properties"],
                    "SchedulingPolicyArn": {"Ref": "Policy2"},
                    "ServiceEnvironmentOrder": [
                        {"Order": 1, "ServiceEnvironment": {"Ref": "Environment2"}}
                    ],
                },
            },
        },
    ),
)


@SP_02.on(SCHEDULING_POLICY)
def _name(policy: Resource) -> Iterator[Violation]:
    return _checks.name(policy, ("Name",))


@SP_03.on(SCHEDULING_POLICY)
def _strategy(policy: Resource) -> Iterator[Violation]:
    return _checks.one_of(policy, _STRATEGY, "An idle resource assignment strategy", ("FIFO",))


@SP_04.on(SCHEDULING_POLICY)
def _both(policy: Resource) -> Iterator[Violation]:
    if policy.at(_QUOTA) is not None and policy.at(("FairsharePolicy",)) is not None:
        yield Violation(
            ("FairsharePolicy",),
            "A scheduling policy has a FairsharePolicy or a QuotaSharePolicy; this one has both.",
            "Leave the FairsharePolicy out.",
        )


@SP_06.on(SCHEDULING_POLICY)
def _without_strategy(policy: Resource) -> Iterator[Violation]:
    quota = policy.at(_QUOTA)
    if isinstance(quota, Mapping) and not _spelt.is_written(policy, *_QUOTA, _MEMBER):
        yield Violation(_QUOTA, f"This QuotaSharePolicy has no {_MEMBER}.", f"Add {_MEMBER}: FIFO.")


@SP_06.on_queue
def _of_no_kind(plan: QueuePlan) -> Iterator[Violation]:
    policy, environment = plan.policy, plan.environment
    # With shares the queue lacks what these need, which is JQ-07's.
    if policy is None or environment is None or plan.shares:
        return
    is_of_a_kind = any(
        _spelt.is_written(policy, kind) for kind in ("QuotaSharePolicy", "FairsharePolicy")
    )
    if not is_of_a_kind and _checks.counts_instance_types(environment):
        yield Violation(
            (),
            "This scheduling policy has neither a QuotaSharePolicy nor a FairsharePolicy.",
            "Add QuotaSharePolicy: {IdleResourceAssignmentStrategy: FIFO}.",
            policy,
            # With shares, which may be there on a condition, it is surely wrong.
            weaker_than=("JQ-07", plan.queue, ("SchedulingPolicyArn",)),
        )


@SP_08.on_queues
def _policy_of_several_queues(plans: Sequence[QueuePlan]) -> Iterator[Violation]:
    managed = [plan for plan in plans if plan.quota_management]
    for plan, first in sharing(managed, lambda plan: plan.policy_keys):
        yield Violation(
            ("SchedulingPolicyArn",),
            f"This scheduling policy serves {first.label} too.",
            "Give each queue a policy of its own.",
            plan.queue,
        )


RULES = (SP_02, SP_03, SP_04, SP_06, SP_08)
