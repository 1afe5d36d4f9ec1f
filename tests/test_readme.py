"""The README's Python works as it stands, and what it shows is what happens."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

from aws_cdk import App

import qm_constructs
from qm_constructs.rules import RULES, Severity

README = (Path(__file__).parents[1] / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_every_python_block_runs_after_those_before_it() -> None:
    names: dict[str, Any] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for block in blocks("python"):
            exec(compile(block, "README.md", "exec"), names)
    assert printed.getvalue().strip() == blocks("text")[0].strip()
    assembly = names["app"].synth(force=True)
    assert [message.entry.data for stack in assembly.stacks for message in stack.messages] == []


def test_the_first_block_is_ten_lines_that_work_alone() -> None:
    first = blocks("python")[0]
    assert len(first.splitlines()) == 10
    names: dict[str, Any] = {}
    exec(first, names)
    assert isinstance(names["app"], App)


def test_it_names_every_warning_and_every_public_name() -> None:
    warnings = {id for id, rule in RULES.items() if rule.severity is Severity.WARNING}
    assert (
        set(re.findall(r"^\| `qm-constructs::([A-Z0-9-]+)` \|", README, re.MULTILINE)) == warnings
    )
    table = README.partition("## All public names")[2]
    named = set(re.findall(r"`(\w+)`", table.partition("The constructs are")[0]))
    assert named == set(qm_constructs.__all__)
