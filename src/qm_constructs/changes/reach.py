"""How much a share can borrow by its own strategy and borrow limit, at least and at most."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import IntEnum
from fractions import Fraction
from itertools import product
from typing import Any, Final

from qm_constructs.changes.pool import Pool, may_borrow, strategies_of
from qm_constructs.changes.values import bounds_of
from qm_constructs.plan import BORROW_LIMIT, LEND_AND_BORROW, UNLIMITED, Resource, is_whole_number

ROUNDING: Final = "AWS does not say how it rounds a part of an instance (QS-11)."
_NOTHING: Final = Fraction(0)

Rounded = Callable[[Fraction], int]


class Reach(IntEnum):
    """What becomes of what a share can reach by its own terms, from no harm to harm."""

    SAME = 0
    MADE_UP = 1
    """It can borrow less, and its own limit rises by as much."""
    ROUNDED = 2
    """It can borrow less unless AWS rounds as a plan does."""
    LESS = 3


def borrows_nothing(share: Resource) -> bool:
    """Tells whether a share surely cannot borrow, whatever there is to borrow."""
    return not may_borrow(share) or share.at(BORROW_LIMIT) == 0


def most_borrowed(share: Resource, own: Any) -> Fraction | None:
    """Returns what a share's own terms let it borrow at most; None for any number."""
    if borrows_nothing(share):
        return _NOTHING
    limit, bounds = _limit(share), bounds_of(own)
    if limit in (None, UNLIMITED) or bounds is None:
        return None
    return Fraction(bounds[1] * limit, 100)


def least_borrowed(share: Resource, own: Any) -> Fraction | None:
    """Returns what a share's own terms let it borrow at least; None for any number."""
    limit, bounds = _limit(share), bounds_of(own)
    if strategies_of(share) != (LEND_AND_BORROW,) or limit is None:
        return _NOTHING
    if limit == UNLIMITED:
        return None
    return _NOTHING if bounds is None else Fraction(bounds[0] * limit, 100)


def is_fixed(share: Resource, own: Any) -> bool:
    """Tells whether the templates tell what a share's own terms let it borrow."""
    return (
        strategies_of(share) == (LEND_AND_BORROW,)
        and _limit(share) is not None
        and is_whole_number(own)
    )


def _limit(share: Resource) -> int | None:
    """Returns a borrow limit in per cent, -1 for unlimited; None where it is not known."""
    limit = share.at(BORROW_LIMIT)
    if limit is None:
        return UNLIMITED
    return limit if is_whole_number(limit) and limit >= UNLIMITED else None


def within(own: int, borrowed: int | None, most: int | None) -> int | None:
    """Returns how much of what a share can borrow fits the environment beside its own.

    Args:
        own: The share's own limit.
        borrowed: What it can borrow; None for any number.
        most: The environment's limit; None where it is not known.
    """
    if most is None:
        return borrowed
    left = max(0, most - own)
    return left if borrowed is None else min(borrowed, left)


def reach_of_unit(
    shares: tuple[Resource, Resource], owns: list[Any], pools: tuple[Pool, Pool], most: int | None
) -> Reach:
    """Returns what becomes of what a share can reach of a unit.

    Args:
        shares: The share before and after.
        owns: Its own limit before and after; one of the two where it has none on a side.
        pools: What the others lend before and after.
        most: The environment's limit; None where it is not known.
    """
    before, after = shares
    worst = Reach.SAME
    # Whatever else changes with it: another limit, or other lenders, are told by themselves.
    for own, pool in product(owns, pools):
        lent = pool.most
        one, other = most_borrowed(before, own), least_borrowed(after, own)
        if _is_within(one, other):
            continue
        at = (bounds_of(own) or (0, 0))[0]
        for reach, up in ((Reach.ROUNDED, math.ceil), (Reach.LESS, math.floor)):
            could = within(at, whole(one, up, lent), most)
            can = within(at, whole(other, math.floor, lent), most)
            if can is not None and (could is None or can < could):
                worst = max(worst, reach)
    if worst is Reach.SAME or len(owns) != len(shares):
        return worst
    return Reach.MADE_UP if _is_made_up(shares, owns, pools, most) else worst


def _is_within(one: Fraction | None, other: Fraction | None) -> bool:
    return other is None or (one is not None and one <= other)


def whole(borrowed: Fraction | None, rounded: Rounded, lent: int | None) -> int | None:
    """Returns how many instances a share can borrow; None for any number.

    Args:
        borrowed: What its own terms let it borrow; None for any number.
        rounded: Returns whole instances for a part of one.
        lent: What the others lend; None for any number.
    """
    found = None if borrowed is None else rounded(borrowed)
    bounds = [bound for bound in (found, lent) if bound is not None]
    return min(bounds, default=None)


def _is_made_up(
    shares: tuple[Resource, Resource], owns: list[Any], pools: tuple[Pool, Pool], most: int | None
) -> bool:
    """Tells whether a share reaches as much as before, with its own limit and all that is lent."""
    before, after = (bounds_of(own) for own in owns)
    if before is None or after is None:
        return False
    could = within(
        before[1], whole(most_borrowed(shares[0], owns[0]), math.ceil, pools[0].most), most
    )
    can = within(
        after[0], whole(least_borrowed(shares[1], owns[1]), math.floor, pools[1].least), most
    )
    return can is None or (could is not None and after[0] + can >= before[1] + could)
