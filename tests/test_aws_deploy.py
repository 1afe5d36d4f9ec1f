"""The sample stack, by the real CDK command line: bootstrapped, deployed and destroyed."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.scenarios import ACCOUNT, REGION

if TYPE_CHECKING:
    from tests.aws.calls import Calls
    from tests.aws.endpoint import Endpoint

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk]

ROOT = Path(__file__).parents[1]
STACK = "QuotaManagedTraining"


def test_the_sample_is_deployed_and_destroyed(
    endpoint: Endpoint, aws: Calls, tmp_path: Path
) -> None:
    environment = endpoint.environment(ACCOUNT, REGION, tmp_path)

    def cdk(*arguments: str) -> str:
        done = subprocess.run(
            ["cdk", *arguments, "--output", str(tmp_path / "cdk.out"), "--no-notices"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        said = f"{done.stdout}\n{done.stderr}"
        assert done.returncode == 0, f"{said}\n{endpoint.log.read_text()}"
        return said

    cdk("bootstrap", f"aws://{ACCOUNT}/{REGION}")
    said = cdk("deploy", "--require-approval=never")
    (queue,) = aws.client.describe_job_queues()["jobQueues"]
    assert f"{STACK}.JobQueueArn = {queue['jobQueueArn']}" in said
    assert (queue["state"], queue["status"]) == ("ENABLED", "VALID")
    assert queue["statusReason"] == "JobQueue Healthy"
    shares = aws.client.list_quota_shares(jobQueue=queue["jobQueueArn"])["quotaShares"]
    assert {share["quotaShareName"] for share in shares} == {"inference", "product", "research"}
    assert {share["status"] for share in shares} == {"VALID"}
    assert "destroyed" in cdk("destroy", "--force")
    assert list(aws.all()) == []
    stacks = endpoint.boto3("cloudformation", ACCOUNT, REGION).describe_stacks()["Stacks"]
    assert [stack["StackName"] for stack in stacks] == ["CDKToolkit"]
