"""What the shares of a queue lend of one unit, as far as the templates tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from qm_constructs.changes.side import Deployed, Key, Side
from qm_constructs.changes.values import bounds_of, identity, limits_of, options_of
from qm_constructs.plan import LEND_AND_BORROW, LENDING_STRATEGIES, STRATEGIES, STRATEGY, Resource


def strategies_of(share: Resource) -> tuple[str, ...]:
    """Returns each strategy that a share can have."""
    options = options_of(share.at(STRATEGY)) or ()
    known = tuple(option for option in options if option in STRATEGIES)
    return known if options and len(known) == len(options) else STRATEGIES


def may_borrow(share: Resource) -> bool:
    """Tells whether a share borrows, or may do so."""
    return LEND_AND_BORROW in strategies_of(share)


def may_lend(share: Resource) -> bool:
    """Tells whether a share lends, or may do so."""
    return any(strategy in LENDING_STRATEGIES for strategy in strategies_of(share))


@dataclass(frozen=True)
class Lent:
    """What a share lends.

    Args:
        least: It is this at least.
        most: It is this at most; None where nothing says so.
        of: What identifies it where it is not known; two of the same are the same number.
    """

    least: int
    most: int | None
    of: Hashable = None


NOTHING: Final = Lent(0, 0)


@dataclass
class Pool:
    """What the shares of a queue lend of one unit.

    Args:
        total: How much, as far as it is known.
        open: What is lent beyond that, and not known.
        of: What each share lends.
    """

    total: int = 0
    open: Counter[Lent] = field(default_factory=Counter)
    of: dict[Key, Lent] = field(default_factory=dict)

    @property
    def least(self) -> int:
        """How much at least."""
        return self.total + sum(lent.least for lent in self.open.elements())

    @property
    def most(self) -> int | None:
        """How much at most; None where nothing tells."""
        mosts = [lent.most for lent in self.open.elements()]
        known = [most for most in mosts if most is not None]
        return self.total + sum(known) if len(known) == len(mosts) else None

    def add(self, lender: Deployed, lent: Lent) -> None:
        """Adds what a share lends."""
        if lent.of is None:
            self.total += lent.least
        else:
            self.open[lent] += 1
        self.of[lender.key] = lent

    def without(self, key: Key) -> Pool:
        """Returns what the others lend; ``of`` is still that of all."""
        lent = self.of.get(key, NOTHING)
        if lent.of is None:
            return Pool(self.total - lent.least, self.open, self.of)
        return Pool(self.total, self.open - Counter([lent]), self.of)

    def beyond(self, other: Pool) -> Pool:
        """Returns it with only what is not known alike in another, which is then the same."""
        return Pool(self.total, self.open - other.open, self.of)


ANY: Final = Pool(open=Counter([Lent(0, None, "shares that are not known")]))
"""A pool of which nothing is known."""

Pools = Mapping[str, Pool]


def pools_of(side: Side, shares: Sequence[Resource], kept: Sequence[Deployed] = ()) -> Pools:
    """Returns what shares lend, by unit.

    Args:
        side: The side that they are of.
        shares: The shares.
        kept: Shares of the other side that go out of their stack but stay.
    """
    found: dict[str, Pool] = {}
    for lender in (*(side.of_resource[share] for share in shares), *kept):
        if not may_lend(lender.resource):
            continue
        for unit, most in limits_of(lender.resource).by_unit.items():
            found.setdefault(unit, Pool()).add(lender, _lent(lender.resource, most))
    return found


def _lent(share: Resource, limit: Any) -> Lent:
    strategies = strategies_of(share)
    least, most = bounds_of(limit) or (0, None)
    if not all(strategy in LENDING_STRATEGIES for strategy in strategies):
        least = 0
    if least == most:
        return Lent(least, most)
    return Lent(least, most, (identity(share.at(STRATEGY)), identity(limit)))
