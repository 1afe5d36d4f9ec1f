"""Which output of which stack a function reads, where several stacks have one name."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.template.stack import Stack
from tests.test_one_place import queue, said
from tests.test_stacks import EXPORTED, HERE, REGION, SAME, found_in, queue_stack, share_stack

OUTPUT = {"StackName": "Queues", "OutputName": "Q"}
ELSEWHERE = {**HERE, "region": "us-west-2"}
OTHER_ACCOUNT = {**HERE, "account": "123456789012"}


@pytest.mark.parametrize(
    ("queues", "shares", "given", "same"),
    [
        (HERE, HERE, {}, True),
        (OTHER_ACCOUNT, HERE, {}, False),
        (ELSEWHERE, HERE, {}, False),
        (HERE, ELSEWHERE, {"Region": REGION}, True),
        (HERE, {**OTHER_ACCOUNT, "region": "us-west-2"}, {"Region": REGION}, False),
        # Of one Region, in two stages of an app.
        ({**HERE, "assembly": "a"}, {**HERE, "assembly": "b"}, {}, True),
        # Of a Region that is not known there may be one in each stage.
        ({"assembly": "a"}, {"assembly": "a"}, {}, True),
        ({"assembly": "a"}, {"assembly": "b"}, {}, False),
        ({"assembly": "a"}, {"assembly": "b", "account": HERE["account"]}, {}, False),
    ],
)
def test_which_stack_of_a_name_is_read(
    queues: dict[str, str], shares: dict[str, str], given: dict[str, str], same: bool
) -> None:
    reading = share_stack({"Fn::GetStackOutput": {**OUTPUT, **given}}, **shares)
    assert (SAME[0] in found_in(queue_stack(EXPORTED, **queues), reading)) is same


@pytest.mark.parametrize(
    ("more", "is_here"), [({}, True), ({"RoleArn": "x"}, False), ({"Region": "us-east-1"}, False)]
)
def test_what_is_read_as_another_role_may_be_in_another_account(
    more: dict[str, str], is_here: bool
) -> None:
    template = queue()
    template["Resources"]["Environment"]["Properties"]["ServiceEnvironmentName"] = "gpus"
    reader: dict[str, Any] = copy.deepcopy(template)
    argument = {"StackName": "A", "OutputName": "Queue", **more}
    reader["Outputs"] = {"Again": {"Value": {"Fn::GetStackOutput": argument}}}
    stacks = [Stack(template, "a.json", name="A"), Stack(reader, "b.json", name="B")]
    assert [rule for rule, _ in said(stacks)] == (["SE-03"] if is_here else [])
