"""SE: what AWS asks of a service environment that quota management divides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qm_constructs.instance_types import TRAINING_INSTANCE_TYPES
from qm_constructs.plan import SERVICE_ENVIRONMENT, QueuePlan, Resource, sharing
from qm_constructs.rules import _checks
from qm_constructs.rules._rule import (
    OBSERVED,
    QUOTA_GUIDE,
    SERVICE_LIMITS,
    Evidence,
    Rule,
    Severity,
    Violation,
)

SE_03 = Rule(
    id="SE-03",
    title="A service environment's name has 1 to 128 letters, digits, hyphens and underscores",
    why="AWS Batch refuses it: 'Service environment name should match a valid pattern.'",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source="https://docs.aws.amazon.com/batch/latest/userguide/create-service-environments.html",
)
SE_04 = Rule(
    id="SE-04",
    title="A service environment of quota management has 1 to 5 capacity limits",
    why="AWS Batch refuses it: 'Capacitylimits are required.' or "
    "'Number of capacity limits exceeds 5.'",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=QUOTA_GUIDE,
)
SE_05 = Rule(
    id="SE-05",
    title="Quota management counts instance types, not NUM_INSTANCES",
    why="NUM_INSTANCES belongs to FIFO and fair-share queues; beside an instance type AWS Batch "
    "refuses it: 'Capacity units must specify either number of instances OR instance type, but "
    "not both'.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=QUOTA_GUIDE,
)
SE_07 = Rule(
    id="SE-07",
    title="A capacity unit is a SageMaker instance type, which starts with 'ml.'",
    why="AWS Batch refuses it and lists the types it knows: 'VCPU is unknown capacity unit in "
    "[ml.r7i.16xlarge, ...]'.",
    severity=Severity.ERROR,
    evidence=Evidence.OBSERVED,
    source=f"{OBSERVED}/pf-batch-se-capacity-unit-value",
)
SE_08 = Rule(
    id="SE-08",
    title="A service environment's capacity limit is 1 instance or more",
    why="AWS Batch refuses it: 'Max capacity must be more than 0.'",
    severity=Severity.ERROR,
    evidence=Evidence.OBSERVED,
    source=f"{OBSERVED}/pf-batch-se-max-capacity-min",
)
SE_12 = Rule(
    id="SE-12",
    title="A service environment of quota management serves one queue only",
    why="The quota is 1 queue for each such environment, and it cannot be raised; the second "
    "queue is refused.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=SERVICE_LIMITS,
)
SE_13 = Rule(
    id="SE-13",
    title="An instance type that SageMaker Training's published list lacks may not exist",
    why="The list may lag behind the service; a type that does not exist is refused at deploy.",
    severity=Severity.WARNING,
    evidence=Evidence.INFERRED,
    source="https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ResourceConfig.html",
    unconfirmed="AWS has not confirmed whether it takes this.",
)


@SE_03.on(SERVICE_ENVIRONMENT)
def _name(environment: Resource) -> Iterator[Violation]:
    return _checks.name(environment, ("ServiceEnvironmentName",))


@SE_04.on(SERVICE_ENVIRONMENT)
def _number_of_limits(environment: Resource) -> Iterator[Violation]:
    return _checks.number_of_limits(environment, "A service environment")


@SE_05.on(SERVICE_ENVIRONMENT)
def _num_instances(environment: Resource) -> Iterator[Violation]:
    for path, unit in _checks.units(environment):
        if unit == _checks.NUM_INSTANCES:
            yield Violation(
                path,
                "Quota management counts instances of one type each, not NUM_INSTANCES.",
                "Name the instance type, such as 'ml.p5.48xlarge'.",
            )


@SE_07.on(SERVICE_ENVIRONMENT)
def _not_an_instance_type(environment: Resource) -> Iterator[Violation]:
    return _checks.not_an_instance_type(environment)


@SE_08.on(SERVICE_ENVIRONMENT)
def _max_capacity(environment: Resource) -> Iterator[Violation]:
    return _checks.capacity_at_least_one(environment)


@SE_12.on_queues
def _environment_of_several_queues(plans: Sequence[QueuePlan]) -> Iterator[Violation]:
    for plan, first in sharing(plans, lambda plan: plan.environment_keys):
        yield Violation(
            ("ServiceEnvironmentOrder",),
            f"This service environment is that of {first.label} already, and one of quota "
            "management serves one queue only.",
            "Give each queue a service environment of its own.",
            plan.queue,
        )


@SE_13.on(SERVICE_ENVIRONMENT)
def _unlisted_type(resource: Resource) -> Iterator[Violation]:
    for path, unit in _checks.units(resource):
        if unit.startswith(_checks.INSTANCE_TYPE_PREFIX) and unit not in TRAINING_INSTANCE_TYPES:
            meant = _checks.similar_unit(unit)
            yield Violation(
                path,
                f"SageMaker Training's published list of instance types has no {unit!r}.",
                f"Did you mean {meant!r}?" if meant else "Check how the type is spelt.",
                resource,
            )


@SE_13.on_queue
def _unlisted_type_in_a_share(plan: QueuePlan) -> Iterator[Violation]:
    # A share's unit is measured against the environment's where those are known (XR-01).
    if plan.environment is None:
        for share in plan.shares:
            yield from _unlisted_type(share)


RULES = (SE_03, SE_04, SE_05, SE_07, SE_08, SE_12, SE_13)
