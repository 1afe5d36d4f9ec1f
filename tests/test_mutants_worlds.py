"""How conditions and parameters can turn out: each world once, and not too many of them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.report import Located
from qm_constructs.template.stack import Stack
from qm_constructs.template.worlds import UndecidedError, World, Worlds


def explored(most: int, ask: Callable[[World], Any]) -> list[Any]:
    return [ask(world) for world in Worlds(most, changes=most)]


def three(world: World) -> str:
    return "".join(world.choose(name, options) for name, options in (("a", "xyz"), ("b", "uv")))


def test_each_world_once() -> None:
    assert explored(10, three) == ["xu", "xv", "yu", "yv", "zu", "zv"]
    assert explored(6, three) == ["xu", "xv", "yu", "yv", "zu", "zv"]
    assert explored(10, lambda _: "nothing to choose") == ["nothing to choose"]


def test_what_is_asked_for_may_hang_on_what_was_chosen() -> None:
    def ask(world: World) -> str:
        first: str = world.choose(1, "xy")
        return first + world.choose(2, "uv") if first == "y" else first

    assert explored(10, ask) == ["x", "yu", "yv"]


def test_too_many_are_the_first_and_each_single_change() -> None:
    def ask(world: World) -> str:
        return "".join(world.choose(n, "abc") for n in range(4))

    first = ["aaaa", "aaab", "aaac"]
    changes = ["baaa", "caaa", "abaa", "acaa", "aaba", "aaca"]
    assert explored(3, ask) == [*first, *changes[:3]]
    assert explored(5, ask) == [*first, "aaba", "aabb", *changes[:5]]
    assert explored(81, ask)[-1] == "cccc"


def test_it_is_known_whether_all_were_explored() -> None:
    for most, complete in ((5, False), (6, True), (7, True)):
        worlds = Worlds(most)
        assert len([three(world) for world in worlds]) == min(most, 6)
        assert worlds.complete is complete


def test_in_a_settled_world_nothing_more_is_chosen() -> None:
    world = World()
    world.choose("a", "xy")
    world.is_settled = True
    assert world.choose("a", "xy") == "x"
    for choose in (world.choose, world.choose_alone):
        with pytest.raises(UndecidedError):
            choose("b", "xy")


def test_a_variable_has_one_value_in_a_world() -> None:
    world = World([1, 1])
    assert [world.choose("a", "xy"), world.choose("a", "xy")] == ["y", "y"]
    assert [world.choose_alone("b", "xy"), world.choose_alone("b", "xy")] == ["y", "y"]
    assert world.trail == [(1, 2), (1, 2)]
    assert World([7]).choose("a", "xy") == "y"


def test_one_parameter_at_a_time_is_unusual() -> None:
    def ask(world: World) -> str:
        return "".join(world.choose_alone(n, "abc") for n in range(3))

    assert explored(20, ask) == ["aaa", "aab", "aac", "aba", "aca", "baa", "caa"]


def judged(changes: dict[str, Any], **sections: Any) -> list[Located]:
    whole = {**copy.deepcopy(SOUND), **sections}
    for id, properties in changes.items():
        whole["Resources"][id]["Properties"].update(properties)
    return judge_stacks([Stack(whole, "a.json")])


def if_all(names: list[str], one: Any, other: Any) -> Any:
    for name in names:
        one = {"Fn::If": [name, one, other]}
    return one


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "This is so when C0 is true."),
        (2, "This is so when C0 is true and C1 is true."),
        (3, "This is so when C0 is true and C1 is true and C2 is true."),
        (4, "This is so when C0 is true and C1 is true and C2 is true and so on."),
    ],
)
def test_when_a_finding_holds_is_said(count: int, said: str) -> None:
    names = [f"C{n}" for n in range(count)]
    [found] = judged(
        {"Queue": {"Priority": if_all(names, 1001, 1)}},
        Parameters={name: {"Type": "String"} for name in names},
        Conditions={name: {"Fn::Equals": [{"Ref": name}, "yes"]} for name in names},
    )
    assert found.message == f"A job queue's priority is a whole number from 0 to 1000. {said}"
    assert found.path == ("Properties", "Priority", *("Fn::If", 1) * count)
    assert found.value == "1001"


def test_what_holds_always_is_said_without_a_condition() -> None:
    [found] = judged(
        {"Queue": {"Priority": 1001, "State": {"Fn::If": ["C", "ENABLED", "DISABLED"]}}},
        Parameters={"P": {"Type": "String"}},
        Conditions={"C": {"Fn::Equals": [{"Ref": "P"}, "yes"]}},
    )
    assert found.message.endswith("from 0 to 1000.")


@pytest.mark.parametrize("usual", ["1", None])
def test_a_parameter_of_listed_values_is_named_with_its_value(usual: str | None) -> None:
    parameter = {"Type": "String", "AllowedValues": ["1", "1001", "2"]}
    if usual:
        parameter["Default"] = usual
    [found] = judged({"Queue": {"Priority": {"Ref": "P"}}}, Parameters={"P": parameter})
    assert found.message.endswith(" This is so when P is '1001'.")


def test_two_findings_of_one_property_are_two() -> None:
    found = judged({"Product": {"QuotaShareName": "research", "Tags": {"aws:#": ""}}})
    assert [one.rule.id for one in found] == ["QS-03", "SJ-09", "SJ-09"]


NO = {"Ref": "AWS::NoValue"}


def test_what_is_left_out_does_not_count_in_the_path() -> None:
    limits = [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 6}, {"MaxCapacity": 1}]
    [found] = judged({"Product": {"CapacityLimits": [NO, limits[0], NO, limits[1]], "State": NO}})
    assert found.path == ("Properties", "CapacityLimits", 3)
    assert found.value == ""


@pytest.mark.parametrize(
    ("properties", "rule", "value"),
    [
        ({"QuotaShareName": {"Fn::Sub": "a b${P}"}}, "QS-02", '{"Fn::Sub": "a b${P}"}'),
        ({"QuotaShareName": {"Fn::Join": [" ", ["a", {"Ref": "P"}]]}}, "QS-02", '{"Fn::Join": ['),
        ({"QuotaShareName": "a b"}, "QS-02", "'a b'"),
        ({"CapacityLimits": []}, "QS-04", "[]"),
        ({"PreemptionConfiguration": {}}, "QS-12", "{}"),
        ({"State": "on"}, "QS-13", "'on'"),
        ({"State": ["on"]}, "CF-02", ""),
        ({"State": None}, "CF-02", ""),
    ],
)
def test_the_value_at_fault_is_shown(properties: dict[str, Any], rule: str, value: str) -> None:
    found = judged({"Product": properties}, Parameters={"P": {"Type": "String"}})
    assert [one.rule.id for one in found] == [rule]
    assert found[0].value.startswith(value) if value else found[0].value == ""


def test_findings_stand_in_the_order_of_stacks_resources_and_lines() -> None:
    wrong = copy.deepcopy(SOUND)
    wrong["Resources"]["Queue"]["Properties"].update(Priority=1001, State="ON")
    wrong["Resources"]["Environment"]["Properties"]["State"] = "ON"
    wrong["Resources"]["Policy"]["Properties"]["Name"] = "a b"
    lines = {"State": 3, "Priority": 5, "Name": 9}
    stacks = [
        Stack(copy.deepcopy(wrong), name, line_of=lambda path: lines.get(str(path[-1])))
        for name in ("b.json", "a.json")
    ]
    one = [("Policy", "Name"), ("Environment", "State"), ("Queue", "State"), ("Queue", "Priority")]
    found = judge_stacks(stacks)
    assert [(one.file, one.resource, one.path[-1]) for one in found] == [
        (file, *place) for file in ("b.json", "a.json") for place in one
    ]
    assert [one.line for one in found] == [9, 3, 3, 5] * 2


@pytest.mark.parametrize(
    ("metadata", "constructs", "construct"),
    [
        (None, {}, None),
        ({"aws:cdk:path": "A/B"}, {"Queue": "C/D"}, "A/B"),
        ({}, {"Queue": "C/D"}, "C/D"),
        ({"aws:cdk:path": 3}, {}, None),
    ],
)
def test_the_construct_behind_a_resource(
    metadata: Any, constructs: dict[str, str], construct: str | None
) -> None:
    whole = copy.deepcopy(SOUND)
    whole["Resources"]["Queue"]["Properties"]["Priority"] = -1
    whole["Resources"]["Queue"]["Metadata"] = metadata
    [found] = judge_stacks([Stack(whole, "a.json", name="S", constructs=constructs)])
    assert (found.construct, found.stack, found.line) == (construct, "S", None)


def test_a_condition_that_cannot_be_otherwise_is_not_said() -> None:
    changes = {"Queue": {"Priority": {"Fn::If": ["Always", {"Fn::If": ["C", 1001, 1]}, 1]}}}
    conditions = {
        "C": {"Fn::Equals": [{"Ref": "P"}, "yes"]},
        "Always": {"Fn::Equals": ["a", "a"]},
    }
    [found] = judged(changes, Parameters={"P": {"Type": "String"}}, Conditions=conditions)
    assert found.message.endswith(" This is so when C is true.")
    changes = {"Queue": {"Priority": {"Fn::If": ["Always", 1001, 1]}}}
    [found] = judged(changes, Conditions=conditions)
    assert found.message.endswith("from 0 to 1000.")


def test_two_rules_of_two_branches_are_two_findings() -> None:
    found = judged(
        {
            "Research": {"QuotaShareName": {"Fn::If": ["C", "product", "Product"]}},
            "Product": {"QuotaShareName": "product"},
        },
        Parameters={"P": {"Type": "String"}},
        Conditions={"C": {"Fn::Equals": [{"Ref": "P"}, "yes"]}},
    )
    assert [(one.rule.id, one.resource) for one in found] == [
        ("QS-03", "Product"),
        ("QS-03-CASE", "Product"),
    ]
    assert " when C is true." in found[0].message
    assert " when C is false." in found[1].message


def test_environments_of_one_name_in_two_stacks_may_be_in_two_places() -> None:
    stacks = []
    for file in ("a.json", "b.json"):
        environment = copy.deepcopy(SOUND["Resources"]["Environment"])
        environment["Properties"]["ServiceEnvironmentName"] = "e"
        stacks.append(Stack({"Resources": {"Environment": environment}}, file))
    assert judge_stacks(stacks) == []


def test_what_a_function_makes_has_the_place_of_the_function() -> None:
    found = judged(
        {"Product": {"CapacityLimits": {"Ref": "L"}}},
        Parameters={"L": {"Type": "CommaDelimitedList", "Default": "a,b"}},
    )
    assert {(one.rule.id, one.path) for one in found} == {
        ("CF-02", ("Properties", "CapacityLimits"))
    }


def test_a_piece_of_a_text_is_shown_as_it_is_written() -> None:
    name = {"Fn::Select": [0, {"Fn::Split": ["/", {"Fn::Sub": "a b${AWS::Region}/x"}]}]}
    [found] = judged({"Product": {"QuotaShareName": name}})
    assert found.rule.id == "QS-02"
    assert found.value.startswith('{"Fn::Select": [0, {"Fn::Split"')


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ({"Ref": "N" * 49}, f'{{"Ref": "{"N" * 49}"}}'),
        ({"Ref": "N" * 50}, f'{{"Ref": "{"N" * 50}"...'),
        (["Ref"], ""),
        (["Fn::Sub"], ""),
        ([], "[]"),
        ({}, "{}"),
    ],
    ids=str,
)
def test_a_value_is_shown_up_to_60_characters_and_a_list_only_if_it_is_empty(
    written: Any, value: str
) -> None:
    (found,) = judged({"Product": {"QuotaShareName": written}})
    assert found.value == value


def test_a_condition_and_what_a_map_is_looked_up_by_are_said_together() -> None:
    looked_up = {"Fn::FindInMap": ["M", {"Ref": "P"}, "priority"]}
    [found] = judged(
        {"Queue": {"Priority": {"Fn::If": ["C", looked_up, 1]}}},
        Parameters={name: {"Type": "String"} for name in "PQ"},
        Conditions={"C": {"Fn::Equals": [{"Ref": "Q"}, "yes"]}},
        Mappings={"M": {"a": {"priority": 1001}, "b": {"priority": 1}}},
    )
    assert found.message.endswith(" This is so when C is true and P is 'a'.")


def test_parameters_are_the_least_of_their_lists_in_one_way_unless_nobody_sets_any() -> None:
    assert World([1]).takes_least()
    assert not World([0]).takes_least()
    assert not World().takes_least()
    assert not World([1], keeps_defaults=True).takes_least()
