"""The README's Python works as it stands, and what it shows is what happens."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from aws_cdk import App

import qm_constructs

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


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


def test_every_command_prints_what_it_shows() -> None:
    for block in blocks("console"):
        command, _, shown = block.removeprefix("$ ").partition("\n")
        done = subprocess.run(
            [sys.executable, "-m", "qm_constructs", *command.split()[1:]],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.stdout, done.stderr) == (shown, "")


def test_it_names_every_public_name() -> None:
    table = README.partition("## All public names")[2]
    named = set(re.findall(r"`(\w+)`", table.partition("The constructs are")[0]))
    assert named == set(qm_constructs.__all__)
