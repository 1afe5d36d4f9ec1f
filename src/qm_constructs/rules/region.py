"""LA: where the four types exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from qm_constructs.arns import parse_arn
from qm_constructs.plan import QueuePlan, UnknownArn
from qm_constructs.rules._examples import LEFT_OUT, Pair
from qm_constructs.rules._rule import Evidence, Rule, Severity, Violation

REGIONS_WITHOUT_QUOTA_SHARE: Final = ("me-central-1",)
_IN = "arn:aws:batch:{}:111122223333:job-queue/shared"

LA_03 = Rule(
    id="LA-03",
    title="CloudFormation has AWS::Batch::QuotaShare in the Region",
    why="CloudFormation's registry of October 2026 has the type in no such Region, though AWS "
    "announced the feature for every Region of AWS Batch.",
    severity=Severity.WARNING,
    evidence=Evidence.UNCONFIRMED,
    source="https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/"
    "aws-resource-batch-quotashare.html",
    unconfirmed="AWS has not confirmed whether it is there by now.",
    pair=Pair(
        {"Research": LEFT_OUT, "Product.JobQueue": _IN.format("me-central-1")},
        {"Research": LEFT_OUT, "Product.JobQueue": _IN.format("us-east-1")},
    ),
)


@LA_03.on_queue
def _no_such_type(plan: QueuePlan) -> Iterator[Violation]:
    for share in plan.shares:
        _, of_stack = plan.places.get(share, (None, plan.region))
        region = _region_of(share.at(("JobQueue",))) or of_stack or share.place[1]
        if region in REGIONS_WITHOUT_QUOTA_SHARE:
            yield Violation(
                ("JobQueue",),
                f"CloudFormation's registry has no AWS::Batch::QuotaShare in {region}.",
                "Deploy to another Region, or look whether the type is there by now.",
                share,
            )


def _region_of(queue: object) -> str | None:
    if isinstance(queue, str):
        arn = parse_arn(queue, "job-queue")
        return arn.region if arn else None
    return queue.region if isinstance(queue, UnknownArn) else None


RULES = (LA_03,)
