"""The catalogue of rules, and the one judgement that everything else asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qm_constructs.plan import QueuePlan, Resource
from qm_constructs.rules import (
    cross_resource,
    job_queue,
    quota_share,
    region,
    scheduling_policy,
    service_environment,
    shape,
    tags,
    time_limits,
)
from qm_constructs.rules._examples import SOUND
from qm_constructs.rules._rule import (
    Evidence,
    Finding,
    Place,
    ResourceCheck,
    Rule,
    Severity,
    Violation,
)

__all__ = [
    "NAMESPACE",
    "RULES",
    "SOUND",
    "Evidence",
    "Finding",
    "Place",
    "Rule",
    "Severity",
    "Violation",
    "judge",
    "judge_queue",
    "judge_queues",
    "judge_resources",
]

NAMESPACE: Final = "qm-constructs"
"""What stands before a rule's id wherever CDK names it: ``qm-constructs::XR-02``."""

RULES: Final[dict[str, Rule]] = {
    rule.id: rule
    for family in (
        scheduling_policy,
        service_environment,
        job_queue,
        time_limits,
        quota_share,
        cross_resource,
        tags,
        shape,
        region,
    )
    for rule in family.RULES
}


# By type, and by whether it is known to be of quota management.
_CHECKS_OF: Final[dict[tuple[str, bool | None], list[tuple[Rule, ResourceCheck]]]] = {}
for _rule in RULES.values():
    for _type, _context, _check in _rule.resource_checks:
        for _known in filter(_context.holds, (True, False, None)):
            _CHECKS_OF.setdefault((_type, _known), []).append((_rule, _check))


def judge(resource: Resource, quota_management: bool | None = True) -> list[Finding]:
    """Returns what is wrong with one resource by itself.

    Args:
        resource: The resource.
        quota_management: Whether it is one of quota management; None where it is not known.
    """
    return [
        Finding.of(rule, found, resource)
        for rule, check in _CHECKS_OF.get((resource.type, quota_management), ())
        for found in check(resource)
    ]


def judge_resources(resources: Sequence[Resource], place: Place = (None, None)) -> list[Finding]:
    """Returns what is wrong between the resources of one account and Region, in their order.

    Args:
        resources: The resources.
        place: The account and the Region, None where they are not known.
    """
    return [
        Finding.of(rule, found)
        for rule in RULES.values()
        for check in rule.resources_checks
        for found in check(resources, place)
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
        Finding.of(rule, found)
        for rule in RULES.values()
        for check in rule.queues_checks
        for found in check(plans)
    ]
