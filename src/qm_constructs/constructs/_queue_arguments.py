"""The arguments of ``QuotaManagedTrainingQueue``, judged together before anything is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from aws_cdk import RemovalPolicy

from qm_constructs.arguments import NOT_KNOWN, Arguments, argument_behind
from qm_constructs.constructs import _creating as creating
from qm_constructs.constructs._given import (
    Given,
    given_environment,
    given_policy,
    imports_of,
)
from qm_constructs.constructs._identity import check_same_place
from qm_constructs.constructs._plan_argument import ONE_OF, PlannedShares, with_plan
from qm_constructs.constructs._queue_state import QueueState
from qm_constructs.constructs.job_state_time_limits import read_job_state_time_limits
from qm_constructs.constructs.quota_share import (
    CheckedShare,
    QuotaShareOptions,
    share_of,
)
from qm_constructs.constructs.scheduling_policy import read_scheduling_policy
from qm_constructs.constructs.service_environment import read_service_environment
from qm_constructs.errors import NOT_GIVEN, shown
from qm_constructs.plan import JOB_QUEUE, SAGEMAKER_TRAINING, QueuePlan, Resource, Unknown
from qm_constructs.rules import Finding, judge, judge_queues


@dataclass(frozen=True)
class QueueArguments:
    """What a queue is made from.

    Args:
        queue: The queue.
        environment: The service environment to be made; None when one was given.
        policy: The scheduling policy to be made; None when one was given.
        given_environment: The service environment that was given.
        given_policy: The scheduling policy that was given.
        shares: The shares to be made at once.
        state: The queue as later calls will know it.
        imports: The imports of this queue that were made before it.
        findings: What is odd about all of them together.
    """

    queue: Resource
    environment: Resource | None
    policy: Resource | None
    given_environment: Given
    given_policy: Given
    shares: list[CheckedShare]
    state: QueueState
    imports: list[QueueState]
    findings: list[Finding]


def read_queue(
    arguments: Arguments,
    scope: Any,
    id: Any,
    *,
    plan: Any,
    scheduling_policy: Any,
    removal_policy: Any,
    **call: Any,
) -> QueueArguments:
    """Returns what a queue is made from, or raises one error with all that is wrong.

    Args:
        arguments: The arguments of the call.
        scope: The construct that the queue belongs to.
        id: Its id within the scope.
        plan: What sets some of the call's arguments in their place; None for nothing.
        scheduling_policy: As the call has it.
        removal_policy: As the call has it.
        call: All other arguments, which a plan may set.
    """
    values = with_plan(arguments, plan, call)
    return _read_queue(
        arguments,
        scope,
        id,
        scheduling_policy=scheduling_policy,
        removal_policy=removal_policy,
        **values,
    )


def _read_queue(
    arguments: Arguments,
    scope: Any,
    id: Any,
    *,
    capacity_limits: Any,
    quota_shares: Any,
    job_queue_name: Any,
    priority: Any,
    enabled: Any,
    service_environment: Any,
    service_environment_name: Any,
    scheduling_policy: Any,
    scheduling_policy_name: Any,
    job_state_time_limits: Any,
    removal_policy: Any,
    tags: Any,
) -> QueueArguments:
    arguments.given["service_environment"] = service_environment
    arguments.given["scheduling_policy"] = scheduling_policy
    creating.check_place(arguments, scope, id)
    creating.check_removal_policy(arguments, "removal_policy", removal_policy)
    read_tags = arguments.tags("tags", tags)
    in_a_stack = not arguments.faults_of("scope")
    scope = scope if in_a_stack else None

    environment, given_env = _environment(
        arguments, scope, capacity_limits, service_environment, service_environment_name, read_tags
    )
    policy, given_pol = _policy(
        arguments, scope, scheduling_policy, scheduling_policy_name, read_tags
    )
    properties: dict[str, Any] = {
        "JobQueueType": SAGEMAKER_TRAINING,
        "JobStateTimeLimitActions": read_job_state_time_limits(
            arguments, "job_state_time_limits", job_state_time_limits
        ),
        "Priority": arguments.whole_number("priority", priority),
        "SchedulingPolicyArn": Unknown(given_pol.arn),
        "ServiceEnvironmentOrder": [{"Order": 1, "ServiceEnvironment": Unknown(given_env.arn)}],
        "State": creating.state(arguments.boolean("enabled", enabled)),
        "Tags": read_tags,
    }
    if job_queue_name is not None:
        properties["JobQueueName"] = arguments.text("job_queue_name", job_queue_name)
    queue = Resource(JOB_QUEUE, properties)
    name = properties.get("JobQueueName")
    imports = imports_of(scope, name) if in_a_stack and isinstance(name, str) else []

    plan = QueuePlan(
        queue,
        label=f"the queue {shown(id)}",
        environment=environment or given_env.view,
        policy=policy or given_pol.view,
        environment_keys=given_env.keys,
        policy_keys=given_pol.keys,
        shares=[share for imported in imports for share in imported.plan.shares],
    )
    state = QueueState(plan)
    state.environment, state.policy = given_env.named, given_pol.named
    state.reread_environment = given_env.reread
    if given_env.resource is not None:  # else it is made here, or in no template of the app
        state.environment_construct = given_env.construct or given_env.resource
    state.written = {
        "SchedulingPolicyArn": ("scheduling_policy", scheduling_policy),
        "ServiceEnvironmentOrder": (
            ("service_environment", service_environment)
            if environment is None
            else ("service_environment_name", service_environment_name)
        ),
    }
    shares = _shares(arguments, quota_shares, read_tags, removal_policy)
    places = {checked.share: place for place, checked in shares.items()}

    def argument_of(finding: Finding) -> str:
        argument = argument_behind(finding, {"QuotaShareName": "name"})
        place = places.get(finding.resource)
        return f"{place}.{argument}" if place else argument

    for checked in shares.values():
        arguments.findings(checked.of_the_share, argument_of)
    together = state.judge_with([*places])
    rivals = [rival.plan for rival in state.rivals()]
    together += [found for found in judge_queues([*rivals, plan]) if found.resource is queue]
    ours = [found for found in together if found.resource in places or found.resource is queue]
    arguments.findings([*judge(queue), *ours], argument_of)
    if not arguments.faults and (environment is None or policy is None):
        order = {"Order": 1, "ServiceEnvironment": given_env.placed_arn()}
        referring = {
            "JobQueueType": SAGEMAKER_TRAINING,
            "SchedulingPolicyArn": given_pol.placed_arn(),
            "ServiceEnvironmentOrder": [order],
        }
        check_same_place(arguments, scope, Resource(JOB_QUEUE, referring))
    arguments.raise_faults()
    return QueueArguments(
        queue,
        environment,
        policy,
        given_env,
        given_pol,
        [*shares.values()],
        state,
        imports,
        together,
    )


def _environment(  # noqa: PLR0917
    arguments: Arguments, scope: Any, limits: Any, given: Any, name: Any, tags: dict[str, Any]
) -> tuple[Resource | None, Given]:
    if (limits is None) == (given is None):
        problem = f"Exactly one of {ONE_OF} must be given; "
        problem += "none is (None is not)." if limits is None else "both are."
        fix = "Leave one of them out."
        if limits is None:
            fix = (
                "Give capacity_limits={'ml.p5.48xlarge': 16}, say, a service environment or a plan."
            )
        arguments.fault("capacity_limits", NOT_GIVEN if limits is None else limits, problem, fix)
    if given is None:
        if limits is None:
            return None, Given(NOT_KNOWN)
        made = read_service_environment(arguments, limits, name=name, tags=tags)
        named = made.at(("ServiceEnvironmentName",))
        return made, Given(NOT_KNOWN, named=named if isinstance(named, str) else None)
    if name is not None:
        _name_beside(arguments, "service_environment_name", name, "service_environment")
    return None, given_environment(arguments, scope, given)


def _policy(
    arguments: Arguments, scope: Any, given: Any, name: Any, tags: dict[str, Any]
) -> tuple[Resource | None, Given]:
    if given is None:
        made = read_scheduling_policy(arguments, name, tags)
        named = made.at(("Name",))
        return made, Given(NOT_KNOWN, named=named if isinstance(named, str) else None)
    if name is not None:
        _name_beside(arguments, "scheduling_policy_name", name, "scheduling_policy")
    return None, given_policy(arguments, scope, given)


def _name_beside(arguments: Arguments, argument: str, name: Any, beside: str) -> None:
    arguments.fault(
        argument,
        name,
        f"{beside} is given, and has its name already.",
        f"Leave out {argument} or {beside}.",
    )


def _shares(
    arguments: Arguments,
    quota_shares: Any,
    tags: dict[str, Any],
    removal_policy: RemovalPolicy | None,
) -> dict[str, CheckedShare]:
    """Returns each share by its place in the argument."""
    fix = "Write quota_shares=[QuotaShareOptions('research', capacity_limits={...})], say."
    # The order of a set would change from run to run.
    if isinstance(quota_shares, PlannedShares):
        named: Iterable[tuple[Any, Any]] = quota_shares.items()
    elif isinstance(quota_shares, str | Mapping | AbstractSet) or not isinstance(
        quota_shares, Iterable
    ):
        arguments.fault("quota_shares", quota_shares, "Must be a list of QuotaShareOptions.", fix)
        return {}
    else:
        named = enumerate(quota_shares)
    shares: dict[str, CheckedShare] = {}
    for key, options in named:
        place = f"quota_shares[{key!r}]"
        if not isinstance(options, QuotaShareOptions):
            arguments.fault(place, options, "Must be a QuotaShareOptions.", fix)
            continue
        share = share_of(options._properties, tags)
        policy = options._removal_policy or removal_policy
        shares[place] = CheckedShare(share, policy, "", judge(share), [])
    return shares
