"""The generated instance types are well formed, and none that botocore knows is missing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from qm_constructs import instance_types
from qm_constructs.instance_types import TRAINING_INSTANCE_TYPES, TrainingInstanceType

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "scripts" / "generate_instance_types.py"


def constants() -> dict[str, str]:
    return {
        name: value
        for name, value in vars(TrainingInstanceType).items()
        if not name.startswith("_")
    }


def run_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False
    )


def test_constants_are_named_after_their_values() -> None:
    for name, value in constants().items():
        assert value.startswith("ml.")
        assert name == re.sub(r"[^A-Z0-9]", "_", value.removeprefix("ml.").upper())


def test_the_set_holds_every_constant_once() -> None:
    values = list(constants().values())
    assert len(values) == len(set(values))
    assert frozenset(values) == TRAINING_INSTANCE_TYPES


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("G5_XLARGE", "ml.g5.xlarge"),
        ("M5_LARGE", "ml.m5.large"),
        ("P5_48XLARGE", "ml.p5.48xlarge"),
        ("P6_B200_48XLARGE", "ml.p6-b200.48xlarge"),
        ("TRN1N_32XLARGE", "ml.trn1n.32xlarge"),
    ],
)
def test_well_known_types(name: str, value: str) -> None:
    assert getattr(TrainingInstanceType, name) == value
    assert value in TRAINING_INSTANCE_TYPES


def test_order_is_a_persons() -> None:
    order = list(constants())
    assert order.index("M5_LARGE") < order.index("M5_XLARGE") < order.index("M5_2XLARGE")
    assert order.index("M5_2XLARGE") < order.index("M5_12XLARGE")


@pytest.mark.lint
def test_botocore_knows_no_type_that_is_missing() -> None:
    result = run_script("--check")
    assert result.returncode == 0, result.stderr


@pytest.mark.lint
def test_check_names_the_missing_types(tmp_path: Path) -> None:
    source = Path(instance_types.__file__).read_text(encoding="utf-8")
    line = '    P6_B200_48XLARGE: Final = "ml.p6-b200.48xlarge"\n'
    assert line in source
    stale = tmp_path / "instance_types.py"
    stale.write_text(source.replace(line, ""), encoding="utf-8")

    result = run_script("--check", "--file", str(stale))

    assert result.returncode == 1
    assert "ml.p6-b200.48xlarge" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.lint
def test_a_written_file_passes_the_check(tmp_path: Path) -> None:
    written = tmp_path / "instance_types.py"
    assert run_script("--file", str(written)).returncode == 0
    assert run_script("--check", "--file", str(written)).returncode == 0
