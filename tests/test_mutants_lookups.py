"""What is looked up in a map and is not there: then there is no stack, and nothing to be found."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack
from tests.test_leading_nowhere import ENVIRONMENT, FEW, REGION, looked_up
from tests.test_one_place import nest
from tests.test_resolving import judged, template

Body = dict[str, Any]
MAP = {region: {f"s{n}": n for n in range(40)} for region in ("us-east-1", "us-west-2")}
OTHERS = {"eu-west-1": {f"t{n}": n for n in range(65)}}
MACRO = {"Fn::Transform": {"Name": "M"}}
# In each of the two Regions, and in no other.
SOUND = looked_up({"Fn::If": ["IsFew", "us-east-1", "us-west-2"]}, "s0")
NOWHERE = looked_up(REGION, "s0")


def whole(*lookups: Any, **sections: Any) -> Body:
    """Returns a template whose output names an environment that is in two Regions alone."""
    other = {"Type": "Custom::X", "Properties": {"A": [*lookups]}, **sections.pop("beside", {})}
    outputs = {"Out": {"Value": {"Ref": "E"}}, **sections.pop("outputs", {})}
    return {
        "Resources": {"E": {**ENVIRONMENT, "Condition": "IsFew"}, "Other": other},
        "Outputs": outputs,
        "Conditions": {"IsFew": FEW},
        "Mappings": {"M": MAP},
        **sections,
    }


def is_refused(*stacks: Stack) -> bool:
    """Tells whether there is no stack where the output names nothing, and so nothing is said."""
    return not any("is not there" in one.message for one in judge_stacks(stacks))


def refuses(template: Body) -> bool:
    return is_refused(Stack(template, "a.json"))


def test_each_of_several_lookups_counts() -> None:
    assert not refuses(whole(SOUND))
    assert refuses(whole(SOUND, NOWHERE))
    assert refuses(whole(NOWHERE, SOUND))


@pytest.mark.parametrize(
    ("lookup", "refused"),
    [
        # It is not known when this one counts.
        ({"Fn::If": [["IsFew"], NOWHERE, 1]}, False),
        ({"Fn::If": {"IsFew": NOWHERE}}, True),
        ({"Fn::If": ["IsFew", 1, 2], "Beside": NOWHERE}, True),
    ],
    ids=str,
)
def test_a_lookup_in_a_function_that_is_written_wrongly(lookup: Any, *, refused: bool) -> None:
    assert refuses(whole(lookup)) is refused


@pytest.mark.parametrize("body", [None, [NOWHERE], "x"], ids=str)
def test_what_is_no_map_looks_up_nothing(body: Any) -> None:
    template = whole(outputs={"Other": body})
    template["Resources"]["Other"] = body
    assert not refuses(template)


def test_what_a_macro_makes_may_look_up_nothing() -> None:
    assert refuses(whole(NOWHERE))
    assert not refuses(whole(NOWHERE, beside=MACRO))
    assert refuses(whole(outputs={"Other": {"Value": NOWHERE}}))
    assert not refuses(whole(outputs={"Other": {"Value": NOWHERE, **MACRO}}))


@pytest.mark.parametrize(("sections", "is_said"), [({}, False), ({"Transform": "Macro"}, True)])
def test_a_macro_of_the_whole_template_may_change_the_map(sections: Body, *, is_said: bool) -> None:
    priority = {"Fn::If": ["IsFew", 1, 1001]}
    resources = {
        **whole(NOWHERE)["Resources"],
        **template({"Queue.Priority": priority})["Resources"],
    }
    found = judged({**whole(), "Resources": resources, **sections})
    assert any(one.rule.id == "JQ-01" for one in found) is is_said


@pytest.mark.parametrize(("before", "refused"), [(31, True), (32, False)])
def test_so_many_lookups_are_looked_at(before: int, *, refused: bool) -> None:
    sound = [looked_up(SOUND["Fn::FindInMap"][1], f"s{n}") for n in range(before)]
    assert refuses(whole(*sound, NOWHERE)) is refused


@pytest.mark.parametrize(
    "lookup",
    [lambda n: looked_up(REGION, f"s{n}", {"DefaultValue": 1}), lambda n: looked_up("x", f"s{n}")],
)
def test_a_lookup_that_has_a_default_or_is_spelt_out_is_none_of_them(lookup: Any) -> None:
    assert refuses(whole(*map(lookup, range(40)), NOWHERE))


@pytest.mark.parametrize(
    ("stages", "refused"),
    [
        (["t0", "s0"], False),
        (["t0", "t1"], True),
        ([f"t{n}" for n in range(64)], True),
        ([f"t{n}" for n in range(65)], False),
    ],
)
def test_a_lookup_is_tried_in_so_many_ways(stages: list[str], *, refused: bool) -> None:
    lookup = looked_up({"Fn::If": ["IsFew", "us-west-2", "us-east-1"]}, {"Ref": "Stage"})
    stage = {"Stage": {"Type": "String", "Default": stages[0], "AllowedValues": stages}}
    maps = {"M": {**MAP, **OTHERS}}
    assert refuses(whole(lookup, Parameters=stage, Mappings=maps)) is refused


def test_a_nested_stack_looks_up_in_the_region_of_the_stack_around_it() -> None:
    for lookup, refused in ((SOUND, False), (NOWHERE, True)):
        parent = Stack({"Resources": {}}, "top.json")
        assert is_refused(parent, nest(whole(lookup), parent)) is refused
