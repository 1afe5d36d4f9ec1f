"""``JobStateTimeLimits``: how long a job may wait before AWS Batch ends it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from aws_cdk import Duration

from qm_constructs.arguments import NOT_KNOWN, Arguments, source_of
from qm_constructs.defaults import TIME_LIMIT_SECONDS, time_limit_action
from qm_constructs.plan import JOB_QUEUE, SAGEMAKER_TRAINING, Resource, UnknownNumber
from qm_constructs.rules import judge
from qm_constructs.tokens import is_token


class _Default:
    def __repr__(self) -> str:
        return "<default>"


_DEFAULT: Final[Any] = _Default()


class JobStateTimeLimits:
    """How long a job may wait at the head of its share, by the reason, before it is terminated.

    Each is a ``Duration`` of 600 to 86400 seconds, or None for no limit; what is left out keeps its
    default. Limits taken out of a queue that is deployed already may stay in force: an update
    leaves alone what a template leaves out.

    Args:
        service_environment_max_resource: For a job larger than the service environment's capacity
            limit; 1 hour by default. While limits are lowered for maintenance, queued jobs that
            no longer fit are ended by this: give None before.
        quota_management_limit_exceeded: For a job larger than its quota share may ever use; 1 hour
            by default.
        insufficient_instance_capacity: For a job that waits for AWS to have the instances; None by
            default. The time in SCHEDULED counts over all tries.

    Raises:
        QuotaManagementError: What is given is no Duration, or is not from 10 minutes to 24 hours.

    Source: https://docs.aws.amazon.com/batch/latest/userguide/sm_job_stuck_in_runnable_time_limit_actions.html
    """

    def __init__(
        self,
        *,
        service_environment_max_resource: Duration | None = _DEFAULT,
        quota_management_limit_exceeded: Duration | None = _DEFAULT,
        insufficient_instance_capacity: Duration | None = _DEFAULT,
    ) -> None:
        given = {
            "service_environment_max_resource": service_environment_max_resource,
            "quota_management_limit_exceeded": quota_management_limit_exceeded,
            "insufficient_instance_capacity": insufficient_instance_capacity,
        }
        arguments = Arguments("JobStateTimeLimits()")
        actions: list[dict[str, Any]] = []
        argument_at: list[str] = []
        for argument, duration in given.items():
            seconds = (
                TIME_LIMIT_SECONDS[argument]
                if duration is _DEFAULT
                else _seconds(arguments, argument, duration)
            )
            if seconds is not None:
                argument_at.append(argument)
                arguments.given[argument] = _Seconds(seconds) if isinstance(seconds, int) else None
                actions.append(time_limit_action(argument, seconds))
        rest = {"Priority": NOT_KNOWN, "JobQueueType": SAGEMAKER_TRAINING}
        queue = Resource(JOB_QUEUE, {**rest, "JobStateTimeLimitActions": actions})
        arguments.findings(judge(queue), lambda found: argument_at[int(found.path[1])])
        arguments.raise_faults()
        self._actions = actions

    def __repr__(self) -> str:
        limits = (
            f"{action['Reason']} after {source_of(action['MaxTimeSeconds'])}s"
            for action in self._actions
        )
        return f"<JobStateTimeLimits {', '.join(limits) or 'none'}>"

    @classmethod
    def none(cls) -> JobStateTimeLimits:
        """Sets no limit: a job waits until it runs or somebody ends it."""
        return cls(
            service_environment_max_resource=None,
            quota_management_limit_exceeded=None,
            insufficient_instance_capacity=None,
        )


class _Seconds(int):
    def __repr__(self) -> str:
        return f"Duration.seconds({int(self)})"


def _seconds(arguments: Arguments, argument: str, duration: object) -> int | UnknownNumber | None:
    if duration is None:
        return None
    if not isinstance(duration, Duration):
        problem = "Must be a Duration of aws_cdk, or None for no limit."
        arguments.fault(argument, duration, problem, f"Write {_as_duration(duration)}, say.")
        return None
    try:
        seconds = duration.to_seconds()
    except RuntimeError:
        arguments.fault(
            argument,
            _Milliseconds(duration),
            "Must be a whole number of seconds; a token can be counted in seconds only.",
            "Write it with Duration.seconds().",
        )
        return None
    return UnknownNumber(seconds) if is_token(seconds) else int(seconds)


def _as_duration(value: object) -> str:
    """Says how to write as a Duration what a caller counted otherwise."""
    seconds = value
    if isinstance(value, timedelta):
        seconds = value.total_seconds()
    if isinstance(seconds, int | float) and not isinstance(seconds, bool):
        sensible = 0 < seconds < 10**9  # false for nan too
        if sensible and seconds == int(seconds):
            return f"Duration.seconds({int(seconds)})"
    return "Duration.hours(1)"


class _Milliseconds:
    def __init__(self, duration: Duration) -> None:
        self._duration = duration

    def __repr__(self) -> str:
        try:
            return f"Duration.millis({self._duration.to_milliseconds():.0f})"
        except RuntimeError:
            return "a Duration of a token"


def read_job_state_time_limits(
    arguments: Arguments, argument: str, value: Any
) -> list[dict[str, Any]]:
    """Returns the actions in the CloudFormation view; what is no time limits is a fault."""
    if isinstance(value, JobStateTimeLimits):
        return value._actions
    fix = (
        "Write JobStateTimeLimits.none() for no limits, or leave it out for the default."
        if value is None
        else "Write JobStateTimeLimits(insufficient_instance_capacity=Duration.hours(4)), say."
    )
    arguments.fault(argument, value, "Must be a JobStateTimeLimits.", fix)
    return []


DEFAULT: Final = JobStateTimeLimits()
"""The time limits of a queue that asks for no others."""
