"""Parameters that are lists: what their entries are, joined and one by one, at the same time."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack
from tests.test_combinations import equals, join, may_both_be, no, ref, sound, sub
from tests.test_nested_parameters import either, nesting, queue, shares
from tests.test_resolving import judged, rules_of, template

Properties = dict[str, Any]
LIST = {"Type": "CommaDelimitedList"}


def entry(index: Any, of: Any = None) -> Properties:
    return {"Fn::Select": [index, ref("Teams") if of is None else of]}


def joined(by: str = ",") -> Properties:
    return {"Fn::Join": [by, ref("Teams")]}


def contains(text: str) -> Properties:
    return {"Fn::Contains": [ref("Teams"), text]}


def asserting(*asserted: Any, when: Any = None) -> Properties:
    rule: Properties = {"Assertions": [{"Assert": one} for one in asserted]}
    return {"R": rule if when is None else {**rule, "RuleCondition": when}}


FIRST, SECOND = equals(entry(0), "a"), equals(entry(1), "a")


@pytest.mark.parametrize("default", [{}, {"Default": "x,y"}, {"Default": "a"}], ids=str)
@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (FIRST, SECOND, True),
        (FIRST, equals(entry("0"), "a"), True),
        (FIRST, no(equals(entry("0"), "a")), False),
        (FIRST, equals(entry(0), "b"), False),
        (equals(entry(1), "a"), equals(entry(0), "b"), True),
        (equals(joined(), "c,d"), SECOND, False),
        (equals(joined(), "b,a"), SECOND, True),
        # What has one entry has no second, and CloudFormation refuses to ask for it.
        (equals(joined(), "b"), SECOND, False),
        (equals(joined(), "b"), no(SECOND), False),
        (equals(joined(), "a"), equals(entry(1), "b"), False),
        (equals(joined(""), ""), FIRST, False),
        (equals(joined(""), ""), no(FIRST), True),
        (equals(sub("${x}-1", x=entry(1)), "a-1"), no(SECOND), False),
        (equals(join("team", entry(1), by="-"), "team-a"), SECOND, True),
        (equals(entry(0), entry(1)), no(equals(entry(1), entry(0))), False),
        ({"Fn::And": [FIRST, equals(entry(0), entry(1))]}, no(SECOND), False),
    ],
)
def test_entries_of_a_list(default: Properties, one: Any, other: Any, *, both: bool) -> None:
    assert may_both_be(one, other, Parameters={"Teams": {**LIST, **default}}) is both


def test_entries_of_what_is_split_are_the_same_however_their_place_is_written() -> None:
    pieces = {"Fn::Split": ["-", ref("AWS::Region")]}
    us, eu = equals(entry(0, pieces), "us"), equals(entry("0", pieces), "eu")
    assert not may_both_be(us, eu)
    assert may_both_be(us, no(eu))


@pytest.mark.parametrize(
    ("declared", "both"),
    [
        ({}, True),
        ({"AllowedValues": ["a", "b"]}, True),
        ({"AllowedValues": ["b", "c"]}, False),
        ({"AllowedValues": ["b", "c"], "Default": "b,c"}, False),
        ({"Type": "List<String>"}, True),
        ({"Type": "AWS::SSM::Parameter::Value<List<String>>", "Default": "/teams"}, True),
        # The name of what holds the list is no entry of it.
        ({"Type": "AWS::SSM::Parameter::Value<CommaDelimitedList>", "Default": "b,c"}, True),
    ],
)
def test_an_entry_is_one_that_is_allowed(declared: Properties, *, both: bool) -> None:
    parameters = {"Teams": {**LIST, **declared}}
    assert may_both_be(SECOND, no(equals(entry(0), "b")), Parameters=parameters) is both


@pytest.mark.parametrize(
    ("rules", "both"),
    [
        (asserting(contains("a")), True),
        (asserting(no(contains("a"))), False),
        (asserting(no(contains("c"))), True),
        (asserting(no(contains("a")), when=equals(ref("Stage"), "prod")), True),
        (asserting(no(contains("a")), when=equals("a", "a")), False),
        (asserting({"Fn::EachMemberIn": [ref("Teams"), ["b", "c"]]}), False),
        (asserting({"Fn::EachMemberIn": [ref("Teams"), ["a", "b"]]}), True),
        (asserting({"Fn::EachMemberEquals": [ref("Teams"), "b"]}), False),
        (asserting({"Fn::EachMemberEquals": [ref("Teams"), "a"]}), True),
        (asserting({"Fn::EachMemberIn": [ref("Teams"), [ref("Stage"), "b"]]}), True),
    ],
    ids=str,
)
def test_rules_of_a_list_hold_for_its_entries(rules: Properties, *, both: bool) -> None:
    sections = {"Parameters": {"Teams": LIST, "Stage": {"Type": "String"}}, "Rules": rules}
    always = equals("x", "x")
    assert may_both_be(SECOND, always, **sections) is both
    assert may_both_be(always, SECOND, **sections) is both


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("default", [{}, {"Default": "x,y,z"}], ids=["none", "default"])
def test_what_a_condition_says_of_an_entry_is_so_in_a_property(
    place: int, default: Properties
) -> None:
    units = {"Units": {**LIST, **default}}
    other = {"IsOther": equals(entry(place, ref("Units")), "ml.g5.xlarge")}
    for asked, expected in ((place, [("XR-01", "Research")]), (place + 1, [])):
        whole = sound(Parameters=units, Conditions=other)
        (limit,) = whole["Resources"]["Research"]["Properties"]["CapacityLimits"]
        limit["CapacityUnit"] = either("IsOther", entry(asked, ref("Units")), "ml.p5.48xlarge")
        found = [one for one in judged(whole) if one.rule.id == "XR-01"]
        assert rules_of(found) == expected
        assert all("This is so when IsOther is true." in one.message for one in found)


@pytest.mark.parametrize(
    ("unit", "otherwise", "said"),
    [
        ("ml.g5.xlarge", "ml.p5.48xlarge", "when IsOther is true."),
        ("ml.p5.48xlarge", "ml.g5.xlarge", "when IsOther is false."),
    ],
)
def test_it_is_said_when_an_entry_makes_a_difference(unit: str, otherwise: str, said: str) -> None:
    other = {"IsOther": equals(entry(1, ref("Units")), "x")}
    whole = sound(Parameters={"Units": LIST}, Conditions=other)
    (limit,) = whole["Resources"]["Research"]["Properties"]["CapacityLimits"]
    limit["CapacityUnit"] = either("IsOther", unit, otherwise)
    (one,) = [one for one in judged(whole) if one.rule.id == "XR-01"]
    assert f"This is so {said}" in one.message


def test_an_entry_is_named_by_its_list_and_its_place() -> None:
    unit = entry(1, ref("Units"))
    two = {"IsEither": {"Fn::Or": [equals(unit, "ml.p5.48xlarge"), equals(unit, "ml.g5.xlarge")]}}
    whole = sound(Parameters={"Units": LIST}, Conditions=two)
    (limit,) = whole["Resources"]["Research"]["Properties"]["CapacityLimits"]
    limit["CapacityUnit"] = either("IsEither", unit, "ml.g4dn.xlarge")
    found = [one for one in judged(whole) if one.rule.id == "XR-01"]
    assert [(one.path[-1], one.message.partition(" This is so ")[2]) for one in found] == [
        (1, "when Units[1] is 'ml.g5.xlarge'."),
        (2, "when IsEither is false."),
    ]


def of_nested(given: Any, name: Any, **sections: Any) -> list[tuple[str, str]]:
    """Returns what is found of a share that is there if the list given to its stack says so."""
    conditions = {"IsIt": equals(entry(1), "team")}
    inner = shares({"Strategy": "LEND"}, Parameters={"Teams": LIST}, Conditions=conditions)
    inner["Resources"]["Product"]["Condition"] = "IsIt"
    for id, named in (("Research", "team"), ("Product", name)):
        inner["Resources"][id]["Properties"]["QuotaShareName"] = named
    above = Stack(queue(nesting({"Teams": given}), **sections), "parent.json", name="Parent")
    nested = Stack(inner, "shares.json", parent=above, parent_resource="Shares")
    return rules_of(judge_stacks([above, nested]))


ABOVE = {"Parameters": {"All": {**LIST, "Default": "a, team"}}}


@pytest.mark.parametrize(
    ("given", "name", "expected"),
    [
        ("a,b", "team", []),
        ("a, team", "team", [("QS-03", "Product")]),
        ("a,team", entry(1), [("QS-03", "Product")]),
        ("a,team", entry(0), []),
        ({"Fn::Join": [",", ["a", "team"]]}, entry(1), [("QS-03", "Product")]),
        (sub("a,${x}", x="team"), entry(1), [("QS-03", "Product")]),
        ({"Fn::Join": [",", ref("All")]}, entry(1), [("QS-03", "Product")]),
        ({"Fn::Join": [",", ref("All")]}, entry(0), []),
        ("a,team", ref("Teams"), [("CF-02", "Product")]),
    ],
    ids=str,
)
def test_a_list_is_given_to_a_nested_stack_as_text(
    given: Any, name: Any, expected: list[tuple[str, str]]
) -> None:
    assert of_nested(given, name, **ABOVE) == expected


def test_what_a_nested_stack_asks_of_an_entry_makes_a_difference_above() -> None:
    above = {"Parameters": {"All": LIST}}
    given = {"Fn::Join": [",", ref("All")]}
    assert of_nested(given, entry(1), **above) == [("QS-03", "Product")]
    assert of_nested(given, entry(0), **above) == []


@pytest.mark.parametrize(
    "declared", [LIST, {**LIST, "Default": "a,b"}, {"Type": "List<Number>"}], ids=str
)
@pytest.mark.parametrize(
    "path",
    ["Product.QuotaShareName", "Product.CapacityLimits.0.MaxCapacity", "Queue.State"],
)
def test_a_list_is_no_text(declared: Properties, path: str) -> None:
    whole = template({path: ref("Teams")}, Parameters={"Teams": declared})
    assert rules_of(judged(whole)) == [("CF-02", path.partition(".")[0])]


def test_a_list_stands_where_one_belongs() -> None:
    whole = template({"Product.CapacityLimits": ref("Teams")}, Parameters={"Teams": LIST})
    assert judged(whole) == []


# -- an entry beyond a list, where something is chosen


BEYOND = {"Fn::Select": [2, {"Ref": "Teams"}]}
WITH_SIZE = {
    "Teams": {"Type": "CommaDelimitedList", "Default": "a,b"},
    "Size": {"Type": "String", "Default": "small"},
    "Open": {"Type": "String"},
}
CONDITIONS = {
    "IsLarge": equals({"Ref": "Size"}, "large"),
    "IsOpen": equals({"Ref": "Open"}, "x"),
    "IsFirst": equals(entry(0), "b"),
    "IsEast": equals({"Ref": "AWS::Region"}, "us-east-1"),
}


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        (BEYOND, True),
        ({"Fn::If": ["IsLarge", "c", BEYOND]}, True),
        # Whoever sets one parameter may set the list too.
        ({"Fn::If": ["IsLarge", BEYOND, "c"]}, False),
        ({"Fn::If": ["IsOpen", BEYOND, "c"]}, False),
        ({"Fn::If": ["IsOpen", "c", BEYOND]}, False),
        ({"Fn::If": ["IsEast", BEYOND, "c"]}, False),
        ({"Fn::If": ["IsFirst", "c", BEYOND]}, True),
        ({"Fn::If": ["IsFirst", BEYOND, "c"]}, False),
        ({"Fn::If": ["IsLarge", "c", {"Fn::Select": [1, {"Ref": "Teams"}]}]}, False),
    ],
    ids=str,
)
def test_an_entry_beyond_a_list_is_told_where_nothing_is_set(chosen: Any, *, told: bool) -> None:
    sections = {"Parameters": WITH_SIZE, "Conditions": CONDITIONS}
    found = judged(template({"Product.Tags": {"team": chosen}}, **sections))
    assert [one.rule.id for one in found] == ["CF-05"] * told


def test_an_entry_beyond_a_list_is_told_beside_a_condition_on_the_list() -> None:
    parameters = {"Teams": WITH_SIZE["Teams"]}
    sections = {"Parameters": parameters, "Conditions": {"C": CONDITIONS["IsFirst"]}}
    changes = {"Product.Tags": {"team": BEYOND}, "Queue.Priority": {"Fn::If": ["C", 1, 2]}}
    assert [one.rule.id for one in judged(template(changes, **sections))] == ["CF-05"]


def test_an_entry_beyond_a_list_that_has_no_default_is_not_told() -> None:
    sections = {"Parameters": {"Teams": LIST}, "Conditions": {"C": equals(joined(), "b")}}
    changes = {"Product.Tags": {"team": BEYOND}, "Queue.Priority": {"Fn::If": ["C", 1, 2]}}
    assert judged(template(changes, **sections)) == []


def test_a_list_where_a_text_or_a_map_belongs_is_said_to_be_one() -> None:
    places = ("Product.QuotaShareName", "Product.ResourceSharingConfiguration", "Product.Tags")
    found = judged(template(dict.fromkeys(places, ref("Teams")), Parameters={"Teams": LIST}))
    assert [(one.message, one.fix) for one in found if one.rule.id == "CF-02"] == [
        ("This must be text; it is a list.", "Write text, or choose one entry by Fn::Select."),
        ("This must be a map; it is a list.", "Write a map of Strategy, BorrowLimit."),
        (
            "This must be a map of keys to values; it is a list.",
            "Write {team: research}, say, without Key and Value.",
        ),
    ]


def test_an_entry_that_is_chosen_by_a_parameter_says_nothing_of_the_list() -> None:
    parameters = {"Teams": WITH_SIZE["Teams"], "Index": {"Type": "Number", "Default": 0}}
    sections = {"Parameters": parameters, "Conditions": {"C": equals(entry(ref("Index")), "b")}}
    changes = {"Product.Tags": {"team": BEYOND}, "Queue.Priority": {"Fn::If": ["C", 1001, 2]}}
    (one,) = judged(template(changes, **sections))
    assert (one.rule.id, "This is so" in one.message) == ("CF-05", False)
