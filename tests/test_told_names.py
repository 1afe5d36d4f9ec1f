"""Where several stacks have a condition or a parameter of one name, it is said of which it is."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack

Body = dict[str, Any]
STAGE = {"Stage": {"Type": "String", "AllowedValues": ["dev", "prod"], "Default": "dev"}}
QUEUE = {"Queue": {"Type": "String"}}


def on(name: str, value: str = "prod", of: str = "Stage") -> Body:
    return {name: {"Fn::Equals": [{"Ref": of}, value]}}


def queue(limit: Any = 16, **sections: Any) -> Body:
    resources = copy.deepcopy(SOUND["Resources"])
    del resources["Research"], resources["Product"]
    resources["Environment"]["Properties"]["CapacityLimits"][0]["MaxCapacity"] = limit
    outputs = {"Queue": {"Value": {"Ref": "Queue"}, "Export": {"Name": "queue"}}}
    return {"Resources": resources, "Outputs": outputs, **sections}


def share(limit: Any, job_queue: Any, **sections: Any) -> Body:
    body = copy.deepcopy(SOUND["Resources"]["Product"])
    body["Properties"]["JobQueue"] = job_queue
    body["Properties"]["CapacityLimits"][0]["MaxCapacity"] = limit
    return {"Resources": {"Share": body}, **sections}


def nest(template: Body, parent: Stack, id: str = "Inner", /, **given: Any) -> Stack:
    condition = given.pop("Condition", None)
    parent.template["Resources"][id] = {
        "Type": "AWS::CloudFormation::Stack",
        "Properties": {"TemplateURL": "x", "Parameters": {"Queue": {"Ref": "Queue"}, **given}},
        **({"Condition": condition} if condition else {}),
    }
    return Stack(template, "inner.json", parent=parent, parent_resource=id)


def when(stacks: list[Stack], rule: str = "XR-03") -> list[str]:
    found = [one.message for one in judge_stacks(stacks) if one.rule.id == rule]
    return [message.partition(" This is so ")[2].partition(" AWS has not")[0] for message in found]


def either(condition: str, one: Any, other: Any) -> Body:
    return {"Fn::If": [condition, one, other]}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Prod", "when Prod of 'A' is false and Prod of this stack is true."),
        ("InProd", "when InProd is true and Prod is false."),
    ],
)
def test_conditions_of_two_stacks(name: str, expected: str) -> None:
    above = queue(either("Prod", 16, 4), Parameters=STAGE, Conditions=on("Prod"))
    job_queue = {"Fn::ImportValue": "queue"}
    below = share(either(name, 16, 4), job_queue, Parameters=STAGE, Conditions=on(name))
    stacks = [Stack(above, "a.json", name="A"), Stack(below, "b.json", name="B")]
    assert when(stacks) == [expected]


def test_a_condition_of_a_nested_stack_that_is_also_one_of_the_parent() -> None:
    above = queue(Parameters=STAGE, Conditions=on("C", "dev"))
    parent = Stack(above, "a.json", name="A")
    conditions = on("C", "prod")
    below = share(
        either("C", 17, 4), {"Ref": "Queue"}, Parameters={**QUEUE, **STAGE}, Conditions=conditions
    )
    inner = nest(below, parent, Stage=either("C", "dev", "prod"))
    assert when([parent, inner]) == ["when C of this stack is true."]


def test_a_parameter_of_the_parent_that_the_nested_stack_has_too() -> None:
    sizes = {"Size": {"Type": "Number", "AllowedValues": [4, 17], "Default": 4}}
    parent = Stack(queue(Parameters=sizes), "a.json", name="A")
    below = share({"Ref": "Size"}, {"Ref": "Queue"}, Parameters={**QUEUE, **sizes})
    inner = nest(below, parent, Size={"Ref": "Size"})
    assert when([parent, inner]) == ["when Size of 'A' is '17'."]
    below["Parameters"]["Other"] = below["Parameters"].pop("Size")
    below["Resources"]["Share"]["Properties"]["CapacityLimits"][0]["MaxCapacity"] = {"Ref": "Other"}
    parent.template["Resources"]["Inner"]["Properties"]["Parameters"]["Other"] = {"Ref": "Size"}
    assert when([parent, inner]) == ["when Size is '17'."]


def test_conditions_of_one_template_that_is_nested_twice() -> None:
    parameters = {"One": {"Type": "String"}, "Two": {"Type": "String"}}
    parent = Stack(queue(Parameters=parameters), "a.json", name="A")
    below = share(
        either("C", 17, 4),
        {"Ref": "Queue"},
        Parameters={**QUEUE, "Name": {"Type": "String"}, "Stage": {"Type": "String"}},
        Conditions=on("C"),
    )
    below["Resources"]["Share"]["Properties"]["QuotaShareName"] = {"Ref": "Name"}
    stacks = [parent] + [
        nest(below, parent, id, Name=id, Stage={"Ref": id}) for id in ("One", "Two")
    ]
    # It is the same condition of one template, and told once for both.
    assert when(stacks) == ["when C is true."]
    below["Resources"]["Share"]["Properties"]["CapacityLimits"][0]["MaxCapacity"] = either(
        "C", 9, 4
    )
    assert when(stacks, "XR-02") == ["when C of 'A/One' is true and C of 'A/Two' is true."]


def test_a_region_of_both_stacks_has_one_name() -> None:
    sizes = {"S": {"us-east-1": {"n": 4}, "eu-west-1": {"n": 16}}}
    find = {"Fn::FindInMap": ["S", {"Ref": "AWS::Region"}, "n"]}
    above = Stack(queue(find, Mappings=sizes), "a.json", name="A")
    below = share(either("C", 4, 6), {"Ref": "Queue"}, Parameters=QUEUE)
    below["Conditions"] = on("C", "eu-west-1", of="AWS::Region")
    inner = nest(below, above)
    assert when([above, inner]) == ["when C is false."]
