"""A queue as L1s with a fault that AWS Batch refuses: ``cdk deploy -c fault=... -c checks=on``."""

from __future__ import annotations

from typing import Any, Final

from aws_cdk import App, Stack, Validations
from aws_cdk.aws_batch import (
    CfnJobQueue,
    CfnQuotaShare,
    CfnSchedulingPolicy,
    CfnServiceEnvironment,
)

from qm_constructs import QuotaManagementChecks

STACK: Final = "Refused"
GPU: Final = "ml.g5.xlarge"

Parts = dict[str, dict[str, Any]]
SOUND: Final[Parts] = {
    "environment": {
        "service_environment_type": "SAGEMAKER_TRAINING",
        "capacity_limits": [{"capacityUnit": GPU, "maxCapacity": 8}],
    },
    "queue": {"job_queue_type": "SAGEMAKER_TRAINING", "priority": 1},
    "share": {
        "quota_share_name": "vision",
        "capacity_limits": [{"capacityUnit": GPU, "maxCapacity": 4}],
        "resource_sharing_configuration": {"strategy": "LEND"},
        "preemption_configuration": {"inSharePreemption": "DISABLED"},
    },
}
TIME_LIMIT: Final = {
    "reason": "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY",
    "state": "RUNNABLE",
    "action": "CANCEL",
    "maxTimeSeconds": 600,
}

# What is otherwise, by the rule that it breaks.
FAULTS: Final[dict[str, Parts]] = {
    "none": {},
    "JT-03": {"queue": {"job_state_time_limit_actions": [TIME_LIMIT]}},
    "SE-05": {
        "environment": {"capacity_limits": [{"capacityUnit": "NUM_INSTANCES", "maxCapacity": 8}]}
    },
    "QS-02": {"share": {"quota_share_name": "computer vision"}},
}


def main() -> None:
    app = App()
    fault = app.node.get_context("fault")
    if app.node.try_get_context("checks"):
        Validations.of(app).add_plugins(QuotaManagementChecks())
    parts = {name: {**part, **FAULTS[fault].get(name, {})} for name, part in SOUND.items()}
    stack = Stack(app, STACK)
    policy = CfnSchedulingPolicy(
        stack, "Policy", quota_share_policy={"idleResourceAssignmentStrategy": "FIFO"}
    )
    environment = CfnServiceEnvironment(stack, "Environment", **parts["environment"])
    queue = CfnJobQueue(
        stack,
        "Queue",
        scheduling_policy_arn=policy.attr_arn,
        service_environment_order=[{"order": 1, "serviceEnvironment": environment.ref}],
        **parts["queue"],
    )
    CfnQuotaShare(stack, "Share", job_queue=queue.ref, **parts["share"])
    app.synth()


if __name__ == "__main__":
    main()
