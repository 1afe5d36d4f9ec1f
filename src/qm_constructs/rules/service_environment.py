"""SE: what AWS asks of a service environment that quota management divides."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from qm_constructs.instance_types import TRAINING_INSTANCE_TYPES
from qm_constructs.plan import (
    ENVIRONMENT,
    INSTANCE_TYPE_PREFIX,
    SAGEMAKER_TRAINING,
    SERVICE_ENVIRONMENT,
    Path,
    QueuePlan,
    Resource,
    sharing,
    text_key,
)
from qm_constructs.rules import _checks, _spelt
from qm_constructs.rules._examples import LEFT_OUT, SOUND, Pair, fifo_queue
from qm_constructs.rules._rule import (
    API,
    CLOUDFORMATION,
    OBSERVED,
    QUOTA_GUIDE,
    SERVICE_LIMITS,
    Context,
    Evidence,
    Place,
    Rule,
    Severity,
    Violation,
)
from qm_constructs.schema import ENVIRONMENT_LIMIT

_NAME: Path = ("ServiceEnvironmentName",)
_LIMITS: Path = ("CapacityLimits",)
_GUIDE = "https://docs.aws.amazon.com/batch/latest/userguide/create-service-environments.html"
_TYPE_PAGE = f"{CLOUDFORMATION}/aws-resource-batch-serviceenvironment.html"

SE_01 = Rule(
    id="SE-01",
    title="A service environment has a type and capacity limits",
    why="CloudFormation's schema of the type requires both.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_TYPE_PAGE,
    pair=Pair({"Environment.ServiceEnvironmentType": LEFT_OUT}),
)
SE_02 = Rule(
    id="SE-02",
    title="A service environment's type is SAGEMAKER_TRAINING",
    why="CloudFormation's schema of the type has no other.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_CreateServiceEnvironment.html",
    pair=Pair({"Environment.ServiceEnvironmentType": "SAGEMAKER"}),
)
SE_03 = Rule(
    id="SE-03",
    title="A service environment's name is unique, with 1 to 128 letters, digits, - and _",
    why="AWS Batch refuses it: 'Service environment name should match a valid pattern.' or "
    "'Object already exists'.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_GUIDE,
    pair=Pair(
        {"Environment.ServiceEnvironmentName": "gpus/p5"},
        {"Environment.ServiceEnvironmentName": "gpus-p5"},
    ),
)
SE_04 = Rule(
    id="SE-04",
    title="A service environment of quota management has 1 to 5 capacity limits",
    why="AWS Batch refuses it: 'Capacitylimits are required.' or "
    "'Number of capacity limits exceeds 5.'",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=QUOTA_GUIDE,
    pair=Pair(
        {
            "Environment.CapacityLimits": [
                {"CapacityUnit": unit, "MaxCapacity": 16}
                for unit in (
                    "ml.p5.48xlarge",
                    "ml.p4d.24xlarge",
                    "ml.g6.12xlarge",
                    "ml.g5.12xlarge",
                    "ml.g5.xlarge",
                    "ml.m5.large",
                )
            ]
        }
    ),
)
SE_05 = Rule(
    id="SE-05",
    title="Quota management counts instance types, not NUM_INSTANCES",
    why="NUM_INSTANCES is the unit of FIFO and fair-share queues.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=QUOTA_GUIDE,
    pair=Pair(
        {
            "Environment.CapacityLimits.0.CapacityUnit": "NUM_INSTANCES",
            "Research": LEFT_OUT,
            "Product": LEFT_OUT,
        },
        {"Research": LEFT_OUT, "Product": LEFT_OUT},
    ),
)
SE_06 = Rule(
    id="SE-06",
    title="A service environment counts NUM_INSTANCES or instance types, not both",
    why="AWS Batch refuses it: 'Capacity units must specify either number of instances OR "
    "instance type, but not both'.",
    severity=Severity.ERROR,
    evidence=Evidence.OBSERVED,
    source=f"{OBSERVED}/pf-batch-se-capacity-unit-mix",
    pair=Pair(
        {
            **fifo_queue(),
            "Environment.CapacityLimits": [
                {"CapacityUnit": "NUM_INSTANCES", "MaxCapacity": 16},
                {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 16},
            ],
        },
        fifo_queue(),
    ),
)
SE_07 = Rule(
    id="SE-07",
    title="A capacity unit is a SageMaker instance type, which starts with 'ml.'",
    why="AWS Batch refuses it and lists the types it knows: 'VCPU is unknown capacity unit in "
    "[ml.r7i.16xlarge, ...]'.",
    severity=Severity.ERROR,
    evidence=Evidence.OBSERVED,
    source=f"{OBSERVED}/pf-batch-se-capacity-unit-value",
    pair=Pair(
        {
            "Environment.CapacityLimits": [
                {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 16},
                {"CapacityUnit": "g5.xlarge", "MaxCapacity": 4},
            ]
        },
        {
            "Environment.CapacityLimits": [
                {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 16},
                {"CapacityUnit": "ml.g5.xlarge", "MaxCapacity": 4},
            ]
        },
    ),
)
SE_08 = Rule(
    id="SE-08",
    title="A service environment's capacity limit is 1 instance or more",
    why="AWS Batch refuses it: 'Max capacity must be more than 0.'",
    severity=Severity.ERROR,
    evidence=Evidence.OBSERVED,
    source=f"{OBSERVED}/pf-batch-se-max-capacity-min",
    pair=Pair(
        {
            "Environment.CapacityLimits.0.MaxCapacity": 0,
            "Research": LEFT_OUT,
            "Product": LEFT_OUT,
        },
        {"Research": LEFT_OUT, "Product": LEFT_OUT},
    ),
)
SE_09 = Rule(
    id="SE-09",
    title="A capacity limit says which unit, and how many",
    why="CloudFormation's schema of the type lets both be left out, but AWS Batch asks for an "
    "instance type in quota management, and for more than 0 of it.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=QUOTA_GUIDE,
    pair=Pair(
        {
            "Environment.CapacityLimits": [
                {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 16},
                {},
            ]
        }
    ),
)
SE_10 = Rule(
    id="SE-10",
    title="A service environment's state is ENABLED or DISABLED",
    why="The AWS Batch API has no other; CloudFormation's schema of the type does not check it.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_TYPE_PAGE,
    pair=Pair({"Environment.State": "ON"}, {"Environment.State": "ENABLED"}),
)
SE_11 = Rule(
    id="SE-11",
    title="A service environment has one capacity limit for each unit",
    why="AWS does not say which of two limits for one instance type counts, or whether it takes "
    "them.",
    severity=Severity.WARNING,
    evidence=Evidence.UNCONFIRMED,
    source=_TYPE_PAGE,
    unconfirmed="AWS has not confirmed whether it takes this.",
    pair=Pair(
        {
            "Environment.CapacityLimits": [
                {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 16},
                {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 16},
            ]
        }
    ),
)
SE_12 = Rule(
    id="SE-12",
    title="A service environment of quota management serves one queue only",
    why="The quota is 1 queue for each such environment, and it cannot be raised; the second "
    "queue is refused.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=SERVICE_LIMITS,
    pair=Pair(
        {
            "Policy2": SOUND["Resources"]["Policy"],
            "Queue2": {
                "Type": "AWS::Batch::JobQueue",
                "Properties": {
                    **SOUND["Resources"]["Queue"]["Properties"],
                    "SchedulingPolicyArn": {"Ref": "Policy2"},
                },
            },
        },
        {
            "Policy2": SOUND["Resources"]["Policy"],
            "Environment2": SOUND["Resources"]["Environment"],
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
SE_13 = Rule(
    id="SE-13",
    title="An instance type that SageMaker Training's published list lacks may not exist",
    why="The list may lag behind the service; a type that does not exist is refused at deploy.",
    severity=Severity.WARNING,
    evidence=Evidence.INFERRED,
    source="https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ResourceConfig.html",
    unconfirmed="AWS has not confirmed whether it takes this.",
    pair=Pair(
        {
            "Environment.CapacityLimits": [
                {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 16},
                {"CapacityUnit": "ml.p5.47xlarge", "MaxCapacity": 2},
            ]
        }
    ),
)


@SE_01.on(SERVICE_ENVIRONMENT)
def _required(environment: Resource) -> Iterator[Violation]:
    return _checks.missing(environment, (), "A service environment")


@SE_02.on(SERVICE_ENVIRONMENT)
def _type(environment: Resource) -> Iterator[Violation]:
    path: Path = ("ServiceEnvironmentType",)
    return _checks.one_of(environment, path, "A service environment type", (SAGEMAKER_TRAINING,))


@SE_03.on(SERVICE_ENVIRONMENT)
def _name(environment: Resource) -> Iterator[Violation]:
    return _checks.name(environment, _NAME)


@SE_03.on_resources
def _name_twice(resources: Sequence[Resource], place: Place) -> Iterator[Violation]:
    del place
    seen: set[Hashable] = set()
    for resource in resources:
        key = text_key(resource.at(_NAME)) if resource.type == SERVICE_ENVIRONMENT else None
        if key is not None and key in seen:
            yield Violation(
                _NAME,
                "Another service environment of this account and Region has this name.",
                "Choose another name.",
                resource,
            )
        seen.add(key)


@SE_04.on(SERVICE_ENVIRONMENT)
def _number_of_limits(environment: Resource) -> Iterator[Violation]:
    return _checks.number_of_limits(environment, "A service environment")


@SE_05.on(SERVICE_ENVIRONMENT, context=Context.QUOTA_MANAGEMENT)
def _num_instances(environment: Resource) -> Iterator[Violation]:
    for path, unit in _checks.units(environment):
        if unit == _checks.NUM_INSTANCES:
            yield Violation(
                path,
                "Quota management counts instances of one type each, not NUM_INSTANCES.",
                "Name the instance type, such as 'ml.p5.48xlarge'.",
            )


@SE_06.on(SERVICE_ENVIRONMENT, context=Context.MAY_BE_ANOTHER)
def _mixed(environment: Resource) -> Iterator[Violation]:
    found = list(_checks.units(environment))
    if any(unit != _checks.NUM_INSTANCES for _, unit in found):
        for path, unit in found:
            if unit == _checks.NUM_INSTANCES:
                yield Violation(
                    path,
                    "A service environment counts NUM_INSTANCES or instance types, not both.",
                    "Leave one of the two out.",
                )


@SE_07.on(SERVICE_ENVIRONMENT)
def _not_an_instance_type(environment: Resource) -> Iterator[Violation]:
    return _checks.not_an_instance_type(environment)


@SE_08.on(SERVICE_ENVIRONMENT)
def _max_capacity(environment: Resource) -> Iterator[Violation]:
    return _checks.capacity_at_least_one(environment)


@SE_09.on(SERVICE_ENVIRONMENT, context=Context.MAY_BE_QUOTA_MANAGEMENT)
def _empty_limit(environment: Resource) -> Iterator[Violation]:
    for index, _ in _checks.entries(environment, _LIMITS):
        lacking = [
            member
            for member in ENVIRONMENT_LIMIT.members
            if not _spelt.is_written(environment, *_LIMITS, index, member)
        ]
        if lacking:
            yield Violation(
                (*_LIMITS, index),
                f"This capacity limit has no {' and no '.join(lacking)}.",
                f"Add {' and '.join(lacking)}, or leave the limit out.",
            )


@SE_10.on(SERVICE_ENVIRONMENT)
def _state(environment: Resource) -> Iterator[Violation]:
    return _checks.one_of(environment, ("State",), "A state", _checks.STATES)


@SE_11.on(SERVICE_ENVIRONMENT)
def _unit_twice(environment: Resource) -> Iterator[Violation]:
    return _checks.unit_twice(environment, "This service environment")


@SE_12.on_queues
def _environment_of_several_queues(plans: Sequence[QueuePlan]) -> Iterator[Violation]:
    for plan, first in sharing(plans, lambda plan: plan.environment_keys):
        if plan.quota_management or first.quota_management:
            yield Violation(
                ENVIRONMENT,
                f"This service environment is that of {first.label} already, and one of quota "
                "management serves one queue only.",
                "Give each queue a service environment of its own.",
                plan.queue,
            )


@SE_13.on(SERVICE_ENVIRONMENT)
def _unlisted_type(resource: Resource) -> Iterator[Violation]:
    for path, unit in _checks.units(resource):
        if unit.startswith(INSTANCE_TYPE_PREFIX) and unit not in TRAINING_INSTANCE_TYPES:
            meant = _checks.similar_unit(unit)
            yield Violation(
                path,
                f"SageMaker Training's published list of instance types has no {unit!r}.",
                f"Did you mean {meant!r}?"
                if meant
                else "Check how it is spelt, if it is no new one.",
                resource,
            )


@SE_13.on_queue
def _unlisted_type_in_a_share(plan: QueuePlan) -> Iterator[Violation]:
    # A share's unit is measured against the environment's where those are known (XR-01).
    if plan.environment is None:
        for share in plan.shares:
            yield from _unlisted_type(share)


RULES = (
    SE_01,
    SE_02,
    SE_03,
    SE_04,
    SE_05,
    SE_06,
    SE_07,
    SE_08,
    SE_09,
    SE_10,
    SE_11,
    SE_12,
    SE_13,
)
