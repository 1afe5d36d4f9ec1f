"""What a macro or a module may write anew is not held against a template."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.test_nested_parameters import GIVEN, nesting, queue, said
from tests.test_resolving import judged, rules_of, template

NOPE = {"Product.QuotaShareName": {"Fn::Nope": 1}}


@pytest.mark.parametrize(
    ("resources", "sections", "refused"),
    [
        ({}, {}, True),
        ({"Fn::Transform": {"Name": "AWS::Include"}}, {}, False),
        ({}, {"Modules": {"Content": {"Source": "./content.yaml"}}}, False),
        ({"Other": {"Type": "AWS::S3::Bucket"}}, {}, True),
    ],
)
def test_what_stands_among_the_resources_may_write_them_anew(
    resources: Any, sections: Any, *, refused: bool
) -> None:
    found = rules_of(judged(template({**NOPE, **resources}, **sections)))
    assert found == [("CF-05", "Product")] * refused


def test_a_nested_stack_that_is_given_nothing_has_its_defaults() -> None:
    nested = nesting({})
    without = copy.deepcopy(GIVEN)
    for id in ("Research", "Product"):
        without["Resources"][id]["Properties"]["JobQueue"] = "gpus"
    assert said(queue(nested), without) == []
    del nested["Properties"]["Parameters"]
    assert said(queue(nested), without) == []
