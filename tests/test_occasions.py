"""When a finding is so: what a person must set to meet it, no more and no less."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.judge import judgement
from qm_constructs.template.scope import Scope
from qm_constructs.template.stack import Stack

Properties = dict[str, Any]
ARMS = "ResourceSharingConfiguration"


def equals(one: Any, other: Any) -> Properties:
    return {"Fn::Equals": [one, other]}


def either(condition: str, one: Any, other: Any) -> Properties:
    return {"Fn::If": [condition, one, other]}


def ref(name: str) -> Properties:
    return {"Ref": name}


def units(count: Any) -> Properties:
    return {"CapacityLimits": [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": count}]}


def numbers(*allowed: int, default: int | None = None) -> Properties:
    given = {} if default is None else {"Default": default}
    return {"Type": "Number", "AllowedValues": [*allowed], **given}


def said(environment: Any, product: Any, when: str | None = None, **sections: Any) -> list[str]:
    """Returns when what is found of an environment and a share of it is so, by rule."""
    whole = {**copy.deepcopy(SOUND), **sections}
    resources = whole["Resources"]
    resources["Environment"]["Properties"].update(units(environment))
    resources["Research"]["Properties"].update(units(2), **{ARMS: {"Strategy": "LEND"}})
    resources["Product"]["Properties"].update(units(product), **{ARMS: {"Strategy": "LEND"}})
    if when is not None:
        resources["Product"]["Condition"] = when
    found = judgement([Stack(whole, "a.json")]).findings
    return [f"{one.rule.id}{_when(one.message)}" for one in found]


def _when(message: str) -> str:
    _, _, rest = message.partition("This is so")
    return rest.partition(".")[0]


USE = {"Type": "String", "AllowedValues": ["no", "yes"], "Default": "no"}
SIZE = numbers(4, 8, 16, default=16)
IN_USE = {"InUse": equals(ref("Use"), "yes")}


@pytest.mark.parametrize(
    ("environment", "product", "sections", "expected"),
    [
        # Two values of a parameter beside a condition: one is the example.
        (
            ref("Size"),
            7,
            {"when": "InUse", "Parameters": {"Size": SIZE, "Use": USE}},
            [
                "XR-02, for example, when InUse is true and Size is '4'",
                "XR-03 when InUse is true and Size is '4'",
            ],
        ),
        (
            ref("Size"),
            3,
            {"when": "InUse", "Parameters": {"Size": SIZE, "Use": USE}},
            ["XR-02 when InUse is true and Size is '4'"],
        ),
        # The usual value does harm, and so does another.
        (
            ref("Size"),
            7,
            {"when": "InUse", "Parameters": {"Size": {**SIZE, "Default": 8}, "Use": USE}},
            [
                "XR-02, for example, when InUse is true and Size is '8'",
                "XR-03 when InUse is true and Size is '4'",
            ],
        ),
        # What a condition says need not be said again by the parameter behind it.
        (
            16,
            either("InUse", ref("Size"), 3),
            {"Parameters": {"Size": numbers(4, 8, 32, default=4), "Use": USE}},
            [
                "XR-02 when InUse is true and Size is '32'",
                "XR-03 when InUse is true and Size is '32'",
            ],
        ),
    ],
)
def test_it_is_said_with_the_conditions_and_the_parameters_that_it_takes(
    environment: Any, product: Any, sections: Properties, expected: list[str]
) -> None:
    assert said(environment, product, **{"Conditions": IN_USE, **sections}) == expected


def test_of_conditions_that_are_the_same_the_one_that_the_resource_names_is_said() -> None:
    conditions = {
        **{f"C{n}": {"Fn::Or": [{"Condition": f"C{n + 1}"}] * 2} for n in range(9)},
        "C9": equals(ref("Use"), "yes"),
    }
    for name in ("C0", "C4", "C9"):
        when = said(
            16, either(name, 32, 4), Conditions=conditions, Parameters={"Use": {"Type": "String"}}
        )
        assert when == [f"XR-02 when {name} is true", f"XR-03 when {name} is true"]


def test_of_two_conditions_that_are_the_same_each_resource_has_its_own() -> None:
    whole = copy.deepcopy(SOUND)
    whole |= {
        "Conditions": {"A": IN_USE["InUse"], "B": IN_USE["InUse"]},
        "Parameters": {"Use": USE},
    }
    for id, name, condition in (("Research", "a b", "A"), ("Product", "c d", "B")):
        whole["Resources"][id]["Properties"]["QuotaShareName"] = either(condition, name, id)
    found = judgement([Stack(whole, "a.json")]).findings
    expected = [("QS-02", "Research", " when A is true"), ("QS-02", "Product", " when B is true")]
    assert [(one.rule.id, one.resource, _when(one.message)) for one in found] == expected


REGION = ref("AWS::Region")


def in_region(region: Any, *allowed: str) -> Properties:
    """Returns a rule of a template: in a Region the size is one of a few."""
    return {
        "RuleCondition": region,
        "Assertions": [{"Assert": {"Fn::Contains": [[*allowed], ref("Size")]}}],
    }


@pytest.mark.parametrize(
    ("rules", "when"),
    [
        ([], "Size is '32'"),
        ([in_region(equals(REGION, "us-east-1"), "4")], "{} is not 'us-east-1' and Size is '32'"),
        ([in_region(equals(REGION, "us-east-1"), "32")], "Size is '32'"),
        (
            [in_region({"Fn::Not": [equals(REGION, "us-east-1")]}, "4")],
            "{} is 'us-east-1' and Size is '32'",
        ),
        (
            [in_region(equals(REGION, place), "4") for place in ("us-east-1", "eu-west-1")],
            "{} is neither 'eu-west-1' nor 'us-east-1' and Size is '32'",
        ),
        (
            [in_region(equals(REGION, f"us-west-{n}"), "4") for n in range(5)],
            "{} is none of 'us-west-0', 'us-west-1', 'us-west-2' and so on and Size is '32'",
        ),
        # What a rule asks for in any case tells nothing of this.
        ([{"Assertions": [{"Assert": equals(REGION, "us-east-1")}]}], "Size is '32'"),
    ],
)
def test_what_the_rules_of_the_template_leave_is_said(rules: list[Any], when: str) -> None:
    named = {f"R{number}": rule for number, rule in enumerate(rules)}
    found = said(16, ref("Size"), Parameters={"Size": numbers(4, 32, default=4)}, Rules=named)
    expected = when.format("AWS::Region")
    assert found == [f"XR-02 when {expected}", f"XR-03 when {expected}"]


STAGE = {"Type": "String", "AllowedValues": ["prod", "dev"]}
STAGE_IS_PROD = equals(ref("Stage"), "prod")


@pytest.mark.parametrize(
    ("rule", "when"),
    [
        (in_region(STAGE_IS_PROD, "4"), "Size is '32' and Stage is 'dev'"),
        (
            in_region(equals(REGION, "us-east-1"), "4"),
            "AWS::Region is not 'us-east-1' and Size is '32'",
        ),
        ({"Assertions": [{"Assert": equals(REGION, "us-east-1")}]}, "Size is '32'"),
    ],
)
def test_what_the_rules_of_the_template_leave_is_in_an_example_too(
    rule: Properties, when: str
) -> None:
    parameters = {"Size": numbers(4, 32, 64, default=4), "Stage": STAGE}
    found = said(16, ref("Size"), Parameters=parameters, Rules={"R": rule})
    assert found == [f"XR-02, for example, when {when}", f"XR-03, for example, when {when}"]


# -- what many rules of a template cost


def of_many_rules(number: int) -> Properties:
    """Returns a template of so many parameters, each of which hangs on two others by a rule."""
    whole = copy.deepcopy(SOUND)
    names = [f"P{n}" for n in range(number)]
    whole["Parameters"] = {name: numbers(1, 2, 3, default=1) for name in names}
    whole["Rules"] = {
        f"R{n}": {
            "RuleCondition": equals(ref(names[n]), "3"),
            "Assertions": [
                {
                    "Assert": {
                        "Fn::Or": [
                            equals(ref(names[(n + 1) % number]), "1"),
                            equals(ref(names[(n + 7) % number]), "2"),
                        ]
                    }
                }
            ],
        }
        for n in range(number)
    }
    share = whole["Resources"]["Product"]
    for n in range(min(number, 18)):
        one = copy.deepcopy(share)
        one["Properties"].update(units(ref(names[n])), QuotaShareName=f"s{n}")
        whole["Resources"][f"S{n}"] = one
    whole["Resources"]["Environment"]["Properties"].update(units(100))
    return whole


def noting_rules(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns the names of rules, which grow with each that is asked for whether it is broken."""
    asked: list[str] = []
    breaks = Scope.breaks

    def noted(scope: Scope, name: str) -> bool:
        asked.append(name)
        return breaks(scope, name)

    monkeypatch.setattr(Scope, "breaks", noted)
    return asked


@pytest.mark.parametrize("number", [20, 100])
def test_many_rules_of_a_template_cost_no_more_than_its_resources(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = noting_rules(monkeypatch)
    whole = of_many_rules(number)
    whole["Resources"]["S3"]["Properties"]["QuotaShareName"] = "a b"
    judged = judgement([Stack(whole, "a.json")])
    assert [(one.rule.id, one.resource) for one in judged.findings] == [("QS-02", "S3")]
    assert [note.resource for note in judged.notes] == ["Queue"]
    assert 0 < len(asked) < 100_000


def test_rules_that_hang_together_forbid_what_one_of_them_alone_would_not() -> None:
    # If the size is 32, A is on; then B is on; and with B on, the size is 4.
    switches = {name: {**USE, "AllowedValues": ["no", "yes"]} for name in "AB"}
    chain = [("Size", "32", "A", "yes"), ("A", "yes", "B", "yes"), ("B", "yes", "Size", "4")]
    rules = {
        f"R{number}": {
            "RuleCondition": equals(ref(one), value),
            "Assertions": [{"Assert": equals(ref(other), then)}],
        }
        for number, (one, value, other, then) in enumerate(chain)
    }
    parameters = {"Size": numbers(4, 32, default=4), **switches}
    assert said(16, ref("Size"), Parameters=parameters, Rules=rules) == []
    del rules["R2"]
    found = said(16, ref("Size"), Parameters=parameters, Rules=rules)
    assert found[1] == "XR-03 when A is 'yes' and B is 'yes' and Size is '32'"
