"""AWS Batch as the tests call it: sound requests to change, and answers that are judged."""

from __future__ import annotations

import copy
import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from botocore.exceptions import ClientError

from .answers import Watch
from .endpoint import Endpoint

Json = dict[str, Any]
GPU: Final = "ml.g5.xlarge"
OTHER: Final = "ml.p4d.24xlarge"

PAYLOAD: Final = json.dumps({"ResourceConfig": {"InstanceType": GPU, "InstanceCount": 1}})

SOUND: Final[dict[str, Json]] = {
    "CreateSchedulingPolicy": {
        "name": "policy",
        "quotaSharePolicy": {"idleResourceAssignmentStrategy": "FIFO"},
    },
    "CreateServiceEnvironment": {
        "serviceEnvironmentName": "environment",
        "serviceEnvironmentType": "SAGEMAKER_TRAINING",
        "capacityLimits": [{"capacityUnit": GPU, "maxCapacity": 8}],
    },
    "CreateJobQueue": {
        "jobQueueName": "queue",
        "jobQueueType": "SAGEMAKER_TRAINING",
        "priority": 1,
        "schedulingPolicyArn": "policy",
        "serviceEnvironmentOrder": [{"order": 1, "serviceEnvironment": "environment"}],
    },
    "CreateQuotaShare": {
        "quotaShareName": "share",
        "jobQueue": "queue",
        "capacityLimits": [{"capacityUnit": GPU, "maxCapacity": 4}],
        "resourceSharingConfiguration": {"strategy": "LEND"},
        "preemptionConfiguration": {"inSharePreemption": "DISABLED"},
    },
    "SubmitServiceJob": {
        "jobName": "job",
        "jobQueue": "queue",
        "quotaShareName": "share",
        "serviceJobType": "SAGEMAKER_TRAINING",
        "serviceRequestPayload": PAYLOAD,
    },
}


class Calls:
    """AWS Batch in one account and Region."""

    def __init__(self, endpoint: Endpoint, account: str, region: str) -> None:
        self.client = endpoint.boto3("batch", account, region)
        self.watch = Watch(self.client)
        self.prefix = f"arn:aws:batch:{region}:{account}:"

    def arn(self, kind: str, name: str) -> str:
        return f"{self.prefix}{kind}/{name}"

    @property
    def queue_arn(self) -> str:
        return self.arn("job-queue", "queue")

    @property
    def share_arn(self) -> str:
        return f"{self.queue_arn}/quota-share/share"

    def __call__(self, operation: str, /, **given: Any) -> Json:
        """Carries out a call: the sound request of its name with these changes.

        A name of a scheduling policy becomes its ARN. What it makes or changes is valid then.
        """
        request = {**copy.deepcopy(SOUND.get(operation, {})), **given}
        request = {name: value for name, value in request.items() if value is not None}
        policy = request.get("schedulingPolicyArn")
        if policy is not None and ":" not in policy:
            request["schedulingPolicyArn"] = self.arn("scheduling-policy", policy)
        method = re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower()
        answer: Json = getattr(self.client, method)(**request)
        if operation.startswith(("Create", "Update", "Delete")):
            self.settle()
        return answer

    def settle(self) -> None:
        """Waits until nothing is on its way."""
        wait_until(self._is_settled)

    def _is_settled(self) -> bool:
        try:
            return all(one.get("status", "VALID") == "VALID" for one in self.all())
        except ClientError:  # one has just gone
            return False

    def all(self) -> Iterator[Json]:
        """Yields all that the account has in the Region, jobs aside, as it is described."""
        client = self.client
        arns = [one["arn"] for one in client.list_scheduling_policies()["schedulingPolicies"]]
        yield from client.describe_scheduling_policies(arns=arns)["schedulingPolicies"]
        yield from client.describe_service_environments()["serviceEnvironments"]
        for queue in client.describe_job_queues()["jobQueues"]:
            yield queue
            shares = client.list_quota_shares(jobQueue=queue["jobQueueArn"])["quotaShares"]
            for share in shares:
                described = client.describe_quota_share(quotaShareArn=share["quotaShareArn"])
                del described["ResponseMetadata"]
                yield described

    def make_queue(self) -> None:
        """Makes a policy, an environment, a queue and a share, each as it is sound."""
        for operation in list(SOUND)[:4]:
            self(operation)

    def submit(self, **given: Any) -> str:
        """Submits a job; returns its id."""
        return str(self("SubmitServiceJob", **given)["jobId"])

    def job(self, id: str) -> Json:
        return self("DescribeServiceJob", jobId=id)

    def refusal(self, operation: str, /, **given: Any) -> str:
        """Returns what AWS Batch says of a call that it must refuse."""
        with pytest.raises(ClientError) as raised:
            self(operation, **given)
        response = raised.value.response
        assert response["ResponseMetadata"]["HTTPStatusCode"] == 400
        assert response["Error"]["Code"] == "ClientException"
        return str(response["Error"]["Message"])


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Waits until something holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it never held"
        time.sleep(0.01)
