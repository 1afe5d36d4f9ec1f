"""What the findings say, word by word: a change of wording is seen in the snapshot."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from qm_constructs.rules import RULES
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.report import Located
from qm_constructs.template.source import parse
from qm_constructs.template.stack import Stack

TEMPLATES = Path(__file__).parent / "templates"
FAULTY = sorted(path for folder in ("faulty", "human") for path in (TEMPLATES / folder).iterdir())


def said(found: list[Located]) -> str:
    return "\n".join(
        f"{one.line or ''} {one.rule.id} {one.resource} {'.'.join(map(str, one.path))} "
        f"{one.value}\n  {one.message}\n  -> {one.fix}"
        for one in found
    )


@pytest.mark.parametrize("id", RULES)
def test_of_each_rule(id: str, snapshot: SnapshotAssertion) -> None:
    assert said(judge_stacks([Stack(RULES[id].faulty, "t")])) == snapshot


@pytest.mark.parametrize("path", FAULTY, ids=[path.name for path in FAULTY])
def test_of_each_template(path: Path, snapshot: SnapshotAssertion) -> None:
    document = parse(path.read_bytes(), path.name)
    stack = Stack(document.template, path.name, line_of=document.line_of)
    assert said(judge_stacks([stack])) == snapshot
