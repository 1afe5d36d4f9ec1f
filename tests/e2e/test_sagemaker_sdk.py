"""The SageMaker SDK submits to a deployed queue, by ``make e2e-sagemaker``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.aws.endpoint import ROOT
from tests.e2e.apps.training import GPU, synthesize

if TYPE_CHECKING:
    from tests.e2e.cloud import Cloud

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk, pytest.mark.sagemaker]

PYTHON = ROOT / ".venv-sagemaker" / "bin" / "python"
PROGRAM = ROOT / "tests" / "e2e" / "apps" / "submit_with_sagemaker.py"


def test_a_job_is_submitted_seen_given_another_priority_and_ended(cloud: Cloud) -> None:
    cloud.deploy(synthesize(cloud.outdir(), job_queue_name="gpu"))
    said = cloud.run(str(PYTHON), str(PROGRAM), "gpu", "vision")
    (line,) = (line for line in said.splitlines() if line.startswith("{"))
    saw = json.loads(line)

    running = saw["running"]
    assert running["jobQueue"] == cloud.queue_arn()
    assert running["quotaShareName"] == "vision"
    assert running["schedulingPriority"] == 5
    assert running["capacityUsage"] == [{"capacityUnit": GPU, "quantity": 2.0}]
    assert running["preemptionConfiguration"] == {"preemptionRetriesBeforeTermination": 2}
    assert saw["listed"] == ["by-sdk"]
    assert saw["updated"]["schedulingPriority"] == 7
    ended = cloud.batch.job(saw["arn"])
    assert (ended["status"], ended["statusReason"]) == ("FAILED", "seen enough")
