"""Texts of parts that are not known: how long they may be, and what they can be."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.plan import UnknownText
from qm_constructs.template import values
from qm_constructs.template.parameters import least_value, options_of
from qm_constructs.template.values import Atom, literal, put_together, ways
from tests.test_resolving import join, judged, rules_of, sub, template

A, B, C = Atom(0, "a"), Atom(0, "b"), Atom(0, "c")


@pytest.mark.parametrize(
    ("pieces", "fits"),
    [
        ([["x" * 9]], True),
        ([["x" * 10]], False),
        ([["x" * 4], ["y" * 4]], True),
        ([["x" * 4], ["y" * 5]], False),
        ([[A] * 10], True),
        ([[A] * 11], False),
    ],
)
def test_a_text_is_put_together_up_to_a_length(
    pieces: Any, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values, "_LONGEST_TEXT", 10)
    parts = [part for piece in pieces for part in piece]
    assert put_together(pieces) == (parts if fits else None)


@pytest.mark.parametrize(
    ("parts", "length", "count"),
    [
        ((A,), 40, 1),
        (("x", A), 40, 1),
        ((A, B), 15, 16),
        ((A, B), 16, None),
        ((A, B, C), 3, 10),
        ((A, B, C), 4, None),
        ((A, A), 16, 1),
        ((A, A), 15, 0),
        (("x",), 40, 0),
    ],
)
def test_a_text_is_taken_apart_in_not_too_many_ways(
    parts: Any, length: int, count: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values, "_MOST_WAYS", 16)
    found = ways(parts, "x" * length)
    assert (None if found is None else len(found)) == count


def test_what_the_parts_of_a_text_can_be() -> None:
    assert ways((A, B), "x") == [{A: "", B: "x"}, {A: "x", B: ""}]
    assert ways((A, "-", A), "x-x") == [{A: "x"}]
    assert ways((A, "-", A), "x-y") == []


MARKED = "{{resolve:ssm:\ue000%s}}"


def test_a_dynamic_reference_with_a_character_of_private_use_is_known_by_its_text() -> None:
    parts = [literal(MARKED % name, 7) for name in "aab"]
    one, same, other = (part.parts for part in parts if isinstance(part, UnknownText))
    assert one == same != other
    (atom,) = one
    assert isinstance(atom, Atom)
    assert (atom.owner, len(atom.expression) > 0) == (7, True)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (MARKED % "a", MARKED % "a", True),
        (MARKED % "a", MARKED % "b", False),
        (sub("{{resolve:ssm:/${A}}}"), sub("{{resolve:ssm:/${A}}}"), True),
        (sub("{{resolve:ssm:/${A}}}"), sub("{{resolve:ssm:/${B}}}"), False),
        (join("{{resolve:ssm:/", {"Ref": "A"}, "}}"), sub("{{resolve:ssm:/${B}}}"), False),
    ],
)
def test_two_names_with_dynamic_references_are_the_same_where_the_whole_is(
    one: Any, other: Any, same: bool
) -> None:
    names = {"Product.QuotaShareName": one, "Research.QuotaShareName": other}
    parameters = {name: {"Type": "String"} for name in "AB"}
    found = rules_of(judged(template(names, Parameters=parameters)))
    assert found == ([("QS-03", "Product")] if same else [])


@pytest.mark.parametrize(
    ("parameter", "least", "options"),
    [
        ({"AllowedValues": [3, 2, "10"]}, "2", ("3", "2", "10")),
        ({"AllowedValues": ["3", None, "2"]}, "2", ()),
        ({"AllowedValues": ["3", "x"]}, None, ("3", "x")),
        ({"AllowedValues": ["3"], "Default": "3"}, None, ("3",)),
        ({"AllowedValues": [1, 2, 3], "Type": "Number", "MinValue": 2}, "2", ("2", "3")),
        ({"AllowedValues": [1], "Type": "Number", "MinValue": 2}, None, ()),
        ({"AllowedValues": [1, 2], "Type": "Number", "MinValue": "x"}, "1", ("1", "2")),
        ({"AllowedValues": [1, 2], "Type": "Number", "MaxValue": 1}, "1", ("1",)),
        ({"AllowedValues": "3"}, None, ()),
        ({}, None, ()),
    ],
)
def test_what_a_parameter_of_listed_values_can_be(
    parameter: dict[str, Any], least: str | None, options: tuple[str, ...]
) -> None:
    assert least_value(parameter) == least
    assert options_of(parameter) == options
