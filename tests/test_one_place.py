"""Stacks of which it is not known where they are, and yet that they are in one place."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.report import Located
from qm_constructs.template.stack import Stack

Body = dict[str, Any]
EAST, WEST = (f"arn:aws:batch:us-{side}:111122223333:job-queue/q" for side in ("east-1", "west-2"))
UNITS = {"us-east-1": {"unit": "ml.p5.48xlarge"}, "eu-west-1": {"unit": "ml.p4d.24xlarge"}}
EXPORT = {"Queue": {"Value": {"Ref": "Queue"}, "Export": {"Name": "queue"}}}
PSEUDO = {
    "AWS::Region": ("us-east-1", "eu-west-1"),
    "AWS::AccountId": ("111122223333", "123456789012"),
    "AWS::Partition": ("aws", "aws-cn"),
    "AWS::URLSuffix": ("amazonaws.com", "amazonaws.com.cn"),
}


def queue() -> Body:
    resources = copy.deepcopy(SOUND["Resources"])
    del resources["Research"], resources["Product"]
    return {"Resources": resources, "Outputs": copy.deepcopy(EXPORT)}


def share(job_queue: Any, **properties: Any) -> Body:
    body = copy.deepcopy(SOUND["Resources"]["Product"])
    body["Properties"].update(properties, JobQueue=job_queue)
    return {"Resources": {"Share": body}, "Parameters": {"Queue": {"Type": "String"}}}


def nest(template: Body, parent: Stack, id: str = "Inner", **given: Any) -> Stack:
    parent.template["Resources"][id] = {
        "Type": "AWS::CloudFormation::Stack",
        "Properties": {"TemplateURL": "x", "Parameters": given},
    }
    return Stack(template, f"{id}.json", parent=parent, parent_resource=id)


def nested(above: Body, below: Callable[[Any], Body]) -> list[Stack]:
    """Returns a stack with a queue, and a stack nested in it that is given the queue."""
    parent = Stack(above, "above.json", name="Above")
    return [parent, nest(below({"Ref": "Queue"}), parent, Queue={"Ref": "Queue"})]


def twice_nested(above: Body, below: Callable[[Any], Body]) -> list[Stack]:
    parent = Stack(above, "above.json", name="Above")
    given: Body = {"Queue": {"Ref": "Queue"}}
    middle: Body = {"Resources": {}, "Parameters": {"Queue": {"Type": "String"}}}
    between = nest(middle, parent, "Middle", **given)
    return [parent, between, nest(below({"Ref": "Queue"}), between, **given)]


def beside(above: Body, below: Callable[[Any], Body]) -> list[Stack]:
    """Returns two stacks nested in a third."""
    parent = Stack({"Resources": {}}, "top.json", name="Top")
    one = nest(above, parent, "One")
    given = {"Fn::GetAtt": ["One", "Outputs.Queue"]}
    return [parent, one, nest(below({"Ref": "Queue"}), parent, "Two", Queue=given)]


def importing(above: Body, below: Callable[[Any], Body]) -> list[Stack]:
    """Returns a stack with a queue, and one that imports it."""
    job_queue = {"Fn::ImportValue": "queue"}
    return [Stack(above, "a.json", name="A"), Stack(below(job_queue), "b.json", name="B")]


def importing_by_parameter(above: Body, below: Callable[[Any], Body]) -> list[Stack]:
    template = below({"Fn::ImportValue": {"Ref": "Name"}})
    template["Parameters"]["Name"] = {"Type": "String", "Default": "queue"}
    return [Stack(above, "a.json", name="A"), Stack(template, "b.json", name="B")]


def reading_an_output(above: Body, below: Callable[[Any], Body]) -> list[Stack]:
    job_queue = {"Fn::GetStackOutput": {"StackName": "A", "OutputName": "Queue"}}
    return [Stack(above, "a.json", name="A"), Stack(below(job_queue), "b.json", name="B")]


def nested_in_one_that_imports(above: Body, below: Callable[[Any], Body]) -> list[Stack]:
    importer = Stack({"Resources": {}}, "b.json", name="B")
    inner = nest(below({"Ref": "Queue"}), importer, Queue={"Fn::ImportValue": "queue"})
    return [Stack(above, "a.json", name="A"), importer, inner]


TOGETHER = pytest.mark.parametrize(
    "together",
    [
        nested,
        twice_nested,
        beside,
        importing,
        importing_by_parameter,
        reading_an_output,
        nested_in_one_that_imports,
    ],
)


def said(stacks: list[Stack]) -> list[tuple[str, str]]:
    return [(one.rule.id, _when(one)) for one in judge_stacks(stacks)]


def _when(one: Located) -> str:
    return one.message.partition(" This is so")[2].partition(" AWS has not")[0]


@TOGETHER
@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ({"Ref": "AWS::Region"}, []),
        ("eu-west-1", [("XR-01", " when AWS::Region is 'us-east-1'.")]),
    ],
)
def test_a_region_is_the_same_in_both(
    together: Callable[..., list[Stack]], key: Any, expected: list[tuple[str, str]]
) -> None:
    above = {**queue(), "Mappings": {"Units": UNITS}}
    limit = above["Resources"]["Environment"]["Properties"]["CapacityLimits"][0]
    limit["CapacityUnit"] = {"Fn::FindInMap": ["Units", {"Ref": "AWS::Region"}, "unit"]}

    def below(job_queue: Any) -> Body:
        unit = {"Fn::FindInMap": ["Units", key, "unit"]}
        limits = [{"CapacityUnit": unit, "MaxCapacity": 6}]
        return {**share(job_queue, CapacityLimits=limits), "Mappings": {"Units": UNITS}}

    assert said(together(above, below)) == expected


@TOGETHER
@pytest.mark.parametrize("name", PSEUDO)
@pytest.mark.parametrize(("which", "expected"), [(0, []), (1, ["XR-03"])])
def test_a_condition_on_the_place_is_the_same_in_both(
    together: Callable[..., list[Stack]], name: str, which: int, expected: list[str]
) -> None:
    def either(number: int, other: int) -> Body:
        return {"Fn::If": ["Here", number, other]}

    here = {"Here": {"Fn::Equals": [{"Ref": name}, PSEUDO[name][0]]}}
    there = {"Here": {"Fn::Equals": [{"Ref": name}, PSEUDO[name][which]]}}
    above = {**queue(), "Conditions": here}
    limit = above["Resources"]["Environment"]["Properties"]["CapacityLimits"][0]
    limit["MaxCapacity"] = either(16, 4)

    def below(job_queue: Any) -> Body:
        limits = [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": either(16, 4)}]
        return {**share(job_queue, CapacityLimits=limits), "Conditions": there}

    assert [rule for rule, _ in said(together(above, below))] == expected


@TOGETHER
def test_two_service_environments_of_one_name_are_in_each_others_way(
    together: Callable[..., list[Stack]],
) -> None:
    above = queue()
    environment = above["Resources"]["Environment"]
    environment["Properties"]["ServiceEnvironmentName"] = "gpus"

    def below(job_queue: Any) -> Body:
        template = share(job_queue)
        template["Resources"]["Again"] = copy.deepcopy(environment)
        return template

    assert said(together(above, below)) == [("SE-03", "")]


def test_one_template_nested_twice_makes_two_of_one_name() -> None:
    parent = Stack({"Resources": {}}, "top.json", name="Top")
    template = queue()
    template["Resources"]["Environment"]["Properties"]["ServiceEnvironmentName"] = "gpus"
    stacks = [parent, nest(template, parent, "One"), nest(template, parent, "Two")]
    assert said(stacks) == [("SE-03", " where the template is nested as 'Top/Two'.")]


@pytest.mark.parametrize("where", ["parent", "sibling"])
def test_what_the_arns_of_a_stack_and_its_nested_stacks_name_is_in_one_place(where: str) -> None:
    above = share(EAST, QuotaShareName="a") if where == "parent" else {"Resources": {}}
    parent = Stack(above, "top.json", name="Top")
    stacks = [parent]
    if where == "sibling":
        stacks.append(nest(share(EAST, QuotaShareName="a"), parent, "One"))
    stacks.append(nest(share(WEST), parent, "Two"))
    assert [rule for rule, _ in said(stacks)] == ["XR-09"]


def test_arns_of_a_policy_and_of_a_queue_are_in_one_place_too() -> None:
    above = queue()
    policy = EAST.replace("job-queue", "scheduling-policy")
    above["Resources"]["Queue"]["Properties"]["SchedulingPolicyArn"] = policy
    parent = Stack(above, "top.json", name="Top")
    assert [rule for rule, _ in said([parent, nest(share(WEST), parent)])] == ["XR-09"]


def test_shares_of_a_queue_made_elsewhere_are_in_one_place_those_of_one_queue() -> None:
    parent = Stack(share("elsewhere"), "top.json", name="Top")
    inner = nest(share("elsewhere"), parent)
    assert [rule for rule, _ in said([parent, inner])] == ["QS-03"]


@pytest.mark.parametrize("job_queue", [EAST, "q"])
def test_a_queue_around_the_stack_is_found_by_its_name(job_queue: str) -> None:
    above = queue()
    above["Resources"]["Queue"]["Properties"]["JobQueueName"] = "q"
    limits = [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 17}]
    below = share(job_queue, CapacityLimits=limits)
    assert [rule for rule, _ in said(nested(above, lambda _: below))] == ["XR-03"]


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"assembly": "stage"},
        {"account": "111122223333"},
        {"region": "us-east-1"},
    ],
)
def test_stacks_that_have_nothing_to_do_with_each_other_may_be_anywhere(other: Body) -> None:
    template = queue()
    template["Resources"]["Environment"]["Properties"]["ServiceEnvironmentName"] = "gpus"
    importer = copy.deepcopy(template)
    del importer["Outputs"]
    if other:
        importer["Outputs"] = {"Again": {"Value": {"Fn::ImportValue": "queue"}}}
    stacks = [Stack(template, "a.json", name="A"), Stack(importer, "b.json", name="B", **other)]
    assert said(stacks) == []


def test_an_output_that_is_read_from_another_region_is_not_here() -> None:
    template = queue()
    template["Resources"]["Environment"]["Properties"]["ServiceEnvironmentName"] = "gpus"
    reader = copy.deepcopy(template)
    argument = {"StackName": "A", "OutputName": "Queue", "Region": "us-west-2"}
    reader["Outputs"] = {"Again": {"Value": {"Fn::GetStackOutput": argument}}}
    assert said([Stack(template, "a.json", name="A"), Stack(reader, "b.json", name="B")]) == []


def test_what_another_stack_names_is_told_with_that_stack() -> None:
    parent = Stack({"Resources": {}}, "top.json", name="Top")
    stacks = [parent, nest(share(EAST, QuotaShareName="a"), parent, "One")]
    stacks.append(nest(share(WEST), parent, "Two"))
    (one,) = judge_stacks(stacks)
    assert (one.file, one.resource) == ("Two.json", "Share")
    assert "the job queue of 'Share' of the stack 'Top/One' in us-east-1;" in one.message


def test_a_queue_of_a_nested_stack_is_told_with_that_stack() -> None:
    above = {"Resources": {"Environment": copy.deepcopy(SOUND["Resources"]["Environment"])}}
    parent = Stack(above, "top.json", name="Top")
    stacks = [parent]
    for id in ("One", "Two"):
        template = {**queue(), "Parameters": {"Given": {"Type": "String"}}}
        del template["Resources"]["Environment"], template["Outputs"]
        order = template["Resources"]["Queue"]["Properties"]["ServiceEnvironmentOrder"]
        order[0]["ServiceEnvironment"] = {"Ref": "Given"}
        stacks.append(nest(template, parent, id, Given={"Ref": "Environment"}))
    (one,) = judge_stacks(stacks)
    assert (one.rule.id, one.file) == ("SE-12", "Two.json")
    assert "is that of the queue 'Queue' of the stack 'Top/One' already" in one.message
