"""In how many worlds a group of resources is judged where not all of them are affordable."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.components import components, mentioned
from qm_constructs.template.explored import Explored
from qm_constructs.template.plans import Group
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Universe

SHARES = 40


def explored(budget: int, conditions: int, asserted: int = 0) -> Explored:
    """Returns a queue with its shares, of which each is there on a condition of its own."""
    resources: dict[str, Any] = copy.deepcopy(SOUND["Resources"])
    product = resources.pop("Product")
    for number in range(SHARES):
        share = copy.deepcopy(product)
        share["Properties"]["QuotaShareName"] = f"team-{number}"
        resources[f"Share{number}"] = share
        if number < conditions:
            share["Condition"] = f"C{number}"
    names = [f"C{number}" for number in range(conditions)]
    asked = [{"Fn::Equals": [{"Ref": "P0"}, str(n)]} for n in range(asserted)]
    template = {
        "Parameters": {f"P{number}": {"Type": "String"} for number in range(conditions)},
        "Conditions": {name: {"Fn::Equals": [{"Ref": f"P{name[1:]}"}, "x"]} for name in names},
        "Resources": resources,
    }
    if asked:
        template["Rules"] = {"R": {"Assertions": [{"Assert": {"Fn::Not": [one]}} for one in asked]}}
    universe = Universe([Stack(template, "a.json")])
    (members,) = components(universe)
    assert len(members) == SHARES + 4
    return Explored(universe, members, budget)


def whole(groups: list[Group]) -> int:
    return sum(group.part_of is None for group in groups)


def test_where_all_ways_are_affordable_each_is_judged_once() -> None:
    one = explored(0, 6)
    groups = [*one.groups()]
    assert (len(groups), whole(groups), one.is_whole) == (64, 64, True)
    assert one.judged == sum(len(group.resources) for group in groups)


@pytest.mark.parametrize(
    ("budget", "asserted", "first", "changes"),
    [
        # A group may always take 128, and a quarter of these for single changes.
        (0, 0, 128, 32),
        (10_000, 0, 10_000 // 44, 40),
        (1_000_000, 0, 20_000 // 44, 40),
        # Ten functions of the template's rules cost as much as a resource.
        (10_000, 50, 10_000 // (44 + 20), 39),
    ],
)
def test_where_they_are_too_many_it_is_so_many_as_the_budget_allows(
    budget: int, asserted: int, first: int, changes: int
) -> None:
    one = explored(budget, 40, asserted)
    groups = [*one.groups()]
    assert (whole(groups), one.is_whole) == (first + changes, False)
    # Then each resource by itself, with those that it names.
    apart = [group.part_of for group in groups if group.part_of is not None]
    assert len(set(apart)) == SHARES + 4
    assert all(apart.count(member) <= 16 for member in apart)
    for group in groups:
        if group.part_of is not None and group.part_of.id.startswith("Share"):
            ids = {member.id for member in group.resources}
            assert ids <= {group.part_of.id, "Queue", "Policy", "Environment"}
            assert ids >= {"Queue", "Policy", "Environment"}


def test_before_it_is_explored_nothing_is_judged_and_nothing_is_left_out() -> None:
    one = explored(0, 40)
    assert (one.judged, one.is_whole) == (0, True)


def test_an_import_of_a_name_that_is_put_together_may_be_of_any_export() -> None:
    resources = copy.deepcopy(SOUND["Resources"])
    share = resources.pop("Product")
    del resources["Research"]
    exports = {"Q": {"Value": {"Ref": "Queue"}, "Export": {"Name": "queue"}}}
    queue = Stack({"Resources": resources, "Outputs": exports}, "a.json", name="A")
    named = {"Fn::ImportValue": "queue"}
    for written, ids in (
        (named, ["Queue"]),
        ({"Fn::ImportValue": {"Fn::Sub": "${Any}"}}, ["Queue"]),
        ({"Fn::ImportValue": "other"}, []),
        ("queue", []),
    ):
        share["Properties"]["JobQueue"] = written
        universe = Universe([queue, Stack({"Resources": {"Share": share}}, "b.json", name="B")])
        member = universe.member_of[1, "Share"]
        assert [one.id for one in mentioned(universe, member)] == ids
