"""A template as ``aws cloudformation get-template`` prints it, down to its lines."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.source import CannotRead, answer_in

RESOURCES: dict[str, Any] = {"A": {"Type": "AWS::S3::Bucket"}}


def place_of(path: tuple[Any, ...]) -> tuple[int, int]:
    """Returns a place that tells which path was asked for."""
    return 10 + len(path), 70


def test_the_body_is_the_template_and_its_lines_are_those_of_the_answer() -> None:
    found = answer_in({"TemplateBody": {"Resources": RESOURCES}, "More": 1}, place_of)
    assert found.template == {"Resources": RESOURCES}
    assert found.line_of(("Resources", "A")) == 13


def test_a_text_has_no_lines_of_its_own() -> None:
    found = answer_in({"TemplateBody": "Resources:\n  A: {Type: 'AWS::S3::Bucket'}\n"}, place_of)
    assert found.template == {"Resources": RESOURCES}
    assert found.line_of(("Resources", "A")) is None


def test_a_template_is_no_answer_though_it_has_such_a_key() -> None:
    whole = {"Resources": RESOURCES, "TemplateBody": {"Resources": {}}}
    assert answer_in(whole, place_of).template == whole


@pytest.mark.parametrize("body", ["[", {"Nothing": 1}, 3, "\ud800"])
def test_what_is_wrong_with_a_body_is_said_where_the_body_is(body: Any) -> None:
    with pytest.raises(CannotRead) as caught:
        answer_in({"TemplateBody": body}, place_of)
    assert caught.value.reason.startswith("has a TemplateBody that ")
    assert caught.value.line == 11


@pytest.mark.parametrize("value", [["TemplateBody"], "TemplateBody", None, {"Other": {}}])
def test_what_is_neither_is_refused(value: Any) -> None:
    with pytest.raises(CannotRead) as caught:
        answer_in(value, place_of)
    assert "TemplateBody that" not in caught.value.reason
