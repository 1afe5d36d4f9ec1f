"""Which old resource is which new one, and which of them CloudFormation makes anew."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from qm_constructs.changes.side import RETAINING, Deployed, Key, Side
from qm_constructs.changes.values import identity, same
from qm_constructs.plan import JOB_QUEUE, QUOTA_SHARE, QueuePlan, Unknown
from qm_constructs.schema import CREATE_ONLY

QUEUE_PROPERTY: Final = "JobQueue"
ENVIRONMENT_PROPERTY: Final = "ServiceEnvironmentOrder"


@dataclass(eq=False)
class Pair:
    """One resource before and after.

    Args:
        old: The resource before.
        new: The resource after.
        replaced_by: The properties whose change makes CloudFormation replace it.
        surely: Whether it is known that it is replaced, where it may be.
        taken_name: The resource that already has the name of the new one; None where none has.
    """

    old: Deployed
    new: Deployed
    replaced_by: tuple[str, ...] = ()
    surely: bool = False
    taken_name: Deployed | None = None

    @property
    def may_be_of_another_queue(self) -> bool:
        """Whether a share's queue is written otherwise, and its ARN may be of another place."""
        queues = [side.references.get(QUEUE_PROPERTY) for side in (self.old, self.new)]
        return self.differs(QUEUE_PROPERTY) and any(
            queue is not None and not queue.is_here for queue in queues
        )

    def differs(self, name: str) -> bool:
        """Tells whether a property of the resource is not known to be the same."""
        return not same(self.old.resource.at((name,)), self.new.resource.at((name,)))


@dataclass(eq=False)
class Matching:
    """The resources of two sides.

    Args:
        old: The side before.
        new: The side after.
        pairs: Those that are on both sides, by their key.
        removed: Those that only the old side has.
        added: Those that only the new side has, by their key.
        retyped: Those of which the logical id has another type of resource on the other side, each
            with the type before and after; that is empty where it has none.
        taken_names: By the key of an added resource, what already has its name.
    """

    old: Side
    new: Side
    pairs: dict[Hashable, Pair] = field(default_factory=dict)
    removed: list[Deployed] = field(default_factory=list)
    added: dict[Hashable, Deployed] = field(default_factory=dict)
    retyped: list[tuple[Deployed, str, str]] = field(default_factory=list)
    taken_names: dict[Hashable, Deployed] = field(default_factory=dict)

    def is_new(self, key: Hashable) -> bool:
        """Tells whether the update makes what a key stands for: a new resource, or a new one of it.

        Args:
            key: A resource of the new side, or whatever else a reference identifies.
        """
        pair = self.pairs.get(key)
        return key in self.added if pair is None else bool(pair.replaced_by)

    def keeps_name(self, old: Deployed) -> bool:
        """Tells whether an old resource still has its name after the update."""
        pair = self.pairs.get(old.key)
        return self.is_retained(old) or (pair is not None and not pair.replaced_by)

    @cached_property
    def moved(self) -> set[Key]:
        """The old resources whose fixed name a new one of the same stack has."""
        return {
            holder.key
            for key, holder in self.taken_names.items()
            if holder.key[0] == self.added[key].key[0] and not self.keeps_name(holder)
        }

    @cached_property
    def queues_on(self) -> dict[Hashable, list[Deployed]]:
        """The old queues on each service environment, by what identifies it."""
        found: dict[Hashable, list[Deployed]] = {}
        for deployed in self.old.deployed.values():
            reference = deployed.references.get(ENVIRONMENT_PROPERTY)
            if deployed.type == JOB_QUEUE and reference is not None:
                found.setdefault(reference.target, []).append(deployed)
        return found

    @cached_property
    def users_of(self) -> dict[Hashable, list[Deployed]]:
        """The old queues that use each service environment and each scheduling policy."""
        found: dict[Hashable, list[Deployed]] = {}
        for deployed in self.old.deployed.values():
            if deployed.type == JOB_QUEUE:
                for reference in deployed.references.values():
                    found.setdefault(reference.target, []).append(deployed)
        return found

    def is_retained(self, old: Deployed) -> bool:
        """Tells whether an old resource goes out of its stack and stays as it is."""
        pair = self.pairs.get(old.key)
        if pair is not None:
            policies = (pair.old.replace_policy, pair.new.replace_policy)
            return bool(pair.replaced_by) and all(policy in RETAINING for policy in policies)
        root = self.old.root_of[old.key[0]]
        is_nested_stack_gone = old.key[0] not in self.new.stacks and root in self.new.stacks
        return old.deletion_policy in RETAINING or (is_nested_stack_gone and old.stack_is_kept)

    def plans(self, pair: Pair) -> tuple[QueuePlan | None, QueuePlan | None]:
        """Returns the queue of a queue or a share, before and after."""
        return (
            self.old.plan_of.get(pair.old.resource),
            self.new.plan_of.get(pair.new.resource),
        )


def match(old: Side, new: Side) -> Matching:
    """Returns what has become of each resource.

    Args:
        old: The side before.
        new: The side after.
    """
    found = Matching(old, new)
    for key, deployed in old.deployed.items():
        after = new.deployed.get(key)
        type_now = after.type if after is not None else new.type_of(key)
        if type_now is not None and type_now != deployed.type:
            found.retyped.append((deployed, deployed.type, type_now))
        elif after is None:
            found.removed.append(deployed)
        else:
            found.pairs[key] = Pair(deployed, after)
    for key, deployed in new.deployed.items():
        type_before = old.type_of(key)
        if key in old.deployed:
            continue
        if not type_before or type_before == deployed.type:
            found.added[key] = deployed
        else:
            found.retyped.append((deployed, type_before, deployed.type))
    # A share is replaced with its queue, so queues come first.
    for pair in sorted(found.pairs.values(), key=lambda pair: pair.new.type == QUOTA_SHARE):
        pair.replaced_by = tuple(_replaced_by(found, pair))
        pair.surely = any(_is_sure(found, pair, name) for name in pair.replaced_by)
    _find_taken_names(found)
    return found


def _replaced_by(matching: Matching, pair: Pair) -> Iterator[str]:
    for name in CREATE_ONLY[pair.new.type]:
        if name == QUEUE_PROPERTY:
            if _is_of_another_queue(matching, pair):
                yield name
        elif pair.differs(name):
            yield name


def _is_of_another_queue(matching: Matching, pair: Pair) -> bool:
    before, after = (side.references.get(QUEUE_PROPERTY) for side in (pair.old, pair.new))
    if after is not None and not after.by_name and matching.is_new(after.target):
        return True
    if not pair.differs(QUEUE_PROPERTY):
        return False
    if pair.may_be_of_another_queue:
        return True
    # One ARN, however it is put together, is one value for CloudFormation.
    return before is None or before != after


def _is_sure(matching: Matching, pair: Pair, name: str) -> bool:
    """Tells whether a property that makes CloudFormation replace a resource surely changes."""
    if name != QUEUE_PROPERTY:
        values = [side.resource.at((name,)) for side in (pair.old, pair.new)]
        return not any(isinstance(value, Unknown) for value in values)
    queues = [side.references.get(name) for side in (pair.old, pair.new)]
    if any(queue is None or not queue.is_known or not queue.is_here for queue in queues):
        return False
    queue = matching.pairs.get(queues[1].target) if queues[1] is not None else None
    return pair.differs(name) or queue is None or queue.surely


# -- names that are taken


def _find_taken_names(matching: Matching) -> None:
    """Finds what cannot be made, because something old has its name until the update ends."""
    taken: dict[Hashable, list[Deployed]] = {}
    for deployed in matching.old.deployed.values():
        taken.setdefault(_named(deployed, _queue_before(deployed)), []).append(deployed)
    for pair in matching.pairs.values():
        if pair.replaced_by and not pair.may_be_of_another_queue:
            pair.taken_name = _holder(taken, matching, pair.new)
    for key, deployed in matching.added.items():
        holder = _holder(taken, matching, deployed)
        if holder is not None:
            matching.taken_names[key] = holder


def _holder(
    taken: Mapping[Hashable, list[Deployed]], matching: Matching, new: Deployed
) -> Deployed | None:
    if new.name is None:
        return None
    holders = taken.get(_named(new, _queue_after(matching, new)), ())
    here = [
        holder
        for holder in holders
        if _are_in_one_place(holder, new)
        and (matching.keeps_name(holder) or not _is_gone_before(matching, holder, new))
    ]
    return min(here, key=lambda holder: holder.key[0] != new.key[0], default=None)


def _is_gone_before(matching: Matching, holder: Deployed, new: Deployed) -> bool:
    """Tells whether the app has the stack of an old resource deployed before that of a new one."""
    roots = matching.old.root_of[holder.key[0]], matching.new.root_of[new.key[0]]
    return roots[0] in matching.new.stacks and roots[0] in matching.new.awaits.get(roots[1], ())


def _named(deployed: Deployed, queue: Hashable) -> Hashable:
    return deployed.type, identity(deployed.name), queue


def _queue_before(deployed: Deployed) -> Hashable:
    reference = deployed.references.get(QUEUE_PROPERTY)
    return None if reference is None else reference.target


def _queue_after(matching: Matching, deployed: Deployed) -> Hashable:
    target = _queue_before(deployed)
    return ("new", target) if target is not None and matching.is_new(target) else target


def _are_in_one_place(one: Deployed, other: Deployed) -> bool:
    if one.key[0] == other.key[0]:
        return True
    return None not in one.place and one.place == other.place
