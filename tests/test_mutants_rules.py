"""Rules at their edges: the last value that is fine, what one fault hides of another, the words."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.plan import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    QueuePlan,
    Resource,
    UnknownArn,
    UnknownText,
)
from qm_constructs.rules import RULES, SOUND, judge, judge_queue, judge_resources
from qm_constructs.rules._examples import LEFT_OUT, Pair, changed
from tests.test_rules import LATER, action, environment, limits, plan, queue, share

P5, G5 = "ml.p5.48xlarge", "ml.g5.xlarge"


def of_queue(queue_plan: QueuePlan, rule: str) -> list[tuple[str, str]]:
    """Returns what a rule says of a queue."""
    return [(f.problem, f.fix) for f in judge_queue(queue_plan) if f.rule.id == rule]


def rules_of(queue_plan: QueuePlan) -> list[str]:
    return [found.rule.id for found in judge_queue(queue_plan)]


def test_what_is_of_no_type_of_ours_is_not_judged() -> None:
    assert judge(Resource("AWS::S3::Bucket", {"Name": "a b"})) == []


# -- The examples.


def test_changes_are_made_to_a_copy() -> None:
    value: dict[str, Any] = {"Type": "T", "Properties": {"List": [1, 2]}}
    made = changed({"New": value, "New.List.0": 3, "Queue.Priority": LEFT_OUT, "Product": LEFT_OUT})
    assert made["Resources"]["New"]["Properties"] == {"List": [3, 2]}
    assert value["Properties"] == {"List": [1, 2]}
    assert "Priority" not in made["Resources"]["Queue"]["Properties"]
    assert "Product" not in made["Resources"]
    assert "Product" in SOUND["Resources"]


def test_an_excerpt_holds_what_differs_between_the_two() -> None:
    pair = Pair({"Queue.Priority": 3, "New": {"Type": "T"}}, {"Policy.Name": "p"})
    faulty, correct = pair.faulty_template(), pair.correct_template()
    assert list(pair.excerpt(faulty)) == ["Resources"]
    assert list(pair.excerpt(faulty)["Resources"]) == ["Queue", "New", "Policy"]
    assert pair.excerpt(faulty)["Resources"]["Queue"] == faulty["Resources"]["Queue"]
    assert list(pair.excerpt(correct)["Resources"]) == ["Queue", "Policy"]


# -- Capacity, between shares and environment.


def test_one_instance_is_the_smallest_limit_that_is_compared() -> None:
    one = environment(CapacityLimits=limits(p5_48xlarge=1))
    assert rules_of(plan(share("a"), environment=one)) == []
    assert rules_of(plan(share("a"), share("b"), environment=one)) == ["XR-02"]
    assert rules_of(plan(share("a", 2), environment=one)) == ["XR-03"]
    none = environment(CapacityLimits=limits(p5_48xlarge=0))
    assert rules_of(plan(share("a", 2), share("b", 2), environment=none)) == []


def test_each_unit_is_compared_whatever_is_said_of_the_one_before_it() -> None:
    two = environment(CapacityLimits=limits(p5_48xlarge=LATER, g5_xlarge=1))
    shares = [share(name, CapacityLimits=limits(g5_xlarge=1)) for name in "ab"]
    [found] = judge_queue(plan(*shares, environment=two))
    assert (found.rule.id, found.path) == ("XR-02", ("CapacityLimits", 1, "MaxCapacity"))
    both = [{"CapacityUnit": "GPU", "MaxCapacity": 1}, *limits(g5_xlarge=1)]
    [found] = judge_queue(plan(share(CapacityLimits=both)))
    assert (found.rule.id, found.path) == ("XR-01", ("CapacityLimits", 1, "CapacityUnit"))


def test_the_unit_that_was_meant_is_one_of_the_environment() -> None:
    g5 = environment(CapacityLimits=limits(g5_xlarge=1))
    for unit, fix in [
        ("ml.g5.xlarg", f"Did you mean {G5!r}? If not, add 'ml.g5.xlarg' to"),
        ("ml.p5.48xlarg", "Add 'ml.p5.48xlarg' to"),
        (P5, f"Add {P5!r} to"),
        ("ml.g5.2xlarge", "Add 'ml.g5.2xlarge' to"),
    ]:
        limit = [{"CapacityUnit": unit, "MaxCapacity": 1}]
        [(_, said)] = of_queue(plan(share(CapacityLimits=limit), environment=g5), "XR-01")
        assert said.startswith(fix)


def test_two_limits_of_one_unit_are_none() -> None:
    twice = environment(CapacityLimits=[*limits(p5_48xlarge=1), *limits(p5_48xlarge=9)])
    assert rules_of(plan(share("a", 8), share("b", 8), environment=twice)) == []


@pytest.mark.parametrize(
    ("other", "lends"),
    [
        (share("o"), True),
        (share("o", strategy="LEND_AND_BORROW"), True),
        (share("o", strategy="RESERVE"), False),
        (share("o", strategy="BORROW"), True),  # QS-07's
        (share("o", CapacityLimits=limits(g5_xlarge=1)), False),
        (share("o", CapacityLimits=[*limits(g5_xlarge=1), *limits(p5_48xlarge=1)]), True),
        (share("o", CapacityLimits=[]), True),  # QS-04's
        (share("o", CapacityLimits=[{"CapacityUnit": "p5", "MaxCapacity": 1}]), True),  # QS-06's
        (share("o", CapacityLimits=[{"MaxCapacity": 1}]), True),
    ],
)
def test_who_lends(other: Resource, lends: bool) -> None:
    both = environment(CapacityLimits=limits(p5_48xlarge=4, g5_xlarge=4))
    borrower = share("b", strategy="LEND_AND_BORROW")
    found = judge_queue(plan(borrower, other, environment=both))
    assert [f.rule.id for f in found if f.resource is borrower] == ([] if lends else ["XR-06"])


# -- Places.

US_WEST = "arn:aws:batch:us-west-2:111122223333"


@pytest.mark.parametrize(
    ("account", "region", "said"),
    [
        ("111122223333", "us-west-2", None),
        ("123456789012", "us-west-2", "It is in account 111122223333, the stack in 123456789012;"),
        ("111122223333", "us-east-1", "It is in Region us-west-2, the stack in us-east-1;"),
        (None, "us-east-1", "It is in Region us-west-2, the stack in us-east-1;"),
        ("123456789012", None, "It is in account 111122223333, the stack in 123456789012;"),
        (None, None, None),
    ],
)
@pytest.mark.parametrize("what", ["queue", "policy", "environment"])
def test_what_is_named_by_an_arn_is_where_the_stack_is(
    account: str | None, region: str | None, said: str | None, what: str
) -> None:
    order = {"Order": 1, "ServiceEnvironment": f"{US_WEST}:service-environment/e"}
    its_queue = {
        "queue": queue(),
        "policy": queue(SchedulingPolicyArn=f"{US_WEST}:scheduling-policy/p"),
        "environment": queue(ServiceEnvironmentOrder=[order]),
    }[what]
    shares = [share(JobQueue=f"{US_WEST}:job-queue/q")] if what == "queue" else []
    found = of_queue(plan(*shares, queue=its_queue, account=account, region=region), "XR-09")
    assert len(found) == (said is not None)
    if said is not None:
        named = {"environment": "service environment", "policy": "scheduling policy"}
        assert found[0][0].startswith(said)
        assert found[0][1].startswith(f"Give a {named.get(what, 'job queue')} of ")


def test_a_share_may_be_in_another_place_than_its_queue() -> None:
    its = share(JobQueue=f"{US_WEST}:job-queue/q")
    place = {its: ("111122223333", "us-west-2")}
    assert rules_of(plan(its, account="111122223333", region="us-east-1", places=place)) == []
    place = {its: ("111122223333", "me-central-1")}
    assert rules_of(plan(its, places=place)) == ["XR-09"]  # the Region of the queue counts
    later = share()
    assert rules_of(plan(later, places={later: (None, "me-central-1")})) == ["LA-03"]
    assert rules_of(plan(later, region="me-central-1")) == ["LA-03"]
    elsewhere = share(JobQueue=UnknownArn("x", region="me-central-1", kind="job-queue"))
    assert rules_of(plan(elsewhere)) == ["LA-03"]


def test_an_arn_that_is_known_in_part() -> None:
    its = share(JobQueue=UnknownArn("x", region="us-west-2", kind="job-queue"))
    found = of_queue(plan(its, account="111122223333", region="us-east-1"), "XR-09")
    assert [problem.split(";")[0] for problem, _ in found] == [
        "It is in Region us-west-2, the stack in us-east-1"
    ]


# -- Queues of which not all is known.


@pytest.mark.parametrize(
    ("kind", "environments", "is_for_training"),
    [
        ("SAGEMAKER_TRAINING", True, True),
        ("SAGEMAKER_TRAINING", False, True),
        ("ECS", True, False),
        (None, True, True),
        (None, False, False),
        (LATER, True, True),
        (LATER, False, False),
    ],
)
def test_time_limits_are_those_of_training_jobs(
    kind: Any, environments: bool, is_for_training: bool
) -> None:
    its = queue(JobQueueType=kind, JobStateTimeLimitActions=[action(600, Action="CANCEL")])
    properties = dict(its.properties)
    if kind is None:
        del properties["JobQueueType"]
    if not environments:
        del properties["ServiceEnvironmentOrder"]
    found = [f.rule.id for f in judge(Resource(JOB_QUEUE, properties))]
    assert ("JT-03" in found) == is_for_training


@pytest.mark.parametrize(
    ("changes", "attributes", "lacks"),
    [
        ({}, {}, False),
        ({"ServiceEnvironmentOrder": None}, {}, True),
        ({"ServiceEnvironmentOrder": []}, {}, True),
        ({"ServiceEnvironmentOrder": LATER}, {}, False),
        ({"ServiceEnvironmentOrder": None, "JobQueueType": None}, {}, True),
        ({"ServiceEnvironmentOrder": None, "JobQueueType": "ECS"}, {}, False),
        ({"ServiceEnvironmentOrder": None, "JobQueueType": LATER}, {}, False),
        ({"ServiceEnvironmentOrder": None, "service_environment_order": []}, {}, False),
        (
            {"ServiceEnvironmentOrder": None, "JobQueueType": None},
            {"quota_management": False},
            False,
        ),
        (
            {
                "ServiceEnvironmentOrder": None,
                "JobQueueType": None,
                "ComputeEnvironmentOrder": [{}],
            },
            {},
            False,
        ),
        ({"ServiceEnvironmentOrder": None}, {"quota_management": False}, True),
    ],
)
def test_a_queue_without_a_service_environment(
    changes: dict[str, Any], attributes: dict[str, Any], lacks: bool
) -> None:
    properties = {k: v for k, v in queue(**changes).properties.items() if v is not None}
    its = Resource(JOB_QUEUE, properties)
    assert bool(of_queue(plan(queue=its, **attributes), "JQ-04")) == lacks


@pytest.mark.parametrize(
    ("changes", "attributes", "wrong"),
    [
        ({"JobQueueType": None}, {}, True),
        ({"JobQueueType": None}, {"quota_management": False}, False),
        ({"JobQueueType": None, "job_queue_type": "ECS"}, {}, False),
        ({"JobQueueType": "ECS"}, {"quota_management": False}, True),
        ({"JobQueueType": LATER}, {}, False),
        ({"JobQueueType": ["ECS"]}, {}, False),  # CF-02's
        ({"JobQueueType": {"a": "b"}}, {}, False),
        ({"JobQueueType": None, "ServiceEnvironmentOrder": None}, {}, False),
    ],
)
def test_a_queue_without_its_type(
    changes: dict[str, Any], attributes: dict[str, Any], wrong: bool
) -> None:
    properties = {k: v for k, v in queue(**changes).properties.items() if v is not None}
    its = Resource(JOB_QUEUE, properties)
    assert bool(of_queue(plan(queue=its, **attributes), "JQ-02")) == wrong


def test_what_is_made_too_early_is_named() -> None:
    its, later = queue(), share()
    order = ("ServiceEnvironmentOrder", 0, "ServiceEnvironment")
    early = [(its, ("SchedulingPolicyArn",)), (its, order), (later, ("JobQueue",))]
    of_it = plan(later, queue=its, not_awaited=early)
    assert [problem.split(" is made")[0] for problem, _ in of_queue(of_it, "JQ-06")] == [
        "The scheduling policy",
        "The service environment",
    ]
    assert [f.resource for f in judge_queue(of_it) if f.rule.id == "QS-15"] == [later]
    of_it.quota_management = False
    assert of_queue(of_it, "JQ-06") == []


@pytest.mark.parametrize(
    ("policy", "attributes", "said"),
    [
        ({"FairsharePolicy": {}}, {}, "this is a fair-share policy."),
        ({}, {}, "this is another policy."),
        ({"QuotaSharePolicy": {}}, {}, None),
        ({"quota_share_policy": {}}, {}, None),
        ({"FairsharePolicy": {}}, {"quota_management": False}, None),
    ],
)
def test_the_kind_of_policy(
    policy: dict[str, Any], attributes: dict[str, Any], said: str | None
) -> None:
    found = of_queue(plan(policy=Resource(SCHEDULING_POLICY, policy), **attributes), "JQ-07")
    assert [problem.endswith(said or "") for problem, _ in found] == ([True] if said else [])


# -- Words of which only parts are known.


@pytest.mark.parametrize(
    ("parts", "rule"),
    [
        (("team-", 1), None),
        (("team ", 1), "QS-02"),
        (("x" * 127, 1), None),
        (("x" * 128, 1), None),
        (("x" * 129, 1), "QS-02"),
        ((1,), None),
    ],
)
def test_a_name_that_is_known_in_part(parts: tuple[Any, ...], rule: str | None) -> None:
    found = judge(share(UnknownText("x", parts)))
    assert [f.rule.id for f in found] == ([rule] if rule else [])


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        (UnknownArn("x", kind="job-queue"), False),
        (UnknownArn("x"), False),
        (UnknownArn("x", kind="scheduling-policy"), True),
        ("q" * 128, False),
        ("q" * 129, True),
        ("", True),
        (f"{US_WEST}:job-queue/q", False),
        (f"{US_WEST}:scheduling-policy/q", True),
        (3, False),
    ],
)
def test_what_names_a_queue(value: Any, wrong: bool) -> None:
    found = judge(Resource(QUOTA_SHARE, {**share().properties, "JobQueue": value}))
    assert [f.rule.id for f in found] == (["QS-20"] if wrong else [])


@pytest.mark.parametrize("percentage", [1, 24, 25, 26, 99, 100])
def test_the_borrow_limit_that_is_asked_for_is_enough(percentage: int) -> None:
    found = judge(share(count=4, strategy="LEND_AND_BORROW", borrow=percentage))
    assert [f.fix for f in found] == (
        ["Give 25 or more, or choose LEND."] if percentage < 25 else []
    )


@pytest.mark.parametrize(
    ("tags", "faults"),
    [
        ({f"t{n}": "" for n in range(50)}, 0),
        ({f"t{n}": "" for n in range(51)}, 1),
        ({"k" * 128: "v" * 256}, 0),
        ({"k" * 129: "v" * 256}, 1),
        ({"k" * 128: "v" * 257}, 1),
        ({"": ""}, 1),
        ({"awsome": "aws"}, 0),
        ({"a 1-\N{CJK UNIFIED IDEOGRAPH-4E00}": "\N{NO-BREAK SPACE}\N{ROMAN NUMERAL TWO}+"}, 0),
        ({"a!": ""}, 1),
        ({"Aws:x": ""}, 1),
        ({"k": UnknownText("x", ("v" * 257, 1))}, 1),
        ({"k": UnknownText("x", ("a#", 1))}, 1),
        ({"k": UnknownText("x", (1,))}, 0),
    ],
)
def test_tags(tags: dict[str, Any], faults: int) -> None:
    found = judge(queue(Tags=tags))
    assert [f.rule.id for f in found] == ["SJ-09"] * faults


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_each_rule_has_a_check(rule: Any) -> None:
    checks = (rule.resource_checks, rule.resources_checks, rule.queue_checks, rule.queues_checks)
    assert any(checks)
    assert rule.date in ("2026-09-13", "2026-10-20")
    assert (rule.date == "2026-09-13") == (rule.evidence.value == "observed")


FAIR = Resource(SCHEDULING_POLICY, {"FairsharePolicy": {}})
NUMBERS = environment(CapacityLimits=[{"CapacityUnit": "NUM_INSTANCES", "MaxCapacity": 1}])
MIXED = [{"CapacityUnit": "NUM_INSTANCES", "MaxCapacity": 1}, *limits(g5_xlarge=1)]


@pytest.mark.parametrize(
    ("attributes", "policy_arn", "said"),
    [
        ({}, None, True),
        ({"policy": FAIR}, LATER, True),
        ({}, LATER, False),
        ({"policy": Resource(SCHEDULING_POLICY, {})}, LATER, False),
        ({"quota_management": True}, None, False),
        ({"shares": [share()]}, None, False),
        ({"environment": None}, None, False),
        ({"environment": NUMBERS}, None, False),
        ({"environment": environment(CapacityLimits=MIXED)}, None, False),
        ({"environment": environment(CapacityLimits=[])}, None, False),
        ({"environment": environment(CapacityLimits=limits(g5_xlarge=1, g4_x=1))}, None, True),
    ],
)
def test_an_environment_of_instance_types_that_a_fifo_queue_has(
    attributes: dict[str, Any], policy_arn: Any, said: bool
) -> None:
    properties = {**queue().properties, "SchedulingPolicyArn": policy_arn}
    if policy_arn is None:
        del properties["SchedulingPolicyArn"]
    its = {"environment": environment(), "quota_management": False, **attributes}
    of_it = QueuePlan(Resource(JOB_QUEUE, properties), **its)
    assert bool(of_queue(of_it, "JQ-13")) == said


@pytest.mark.parametrize(
    ("order", "wrong"),
    [(2**31 - 1, False), (2**31, True), (-(2**31), False), (-(2**31) - 1, True), (0, False)],
)
def test_an_order_is_a_number_of_32_bits(order: int, wrong: bool) -> None:
    found = judge(queue(ServiceEnvironmentOrder=[{"Order": order, "ServiceEnvironment": "e"}]))
    assert [f.rule.id for f in found] == (["JQ-11"] if wrong else [])


def test_each_environment_of_an_order_is_judged() -> None:
    entries = [{"Order": 1, "ServiceEnvironment": name} for name in ("e", "a b")]
    found = judge(queue(ServiceEnvironmentOrder=entries))
    assert [f.path for f in found if f.rule.id == "JQ-11"] == [
        ("ServiceEnvironmentOrder", 1, "ServiceEnvironment")
    ]


def test_a_borrow_limit_of_one_percent_of_one() -> None:
    [found] = judge(share(count=1, strategy="LEND_AND_BORROW", borrow=1))
    assert found.fix == "Give 100 or more, or choose LEND."
    nothing = judge(share(count=0, strategy="LEND_AND_BORROW", borrow=50))
    assert [f.rule.id for f in nothing] == ["QS-05"]
    unknown = share(
        strategy="LEND_AND_BORROW",
        borrow=50,
        CapacityLimits=[{"CapacityUnit": LATER, "MaxCapacity": 1}],
    )
    [found] = judge(unknown)
    assert found.problem.startswith("50 % of 1 instances is less than one instance")


def test_the_name_of_an_environment_is_that_of_an_environment() -> None:
    named = environment(ServiceEnvironmentName="e")
    assert judge_resources([queue(ServiceEnvironmentName="e"), named]) == []
    assert judge_resources([named, queue(ServiceEnvironmentName="e")]) == []
    again = environment(ServiceEnvironmentName="e")
    assert [f.resource for f in judge_resources([named, again])] == [again]


def test_actions_without_a_reason_are_not_the_same_one() -> None:
    without = [{"State": "RUNNABLE", "MaxTimeSeconds": 600, "Action": "TERMINATE"}] * 2
    found = judge(queue(JobStateTimeLimitActions=without))
    assert {f.rule.id for f in found} == {"JT-01"}
