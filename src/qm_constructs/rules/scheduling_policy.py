"""SP: what AWS asks of a quota-share scheduling policy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qm_constructs.plan import SCHEDULING_POLICY, QueuePlan, Resource, sharing
from qm_constructs.rules import _checks
from qm_constructs.rules._rule import API, QUOTA_GUIDE, Evidence, Rule, Severity, Violation

SP_02 = Rule(
    id="SP-02",
    title="A scheduling policy's name has 1 to 128 letters, digits, hyphens and underscores",
    why="AWS Batch refuses it: 'Scheduling policy name should match a valid pattern.'",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_CreateSchedulingPolicy.html",
)

SP_08 = Rule(
    id="SP-08",
    title="One quota-share scheduling policy serves one queue",
    why="AWS does not say whether several queues may share one.",
    severity=Severity.WARNING,
    evidence=Evidence.UNCONFIRMED,
    source=QUOTA_GUIDE,
    unconfirmed="AWS has not confirmed whether it takes this.",
)


@SP_02.on(SCHEDULING_POLICY)
def _name(policy: Resource) -> Iterator[Violation]:
    return _checks.name(policy, ("Name",))


@SP_08.on_queues
def _policy_of_several_queues(plans: Sequence[QueuePlan]) -> Iterator[Violation]:
    for plan, first in sharing(plans, lambda plan: plan.policy_keys):
        yield Violation(
            ("SchedulingPolicyArn",),
            f"This scheduling policy serves {first.label} too.",
            "Give each queue a policy of its own; it costs nothing.",
            plan.queue,
        )


RULES = (SP_02, SP_08)
