"""What shares could borrow of one another, and can borrow no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from qm_constructs.capacity import environment_limits
from qm_constructs.changes.effects import PREEMPTION, Effect, Hit
from qm_constructs.changes.matching import Matching, Pair
from qm_constructs.changes.side import Deployed, Key, Side
from qm_constructs.changes.time_limits import SHARE_EXCEEDED, what_fits_no_longer
from qm_constructs.changes.values import identity, limits_of, names
from qm_constructs.plan import (
    BORROW_LIMIT,
    LEND_AND_BORROW,
    LENDING_STRATEGIES,
    QUOTA_SHARE,
    STRATEGIES,
    STRATEGY,
    QueuePlan,
    Resource,
    is_whole_number,
)

_UNLIMITED: Final = -1
_ADVICE: Final = (
    "Let the jobs that have borrowed finish first, or have them resume from checkpoints: a "
    "preempted job starts again."
)


@dataclass
class _Pool:
    """What the shares of a queue lend of one unit.

    Args:
        total: How much, as far as it is known.
        open: What is lent beyond that, and not known.
        of: What each share lends: a number, or what identifies it.
    """

    total: int = 0
    open: Counter[Hashable] = field(default_factory=Counter)
    of: dict[Key, Any] = field(default_factory=dict)

    def add(self, lender: Deployed, lent: Any) -> None:
        if is_whole_number(lent):
            self.total += lent
        else:
            self.open[lent] += 1
        self.of[lender.key] = lent

    def without(self, key: Key) -> _Pool:
        """Returns what the others lend; ``of`` is still that of all."""
        lent = self.of.get(key, 0)
        if is_whole_number(lent):
            return _Pool(self.total - lent, self.open, self.of)
        return _Pool(self.total, self.open - Counter([lent]), self.of)


class Lending:
    """What can be borrowed before and after.

    Args:
        matching: The resources of both sides.
    """

    def __init__(self, matching: Matching) -> None:
        self._matching = matching
        self._pools: dict[int, dict[str, _Pool]] = {}
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
        strategies = [side.resource.at(STRATEGY) for side in (pair.old, pair.new)]
        if before is None or after is None or pair.surely or not all(map(_borrows, strategies)):
            return
        old_pools, new_pools = self._before(before), self._after(before, after)
        units = limits_of(pair.new.resource).by_unit
        for unit in limits_of(pair.old.resource).by_unit:
            if unit not in units:
                continue
            old = old_pools.get(unit, _Pool()).without(pair.old.key)
            new = new_pools.get(unit, _Pool()).without(pair.new.key)
            yield from self._hit(pair, unit, (before, after), old, new)

    def may_reach_less(self, pair: Pair) -> bool:
        """Tells whether a share whose borrow limit changes may reach less of some unit by that.

        Args:
            pair: The share.
        """
        before, after = self._matching.plans(pair)
        if before is None or after is None or not (before.complete and after.complete):
            return True
        pools = (self._before(before), self._after(before, after))
        owns = [limits_of(side.resource) for side in (pair.old, pair.new)]
        if any(limits.open for limits in owns):
            return True
        return any(
            _may_fall(
                pair,
                [limits.by_unit[unit] for limits in owns if unit in limits.by_unit],
                [pool.get(unit, _Pool()).without(pair.old.key) for pool in pools],
                _caps((before, after), unit)[1],
            )
            for unit in {**owns[0].by_unit, **owns[1].by_unit}
        )

    def _hit(
        self, pair: Pair, unit: str, plans: tuple[QueuePlan, QueuePlan], old: _Pool, new: _Pool
    ) -> Iterator[tuple[Deployed, Hit]]:
        if new.total >= old.total and not old.open - new.open:
            return
        before = after = None
        if old.open == new.open and not old.open:
            own = limits_of(pair.old.resource).by_unit[unit]
            before, after = (
                _within(own, _borrowable(pair.old, own, pool.total), most)
                for pool, most in zip((old, new), _caps(plans, unit), strict=True)
            )
        if before is not None and after is not None and after >= before:
            return
        lenders = self._that_lend_less(pair, old, new)
        known = before is not None and after is not None
        borrower = pair.old.share
        could = f"can borrow {before} {unit} at most, and {after} after this"
        may = f"may be able to borrow less {unit}: the templates do not tell how much"
        lend = "lends less" if len(lenders) == 1 else "lend less"
        who = names(lender.share for lender in lenders)
        yield (
            lenders[0],
            Hit(
                Effect.PREEMPTS_JOBS,
                "",
                f"The share '{borrower}' {could if known else may}, because {who} {lend}. Its jobs "
                "on borrowed instances can be preempted; AWS does not say whether that is at once "
                f"or when the owner's jobs come.{what_fits_no_longer(plans[1], SHARE_EXCEEDED)}",
                _ADVICE,
                PREEMPTION,
                borrower,
                unit,
                before,
                after,
            ),
        )

    def _that_lend_less(self, borrower: Pair, old: _Pool, new: _Pool) -> list[Deployed]:
        """Returns the shares that lend less, or may do so; the one with the greatest fall first."""
        falls: list[tuple[int, Deployed]] = []
        for key, lent in old.of.items():
            now = new.of.get(key, 0)
            if key == borrower.old.key or lent == now:
                continue
            known = is_whole_number(lent) and is_whole_number(now)
            if not known or lent > now:
                lender = self._matching.old.deployed[key]
                falls.append((lent - now if known else 0, lender))
        falls.sort(key=lambda fall: -fall[0])
        return [lender for _, lender in falls]

    def _before(self, plan: QueuePlan) -> dict[str, _Pool]:
        if id(plan) not in self._pools:
            self._pools[id(plan)] = _pools(self._matching.old, plan.shares)
        return self._pools[id(plan)]

    def _after(self, before: QueuePlan, plan: QueuePlan) -> dict[str, _Pool]:
        """Returns what is lent after; a share that goes out of its stack but stays still lends."""
        if id(plan) not in self._pools:
            pools = _pools(self._matching.new, plan.shares)
            old = self._matching.old
            for share in before.shares:
                kept = self._kept.get(old.of_resource[share].key)
                if kept is not None:
                    _add(pools, kept)
            self._pools[id(plan)] = pools
        return self._pools[id(plan)]


def _stays(matching: Matching, old: Deployed) -> bool:
    """Tells whether a share surely goes out of its stack and stays as it is."""
    pair = matching.pairs.get(old.key)
    return matching.is_retained(old) and (pair is None or pair.surely)


def _pools(side: Side, shares: list[Resource]) -> dict[str, _Pool]:
    found: dict[str, _Pool] = {}
    for share in shares:
        _add(found, side.of_resource[share])
    return found


def _add(pools: dict[str, _Pool], lender: Deployed) -> None:
    strategy = lender.resource.at(STRATEGY)
    if strategy in STRATEGIES and strategy not in LENDING_STRATEGIES:
        return
    for unit, most in limits_of(lender.resource).by_unit.items():
        known = is_whole_number(most) and strategy in LENDING_STRATEGIES
        lent = most if known else (identity(strategy), identity(most))
        pools.setdefault(unit, _Pool()).add(lender, lent)


def _borrows(strategy: Any) -> bool:
    """Tells whether a strategy borrows, or may do so."""
    return strategy == LEND_AND_BORROW or strategy not in STRATEGIES


def _borrowable(borrower: Deployed, own: Any, lent: int) -> int | None:
    """Returns how much a share can borrow; None where the template does not tell."""
    limit = borrower.resource.at(BORROW_LIMIT)
    if borrower.resource.at(STRATEGY) != LEND_AND_BORROW or not is_whole_number(own):
        return None
    if limit is None or limit == _UNLIMITED:
        return lent
    return min(own * limit // 100, lent) if is_whole_number(limit) and limit >= 0 else None


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


def _within(own: Any, borrowable: int | None, most: int | None) -> int | None:
    """Returns how much of what a share can borrow fits the environment beside its own."""
    if borrowable is None or most is None:
        return borrowable
    left: int = min(own + borrowable, most) - own
    return max(0, left)


def _may_fall(pair: Pair, owns: list[Any], pools: list[_Pool], most: int | None) -> bool:
    """Tells whether a share may borrow less by its borrow limit, whatever else changes with it."""
    if any(pool.open for pool in pools):
        return True
    for own, pool in product(owns, pools):
        before, after = (
            _within(own, _borrowable(side, own, pool.total), most) for side in (pair.old, pair.new)
        )
        if before is None or after is None or after < before:
            return True
    return False
