"""The smallest change to a queue that lets a job run which never could."""

from __future__ import annotations

from dataclasses import dataclass

from qm_constructs.amounts import exactly
from qm_constructs.capacity import ShareCapacity, UnitCapacity, reach
from qm_constructs.plan import LEND, RESERVE, UNLIMITED


@dataclass(frozen=True)
class Remedy:
    """What would let a job run: each is the least that does, None where it may stay as it is.

    Args:
        environment: The service environment's limit for the unit.
        max_capacity: The share's own limit for the unit.
        borrow_limit: The share's borrow limit, in per cent.
        enough: Whether it surely lets the job run: what is not known may have to rise too.
    """

    environment: int | None = None
    max_capacity: int | None = None
    borrow_limit: int | None = None
    enough: bool = True


def remedy(unit: UnitCapacity, share: ShareCapacity, count: int) -> Remedy | None:
    """Returns the smallest change that lets a job run; None where too little is known.

    A higher borrow limit is preferred, because it takes no instance from anybody.

    Args:
        unit: The unit that the job asks for.
        share: The job's share.
        count: How many instances it asks for.
    """
    there, within = unit.environment, share.max_capacity.plus(share.borrowable)
    needed = count if there.is_below(count) else None
    enough = needed is not None or count <= there.least
    if count <= within.least:
        return Remedy(needed, enough=enough)
    if within.is_below(count):
        if share.strategy in (RESERVE, LEND) or (not share.strategy and share.borrow_limit == 0):
            return Remedy(needed, max_capacity=count, enough=enough)
        own, others = share.max_capacity.known, share.lent_by_others.known
        limit = share.borrow_limit
        if own is not None and others is not None and limit is not None:
            missing = count - own
            if own and limit != UNLIMITED and others >= missing:
                return Remedy(needed, borrow_limit=-(-missing * 100 // own), enough=enough)
            least = _least_limit(count, limit, others)
            return Remedy(needed, max_capacity=least, enough=enough)
    return None if needed is None else Remedy(needed, enough=False)


def _least_limit(count: int, limit: int, others: int) -> int:
    """Returns the least own limit with which a borrower reaches a count."""
    low, high = 1, count
    while low < high:
        middle = (low + high) // 2
        allowed = reach(exactly(middle), limit).least
        if middle + min(allowed, others) >= count:
            high = middle
        else:
            low = middle + 1
    return low
