"""The maps, the functions and the conditions in a part of a template."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest

from qm_constructs.template.calls import Call, calls_in, conditions_named, walk


def test_each_map_is_met_whatever_it_stands_in() -> None:
    inner = {"b": 1}
    whole = {"a": [inner, "text", [{"c": "d"}]]}
    assert [*walk(whole)] == [whole, {"c": "d"}, inner]


@pytest.mark.parametrize(
    ("node", "names"),
    [
        ({"Condition": "A", "Properties": {"X": {"Fn::If": ["B", 1, 2]}}}, ["A", "B"]),
        ({"Properties": {"Condition": "A"}}, []),
        ({"Fn::If": "AB"}, []),
        ({"Fn::If": []}, []),
        ({"Fn::If": [["A"], 1, 2]}, []),
        ({"Condition": ["A"]}, []),
        ([{"Fn::If": ["A", 1, 2]}], ["A"]),
        ("A", []),
    ],
    ids=str,
)
def test_the_conditions_that_a_part_names(node: Any, names: list[str]) -> None:
    assert sorted(conditions_named(node)) == names


def test_a_function_is_told_with_its_place_and_with_what_stands_beside_it() -> None:
    node = {
        "A": [{"Ref": "X"}, {"Fn::Sub": "y", "More": 1}],
        "Fn::ForEach::Loop": [{"Ref": "Z"}],
        "B": MappingProxyType({"Fn::GetAtt": ["Q", "Arn"]}),
        "C": {"Ref": "a tag", "More": {"Ref": "W"}},
    }
    assert calls_in(node) == [
        Call(("A", 0), "Ref", "X"),
        Call(("A", 1), "Fn::Sub", "y", "More"),
        Call(("B",), "Fn::GetAtt", ["Q", "Arn"]),
        Call(("C",), "Ref", "a tag", "More"),
        Call(("C", "More"), "Ref", "W"),
    ]
