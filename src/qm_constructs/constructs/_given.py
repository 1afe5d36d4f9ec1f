"""What a caller gave in the place of an ARN: text, a construct of ours, or any of CDK's."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Final

from aws_cdk import CfnResource
from aws_cdk.aws_batch import (
    CfnJobQueue,
    CfnQuotaShare,
    CfnSchedulingPolicy,
    CfnServiceEnvironment,
    FairshareSchedulingPolicy,
    JobQueue,
)
from constructs import Construct

from qm_constructs.arguments import NOT_KNOWN, Arguments, argument_behind
from qm_constructs.arns import Arn, parse_arn
from qm_constructs.constructs._creating import rendered
from qm_constructs.constructs._identity import (
    construct_behind,
    identity_of,
    key_of,
    literal_environment,
    root_of,
)
from qm_constructs.constructs._queue_state import (
    IMPORTS_BY_NAME,
    KNOWN_QUEUES,
    QUEUES_BY_NAME,
    QueueState,
)
from qm_constructs.constructs._references import NAMES
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

_KINDS: Final[dict[str, tuple[Any, str]]] = {
    "service-environment": (CfnServiceEnvironment, "service_environment"),
    "scheduling-policy": (CfnSchedulingPolicy, "scheduling_policy"),
}
_OURS: Final = (CfnSchedulingPolicy, CfnServiceEnvironment, CfnJobQueue, CfnQuotaShare)
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
        construct: The construct that was given, unless it was text.
        resource: The L1 behind it, where it was made in this app.
    """

    arn: Any
    view: Resource | None = None
    keys: set[Hashable] = field(default_factory=set)
    named: Arn | str | None = None
    reread: Callable[[], Resource] | None = None
    construct: Any = None
    resource: Any = None

    def placed_arn(self) -> str | UnknownArn:
        """Returns the ARN for the CloudFormation view, with its place where that is known."""
        if isinstance(self.named, Arn):
            return UnknownArn(self.arn, account=self.named.account, region=self.named.region)
        if isinstance(self.resource, CfnResource):
            account, region = literal_environment(self.resource)
            return UnknownArn(self.arn, account=account, region=region)
        return UnknownArn(self.arn)


def given_environment(arguments: Arguments, scope: Construct | None, value: Any) -> Given:
    """Reads a service environment; what cannot be one becomes a fault."""
    argument, kind = "service_environment", "service-environment"
    given = _given(arguments, scope, argument, value, kind)
    if isinstance(value, ServiceEnvironmentBase) and value._view is not None:
        given.view = value._view
        given.named = given.named or _literal_name(given.view, "ServiceEnvironmentName")
    elif isinstance(given.resource, CfnServiceEnvironment):
        l1 = given.resource
        given.view = _environment_view(l1)
        given.named = _literal_name(given.view, "ServiceEnvironmentName")
        given.reread = lambda: _environment_view(l1)
        arguments.findings(judge(given.view), lambda found: f"{argument}.{argument_behind(found)}")
    return given


def given_policy(arguments: Arguments, scope: Construct | None, value: Any) -> Given:
    """Reads a scheduling policy; what cannot be one becomes a fault."""
    argument, kind = "scheduling_policy", "scheduling-policy"
    if isinstance(value, FairshareSchedulingPolicy) or _has(value, "share_decay"):
        return Given(NOT_KNOWN, _FAIR_SHARE_POLICY)
    given = _given(arguments, scope, argument, value, kind)
    if isinstance(value, QuotaShareSchedulingPolicyBase) and value._view is not None:
        given.view = value._view
    elif isinstance(given.resource, CfnSchedulingPolicy):
        given.view = _policy_view(given.resource)
    given.named = given.named or _literal_name(given.view, "Name")
    return given


def _given(
    arguments: Arguments, scope: Construct | None, argument: str, value: Any, kind: str
) -> Given:
    """Reads text, one of our constructs, an L1 or any other reference."""
    l1, attribute = _KINDS[kind]
    construct, arn = value, value
    if isinstance(value, ServiceEnvironmentBase | QuotaShareSchedulingPolicyBase):
        arn = getattr(value, f"{attribute}_arn", None)
        if value._resource is not None and arn is not None:
            resource = value._resource
            return Given(
                arn, keys={key_of(value), key_of(resource)}, construct=value, resource=resource
            )
    elif isinstance(value, l1):
        arn = value.ref
    elif _has(value, f"{attribute}_ref"):
        arn = getattr(getattr(value, f"{attribute}_ref"), f"{attribute}_arn", None)
    else:
        construct = None
    rule = "JQ-08" if kind == "scheduling-policy" else None
    arn = rendered(arguments.arn(argument, arn, kind, rule, or_construct=True))
    arguments.given[argument] = value
    if not isinstance(arn, str) or _is_a_name(arguments, argument, arn):
        return Given(NOT_KNOWN)
    behind = construct_behind(arn)
    if isinstance(behind, l1):
        keys = {key_of(behind), key_of(construct or behind)}
        return Given(arn, keys=keys, construct=construct, resource=behind)
    if isinstance(behind, _OURS):
        what = kind.replace("-", " ")
        problem = f"Must be a {what}; this is the reference of a {type(behind).__name__}."
        arguments.fault(argument, value, problem, f"Give the {what}.", rule)
        return Given(NOT_KNOWN)
    named = parse_arn(arn, kind)
    keys = {key_of(construct)} if construct is not None else set()
    if named is None and scope is not None:
        keys.add(identity_of(scope, arn, kind))
    return Given(arn, keys=keys, named=named, construct=construct)


def given_queue(
    arguments: Arguments, scope: Construct, value: Any
) -> tuple[QueueState, str] | None:
    """Reads the queue that a share is for, and its ARN as it was given.

    What cannot be a queue becomes a fault.
    """
    known = getattr(value, "_queue_state", None)
    if isinstance(known, QueueState):
        return known, value.job_queue_arn
    if isinstance(value, CfnJobQueue):
        state = _queue_of(value)
        return state, state.job_queue_arn
    if isinstance(value, JobQueue):
        # CDK's L2 has no queue type, so it is never one of quota management.
        return QueueState(QueuePlan(Resource(JOB_QUEUE, {"Priority": NOT_KNOWN}))), ""
    given = value
    if _has(value, "job_queue_ref"):
        given = getattr(value.job_queue_ref, "job_queue_arn", None)
    arn = rendered(arguments.arn("job_queue", given, "job-queue", or_construct=True))
    if not isinstance(arn, str) or _is_a_name(arguments, "job_queue", arn):
        return None
    behind = construct_behind(arn)
    if isinstance(behind, _OURS) and not isinstance(behind, CfnJobQueue):
        problem = f"Must be a job queue; this is the reference of a {type(behind).__name__}."
        arguments.fault("job_queue", value, problem, "Give the job queue.")
        return None
    return imported_queue(scope, arn), arn


def imported_queue(scope: Construct, arn: str) -> QueueState:
    """Returns the queue of an ARN; two imports of one ARN are one queue.

    A queue of this app is found again by a reference to it, and by its literal ARN.
    """
    behind = construct_behind(arn)
    if isinstance(behind, CfnJobQueue):
        return _queue_of(behind)
    literal = parse_arn(arn, "job-queue")
    if literal is not None:
        root = root_of(scope)
        for state in QUEUES_BY_NAME.get(literal.name, ()):
            if state.is_at(root, literal):
                return state
    state = _known(identity_of(scope, arn, "job-queue"), arn, {})
    if literal is not None and state not in IMPORTS_BY_NAME[literal.name]:
        IMPORTS_BY_NAME[literal.name].append(state)
        state.imported_into = root_of(scope)
    return state


def imports_of(scope: Construct, name: str) -> list[QueueState]:
    """Returns the queues of a name that were imported by a literal ARN of the scope's place."""
    imports = IMPORTS_BY_NAME.get(name)
    if not imports:
        return []
    root, place = root_of(scope), literal_environment(scope)
    return [state for state in imports if state.imported_into == root and state.place() == place]


def _queue_of(queue: CfnJobQueue) -> QueueState:
    key = key_of(queue)
    state = KNOWN_QUEUES.get(key)
    if state is None:
        state = _known(key, queue.ref, _queue_view(queue))
        state.construct = queue
    return state


def _known(key: Hashable, arn: str, properties: dict[str, Any]) -> QueueState:
    if key not in KNOWN_QUEUES:
        plan = QueuePlan(Resource(JOB_QUEUE, properties), complete=False)
        KNOWN_QUEUES[key] = QueueState(plan, arn)
    return KNOWN_QUEUES[key]


def _is_a_name(arguments: Arguments, argument: str, text: str) -> bool:
    if text not in NAMES:
        return False
    fix = "Give the construct itself, or its ARN."
    arguments.fault(argument, text, "Must be an ARN; this is the name.", fix)
    return True


def _has(value: Any, attribute: str) -> bool:
    return not isinstance(value, str | type) and hasattr(value, attribute)


def _literal_name(view: Resource | None, name: str) -> str | None:
    value = view.at((name,)) if view else None
    return value if isinstance(value, str) else None


def _environment_view(environment: CfnServiceEnvironment) -> Resource:
    limits = environment.capacity_limits
    properties: dict[str, Any] = {
        "ServiceEnvironmentName": _literal(environment.service_environment_name, Unknown),
        "ServiceEnvironmentType": NOT_KNOWN,
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
    # Never empty, which would say that the queue is made elsewhere.
    return {"Priority": NOT_KNOWN, "ServiceEnvironmentOrder": NOT_KNOWN} | {
        name: _literal(value, Unknown) for name, value in properties.items() if value is not None
    }


def _literal(value: Any, unknown: type[Unknown]) -> Any:
    """Returns what an L1 holds: a literal, or an unknown in the place of a token or of nothing."""
    if value is None or is_token(value) or is_resolvable(value):
        return unknown(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value
