"""The whole generated CloudFormation of each scenario, and what every tool says of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.json import JSONSnapshotExtension

from tests.scenarios import SCENARIOS

ROOT = Path(__file__).parents[1]
SAMPLE = "sample"


@pytest.fixture
def snapshot_json(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.with_defaults(extension_class=JSONSnapshotExtension)


def templates_in(assembly: Path) -> dict[str, Any]:
    return {
        path.name.removesuffix(".template.json"): json.loads(path.read_text())
        for path in sorted(assembly.glob("*.template.json"))
    }


def sample_templates(outdir: Path, **env: str) -> dict[str, Any]:
    """Returns what the sample app makes when it is run as the CDK CLI runs it."""
    context = json.loads((ROOT / "cdk.json").read_text())["context"]
    subprocess.run(
        [sys.executable, ROOT / "examples" / "app.py"],
        check=True,
        timeout=120,
        env={
            **os.environ,
            "CDK_OUTDIR": str(outdir),
            "CDK_CONTEXT_JSON": json.dumps(context),
            **env,
        },
    )
    return templates_in(outdir)


@pytest.mark.parametrize("name", SCENARIOS)
def test_template(name: str, snapshot_json: SnapshotAssertion, tmp_path: Path) -> None:
    app = App(outdir=str(tmp_path))
    SCENARIOS[name](app)
    app.synth()
    assert templates_in(tmp_path) == snapshot_json


def test_sample_template(snapshot_json: SnapshotAssertion, tmp_path: Path) -> None:
    assert sample_templates(tmp_path) == snapshot_json


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What CDK's validator and cdk-nag's packs say of each scenario, from one process."""
    report = tmp_path_factory.mktemp("judged") / "report.json"
    environment = {key: value for key, value in os.environ.items() if key != "CDK_VALIDATION"}
    subprocess.run(
        [sys.executable, "-m", "tests.judge_scenarios", report],
        check=True,
        timeout=600,
        cwd=ROOT,
        env=environment,
    )
    judged: dict[str, Any] = json.loads(report.read_text())
    return judged


@pytest.mark.validator
@pytest.mark.nag
@pytest.mark.parametrize("name", [*SCENARIOS, SAMPLE])
def test_cdk_s_validator_and_cdk_nag_find_nothing(name: str, judged: dict[str, Any]) -> None:
    assert judged[name] == []


@pytest.mark.validator
@pytest.mark.nag
def test_the_judges_find_what_is_wrong(judged: dict[str, Any]) -> None:
    """A bucket and a share that are wrong on purpose, to see that the judges are at work."""
    found = " ".join(judged["faulty"])
    assert "CloudFormation" in found
    for pack in ("AwsSolutions", "NIST.800.53.R5", "HIPAA.Security", "PCI.DSS.321"):
        assert pack in found


@pytest.mark.lint
@pytest.mark.parametrize("name", [*SCENARIOS, SAMPLE])
def test_cfn_lint_finds_nothing(name: str) -> None:
    from cfnlint.api import lint

    test = "test_sample_template" if name == SAMPLE else f"test_template[{name}]"
    file = ROOT / "tests" / "__snapshots__" / "test_snapshots" / f"{test}.json"
    for template in json.loads(file.read_text()).values():
        assert [str(match) for match in lint(json.dumps(template), regions=["us-east-1"])] == []
