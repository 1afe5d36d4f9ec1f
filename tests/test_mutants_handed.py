"""What hands a queue to templates that are not judged here: it may have lenders there."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack
from tests.test_made_elsewhere import QUEUE, lacks_a_lender
from tests.test_resolving import template

EXPORT = {"Q": {"Value": QUEUE, "Export": {"Name": "queue"}}}
IMPORT = {"Fn::ImportValue": "queue"}
LOOP = ["Team", ["a", "b"], {"Share${Team}": {"Type": "Company::Share", "Queue": IMPORT}}]


@pytest.mark.parametrize(
    ("resources", "lacks"),
    [
        ({"Fn::ForEach::Teams": LOOP}, False),
        ({"Fn::Transform": {"Name": "Shares", "Queue": IMPORT}}, False),
        ({"Fn::Transform": {"Name": "Shares", "Queue": "other"}}, True),
        ({"Bucket": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": IMPORT}}}, True),
    ],
    ids=str,
)
def test_a_macro_among_the_resources_of_another_stack_may_make_a_lender(
    resources: Any, lacks: bool
) -> None:
    whole = template(Outputs=EXPORT)
    del whole["Resources"]["Product"]
    stacks = [Stack(whole, "a.json", name="A"), Stack({"Resources": resources}, "b.json", name="B")]
    assert ["XR-06"] * lacks == [one.rule.id for one in judge_stacks(stacks)]


def test_what_a_macro_is_given_beside_one_of_the_four_types_makes_no_share() -> None:
    policy = {
        "Type": "AWS::Batch::SchedulingPolicy",
        "Fn::Transform": {"Name": "Tagging"},
        "Properties": {"QuotaSharePolicy": {}, "Tags": {"Queue": QUEUE}},
    }
    assert lacks_a_lender({"Other": policy})
