"""Every call of AWS Batch that the endpoint takes, and the shape of its answer."""

from __future__ import annotations

import http.client
import json
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from tests.aws.calls import Calls
    from tests.aws.endpoint import Endpoint

pytestmark = pytest.mark.aws


def test_every_call_answers_in_the_shape_of_the_model(aws: Calls) -> None:
    from tests.aws.service import OPERATIONS

    aws.watch.seen.clear()
    aws.make_queue()
    policy = aws.arn("scheduling-policy", "policy")
    fifo = {"idleResourceAssignmentStrategy": "FIFO"}
    aws("UpdateSchedulingPolicy", arn=policy, quotaSharePolicy=fifo)
    aws("UpdateServiceEnvironment", serviceEnvironment="environment", state="DISABLED")
    aws("UpdateServiceEnvironment", serviceEnvironment="environment", state="ENABLED")
    running, waiting = (
        aws.submit(retryStrategy={"attempts": 2}, timeoutConfig={"attemptDurationSeconds": 60}),
        aws.submit(jobName="waiting", serviceRequestPayload=_payload(4)),
    )
    for id in (running, waiting):
        aws.job(id)
        aws("UpdateServiceJob", jobId=id, schedulingPriority=3)
    for status in ("RUNNABLE", "SCHEDULED", "STARTING", "RUNNING"):
        aws("ListServiceJobs", jobQueue="queue", jobStatus=status)
    aws("GetJobQueueSnapshot", jobQueue="queue")
    aws("TagResource", resourceArn=aws.share_arn, tags={"a": "b", "c/d": "e"})
    assert aws("ListTagsForResource", resourceArn=aws.share_arn)["tags"] == {"a": "b", "c/d": "e"}
    aws("UntagResource", resourceArn=aws.share_arn, tagKeys=["a", "c/d"])
    assert aws("ListTagsForResource", resourceArn=aws.share_arn)["tags"] == {}
    aws("TerminateServiceJob", jobId=running, reason="enough")
    aws("TerminateServiceJobs", jobs=[waiting], reason="enough")
    aws.job(running)
    aws("UpdateQuotaShare", quotaShareArn=aws.share_arn, state="DISABLED")
    aws("DeleteQuotaShare", quotaShareArn=aws.share_arn)
    aws("UpdateJobQueue", jobQueue="queue", state="DISABLED")
    aws("DeleteJobQueue", jobQueue="queue")
    aws("DeleteSchedulingPolicy", arn=policy)
    aws("UpdateServiceEnvironment", serviceEnvironment="environment", state="DISABLED")
    aws("DeleteServiceEnvironment", serviceEnvironment="environment")
    assert list(aws.all()) == []
    assert aws.watch.seen == OPERATIONS.keys()


def _payload(count: int) -> str:
    from tests.aws.calls import GPU

    return json.dumps({"ResourceConfig": {"InstanceType": GPU, "InstanceCount": count}})


def test_a_faulty_answer_would_be_found() -> None:
    from tests.aws.answers import faults
    from tests.aws.shapes import model

    shape = model().operation_model("ListQuotaShares").output_shape
    assert shape is not None
    answer = {"quotaShares": [{"state": "ON", "status": 1, "colour": "red"}], "nextToken": None}
    assert sorted(faults(shape, answer)) == [
        ".nextToken: None is no string",
        ".quotaShares[0].state: 'ON' is not in the enum",
        ".quotaShares[0].status: 1 is no string",
        ".quotaShares[0]: colour is unknown",
    ]
    needs = model().operation_model("CreateSchedulingPolicy").output_shape
    assert needs is not None
    assert list(faults(needs, {"name": "a"})) == [": arn is missing"]


def test_long_answers_come_in_pages(aws: Calls) -> None:
    for number in range(5):
        aws("CreateSchedulingPolicy", name=f"p{number}")
    pages = aws.client.get_paginator("list_scheduling_policies").paginate(
        PaginationConfig={"PageSize": 2}
    )
    assert [len(page["schedulingPolicies"]) for page in pages] == [2, 2, 1]


def test_calls_about_containers_are_left_to_ministack(aws: Calls) -> None:
    aws.client.create_compute_environment(
        computeEnvironmentName="containers", type="UNMANAGED", state="ENABLED"
    )
    found = aws.client.describe_compute_environments()["computeEnvironments"]
    assert [one["computeEnvironmentName"] for one in found] == ["containers"]
    order = [{"order": 1, "computeEnvironment": "containers"}]
    aws(
        "CreateJobQueue",
        jobQueueType="ECS",
        computeEnvironmentOrder=order,
        serviceEnvironmentOrder=None,
        schedulingPolicyArn=None,
    )


# What only a client without botocore's checks would send.
RAW = [
    ("CreateQuotaShare", b"[1]", "must be a JSON object"),
    ("CreateQuotaShare", b"{", "is no JSON"),
    ("CreateSchedulingPolicy", b"{}", 'Missing required parameter in input: "name"'),
    ("CreateSchedulingPolicy", b'{"name": 3}', "Invalid type for parameter name"),
    ("CreateSchedulingPolicy", b'{"name": null}', 'Missing required parameter in input: "name"'),
]


@pytest.mark.parametrize(("call", "body", "says"), RAW)
def test_a_raw_request_is_judged_too(endpoint: Endpoint, call: str, body: bytes, says: str) -> None:
    place = urlsplit(endpoint.url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port or 0, timeout=10)
    scope = "111122223333/20261130/us-east-1/batch/aws4_request"
    signed = {"Authorization": f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=h, Signature=s"}
    connection.request("POST", f"/v1/{call.lower()}", body, signed)
    response = connection.getresponse()
    answer = json.load(response)
    connection.close()
    assert response.status == 400
    assert response.headers["x-amzn-errortype"] == "ClientException"
    assert says in answer["message"]
