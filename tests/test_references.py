"""What a property refers to: nothing there is, or a resource of another service."""

from __future__ import annotations

from typing import Any

import pytest

from tests.test_resolving import judged, rules_of, sub, template

BUCKET = {"Type": "AWS::S3::Bucket"}
ROLE = {"Type": "AWS::IAM::Role", "Properties": {}}
POLICY = "Queue.SchedulingPolicyArn"
ENVIRONMENT = "Queue.ServiceEnvironmentOrder.0.ServiceEnvironment"
QUEUE = "Product.JobQueue"


def found(changes: dict[str, Any], **sections: Any) -> list[tuple[str, str]]:
    return rules_of(judged(template(changes, **sections)))


# -- to nothing


@pytest.mark.parametrize(
    "written",
    [
        {"Ref": "Nowhere"},
        {"Fn::GetAtt": ["Nowhere", "Arn"]},
        {"Fn::GetAtt": "Nowhere.Arn"},
        sub("${Nowhere}"),
        sub("${Nowhere.Arn}"),
        sub("${Other}-${Nowhere}", Other="x"),
        sub("${Other}", Other={"Ref": "Nowhere"}),
        {"Fn::Join": ["", ["x", {"Ref": "Nowhere"}]]},
        {"Fn::If": ["Never", {"Ref": "Nowhere"}, "team"]},
    ],
    ids=str,
)
def test_a_reference_to_nothing_is_a_fault(written: Any) -> None:
    never = {"Never": {"Fn::Equals": ["a", "b"]}}
    assert found({"Product.QuotaShareName": written}, Conditions=never) == [("CF-04", "Product")]


@pytest.mark.parametrize(
    "written",
    [
        {"Ref": "Given"},
        {"Ref": "AWS::StackName"},
        sub("${Given}"),
        sub("${AWS::StackName}"),
        sub("${Here}", Here="x"),
        sub("${Here.Too}", **{"Here.Too": "x"}),
        sub("x${!Nowhere}"),
        {"Ref": "Bucket"},
        {"Fn::GetAtt": ["Custom", "Anything"]},
        {"Fn::ImportValue": "Nowhere"},
        {"Ref": "a.b"},
    ],
    ids=str,
)
def test_what_is_there_is_no_fault(written: Any) -> None:
    more = {"Bucket": BUCKET, "Custom": {"Type": "Custom::Thing"}}
    given = {"Given": {"Type": "String"}}
    found_ = found({"Product.Tags": {"team": written}, **more}, Parameters=given)
    assert [rule for rule, _ in found_ if rule != "SJ-09"] == []


@pytest.mark.parametrize(
    ("sections", "more"),
    [
        ({"Transform": "AWS::Serverless-2016-10-31"}, {}),
        ({"Transform": ["Anybody"]}, {}),
        ({}, {"Team": {"Type": "Org::Team::Shares::MODULE"}}),
        ({"Transform": "AWS::LanguageExtensions"}, {"Fn::ForEach::Team": ["T", ["a"], {}]}),
    ],
    ids=str,
)
def test_what_makes_resources_may_make_it(sections: Any, more: Any) -> None:
    assert found({"Product.QuotaShareName": {"Ref": "Nowhere"}, **more}, **sections) == []
    assert found({"Product.QuotaShareName": {"Ref": "Nowhere"}}) == [("CF-04", "Product")]


def test_an_id_that_is_spelt_alike_is_offered() -> None:
    for written, offered in (
        ("Polcy", "Did you mean 'Policy'?"),
        ("Stge", "Did you mean 'Stage'?"),
        ("Nowhere", "Add it, or name one that is."),
    ):
        names = {name: {"Type": "String"} for name in ("Stage", "Stages", "Policies")}
        whole = template({POLICY: {"Ref": written}}, Parameters=names)
        (one,) = judged(whole)
        assert one.fix == offered
        assert one.message == f"The template has no parameter and no resource {written!r}."
        assert one.path == ("Properties", "SchedulingPolicyArn")


# -- to another service


@pytest.mark.parametrize(
    ("place", "rule", "resource"),
    [(POLICY, "JQ-08", "Queue"), (ENVIRONMENT, "JQ-11", "Queue"), (QUEUE, "QS-20", "Product")],
)
def test_a_resource_of_another_service_is_none_of_ours(
    place: str, rule: str, resource: str
) -> None:
    for written, type_ in (
        ({"Ref": "Bucket"}, "AWS::S3::Bucket"),
        ({"Fn::GetAtt": ["Role", "Arn"]}, "AWS::IAM::Role"),
        ({"Fn::GetAtt": "Jobs.JobDefinitionArn"}, "AWS::Batch::JobDefinition"),
    ):
        jobs = {"Type": "AWS::Batch::JobDefinition", "Properties": {"Type": "container"}}
        whole = template({place: written, "Bucket": BUCKET, "Role": ROLE, "Jobs": jobs})
        one = next(one for one in judged(whole) if one.rule.id == rule)
        assert one.resource == resource
        assert one.message.endswith(f" This one names an {type_}.")


@pytest.mark.parametrize(
    "type_",
    [
        "AWS::CloudFormation::CustomResource",
        "AWS::SSM::Parameter",
        "AWS::Serverless::Application",
        "AWS::ServiceCatalog::CloudFormationProvisionedProduct",
        "Custom::Queue",
        "Org::Team::Queue",
    ],
)
def test_what_may_give_any_text_is_not_known(type_: str) -> None:
    for place in (POLICY, ENVIRONMENT, QUEUE):
        for written in ({"Ref": "Other"}, {"Fn::GetAtt": ["Other", "Outputs.Arn"]}):
            said = found({place: written, "Other": {"Type": type_}})
            assert not {rule for rule, _ in said} & {"JQ-08", "JQ-11", "QS-20", "CF-04"}


def test_a_nested_stack_is_no_queue_though_what_it_puts_out_may_be_one() -> None:
    for place, rule in ((POLICY, "JQ-08"), (ENVIRONMENT, "JQ-11"), (QUEUE, "QS-20")):
        nested = {"Other": {"Type": "AWS::CloudFormation::Stack"}}
        output = {"Fn::GetAtt": ["Other", "Outputs.Arn"]}
        assert rule in [id for id, _ in found({place: {"Ref": "Other"}, **nested})]
        assert rule not in [id for id, _ in found({place: output, **nested})]


def test_a_queue_may_be_named_like_another_resource() -> None:
    named = {"Queue.JobQueueName": {"Ref": "Bucket"}, QUEUE: {"Ref": "Bucket"}, "Bucket": BUCKET}
    assert found(named) == [("QS-15", "Product")]  # as by any name, it may come too early


@pytest.mark.parametrize(
    ("place", "rule"),
    [
        ("Product.CapacityLimits.0.MaxCapacity", "QS-05"),
        ("Research.ResourceSharingConfiguration.BorrowLimit", "QS-09"),
        ("Product.ResourceSharingConfiguration.Strategy", "QS-07"),
        ("Product.PreemptionConfiguration.InSharePreemption", "QS-12"),
        ("Product.State", "QS-13"),
        ("Product.CapacityLimits.0.CapacityUnit", "QS-06"),
        ("Environment.CapacityLimits.0.CapacityUnit", "SE-07"),
        ("Queue.Priority", "JQ-01"),
        ("Environment.CapacityLimits.0.MaxCapacity", "SE-08"),
    ],
)
def test_what_identifies_a_resource_is_no_number_and_no_choice(place: str, rule: str) -> None:
    surely = ({"Ref": "Bucket"}, {"Fn::GetAtt": "Bucket.Arn"}, {"Ref": "Other"}, sub("${Other}"))
    other = {"Type": "AWS::Batch::SchedulingPolicy", "Properties": {"FairsharePolicy": {}}}
    for written in surely:
        said = found({place: written, "Bucket": BUCKET, "Other": other})
        assert (rule, place.split(".", maxsplit=1)[0]) in said, written
    for written in ({"Fn::GetAtt": ["Bucket", "Size"]}, {"Fn::GetAtt": ["Custom", "Arn"]}):
        custom = {"Type": "Custom::Thing"}
        assert rule not in {
            id for id, _ in found({place: written, "Bucket": BUCKET, "Custom": custom})
        }


@pytest.mark.parametrize(
    ("text", "is_number"),
    [("1${P}", True), ("${P}.0", True), (" ${P}", True), ("${P}x", False), ("p${P}", False)],
)
def test_a_text_that_is_known_in_part_may_be_a_number(text: str, is_number: bool) -> None:
    given = {"P": {"Type": "String"}}
    said = found({"Queue.Priority": sub(text)}, Parameters=given)
    assert said == ([] if is_number else [("JQ-01", "Queue")])


# -- to what is there on a condition

CONDITIONS = {
    "IsProd": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]},
    "IsTest": {"Fn::Not": [{"Condition": "IsProd"}]},
    "Never": {"Fn::Equals": ["a", "b"]},
    "Always": {"Fn::Equals": ["a", "a"]},
}
REF = {"Ref": "Environment"}


@pytest.mark.parametrize(
    ("of_environment", "of_queue", "written", "when"),
    [
        ("IsProd", None, REF, " This is so when IsProd is false."),
        ("IsProd", None, {"Fn::GetAtt": "Environment.ServiceEnvironmentArn"}, "IsProd is false."),
        ("IsProd", None, sub("${Environment}"), "IsProd is false."),
        ("IsProd", None, {"Fn::If": ["Always", REF, "gpus"]}, "IsProd is false."),
        ("IsProd", None, {"Fn::If": ["IsTest", REF, "gpus"]}, "IsTest is true."),
        ("IsProd", "IsTest", REF, "IsTest is true."),
        ("Never", None, REF, "its condition does not hold."),
        ("IsProd", "IsProd", REF, None),
        ("IsProd", "Never", REF, None),
        ("Always", None, REF, None),
        ("IsProd", None, {"Fn::If": ["IsProd", REF, "gpus"]}, None),
        ("IsProd", None, {"Fn::If": ["IsTest", "gpus", sub("${Environment}")]}, None),
        ("IsProd", None, {"Fn::If": ["IsTest", "gpus", {"Fn::Join": ["", [REF]]}]}, None),
    ],
    ids=str,
)
def test_a_reference_to_what_is_there_on_a_condition(
    of_environment: str, of_queue: str | None, written: Any, when: str | None
) -> None:
    whole = template({ENVIRONMENT: written}, Conditions=CONDITIONS)
    whole["Resources"]["Environment"]["Condition"] = of_environment
    for id in ("Queue", "Research", "Product") if of_queue else ():
        whole["Resources"][id]["Condition"] = of_queue
    said = [one for one in judged(whole) if one.rule.id == "CF-04"]
    assert [one.resource for one in said] == (["Queue"] if when else [])
    assert all(one.message.endswith(when or "") for one in said)
    assert all("Environment is not there" in one.message for one in said)


def test_a_reference_is_found_in_the_branch_that_counts() -> None:
    branch = {"Fn::If": ["IsProd", "gpus", REF]}
    whole = template({ENVIRONMENT: branch}, Conditions=CONDITIONS)
    whole["Resources"]["Environment"]["Condition"] = "IsProd"
    (one,) = [one for one in judged(whole) if one.rule.id == "CF-04"]
    order = ("Properties", "ServiceEnvironmentOrder", 0, "ServiceEnvironment")
    assert one.path == (*order, "Fn::If", 2)
    assert one.fix == "Give both the same condition, or choose by Fn::If."


def test_another_resource_may_be_the_one_that_is_not_there() -> None:
    more = {
        "Bucket": {**BUCKET, "Condition": "IsProd"},
        "Product.QuotaShareName": {"Ref": "Bucket"},
    }
    assert found(more, Conditions=CONDITIONS) == [("CF-04", "Product")]
    loop = {"Fn::ForEach::Team": ["T", ["a"], {}]}
    assert found({**more, **loop}, Conditions=CONDITIONS) == []
