"""The arithmetic over a plan: who holds how much of a capacity unit, and who lends it."""

from __future__ import annotations

from collections.abc import Iterator

from qm_constructs.plan import (
    INSTANCE_TYPE_PREFIX,
    LENDING_STRATEGIES,
    STRATEGIES,
    STRATEGY,
    CapacityLimit,
    QueuePlan,
    Resource,
    Unknown,
)


def environment_limits(plan: QueuePlan) -> dict[str, int | Unknown] | None:
    """Returns the service environment's limit for each unit; None when not all units are known."""
    if plan.environment is None:
        return None
    limits = list(plan.environment.capacity_limits)
    if not limits or any(isinstance(limit.unit, Unknown) for limit in limits):
        return None
    found: dict[str, int | Unknown] = {}
    for limit in limits:
        if isinstance(limit.unit, str):
            # AWS does not say which of two limits for one unit counts.
            twice = limit.unit in found
            found[limit.unit] = Unknown(limit) if twice else limit.max_capacity
    return found


def holdings(plan: QueuePlan, unit: str) -> Iterator[tuple[Resource, CapacityLimit]]:
    """Yields each share that is known to hold a unit, with its limit."""
    for share in plan.shares:
        for limit in share.capacity_limits:
            if limit.unit == unit:
                yield share, limit


def held_by_each(plan: QueuePlan, unit: str) -> list[int]:
    """Returns how much of a unit each share holds, as far as it is known."""
    limits = (limit.max_capacity for _, limit in holdings(plan, unit))
    return [most for most in limits if isinstance(most, int)]


def may_lend(share: Resource, unit: str) -> bool:
    """Tells whether a share lends a unit, or might: what is not known counts as yes."""
    strategy, limits = share.at(STRATEGY), share.capacity_limits
    if strategy in STRATEGIES and strategy not in LENDING_STRATEGIES:
        return False
    # Limits that are missing, or are of no instance type, are a fault already.
    return not limits or any(
        isinstance(limit.unit, Unknown)
        or limit.unit == unit
        or not limit.unit.startswith(INSTANCE_TYPE_PREFIX)
        for limit in limits
    )
