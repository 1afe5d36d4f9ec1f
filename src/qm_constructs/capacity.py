"""The arithmetic over a plan: who holds how much of a capacity unit, who lends, who borrows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from qm_constructs.amounts import ANY, NONE, Amount, Sum, either, exactly, smaller, up_to
from qm_constructs.plan import (
    BORROW_LIMIT,
    INSTANCE_TYPE_PREFIX,
    LEND_AND_BORROW,
    LENDING_STRATEGIES,
    STRATEGIES,
    STRATEGY,
    UNLIMITED,
    CapacityLimit,
    QueuePlan,
    Resource,
    Unknown,
    UnknownText,
    is_whole_number,
    text_key,
)

UnitKey = Hashable
"""What identifies a capacity unit, whether or not its name is known; None when nothing does."""


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
    """Returns how much of a unit each share holds at least, as far as it is known."""
    limits = (at_least(limit.max_capacity) for _, limit in holdings(plan, unit))
    return [least for least in limits if least is not None]


def at_least(limit: int | Unknown) -> int | None:
    """Returns the number that a limit is at least, None where it may be any."""
    if isinstance(limit, Unknown):
        return limit.least if isinstance(limit, UnknownText) else None
    return limit


def at_most(limit: int | Unknown) -> int | None:
    """Returns the number that a limit is at most, None where it may be any."""
    if isinstance(limit, Unknown):
        return limit.most if isinstance(limit, UnknownText) else None
    return limit


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


class ShareCapacity(NamedTuple):
    """What a quota share has of one capacity unit; each number is one of instances.

    Args:
        key: What identifies the share in its plan.
        share: The share's name; None when it is not known.
        id: The share's logical id; None where it is of no template.
        max_capacity: Its own limit.
        strategy: Its resource sharing strategy; None when it is not known.
        borrow_limit: Per cent of its own limit; -1 for unlimited, 0 where it cannot borrow, None
            when it is not known.
        lendable: What it can lend: its own limit, or nothing under ``RESERVE``.
        lent_by_others: What all other shares of the queue can lend together.
        borrowable: What it can borrow of that.
        largest_job: What a single job of it can use.
        enabled: Whether jobs may be submitted to it; None when it is not known.
        holds: False where it surely has no limit for the unit.
    """

    key: Hashable
    share: str | None
    id: str | None
    max_capacity: Amount
    strategy: str | None
    borrow_limit: int | None
    lendable: Amount
    lent_by_others: Amount
    borrowable: Amount
    largest_job: Amount
    enabled: bool | None
    holds: bool = True


class UnitCapacity(NamedTuple):
    """How a queue divides one capacity unit; each number is one of instances.

    Args:
        name: The unit, an instance type; None when it is not known.
        environment: The service environment's limit, 0 where it has none for the unit.
        allocated: The limits of all shares together.
        unallocated: What no share has.
        shares: The shares that hold the unit, in the order of the queue.
    """

    name: str | None
    environment: Amount
    allocated: Amount
    unallocated: Amount
    shares: tuple[ShareCapacity, ...]


def units_of(plans: Sequence[QueuePlan]) -> list[UnitKey]:
    """Returns what identifies each unit, those of the environment first.

    Args:
        plans: The queue in each way in which it may turn out.
    """
    holders = [plan.environment for plan in plans if plan.environment is not None]
    holders += [share for plan in plans for share in plan.shares]
    keys = [text_key(limit.unit) for holder in holders for limit in holder.capacity_limits]
    named: list[UnitKey] = [key for key in dict.fromkeys(keys) if key is not None]
    return named or ([None] if any(map(_is_open, holders)) else [])


def capacity_of(
    plans: Sequence[QueuePlan],
    unit: UnitKey,
    key_of: Callable[[Resource], Hashable],
    asked: Hashable = None,
    *,
    whole: bool = True,
) -> UnitCapacity:
    """Returns how a queue divides a unit (XR-07), as far as all ways to turn out agree.

    Args:
        plans: The queue in each of these ways, at least one.
        unit: What identifies the unit.
        key_of: Returns what identifies a share, in whichever way.
        asked: What identifies a share that is listed even if it holds none of the unit.
        whole: Whether there is no other way to turn out than these.
    """
    return _in_all([_capacity_in(plan, unit, key_of, asked) for plan in plans], whole)


def name_of(unit: UnitKey) -> str | None:
    """Returns the name of a unit, None when it is not known."""
    parts = unit if isinstance(unit, tuple) else ()
    return parts[0] if len(parts) == 1 and isinstance(parts[0], str) else None


def unit_named(name: str) -> UnitKey:
    """Returns what identifies the unit of a name."""
    return text_key(name)


def _capacity_in(
    plan: QueuePlan, unit: UnitKey, key_of: Callable[[Resource], Hashable], asked: Hashable
) -> UnitCapacity:
    holders: list[tuple[Resource, Amount, Amount, bool]] = []
    for share in plan.shares:
        held = _held(share, unit)
        if held is not None or key_of(share) == asked:
            own = held or NONE
            holders.append((share, own, _lendable(share, own), held is not None))
    own_limits = Sum((own for _, own, _, _ in holders), open=not plan.complete)
    lent = Sum((lendable for _, _, lendable, _ in holders), open=not plan.complete)
    environment = ANY
    if plan.environment is not None:
        environment = _held(plan.environment, unit) or NONE
    shares: list[ShareCapacity] = []
    for share, own, lendable, holds in holders:
        others = lent.without(lendable)
        allowed = either(reach(own, limit) for limit in _borrow_limits(share))
        # A share cannot borrow what it has no limit for; AWS has not confirmed it (XR-08).
        borrowable = smaller(allowed, others) if holds else NONE
        shares.append(
            ShareCapacity(
                key=key_of(share),
                share=name_of_share(share),
                id=share.id,
                max_capacity=own,
                strategy=_strategy(share),
                borrow_limit=borrow_limit(share),
                lendable=lendable,
                lent_by_others=others,
                borrowable=borrowable,
                largest_job=smaller(own.plus(borrowable), environment),
                enabled=is_enabled(share),
                holds=holds,
            )
        )
    return UnitCapacity(
        name_of(unit),
        environment,
        own_limits.all(),
        environment.less(own_limits.all()),
        tuple(shares),
    )


def reach(own: Amount, limit: int | None) -> Amount:
    """Returns what a borrow limit lets a share borrow, whatever there is to borrow.

    Args:
        own: The share's own limit.
        limit: Its borrow limit in per cent; -1 for unlimited, None when it is not known.
    """
    if limit is None:
        return ANY
    return Amount(_WITHOUT_END) if limit == UNLIMITED else own.percent(limit)


# More than any sum of limits: what is unlimited is limited by the lenders alone.
_WITHOUT_END: Final = 10**30


def borrow_limit(share: Resource) -> int | None:
    """Returns a share's borrow limit in per cent: -1 for unlimited, 0 where it cannot borrow.

    It is None when it is not known.
    """
    limits = _borrow_limits(share)
    return limits.pop() if len(limits) == 1 else None


def _borrow_limits(share: Resource) -> set[int | None]:
    """Returns what a share's borrow limit may be; None stands for any."""
    strategies, given = _strategies(share), share.at(BORROW_LIMIT)
    limits: set[int | None] = {0} if set(strategies) != {LEND_AND_BORROW} else set()
    if LEND_AND_BORROW not in strategies:
        return limits
    told = [UNLIMITED] if given is None else _numbers(given, UNLIMITED)
    return limits | {*told} if told else limits | {None}


def _numbers(given: Any, least: int) -> list[int]:
    """Returns the numbers of which a value is one; none where it may be any."""
    if isinstance(given, UnknownText):
        numbers = [int(text) for text in given.options if _WHOLE_NUMBER.fullmatch(text)]
        return [number for number in numbers if number >= least]
    return [given] if is_whole_number(given) and given >= least else []


# As CloudFormation takes a text for a whole number.
_WHOLE_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}")


def is_enabled(resource: Resource) -> bool | None:
    """Tells whether a queue, an environment or a share takes jobs; None when it is not known."""
    state = resource.at(("State",))
    if state is None:
        return True
    return {"ENABLED": True, "DISABLED": False}.get(state) if isinstance(state, str) else None


def _lendable(share: Resource, own: Amount) -> Amount:
    lends = {strategy in LENDING_STRATEGIES for strategy in _strategies(share)}
    if lends == {True}:
        return own
    return NONE if lends == {False} else up_to(own)


def _strategies(share: Resource) -> tuple[str, ...]:
    """Returns the strategies of which a share has one."""
    given = share.at(STRATEGY)
    told = given.options if isinstance(given, UnknownText) else (given,)
    return tuple(strategy for strategy in STRATEGIES if strategy in told) or STRATEGIES


def _strategy(share: Resource) -> str | None:
    strategies = _strategies(share)
    return strategies[0] if len(strategies) == 1 else None


def name_of_share(share: Resource) -> str | None:
    """Returns the name of a share, None when it is not known."""
    name = share.at(("QuotaShareName",))
    return name if isinstance(name, str) else None


def _held(resource: Resource, unit: UnitKey) -> Amount | None:
    """Returns what a resource holds of a unit; None where it surely holds none."""
    keys = {limit.place: text_key(limit.unit) for limit in resource.capacity_limits}
    of_it = [limit for limit in resource.capacity_limits if keys[limit.place] == unit]
    may_be = [key for key in keys.values() if key != unit and None in (name_of(key), name_of(unit))]
    # AWS does not say which of two limits for one unit counts.
    if may_be or len(of_it) > 1 or unit is None or _is_open(resource):
        return ANY
    return _amount(of_it[0].max_capacity) if of_it else None


def _is_open(resource: Resource) -> bool:
    """Tells whether a resource may have limits of which nothing is known."""
    return not isinstance(resource.at(("CapacityLimits",)), list) or any(
        text_key(limit.unit) is None for limit in resource.capacity_limits
    )


def _amount(limit: int | Unknown) -> Amount:
    # AWS refuses a limit below 1 (SE-08, QS-05).
    numbers = _numbers(limit, 1)
    return either(map(exactly, numbers)) if numbers else ANY


def _in_all(ways: Sequence[UnitCapacity], whole: bool) -> UnitCapacity:
    first = ways[0]
    if len(ways) == 1:
        return first
    by_key = [{share.key: share for share in way.shares} for way in ways]
    shares = {share.key: share for way in ways for share in way.shares}
    return UnitCapacity(
        first.name,
        _one_of((way.environment for way in ways), whole),
        _one_of((way.allocated for way in ways), whole),
        _one_of((way.unallocated for way in ways), whole),
        tuple(
            _share_in_all(shares[key], [found.get(key) for found in by_key], whole)
            for key in shares
        ),
    )


def _one_of(amounts: Iterable[Amount], whole: bool) -> Amount:
    """Returns a number that is one of several, and where these are not all maybe any other."""
    found = either(amounts)
    return found if whole or found.known is not None else ANY


def _share_in_all(
    share: ShareCapacity, ways: Sequence[ShareCapacity | None], whole: bool
) -> ShareCapacity:
    """Returns a share as far as all ways agree; where it is not there it holds nothing."""
    there = [way for way in ways if way is not None]

    def amount(name: str) -> Amount:
        return _one_of((NONE if way is None else getattr(way, name) for way in ways), whole)

    def same(name: str) -> Any:
        values = {getattr(way, name) for way in there}
        return values.pop() if len(values) == 1 else None

    return ShareCapacity(
        key=share.key,
        share=same("share"),
        id=share.id,
        max_capacity=amount("max_capacity"),
        strategy=same("strategy"),
        borrow_limit=same("borrow_limit"),
        lendable=amount("lendable"),
        lent_by_others=amount("lent_by_others"),
        borrowable=amount("borrowable"),
        largest_job=amount("largest_job"),
        enabled=same("enabled"),
        holds=any(way.holds for way in there),
    )
