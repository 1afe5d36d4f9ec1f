"""The ``plan`` of a queue: what its quotas file sets, in the place of the call's arguments."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from aws_cdk import Duration

from qm_constructs import defaults
from qm_constructs.arguments import Arguments
from qm_constructs.constructs.job_state_time_limits import DEFAULT, JobStateTimeLimits
from qm_constructs.constructs.quota_share import QuotaShareOptions
from qm_constructs.defaults import Default
from qm_constructs.errors import QuotaManagementError, shown
from qm_constructs.plan import Path
from qm_constructs.quota_plan import QuotaPlan
from qm_constructs.quotas.from_plan import values_of
from qm_constructs.quotas.keys import SCHEMA_KEY
from qm_constructs.resource_sharing import ResourceSharing

if TYPE_CHECKING:
    from qm_constructs.quotas.loading import Source

PRIORITY: Final[Any] = Default(defaults.PRIORITY)
ENABLED: Final[Any] = Default(defaults.ENABLED)

ONE_OF: Final = "capacity_limits, service_environment and plan"
"""What gives a queue its capacity."""

_LEFT_OUT: Final = (None, (), PRIORITY, ENABLED, DEFAULT)


class PlannedShares(dict[str, QuotaShareOptions]):
    """The shares of a plan, by name."""


def with_plan(arguments: Arguments, plan: Any, call: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a call's arguments, with those of a plan's file where there is a plan.

    Args:
        arguments: The arguments of the call, which keep what is wrong.
        plan: The plan; None when none was given.
        call: What the call gave for all else that a file may set.
    """
    given = {name: value for name, value in call.items() if not _is_left_out(value)}
    usual = {name: value.value for name, value in call.items() if isinstance(value, Default)}
    if plan is None:
        return {**call, **usual, **given}
    if not isinstance(plan, QuotaPlan):
        fix = "Write plan=QuotaPlan.from_file('quotas.yaml'), say."
        if isinstance(plan, str) and plan:
            fix = f"Write plan=QuotaPlan.from_file({shown(plan)})."
        arguments.fault("plan", plan, "Must be a QuotaPlan.", fix)
        arguments.raise_faults()
    try:
        file = {key: part for key, part in values_of(plan, "").items() if key != SCHEMA_KEY}
        ours = _as_arguments(file)
    except QuotaManagementError as error:
        # Of a template's plan; a file has been judged when it was read.
        raise QuotaManagementError(arguments.call, error.faults) from None
    for name in given:
        if name in ours:
            value = "" if isinstance(file[name], Mapping) else f": {shown(file[name])}"
            problem = f"The plan sets it too{_at(plan, (name,))}{value}."
            if name == "capacity_limits":
                problem = f"Exactly one of {ONE_OF} must be given; plan is too{_at(plan, (name,))}."
            arguments.fault(
                name, call[name], problem, f"Leave out {name} or take it from the file."
            )
    if "service_environment" in given:
        problem = f"Exactly one of {ONE_OF} must be given; plan is too."
        arguments.fault(
            "service_environment",
            call["service_environment"],
            problem,
            "Leave one of them out: the capacity limits of the plan make a service environment.",
        )
    arguments.raise_faults()
    source = plan.source
    if source is not None:
        arguments.place_of = partial(_place_of, source)
    return {**call, **usual, **given, **ours}


def _is_left_out(value: Any) -> bool:
    # By identity: what a caller gives may be equal to anything.
    return any(value is usual for usual in _LEFT_OUT)


def _at(plan: QuotaPlan, path: Path) -> str:
    return "" if plan.source is None else f", in {plan.source.place(path)}"


def _as_arguments(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments that say the same as the values of a file."""
    found = dict(values)
    if "quota_shares" in values:
        found["quota_shares"] = PlannedShares(
            (name, _options(name, share)) for name, share in values["quota_shares"].items()
        )
    if "job_state_time_limits" in values:
        found["job_state_time_limits"] = JobStateTimeLimits(
            **{
                limit: None if seconds is None else Duration.seconds(seconds)
                for limit, seconds in values["job_state_time_limits"].items()
            }
        )
    return found


def _options(name: str, share: Mapping[str, Any]) -> QuotaShareOptions:
    rest = dict(share)
    if "resource_sharing" in rest:
        rest["resource_sharing"] = ResourceSharing(**rest["resource_sharing"])
    return QuotaShareOptions(name, **rest)


def _place_of(source: Source, argument: str) -> str | None:
    """Returns where the file has what an argument was made from; None for one of the call's own."""
    for name in source.values.get("quota_shares", {}):
        if argument.startswith(f"quota_shares[{name!r}]"):
            return source.place(("quota_shares", name))
    key = argument.partition("[")[0].partition(".")[0]
    return source.place((key,)) if key in source.values else None
