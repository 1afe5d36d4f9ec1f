"""What leads to nothing on the way to the four types: conditions, maps, lists, nested stacks."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack
from tests.test_one_place import nest, share
from tests.test_resolving import join, judged, rules_of, sub, template

Body = dict[str, Any]
NAME = "Product.QuotaShareName"
REGION = {"Ref": "AWS::Region"}
IS_EAST = {"Fn::Equals": [REGION, "us-east-1"]}
INCLUDE = {"Fn::Transform": {"Name": "AWS::Include"}}
FIRST = {"Fn::ForEach::C": ["C", ["a"], {}]}


def said(whole: Body) -> list[tuple[Any, ...]]:
    return [(one.rule.id, one.resource, *one.path, one.message, one.fix) for one in judged(whole)]


def lacks(what: str, fix: str = "Add it, or name one that is.") -> tuple[str, str]:
    return f"The template has no {what}.", fix


# -- conditions


def depending(condition: Any, asked: str) -> Body:
    """Returns a template of which something of ours depends on a condition."""
    conditions = {"C": condition, "IsEast": IS_EAST}
    whole = template(Conditions=conditions)
    product = whole["Resources"]["Product"]
    if asked == "resource":
        whole["Resources"]["Research"]["Condition"] = product["Condition"] = "C"
    elif asked == "branch":
        product["Properties"]["State"] = {"Fn::If": ["C", "ENABLED", "DISABLED"]}
    else:
        conditions["D"] = {"Fn::Or": [IS_EAST, {"Condition": "C"}]}
        product["Condition"] = "D"
    whole["Conditions"] = conditions
    return whole


@pytest.mark.parametrize(
    ("condition", "path", "problem"),
    [
        ({"Condition": "Nope"}, ("Condition",), lacks("condition 'Nope'")),
        (
            {"Condition": "IsEst"},
            ("Condition",),
            lacks("condition 'IsEst'", "Did you mean 'IsEast'?"),
        ),
        (
            {"Fn::Not": [{"Condition": "Nope"}]},
            ("Fn::Not", 0, "Condition"),
            lacks("condition 'Nope'"),
        ),
        (
            {"Fn::And": [{"Condition": "IsEast"}, {"Fn::Or": [IS_EAST, {"Condition": "Nope"}]}]},
            ("Fn::And", 1, "Fn::Or", 1, "Condition"),
            lacks("condition 'Nope'"),
        ),
        (
            {"Fn::Equals": [{"Ref": "Nada"}, "x"]},
            ("Fn::Equals", 0),
            lacks("parameter and no resource 'Nada'"),
        ),
        (
            {"Fn::Equals": ["x", sub("${Nada}")]},
            ("Fn::Equals", 1),
            lacks("parameter and no resource 'Nada'"),
        ),
        (
            {"Fn::Equals": [{"Ref": "AWS::Regio"}, "x"]},
            ("Fn::Equals", 0),
            ("CloudFormation has no pseudo parameter 'AWS::Regio'.", "Did you mean 'AWS::Region'?"),
        ),
        (
            {"Fn::Equals": [{"Fn::FindInMap": ["Nope", "a", "b"]}, "x"]},
            ("Fn::Equals", 0, "Fn::FindInMap", 0),
            lacks("map 'Nope'"),
        ),
    ],
    ids=str,
)
@pytest.mark.parametrize("asked", ["resource", "branch", "another condition"])
def test_a_condition_that_leads_nowhere(
    condition: Any, path: Any, problem: tuple[str, str], asked: str
) -> None:
    first = "Research" if asked == "resource" else "Product"
    whole = depending(condition, asked)
    of_it = [one for one in said(whole) if one[0].startswith("CF")]
    assert of_it == [("CF-04", first, "Conditions", "C", *path, *problem)]
    macros: list[Body] = [{"Transform": "Anybody"}, INCLUDE]
    for more in macros:
        assert "CF-04" not in dict(rules_of(judged({**whole, **more})))
    if "Condition" in path:
        looped: Body = {**whole, "Conditions": {**whole["Conditions"], **FIRST}}
        assert "CF-04" not in dict(rules_of(judged(looped)))


@pytest.mark.parametrize(
    "condition",
    [
        {"Condition": "IsEast"},
        {"Fn::Equals": [{"Ref": "Stage"}, "x"]},
        {"Fn::Equals": [sub("${AWS::AccountId}"), "x"]},
        {"Fn::Equals": [{"Fn::FindInMap": ["M", REGION, "a"]}, "x"]},
        INCLUDE,
    ],
    ids=str,
)
def test_a_condition_that_leads_somewhere(condition: Any) -> None:
    given: Body = {
        "Parameters": {"Stage": {"Type": "String"}},
        "Mappings": {"M": {"us": {"a": "b"}}},
    }
    whole = template(Conditions={"C": condition, "IsEast": IS_EAST}, **given)
    whole["Resources"]["Product"]["Condition"] = "C"
    assert "CF-04" not in dict(rules_of(judged(whole)))


def test_a_condition_of_other_resources_is_theirs() -> None:
    bucket = {"Type": "AWS::S3::Bucket", "Condition": "C"}
    whole = template({"Bucket": bucket}, Conditions={"C": {"Condition": "Nope"}})
    assert judged(whole) == []


ONE_OF = "A condition is one of Condition, Fn::And, Fn::Equals, Fn::Not, Fn::Or; this is "
COMPARE = "Compare something, as in !Equals [!Ref AWS::Region, us-east-1]."
EQUALS = (
    "Fn::Equals takes a list of two texts to compare.",
    "Write !Equals [!Ref AWS::Region, us-east-1], say.",
)
AND = (
    "Fn::And takes a list of 2 to 10 conditions.",
    "Write !And [!Condition A, !Condition B], say.",
)
OR = ("Fn::Or takes a list of 2 to 10 conditions.", "Write !Or [!Condition A, !Condition B], say.")
NOT = ("Fn::Not takes a list of one condition.", "Write !Not [!Condition A], say.")
INSTEAD = "Compare a parameter instead."


def of_rules(function: str) -> tuple[str, str]:
    problem = f"{function} stands in the Rules of a template, and in no condition."
    return problem, "Write it there, or compare by Fn::Equals."


MISWRITTEN: list[tuple[Any, tuple[Any, ...], tuple[str, str]]] = [
    (
        {"Fn::Equal": [REGION, "a"]},
        (),
        ("CloudFormation has no function 'Fn::Equal'.", "Did you mean Fn::Equals?"),
    ),
    ({"Fn::Equals": [REGION]}, (), EQUALS),
    ({"Fn::Equals": ["a", "b", "c"]}, (), EQUALS),
    ({"Fn::Equals": "a"}, (), EQUALS),
    ({"Fn::Equals": REGION}, (), EQUALS),
    ({"Fn::Equals": [REGION, ["a"]]}, (), EQUALS),
    ({"Fn::Equals": [None, "a"]}, (), EQUALS),
    ({"Fn::Not": [IS_EAST, IS_EAST]}, (), NOT),
    ({"Fn::Not": []}, (), NOT),
    ({"Fn::Not": IS_EAST}, (), NOT),
    ({"Fn::And": []}, (), AND),
    ({"Fn::And": [IS_EAST] * 11}, (), AND),
    ({"Fn::Or": [IS_EAST]}, (), OR),
    ({"Fn::Or": [IS_EAST, {"Fn::Not": []}]}, ("Fn::Or", 1), NOT),
    ({"Fn::Not": [{"Fn::Not": [{"Fn::And": []}]}]}, ("Fn::Not", 0, "Fn::Not", 0), AND),
    ({"Fn::Not": ["IsEast"]}, ("Fn::Not", 0), (f"{ONE_OF}'IsEast'.", COMPARE)),
    ({"Fn::If": ["IsEast", "a", "b"]}, (), (f"{ONE_OF}Fn::If.", COMPARE)),
    (REGION, (), (f"{ONE_OF}Ref.", COMPARE)),
    ({"Equals": ["a", "b"]}, (), (f"{ONE_OF}Equals.", COMPARE)),
    ("IsEast", (), (f"{ONE_OF}'IsEast'.", COMPARE)),
    (["a", "b"], (), (f"{ONE_OF}a list.", COMPARE)),
    (None, (), (f"{ONE_OF}null.", COMPARE)),
    (
        {"Condition": ["IsEast"]},
        (),
        ("Condition takes the name of a condition; this is a list.", "Write its name as text."),
    ),
    (
        {"Condition": IS_EAST},
        (),
        ("Condition takes the name of a condition; this is a map.", "Write its name as text."),
    ),
    (
        {**IS_EAST, "Other": 1},
        (),
        ("Fn::Equals is alone in its map; this one has 'Other' too.", "Leave out one of the two."),
    ),
    ({"Fn::Contains": [["a"], "a"]}, (), of_rules("Fn::Contains")),
    (
        {"Fn::Or": [IS_EAST, {"Fn::EachMemberIn": [["a"], ["b"]]}]},
        ("Fn::Or", 1),
        of_rules("Fn::EachMemberIn"),
    ),
    (
        {"Fn::Equals": [{"Fn::ValueOf": ["A", "B"]}, "a"]},
        ("Fn::Equals", 0),
        of_rules("Fn::ValueOf"),
    ),
    (
        {"Fn::Equals": [{"Fn::Select": [0]}, "a"]},
        ("Fn::Equals", 0),
        (
            "Fn::Select takes an index and a list, or a function that gives a list.",
            "Write !Select [0, [a, b]], say.",
        ),
    ),
    (
        {"Fn::Equals": [{"Fn::GetAtt": ["Queue", "JobQueueArn"]}, "a"]},
        ("Fn::Equals", 0),
        ("No condition has Fn::GetAtt.", INSTEAD),
    ),
    (
        {"Fn::Equals": ["a", {"Fn::Join": ["", ["b", {"Fn::ImportValue": "x"}]]}]},
        ("Fn::Equals", 1, "Fn::Join", 1, 1),
        ("No condition has Fn::ImportValue.", INSTEAD),
    ),
    (
        {"Fn::Equals": [{"Ref": "Queue"}, "a"]},
        ("Fn::Equals", 0),
        ("No condition refers to a resource, as this does to Queue.", INSTEAD),
    ),
    (
        {"Fn::Equals": [{"Fn::Sub": "${Queue}"}, "a"]},
        ("Fn::Equals", 0),
        ("No condition refers to a resource, as this does to Queue.", INSTEAD),
    ),
]


@pytest.mark.parametrize(("condition", "path", "problem"), MISWRITTEN, ids=str)
@pytest.mark.parametrize("asked", ["resource", "branch", "another condition"])
def test_a_condition_that_is_not_written_as_cloudformation_asks(
    condition: Any, path: Any, problem: tuple[str, str], asked: str
) -> None:
    first = "Research" if asked == "resource" else "Product"
    whole = depending(condition, asked)
    of_it = [one for one in said(whole) if one[0].startswith("CF")]
    assert of_it == [("CF-05", first, "Conditions", "C", *path, *problem)]
    macros: list[Body] = [{"Transform": "Anybody"}, INCLUDE]
    for more in macros:
        assert "CF-05" not in dict(rules_of(judged({**whole, **more})))


@pytest.mark.parametrize(
    "condition",
    [
        *(IS_EAST, {"Condition": "IsEast"}, True, "false"),
        {"Fn::And": [IS_EAST] * 10},
        {"Fn::Or": [IS_EAST, {"Condition": "IsEast"}]},
        {"Fn::Not": [{"Fn::Not": [IS_EAST]}]},
        {"Fn::Equals": [5, True]},
        {"Fn::Equals": [{"Ref": "Stages"}, "a"]},
        {"Fn::Equals": [{"Fn::Select": [0, {"Ref": "Stages"}]}, ""]},
        {"Fn::Equals": [{"Fn::Join": ["", {"Ref": "AWS::NotificationARNs"}]}, ""]},
        {"Fn::Equals": [{"Fn::Sub": "${AWS::Region}"}, {"Ref": "Stage"}]},
        {"Fn::Equals": [sub("${Queue}", Queue="a"), "a"]},
        {"Fn::Equals": [{"Fn::FindInMap": ["M", REGION, "a"]}, "x"]},
        {"Fn::Or": {"Fn::Transform": {"Name": "Anybody"}}},
        {"Fn::Or": [{"Fn::Transform": {"Name": "Anybody"}}]},
        {"Fn::Or": [{"Fn::ForEach::X": ["X", ["a", "b"], {}]}]},
    ],
    ids=str,
)
def test_a_condition_that_is_well_written(condition: Any) -> None:
    given: Body = {
        "Parameters": {"Stage": {"Type": "String"}, "Stages": {"Type": "CommaDelimitedList"}},
        "Mappings": {"M": {"us": {"a": "b"}}},
    }
    whole = template(Conditions={"C": condition, "IsEast": IS_EAST}, **given)
    whole["Resources"]["Product"]["Condition"] = "C"
    assert "CF-05" not in dict(rules_of(judged(whole)))


def test_a_condition_may_be_of_more_with_the_language_extensions() -> None:
    for condition in ({"Fn::Equals": [{"Fn::Length": ["a"]}, 1]}, {"Fn::Or": {"Ref": "Stages"}}):
        whole = template(Conditions={"C": condition}, Transform="AWS::LanguageExtensions")
        whole["Resources"]["Product"]["Condition"] = "C"
        assert "CF-05" not in dict(rules_of(judged(whole)))


def test_a_condition_that_leads_nowhere_is_told_once() -> None:
    for condition in ({"Ref": "Nope"}, {"Fn::Equals": [{"Fn::GetAtt": ["Nope", "Arn"]}, "a"]}):
        whole = template(Conditions={"C": condition})
        whole["Resources"]["Product"]["Condition"] = "C"
        found = [rule for rule, _ in rules_of(judged(whole)) if rule.startswith("CF")]
        assert found == ["CF-04"]


# -- maps

MAP = {"Sizes": {"dev": {"most": "a", "least": "b"}, "prod": {"most": "c"}}}


@pytest.mark.parametrize(
    ("arguments", "place", "problem", "fix"),
    [
        (["Size", "dev", "most"], 0, "The template has no map 'Size'.", "Did you mean 'Sizes'?"),
        (
            ["Nope", REGION, {"Ref": "Stage"}],
            0,
            "The template has no map 'Nope'.",
            "Add it, or name one that is.",
        ),
        (
            ["Sizes", "prd", "most"],
            1,
            "The map 'Sizes' has no key 'prd'.",
            "Did you mean 'prod'?",
        ),
        (
            ["Sizes", "prod", "least"],
            2,
            "The map 'Sizes' has no key 'least'.",
            "Add it, or name one that is.",
        ),
        (
            ["Sizes", {"Ref": "Stage"}, "lest"],
            2,
            "The map 'Sizes' has no key 'lest'.",
            "Did you mean 'least'?",
        ),
        (
            ["Sizes", "test", {"Ref": "Stage"}],
            1,
            "The map 'Sizes' has no key 'test'.",
            "Add it, or name one that is.",
        ),
    ],
    ids=str,
)
def test_a_map_that_leads_nowhere(arguments: Any, place: int, problem: str, fix: str) -> None:
    sections: Body = {"Mappings": MAP, "Parameters": {"Stage": {"Type": "String"}}}
    whole = template({NAME: {"Fn::FindInMap": arguments}}, **sections)
    path = ("Properties", "QuotaShareName", "Fn::FindInMap", place)
    assert said(whole) == [("CF-04", "Product", *path, problem, fix)]
    assert judged({**whole, "Transform": "Anybody"}) == []
    assert judged({**whole, "Mappings": {**MAP, **INCLUDE}}) == []
    defaulted = {"Fn::FindInMap": [*arguments, {"DefaultValue": "x"}]}
    assert judged(template({NAME: defaulted}, **sections)) == []
    whole = template(Outputs={"Out": {"Value": {"Fn::FindInMap": arguments}}}, **sections)
    found = ("Outputs", "Out", "Value", "Fn::FindInMap", place)
    assert said(whole) == [("CF-04", "Policy", *found, problem, fix)]


@pytest.mark.parametrize(
    "arguments",
    [
        ["Sizes", "dev", "least"],
        ["Sizes", {"Ref": "Stage"}, "least"],
        ["Sizes", "dev", {"Ref": "Stage"}],
        [{"Ref": "Stage"}, "dev", "most"],
        ["Open", "nowhere", "most"],
        ["Open", "dev", "most"],
        ["Numbers", "1", "2"],
        ["Sizes", "{{resolve:ssm:stage}}", "most"],
    ],
    ids=str,
)
def test_a_map_that_leads_somewhere(arguments: Any) -> None:
    maps = {**MAP, "Open": {"dev": INCLUDE, **INCLUDE}, "Numbers": {1: {2: "x"}}}
    sections: Body = {"Mappings": maps, "Parameters": {"Stage": {"Type": "String"}}}
    changes = {"Product.Tags": {"a": {"Fn::FindInMap": arguments}}}
    assert judged(template(changes, **sections)) == []


def test_of_a_map_that_leads_nowhere_nothing_else_is_left_out() -> None:
    changes = {NAME: {"Fn::FindInMap": ["Nope", "a", "b"]}, "Queue.Priority": 1001}
    whole = template(changes, Conditions={"C": IS_EAST})
    whole["Resources"]["Product"]["Condition"] = "C"
    found = rules_of(judged(whole))
    assert ("CF-04", "Product") in found
    assert ("JQ-01", "Queue") in found


# -- lists


PARAMETERS = {
    "Index": {"Type": "Number", "Default": 5},
    "First": {"Type": "Number", "Default": 0},
    "OneOf": {"Type": "Number", "Default": 0, "AllowedValues": [0, 2]},
    "Open": {"Type": "Number"},
    "Teams": {"Type": "CommaDelimitedList", "Default": "a,b"},
    "Others": {"Type": "CommaDelimitedList"},
}
TEAMS = {"Ref": "Teams"}


@pytest.mark.parametrize(
    ("index", "items", "message"),
    [
        ({"Ref": "Index"}, ["a", "b"], "the entry 5, counted from 0; the list has 2 entries."),
        (2, TEAMS, "the entry 2, counted from 0; the list has 2 entries."),
        ({"Ref": "Index"}, TEAMS, "the entry 5, counted from 0; the list has 2 entries."),
        (
            {"Ref": "OneOf"},
            ["a", "b"],
            "the entry 2, counted from 0; the list has 2 entries. This is so when OneOf is '2'.",
        ),
        (
            {"Fn::If": ["C", 3, 1]},
            ["a", "b"],
            "the entry 3, counted from 0; the list has 2 entries. This is so when C is true.",
        ),
        (
            1,
            {"Fn::Split": ["-", {"Ref": "Index"}]},
            "the entry 1, counted from 0; the list has 1 entry.",
        ),
        (
            {"Ref": "Index"},
            [{"Ref": "Open"}, "b"],
            "the entry 5, counted from 0; the list has 2 entries.",
        ),
        (1, TEAMS, None),
        ({"Ref": "First"}, TEAMS, None),
        # Whoever sets what the choice depends on may set the list as well.
        ({"Ref": "OneOf"}, TEAMS, None),
        ({"Fn::If": ["C", 3, 1]}, TEAMS, None),
        ({"Ref": "Open"}, ["a"], None),
        (9, {"Ref": "Others"}, None),
        ({"Ref": "Index"}, {"Fn::GetAZs": ""}, None),
        ({"Ref": "Index"}, {"Ref": "Others"}, None),
        (1, {"Fn::Split": ["/", {"Ref": "Open"}]}, None),
        (9, {"Fn::Split": [":", {"Ref": "Queue"}]}, None),
        # Which of them is left out, and so the last one, is not counted.
        (
            {"Ref": "First"},
            [{"Fn::If": ["C", {"Ref": "AWS::NoValue"}, "a"]}, "b"],
            None,
        ),
    ],
    ids=str,
)
def test_an_entry_beyond_a_list_by_a_default(index: Any, items: Any, message: str | None) -> None:
    changes = {"Product.Tags": {"team": {"Fn::Select": [index, items]}}}
    sections: Body = {"Parameters": PARAMETERS, "Conditions": {"C": IS_EAST}}
    found = [(one.rule.id, one.message) for one in judged(template(changes, **sections))]
    expected = [] if message is None else [("CF-05", f"Fn::Select asks for {message}")]
    assert found == expected
    assert judged(template(changes, **sections, Transform="Anybody")) == []


def test_an_entry_that_is_not_chosen_is_not_beyond_a_list() -> None:
    beyond = {"Fn::Select": [{"Ref": "Index"}, ["a", "b"]]}
    for branches, expected in ((["a", beyond], []), ([beyond, "a"], ["CF-05"])):
        changes = {NAME: {"Fn::If": ["Always", *branches]}}
        conditions = {"Always": {"Fn::Equals": ["a", "a"]}}
        whole = template(changes, Parameters=PARAMETERS, Conditions=conditions)
        assert [rule for rule, _ in rules_of(judged(whole))] == expected


# -- what is given to a nested stack


@pytest.mark.parametrize(
    ("given", "rule", "path", "problem"),
    [
        ({"Ref": "Nope"}, "CF-04", (), "The template has no parameter and no resource 'Nope'."),
        (sub("a${Nope}"), "CF-04", (), "The template has no parameter and no resource 'Nope'."),
        (
            {"Fn::If": ["Nope", "a", "b"]},
            "CF-04",
            ("Fn::If", 0),
            "The template has no condition 'Nope'.",
        ),
        (
            {"Fn::FindInMap": ["Nope", "a", "b"]},
            "CF-04",
            ("Fn::FindInMap", 0),
            "The template has no map 'Nope'.",
        ),
        (
            {"Fn::Join": ["-"]},
            "CF-05",
            (),
            "Fn::Join takes a delimiter and a list, or a function that gives a list.",
        ),
        ({"Fn::GetAtt": ["Queue", "Arn"]}, "CF-03", (), "Queue has no attribute 'Arn'; "),
    ],
    ids=str,
)
def test_what_a_nested_stack_is_given_leads_nowhere(
    given: Any, rule: str, path: Any, problem: str
) -> None:
    top = template()
    parent = Stack(top, "top.json", name="Top")
    inner = nest(share({"Ref": "Queue"}), parent, Queue=given)
    inner.template["Resources"]["Share"]["Properties"]["QuotaShareName"] = "inner"
    found = [one for one in judge_stacks([parent, inner]) if one.rule.id.startswith("CF")]
    (one,) = found
    assert (one.rule.id, one.file, one.resource) == (rule, "top.json", "Inner")
    assert one.path == ("Properties", "Parameters", "Queue", *path)
    assert one.message.startswith(problem)
    # The stack is judged, or what it is given is another's.
    assert [o for o in judge_stacks([parent]) if o.rule.id in {"CF-04", "CF-05"}] == []
    top["Transform"] = "Anybody"
    assert [o for o in judge_stacks([parent, inner]) if o.rule.id in {"CF-04", "CF-05"}] == []


def test_what_a_macro_makes_of_a_nested_stack_is_not_known() -> None:
    parent = Stack(template(), "top.json", name="Top")
    inner = nest(share({"Ref": "Queue"}), parent, Queue={"Ref": "Nope"})
    parent.template["Resources"]["Inner"] |= INCLUDE
    assert [one for one in judge_stacks([parent, inner]) if one.rule.id == "CF-04"] == []


def test_what_a_macro_makes_of_one_condition_is_not_known_and_the_others_are_told() -> None:
    nothing = {"Fn::Equals": [{"Ref": "Nope"}, "x"]}
    whole = template({}, Conditions={"One": {**nothing, **INCLUDE}, "Other": nothing})
    for id, condition in (("Research", "One"), ("Product", "Other")):
        whole["Resources"][id]["Condition"] = condition
    found = [(one.resource, one.path[1]) for one in judged(whole) if one.rule.id == "CF-04"]
    assert found == [("Product", "Other")]


def test_a_nested_stack_on_a_condition_that_there_is_not() -> None:
    parent = Stack({"Resources": {}, "Conditions": {"IsEast": IS_EAST}}, "top.json", name="Top")
    inner = nest(share("shared"), parent)
    parent.template["Resources"]["Inner"]["Condition"] = "IsEst"
    (one,) = judge_stacks([parent, inner])
    assert (one.rule.id, one.resource, one.path) == ("CF-04", "Inner", ("Condition",))
    assert one.fix == "Did you mean 'IsEast'?"
    parent.template["Resources"]["Inner"]["Condition"] = "IsEast"
    parent.template["Conditions"]["IsEast"] = {"Condition": "Nope"}
    (one,) = judge_stacks([parent, inner])
    assert (one.resource, one.path) == ("Inner", ("Conditions", "IsEast", "Condition"))


# -- outputs of what is not there

CONDITIONS = {
    "IsEast": IS_EAST,
    "IsNot": {"Fn::Not": [{"Condition": "IsEast"}]},
    "IsBoth": {"Fn::And": [{"Condition": "IsEast"}, {"Fn::Equals": [{"Ref": "Stage"}, "x"]}]},
    "Always": {"Fn::Equals": ["a", "a"]},
}
ARN = {"Ref": "Product"}


@pytest.mark.parametrize(
    ("output", "path", "when"),
    [
        ({"Value": ARN}, ("Value",), "IsEast is false"),
        ({"Value": sub("${Product.QuotaShareArn}")}, ("Value",), "IsEast is false"),
        ({"Value": ARN, "Condition": "IsNot"}, ("Value",), "IsNot is true"),
        ({"Value": ARN, "Condition": "Always"}, ("Value",), "IsEast is false"),
        ({"Value": "x", "Export": {"Name": ARN}}, ("Export", "Name"), "IsEast is false"),
        (
            {"Value": {"Fn::If": ["IsEast", "x", ARN]}},
            ("Value", "Fn::If", 2),
            "IsEast is false",
        ),
        ({"Value": ARN, "Condition": "IsEast"}, None, ""),
        ({"Value": ARN, "Condition": "IsBoth"}, None, ""),
        ({"Value": {"Fn::If": ["IsEast", ARN, "x"]}}, None, ""),
        ({"Value": {"Fn::If": ["IsNot", "x", ARN]}}, None, ""),
        ({"Value": {"Ref": "Research"}}, None, ""),
        # It is none of the four types.
        ({"Value": {"Ref": "Bucket"}}, None, ""),
        ({"Value": ARN, **INCLUDE}, None, ""),
    ],
    ids=str,
)
def test_an_output_of_what_is_there_on_a_condition(output: Any, path: Any, when: str) -> None:
    bucket = {"Type": "AWS::S3::Bucket", "Condition": "IsEast"}
    sections: Body = {"Conditions": CONDITIONS, "Parameters": {"Stage": {"Type": "String"}}}
    whole = template({"Bucket": bucket}, Outputs={"Out": output}, **sections)
    whole["Resources"]["Product"]["Condition"] = "IsEast"
    whole["Resources"]["Research"]["Properties"]["ResourceSharingConfiguration"] = {
        "Strategy": "RESERVE"
    }
    problem = "The resource Product is not there: its condition does not hold. This is so when"
    fix = "Give both the same condition, or choose by Fn::If."
    expected = [("CF-04", "Product", "Outputs", "Out", *(path or ()), f"{problem} {when}.", fix)]
    assert said(whole) == (expected if path else [])
    # What the rules of the template forbid is not so.
    rule = {"R": {"Assertions": [{"Assert": IS_EAST}]}}
    assert said({**whole, "Rules": rule}) == []
    assert said({**whole, "Transform": "Anybody"}) == []


@pytest.mark.parametrize(
    ("written", "near"),
    [
        ({"Fn::GetAtt": ["Inner", "Outputs.Quee"]}, "Did you mean 'Queue'?"),
        ({"Fn::GetAtt": "Inner.Outputs.Quee"}, "Did you mean 'Queue'?"),
        (sub("${Inner.Outputs.Other}"), "Add it, or name one that is."),
        ({"Fn::GetAtt": ["Inner", "Outputs.Queue"]}, None),
    ],
    ids=str,
)
def test_an_output_that_a_nested_stack_lacks(written: Any, near: str | None) -> None:
    parent = Stack(share(written), "top.json", name="Top")
    body = template()
    body["Outputs"] = {"Queue": {"Value": {"Ref": "Queue"}}}
    inner = nest(body, parent)
    found = [one for one in judge_stacks([parent, inner]) if one.rule.id == "CF-04"]
    assert [(one.file, one.resource, one.fix) for one in found] == (
        [("top.json", "Share", near)] if near else []
    )
    for one in found:
        assert one.message.startswith("The nested stack 'Inner' has no output '")
    for more in ({"Transform": "Anybody"}, {"Outputs": {"Fn::ForEach::O": ["O", [], {}]}}):
        inner = nest({**body, **more}, parent)
        assert [one for one in judge_stacks([parent, inner]) if one.rule.id == "CF-04"] == []


ENVIRONMENT: Body = {**template()["Resources"]["Environment"], "Condition": "IsEast"}
ONLY = {"Resources": {"E": ENVIRONMENT}, "Outputs": {"Out": {"Value": {"Ref": "E"}}}}
EAST = {"Conditions": {"IsEast": IS_EAST}}


def nested_in(*around: Body) -> list[str]:
    """Returns what is said of the output of a stack that others nest, from the outermost."""
    stacks = [Stack(around[0], "0.json", name="Top")]
    for number, one in enumerate([*around[1:], {**ONLY, **EAST}], 1):
        stacks.append(
            Stack(one, f"{number}.json", parent=stacks[-1], parent_resource=f"Nested{number}")
        )
    return [one.message for one in judge_stacks(stacks)]


def nesting(number: int = 1, condition: str | None = None, /, **sections: Any) -> Body:
    body: Body = {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "x"}}
    on = {"Condition": condition} if condition else {}
    return {"Resources": {f"Nested{number}": {**body, **on}}, **sections}


def test_an_output_is_there_where_its_stack_is() -> None:
    west = {"Conditions": {"IsWest": {"Fn::Not": [IS_EAST]}}}
    rule = {"Rules": {"R": {"Assertions": [{"Assert": IS_EAST}]}}}
    assert len(nested_in(nesting())) == 1
    assert nested_in(nesting(1, "IsEast", **EAST)) == []
    assert len(nested_in(nesting(1, "IsWest", **west))) == 1
    # As far out as there is any.
    assert nested_in(nesting(1, "IsEast", **EAST), nesting(2)) == []
    assert len(nested_in(nesting(), nesting(2))) == 1
    assert nested_in(nesting(**rule)) == []
    assert nested_in(nesting(), nesting(2, **rule)) == []


def test_what_an_output_names_twice_is_told_once() -> None:
    twice = [ARN, {"Fn::GetAtt": ["Product", "QuotaShareArn"]}]
    other = {"Fn::If": ["IsProd", ARN, "x"]}
    conditions = {**CONDITIONS, "IsProd": {"Fn::Equals": [{"Ref": "AWS::StackName"}, "prod"]}}
    for parts, paths in ((twice, [0]), ([*twice, other], [0, 2])):
        whole = template({}, Conditions=conditions, Outputs={"Out": {"Value": join(*parts)}})
        whole["Resources"]["Product"]["Condition"] = "IsEast"
        found = [one.path[5] for one in judged(whole) if one.path[0] == "Outputs"]
        assert found == paths


MAPS: Body = {"Mappings": {"M": {"us-east-1": {"dev": 4}, "us-west-2": {"dev": 4, "prod": 8}}}}
STAGE: Body = {"Parameters": {"Stage": {"Type": "String", "AllowedValues": ["dev", "prod"]}}}
FEW: Body = {"Fn::Or": [IS_EAST, {"Fn::Equals": [REGION, "us-west-2"]}]}


def looked_up(region: Any = REGION, stage: Any = "dev", *rest: Any) -> Body:
    return {"Fn::FindInMap": ["M", region, stage, *rest]}


@pytest.mark.parametrize(
    ("lookup", "is_refused"),
    [
        (looked_up(), True),
        (looked_up("us-east-1"), False),
        (looked_up(REGION, {"Ref": "Stage"}), True),
        # There is a stage for which it finds something.
        (looked_up("us-east-1", {"Ref": "Stage"}), False),
        (looked_up(REGION, "dev", {"DefaultValue": 1}), False),
        ({"Fn::If": ["IsFew", looked_up(), 1]}, False),
        ({"Fn::If": ["IsFew", 1, looked_up()]}, True),
        ({"Fn::If": ["Nope", looked_up(), 1]}, False),
        (looked_up({"Fn::If": ["IsFew", "us-east-1", "eu-west-1"]}), True),
        (looked_up({"Fn::If": ["IsFew", "us-east-1", "us-west-2"]}), False),
    ],
    ids=str,
)
@pytest.mark.parametrize("place", ["the output", "another output", "one of ours", "another"])
def test_where_a_lookup_finds_nothing_there_is_no_stack(
    lookup: Any, is_refused: bool, place: str
) -> None:
    def found(**more: Any) -> bool:
        bodies: Body = {"E": {**ENVIRONMENT, "Condition": "IsFew"}, "Policy": queue["Policy"]}
        outputs: Body = {"Out": {"Value": {"Ref": "E"}}}
        if place == "the output":
            outputs["Out"]["Export"] = {"Name": sub("${A}", A=lookup)}
        elif place == "another output":
            outputs["Other"] = {"Value": lookup, **more}
        elif place == "one of ours":
            bodies["Policy"] = {**bodies["Policy"], **more}
            bodies["Policy"]["Properties"] = {"Name": sub("p-${A}", A=lookup)}
        else:
            properties = {"QueueName": lookup}
            bodies["Other"] = {"Type": "AWS::SQS::Queue", "Properties": properties, **more}
        whole = {"Resources": bodies, "Outputs": outputs, "Conditions": {"IsFew": FEW}}
        told = [one for one in judged({**whole, **MAPS, **STAGE}) if one.path[0] == "Outputs"]
        return ("CF-04", "E") in [
            (one.rule.id, one.resource) for one in told if "is not there" in one.message
        ]

    queue = template()["Resources"]
    assert found() is not is_refused
    # Where what looks it up is not there either, nothing is refused.
    if place != "the output":
        assert found(Condition="IsFew")


def test_a_queue_is_not_judged_where_another_looks_up_what_there_is_not() -> None:
    spare = {**ENVIRONMENT, "Condition": "Always"}
    spare["Properties"] = {**spare["Properties"], "ServiceEnvironmentName": looked_up()}
    conditions: Body = {"IsFew": FEW, "Always": {"Fn::Equals": ["a", "a"]}}
    for changes, rules in (({}, ["CF-04"]), ({"Spare": spare}, [])):
        whole = template(changes, Conditions=conditions, **MAPS)
        whole["Resources"]["Environment"]["Condition"] = "IsFew"
        found = rules_of(judged(whole))
        assert found == [(rule, "Queue") for rule in rules]


@pytest.mark.parametrize(
    ("there", "told", "is_found"),
    [
        # The Region tells the partition, and so do its alternatives.
        ({"Ref": "AWS::Partition"}, ("aws", REGION, "us-east-1"), False),
        ({"Ref": "AWS::Partition"}, ("aws", REGION, "cn-north-1"), True),
        # Only the output compares this parameter.
        ({"Ref": "Stage"}, ("dev", {"Ref": "Make"}, "yes"), True),
        ({"Ref": "Make"}, ("yes", {"Ref": "Make"}, "yes"), False),
        ({"Ref": "Make"}, ("no", {"Ref": "Make"}, "yes"), True),
    ],
    ids=str,
)
def test_what_only_an_output_compares_makes_a_difference(
    there: Any, told: tuple[Any, ...], is_found: bool
) -> None:
    is_one, node, text = told
    conditions = {"A": {"Fn::Equals": [there, is_one]}, "B": {"Fn::Equals": [node, text]}}
    parameters = {"Make": {"Type": "String", "Default": "none"}, **STAGE["Parameters"]}
    outputs = {"Out": {"Value": {"Ref": "E"}, "Condition": "B"}}
    resources = {"E": {**ENVIRONMENT, "Condition": "A"}}
    whole = {"Resources": resources, "Conditions": conditions, "Parameters": parameters}
    assert bool(judged({**whole, "Outputs": outputs})) is is_found


def test_what_one_text_asks_for_twice_is_told_once() -> None:
    twice = {"Fn::Sub": "${Nope}-${Nope}"}
    conditions = {"C": {"Fn::Equals": [twice, "a"]}}
    outputs = {"O": {"Value": twice}}
    whole = template({}, Conditions=conditions, Outputs=outputs)
    whole["Resources"]["Product"]["Condition"] = "C"
    found = [one.path for one in judge_stacks([Stack(whole, "a.json")]) if "Nope" in one.message]
    assert sorted(found) == [("Conditions", "C", "Fn::Equals", 0), ("Outputs", "O", "Value")]
