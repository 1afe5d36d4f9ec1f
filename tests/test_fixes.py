"""How to mend what is wrong: whoever does as a fix says is not told of the same again."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.report import Located
from tests.test_resolving import judged, template

UNIT = "Product.CapacityLimits.0.CapacityUnit"
MOST = "Product.CapacityLimits.0.MaxCapacity"
SHARING = "Product.ResourceSharingConfiguration"
ENVIRONMENT = "Queue.ServiceEnvironmentOrder.0.ServiceEnvironment"


def only(changes: dict[str, Any], **sections: Any) -> Located:
    (one,) = judged(template(changes, **sections))
    return one


def get(id: str, attribute: str) -> dict[str, Any]:
    return {"Fn::GetAtt": [id, attribute]}


# -- an attribute that a type lacks

OF_ENVIRONMENT = "Write !GetAtt Environment.ServiceEnvironmentArn, or !Ref Environment, which is "


@pytest.mark.parametrize("attribute", ["Max", None], ids=["of another name", "of no name"])
@pytest.mark.parametrize(
    ("place", "asked", "fix"),
    [
        (MOST, "Environment", "Write the MaxCapacity itself, or !Ref of a parameter that has it."),
        (UNIT, "Environment", "Write the CapacityUnit itself, or !Ref of a parameter that has it."),
        ("Product.QuotaShareName", "Queue", "Write the QuotaShareName itself, or !Ref of a "),
        (f"{SHARING}.Strategy", "Queue", "Write the Strategy itself, or "),
        ("Queue.Priority", "Policy", "Write the Priority itself, or "),
        ("Queue.JobQueueType", "Environment", "Write the JobQueueType itself, or "),
        ("Queue.ServiceEnvironmentOrder.0.Order", "Environment", "Write the Order itself, or "),
        ("Product.CapacityLimits", "Environment", "Write the CapacityLimits itself."),
        (ENVIRONMENT, "Environment", OF_ENVIRONMENT),
        ("Queue.SchedulingPolicyArn", "Policy", "Write !GetAtt Policy.Arn, or !Ref Policy, which"),
        ("Product.JobQueue", "Queue", "Write !GetAtt Queue.JobQueueArn, or !Ref Queue, which is "),
        ("Product.JobQueue", "Environment", "Write !Ref of an AWS::Batch::JobQueue."),
        ("Product.Tags", "Environment", OF_ENVIRONMENT),
    ],
)
def test_an_arn_is_offered_where_one_belongs(
    place: str, asked: str, fix: str, attribute: str | None
) -> None:
    written = {"Fn::GetAtt": asked} if attribute is None else get(asked, attribute)
    one = only({place: written})
    assert one.rule.id == ("CF-05" if attribute is None else "CF-03")
    assert one.fix.startswith(fix)


def test_a_property_is_told_through_the_functions_around_it() -> None:
    conditions = {"Big": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}}
    order = SOUND["Resources"]["Queue"]["Properties"]["ServiceEnvironmentOrder"]
    wrong = [{"Order": 1, "ServiceEnvironment": get("Environment", "Arn")}]
    chosen = {"Fn::If": ["Big", wrong, order]}
    one = only({"Queue.ServiceEnvironmentOrder": chosen}, Conditions=conditions)
    assert one.fix.startswith(OF_ENVIRONMENT)
    chosen = {"Fn::If": ["Big", get("Environment", "Max"), 6]}
    assert only({MOST: chosen}, Conditions=conditions).fix.startswith("Write the MaxCapacity ")
    joined = {"Fn::Join": ["-", [get("Queue", "Name"), "a"]]}
    assert only({"Product.QuotaShareName": joined}).fix.startswith("Write the QuotaShareName ")


# -- what is empty, null or no whole number

NAMES = {"Product.QuotaShareName": "Write a name.", "Queue.JobQueueName": "Write a name, or leave "}


@pytest.mark.parametrize("place", NAMES)
def test_only_a_name_that_may_be_left_out_is_said_to(place: str) -> None:
    assert only({place: ""}).fix.startswith(NAMES[place])


NONE_OF_QUOTAS = "Write a value, or leave it out, if the queue is none of quota management."


@pytest.mark.parametrize(
    ("place", "fix"),
    [
        ("Product.QuotaShareName", "Write a value."),
        ("Product.JobQueue", "Write a value."),
        (SHARING, "Write a value."),
        (f"{SHARING}.Strategy", "Write a value."),
        (MOST, "Write a value."),
        ("Queue.Priority", "Write a value."),
        ("Environment.CapacityLimits", "Write a value."),
        ("Environment.CapacityLimits.0.MaxCapacity", NONE_OF_QUOTAS),
        ("Queue.JobQueueType", NONE_OF_QUOTAS),
        ("Policy.QuotaSharePolicy.IdleResourceAssignmentStrategy", NONE_OF_QUOTAS),
        ("Queue.JobQueueName", "Write a value, or leave it out."),
        (f"{SHARING}.BorrowLimit", "Leave it out."),
    ],
)
def test_only_what_may_be_left_out_is_said_to_instead_of_null(place: str, fix: str) -> None:
    one = only({place: None})
    assert (one.rule.id, one.fix) == ("CF-02", fix)


LIMIT = "Give a whole number, 1 or more, or leave the instance type out."
BORROW = "Research.ResourceSharingConfiguration.BorrowLimit"
PER_CENT = "Give a whole number such as 50, without a sign for per cent, or -1 for unlimited."


@pytest.mark.parametrize(
    ("place", "value", "fix"),
    [
        (MOST, 5.5, LIMIT),
        (MOST, "abc", LIMIT),
        (MOST, "5 ", "Write 5."),
        (MOST, "0 ", LIMIT),
        (BORROW, 12.5, PER_CENT),
        (BORROW, -2, PER_CENT),
        (BORROW, "-2%", PER_CENT),
        (BORROW, "half", PER_CENT),
        (BORROW, "50%", "Write 50."),
        (BORROW, " 50 % ", "Write 50."),
        ("Queue.Priority", 1.5, "Give a whole number from 0 to 1000."),
    ],
)
def test_a_whole_number_is_asked_for(place: str, value: Any, fix: str) -> None:
    assert only({place: value}).fix == fix


# -- a text with ${} that nothing fills in

BY_SUB = "Write it with Fn::Sub (!Sub in YAML), which fills in what is in ${}, but not in ${!}."
ARN = "arn:aws:batch:us-east-1:${AWS::AccountId}"


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("Product.JobQueue", "${Queue}"),
        ("Product.JobQueue", f"{ARN}:job-queue/a"),
        ("Queue.SchedulingPolicyArn", "${Policy}"),
        (ENVIRONMENT, f"{ARN}:service-environment/e"),
        ("Product.QuotaShareName", "${AWS::StackName}-product"),
        ("Queue.Priority", "${Priority}"),
        (UNIT, "${Unit}"),
        (MOST, "${Most}"),
        (f"{SHARING}.Strategy", "${Strategy}"),
        ("Queue.JobQueueType", "${Type}"),
    ],
)
def test_a_reference_in_a_text_that_is_none_asks_for_sub(place: str, value: str) -> None:
    assert BY_SUB in [one.fix for one in judged(template({place: value}))]


def test_an_unknown_property_is_to_be_renamed_whatever_it_has() -> None:
    assert only({"Product.Tag": "${Team}"}).fix == "Write Tags."


# -- the characters of a name


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("t\u00e9am", "this one has '\u00e9' (U+00E9)."),
        ("te\u0430m", "this one has '\u0430' (U+0430)."),
        ("a\u200bb", "this one has '\\u200b' (U+200B)."),
        ("a b\t", r"this one has ' ', '\t'."),
    ],
)
def test_a_character_is_shown_as_it_is_written(name: str, wrong: str) -> None:
    assert only({"Product.QuotaShareName": name}).message.endswith(wrong)


@pytest.mark.parametrize(
    ("names", "fixes"),
    [
        (("a b", "c"), ["Write 'a-b', say."]),
        (("a b", "a-b"), ["Choose another name; 'a-b' is that of another share."]),
        (
            ("a b", "a.b"),
            ["Write 'a-b', say.", "Choose another name; 'a-b' is that of another share."],
        ),
        (("", "b"), ["Write a name."]),
        (("x" * 129, "b"), ["Choose a shorter name."]),
    ],
)
def test_a_name_that_is_offered_is_that_of_no_other_share(
    names: tuple[str, str], fixes: list[str]
) -> None:
    changes = {"Research.QuotaShareName": names[0], "Product.QuotaShareName": names[1]}
    found = judged(template(changes))
    assert [(one.rule.id, one.fix) for one in found] == [("QS-02", fix) for fix in fixes]


# -- what stands in Fn::If for the name of a condition


@pytest.mark.parametrize(
    ("written", "fix"),
    [
        ({"Condition": "Big"}, "Write the name alone, 'Big', as its first entry."),
        ({"Fn::Equals": ["a", "b"]}, "Write the condition in the Conditions of the template, and "),
        (["Big"], "Write !If [IsProduction, 16, !Ref AWS::NoValue], say."),
    ],
    ids=str,
)
def test_a_condition_itself_is_no_name_of_one(written: Any, fix: str) -> None:
    conditions = {"Big": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}}
    one = only({MOST: {"Fn::If": [written, 6, 5]}}, Conditions=conditions)
    assert one.rule.id == "CF-05"
    assert one.fix.startswith(fix)
    # What is at fault is shown, and not the branch that would be taken.
    assert one.value.startswith('{"Fn::If": [')


def test_a_reference_is_alone_in_its_map() -> None:
    one = only({"Product.JobQueue": {"Ref": "Queue", "x": "y"}})
    assert (one.rule.id, one.fix) == ("CF-05", "Leave out one of the two.")
    assert judged(template({"Product.Tags": {"Ref": "Queue", "x": "y"}})) == []
