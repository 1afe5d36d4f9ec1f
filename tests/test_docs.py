"""What the pages about plans show is what happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from aws_cdk import Stack

from qm_constructs import QuotaManagedTrainingQueue
from qm_constructs.quotas.keys import FILE, RESOURCE_SHARING, SHARE, TIME_LIMITS
from tests.conftest import resources

ROOT = Path(__file__).parents[1]


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["plan.md", "explain.md", "quotas-file.md"])
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


def test_the_file_of_the_page_is_the_example() -> None:
    (block,) = blocks("quotas-file.md", "yaml")
    assert yaml.safe_load(block) == yaml.safe_load((ROOT / "examples/quotas.yaml").read_text())


@pytest.mark.cdk
def test_the_code_about_files_runs(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = blocks("quotas-file.md", "python")
    exec(compile(block, "quotas-file.md", "exec"), {"stack": stack})
    assert len(resources(stack, "QuotaShare")) == 3


def test_the_page_about_files_names_every_key() -> None:
    page = (ROOT / "docs" / "quotas-file.md").read_text()
    for section in (FILE, SHARE, RESOURCE_SHARING, TIME_LIMITS):
        for key in section.members:
            assert f"`{key}`" in page


@pytest.mark.cdk
def test_the_code_of_the_page_runs(stack: Stack, capsys: pytest.CaptureFixture[str]) -> None:
    queue = QuotaManagedTrainingQueue(stack, "Queue", capacity_limits={"ml.p5.48xlarge": 16})
    names: dict[str, Any] = {"queue": queue}
    for block in blocks("explain.md", "python"):
        exec(compile(block, "explain.md", "exec"), names)
    assert "can never run" in capsys.readouterr().out
