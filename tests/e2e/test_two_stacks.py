"""Another team's stack adds a share to the queue, and goes before it or after it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.apps.training import STACK, synthesize
from tests.e2e.apps.two_teams import SHARE, TEAM, synthesize_team

if TYPE_CHECKING:
    from tests.e2e.cloud import Cloud

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk]


def both_deployed(cloud: Cloud) -> tuple[Path, Path, str]:
    """Deploys queue and share; returns both apps, and the job that runs in the team's share."""
    training = synthesize(cloud.outdir())
    cloud.deploy(training)
    team = synthesize_team(cloud.outdir(), cloud.queue_arn())
    cloud.deploy(team)
    (share,) = cloud.stacks.physical_ids(TEAM).values()
    assert share == f"{cloud.queue_arn()}/quota-share/{SHARE}"
    return training, team, cloud.submit(SHARE)


def test_the_team_goes_first(either_way: Cloud) -> None:
    cloud, before = either_way, either_way.has()
    training, team, job = both_deployed(cloud)
    others, of_others = cloud.stacks.physical_ids(STACK), cloud.submit("vision")
    cloud.destroy(team)
    assert cloud.status_of(job) == "FAILED"
    assert cloud.status_of(of_others) == "RUNNING"
    assert cloud.described().keys() == set(others.values())
    cloud.destroy(training)
    assert cloud.has() == before


def test_the_queue_goes_first_and_takes_the_share_along(cloud: Cloud) -> None:  # DE-06
    before = cloud.has()
    cloud.refuse("DE-06", False)
    training, team, job = both_deployed(cloud)
    cloud.destroy(training)
    assert cloud.status_of(job) == "FAILED"
    assert cloud.has() == before
    # The team's stack does not know it yet, and goes without a word.
    assert cloud.stacks.statuses() == {TEAM: "CREATE_COMPLETE"}
    cloud.destroy(team)
    assert cloud.stacks.statuses() == {}


def test_the_queue_cannot_go_first_and_goes_after_the_team(cloud: Cloud) -> None:  # DE-06
    before = cloud.has()
    cloud.refuse("DE-06", True)
    training, team, job = both_deployed(cloud)
    assert "found existing QuotaShare relationship" in cloud.destroy(training, fails=True)
    assert cloud.stacks.statuses() == {STACK: "DELETE_FAILED", TEAM: "CREATE_COMPLETE"}
    assert cloud.status_of(job) == "RUNNING"
    cloud.destroy(team)
    cloud.destroy(training)
    assert cloud.has() == before
    assert cloud.stacks.statuses() == {}
