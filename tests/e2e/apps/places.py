"""One app for two accounts, each in two Regions."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aws_cdk import App, Environment, Stage
from constructs import Construct

from tests.e2e.apps.training import STACK, TrainingStack
from tests.scenarios import ACCOUNT, REGION

OTHER_ACCOUNT: Final = "123456789012"
OTHER_REGION: Final = "eu-west-1"
PLACES: Final = [
    (account, region) for account in (ACCOUNT, OTHER_ACCOUNT) for region in (REGION, OTHER_REGION)
]


def synthesize_places(outdir: Path, stages: bool) -> Path:
    """Synthesizes a stack for each place, or a stage; returns where the templates are."""
    app = App(outdir=str(outdir))
    for account, region in PLACES:
        env = Environment(account=account, region=region)
        name = f"In-{account}-{region}"
        scope: Construct = Stage(app, name, env=env) if stages else app
        TrainingStack(scope, STACK if stages else name, env=env, job_queue_name="gpu")
    app.synth()
    return outdir
