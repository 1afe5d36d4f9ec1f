"""What a changed job queue does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from qm_constructs.changes import binding
from qm_constructs.changes.capacity_limits import lower_limits
from qm_constructs.changes.effects import (
    ENVIRONMENT_UPDATES,
    QUOTA_MANAGEMENT,
    UPDATE_QUEUE,
    Effect,
    Hit,
)
from qm_constructs.changes.matching import ENVIRONMENT_PROPERTY, Matching, Pair
from qm_constructs.changes.side import Deployed
from qm_constructs.changes.state import state_hits
from qm_constructs.changes.time_limits import (
    ENVIRONMENT_EXCEEDED,
    time_limit_hits,
    what_fits_no_longer,
)
from qm_constructs.changes.values import names, same_in_any_order
from qm_constructs.plan import QueuePlan

_POLICY: Final = "SchedulingPolicyArn"
_QUOTA_SHARE: Final = "a quota-share policy"
_FAIR_SHARE: Final = "a fair-share policy"


def hits(matching: Matching, pair: Pair) -> Iterator[Hit]:
    """Yields what the changes of a queue's own properties do, other than a replacement."""
    before, after = matching.plans(pair)
    who = f"The queue {named(pair.new)}"
    yield from _policy(matching, pair, who)
    if pair.differs(ENVIRONMENT_PROPERTY):
        yield from _environment(matching, pair, who, before, after)
    shares = [matching.new.of_resource[share].share for share in after.shares] if after else []
    hit = f" This is so for its shares {names(shares)}." if shares else ""
    yield from state_hits(
        pair,
        who,
        blocked=f"It takes no new jobs; queued and running jobs go on.{hit}",
        source=UPDATE_QUEUE,
    )
    yield from time_limit_hits(pair)


def named(queue: Deployed) -> str:
    """Returns how a message names a queue: by its name as far as that is known."""
    return f"'{queue.name}'" if isinstance(queue.name, str) else f"'{queue.id}'"


# -- its scheduling policy


def _policy(matching: Matching, pair: Pair, who: str) -> Iterator[Hit]:
    if not pair.differs(_POLICY):
        return
    before, after = (side.resource.at((_POLICY,)) for side in (pair.old, pair.new))
    old, new = (_kind(plan) for plan in matching.plans(pair))
    effect, advice = Effect.CANNOT_DEPLOY, "Make a new queue with the policy beside this one."
    if after is None:
        text = (
            f"{who} loses its scheduling policy, which can be replaced but never removed; "
            "AWS says so of fair-share policies."
        )
        advice = "Keep a scheduling policy on the queue, or make a new queue."
    elif before is None:
        text = f"{who} gets a scheduling policy, and was made without one: it stays FIFO."
    elif old is not None and old == new:
        effect, advice = Effect.SAFE, ""
        text = f"{who} gets another scheduling policy of the same kind."
    elif old is None or new is None:
        text = (
            f"{who} gets another scheduling policy, and the templates do not tell whether it is of "
            "the same kind."
        )
        advice = "See that both are quota-share policies."
    else:
        text = (
            f"{who} goes from {old} to {new}; AWS has not confirmed that a queue can change over."
        )
    yield Hit(effect, _POLICY, text, advice, UPDATE_QUEUE)


def _kind(plan: QueuePlan | None) -> str | None:
    policy = plan.policy if plan is not None else None
    if policy is None:
        return None
    members = (("QuotaSharePolicy", _QUOTA_SHARE), ("FairsharePolicy", _FAIR_SHARE))
    found = [kind for member, kind in members if policy.at((member,)) is not None]
    return found[0] if len(found) == 1 else None


# -- its service environment


def _environment(
    matching: Matching, pair: Pair, who: str, before: QueuePlan | None, after: QueuePlan | None
) -> Iterator[Hit]:
    old, new = (side.resource.at((ENVIRONMENT_PROPERTY,)) for side in (pair.old, pair.new))
    references = [side.references.get(ENVIRONMENT_PROPERTY) for side in (pair.old, pair.new)]
    if new is None or new == []:
        yield Hit(
            Effect.CANNOT_DEPLOY,
            ENVIRONMENT_PROPERTY,
            f"{who} loses its service environment, which a queue of SageMaker Training must have.",
            "Leave it with the queue.",
            QUOTA_MANAGEMENT,
        )
    elif same_in_any_order(old, new) or (
        None not in references and _target(references[0]) == _target(references[1])
    ):
        yield Hit(
            Effect.SAFE, ENVIRONMENT_PROPERTY, f"{who} has the same service environment as before."
        )
    else:
        bound = binding.holder(matching, pair.new)
        if bound is not None:
            yield binding.is_bound(pair.new, bound, is_made=False)
            if bound.is_certain:
                return
        lower = lower_limits(*(plan.environment if plan else None for plan in (before, after)))
        yield Hit(
            Effect.SLOWS_JOBS,
            ENVIRONMENT_PROPERTY,
            f"{who} gets another service environment.{lower} AWS does not say what becomes of the "
            f"jobs that run.{what_fits_no_longer(after, ENVIRONMENT_EXCEEDED) if lower else ''}",
            "Let its jobs finish first: disable the queue, wait, then change it and enable it.",
            ENVIRONMENT_UPDATES,
        )


def _target(reference: Any) -> Any:
    return reference.target
