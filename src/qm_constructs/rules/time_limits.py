"""JT: what AWS asks of the job state time limit actions of a queue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from qm_constructs.errors import shown
from qm_constructs.plan import JOB_QUEUE, Path, Resource, Unknown
from qm_constructs.rules import _checks
from qm_constructs.rules._examples import LEFT_OUT, Pair
from qm_constructs.rules._rule import API, OBSERVED, Evidence, Rule, Severity, Violation
from qm_constructs.rules.job_queue import is_for_training, is_made_of_containers

MIN_TIME_SECONDS: Final = 600
MAX_TIME_SECONDS: Final = 86400

# What AWS Batch compares with, to the letter.
TERMINATE: Final = "TERMINATE"
RUNNABLE: Final = "RUNNABLE"
SERVICE_ENVIRONMENT_MAX_RESOURCE: Final = "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE"
QUOTA_MANAGEMENT_LIMIT_EXCEEDED: Final = "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"
INSUFFICIENT_INSTANCE_CAPACITY: Final = "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY"
REASONS: Final = (
    SERVICE_ENVIRONMENT_MAX_RESOURCE,
    QUOTA_MANAGEMENT_LIMIT_EXCEEDED,
    INSUFFICIENT_INSTANCE_CAPACITY,
)

_ACTIONS: Final[Path] = ("JobStateTimeLimitActions",)
_MODEL: Final = f"{API}/API_JobStateTimeLimitAction.html"
_GUIDE: Final = (
    "https://docs.aws.amazon.com/batch/latest/userguide/"
    "sm_job_stuck_in_runnable_time_limit_actions.html"
)
_SOUND: Final = {
    "Reason": QUOTA_MANAGEMENT_LIMIT_EXCEEDED,
    "State": RUNNABLE,
    "MaxTimeSeconds": 3600,
    "Action": TERMINATE,
}


def _pair(member: str, value: Any) -> Pair:
    faulty = {key: part for key, part in _SOUND.items() if key != member}
    if value is not LEFT_OUT:
        faulty[member] = value
    return _pair_of([faulty])


def _pair_of(actions: list[dict[str, Any]]) -> Pair:
    path = "Queue.JobStateTimeLimitActions"
    return Pair({path: actions}, {path: [_SOUND]})


JT_01 = Rule(
    id="JT-01",
    title="A job state time limit action has a reason, a state, a time and an action",
    why="CloudFormation's schema of the type requires all four.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_MODEL,
    pair=_pair("Action", LEFT_OUT),
)
JT_02 = Rule(
    id="JT-02",
    title="A job state time limit action is for the state RUNNABLE",
    why="CloudFormation's schema of the type has no other.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_MODEL,
    pair=_pair("State", "RUNNING"),
)
JT_03 = Rule(
    id="JT-03",
    title="The action on a waiting SageMaker Training job is TERMINATE",
    why="AWS Batch refuses it: 'Invalid job action. Valid job actions: [TERMINATE]'. CANCEL is for "
    "container jobs.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_GUIDE,
    pair=_pair("Action", "CANCEL"),
)
JT_04 = Rule(
    id="JT-04",
    title="A job state time limit action acts after 600 to 86400 seconds",
    why="CloudFormation's schema of the type refuses any other.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_MODEL,
    pair=_pair("MaxTimeSeconds", 60),
)
JT_05 = Rule(
    id="JT-05",
    title="The reason is one of the three that AWS Batch has for SageMaker Training jobs",
    why="The action acts on jobs that wait for exactly this reason; the reasons of container jobs "
    "are others.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source=_GUIDE,
    pair=_pair("Reason", "MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT"),
)
JT_06 = Rule(
    id="JT-06",
    title="A queue has one job state time limit action for each state and reason",
    why="AWS Batch refuses it: 'Duplicate job state limit actions are not allowed.'",
    severity=Severity.ERROR,
    evidence=Evidence.OBSERVED,
    source=f"{OBSERVED}/pf-batch-jq-jstla-duplicate",
    pair=_pair_of([_SOUND, {**_SOUND, "MaxTimeSeconds": 7200}]),
)
JT_08 = Rule(
    id="JT-08",
    title="The reason has its prefix, CAPACITY: or MISCONFIGURATION:",
    why="The console shows the reasons without it. AWS does not say whether such a reason is "
    "refused, or is taken and never matches.",
    severity=Severity.WARNING,
    evidence=Evidence.UNCONFIRMED,
    source=_GUIDE,
    unconfirmed="AWS has not confirmed whether it takes this.",
    pair=_pair("Reason", "QUOTA_MANAGEMENT_LIMIT_EXCEEDED"),
)

_WITH_PREFIX: Final = {reason.split(":")[1]: reason for reason in REASONS}


def _is_of_training_jobs(queue: Resource) -> bool:
    # A queue of containers that has the type of another is at fault for that alone (JQ-04).
    return is_for_training(queue) and not is_made_of_containers(queue)


@JT_01.on(JOB_QUEUE)
def _required(queue: Resource) -> Iterator[Violation]:
    for index, _ in _checks.entries(queue, _ACTIONS):
        what = "A job state time limit action"
        yield from _checks.missing(queue, (*_ACTIONS, index), what)


@JT_02.on(JOB_QUEUE)
def _state(queue: Resource) -> Iterator[Violation]:
    for index, _ in _checks.entries(queue, _ACTIONS):
        path: Path = (*_ACTIONS, index, "State")
        yield from _checks.one_of(queue, path, "The state of a time limit", (RUNNABLE,))


@JT_03.on(JOB_QUEUE)
def _action(queue: Resource) -> Iterator[Violation]:
    if _is_of_training_jobs(queue):
        for index, _ in _checks.entries(queue, _ACTIONS):
            path: Path = (*_ACTIONS, index, "Action")
            what = "The action on a SageMaker Training job"
            yield from _checks.one_of(queue, path, what, (TERMINATE,))


@JT_04.on(JOB_QUEUE)
def _time(queue: Resource) -> Iterator[Violation]:
    for index, _ in _checks.entries(queue, _ACTIONS):
        path: Path = (*_ACTIONS, index, "MaxTimeSeconds")
        value = queue.at(path)
        written = shown(value) if isinstance(value, str) else f"{value} seconds"
        this = "" if isinstance(value, Unknown) else f"; this one is {written}"
        yield from _checks.whole_number(
            queue,
            path,
            (MIN_TIME_SECONDS, MAX_TIME_SECONDS),
            f"A job state time limit is {MIN_TIME_SECONDS} to {MAX_TIME_SECONDS} seconds "
            f"(10 minutes to 24 hours){this}.",
            "Give a duration in that range, or no limit.",
        )


@JT_05.on(JOB_QUEUE)
def _reason(queue: Resource) -> Iterator[Violation]:
    if _is_of_training_jobs(queue):
        for index, entry in _checks.entries(queue, _ACTIONS):
            if str(entry.get("Reason")) not in _WITH_PREFIX:
                path: Path = (*_ACTIONS, index, "Reason")
                yield from _checks.one_of(queue, path, "The reason", REASONS)


@JT_06.on(JOB_QUEUE)
def _twice(queue: Resource) -> Iterator[Violation]:
    seen: set[tuple[str, str]] = set()
    for index, entry in _checks.entries(queue, _ACTIONS):
        state, reason = entry.get("State"), entry.get("Reason")
        if isinstance(state, str) and isinstance(reason, str):
            if (state, reason) in seen:
                yield Violation(
                    (*_ACTIONS, index),
                    f"The queue already has an action for {state} and {reason}.",
                    "Keep one of them.",
                )
            seen.add((state, reason))


@JT_08.on(JOB_QUEUE)
def _without_prefix(queue: Resource) -> Iterator[Violation]:
    if _is_of_training_jobs(queue):
        for index, entry in _checks.entries(queue, _ACTIONS):
            whole = _WITH_PREFIX.get(str(entry.get("Reason")))
            if whole is not None:
                yield Violation(
                    (*_ACTIONS, index, "Reason"),
                    "AWS Batch writes this reason with a prefix.",
                    f"Write {whole!r}.",
                )


RULES = (JT_01, JT_02, JT_03, JT_04, JT_05, JT_06, JT_08)
