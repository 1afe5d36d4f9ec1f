"""What a caller gave in the place of an ARN: text, a construct of ours, or any of CDK's."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Final

from aws_cdk import Stack
from aws_cdk.aws_batch import (
    CfnJobQueue,
    CfnSchedulingPolicy,
    CfnServiceEnvironment,
    FairshareSchedulingPolicy,
    JobQueue,
)
from constructs import Construct

from qm_constructs.arguments import NOT_KNOWN, Arguments, argument_behind
from qm_constructs.arns import Arn, parse_arn
from qm_constructs.constructs._creating import rendered
from qm_constructs.constructs._queue_state import KNOWN_QUEUES, QueueState
from qm_constructs.constructs._references import MADE_HERE
from qm_constructs.constructs.scheduling_policy import QuotaShareSchedulingPolicyBase
from qm_constructs.constructs.service_environment import ServiceEnvironmentBase
from qm_constructs.plan import (
    JOB_QUEUE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    QueuePlan,
    Resource,
    Unknown,
    UnknownNumber,
)
from qm_constructs.rules import judge
from qm_constructs.tokens import is_resolvable, is_token

_QUOTA_SHARE_POLICY: Final = Resource(SCHEDULING_POLICY, {"QuotaSharePolicy": NOT_KNOWN})
_FAIR_SHARE_POLICY: Final = Resource(SCHEDULING_POLICY, {"FairsharePolicy": NOT_KNOWN})


@dataclass
class Given:
    """A service environment or a scheduling policy that was given to a queue.

    Args:
        arn: Its ARN, literal or token.
        view: What is known of it; None when nothing is.
        keys: What identifies it within this process.
        named: Its literal ARN or name, if it has one.
        reread: Looks at it again, for what can change after it was given.
        construct: The construct, unless it is text.
    """

    arn: Any
    view: Resource | None = None
    keys: set[Hashable] = field(default_factory=set)
    named: Arn | str | None = None
    reread: Callable[[], Resource] | None = None
    construct: Any = None

    @property
    def literal_arn(self) -> bool:
        """Whether account and Region can be read from the ARN."""
        return isinstance(self.named, Arn)


def given_environment(arguments: Arguments, value: Any) -> Given:
    """Reads a service environment; what cannot be one becomes a fault."""
    argument, kind = "service_environment", "service-environment"
    value = _made_here(value)
    if isinstance(value, ServiceEnvironmentBase):
        arn = value.service_environment_arn
        given = Given(arn, value._view, {value}, parse_arn(arn, kind), construct=value)
        if value._resource is not None:  # its L1 has the same token
            given.keys.add(value._resource)
            name = value._view.at(("ServiceEnvironmentName",)) if value._view else None
            given.named = name if isinstance(name, str) else None
        return given
    if isinstance(value, CfnServiceEnvironment):

        def read() -> Resource:
            return _environment_view(value)

        given = Given(value.ref, read(), reread=read, construct=value)
        given.keys.add(value)
        MADE_HERE[given.arn] = value
        name = value.service_environment_name
        given.named = name if isinstance(name, str) and not is_token(name) else None
        if given.view is not None:
            arguments.findings(
                judge(given.view), lambda found: f"{argument}.{argument_behind(found)}"
            )
        return given
    if not isinstance(value, str) and hasattr(value, "service_environment_ref"):
        arn = value.service_environment_ref.service_environment_arn
        return Given(arn, keys={value}, named=parse_arn(arn, kind), construct=value)
    return _given_text(arguments, argument, value, kind)


def given_policy(arguments: Arguments, value: Any) -> Given:
    """Reads a scheduling policy; what cannot be one becomes a fault."""
    argument, kind = "scheduling_policy", "scheduling-policy"
    value = _made_here(value)
    if isinstance(value, QuotaShareSchedulingPolicyBase):
        arn = value.scheduling_policy_arn
        keys: set[Hashable] = {value} if value._resource is None else {value, value._resource}
        return Given(arn, _QUOTA_SHARE_POLICY, keys, parse_arn(arn, kind), construct=value)
    if isinstance(value, CfnSchedulingPolicy):
        return Given(value.ref, _policy_view(value), {value}, construct=value)
    if isinstance(value, FairshareSchedulingPolicy) or hasattr(value, "share_decay"):
        return Given(NOT_KNOWN, _FAIR_SHARE_POLICY)
    if not isinstance(value, str) and hasattr(value, "scheduling_policy_ref"):
        arn = value.scheduling_policy_ref.scheduling_policy_arn
        return Given(arn, keys={value}, named=parse_arn(arn, kind), construct=value)
    return _given_text(arguments, argument, value, kind)


def given_queue(arguments: Arguments, scope: Construct, value: Any) -> QueueState | None:
    """Reads the queue that a share is for; what cannot be one becomes a fault."""
    state = getattr(value, "_queue_state", None)
    if isinstance(state, QueueState):
        return state
    if isinstance(value, CfnJobQueue):
        arn = value.ref
        return _known(arn, arn, _queue_view(value))
    if isinstance(value, JobQueue):
        # CDK's L2 has no queue type, so it is never one of quota management.
        return QueueState(QueuePlan(Resource(JOB_QUEUE, {"Priority": NOT_KNOWN})))
    if not isinstance(value, str) and hasattr(value, "job_queue_ref"):
        value = value.job_queue_ref.job_queue_arn
    arn = rendered(arguments.arn("job_queue", value, "job-queue"))
    return imported_queue(scope, arn) if isinstance(arn, str) else None


def imported_queue(scope: Construct, arn: str) -> QueueState:
    """Returns the queue of an ARN; two imports of one ARN are one queue.

    A literal ARN is one queue in the whole app. A token may stand for another queue in each stack,
    unless it is the ARN of a queue that was made in this app.
    """
    if arn in KNOWN_QUEUES:
        return KNOWN_QUEUES[arn]
    if is_token(arn):
        return _known((Stack.of(scope), arn), arn, {})
    return _known((scope.node.root, arn), arn, {})


def _known(key: Hashable, arn: str, properties: dict[str, Any]) -> QueueState:
    if key not in KNOWN_QUEUES:
        plan = QueuePlan(Resource(JOB_QUEUE, properties), complete=False)
        KNOWN_QUEUES[key] = QueueState(plan, arn)
    return KNOWN_QUEUES[key]


def _given_text(arguments: Arguments, argument: str, value: Any, kind: str) -> Given:
    rule = "JQ-08" if kind == "scheduling-policy" else None
    arn = rendered(arguments.arn(argument, value, kind, rule))
    return Given(arn, named=parse_arn(arn, kind) if isinstance(arn, str) else None)


def _made_here(value: Any) -> Any:
    """Returns the construct whose ARN a text is, where it was made in this app."""
    return MADE_HERE.get(value, value) if isinstance(value, str) else value


def _environment_view(environment: CfnServiceEnvironment) -> Resource:
    limits = environment.capacity_limits
    if not isinstance(limits, list):
        return Resource(SERVICE_ENVIRONMENT, {"CapacityLimits": NOT_KNOWN})
    return Resource(
        SERVICE_ENVIRONMENT,
        {
            "CapacityLimits": [
                {
                    "CapacityUnit": _literal(getattr(limit, "capacity_unit", None), Unknown),
                    "MaxCapacity": _literal(getattr(limit, "max_capacity", None), UnknownNumber),
                }
                for limit in limits
            ]
        },
    )


def _policy_view(policy: CfnSchedulingPolicy) -> Resource:
    members = {
        "QuotaSharePolicy": policy.quota_share_policy,
        "FairsharePolicy": policy.fairshare_policy,
    }
    known = {name: NOT_KNOWN for name, member in members.items() if member is not None}
    return Resource(SCHEDULING_POLICY, known)


def _queue_view(queue: CfnJobQueue) -> dict[str, Any]:
    properties = {
        "JobQueueType": queue.job_queue_type,
        "SchedulingPolicyArn": queue.scheduling_policy_arn,
    }
    return {"Priority": NOT_KNOWN} | {
        name: _literal(value, Unknown) for name, value in properties.items() if value is not None
    }


def _literal(value: Any, unknown: type[Unknown]) -> Any:
    """Returns what an L1 holds: a literal, or an unknown in the place of a token or of nothing."""
    if value is None or is_token(value) or is_resolvable(value):
        return unknown(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value
