"""What a caller gave in the place of an ARN: text, a construct of ours, or any of CDK's."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Final

from aws_cdk import CfnResource
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
from qm_constructs.constructs._identity import construct_behind, identity_of, literal_environment
from qm_constructs.constructs._queue_state import KNOWN_QUEUES, QUEUES_BY_NAME, QueueState
from qm_constructs.constructs.scheduling_policy import QuotaShareSchedulingPolicyBase
from qm_constructs.constructs.service_environment import ServiceEnvironmentBase
from qm_constructs.plan import (
    JOB_QUEUE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    QueuePlan,
    Resource,
    Unknown,
    UnknownArn,
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

    def placed_arn(self) -> str | UnknownArn:
        """Returns the ARN for the CloudFormation view, with the place of what is made here."""
        if isinstance(self.arn, str) and not is_token(self.arn):
            return self.arn
        made_here = self.construct
        if isinstance(made_here, ServiceEnvironmentBase | QuotaShareSchedulingPolicyBase):
            made_here = made_here._resource  # an import stands in a stack that it need not be in
        if isinstance(made_here, CfnResource):
            return UnknownArn(self.arn, *literal_environment(made_here))
        return UnknownArn(self.arn)


def given_environment(arguments: Arguments, scope: Any, value: Any) -> Given:
    """Reads a service environment; what cannot be one becomes a fault."""
    argument, kind = "service_environment", "service-environment"
    behind = construct_behind(value)
    value = behind if isinstance(behind, CfnServiceEnvironment) else value
    if isinstance(value, ServiceEnvironmentBase):
        arn = value.service_environment_arn
        given = Given(arn, value._view, {value}, parse_arn(arn, kind), construct=value)
        if value._resource is not None:
            given.keys.add(value._resource)
            given.named = _literal_name(value._view, "ServiceEnvironmentName")
        return given
    if isinstance(value, CfnServiceEnvironment):
        view = _environment_view(value)
        arguments.findings(judge(view), lambda found: f"{argument}.{argument_behind(found)}")
        return Given(
            value.ref,
            view,
            {value},
            _literal_name(view, "ServiceEnvironmentName"),
            reread=lambda: _environment_view(value),
            construct=value,
        )
    if _has_reference(value, "service_environment_ref"):
        arn = value.service_environment_ref.service_environment_arn
        return Given(arn, keys={value}, named=parse_arn(arn, kind), construct=value)
    return _given_text(arguments, scope, argument, value, kind)


def given_policy(arguments: Arguments, scope: Any, value: Any) -> Given:
    """Reads a scheduling policy; what cannot be one becomes a fault."""
    argument, kind = "scheduling_policy", "scheduling-policy"
    behind = construct_behind(value)
    value = behind if isinstance(behind, CfnSchedulingPolicy) else value
    if isinstance(value, QuotaShareSchedulingPolicyBase):
        arn = value.scheduling_policy_arn
        keys: set[Hashable] = {value} if value._resource is None else {value, value._resource}
        return Given(arn, _QUOTA_SHARE_POLICY, keys, parse_arn(arn, kind), construct=value)
    if isinstance(value, CfnSchedulingPolicy):
        return Given(value.ref, _policy_view(value), {value}, construct=value)
    if isinstance(value, FairshareSchedulingPolicy) or _has_reference(value, "share_decay"):
        return Given(NOT_KNOWN, _FAIR_SHARE_POLICY)
    if _has_reference(value, "scheduling_policy_ref"):
        arn = value.scheduling_policy_ref.scheduling_policy_arn
        return Given(arn, keys={value}, named=parse_arn(arn, kind), construct=value)
    return _given_text(arguments, scope, argument, value, kind)


def given_queue(arguments: Arguments, scope: Construct, value: Any) -> QueueState | None:
    """Reads the queue that a share is for; what cannot be one becomes a fault."""
    known = getattr(value, "_queue_state", None)
    if isinstance(known, QueueState):
        return known
    if isinstance(value, CfnJobQueue):
        return _queue_of(value)
    if isinstance(value, JobQueue):
        # CDK's L2 has no queue type, so it is never one of quota management.
        return QueueState(QueuePlan(Resource(JOB_QUEUE, {"Priority": NOT_KNOWN})))
    if _has_reference(value, "job_queue_ref"):
        value = value.job_queue_ref.job_queue_arn
    arn = rendered(arguments.arn("job_queue", value, "job-queue", or_construct=True))
    return imported_queue(scope, arn) if isinstance(arn, str) else None


def imported_queue(scope: Construct, arn: str) -> QueueState:
    """Returns the queue of an ARN; two imports of one ARN are one queue.

    A queue of this app is found again by a reference to it, and by its literal ARN.
    """
    behind = construct_behind(arn)
    if isinstance(behind, CfnJobQueue):
        return _queue_of(behind)
    literal = parse_arn(arn, "job-queue")
    if literal is not None:
        for state in QUEUES_BY_NAME.get(literal.name, ()):
            if state.is_at(scope.node.root, literal):
                return state
    return _known(identity_of(scope, arn), arn, {})


def _queue_of(queue: CfnJobQueue) -> QueueState:
    state = KNOWN_QUEUES.get(queue)
    if state is None:
        state = _known(queue, queue.ref, _queue_view(queue))
        state.construct = queue
    return state


def _known(key: Hashable, arn: str, properties: dict[str, Any]) -> QueueState:
    if key not in KNOWN_QUEUES:
        plan = QueuePlan(Resource(JOB_QUEUE, properties), complete=False)
        KNOWN_QUEUES[key] = QueueState(plan, arn)
    return KNOWN_QUEUES[key]


def _has_reference(value: Any, attribute: str) -> bool:
    return not isinstance(value, str | type) and hasattr(value, attribute)


def _given_text(arguments: Arguments, scope: Any, argument: str, value: Any, kind: str) -> Given:
    rule = "JQ-08" if kind == "scheduling-policy" else None
    arn = rendered(arguments.arn(argument, value, kind, rule, or_construct=True))
    if not isinstance(arn, str):
        return Given(arn)
    keys = {identity_of(scope, arn)} if is_token(arn) and isinstance(scope, Construct) else set()
    return Given(arn, keys=keys, named=parse_arn(arn, kind))


def _literal_name(view: Resource | None, name: str) -> str | None:
    value = view.at((name,)) if view else None
    return value if isinstance(value, str) else None


def _environment_view(environment: CfnServiceEnvironment) -> Resource:
    limits = environment.capacity_limits
    properties: dict[str, Any] = {
        "ServiceEnvironmentName": _literal(environment.service_environment_name, Unknown),
        "CapacityLimits": NOT_KNOWN,
    }
    if isinstance(limits, list):
        properties["CapacityLimits"] = [
            {
                "CapacityUnit": _literal(getattr(limit, "capacity_unit", None), Unknown),
                "MaxCapacity": _literal(getattr(limit, "max_capacity", None), UnknownNumber),
            }
            for limit in limits
        ]
    return Resource(SERVICE_ENVIRONMENT, properties)


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
