"""Which stacks are in one account and Region, and what that says of them."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack
from tests.test_one_place import Body, importing, queue, said, share

ACCOUNT, REGION = "111122223333", "us-east-1"
PLACES = {"AWS::Region": REGION, "AWS::AccountId": ACCOUNT, "Stage": "dev"}
READ = {"StackName": "A", "OutputName": "Queue", "Region": "us-west-2"}


def limits(name: str) -> Body:
    """Returns a limit that is larger where a parameter has its value, and sections for it."""
    most = {"Fn::If": ["Here", 16, 4]}
    return {
        "limits": [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": most}],
        "Conditions": {"Here": {"Fn::Equals": [{"Ref": name}, PLACES[name]]}},
        "Parameters": {"Stage": {"Type": "String"}},
    }


def above(name: str) -> Body:
    sections = limits(name)
    template = {**queue(), **sections}
    template["Resources"]["Environment"]["Properties"]["CapacityLimits"] = template.pop("limits")
    return template


def below(name: str, job_queue: Any) -> Body:
    sections = limits(name)
    return {**share(job_queue, CapacityLimits=sections.pop("limits")), **sections}


def rules(*stacks: Stack) -> list[str]:
    return [rule for rule, _ in said([*stacks])]


def pair(name: str, **where: Any) -> list[Stack]:
    stacks = importing(above(name), lambda job_queue: below(name, job_queue))
    for stack in stacks:
        stack.account, stack.region = where.get("account"), where.get("region")
    return stacks


def test_a_parameter_is_that_of_its_stack_alone() -> None:
    assert rules(*pair("Stage")) == ["XR-03"]


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("AWS::AccountId", {"region": REGION}),
        ("AWS::Region", {"account": ACCOUNT}),
        ("AWS::Region", {}),
    ],
)
@pytest.mark.parametrize("others", [0, 1])
def test_what_is_not_known_of_the_place_is_the_same_where_one_imports(
    name: str, where: Body, others: int
) -> None:
    other = Stack({"Resources": {}}, "o.json", name="O", account=ACCOUNT, region="eu-west-1")
    assert rules(*[other] * others, *pair(name, **where)) == []


def test_what_is_imported_through_a_third_stack_is_in_its_place() -> None:
    value = {"Value": {"Fn::ImportValue": "queue"}, "Export": {"Name": "again"}}
    between = Stack({"Resources": {}, "Outputs": {"Again": value}}, "m.json", name="M")
    one, other = pair("AWS::Region")
    other.template["Resources"]["Share"]["Properties"]["JobQueue"] = {"Fn::ImportValue": "again"}
    assert rules(one, between, other) == []


def test_a_stack_that_only_reads_from_another_region_is_in_its_own() -> None:
    one, other = pair("AWS::Region")
    reader = Stack(below("AWS::Region", {"Fn::GetStackOutput": READ}), "r.json", name="R")
    for stacks in ([one, reader], [one, other, reader]):
        found = judge_stacks(stacks)
        assert "XR-03" in {each.rule.id for each in found if each.file == "r.json"}
