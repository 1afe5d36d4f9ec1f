"""What a value of a template is to CloudFormation: a number, a text, an ARN, or not known."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.plan import JOB_QUEUE, UnknownArn, UnknownText
from qm_constructs.schema import ANYTHING, TAGS, TEXT, TYPES, WHOLE_NUMBER
from qm_constructs.template.coercion import coerced
from qm_constructs.template.parameters import OTHER, possible_values
from qm_constructs.template.values import (
    Atom,
    is_other_than,
    known,
    literal,
    parts_of,
    target,
    text,
)

A, B = Atom(0, "a"), Atom(0, "b")


@pytest.mark.parametrize(
    ("parts", "made"),
    [
        ([], ""),
        (["", ""], ""),
        (["a", "b"], "ab"),
        (["a", "", "b"], "ab"),
        (["a", A, "b", "c"], ("a", A, "bc")),
        ([A, "", B], (A, B)),
        ([A], (A,)),
        (["", A, ""], (A,)),
    ],
)
def test_a_text_of_parts(parts: list[Any], made: Any) -> None:
    found = text(parts, "source", 0)
    if isinstance(found, UnknownText):
        assert (found.parts, found.source) == (made, "source")
    else:
        assert found == made


def test_a_literal_with_a_dynamic_reference() -> None:
    assert literal("a{resolve:b}", 7) == "a{resolve:b}"
    found = literal("a-{{resolve:ssm:/b}}-c{{resolve:ssm:/d}}", 7)
    assert isinstance(found, UnknownText)
    one, other = Atom(7, "{{resolve:ssm:/b}}"), Atom(7, "{{resolve:ssm:/d}}")
    assert found.parts == ("a-", one, "-c", other)
    assert found.source == "a-{{resolve:ssm:/b}}-c{{resolve:ssm:/d}}"
    assert found.literals == "a--c"


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("a", ("a",)),
        ("", ("",)),
        (3, ("3",)),
        (1.5, ("1.5",)),
        (True, ("true",)),
        (False, ("false",)),
        (None, None),
        (["a"], None),
        ({}, None),
        (UnknownText("x", (A, "b")), (A, "b")),
    ],
)
def test_what_is_taken_as_a_text(value: Any, parts: Any) -> None:
    assert parts_of(value) == parts
    assert known(parts) == (parts[0] if parts and isinstance(parts[0], str) else None)


def test_what_is_known_whole() -> None:
    assert known(("a",)) == "a"
    assert known(("a", A)) is None
    assert known((A,)) is None
    assert known(()) is None
    assert known(None) is None


def test_what_a_text_is_known_not_to_be() -> None:
    other = Atom(0, "a", frozenset({"x"}))
    assert is_other_than((other,), "x")
    assert not is_other_than((other,), "y")
    assert is_other_than((other, "z"), "x")
    assert is_other_than((other, "z"), "xz")
    assert not is_other_than((other, "z"), "yz")
    assert not is_other_than(("x",), "x")
    assert is_other_than((), "x")
    assert not is_other_than((), "")


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        (("q",), (None, None, None, ("q",))),
        (("q-", A), (None, None, None, ("q-", A))),
        (
            ("arn:aws:batch:r:1:job-queue/q",),
            ("job-queue", ("1",), ("r",), ("q",)),
        ),
        (
            ("arn:", A, ":batch:", B, ":", A, ":job-queue/q-", B),
            ("job-queue", (A,), (B,), ("q-", B)),
        ),
        (("arn:aws:batch:::job-queue/q",), ("job-queue", (), (), ("q",))),
        (
            ("arn:aws:batch:r:1:job-queue/q/quota-share/s-", A),
            ("quota-share", ("1",), ("r",), ("s-", A)),
        ),
        (("arn:aws:batch:r:1:job-queue/",), None),
        (("arn:aws:batch:r:1:job-queue/q/x",), None),
        (("arn:aws:sqs:r:1:q",), None),
        (("a:b",), None),
        (("a/b",), None),
        (("a\ue000b",), None),
        ((A, "/b"), None),
    ],
)
def test_what_a_text_names(parts: Any, found: Any) -> None:
    named = target(text(parts, "x", 0))
    assert (named and (named.kind, named.account, named.region, named.name)) == found


@pytest.mark.parametrize(
    ("kind", "value", "made"),
    [
        (WHOLE_NUMBER, "16", 16),
        (WHOLE_NUMBER, "-16", -16),
        (WHOLE_NUMBER, "+16", 16),
        (WHOLE_NUMBER, "16.", 16),
        (WHOLE_NUMBER, "16.00", 16),
        (WHOLE_NUMBER, "16.5", "16.5"),
        (WHOLE_NUMBER, "1e-1", "1e-1"),
        (WHOLE_NUMBER, "1e999", "1e999"),
        (WHOLE_NUMBER, "1.5e0", "1.5e0"),
        (WHOLE_NUMBER, " 16", " 16"),
        (WHOLE_NUMBER, "", ""),
        (WHOLE_NUMBER, "9" * 18, int("9" * 18)),
        (WHOLE_NUMBER, "9" * 19, "9" * 19),
        (WHOLE_NUMBER, 16.0, 16),
        (WHOLE_NUMBER, 16.5, 16.5),
        (WHOLE_NUMBER, 16, 16),
        (WHOLE_NUMBER, True, True),
        (WHOLE_NUMBER, [1], [1]),
        (TEXT, 16, "16"),
        (TEXT, 1.5, "1.5"),
        (TEXT, True, "true"),
        (TEXT, "a", "a"),
        (TEXT, None, None),
        (TEXT, ["a"], ["a"]),
        (ANYTHING, 16, 16),
        (TAGS, {"a": 1, "b": "c"}, {"a": "1", "b": "c"}),
        (TAGS, [1], [1]),
        (
            TYPES[JOB_QUEUE],
            {"Priority": "1", "JobQueueName": 3, "Other": 4, "ServiceEnvironmentOrder": {"a": 1}},
            {"Priority": 1, "JobQueueName": "3", "Other": 4, "ServiceEnvironmentOrder": {"a": 1}},
        ),
        (
            TYPES[JOB_QUEUE],
            {"ServiceEnvironmentOrder": [{"Order": "1", "ServiceEnvironment": 7}, 3]},
            {"ServiceEnvironmentOrder": [{"Order": 1, "ServiceEnvironment": "7"}, 3]},
        ),
        (TYPES[JOB_QUEUE], ["x"], ["x"]),
    ],
)
def test_a_value_of_a_kind(kind: Any, value: Any, made: Any) -> None:
    found = coerced(kind, value)
    assert found == made
    assert type(found) is type(made)


def test_a_text_that_is_an_arn_has_a_place() -> None:
    parts = ("arn:aws:batch:us-east-1:", A, ":job-queue/", B)
    found = coerced(TEXT, UnknownText("source", parts))
    assert isinstance(found, UnknownArn)
    assert (found.source, found.parts, found.kind) == ("source", parts, "job-queue")
    assert (found.account, found.region) == (None, "us-east-1")
    other = coerced(TEXT, text(("arn:", A, ":batch:", B, ":111122223333:job-queue/q"), "x", 0))
    assert (other.account, other.region) == ("111122223333", None)
    assert coerced(TEXT, found) is found
    for plain in (UnknownText("x", ("a", A)), UnknownText("x", (A, ":b"))):
        assert coerced(TEXT, plain) is plain


@pytest.mark.parametrize(
    ("parameter", "compared", "values", "alone"),
    [
        ({"Type": "String"}, [], [OTHER], True),
        ({}, [], [OTHER], True),
        ({"Type": "String", "Default": "a"}, [], ["a"], True),
        ({"Type": "Number", "Default": 3}, [], ["3"], True),
        ({"Type": "String", "AllowedValues": ["a", "b"]}, [], [OTHER, "a", "b"], True),
        (
            {"Type": "String", "Default": "b", "AllowedValues": ["a", "b", 3, None]},
            [],
            ["b", "a", "3"],
            True,
        ),
        ({"Type": "String", "AllowedValues": "a"}, [], [OTHER], True),
        ({"Type": "String"}, ["x"], ["x", OTHER], False),
        ({"Type": "String", "Default": "a"}, ["x", "a"], ["a", "x", OTHER], False),
        ({"Type": "String", "AllowedValues": ["a", "b"]}, ["x"], ["a", "b"], False),
        (
            {"Type": "String", "Default": "b", "AllowedValues": ["a", "b"]},
            ["x"],
            ["b", "a"],
            False,
        ),
        ({"Type": "AWS::SSM::Parameter::Value<String>", "Default": "/a"}, ["x"], [OTHER], True),
        ({"Type": "AWS::EC2::VPC::Id", "Default": "v"}, [], ["v"], True),
        ({"Type": "CommaDelimitedList", "Default": "a, b"}, None, [["a", "b"]], True),
        ({"Type": "CommaDelimitedList", "Default": "a, b"}, [], [["a", "b"], OTHER], False),
        ({"Type": "CommaDelimitedList", "Default": "a"}, ["x"], [["a"], ["x"], OTHER], False),
        ({"Type": "CommaDelimitedList"}, ["x", "x, y"], [["x"], ["x", "y"], OTHER], False),
        (
            {"Type": "List<String>", "AllowedValues": ["x"]},
            ["x,x", "x,y"],
            [["x"] * 2, OTHER],
            False,
        ),
        ({"Type": "List<Number>", "Default": "1"}, None, [["1"]], True),
        ({"Type": "CommaDelimitedList"}, None, [OTHER], True),
        ({"Type": "CommaDelimitedList", "Default": ""}, None, [OTHER], True),
    ],
)
def test_what_a_parameter_can_be(
    parameter: dict[str, Any], compared: list[str] | None, values: list[Any], alone: bool
) -> None:
    assert possible_values(parameter, compared) == (values, alone)
