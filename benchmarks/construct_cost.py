"""What 60 queues of four shares cost in CPU time, as the L3 with its checks and as L1s by hand.

Both are built in turn, in one process with one Node, several rounds; printed are the medians. The
L1s are written the way people write them: typed structs, and a reference read where it is needed.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable
from importlib.metadata import version

import psutil
from aws_cdk import App, Stack
from aws_cdk.aws_batch import (
    CfnJobQueue,
    CfnQuotaShare,
    CfnSchedulingPolicy,
    CfnServiceEnvironment,
)

from qm_constructs import QuotaManagedTrainingQueue, ResourceSharing

UNITS = {"ml.p5.48xlarge": 16, "ml.g6.12xlarge": 32}
SHARE_UNITS = {"ml.p5.48xlarge": 4, "ml.g6.12xlarge": 8}
SHARES = ("research", "product", "ops", "inference")
REASONS = (
    "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE",
    "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED",
)


def build_l3(stack: Stack, id: str) -> None:
    queue = QuotaManagedTrainingQueue(stack, id, capacity_limits=UNITS, priority=10)
    for name in SHARES:
        queue.add_quota_share(
            name,
            capacity_limits=SHARE_UNITS,
            resource_sharing=ResourceSharing.lend_and_borrow(borrow_limit=50),
        )


def build_l1(stack: Stack, id: str) -> None:
    policy = CfnSchedulingPolicy(
        stack,
        f"{id}Policy",
        quota_share_policy=CfnSchedulingPolicy.QuotaSharePolicyProperty(
            idle_resource_assignment_strategy="FIFO"
        ),
    )
    environment = CfnServiceEnvironment(
        stack,
        f"{id}Environment",
        service_environment_type="SAGEMAKER_TRAINING",
        state="ENABLED",
        capacity_limits=[
            CfnServiceEnvironment.CapacityLimitProperty(capacity_unit=unit, max_capacity=most)
            for unit, most in UNITS.items()
        ],
    )
    queue = CfnJobQueue(
        stack,
        f"{id}Queue",
        job_queue_type="SAGEMAKER_TRAINING",
        priority=10,
        state="ENABLED",
        scheduling_policy_arn=policy.attr_arn,
        service_environment_order=[
            CfnJobQueue.ServiceEnvironmentOrderProperty(
                order=1, service_environment=environment.attr_service_environment_arn
            )
        ],
        job_state_time_limit_actions=[
            CfnJobQueue.JobStateTimeLimitActionProperty(
                action="TERMINATE", max_time_seconds=3600, reason=reason, state="RUNNABLE"
            )
            for reason in REASONS
        ],
    )
    for name in SHARES:
        CfnQuotaShare(
            stack,
            f"{id}{name}",
            job_queue=queue.attr_job_queue_arn,
            quota_share_name=name,
            state="ENABLED",
            capacity_limits=[
                CfnQuotaShare.QuotaShareCapacityLimitProperty(capacity_unit=unit, max_capacity=most)
                for unit, most in SHARE_UNITS.items()
            ],
            resource_sharing_configuration=(
                CfnQuotaShare.QuotaShareResourceSharingConfigurationProperty(
                    strategy="LEND_AND_BORROW", borrow_limit=50
                )
            ),
            preemption_configuration=CfnQuotaShare.QuotaSharePreemptionConfigurationProperty(
                in_share_preemption="DISABLED"
            ),
        )


def cpu_of_node() -> float:
    """Returns the CPU seconds that this process's Node has used."""
    times = [child.cpu_times() for child in psutil.Process().children(recursive=True)]
    return sum(used.user + used.system for used in times)


def cost(build: Callable[[Stack, str], None], queues: int) -> tuple[float, float, float]:
    """Returns the CPU seconds of Python and of Node, and the seconds passed, for some queues."""
    stacks = [Stack(App(), f"S{number}") for number in range(queues // 20)]
    before = time.process_time(), cpu_of_node(), time.perf_counter()
    for number in range(queues):
        build(stacks[number % len(stacks)], f"Q{number}")
    after = time.process_time(), cpu_of_node(), time.perf_counter()
    python, node, passed = (end - start for start, end in zip(before, after, strict=True))
    return python, node, passed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queues", type=int, default=60, help="queues a round (default: 60)")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each way (default: 7)")
    arguments = parser.parse_args()
    ways = {"L3 with all checks": build_l3, "L1s by hand": build_l1}
    for build in ways.values():  # nobody pays for the first
        cost(build, 20)
    costs: dict[str, list[tuple[float, float, float]]] = {way: [] for way in ways}
    for turn in range(arguments.rounds):
        # Who goes first changes, because the process grows.
        for way in list(ways)[:: 1 if turn % 2 else -1]:
            costs[way].append(cost(ways[way], arguments.queues))
    print(
        f"{arguments.queues} queues of {len(SHARES)} shares, median of {arguments.rounds} rounds; "
        f"Python {platform.python_version()}, aws-cdk-lib {version('aws-cdk-lib')}, "
        f"jsii {version('jsii')}, {os.cpu_count()} cores"
    )
    print(f"{'':20} {'Python CPU':>12} {'Node CPU':>12} {'both':>12} {'passed':>12}")
    both: dict[str, float] = {}
    for way, rounds in costs.items():
        python, node, passed = (statistics.median(column) for column in zip(*rounds, strict=True))
        both[way] = statistics.median(python + node for python, node, _ in rounds)
        figures = (python, node, both[way], passed)
        print(f"{way:20}", *(f"{figure * 1000:9.0f} ms" for figure in figures))
    l3, l1 = both.values()
    print(f"The L3 costs {l3 / l1:.2f} times the CPU of the L1s.")


if __name__ == "__main__":
    main()
