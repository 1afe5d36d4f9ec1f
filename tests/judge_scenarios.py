"""Synthesizes every scenario with CDK's validator and cdk-nag's packs, and writes what they say."""

from __future__ import annotations

import json
import runpy
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aws_cdk import App, Stack, Validations
from aws_cdk.aws_batch import CfnQuotaShare
from aws_cdk.aws_s3 import Bucket
from cdk_nag import (
    AwsSolutionsChecks,
    HIPAASecurityChecks,
    NIST80053R5Checks,
    PCIDSS321Checks,
    ServerlessChecks,
)

from tests.scenarios import SCENARIOS

ROOT = Path(__file__).parents[1]
PACKS = (
    AwsSolutionsChecks,
    NIST80053R5Checks,
    HIPAASecurityChecks,
    PCIDSS321Checks,
    ServerlessChecks,
)
CONTEXT: dict[str, Any] = json.loads((ROOT / "cdk.json").read_text())["context"]


def findings(build: Callable[[App], object]) -> list[str]:
    """Returns what the judges say of an app."""
    with tempfile.TemporaryDirectory() as outdir:
        app = App(outdir=outdir, context=CONTEXT)
        build(app)
        for pack in PACKS:
            Validations.of(app).add_plugins(pack(app))
        try:
            app.synth()
        except RuntimeError as error:
            failed = [str(error)]
        else:
            failed = []
        report = Path(outdir, "validation-report.json")
        found = json.loads(report.read_text())["pluginReports"] if report.exists() else []
    violations = [
        f"{plugin['pluginName']}: {violation['ruleName']}: {violation['description']}"
        for plugin in found
        for violation in plugin["violations"]
    ]
    return violations or failed


def sample(app: App) -> None:
    module = runpy.run_path(str(ROOT / "examples" / "app.py"), run_name="sample")
    module["TrainingStack"](app, "QuotaManagedTraining")


def faulty(app: App) -> None:
    stack = Stack(app, "Faulty")
    Bucket(stack, "Bucket")
    CfnQuotaShare(
        stack,
        "Share",
        job_queue="queue",
        quota_share_name="share",
        capacity_limits=[{"capacityUnit": "ml.p5.48xlarge", "maxCapacity": 0}],
        resource_sharing_configuration={"strategy": "BORROW"},
        preemption_configuration={"inSharePreemption": "DISABLED"},
    )


if __name__ == "__main__":
    apps = {**SCENARIOS, "sample": sample, "faulty": faulty}
    judged = {name: findings(build) for name, build in apps.items()}
    Path(sys.argv[1]).write_text(json.dumps(judged, indent=1))
