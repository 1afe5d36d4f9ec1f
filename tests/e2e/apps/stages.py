"""One app for two accounts, each in two Regions: a stage for each place."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aws_cdk import App, Environment, Stage

from tests.e2e.apps.training import STACK, TrainingStack
from tests.scenarios import ACCOUNT, REGION

OTHER_ACCOUNT: Final = "123456789012"
OTHER_REGION: Final = "eu-west-1"
PLACES: Final = [
    (account, region) for account in (ACCOUNT, OTHER_ACCOUNT) for region in (REGION, OTHER_REGION)
]


def synthesize_stages(outdir: Path) -> Path:
    """Synthesizes the app; returns where its templates are."""
    app = App(outdir=str(outdir))
    for account, region in PLACES:
        env = Environment(account=account, region=region)
        stage = Stage(app, f"Account{account}-{region}", env=env)
        TrainingStack(stage, STACK, env=env, job_queue_name="gpu")
    app.synth()
    return outdir
