"""Whole templates, judged as a user would have them judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.rules import RULES, SOUND
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.report import Located
from qm_constructs.template.source import parse
from qm_constructs.template.stack import Stack

HERE = Path(__file__).parent
CASES = HERE / "cases"
TEMPLATES = HERE / "templates"


def judged(path: Path) -> list[Located]:
    document = parse(path.read_bytes(), path.name)
    return judge_stacks([Stack(document.template, path.name, line_of=document.line_of)])


def cases() -> list[tuple[Path, list[dict[str, Any]]]]:
    expected = json.loads((CASES / "expected.json").read_text())
    found = [(CASES / name, [expectation]) for name, expectation in expected.items()]
    everywhere = json.loads((TEMPLATES / "expected.json").read_text())
    found += [(TEMPLATES / name, expectations) for name, expectations in everywhere.items()]
    return [*found, (CASES / "correct.template.json", [])]


@pytest.mark.parametrize(
    ("path", "expectations"),
    [pytest.param(*case, id=f"{case[0].parent.name}/{case[0].stem}") for case in cases()],
)
def test_a_template(path: Path, expectations: list[dict[str, Any]]) -> None:
    found = judged(path)
    if not expectations:
        assert found == []
    for expectation in expectations:
        assert [
            finding
            for finding in found
            if finding.resource in expectation["any_of"]
            and finding.rule.severity.value == expectation["severity"]
        ], [(finding.rule.id, finding.resource) for finding in found]
    for finding in found:
        assert finding.message.endswith(".")
        assert finding.fix.endswith((".", "?"))
        assert finding.line is not None


def test_no_template_is_left_out() -> None:
    listed = {path for path, _ in cases()}
    there = {*CASES.glob("*.template.json")}
    there |= {
        path for folder in ("faulty", "correct", "human") for path in (TEMPLATES / folder).iterdir()
    }
    assert listed == there


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_the_pair_of_a_rule(rule: Any) -> None:
    faulty, correct = (judge_stacks([Stack(t, "t")]) for t in (rule.faulty, rule.correct))
    assert {finding.rule.id for finding in faulty} == {rule.id}
    assert correct == []
    assert rule.faulty != rule.correct


def test_the_sound_template() -> None:
    assert judge_stacks([Stack(SOUND, "t")]) == []
