"""What a template hands over to what is not judged with it, and what is made there."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.template.check import check
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack
from tests.test_resolving import judged, rules_of, sub, template

QUEUE = {"Ref": "Queue"}
NAMED = {"Queue.JobQueueName": "gpu"}
NESTED = "AWS::CloudFormation::Stack"
TEXT = {"Type": "String"}


def found(changes: dict[str, Any], **sections: Any) -> list[str]:
    return [rule for rule, _ in rules_of(judged(template(changes, **sections)))]


# -- a borrower whose lender may be elsewhere (XR-06)


def lacks_a_lender(changes: dict[str, Any], **sections: Any) -> bool:
    """Tells whether the one share, which borrows, is said to have nobody to borrow from."""
    whole = template(changes, **sections)
    del whole["Resources"]["Product"]
    said = [rule for rule, _ in rules_of(judged(whole))]
    assert said in ([], ["XR-06"])
    return bool(said)


def other(type_: str, **properties: Any) -> dict[str, Any]:
    return {"Other": {"Type": type_, "Properties": properties}}


@pytest.mark.parametrize(
    "more",
    [
        other(NESTED, TemplateURL="x", Parameters={"Q": QUEUE}),
        other(NESTED, TemplateURL="x", Parameters={"Q": sub("${Queue.JobQueueArn}")}),
        other("AWS::SSM::Parameter", Type="String", Value=QUEUE),
        other("Custom::Shares", ServiceToken="x", Queue=QUEUE),
        other("AWS::CloudFormation::CustomResource", ServiceToken="x", Queue=[QUEUE]),
        other("AWS::Serverless::Application", Location="x", Parameters={"Q": QUEUE}),
        other("Company::Gpu::Shares", Queue=QUEUE),
        {"Other": {"Fn::Transform": {"Name": "Shares", "Parameters": {"Queue": QUEUE}}}},
    ],
    ids=str,
)
def test_a_queue_that_is_handed_over_may_have_a_lender(more: Any) -> None:
    assert not lacks_a_lender(more)


@pytest.mark.parametrize(
    "more",
    [
        {},
        other("AWS::IAM::Policy", PolicyDocument={"Statement": [{"Resource": QUEUE}]}),
        other("AWS::Events::Rule", Targets=[{"Arn": QUEUE}]),
        other("AWS::Lambda::Function", Environment={"Variables": {"QUEUE": QUEUE}}),
        other("AWS::Serverless::Function", Environment={"Variables": {"QUEUE": QUEUE}}),
        other("AWS::StepFunctions::StateMachine", DefinitionSubstitutions={"Queue": QUEUE}),
        other(NESTED, TemplateURL="x", Parameters={"Environment": {"Ref": "Environment"}}),
        other(NESTED, TemplateURL="x", Parameters={}),
        {"Other": {"Type": NESTED, "DependsOn": "Queue", "Properties": {"TemplateURL": "x"}}},
    ],
    ids=str,
)
def test_what_only_uses_a_queue_lends_nothing(more: Any) -> None:
    assert lacks_a_lender(more)


@pytest.mark.parametrize(
    ("name", "given", "handed"),
    [
        ("gpu", "gpu", True),
        ("gpu", "arn:aws:batch:us-east-1:111122223333:job-queue/gpu", True),
        ("gpu", {"Fn::Join": ["", ["g", "pu"]]}, True),
        ({"Ref": "Name"}, {"Ref": "Name"}, True),
        (sub("${AWS::StackName}-gpu"), sub("${AWS::StackName}-gpu"), True),
        ("gpu", "gpu-2", False),
        ("gpu", "arn:aws:batch:us-east-1:111122223333:scheduling-policy/gpu", False),
        (sub("${AWS::StackName}-gpu"), {"Ref": "AWS::StackName"}, False),
    ],
    ids=str,
)
def test_a_queue_is_handed_over_by_its_name(name: Any, given: Any, handed: bool) -> None:
    nested = other(NESTED, TemplateURL="x", Parameters={"Q": given})
    changes = {"Queue.JobQueueName": name, **nested}
    assert lacks_a_lender(changes, Parameters={"Name": TEXT}) != handed


OUTPUT = {"Q": {"Value": QUEUE}}


def test_the_template_of_an_output_may_be_nested_elsewhere() -> None:
    assert not lacks_a_lender({}, Outputs=OUTPUT)
    assert lacks_a_lender({}, Outputs={"E": {"Value": {"Ref": "Environment"}}})


def test_what_an_app_tells_people_lends_nothing() -> None:
    whole = template({}, Outputs=OUTPUT)
    del whole["Resources"]["Product"]
    app = Stack(whole, "a.json", name="Training", artifact="Training")
    assert [one.rule.id for one in judge_stacks([app])] == ["XR-06"]


def assembly(folder: Path, **templates: Any) -> str:
    """Writes a cdk.out of one app, whose first template is a stack and nests the others."""
    for name, whole in templates.items():
        (folder / f"{name}.json").write_text(json.dumps(whole))
    top = next(iter(templates))
    artifact = {"type": "aws:cloudformation:stack", "properties": {"templateFile": f"{top}.json"}}
    (folder / "manifest.json").write_text(
        json.dumps({"version": "48.0.0", "artifacts": {top: artifact}})
    )
    return str(folder)


def nesting(name: str, **parameters: Any) -> dict[str, Any]:
    return {
        "Type": NESTED,
        "Metadata": {"aws:asset:path": f"{name}.json"},
        "Properties": {"TemplateURL": "x", "Parameters": parameters},
    }


def lender(queue: Any, **changes: Any) -> dict[str, Any]:
    share = template({})["Resources"]["Product"]
    share["Properties"].update(JobQueue=queue, **changes)
    return {"Parameters": {"Given": TEXT}, "Resources": {"Lender": share}}


@pytest.mark.parametrize(
    ("shares", "rules"),
    [
        (lender({"Ref": "Given"}), []),
        (lender({"Ref": "Given"}, QuotaShareName="research"), ["QS-03"]),
        (lender({"Ref": "Given"}, ResourceSharingConfiguration={"Strategy": "RESERVE"}), ["XR-06"]),
        ({"Resources": other("AWS::S3::Bucket")}, ["XR-06"]),
        (
            {
                "Resources": other("Custom::Shares", Queue={"Ref": "Given"}),
                "Parameters": {"Given": TEXT},
            },
            [],
        ),
        (
            {
                "Resources": {
                    "Fn::ForEach::S": ["T", ["a"], {"S${T}": other("x", Q={"Ref": "Given"})}]
                }
            },
            [],
        ),
    ],
    ids=str,
)
def test_the_output_of_one_nested_stack_is_followed_into_another(
    shares: Any, rules: list[str], tmp_path: Path
) -> None:
    base = template({}, Outputs=OUTPUT)
    del base["Resources"]["Product"]
    given = {"Fn::GetAtt": ["Base", "Outputs.Q"]}
    top = {"Resources": {"Base": nesting("base"), "Team": nesting("team", Given=given)}}
    report = check([assembly(tmp_path, top=top, base=base, team=shares)], io.BytesIO())
    assert sorted(one.rule.id for one in report.findings) == sorted(rules)
