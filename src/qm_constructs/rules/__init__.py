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
from qm_constructs.rules._rule import Evidence, Finding, ResourceCheck, Rule, Severity, Violation

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


_CHECKS_OF: Final[dict[str, list[tuple[Rule, ResourceCheck]]]] = {}
for _rule in RULES.values():
    for _type, _check in _rule.resource_checks:
        _CHECKS_OF.setdefault(_type, []).append((_rule, _check))


def judge(resource: Resource) -> list[Finding]:
    """Returns what is wrong with one resource by itself."""
    return [
        Finding.of(rule, found, resource)
        for rule, check in _CHECKS_OF.get(resource.type, ())
        for found in check(resource)
    ]


def judge_queue(plan: QueuePlan) -> list[Finding]:
    """Returns what is wrong with a queue, its environment and its shares seen together."""
    return [
        Finding.of(rule, found, plan.queue)
        for rule in RULES.values()
        for check in rule.queue_checks
        for found in check(plan)
    ]


def judge_queues(plans: Sequence[QueuePlan]) -> list[Finding]:
    """Returns what is wrong between several queues, in the order in which they were made."""
    return [
        Finding.of(rule, found, plans[0].queue)
        for rule in RULES.values()
        for check in rule.queues_checks
        for found in check(plans)
    ]
