"""What the pages about plans show is what happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import Stack

from qm_constructs import QuotaManagedTrainingQueue

ROOT = Path(__file__).parents[1]


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["plan.md", "explain.md"])
def test_a_command_prints_what_the_page_shows(page: str) -> None:
    (block,) = blocks(page, "console")
    command, _, shown = block.removeprefix("$ ").partition("\n")
    done = subprocess.run(
        [sys.executable, "-m", "qm_constructs", *command.split()[1:]],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr) == (shown, "")


@pytest.mark.cdk
def test_the_code_of_the_page_runs(stack: Stack, capsys: pytest.CaptureFixture[str]) -> None:
    queue = QuotaManagedTrainingQueue(stack, "Queue", capacity_limits={"ml.p5.48xlarge": 16})
    names: dict[str, Any] = {"queue": queue}
    for block in blocks("explain.md", "python"):
        exec(compile(block, "explain.md", "exec"), names)
    assert "can never run" in capsys.readouterr().out
