"""Real tokens of CDK, told from literals by their form alone."""

from __future__ import annotations

import math
from typing import Any

import jsii
import pytest
from aws_cdk import (
    Aws,
    CfnParameter,
    Duration,
    Fn,
    IStableAnyProducer,
    Lazy,
    Stack,
    Token,
)
from hypothesis import given
from hypothesis import strategies as st

from qm_constructs.tokens import is_token


@jsii.implements(IStableAnyProducer)
class _Produced:
    def produce(self) -> str:
        return "produced"


def test_each_kind_of_token(stack: Stack, calls: list[str]) -> None:
    parameter = CfnParameter(stack, "Parameter", type="Number")
    tokens: list[Any] = [
        Aws.REGION,
        f"prefix-{Aws.ACCOUNT_ID}",
        stack.stack_id,
        Fn.import_value("Name"),
        parameter.value_as_string,
        parameter.value_as_number,
        parameter.value,
        Fn.get_att("Resource", "Attribute"),
        Fn.condition_if("Condition", "a", "b"),
        Token.as_number(Fn.import_value("Count")),
        Token.as_any("x"),
        Lazy.any(_Produced()),
        Fn.split(",", Fn.import_value("List"))[0],
        Fn.select(0, Fn.get_azs()),
    ]
    calls.clear()
    assert [token for token in tokens if not is_token(token)] == []
    assert calls == []


def test_what_is_no_token(stack: Stack) -> None:
    literals = ["", "ml.p5.48xlarge", "${Token}", "$Token[1]", "${AWS::Region}", 0, 3, -1, 2.5]
    others = [None, True, [], {}, object(), stack, Duration.seconds(3), math.inf, math.nan]
    assert [value for value in [*literals, *others] if is_token(value)] == []


@given(st.floats(min_value=-1e100, max_value=1e100) | st.integers() | st.text(max_size=20))
def test_no_ordinary_value_is_a_token(value: object) -> None:
    if not (isinstance(value, str) and "{Token[" in value):
        assert not is_token(value)


@pytest.mark.parametrize("index", [0, 1, 1000, 2**31])
def test_number_tokens_of_any_index(index: int) -> None:
    # CDK's first number token, and how the next ones follow.
    import struct

    number = struct.unpack(">d", struct.pack(">Q", 0xFBFF_0000_0000_0000 + index))[0]
    assert is_token(number)
