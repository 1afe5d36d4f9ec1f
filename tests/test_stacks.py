"""Several stacks of one app, judged together."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack

ACCOUNT, REGION = "111122223333", "us-east-1"
ARN = f"arn:aws:batch:{REGION}:{ACCOUNT}:job-queue/gpu-queue"


def queue_stack(outputs: dict[str, Any] | None = None, **attributes: Any) -> Stack:
    """Returns a stack with the sound queue and one of its shares."""
    resources = copy.deepcopy(SOUND["Resources"])
    resources["Queue"]["Properties"]["JobQueueName"] = "gpu-queue"
    del resources["Product"]
    template = {"Resources": resources, "Outputs": outputs or {}}
    return Stack(template, "queue.json", **{"name": "Queues", **attributes})


def share_stack(job_queue: Any, **attributes: Any) -> Stack:
    """Returns a stack with a share that has the name of the one in the other stack."""
    share = copy.deepcopy(SOUND["Resources"]["Product"])
    share["Properties"].update(QuotaShareName="research", JobQueue=job_queue)
    template = {"Parameters": {"Given": {"Type": "String"}}, "Resources": {"Share": share}}
    return Stack(template, "share.json", **{"name": "Team", **attributes})


def found_in(*stacks: Stack) -> list[tuple[str, str, str]]:
    found = judge_stacks(stacks)
    return [(finding.rule.id, finding.file, finding.resource) for finding in found]


SAME = [("QS-03", "share.json", "Share")]
# The borrower in the first stack has nobody to borrow from there.
APART = [("XR-06", "queue.json", "Research")]

EXPORTED = {
    "Q": {"Value": {"Ref": "Queue"}, "Export": {"Name": "Queues:Q"}},
    "R": {"Value": {"Ref": "Queue"}, "Export": {"Name": {"Fn::Sub": "${AWS::StackName}-R"}}},
}
HERE = {"account": ACCOUNT, "region": REGION}


@pytest.mark.parametrize(
    ("job_queue", "same"),
    [
        ({"Fn::ImportValue": "Queues:Q"}, True),
        ({"Fn::ImportValue": "Queues-R"}, True),
        ({"Fn::ImportValue": {"Fn::Sub": "${Stack}-R"}}, True),
        ({"Fn::ImportValue": {"Fn::Join": ["", ["Queues", ":Q"]]}}, True),
        ({"Fn::ImportValue": "Other:Q"}, False),
        ({"Fn::GetStackOutput": {"StackName": "Queues", "OutputName": "Q"}}, True),
        ({"Fn::GetStackOutput": {"StackName": "Queues", "OutputName": "None"}}, False),
        ({"Fn::GetStackOutput": {"StackName": "Other", "OutputName": "Q"}}, False),
        ({"Fn::GetStackOutput": {"StackName": "Queues"}}, False),
        ({"Fn::GetStackOutput": "Queues.Q"}, False),
        ("gpu-queue", False),
        (ARN, False),
    ],
)
def test_a_reference_between_two_stacks_that_may_be_anywhere(job_queue: Any, same: bool) -> None:
    shares = share_stack(job_queue)
    shares.template = {**shares.template, "Parameters": {"Stack": {"Default": "Queues"}}}
    for order in ([queue_stack(EXPORTED), shares], [shares, queue_stack(EXPORTED)]):
        assert ("QS-03" in {rule for rule, *_ in found_in(*order)}) == same


@pytest.mark.parametrize(
    ("job_queue", "place", "same"),
    [
        ({"Fn::ImportValue": "Queues:Q"}, HERE, True),
        ({"Fn::ImportValue": "Queues:Q"}, {**HERE, "region": "us-west-2"}, False),
        ({"Fn::ImportValue": "Queues:Q"}, {**HERE, "account": "123456789012"}, False),
        ({"Fn::ImportValue": "Queues:Q"}, {}, False),
        ("gpu-queue", HERE, True),
        ("gpu-queue", {**HERE, "region": "us-west-2"}, False),
        ("gpu-queue", {}, False),
        (ARN, HERE, True),
        (
            {"Fn::Sub": "arn:aws:batch:${AWS::Region}:${AWS::AccountId}:job-queue/gpu-queue"},
            HERE,
            True,
        ),
        (ARN, {}, True),
    ],
)
def test_a_queue_whose_place_is_known(job_queue: Any, place: dict[str, str], same: bool) -> None:
    found = found_in(queue_stack(EXPORTED, **HERE), share_stack(job_queue, **place))
    assert (SAME[0] in found) == same


def test_exports_of_one_name_in_two_stages_are_two() -> None:
    stages = []
    for assembly in ("assembly-Dev", "assembly-Prod"):
        stages.append(queue_stack(EXPORTED, assembly=assembly))
        stages.append(share_stack({"Fn::ImportValue": "Queues:Q"}, assembly=assembly))
    assert found_in(*stages) == SAME * 2
    for stack in stages:
        stack.account, stack.region = ACCOUNT, REGION  # CloudFormation takes one of the two only
    assert SAME[0] not in found_in(*stages)


def test_an_arn_of_another_region_is_an_error_in_a_stack_of_a_known_one() -> None:
    found = judge_stacks([share_stack(ARN, account=ACCOUNT, region="us-west-2")])
    assert [finding.rule.id for finding in found] == ["XR-09"]
    assert f"It is in Region {REGION}, the stack in us-west-2" in found[0].message
    reference = {"Fn::GetStackOutput": {"StackName": "Queues", "Region": REGION, "OutputName": "Q"}}
    stacks = [
        queue_stack(EXPORTED, **HERE),
        share_stack(reference, account=ACCOUNT, region="us-west-2"),
    ]
    assert ("XR-09", "share.json", "Share") in found_in(*stacks)


QUEUE, POLICY, ENVIRONMENT = "job-queue/q", "scheduling-policy/p", "service-environment/e"
EAST, WEST = f"arn:aws:batch:us-east-1:{ACCOUNT}:", f"arn:aws:batch:us-west-2:{ACCOUNT}:"
ELSEWHERE = "arn:aws:batch:us-east-1:123456789012:"
PARTLY = "arn:aws:batch:us-west-2:${AWS::AccountId}:"
OPEN = "arn:aws:batch:${AWS::Region}:${AWS::AccountId}:"
IN_EAST, IN_WEST = "It is in Region us-east-1, the ", "It is in Region us-west-2, the "
OF_RESEARCH = "job queue of 'Research' in"


def naming(research: Any = None, product: Any = None, **of_queue: Any) -> dict[str, Any]:
    """Returns the sound resources with other names in the shares and in the queue."""
    resources: dict[str, Any] = copy.deepcopy(SOUND["Resources"])
    for id, job_queue in (("Research", research), ("Product", product)):
        if job_queue is not None:
            resources[id]["Properties"]["JobQueue"] = job_queue
    if "policy" in of_queue:
        resources["Queue"]["Properties"]["SchedulingPolicyArn"] = of_queue["policy"]
    if "environment" in of_queue:
        order = [{"Order": 1, "ServiceEnvironment": of_queue["environment"]}]
        resources["Queue"]["Properties"]["ServiceEnvironmentOrder"] = order
    return resources


@pytest.mark.parametrize(
    ("resources", "place", "expected"),
    [
        (
            naming(EAST + QUEUE, WEST + QUEUE),
            {},
            [("Product", f"{IN_WEST}{OF_RESEARCH} us-east-1")],
        ),
        (
            naming(WEST + QUEUE, EAST + QUEUE),
            {},
            [("Product", f"{IN_EAST}{OF_RESEARCH} us-west-2")],
        ),
        (
            naming(EAST + QUEUE, ELSEWHERE + QUEUE),
            {},
            [("Product", f"It is in account 123456789012, the {OF_RESEARCH} {ACCOUNT}")],
        ),
        (
            naming(EAST + QUEUE, {"Fn::Sub": PARTLY + QUEUE}),
            {},
            [("Product", f"{IN_WEST}{OF_RESEARCH} us-east-1")],
        ),
        (
            naming(product=WEST + QUEUE, policy=EAST + POLICY),
            {},
            [("Product", f"{IN_WEST}scheduling policy of 'Queue' in us-east-1")],
        ),
        (
            naming(product=WEST + QUEUE, environment=EAST + ENVIRONMENT),
            {},
            [("Product", f"{IN_WEST}service environment of 'Queue' in us-east-1")],
        ),
        # What contradicts itself is said once, and so is what the stack contradicts.
        (
            naming(product=EAST + QUEUE, policy=EAST + POLICY, environment=WEST + ENVIRONMENT),
            {},
            [("Queue", f"{IN_WEST}scheduling policy in us-east-1")],
        ),
        (
            naming(EAST + QUEUE, WEST + QUEUE),
            HERE,
            [("Product", f"{IN_WEST}stack in us-east-1")],
        ),
        (
            naming(EAST + QUEUE, WEST + QUEUE),
            {"region": "us-west-2"},
            [("Research", f"{IN_EAST}stack in us-west-2")],
        ),
        (
            naming(EAST + QUEUE, WEST + QUEUE),
            {"account": ACCOUNT},
            [("Product", f"{IN_WEST}{OF_RESEARCH} us-east-1")],
        ),
        (
            naming(EAST + QUEUE, ELSEWHERE + QUEUE),
            {"account": ACCOUNT},
            [("Product", f"It is in account 123456789012, the stack in {ACCOUNT}")],
        ),
        # Where one of the two is not known, they may be in the same place.
        (naming(EAST + QUEUE, {"Fn::Sub": OPEN + QUEUE}), {}, []),
        (naming(EAST + QUEUE, "q"), {}, []),
        (naming(EAST + QUEUE, {"Fn::ImportValue": "Q"}), {}, []),
        (naming(EAST + QUEUE, {"Ref": "Queue"}), {}, []),
        (naming(EAST + QUEUE, EAST + "job-queue/other"), {}, []),
        (naming(product=EAST + QUEUE, policy=EAST + POLICY), {}, []),
    ],
)
def test_what_the_arns_of_one_stack_name_is_in_one_place(
    resources: dict[str, Any], place: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    found = judge_stacks([Stack({"Resources": resources}, "a.json", **place)])
    said = [one for one in found if one.rule.id == "XR-09"]
    assert [(one.resource, one.message.partition(";")[0]) for one in said] == expected


def test_the_arns_of_two_stacks_may_be_in_two_places() -> None:
    assert found_in(share_stack(EAST + QUEUE), share_stack(WEST + QUEUE)) == []


def test_arns_that_are_chosen_together_are_in_one_place() -> None:
    is_east = {"IsEast": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}}
    both = {"Fn::If": ["IsEast", EAST + QUEUE, WEST + QUEUE]}
    stack = Stack({"Resources": naming(both, both), "Conditions": is_east}, "a.json")
    assert "XR-09" not in {rule for rule, *_ in found_in(stack)}
    stack.template = {**stack.template, "Resources": naming(both, WEST + QUEUE)}
    (one,) = (one for one in judge_stacks([stack]) if one.rule.id == "XR-09")
    assert one.message.endswith(" This is so when IsEast is true.")


@pytest.mark.parametrize(
    ("rule", "when"),
    [
        ({"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}, ""),
        ({"Fn::Equals": ["us-east-1", {"Ref": "AWS::Region"}]}, ""),
        ({"Fn::Equals": [{"Ref": "AWS::Region"}, "us-west-2"]}, None),
        (
            {"Fn::Contains": [["us-west-2", "us-east-1"], {"Ref": "AWS::Region"}]},
            " This is so when AWS::Region is 'us-east-1'.",
        ),
        ({"Fn::Not": [{"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}]}, None),
        ({"Fn::Equals": [{"Ref": "Given"}, "us-east-1"]}, None),
    ],
)
def test_the_rules_of_a_template_may_name_its_regions(rule: Any, when: str | None) -> None:
    stack = Stack({"Resources": naming(WEST + QUEUE, WEST + QUEUE)}, "a.json")
    stack.template = {
        **stack.template,
        "Parameters": {"Given": {"Type": "String"}},
        "Rules": {"R": {"Assertions": [{"Assert": rule}]}},
    }
    said = [one.message for one in judge_stacks([stack]) if one.rule.id == "XR-09"]
    assert len(said) == (0 if when is None else 2)
    assert all(message.endswith(f"account and Region.{when}") for message in said)
    # One that is there on a condition leaves any Region.
    stack.template["Rules"]["R"]["RuleCondition"] = {"Fn::Equals": [{"Ref": "Given"}, "x"]}
    assert "XR-09" not in {one for one, *_ in found_in(stack)}


@pytest.mark.parametrize(
    ("allowed", "where", "fix"),
    [
        (["us-east-1"], "the stack in us-east-1", "Give a job queue of Region us-east-1."),
        (
            ["us-east-1", "eu-west-1"],
            "the stack is not",
            "Give a job queue of the stack's own Region.",
        ),
    ],
)
def test_of_several_regions_that_rules_allow_none_is_told_as_that_of_the_stack(
    allowed: list[str], where: str, fix: str
) -> None:
    stack = share_stack(WEST + QUEUE)
    rule = {"Fn::Contains": [allowed, {"Ref": "AWS::Region"}]}
    stack.template = {**stack.template, "Rules": {"R": {"Assertions": [{"Assert": rule}]}}}
    (one,) = (one for one in judge_stacks([stack]) if one.rule.id == "XR-09")
    assert one.message.startswith(f"It is in Region us-west-2, {where}; AWS Batch")
    assert one.message.endswith("account and Region.")
    assert one.fix == fix
    # Where a condition tells which it is, that is told.
    stack.template["Conditions"] = {"East": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}}
    stack.template["Resources"]["Share"]["Condition"] = "East"
    (one,) = (one for one in judge_stacks([stack]) if one.rule.id == "XR-09")
    assert one.message.startswith("It is in Region us-west-2, the stack in us-east-1; AWS Batch")


def test_a_region_that_lacks_quota_shares() -> None:
    shares = share_stack("gpu-queue", account=ACCOUNT, region="me-central-1")
    assert found_in(shares) == [("LA-03", "share.json", "Share")]
    assert found_in(share_stack("gpu-queue", **HERE)) == []


def nested(shares: Stack, parameters: dict[str, Any], parent: Stack) -> Stack:
    """Puts a stack into another."""
    shares.parent, shares.parent_resource, shares.name = parent, "Nested", None
    names = {name: {"Type": "String"} for name in parameters}
    names |= shares.template.get("Parameters", {})
    shares.template = {**shares.template, "Parameters": names}
    parent.template["Resources"]["Nested"] = {
        "Type": "AWS::CloudFormation::Stack",
        "Properties": {"TemplateURL": "x", "Parameters": parameters},
    }
    return shares


def test_a_share_in_a_nested_stack() -> None:
    parent = queue_stack()
    shares = nested(share_stack({"Ref": "Given"}), {"Given": {"Ref": "Queue"}}, parent)
    assert found_in(parent, shares) == SAME
    elsewhere = nested(share_stack({"Ref": "Given"}), {"Other": "x"}, parent := queue_stack())
    assert found_in(parent, elsewhere) == []  # it may be a share of any queue


def test_a_queue_in_a_nested_stack() -> None:
    job_queue = {"Fn::GetAtt": ["Nested", "Outputs.Q"]}
    parent = share_stack(job_queue)
    queues = nested(queue_stack(EXPORTED), {}, parent)
    assert found_in(parent, queues) == [("QS-03", "queue.json", "Research")]
    parent = share_stack({"Fn::GetAtt": ["Nested", "Outputs.None"]})
    queues = nested(queue_stack(EXPORTED), {}, parent)
    # It may be a share of any queue, and counts in none.
    assert [rule for rule, *_ in found_in(parent, queues)] == ["CF-04"]


def test_references_in_a_circle_end() -> None:
    outputs = {"Q": {"Value": {"Fn::ImportValue": "Circle"}, "Export": {"Name": "Circle"}}}
    shares = share_stack({"Fn::ImportValue": "Circle"})
    shares.template = {**shares.template, "Outputs": outputs}
    assert found_in(shares) == []


@pytest.mark.parametrize(
    ("transform", "resources"),
    [
        ("MyMacro", {}),
        (["AWS::Serverless-2016-10-31", "MyMacro"], {}),
        (None, {"Fn::ForEach::T": []}),
    ],
)
def test_what_may_have_more_shares_lacks_no_lender(transform: Any, resources: Any) -> None:
    stack = queue_stack()
    stack.template = {
        "Transform": transform or [],
        "Resources": {**stack.template["Resources"], **resources},
    }
    assert found_in(stack) == []


def test_what_transforms_nothing_of_ours_lacks_one() -> None:
    stack = queue_stack()
    stack.template = {**stack.template, "Transform": "AWS::LanguageExtensions"}
    assert found_in(stack) == APART


EXPORT = {"Q": {"Value": {"Fn::Sub": "${Queue}"}, "Export": {"Name": "Q"}}}
NESTED = {
    "Type": "AWS::CloudFormation::Stack",
    "Properties": {"TemplateURL": "x", "Parameters": {"Queue": {"Ref": "Queue"}}},
}


@pytest.mark.parametrize(
    ("outputs", "resources", "may_be_more"),
    [
        (EXPORT, {}, True),
        ({"Q": {"Value": {"Ref": "Queue"}}}, {}, False),
        ({"E": {**EXPORT["Q"], "Value": {"Ref": "Environment"}}}, {}, False),
        ({}, {"Nested": NESTED}, True),
        ({}, {"Nested": {"Type": "AWS::CloudFormation::Stack"}}, False),
        ({}, {"Module": {"Type": "Company::Gpu::Share::MODULE"}}, True),
    ],
)
def test_templates_that_are_not_here_may_have_more_shares(
    outputs: Any, resources: Any, may_be_more: bool
) -> None:
    stack = queue_stack(outputs)
    stack.template["Resources"].update(resources)
    assert found_in(stack) == ([] if may_be_more else APART)


def test_a_share_is_no_queue() -> None:
    for job_queue in ({"Ref": "Other"}, f"{ARN}/quota-share/a"):
        shares = share_stack(job_queue)
        other = share_stack("gpu-queue").template["Resources"]["Share"]
        other["Properties"]["QuotaShareName"] = "other"
        shares.template["Resources"]["Other"] = other
        assert found_in(shares) == [("QS-20", "share.json", "Share")]
