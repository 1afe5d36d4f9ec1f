"""What it does to make, to remove or to replace a resource."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from qm_constructs.changes import binding
from qm_constructs.changes.capacity_limits import lower_limits
from qm_constructs.changes.effects import (
    CUSTOM_NAME,
    DELETE_ENVIRONMENT,
    DELETE_POLICY,
    DELETE_QUEUE,
    DELETE_SHARE,
    DELETION_POLICY,
    REPLACE_POLICY,
    UPDATES,
    Effect,
    Hit,
)
from qm_constructs.changes.matching import (
    QUEUE_PROPERTY,
    Matching,
    Pair,
)
from qm_constructs.changes.side import RETAINING, Deployed
from qm_constructs.changes.state import may_be_enabled
from qm_constructs.changes.time_limits import ENVIRONMENT_EXCEEDED, what_fits_no_longer
from qm_constructs.changes.values import names, told
from qm_constructs.plan import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    Unknown,
)
from qm_constructs.schema import NAME_PROPERTY

_NOUN: Final = {
    SCHEDULING_POLICY: "scheduling policy",
    SERVICE_ENVIRONMENT: "service environment",
    JOB_QUEUE: "queue",
    QUOTA_SHARE: "share",
}
_DELETED_LAST: Final = {
    SERVICE_ENVIRONMENT: DELETE_ENVIRONMENT,
    SCHEDULING_POLICY: DELETE_POLICY,
}
_ENDS_JOBS: Final = {QUOTA_SHARE: DELETE_SHARE, JOB_QUEUE: DELETE_QUEUE}
_DRAIN_FIRST: Final = "Disable it and let its jobs finish first, then remove it: two deploys."
_AT_THE_END: Final = (
    " AWS has not confirmed that the deploy fails: CloudFormation deletes what is taken out after "
    "the update, and may leave it there instead."
)
_OR_RETAIN: Final = " DeletionPolicy: Retain, deployed before, keeps it."


def who(deployed: Deployed) -> str:
    """Returns how a message names a resource: by its name as far as that is known."""
    name = deployed.name if isinstance(deployed.name, str) else deployed.id
    return f"{_NOUN[deployed.type]} '{name}'"


def added(matching: Matching, new: Deployed) -> Iterator[Hit]:
    """Yields what it does to make a resource."""
    holder = matching.taken_names.get(new.key)
    if holder is not None:
        yield _name_is_taken(matching, new, holder)
    elif (bound := binding.holder(matching, new)) is not None:
        yield binding.is_bound(new, bound, is_made=True)
    else:
        yield Hit(Effect.SAFE, "", f"The {who(new)} is new.", share=new.share)


def removed(matching: Matching, old: Deployed) -> Iterator[Hit]:
    """Yields what it does to take a resource out."""
    # In one stack the update fails before anything is deleted.
    if old.key not in matching.moved:
        yield removal(matching, old)


def removal(matching: Matching, old: Deployed, *, maybe: bool = False) -> Hit:
    """Returns what it does to take a resource out.

    Args:
        matching: The resources of both sides.
        old: The resource.
        maybe: Whether the templates do not tell if it is taken out.
    """
    root = matching.old.root_of[old.key[0]]
    is_gone = root not in matching.new.stacks
    head = f"The {who(old)} is removed"
    if maybe:
        head = f"The {who(old)} may be removed: the templates do not tell whether it is still there"
    elif is_gone:
        stack = f" '{old.stack}'" if old.stack else ""
        head += f" with its stack{stack}; a deploy alone does not delete a stack"
    advice = ""
    is_nested_stack_gone = old.key[0] not in matching.new.stacks and not is_gone
    if old.deletion_policy in RETAINING or (is_nested_stack_gone and old.stack_is_kept):
        effect, source = Effect.SAFE, DELETION_POLICY
        text = f"{head}, and retained: it stays as it is, outside CloudFormation. No job ends."
    elif old.type in _ENDS_JOBS:
        effect, source, advice = Effect.TERMINATES_JOBS, _ENDS_JOBS[old.type], _DRAIN_FIRST
        if not may_be_enabled(old.resource):
            advice = "Let its jobs finish first, then remove it."
        text = f"{head}. All its jobs are ended, running and queued.{_shares_hit(matching, old)}"
        if old.written is None:
            advice += _OR_RETAIN
        if is_gone:
            advice = "Keep the stack, or drain it before `cdk destroy`."
    elif (user := _retained_user(matching, old)) is not None:
        effect, source = Effect.CANNOT_DEPLOY, _DELETED_LAST[old.type]
        text = (
            f"{head}. It cannot be deleted while a queue uses it, and the queue "
            f"'{user.id}' is retained.{_AT_THE_END if not is_gone else ''}"
        )
        advice = (
            "Retain it too, with the scheduling policy or the service environment beside it: "
            "DeletionPolicy: Retain on both, deployed before."
        )
    else:
        effect, source = Effect.SAFE, _DELETED_LAST[old.type]
        text = f"{head}. It can be deleted only where no queue uses it any more."
    return Hit(effect, "", text, advice, source, old.share)


def _retained_user(matching: Matching, old: Deployed) -> Deployed | None:
    """Returns a queue that uses a resource and is retained."""
    users = matching.users_of.get(old.key, ())
    return next((queue for queue in users if matching.is_retained(queue)), None)


def _shares_hit(matching: Matching, old: Deployed) -> str:
    plan = matching.old.plan_of.get(old.resource) if old.type == JOB_QUEUE else None
    shares = [matching.old.of_resource[share].share for share in plan.shares] if plan else []
    noun = "share" if len(shares) == 1 else "shares"
    return f" It has the {noun} {names(shares)}." if shares else ""


# -- replacement


def is_impossible(pair: Pair) -> bool:
    """Tells whether CloudFormation surely cannot replace a resource, for its name is taken."""
    return pair.taken_name is not None and pair.taken_name.key[0] == pair.new.key[0]


def replaced(matching: Matching, pair: Pair) -> Iterator[Hit]:
    """Yields what it does to replace a resource."""
    if pair.taken_name is not None:
        yield _name_is_taken(matching, pair.new, pair.taken_name, pair)
        if is_impossible(pair):
            return
    elif (bound := binding.holder(matching, pair.new)) is not None:
        yield binding.is_bound(pair.new, bound, is_made=True)
    yield _replacement(matching, pair)


def _replacement(matching: Matching, pair: Pair) -> Hit:
    at_fault = pair.replaced_by[0]
    before, after = (side.resource.at((at_fault,)) for side in (pair.old, pair.new))
    head = f"The {who(pair.old)} {_why_replaced(pair, at_fault)}"
    advice, effect, source = "", Effect.SAFE, UPDATES
    if all(side.replace_policy in RETAINING for side in (pair.old, pair.new)):
        source = REPLACE_POLICY
        text = f"{head}. The old one is retained and stays as it is: no job ends."
    elif pair.old.type in _ENDS_JOBS:
        effect, source = Effect.TERMINATES_JOBS, _ENDS_JOBS[pair.old.type]
        text = (
            f"{head}. All jobs of the old one are ended, running and queued."
            f"{_shares_hit(matching, pair.old)}"
        )
        drained = "disable the old one and let its jobs finish"
        if not may_be_enabled(pair.old.resource):
            drained = "let the jobs of the old one finish"
        advice = f"Add the new one beside the old one, {drained}, then remove it: two deploys."
    elif pair.old.type == SERVICE_ENVIRONMENT and is_of_a_kept_queue(matching, pair):
        effect, source = Effect.SLOWS_JOBS, DELETE_ENVIRONMENT
        lower = lower_limits(pair.old.resource, pair.new.resource)
        plan = next(iter(matching.new.plans_on.get(pair.new.resource, ())), None)
        waiting = what_fits_no_longer(plan, ENVIRONMENT_EXCEEDED) if lower else ""
        text = (
            f"{head}, and its queue goes over to the new one.{lower} AWS does not say what becomes "
            f"of the jobs that run.{waiting}"
        )
        advice = "Let its jobs finish first: disable the queue, wait, then change it and enable it."
    else:
        text = f"{head}. No job depends on the old one."
    values = (None, None) if at_fault == QUEUE_PROPERTY else (before, after)
    return Hit(effect, at_fault, text, advice, source, pair.old.share, None, *values)


def _why_replaced(pair: Pair, at_fault: str) -> str:
    before, after = (side.resource.at((at_fault,)) for side in (pair.old, pair.new))
    if at_fault == QUEUE_PROPERTY:
        return _why_moved(pair)
    if at_fault == NAME_PROPERTY[pair.new.type]:
        if isinstance(before, Unknown) or isinstance(after, Unknown):
            return "may be renamed, and so be replaced: the templates do not tell"
        if before is None or after is None:
            other = "gets a name" if before is None else "loses its name"
            return f"{other}, and so is replaced"
        return f"is renamed to '{after}', and so is replaced"
    return f"is replaced, as its {at_fault} goes from {told(before)} to {told(after)}"


def _why_moved(pair: Pair) -> str:
    if not pair.differs(QUEUE_PROPERTY):
        return "is replaced together with its queue"
    queues = [side.references.get(QUEUE_PROPERTY) for side in (pair.old, pair.new)]
    if all(queue is not None and queue.is_known and queue.is_here for queue in queues):
        return "goes to another queue, as a new share"
    return "may go to another queue, as a new share: the templates do not tell"


def is_of_a_kept_queue(matching: Matching, pair: Pair) -> bool:
    """Tells whether a queue that stays has the environment, as far as the templates tell."""
    plans = matching.new.plans_on.get(pair.new.resource, [])
    queues = [matching.new.of_resource.get(plan.queue) for plan in plans]
    return not queues or not all(
        queue is not None and matching.is_new(queue.key) for queue in queues
    )


# -- what cannot be made


def _name_is_taken(
    matching: Matching, new: Deployed, holder: Deployed, pair: Pair | None = None
) -> Hit:
    source, at_fault = CUSTOM_NAME, NAME_PROPERTY[new.type]
    if pair is not None and holder is pair.old:
        at_fault = pair.replaced_by[0]
        text = (
            f"The {who(new)} has to be replaced, because its {at_fault} changes, but its name "
            "stays: CloudFormation makes the new one before it deletes the old one."
        )
        advice = f"Leave the {at_fault} as it is, or change the name too, which ends its jobs."
        if new.type not in _ENDS_JOBS:
            advice = f"Leave the {at_fault} as it is, or change the name too."
    elif matching.keeps_name(holder):
        text = f"The {who(new)} would be made with a name that '{holder.id}' has"
        text += ", which is retained." if matching.is_retained(holder) else ", which stays."
        advice = "Give the new one another name."
    elif holder.key[0] == new.key[0]:
        text = (
            f"The {who(new)} would be made with a name that '{holder.id}' has until the update "
            "ends: CloudFormation makes what is new before it deletes what is old."
        )
        advice = (
            f"Keep the logical id '{holder.id}' (in CDK: override_logical_id), or give the new one "
            "another name."
        )
        if holder.key in matching.pairs:
            advice = (
                f"Give the new one a name that nothing has, or rename '{holder.id}' first: two "
                "deploys."
            )
    else:
        source = UPDATES
        text = (
            f"The {who(new)} has a name that '{holder.id}' of the stack '{holder.stack}' has: it "
            "can be made only once that is deleted."
        )
        is_gone = matching.old.root_of[holder.key[0]] not in matching.new.stacks
        first = f"`cdk destroy {holder.stack}`" if is_gone else f"Deploy '{holder.stack}'"
        ends = ", which ends the jobs of the old one," if new.type in _ENDS_JOBS else ","
        advice = f"{first} first{ends} or give the new one another name."
    return Hit(Effect.CANNOT_DEPLOY, at_fault, text, advice, source, new.share)
