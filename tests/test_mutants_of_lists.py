"""Lists: what is known of their entries; and what a name in a branch of ``Fn::If`` leads to."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Universe
from tests.test_combinations import equals, may_both_be, no, ref, sub
from tests.test_lists import LIST, asserting, contains, entry, joined, of_nested
from tests.test_mutants_compared import texts, with_condition
from tests.test_mutants_components import with_policy
from tests.test_mutants_universe import groups, resource
from tests.test_resolving import judged, rules_of, template

Body = dict[str, Any]
STORED = {"Type": "AWS::SSM::Parameter::Value<CommaDelimitedList>"}


@pytest.mark.parametrize(
    ("named", "together"),
    [
        ({"Fn::If": ["C", {"Ref": "P"}, "R"]}, [["Q", "P", "R"], ["O"]]),
        ({"Fn::If": ["C", "R", {"Ref": "P"}]}, [["Q", "P", "R"], ["O"]]),
        ({"Fn::If": ["C", {"Fn::If": ["C", "R", "x"]}, {"Ref": "P"}]}, [["Q", "P", "R"], ["O"]]),
        ({"Fn::If": ["R", {"Ref": "P"}, "x"]}, [["Q", "P"], ["R"], ["O"]]),
        ({"Ref": "P"}, [["Q", "P"], ["R"], ["O"]]),
    ],
    ids=str,
)
def test_a_branch_may_spell_out_a_logical_id(named: Any, together: list[list[str]]) -> None:
    policies = dict.fromkeys("PRO", resource("SchedulingPolicy"))
    assert groups({"Resources": {"Q": with_policy(named), **policies}}) == together


def test_names_that_are_no_logical_ids_have_nothing_in_common() -> None:
    share = resource("QuotaShare", JobQueue="elsewhere")
    assert groups({"Resources": {"Q": with_policy("p"), "S": share}}) == [["Q"], ["S"]]


@pytest.mark.parametrize(
    ("one", "declared", "may_be"),
    [
        # What holds the list may hold any, whatever its own name is.
        (equals(joined(), "c,d"), {**STORED, "Default": "/teams"}, True),
        (equals(joined(), "c,d"), {**STORED, "AllowedValues": ["/teams"]}, True),
        (equals(joined(), "c,d"), {**LIST, "AllowedValues": ["a"]}, False),
        # What is asked of a part of a text is asked of the list.
        (equals(sub("${x}-1", x=entry(1)), "a-1"), {**LIST, "Default": "x,y"}, True),
    ],
    ids=str,
)
def test_what_a_list_may_be(one: Any, declared: Body, *, may_be: bool) -> None:
    assert may_both_be(one, equals("x", "x"), Parameters={"Teams": declared}) is may_be


@pytest.mark.parametrize(
    ("declared", "rules"),
    [
        ({**LIST, "Default": "no name,b"}, ["QS-02"]),
        ({**STORED, "Default": "no name,b"}, []),
    ],
    ids=str,
)
def test_an_entry_of_a_list_that_is_stored_is_not_known(declared: Body, rules: list[str]) -> None:
    whole = template({"Product.QuotaShareName": entry(0)}, Parameters={"Teams": declared})
    assert [one.rule.id for one in judged(whole)] == rules


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, ""),
        (asserting(contains("no name")), "when Teams is 'no name'."),
        (
            asserting({"Fn::EachMemberIn": [ref("Teams"), ["no name", "b"]]}),
            "when Teams is 'no name'.",
        ),
    ],
    ids=str,
)
def test_a_list_that_rules_ask_about_may_be_another_than_its_default(
    asked: Body, said: str
) -> None:
    sections: Body = {"Parameters": {"Teams": {**LIST, "Default": "no name"}}, "Rules": asked}
    (one,) = judged(template({"Product.QuotaShareName": entry(0)}, **sections))
    assert one.message.partition("This is so ")[2] == said


@pytest.mark.parametrize(("place", "same"), [(0, True), ("0", True), (1, False)])
def test_two_entries_of_a_list_may_have_two_values(place: int | str, *, same: bool) -> None:
    changes: Body = {"Product.QuotaShareName": entry(0), "Research.QuotaShareName": entry(place)}
    found = rules_of(judged(template(changes, Parameters={"Teams": LIST})))
    assert [rule for rule, _ in found] == (["QS-03"] if same else [])


def test_an_entry_is_told_in_every_stack_that_gives_the_list_on() -> None:
    given = {"Fn::Join": [",", {"Ref": "L"}]}
    nesting = {
        "Type": "AWS::CloudFormation::Stack",
        "Properties": {"TemplateURL": "u", "Parameters": {"L": given}},
    }
    outer = Stack({"Resources": {"N": nesting}}, "outer.json")
    middle = Stack({"Resources": {"N": nesting}}, "middle.json", parent=outer, parent_resource="N")
    whole = with_condition(equals(entry(2, ref("L")), "x"), Parameters={"L": LIST})
    inner = Stack(whole, "inner.json", parent=middle, parent_resource="N")
    made = Universe([outer, middle, inner])
    assert [texts(made, number) for number in range(3)] == [{"L[2]": ["x"]}] * 3


def test_a_default_that_is_looked_up_later_is_not_known() -> None:
    parameters = {"Name": {"Type": "String", "Default": "{{resolve:ssm:/a name}}"}}
    whole = template({"Product.QuotaShareName": ref("Name")}, Parameters=parameters)
    assert judged(whole) == []


@pytest.mark.parametrize(("other", "same"), [("/a", True), ("/b", False)])
def test_what_is_looked_up_later_is_the_same_text_wherever_it_is_written(
    other: str, *, same: bool
) -> None:
    parameters = {"Name": {"Type": "String", "Default": "{{resolve:ssm:/a}}"}}
    changes = {
        "Product.QuotaShareName": ref("Name"),
        "Research.QuotaShareName": f"{{{{resolve:ssm:{other}}}}}",
    }
    found = judged(template(changes, Parameters=parameters))
    assert [one.rule.id for one in found] == (["QS-03"] if same else [])


def deep(text: str, levels: int) -> Any:
    """Returns a text in as many functions, one inside another."""
    node: Any = text
    for _ in range(levels):
        node = {"Fn::Join": ["", [node]]}
    return node


@pytest.mark.parametrize(
    ("one", "other", "rules"),
    [
        (deep("no name", 99), "b", ["QS-02"]),
        ("b", deep("no name", 99), ["QS-02"]),
        # What is deeper is not known, but the same is the same.
        (deep("no name", 120), "b", []),
        (deep("a", 120), deep("a", 120), ["QS-03"]),
        (deep("a", 120), deep("b", 120), []),
    ],
    ids=["first", "second", "deeper", "same", "different"],
)
def test_functions_are_followed_a_hundred_deep(one: Any, other: Any, rules: list[str]) -> None:
    found = judged(template({"Research.QuotaShareName": one, "Product.QuotaShareName": other}))
    assert [each.rule.id for each in found] == rules


@pytest.mark.parametrize(
    "rule",
    [
        {"Fn::EachMemberIn": [ref("Teams"), ref("Others")]},
        {"Fn::EachMemberIn": [ref("Stage"), ["x"]]},
        {"Fn::EachMemberIn": [ref("Stage"), ref("Others")]},
        {"Fn::Contains": [ref("Stage"), "x"]},
    ],
    ids=str,
)
def test_a_rule_of_lists_that_are_not_known_excludes_nothing(rule: Body) -> None:
    parameters = {"Teams": LIST, "Others": LIST, "Stage": {"Type": "String"}}
    second, sections = equals(entry(1), "a"), {"Parameters": parameters, "Rules": asserting(rule)}
    assert may_both_be(second, equals("x", "x"), **sections)


@pytest.mark.parametrize(
    ("refused", "said"),
    [(["b"], "'a' nor 'b'."), (["b", "c"], "'a' nor 'b' nor 'c'.")],
    ids=str,
)
def test_it_is_said_what_an_entry_is_not(refused: list[str], said: str) -> None:
    rules = asserting(*(no(equals(entry(0), text)) for text in refused))
    conditions = {"IsIt": equals(entry(0), "a")}
    high = {"Queue.Priority": {"Fn::If": ["IsIt", 1, 1001]}}
    parameters = {"Teams": LIST}
    whole = template(high, Parameters=parameters, Conditions=conditions, Rules=rules)
    (one,) = judged(whole)
    assert one.message.partition(" This is so ")[2] == f"when Teams[0] is neither {said}"


@pytest.mark.parametrize(("place", "same"), [(0, True), ("0", True), (1, False)])
def test_entries_of_what_a_resource_gives_are_told_apart(place: int | str, *, same: bool) -> None:
    given = {"Fn::GetAtt": ["Other", "Names"]}
    changes: Body = {
        "Other": {"Type": "Custom::Names", "Properties": {"ServiceToken": "x"}},
        "Product.QuotaShareName": entry(0, given),
        "Research.QuotaShareName": entry(place, given),
    }
    assert [one.rule.id for one in judged(template(changes))] == (["QS-03"] if same else [])


def test_a_list_that_is_given_as_a_text_that_is_not_known_is_a_list() -> None:
    above = {"Parameters": {"Text": {"Type": "String"}}}
    assert of_nested(ref("Text"), ref("Teams"), **above) == [("CF-02", "Product")]


def test_what_rules_say_of_a_text_is_not_said_of_entries_of_it() -> None:
    sections: Body = {
        "Parameters": {"Stage": {"Type": "String"}},
        "Conditions": {"IsFirst": equals(entry(0, ref("Stage")), "a")},
        "Rules": asserting({"Fn::EachMemberIn": [ref("Stage"), ["b"]]}),
    }
    high = {"Queue.Priority": {"Fn::If": ["IsFirst", 1001, 1]}}
    found = rules_of(judged(template(high, **sections)))
    # It is refused that a text has entries, and what they are is not known.
    assert [rule for rule, _ in found] == ["JQ-01", "CF-05"]
