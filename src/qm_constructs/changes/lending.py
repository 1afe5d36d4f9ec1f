"""What shares could borrow of one another, and can borrow no more."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor
from typing import Any, Final

from qm_constructs.capacity import environment_limits
from qm_constructs.changes.effects import PREEMPTION, Effect, Hit
from qm_constructs.changes.matching import Matching, Pair
from qm_constructs.changes.pool import ANY, NOTHING, Pool, Pools, may_borrow, pools_of
from qm_constructs.changes.reach import (
    ROUNDING,
    Reach,
    Rounded,
    borrows_nothing,
    is_fixed,
    most_borrowed,
    reach_of_unit,
    whole,
    within,
)
from qm_constructs.changes.side import Deployed
from qm_constructs.changes.time_limits import SHARE_EXCEEDED, what_fits_no_longer
from qm_constructs.changes.values import bounds_of, limits_of, names
from qm_constructs.plan import QUOTA_SHARE, QueuePlan, Resource

_ADVICE: Final = (
    "Let the jobs that have borrowed finish first, or have them resume from checkpoints: a "
    "preempted job starts again."
)


class Lending:
    """What can be borrowed before and after.

    Args:
        matching: The resources of both sides.
    """

    def __init__(self, matching: Matching) -> None:
        self._matching = matching
        self._pools: dict[int, Pools] = {}
        self._kept = {
            deployed.key: deployed
            for deployed in matching.old.deployed.values()
            if deployed.type == QUOTA_SHARE and _stays(matching, deployed)
        }

    def hits(self, pair: Pair) -> Iterator[tuple[Deployed, Hit]]:
        """Yields what a share can borrow no more, with the share that lends less.

        Args:
            pair: The share that borrows.
        """
        before, after = self._matching.plans(pair)
        if (
            before is None
            or after is None
            or pair.surely
            or not all(may_borrow(side.resource) for side in (pair.old, pair.new))
        ):
            return
        old_pools, new_pools = self._before(before), self._after(before, after)
        units = limits_of(pair.new.resource).by_unit
        for unit in limits_of(pair.old.resource).by_unit:
            if unit not in units:
                continue
            old = old_pools.get(unit, Pool()).without(pair.old.key)
            new = new_pools.get(unit, Pool()).without(pair.new.key)
            yield from self._hit(pair, unit, (before, after), old, new)

    def reach(self, pair: Pair) -> Reach:
        """Returns what becomes of what a share can reach by its own strategy and borrow limit.

        Args:
            pair: The share.
        """
        shares = (pair.old.resource, pair.new.resource)
        if borrows_nothing(shares[0]):
            return Reach.SAME
        before, after = self._matching.plans(pair)
        limits = [limits_of(share) for share in shares]
        if before is None or after is None or any(one.open for one in limits):
            return Reach.LESS
        old_pools, new_pools = self._before(before), self._after(before, after)
        found = [Reach.SAME]
        for unit in {**limits[0].by_unit, **limits[1].by_unit}:
            pools = (
                old_pools.get(unit, Pool()).without(pair.old.key),
                new_pools.get(unit, Pool()).without(pair.new.key),
            )
            if not (before.complete and after.complete):
                pools = (ANY, ANY)
            owns = [one.by_unit[unit] for one in limits if unit in one.by_unit]
            most = _caps((before, after), unit)[1]
            found.append(reach_of_unit(shares, owns, pools, most))
        return max(found)

    def _hit(
        self, pair: Pair, unit: str, plans: tuple[QueuePlan, QueuePlan], old: Pool, new: Pool
    ) -> Iterator[tuple[Deployed, Hit]]:
        # What is not known alike on both sides is the same, and is left out of both.
        more, less = old.beyond(new).most, new.beyond(old).least
        if more is not None and more <= less:
            return
        own = limits_of(pair.old.resource).by_unit[unit]
        before, after = _borrowed(pair.old.resource, own, (more, less), _caps(plans, unit), floor)
        fixed = not old.open and not new.open and is_fixed(pair.old.resource, own)
        could = f"can borrow {before} {unit} at most, and {after} after this"
        shown: tuple[int | None, int | None] = (before, after)
        if not _is_less(before, after):
            if not _is_less(
                *_borrowed(pair.old.resource, own, (more, less), _caps(plans, unit), ceil)
            ):
                return
            could = f"may be able to borrow less {unit}: {ROUNDING[:-1]}"
            shown = (None, None)
        elif not fixed:
            could = f"may be able to borrow less {unit}: the templates do not tell how much"
            shown = (None, None)
        lenders = self._that_lend_less(pair, old, new)
        borrower = pair.old.share
        lend = "lends less" if len(lenders) == 1 else "lend less"
        who = names(lender.share for lender in lenders)
        yield (
            lenders[0],
            Hit(
                Effect.PREEMPTS_JOBS,
                "",
                f"The share '{borrower}' {could}, because {who} {lend}. Its jobs "
                "on borrowed instances can be preempted; AWS does not say whether that is at once "
                f"or when the owner's jobs come.{what_fits_no_longer(plans[1], SHARE_EXCEEDED)}",
                _ADVICE,
                PREEMPTION,
                borrower,
                unit,
                *shown,
            ),
        )

    def _that_lend_less(self, borrower: Pair, old: Pool, new: Pool) -> list[Deployed]:
        """Returns the shares that lend less, or may do so; the one with the greatest fall first."""
        falls: list[tuple[int, Deployed]] = []
        for key, lent in old.of.items():
            now = new.of.get(key, NOTHING)
            if key == borrower.old.key or lent == now:
                continue
            if lent.most is None or lent.most > now.least:
                known = lent.of is None and now.of is None
                fall = lent.least - now.least if known else 0
                falls.append((fall, self._matching.old.deployed[key]))
        falls.sort(key=lambda fall: -fall[0])
        return [lender for _, lender in falls]

    def _before(self, plan: QueuePlan) -> Pools:
        if id(plan) not in self._pools:
            self._pools[id(plan)] = pools_of(self._matching.old, plan.shares)
        return self._pools[id(plan)]

    def _after(self, before: QueuePlan, plan: QueuePlan) -> Pools:
        """Returns what is lent after; a share that goes out of its stack but stays still lends."""
        if id(plan) not in self._pools:
            keys = [self._matching.old.of_resource[share].key for share in before.shares]
            kept = [self._kept[key] for key in keys if key in self._kept]
            self._pools[id(plan)] = pools_of(self._matching.new, plan.shares, kept)
        return self._pools[id(plan)]


def _stays(matching: Matching, old: Deployed) -> bool:
    """Tells whether a share surely goes out of its stack and stays as it is."""
    pair = matching.pairs.get(old.key)
    return matching.is_retained(old) and (pair is None or pair.surely)


def _caps(plans: tuple[QueuePlan, QueuePlan], unit: str) -> tuple[int | None, int | None]:
    """Returns up to how much of a unit the environment lets a share reach, before and after.

    A lower environment is told where it changes, so it does not count here; a higher one may make
    up for what is lent no more.
    """
    before, after = (_of_environment(plan, unit) for plan in plans)
    return (None, None) if before is None or after is None else (before, max(before, after))


def _of_environment(plan: QueuePlan, unit: str) -> int | None:
    """Returns the environment's limit for a unit; None where the template does not tell."""
    limits = environment_limits(plan)
    most = limits.get(unit, 0) if limits is not None else None
    return most if isinstance(most, int) else None


def _borrowed(
    share: Resource,
    own: Any,
    lent: tuple[int | None, int],
    caps: tuple[int | None, int | None],
    rounded: Rounded,
) -> tuple[int | None, int]:
    """Returns what a share can borrow of more and of less, at most; None for any number."""
    terms, bounds = most_borrowed(share, own), bounds_of(own)
    at = 0 if bounds is None else bounds[0]
    before, after = (
        within(at, whole(terms, rounded, some), None if bounds is None else cap)
        for some, cap in zip(lent, caps, strict=True)
    )
    return before, after or 0


def _is_less(before: int | None, after: int) -> bool:
    return before is None or after < before
