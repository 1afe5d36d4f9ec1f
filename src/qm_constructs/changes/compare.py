"""Every change between two sides with what it does, the worst first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from qm_constructs.changes import environment, lifecycle, policy, queue, share
from qm_constructs.changes.effects import UPDATES, Change, Effect, Hit
from qm_constructs.changes.lending import Lending
from qm_constructs.changes.matching import QUEUE_PROPERTY, Matching, Pair, match
from qm_constructs.changes.refused import refused
from qm_constructs.changes.side import Deployed, Key, Side
from qm_constructs.changes.values import plain, same, same_in_any_order
from qm_constructs.plan import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    Unknown,
)

_HITS: Final[Mapping[str, Callable[[Matching, Pair], Iterator[Hit]]]] = {
    SCHEDULING_POLICY: policy.hits,
    SERVICE_ENVIRONMENT: environment.hits,
    JOB_QUEUE: queue.hits,
}
_OF_NO_EFFECT: Final = {
    "Tags": "Tags say nothing to the scheduler.",
    "Priority": "The priority counts among the queues of one service environment, and a queue of "
    "quota management has its own.",
    "ComputeEnvironmentOrder": "Compute environments are not judged here.",
    "FairsharePolicy": "Fair-share scheduling is not judged here.",
}


# A quotas file has true and false in their place.
_SWITCHES: Final = ("State", "PreemptionConfiguration.InSharePreemption")
_SWITCH: Final = {"ENABLED": True, "DISABLED": False}


def compare(old: Side, new: Side) -> list[Change]:
    """Returns every change of a resource of the four types, the worst first.

    Args:
        old: The resources before.
        new: The resources after.
    """
    matching = match(old, new)
    lending = Lending(matching)
    found: list[tuple[Deployed, Hit]] = []
    at_fault = {
        now.key: refused(lifecycle.who(now), new, now, old, old.deployed.get(now.key))
        for now in new.deployed.values()
    }
    for deployed, *types in matching.retyped:
        found.append((deployed, _retyped(deployed, *types)))
    for deployed in matching.removed:
        found += [
            (deployed, _with_condition(matching, deployed, hit))
            for hit in lifecycle.removed(matching, deployed)
        ]
    for deployed in matching.added.values():
        hits = at_fault[deployed.key] or lifecycle.added(matching, deployed)
        found += [(deployed, hit) for hit in hits]
    for pair in matching.pairs.values():
        faults = at_fault[pair.new.key]
        hits = [*faults, *_without(faults, _pair_hits(matching, pair, lending))]
        if _goes_with_a_refused_queue(matching, pair, at_fault):
            hits = faults
        found += [(pair.new, _with_defaults(pair, hit)) for hit in hits]
    for pair in matching.pairs.values():
        if pair.new.type == QUOTA_SHARE:
            found += [hit for hit in lending.hits(pair) if not at_fault.get(hit[0].key)]
    place = {key: number for number, key in enumerate({**old.deployed, **new.deployed})}
    found.sort(key=lambda change: (change[1].effect.rank, place[change[0].key]))
    return [_change(new, deployed, hit) for deployed, hit in found]


def _without(faults: list[Hit], hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yields what the change of other properties does: what is refused has no effect."""
    names = {fault.property.split(".")[0] for fault in faults}
    return (hit for hit in hits if hit.property.split(".")[0] not in names)


def _retyped(deployed: Deployed, before: str, after: str) -> Hit:
    who = lifecycle.who(deployed)
    advice = "Give the new resource another logical id."
    if not after:
        text = f"The {who} has no Type any more, and CloudFormation takes no resource without one."
        advice = f"Write Type: {before}."
    else:
        change = f"becomes a resource of the type {after}"
        if after == deployed.type:
            change = f"takes the place of a resource of the type {before}"
        text = (
            f"The {who} {change} under the same logical id: CloudFormation does not permit the "
            "update of a resource's type."
        )
    return Hit(
        Effect.CANNOT_DEPLOY,
        "Type",
        text,
        advice,
        UPDATES,
        deployed.share,
        None,
        before,
        after or None,
    )


def _change(new: Side, deployed: Deployed, hit: Hit) -> Change:
    now = new.deployed.get(deployed.key)
    written = deployed.written
    at_fault = written(hit.property) if written and hit.property else hit.property
    before, after = plain(hit.before), plain(hit.after)
    if written and hit.property in _SWITCHES:
        before, after = (_SWITCH.get(state, state) for state in (before, after))
    return Change(
        replace(hit, property=at_fault, before=before, after=after),
        deployed.id,
        deployed.type,
        deployed.stack,
        new.file_of.get(deployed.key[0]),
        None if now is None else now.line(),
        deployed.nested,
    )


# -- a resource that is on both sides


def _pair_hits(matching: Matching, pair: Pair, lending: Lending) -> Iterator[Hit]:
    old, new = pair.old.resource.properties, pair.new.resource.properties
    if not all(isinstance(properties, Mapping) for properties in (old, new)):
        if not same(old, new):
            yield _untold(pair)
        return
    if pair.new.condition is not None and pair.new.condition != pair.old.condition:
        yield lifecycle.removal(matching, pair.old, maybe=True)
    hits: list[Hit] = []
    if not pair.surely:
        hits += _in_place(matching, pair, lending)
    elif pair.new.type == SERVICE_ENVIRONMENT:
        hits += environment.hits_of_new(matching, pair)
    if pair.replaced_by and not _waits_for_its_queue(matching, pair):
        hits += lifecycle.replaced(matching, pair)
    yield from hits
    if not pair.surely:
        yield from _rest(pair, hits)
    yield from _policies(pair)


def _in_place(matching: Matching, pair: Pair, lending: Lending) -> Iterator[Hit]:
    """Yields what the changed properties of a resource do that is not made anew by them."""
    if pair.new.type == QUOTA_SHARE:
        yield from share.hits(matching, pair, lending)
    else:
        yield from _HITS[pair.new.type](matching, pair)


def _rest(pair: Pair, hits: list[Hit]) -> Iterator[Hit]:
    """Yields the changed properties of which nothing is told yet."""
    old, new = pair.old.resource.properties, pair.new.resource.properties
    told = {hit.property.split(".")[0] for hit in hits} | set(pair.replaced_by)
    if told & set(policy.KINDS):
        told.update(policy.KINDS)
    for name in dict.fromkeys([*old, *new]):
        if name not in told and pair.differs(name):
            yield _of_no_effect(pair, name)


def _waits_for_its_queue(matching: Matching, pair: Pair) -> bool:
    """Tells whether a share is replaced with a queue that cannot be replaced."""
    queue = _replaced_with(matching, pair)
    return queue is not None and lifecycle.is_impossible(queue)


def _goes_with_a_refused_queue(
    matching: Matching, pair: Pair, at_fault: Mapping[Key, list[Hit]]
) -> bool:
    """Tells whether a share is replaced with a queue of which the new one is refused."""
    queue = _replaced_with(matching, pair)
    return queue is not None and bool(at_fault[queue.new.key])


def _replaced_with(matching: Matching, pair: Pair) -> Pair | None:
    """Returns the queue with which a share is replaced; None where that is not why."""
    if (
        pair.new.type != QUOTA_SHARE
        or pair.replaced_by != ("JobQueue",)
        or pair.differs("JobQueue")
    ):
        return None
    return matching.pairs.get(pair.new.references["JobQueue"].target)


def _untold(pair: Pair) -> Hit:
    return Hit(
        Effect.TERMINATES_JOBS,
        "Properties",
        f"The properties of the {lifecycle.who(pair.new)} change, and the templates do not tell "
        "how: it may be replaced.",
        "Write the properties out, or compare what CloudFormation's change set says.",
        share=pair.old.share,
    )


def _of_no_effect(pair: Pair, name: str) -> Hit:
    before, after = (side.resource.at((name,)) for side in (pair.old, pair.new))
    text = _OF_NO_EFFECT.get(name, "This changes nothing for jobs.")
    if same_in_any_order(before, after):
        text = "The same as before, in another order."
    elif name == QUEUE_PROPERTY:
        text = "The same queue as before, written in another way."
    if isinstance(before, Unknown) and isinstance(after, Unknown):
        before = after = None
    return Hit(
        Effect.SAFE,
        name,
        text,
        share=pair.old.share,
        before=_short(before),
        after=_short(after),
    )


def _short(value: Any) -> Any:
    """Returns a value that is worth showing; none for a list or a map."""
    return None if isinstance(value, Mapping | list) else value


def _policies(pair: Pair) -> Iterator[Hit]:
    for attribute, before, after in (
        ("DeletionPolicy", pair.old.deletion_policy, pair.new.deletion_policy),
        ("UpdateReplacePolicy", pair.old.replace_policy, pair.new.replace_policy),
    ):
        if not same(before, after):
            text = "This counts only when the resource is removed or replaced later."
            yield Hit(
                Effect.SAFE,
                attribute,
                text,
                share=pair.old.share,
                before=before,
                after=after,
            )


def _with_defaults(pair: Pair, hit: Hit) -> Hit:
    """Returns a hit that also says which changed defaults of parameters are behind it."""
    name = hit.property.split(".")[0]
    before, after = pair.old.defaults(name), pair.new.defaults(name)
    return _said_of(hit, before, after)


def _with_condition(matching: Matching, deployed: Deployed, hit: Hit) -> Hit:
    """Returns a hit that also says which changed defaults take a resource out."""
    before, after = (side.defaults_of(deployed.key) for side in (matching.old, matching.new))
    return _said_of(hit, before, after, "Whether it is there")


def _said_of(
    hit: Hit, before: Mapping[str, Any], after: Mapping[str, Any], what: str = "The value"
) -> Hit:
    changed = [name for name in after if name in before and not same(before[name], after[name])]
    if not changed:
        return hit
    which = " and ".join(f"'{name}'" for name in changed)
    more = (
        f" {what} comes from the default of the parameter {which}: a deploy that keeps the "
        "parameters of the stack as they are leaves it as it was."
    )
    return replace(hit, message=hit.message + more)
