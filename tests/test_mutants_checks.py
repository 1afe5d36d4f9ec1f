"""What rules of several families ask of a value, word by word and at the edges."""

from __future__ import annotations

from typing import Any

import pytest

from tests.test_resolving import judged, rules_of, sub, template

BUCKET = {"Bucket": {"Type": "AWS::S3::Bucket"}}
PARAMETERS = {"P": {"Type": "String"}, "Many": {"Type": "Number", "MinValue": 1001}}
MOST = "Product.CapacityLimits.0.MaxCapacity"
STRATEGY = "Product.ResourceSharingConfiguration.Strategy"
INSTANCES = "Give a whole number, 1 or more, or leave the instance type out."
PRIORITY = "Give a whole number from 0 to 1000."


def said(changes: dict[str, Any], **sections: Any) -> list[tuple[str, str]]:
    found = judged(template(changes, Parameters=PARAMETERS, **sections))
    return [(one.rule.id, one.fix) for one in found]


@pytest.mark.parametrize(
    ("place", "value", "rule", "fix"),
    [
        ("Queue.Priority", "0 ", "JQ-01", "Write 0."),
        ("Queue.Priority", " 1000", "JQ-01", "Write 1000."),
        ("Queue.Priority", "1001 ", "JQ-01", PRIORITY),
        ("Queue.Priority", "-1 ", "JQ-01", PRIORITY),
        (MOST, "1 ", "QS-05", "Write 1."),
        ("Queue.Priority", {"Ref": "Many"}, "JQ-01", PRIORITY),
        ("Queue.Priority", sub("p${P}"), "JQ-01", PRIORITY),
        (MOST, sub("p${P}"), "QS-05", INSTANCES),
    ],
    ids=str,
)
def test_how_a_number_is_mended(place: str, value: Any, rule: str, fix: str) -> None:
    assert said({place: value}) == [(rule, fix)]


@pytest.mark.parametrize(
    ("attribute", "is_surely_none"),
    [
        ({"Ref": "Bucket"}, True),
        ({"Fn::GetAtt": ["Bucket", "Arn"]}, True),
        ({"Fn::GetAtt": "Bucket.Arn"}, True),
        ({"Fn::GetAtt": ["Bucket", "DomainName"]}, False),
        ({"Fn::GetAtt": "Bucket.DomainName"}, False),
        ({"Fn::GetAtt": ["Bucket", {"Ref": "P"}]}, False),
    ],
    ids=str,
)
def test_the_arn_of_a_bucket_is_no_strategy(attribute: Any, is_surely_none: bool) -> None:
    fixes = [("QS-07", "Choose one of them.")] if is_surely_none else []
    assert said({STRATEGY: attribute, **BUCKET}) == fixes


@pytest.mark.parametrize("before", ["-", "a", "it/"])
def test_an_arn_begins_what_names_a_queue(before: str) -> None:
    whole = template({"Product.JobQueue": sub(before + "${Queue}")})
    (message,) = [one.message for one in judged(whole) if one.rule.id == "QS-20"]
    assert message.endswith(" This one has an ARN within another text; Ref gives a whole ARN.")


def test_a_unit_has_one_limit() -> None:
    units = ["ml.p5.48xlarge", "ml.g5.xlarge", "ml.p5.48xlarge", "ml.p5.48xlarge"]
    limits = [{"CapacityUnit": unit, "MaxCapacity": 1} for unit in units]
    found = judged(template({"Environment.CapacityLimits": limits}))
    twice = [one.path[1:3] for one in found if "already" in one.message]
    assert twice == [("CapacityLimits", 2), ("CapacityLimits", 3)]


def test_what_is_missing_in_one_place_is_said_of_each_case() -> None:
    none = {"Ref": "AWS::NoValue"}
    limits = [
        {
            "CapacityUnit": {"Fn::If": ["C", "ml.p5.48xlarge", none]},
            "MaxCapacity": {"Fn::If": ["C", none, 1]},
        }
    ]
    conditions = {"C": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}}
    found = judged(template({"Product.CapacityLimits": limits}, Conditions=conditions))
    assert rules_of(found) == [("QS-05", "Product")] * 2
    assert [one.fix for one in found] == ["Add MaxCapacity.", "Add CapacityUnit."]


@pytest.mark.parametrize(
    ("unit", "fix"),
    [
        ("GPU", "Name the type, such as 'ml.p5.48xlarge'."),
        ("p5.48xlarge", "Did you mean 'ml.p5.48xlarge'?"),
        (sub("GPU-${P}"), "Name the type, such as 'ml.p5.48xlarge'."),
        ({"Ref": "Bucket"}, "Name the type, such as 'ml.p5.48xlarge'."),
    ],
    ids=str,
)
def test_each_capacity_unit_is_looked_at(unit: Any, fix: str) -> None:
    units = [{"Ref": "P"}, "ml.p5.48xlarge", unit]
    limits = [{"CapacityUnit": one, "MaxCapacity": 1} for one in units]
    assert said({"Product.CapacityLimits": limits, **BUCKET}) == [("QS-06", fix)]


@pytest.mark.parametrize("text", ["${P}", "m${P}", "ml.${P}", "ml.p5.${P}", "NUM_${P}"])
def test_a_unit_that_is_known_in_part_may_be_one(text: str) -> None:
    assert "QS-06" not in {
        rule for rule, _ in said({"Product.CapacityLimits.0.CapacityUnit": sub(text)})
    }


def test_an_output_is_told_which_attribute_there_is() -> None:
    outputs = {"Environment": {"Value": {"Fn::GetAtt": ["Environment", "Nope"]}}}
    fix = "Write !GetAtt Environment.ServiceEnvironmentArn, or !Ref Environment, which is the same."
    assert said({}, Outputs=outputs) == [("CF-03", fix)]
