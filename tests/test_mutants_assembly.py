"""What a cdk.out folder says of its nested stacks and constructs, as the CDK writes it."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.check import check
from tests.test_assembly import EMPTY, assembly_artifact, nested_stack, out, read, stack_artifact

__all__ = ["out"]


def template_file(name: Any) -> dict[str, Any]:
    return {"type": "aws:cdk:templateFile", "data": name}


def logical_id(id: Any) -> dict[str, Any]:
    return {"type": "aws:cdk:logicalId", "data": id}


# T holds Nested, and that Inner; each has a construct Policy.
METADATA: dict[str, Any] = {
    "/T": [template_file("T.json")],
    "/T/Policy": [{"type": "aws:cdk:info", "data": "x"}, logical_id("PolicyT")],
    "/T/Nested": [template_file("N.json")],
    "/T/Nested/Policy": [logical_id("PolicyN")],
    "/T/Nested.NestedStack/Nested.NestedStackResource": [logical_id("NestedT")],
    "/T/Nested/Inner": [template_file("I.json")],
    "/T/Nested/Inner/Deep/Policy": [logical_id("PolicyI")],
    "/T/Nested/Inner.NestedStack/Inner.NestedStackResource": [logical_id("InnerN")],
    "/T/Missing": [template_file("missing.json")],
    "/T/Odd": [logical_id(3), template_file(4), logical_id(["x"])],
    "/Elsewhere/Policy": [logical_id("PolicyE")],
    "Policy": [logical_id("PolicyR")],
}
FILES = {
    "T.json": {"Resources": {"NestedT": nested_stack("N.json")}},
    "N.json": {"Resources": {"InnerN": nested_stack("I.json")}},
    "I.json": EMPTY,
}


def write(folder: Path, files: dict[str, Any], **artifacts: Any) -> None:
    folder.mkdir(exist_ok=True)
    for name, content in {"manifest.json": {"artifacts": artifacts}, **files}.items():
        (folder / name).write_text(json.dumps(content))


@pytest.mark.parametrize("folder", ["", "assembly-Prod"])
def test_each_construct_and_each_parent(out: Path, folder: str) -> None:
    if folder:
        write(out, {}, Prod=assembly_artifact(folder))
    write(out / folder, FILES, T=stack_artifact("T.json", metadata=METADATA))
    [top, nested, inner], [missing] = read()
    assert missing.file == "/".join(part for part in ("cdk.out", folder, "missing.json") if part)
    assert top.constructs == {
        "PolicyT": "T/Policy",
        "NestedT": "T/Nested.NestedStack/Nested.NestedStackResource",
    }
    assert nested.constructs == {
        "PolicyN": "T/Nested/Policy",
        "InnerN": "T/Nested/Inner.NestedStack/Inner.NestedStackResource",
    }
    assert inner.constructs == {"PolicyI": "T/Nested/Inner/Deep/Policy"}
    assert (top.parent, top.parent_resource) == (None, "")
    assert (nested.parent, nested.parent_resource) == (top, "NestedT")
    assert (inner.parent, inner.parent_resource) == (nested, "InnerN")
    assert {stack.assembly for stack in (top, nested, inner)} == {folder}


def test_without_that_metadata_a_template_is_nested_where_it_is_named(out: Path) -> None:
    write(out, FILES, T=stack_artifact("T.json"))
    [top, nested, inner], unreadable = read()
    assert unreadable == []
    assert [stack.constructs for stack in (top, nested, inner)] == [{}] * 3
    assert (top.parent, top.parent_resource) == (None, "")
    assert (nested.parent, nested.parent_resource) == (top, "NestedT")
    assert (inner.parent, inner.parent_resource) == (nested, "InnerN")


@pytest.mark.parametrize("folder", ["", "assembly-Prod"])
def test_where_the_template_does_not_name_it_the_metadata_tell_what_is_nested(
    out: Path, folder: str
) -> None:
    bare = {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "x"}}
    files = {
        "T.json": {"Resources": {"NestedT": bare}},
        "N.json": {"Resources": {"InnerN": bare}},
        "I.json": EMPTY,
    }
    if folder:
        write(out, {}, Prod=assembly_artifact(folder))
    write(out / folder, files, T=stack_artifact("T.json", metadata=METADATA))
    [top, nested, inner], _ = read()
    assert (nested.parent, nested.parent_resource) == (top, "NestedT")
    assert (inner.parent, inner.parent_resource) == (nested, "InnerN")


def test_in_a_stage_a_template_is_nested_where_it_is_named(out: Path) -> None:
    write(out, {}, Prod=assembly_artifact("assembly-Prod"))
    write(out / "assembly-Prod", FILES, T=stack_artifact("T.json"))
    [top, nested, inner], _ = read()
    assert [stack.parent for stack in (top, nested, inner)] == [None, top, nested]


def test_beside_a_nested_stack_that_cannot_be_read_the_others_are_nested(out: Path) -> None:
    names = {"A": nested_stack("missing.json"), "B": nested_stack("N.json")}
    write(out, {"T.json": {"Resources": names}, "N.json": EMPTY}, T=stack_artifact("T.json"))
    [top, nested], _ = read()
    assert (nested.parent, nested.parent_resource) == (top, "B")


def test_a_template_that_is_nested_twice_stands_before_the_next_stack(out: Path) -> None:
    twice = {"Resources": {"N": nested_stack("N.json"), "M": nested_stack("N.json")}}
    files = {"T.json": twice, "N.json": EMPTY, "U.json": EMPTY}
    write(out, files, T=stack_artifact("T.json"), U=stack_artifact("U.json"))
    assert [stack.file.rpartition("/")[2] for stack in read()[0]] == [
        "T.json",
        "N.json",
        "N.json",
        "U.json",
    ]


def test_templates_that_nest_one_another_are_nested_once(out: Path) -> None:
    files = {
        "T.json": {"Resources": {"A": nested_stack("A.json")}},
        "A.json": {"Resources": {"B": nested_stack("B.json")}},
        "B.json": {"Resources": {"A": nested_stack("A.json"), "C": nested_stack("C.json")}},
        "C.json": EMPTY,
    }
    write(out, files, T=stack_artifact("T.json"))
    assert [stack.parent_resource for stack in read()[0]] == ["", "A", "B", "C"]


def test_a_template_of_two_nested_stacks_is_two_and_one_that_nests_itself_has_no_parent(
    out: Path,
) -> None:
    twice = {"Resources": {"N": nested_stack("N.json"), "M": nested_stack("N.json")}}
    itself = {"Resources": {"N": nested_stack("N.json")}}
    write(out, {"T.json": twice, "N.json": EMPTY}, T=stack_artifact("T.json"))
    top, *two = read()[0]
    assert [(stack.parent, stack.parent_resource) for stack in two] == [(top, "N"), (top, "M")]
    told = {"/T": [{"type": "aws:cdk:templateFile", "data": "N.json"}]}
    write(out, {"T.json": EMPTY, "N.json": itself}, T=stack_artifact("T.json", metadata=told))
    assert [(stack.file, stack.parent) for stack in read()[0]] == [
        ("cdk.out/T.json", None),
        ("cdk.out/N.json", None),
    ]


def test_a_stack_may_be_without_resources(out: Path) -> None:
    write(out, {"T.json": {"Outputs": {}}, "N.json": {}}, T=stack_artifact("T.json"))
    [[stack], unreadable] = read()
    assert stack.template == {"Outputs": {}, "Resources": {}}
    assert unreadable == []


def test_what_a_nested_stack_names_is_said_with_the_file_that_names_it(out: Path) -> None:
    parent = {"Resources": {"N": nested_stack("../N.json"), "M": nested_stack("no.json")}}
    write(out, {"T.json": parent}, T=stack_artifact("T.json"), U=stack_artifact("../U.json"))
    _, said = read()
    assert [(one.file, one.reason) for one in said] == [
        (
            "cdk.out/T.json",
            "has a nested stack, which names '../N.json', which is outside of the folder",
        ),
        ("cdk.out/no.json", "does not exist"),
        (
            "cdk.out/manifest.json",
            "has the artifact 'U', which names '../U.json', which is outside of the folder",
        ),
    ]


@pytest.mark.parametrize(
    ("environment", "account", "region"),
    [
        ("aws://111122223333/us-east-1", "111122223333", "us-east-1"),
        ("aws://111122223333/us-gov-west-1", "111122223333", "us-gov-west-1"),
        ("aws://111122223333/unknown-region", "111122223333", None),
        ("aws://unknown-account/us-east-1", None, "us-east-1"),
        ("aws://11112222333/us-east-1", None, "us-east-1"),
        ("aws://1111222233334/us-east-1", None, "us-east-1"),
        ("aws://111122223333/us-east-1/x", None, None),
        ("aws://111122223333", None, None),
        ("AWS://111122223333/US-EAST-1", None, None),
    ],
)
def test_where_a_stack_goes(
    out: Path, environment: str, account: str | None, region: str | None
) -> None:
    write(out, {"T.json": EMPTY}, T=stack_artifact("T.json", environment=environment))
    [[stack], _] = read()
    assert (stack.account, stack.region) == (account, region)


def test_only_acknowledgements_acknowledge(out: Path) -> None:
    metadata = {
        "/T/Queue": [
            {"type": "aws:cdk:warning", "data": ["qm-constructs::XR-02"]},
            {"type": "aws:cdk:acknowledged-rules", "data": ["qm-constructs::XR-03", 3]},
        ]
    }
    write(out, {"T.json": EMPTY}, T=stack_artifact("T.json", metadata=metadata))
    [[stack], _] = read()
    assert stack.acknowledged == {"T/Queue": {"XR-03"}}


def test_what_is_acknowledged_and_waived_is_counted(out: Path) -> None:
    whole = copy.deepcopy(SOUND)
    for id in whole["Resources"]:
        whole["Resources"][id]["Properties"]["Tags"] = {"aws:x": ""}
    for id in ("Queue", "Policy"):
        whole["Resources"][id]["Metadata"] = {"aws:cdk:path": f"T/{id}"}
    for id in ("Research", "Product"):
        whole["Resources"][id]["Metadata"] = {"qm-constructs": {"ignore": "SJ-09"}}
    rules = {"type": "aws:cdk:acknowledged-rules", "data": ["qm-constructs::SJ-09"]}
    write(out, {"T.json": whole}, T=stack_artifact("T.json", metadata={"/T": [rules]}))
    report = check(["cdk.out"], io.BytesIO())
    assert [found.resource for found in report.findings] == ["Environment"]
    assert (report.acknowledged, report.ignored) == (2, 2)
    assert (report.templates, report.resources) == (1, 5)
    assert check(["cdk.out"], io.BytesIO(), {"SJ-09"}).findings == []
