"""What outputs, other resources and whole files tell beside the properties of the four types."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.plan import UnknownText
from qm_constructs.schema import WHOLE_NUMBER
from qm_constructs.template.check import check
from qm_constructs.template.coercion import coerced
from tests.test_resolving import judged, rules_of, template

Body = dict[str, Any]
IS_PROD = {"Fn::Equals": [{"Ref": "Stage"}, "prod"]}
STAGE = {"Stage": {"Type": "String", "AllowedValues": ["dev", "prod"], "Default": "dev"}}
ARN = {"Ref": "Product"}
MACRO = {"Fn::Transform": {"Name": "Anybody"}}
CONDITIONS = {"IsProd": IS_PROD, "IsDev": {"Fn::Not": [{"Condition": "IsProd"}]}}


def on_prod(outputs: Body, changes: Body | None = None, **sections: Any) -> list[str]:
    """Returns the outputs of a share that is there in production that are told as empty."""
    sections = {"Conditions": CONDITIONS, "Parameters": STAGE, **sections}
    whole = template(changes, Outputs=outputs, **sections)
    whole["Resources"]["Product"]["Condition"] = "IsProd"
    whole["Resources"]["Research"]["Condition"] = "IsProd"
    found = judged(whole)
    return [str(one.path[1]) for one in found if "is not there" in one.message]


@pytest.mark.parametrize(
    ("outputs", "told"),
    [
        ({"Out": {"Value": ARN}}, ["Out"]),
        ({"Out": {"Value": ARN, "Condition": "IsProd"}}, []),
        ({"Out": {"Value": ARN, "Condition": "IsDev"}}, ["Out"]),
        ({"Out": {"Value": ARN, "Condition": "Nope"}}, []),
        ({"Out": {"Value": ARN, "Condition": ["IsDev"]}}, []),
        ({"Out": {"Value": ARN}, **MACRO}, []),
        ({"Out": {"Value": ARN, **MACRO}}, []),
        ({"Bad": "text", "Out": {"Value": ARN}}, ["Out"]),
        ({"Fn::ForEach::T": ["T", ["a"], {}], "Out": {"Value": ARN}}, ["Out"]),
        ({"Bad": {"Value": ARN, **MACRO}, "Out": {"Value": ARN}}, ["Out"]),
        ({"One": {"Value": ARN}, "Other": {"Value": ARN}}, ["One", "Other"]),
        ({"One": {"Value": ARN}, "Other": {"Value": {"Ref": "Queue"}}}, ["One"]),
    ],
    ids=str,
)
def test_the_outputs_of_what_is_not_there(outputs: Body, told: list[str]) -> None:
    assert on_prod(outputs) == told


def test_where_resources_are_not_spelt_out_no_output_is_told() -> None:
    assert on_prod({"Out": {"Value": ARN}}, {"Fn::Transform": {"Name": "Anybody"}}) == []


def test_what_the_rules_of_the_template_forbid_of_the_default_leaves_the_rest() -> None:
    stages = {"Stage": {**STAGE["Stage"], "AllowedValues": ["dev", "prod", "test"]}}
    rule = {"Assertions": [{"Assert": {"Fn::Not": [{"Fn::Equals": [{"Ref": "Stage"}, "dev"]}]}}]}
    out = {"Out": {"Value": ARN}}
    assert on_prod(out, Parameters=stages, Rules={"R": rule}) == ["Out"]
    assert on_prod(out, Rules={"R": rule}) == []


def test_another_resource_asks_for_what_a_queue_has_not() -> None:
    asked = {"Fn::GetAtt": ["Queue", "Arn"]}
    other = {"Type": "AWS::SSM::Parameter", "Properties": {"Value": asked}}
    found = judged(template({"Other": other}))
    assert rules_of(found) == [("CF-03", "Other")]
    assert found[0].path == ("Properties", "Value")


def test_what_is_noted_of_each_file(tmp_path: Path) -> None:
    files = []
    for name in "ab":
        whole = template()
        whole["Resources"]["Queue"]["Type"] = "AWS::Batch::JobQueu"
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps(whole))
    notes = check([str(file) for file in files], BytesIO()).notes
    assert [note.file for note in notes if note.resource == "Queue"] == [str(f) for f in files]


def test_a_power_of_ten_is_perhaps_a_number() -> None:
    found = coerced(WHOLE_NUMBER, "1e1")
    assert isinstance(found, UnknownText)
    assert (found.source, found.parts) == ("1e1", ("1e1",))
