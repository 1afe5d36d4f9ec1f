"""What a property refers to: nothing there is, or a resource of another service."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.template.check import check
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
        ({"Fn::ForEach::Sections": ["S", ["Resources"], {"${S}": {}}]}, {}),
    ],
    ids=str,
)
def test_what_makes_resources_may_make_it(sections: Any, more: Any) -> None:
    assert found({"Product.QuotaShareName": {"Ref": "Nowhere"}, **more}, **sections) == []
    assert found({"Product.QuotaShareName": {"Ref": "Nowhere"}}) == [("CF-04", "Product")]


def test_what_stands_in_a_loop_of_properties_may_be_its_variable() -> None:
    for inside in ({"Ref": "T"}, {"Fn::If": ["${T}Only", "a", "b"]}, sub("${T}")):
        loop = {"Fn::ForEach::Team": ["T", ["a"], {"${T}": inside}]}
        assert found({"Product.Tags": loop}, Transform="AWS::LanguageExtensions") == []


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
        ("IsProd", None, {"Fn::If": ["IsTest", sub("${E}", E=REF), "gpus"]}, "IsTest is true."),
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


# -- to a pseudo parameter, a condition or a resource that there is not


@pytest.mark.parametrize(
    ("written", "problem", "fix"),
    [
        (
            {"Ref": "AWS::StackNam"},
            "CloudFormation has no pseudo parameter 'AWS::StackNam'.",
            "Did you mean 'AWS::StackName'?",
        ),
        (
            sub("x${AWS::Acount}"),
            "CloudFormation has no pseudo parameter 'AWS::Acount'.",
            "Did you mean 'AWS::AccountId'?",
        ),
        (
            {"Ref": "AWS::Regn"},
            "CloudFormation has no pseudo parameter 'AWS::Regn'.",
            "Did you mean 'AWS::Region'?",
        ),
        (
            {"Ref": "AWS::"},
            "CloudFormation has no pseudo parameter 'AWS::'.",
            "It has AWS::AccountId, AWS::NoValue, AWS::NotificationARNs, AWS::Partition, "
            "AWS::Region, AWS::StackId, AWS::StackName, AWS::URLSuffix.",
        ),
        (
            {"Fn::If": ["IsPrd", "a", "b"]},
            "The template has no condition 'IsPrd'.",
            "Did you mean 'IsProd'?",
        ),
        (
            {"Fn::Join": ["", ["x", {"Fn::If": ["Nope", "a", "b"]}]]},
            "The template has no condition 'Nope'.",
            "Add it, or name one that is.",
        ),
    ],
    ids=str,
)
def test_a_function_that_names_nothing(written: Any, problem: str, fix: str) -> None:
    changes = {"Product.QuotaShareName": written}
    (one,) = judged(template(changes, Conditions=CONDITIONS))
    assert (one.rule.id, one.resource, one.message, one.fix) == ("CF-04", "Product", problem, fix)
    assert found(changes, Conditions=CONDITIONS, Transform="Anybody") == []


@pytest.mark.parametrize(
    "name",
    ["AccountId", "NotificationARNs", "Partition", "Region", "StackId", "StackName", "URLSuffix"],
)
def test_each_pseudo_parameter_is_there(name: str) -> None:
    for written in ({"Ref": f"AWS::{name}"}, sub(f"x${{AWS::{name}}}")):
        found_ = found({"Product.Tags": {"team": written}})
        assert [rule for rule, _ in found_ if rule == "CF-04"] == []
    assert found({"Product.Tags": {"Ref": "AWS::NoValue"}}) == []


def with_body(**body: Any) -> dict[str, Any]:
    whole = template(Conditions=CONDITIONS, Parameters={"Stage": {"Type": "String"}})
    whole["Resources"]["Product"].update(body)
    return whole


@pytest.mark.parametrize(
    ("body", "path", "problem", "fix"),
    [
        ({"DependsOn": "Quue"}, ("DependsOn",), "resource 'Quue'", "Did you mean 'Queue'?"),
        (
            {"DependsOn": ["Queue", "Nope"]},
            ("DependsOn", 1),
            "resource 'Nope'",
            "Add it, or name one that is.",
        ),
        (
            {"DependsOn": "Stage"},
            ("DependsOn",),
            "resource 'Stage'",
            "Add it, or name one that is.",
        ),
        ({"Condition": "IsPrd"}, ("Condition",), "condition 'IsPrd'", "Did you mean 'IsProd'?"),
    ],
    ids=str,
)
def test_what_stands_beside_the_properties_and_leads_to_nothing(
    body: Any, path: Any, problem: str, fix: str
) -> None:
    (one,) = (one for one in judged(with_body(**body)) if one.rule.id == "CF-04")
    assert (one.resource, one.path) == ("Product", path)
    assert (one.message, one.fix) == (f"The template has no {problem}.", fix)
    assert one.place == ("Resources", "Product", *path)
    for more in (
        {"Transform": "Anybody"},
        {"Transform": "AWS::Serverless-2016-10-31"},
        {"Fn::Transform": {"Name": "AWS::Include"}},
    ):
        assert "CF-04" not in dict(rules_of(judged({**with_body(**body), **more})))
    macro = {"Fn::Transform": {"Name": "Anybody"}}
    assert "CF-04" not in dict(rules_of(judged(with_body(**body, **macro))))


def test_what_stands_beside_the_properties_and_is_there() -> None:
    fine: list[dict[str, Any]] = [{"DependsOn": ["Queue"]}, {"Condition": "Always"}]
    for body in (*fine, {"DependsOn": []}):
        assert judged(with_body(**body)) == []
    for part in ("Resources", "Conditions"):
        whole = with_body(DependsOn="Nope", Condition="Nope")
        whole[part]["Fn::ForEach::Any"] = ["A", ["a"], {}]
        said = [one.path[0] for one in judged(whole) if one.rule.id == "CF-04"]
        assert said == ([] if part == "Resources" else ["DependsOn"])


def test_a_share_of_a_queue_whose_condition_is_none_is_one_finding() -> None:
    whole = template(Conditions=CONDITIONS)
    whole["Resources"]["Queue"]["Condition"] = "Nope"
    assert rules_of(judged(whole)) == [("CF-04", "Queue")]


@pytest.mark.parametrize(
    ("output", "resource", "path"),
    [
        ({"Value": {"Fn::GetAtt": ["Prodct", "QuotaShareArn"]}}, "Product", ("Value",)),
        ({"Value": {"Ref": "Nowhere"}}, "Policy", ("Value",)),
        ({"Value": sub("${AWS::Stack}")}, "Policy", ("Value",)),
        ({"Value": {"Fn::If": ["Nope", "a", "b"]}}, "Policy", ("Value", "Fn::If", 0)),
        ({"Value": "x", "Condition": "Nope"}, "Policy", ("Condition",)),
        ({"Value": "x", "Export": {"Name": {"Ref": "Nowhere"}}}, "Policy", ("Export", "Name")),
        ({"Value": {"Ref": "Bucket"}, "Condition": "IsProd"}, None, ()),
        ({"Value": {"Ref": "AWS::StackName"}}, None, ()),
        ("no output", None, ()),
    ],
    ids=str,
)
def test_an_output_of_nothing_is_found(
    output: Any, resource: str | None, path: Any, tmp_path: Path
) -> None:
    whole = template({"Bucket": BUCKET}, Conditions=CONDITIONS, Outputs={"Out": output})
    file = tmp_path / "a.json"
    file.write_text(json.dumps(whole))
    said = check([str(file)], BytesIO()).findings
    expected = [] if resource is None else [("CF-04", resource, ("Outputs", "Out", *path))]
    assert [(one.rule.id, one.resource, one.path) for one in said] == expected
    assert judged({**whole, "Transform": "Anybody"}) == []
    assert judged({"Resources": {"Bucket": BUCKET}, "Outputs": {"Out": output}}) == []


def test_an_output_of_what_is_spelt_like_no_resource_is_found(tmp_path: Path) -> None:
    outputs = {"Out": {"Value": {"Ref": "Buckt"}}}
    for body in (BUCKET, "no resource", ["none"], None):
        file = tmp_path / "a.json"
        file.write_text(json.dumps(template({"Bucket": body}, Outputs=outputs)))
        (one,) = check([str(file)], BytesIO()).findings
        assert (one.rule.id, one.resource, one.construct) == ("CF-04", "Bucket", None)
        assert one.fix == "Did you mean 'Bucket'?"


def test_an_output_that_a_loop_or_a_macro_makes_is_not_known() -> None:
    nothing = {"Value": {"Ref": "Nowhere"}}
    macro = {"Fn::Transform": {"Name": "Anybody"}}
    loop = ["T", ["a"], {"${T}Arn": {"Value": {"Fn::GetAtt": ["${T}", "Arn"]}}}]
    for outputs in (
        {"Fn::ForEach::Team": loop},
        {"Out": nothing, **macro},
        {"Out": {**nothing, **macro}},
    ):
        assert judged(template(Outputs=outputs)) == []
    assert rules_of(judged(template(Outputs={"Out": nothing}))) == [("CF-04", "Policy")]


ALL = ("Policy", "Environment", "Queue", "Research", "Product")


def on_nope(changes: dict[str, Any], *ids: str) -> list[tuple[str, str, str]]:
    """Returns what is said of a template of which some resources have a condition that is none."""
    whole = template(changes, Conditions=CONDITIONS)
    for id in ids:
        whole["Resources"][id]["Condition"] = "Nope"
    said = [(one.rule.id, one.resource, one.message) for one in judged(whole)]
    assert [id for rule, id, _ in said if rule == "CF-04"] == list(ids)
    return [one for one in said if one[0] != "CF-04"]


@pytest.mark.parametrize("ids", [*((id,) for id in ALL), ("Research", "Product"), ALL], ids=str)
def test_a_condition_that_is_none_has_no_consequences(ids: tuple[str, ...]) -> None:
    assert on_nope({}, *ids) == []


def test_what_hinges_on_a_condition_that_is_none_is_not_said() -> None:
    too_many = {"Product.CapacityLimits.0.MaxCapacity": 16}
    same_name = {"Product.QuotaShareName": "research"}
    resources = template({POLICY: {"Ref": "Policy2"}})["Resources"]
    second = {"Policy2": resources["Policy"], "Queue2": resources["Queue"]}
    for changes, rule, id in (
        (too_many, "XR-02", "Environment"),
        (same_name, "QS-03", "Product"),
        (second, "SE-12", "Queue2"),
    ):
        assert (rule, id) in [one[:2] for one in on_nope(changes)]
        assert on_nope(changes, "Queue", "Product") == []


def test_of_another_queue_all_is_said_beside_a_condition_that_is_none() -> None:
    other = json.dumps(template({"Queue.Priority": {"Fn::If": ["IsProd", 1001, 1]}})["Resources"])
    for id in ALL:
        other = other.replace(f'"{id}"', f'"{id}2"')
    ((rule, id, message),) = on_nope(json.loads(other), "Product")
    assert (rule, id) == ("JQ-01", "Queue2")
    assert message.endswith(" This is so when IsProd is true.")


def test_what_is_wrong_all_the_same_is_said_without_a_condition_that_is_none() -> None:
    name = {"Product.QuotaShareName": "a b"}
    ((rule, id, message),) = on_nope(name, "Product")
    assert (rule, id) == ("QS-02", "Product")
    assert "so when" not in message
    priority = {"Queue.Priority": {"Fn::If": ["IsProd", 1001, 1]}}
    for ids in (["Product"], ["Queue"]):
        ((rule, id, message),) = on_nope(priority, *ids)
        assert (rule, id) == ("JQ-01", "Queue")
        assert message.endswith(" This is so when IsProd is true.")
    reserve = {"Product.ResourceSharingConfiguration.Strategy": "RESERVE"}
    ((rule, id, message),) = on_nope(reserve, "Product")
    assert (rule, id) == ("XR-06", "Research")
    assert "so when" not in message


@pytest.mark.parametrize(
    ("written", "fix"),
    [
        ("Queue.JobQueueArn", "Did you mean 'Queue'?"),
        ("Que-ue", "Did you mean 'Queue'?"),
        ("Team.Queue.Arn", "Add it, or name one that is."),
    ],
)
def test_a_reference_is_an_id_and_nothing_else(written: str, fix: str) -> None:
    (one,) = judged(template({QUEUE: {"Ref": written}}))
    assert (one.rule.id, one.resource, one.fix) == ("CF-04", "Product", fix)
    with_module = template({QUEUE: {"Ref": written}})
    with_module["Resources"]["Team"] = {"Type": "My::Own::Queues::MODULE"}
    assert judged(with_module) == []


@pytest.mark.parametrize("attribute", ["Arn", "JobQueueArn.Name", "Job.Queue.Arn"])
def test_an_attribute_is_all_that_follows_the_first_dot(attribute: str) -> None:
    (one,) = judged(template({"Product.JobQueue": {"Fn::GetAtt": f"Queue.{attribute}"}}))
    assert one.message == (
        f"Queue has no attribute {attribute!r}; an AWS::Batch::JobQueue has JobQueueArn alone."
    )


@pytest.mark.parametrize(
    ("place", "id", "rule"),
    [(QUEUE, "Queue", "QS-20"), (POLICY, "Policy", "JQ-08"), (ENVIRONMENT, "Environment", "JQ-11")],
)
@pytest.mark.parametrize(
    "written",
    [
        "arn:aws:batch:us-east-1:111122223333:x/${It}",
        "arn:${AWS::Partition}:batch:${AWS::Region}:${AWS::AccountId}:job-queue/${It}",
        "it-is-${It}",
        "it/${It}",
    ],
)
def test_an_arn_within_a_text_names_nothing(place: str, id: str, rule: str, written: str) -> None:
    whole = template({place: sub(written, It={"Ref": id})})
    (one,) = [one for one in judged(whole) if one.rule.id == rule]
    assert "This one has an ARN within another text; Ref gives a whole ARN." in one.message


@pytest.mark.parametrize("written", ["${It}", "${Given}${It}", "${Given}-x", "x-${Given}"])
def test_what_may_be_a_whole_arn_is_none_within_a_text(written: str) -> None:
    more = {"Parameters": {"Given": {"Type": "String"}}}
    for place, id in ((QUEUE, "Queue"), (POLICY, "Policy"), (ENVIRONMENT, "Environment")):
        assert "within" not in str(judged(template({place: sub(written, It={"Ref": id})}, **more)))


# -- by its logical id


@pytest.mark.parametrize(
    ("path", "id"), [(QUEUE, "Queue"), (ENVIRONMENT, "Environment")], ids=["queue", "environment"]
)
def test_a_logical_id_is_no_name(path: str, id: str) -> None:
    share_or_queue = path.partition(".")[0]
    assert found({path: id}) == [("CF-04-ID", share_or_queue)]
    (one,) = judged(template({path: id}))
    assert f"Write !GetAtt {id}." in one.fix
    assert "CF-04-ID" not in {rule for rule, _ in found({path: id.lower()})}


@pytest.mark.parametrize(
    ("name", "is_meant"),
    [
        ("team", False),
        ("Queue", True),
        ({"Ref": "Given"}, True),
        ({"Fn::Sub": "${Given}eue"}, True),
        ({"Fn::Sub": "${Given}-queue"}, False),
        ({"Ref": "Default"}, True),
    ],
    ids=str,
)
def test_a_queue_may_be_called_as_its_logical_id(name: Any, *, is_meant: bool) -> None:
    parameters = {"Given": {"Type": "String"}, "Default": {"Type": "String", "Default": "Queue"}}
    changes = {QUEUE: "Queue", "Queue.JobQueueName": name}
    judgement = found(changes, Parameters=parameters)
    # By its name it is a queue that is not surely made before its share.
    assert (
        ("CF-04-ID", "Product") not in judgement
        if is_meant
        else judgement == [("CF-04-ID", "Product")]
    )


@pytest.mark.parametrize(
    "sections",
    [{"Transform": "Anybody"}, {"Parameters": {"Name": {"Type": "String", "Default": "Queue"}}}],
    ids=["macro", "parameter"],
)
def test_only_a_logical_id_that_is_spelt_out_is_taken_for_one(sections: dict[str, Any]) -> None:
    written = {"Ref": "Name"} if "Parameters" in sections else "Queue"
    assert "CF-04-ID" not in {rule for rule, _ in found({QUEUE: written}, **sections)}


WHEN = {"Conditions": {"C": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}}}
OTHER_QUEUE = {"Type": "AWS::Batch::JobQueue"}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({QUEUE: {"Fn::If": ["C", {"Ref": "Queue"}, "Queue"]}}, "Product"),
        ({QUEUE: {"Fn::If": ["C", "Queue", "elsewhere"]}}, "Product"),
        ({QUEUE: {"Fn::If": ["C", {"Fn::If": ["C", "Queue", "x"]}, "elsewhere"]}}, "Product"),
        ({ENVIRONMENT: {"Fn::If": ["C", "Environment", {"Ref": "Environment"}]}}, "Queue"),
        (
            {
                "Queue.ServiceEnvironmentOrder": {
                    "Fn::If": [
                        "C",
                        [{"Order": 1, "ServiceEnvironment": "Environment"}],
                        [{"Order": 1, "ServiceEnvironment": {"Ref": "Environment"}}],
                    ]
                }
            },
            "Queue",
        ),
    ],
    ids=str,
)
def test_a_logical_id_is_told_in_a_choice(changes: dict[str, Any], told: str) -> None:
    (one,) = [one for one in judged(template(changes, **WHEN)) if one.rule.id == "CF-04-ID"]
    assert (one.resource, "Fn::If" in one.path) == (told, True)
    assert " C is " in one.message


@pytest.mark.parametrize(
    ("name", "is_told"),
    [("Other", False), ({"Ref": "Given"}, False), ("other", True), (None, True)],
    ids=str,
)
def test_another_queue_may_be_called_as_the_logical_id_in_a_choice(
    name: Any, *, is_told: bool
) -> None:
    properties = {} if name is None else {"JobQueueName": name}
    changes = {
        QUEUE: {"Fn::If": ["C", {"Ref": "Queue"}, "Other"]},
        "Other": {**OTHER_QUEUE, "Properties": properties},
    }
    rules = found(changes, **WHEN, Parameters={"Given": {"Type": "String"}})
    assert (("CF-04-ID", "Product") in rules) == is_told
    # Where it is not there, what has its id for its name may be.
    changes["Other"] = {**OTHER_QUEUE, "Properties": properties, "Condition": "C"}
    rules = found(changes, **WHEN, Parameters={"Given": {"Type": "String"}})
    assert ("CF-04-ID", "Product") not in rules


def test_a_share_that_may_be_meant_for_a_queue_may_lend_there() -> None:
    assert "XR-06" not in {rule for rule, _ in found({QUEUE: "Queue"})}
    assert ("XR-06", "Research") in found({QUEUE: "another-queue"})


def test_a_logical_id_may_be_a_name_where_what_has_it_is_not_there() -> None:
    is_here = {"Here": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}}
    whole = template({QUEUE: "Queue"}, Conditions=is_here)
    whole["Resources"]["Queue"]["Condition"] = "Here"
    (one,) = [one for one in judged(whole) if one.rule.id == "CF-04-ID"]
    assert "This is so when Here is true." in one.message
