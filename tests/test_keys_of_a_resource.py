"""What stands beside the properties of the four types: keys that there are not, wrong shapes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.report import Located, Note
from qm_constructs.template.stack import Stack
from tests.test_beside import checked, ref, sound

KNOWN = (
    "it knows Type, Condition, DependsOn, Metadata, Properties, and policies of creation, update "
    "and deletion."
)
IDS = "Write an id, or a list of ids."
SHAPE = "DependsOn has the ids of resources; this is"


def judged(whole: dict[str, Any]) -> list[Located]:
    return judge_stacks([Stack(whole, "a.json")])


def renamed(id: str, old: str, new: str) -> dict[str, Any]:
    """Returns the sound template with one key of a resource in another spelling."""
    whole = sound()
    body = whole["Resources"][id]
    whole["Resources"][id] = {new if key == old else key: body[key] for key in body}
    return whole


def with_beside(**more: Any) -> dict[str, Any]:
    whole = sound()
    whole["Resources"]["Product"] |= more
    return whole


@pytest.mark.parametrize("id", ["Policy", "Environment", "Queue", "Research"])
@pytest.mark.parametrize("spelt", ["properties", "Propertys", "PROPERTIES"])
def test_properties_in_another_spelling_are_one_finding(id: str, spelt: str) -> None:
    (one,) = judged(renamed(id, "Properties", spelt))
    assert (one.rule.id, one.resource, one.path) == ("CF-01", id, (spelt,))
    assert one.message == (
        f"CloudFormation knows no {spelt!r} beside the properties of a resource; {KNOWN}"
    )
    assert one.fix == "Write Properties."


@pytest.mark.parametrize(
    ("key", "fix"),
    [
        ("dependsOn", "Write DependsOn."),
        ("depends_on", "Write DependsOn."),
        ("Conditon", "Write Condition."),
        ("DeletePolicy", "Write DeletionPolicy."),
        ("Tags", "Write Tags within Properties."),
        ("Comment", "Leave it out."),
        ("Policy", "Leave it out."),
        ("Fn::If", "Leave it out."),
        ("properties", "Leave it out."),
    ],
)
def test_a_key_that_a_resource_cannot_have_is_a_fault(key: str, fix: str) -> None:
    (one,) = judged(with_beside(**{key: "x"}))
    assert (one.rule.id, one.resource, one.path, one.fix) == ("CF-01", "Product", (key,), fix)
    assert one.message == (
        f"CloudFormation knows no {key!r} beside the properties of a resource; {KNOWN}"
    )


@pytest.mark.parametrize("name", ["JobQueue", "CapacityLimits", "QuotaShareName"])
def test_a_property_a_level_too_high_is_not_missing_too(name: str) -> None:
    whole = sound()
    share = whole["Resources"]["Product"]
    share[name] = share["Properties"].pop(name)
    (one,) = judged(whole)
    assert (one.rule.id, one.path, one.fix) == (
        "CF-01",
        (name,),
        f"Write {name} within Properties.",
    )


@pytest.mark.parametrize(
    ("body", "path", "message", "fix"),
    [
        ({"DependsOn": {"Ref": "Queue"}}, ("DependsOn",), f"{SHAPE} a map.", IDS),
        ({"DependsOn": None}, ("DependsOn",), f"{SHAPE} null.", IDS),
        (
            {"DependsOn": ["Queue", ["Policy"]]},
            ("DependsOn", 1),
            f"{SHAPE} a list.",
            "Write an id as text.",
        ),
        (
            {"Condition": ["C"]},
            ("Condition",),
            "A condition is the name of one of the template; this is a list.",
            "Write its name as text.",
        ),
        (
            {"Condition": True},
            ("Condition",),
            "A condition is the name of one of the template; this is true.",
            "Write its name as text.",
        ),
    ],
    ids=str,
)
def test_a_wrong_shape_beside_the_properties_is_a_fault(
    body: dict[str, Any], path: Any, message: str, fix: str
) -> None:
    (one,) = judged(with_beside(**body))
    assert (one.rule.id, one.resource, one.path) == ("CF-02", "Product", path)
    assert (one.message, one.fix) == (message, fix)


@pytest.mark.parametrize(
    "more",
    [
        {"CreationPolicy": {}, "UpdatePolicy": {}, "UpdateReplacePolicy": "Retain"},
        {"DeletionPolicy": "Retain", "Metadata": {}, "DependsOn": ["Queue"]},
        {"Connectors": {}, "IgnoreGlobals": "*"},
        {"DependsOn": "Queue"},
        {"DependsOn": []},
    ],
    ids=str,
)
def test_what_a_resource_may_have_is_none(more: dict[str, Any]) -> None:
    assert judged(with_beside(**more)) == []


@pytest.mark.parametrize(
    "macro", [{"Transform": "Anybody"}, {"Fn::Transform": {"Name": "Anybody"}}], ids=str
)
def test_a_macro_may_put_the_keys_right(macro: dict[str, Any]) -> None:
    for body in ({"Comment": "x"}, {"Condition": ["x"]}, {"DependsOn": {"Ref": "Queue"}}):
        assert judged({**with_beside(**body), **macro}) == []
        of_its_own = {"Fn::Transform": {"Name": "Anybody"}}
        assert judged(with_beside(**body, **of_its_own)) == []


@pytest.mark.parametrize("key", ["type", "TYPE"])
def test_a_resource_with_its_type_in_another_spelling_is_noted(key: str, tmp_path: Path) -> None:
    report = checked(renamed("Research", "Type", key), tmp_path)
    said = f"Research has {key!r}, and no Type: it is not judged; did you mean Type?"
    assert report.notes == [Note(str(tmp_path / "a.json"), "Research", said)]


def test_what_is_none_of_the_four_types_is_not_noted(tmp_path: Path) -> None:
    whole = sound()
    others = {"Topic": {"type": "AWS::SNS::Topic"}, "Empty": {}, "Text": "x", "Odd": {"type": 5}}
    whole["Resources"] |= others
    assert checked(whole, tmp_path).notes == []


@pytest.mark.parametrize(
    ("type_", "is_noted"), [("AWS::Batch::QuotaShare", True), ("AWS::SNS::Topic", False)]
)
def test_a_loop_that_makes_shares_is_noted(type_: str, is_noted: bool, tmp_path: Path) -> None:
    whole = sound(Transform="AWS::LanguageExtensions")
    made = {"Type": type_, "Properties": {"QuotaShareName": ref("Team")}}
    whole["Resources"]["Fn::ForEach::Teams"] = ["Team", ["a", "b"], {"Share${Team}": made}]
    said = "What the loop Fn::ForEach::Teams makes is not judged, and counts in no sum."
    expected = [Note(str(tmp_path / "a.json"), "", said)] if is_noted else []
    assert checked(whole, tmp_path).notes == expected


@pytest.mark.parametrize("property_", ["QuotaShareName", "JobQueue"])
def test_a_choice_by_a_condition_that_there_is_not_is_one_finding(property_: str) -> None:
    whole = sound()
    of_it = whole["Resources"]["Product"]["Properties"]
    of_it[property_] = {"Fn::If": ["Nope", of_it[property_], "research"]}
    (one,) = judged(whole)
    assert (one.rule.id, one.resource) == ("CF-04", "Product")


def test_of_an_output_the_resource_that_it_is_of_is_at_fault() -> None:
    told = {"Value": {"Fn::GetAtt": ["Product", "QuotaShareArn"]}, "Condition": "Nope"}
    (one,) = judged(sound(Outputs={"Share": told}))
    assert (one.rule.id, one.resource) == ("CF-04", "Product")


@pytest.mark.parametrize("key", ["Outputs", "Conditions"])
def test_a_key_that_a_template_has_is_none_of_a_resource(key: str) -> None:
    whole = sound()
    whole["Resources"]["Product"][key] = {}
    (one,) = judged(whole)
    assert (one.rule.id, one.path) == ("CF-01", (key,))
    assert one.place == ("Resources", "Product", key)
