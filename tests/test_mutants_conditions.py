"""What a condition and an expression can be, in each of the worlds of a template."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.plan import QUOTA_SHARE, Unknown, UnknownText
from qm_constructs.rules import SOUND, Severity
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.report import Report
from qm_constructs.template.scope import Scope, Scopes
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Universe
from qm_constructs.template.worlds import World, Worlds

T, F = True, False
EITHER = [(F,), (T,)]
ALL = [(F, F), (F, T), (T, F), (T, T)]


def truths(conditions: dict[str, Any], **parameters: Any) -> list[tuple[bool, ...]]:
    """Returns what the conditions are, in each world."""
    asked = {name: {"Fn::If": [name, 1, 2]} for name in conditions}
    template = {
        "Resources": {"S": {"Type": QUOTA_SHARE, "Properties": asked}},
        "Conditions": conditions,
        "Parameters": parameters,
    }
    universe = Universe([Stack(template, "a.json")])
    return sorted(
        tuple(Scopes(universe, world)[0].condition(name) for name in conditions)
        for world in Worlds(500)
    )


def scope_of(**attributes: Any) -> Scope:
    return Scopes(Universe([Stack({"Resources": {}}, "a.json", **attributes)]), World())[0]


ALWAYS = {"Fn::Equals": ["a", "a"]}
NEVER = {"Fn::Equals": ["a", "b"]}
P = {"P": {"Type": "String"}}


@pytest.mark.parametrize(
    ("condition", "known"),
    [
        (ALWAYS, [(T,)]),
        (NEVER, [(F,)]),
        ({"Fn::Equals": [1, "1"]}, [(T,)]),
        ({"Fn::Equals": [True, "true"]}, [(T,)]),
        ({"Fn::Equals": [{"Fn::Join": ["", ["a", "b"]]}, "ab"]}, [(T,)]),
        ({"Fn::Not": [ALWAYS]}, [(F,)]),
        ({"Fn::And": [ALWAYS, ALWAYS]}, [(T,)]),
        ({"Fn::And": [ALWAYS, NEVER]}, [(F,)]),
        ({"Fn::Or": [NEVER, ALWAYS]}, [(T,)]),
        ({"Fn::Or": [NEVER, NEVER]}, [(F,)]),
        ({"Fn::Not": [ALWAYS, ALWAYS]}, EITHER),
        ({"Fn::Not": ALWAYS}, EITHER),
        ({"Fn::And": ALWAYS}, EITHER),
        ({"Fn::Equals": ["a"]}, EITHER),
        ({"Fn::Equals": ["a", "a", "a"]}, EITHER),
        ({"Fn::Equals": "aa"}, EITHER),
        ({"Fn::Nothing": [ALWAYS]}, EITHER),
        ({"Fn::Nothing": ["a", "a"]}, EITHER),
        ({"Fn::Nothing": "Always"}, EITHER),
        ({"Condition": ["Always"]}, EITHER),
        ({"Condition": "Missing"}, EITHER),
        ({"Fn::Equals": ["a", "a"], "Fn::Not": [ALWAYS]}, EITHER),
        ("Always", EITHER),
        (None, EITHER),
        ({"Fn::Equals": [["a"], "a"]}, EITHER),
        ({"Fn::Equals": [["a"], ["a"]]}, EITHER),
        ({"Fn::Equals": [{"Fn::GetAtt": "A.B"}, "a"]}, EITHER),
        ({"Fn::Equals": [{"Fn::GetAtt": "A.B"}, {"Fn::GetAtt": "A.C"}]}, EITHER),
        ({"Fn::Equals": [{"Fn::GetAtt": "A.B"}, {"Fn::GetAtt": "A.B"}]}, [(T,)]),
    ],
    ids=str,
)
def test_a_condition(condition: Any, known: list[tuple[bool]]) -> None:
    assert truths({"C": condition}) == known


ONE, TWO = {"Fn::X": "one"}, {"Fn::X": "two"}
B, C = {"Fn::GetAtt": "A.B"}, {"Fn::GetAtt": "A.C"}


@pytest.mark.parametrize(
    ("one", "other", "known"),
    [
        (ALWAYS, {"Condition": "One"}, [(T, T)]),
        (ALWAYS, {"Fn::Not": [{"Condition": "One"}]}, [(T, F)]),
        (ALWAYS, {"Fn::Nothing": "One"}, [(T, F), (T, T)]),
        (ONE, {"Condition": "One"}, [(F, F), (T, T)]),
        (ONE, TWO, ALL),
        (ONE, ONE, ALL),  # two macros, two answers
        ({"Fn::Not": [ONE]}, {"Fn::Not": [TWO]}, ALL),
        ({"Fn::And": [ONE]}, {"Fn::Or": [TWO]}, ALL),
        ({"Fn::Equals": [["x"], "a"]}, {"Fn::Equals": [["y"], "a"]}, ALL),
        ({"Fn::Equals": [["x"], "a"]}, {"Fn::Equals": [["x"], "a"]}, [(F, F), (T, T)]),
        ({"Fn::Equals": ["a", ["x"]]}, {"Fn::Equals": ["a", ["y"]]}, ALL),
        ({"Fn::Equals": [B, "a"]}, {"Fn::Equals": ["a", B]}, [(F, F), (T, T)]),
        ({"Fn::Equals": [B, "a"]}, {"Fn::Equals": [B, "b"]}, [(F, F), (F, T), (T, F)]),
        ({"Fn::Equals": [B, "a"]}, {"Fn::Equals": [C, "a"]}, ALL),
        ({"Fn::Equals": [B, C]}, {"Fn::Equals": [C, B]}, [(F, F), (T, T)]),
        ({"Fn::Equals": [B, C]}, {"Fn::Equals": [B, {"Fn::GetAtt": "A.D"}]}, ALL),
        (
            {"Fn::Equals": [{"Ref": "P"}, "a"]},
            {"Fn::Equals": [{"Ref": "P"}, "b"]},
            [(F, F), (F, T), (T, F)],
        ),
        (
            {"Fn::Equals": [{"Ref": "P"}, "a"]},
            {"Fn::Equals": ["a", {"Ref": "P"}]},
            [(F, F), (T, T)],
        ),
    ],
    ids=str,
)
def test_two_conditions(one: Any, other: Any, known: list[tuple[bool, bool]]) -> None:
    assert truths({"One": one, "Other": other}, **P) == known


def test_a_circle_of_conditions_ends() -> None:
    assert truths({"C": {"Fn::Not": [{"Condition": "C"}]}}) == [(T,)]


@pytest.mark.parametrize(("conditions", "combinations"), [((1, 2), 4), ((1, 1), 2)])
def test_conditions_that_stand_where_their_name_belongs(
    conditions: tuple[int, int], combinations: int
) -> None:
    nodes = [{"Fn::If": [{"Fn::X": number}, "a", "b"]} for number in conditions]
    universe = Universe([Stack({"Resources": {}}, "a.json")])
    seen = []
    for world in Worlds(100):
        scope = Scopes(universe, world)[0]
        seen.append(tuple(scope.branch(node) for node in nodes))
    assert len(seen) == combinations == len(set(seen))
    assert set(seen[0]) == {(1, "a")}
    assert scope.branch({"Fn::If": ["C", 1]}) is None
    assert scope.branch({"Fn::If": ["C", 1, 2], "X": 1}) is None
    assert scope.branch("Fn::If") is None


# -- How deep.


def joined(depth: int, inner: Any = "a") -> Any:
    """Returns functions within one another that are "a" in the end."""
    node = inner
    for _ in range(depth):
        node = {"Fn::Join": ["", [node]]}
    return node


def test_functions_within_one_another() -> None:
    scope = scope_of()
    for _ in range(3):  # what has been read before leaves no trace
        assert scope.value(joined(1)) == "a"
        assert scope.value(joined(99)) == "a"
        assert isinstance(scope.value(joined(100)), UnknownText)
    assert scope.value([joined(1)] * 200) == ["a"] * 200
    one, other = (scope.value(joined(120, inner)) for inner in ("a", "b"))
    assert one.parts != other.parts


def test_conditions_within_one_another() -> None:
    def nested(depth: int) -> Any:
        node: Any = ALWAYS
        for _ in range(depth):
            node = {"Fn::Not": [node]}
        return node

    assert truths({"One": nested(1), "C": nested(98), "D": nested(99)}) == [(F, T, F)]
    assert truths({"One": nested(1), "C": nested(100)}) == [(F, F), (F, T)]
    assert truths({"C": {"Fn::And": [nested(2)] * 150}}) == [(T,)]


# -- What stands for what is not known.


def test_what_is_not_known_keeps_how_it_is_written() -> None:
    scope = scope_of()
    loop = {"Fn::ForEach::X": ["A", [], {}]}
    assert type(scope.value(loop)) is Unknown
    assert scope.value(loop).source == loop
    both = {"A": 1, "Fn::Transform": {}}
    assert type(scope.value(both)) is Unknown
    assert scope.value(both).source == both
    for node in ({"Fn::Nothing": 1}, {"Ref": "X"}, {"Fn::GetAtt": "A.B"}, {"Fn::If": ["C"]}):
        assert isinstance(scope.value(node), UnknownText)
        assert scope.value(node).source == node
    a, b = {"Fn::X": {"A": 1, "B": 2}}, {"Fn::X": {"B": 2, "A": 1}}
    assert scope.value(a).parts == scope.value(b).parts


def test_what_is_left_out() -> None:
    scope = scope_of()
    no = {"Ref": "AWS::NoValue"}
    assert scope.value({"A": no, "B": [no, 1, {"C": no}]}) == {"B": [1, {}]}
    assert scope.value(None) is None
    assert scope.value(3) == 3


@pytest.mark.parametrize(
    ("region", "partition"),
    [
        ("us-east-1", "aws"),
        ("cn-north-1", "aws-cn"),
        ("us-gov-west-1", "aws-us-gov"),
        ("us-iso-east-1", "aws-iso"),
        (None, None),
    ],
)
def test_pseudo_parameters(region: str | None, partition: str | None) -> None:
    scope = scope_of(region=region, account=region and "111122223333", name=region and "S")
    for name, value in {
        "Region": region,
        "Partition": partition,
        "AccountId": region and "111122223333",
        "StackName": region and "S",
        "URLSuffix": None,
    }.items():
        found = scope.value({"Ref": f"AWS::{name}"})
        if value is None:
            assert isinstance(found, UnknownText)
            assert found.source == {"Ref": f"AWS::{name}"}
        else:
            assert found == value
    assert (scope.region(), scope.account()) == (region, region and "111122223333")


def test_the_severities_of_a_report() -> None:
    whole = copy.deepcopy(SOUND)
    whole["Resources"]["Product"]["Properties"].update(QuotaShareName="Research", State="ON")
    whole["Resources"]["Queue"]["Properties"]["Priority"] = -1
    report = Report(judge_stacks([Stack(whole, "a.json")]))
    assert report.count(Severity.ERROR) == 2
    assert report.count(Severity.WARNING) == 1
