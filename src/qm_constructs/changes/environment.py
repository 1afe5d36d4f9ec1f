"""What a changed service environment does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from qm_constructs.changes import lifecycle
from qm_constructs.changes.capacity_limits import PROPERTY, limit_hits, moved
from qm_constructs.changes.effects import ENVIRONMENT_UPDATES, Effect, Hit
from qm_constructs.changes.matching import Matching, Pair
from qm_constructs.changes.side import Deployed
from qm_constructs.changes.state import state_hits
from qm_constructs.changes.time_limits import (
    ENVIRONMENT_EXCEEDED,
    has_time_limit,
    what_fits_no_longer,
)
from qm_constructs.changes.values import limits_of, name_of_share, names
from qm_constructs.plan import QueuePlan, Resource
from qm_constructs.rules.time_limits import MAX_TIME_SECONDS


def hits(matching: Matching, pair: Pair) -> Iterator[Hit]:
    """Yields what the changes of a service environment do, other than a replacement."""
    plans = matching.new.plans_on.get(pair.new.resource, [])
    who = f"the service environment {named(pair.new)}"
    yield from limit_hits(
        pair.old.resource,
        pair.new.resource,
        partial(_less, who, plans),
        partial(_more, who),
    )
    yield from _state(pair)


def hits_of_new(matching: Matching, pair: Pair) -> Iterator[Hit]:
    """Yields what a service environment does that is made anew, to queues that stay.

    Args:
        matching: The resources of both sides.
        pair: The service environment.
    """
    if lifecycle.is_of_a_kept_queue(matching, pair):
        yield from _state(pair)


def _state(pair: Pair) -> Iterator[Hit]:
    return state_hits(
        pair,
        f"The service environment {named(pair.new)}",
        blocked="Its queues start no job any more until it is enabled again.",
        source=ENVIRONMENT_UPDATES,
    )


def named(environment: Deployed) -> str:
    """Returns how a message names an environment: by its name as far as that is known."""
    name = environment.name
    return f"'{name}'" if isinstance(name, str) else f"'{environment.id}'"


def _less(
    who: str,
    plans: list[QueuePlan],
    unit: str | None,
    before: Any,
    after: Any,
) -> Hit:
    shares = [share for plan in plans for share in plan.shares if _holds(share, unit)]
    hit = [name_of_share(share) for share in shares]
    if after is None and unit is not None:
        then = "Jobs on that type wait until there is a limit again; AWS does not say what becomes "
        then += "of those that run."
    else:
        then = "Running jobs stay, and waiting ones that still fit start later."
    held = f" It is held by {names(hit)}." if hit and unit is not None else ""
    plan = plans[0] if len(plans) == 1 else None
    return Hit(
        Effect.SLOWS_JOBS,
        PROPERTY,
        f"The limit of {who} {moved(unit, before, after)}. {then}{held}"
        f"{what_fits_no_longer(plan, ENVIRONMENT_EXCEEDED)}",
        _advice(plan),
        ENVIRONMENT_UPDATES,
        hit[0] if len(hit) == 1 else None,
        unit,
        before,
        after,
    )


def _advice(plan: QueuePlan | None) -> str:
    if not has_time_limit(plan, ENVIRONMENT_EXCEEDED):
        return ""
    return (
        f"Raise the time limit {ENVIRONMENT_EXCEEDED} (to {MAX_TIME_SECONDS} s at most) in a "
        "deploy of its own first, so that these jobs can be submitted anew, smaller. Do not take "
        "it out: it may stay in force."
    )


def _holds(share: Resource, unit: str | None) -> bool:
    limits = limits_of(share)
    return unit is None or bool(limits.open) or unit in limits.by_unit


def _more(who: str, unit: str | None, before: Any, after: Any) -> Hit:
    text = f"The limit of {who} {moved(unit, before, after)}."
    return Hit(
        Effect.SAFE,
        PROPERTY,
        text,
        "",
        ENVIRONMENT_UPDATES,
        None,
        unit,
        before,
        after,
    )
