"""What somebody has waived is not reported again, and is counted."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template.check import acknowledged, check, waived
from qm_constructs.template.report import Report
from qm_constructs.template.stack import Stack


def template(metadata: Any = None, construct: str | None = None) -> dict[str, Any]:
    """Returns a template with one error and one warning, both of Product."""
    whole = copy.deepcopy(SOUND)
    product = whole["Resources"]["Product"]
    product["Properties"]["QuotaShareName"] = "Research"  # QS-03-CASE
    product["Properties"]["State"] = "ON"  # QS-13
    if metadata is not None:
        product["Metadata"] = {"qm-constructs": metadata}
    if construct is not None:
        product["Metadata"] = {**product.get("Metadata", {}), "aws:cdk:path": construct}
    return whole


def written(folder: Path, name: str, content: dict[str, Any]) -> str:
    path = folder / name
    path.write_text(json.dumps(content, indent=1))
    return str(path)


def numbers(report: Report) -> tuple[list[str], int, int]:
    return [found.rule.id for found in report.findings], report.acknowledged, report.ignored


NOTHING = io.BytesIO()
BOTH = ["QS-03-CASE", "QS-13"]


@pytest.mark.parametrize(
    ("metadata", "left", "ignored"),
    [
        (None, BOTH, 0),
        ({"ignore": ["QS-13"]}, ["QS-03-CASE"], 1),
        ({"ignore": "QS-13"}, ["QS-03-CASE"], 1),
        ({"ignore": ["qm-constructs::QS-13", "qs-03-case"]}, [], 2),
        ({"ignore": ["QS-03"]}, BOTH, 0),
        ({"ignore": [13, None]}, BOTH, 0),
        ({"ignore": {"QS-13": True}}, BOTH, 0),
        ({}, BOTH, 0),
        (["QS-13"], BOTH, 0),
    ],
)
def test_by_the_metadata_of_the_resource(
    tmp_path: Path, metadata: Any, left: list[str], ignored: int
) -> None:
    report = check([written(tmp_path, "a.json", template(metadata))], NOTHING)
    assert numbers(report) == (left, 0, ignored)
    assert (report.templates, report.resources, report.unreadable) == (1, 5, [])


def test_of_another_resource_is_another_matter(tmp_path: Path) -> None:
    whole = template()
    whole["Resources"]["Research"]["Metadata"] = {"qm-constructs": {"ignore": BOTH}}
    assert numbers(check([written(tmp_path, "a.json", whole)], NOTHING)) == (BOTH, 0, 0)


def test_by_the_option_and_uncounted(tmp_path: Path) -> None:
    path = written(tmp_path, "a.json", template({"ignore": ["QS-13"]}))
    assert numbers(check([path], NOTHING, {"QS-13"})) == (["QS-03-CASE"], 0, 0)
    assert numbers(check([path], NOTHING, {"QS-03-CASE"})) == ([], 0, 1)


def assembly(folder: Path, path: str, ids: dict[str, str], construct: str | None) -> str:
    """Returns a cdk.out folder in which rules are acknowledged on a construct."""
    written(folder, "S.template.json", template(construct=construct))
    metadata = {path: [{"type": "aws:cdk:acknowledged-rules", "data": ids}]}
    stack = {
        "type": "aws:cloudformation:stack",
        "environment": "aws://unknown-account/unknown-region",
        "properties": {"templateFile": "S.template.json"},
        "metadata": metadata,
    }
    written(folder, "manifest.json", {"version": "1", "artifacts": {"S": stack}})
    return str(folder)


OURS = {"qm-constructs::QS-13": "because"}


@pytest.mark.parametrize(
    ("path", "construct", "silenced"),
    [
        ("/S/Queue/product", "S/Queue/product/Resource", True),
        ("/S/Queue/product/Resource", "S/Queue/product/Resource", True),
        ("/S/Queue", "S/Queue/product/Resource", True),
        ("/S", "S/Queue/product/Resource", True),
        ("/", "S/Queue/product/Resource", True),
        ("/", None, True),
        ("/S/Queue/prod", "S/Queue/product/Resource", False),
        ("/S/Other", "S/Queue/product/Resource", False),
        ("/S", None, False),
    ],
)
def test_by_the_app(tmp_path: Path, path: str, construct: str | None, silenced: bool) -> None:
    report = check([assembly(tmp_path, path, OURS, construct)], NOTHING)
    expected = (["QS-03-CASE"], 1, 0) if silenced else (BOTH, 0, 0)
    assert numbers(report) == expected
    assert [found.stack for found in report.findings] == ["S"] * len(report.findings)


def test_of_another_plugin_is_another_matter(tmp_path: Path) -> None:
    ids = {"cdk-nag::QS-13": "because", "QS-13": "because"}
    report = check([assembly(tmp_path, "/S", ids, "S/Product")], NOTHING)
    assert numbers(report) == (BOTH, 0, 0)


def test_everything_adds_up(tmp_path: Path) -> None:
    (tmp_path / "cdk.out").mkdir()
    paths = [
        written(tmp_path, "a.json", template({"ignore": ["QS-13"]})),
        assembly(tmp_path / "cdk.out", "/S", OURS, "S/Product"),
        str(tmp_path / "none.json"),
        "-",
    ]
    report = check(paths, io.BytesIO(json.dumps(template()).encode()))
    assert numbers(report) == (["QS-03-CASE", "QS-03-CASE", *BOTH], 1, 1)
    assert (report.templates, report.resources) == (3, 15)
    assert [problem.file for problem in report.unreadable] == [paths[2]]
    assert [found.file for found in report.findings][2:] == ["-", "-"]


def test_the_two_questions_behind_it() -> None:
    stack = Stack(template(), "t", acknowledged={"S/Queue": {"QS-13"}, "": {"XR-02"}})
    assert acknowledged(stack, "S/Queue/a/b") == {"QS-13", "XR-02"}
    assert acknowledged(stack, "S") == {"XR-02"}
    assert acknowledged(stack, None) == {"XR-02"}
    assert waived(stack, "Product") == set()
