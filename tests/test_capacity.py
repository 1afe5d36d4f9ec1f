"""The arithmetic of a queue: every row was worked out by hand from XR-07 before there was code."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qm_constructs.capacity import ShareCapacity
from qm_constructs.plan import LEND, LEND_AND_BORROW, RESERVE, UnknownText
from qm_constructs.quota_plan import QuotaPlan
from tests.plan_scenarios import GPU, OTHER, UNKNOWN, environment, plan_of, queue_plan, share
from tests.strategies import examples

# environment; shares; the share asked about: what it can lend, what it can borrow, largest job
TABLE = """
# AWS's guide: own limit 2 and a borrow limit of 100 give 4
10; a 2 B100, b 8 L; a: 2 2 4
# AWS's guide: two shares of 4 with 200 give 8, all that there is to borrow
8; a 4 B200, b 4 B200; a: 4 4 8
8; a 4 B200, b 4 B200; b: 4 4 8
# AWS's notebook: QS1 runs one job on its own instance and one on QS2's, QS3's is nobody else's
3; QS1 1 B200, QS2 1 L, QS3 1 R; QS1: 1 1 2
3; QS1 1 B200, QS2 1 L, QS3 1 R; QS2: 1 0 1
3; QS1 1 B200, QS2 1 L, QS3 1 R; QS3: 0 0 1
# AWS's command line samples: 5, 8 and 2
15; a 5 B100, b 8 L, c 2 R; a: 5 5 10
15; a 5 B100, b 8 L, c 2 R; b: 8 0 8
15; a 5 B100, b 8 L, c 2 R; c: 0 0 2
# one share: there is nobody to borrow from
8; a 8 R; a: 0 0 8
8; a 8 L; a: 8 0 8
8; a 8 B; a: 8 0 8
8; a 8 B300; a: 8 0 8
8; a 5 B; a: 5 0 5
# a borrow limit of 0
10; a 4 B0, b 6 L; a: 4 0 4
# unlimited, said or left out
10; a 4 B-1, b 6 L; a: 4 6 10
10; a 4 B, b 6 L; a: 4 6 10
10; a 4 B, b 3 L, c 3 B0; a: 4 6 10
# the borrow limit is the smaller, then the lenders, then both are equal
16; a 10 B50, b 6 L; a: 10 5 15
16; a 10 B70, b 6 L; a: 10 6 16
16; a 10 B60, b 6 L; a: 10 6 16
40; a 10 B200, b 6 L; a: 10 6 16
# no lender: all others reserve, or hold another unit
12; a 4 B, b 4 R, c 4 R; a: 4 0 4
12; a 4 B100, b 4x L; a: 4 0 4
12; a 4 B100, b 4x L, c 3 L; a: 4 3 7
12; a 4 B100, b 4x B; a: 4 0 4
# borrowers lend too, also with a borrow limit of 0
12; a 4 B100, b 8 B0; a: 4 4 8
12; a 4 B100, b 2 B0, c 6 R; a: 4 2 6
# the environment is smaller than the sum
10; a 8 B, b 8 L; a: 8 8 10
10; a 8 B25, b 8 L; a: 8 2 10
10; a 8 B10, b 8 L; a: 8 0 8
10; a 8 L, b 8 L; a: 8 0 8
# ... and than the share alone
5; a 8 L; a: 8 0 5
5; a 8 R; a: 0 0 5
5; a 8 B, b 1 L; a: 8 1 5
# the environment has no limit for the unit
-; a 8 B, b 1 L; a: 8 1 0
-; a 8 R; a: 0 0 0
# what nobody has is nobody's to lend
20; a 4 B, b 4 R; a: 4 0 4
20; a 4 B, b 4 L; a: 4 4 8
# fractions are rounded down to whole instances
10; a 1 B50, b 9 L; a: 1 0 1
10; a 1 B99, b 9 L; a: 1 0 1
10; a 1 B100, b 9 L; a: 1 1 2
10; a 3 B50, b 7 L; a: 3 1 4
10; a 3 B33, b 7 L; a: 3 0 3
10; a 3 B34, b 7 L; a: 3 1 4
10; a 7 B15, b 3 L; a: 7 1 8
# a share that is DISABLED is counted as a lender; AWS does not say
10; a 4 B, b 6 L!; a: 4 6 10
10; a 4 B100, b 6 R!; a: 4 0 4
10; a 4 B, b 3 B!, c 3 L; a: 4 6 10
10; a 4 B!, b 6 L; a: 4 6 10
# what is not known makes unknown what depends on it, and nothing else
?; a 4 R; a: 0 0 ?
?; a 4 B100, b 6 L; a: 4 4 ?
elsewhere; a 4 B, b 6 L; a: 4 6 ?
10; a ? R; a: 0 0 ?
10; a ? L; a: ? 0 ?
10; a ? L, b 6 L; a: ? 0 ?
10; a ? B0, b 6 L; a: ? 0 ?
10; a ? B50, b 6 L; a: ? ? ?
10; a ? B, b 6 L; a: ? 6 ?
10; a 4 ?, b 6 L; a: ? ? ?
10; a 4 ?, b 6 R; a: ? 0 4
10; a 10 ?, b 6 L; a: ? ? 10
10; a 4 B?, b 6 L; a: 4 ? ?
10; a 4 B?, b 6 R; a: 4 0 4
10; a 4 B, b ? L; a: 4 ? ?
10; a 4 B, b ? R; a: 4 0 4
10; a 4 B, b 6 ?; a: 4 ? ?
10; a 4 B50, b 6 ?, c 2 L; a: 4 2 6
10; a 4 B, b ? L, c 6 L; a: 4 ? 10
10; a ? B, b 6 L, c 10 B; c: 10 ? 10
10; a 4 B0, b ? L; a: 4 0 4
10; a 4 R, ...; a: 0 0 4
10; a 4 B, ...; a: 4 ? ?
10; a 4 B50, b 2 L, ...; a: 4 2 6
"""
ROWS = [
    [part.strip() for part in row.split(";")]
    for row in TABLE.splitlines()
    if row and not row.startswith("#")
]


def of(plan: QuotaPlan, name: str, unit: str = GPU) -> ShareCapacity:
    """Returns what a share has of a unit."""
    (found,) = [s for u in plan.units for s in u.shares if (u.name, s.share) == (unit, name)]
    return found


def known(*amounts: Any) -> str:
    return " ".join("?" if amount.known is None else str(amount.known) for amount in amounts)


@pytest.mark.parametrize(("held", "shares", "expected"), ROWS, ids=[" ".join(r) for r in ROWS])
def test_what_a_share_lends_borrows_and_runs(held: str, shares: str, expected: str) -> None:
    name, _, figures = expected.partition(": ")
    found = of(plan_of(held, shares), name)
    assert known(found.lendable, found.borrowable, found.largest_job) == figures


@pytest.mark.parametrize(
    ("held", "shares", "figures"),
    [
        ("16", "a 10 B50, b 6 L", "16 16 0"),
        ("16", "a 4 R", "16 4 12"),
        ("10", "a 8 L, b 8 L", "10 16 0"),
        ("-", "a 8 L", "0 8 0"),
        ("?", "a 4 R", "? 4 ?"),
        ("10", "a ? R", "10 ? ?"),
        ("10", "a 10 R, b ? R", "10 ? 0"),
        ("10", "a 4 R, ...", "10 ? ?"),
        ("elsewhere", "a 4 R", "? 4 ?"),
    ],
)
def test_what_of_a_unit_is_allocated(held: str, shares: str, figures: str) -> None:
    (unit,) = [unit for unit in plan_of(held, shares).units if unit.name == GPU]
    assert known(unit.environment, unit.allocated, unit.unallocated) == figures


def test_each_unit_is_for_itself_and_they_stand_as_in_the_environment() -> None:
    plan = QuotaPlan.of(
        queue_plan(
            environment({OTHER: 20, GPU: 8}),
            share("a", {GPU: 2, OTHER: 10, "ml.m5.large": 3}, LEND_AND_BORROW, 100),
            share("b", {GPU: 6}, LEND),
            share("c", {OTHER: 4}, RESERVE),
        )
    )
    assert [(u.name, [s.share for s in u.shares]) for u in plan.units] == [
        (OTHER, ["a", "c"]),
        (GPU, ["a", "b"]),
        ("ml.m5.large", ["a"]),
    ]
    found = [of(plan, "a", unit) for unit in (OTHER, GPU, "ml.m5.large")]
    assert [known(a.lendable, a.borrowable, a.largest_job) for a in found] == [
        "10 0 10",
        "2 2 4",
        "3 0 0",
    ]


@pytest.mark.parametrize("wrong", ["4", 4.5, 0, -1, True, None, [4], UNKNOWN])
def test_a_limit_that_is_no_number_of_instances_is_not_known(wrong: Any) -> None:
    plan = QuotaPlan.of(queue_plan(environment({GPU: 8}), share("a", {GPU: wrong})))
    assert known(of(plan, "a").max_capacity, of(plan, "a").largest_job) == "? ?"


@pytest.mark.parametrize(
    ("strategy", "given", "means"),
    [
        (RESERVE, None, 0),
        (LEND, 50, 0),
        (LEND_AND_BORROW, None, -1),
        (LEND_AND_BORROW, 0, 0),
        (LEND_AND_BORROW, -2, None),
        (LEND_AND_BORROW, "50 %", None),
        (LEND_AND_BORROW, UNKNOWN, None),
        ("BORROW", 50, None),
        (UNKNOWN, None, None),
    ],
)
def test_a_borrow_limit(strategy: Any, given: Any, means: int | None) -> None:
    plan = QuotaPlan.of(queue_plan(environment({GPU: 8}), share("a", {GPU: 1}, strategy, given)))
    assert of(plan, "a").borrow_limit == means


def test_a_limit_that_stands_twice_is_not_known() -> None:
    twice = share("a", {GPU: 1})
    twice.properties["CapacityLimits"].append({"CapacityUnit": GPU, "MaxCapacity": 2})
    plan = QuotaPlan.of(queue_plan(environment({GPU: 8}), twice))
    assert known(of(plan, "a").max_capacity) == "?"


def test_a_unit_that_a_parameter_names_is_one_unit_without_a_name() -> None:
    unit = UnknownText({"Ref": "Type"}, (("parameter", "Type"),))
    plan = QuotaPlan.of(
        queue_plan(environment({unit: 8}), share("a", {unit: 2}, LEND_AND_BORROW, 100))
    )
    (found,) = plan.units
    assert found.name is None
    assert known(found.environment, found.allocated, found.shares[0].largest_job) == "8 2 2"
    with_a_name = QuotaPlan.of(queue_plan(environment({unit: 8}), share("a", {GPU: 2})))
    assert known(of(with_a_name, "a").largest_job) == "?"


@pytest.mark.parametrize("limits", [UNKNOWN, None, [UNKNOWN], [{}], "none", [{"MaxCapacity": 4}]])
def test_limits_that_are_not_known_may_be_of_any_unit(limits: Any) -> None:
    hidden = share("hidden", {}, LEND)
    hidden.properties["CapacityLimits"] = limits  # type: ignore[index]
    plan = QuotaPlan.of(
        queue_plan(environment({GPU: 8}), share("a", {GPU: 2}, LEND_AND_BORROW), hidden)
    )
    found = of(plan, "a")
    assert known(found.max_capacity, found.borrowable, found.largest_job) == "2 ? ?"
    assert known(of(plan, "hidden").max_capacity) == "?"
    alone = QuotaPlan.of(queue_plan(None, hidden))
    assert [(u.name, [s.share for s in u.shares]) for u in alone.units] == [(None, ["hidden"])]


# -- Properties --------------------------------------------------------------------------

AMOUNT = st.integers(1, 60)
SHARE = st.tuples(
    AMOUNT,
    st.sampled_from([RESERVE, LEND, LEND_AND_BORROW]),
    st.none() | st.integers(-1, 400),
)
SHARES = st.lists(SHARE, min_size=1, max_size=6)


def planned(held: int, shares: list[tuple[int, str, int | None]]) -> QuotaPlan:
    made = [
        share(str(number), {GPU: own}, strategy, limit if strategy == LEND_AND_BORROW else None)
        for number, (own, strategy, limit) in enumerate(shares)
    ]
    return QuotaPlan.of(queue_plan(environment({GPU: held}), *made))


def largest(plan: QuotaPlan, number: int) -> int:
    found = of(plan, str(number)).largest_job.known
    assert found is not None
    return found


@examples(100)
@given(st.integers(1, 200), SHARES)
def test_the_largest_job_never_exceeds_the_environment(held: int, shares: list[Any]) -> None:
    plan = planned(held, shares)
    assert all(largest(plan, number) <= held for number in range(len(shares)))


@examples(100)
@given(st.integers(1, 200), SHARES, st.integers(0, 5), AMOUNT)
def test_the_largest_job_never_falls_when_a_lender_rises(
    held: int, shares: list[Any], lender: int, more: int
) -> None:
    lender %= len(shares)
    own, strategy, limit = shares[lender]
    assume(strategy != RESERVE)
    raised = [*shares]
    raised[lender] = (own + more, strategy, limit)
    before, after = planned(held, shares), planned(held, raised)
    for number in range(len(shares)):
        assert largest(after, number) >= largest(before, number)


@examples(100)
@given(st.integers(1, 200), SHARES)
def test_the_largest_job_under_reserve_and_lend_is_the_own_limit(
    held: int, shares: list[Any]
) -> None:
    plan = planned(held, shares)
    for number, (own, strategy, _) in enumerate(shares):
        if strategy != LEND_AND_BORROW:
            assert largest(plan, number) == min(own, held)


@examples(100)
@given(st.integers(1, 200), SHARES, st.data())
def test_what_is_not_known_leaves_what_is_told_true(
    held: int, shares: list[Any], data: st.DataObject
) -> None:
    """Whatever is hidden, a value that is still told is the one that it has when all is known."""
    whole = planned(held, shares)
    hidden = planned(held, shares)
    (plan,) = hidden.ways
    for resource in plan.shares:
        if data.draw(st.booleans()):
            resource.properties["CapacityLimits"][0]["MaxCapacity"] = UNKNOWN
        if data.draw(st.booleans()):
            resource.properties["ResourceSharingConfiguration"]["Strategy"] = UNKNOWN
    plan.complete = data.draw(st.booleans())
    for number in range(len(shares)):
        true, told = of(whole, str(number)), of(hidden, str(number))
        for name in ("max_capacity", "lendable", "borrowable", "largest_job"):
            amount, exact = getattr(told, name), getattr(true, name).known
            assert amount.least <= exact
            assert amount.most is None or exact <= amount.most
