"""What is judged of a group of resources that has many ways, and what is said of it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template import explored, judge
from qm_constructs.template.judge import Judgement, judgement
from qm_constructs.template.stack import Stack
from tests.test_occasions import _when, either, equals, numbers, ref

Body = dict[str, Any]
NAMES = [f"C{number}" for number in range(5)]
# Each of them is true or false whatever the others are.
FIVE: Body = {
    "Parameters": {name: {"Type": "String"} for name in NAMES},
    "Conditions": {name: equals(ref(name), "yes") for name in NAMES},
}


def chosen(names: list[str], value: Any) -> Any:
    """Returns a value that hangs on conditions, and is the same in any case."""
    for name in names:
        value = either(name, value, value)
    return value


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes more than eight ways too many."""
    monkeypatch.setattr(explored, "_SURE_WORLDS", 8)
    monkeypatch.setattr(explored, "_FEWEST_WORLDS", 8)
    monkeypatch.setattr(judge, "_BUDGET", 0)


def of_policies(budget: int, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Returns of which of three resources of 32 ways each not all are judged, with the file."""
    body = {
        "Type": "AWS::Batch::SchedulingPolicy",
        "Properties": {"QuotaSharePolicy": chosen(NAMES, SOUND["Resources"]["Policy"])},
    }
    monkeypatch.setattr(judge, "_BUDGET", budget)
    judged = judgement([Stack({"Resources": dict.fromkeys("ABC", body), **FIVE}, "a.json")])
    return [(note.file, note.resource) for note in judged.notes]


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("budget", "not_whole"),
    [
        (96, []),
        # The first takes all of its third, and its single changes and those of its own.
        (95, ["A", "B", "C"]),
        (0, ["A", "B", "C"]),
    ],
)
def test_the_groups_share_what_is_judged(
    budget: int, not_whole: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [("a.json", name) for name in not_whole]
    assert of_policies(budget, monkeypatch) == expected


def of_many_ways(changes: dict[str, Body], **sections: Any) -> Judgement:
    """Judges a template of which one queue has too many ways to judge each."""
    whole = {**copy.deepcopy(SOUND), **FIVE, **sections}
    for id, properties in changes.items():
        whole["Resources"][id]["Properties"].update(properties)
    whole["Resources"]["Queue"]["Properties"]["State"] = chosen(NAMES, "ENABLED")
    return judgement([Stack(whole, "a.json")])


@pytest.mark.usefixtures("few")
def test_of_a_group_that_has_too_many_ways_the_queue_is_named() -> None:
    assert next(iter(SOUND["Resources"])) != "Queue"
    assert [note.resource for note in of_many_ways({}).notes] == ["Queue"]


LIMITS = "CapacityLimits"


def unit(count: Any) -> Body:
    return {LIMITS: [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": count}]}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"Product": {"QuotaShareName": "a b"}}, ["QS-02"]),
        # Where a resource is looked at with those that it names alone, it has not all shares.
        ({"Environment": {**unit(15), "State": chosen(NAMES, "ENABLED")}}, ["XR-02"]),
    ],
)
def test_what_is_so_wherever_all_are_looked_at_is_always_so(
    changes: dict[str, Body], expected: list[str]
) -> None:
    found = of_many_ways(changes).findings
    assert [one.rule.id for one in found] == expected
    assert "This is so" not in found[0].message


@pytest.mark.usefixtures("few")
def test_when_it_is_so_is_told_from_the_ways_of_the_resource_by_itself_too() -> None:
    # Of what the queue hangs on, one at a time is looked at with all shares, both with itself.
    whole = {**copy.deepcopy(SOUND), **FIVE}
    priority = either("C0", either("C1", 1, 1001), either("C1", 1001, 1))
    whole["Resources"]["Queue"]["Properties"]["Priority"] = priority
    whole["Resources"]["Product"]["Properties"]["QuotaShareName"] = chosen(NAMES[2:], "product")
    found = judgement([Stack(whole, "a.json")]).findings
    whens = [" when C0 is false and C1 is true", " when C0 is true and C1 is false"]
    assert sorted(_when(one.message) for one in found) == whens


def when_too_many(others: list[str], **sections: Any) -> list[str]:
    """Returns when a share holds too many, in a queue that hangs on other conditions too."""
    whole = {**copy.deepcopy(SOUND), **sections}
    whole["Resources"]["Queue"]["Properties"]["State"] = chosen(others, "ENABLED")
    whole["Resources"]["Product"]["Properties"].update(unit(ref("Size")))
    found = judgement([Stack(whole, "a.json")]).findings
    return [_when(one.message) for one in found if one.rule.id == "XR-03"]


IN_MAP = {"Fn::FindInMap": ["M", ref("AWS::Region"), "n"]}


@pytest.mark.parametrize(
    "sections",
    [
        {},
        # In a Region that a map lacks nothing is deployed, which is no rule of the template.
        {
            "Mappings": {"M": {region: {"n": "x"} for region in ("us-east-1", "eu-west-1")}},
            "Outputs": {"Name": {"Value": IN_MAP}},
        },
        # Of a template that is refused in any way, it is said as if it were not.
        {"Rules": {"R": {"Assertions": [{"Assert": equals("a", "b")}]}}},
    ],
    ids=["sound", "map", "rule"],
)
def test_an_example_says_no_more_than_it_takes(sections: Body) -> None:
    stage = {"Type": "String", "AllowedValues": ["dev", "prod"]}
    sizes = {"Stage": stage, "Size": numbers(4, 32, 64, default=4)}
    conditions = {
        "Prod": equals(ref("Stage"), "prod"),
        "East": equals(ref("AWS::Region"), "us-east-1"),
    }
    found = when_too_many(["Prod", "East"], Parameters=sizes, Conditions=conditions, **sections)
    assert found == [", for example, when Size is '32'"]


def test_each_rule_of_the_template_leaves_something() -> None:
    switches = {name: {"Type": "String", "AllowedValues": ["no", "yes"]} for name in "AB"}
    rules = {
        name: {
            "RuleCondition": equals(ref("Size"), "32"),
            "Assertions": [{"Assert": equals(ref(name), "no")}],
        }
        for name in "AB"
    }
    found = when_too_many(
        ["IsA", "IsB"],
        Parameters={**switches, "Size": numbers(4, 32, default=4)},
        Conditions={f"Is{name}": equals(ref(name), "yes") for name in "AB"},
        Rules=rules,
    )
    assert found == [" when IsA is false and IsB is false and Size is '32'"]


def test_what_hangs_on_a_condition_that_there_is_not_hides_nothing_else() -> None:
    whole = copy.deepcopy(SOUND)
    whole["Resources"]["Research"]["Condition"] = "Nope"
    whole["Resources"]["Environment"]["Properties"].update(unit(15))
    whole["Resources"]["Other"] = copy.deepcopy(whole["Resources"]["Queue"])
    found = judgement([Stack(whole, "a.json")]).findings
    # With the share the shares hold too many together, without it they do not.
    expected = [("CF-04", "Research"), ("SP-08", "Other"), ("SE-12", "Other")]
    assert [(one.rule.id, one.resource) for one in found] == expected
