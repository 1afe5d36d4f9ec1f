"""What the functions, conditions and parameters of a template mean, up to their limits."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.plan import UnknownText
from qm_constructs.template.scope import Scope, Scopes
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Universe
from qm_constructs.template.values import Atom
from qm_constructs.template.worlds import World
from tests.test_combinations import TWO, equals, may_both_be, no, ref, sound
from tests.test_resolving import join, judged, rules_of, sub, template

TEXT = {"Type": "String"}
A_AND_B = {"A": TEXT, "B": TEXT}


def scope_of(whole: dict[str, Any], *script: int) -> Scope:
    return Scopes(Universe([Stack(whole, "a.json")]), World(script))[0]


def deep(levels: int, innermost: Any) -> Any:
    for _ in range(levels):
        innermost = join(innermost)
    return innermost


def names_are_the_same(one: Any, other: Any, **sections: Any) -> bool:
    names = {"Product.QuotaShareName": one, "Research.QuotaShareName": other}
    found = [rule for rule, _ in rules_of(judged(template(names, **sections)))]
    return "QS-03" in found


BEFORE = [
    [],
    [join("")],
    [join(join(""))],
    [join("")] * 60,
]


@pytest.mark.parametrize("before", BEFORE, ids=range(4))
@pytest.mark.parametrize(("levels", "is_known"), [(98, True), (99, False)])
def test_functions_inside_functions_are_known_to_a_depth(
    before: list[Any], levels: int, is_known: bool
) -> None:
    scope = scope_of({"Resources": {}})
    scope.value(before)
    found = scope.value(join(*before, deep(levels, "x")))
    assert (found == "x") is is_known


def test_what_is_too_deep_is_the_same_where_it_is_written_alike() -> None:
    one, other = deep(100, ref("A")), deep(100, ref("B"))
    assert names_are_the_same(one, one, Parameters=A_AND_B)
    assert not names_are_the_same(one, other, Parameters=A_AND_B)


def nots(levels: int, innermost: Any) -> Any:
    for _ in range(levels):
        innermost = no(innermost)
    return innermost


FALSE = equals("a", "b")
OR = {"Fn::Or": [nots(2, FALSE), nots(4, FALSE)]}


@pytest.mark.parametrize("before", [FALSE, OR])
@pytest.mark.parametrize(("levels", "both"), [(99, False), (100, False), (101, True), (102, True)])
def test_conditions_inside_conditions_are_known_to_a_depth(
    before: Any, levels: int, both: bool
) -> None:
    innermost = equals("a", "b" if levels % 2 else "a")
    one = {"Fn::Or": [FALSE, {"Fn::Or": [before, nots(levels - 3, innermost)]}]}
    assert may_both_be(one, equals("a", "a")) is both


def test_two_assertions_that_are_not_known_are_two() -> None:
    unknown = [{"Fn::EachMemberIn": [[ref(name)], {"Fn::RefAll": "x"}]} for name in "AB"]
    dev = equals(ref("Stage"), "dev")
    assertions = [{"Fn::Or": [unknown[0], dev]}, {"Fn::Or": [no(unknown[1]), dev]}]
    whole = {"R": {"Assertions": [{"Assert": one} for one in assertions]}}
    prod = equals(ref("Stage"), "prod")
    assert may_both_be(prod, no(dev), Parameters={**TWO, **A_AND_B}, Rules=whole)


@pytest.mark.parametrize("stage", ["dev", "prod"])
def test_a_rule_is_only_kept_on_its_condition(stage: str) -> None:
    when = equals(ref("Stage"), stage)
    rule = {"RuleCondition": when, "Assertions": [{"Assert": equals(ref("Place"), "us")}]}
    prod, away = equals(ref("Stage"), "prod"), no(equals(ref("Place"), "us"))
    assert may_both_be(prod, away, Parameters=TWO, Rules={"R": rule}) is (stage == "dev")


def test_two_conditions_of_rules_that_are_not_known_are_two() -> None:
    unknown = [{"Fn::EachMemberIn": [[ref(name)], {"Fn::RefAll": "x"}]} for name in "AB"]
    dev = equals(ref("Stage"), "dev")
    assertions = [{"Assert": dev}]
    # A rule may have the name of a parameter.
    rules = {
        "Stage": {"RuleCondition": unknown[0], "Assertions": assertions},
        "Place": {"RuleCondition": no(unknown[1]), "Assertions": assertions},
    }
    prod = equals(ref("Stage"), "prod")
    assert may_both_be(prod, no(dev), Parameters={**TWO, **A_AND_B}, Rules=rules)


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        # One part that is not known is one text.
        (equals(sub("{{resolve:ssm:a}}/x"), "y/x"), equals(sub("{{resolve:ssm:a}}/z"), "y/z"), 1),
        (
            equals(sub("{{resolve:ssm:a}}/x"), "y/x"),
            no(equals(sub("{{resolve:ssm:a}}/z"), "y/z")),
            0,
        ),
        (equals("a", "b"), equals("a", "a"), 0),
    ],
)
def test_what_a_condition_can_be(one: Any, other: Any, both: int) -> None:
    assert may_both_be(one, other) is bool(both)


@pytest.mark.parametrize(
    "condition",
    [
        {"Fn::RefAll": [["a"], ["b"]]},
        {"Fn::Contains": ["dev", "e"]},
        {"Fn::Contains": ["dev", "x"]},
        {"Fn::EachMemberIn": [["a"], "b"]},
        no({"Fn::EachMemberIn": [["a"], "abc"]}),
    ],
    ids=str,
)
def test_what_is_no_function_of_a_condition_tells_nothing(condition: Any) -> None:
    rule = {"R": {"Assertions": [{"Assert": condition}]}}
    for one in (condition, no(condition)):
        whole = sound(Conditions={"One": one}, Rules=rule)
        whole["Resources"]["Product"]["Condition"] = "One"
        whole["Resources"]["Product"]["Properties"]["QuotaShareName"] = "research"
        assert ("QS-03", "Product") in rules_of(judged(whole))


def test_a_reference_that_names_nothing_is_not_told_twice() -> None:
    found = judged(template({"Queue.Priority": {"Ref": ["A"]}}))
    assert [rule for rule, _ in rules_of(found)] == ["CF-05"]


@pytest.mark.parametrize("default", ["{{resolve:ssm:/state}}", "ENABLED"])
def test_a_default_may_be_a_dynamic_reference(default: str) -> None:
    parameters = {"P": {**TEXT, "Default": default}}
    assert rules_of(judged(template({"Product.State": ref("P")}, Parameters=parameters))) == []
    assert names_are_the_same(ref("P"), "{{resolve:ssm:/state}}", Parameters=parameters) is (
        default != "ENABLED"
    )


@pytest.mark.parametrize("name", ["AWS::AccountId", "AWS::Region"])
def test_the_place_of_a_stack_is_what_its_pseudo_parameters_are(name: str) -> None:
    scope = scope_of({"Resources": {}})
    found = scope.value(ref(name))
    assert isinstance(found, UnknownText)
    assert found.parts in scope.place()
    assert found.parts == (Atom(0, name),)


LATER = "{{resolve:ssm:%s}}"
TEXTS = {"M": {"Fn::Transform": "x", "a": {"b": "c"}}, "N": {"a": {"b": "c"}, "d": {"e": {}}}}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"Fn::FindInMap": ["M", "A", "b"]}, {"Fn::FindInMap": ["M", "B", "b"]}),
        ({"Fn::FindInMap": ["N", LATER % "a", "b"]}, {"Fn::FindInMap": ["N", LATER % "b", "b"]}),
        ({"Fn::FindInMap": ["N", "A", "b"]}, {"Fn::FindInMap": ["N", "B", "b"]}),
        ({"Fn::FindInMap": ["N", "a"]}, {"Fn::FindInMap": ["N", "b"]}),
        ({"Fn::FindInMap": ["N", "a", {"Ref": "Queue"}]}, {"Fn::FindInMap": ["N", "a", ["x"]]}),
        ({"Fn::FindInMap": ["N", ["x"], "b"]}, {"Fn::FindInMap": ["N", ["y"], "b"]}),
    ],
)
def test_two_lookups_that_are_not_known_are_two(one: Any, other: Any) -> None:
    sections = {"Parameters": A_AND_B, "Mappings": TEXTS}
    assert names_are_the_same(one, one, **sections)
    assert not names_are_the_same(one, other, **sections)
