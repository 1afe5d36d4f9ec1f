"""The stack of another team, which adds its share to a queue that exists already."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aws_cdk import App, Stack

from qm_constructs import QuotaManagedTrainingQueue
from tests.e2e.apps.training import GPU, HERE

TEAM: Final = "Team"
SHARE: Final = "robots"


def synthesize_team(outdir: Path, job_queue_arn: str) -> Path:
    """Synthesizes the team's app; returns where its template is."""
    app = App(outdir=str(outdir))
    stack = Stack(app, TEAM, env=HERE)
    queue = QuotaManagedTrainingQueue.from_job_queue_arn(stack, "Shared", job_queue_arn)
    queue.add_quota_share(SHARE, capacity_limits={GPU: 2})
    app.synth()
    return outdir
