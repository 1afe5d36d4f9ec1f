"""What is told of a queue that may turn out in several ways: only what is so in all of them."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.amounts import ANY, Amount, exactly
from qm_constructs.capacity import (
    ShareCapacity,
    UnitCapacity,
    capacity_of,
    is_enabled,
    unit_named,
    units_of,
)
from qm_constructs.plan import LEND, LEND_AND_BORROW, QUOTA_SHARE, RESERVE, QueuePlan, Resource
from tests.plan_scenarios import GPU, OTHER, UNKNOWN, environment, queue_plan, share


def named(resource: Resource) -> Any:
    return resource.at(("QuotaShareName",))


def told(*ways: QueuePlan, whole: bool = True) -> UnitCapacity:
    return capacity_of(ways, unit_named(GPU), named, whole=whole)


def way(held: int, own: int, strategy: Any = LEND, limit: Any = None) -> QueuePlan:
    return queue_plan(
        environment({GPU: held}), share("a", {GPU: own}, strategy, limit), share("b", {GPU: 1})
    )


def share_a(unit: UnitCapacity) -> ShareCapacity:
    (found,) = [one for one in unit.shares if one.key == "a"]
    return found


def test_what_is_the_same_in_all_ways_is_told() -> None:
    for whole in (True, False):
        unit = told(*[way(20, 10, LEND_AND_BORROW, 50)] * 2, whole=whole)
        assert (unit.name, unit.environment, unit.allocated) == (GPU, exactly(20), exactly(11))
        assert unit.unallocated == exactly(9)
        found = share_a(unit)
        assert (found.share, found.strategy, found.borrow_limit) == ("a", LEND_AND_BORROW, 50)
        assert (found.max_capacity, found.lendable) == (exactly(10), exactly(10))
        assert (found.lent_by_others, found.borrowable) == (exactly(1), exactly(1))
        assert (found.largest_job, found.enabled, found.holds) == (exactly(11), True, True)


def test_of_what_differs_the_least_and_the_most_are_told() -> None:
    unit = told(way(20, 10, LEND_AND_BORROW, 50), way(30, 4, RESERVE))
    assert unit.environment == Amount(20, 30)
    assert (unit.allocated, unit.unallocated) == (Amount(5, 11), Amount(9, 25))
    found = share_a(unit)
    assert (found.share, found.strategy, found.borrow_limit) == ("a", None, None)
    assert (found.max_capacity, found.lendable) == (Amount(4, 10), Amount(0, 10))
    assert (found.borrowable, found.largest_job) == (Amount(0, 1), Amount(4, 11))


def test_where_there_may_be_other_ways_what_differs_is_not_told_at_all() -> None:
    unit = told(way(20, 10), way(30, 4), whole=False)
    assert (unit.environment, unit.allocated, unit.unallocated) == (ANY, ANY, ANY)
    found = share_a(unit)
    assert (found.max_capacity, found.lendable, found.largest_job) == (ANY, ANY, ANY)
    assert found.lent_by_others == exactly(1)


def test_all_ways_are_looked_at_if_nothing_else_is_said() -> None:
    unit = capacity_of([way(20, 10), way(30, 10)], unit_named(GPU), named)
    assert unit.environment == Amount(20, 30)


def test_a_share_holds_nothing_where_it_is_not_there() -> None:
    without = queue_plan(environment({GPU: 20}), share("b", {GPU: 1}))
    found = share_a(told(way(20, 10), without))
    assert (found.max_capacity, found.largest_job) == (Amount(0, 10), Amount(0, 10))
    assert (found.share, found.strategy, found.holds) == ("a", LEND, True)


def test_a_share_that_is_asked_for_is_told_though_it_holds_nothing_in_any_way() -> None:
    ways = [queue_plan(environment({GPU: n}), share("a", {OTHER: 1})) for n in (1, 2)]
    unit = capacity_of(ways, unit_named(GPU), named, "a")
    assert (share_a(unit).holds, share_a(unit).largest_job) == (False, exactly(0))


def test_a_share_keeps_its_logical_id() -> None:
    def plan(own: int) -> QueuePlan:
        made = share("a", {GPU: own})
        return queue_plan(environment({GPU: 9}), Resource(QUOTA_SHARE, made.properties, id="A"))

    assert [share_a(told(*ways)).id for ways in ([plan(1)], [plan(1), plan(2)])] == ["A", "A"]


@pytest.mark.parametrize(
    ("state", "enabled"),
    [
        (None, True),
        ("ENABLED", True),
        ("DISABLED", False),
        ("enabled", None),
        (UNKNOWN, None),
        (["ENABLED"], None),
        ({}, None),
    ],
)
def test_a_share_takes_jobs_unless_it_is_disabled(state: Any, enabled: bool | None) -> None:
    assert is_enabled(Resource(QUOTA_SHARE, {} if state is None else {"State": state})) is enabled


def test_a_queue_without_limits_has_no_unit() -> None:
    assert units_of([queue_plan(environment({}), share("a", {}))]) == []
    assert units_of([queue_plan(None)]) == []
    assert units_of([queue_plan(environment({UNKNOWN: 1}))]) == [None]
