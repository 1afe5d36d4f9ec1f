"""All that an account has in a Region, of the kinds that a queue may bring with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.aws.calls import Calls
from tests.aws.endpoint import Endpoint

# By service: the call that lists, its answer's member, and by what each is known.
_KINDS: Final = (
    ("iam", "list_roles", "Roles", "Arn"),
    ("iam", "list_policies", "Policies", "Arn"),
    ("events", "list_rules", "Rules", "Arn"),
    ("cloudwatch", "describe_alarms", "MetricAlarms", "AlarmArn"),
    ("lambda", "list_functions", "Functions", "FunctionArn"),
    ("logs", "describe_log_groups", "logGroups", "arn"),
    ("sns", "list_topics", "Topics", "TopicArn"),
)


def inventory(endpoint: Endpoint, account: str, region: str) -> list[str]:
    """Returns the ARNs of all that there is, sorted."""
    return sorted(_arns(endpoint, account, region))


def _arns(endpoint: Endpoint, account: str, region: str) -> Iterator[str]:
    yield from map(arn_of, Calls(endpoint, account, region).all())
    for service, call, member, key in _KINDS:
        client = endpoint.boto3(service, account, region)
        given = {"Scope": "Local"} if call == "list_policies" else {}
        yield from (str(one[key]) for one in getattr(client, call)(**given)[member])


def arn_of(described: dict[str, Any]) -> str:
    """Returns the ARN of a resource of AWS Batch as the API describes it."""
    keys = ("arn", "serviceEnvironmentArn", "quotaShareArn", "jobQueueArn")
    return str(next(described[key] for key in keys if key in described))


def delete_all(aws: Calls) -> None:
    """Deletes all of AWS Batch, what was made by hand too, in the order that AWS asks for."""
    client = aws.client
    for queue in client.describe_job_queues()["jobQueues"]:
        arn = queue["jobQueueArn"]
        for share in client.list_quota_shares(jobQueue=arn)["quotaShares"]:
            aws("UpdateQuotaShare", quotaShareArn=share["quotaShareArn"], state="DISABLED")
            aws("DeleteQuotaShare", quotaShareArn=share["quotaShareArn"])
        aws("UpdateJobQueue", jobQueue=arn, state="DISABLED")
        aws("DeleteJobQueue", jobQueue=arn)
    for policy in client.list_scheduling_policies()["schedulingPolicies"]:
        aws("DeleteSchedulingPolicy", arn=policy["arn"])
    for environment in client.describe_service_environments()["serviceEnvironments"]:
        arn = environment["serviceEnvironmentArn"]
        aws("UpdateServiceEnvironment", serviceEnvironment=arn, state="DISABLED")
        aws("DeleteServiceEnvironment", serviceEnvironment=arn)
