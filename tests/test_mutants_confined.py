"""What conditions tell of the place in which a resource is, and what its ARNs take from there."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack
from tests.test_confined import (
    ACCOUNT,
    CONDITIONS,
    EAST,
    HOME,
    OTHER,
    REGION,
    STAGE,
    WEST,
    arn,
    said,
    share,
)
from tests.test_one_place import nest
from tests.test_resolving import template

Body = dict[str, Any]
IS_EAST = {"Fn::Equals": [REGION, "us-east-1"]}


def whole(job_queue: Any, condition: str | None = None, **conditions: Any) -> Body:
    """Returns a template with a share, and with another that is there in us-east-1 alone."""
    made = share(job_queue, condition, Conditions={**CONDITIONS, **conditions})
    made["Resources"]["Other"] = share("shared", "IsEast")["Resources"]["Product"]
    return made


def is_told(condition: Any, **more: Any) -> bool:
    """Tells whether a condition tells that a share is in us-east-1, and its queue is not."""
    found = said(Stack(whole(WEST, "C", C=condition, **more), "a.json"))
    assert len(found) <= 1
    return bool(found)


def test_what_a_condition_tells_of_the_account_is_not_what_it_tells_of_the_region() -> None:
    may_be_home = {"Fn::Or": [{"Condition": "IsHome"}, {"Condition": "IsProd"}]}
    assert is_told({"Fn::And": [may_be_home, {"Condition": "IsEast"}]})


@pytest.mark.parametrize(
    ("text", "literal", "expected"),
    [
        ("${AWS::Region}", "us-east-1", True),
        # What stands beside it may be anything.
        ("${Stage}/${AWS::Region}", "a\nb/us-east-1", True),
        # Of few parts in a text that is not too long.
        ("${Stage}/${AWS::Partition}/${AWS::Region}", "prod/aws/us-east-1", True),
        ("${Stage}/${Stage}/${AWS::Partition}/${AWS::Region}", "a/a/aws/us-east-1", False),
        (f"{'x' * 247}${{AWS::Region}}", f"{'x' * 247}us-east-1", True),
        (f"{'x' * 248}${{AWS::Region}}", f"{'x' * 248}us-east-1", False),
    ],
    ids=range(6),
)
def test_a_text_that_is_put_together_tells_the_place(
    text: str, literal: str, *, expected: bool
) -> None:
    assert is_told({"Fn::Equals": [{"Fn::Sub": text}, literal]}) is expected


def test_one_of_several_that_cannot_hold_tells_no_place() -> None:
    never = {"Fn::Equals": [{"Fn::Sub": "test-${AWS::Region}"}, "prod-us-east-1"]}
    assert not is_told({"Fn::Or": [never, IS_EAST]})


@pytest.mark.parametrize(
    "condition",
    [None, "x", {}, [IS_EAST], {"Fn::Not": IS_EAST}, {"Fn::Xor": [IS_EAST]}, {"Condition": ["C"]}],
    ids=str,
)
def test_what_is_no_condition_tells_no_place(condition: Any) -> None:
    assert not is_told(condition)


@pytest.mark.parametrize(("length", "expected"), [(99, True), (100, False)])
@pytest.mark.parametrize("function", ["Condition", "Fn::And", "Fn::Or", "Fn::Not twice"])
def test_a_hundred_conditions_around_one_another_tell_the_place(
    function: str, length: int, *, expected: bool
) -> None:
    conditions: Body = {}
    node: Any = IS_EAST
    for number in range(length):
        if function == "Condition":
            conditions[f"C{number}"], node = node, {"Condition": f"C{number}"}
        else:
            node = {function.removesuffix(" twice"): [node]}
    if function == "Fn::Not twice" and length % 2:
        node = {"Fn::Not": [node["Fn::Not"][0]["Fn::Not"][0]]}
    assert is_told(node, **conditions) is expected


@pytest.mark.parametrize(
    "job_queue",
    [
        {"Ref": ["x"]},
        {"Fn::Sub": EAST},
        {"Fn::Sub": [EAST]},
        {"Fn::Sub": [WEST, REGION]},
        {"Fn::Sub": [WEST, 3]},
        {"Fn::Sub": "ab"},
        {"Fn::Join": [":", 3]},
        {"Fn::Join": [":", REGION]},
        {"Fn::Join": [":", [WEST], ""]},
        # The one that is not selected tells nothing.
        {"Fn::Select": [1, [{"Fn::If": ["IsEast", "a", "b"]}, WEST]]},
    ],
    ids=str,
)
@pytest.mark.parametrize("is_nested", [True, False])
def test_what_is_written_so_tells_no_place(job_queue: Any, *, is_nested: bool) -> None:
    parent, made = Stack({"Resources": {}}, "top.json"), whole(job_queue)
    stacks = [parent, nest(made, parent)] if is_nested else [Stack(made, "a.json")]
    assert said(*stacks) == []


KINDS = {
    "SchedulingPolicyArn": "scheduling-policy",
    "ServiceEnvironmentOrder": "service-environment",
}


def both(**place: str) -> list[Any]:
    """Returns ARNs of a policy and an environment where the stack is, but for what is given."""
    here = {"region": "${AWS::Region}", "account": "${AWS::AccountId}"}
    pieces = {**here, "partition": "${AWS::Partition}", **place}
    return [{"Fn::Sub": arn(kind, **pieces)} for kind in KINDS.values()]


REF = [{"Ref": "Policy"}, {"Ref": "Environment"}]
GET_ATT = [{"Fn::GetAtt": ["Policy", "Arn"]}, {"Fn::GetAtt": "Environment.ServiceEnvironmentArn"}]


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize(
    ("there", "condition", "here"),
    [
        (both(region="us-east-1"), "IsWest", both()),
        (both(account=HOME), "IsOther", both()),
        ([arn(kind) for kind in KINDS.values()], "IsOther", both()),
        (both(region="us-east-1", partition="aws"), "IsGov", both()),
        (both(region="us-east-1", partition="aws"), "IsGov", both(region="${Stage}")),
        (both(region="us-east-1", partition="aws"), "IsGov", REF),
        (both(region="us-east-1", partition="aws"), "IsGov", GET_ATT),
    ],
    ids=["Region", "account", "literal", "partition", "partition alone", "Ref", "Fn::GetAtt"],
)
def test_of_two_that_a_queue_names_the_one_that_is_of_the_stack_is_right(
    there: list[Any], condition: str, here: list[Any], place: int
) -> None:
    policy, environment = here[0] if place else there[0], there[1] if place else here[1]
    made = template(
        {
            "Queue.SchedulingPolicyArn": policy,
            "Queue.ServiceEnvironmentOrder.0.ServiceEnvironment": environment,
            "Queue.State": {"Fn::If": [condition, "ENABLED", "DISABLED"]},
        },
        Conditions={**CONDITIONS, "IsOther": {"Fn::Equals": [ACCOUNT, OTHER]}},
        Parameters=STAGE,
    )
    found = [one for one in judge_stacks([Stack(made, "a.json")]) if one.rule.id == "XR-09"]
    assert [(one.resource, one.path[1]) for one in found] == [("Queue", [*KINDS][place])]
