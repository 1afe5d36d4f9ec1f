"""Apps that AWS may take or refuse: its documents do not say."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aws_cdk import App, Stack

from qm_constructs import QuotaManagedTrainingQueue, QuotaShareSchedulingPolicy
from tests.e2e.apps.training import GPU, HERE

TWO_QUEUES: Final = "TwoQueues"


def synthesize_two_queues(outdir: Path) -> Path:
    """Synthesizes two queues that have one scheduling policy."""
    app = App(outdir=str(outdir))
    stack = Stack(app, TWO_QUEUES, env=HERE)
    policy = QuotaShareSchedulingPolicy(stack, "Policy")
    for id in ("One", "Two"):
        QuotaManagedTrainingQueue(
            stack, id, capacity_limits={GPU: 1}, scheduling_policy=policy
        ).add_quota_share("vision", capacity_limits={GPU: 1})
    app.synth()
    return outdir
