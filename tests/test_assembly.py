"""A cdk.out folder becomes the stacks of an app, whatever else is wrong in it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.template.loading import load
from qm_constructs.template.report import Unreadable
from qm_constructs.template.stack import Stack
from tests.scenarios import ACCOUNT, REGION

EMPTY: dict[str, Any] = {"Resources": {}}


def stack_artifact(file: str, **more: Any) -> dict[str, Any]:
    return {"type": "aws:cloudformation:stack", "properties": {"templateFile": file}, **more}


def assembly_artifact(folder: str) -> dict[str, Any]:
    return {"type": "cdk:cloud-assembly", "properties": {"directoryName": folder}}


def nested_stack(file: str) -> dict[str, Any]:
    return {"Type": "AWS::CloudFormation::Stack", "Metadata": {"aws:asset:path": file}}


def acknowledged(*ids: str) -> dict[str, Any]:
    return {"type": "aws:cdk:acknowledged-rules", "data": dict.fromkeys(ids, "a reason")}


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that the user calls ``cdk.out``."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "cdk.out"
    folder.mkdir()
    return folder


def write(folder: Path, files: dict[str, Any], **artifacts: Any) -> None:
    """Writes the files of an assembly, and its manifest."""
    for name, content in {"manifest.json": {"artifacts": artifacts}, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))


def read(path: str = "cdk.out") -> tuple[list[Stack], list[Unreadable]]:
    groups, unreadable = load([path], io.BytesIO())
    assert len(groups) <= 1
    return groups[0] if groups else [], unreadable


def files(stacks: list[Stack]) -> list[str]:
    return [stack.file for stack in stacks]


def test_a_stack_and_where_it_goes(out: Path) -> None:
    named = stack_artifact("B.json", environment=f"aws://{ACCOUNT}/{REGION}")
    named["properties"]["stackName"] = "team-b"
    write(
        out,
        {"A.json": EMPTY, "B.json": EMPTY},
        A=stack_artifact("A.json", environment="aws://unknown-account/unknown-region"),
        B=named,
        Tree={"type": "cdk:tree", "properties": {"file": "tree.json"}},
    )
    [first, second], unreadable = read()
    assert unreadable == []
    assert (first.file, first.name, first.account, first.region) == (
        "cdk.out/A.json",
        "A",
        None,
        None,
    )
    assert (second.file, second.name, second.account, second.region) == (
        "cdk.out/B.json",
        "team-b",
        ACCOUNT,
        REGION,
    )
    assert second.template == EMPTY
    assert second.line_of(("Resources",)) == 1


@pytest.mark.parametrize("environment", [None, 3, "aws://", "aws://${Token[X]}/us", "elsewhere"])
def test_an_environment_that_is_none(out: Path, environment: Any) -> None:
    write(out, {"A.json": EMPTY}, A=stack_artifact("A.json", environment=environment))
    [[stack], _] = read()
    assert (stack.account, stack.region) == (None, None)


@pytest.mark.parametrize("path", ["cdk.out", "./cdk.out", "cdk.out/", "link"])
def test_files_are_named_as_the_folder_was(out: Path, path: str) -> None:
    (out.parent / "link").symlink_to(out)
    write(out, {"A.json": EMPTY}, A=stack_artifact("A.json"))
    [[stack], unreadable] = read(path)
    assert stack.file == f"{path.rstrip('/')}/A.json"
    assert unreadable == []


def test_stages_are_assemblies_of_their_own(out: Path) -> None:
    write(
        out, {"A.json": EMPTY}, Prod=assembly_artifact("assembly-Prod"), A=stack_artifact("A.json")
    )
    prod = out / "assembly-Prod"
    write(prod, {"B.json": EMPTY}, B=stack_artifact("B.json"), In=assembly_artifact("assembly-In"))
    write(prod / "assembly-In", {"C.json": EMPTY}, C=stack_artifact("C.json"))
    stacks, unreadable = read()
    assert unreadable == []
    assert [(stack.file, stack.assembly) for stack in stacks] == [
        ("cdk.out/A.json", ""),
        ("cdk.out/assembly-Prod/B.json", "assembly-Prod"),
        ("cdk.out/assembly-Prod/assembly-In/C.json", "assembly-Prod/assembly-In"),
    ]


def test_nested_stacks_come_after_their_parent(out: Path) -> None:
    metadata = {
        "/A": [{"type": "aws:cdk:templateFile", "data": "A.json"}],
        "/A/M": [{"type": "aws:cdk:templateFile", "data": "M.json"}],
        "/A/Q": [acknowledged("qm-constructs::XR-02")],
    }
    write(
        out,
        {
            "A.json": {
                "Resources": {
                    "N": nested_stack("N.json"),
                    "F": {"Type": "AWS::Lambda::Function", "Metadata": {"aws:asset:path": "f"}},
                    "U": {"Type": "AWS::CloudFormation::Stack"},
                    "Odd": None,
                }
            },
            "N.json": {"Resources": {"NN": nested_stack("NN.json"), "N": nested_stack("N.json")}},
            "NN.json": EMPTY,
            "M.json": EMPTY,
            "B.json": EMPTY,
        },
        A=stack_artifact("A.json", environment=f"aws://{ACCOUNT}/{REGION}", metadata=metadata),
        B=stack_artifact("B.json"),
    )
    stacks, unreadable = read()
    assert [(one.file, one.reason) for one in unreadable] == [
        ("cdk.out/N.json", "has a nested stack, 'N', that nests it again")
    ]
    assert files(stacks) == [f"cdk.out/{name}.json" for name in ("A", "N", "M", "NN", "B")]
    for nested in stacks[1:4]:
        assert nested.name is None
        assert (nested.account, nested.region) == (ACCOUNT, REGION)
        assert nested.acknowledged == {"A/Q": {"XR-02"}}


def test_acknowledgements_by_construct(out: Path) -> None:
    metadata = {
        "/A/Q": [
            acknowledged("qm-constructs::XR-02", "cdk-nag::X", "XR-04"),
            acknowledged("qm-constructs::XR-03"),
            {"type": "aws:cdk:logicalId", "data": "qm-constructs::XR-05"},
        ],
        "/A/Other": [acknowledged("cdk-nag::X"), None, {"type": "aws:cdk:acknowledged-rules"}],
        "/A/Odd": 3,
        "/A/Odder": [{"type": "aws:cdk:acknowledged-rules", "data": 3}, 4],
        "/": [acknowledged("qm-constructs::XR-06")],
    }
    more = {
        "/A/Q": [acknowledged("qm-constructs::QS-17")],
        "/A": [acknowledged("qm-constructs::S")],
    }
    write(
        out,
        {"A.json": EMPTY, "A.metadata.json": more},
        A=stack_artifact("A.json", metadata=metadata, additionalMetadataFile="A.metadata.json"),
    )
    [[stack], _] = read()
    assert stack.acknowledged == {
        "A/Q": {"XR-02", "XR-03", "QS-17"},
        "A": {"S"},
        "": {"XR-06"},
    }


@pytest.mark.parametrize(
    "name",
    ["../secret.json", "/etc/passwd", "link.json", "folder/secret.json", "a/../../secret.json"],
)
@pytest.mark.parametrize("kind", ["template", "nested", "metadata", "assembly"])
def test_nothing_outside_of_the_folder_is_read(out: Path, name: str, kind: str) -> None:
    (out.parent / "secret.json").write_text(json.dumps(EMPTY))
    (out / "link.json").symlink_to(out.parent / "secret.json")
    (out / "folder").symlink_to(out.parent)
    bad = {
        "template": stack_artifact(name),
        "nested": stack_artifact("N.json"),
        "metadata": stack_artifact("B.json", additionalMetadataFile=name),
        "assembly": assembly_artifact(name),
    }[kind]
    write(
        out,
        {"A.json": EMPTY, "B.json": EMPTY, "N.json": {"Resources": {"N": nested_stack(name)}}},
        Bad=bad,
        A=stack_artifact("A.json"),
    )
    stacks, [said] = read()
    assert "cdk.out/A.json" in files(stacks)
    assert said.file == ("cdk.out/N.json" if kind == "nested" else "cdk.out/manifest.json")
    assert f"names '{name}', which is outside of the folder" in said.reason


def test_an_assembly_in_circles_ends(out: Path) -> None:
    circle = {"Self": assembly_artifact("."), "In": assembly_artifact("in")}
    write(out, {}, **circle, Missing=stack_artifact("missing.json"), Bad=stack_artifact("../A"))
    write(out / "in", {"B.json": EMPTY}, Up=assembly_artifact(".."), B=stack_artifact("B.json"))
    (out / "in" / "again").symlink_to(out)
    stacks, unreadable = read()
    assert files(stacks) == ["cdk.out/in/B.json"]
    assert [said.file for said in unreadable] == ["cdk.out/missing.json", "cdk.out/manifest.json"]


def test_a_file_is_named_from_its_folder_on(out: Path) -> None:
    write(out, {"A.json": EMPTY}, A=stack_artifact(str(out / "A.json")))
    stacks, [said] = read()
    assert stacks == []
    assert "which is outside of the folder" in said.reason


def test_nested_stacks_in_circles_end(out: Path) -> None:
    both = {"Resources": {"1": nested_stack("A.json"), "2": nested_stack("B.json")}}
    write(out, {"A.json": both, "B.json": both}, A=stack_artifact("A.json"))
    stacks, unreadable = read()
    assert files(stacks) == ["cdk.out/A.json", "cdk.out/B.json"]
    said = [(one.file, one.line, one.reason) for one in unreadable]
    assert said == [
        ("cdk.out/A.json", 1, "has a nested stack, '1', that nests it again"),
        ("cdk.out/B.json", 1, "has a nested stack, '1', that nests it again"),
        ("cdk.out/B.json", 1, "has a nested stack, '2', that nests it again"),
    ]


@pytest.mark.parametrize("name", ["", ".", "a/.."])
def test_the_folder_itself_is_no_template(out: Path, name: str) -> None:
    write(out, {"B.json": EMPTY}, A=stack_artifact(name), B=stack_artifact("B.json"))
    stacks, [said] = read()
    assert files(stacks) == ["cdk.out/B.json"]
    reason = f"has the artifact 'A', which names '{name}' as its template, which is the folder"
    assert (said.file, said.reason) == ("cdk.out/manifest.json", reason)


@pytest.mark.parametrize(
    ("manifest", "reason", "line"),
    [
        ("", "is empty", None),
        ('{"artifacts":\n {]}', "is no valid JSON", 2),
        ("[]", "is no file of a cdk.out folder: a list is at its top", None),
        ("{}", "it has no artifacts", None),
        ('{"artifacts": []}', "it has no artifacts", None),
        ("artifacts: {}", "is no valid JSON", 1),
    ],
)
def test_a_broken_manifest(out: Path, manifest: str, reason: str, line: int | None) -> None:
    (out / "manifest.json").write_text(manifest)
    stacks, [said] = read()
    assert stacks == []
    assert (said.file, said.line) == ("cdk.out/manifest.json", line)
    assert reason in said.reason


@pytest.mark.parametrize(
    ("artifact", "reason"),
    [
        ({"type": "aws:cloudformation:stack"}, "has the artifact 'Bad', which has no templateFile"),
        (stack_artifact(3), "has the artifact 'Bad', which has no templateFile"),  # type: ignore[arg-type]
        (
            {"type": "cdk:cloud-assembly", "properties": []},
            "has the artifact 'Bad', which has no directoryName",
        ),
        (stack_artifact("a\0b"), "which is outside of the folder"),
    ],
)
def test_a_broken_artifact_leaves_the_others(out: Path, artifact: Any, reason: str) -> None:
    write(out, {"A.json": EMPTY}, Bad=artifact, Odd=None, A=stack_artifact("A.json"))
    stacks, [said] = read()
    assert files(stacks) == ["cdk.out/A.json"]
    assert said.file == "cdk.out/manifest.json"
    assert reason in said.reason


def test_files_that_are_missing_or_broken_leave_the_others(out: Path) -> None:
    write(
        out,
        {
            "A.json": {"Resources": {"N": nested_stack("no-nested.json")}},
            "broken.json": '{"Resources":\n {]',
            "list.json": "[]",
        },
        Missing=stack_artifact("missing.json"),
        Broken=stack_artifact("broken.json"),
        List=stack_artifact("list.json"),
        Stage=assembly_artifact("no-stage"),
        A=stack_artifact("A.json", additionalMetadataFile="no-metadata.json"),
    )
    stacks, unreadable = read()
    assert files(stacks) == ["cdk.out/A.json"]
    assert [(said.file, said.line) for said in unreadable] == [
        ("cdk.out/missing.json", None),
        ("cdk.out/broken.json", 2),
        ("cdk.out/list.json", 1),
        ("cdk.out/no-metadata.json", None),
        ("cdk.out/no-nested.json", None),
        ("cdk.out/no-stage/manifest.json", None),
    ]
    assert all("\n" not in said.reason for said in unreadable)


def test_an_app_without_stacks_is_no_failure(out: Path) -> None:
    write(out, {})
    assert read() == ([], [])


@pytest.mark.cdk
def test_what_the_cdk_writes(tmp_path: Path) -> None:
    from aws_cdk import Acknowledgment, App, Environment, NestedStack, Stage, Validations, aws_batch
    from aws_cdk import Stack as CdkStack

    folder = tmp_path / "cdk.out"
    # As `cdk synth` does.
    app = App(outdir=str(folder), context={"aws:cdk:enable-asset-metadata": True})
    training = CdkStack(app, "Training", env=Environment(account=ACCOUNT, region=REGION))
    nested = NestedStack(training, "Nested")
    inner = NestedStack(nested, "Inner")
    staged = CdkStack(Stage(app, "Prod"), "Training")
    for stack in (training, nested, inner, staged):
        policy = aws_batch.CfnSchedulingPolicy(stack, "Policy")
        Validations.of(policy).acknowledge(
            Acknowledgment(id="qm-constructs::SP-06", reason="to be filled")
        )
    app.synth()

    stacks, unreadable = read(str(folder))
    assert unreadable == []
    assert [(stack.name, stack.account, stack.region, stack.assembly) for stack in stacks] == [
        ("Training", ACCOUNT, REGION, ""),
        (None, ACCOUNT, REGION, ""),
        (None, ACCOUNT, REGION, ""),
        ("Prod-Training", None, None, "assembly-Prod"),
    ]
    assert all("Policy" in stack.template["Resources"] for stack in stacks)
    assert stacks[0].acknowledged == {
        f"Training/{path}Policy": {"SP-06"} for path in ("", "Nested/", "Nested/Inner/")
    }
    assert stacks[3].acknowledged == {"Prod/Training/Policy": {"SP-06"}}
