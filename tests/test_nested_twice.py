"""A template that several stacks of a cdk.out nest is judged with the parameters of each."""

from __future__ import annotations

import copy
import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.check import check
from qm_constructs.template.quota_plans import read_plans
from qm_constructs.template.report import Report
from tests.test_assembly import out

__all__ = ["out"]

WRONG, WRONG_TOO, RIGHT = "1001", "1002", "7"


def child(priority: Any = None) -> dict[str, Any]:
    """Returns the sound template with a parameter for the priority of its queue."""
    whole = {**copy.deepcopy(SOUND), "Parameters": {"Given": {"Type": "Number"}}}
    whole["Resources"]["Queue"]["Properties"]["Priority"] = priority or {"Ref": "Given"}
    return whole


def nesting(file: str = "child.json", condition: str | None = None, **given: Any) -> dict[str, Any]:
    body = {
        "Type": "AWS::CloudFormation::Stack",
        "Metadata": {"aws:asset:path": file},
        "Properties": {"TemplateURL": "x", "Parameters": given},
    }
    return body if condition is None else {**body, "Condition": condition}


def top(*nested: dict[str, Any], **sections: Any) -> dict[str, Any]:
    return {"Resources": {f"N{n}": body for n, body in enumerate(nested, 1)}, **sections}


def write(out: Path, environments: dict[str, str] | None = None, **templates: Any) -> None:
    """Writes an assembly of which the templates with capital letters are stacks."""
    artifacts = {
        name: {
            "type": "aws:cloudformation:stack",
            "properties": {"templateFile": f"{name}.json"},
            "environment": (environments or {}).get(name),
        }
        for name in templates
        if name.istitle()
    }
    for name, content in {"manifest": {"artifacts": artifacts}, **templates}.items():
        (out / f"{name}.json").write_text(json.dumps(content))


def checked() -> Report:
    report = check(["cdk.out"], BytesIO())
    assert report.unreadable == []
    return report


def said(report: Report) -> list[tuple[str, str, str]]:
    """Returns of each finding the rule, the value, and where it is so."""
    return [
        (one.rule.id, one.value, one.message.partition(" is nested as ")[2].rstrip("."))
        for one in report.findings
    ]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (RIGHT, RIGHT, []),
        (WRONG, RIGHT, [("JQ-01", WRONG, "'Top/N1'")]),
        (RIGHT, WRONG, [("JQ-01", WRONG, "'Top/N2'")]),
        (WRONG, WRONG, [("JQ-01", WRONG, "")]),
        (WRONG, WRONG_TOO, [("JQ-01", WRONG, "'Top/N1'"), ("JQ-01", WRONG_TOO, "'Top/N2'")]),
        (RIGHT, {"Ref": "Open"}, []),
        (WRONG, {"Ref": "Open"}, [("JQ-01", WRONG, "'Top/N1'")]),
    ],
)
def test_each_stack_has_its_own_parameters(
    out: Path, one: Any, other: Any, expected: list[tuple[str, str, str]]
) -> None:
    parameters = {"Open": {"Type": "Number"}}
    write(
        out, Top=top(nesting(Given=one), nesting(Given=other), Parameters=parameters), child=child()
    )
    assert said(checked()) == expected


def test_what_is_not_confirmed_is_said_last(out: Path) -> None:
    whole = child(1)
    limit = whole["Resources"]["Product"]["Properties"]["CapacityLimits"][0]
    limit["MaxCapacity"] = {"Ref": "Given"}
    write(out, Top=top(nesting(Given="4"), nesting(Given="7")), child=whole)
    (found,) = checked().findings
    assert found.rule.id == "XR-02"
    what, where, unconfirmed = re.split(r"(?= This is so | AWS has not )", found.message)
    assert what.startswith("The quota shares hold 17 ml.p5.48xlarge together, ")
    assert where == " This is so where the template is nested as 'Top/N2'."
    assert unconfirmed == " AWS has not confirmed whether it takes this."


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        (2, "'Top/N1' or 'Top/N2'"),
        (3, "'Top/N1' or 'Top/N2' or 'Top/N3'"),
        (4, "'Top/N1' or 'Top/N2' or 'Top/N3' and so on"),
    ],
)
def test_of_many_stacks_the_first_three_are_named(out: Path, wrong: int, where: str) -> None:
    given = [WRONG] * wrong + [RIGHT]
    write(out, Top=top(*(nesting(Given=one) for one in given)), child=child())
    assert said(checked()) == [("JQ-01", WRONG, where)]


def test_when_and_where_it_is_so_are_one_sentence(out: Path) -> None:
    whole = child({"Fn::If": ["Prod", {"Ref": "Given"}, 1]})
    whole["Parameters"]["Stage"] = {"Type": "String"}
    whole["Conditions"] = {"Prod": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]}}
    parameters = {"Stage": {"Type": "String"}}
    both = (nesting(Given=given, Stage={"Ref": "Stage"}) for given in (RIGHT, WRONG))
    write(out, Top=top(*both, Parameters=parameters), child=whole)
    (found,) = checked().findings
    assert found.message.partition(" 1000.")[2] == (
        " This is so when Prod is true, where the template is nested as 'Top/N2'."
    )


def test_what_is_wrong_in_the_template_itself_is_told_once(out: Path) -> None:
    both = (nesting(Given=RIGHT), nesting(Given=RIGHT))
    whole = child(1001)
    whole["Resources"]["Product"]["DependsOn"] = "Nope"
    whole["Resources"]["Policy"]["Metadata"] = {"qm-constructs": {"ignore": "XX-99"}}
    whole["Outputs"] = {"Arn": {"Value": {"Fn::GetAtt": ["Queue", "Nope"]}}}
    write(out, Top=top(*both), child=whole)
    report = checked()
    assert [(rule, where) for rule, _, where in said(report)] == [
        ("JQ-01", ""),
        ("CF-04", ""),
        ("CF-03", ""),
    ]
    assert report.findings[0].message.endswith(" is a whole number from 0 to 1000.")
    assert (report.templates, report.resources, len(report.notes)) == (2, 5, 1)


def test_a_template_that_is_nested_in_one_that_is_nested_twice(out: Path) -> None:
    middle = top(nesting(Given={"Ref": "Given"}), Parameters={"Given": {"Type": "Number"}})
    both = (nesting("middle.json", Given=RIGHT), nesting("middle.json", Given=WRONG))
    write(out, Top=top(*both), middle=middle, child=child())
    assert said(checked()) == [("JQ-01", WRONG, "'Top/N2/N1'")]


def test_two_stacks_that_nest_one_template_may_be_in_two_places(out: Path) -> None:
    whole = child(1)
    whole["Resources"]["Product"]["Properties"]["JobQueue"] = (
        "arn:aws:batch:us-west-2:111122223333:job-queue/q"
    )
    places = {"East": "aws://111122223333/us-east-1", "West": "aws://111122223333/us-west-2"}
    write(out, places, East=top(nesting()), West=top(nesting()), child=whole)
    found = [one for one in said(checked()) if one[0] == "XR-09"]
    assert [where for _, _, where in found] == ["'East/N1'"]


@pytest.mark.parametrize(
    ("other", "is_wrong"), [("NotEast", False), ("East", True), (None, True), ("Nope", True)]
)
def test_of_two_that_exclude_each_other_one_is_there(
    out: Path, other: str | None, is_wrong: bool
) -> None:
    conditions = {
        "East": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]},
        "NotEast": {"Fn::Not": [{"Condition": "East"}]},
    }
    whole = child(1)
    whole["Resources"]["Environment"]["Properties"]["ServiceEnvironmentName"] = "gpus"
    both = (nesting(condition="East"), nesting(condition=other))
    places = {"Top": "aws://111122223333/us-east-1"}
    write(out, places, Top=top(*both, Conditions=conditions), child=whole)
    expected = ["SE-03"] if is_wrong else []
    expected += ["CF-04"] if other == "Nope" else []
    assert [rule for rule, *_ in said(checked())] == expected


def test_a_share_that_one_of_them_gets_is_no_share_of_the_other(out: Path) -> None:
    shares: dict[str, Any] = {"Resources": {}, "Parameters": {"Queue": {"Type": "String"}}}
    share = copy.deepcopy(SOUND["Resources"]["Product"])
    share["Properties"].update(QuotaShareName="more", JobQueue={"Ref": "Queue"})
    shares["Resources"]["More"] = share
    whole = top(
        *(nesting("shares.json", Queue={"Ref": queue}) for queue in ("Queue", "Queue2")),
    )
    resources = copy.deepcopy(SOUND["Resources"])
    for id in ("Policy", "Environment", "Queue"):
        resources[f"{id}2"] = json.loads(
            json.dumps(resources[id])
            .replace('"Policy"', '"Policy2"')
            .replace('"Environment"', '"Environment2"')
        )
    whole["Resources"].update(resources)
    write(out, Top=whole, shares=shares)
    # The first environment has 16 and holds 10 and 6 and 6, the second has one share of 6.
    assert [rule for rule, *_ in said(checked())] == ["XR-02"]
    plans = read_plans(["cdk.out"], BytesIO()).plans
    assert [len(plan.shares) for plan in plans] == [3, 1]


def test_templates_that_nest_one_another_twice_end(out: Path) -> None:
    files = {f"t{n}": top(*[nesting(f"t{n + 1}.json")] * 2) for n in range(20)}
    circle = top(nesting("t0.json"), nesting("child.json", Given=WRONG))
    write(out, Top=top(nesting("t0.json")), **files, t20=circle, child=child())
    report = check(["cdk.out"], BytesIO())
    assert {one.rule.id for one in report.findings} == {"JQ-01"}
    assert {(one.file, one.reason) for one in report.unreadable} == {
        ("cdk.out/t20.json", "has a nested stack, 'N1', that nests it again")
    }


@pytest.mark.parametrize(("times", "left_out"), [(101, ""), (102, "once"), (103, "2 times")])
def test_it_is_noted_how_often_a_template_was_left_out(
    out: Path, times: int, left_out: str
) -> None:
    nested = [nesting(Given=RIGHT)] * (times - 1)
    write(out, Top=top(*nested, nesting(Given=WRONG)), child=child())
    report = checked()
    assert [rule for rule, *_ in said(report)] == ([] if left_out else ["JQ-01"])
    assert [(note.file, note.resource, note.message) for note in report.notes] == (
        [
            (
                "cdk.out/child.json",
                "",
                "The template is nested more often than it is judged: it was left out "
                f"{left_out}, with all that is nested in it there.",
            )
        ]
        if left_out
        else []
    )


def test_templates_of_several_stacks_share_what_is_judged(out: Path) -> None:
    stacks = {f"S{n}": top(nesting(Given=RIGHT)) for n in range(110)}
    write(out, **stacks, child=child())
    (note,) = checked().notes
    assert "left out 9 times" in note.message
