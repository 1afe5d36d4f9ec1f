"""What a share can reach: by its own limit, its strategy and borrow limit, and what others lend."""

from __future__ import annotations

from typing import Any

import pytest

from tests.test_diff import (
    BORROW,
    MOST,
    P5,
    PREEMPTS,
    SAFE,
    SHARING,
    SLOWS,
    STRATEGY,
    Template,
    changed,
    changes,
    only,
    parameters,
)

LEND = {"Strategy": "LEND"}
RESERVE = {"Strategy": "RESERVE"}
Edits = list[tuple[str, Any]]

# Before, besides before, the effect on the borrower, and what is said of it.
OWN: dict[str, tuple[Edits, Edits, str, str]] = {
    "a borrower that lends only": ([], [(f"Borrower.{SHARING}", LEND)], SLOWS, "less to run on"),
    "one that could borrow 0 %": (
        [(f"Borrower.{BORROW}", 0)],
        [(f"Borrower.{SHARING}", LEND)],
        SAFE,
        "could borrow nothing",
    ),
    "one of which nobody lends": (
        [(f"Lender.{STRATEGY}", "RESERVE")],
        [(f"Borrower.{SHARING}", RESERVE)],
        SAFE,
        "could borrow nothing",
    ),
    "one that has all of its environment": (
        [(f"Environment.{MOST}", 4)],
        [(f"Borrower.{SHARING}", LEND)],
        SAFE,
        "could borrow nothing",
    ),
    "one that gets as much as its own": (
        [],
        [(f"Borrower.{SHARING}", LEND), (f"Borrower.{MOST}", 8)],
        SAFE,
        "reaches as much as before",
    ),
    "a borrow limit that falls while the own limit rises": (
        [(f"Borrower.{MOST}", 8), (f"Borrower.{BORROW}", 50)],
        [(f"Borrower.{MOST}", 10), (f"Borrower.{BORROW}", 20)],
        SAFE,
        "Its own limit rises, and it reaches as much as before.",
    ),
    "a borrow limit that falls more than the own limit rises": (
        [(f"Borrower.{MOST}", 8), (f"Borrower.{BORROW}", 50)],
        [(f"Borrower.{MOST}", 10), (f"Borrower.{BORROW}", 10)],
        SLOWS,
        "have less to run on",
    ),
    "a borrow limit that falls while the others lend as little": (
        [(f"Borrower.{BORROW}", 300)],
        [(f"Borrower.{BORROW}", 150)],
        SAFE,
        "no more is lent, or fits its environment",
    ),
    "a borrow limit that falls by a part of an instance": (
        [(f"Borrower.{MOST}", 3), (f"Borrower.{BORROW}", 60)],
        [(f"Borrower.{BORROW}", 34)],
        SLOWS,
        "may have less to run on: AWS does not say how it rounds",
    ),
    "a borrow limit that falls by an instance": (
        [(f"Borrower.{MOST}", 3), (f"Borrower.{BORROW}", 67)],
        [(f"Borrower.{BORROW}", 34)],
        SLOWS,
        "Its jobs have less to run on. AWS",
    ),
}


@pytest.mark.parametrize("name", OWN)
def test_what_its_own_terms_let_a_share_reach(name: str) -> None:
    before, more, effect, said = OWN[name]
    old = changed(*before)
    (found,) = [
        one for one in changes(old, changed(*more, of=old)) if one.hit.property.startswith(SHARING)
    ]
    assert (found.hit.effect.value, found.hit.share) == (effect, "borrower")
    assert said in found.hit.message
    if effect != SLOWS or "rounds" not in said:
        assert "QS-11" not in found.hit.message


def test_what_is_lent_less_by_a_part_of_an_instance() -> None:
    old = changed((f"Borrower.{MOST}", 3), (f"Borrower.{BORROW}", 50), (f"Lender.{MOST}", 2))
    found = changes(old, changed((f"Lender.{MOST}", 1), of=old))
    assert [one.hit.share for one in found] == ["lender", "borrower"]
    assert "may be able to borrow less" in found[1].hit.message
    assert "AWS does not say how it rounds" in found[1].hit.message


# -- what is one of some


def of_one(strategy: str, *allowed: str) -> Template:
    """A strategy that becomes a parameter without a default."""
    parameter = {"Type": "String", **({"AllowedValues": list(allowed)} if allowed else {})}
    edit = (f"{strategy}.{SHARING}", {"Strategy": {"Ref": "S"}})
    return parameters(changed(edit), S=parameter)[0]


@pytest.mark.parametrize(
    ("id", "allowed", "expected", "said"),
    [
        ("Lender", (), [(PREEMPTS, "borrower"), (SAFE, "lender")], "keep all that they have"),
        ("Lender", ("LEND", "LEND_AND_BORROW"), [(SAFE, "lender")], "keep all that they have"),
        ("Lender", ("LEND", "RESERVE"), [(PREEMPTS, "borrower"), (SAFE, "lender")], "keep all"),
        ("Reserver", (), [(SLOWS, "reserver")], "may lend what it leaves idle"),
        ("Borrower", (), [(SLOWS, "borrower")], "is not known then"),
        ("Borrower", ("LEND_AND_BORROW",), [(SAFE, "borrower")], "is unlimited as before"),
        ("Borrower", ("LEND", "RESERVE"), [(SLOWS, "borrower")], "borrows no more"),
    ],
)
def test_a_strategy_that_is_one_of_some(
    id: str, allowed: tuple[str, ...], expected: list[tuple[str, str]], said: str
) -> None:
    old = changed((f"Borrower.{BORROW}", -1))
    new = of_one(id, *allowed)
    if id != "Borrower":
        new["Resources"]["Borrower"]["Properties"][SHARING]["BorrowLimit"] = -1
    found = changes(old, new)
    assert [(one.hit.effect.value, one.hit.share) for one in found] == expected
    (own,) = [one for one in found if one.resource == id and one.hit.property]
    assert said in own.hit.message


def test_a_strategy_that_can_be_one_alone_is_that() -> None:
    assert changes(changed(), of_one("Reserver", "RESERVE")) == []


def branches(id: str, then: Any, otherwise: Any, by: str = "X") -> Template:
    template = changed((f"{id}.{MOST}", {"Fn::If": [by, then, otherwise]}))
    template["Conditions"] = {
        name: {"Fn::Equals": [{"Ref": "Stage"}, name]} for name in ("X", "Y", "Z")
    }
    return parameters(template, Stage={"Type": "String"})[0]


@pytest.mark.parametrize(
    ("old", "new", "effect", "said"),
    [
        ((4, 3), (8, 7), SAFE, f"for {P5} rises from 3 or 4 to 7 or 8"),
        ((8, 7), (4, 3), None, f"for {P5} falls from 7 or 8 to 3 or 4"),
        ((4, 7), (6, 8), None, f"for {P5} may fall from 4 or 7 to 6 or 8"),
        ((4, "3"), (4, 5), SAFE, f"for {P5} rises from 3 or 4 to 4 or 5"),
        ((4, {"Ref": "Stage"}), (5, 6), None, "the templates do not tell the value before"),
        ((4, {"Fn::If": ["Y", 2, 3]}), (5, 6), SAFE, f"for {P5} rises from 2 to 4 to 5 or 6"),
    ],
)
def test_a_limit_on_a_condition_that_is_not_known(
    old: tuple[Any, Any], new: tuple[Any, Any], effect: str | None, said: str
) -> None:
    for id, worst in (("Reserver", PREEMPTS), ("Environment", SLOWS)):
        found = only(changes(branches(id, *old), branches(id, *new, by="Z")))
        assert found.hit.effect.value == (effect or worst)
        assert said in found.hit.message


def test_a_lender_that_lends_more_on_any_condition_hurts_nobody() -> None:
    found = changes(branches("Lender", 4, 3), branches("Lender", 8, 7))
    assert [(one.hit.effect.value, one.hit.share) for one in found] == [(SAFE, "lender")]
    found = changes(branches("Lender", 4, 3), branches("Lender", 2, 1))
    assert [one.hit.share for one in found] == ["lender", "borrower"]
    assert "may be able to borrow less" in found[1].hit.message


def test_the_same_condition_is_no_change() -> None:
    assert changes(branches("Lender", 4, 3), branches("Lender", 4, 3)) == []
