"""Texts that are put together: dynamic references in them, and how long they may become."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.source import parse
from tests.test_resolving import join, judged, rules_of, sub, template

P = {"P": {"Type": "String"}}
SECONDS = "Queue.JobStateTimeLimitActions"
REASON = "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"
SPANNING = [
    sub("{{resolve:ssm:/gpu/${AWS::StackName}/value}}"),
    sub("{{resolve:ssm:/gpu/${P}/${AWS::Region}:1}}"),
    join("{{resolve:ssm:/gpu/", {"Ref": "P"}, "/value}}"),
    join("{{resolve:ssm:", "/gpu/value}}"),
    join("{{resolve:", {"Ref": "P"}, "}}"),
    join("", sub("{{resolve:ssm:${P}"), "}}"),
]


@pytest.mark.parametrize("written", SPANNING, ids=str)
@pytest.mark.parametrize(
    "place",
    [
        "Product.CapacityLimits.0.MaxCapacity",
        "Research.ResourceSharingConfiguration.BorrowLimit",
        "Queue.Priority",
        SECONDS,
        "Product.QuotaShareName",
        "Queue.JobQueueName",
        "Environment.ServiceEnvironmentName",
        "Policy.Name",
        "Product.Tags",
        "Product.State",
    ],
)
def test_a_dynamic_reference_is_not_known_whatever_is_put_into_it(place: str, written: Any) -> None:
    value = {"team": written} if place.endswith("Tags") else written
    value = lasting(written) if place == SECONDS else value
    assert rules_of(judged(template({place: value}, Parameters=P))) == []


def lasting(seconds: Any) -> list[dict[str, Any]]:
    limit = {"Reason": REASON, "State": "RUNNABLE", "Action": "TERMINATE"}
    return [{**limit, "MaxTimeSeconds": seconds}]


def test_what_stands_beside_a_dynamic_reference_counts() -> None:
    written = sub("a b{{resolve:ssm:/gpu/${P}}}")
    found = judged(template({"Product.QuotaShareName": written}, Parameters=P))
    assert rules_of(found) == [("QS-02", "Product")]
    assert "this one has ' '." in found[0].message


def test_one_dynamic_reference_is_one_name() -> None:
    for one, other, same in (
        (SPANNING[0], SPANNING[0], True),
        (SPANNING[0], SPANNING[1], False),
        (SPANNING[2], join("{{resolve:ssm:/gpu/", {"Ref": "P"}, "/", "value}}"), True),
        (SPANNING[3], "{{resolve:ssm:/gpu/value}}", True),
    ):
        names = {"Product.QuotaShareName": one, "Research.QuotaShareName": other}
        found = rules_of(judged(template(names, Parameters=P)))
        assert found == ([("QS-03", "Product")] if same else [])


def nested(levels: int, innermost: Any) -> Any:
    for _ in range(levels):
        innermost = sub("${a}" * 30, a=innermost)
    return innermost


@pytest.mark.parametrize(
    "written",
    [
        nested(11, "x"),
        nested(11, {"Ref": "P"}),
        {"Fn::Join": ["d" * 5000, ["a"] * 40_000]},
        sub("${a}" * 20_000, a="x" * 5000),
        sub("${P}" * 20_000),
    ],
    ids=("text", "parameter", "delimiter", "value", "many"),
)
def test_a_text_without_measure_is_not_known(written: Any) -> None:
    assert rules_of(judged(template({"Product.Tags": {"team": written}}, Parameters=P))) == []


def test_no_function_is_looked_for_in_a_map() -> None:
    value = {"Fn::FindInMap": ["M", "a", "b"]}
    mappings = {"M": {"a": {"b": {"Fn::Join": ["", ["a b"]]}}}}
    assert judged(template({"Product.QuotaShareName": value}, Mappings=mappings)) == []


@pytest.mark.parametrize(
    ("text", "is_none"),
    [("p5.${P}", True), ("NUM-${P}", True), ("m${P}", False), ("ml.${P}", False), ("N${P}", False)],
)
def test_a_capacity_unit_that_is_known_in_part(text: str, is_none: bool) -> None:
    changes = {"Product.CapacityLimits.0.CapacityUnit": sub(text)}
    found = rules_of(judged(template(changes, Parameters=P)))
    assert [one for one in found if one[0] == "QS-06"] == ([("QS-06", "Product")] * is_none)


def test_a_limit_of_time_that_is_no_number_is_not_shown_as_python_has_it() -> None:
    whole = template({SECONDS: lasting({"Ref": "Environment"})})
    (found,) = judged(whole)
    assert found.message == (
        "A job state time limit is 600 to 86400 seconds (10 minutes to 24 hours)."
    )


def test_a_rule_of_the_template_for_each_member() -> None:
    units = {"U": {"Type": "String", "AllowedValues": ["ml.p5.48xlarge", "bad"]}}
    changes = {"Product.CapacityLimits.0.CapacityUnit": {"Ref": "U"}}
    for function, other in (("Equals", "ml.p5.48xlarge"), ("In", ["ml.p5.48xlarge"])):
        given = {"Assert": {f"Fn::EachMember{function}": [[{"Ref": "U"}], other]}}
        rules = {"Only": {"Assertions": [given]}}
        assert judged(template(changes, Parameters=units, Rules=rules)) == []
    assert rules_of(judged(template(changes, Parameters=units))) == [("QS-06", "Product")]


PROD_OR_DEV = {"Type": "String", "AllowedValues": ["prod", "dev"]}
PROD_DEV_OR_TEST = {"Type": "String", "AllowedValues": ["prod", "dev", "test"]}
LARGE = {"Assertions": [{"Assert": {"Fn::Contains": [["large"], {"Ref": "Size"}]}}]}


def in_stage(stage: str, *allowed: str) -> dict[str, Any]:
    """Returns a rule of a template: in a stage the priority is one of a few."""
    return {
        "RuleCondition": {"Fn::Equals": [{"Ref": "Stage"}, stage]},
        "Assertions": [{"Assert": {"Fn::Contains": [[*allowed], {"Ref": "Priority"}]}}],
    }


NOT_EMPTY = {"Assertions": [{"Assert": {"Fn::Not": [{"Fn::Equals": [{"Ref": "Vpc"}, ""]}]}}]}


@pytest.mark.parametrize(
    ("stage", "rules", "when"),
    [
        (PROD_OR_DEV, [in_stage("prod", "1")], "Priority is '1001' and Stage is 'dev'"),
        (
            {**PROD_OR_DEV, "Default": "prod"},
            [in_stage("prod", "1"), NOT_EMPTY],
            "Priority is '1001' and Stage is 'dev'",
        ),
        ({**PROD_OR_DEV, "Default": "dev"}, [in_stage("prod", "1")], "Priority is '1001'"),
        (
            {"Type": "String"},
            [in_stage("prod", "1")],
            "Priority is '1001' and Stage is not 'prod'",
        ),
        (
            {"Type": "String", "Default": "prod"},
            [in_stage("prod", "1")],
            "Priority is '1001' and Stage is not 'prod'",
        ),
        (PROD_OR_DEV, [in_stage("prod", "1"), in_stage("dev", "1")], None),
        ({"Type": "String", "AllowedValues": ["prod"]}, [in_stage("prod", "1")], None),
        (
            {"Type": "String"},
            [in_stage("prod", "1"), in_stage("dev", "1")],
            "Priority is '1001' and Stage is neither 'dev' nor 'prod'",
        ),
        (PROD_OR_DEV, [NOT_EMPTY], "Priority is '1001'"),
        # The rest of the stages are two.
        (
            PROD_DEV_OR_TEST,
            [in_stage("prod", "1")],
            "Priority is '1001' and Stage is not 'prod'",
        ),
        # What has to be in any case is not said.
        (PROD_OR_DEV, [in_stage("prod", "1"), LARGE], "Priority is '1001' and Stage is 'dev'"),
    ],
    ids=str,
)
def test_a_rule_of_the_template_whose_condition_is_on_a_parameter_of_its_own(
    stage: Any, rules: list[Any], when: str | None
) -> None:
    parameters = {
        "Stage": stage,
        "Priority": {"Type": "Number", "AllowedValues": [1, 1001]},
        "Vpc": {"Type": "String"},
        "Size": {"Type": "String", "AllowedValues": ["large", "small"]},
    }
    conditions = {"IsLarge": {"Fn::Equals": [{"Ref": "Size"}, "large"]}}
    state = {"Fn::If": ["IsLarge", "ENABLED", "DISABLED"]}
    changes = {"Queue.State": state, "Queue.Priority": {"Ref": "Priority"}}
    named = {f"R{number}": rule for number, rule in enumerate(rules)}
    sections = {"Parameters": parameters, "Conditions": conditions, "Rules": named}
    said = [one.message for one in judged(template(changes, **sections))]
    expected = [] if when is None else [f" This is so when {when}."]
    assert [message.partition(" 1000.")[2] for message in said] == expected


def test_rules_that_can_be_kept_in_too_many_ways_are_passed_over() -> None:
    many = {f"P{number}": PROD_OR_DEV for number in range(12)}
    listed = [{"Fn::Contains": [["prod", "dev"], {"Ref": name}]} for name in many]
    always = [*({"Fn::Not": [one]} for one in listed), {"Fn::Equals": ["a", "a"]}]
    changes = {"Queue.Priority": {"Ref": "Priority"}}
    parameters = {"Priority": {"Type": "Number", "AllowedValues": [1, 1001]}, **many}
    only = {"Assertions": [{"Assert": {"Fn::Contains": [["1"], {"Ref": "Priority"}]}}]}
    rules = {"R": {**only, "RuleCondition": {"Fn::Or": always}}}
    found = rules_of(judged(template(changes, Parameters=parameters, Rules=rules)))
    assert found == [("JQ-01", "Queue")]


@pytest.mark.parametrize(
    ("number", "is_wrong"),
    [("1e1", False), ("1E+1", False), ("1.5e+1", False), ("'1.5e1'", False), ("15e-1", True)],
)
def test_a_power_of_ten_may_be_a_number_though_yaml_takes_it_for_text(
    number: str, is_wrong: bool
) -> None:
    text = f"Resources: {{}}\nMappings: {{A: {number}}}"
    written = parse(text.encode(), "a.yaml", may_be_empty=True)
    for place, rule in (
        ("Queue.Priority", "JQ-01"),
        ("Environment.CapacityLimits.0.MaxCapacity", "SE-08"),
        ("Product.CapacityLimits.0.MaxCapacity", "QS-05"),
    ):
        found = rules_of(judged(template({place: written.template["Mappings"]["A"]})))
        assert [one for one, _ in found if one == rule] == [rule] * is_wrong


def test_a_power_of_ten_that_yaml_takes_for_text_is_a_name() -> None:
    written = parse(b"Resources: {}\nMappings: {A: 1e1}", "a.yaml", may_be_empty=True)
    names = {"Product.QuotaShareName": written.template["Mappings"]["A"]}
    assert names == {"Product.QuotaShareName": "1e1"}
    assert judged(template({**names, "Product.Tags": {"team": "1e1"}})) == []
