"""One app in two accounts and two Regions, deployed at once by a user of one of the accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.aws.calls import Calls
from tests.e2e.apps.stages import OTHER_ACCOUNT, OTHER_REGION, PLACES, synthesize_stages
from tests.e2e.inventory import inventory
from tests.scenarios import ACCOUNT, REGION

if TYPE_CHECKING:
    from tests.e2e.cloud import Cloud

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk]

EXECUTION = "--cloudformation-execution-policies"
ADMINISTRATOR = "arn:aws:iam::aws:policy/AdministratorAccess"


def test_all_places_are_deployed_at_once_and_are_apart(cloud: Cloud) -> None:
    cloud.bootstrap(ACCOUNT, OTHER_REGION)
    for region in (REGION, OTHER_REGION):
        # The other account lets this one deploy.
        cloud.bootstrap(OTHER_ACCOUNT, region, f"--trust={ACCOUNT}", f"{EXECUTION}={ADMINISTRATOR}")
    before = {place: inventory(cloud.endpoint, *place) for place in PLACES}

    app = synthesize_stages(cloud.outdir())
    cloud.deploy(app, "--all", "--concurrency=4")
    queues = [Calls(cloud.endpoint, *place).arn("job-queue", "gpu") for place in PLACES]
    for place, queue in zip(PLACES, queues, strict=True):
        aws = Calls(cloud.endpoint, *place)
        (described,) = aws.client.describe_job_queues()["jobQueues"]
        assert (described["jobQueueArn"], described["status"]) == (queue, "VALID")
        shares = aws.client.list_quota_shares(jobQueue=queue)["quotaShares"]
        assert len(shares) == 2
        for arn in set(inventory(cloud.endpoint, *place)) - set(before[place]):
            assert arn.split(":")[3:5] == [place[1], place[0]]
    assert len(set(queues)) == len(PLACES)

    cloud.destroy(app, "--all")
    assert {place: inventory(cloud.endpoint, *place) for place in PLACES} == before
