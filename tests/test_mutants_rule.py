"""What a rule is made of, which resources its checks are for, and what a plan is made of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from qm_constructs.plan import JOB_QUEUE, QUOTA_SHARE, Path, QueuePlan, Resource, readable
from qm_constructs.rules import Evidence, Rule, Severity, Violation
from qm_constructs.rules._examples import Pair
from qm_constructs.rules._rule import Context
from qm_constructs.template.parameters import options_of

PAIR = Pair({"Queue.Priority": 1001}, {"Queue.Priority": 1})


def rule(unconfirmed: str | None = None) -> Rule:
    more = {} if unconfirmed is None else {"unconfirmed": unconfirmed}
    return Rule(
        id="XX-01",
        title="A title",
        why="A reason.",
        severity=Severity.WARNING,
        evidence=Evidence.INFERRED,
        source="https://docs.aws.amazon.com/",
        pair=PAIR,
        **more,
    )


def test_a_rule_is_what_it_was_given() -> None:
    one = rule("Nobody knows.")
    assert (one.id, one.title, one.why, one.pair) == ("XX-01", "A title", "A reason.", PAIR)
    assert (one.severity, one.evidence) == (Severity.WARNING, Evidence.INFERRED)
    assert one.source == "https://docs.aws.amazon.com/"
    assert one.unconfirmed == "Nobody knows."
    assert rule().unconfirmed == ""


def test_a_rule_knows_its_checks_by_what_they_judge() -> None:
    def check(*judged: object) -> Iterator[Violation]:
        del judged
        return iter(())

    one = rule()
    assert one.on(JOB_QUEUE, QUOTA_SHARE)(check) is check
    assert one.on(QUOTA_SHARE, context=Context.QUOTA_MANAGEMENT)(check) is check
    assert one.resource_checks == [
        (JOB_QUEUE, Context.ANY, check),
        (QUOTA_SHARE, Context.ANY, check),
        (QUOTA_SHARE, Context.QUOTA_MANAGEMENT, check),
    ]
    assert one.on_resources(check) is check
    assert one.resources_checks == [check]
    assert one.on_queue(check) is check
    assert one.queue_checks == [check]
    assert one.on_queues(check) is check
    assert one.queues_checks == [check]
    assert rule().queue_checks == []


@pytest.mark.parametrize(
    ("context", "yes", "no", "not_known"),
    [
        (Context.ANY, True, True, True),
        (Context.QUOTA_MANAGEMENT, True, False, False),
        (Context.MAY_BE_QUOTA_MANAGEMENT, True, False, True),
        (Context.MAY_BE_ANOTHER, False, True, True),
    ],
)
def test_a_check_is_for_resources_of_quota_management_or_not(
    context: Context, yes: bool, no: bool, not_known: bool
) -> None:
    assert (context.holds(True), context.holds(False), context.holds(None)) == (yes, no, not_known)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("Properties",), "Properties"),
        (("Properties", "Priority"), "Priority"),
        (("Properties", "CapacityLimits", 0, "CapacityUnit"), "CapacityLimits[0].CapacityUnit"),
        (("Outputs", "Properties"), "Outputs.Properties"),
        (("Properties", "Properties"), "Properties"),
        (("Properties", "Tags", "a b"), "Tags['a b']"),
    ],
)
def test_a_path_as_people_write_it(path: Path, text: str) -> None:
    assert readable(path) == text


def test_a_plan_with_more_shares_is_otherwise_the_same() -> None:
    first, second = Resource(QUOTA_SHARE, {}), Resource(QUOTA_SHARE, {})
    plan = QueuePlan(Resource(JOB_QUEUE, {}), "the queue", shares=[first], region="us-east-1")
    more = plan.with_shares([second])
    assert (more.queue, more.label, more.region) == (plan.queue, "the queue", "us-east-1")
    assert more.shares == [first, second]
    assert plan.shares == [first]


def test_a_queue_is_called_this_queue_where_it_stands_alone() -> None:
    assert QueuePlan(Resource(JOB_QUEUE, {})).label == "this queue"


@pytest.mark.parametrize(
    ("type_", "options"),
    [
        ("String", ("a", "b")),
        ("Number", ()),
        ("CommaDelimitedList", ()),
        ("List<String>", ()),
        ("AWS::SSM::Parameter::Value<String>", ()),
    ],
)
def test_a_parameter_is_one_of_its_texts_unless_it_stands_for_others(
    type_: str, options: tuple[str, ...]
) -> None:
    assert options_of({"Type": type_, "AllowedValues": ["a", "b"]}) == options
