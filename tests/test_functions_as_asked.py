"""Whether the functions in a property are written as CloudFormation asks."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.source import parse
from tests.test_resolving import judged, rules_of, sub, template

NAME = "Product.QuotaShareName"
ZONES = {"Fn::GetAZs": ""}
SECTIONS = {
    "Conditions": {"C": {"Fn::Equals": [{"Ref": "AWS::Region"}, "us-east-1"]}},
    "Mappings": {"M": {"a": {"b": "c"}}},
    "Parameters": {"Teams": {"Type": "CommaDelimitedList"}, "Team": {"Type": "String"}},
}
TEAMS = {"Ref": "Teams"}


def said(written: Any, **sections: Any) -> list[tuple[str, str]]:
    return rules_of(judged(template({NAME: written}, **{**SECTIONS, **sections})))


@pytest.mark.parametrize(
    "written",
    [
        {"Ref": 5},
        {"Ref": ""},
        {"Ref": None},
        {"Ref": ["Queue"]},
        {"Ref": {"Ref": "Team"}},
        {"Fn::GetAtt": "Policy"},
        {"Fn::GetAtt": ".Arn"},
        {"Fn::GetAtt": []},
        {"Fn::GetAtt": ["Policy"]},
        {"Fn::GetAtt": ["", "Arn"]},
        {"Fn::GetAtt": ["Nowhere", ""]},
        {"Fn::GetAtt": ["Policy", "Arn", "x"]},
        {"Fn::GetAtt": [{"Ref": "Team"}, "Arn"]},
        {"Fn::GetAtt": {"Policy": "Arn"}},
        {"Fn::Sub": 5},
        {"Fn::Sub": ["a"]},
        {"Fn::Sub": ["a", "b"]},
        {"Fn::Sub": ["a", {}, {}]},
        {"Fn::Sub": {"Ref": "Team"}},
        {"Fn::Join": "x"},
        {"Fn::Join": ["-"]},
        {"Fn::Join": ["-", "a"]},
        {"Fn::Join": [["-"], ["a"]]},
        {"Fn::Join": [{"Ref": "Team"}, ["a"]]},
        {"Fn::Join": ["-", ["a"], "b"]},
        {"Fn::If": "C"},
        {"Fn::If": ["C", "a"]},
        {"Fn::If": ["Nope", "a"]},
        {"Fn::If": [{"Condition": "C"}, "a", "b"]},
        {"Fn::If": [None, "a", "b"]},
        {"Fn::Select": [0]},
        {"Fn::Select": ["one", ["a"]]},
        {"Fn::Select": [True, ["a"]]},
        {"Fn::Select": [0, "a,b"]},
        {"Fn::Select": [1, ["a"]]},
        {"Fn::Select": [0, []]},
        {"Fn::Select": ["2", ["a", {"Ref": "Team"}]]},
        {"Fn::Select": [2.0, ["a", "b"]]},
        {"Fn::Select": [1, [TEAMS]]},
        {"Fn::Select": [2, {"Fn::Split": [",", "a,b"]}]},
        {"Fn::Select": [-1, ["a"]]},
        {"Fn::Select": ["-1", ["a"]]},
        {"Fn::Select": [0.5, ["a"]]},
        {"Fn::Select": [float("inf"), ["a"]]},
        {"Fn::Select": [10**400, ["a"]]},
        {"Fn::Select": ["9" * 5_000, ["a"]]},
        sub("a${}"),
        sub("a${ }"),
        sub("a${Te am}"),
        sub("a${Te-am}"),
        sub("a${Te-am}", **{"Te-am": "b"}),
        sub("a${Te${Team}}"),
        sub("a${Team:-b}"),
        {"Fn::Select": ["0", ["a"], "b"]},
        {"Fn::Split": ["-"]},
        {"Fn::Split": ["-", ["a-b"]]},
        {"Fn::Split": "a-b"},
        {"Fn::FindInMap": ["M", "a"]},
        {"Fn::FindInMap": "M"},
        {"Fn::FindInMap": ["M", "a", "b", {}, "c"]},
        {"Fn::ImportValue": None},
        {"Fn::ImportValue": ""},
        {"Fn::Base64": None},
        {"Fn::GetAZs": None},
        {"Fn::getAtt": ["Policy", "Arn"]},
        {"Fn::GetAtt ": ["Policy", "Arn"]},
        {"Fn::Ref": "Queue"},
        {"Fn::Nope": 1},
        {"Fn::": 1},
        {"Fn::Nope": 1, "Fn::ForEach::X": []},
        {"Fn::Join": ["-", ["a", {"Ref": 5}]]},
        {"Fn::If": ["C", "a", {"Fn::GetAtt": "Policy"}]},
        sub("${A}", A={"Fn::GetAtt": "Policy"}),
    ],
    ids=str,
)
def test_what_cloudformation_refuses_is_said_once(written: Any) -> None:
    assert said(written) == [("CF-05", "Product")]
    assert said(written, Transform="AWS::Serverless-2016-10-31") == [("CF-05", "Product")]


@pytest.mark.parametrize(
    "written",
    [
        {"Ref": "Team"},
        {"Fn::GetAtt": ["Bucket", "Name"]},
        {"Fn::GetAtt": "Bucket.Name.More"},
        {"Fn::GetAtt": ["Bucket", {"Ref": "Team"}]},
        sub("a"),
        {"Fn::Sub": "a${Team}"},
        {"Fn::Join": ["", TEAMS]},
        {"Fn::Join": ["-", []]},
        {"Fn::Join": [1, ["a"]]},
        {"Fn::If": ["C", "a", {"Ref": "AWS::NoValue"}]},
        {"Fn::Select": [0, TEAMS]},
        {"Fn::Select": ["1", ["a", "b"]]},
        {"Fn::Select": [" 1 ", ["a", "b"]]},
        {"Fn::Select": ["{{resolve:ssm:/team/index}}", ["a", "b"]]},
        {"Fn::Select": [{"Ref": "Team"}, ZONES]},
        {"Fn::Select": [{"Ref": "Team"}, ["a"]]},
        {"Fn::Select": [1.0, ["a", "b"]]},
        {"Fn::Select": ["{{resolve:ssm:/a}}", ["a"]]},
        {"Fn::Select": [7, TEAMS]},
        {"Fn::Select": [7, [{"Fn::Transform": {"Name": "Anybody"}}]]},
        {"Fn::Select": [7, {"Fn::Split": [",", "{{resolve:ssm:/a}}"]}]},
        {"Fn::Select": [7, {"Fn::Split": [",", {"Ref": "Team"}]}]},
        {"Fn::Select": [1, {"Fn::Split": [",", "a,b"]}]},
        sub("a${ Team }"),
        sub("a${Te_am}", Te_am="b"),
        sub("a${!}${!Te-am}"),
        sub("a$b{c}$"),
        # CloudFormation leaves it as it is, which the rules of a name tell.
        sub("a${Team"),
        {"Fn::Select": [0, {"Fn::Split": [",", {"Ref": "Team"}]}]},
        {"Fn::Select": [0, {"Fn::Split": [",", "a,b"]}]},
        {"Fn::FindInMap": ["M", "a", "b"]},
        {"Fn::FindInMap": ["M", {"Ref": "Team"}, "b", {"DefaultValue": "x"}]},
        {"Fn::ImportValue": {"Fn::Sub": "${Team}-queue"}},
        {"Fn::Base64": ""},
        {"Fn::Select": [0, {"Fn::Cidr": ["a", 1, 2]}]},
        {"Fn::ToJsonString": {"a": 1}},
        {"Fn::Length": [1]},
        {"Fn::Transform": {"Name": "Anybody"}},
        {"Fn::Join": ["-", {"Fn::Transform": {"Name": "Anybody"}}]},
        {"Fn::Join": {"Fn::Transform": {"Name": "Anybody"}}},
        {"Fn::ForEach::X": ["A", [], {"Fn::Nope": 1}]},
        {"Fn::GetStackOutput": {"StackName": "a", "OutputName": "b"}},
        {"Fn::Rain::Embed": "file"},
    ],
    ids=str,
)
def test_what_may_be_well_is_not_refused(written: Any) -> None:
    more = {"Bucket": {"Type": "Custom::Bucket"}, "Product.Tags": {"team": written}}
    found = rules_of(judged(template(more, **SECTIONS)))
    assert [rule for rule, _ in found if rule.startswith("CF")] == []


@pytest.mark.parametrize(
    ("written", "problem", "fix"),
    [
        (
            sub("a${Te-am}"),
            "Between ${ and } in Fn::Sub stands a name of letters, digits, underscores, periods "
            "and colons; this one has 'Te-am'.",
            "Name what is meant, or write ${!Te-am} for the text itself.",
        ),
        (
            sub("a${}"),
            "Between ${ and } in Fn::Sub stands a name of letters, digits, underscores, periods "
            "and colons; this one has ''.",
            "Name what is meant, or write ${!} for the text itself.",
        ),
        (
            {"Fn::Select": ["2", ["a", "b"]]},
            "Fn::Select asks for the entry 2, counted from 0; the list has 2 entries.",
            "Give an index from 0 to 1.",
        ),
        (
            {"Fn::Select": [1, ["a"]]},
            "Fn::Select asks for the entry 1, counted from 0; the list has 1 entry.",
            "Give the index 0.",
        ),
        (
            {"Fn::Select": [0, []]},
            "Fn::Select asks for the entry 0, counted from 0; the list has 0 entries.",
            "Add what is meant.",
        ),
        (
            {"Fn::Select": [-1, ["a"]]},
            "Fn::Select takes an index and a list, or a function that gives a list.",
            "Write !Select [0, [a, b]], say.",
        ),
    ],
    ids=str,
)
def test_what_is_wrong_within_a_function_is_said(written: Any, problem: str, fix: str) -> None:
    (one,) = judged(template({NAME: written}, **SECTIONS))
    assert (one.message, one.fix) == (problem, fix)


LISTS = [
    *("CommaDelimitedList", "List<Number>", "List<AWS::EC2::Subnet::Id>"),
    "AWS::SSM::Parameter::Value<List<String>>",
    "AWS::SSM::Parameter::Value<CommaDelimitedList>",
]
TEXTS = ["String", "Number", "AWS::EC2::VPC::Id", "AWS::SSM::Parameter::Value<String>"]
OF_A_LIST = [
    {"Fn::Select": [0, {"Ref": "P"}]},
    {"Fn::Join": ["-", {"Ref": "P"}]},
    {"Fn::Join": ["-", {"Fn::If": ["C", {"Ref": "P"}, {"Ref": "P"}]}]},
]
OF_A_TEXT = [
    {"Fn::Split": [",", {"Ref": "P"}]},
    {"Fn::Select": [0, {"Fn::Split": [",", {"Ref": "P"}]}]},
    {"Fn::Select": [{"Ref": "P"}, ["a", "b"]]},
    {"Fn::Sub": "team-${P}"},
    {"Fn::Sub": "team-${ P }"},
    sub("${a}", a={"Ref": "P"}),
    {"Fn::Join": ["-", ["a", {"Ref": "P"}]]},
    {"Fn::FindInMap": ["M", {"Ref": "P"}, "b"]},
    {"Fn::ImportValue": {"Ref": "P"}},
    {"Fn::Base64": {"Ref": "P"}},
    {"Fn::If": ["C", "a", {"Fn::Sub": "${P}"}]},
]


@pytest.mark.parametrize(
    ("written", "right", "wrong"),
    [
        *((written, LISTS, TEXTS) for written in OF_A_LIST),
        *((written, TEXTS, LISTS) for written in OF_A_TEXT),
    ],
    ids=str,
)
def test_a_parameter_of_a_list_or_of_a_text_is_told_where_the_other_belongs(
    written: Any, right: list[str], wrong: list[str]
) -> None:
    told = [("CF-05", "Product")]
    for kinds, found in ((right, []), (wrong, told)):
        for kind in kinds:
            parameters = {"P": {"Type": kind}}
            assert [one for one in said(written, Parameters=parameters) if "CF" in one[0]] == found
    parameters = {"P": {"Type": wrong[0]}}
    for transform in ("Anybody", "AWS::LanguageExtensions"):
        assert said(written, Parameters=parameters, Transform=transform) == []
    for unknown in ({}, {"Type": 5}, {"Type": "Nope"}):
        assert said(written, Parameters={"P": unknown}) == []


@pytest.mark.parametrize(
    ("written", "problem", "fix"),
    [
        (
            {"Fn::Select": [0, given]},
            f"Fn::Select takes an index and a list, or a function that gives a list; {shown} gives "
            "a text.",
            "Write !Select [0, [a, b]], say.",
        )
        for given, shown in (
            ({"Ref": "Team"}, "!Ref Team"),
            ({"Ref": "Queue"}, "!Ref Queue"),
            ({"Ref": "AWS::Region"}, "!Ref AWS::Region"),
            ({"Fn::Sub": "a,b"}, "Fn::Sub"),
            ({"Fn::Join": [",", ["a", "b"]]}, "Fn::Join"),
            ({"Fn::GetAtt": ["Policy", "Arn"]}, "Fn::GetAtt"),
            ({"Fn::GetAtt": "Policy.Arn"}, "Fn::GetAtt"),
            ({"Fn::If": ["C", {"Ref": "Team"}, {"Fn::Sub": "a"}]}, "Fn::If"),
        )
    ]
    + [
        (
            {"Fn::Join": ["-", {"Ref": "Team"}]},
            "Fn::Join takes a delimiter and a list, or a function that gives a list; !Ref Team "
            "gives a text.",
            "Write !Join ['-', [a, b]], say.",
        ),
    ]
    + [
        (written, problem, "Choose one entry by Fn::Select.")
        for written, problem in (
            (
                {"Fn::Sub": "a${Teams}"},
                "${Teams} gives a list, which Fn::Sub does not take there.",
            ),
            (
                {"Fn::Join": ["-", [TEAMS, "a"]]},
                "!Ref Teams gives a list, which Fn::Join does not take there.",
            ),
            (
                {"Fn::Join": ["-", [{"Fn::Split": [",", "a,b"]}, "a"]]},
                "Fn::Split gives a list, which Fn::Join does not take there.",
            ),
            (
                sub("${AWS::NotificationARNs}"),
                "${AWS::NotificationARNs} gives a list, which Fn::Sub does not take there.",
            ),
        )
    ],
    ids=str,
)
def test_what_gives_a_list_or_a_text_is_said(written: Any, problem: str, fix: str) -> None:
    (one,) = judged(template({NAME: written}, **SECTIONS))
    assert (one.rule.id, one.message, one.fix) == ("CF-05", problem, fix)


@pytest.mark.parametrize(
    "items",
    [
        {"Ref": "AWS::NotificationARNs"},
        {"Ref": "AWS::NoValue"},
        {"Ref": "Module"},
        {"Fn::GetAtt": ["Bucket", "Names"]},
        {"Fn::If": ["C", {"Ref": "Team"}, TEAMS]},
        {"Fn::If": ["C", TEAMS, {"Ref": "Team"}]},
        {"Fn::GetAtt": "Nested.Outputs.Names"},
        {"Fn::FindInMap": ["M", "a", "b"]},
        {"Fn::Transform": {"Name": "Anybody"}},
        {"Fn::ImportValue": "Names"},
    ],
    ids=str,
)
def test_of_what_may_be_a_list_nothing_is_said(items: Any) -> None:
    types = {
        "Bucket": "Custom::Bucket",
        "Module": "My::Own::Thing::MODULE",
        "Nested": "AWS::CloudFormation::Stack",
    }
    more = {id: {"Type": type_} for id, type_ in types.items()}
    for written in ({"Fn::Select": [0, items]}, {"Fn::Join": ["-", items]}):
        assert rules_of(judged(template({**more, NAME: written}, **SECTIONS))) == []


def test_of_an_attribute_that_there_is_not_it_is_not_said_that_it_is_a_text() -> None:
    items = {"Fn::GetAtt": ["Queue", "Names"]}
    assert said({"Fn::Join": ["-", items]}) == [("CF-03", "Product")]


@pytest.mark.parametrize(
    "written",
    [
        sub("${Teams}", Teams="a"),
        sub("${!Teams}"),
        {"Fn::Sub": ["${Teams}", {"Fn::Transform": {"Name": "Anybody"}}]},
        {"Fn::Transform": {"Name": "Anybody", "Parameters": {"A": {"Fn::Sub": "${Teams}"}}}},
    ],
    ids=str,
)
def test_a_name_that_is_no_parameter_is_no_list(written: Any) -> None:
    assert "CF-05" not in [rule for rule, _ in said(written)]


@pytest.mark.parametrize(
    ("default", "fix"),
    [
        ("a", "Write it without the list, or choose one entry by Fn::Select."),
        ("a,b", "Write text, or choose one entry by Fn::Select."),
    ],
)
def test_an_entry_of_a_list_is_chosen_where_a_text_belongs(default: str, fix: str) -> None:
    parameters = {"P": {"Type": "CommaDelimitedList", "Default": default}}
    (one,) = judged(template({NAME: {"Ref": "P"}}, Parameters=parameters))
    assert (one.rule.id, one.fix) == ("CF-02", fix)


OF_CONDITIONS = ("Fn::And", "Fn::Equals", "Fn::Not", "Fn::Or")
OF_RULES = ("Contains", "EachMemberEquals", "EachMemberIn", "RefAll", "ValueOf", "ValueOfAll")


@pytest.mark.parametrize("function", [*OF_CONDITIONS, *(f"Fn::{name}" for name in OF_RULES)])
def test_a_function_of_conditions_or_rules_is_no_value(function: str) -> None:
    where, fix = (
        ("Conditions", "Write it there, and choose by Fn::If.")
        if function in OF_CONDITIONS
        else ("Rules", "Write it there, or leave it out.")
    )
    problem = f"{function} stands in the {where} of a template, and in no property."
    written = {function: [{"Fn::Not": [{"Fn::Equals": ["a", "b"]}]}, "b"]}
    inside = {"Fn::Join": ["", ["a", {"Fn::If": ["C", written, "b"]}]]}
    for value in (written, inside):
        (one,) = judged(template({NAME: value}, **SECTIONS))
        assert (one.rule.id, one.message, one.fix) == ("CF-05", problem, fix)
    assert said(written, Transform="Anybody") == []


def test_a_condition_in_the_place_of_its_name_is_told_of_the_choice_alone() -> None:
    chosen = {"Fn::If": [{"Fn::Equals": ["a", "b"]}, "x", "y"]}
    (one,) = judged(template({NAME: chosen}, **SECTIONS))
    assert one.message.startswith("Fn::If takes the name of a condition")
    assert said(chosen, Transform="AWS::LanguageExtensions") == []


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ({"Fn::Sub": "a", "Other": 1}, "Fn::Sub is alone in its map; this one has 'Other' too."),
        ({"Other": 1, "Fn::Sub": "a"}, "Fn::Sub is alone in its map; this one has 'Other' too."),
        (
            {"Fn::Sub": "a", "Fn::Join": ["-", ["a"]]},
            "Fn::Sub is alone in its map; this one has 'Fn::Join' too.",
        ),
        ({"Fn::If": ["C", 1, 2], "A": {"Ref": "Team"}}, "Fn::If is alone in its map; "),
        ({"Fn::Equals": [1, 2], "A": 1}, "Fn::Equals is alone in its map; this one has 'A' too."),
    ],
    ids=str,
)
def test_a_function_is_alone_in_its_map(written: Any, problem: str) -> None:
    (one,) = judged(template({NAME: written}, **SECTIONS))
    assert (one.rule.id, one.fix) == ("CF-05", "Leave out one of the two.")
    assert one.message.startswith(problem)
    for more in ({"Transform": "Anybody"}, {"Fn::Transform": {"Name": "AWS::Include"}}):
        assert said(written, **more) == []


@pytest.mark.parametrize(
    "beside",
    [
        {"Fn::Transform": {"Name": "Anybody"}, "Fn::Sub": "a"},
        {"Fn::Sub": "a", "Fn::ForEach::X": ["A", [], {}]},
        {"Fn::Rain::Embed": "file", "Other": 1},
        {"Ref": "a tag", "Other": "b"},
    ],
    ids=str,
)
def test_what_may_stand_beside_other_keys(beside: Any) -> None:
    assert rules_of(judged(template({"Product.Tags": beside}, **SECTIONS))) == []


def test_functions_stand_anywhere_with_the_language_extensions() -> None:
    for written in (
        {"Ref": {"Fn::Sub": "${Team}x"}},
        {"Fn::GetAtt": [{"Ref": "Team"}, "Arn"]},
        {"Fn::Join": [{"Ref": "Team"}, ["a"]]},
    ):
        assert said(written) == [("CF-05", "Product")]
        assert said(written, Transform="AWS::LanguageExtensions") == []
    nothing = {"Fn::GetAtt": "Policy"}
    assert said(nothing, Transform="AWS::LanguageExtensions") == [("CF-05", "Product")]


@pytest.mark.parametrize(
    "sections",
    [
        {"Transform": "Anybody"},
        {"Transform": ["AWS::LanguageExtensions", "Anybody"]},
        {"Transform": {"Name": "Anybody"}},
        {"Fn::Transform": {"Name": "AWS::Include"}},
        {"Modules": {"Content": {"Source": "./content.yaml"}}},
    ],
    ids=str,
)
def test_a_macro_may_write_it_anew(sections: Any) -> None:
    assert said({"Fn::Nope": 1}, **sections) == []
    assert said({"Fn::Nope": 1}) == [("CF-05", "Product")]


def test_a_macro_beside_it_may_write_it_anew() -> None:
    macro = {"Fn::Transform": {"Name": "Anybody"}}
    for place in ("resource", "properties", "resources"):
        whole = template({NAME: {"Fn::Nope": 1}}, **SECTIONS)
        body = whole["Resources"]["Product"]
        beside = {"resource": body, "properties": body["Properties"]}
        beside.get(place, whole["Resources"]).update(macro)
        assert judged(whole) == []


@pytest.mark.parametrize(
    ("written", "fix"),
    [
        ("!GetAtt Policy", "Write !GetAtt Policy.Arn, or !Ref Policy, which is the same."),
        ("!GetAtt Queue", "Write !Ref of an AWS::Batch::SchedulingPolicy."),
        ("{'Fn::GetAtt': [Environment]}", "Write !Ref of an AWS::Batch::SchedulingPolicy."),
        (
            "!GetAtt Bucket",
            "Write !GetAtt Bucket.Attribute, with the attribute that is meant.",
        ),
        ("!GetAtt Policy.", "Write !GetAtt Policy.Arn, or !Ref Policy, which is the same."),
        (
            "{'Fn::GetAtt': Policy.}",
            "Write !GetAtt Policy.Arn, or !Ref Policy, which is the same.",
        ),
        ("!GetAtt [Policy, '']", "Write !GetAtt Policy.Arn, or !Ref Policy, which is the same."),
        ("!GetAtt []", "Write !GetAtt Policy.Arn, say."),
        ("{'Fn::getatt': [Policy, Arn]}", "Did you mean Fn::GetAtt?"),
        ("!Getatt Policy.Arn", "Did you mean Fn::GetAtt?"),
        ("{'Fn::Ref': Policy}", "Did you mean Ref?"),
        ("!Subb x", "Did you mean Fn::Sub?"),
        ("!Import x", "Did you mean Fn::ImportValue?"),
        ("!Join [a]", "Write !Join ['-', [a, b]], say."),
        (
            "!Sublist x",
            "Write one of Ref, Fn::GetAtt, Fn::Sub, Fn::Join, Fn::If, Fn::Select, Fn::Split, "
            "Fn::FindInMap, Fn::ImportValue, Fn::Base64, Fn::GetAZs.",
        ),
    ],
)
def test_what_is_meant_is_offered(written: str, fix: str) -> None:
    value = parse(f"Resources: {{A: {written}}}".encode(), "a.yaml").template["Resources"]["A"]
    bucket = {"Type": "AWS::S3::Bucket"}
    (one,) = judged(template({"Queue.SchedulingPolicyArn": value, "Bucket": bucket}))
    assert (one.rule.id, one.resource, one.fix) == ("CF-05", "Queue", fix)
    assert one.path == ("Properties", "SchedulingPolicyArn")


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ({"Fn::Uppercase": "x"}, "CloudFormation has no function 'Fn::Uppercase'."),
        ({"Fn::Join": ["-"]}, "Fn::Join takes a delimiter and a list, or a function that gives a "),
        ({"Fn::GetAtt": "Queue"}, "Fn::GetAtt takes the id of a resource and an attribute of it, "),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_function_is_said(written: Any, problem: str) -> None:
    (one,) = judged(template({NAME: written}))
    assert one.message.startswith(problem)


def test_each_example_of_a_function_is_well() -> None:
    from qm_constructs.rules._functions import _FORMS, is_as_asked

    for function, form in _FORMS.items():
        text = f"Resources: {{A: {form.example}}}".encode()
        ((name, argument),) = parse(text, "a.yaml").template["Resources"]["A"].items()
        assert name == function
        assert is_as_asked(name, argument)


# -- one cause is one finding

REFUSED = [
    ({"Fn::GetAtt": ["Policy", "Name"]}, "CF-03"),
    ({"Fn::GetAtt": "Environment.Name"}, "CF-03"),
    (sub("${Queue.Name}"), "CF-03"),
    ({"Fn::Select": [1, {"Fn::Split": ["/", {"Fn::GetAtt": ["Policy", "Name"]}]}]}, "CF-03"),
    ({"Fn::GetAtt": ["Nowhere", "Name"]}, "CF-04"),
    ({"Ref": "AWS::Nowhere"}, "CF-04"),
    ({"Fn::GetAtt": "Policy"}, "CF-05"),
]


@pytest.mark.parametrize(
    "place",
    [
        "Policy.Name",
        "Environment.ServiceEnvironmentName",
        "Environment.CapacityLimits.0.CapacityUnit",
        "Queue.JobQueueName",
        "Queue.Priority",
        "Queue.JobQueueType",
        "Queue.SchedulingPolicyArn",
        "Queue.ServiceEnvironmentOrder.0.ServiceEnvironment",
        "Product.JobQueue",
        "Product.QuotaShareName",
        "Product.State",
        "Product.CapacityLimits",
        "Product.CapacityLimits.0.MaxCapacity",
        "Product.ResourceSharingConfiguration.Strategy",
        "Product.Tags",
    ],
)
@pytest.mark.parametrize(("written", "rule"), REFUSED, ids=str)
def test_of_a_refused_function_nothing_else_is_said(place: str, written: Any, rule: str) -> None:
    assert rules_of(judged(template({place: written}))) == [(rule, place.partition(".")[0])]


def test_a_name_made_with_a_refused_attribute_is_judged_as_far_as_it_is_known() -> None:
    for text, also in (("team-${Policy.Name}", []), ("team ${Policy.Name}", ["QS-02"])):
        found = rules_of(judged(template({NAME: sub(text)})))
        assert found == [(rule, "Product") for rule in (*also, "CF-03")]


def test_a_resource_is_the_one_that_is_meant_though_its_attribute_is_refused() -> None:
    changes = {"Product.JobQueue": {"Fn::GetAtt": ["Queue", "Arn"]}}
    more = {**changes, "Product.CapacityLimits.0.CapacityUnit": "ml.g5.xlarge"}
    # The other share borrows from this one.
    assert rules_of(judged(template(changes))) == [("CF-03", "Product")]
    assert ("XR-01", "Product") in rules_of(judged(template(more)))


def test_a_function_that_there_is_not_is_told_with_its_place_among_others() -> None:
    (one,) = judged(template({"Product.Tags": {"Fn::Nope": ["x"], "Other": "y"}}))
    assert (one.rule.id, one.path) == ("CF-05", ("Properties", "Tags", "Fn::Nope"))


def test_what_a_macro_makes_of_one_value_is_not_known_and_the_others_are_told() -> None:
    macro = {"Fn::Transform": {"Name": "Anybody", "Parameters": {"A": {"Fn::Sub": []}}}}
    (one,) = judged(template({"Product.Tags": {"a": macro, "b": {"Fn::Sub": []}}}))
    assert (one.rule.id, one.path) == ("CF-05", ("Properties", "Tags", "b"))
