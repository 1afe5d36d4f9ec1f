"""Functions, references and kinds of values, each where it stands in a property."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.rules import SOUND
from tests.test_resolving import judged, template

CONDITIONS = {
    "C": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]},
    "Never": {"Fn::Equals": ["a", "b"]},
}
PARAMETERS = {"P": {"Type": "String"}}
NAME = "Product.QuotaShareName"
TRANSFORMS = [{}, {"Transform": "AWS::LanguageExtensions"}]


def said(changes: dict[str, Any], **sections: Any) -> list[tuple[str, str, str]]:
    whole = template(changes, Conditions=CONDITIONS, Parameters=PARAMETERS, **sections)
    return [(one.rule.id, one.message, one.fix) for one in judged(whole)]


# -- entries of lists

TOO_FAR = "Fn::Select asks for the entry {}, counted from 0; the list has {}."
INDEX = "Fn::Select takes an index and a list, or a function that gives a list."


def select(index: Any, items: Any) -> dict[str, Any]:
    return {"Fn::Select": [index, items]}


def split(text: Any, by: str = ",") -> dict[str, Any]:
    return {"Fn::Split": [by, text]}


@pytest.mark.parametrize("sections", TRANSFORMS, ids=str)
@pytest.mark.parametrize(
    ("written", "problem", "fix"),
    [
        (select(1, []), TOO_FAR.format(1, "0 entries"), "Add what is meant."),
        (select(1, ["a"]), TOO_FAR.format(1, "1 entry"), "Give the index 0."),
        (select("2", ["a", "b"]), TOO_FAR.format(2, "2 entries"), "Give an index from 0 to 1."),
        (select(1, split("a")), TOO_FAR.format(1, "1 entry"), "Give the index 0."),
        (select(2, split("a,b")), TOO_FAR.format(2, "2 entries"), "Give an index from 0 to 1."),
        (select(2, split("a-b", "-")), TOO_FAR.format(2, "2 entries"), "Give an index from 0 to 1"),
        (select(999_999_999, ["a"]), TOO_FAR.format("999999999", "1 entry"), "Give the index 0."),
        (select(1_000_000_000, ["a"]), INDEX, "Write !Select [0, [a, b]], say."),
    ],
    ids=str,
)
def test_an_entry_that_there_is_not(
    written: Any, problem: str, fix: str, sections: dict[str, Any]
) -> None:
    ((rule, message, how),) = said({NAME: written}, **sections)
    assert (rule, message) == ("CF-05", problem)
    assert how.startswith(fix)


@pytest.mark.parametrize("sections", TRANSFORMS, ids=str)
@pytest.mark.parametrize(
    "items", [split("a,b"), split({"Ref": "P"}), split("{{resolve:ssm:/a}}"), {"Fn::GetAZs": ""}]
)
def test_an_entry_that_there_may_be(items: Any, sections: dict[str, Any]) -> None:
    assert said({NAME: select(1, items)}, **sections) == []


def test_an_entry_of_a_text_that_is_split_is_told_where_it_counts() -> None:
    beyond = select(2, split("a,b"))
    assert said({NAME: {"Fn::If": ["Never", beyond, "a"]}}) == []
    ((_, message, _),) = said({NAME: {"Fn::If": ["C", beyond, "a"]}})
    assert message == TOO_FAR.format(2, "2 entries") + " This is so when C is true."


def test_a_split_beside_another_key_is_at_fault_itself() -> None:
    ((rule, message, _),) = said({NAME: select(5, {**split("a"), "Ref": "P"})})
    assert (rule, message) == (
        "CF-05",
        "Fn::Split is alone in its map; this one has 'Ref' too.",
    )


# -- attributes

ATTRIBUTE = "Fn::GetAtt takes the id of a resource and an attribute of it, neither empty."
NOPE = "Policy has no attribute 'Nope'; an AWS::Batch::SchedulingPolicy has Arn alone."


@pytest.mark.parametrize("written", [".Arn", ".Arn.Name", "Policy", "Policy."])
def test_an_attribute_has_an_id_before_its_first_dot(written: str) -> None:
    assert ("CF-05", ATTRIBUTE) in [one[:2] for one in said({NAME: {"Fn::GetAtt": written}})]


def test_an_attribute_may_have_dots_at_its_end() -> None:
    bucket = {"Bucket": {"Type": "AWS::S3::Bucket"}}
    assert said({NAME: {"Fn::GetAtt": "Bucket.Name.."}, **bucket}) == []


def test_an_attribute_in_the_place_of_all_properties() -> None:
    whole = template({}, Conditions=CONDITIONS)
    queue = whole["Resources"]["Queue"]
    asked = {"Fn::GetAtt": ["Policy", "Nope"]}
    queue["Properties"] = {"Fn::If": ["C", asked, queue["Properties"]]}
    (one,) = judged(whole)
    assert (one.rule.id, one.message, one.fix) == ("CF-03", NOPE, "Write the value itself.")


def test_an_attribute_where_there_is_no_property() -> None:
    found = said({"Queue.JobQueueName": {"a": {"Fn::GetAtt": ["Policy", "Nope"]}}})
    assert ("CF-03", NOPE, "Write the a itself.") in found


def test_an_attribute_in_a_choice_that_is_none() -> None:
    found = said({"Queue.State": {"Fn::If": {"Fn::GetAtt": ["Policy", "Nope"]}}})
    fix = "Write the State itself, or !Ref of a parameter that has it."
    assert ("CF-03", NOPE, fix) in found


def test_an_attribute_in_any_entry_of_a_list() -> None:
    order = SOUND["Resources"]["Queue"]["Properties"]["ServiceEnvironmentOrder"]
    asked = {"Fn::GetAtt": ["Environment", "Nope"]}
    more = [*order, {"Order": 2, "ServiceEnvironment": asked}]
    found = {rule: fix for rule, _, fix in said({"Queue.ServiceEnvironmentOrder": more})}
    assert found["CF-03"] == (
        "Write !GetAtt Environment.ServiceEnvironmentArn, or !Ref Environment, which is the same."
    )


# -- what is told of each, and where it is written


def test_each_of_several_references_is_told_where_it_is_written() -> None:
    order = SOUND["Resources"]["Queue"]["Properties"]["ServiceEnvironmentOrder"]
    chosen = {"Fn::If": ["C", {"Fn::GetAtt": ["Policy", "Arn"]}, {"Ref": "Nowhere"}]}
    wrong = {"Fn::If": ["C", {"Fn::GetAtt": ["Environment", "Nope"]}, "gpus"]}
    changes = {
        "Queue.JobQueueName": {"Fn::Sub": "${Gone}"},
        "Queue.SchedulingPolicyArn": chosen,
        "Queue.ServiceEnvironmentOrder": [{**order[0], "ServiceEnvironment": wrong}],
        "Queue.State": {"Fn::GetAtt": "Policy"},
    }
    found = judged(template(changes, Conditions=CONDITIONS))
    assert sorted((one.rule.id, one.path) for one in found) == [
        (
            "CF-03",
            (
                *("Properties", "ServiceEnvironmentOrder", 0, "ServiceEnvironment"),
                *("Fn::If", 1),
            ),
        ),
        ("CF-04", ("Properties", "JobQueueName")),
        ("CF-04", ("Properties", "SchedulingPolicyArn", "Fn::If", 2)),
        ("CF-05", ("Properties", "State")),
    ]


def test_a_reference_to_what_is_not_there_is_told_where_it_is_written() -> None:
    joined = {"Fn::Join": ["", [{"Ref": "Policy"}]]}
    changes = {
        "Queue.JobQueueName": {"Fn::GetAtt": "Policy"},
        "Queue.SchedulingPolicyArn": {"Fn::If": ["C", joined, "a"]},
    }
    whole = template(changes, Conditions=CONDITIONS)
    whole["Resources"]["Policy"]["Condition"] = "Never"
    found = [one.path[1:] for one in judged(whole) if one.rule.id == "CF-04"]
    assert found == [("SchedulingPolicyArn", "Fn::If", 1, "Fn::Join", 1, 0)]


# -- the kind of a value


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"Queue.Tags": {"team": ["a"]}}, "This must be text; it is a list."),
        ({"Queue.Tags": {"team": {"a": "b"}}}, "This must be text; it is a map."),
        ({"Queue.Tags": {"team": None}}, "CloudFormation takes no null."),
        ({"Queue.Tags": {"team": "a", "cost": ["a"]}}, "This must be text; it is a list."),
        ({"Product.CapacityLimits": {"Ref": "Bucket"}}, "This must be a list; it is text."),
        ({"Product.CapacityLimits": {"Fn::Sub": "a${P}"}}, "This must be a list; it is text."),
    ],
    ids=str,
)
def test_what_is_of_another_kind(changes: dict[str, Any], problem: str) -> None:
    found = said({**changes, "Bucket": {"Type": "AWS::S3::Bucket"}})
    assert [(rule, message) for rule, message, _ in found] == [("CF-02", problem)]


def test_what_may_be_of_the_right_kind() -> None:
    assert said({"Product.CapacityLimits": {"Ref": "P"}}) == []
    assert said({"Queue.Tags": {"team": {"Ref": "P"}, "size": 1, "is_new": True}}) == []
