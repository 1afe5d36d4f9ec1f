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
    """

    environment: int | None = None
    max_capacity: int | None = None
    borrow_limit: int | None = None


def remedy(unit: UnitCapacity, share: ShareCapacity, count: int) -> Remedy | None:
    """Returns the smallest change that lets a job run; None where too little is known.

    A higher borrow limit is preferred, because it takes no instance from anybody.

    Args:
        unit: The unit that the job asks for.
        share: The job's share.
        count: How many instances it asks for.
    """
    most = unit.environment.most
    needed = count if most is not None and count > most else None
    if count <= (share.max_capacity + share.borrowable).least:
        return Remedy(needed)
    own, others = share.max_capacity.known, share.lent_by_others.known
    limit = share.borrow_limit
    if share.strategy in (RESERVE, LEND):
        return Remedy(needed, max_capacity=count)
    if own is None or others is None or limit is None:
        return None
    missing = count - own
    if own and limit != UNLIMITED and others >= missing:
        return Remedy(needed, borrow_limit=-(-missing * 100 // own))
    return Remedy(needed, max_capacity=_least_limit(count, limit, others))


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
