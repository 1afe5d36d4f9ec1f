"""A queue with a share for each team, each of whose arguments can be another."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from aws_cdk import App, CfnOutput, Environment, Stack
from constructs import Construct

from qm_constructs import QuotaManagedTrainingQueue
from tests.scenarios import ACCOUNT, REGION

STACK: Final = "Training"
GPU: Final = "ml.g5.xlarge"
OTHER: Final = "ml.p4d.24xlarge"
HERE: Final = Environment(account=ACCOUNT, region=REGION)

# What each team has of the queue's 8, and of the 2 of another type.
LIMITS: Final = {GPU: 8, OTHER: 2}
SHARES: Final[Mapping[str, Mapping[str, Any]]] = {
    "vision": {"capacity_limits": {GPU: 4}},
    "speech": {"capacity_limits": {GPU: 2, OTHER: 2}},
}


class TrainingStack(Stack):
    """A stack with a queue.

    Args:
        scope: the app or stage.
        id: its id.
        env: where it is deployed.
        shares: the arguments of each share, by its name.
        queue: arguments of the queue.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        env: Environment = HERE,
        shares: Mapping[str, Mapping[str, Any]] = SHARES,
        **queue: Any,
    ) -> None:
        super().__init__(scope, id, env=env)
        if "service_environment" not in queue:
            queue = {"capacity_limits": LIMITS, **queue}
        self.queue = QuotaManagedTrainingQueue(self, "Queue", **queue)
        for name, arguments in shares.items():
            self.queue.add_quota_share(name, **arguments)
        CfnOutput(self, "JobQueueArn", value=self.queue.job_queue_arn)


def with_shares(**changes: Mapping[str, Any] | None) -> dict[str, Any]:
    """Returns the arguments of a stack whose shares are changed, added or, by None, removed."""
    shares = {
        name: {**SHARES.get(name, {}), **arguments}
        for name, arguments in {**SHARES, **changes}.items()
        if arguments is not None
    }
    return {"shares": shares}


def synthesize(outdir: Path, **arguments: Any) -> Path:
    """Synthesizes an app of this one stack; returns where its templates are."""
    app = App(outdir=str(outdir))
    TrainingStack(app, STACK, **arguments)
    app.synth()
    return outdir
