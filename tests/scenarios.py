"""The apps whose whole CloudFormation the snapshots hold; each has no finding by any tool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jsii
from aws_cdk import (
    App,
    CfnParameter,
    DefaultStackSynthesizer,
    Duration,
    Environment,
    Fn,
    IStableNumberProducer,
    Lazy,
    Stack,
    Tags,
    Token,
)
from aws_cdk.aws_batch import CfnSchedulingPolicy, CfnServiceEnvironment
from constructs import Construct

from qm_constructs import (
    JobStateTimeLimits,
    QuotaManagedTrainingQueue,
    QuotaShare,
    QuotaShareOptions,
    QuotaShareSchedulingPolicy,
    ResourceSharing,
    ServiceEnvironment,
    TrainingInstanceType,
)

ACCOUNT = "111122223333"
REGION = "us-east-1"


def a_stack(scope: Construct, id: str = "Stack", **kwargs: Any) -> Stack:
    """Returns a stack whose template holds what is put into it, and no more."""
    synthesizer = DefaultStackSynthesizer(generate_bootstrap_version_rule=False)
    return Stack(scope, id, synthesizer=synthesizer, **kwargs)


def arn(resource: str) -> str:
    return f"arn:aws:batch:{REGION}:{ACCOUNT}:{resource}"


@jsii.implements(IStableNumberProducer)
class _Seven:
    def produce(self) -> int:
        return 7


def aws_guide(app: App) -> None:
    """The AWS guide's three shares (LA-13)."""
    queue = QuotaManagedTrainingQueue(a_stack(app), "Queue", capacity_limits={"ml.m6i.large": 15})
    queue.add_quota_share(
        "lend-and-borrow",
        capacity_limits={"ml.m6i.large": 5},
        resource_sharing=ResourceSharing.lend_and_borrow(borrow_limit=100),
        in_share_preemption=True,
    )
    queue.add_quota_share("lend", capacity_limits={"ml.m6i.large": 8})
    queue.add_quota_share(
        "reserve",
        capacity_limits={"ml.m6i.large": 2},
        resource_sharing=ResourceSharing.reserve(),
    )


def aws_notebook(app: App) -> None:
    """The AWS notebook's resources with their names (LA-10)."""
    QuotaManagedTrainingQueue(
        a_stack(app),
        "Queue",
        capacity_limits={"ml.g5.xlarge": 3},
        job_queue_name="my-sm-training-qm-jq",
        scheduling_policy_name="my-qm-scheduling-policy",
        service_environment_name="my-sm-training-qm-se",
        quota_shares=[
            QuotaShareOptions(
                "QS1",
                capacity_limits={"ml.g5.xlarge": 1},
                resource_sharing=ResourceSharing.lend_and_borrow(borrow_limit=200),
                in_share_preemption=True,
            ),
            QuotaShareOptions("QS2", capacity_limits={"ml.g5.xlarge": 1}),
            QuotaShareOptions(
                "QS3",
                capacity_limits={"ml.g5.xlarge": 1},
                resource_sharing=ResourceSharing.reserve(),
            ),
        ],
    )


def five_units(app: App) -> None:
    """As many instance types as AWS allows, given unsorted, and tagged both ways."""
    limits = {
        TrainingInstanceType.P5_48XLARGE: 4,
        TrainingInstanceType.G5_XLARGE: 50,
        TrainingInstanceType.TRN1_32XLARGE: 2,
        TrainingInstanceType.P4D_24XLARGE: 8,
        "ml.m5.large": 100,
    }
    stack = a_stack(app)
    queue = QuotaManagedTrainingQueue(
        stack, "Queue", capacity_limits=limits, priority=1000, tags={"team": "ml-platform"}
    )
    queue.add_quota_share("everything", capacity_limits=limits, tags={"team": "everything"})
    Tags.of(stack).add("cost-center", "42")


def twenty_shares(app: App) -> None:
    """As many shares as AWS allows."""
    queue = QuotaManagedTrainingQueue(a_stack(app), "Queue", capacity_limits={"ml.p5.48xlarge": 20})
    for number in range(20):
        queue.add_quota_share(f"team-{number:02}", capacity_limits={"ml.p5.48xlarge": 1})


def imported_environment_and_policy(app: App) -> None:
    """A queue on what exists already, by ARN, by import and by L1."""
    stack = a_stack(app, env=Environment(account=ACCOUNT, region=REGION))
    QuotaManagedTrainingQueue(
        stack,
        "ByArn",
        service_environment=arn("service-environment/by-arn"),
        scheduling_policy=arn("scheduling-policy/by-arn"),
    ).add_quota_share("team", capacity_limits={"ml.p5.48xlarge": 1})
    QuotaManagedTrainingQueue(
        stack,
        "ByImport",
        service_environment=ServiceEnvironment.from_service_environment_attributes(
            stack,
            "Environment",
            service_environment_arn=arn("service-environment/by-import"),
            capacity_limits={"ml.p5.48xlarge": 4},
        ),
        scheduling_policy=QuotaShareSchedulingPolicy.from_scheduling_policy_arn(
            stack, "Policy", arn("scheduling-policy/by-import")
        ),
    ).add_quota_share("team", capacity_limits={"ml.p5.48xlarge": 1})
    QuotaManagedTrainingQueue(
        stack,
        "ByL1",
        service_environment=CfnServiceEnvironment(
            stack,
            "L1Environment",
            service_environment_type="SAGEMAKER_TRAINING",
            capacity_limits=[
                CfnServiceEnvironment.CapacityLimitProperty(
                    capacity_unit="ml.p5.48xlarge", max_capacity=4
                )
            ],
        ),
        scheduling_policy=CfnSchedulingPolicy(
            stack,
            "L1Policy",
            quota_share_policy=CfnSchedulingPolicy.QuotaSharePolicyProperty(
                idle_resource_assignment_strategy="FIFO"
            ),
        ),
    ).add_quota_share("team", capacity_limits={"ml.p5.48xlarge": 1})


def imported_queue(app: App) -> None:
    """A team's own stack, which adds its share to the platform team's queue."""
    stack = a_stack(app, env=Environment(account=ACCOUNT, region=REGION))
    queue = QuotaManagedTrainingQueue.from_job_queue_arn(stack, "Queue", arn("job-queue/shared"))
    queue.add_quota_share(
        "research",
        capacity_limits={"ml.p5.48xlarge": 8},
        resource_sharing=ResourceSharing.lend_and_borrow(),
    )


def all_time_limits(app: App) -> None:
    """Every job state time limit action, at the ends of the range and between."""
    QuotaManagedTrainingQueue(
        a_stack(app),
        "Queue",
        capacity_limits={"ml.p5.48xlarge": 1},
        job_state_time_limits=JobStateTimeLimits(
            service_environment_max_resource=Duration.minutes(10),
            quota_management_limit_exceeded=Duration.hours(24),
            insufficient_instance_capacity=Duration.hours(4),
        ),
    ).add_quota_share("team", capacity_limits={"ml.p5.48xlarge": 1}, enabled=False)


def tokens(app: App) -> None:
    """Parameters, imports and lazy values in every place that takes a string or a number."""
    stack = a_stack(app)
    unit = CfnParameter(stack, "Unit", default="ml.p5.48xlarge")
    count = CfnParameter(stack, "Count", type="Number", default=4)
    name = CfnParameter(stack, "Name", default="team")
    seconds = CfnParameter(stack, "Seconds", type="Number", default=3600)
    queue = QuotaManagedTrainingQueue(
        stack,
        "Queue",
        capacity_limits={
            unit.value_as_string: count.value_as_number,
            "ml.g5.xlarge": Token.as_number(Fn.import_value("GpuCount")),
            "ml.g6.xlarge": Lazy.number(_Seven()),
        },
        job_queue_name=Fn.import_value("QueueName"),
        service_environment_name=Fn.join("-", ["environment", name.value_as_string]),
        priority=count.value_as_number,
        job_state_time_limits=JobStateTimeLimits(
            service_environment_max_resource=Duration.seconds(seconds.value_as_number)
        ),
        tags={"team": name.value_as_string},
    )
    queue.add_quota_share(
        "literal",
        capacity_limits={unit.value_as_string: count.value_as_number},
        resource_sharing=ResourceSharing.lend_and_borrow(count.value_as_number),
    )
    QuotaShare(
        stack,
        "Share",
        job_queue=queue,
        quota_share_name=name.value_as_string,
        capacity_limits={"ml.g5.xlarge": Token.as_number(Fn.import_value("TeamGpuCount"))},
    )


def renamed(app: App) -> None:
    """One queue under two names: what has to be made anew for a rename has another logical id."""
    for id, name in (("Before", "gpu-queue"), ("After", "gpu-queue-2")):
        QuotaManagedTrainingQueue(
            a_stack(app, id),
            "Queue",
            capacity_limits={"ml.p5.48xlarge": 1},
            job_queue_name=name,
            quota_shares=[QuotaShareOptions("team", capacity_limits={"ml.p5.48xlarge": 1})],
        )


SCENARIOS: dict[str, Callable[[App], None]] = {
    scenario.__name__: scenario
    for scenario in (
        aws_guide,
        aws_notebook,
        five_units,
        twenty_shares,
        imported_environment_and_policy,
        imported_queue,
        all_time_limits,
        tokens,
        renamed,
    )
}
