"""Every rule on CloudFormation that nobody's constructor has seen, broken and kept."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.plan import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    QueuePlan,
    Resource,
    Unknown,
)
from qm_constructs.rules import RULES, Evidence, Severity, judge, judge_queue, judge_queues
from qm_constructs.rules.time_limits import REASONS

UNIT = "ml.p5.48xlarge"
LATER = Unknown({"Ref": "Parameter"})


def limits(**units: Any) -> list[dict[str, Any]]:
    return [
        {"CapacityUnit": f"ml.{unit.replace('_', '.')}", "MaxCapacity": most}
        for unit, most in units.items()
    ]


def environment(**properties: Any) -> Resource:
    defaults = {
        "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
        "CapacityLimits": limits(p5_48xlarge=4),
    }
    return Resource(SERVICE_ENVIRONMENT, {**defaults, **properties})


def queue(**properties: Any) -> Resource:
    defaults = {
        "JobQueueType": "SAGEMAKER_TRAINING",
        "Priority": 1,
        "SchedulingPolicyArn": Unknown({"Ref": "Policy"}),
        "ServiceEnvironmentOrder": [{"Order": 1, "ServiceEnvironment": Unknown({"Ref": "E"})}],
    }
    return Resource(JOB_QUEUE, {**defaults, **properties})


def queue_without(name: str) -> Resource:
    whole = queue().properties
    return Resource(JOB_QUEUE, {key: whole[key] for key in whole if key != name})


def action(seconds: Any, reason: Any = REASONS[0], **members: Any) -> dict[str, Any]:
    defaults = {"Reason": reason, "State": "RUNNABLE", "Action": "TERMINATE"}
    return {**defaults, "MaxTimeSeconds": seconds, **members}


def share(
    name: Any = "team", count: Any = 1, strategy: Any = "LEND", **properties: Any
) -> Resource:
    sharing = {"Strategy": strategy}
    if "borrow" in properties:
        sharing["BorrowLimit"] = properties.pop("borrow")
    defaults = {
        "QuotaShareName": name,
        "JobQueue": LATER,
        "CapacityLimits": limits(p5_48xlarge=count),
        "ResourceSharingConfiguration": sharing,
        "PreemptionConfiguration": {"InSharePreemption": "DISABLED"},
    }
    return Resource(QUOTA_SHARE, {**defaults, **properties})


def plan(*shares: Resource, **kwargs: Any) -> QueuePlan:
    return QueuePlan(**{"queue": queue(), "environment": environment(), **kwargs}, shares=[*shares])


Path = tuple[str | int, ...]
NAME: Path = ("QuotaShareName",)
STRATEGY: Path = ("ResourceSharingConfiguration", "Strategy")
BORROW: Path = ("ResourceSharingConfiguration", "BorrowLimit")
UNIT_0: Path = ("CapacityLimits", 0, "CapacityUnit")
MOST_0: Path = ("CapacityLimits", 0, "MaxCapacity")

RESOURCES: list[tuple[Resource, list[tuple[str, Path]]]] = [
    (environment(), []),
    (queue(), []),
    (share(), []),
    (share(strategy="LEND_AND_BORROW"), []),
    (share(strategy="RESERVE"), []),
    (share(LATER, LATER, LATER, borrow=LATER), []),
    (Resource(SCHEDULING_POLICY, {"Name": "a_B-3"}), []),
    (Resource(SCHEDULING_POLICY, {"Name": LATER, "Tags": LATER}), []),
    (Resource(SCHEDULING_POLICY, {"Name": "a b"}), [("SP-02", ("Name",))]),
    (environment(ServiceEnvironmentName="a/b"), [("SE-03", ("ServiceEnvironmentName",))]),
    (environment(CapacityLimits=[]), [("SE-04", ("CapacityLimits",))]),
    (
        environment(
            CapacityLimits=limits(g5_xlarge=1, g5_2xlarge=1, g5_4xlarge=1, g5_8xlarge=1, m5_large=1)
        ),
        [],
    ),
    (
        environment(CapacityLimits=[{"CapacityUnit": "NUM_INSTANCES", "MaxCapacity": 1}]),
        [("SE-05", UNIT_0)],
    ),
    (
        environment(CapacityLimits=[{"CapacityUnit": "VCPU", "MaxCapacity": 1}]),
        [("SE-07", UNIT_0)],
    ),
    (environment(CapacityLimits=limits(g5_xlarge=0)), [("SE-08", MOST_0)]),
    (environment(CapacityLimits=limits(new_type=1)), [("SE-13", UNIT_0)]),
    (environment(CapacityLimits=[{"CapacityUnit": LATER, "MaxCapacity": LATER}]), []),
    (environment(CapacityLimits=LATER), []),
    (queue(Priority=0), []),
    (queue(Priority=1000), []),
    (queue(Priority=1001), [("JQ-01", ("Priority",))]),
    (queue(Priority=-1), [("JQ-01", ("Priority",))]),
    (queue(Priority=LATER), []),
    (queue(SchedulingPolicyArn="policy"), [("JQ-08", ("SchedulingPolicyArn",))]),
    (
        queue(SchedulingPolicyArn="arn:aws-cn:batch:cn-north-1:111122223333:scheduling-policy/p"),
        [],
    ),
    (queue(JobQueueName="x" * 128), []),
    (queue(JobQueueName="x" * 129), [("JQ-09", ("JobQueueName",))]),
    (
        queue(JobStateTimeLimitActions=[action(600), action(86400, REASONS[1])]),
        [],
    ),
    (
        queue(JobStateTimeLimitActions=[action(600), action(599, REASONS[1])]),
        [("JT-04", ("JobStateTimeLimitActions", 1, "MaxTimeSeconds"))],
    ),
    (
        queue(JobStateTimeLimitActions=[action(86401)]),
        [("JT-04", ("JobStateTimeLimitActions", 0, "MaxTimeSeconds"))],
    ),
    (share("a.b"), [("QS-02", NAME)]),
    (share(CapacityLimits=[]), [("QS-04", ("CapacityLimits",))]),
    (share(count=0), [("QS-05", MOST_0)]),
    (
        share(CapacityLimits=[{"CapacityUnit": "NUM_INSTANCES", "MaxCapacity": 1}]),
        [("QS-06", UNIT_0)],
    ),
    (share(CapacityLimits=[{"CapacityUnit": "p5", "MaxCapacity": 1}]), [("QS-06", UNIT_0)]),
    (share(strategy="BORROW"), [("QS-07", STRATEGY)]),
    (share(strategy="LEND", borrow=50), [("QS-08", BORROW)]),
    (share(strategy="RESERVE", borrow=-1), [("QS-08", BORROW)]),
    (share(strategy="LEND_AND_BORROW", borrow=-2), [("QS-09", BORROW)]),
    (share(strategy="LEND_AND_BORROW", borrow=-1), []),
    (share(count=100, strategy="LEND_AND_BORROW", borrow=1), []),
    (share(count=99, strategy="LEND_AND_BORROW", borrow=1), [("QS-11", BORROW)]),
    (share(strategy="LEND_AND_BORROW", borrow=0), [("QS-10", BORROW)]),
    (share(Tags={"aws:x": "y"}), [("SJ-09", ("Tags", "aws:x"))]),
    (share(Tags={"Ärger 1": "ok+-=._:/@ "}), []),
    (share(Tags={"a": LATER}), []),
]


@pytest.mark.parametrize(("resource", "expected"), RESOURCES, ids=range(len(RESOURCES)))
def test_a_resource_by_itself(resource: Resource, expected: list[tuple[str, Path]]) -> None:
    found = judge(resource)
    assert [(finding.rule.id, finding.path) for finding in found] == expected
    assert all(finding.resource is resource for finding in found)


A, B = share("a"), share("b")
BORROWER = share("borrower", strategy="LEND_AND_BORROW")
RESERVER = share("reserver", strategy="RESERVE")
ABOVE = share("above", 5)
MISSING = share("missing", CapacityLimits=limits(g5_xlarge=1))
TWENTY_ONE = [share(f"t{number}", LATER) for number in range(21)]
ELSEWHERE = share(JobQueue="arn:aws:batch:us-west-2:111122223333:job-queue/q")

QUEUES: list[tuple[QueuePlan, list[tuple[str, Resource | None, Path]]]] = [
    (plan(), []),
    (plan(A, B), []),
    (plan(A, A3 := share("A")), [("QS-03-CASE", A3, NAME)]),
    (plan(A, A2 := share("a")), [("QS-03", A2, NAME)]),
    (plan(share(LATER), share(LATER)), []),
    (plan(*TWENTY_ONE), [("QS-16", TWENTY_ONE[20], NAME)]),
    (plan(A, BORROWER), []),
    (plan(BORROWER), [("XR-06", BORROWER, STRATEGY)]),
    (plan(BORROWER, RESERVER), [("XR-06", BORROWER, STRATEGY)]),
    (plan(BORROWER, share("other", strategy="LEND_AND_BORROW")), []),
    (plan(BORROWER, share("other", strategy=LATER)), []),
    (plan(BORROWER, share("o", CapacityLimits=[{"CapacityUnit": LATER, "MaxCapacity": 1}])), []),
    (plan(BORROWER, complete=False), []),
    (plan(share(strategy="LEND_AND_BORROW", borrow=0)), []),
    (plan(ABOVE), [("XR-03", ABOVE, MOST_0)]),
    (plan(A, ABOVE), [("XR-02", None, MOST_0), ("XR-03", ABOVE, MOST_0)]),
    (plan(ABOVE, environment=None), []),
    (plan(ABOVE, environment=environment(CapacityLimits=limits(p5_48xlarge=LATER))), []),
    (plan(share("a", 2), share("b", 2)), []),
    (plan(share("a", 3), share("b", 2)), [("XR-02", None, MOST_0)]),
    (plan(share("a", 4), share("b", LATER)), []),
    (plan(MISSING), [("XR-01", MISSING, UNIT_0)]),
    (
        plan(
            MISSING,
            environment=environment(
                CapacityLimits=[*limits(p5_48xlarge=1), {"CapacityUnit": LATER, "MaxCapacity": 1}]
            ),
        ),
        [],
    ),
    (plan(MISSING, environment=None), []),
    (
        plan(policy=Resource(SCHEDULING_POLICY, {"FairsharePolicy": {}})),
        [("JQ-07", None, ("SchedulingPolicyArn",))],
    ),
    (plan(policy=Resource(SCHEDULING_POLICY, {"QuotaSharePolicy": {}})), []),
    (
        plan(A, queue=queue(JobQueueType="ECS")),
        [("JQ-02", None, ("JobQueueType",)), ("QS-20", A, ("JobQueue",))],
    ),
    (
        plan(A, queue=queue_without("JobQueueType"), quota_management=False),
        [("QS-20", A, ("JobQueue",))],
    ),
    (plan(A, queue=queue(JobQueueType=LATER)), []),
    (plan(A, queue=queue_without("SchedulingPolicyArn")), [("QS-20", A, ("JobQueue",))]),
    (plan(A, queue=queue(SchedulingPolicyArn=None)), []),
    (plan(A, queue=Resource(JOB_QUEUE, {})), []),
    (plan(queue=queue(JobQueueType="ECS")), [("JQ-02", None, ("JobQueueType",))]),
    (
        plan(ELSEWHERE, account="111122223333", region="us-east-1"),
        [("XR-09", ELSEWHERE, ("JobQueue",))],
    ),
    (plan(ELSEWHERE, account="111122223333", region="us-west-2"), []),
    (plan(ELSEWHERE), []),
]


@pytest.mark.parametrize(("queue_plan", "expected"), QUEUES, ids=range(len(QUEUES)))
def test_a_queue_with_all_that_belongs_to_it(
    queue_plan: QueuePlan, expected: list[tuple[str, Resource | None, Path]]
) -> None:
    found = judge_queue(queue_plan)
    assert [(finding.rule.id, finding.path) for finding in found] == [
        (rule, path) for rule, _, path in expected
    ]
    for finding, (_, resource, _) in zip(found, expected, strict=True):
        its_own = (queue_plan.queue, queue_plan.environment)
        assert finding.resource is resource if resource else finding.resource in its_own


def test_several_queues() -> None:
    plans = [
        plan(environment_keys={"e1"}, policy_keys={"p"}, label="the first"),
        plan(environment_keys={"e2", "same"}, policy_keys={"p"}),
        plan(environment_keys={"same"}),
    ]
    found = judge_queues(plans)
    assert [(finding.rule.id, finding.resource) for finding in found] == [
        ("SP-08", plans[1].queue),
        ("SE-12", plans[2].queue),
    ]
    assert found[0].problem == "This scheduling policy serves the first too."


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_every_rule_has_its_evidence(rule: Any) -> None:
    assert rule.title
    assert not rule.title.endswith(".")
    assert rule.why.endswith((".", "'"))
    assert rule.source.startswith("https://")
    confirmed = rule.evidence in (Evidence.DOCUMENTED, Evidence.OBSERVED)
    # A share's unit that the environment lacks is an error all the same: no job could ever run.
    assert (rule.severity is Severity.ERROR) == (confirmed or rule.id == "XR-01")
    assert bool(rule.unconfirmed) == (rule.severity is Severity.WARNING)


@pytest.mark.parametrize("wrong", [None, "x", 3, {}, [None], [3], [{}], [[]], Unknown(None)])
def test_what_is_wrongly_shaped_is_passed_over(wrong: Any) -> None:
    resource = environment(CapacityLimits=wrong, Tags=wrong, ServiceEnvironmentName=wrong)
    judge(resource)
    judge_queue(plan(share(CapacityLimits=wrong), environment=resource))
