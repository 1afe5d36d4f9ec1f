"""Which other queue a service environment is bound to when a queue comes to it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from qm_constructs.changes.effects import QUOTA_MANAGEMENT, Effect, Hit
from qm_constructs.changes.matching import ENVIRONMENT_PROPERTY, Matching
from qm_constructs.changes.side import Deployed
from qm_constructs.plan import JOB_QUEUE


@dataclass(frozen=True)
class Holder:
    """A queue that stands in the way of another one that comes to its service environment.

    Args:
        queue: That queue.
        has_it: The end of a sentence about the environment: until when that queue has it.
        is_certain: Whether it still has it after the deploy.
        leaves: Whether it goes over to another environment in the same deploy.
    """

    queue: Deployed
    has_it: str
    is_certain: bool = False
    leaves: bool = False


def holder(matching: Matching, new: Deployed) -> Holder | None:
    """Returns what stands in the way of a queue that comes to a service environment.

    Args:
        matching: The resources of both sides.
        new: A queue that is made, or goes over to another environment.
    """
    reference = new.references.get(ENVIRONMENT_PROPERTY) if new.type == JOB_QUEUE else None
    if reference is None or not _is_managed(matching, new):
        return None
    has_it = next(_that_have_it(matching, new, reference.target), None)
    if has_it is not None or matching.is_new(reference.target):
        return has_it
    return next(_that_had_it(matching, new, reference.target), None)


def _that_have_it(matching: Matching, new: Deployed, target: Hashable) -> Iterator[Holder]:
    for other in matching.new.deployed.values():
        if other.key == new.key or other.type != JOB_QUEUE or _target(other) != target:
            continue
        if _is_managed(matching, other):
            pair = matching.pairs.get(other.key)
            keeps = pair is not None and not pair.replaced_by and _target(pair.old) == target
            verb = "keeps" if keeps else "gets too"
            yield Holder(other, f"the queue '{_named(other)}' {verb}", is_certain=True)


def _that_had_it(matching: Matching, new: Deployed, target: Hashable) -> Iterator[Holder]:
    for old in matching.queues_on.get(target, ()):
        pair = matching.pairs.get(old.key)
        who = "the old queue" if old.key == new.key else f"the queue '{_named(old)}'"
        if matching.is_retained(old):
            yield Holder(old, f"{who}, which is retained, keeps", is_certain=True)
        elif pair is None or pair.replaced_by:
            until = "until CloudFormation deletes it at the end of the update"
            yield Holder(old, f"{who} has {until}")
        elif old.key != new.key and _target(pair.new) != target:
            yield Holder(old, f"{who} gives up in the same update", leaves=True)


def _target(queue: Deployed) -> Hashable:
    reference = queue.references.get(ENVIRONMENT_PROPERTY)
    return None if reference is None else reference.target


def _is_managed(matching: Matching, new: Deployed) -> bool:
    plan = matching.new.plan_of.get(new.resource)
    return plan is not None and plan.quota_management


def _named(queue: Deployed) -> str:
    return queue.name if isinstance(queue.name, str) else queue.id


def is_bound(new: Deployed, found: Holder, *, is_made: bool) -> Hit:
    """Returns what it does that an environment is bound to another queue.

    Args:
        new: The queue that comes to it.
        found: What stands in the way.
        is_made: Whether the queue is made by the deploy.
    """
    text = (
        f"The queue '{_named(new)}' {'is made on' if is_made else 'goes over to'} a service "
        f"environment that {found.has_it}, and one serves one queue only."
    )
    if found.leaves:
        text += (
            " Whether it is free by then depends on the order in which CloudFormation updates the "
            "two."
        )
    other = "another logical id or name for it" if new.written is None else "another name for it"
    advice = (
        f"Give the {'new ' if is_made else ''}queue a service environment of its own: {other} in "
        "the same deploy."
    )
    if found.leaves:
        advice = (
            "Give the queue a new service environment, or move "
            f"'{_named(found.queue)}' to another one first: two deploys."
        )
    if not found.is_certain:
        text += " AWS has not confirmed that this fails."
    return Hit(Effect.CANNOT_DEPLOY, ENVIRONMENT_PROPERTY, text, advice, QUOTA_MANAGEMENT)
