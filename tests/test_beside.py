"""What is judged beside the properties of the four types: attributes, names, macros."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.check import check
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.report import Located, Note, Report
from qm_constructs.template.stack import Stack

TEXT = {"Type": "String"}


def ref(name: str) -> dict[str, Any]:
    return {"Ref": name}


def sub(text: str, **values: Any) -> dict[str, Any]:
    return {"Fn::Sub": [text, values] if values else text}


def equals(one: Any, other: Any) -> dict[str, Any]:
    return {"Fn::Equals": [one, other]}


def sound(**sections: Any) -> dict[str, Any]:
    return {**copy.deepcopy(SOUND), **sections}


def checked(whole: dict[str, Any], folder: Path) -> Report:
    path = folder / "a.json"
    path.write_text(json.dumps(whole, indent=1))
    return check([str(path)], io.BytesIO())


# -- attributes


@pytest.mark.parametrize(
    ("written", "attribute"),
    [
        ({"Fn::GetAtt": ["Queue", "Arn"]}, "Arn"),
        ({"Fn::GetAtt": "Queue.Arn"}, "Arn"),
        (sub("${Queue.Arn}"), "Arn"),
        (sub("${Queue.Arn}", Other="x"), "Arn"),
        (sub("${Queue.JobQueueArn.More}"), "JobQueueArn.More"),
        (sub("${Q}", Q={"Fn::GetAtt": ["Queue", "Arn"]}), "Arn"),
        ({"Fn::If": ["C", {"Fn::GetAtt": ["Queue", "Arn"]}, {"Ref": "Queue"}]}, "Arn"),
        ({"Fn::GetAtt": ["Queue", "JobQueueArn"]}, None),
        (sub("${Queue.JobQueueArn}"), None),
        (sub("${Queue.Arn}", **{"Queue.Arn": ref("Queue")}), None),
        (sub("${!Queue.Arn}x"), None),
    ],
)
def test_an_attribute_that_a_type_lacks_is_a_fault(written: Any, attribute: str | None) -> None:
    whole = sound(Conditions={"C": equals(ref("AWS::Region"), "x")})
    whole["Resources"]["Product"]["Properties"]["JobQueue"] = written
    found = [one for one in judge_stacks([Stack(whole, "a.json")]) if one.rule.id == "CF-03"]
    assert [located(one) for one in found] == (
        [] if attribute is None else [("Product", "JobQueue", f"attribute {attribute!r};")]
    )


def located(found: Located) -> tuple[str, str | int, str]:
    said = found.message.partition("has no ")[2].partition(" an AWS::")[0]
    return found.resource, found.path[1], said


def test_a_share_of_a_mistyped_attribute_is_judged_with_its_queue() -> None:
    whole = sound()
    share = whole["Resources"]["Product"]["Properties"]
    share["JobQueue"] = {"Fn::GetAtt": ["Queue", "Arn"]}
    share["QuotaShareName"] = "research"
    found = judge_stacks([Stack(whole, "a.json")])
    assert [one.rule.id for one in found] == ["QS-03", "CF-03"]


def test_a_stack_whose_parent_was_not_given_is_judged_by_itself() -> None:
    nesting = {"Type": "AWS::CloudFormation::Stack", "Properties": {"Parameters": {"Name": "a b"}}}
    parent = Stack({"Resources": {"Nested": nesting}}, "parent.json")
    whole = sound(Parameters={"Name": TEXT})
    whole["Resources"]["Product"]["Properties"]["QuotaShareName"] = ref("Name")
    nested = Stack(whole, "nested.json", parent=parent, parent_resource="Nested")
    assert judge_stacks([nested]) == []
    assert [found.rule.id for found in judge_stacks([parent, nested])] == ["QS-02"]


# -- one name in one place


@pytest.mark.parametrize(
    ("one", "other", "rules"),
    [
        (("111122223333", "us-east-1"), ("111122223333", "us-east-1"), ["SE-03"]),
        (("111122223333", "us-east-1"), ("111122223333", "us-west-2"), []),
        (("111122223333", "us-east-1"), ("123456789012", "us-east-1"), []),
        ((None, "us-east-1"), (None, "us-east-1"), []),
        (("111122223333", None), ("111122223333", None), []),
        ((None, None), (None, None), []),
    ],
)
def test_environments_of_one_name_in_two_stacks(one: Any, other: Any, rules: list[str]) -> None:
    stacks = []
    for file, (account, region) in (("a.json", one), ("b.json", other)):
        whole = sound()
        whole["Resources"]["Environment"]["Properties"]["ServiceEnvironmentName"] = "gpus"
        stacks.append(Stack(whole, file, account=account, region=region))
    found = judge_stacks(stacks)
    assert [(found.rule.id, found.file) for found in found] == [(rule, "b.json") for rule in rules]


# -- the rest of a template

ROLE = {"Type": "AWS::IAM::Role", "Properties": {"Path": sub("/${Queue.Arn}/")}}
RIGHT = {"Type": "AWS::IAM::Role", "Properties": {"Path": sub("/${Queue.JobQueueArn}/")}}


def test_an_attribute_that_a_type_lacks_is_found_in_other_resources_and_outputs(
    tmp_path: Path,
) -> None:
    whole = sound(
        Outputs={"Arn": {"Value": {"Fn::GetAtt": ["Policy", "Ref"]}}, "Odd": "no output"},
    )
    whole["Resources"].update(Role=ROLE, Right=RIGHT, Odd="no resource")
    whole["Resources"]["Policy"]["Metadata"] = {"aws:cdk:path": "Stack/Policy/Resource"}
    found = checked(whole, tmp_path).findings
    assert [(one.rule.id, one.resource, one.path, one.construct) for one in found] == [
        ("CF-03", "Role", ("Properties", "Path"), None),
        ("CF-03", "Policy", ("Outputs", "Arn", "Value"), "Stack/Policy/Resource"),
    ]
    assert [one.place[:2] for one in found] == [("Resources", "Role"), ("Outputs", "Arn")]
    lines = json.dumps(whole, indent=1).splitlines()
    assert '"Path"' in lines[found[0].line - 1] if found[0].line else False
    assert '"Value"' in lines[found[1].line - 1] if found[1].line else False


def test_what_is_found_beside_names_its_place_as_all_else() -> None:
    whole = sound()
    whole["Resources"].update(
        Role={**ROLE, "Metadata": {"aws:cdk:path": "App/Role"}},
        Listed=ROLE,
        Odd={**ROLE, "Metadata": {"aws:cdk:path": 3}},
        Bare={**ROLE, "Metadata": "none"},
    )
    constructs = {"Listed": "App/Listed", "Odd": "App/Odd"}
    found = judge_stacks([Stack(whole, "a.json", name="Stack", constructs=constructs)])
    assert {(one.resource, one.construct) for one in found} == {
        ("Role", "App/Role"),
        ("Listed", "App/Listed"),
        ("Odd", None),
        ("Bare", None),
    }
    for one in found:
        assert (one.file, one.stack) == ("a.json", "Stack")
        assert one.message.startswith("Queue has no attribute 'Arn'; an AWS::Batch::JobQueue has")
        assert one.fix.startswith("Write !GetAtt Queue.JobQueueArn")


@pytest.mark.parametrize(
    ("type", "meant"),
    [
        ("AWS::Batch::Quotashare", "AWS::Batch::QuotaShare"),
        ("AWS::Batch::QuotaShares", "AWS::Batch::QuotaShare"),
        (" AWS::Batch::JobQueue", "AWS::Batch::JobQueue"),
        ("aws::batch::jobqueue", "AWS::Batch::JobQueue"),
        ("AWS::Batch::SchedulePolicy", "AWS::Batch::SchedulingPolicy"),
        ("AWS::Bacth::JobQueue", "AWS::Batch::JobQueue"),
        ("AWS::Batch::JobQueue", None),
        ("AWS::Batch::JobDefinition", None),
        ("AWS::Batch::ComputeEnvironment", None),
        ("AWS::S3::Bucket", None),
        ("AWS::SQS::Queue", None),
        ("AWS::Batch::Job", None),
        ("Custom::BatchQueue", None),
        (3, None),
    ],
)
def test_a_misspelt_type_is_noted(type: Any, meant: str | None, tmp_path: Path) -> None:
    more = {"Type": type, "Properties": {"Priority": 1, "ComputeEnvironmentOrder": []}}
    other = {"Type": "AWS::Lambda::Function"}
    whole = {"Resources": {"Odd": 1, "Other": other, "More": more}}
    notes = checked(whole, tmp_path).notes
    said = f"More has the type {type!r}, which is not judged; did you mean {meant}?"
    assert notes == ([Note(str(tmp_path / "a.json"), "More", said)] if meant else [])


@pytest.mark.parametrize(
    ("transform", "named"),
    [
        ("Defaults", "'Defaults'"),
        (["AWS::LanguageExtensions", "Defaults", "More"], "'Defaults, More'"),
        ({"Name": "Defaults", "Parameters": {}}, "'Defaults'"),
        ([{"Name": {"Ref": "Name"}}], '\'{"Ref": "Name"}\''),
        ([{"Nam": "Defaults"}], '\'{"Nam": "Defaults"}\''),
        ([["Defaults"], 3], "'[\"Defaults\"], 3'"),
        ("AWS::Serverless-2016-10-31", None),
        ({"Name": "AWS::Serverless-2016-10-31"}, None),
        ({"Name": "AWS::Include", "Parameters": {"Location": "s3://b/k"}}, None),
        (None, None),
        ([], None),
    ],
)
def test_a_macro_of_the_whole_template_is_noted(
    transform: Any, named: str | None, tmp_path: Path
) -> None:
    notes = checked(sound(Transform=transform), tmp_path).notes
    said = (
        f"The template has a macro that may change it, {named}: it is judged as it is written, but "
        "for what the macro may put in place."
    )
    # It is of no single resource.
    assert notes == ([Note(str(tmp_path / "a.json"), "", said)] if named else [])
    assert checked({"Resources": {}, "Transform": transform}, tmp_path).notes == []


@pytest.mark.parametrize("id", ["Policy", "Environment", "Queue", "Product"])
def test_what_a_macro_adds_to_a_resource_is_not_known(id: str) -> None:
    whole = sound()
    whole["Resources"][id] = {
        "Type": whole["Resources"][id]["Type"],
        "Fn::Transform": {"Name": "AWS::Include", "Parameters": {"Location": "s3://b/k"}},
    }
    assert judge_stacks([Stack(whole, "a.json")]) == []


def test_the_queue_of_another_stack_is_named_with_it() -> None:
    stacks = []
    for name in ("one", "two"):
        whole = sound()
        environment = whole["Resources"].pop("Environment")
        order = [{"Order": 1, "ServiceEnvironment": {"Fn::ImportValue": "env"}}]
        whole["Resources"]["Queue"]["Properties"]["ServiceEnvironmentOrder"] = order
        stacks.append(Stack(whole, f"{name}.json", name=name, account=ACCOUNT, region=REGION))
    output = {"Arn": {"Value": ref("Environment"), "Export": {"Name": "env"}}}
    base = {"Resources": {"Environment": environment}, "Outputs": output}
    stacks.append(Stack(base, "base.json", name="base", account=ACCOUNT, region=REGION))
    found = judge_stacks(stacks)
    assert [(one.rule.id, one.file) for one in found] == [("SE-12", "two.json")]
    assert found[0].value == '{"Fn::ImportValue": "env"}'
    assert "that of the queue 'Queue' of the stack 'one' already" in found[0].message


ACCOUNT, REGION = "111122223333", "us-east-1"


# -- queues and policies of no kind


@pytest.mark.parametrize(
    ("queue", "rules"),
    [
        ({"Priority": 1}, ["JQ-05"]),
        ({"Priority": 1, "JobQueueType": "ECS"}, ["JQ-05"]),
        ({"Priority": 1, "JobQueueType": "SAGEMAKER_TRAINING"}, ["JQ-04"]),
        ({"Priority": 1, "ComputeEnvironmentOrder": []}, []),
        ({"Priority": 1, "computeEnvironmentOrder": []}, ["CF-01"]),
        ({"Priority": 1, "ComputeEnvironmentOrder": ref("P")}, []),
    ],
)
def test_a_queue_has_environments_of_some_kind(queue: dict[str, Any], rules: list[str]) -> None:
    whole = {
        "Parameters": {"P": TEXT},
        "Resources": {"Queue": {"Type": "AWS::Batch::JobQueue", "Properties": queue}},
    }
    assert [one.rule.id for one in judge_stacks([Stack(whole, "a.json")])] == rules


@pytest.mark.parametrize(
    ("policy", "unit", "found"),
    [
        ({}, "ml.p5.48xlarge", [("SP-06", "Policy")]),
        ({"Name": "p"}, "ml.p5.48xlarge", [("SP-06", "Policy")]),
        ({}, "NUM_INSTANCES", []),
        ({"FairsharePolicy": {}}, "ml.p5.48xlarge", [("JQ-13", "Queue")]),
        ({"fairsharePolicy": {}}, "ml.p5.48xlarge", [("CF-01", "Policy")]),
    ],
)
def test_a_policy_is_of_some_kind(policy: dict[str, Any], unit: str, found: list[Any]) -> None:
    whole = sound()
    del whole["Resources"]["Research"], whole["Resources"]["Product"]
    whole["Resources"]["Policy"]["Properties"] = policy
    limits = [{"CapacityUnit": unit, "MaxCapacity": 1}]
    whole["Resources"]["Environment"]["Properties"]["CapacityLimits"] = limits
    judged = judge_stacks([Stack(whole, "a.json")])
    assert [(one.rule.id, one.resource) for one in judged] == found
