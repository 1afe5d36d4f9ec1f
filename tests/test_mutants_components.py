"""Which resources have to do with one another, and which is made after which."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.components import depends_on
from tests.test_mutants_universe import groups, nested, nesting, resource, universe

Body = dict[str, Any]
ARN = "arn:aws:batch:us-east-1:111122223333:"
BY_SUB = {"Fn::Sub": "arn:aws:batch:${AWS::Region}:111122223333:scheduling-policy/p"}
BY_JOIN = {"Fn::Join": ["/", [{"Fn::Sub": f"{ARN}scheduling-policy"}, "p"]]}
ANY = {"Fn::ImportValue": {"Fn::Sub": "${Name}"}}


def environment(name: Any) -> Body:
    return resource("ServiceEnvironment", ServiceEnvironmentName=name)


def with_policy(named: Any) -> Body:
    return resource("JobQueue", SchedulingPolicyArn=named)


def with_environment(named: Any) -> Body:
    return resource("JobQueue", ServiceEnvironmentOrder=[{"ServiceEnvironment": named}])


@pytest.mark.parametrize(
    ("policy", "named", "together"),
    [
        (f"{ARN}scheduling-policy/p", f"{ARN}service-environment/e", True),
        (BY_SUB, f"{ARN}service-environment/e", True),
        (BY_JOIN, f"{ARN}service-environment/e", True),
        ("p", f"{ARN}service-environment/e", False),
        (f"{ARN}scheduling-policy/p", "e", False),
        ({"Fn::Sub": 3}, f"{ARN}service-environment/e", False),
        ("p", "e", False),
    ],
    ids=str,
)
def test_what_names_others_by_an_arn_is_judged_with_all_that_do(
    policy: Any, named: Any, *, together: bool
) -> None:
    one, other = {"Resources": {"Q": with_policy(policy)}}, {"R": with_environment(named)}
    both = {"Resources": {**one["Resources"], **other}}
    assert groups(both) == ([["Q", "R"]] if together else [["Q"], ["R"]])
    # Of two stacks it is not known that they are in one place.
    assert groups(one, {"Resources": other}) == [["Q"], ["R"]]


PARAMETERS: Body = {
    "P": {"Type": "String", "Default": "n0", "AllowedValues": [f"n{n}" for n in range(200)]}
}
CONDITIONS = {f"C{n}": {"Fn::Equals": [{"Ref": f"S{n}"}, "x"]} for n in range(7)}
OF_SEVEN = {"Fn::Join": ["", [{"Fn::If": [f"C{n}", "a", "b"]} for n in range(7)]]}


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("a", "a", True),
        ({"Fn::If": ["C0", "a", "b"]}, "a", True),
        ({"Fn::If": ["C0", "a", "b"]}, "b", True),
        ({"Fn::If": ["C0", "a", "b"]}, {"Fn::If": ["C1", "b", "c"]}, True),
        ({"Fn::If": ["C0", "a", "b"]}, {"Fn::If": ["C1", "c", "d"]}, False),
        ({"Fn::If": ["C0", "a", "b"]}, "c", False),
        ([1], [1], False),
        # Of very many names the first, and those that one condition alone makes.
        ({"Ref": "P"}, "n63", True),
        ({"Ref": "P"}, "n150", False),
        (OF_SEVEN, "baaaaaa", True),
        (OF_SEVEN, "bbbbbbb", False),
    ],
    ids=str,
)
def test_what_may_have_one_name_is_judged_together(one: Any, other: Any, *, together: bool) -> None:
    whole = {
        "Resources": {"E": environment(one), "F": environment(other)},
        "Parameters": {**PARAMETERS, **{f"S{n}": {"Type": "String"} for n in range(7)}},
        "Conditions": CONDITIONS,
    }
    assert groups(whole) == ([["E", "F"]] if together else [["E"], ["F"]])


@pytest.mark.parametrize(
    ("resources", "together"),
    [
        ({"Q": with_policy(f"{ARN}scheduling-policy/p")}, [["Q"], ["P"]]),
        ({"Q": with_policy("a name")}, [["Q", "P"]]),
        # What is named is of another type.
        ({"Q": with_policy({"Ref": "E"}), "E": environment("e")}, [["Q", "E", "P"]]),
        (
            {
                "Q": with_environment({"Ref": "E"}),
                **dict.fromkeys("EF", resource("ServiceEnvironment")),
            },
            [["Q", "E"], ["F"], ["P"]],
        ),
        (
            {
                "Q": with_environment({"Ref": "P"}),
                **dict.fromkeys("EF", resource("ServiceEnvironment")),
            },
            [["Q", "E", "F", "P"]],
        ),
    ],
    ids=str,
)
def test_what_may_be_meant_by_what_names_nothing(
    resources: Body, together: list[list[str]]
) -> None:
    assert groups({"Resources": {**resources, "P": resource("SchedulingPolicy")}}) == together


@pytest.mark.parametrize("kind", ["JobQueue", "ServiceEnvironment"])
def test_an_import_of_any_name_is_of_what_is_exported(kind: str) -> None:
    outputs = {"O": {"Value": {"Ref": "X"}, "Export": {"Name": "x"}}}
    exporting = {"Resources": {"X": resource(kind)}, "Outputs": outputs}
    share = {"S": resource("QuotaShare", JobQueue=ANY), "Q": resource("JobQueue")}
    # Where no queue is exported, it may be that of the template.
    expected = [["X", "S"], ["Q"]] if kind == "JobQueue" else [["X", "S", "Q"]]
    assert groups(exporting, {"Resources": share}) == expected


@pytest.mark.parametrize(
    "names", [[ANY, {"Fn::ImportValue": "y"}], [{"Fn::ImportValue": "y"}, ANY]]
)
def test_an_import_of_one_name_hides_none_of_any(names: list[Body]) -> None:
    outputs = {"O": {"Value": {"Ref": "X"}, "Export": {"Name": "x"}}}
    exporting = {"Resources": {"X": resource("JobQueue")}, "Outputs": outputs}
    share = resource("QuotaShare", JobQueue="elsewhere", Tags=dict(zip("ab", names, strict=True)))
    assert groups(exporting, {"Resources": {"S": share}}) == [["X", "S"]]


def test_what_leads_in_a_circle_leads_no_further() -> None:
    share = resource("QuotaShare", JobQueue="elsewhere", Tags={"a": {"Ref": "Given"}})
    child = {
        "Resources": {"Share": share},
        "Parameters": {"Given": {"Type": "String"}},
        "Outputs": {"O": {"Value": {"Ref": "Given"}}},
    }
    parent = nesting({"Given": {"Fn::GetAtt": ["Nested", "Outputs.O"]}}, Queue=resource("JobQueue"))
    assert nested(parent, child) == [["Share"], ["Queue"]]


@pytest.mark.parametrize(
    ("later", "sections", "after"),
    [
        ({"DependsOn": ["Other", "Other", "Between"]}, {}, True),
        ({"DependsOn": ["Later", "First"]}, {}, True),
        ({"Properties": {"X": {"Ref": "P"}}}, {"Parameters": {"P": {"Type": "String"}}}, False),
        ({"Properties": {"X": {"Ref": "AWS::Region"}}}, {"Transform": "Macro"}, False),
        # A macro may make it, after anything.
        ({"Properties": {"X": {"Ref": "Made"}}}, {"Transform": "Macro"}, True),
        ({"Properties": {"X": {"Ref": "Made"}}}, {}, False),
    ],
    ids=str,
)
def test_what_is_made_after_what(later: Body, sections: Body, *, after: bool) -> None:
    resources = {
        "Later": {"Type": "AWS::Batch::QuotaShare", **later},
        "First": {"Type": "AWS::Batch::QuotaShare"},
        "Other": {"Type": "AWS::S3::Bucket"},
        "Between": {"Type": "AWS::S3::Bucket", "DependsOn": "First"},
    }
    made = universe({"Resources": resources, **sections})
    assert depends_on(made, made.members[0], made.members[1]) is after
