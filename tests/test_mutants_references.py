"""What a reference gives: to a resource, to a parameter, to an output of another stack."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.plan import UnknownArn, UnknownText
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.scope import Scopes
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Universe
from qm_constructs.template.values import Atom
from qm_constructs.template.worlds import OtherThan, World
from tests.test_mutants_scope import A_AND_B, deep, scope_of
from tests.test_nested_parameters import GIVEN, NO_VALUE, nesting, queue, said
from tests.test_one_place import nest
from tests.test_resolving import judged, rules_of, template

Body = dict[str, Any]
TEXT = {"Type": "String"}


def ref(name: str) -> Body:
    return {"Ref": name}


def get(*path: Any) -> Body:
    return {"Fn::GetAtt": [*path]}


def scopes_of(*stacks: Stack, script: tuple[int, ...] = ()) -> Scopes:
    return Scopes(Universe(stacks), World(script))


def nested(inner: Body, **given: Any) -> Scopes:
    """Returns a stack that nests another as Inner."""
    parent = Stack(template(), "top.json", name="Top")
    return scopes_of(parent, nest(inner, parent, **given))


PLACE = ("arn:", Atom(0, "AWS::Partition"), ":batch:", Atom(0, "AWS::Region"), ":")
ACCOUNT = Atom(0, "AWS::AccountId")
QUEUE = Atom(0, "the name of Queue", resource="Queue")
SHARE = ("/quota-share/", Atom(0, "the name of Product", resource="Product"))


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        (ref("Queue"), (":job-queue/", QUEUE)),
        (ref("Product"), (":job-queue/", Atom(0, "the queue of Product"), *SHARE)),
        (
            get("Queue", "JobQueueArn"),
            (":job-queue/", Atom(0, "the name of Queue", resource="Queue")),
        ),
    ],
)
def test_a_resource_is_its_arn(written: Any, parts: tuple[Any, ...]) -> None:
    found = scope_of(template()).value(written)
    assert isinstance(found, UnknownText)
    assert found.parts == (*PLACE, ACCOUNT, *parts)
    assert found.source == written


def test_an_attribute_that_is_none_tells_which_resource_is_meant() -> None:
    found = scope_of(template()).value(get("Queue", "Arn"))
    assert found.parts == (QUEUE,)
    assert found.source == get("Queue", "Arn")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (get("Queue", ref("A")), get("Queue", ref("B"))),
        (get("Inner", ref("A")), get("Inner", ref("B"))),
        (get("Inner", "Outputs.A"), get("Inner", "Outputs.B")),
        ("Inner.Outputs.A", "Inner.Outputs.B"),
        (get("Other", "A"), get("Other", "B")),
    ],
)
def test_two_attributes_that_are_not_known_are_two(one: Any, other: Any) -> None:
    one, other = ({"Fn::GetAtt": each} if isinstance(each, str) else each for each in (one, other))
    resources = template(
        {
            "Inner": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "x"}},
            "Other": {"Type": "Custom::Name", "Properties": {"ServiceToken": "x"}},
        }
    )["Resources"]
    sections = {"Parameters": A_AND_B, "Resources": resources}
    scope = scope_of(sections)
    first, second = scope.value(one), scope.value(other)
    assert not isinstance(first, UnknownArn)
    assert (first.source, second.source) == (one, other)
    assert first.parts != second.parts
    assert first.parts[0].owner == 0


def test_an_expression_that_is_not_known_is_another_in_another_stack() -> None:
    one, other = (Stack(template(), f"{name}.json") for name in "ab")
    scopes = scopes_of(one, other)
    written = get("Other", "Name")
    assert scopes[0].value(written).parts != scopes[1].value(written).parts


@pytest.mark.parametrize(
    "written",
    [get("Inner", "Outputs.Out"), {"Fn::GetAtt": "Inner.Outputs.Out"}],
)
def test_what_a_nested_stack_puts_out_is_known(written: Any) -> None:
    inner: Body = {"Resources": {}, "Outputs": {"Out": {"Value": ref("P")}}}
    inner["Parameters"] = {"P": TEXT}
    assert nested(inner, P="x")[0].value(written) == "x"
    lacking: Body = {"Resources": {}}
    found = nested(lacking)[0].value(written)
    assert isinstance(found, UnknownText)
    assert found.source == written
    assert nested({**lacking, "Outputs": {"Out": {}}})[0].value(written).source == written


@pytest.mark.parametrize(("levels", "is_known"), [(48, True), (49, False)])
def test_what_goes_to_and_fro_between_stacks_is_known_to_a_depth(
    levels: int, is_known: bool
) -> None:
    outputs = {"Out": {"Value": ref("P")}, "End": {"Value": "x"}}
    inner: Body = {"Resources": {}, "Parameters": {"P": TEXT}, "Outputs": outputs}
    end = get("Inner", "Outputs.End")
    found = nested(inner, P=end)[0].value(deep(levels - 1, get("Inner", "Outputs.Out")))
    assert found == "x" if is_known else isinstance(found, UnknownText)


def test_what_is_too_deep_in_another_stack_is_what_stands_here() -> None:
    outputs = {"Out": {"Value": ref("P")}}
    inner: Body = {"Resources": {}, "Parameters": {"P": TEXT}, "Outputs": outputs}
    circle = get("Inner", "Outputs.Out")
    found = nested(inner, P=circle)[0].value(circle)
    assert isinstance(found, UnknownText)
    assert found.source in (circle, ref("P"))


@pytest.mark.parametrize("function", ["Fn::ImportValue", "Fn::GetStackOutput"])
def test_two_stacks_that_read_from_one_another_have_no_value(function: str) -> None:
    def read(name: str) -> Body:
        argument: Any = {"StackName": name, "OutputName": "Out"}
        return {function: name if function == "Fn::ImportValue" else argument}

    stacks = [
        Stack(
            {
                "Resources": {},
                "Outputs": {"Out": {"Value": read(other), "Export": {"Name": name}}},
            },
            f"{name}.json",
            name=name,
            account="111122223333",
            region="us-east-1",
        )
        for name, other in ("AB", "BA")
    ]
    found = scopes_of(*stacks)[0].value(read("B"))
    assert isinstance(found, UnknownText)
    assert found.source in (read("A"), read("B"))


def test_a_stack_that_publishes_no_such_output() -> None:
    written = {"Fn::GetStackOutput": {"StackName": "A", "OutputName": "Out"}}
    found = scopes_of(Stack({"Resources": {}}, "a.json", name="A"))[0].value(written)
    assert isinstance(found, UnknownText)
    assert found.source == written


# -- parameters

JOINED = {"Fn::Join": ["/", ref("P")]}


def chosen(parameter: Body, *compared: str, script: tuple[int, ...] = ()) -> tuple[Any, World]:
    """Returns what a parameter is in a world, and the world."""
    whole = template(Parameters={"P": parameter})
    sides = [{"Fn::Equals": [ref("P"), text]} for text in compared]
    whole["Conditions"] = {"Here": {"Fn::Or": sides}} if sides else {}
    if sides:
        whole["Resources"]["Product"]["Condition"] = "Here"
    world = World(script)
    return Scopes(Universe([Stack(whole, "a.json")]), world)[0].value(ref("P")), world


@pytest.mark.parametrize(
    ("parameter", "compared", "script", "other_than"),
    [
        ({**TEXT, "AllowedValues": ["a", "b"]}, [], (), []),
        (TEXT, [], (), []),
        ({**TEXT, "Default": "a"}, ["x"], (2,), ["a", "x"]),
        ({"Type": "Number"}, ["2", "x"], (1,), ["2", "x"]),
        ({"Type": "AWS::SSM::Parameter::Value<String>"}, ["x"], (), []),
        ({"Type": "CommaDelimitedList"}, ["x, y"], (1,), ["x,y", "x, y"]),
    ],
)
def test_what_is_no_text_that_it_is_compared_with(
    parameter: Body, compared: list[str], script: tuple[int, ...], other_than: list[str]
) -> None:
    found, _ = chosen(parameter, *compared, script=script)
    assert found.parts == (Atom(0, "P", frozenset(other_than)),)


@pytest.mark.parametrize(
    ("parameter", "compared", "script", "told"),
    [
        ({**TEXT, "Default": "a", "AllowedValues": ["a", "b"]}, [], (), ("usual", "a")),
        ({**TEXT, "Default": "a", "AllowedValues": ["a", "b"]}, [], (1,), ("unusual", "b")),
        ({**TEXT, "Default": "a"}, ["x"], (), ("chosen", "a")),
        ({**TEXT, "Default": "a"}, ["x"], (1,), ("chosen", "x")),
        ({**TEXT, "Default": "a"}, ["x"], (2,), ("chosen", OtherThan(("a", "x")))),
        ({"Type": "CommaDelimitedList"}, ["x, y"], (), ("chosen", "x,y")),
    ],
)
def test_what_a_parameter_is_in_a_world_is_noted(
    parameter: Body, compared: list[str], script: tuple[int, ...], told: tuple[str, Any]
) -> None:
    _, world = chosen(parameter, *compared, script=script)
    noted = {name: getattr(world, name) for name in ("usual", "unusual", "chosen")}
    assert noted == {"usual": {}, "unusual": {}, "chosen": {}, told[0]: {(0, "P"): told[1]}}


def test_what_holds_the_value_of_a_parameter_is_known_by_its_name() -> None:
    stored = {"Type": "AWS::SSM::Parameter::Value<String>"}
    scopes = nested({"Resources": {}, "Parameters": {"P": stored, "Q": stored}}, P="/a", Q="/a")
    found = [scopes[1].value(ref(name)) for name in "PQ"]
    assert [one.parts for one in found] == [(Atom(1, "P"),), (Atom(1, "Q"),)]


def test_the_region_of_a_nested_stack_is_that_of_its_parent() -> None:
    found = nested({"Resources": {}})[1].value(ref("AWS::Region"))
    assert found.parts == (Atom(0, "AWS::Region"),)


def test_what_a_parent_leaves_out_is_the_default_whatever_a_macro_makes() -> None:
    given = nesting({"How": NO_VALUE})
    assert said(queue(given, Transform="Any"), GIVEN) == []


def test_of_several_lists_of_numbers_the_least_are_added_up() -> None:
    lists = {name: {"Type": "Number", "AllowedValues": [10, 9]} for name in "AB"}
    limits = {
        f"{id}.CapacityLimits.0.MaxCapacity": ref(name)
        for id, name in (("Product", "A"), ("Research", "B"))
    }
    found = judged(template(limits, Parameters=lists))
    assert [rule for rule, _ in rules_of(found)] == ["XR-02"]


def test_a_list_that_is_joined_is_no_text_that_the_list_is_not() -> None:
    parameters = {"P": {"Type": "CommaDelimitedList"}}
    whole = template(Parameters=parameters, Conditions={"Here": {"Fn::Equals": [JOINED, "x/y"]}})
    whole["Resources"]["Product"]["Condition"] = "Here"
    found = scope_of(whole, 1).value(JOINED)
    assert isinstance(found, UnknownText)
    assert [part.other_than for part in found.parts if isinstance(part, Atom)] == [{"x/y"}]


@pytest.mark.parametrize(
    ("allowed", "given", "region", "is_one"),
    [
        ([], None, None, False),
        (["us-east-1"], None, "us-east-1", False),
        (["us-east-1", "us-west-2"], None, "us-east-1", True),
        (["us-east-1", "us-west-2"], "us-west-2", "us-west-2", False),
        ([], "us-west-2", "us-west-2", False),
    ],
)
def test_the_rules_of_a_template_name_its_regions(
    allowed: list[str], given: str | None, region: str | None, is_one: bool
) -> None:
    rule = {"Fn::Contains": [allowed, ref("AWS::Region")]}
    rules = {"R": {"Assertions": [{"Assert": rule}]}} if allowed else {}
    conditions = {"Here": {"Fn::Equals": [ref("AWS::Region"), "us-east-1"]}}
    whole = template(Rules=rules, Conditions=conditions)
    scope = scopes_of(Stack(whole, "a.json", region=given))[0]
    assert scope.region() == region
    assert scope.is_one_region_of_several() is is_one


def test_what_is_written_after_an_id_is_left_out_of_what_is_meant() -> None:
    (one,) = judged(template({"Product.JobQueue": ref("Queue.JobQueueArn.More")}))
    assert (one.rule.id, one.fix) == ("CF-04", "Did you mean 'Queue'?")


def test_an_output_that_a_nested_stack_lacks_is_named() -> None:
    parent = template({"Product.Tags": {"team": get("Inner", "Outputs.Tem.Name")}})
    stack = Stack(parent, "top.json", name="Top")
    inner = {**template(), "Outputs": {"Team": {"Value": "a"}}}
    found = judge_stacks([stack, nest(inner, stack)])
    said_of = [(one.rule.id, one.message) for one in found if one.resource == "Product"]
    assert ("CF-04", "The nested stack 'Inner' has no output 'Tem.Name'.") in said_of
