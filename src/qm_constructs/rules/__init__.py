"""The catalogue of rules, and the one judgement that everything else asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qm_constructs.plan import QueuePlan, Resource
from qm_constructs.rules import (
    cross_resource,
    job_queue,
    quota_share,
    scheduling_policy,
    service_environment,
    tags,
)
from qm_constructs.rules._rule import Evidence, Finding, Rule, Severity, Violation

__all__ = [
    "NAMESPACE",
    "RULES",
    "Evidence",
    "Finding",
    "Rule",
    "Severity",
    "Violation",
    "judge",
    "judge_queue",
    "judge_queues",
]

NAMESPACE: Final = "qm-constructs"
"""What stands before a rule's id wherever CDK names it: ``qm-constructs::XR-02``."""

RULES: Final[dict[str, Rule]] = {
    rule.id: rule
    for family in (
        scheduling_policy,
        service_environment,
        job_queue,
        quota_share,
        cross_resource,
        tags,
    )
    for rule in family.RULES
}


def judge(resource: Resource) -> list[Finding]:
    """Returns what is wrong with one resource by itself."""
    return [finding for rule in RULES.values() for finding in rule.judge(resource)]


def judge_queue(plan: QueuePlan) -> list[Finding]:
    """Returns what is wrong with a queue, its environment and its shares seen together."""
    return [finding for rule in RULES.values() for finding in rule.judge_queue(plan)]


def judge_queues(plans: Sequence[QueuePlan]) -> list[Finding]:
    """Returns what is wrong between several queues, in the order in which they were made."""
    return [finding for rule in RULES.values() for finding in rule.judge_queues(plans)]
