"""What conditions, parameters, maps and rules of a template can be at the same time."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.cli.main import main
from qm_constructs.rules import SOUND
from qm_constructs.template import judge
from qm_constructs.template.check import check
from qm_constructs.template.explored import Explored
from qm_constructs.template.judge import judge_stacks, judgement
from qm_constructs.template.parameters import OTHER, possible_values
from qm_constructs.template.plans import Group
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import Universe

Properties = dict[str, Any]
TEXT = {"Type": "String"}
STAGE = {"Type": "String", "AllowedValues": ["dev", "prod"]}


def ref(name: str) -> Properties:
    return {"Ref": name}


def sub(text: str, **values: Any) -> Properties:
    return {"Fn::Sub": [text, values] if values else text}


def join(*parts: Any, by: str = "") -> Properties:
    return {"Fn::Join": [by, [*parts]]}


def equals(one: Any, other: Any) -> Properties:
    return {"Fn::Equals": [one, other]}


def no(condition: Any) -> Properties:
    return {"Fn::Not": [condition]}


def in_map(*keys: Any) -> Properties:
    return {"Fn::FindInMap": ["M", *keys]}


def sound(**sections: Any) -> Properties:
    return {**copy.deepcopy(SOUND), **sections}


def may_both_be(one: Any, other: Any, **sections: Any) -> bool:
    """Tells whether two shares of one name are found to be there at once, one a condition."""
    whole = sound(Conditions={"One": one, "Other": other}, **sections)
    for id, condition in (("Research", "One"), ("Product", "Other")):
        whole["Resources"][id]["Condition"] = condition
        whole["Resources"][id]["Properties"]["QuotaShareName"] = "team"
        whole["Resources"][id]["Properties"]["ResourceSharingConfiguration"] = {"Strategy": "LEND"}
    found = judge_stacks([Stack(whole, "a.json")])
    assert {one.rule.id for one in found} <= {"QS-03"}
    return bool(found)


LATER, ANOTHER = ({"Fn::Sub": f"{{{{resolve:ssm:{name}}}}}/x"} for name in "ab")
PROD = equals(ref("Stage"), "prod")
REGION = ref("AWS::Region")
TWO = {"Stage": STAGE, "Place": TEXT}


@pytest.mark.parametrize(
    ("one", "other", "parameters", "both"),
    [
        (equals(sub("${Stage}/us"), "dev/us"), PROD, TWO, False),
        (equals(sub("${Stage}/us"), "prod/us"), PROD, TWO, True),
        (equals(sub("${Stage}/${Place}"), "dev/us"), PROD, TWO, False),
        (equals(sub("${Stage}/${Place}"), "prod/us"), PROD, TWO, True),
        (equals("dev/us", sub("${S}/${Place}", S=ref("Stage"))), PROD, TWO, False),
        (equals(sub("${S}/${Place}", S="dev"), "prod/us"), PROD, TWO, False),
        (equals(join(ref("Stage"), ref("Place"), by="/"), "dev/us"), PROD, TWO, False),
        (equals(join(ref("Stage"), ref("Place"), by="/"), "prod/us"), PROD, TWO, True),
        (equals(join(ref("Stage"), "-", 1), "dev-1"), PROD, TWO, False),
        (equals(sub("${Stage}/${AWS::Region}"), "dev/eu-west-1"), PROD, TWO, False),
        (equals(sub("${A}${B}"), ""), no(equals(ref("A"), "")), {"A": TEXT, "B": TEXT}, False),
        (equals(sub("${A}${B}"), "x"), equals(ref("A"), ""), {"A": TEXT, "B": TEXT}, True),
        (equals(sub("${A}${A}"), "xx"), equals(ref("A"), "y"), {"A": TEXT}, False),
        (equals(sub("${A}${A}"), "xy"), equals(ref("A"), "x"), {"A": TEXT}, False),
        (equals(sub("${A}-${B}"), sub("${B}-x")), equals(ref("A"), "x"), {"A": TEXT, "B": TEXT}, 1),
        # What is told by nothing may be.
        (equals(LATER, "y/x"), equals(LATER, "z/x"), {}, False),
        (equals(LATER, "y/x"), equals(ANOTHER, "z/x"), {}, True),
        # A Region and an account are what they look like.
        (
            equals(sub("${Stage}-${AWS::Region}"), "prod-us-east-1"),
            no(equals(REGION, "us-east-1")),
            {"Stage": TEXT},
            False,
        ),
        (
            equals(sub("${AWS::Region}-${A}"), "us-east-1-prod"),
            equals(REGION, "us-east-1"),
            {"A": TEXT},
            True,
        ),
        (
            equals(sub("${AWS::AccountId}-${AWS::Region}"), "111122223333-us-east-1"),
            no(equals(REGION, "us-east-1")),
            {},
            False,
        ),
        (equals(sub("${AWS::AccountId}-x"), "12-x"), equals(REGION, "us-east-1"), {}, False),
        (equals(REGION, "zed"), equals(ref("A"), "x"), {"A": TEXT}, False),
        # The partition is that of the Region.
        (equals(ref("AWS::Partition"), "aws-cn"), equals(REGION, "eu-west-1"), {}, False),
        (equals(ref("AWS::Partition"), "aws-cn"), equals(REGION, "cn-north-1"), {}, True),
    ],
)
def test_a_text_is_put_together_of_its_parts(
    one: Any, other: Any, parameters: Properties, both: bool
) -> None:
    assert may_both_be(one, other, Parameters=parameters) is bool(both)


TEAMS = {"Teams": {"Type": "CommaDelimitedList", "Default": "a,b"}}


@pytest.mark.parametrize(
    ("condition", "both"),
    [
        (equals({"Fn::Select": [0, ref("Teams")]}, "a"), True),
        (equals({"Fn::Select": [0, ref("Teams")]}, "c"), True),
        (equals({"Fn::Join": ["", ref("Teams")]}, ""), True),
        (equals({"Fn::Select": [0, ["a", "b"]]}, "c"), False),
    ],
)
def test_a_list_may_be_another_than_its_default(condition: Any, both: bool) -> None:
    always = equals("a", "a")
    assert may_both_be(condition, always, Parameters=TEAMS) is both
    assert may_both_be(no(condition), always, Parameters=TEAMS) is True


@pytest.mark.parametrize(
    ("declared", "joined", "first", "both", "without"),
    [
        ({}, (",", "a,b"), "a", True, False),
        ({}, ("/", "a/b"), "a", True, False),
        ({}, ("-", "a-b"), "b", False, True),
        ({"Default": "a,b"}, ("-", "a-b"), "b", False, True),
        ({"Default": "x"}, (",", "a,b"), "b", False, True),
        ({"Default": ""}, (",", "a,b"), "b", False, True),
        # It may be two entries too, which is not tried.
        ({}, ("", "ab"), "ab", True, False),
        ({}, ("", ""), "a", False, True),
        ({"Default": "c", "AllowedValues": ["b", "c"]}, (",", "b,c"), "b", True, False),
        ({"Default": "c", "AllowedValues": ["b", "c"]}, (",", "a,b"), "c", False, False),
    ],
)
def test_what_a_list_is_joined_tells_its_entries(
    declared: Properties, joined: tuple[str, str], first: str, both: bool, without: bool
) -> None:
    parameters = {"Teams": {"Type": "CommaDelimitedList", **declared}}
    is_joined = equals({"Fn::Join": [joined[0], ref("Teams")]}, joined[1])
    is_first = equals({"Fn::Select": [0, ref("Teams")]}, first)
    assert may_both_be(is_joined, is_first, Parameters=parameters) is both
    assert may_both_be(is_joined, no(is_first), Parameters=parameters) is without
    assert may_both_be(no(is_joined), is_first, Parameters=parameters) is True


def test_a_parameter_is_no_text_that_it_may_not_be() -> None:
    stage = {"Stage": {"Type": "String", "AllowedPattern": "[a-c]"}}
    for text, both in (("b", True), ("z", False)):
        is_it = equals(ref("Stage"), text)
        assert may_both_be(is_it, no(equals(ref("Stage"), "a")), Parameters=stage) is both


MAP = {"M": {"us-east-1": {"f": "yes"}, "us-west-2": {"f": "no"}}}


@pytest.mark.parametrize(
    ("one", "other", "mappings", "both"),
    [
        # In a Region that the map lacks nothing can be deployed.
        (no(equals(in_map(REGION, "f"), "yes")), no(equals(REGION, "us-west-2")), MAP, False),
        (no(equals(in_map(REGION, "f"), "no")), no(equals(REGION, "us-west-2")), MAP, True),
        (
            no(equals(in_map(REGION, "f", {"DefaultValue": "?"}), "yes")),
            no(equals(REGION, "us-west-2")),
            MAP,
            True,
        ),
        # What a macro adds to a map is not known.
        (
            no(equals(in_map(REGION, "f"), "yes")),
            no(equals(REGION, "us-west-2")),
            {"M": {**MAP["M"], "Fn::Transform": {"Name": "AWS::Include"}}},
            True,
        ),
        # Where every way is refused, that is no reason to be silent.
        (equals(in_map(["a"], "f"), "yes"), equals(REGION, "us-west-2"), MAP, True),
    ],
)
def test_a_key_that_a_map_lacks_cannot_be(
    one: Any, other: Any, mappings: Properties, both: bool
) -> None:
    assert may_both_be(one, other, Mappings=mappings) is both


def rule(*assertions: Any, when: Any = None) -> Properties:
    condition = {} if when is None else {"RuleCondition": when}
    return {"R": {**condition, "Assertions": [{"Assert": one} for one in assertions]}}


DEV_PLACE = equals(ref("Place"), "us")


@pytest.mark.parametrize(
    ("rules", "both"),
    [
        ({}, True),
        (rule(no(PROD)), False),
        (rule(PROD), True),
        (rule(PROD, no(DEV_PLACE)), False),
        (rule(no(DEV_PLACE), when=PROD), False),
        (rule(no(DEV_PLACE), when=no(PROD)), True),
        (rule({"Fn::Contains": [["dev", "test"], ref("Stage")]}), False),
        (rule({"Fn::Contains": [["dev", "prod"], ref("Stage")]}), True),
        (rule({"Fn::And": [PROD, no(DEV_PLACE)]}), False),
        ({**rule(no(PROD)), "Open": rule(equals(ref("Unheard"), "x"))["R"]}, False),
        # What nothing tells is taken to hold.
        (rule(equals(ref("Unheard"), "x")), True),
        (rule({"Fn::EachMemberIn": [["dev"], ["prod"]]}), True),
        (rule({"Fn::Contains": ["dev", ref("Stage")]}), True),
        ({"R": "no rule"}, True),
        ({"R": {"Assertions": "none"}}, True),
        ({"R": {"Assertions": ["none"]}}, True),
        ({"R": {"Assertions": 5}}, True),
        # All assertions together leave one value only.
        (
            rule({"Fn::Contains": [["dev", "prod"], ref("Place")]}, no(equals(ref("Place"), "us"))),
            False,
        ),
        (rule({"Fn::EachMemberIn": [[ref("Stage")], ["dev", "test"]]}), False),
        (rule({"Fn::EachMemberIn": [[ref("Stage")], ["dev", "prod"]]}), True),
    ],
)
def test_what_the_rules_of_the_template_forbid_cannot_be(rules: Properties, both: bool) -> None:
    parameters = {**TWO, "Unheard": {"Type": "String", "AllowedValues": ["y", "z"]}}
    assert may_both_be(PROD, DEV_PLACE, Parameters=parameters, Rules=rules) is both


@pytest.mark.parametrize(
    ("parameter", "compared", "values"),
    [
        ({"Type": "String", "Default": "x", "AllowedPattern": "[a-c]+"}, [], [OTHER]),
        ({"Type": "String", "Default": "abc", "AllowedPattern": "[a-c]+"}, [], ["abc"]),
        ({"Type": "String", "Default": "abcd", "AllowedPattern": "[a-c]+"}, [], [OTHER]),
        ({"Type": "String", "Default": "", "MinLength": 1}, [], [OTHER]),
        ({"Type": "String", "Default": "a", "MinLength": "1", "MaxLength": 1}, [], ["a"]),
        ({"Type": "String", "Default": "ab", "MaxLength": "1"}, [], [OTHER]),
        ({"Type": "String", "MinLength": 1}, ["", "a"], ["a", OTHER]),
        ({"Type": "String", "Default": "c", "AllowedValues": ["a", "b"]}, [], [OTHER, "a", "b"]),
        ({"Type": "Number", "Default": 0, "MinValue": 1}, [], [OTHER]),
        ({"Type": "Number", "Default": 1, "MinValue": 1, "MaxValue": 1}, [], ["1"]),
        ({"Type": "Number", "Default": 2, "MaxValue": "1"}, [], [OTHER]),
        ({"Type": "Number", "Default": -1, "MinValue": 0}, [], [OTHER]),
        ({"Type": "Number"}, ["x", "2"], ["2", OTHER]),
        ({"Type": "Number", "AllowedValues": [2, 1, 3], "MaxValue": 2}, [], [OTHER, "2", "1"]),
        # Where nothing is left, anything may be.
        (
            {"Type": "String", "AllowedValues": ["Dev"], "AllowedPattern": "[a-z]+"},
            ["Dev"],
            [OTHER],
        ),
        # A bound of the other kind says nothing.
        ({"Type": "String", "Default": "0", "MinValue": 1}, [], ["0"]),
        ({"Type": "String", "Default": "x", "MinLength": "one"}, [], ["x"]),
        # Java's patterns are not all Python's, and some would take for ever.
        ({"Type": "String", "Default": "x", "AllowedPattern": "[[:alpha:"}, [], ["x"]),
        ({"Type": "String", "Default": "x" * 60, "AllowedPattern": "(x+)+y"}, [], ["x" * 60]),
        ({"Type": "String", "Default": "x" * 99, "AllowedPattern": "x*x*x*x*y"}, [], ["x" * 99]),
        ({"Type": "String", "Default": "x" * 300, "AllowedPattern": "y"}, [], ["x" * 300]),
        ({"Type": "String", "Default": "x" * 256, "AllowedPattern": "y"}, [], [OTHER]),
        ({"Type": "String", "Default": "x", "AllowedPattern": "x*x*x*y"}, [], [OTHER]),
        ({"Type": "String", "Default": "x", "AllowedPattern": 3}, [], ["x"]),
    ],
)
def test_what_cloudformation_does_not_take_is_no_value(
    parameter: Properties, compared: list[str], values: list[Any]
) -> None:
    assert possible_values(parameter, compared)[0] == values


# -- when it is so


def said(changes: Properties, **sections: Any) -> list[str]:
    whole = sound(**sections)
    for id, properties in changes.items():
        whole["Resources"][id]["Properties"].update(properties)
    return [
        found.message.split("This is so", 1)[1].split(".")[0].strip()
        if "This is so" in found.message
        else ""
        for found in judge_stacks([Stack(whole, "a.json")])
    ]


def units(count: Any) -> Properties:
    return {"CapacityLimits": [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": count}]}


def either(condition: str, one: Any, other: Any) -> Properties:
    return {"Fn::If": [condition, one, other]}


C_AND_D = {name: equals(ref(f"Is{name}"), "yes") for name in "CDE"}
IS = {f"Is{name}": TEXT for name in "CDE"}


@pytest.mark.parametrize(
    ("count", "when"),
    [
        (0, [""]),
        (either("C", 0, 1), ["when C is true"]),
        (either("C", 1, 0), ["when C is false"]),
        (either("C", 0, 0), ["when C is true", "when C is false"]),
        (either("C", either("D", 0, 1), 1), ["when C is true and D is true"]),
        (either("C", 1, either("D", 1, 0)), ["when C is false and D is false"]),
        # The others are of no consequence, though they were asked for.
        (either("C", either("D", 1, 1), 0), ["when C is false"]),
    ],
)
def test_it_is_said_under_which_conditions(count: Any, when: list[str]) -> None:
    tags = {"Tags": {"t": either("E", "a", "b")}}
    changes = {"Product": units(count), "Queue": tags}
    assert said(changes, Conditions=C_AND_D, Parameters=IS) == when


@pytest.mark.parametrize(
    ("parameter", "when"),
    [
        ({"Default": 4, "AllowedValues": [4, 0]}, "when N is '0'"),
        ({"Default": 0, "AllowedValues": [4, 0]}, "when N is '0'"),
        ({"Default": 0}, ""),
        ({"Default": 4, "AllowedValues": [4, 0, -1]}, ", for example, when N is '0'"),
        ({"AllowedValues": [4, 0, 2]}, "when N is '0'"),
    ],
)
def test_it_is_said_with_which_value_of_a_parameter(parameter: Properties, when: str) -> None:
    parameters = {"N": {"Type": "Number", **parameter}}
    assert said({"Product": units(ref("N"))}, Parameters=parameters) == [when]


def test_two_causes_are_told_by_an_example() -> None:
    changes = {
        "Environment": units(either("C", 5, either("D", 5, 16))),
        "Research": units(2),
    }
    when = said(changes, Conditions=C_AND_D, Parameters=IS)
    # The sum is too much for the environment in two places, the share's limit in one.
    assert when == [
        "when C is true",
        "when C is false and D is true",
        ", for example, when C is true",
    ]


# -- more than can be looked at


def many(number: int) -> Properties:
    """Returns a template of so many conditions, in which only three at once do harm."""
    whole = sound(
        Conditions={f"C{n}": equals(ref(f"P{n}"), "yes") for n in range(number)},
        Parameters={f"P{n}": TEXT for n in range(number)},
    )
    count = either("C0", 1, either("C1", 1, either("C2", 1, 0)))
    whole["Resources"]["Product"]["Properties"].update(units(count))
    tags = {f"t{n}": either(f"C{n}", "a", "b") for n in range(3, number)}
    whole["Resources"]["Policy"]["Properties"]["Tags"] = tags
    return whole


@pytest.mark.parametrize(("number", "whole"), [(9, True), (12, False), (40, False)])
def test_a_fault_of_one_resource_is_found_among_many_combinations(number: int, whole: bool) -> None:
    judged = judgement([Stack(many(number), "a.json")])
    [found] = judged.findings
    assert (found.rule.id, found.resource) == ("QS-05", "Product")
    assert "This is so when C0 is false and C1 is false and C2 is false." in found.message
    assert [(note.file, note.resource) for note in judged.notes] == (
        [] if whole else [("a.json", "Queue")]
    )


def test_a_fault_between_a_share_and_its_environment_is_found_too() -> None:
    whole = many(14)
    whole["Resources"]["Product"]["Properties"].update(units(6))
    whole["Resources"]["Product"]["Properties"]["CapacityLimits"][0]["CapacityUnit"] = either(
        "C0", "ml.p5.48xlarge", either("C1", "ml.p5.48xlarge", "ml.g5.xlarge")
    )
    whole["Resources"]["Environment"]["Properties"]["CapacityLimits"].append(
        either("C2", {"CapacityUnit": "ml.g5.xlarge", "MaxCapacity": 6}, ref("AWS::NoValue"))
    )
    found = judge_stacks([Stack(whole, "a.json")])
    assert ("XR-01", "Product") in {(one.rule.id, one.resource) for one in found}


def test_many_values_of_many_parameters_are_cut_off() -> None:
    names = [f"P{n}" for n in range(30)]
    parameters = {
        n: {"Type": "String", "AllowedValues": [f"v{i}" for i in range(99)]} for n in names
    }
    whole = sound(Parameters=parameters)
    whole["Resources"]["Queue"]["Properties"]["Tags"] = {name: ref(name) for name in names}
    judged = judgement([Stack(whole, "a.json")])
    assert judged.findings == []
    assert [note.resource for note in judged.notes] == ["Queue"]


def test_many_groups_of_many_combinations_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    def worlds(groups: int) -> list[int]:
        stacks = [Stack(many(12), f"{n}.json", name=f"{n}") for n in range(groups)]
        universe = Universe(stacks)
        monkeypatch.setattr(judge, "Explored", counted)
        taken.clear()
        judge.judgement(stacks)
        assert len(universe.members) == 5 * groups
        return [number // 5 for number in taken]

    taken: list[int] = []

    class counted(Explored):  # noqa: N801
        def groups(self) -> Iterator[Group]:
            yield from super().groups()
            taken.append(self.judged)

    alone, many_groups = worlds(1), worlds(60)
    assert alone[0] > 1_000  # its own thousand, and then each single change
    assert all(128 < number < 400 for number in many_groups)


# -- notes


FORMATS = ["text", "json", "github", "sarif"]


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_shows_what_was_not_judged_in_full(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(many(12)))
    assert main(["check", "--format", form, str(path)]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "too many combinations: not all of them were judged." in out
    assert ("note" if form != "github" else "::notice::") in out


@pytest.mark.parametrize("given", ["XR-2", "xr_02", 3, ["XR-02", "nonsense"]])
def test_a_waiver_that_names_no_rule_is_noted(given: Any, tmp_path: Path) -> None:
    whole = sound()
    whole["Resources"]["Product"]["Metadata"] = {"qm-constructs": {"ignore": given}}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(whole))
    report = check([str(path)], io.BytesIO())
    [note] = report.notes
    wrong = given[1] if isinstance(given, list) else given
    assert note.message == (
        f"The Metadata of Product ignores {wrong!r}, which is no rule; all rules are listed by: "
        "qm-constructs rules"
    )
    assert (note.file, note.resource) == (str(path), "Product")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (None, "an empty value"),
        ("", "an empty value"),
        ({}, "an empty value"),
        (["XR-02", None], "an empty value"),
        ({"a": "b" * 51}, '{"a": "' + "b" * 51 + '"}'),
        ({"a": "b" * 52}, '{"a": "' + "b" * 52 + '"...'),
        (True, "true"),
        (0, "0"),
        ({"XR-02": None}, '{"XR-02": null}'),
        ([["XR-02"]], '["XR-02"]'),
        ([["x" * 99]], f'["{"x" * 58}...'),
    ],
    ids=str,
)
def test_a_waiver_that_is_no_text_is_shown_as_a_template_has_it(
    given: Any, told: str, tmp_path: Path
) -> None:
    whole = sound()
    whole["Resources"]["Product"]["Metadata"] = {"qm-constructs": {"ignore": given}}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(whole))
    [note] = check([str(path)], io.BytesIO()).notes
    assert note.message.startswith(f"The Metadata of Product ignores {told}, which is no rule;")


def test_the_notes_of_all_templates_are_told(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.json", "b.json")]
    for path in paths:
        whole = many(12)
        whole["Resources"]["Odd"] = "no resource"
        path.write_text(json.dumps(whole))
    notes = check([str(path) for path in paths], io.BytesIO()).notes
    assert [note.file for note in notes] == [str(path) for path in paths]


def test_a_waiver_of_a_rule_is_not_noted(tmp_path: Path) -> None:
    whole = sound()
    given = ["XR-02", "xr-02", "qm-constructs::XR-02"]
    whole["Resources"]["Product"]["Metadata"] = {"qm-constructs": {"ignore": given}}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(whole))
    assert check([str(path)], io.BytesIO()).notes == []


@pytest.mark.parametrize("length", [60, 3_000])
def test_conditions_that_name_one_another_in_a_long_row_have_an_end(length: int) -> None:
    names = [f"C{number}" for number in range(length)]
    row = {
        name: {"Condition": after} for name, after in zip(names, [*names[1:], "Last"], strict=True)
    }
    whole = sound(Conditions={**row, "Last": PROD, "Other": no(PROD)}, Parameters=TWO)
    for id, condition in (("Research", "C0"), ("Product", "Other")):
        whole["Resources"][id]["Condition"] = condition
        whole["Resources"][id]["Properties"]["QuotaShareName"] = "team"
    rules = {one.rule.id for one in judge_stacks([Stack(whole, "a.json")])}
    # Of too long a row it is not known what it comes to.
    assert ("QS-03" in rules) <= (length > 100)


# -- numbers that a parameter without a default allows


def of_two(one: list[Any], other: list[Any]) -> list[str]:
    """Returns what is said of two shares whose limits are parameters, on an environment of 16."""
    whole = copy.deepcopy(SOUND)
    whole["Parameters"] = {
        name: {"Type": "Number", "AllowedValues": allowed}
        for name, allowed in (("One", one), ("Other", other))
    }
    limits = {"Research": "One", "Product": "Other"}
    for id, name in limits.items():
        whole["Resources"][id]["Properties"]["CapacityLimits"] = [
            {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": {"Ref": name}}
        ]
    environment = whole["Resources"]["Environment"]["Properties"]
    environment["CapacityLimits"] = [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 16}]
    found = judge_stacks([Stack(whole, "a.json")])
    assert {one.rule.id for one in found} <= {"XR-02"}
    return [one.message for one in found]


def test_what_is_too_much_with_the_least_of_all_that_is_allowed_is_too_much() -> None:
    (said,) = of_two([12, 8], [12, 10])
    assert said.startswith("The quota shares hold 18 ml.p5.48xlarge together")
    assert "This is so when One is '8' and Other is '10'" in said
    assert of_two([8, 6], [8, 12]) == []  # who gives 12 to one gives little to the other
    assert of_two([8, 4], [8, 4]) == []


@pytest.mark.parametrize(
    ("parameter", "found"),
    [
        ({"MinValue": 17}, ["XR-02", "XR-03"]),
        ({"MinValue": "16.5", "MaxValue": 40}, ["XR-02", "XR-03"]),
        ({"MinValue": 15}, ["XR-02"]),
        ({"MinValue": 14}, []),
        ({"MaxValue": 40}, []),
        ({"MinValue": 17, "Default": 4}, ["XR-02", "XR-03"]),  # its bound forbids the default
        ({"MinValue": 4, "Default": 4}, []),
        ({"MinValue": "one"}, []),
        ({"MinValue": "inf"}, []),
        ({"MinValue": 17, "Type": "String"}, []),
    ],
)
def test_a_parameter_without_a_default_is_its_least_value_or_more(
    parameter: Properties, found: list[str]
) -> None:
    whole = sound(Parameters={"N": {"Type": "Number", **parameter}})
    for id, count in (("Environment", 16), ("Research", 2), ("Product", ref("N"))):
        whole["Resources"][id]["Properties"].update(units(count))
    whole["Resources"]["Research"]["Properties"]["ResourceSharingConfiguration"] = {
        "Strategy": "LEND"
    }
    judged = judge_stacks([Stack(whole, "a.json")])
    assert [one.rule.id for one in judged] == found
    for one in judged[1:]:
        assert one.message.startswith("The share holds 17 or more ml.p5.48xlarge, the whole ")
        assert one.value == '{"Ref": "N"}'
    assert all("This is so" not in one.message for one in judged)


TWO_UNITS = {"Type": "String", "AllowedValues": ["ml.p5.48xlarge", "ml.g5.12xlarge"]}


@pytest.mark.parametrize(
    ("unit", "count", "found"),
    [
        # Whatever is given, it is more than the environment has.
        (TWO_UNITS, {"AllowedValues": [30, 40]}, {"XR-03"}),
        (TWO_UNITS, {"AllowedValues": [4, 40]}, set()),
        # What has a default is set with regard for the others.
        ({**TWO_UNITS, "Default": "ml.p5.48xlarge"}, {"AllowedValues": [4, 40]}, {"XR-03"}),
    ],
)
def test_parameters_without_a_default_are_something_together(
    unit: Properties, count: Properties, found: set[str]
) -> None:
    whole = sound(Parameters={"Unit": unit, "N": {"Type": "Number", **count}})
    limits = [{"CapacityUnit": name, "MaxCapacity": 20} for name in TWO_UNITS["AllowedValues"]]
    whole["Resources"]["Environment"]["Properties"]["CapacityLimits"] = limits
    limit = {"CapacityUnit": ref("Unit"), "MaxCapacity": ref("N")}
    whole["Resources"]["Product"]["Properties"]["CapacityLimits"] = [limit]
    lends = {"ResourceSharingConfiguration": {"Strategy": "LEND"}}
    whole["Resources"]["Research"]["Properties"].update(lends)
    rules = {one.rule.id for one in judge_stacks([Stack(whole, "a.json")])}
    assert rules - {"XR-02"} == found


def test_what_allows_one_value_alone_has_it() -> None:
    only = {"Type": "String", "AllowedValues": ["ml.g5.12xlarge"]}
    other = {"Type": "String", "Default": "LEND", "AllowedValues": ["LEND", "RESERVE"]}
    whole = sound(Parameters={"Unit": only, "How": other})
    product = whole["Resources"]["Product"]["Properties"]
    product["CapacityLimits"][0]["CapacityUnit"] = ref("Unit")
    product["ResourceSharingConfiguration"] = {"Strategy": ref("How")}
    found = {one.rule.id: one.message for one in judge_stacks([Stack(whole, "a.json")])}
    assert "This is so" not in found["XR-01"]


# -- a name in one branch, and a reference in the other

ARN = "arn:${AWS::Partition}:batch:${AWS::Region}:${AWS::AccountId}:"


def with_two_queues(condition: Properties, chosen: Properties) -> Properties:
    """Returns a template of two queues; the share is too large for the first of them."""
    whole = sound(Conditions={"C": condition})
    resources = whole["Resources"]
    for id in ("Policy", "Environment", "Queue"):
        resources[f"{id}2"] = copy.deepcopy(resources[id])
    resources["Queue2"]["Properties"] |= {
        "SchedulingPolicyArn": ref("Policy2"),
        "ServiceEnvironmentOrder": [{"Order": 1, "ServiceEnvironment": ref("Environment2")}],
    }
    resources["Environment2"]["Properties"].update(units(40))
    resources["Environment"]["Properties"]["ServiceEnvironmentName"] = "environment"
    resources["Policy"]["Properties"]["Name"] = "policy"
    resources["Queue"]["Properties"]["JobQueueName"] = "queue"
    del resources["Research"]
    resources["Product"]["DependsOn"] = "Queue"
    resources["Product"]["Properties"].update(units(30))
    for place, value in chosen.items():
        id, name = place.split(".")
        resources[id]["Properties"][name] = value
        resources[id]["DependsOn"] = ["Policy", "Environment"] if id == "Queue2" else ["Queue"]
    return whole


EITHER = equals(ref("AWS::Region"), "us-east-1")
NEVER = equals("a", "b")


@pytest.mark.parametrize(
    ("condition", "chosen", "found"),
    [
        (EITHER, either("C", "queue", ref("Queue2")), ["XR-03"]),
        (EITHER, either("C", sub(f"{ARN}job-queue/queue"), ref("Queue2")), ["XR-03"]),
        (EITHER, either("C", ref("Queue2"), "queue"), ["XR-03"]),
        (NEVER, either("C", ref("Queue2"), "queue"), ["XR-03"]),
        (NEVER, either("C", "queue", ref("Queue2")), []),
        (EITHER, either("C", ref("Queue2"), {"Fn::If": ["C", "a", "queue"]}), ["XR-03"]),
        (EITHER, either("C", "elsewhere", ref("Queue2")), []),
    ],
    ids=str,
)
def test_a_queue_by_name_in_one_branch_and_by_reference_in_the_other(
    condition: Properties, chosen: Properties, found: list[str]
) -> None:
    whole = with_two_queues(condition, {"Product.JobQueue": chosen})
    assert [one.rule.id for one in judge_stacks([Stack(whole, "a.json")])] == found


@pytest.mark.parametrize("condition", [EITHER, NEVER], ids=str)
@pytest.mark.parametrize("place", ["name", "entry", "order"])
def test_an_environment_by_name_in_one_branch_and_by_reference_in_the_other(
    place: str, condition: Properties
) -> None:
    both = "environment", ref("Environment2")
    entries = [{"Order": 1, "ServiceEnvironment": one} for one in both]
    order: Any = {
        "name": [{"Order": 1, "ServiceEnvironment": either("C", *both[::-1])}],
        "entry": [either("C", *entries[::-1])],
        "order": either("C", *([one] for one in entries[::-1])),
    }[place]
    chosen = {"Queue2.ServiceEnvironmentOrder": order, "Product.JobQueue": ref("Queue2")}
    whole = with_two_queues(condition, chosen)
    found = [one.rule.id for one in judge_stacks([Stack(whole, "a.json")])]
    assert set(found) == {"XR-03", "SE-12"}


def test_a_policy_by_arn_in_one_branch_and_by_reference_in_the_other() -> None:
    arn = sub(f"{ARN}scheduling-policy/policy")
    chosen = {
        "Queue2.SchedulingPolicyArn": either("C", arn, ref("Policy2")),
        "Product.JobQueue": ref("Queue2"),
    }
    whole = with_two_queues(EITHER, chosen)
    fair = {"Name": "policy", "FairsharePolicy": {}}
    whole["Resources"]["Policy"]["Properties"] = fair
    found = judge_stacks([Stack(whole, "a.json")])
    assert ("QS-20", "Queue2") in [(one.rule.id, one.resource) for one in found]


@pytest.mark.parametrize("unknown", [{"Fn::RefAll": "String"}, {"Fn::ValueOfAll": ["a", "b"]}])
def test_what_is_not_known_of_a_rule_is_no_entry_of_a_list(unknown: Properties) -> None:
    teams = ref("Teams")
    rules = rule(
        {"Fn::Contains": [teams, "a"]},
        {"Fn::EachMemberIn": [unknown, ["a"]]},
        when={"Fn::EachMemberIn": [teams, ["a", "b"]]},
    )
    whole = sound(Rules=rules, Parameters={"Teams": {"Type": "CommaDelimitedList"}})
    assert judge_stacks([Stack(whole, "a.json")]) == []
