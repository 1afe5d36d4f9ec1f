"""One app in two accounts and two Regions, deployed at once by a user of one of the accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.aws.calls import Calls
from tests.e2e.apps.places import OTHER_ACCOUNT, OTHER_REGION, PLACES, synthesize_places
from tests.e2e.inventory import inventory
from tests.scenarios import ACCOUNT, REGION

if TYPE_CHECKING:
    from tests.e2e.cloud import Cloud

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk]

ADMINISTRATOR = "arn:aws:iam::aws:policy/AdministratorAccess"


def bootstrap_all(cloud: Cloud) -> None:
    cloud.bootstrap(ACCOUNT, OTHER_REGION)
    for region in (REGION, OTHER_REGION):
        # The other account lets this one deploy.
        cloud.bootstrap(
            OTHER_ACCOUNT,
            region,
            f"--trust={ACCOUNT}",
            f"--cloudformation-execution-policies={ADMINISTRATOR}",
        )


@pytest.mark.parametrize(
    ("stages", "selection"), [(False, "--all"), (True, "**")], ids=["stacks", "stages"]
)
def test_all_places_are_deployed_at_once_and_are_apart(
    cloud: Cloud, stages: bool, selection: str
) -> None:
    bootstrap_all(cloud)
    before = {place: inventory(cloud.endpoint, *place) for place in PLACES}
    app = synthesize_places(cloud.outdir(), stages)
    cloud.deploy(app, selection, "--concurrency=4")
    for account, region in PLACES:
        aws = Calls(cloud.endpoint, account, region)
        queue = aws.arn("job-queue", "gpu")
        (described,) = aws.client.describe_job_queues()["jobQueues"]
        assert (described["jobQueueArn"], described["status"]) == (queue, "VALID")
        assert len(aws.client.list_quota_shares(jobQueue=queue)["quotaShares"]) == 2
        new = {*inventory(cloud.endpoint, account, region)} - {*before[account, region]}
        assert len(new) == 5
        assert {tuple(arn.split(":")[3:5]) for arn in new} == {(region, account)}
    cloud.destroy(app, selection, "--concurrency=4")
    assert {place: inventory(cloud.endpoint, *place) for place in PLACES} == before
