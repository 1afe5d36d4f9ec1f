"""What a template hands over to what is not judged with it, and what is made there."""

from __future__ import annotations

import copy
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
        {"Other": {"Type": {"Fn::If": ["A", "B", "C"]}, "Fn::Transform": {"Queue": QUEUE}}},
        {"Fn::Transform": {"Name": "Shares", "Type": {"a": "b"}, "Queue": QUEUE}},
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
        ("gpu", ["cpu", "gpu"], True),
        ("gpu", {"Fn::If": ["IsTest", "cpu", "gpu"]}, True),
        ("gpu", "gpu-2", False),
        ("gpu", {"Ref": "gpu"}, False),
        ("gpu", {"Fn::GetAtt": ["gpu", "Arn"]}, False),
        ("gpu", {"Fn::GetAtt": "gpu.Arn"}, False),
        ("gpu", "arn:aws:batch:us-east-1:111122223333:scheduling-policy/gpu", False),
        (sub("${AWS::StackName}-gpu"), {"Ref": "AWS::StackName"}, False),
    ],
    ids=str,
)
def test_a_queue_is_handed_over_by_its_name(name: Any, given: Any, handed: bool) -> None:
    nested = other(NESTED, TemplateURL="x", Parameters={"Q": given})
    bucket = {"Type": "AWS::S3::Bucket"}
    changes = {"Queue.JobQueueName": name, "gpu": bucket, **nested}
    parameters = {"Name": TEXT}
    conditions = {"IsTest": {"Fn::Equals": [{"Ref": "Name"}, "test"]}}
    assert lacks_a_lender(changes, Parameters=parameters, Conditions=conditions) != handed


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


# -- what may be made before, by way of what is not spelt out (QS-15, JQ-06)

LOOP: dict[str, Any] = {
    "Fn::ForEach::W": ["I", ["a"], {"W${I}": {"Type": "x", "DependsOn": "Queue"}}]
}
INCLUDE = {"Name": "AWS::Include", "Parameters": {"Location": "s3://b/k"}}
SAM = "AWS::Serverless-2016-10-31"
FUNCTION = {"Type": "AWS::Serverless::Function", "Properties": {}}
MODULE = {"Type": "Org::Team::Net::MODULE", "Properties": {}}
HANDLE: dict[str, Any] = {"Type": "AWS::CloudFormation::WaitConditionHandle"}


@pytest.mark.parametrize(
    ("depends_on", "more", "sections", "may_wait"),
    [
        (["Wa"], LOOP, {}, True),
        (["Wa"], {**LOOP, "Wa": HANDLE}, {}, False),
        (["Between"], {**LOOP, "Between": {**HANDLE, "DependsOn": "Wa"}}, {}, True),
        ("NetWait", {"Net": MODULE}, {}, True),
        ("Net", {"Net": MODULE}, {}, True),
        ([], {"Net": MODULE}, {}, False),
        (["Included"], {"Fn::Transform": INCLUDE}, {}, True),
        (["Included"], {}, {"Transform": INCLUDE}, True),
        (["Open"], {"Open": {**HANDLE, "Fn::Transform": INCLUDE}}, {}, True),
        (["Open"], {"Open": {"Type": "x", "Properties": {"A": {"Fn::Transform": {}}}}}, {}, True),
        (["FnRole"], {"Fn": FUNCTION}, {"Transform": SAM}, True),
        (["Fn"], {"Fn": FUNCTION}, {"Transform": SAM}, True),
        (["Handle"], {"Handle": HANDLE}, {"Transform": SAM}, False),
        (["FromModule"], {}, {"Modules": {"From": {"Source": "./m.yaml"}}}, True),
        (["Nowhere"], {}, {}, False),
        (["Handle"], {"Handle": HANDLE}, {}, False),
        (
            ["Handle"],
            {"Handle": {"Type": "x", "Properties": {"A": {"Ref": "P"}}}, **LOOP},
            {},
            False,
        ),
        (
            ["Handle"],
            {"Handle": {"Type": "x", "Properties": {"A": sub("${AWS::Region}")}}, **LOOP},
            {},
            False,
        ),
        ([], {}, {}, False),
    ],
    ids=str,
)
def test_what_is_waited_for_may_wait_for_what_is_named(
    depends_on: Any, more: Any, sections: Any, may_wait: bool
) -> None:
    sections = {"Parameters": {"P": TEXT}, **sections}
    by_name: dict[str, dict[str, Any]] = {
        "Product": {**NAMED, "Product.JobQueue": "gpu"},
        "Queue": {
            "Environment.ServiceEnvironmentName": "gpus",
            "Queue.ServiceEnvironmentOrder.0.ServiceEnvironment": "gpus",
        },
    }
    for id, rule in (("Product", "QS-15"), ("Queue", "JQ-06")):
        whole = template({**by_name[id], **more}, **sections)
        whole["Resources"][id]["DependsOn"] = depends_on
        assert (rule in {one.rule.id for one in judged(whole)}) != may_wait


# -- what a macro may put in place

TIME_LIMIT = {
    "Action": "TERMINATE",
    "MaxTimeSeconds": 600,
    "Reason": "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY",
    "State": "RUNNABLE",
}
FULL = {
    "Queue.JobStateTimeLimitActions": [TIME_LIMIT],
    "Research.ResourceSharingConfiguration.BorrowLimit": 50,
}
MACROS: list[dict[str, Any]] = [
    {"Transform": "Acme"},
    {"Transform": [SAM, {"Name": "Acme", "Parameters": {}}]},
    {"Fn::Transform": {"Name": "Acme"}},
    {"Resources": {**template(FULL)["Resources"], "Fn::Transform": {"Name": "Acme"}}},
]
KNOWN: list[dict[str, Any]] = [
    {"Transform": SAM},
    {"Transform": {"Name": SAM}},
    {"Transform": ["AWS::LanguageExtensions", {"Name": "AWS::Include"}]},
    {"Fn::Transform": INCLUDE},
    {"Transform": None},
    {},
]


def places(node: Any, path: str) -> list[str]:
    """Returns every place in a part of a template."""
    if not isinstance(node, dict | list):
        return [path]
    inner = node.items() if isinstance(node, dict) else enumerate(node)
    return [path, *(place for key, part in inner for place in places(part, f"{path}.{key}"))]


def without(place: str) -> dict[str, Any]:
    """Returns the sound template without what is at a place."""
    whole = copy.deepcopy(template(FULL))
    *steps, last = place.split(".")
    node: Any = whole["Resources"]
    for step in steps:
        node = node[int(step) if isinstance(node, list) else step]
    del node[int(last) if isinstance(node, list) else last]
    return whole


EVERYTHING = [
    place
    for id, body in template(FULL)["Resources"].items()
    for place in places(body["Properties"], f"{id}.Properties")
]


@pytest.mark.parametrize(
    "macro", [{"Transform": "Acme"}, {"Fn::Transform": {"Name": "Acme"}}], ids=str
)
def test_whatever_is_missing_a_macro_may_put_in_place(macro: Any) -> None:
    assert len(EVERYTHING) > 50
    assert sum(bool(judged(without(place))) for place in EVERYTHING) > 40
    for place in EVERYTHING:
        assert judged({**without(place), **macro}) == [], place


POLICY = {"Type": "AWS::Batch::SchedulingPolicy"}
REPLACED: list[tuple[dict[str, Any], str]] = [
    ({"Product.Fancy": 3}, "CF-01"),
    ({"Product.CapacityLimits": "{{ caps }}"}, "CF-02"),
    ({"Product.Tags": {"team": {"Ref": "Nowhere"}}}, "CF-04"),
    ({**NAMED, "Product.JobQueue": "gpu"}, "QS-15"),
    ({"Policy": POLICY}, "JQ-07"),
    ({"Environment": {"Type": "AWS::Batch::ServiceEnvironment"}}, "SE-01"),
]


@pytest.mark.parametrize(("changes", "rule"), REPLACED, ids=str)
def test_what_a_macro_replaces_is_judged_where_there_is_none(changes: Any, rule: str) -> None:
    for macro in MACROS:
        sections = {key: part for key, part in macro.items() if key != "Resources"}
        inner = {"Fn::Transform": {"Name": "Acme"}} if "Resources" in macro else {}
        assert found({**changes, **inner}, **sections) == []
    # Beside CF-04, of what else is made, all is judged as without.
    for known in KNOWN if rule != "CF-04" else KNOWN[-1:]:
        assert rule in found(changes, **known)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"Queue.Priority": 2000}, "JQ-01"),
        ({"Product.QuotaShareName": "|upper research"}, "QS-02"),
        ({"Product.QuotaShareName": "research"}, "QS-03"),
        ({"Product.CapacityLimits.0.MaxCapacity": 0}, "QS-05"),
        ({"Product.ResourceSharingConfiguration.Strategy": "BORROW"}, "QS-07"),
        ({"Product.CapacityLimits.0.CapacityUnit": "ml.p4d.24xlarge"}, "XR-01"),
        ({"Policy": {**POLICY, "Properties": {"FairsharePolicy": {}}}}, "QS-20"),
        ({"Product.JobQueue": {"Ref": "Environment"}}, "QS-20"),
        ({"Queue.SchedulingPolicyArn": {"Fn::GetAtt": ["Policy", "Nothing"]}}, "CF-03"),
    ],
    ids=str,
)
def test_the_rest_is_judged_as_it_is_written(changes: Any, rule: str) -> None:
    assert rule in found(changes, Transform="Acme")


def test_a_share_that_is_a_preset_of_a_macro_is_sound() -> None:
    share = {"Type": "AWS::Batch::QuotaShare", "Properties": {"Preset": "research"}}
    assert judged({"Transform": ["Acme-Shares"], "Resources": {"Share": share}}) == []


def test_a_macro_of_one_stack_changes_no_other() -> None:
    missing = template({})
    del missing["Resources"]["Product"]["Properties"]["QuotaShareName"]
    stacks = [
        Stack({**missing, "Transform": "Acme"}, "a.json", name="a"),
        Stack(missing, "b.json", name="b"),
    ]
    assert [(one.rule.id, one.file) for one in judge_stacks(stacks)] == [("QS-01", "b.json")]


@pytest.mark.parametrize("macro_in", ["queues", "base", "neither"])
def test_only_a_macro_where_the_policy_is_made_puts_it_right(macro_in: str) -> None:
    policy_arn = {"Fn::ImportValue": "Policy"}
    queues = template({"Queue.SchedulingPolicyArn": policy_arn})
    policy = queues["Resources"].pop("Policy")
    policy["Properties"] = {"Name": "fifo"}
    output = {"Value": {"Fn::GetAtt": ["Policy", "Arn"]}, "Export": {"Name": "Policy"}}
    base = {"Resources": {"Policy": policy}, "Outputs": {"Policy": output}}
    stacks = [
        Stack({**whole, **({"Transform": "Acme"} if name == macro_in else {})}, name, name=name)
        for name, whole in (("queues", queues), ("base", base))
    ]
    said = [(one.rule.id, one.resource) for one in judge_stacks(stacks)]
    assert (("JQ-07", "Queue") in said) == (macro_in != "base")


def test_a_section_that_is_put_in_place_leaves_open_what_there_is() -> None:
    nowhere = {"Product.Tags": {"team": {"Ref": "Nowhere"}}}
    for sections in (
        {"Modules": {"Content": {"Source": "./module.yaml"}}},
        {"Fn::Transform": INCLUDE},
        {"Parameters": {"Fn::Transform": INCLUDE}},
    ):
        assert found(nowhere, **sections) == []
    assert found(nowhere, Metadata={"Fn::Transform": INCLUDE}) == ["CF-04"]
    assert not lacks_a_lender({}, Modules={})
