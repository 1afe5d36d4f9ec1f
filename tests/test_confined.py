"""Resources that are there in some accounts and Regions alone, by the conditions on them."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack
from tests.test_one_place import nest
from tests.test_resolving import judged, template

Body = dict[str, Any]
REGION, ACCOUNT = {"Ref": "AWS::Region"}, {"Ref": "AWS::AccountId"}
HOME, OTHER = "111122223333", "123456789012"


def arn(kind: str, region: str = "us-east-1", account: str = HOME, partition: str = "aws") -> str:
    return f"arn:{partition}:batch:{region}:{account}:{kind}/shared"


EAST, WEST = arn("job-queue"), arn("job-queue", "us-west-2")
CONDITIONS: Body = {
    "IsEast": {"Fn::Equals": [REGION, "us-east-1"]},
    "IsEastBySub": {"Fn::Equals": ["us-east-1", {"Fn::Sub": "${AWS::Region}"}]},
    "IsWest": {"Fn::Equals": [REGION, "us-west-2"]},
    "IsHome": {"Fn::Equals": [ACCOUNT, HOME]},
    "IsHomeByNumber": {"Fn::Equals": [ACCOUNT, int(HOME)]},
    "IsGov": {"Fn::Equals": [{"Ref": "AWS::Partition"}, "aws-us-gov"]},
    "IsHomeInEast": {"Fn::Equals": [{"Fn::Join": ["/", [ACCOUNT, REGION]]}, f"{HOME}/us-east-1"]},
    "IsEastOfProd": {"Fn::Equals": ["prod-us-east-1", {"Fn::Sub": "prod-${AWS::Region}"}]},
    "IsEastOfAny": {"Fn::Equals": ["us-east-1", {"Fn::Sub": "${Stage}${AWS::Region}"}]},
    "IsProd": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]},
    "IsIt": {"Fn::Equals": [REGION, {"Ref": "Stage"}]},
    "IsNamed": {"Condition": "IsEast"},
    "IsNotEast": {"Fn::Not": [{"Condition": "IsEast"}]},
    "IsNotNotEast": {"Fn::Not": [{"Condition": "IsNotEast"}]},
    "IsEastProd": {"Fn::And": [{"Condition": "IsProd"}, {"Condition": "IsEast"}]},
    "IsEastOrProd": {"Fn::Or": [{"Condition": "IsProd"}, {"Condition": "IsEast"}]},
    "IsEither": {"Fn::Or": [{"Condition": "IsWest"}, {"Condition": "IsEast"}]},
    "IsNeither": {"Fn::Not": [{"Condition": "IsEither"}]},
    "IsNotProdOrNotEast": {"Fn::Not": [{"Condition": "IsEastProd"}]},
    "IsEastAfterAll": {
        "Fn::Not": [{"Fn::Or": [{"Condition": "IsProd"}, {"Condition": "IsNotEast"}]}]
    },
    "IsCircle": {"Fn::Or": [{"Condition": "IsCircle"}, {"Condition": "IsEast"}]},
}
STAGE = {"Stage": {"Type": "String"}}
# By this one the Region is us-west-2 in one way to turn out.
STATE = {"Fn::If": ["IsWest", "ENABLED", "DISABLED"]}


def share(job_queue: Any, condition: str | None = None, **sections: Any) -> Body:
    """Returns a template with one share alone."""
    whole = template(
        {"Product.JobQueue": job_queue},
        **{"Conditions": CONDITIONS, "Parameters": STAGE, **sections},
    )
    whole["Resources"] = {"Product": whole["Resources"]["Product"]}
    if condition:
        whole["Resources"]["Product"]["Condition"] = condition
    return whole


def said(*stacks: Stack) -> list[str]:
    found = judge_stacks(stacks)
    return [_short(one.message) for one in found if one.rule.id == "XR-09"]


def _short(message: str) -> str:
    place, _, rest = message.partition(";")
    return place.removeprefix("It is in ") + rest.partition("account and Region.")[2]


def in_region(region: Any, **more: Any) -> Body:
    return {"Fn::Sub": [arn("job-queue", "${R}"), {"R": region, **more}]}


IN_WEST = "Region us-west-2, the stack in us-east-1 This is so when"
IN_WEST_IF_EAST = f"{IN_WEST} IsEast is true."
IN_AWS = "partition aws, the stack in aws-us-gov This is so when"
BY_SUB = {"Fn::Sub": arn("job-queue", "${AWS::Region}")}
GOV_BY_SUB = {"Fn::Sub": arn("job-queue", "${AWS::Region}", partition="aws-us-gov")}


@pytest.mark.parametrize(
    ("job_queue", "condition", "expected"),
    [
        (WEST, "IsEast", [IN_WEST_IF_EAST]),
        (WEST, "IsEastBySub", [f"{IN_WEST} IsEastBySub is true."]),
        (WEST, "IsNamed", [f"{IN_WEST} IsNamed is true."]),
        (WEST, "IsNotNotEast", [f"{IN_WEST} IsNotNotEast is true."]),
        (WEST, "IsEastProd", [f"{IN_WEST} IsEastProd is true."]),
        (WEST, "IsEastAfterAll", [f"{IN_WEST} IsEastAfterAll is true."]),
        (WEST, "IsHomeInEast", [f"{IN_WEST} IsHomeInEast is true."]),
        (WEST, "IsEastOfProd", [f"{IN_WEST} IsEastOfProd is true."]),
        (WEST, "IsEither", [f"{IN_WEST} IsEither is true and IsWest is false."]),
        (
            arn("job-queue", account=OTHER),
            "IsHome",
            [f"account {OTHER}, the stack in {HOME} This is so when IsHome is true."],
        ),
        (
            arn("job-queue", account=OTHER),
            "IsHomeByNumber",
            [f"account {OTHER}, the stack in {HOME} This is so when IsHomeByNumber is true."],
        ),
        (
            arn("job-queue", "us-west-2", OTHER),
            "IsEast",
            [IN_WEST_IF_EAST],
        ),
        # The condition tells nothing, or not where it is.
        (EAST, "IsEast", []),
        (WEST, None, []),
        (WEST, "IsProd", []),
        (WEST, "IsIt", []),
        (WEST, "IsEastOfAny", []),
        (EAST, "IsHomeInEast", []),
        (WEST, "IsNotEast", []),
        (WEST, "IsEastOrProd", []),
        (WEST, "IsNeither", []),
        (WEST, "IsNotProdOrNotEast", []),
        (WEST, "IsCircle", []),
        (WEST, "IsHome", []),
        (arn("job-queue", account=OTHER), "IsEast", []),
        ("shared", "IsEast", []),
        ({"Fn::Sub": "arn:aws:batch:${AWS::Region}:111122223333:job-queue/a"}, "IsEast", []),
        ({"Ref": "Stage"}, "IsEast", []),
        # What chooses the queue tells as much.
        (
            {"Fn::If": ["IsEast", WEST, EAST]},
            None,
            [IN_WEST_IF_EAST],
        ),
        ({"Fn::If": ["IsEast", EAST, WEST]}, None, []),
        ({"Fn::If": ["IsNotEast", EAST, WEST]}, None, [f"{IN_WEST} IsNotEast is false."]),
        ({"Fn::If": ["IsProd", EAST, WEST]}, None, []),
        (
            {"Fn::If": ["IsProd", EAST, {"Fn::If": ["IsEast", WEST, EAST]}]},
            None,
            [f"{IN_WEST} IsEast is true and IsProd is false."],
        ),
        (
            {"Fn::FindInMap": ["Queues", REGION, "wrong"]},
            None,
            [f"{IN_WEST} AWS::Region is 'us-east-1'."],
        ),
        ({"Fn::FindInMap": ["Queues", REGION, "right"]}, None, []),
        ({"Fn::FindInMap": ["Queues", "us-east-1", "wrong"]}, None, []),
        # So does what chooses a part of its ARN.
        (in_region({"Fn::If": ["IsEast", "us-west-2", "us-east-1"]}), None, [IN_WEST_IF_EAST]),
        (in_region({"Fn::If": ["IsEast", "us-east-1", "us-west-2"]}), None, []),
        (in_region({"Fn::If": ["IsProd", "us-east-1", "us-west-2"]}), None, []),
        (in_region("us-west-2", X={"Fn::If": ["IsEast", "a", "b"]}), None, []),
        (
            {
                "Fn::Join": [
                    ":",
                    [
                        "arn:aws:batch",
                        {"Fn::If": ["IsEast", "us-west-2", REGION]},
                        f"{HOME}:job-queue/a",
                    ],
                ]
            },
            None,
            [IN_WEST_IF_EAST],
        ),
        # A partition is told as a Region is.
        (EAST, "IsGov", [f"{IN_AWS} IsGov is true."]),
        (BY_SUB, "IsGov", [f"{IN_AWS} IsGov is true."]),
        ({"Fn::If": ["IsGov", BY_SUB, GOV_BY_SUB]}, None, [f"{IN_AWS} IsGov is true."]),
        ({"Fn::If": ["IsGov", GOV_BY_SUB, BY_SUB]}, None, []),
        (GOV_BY_SUB, "IsGov", []),
        (arn("job-queue", "us-gov-west-1", partition="aws-us-gov"), "IsGov", []),
        (
            {"Fn::Sub": arn("job-queue", "${AWS::Region}", partition="${AWS::Partition}")},
            "IsGov",
            [],
        ),
    ],
)
def test_a_condition_tells_where_a_resource_is(
    job_queue: Any, condition: str | None, expected: list[str]
) -> None:
    queues = {
        "us-east-1": {"wrong": WEST, "right": EAST},
        "us-west-2": {"wrong": WEST, "right": WEST},
    }
    whole = share(job_queue, condition, Mappings={"Queues": queues})
    assert said(Stack(whole, "a.json")) == expected


def test_where_the_stack_is_known_to_be_nothing_else_counts() -> None:
    expected = ["Region us-west-2, the stack in us-east-1"]
    for condition, found in (("IsWest", []), ("IsEast", expected)):
        stack = Stack(share(WEST, condition), "a.json", account=HOME, region="us-east-1")
        assert said(stack) == found


def test_what_another_resource_names_counts_too_where_no_condition_tells() -> None:
    whole = share(WEST, "IsEast")
    whole["Resources"]["Other"] = share(EAST)["Resources"]["Product"]
    whole["Resources"]["Other"]["Properties"]["QuotaShareName"] = "other"
    assert said(Stack(whole, "a.json")) == [IN_WEST_IF_EAST]


@pytest.mark.parametrize("name", ["Queue", None])
def test_a_condition_on_the_stack_around_tells_it_too(name: str | None) -> None:
    parent = Stack({"Resources": {}, "Conditions": CONDITIONS, "Parameters": STAGE}, "top.json")
    whole = share({"Ref": "Queue"} if name else WEST)
    del whole["Conditions"]
    whole["Parameters"] = {"Queue": {"Type": "String"}}
    given: Body = {"Queue": {"Fn::If": ["IsEast", WEST, EAST]}} if name else {}
    inner = nest(whole, parent, **given)
    if name is None:
        assert said(parent, inner) == []
        parent.template["Resources"]["Inner"]["Condition"] = "IsEast"
    assert said(parent, inner) == [IN_WEST_IF_EAST]


BY_JOIN = {"Fn::Join": [":", ["arn:aws:batch", REGION, ACCOUNT, "job-queue/shared"]]}
PIECES = ["arn:", {"Ref": "AWS::Partition"}, ":batch:", REGION, ":", ACCOUNT, ":job-queue/shared"]


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize(
    ("job_queue", "condition"),
    [
        (WEST, "IsWest"),
        (BY_SUB, "IsWest"),
        ({"Fn::If": ["IsWest", WEST, EAST]}, None),
        ({"Fn::FindInMap": ["Queues", REGION, "Q"]}, None),
        # Nothing tells where it is, but it takes from the stack where that is.
        (BY_SUB, None),
        (BY_JOIN, None),
        ({"Fn::Join": ["", PIECES]}, None),
        ({"Fn::Sub": ["arn:aws:batch:${AWS::Region}:${A}:job-queue/a", {"A": HOME}]}, None),
    ],
)
def test_of_two_in_different_regions_the_one_that_is_not_of_the_stack_is_told(
    job_queue: Any, condition: str | None, is_first: bool
) -> None:
    queues = {"us-east-1": {"Q": EAST}, "us-west-2": {"Q": WEST}}
    whole = share(EAST, Mappings={"Queues": queues})
    literal = whole["Resources"]["Product"]
    right = share(job_queue, condition)["Resources"]["Product"]
    right["Properties"] |= {"QuotaShareName": "right", "State": STATE}
    both = {"Right": right, "Product": literal}
    whole["Resources"] = both if is_first else dict(reversed(both.items()))
    found = [one for one in judge_stacks([Stack(whole, "a.json")]) if one.rule.id == "XR-09"]
    assert [one.resource for one in found] == ["Product"]
    place = "Region us-east-1, the job queue of 'Right' in us-west-2"
    assert _short(found[0].message) == f"{place} This is so when IsWest is true."


def test_what_is_made_in_the_stack_is_in_its_partition() -> None:
    whole = template({"Product.JobQueue": EAST}, Conditions=CONDITIONS, Parameters=STAGE)
    resources = whole["Resources"]
    resources["Queue"]["Properties"]["JobQueueName"] = "shared"
    whole["Resources"] = {"Product": resources["Product"], **resources}
    resources["Research"]["Properties"]["State"] = {"Fn::If": ["IsGov", "ENABLED", "DISABLED"]}
    found = [one for one in judge_stacks([Stack(whole, "a.json")]) if one.rule.id == "XR-09"]
    assert [one.resource for one in found] == ["Product"]
    assert _short(found[0].message).endswith("in aws-us-gov This is so when IsGov is true.")


@pytest.mark.parametrize("literal", [*range(2)])
def test_of_what_one_queue_names_the_literal_is_told(literal: int) -> None:
    paths = ["Queue.SchedulingPolicyArn", "Queue.ServiceEnvironmentOrder.0.ServiceEnvironment"]
    regions = ["${AWS::Region}", "${AWS::Region}"]
    regions[literal] = "us-east-1"
    kinds = ("scheduling-policy", "service-environment")
    named = [{"Fn::Sub": arn(kind, region)} for kind, region in zip(kinds, regions, strict=True)]
    whole = template(
        {**dict(zip(paths, named, strict=True)), "Queue.State": STATE},
        Conditions=CONDITIONS,
        Parameters=STAGE,
    )
    whole["Resources"] = {"Queue": whole["Resources"]["Queue"]}
    found = [one for one in judge_stacks([Stack(whole, "a.json")]) if one.rule.id == "XR-09"]
    other = kinds[1 - literal].replace("-", " ")
    place = f"Region us-east-1, the {other} in us-west-2"
    assert [_short(one.message) for one in found] == [f"{place} This is so when IsWest is true."]


# -- partitions


@pytest.mark.parametrize(
    ("policy", "environment", "expected"),
    [
        (("us-east-1", "aws"), ("us-east-1", "aws"), []),
        (("cn-north-1", "aws-cn"), ("cn-north-1", "aws-cn"), []),
        (("us-gov-west-1", "aws-us-gov"), ("us-gov-west-1", "aws-us-gov"), []),
        (("us-isob-east-1", "aws-iso-b"), ("us-isob-east-1", "aws-iso-b"), []),
        (("eusc-de-east-1", "aws-eusc"), ("eusc-de-east-1", "aws-eusc"), []),
        (("xx-new-1", "aws-new"), ("xx-new-1", "aws-new"), []),
        (("us-east-1", "aws"), ("us-east-1", "${AWS::Partition}"), []),
        (
            ("us-east-1", "aws"),
            ("us-east-1", "aws-cn"),
            ["The Region us-east-1 is in the partition aws, not in aws-cn."],
        ),
        (
            ("us-east-1", "aws-cn"),
            ("us-east-1", "aws"),
            ["The Region us-east-1 is in the partition aws, not in aws-cn."],
        ),
        (
            ("cn-north-1", "aws"),
            ("${AWS::Region}", "aws-cn"),
            ["The Region cn-north-1 is in the partition aws-cn, not in aws."],
        ),
        (
            ("${AWS::Region}", "aws"),
            ("${AWS::Region}", "aws-cn"),
            ["partition aws-cn, the scheduling policy in aws"],
        ),
        (
            ("us-east-1", "${AWS::Partition}"),
            ("${AWS::Region}", "aws-cn"),
            ["partition aws-cn, the scheduling policy in aws"],
        ),
        # One finding for one place.
        (
            ("us-east-1", "aws"),
            ("cn-north-1", "aws-cn"),
            ["Region cn-north-1, the scheduling policy in us-east-1"],
        ),
        (
            ("us-east-1", "aws"),
            ("cn-north-1", "aws"),
            ["Region cn-north-1, the scheduling policy in us-east-1"],
        ),
    ],
)
def test_what_a_queue_names_is_in_one_partition(
    policy: tuple[str, str], environment: tuple[str, str], expected: list[str]
) -> None:
    arns = [
        {"Fn::Sub": arn(kind, region, partition=partition)}
        for kind, (region, partition) in (
            ("scheduling-policy", policy),
            ("service-environment", environment),
        )
    ]
    whole = template(
        {
            "Queue.SchedulingPolicyArn": arns[0],
            "Queue.ServiceEnvironmentOrder.0.ServiceEnvironment": arns[1],
        }
    )
    whole["Resources"] = {"Queue": whole["Resources"]["Queue"]}
    assert said(Stack(whole, "a.json")) == expected


def test_the_partition_of_an_arn_is_that_of_the_stack() -> None:
    wrong = {"Fn::Sub": "arn:aws-cn:batch:${AWS::Region}:111122223333:job-queue/a"}
    expected = ["partition aws-cn, the stack in aws"]
    whole = share(wrong)
    assert said(Stack(whole, "a.json")) == []
    # Where the Region is known, the ARN is known whole.
    expected = ["The Region us-east-1 is in the partition aws, not in aws-cn."]
    assert said(Stack(whole, "a.json", region="us-east-1")) == expected


# -- names that are the same in some Regions


def environments(*named: tuple[Any, str | None], **sections: Any) -> Body:
    whole = template(**{"Conditions": CONDITIONS, "Parameters": STAGE, **sections})
    body = whole["Resources"]["Environment"]
    whole["Resources"] = {
        f"E{number}": {
            **body,
            "Properties": {**body["Properties"], "ServiceEnvironmentName": name},
            **({"Condition": condition} if condition else {}),
        }
        for number, (name, condition) in enumerate(named)
    }
    return whole


BY_REGION = {"Fn::Sub": "g-${AWS::Region}"}


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ([(BY_REGION, "IsEast"), ("g-us-east-1", None)], " This is so when IsEast is true."),
        ([("g-us-east-1", None), (BY_REGION, "IsEast")], " This is so when IsEast is true."),
        (
            [("p", "IsWest"), (BY_REGION, "IsEast"), ("g-us-east-1", None)],
            " This is so when IsEast is true.",
        ),
        (
            [("p", "IsWest"), (BY_REGION, None), ("g-us-west-2", "IsWest")],
            " This is so when IsWest is true.",
        ),
        ([(BY_REGION, None), ("g-us-east-1", None)], None),
        ([(BY_REGION, "IsWest"), ("g-us-east-1", "IsWest")], None),
        (
            [({"Fn::Sub": "g-${Env}"}, None), ("g-prod", None)],
            " This is so when Env is 'prod'.",
        ),
        ([({"Fn::Sub": "g-${Env}"}, None), ("g-test", None)], None),
        (
            [({"Fn::If": ["IsProd", "a", "b"]}, None), ("b", None)],
            " This is so when IsProd is false.",
        ),
    ],
)
def test_two_environments_of_one_name_in_some_regions(named: Any, expected: str | None) -> None:
    env = {"Env": {"Type": "String", "Default": "dev", "AllowedValues": ["dev", "prod"]}}
    found = judged(environments(*named, Parameters={**STAGE, **env}))
    said = [one.message.partition("this name.")[2] for one in found if one.rule.id == "SE-03"]
    assert said == ([] if expected is None else [expected])


def test_a_condition_that_leaves_any_other_region_tells_none() -> None:
    whole = share(arn("job-queue", "eu-west-1"), "IsNotEast")
    whole["Resources"]["Product"]["Properties"]["State"] = STATE
    assert said(Stack(whole, "a.json")) == []


def test_conditions_that_name_one_another_many_times_are_told_at_once() -> None:
    many: Body = {"C0": {"Fn::And": [{"Condition": "IsProd"}] * 3}}
    for number in range(1, 41):
        many[f"C{number}"] = {"Fn::And": [{"Condition": f"C{number - 1}"}] * 3}
    whole = share(WEST, "C40", Conditions={**CONDITIONS, **many})
    # Nothing is told by these, which takes longest to find, though the Region is compared.
    whole["Resources"]["Product"]["Properties"]["State"] = STATE
    assert said(Stack(whole, "a.json")) == []
    many["C0"] = {"Fn::And": [{"Condition": "IsEast"}] * 3}
    whole["Conditions"] = {**CONDITIONS, **many}
    assert said(Stack(whole, "a.json")) == [f"{IN_WEST} C40 is true."]


@pytest.mark.parametrize(
    ("there", "when"), [("me-central-1", "when Here is true."), ("me-south-1", None)]
)
def test_a_condition_leaves_only_a_region_without_the_type(there: str, when: str | None) -> None:
    conditions = {"Here": {"Fn::Equals": [REGION, there]}}
    whole = template({}, Conditions=conditions)
    whole["Resources"]["Product"]["Condition"] = "Here"
    told = [(one.rule.id, one.message) for one in judged(whole) if one.resource == "Product"]
    assert [rule for rule, _ in told] == ["LA-03"] * (when is not None)
    assert all(f"This is so {when}" in message for _, message in told)
