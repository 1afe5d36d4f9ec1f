"""What changed job state time limits do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from qm_constructs.changes.effects import TIME_LIMITS, Effect, Hit
from qm_constructs.changes.matching import Pair
from qm_constructs.changes.values import identity, same
from qm_constructs.plan import QueuePlan, Resource, is_whole_number
from qm_constructs.rules.time_limits import (
    QUOTA_MANAGEMENT_LIMIT_EXCEEDED,
    SERVICE_ENVIRONMENT_MAX_RESOURCE,
)

_PROPERTY: Final = "JobStateTimeLimitActions"
_LONGEST: Final = "MaxTimeSeconds"

_ADVICE: Final = (
    "Look first which jobs wait for that reason: what AWS Batch shows as the reason of a blocked "
    "queue."
)


SHARE_EXCEEDED: Final = QUOTA_MANAGEMENT_LIMIT_EXCEEDED
ENVIRONMENT_EXCEEDED: Final = SERVICE_ENVIRONMENT_MAX_RESOURCE


def what_fits_no_longer(plan: QueuePlan | None, reason: str) -> str:
    """Returns a sentence about what becomes of waiting jobs that no longer fit.

    Args:
        plan: The queue; None where it is not known.
        reason: The reason for which such a job waits.
    """
    # Of a queue that is made elsewhere no property is known.
    is_known = plan is not None and bool(plan.queue.properties)
    limits: dict[str | None, Any] = {None: None}
    if plan is not None and is_known:
        limits = _by_reason(plan.queue)
    longest = limits.get(reason)
    if isinstance(longest, Mapping):
        seconds = longest.get(_LONGEST)
        after = f" after {seconds} s" if is_whole_number(seconds) else ""
        end = f"is ended{after} by the queue's time limit {reason}"
    else:
        end = (
            "never runs: it waits in RUNNABLE until somebody terminates it, and blocks its share "
            "meanwhile"
        )
        if None in limits or reason in limits:
            end += f", unless the queue has a time limit {reason}"
    return f" A waiting job that fits no longer {end}."


def has_time_limit(plan: QueuePlan | None, reason: str) -> bool:
    """Tells whether a queue is known to have a time limit for a reason."""
    return plan is not None and reason in _by_reason(plan.queue)


def time_limit_hits(pair: Pair) -> Iterator[Hit]:
    """Yields what the changed job state time limits of a queue do."""
    if not pair.differs(_PROPERTY):
        return
    before, after = (_by_reason(side.resource) for side in (pair.old, pair.new))
    for reason in dict.fromkeys([*before, *after]):
        if not same(before.get(reason), after.get(reason)):
            yield _hit(reason, before.get(reason), after.get(reason))


def _by_reason(queue: Resource) -> dict[str | None, Any]:
    """Returns the time limits by their reason; those without one together under None."""
    actions = queue.at((_PROPERTY,))
    if not isinstance(actions, list):
        return {} if actions is None else {None: actions}
    found: dict[str | None, list[Any]] = {}
    for action in actions:
        reason = action.get("Reason") if isinstance(action, Mapping) else None
        found.setdefault(reason if isinstance(reason, str) else None, []).append(action)
    return {
        reason: sorted(several, key=lambda action: str(identity(action)))
        if len(several) > 1 or reason is None
        else several[0]
        for reason, several in found.items()
    }


def _hit(reason: str | None, before: Any, after: Any) -> Hit:
    old, new = _seconds(before), _seconds(after)
    which = f"The time limit {reason}" if reason else "A job state time limit that is not known"
    if after is None:
        effect = Effect.SAFE
        text = (
            f"{which} is taken out. AWS has not confirmed that it ends: an update leaves alone "
            "what a template leaves out, so it may stay in force."
        )
    elif before is None:
        effect = Effect.TERMINATES_JOBS
        text = f"{which} comes: a job that waits {_how_long(new)} for that reason is ended."
    elif not is_whole_number(old) or not is_whole_number(new) or _differ_elsewhere(before, after):
        effect = Effect.TERMINATES_JOBS
        text = f"{which} changes, and may end jobs that wait: the templates do not tell."
    elif new > old:
        effect = Effect.SAFE
        text = f"{which} rises from {old} s to {new} s."
    else:
        effect = Effect.TERMINATES_JOBS
        text = f"{which} falls from {old} s to {new} s: jobs that have waited longer are ended."
    advice = _ADVICE if effect is Effect.TERMINATES_JOBS else ""
    return Hit(effect, _PROPERTY, text, advice, TIME_LIMITS, before=old, after=new)


def _seconds(action: Any) -> Any:
    return action.get(_LONGEST) if isinstance(action, Mapping) else None


def _differ_elsewhere(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    rest = [
        {key: value for key, value in action.items() if key != _LONGEST}
        for action in (before, after)
    ]
    return not same(*rest)


def _how_long(seconds: Any) -> str:
    return f"{seconds} s" if is_whole_number(seconds) else "longer"
