"""One queue whose GPUs three teams divide: one reserves, one lends, one lends and borrows."""

from __future__ import annotations

from aws_cdk import App, CfnOutput, Stack
from constructs import Construct

from qm_constructs import QuotaManagedTrainingQueue, ResourceSharing, TrainingInstanceType

# -- The values to change ----------------------------------------------------------------
H100 = TrainingInstanceType.P5_48XLARGE
L4 = TrainingInstanceType.G6_12XLARGE

# What the queue may use at once; instances cost nothing until a job runs on them.
CAPACITY = {H100: 16, L4: 32}

# What each team may always have. Together they hold what the queue has, and no more.
TEAMS = {
    # Serves customers: its instances stand ready, and nobody else uses them.
    "inference": ({H100: 4}, ResourceSharing.reserve()),
    # Trains on a schedule: lends between its runs, and is never preempted by another team.
    "product": ({H100: 4, L4: 16}, ResourceSharing.lend()),
    # Trains whenever there is room: up to half as much again as its own.
    "research": ({H100: 8, L4: 16}, ResourceSharing.lend_and_borrow(borrow_limit=50)),
}
# Whose urgent jobs may stop less urgent ones of the same team.
PREEMPTING = {"research"}
# ----------------------------------------------------------------------------------------


class TrainingStack(Stack):
    """A queue of quota management with a share for each team."""

    def __init__(self, scope: Construct, id: str) -> None:
        super().__init__(scope, id, description="SageMaker Training queue divided by quota shares")
        queue = QuotaManagedTrainingQueue(self, "Training", capacity_limits=CAPACITY)
        CfnOutput(self, "JobQueueName", value=queue.job_queue_name)
        CfnOutput(self, "JobQueueArn", value=queue.job_queue_arn)
        for team, (limits, sharing) in TEAMS.items():
            share = queue.add_quota_share(
                team,
                capacity_limits=limits,
                resource_sharing=sharing,
                in_share_preemption=team in PREEMPTING,
            )
            CfnOutput(self, f"QuotaShareName-{team}", value=share.quota_share_name)


if __name__ == "__main__":
    app = App()
    TrainingStack(app, "QuotaManagedTraining")
    app.synth()
