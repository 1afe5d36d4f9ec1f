"""JQ: what AWS asks of a job queue of quota management."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from qm_constructs.arns import EXAMPLES, NAME, parse_arn
from qm_constructs.plan import (
    ENVIRONMENT,
    JOB_QUEUE,
    MAX_INTEGER,
    SAGEMAKER_TRAINING,
    Path,
    QueuePlan,
    Resource,
    Unknown,
    UnknownArn,
)
from qm_constructs.rules import _checks, _spelt
from qm_constructs.rules._examples import LEFT_OUT, Pair, fifo_queue
from qm_constructs.rules._rule import (
    API,
    CLOUDFORMATION,
    OBSERVED,
    QUOTA_GUIDE,
    SERVICE_LIMITS,
    Evidence,
    Rule,
    Severity,
    Violation,
)

MIN_PRIORITY: Final = 0
MAX_PRIORITY: Final = 1000

_TYPE: Final[Path] = ("JobQueueType",)
_POLICY: Final[Path] = ("SchedulingPolicyArn",)
_ENVIRONMENTS: Final[Path] = ("ServiceEnvironmentOrder",)
_COMPUTE: Final[Path] = ("ComputeEnvironmentOrder",)
_STUCK_GUIDE: Final = (
    "https://docs.aws.amazon.com/batch/latest/userguide/"
    "sm_job_stuck_in_runnable_misconfiguration.html"
)
_COMPUTE_ORDER: Final = [
    {
        "Order": 1,
        "ComputeEnvironment": "arn:aws:batch:us-east-1:111122223333:compute-environment/spot",
    }
]
_WITHOUT_SHARES: Final = {"Research": LEFT_OUT, "Product": LEFT_OUT}

JQ_01 = Rule(
    id="JQ-01",
    title="A job queue's priority is a whole number from 0 to 1000",
    why="CloudFormation's schema of the type requires it and refuses any other.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=QUOTA_GUIDE,
    pair=Pair({"Queue.Priority": 1001}, {"Queue.Priority": 1000}),
)
JQ_02 = Rule(
    id="JQ-02",
    title="The type of a queue with a service environment is SAGEMAKER_TRAINING",
    why="AWS Batch refuses any other: 'The jobQueueType provided is ECS, which is incompatible "
    "with the provided serviceEnvironmentOrder.'",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=QUOTA_GUIDE,
    pair=Pair({"Queue.JobQueueType": "ECS"}),
)
JQ_03 = Rule(
    id="JQ-03",
    title="A job queue has one service environment",
    why="AWS Batch refuses it: 'Job queue can only have 1 service environment.'",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=SERVICE_LIMITS,
    pair=Pair(
        {
            "Queue.ServiceEnvironmentOrder": [
                {"Order": 1, "ServiceEnvironment": {"Ref": "Environment"}},
                {"Order": 2, "ServiceEnvironment": "second-environment"},
            ]
        }
    ),
)
JQ_04 = Rule(
    id="JQ-04",
    title="A queue of SageMaker Training jobs has a service environment",
    why="AWS Batch refuses it: 'Job queues of type SAGEMAKER_TRAINING must have "
    "serviceEnvironmentOrder.'",
    severity=Severity.ERROR,
    evidence=Evidence.OBSERVED,
    source=f"{OBSERVED}/pf-batch-jq-sagemaker-requires-service-env",
    pair=Pair({"Queue.ServiceEnvironmentOrder": []}),
)
JQ_05 = Rule(
    id="JQ-05",
    title="A job queue has compute environments or a service environment, not both",
    why="CloudFormation's schema of the type takes exactly one of the two.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{CLOUDFORMATION}/aws-resource-batch-jobqueue.html",
    pair=Pair({"Queue.ComputeEnvironmentOrder": _COMPUTE_ORDER}),
)
JQ_06 = Rule(
    id="JQ-06",
    title="A queue is made after its service environment and its scheduling policy",
    why="CloudFormation makes what is only named by its name at the same time, and AWS Batch "
    "refuses the queue: 'Service environments must be created and valid before attaching them to "
    "a job queue.'",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=QUOTA_GUIDE,
    pair=Pair(
        {
            "Environment.ServiceEnvironmentName": "gpus",
            "Queue.ServiceEnvironmentOrder.0.ServiceEnvironment": "gpus",
        },
        {"Environment.ServiceEnvironmentName": "gpus"},
    ),
)
JQ_07 = Rule(
    id="JQ-07",
    title="A quota-share policy and a queue of SageMaker Training jobs go together",
    why="Without a QuotaSharePolicy a queue is FIFO or fair-share, and the kind of a policy cannot "
    "be changed later. On any other queue AWS Batch refuses it: 'Quota Management feature is only "
    "supported for SageMaker Training job queues.'",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=QUOTA_GUIDE,
    pair=Pair(
        {
            **_WITHOUT_SHARES,
            "Queue.JobQueueType": "ECS",
            "Queue.ServiceEnvironmentOrder": LEFT_OUT,
            "Queue.ComputeEnvironmentOrder": _COMPUTE_ORDER,
        },
        _WITHOUT_SHARES,
    ),
)
JQ_08 = Rule(
    id="JQ-08",
    title="A job queue's scheduling policy is named by the ARN of a scheduling policy",
    why="AWS Batch refuses it: 'Only scheduling policy Arn can be allowed.'",
    severity=Severity.ERROR,
    evidence=Evidence.OBSERVED,
    source=f"{OBSERVED}/pf-batch-jq-scheduling-policy-arn-type",
    pair=Pair(
        {"Queue.SchedulingPolicyArn": "gpu-policy"},
        {"Queue.SchedulingPolicyArn": EXAMPLES["scheduling-policy"]},
    ),
)
JQ_09 = Rule(
    id="JQ-09",
    title="A job queue's name has 1 to 128 letters, digits, hyphens and underscores",
    why="AWS Batch refuses it: 'Job Queue name should match a valid pattern.'",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_CreateJobQueue.html",
    pair=Pair({"Queue.JobQueueName": "gpu queue"}, {"Queue.JobQueueName": "gpu-queue"}),
)
JQ_10 = Rule(
    id="JQ-10",
    title="A job queue's state is ENABLED or DISABLED",
    why="CloudFormation's schema of the type has no other.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{API}/API_CreateJobQueue.html",
    pair=Pair({"Queue.State": "Enabled"}, {"Queue.State": "ENABLED"}),
)
JQ_11 = Rule(
    id="JQ-11",
    title="A service environment order has an order and a service environment's name or ARN",
    why="CloudFormation's schema of the type requires both members.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=f"{CLOUDFORMATION}/aws-properties-batch-jobqueue-serviceenvironmentorder.html",
    pair=Pair({"Queue.ServiceEnvironmentOrder.0.Order": LEFT_OUT}),
)
JQ_13 = Rule(
    id="JQ-13",
    title="A FIFO or fair-share queue counts NUM_INSTANCES, not instance types",
    why="AWS documents NUM_INSTANCES for these queues; a queue meant for quota management needs a "
    "scheduling policy with a QuotaSharePolicy.",
    severity=Severity.WARNING,
    evidence=Evidence.UNCONFIRMED,
    source=_STUCK_GUIDE,
    unconfirmed="AWS has not confirmed whether it takes this.",
    pair=Pair(
        {
            **fifo_queue(),
            "Environment.CapacityLimits": [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 16}],
        },
        fifo_queue(),
    ),
)


def is_for_training(queue: Resource) -> bool:
    """Tells whether a queue is one of SageMaker Training jobs, by its type or its environment."""
    kind = queue.at(_TYPE)
    return kind == SAGEMAKER_TRAINING if isinstance(kind, str) else bool(queue.at(_ENVIRONMENTS))


def is_made_of_containers(queue: Resource) -> bool:
    """Tells whether a queue has compute environments and no service environment."""
    return bool(queue.at(_COMPUTE)) and not queue.at(_ENVIRONMENTS)


@JQ_01.on(JOB_QUEUE)
def _priority(queue: Resource) -> Iterator[Violation]:
    yield from _checks.missing(queue, (), "A job queue")
    yield from _checks.whole_number(
        queue,
        ("Priority",),
        (MIN_PRIORITY, MAX_PRIORITY),
        f"A job queue's priority is a whole number from {MIN_PRIORITY} to {MAX_PRIORITY}.",
        f"Give a whole number from {MIN_PRIORITY} to {MAX_PRIORITY}.",
    )


@JQ_02.on_queue
def _type(plan: QueuePlan) -> Iterator[Violation]:
    queue, kind = plan.queue, plan.queue.at(_TYPE)
    names_a_resource = _checks.identifies_a_resource(kind)
    if not queue.at(_ENVIRONMENTS):
        return
    if isinstance(kind, Unknown | Mapping | list) and not names_a_resource:
        return
    absent = not _spelt.is_written(queue, "JobQueueType")
    is_another = names_a_resource or (isinstance(kind, str) and kind != SAGEMAKER_TRAINING)
    if (absent and plan.quota_management) or is_another:
        has = "the ARN of a resource" if names_a_resource else kind or "none"
        yield Violation(
            _TYPE,
            f"A queue with a service environment has the type {SAGEMAKER_TRAINING}; this one has "
            f"{has}.",
            _checks.by_sub(kind, f"Write {SAGEMAKER_TRAINING}."),
        )


@JQ_03.on(JOB_QUEUE)
def _one_environment(queue: Resource) -> Iterator[Violation]:
    order = queue.at(_ENVIRONMENTS)
    if isinstance(order, list) and len(order) > 1:
        yield Violation(
            _ENVIRONMENTS,
            f"A job queue has one service environment; this one has {len(order)}.",
            "Keep one, with the capacity limits of all, or make a queue for each.",
        )


@JQ_04.on_queue
def _environment(plan: QueuePlan) -> Iterator[Violation]:
    queue, order = plan.queue, plan.queue.at(_ENVIRONMENTS)
    lacks = order == [] or not _spelt.is_written(queue, "ServiceEnvironmentOrder")
    if not lacks or not queue.properties:
        return
    if _needs_service_environment(plan):
        yield Violation(
            _ENVIRONMENTS,
            f"A queue of the type {SAGEMAKER_TRAINING} has a service environment; this one has "
            "none.",
            "Name one in ServiceEnvironmentOrder"
            + (
                ", and leave ComputeEnvironmentOrder out, or give a queue of containers its type, "
                "such as ECS."
                if is_made_of_containers(queue)
                else "."
            ),
        )


def _needs_service_environment(plan: QueuePlan) -> bool:
    queue = plan.queue
    managed = plan.quota_management and not queue.at(_COMPUTE) and queue.at(_TYPE) is None
    return queue.at(_TYPE) == SAGEMAKER_TRAINING or managed


@JQ_05.on(JOB_QUEUE)
def _environments_of_both_kinds(queue: Resource) -> Iterator[Violation]:
    # An empty list counts too: the schema asks which of the two is there.
    if queue.at(_ENVIRONMENTS) and queue.at(_COMPUTE) is not None:
        yield Violation(
            _COMPUTE,
            "A job queue has compute environments or a service environment; this one has both.",
            "Leave ComputeEnvironmentOrder out.",
        )


@JQ_05.on_queue
def _environments_of_neither_kind(plan: QueuePlan) -> Iterator[Violation]:
    queue = plan.queue
    if not queue.properties or _needs_service_environment(plan):
        return
    if not any(_spelt.is_written(queue, str(path[0])) for path in (_ENVIRONMENTS, _COMPUTE)):
        yield Violation(
            (),
            "A job queue has compute environments or a service environment; this one has neither.",
            "Add ServiceEnvironmentOrder, or ComputeEnvironmentOrder for containers.",
        )


@JQ_06.on_queue
def _made_too_early(plan: QueuePlan) -> Iterator[Violation]:
    for resource, path in plan.not_awaited if plan.quota_management else ():
        if resource is plan.queue:
            what = "scheduling policy" if path == _POLICY else "service environment"
            yield Violation(
                path,
                f"The {what} is made in the same stack, but nothing makes CloudFormation make it "
                "before the queue.",
                "Name it by Ref, or add it to the queue's DependsOn.",
            )


@JQ_07.on_queue
def _kind_of_policy(plan: QueuePlan) -> Iterator[Violation]:
    if plan.policy is None or not plan.quota_management:
        return
    # A policy with the member spelt otherwise is CF-01's.
    if not _spelt.is_written(plan.policy, "QuotaSharePolicy"):
        kind = "a fair-share" if plan.policy.at(("FairsharePolicy",)) is not None else "another"
        yield Violation(
            _POLICY,
            f"A queue of quota management needs a quota-share policy; this is {kind} policy.",
            "Give it a scheduling policy with a QuotaSharePolicy.",
        )
    elif not is_for_training(plan.queue) and not plan.queue.at(_ENVIRONMENTS):
        kind = plan.queue.at(_TYPE)
        if isinstance(kind, str) or plan.queue.at(_COMPUTE):
            yield Violation(
                _POLICY,
                f"Only a queue of the type {SAGEMAKER_TRAINING} takes a quota-share policy; this "
                f"one has {kind if isinstance(kind, str) else 'compute environments'}.",
                "Leave the policy out, or give it a FairsharePolicy.",
            )


@JQ_08.on(JOB_QUEUE)
def _policy_arn(queue: Resource) -> Iterator[Violation]:
    if _is_another(queue.at(_POLICY), "scheduling-policy"):
        yield Violation(
            _POLICY,
            "A queue names its scheduling policy by the ARN of a scheduling policy."
            f"{_checks.other_resource(queue.at(_POLICY))}",
            _checks.by_sub(
                queue.at(_POLICY),
                f"Give one like {EXAMPLES['scheduling-policy']!r}, or Ref of a policy of the "
                "template.",
            ),
        )


@JQ_09.on(JOB_QUEUE)
def _name(queue: Resource) -> Iterator[Violation]:
    return _checks.name(queue, ("JobQueueName",))


@JQ_10.on(JOB_QUEUE)
def _state(queue: Resource) -> Iterator[Violation]:
    return _checks.one_of(queue, ("State",), "A state", _checks.STATES)


@JQ_11.on(JOB_QUEUE)
def _order(queue: Resource) -> Iterator[Violation]:
    for index, _ in _checks.entries(queue, _ENVIRONMENTS):
        path: Path = (*_ENVIRONMENTS, index)
        yield from _checks.missing(queue, path, "A service environment order")
        yield from _checks.whole_number(
            queue,
            (*path, "Order"),
            (-MAX_INTEGER - 1, MAX_INTEGER),
            "An order is a whole number.",
            "Write 1.",
        )
        value = queue.at((*path, "ServiceEnvironment"))
        if isinstance(value, str) and re.fullmatch(NAME, value):
            continue
        if _is_another(value, "service-environment"):
            yield Violation(
                (*path, "ServiceEnvironment"),
                "A queue names its service environment by its name or its ARN."
                f"{_checks.other_resource(value)}",
                _checks.by_sub(
                    value,
                    f"Give one like {EXAMPLES['service-environment']!r}, or Ref of one here.",
                ),
            )


@JQ_13.on_queue
def _instance_types_without_shares(plan: QueuePlan) -> Iterator[Violation]:
    queue, environment = plan.queue, plan.environment
    other_policy = plan.policy is not None and plan.policy.at(("FairsharePolicy",)) is not None
    without = other_policy or not _spelt.is_written(queue, "SchedulingPolicyArn")
    if plan.quota_management or plan.shares or environment is None or not without:
        return
    if _checks.counts_instance_types(environment):
        yield Violation(
            ENVIRONMENT,
            "This service environment counts instance types, as quota management does, but the "
            "queue has no quota-share scheduling policy.",
            "Give the queue a scheduling policy with a QuotaSharePolicy, or let the environment "
            "count NUM_INSTANCES instead.",
        )


def _is_another(value: object, kind: str) -> bool:
    """Tells whether a value is known not to be the ARN of a kind of resource."""
    if isinstance(value, UnknownArn):
        return value.kind not in (None, kind)
    is_none = isinstance(value, str) and parse_arn(value, kind) is None
    return is_none or _checks.has_arn_within(value)


RULES = (
    JQ_01,
    JQ_02,
    JQ_03,
    JQ_04,
    JQ_05,
    JQ_06,
    JQ_07,
    JQ_08,
    JQ_09,
    JQ_10,
    JQ_11,
    JQ_13,
)
