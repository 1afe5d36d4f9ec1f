"""Whether a job can ever run: the verdict, the reason that AWS gives, and what would help."""

from __future__ import annotations

from typing import Any

import pytest
from aws_cdk import App, Stack
from hypothesis import given
from hypothesis import strategies as st

from qm_constructs import QuotaManagedTrainingQueue, QuotaManagementError, ResourceSharing
from qm_constructs.constructs.quota_share import QuotaShare
from qm_constructs.explaining import Explanation
from qm_constructs.plan import JOB_QUEUE, QueuePlan, Resource
from qm_constructs.quota_plan import QuotaPlan
from qm_constructs.remedies import Remedy, remedy
from tests import scenarios
from tests.conftest import message_of
from tests.plan_scenarios import GPU, OTHER, UNKNOWN, environment, plan_of, queue_plan, share
from tests.strategies import examples
from tests.test_capacity import SHARES, of, planned

ENVIRONMENT = "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE"
LIMIT = "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED"
# Word by word as AWS's guide has them.
NOT_IN_ENVIRONMENT = (
    f"{ENVIRONMENT} - Service environment(s) associated with the job queue cannot meet the "
    "capacity requirement of the job."
)
OWN = f"{LIMIT} - Job requirements exceed quota share capacity limits."
BORROW = f"{LIMIT} - Job requirements exceed quota share capacity limits and borrow limits."
LENDERS = f"{LIMIT} - Job requires borrowing that exceeds all configured borrowable capacity."


def explained(held: str, shares: str, count: int, name: str = "a") -> Explanation:
    return plan_of(held, shares).share(name).explain(GPU, count)


# environment; shares; a job of share a; what AWS will show; what would let it run
NEVER = [
    ("10", "a 4 R, b 6 L", 5, OWN, "Raise the limit of 'a' for ml.p5.48xlarge from 4 to 5"),
    ("10", "a 4 L, b 4 L", 6, OWN, "Raise the limit of 'a' for ml.p5.48xlarge from 4 to 6."),
    # The guide's two examples.
    ("10", "a 2 B100, b 8 L", 5, BORROW, "Raise the borrow limit of 'a' from 100 % to 150 %."),
    ("16", "a 4 B200, b 4 B200", 9, LENDERS, "Raise the limit of 'a' for ml.p5.48xlarge from 4"),
    ("16", "a 4 B, b 4 L", 9, LENDERS, "Raise the limit of 'a' for ml.p5.48xlarge from 4 to 5."),
    ("16", "a 4 B0, b 4 L", 5, BORROW, "Raise the borrow limit of 'a' from 0 % to 25 %."),
    ("16", "a 4 B0, b 4 L", 9, BORROW, "Raise the limit of 'a' for ml.p5.48xlarge from 4 to 9."),
    ("16", "a 3 B33, b 4 L", 4, BORROW, "Raise the borrow limit of 'a' from 33 % to 34 %."),
    ("16", "a 4 B100, b 4 R", 5, LENDERS, "Raise the limit of 'a' for ml.p5.48xlarge from 4"),
    ("16", "a 10 B50, b 6 L", 16, BORROW, "Raise the borrow limit of 'a' from 50 % to 60 %."),
    # The environment is named first.
    ("5", "a 8 R", 6, NOT_IN_ENVIRONMENT, "Raise the service environment's limit for"),
    ("5", "a 5 R", 6, NOT_IN_ENVIRONMENT, "Raise the limit of 'a' for ml.p5.48xlarge from 5 to 6"),
    ("5", "a 5 B, b 5 L", 11, NOT_IN_ENVIRONMENT, "from 5 to 6, and raise the service environment"),
    # No limit at all, in the environment or in the share.
    ("-", "a 4 R", 1, NOT_IN_ENVIRONMENT, "Give the service environment a limit of 1 for"),
    ("8", "a 4x R", 1, OWN, "Give 'a' a limit of 1 for ml.p5.48xlarge."),
    ("8", "a 4x B50, b 4 L", 3, BORROW, "Give 'a' a limit of 2 for ml.p5.48xlarge."),
]


@pytest.mark.parametrize(("held", "shares", "count", "status_text", "change"), NEVER)
def test_a_job_that_can_never_run(
    held: str, shares: str, count: int, status_text: str, change: str
) -> None:
    answer = explained(held, shares, count)
    assert answer.runnable is False
    assert answer.status_text == status_text
    assert answer.reason == status_text.partition(" - ")[0]
    assert answer.smallest_change is not None
    assert change in answer.smallest_change
    assert "can never run" in answer.explanation


@pytest.mark.parametrize(
    ("held", "shares", "count", "says"),
    [
        ("10", "a 4 R", 4, "Own limit: 4."),
        ("10", "a 4 R", 4, "Borrowing: nothing, its strategy is RESERVE."),
        ("10", "a 4 B, b 6 L", 10, "its borrow limit is unlimited; the others lend 6 ('b' 6)."),
        ("10", "a 4 B50, b 3 L, c 3 B", 6, "the others lend 6 ('b' 3, 'c' 3)."),
        ("10", "a 4 B50, b 6 L", 6, "Reach: 4 + 2 = 6."),
        ("10", "a 4 B50, b 6 L", 6, "can run, with 2 borrowed"),
        ("10", "a 3 B50, b 6 L", 3, "50 % of 3, which is 1 in whole instances (how AWS rounds"),
        ("10", "a 4 B50, b 6 R", 3, "no other share lends."),
        ("10", "a 4 B50, b 6 L!", 3, "'b' is DISABLED and counted; AWS does not say whether it"),
        ("10", "a 4 R!", 3, "The share is DISABLED: no job can be submitted to it"),
        ("10", "a 4 R", 11, "That AWS names the service environment first, and not the share"),
        ("8", "a 4x B, b 4 L", 1, "AWS has not confirmed this, XR-08"),
        ("10", "a 8 B, b 8 L", 3, "Service environment: 10."),
        ("10", "a 8 B, b 8 L", 3, "Largest job: 10."),
        ("10", "a 4 R", 5, "It waits in RUNNABLE until somebody terminates it"),
        ("elsewhere", "a 4 R", 5, "The service environment may be too small as well"),
        ("10", "a 4 R!", 5, "One that was submitted before waits in RUNNABLE until somebody"),
        ("?", "a 4 B, b ? L", 5, "what others lend and the service environment's limit are not"),
    ],
)
def test_the_explanation(held: str, shares: str, count: int, says: str) -> None:
    assert says in explained(held, shares, count).explanation


# What AWS says depends on what the template does not tell, or on what AWS does not tell.
@pytest.mark.parametrize(
    ("held", "shares", "count", "known"),
    [
        ("12", "a 3 B?, b 2 L", 6, None),
        ("12", "a 3 ?, b 2 L", 6, None),
        ("12", "a 3 B?, b 2 L", 13, NOT_IN_ENVIRONMENT),
        ("8", "a 4x B?, b 4 L", 3, None),
        # No borrow limit is exceeded where it is unlimited.
        ("8", "a 4x B, b 4 L", 3, None),
    ],
)
def test_no_text_is_made_up_for_a_reason_that_is_known(
    held: str, shares: str, count: int, known: str | None
) -> None:
    answer = explained(held, shares, count)
    assert answer.runnable is False
    assert answer.status_text == known
    assert answer.reason is not None
    not_known = f"AWS will show: {answer.reason}; the text that follows it is not known."
    assert (not_known in str(answer).splitlines()) is (known is None)


# What is needed is told; whether it is enough depends on what the template does not tell.
@pytest.mark.parametrize(
    ("held", "shares", "count", "reason", "needed"),
    [
        ("?", "a 4 R", 5, None, "raise the limit of 'a' for ml.p5.48xlarge from 4 to 5."),
        ("elsewhere", "a 4 R", 5, None, "raise the limit of 'a' for ml.p5.48xlarge from 4 to 5."),
        ("?", "a 2 B100, b 8 L", 5, None, "raise the borrow limit of 'a' from 100 % to 150 %."),
        ("8", "a ? R", 9, ENVIRONMENT, "limit for ml.p5.48xlarge from 8 to 9."),
        ("8", "a ? B50, b 4 L", 9, ENVIRONMENT, "limit for ml.p5.48xlarge from 8 to 9."),
        ("12", "a 3 B?, b 2 L", 13, ENVIRONMENT, "limit for ml.p5.48xlarge from 12 to 13."),
    ],
)
def test_what_may_not_be_enough_is_no_smallest_change(
    held: str, shares: str, count: int, reason: str | None, needed: str
) -> None:
    answer = explained(held, shares, count)
    assert (answer.runnable, answer.reason, answer.smallest_change) == (False, reason, None)
    (told,) = [
        line for line in answer.explanation.splitlines() if line.startswith("This is needed")
    ]
    assert needed in told
    assert "from unknown" not in str(answer)
    if reason is None:
        assert answer.status_text is None
        assert "AWS will show:" not in str(answer)
        assert f"AWS will show is not known, {ENVIRONMENT} or {LIMIT}." in answer.explanation


def test_what_ends_a_job_of_a_queue_that_is_made_elsewhere_is_not_known() -> None:
    whole = queue_plan(environment({GPU: 8}), share("a", {GPU: 2}))
    elsewhere = QueuePlan(Resource(JOB_QUEUE, {}), shares=whole.shares, complete=False)
    for plan in (elsewhere, queue_plan(None, *whole.shares, JobStateTimeLimitActions=UNKNOWN)):
        told = QuotaPlan.of(plan).share("a").explain(GPU, 3).explanation
        assert "until somebody or a job state time limit of the queue ends it" in told
        assert "until somebody terminates it" not in told


def test_what_would_help_is_told_without_the_text_too() -> None:
    assert explained("8", "a 4x B, b 4 L", 3).smallest_change == (
        "Give 'a' a limit of 1 for ml.p5.48xlarge."
    )


@pytest.mark.parametrize("says", ["DISABLED", "not confirmed", "in whole instances", "borrowed"])
def test_the_explanation_of_a_plain_job_says_no_more(says: str) -> None:
    assert says not in explained("10", "a 4 B50, b 6 L", 4).explanation


@pytest.mark.parametrize(
    ("held", "shares", "count", "runnable", "says"),
    [
        ("elsewhere", "a 4 R", 4, None, "the service environment's limit is not known"),
        ("elsewhere", "a 4 R", 5, False, "it is larger than its share's reach"),
        ("?", "a 4 B, b 2 L", 6, None, "the service environment's limit is not known"),
        ("10", "a ? R", 4, None, "its own limit is not known"),
        ("10", "a ? R", 11, False, "it is larger than the service environment"),
        ("10", "a 4 ?, b 6 L", 4, True, "can run"),
        ("10", "a 4 ?, b 6 L", 5, None, "its strategy is not known"),
        ("10", "a 4 ?, b 2 L", 7, False, "it is larger than its share's reach"),
        ("10", "a 4 B, b ? L", 4, True, "can run"),
        ("10", "a 4 B, b ? L", 5, None, "what others lend is not known"),
        ("10", "a 4 B?, b 6 L", 5, None, "its borrow limit is not known"),
        ("10", "a 4 B, ...", 5, None, "what others lend is not known"),
        ("10", "a 4 B25, b 1 L, ...", 5, True, "can run"),
    ],
)
def test_what_the_template_does_not_tell(
    held: str, shares: str, count: int, runnable: bool | None, says: str
) -> None:
    answer = explained(held, shares, count)
    assert answer.runnable is runnable
    assert says in answer.explanation
    if runnable is not False:
        assert (answer.reason, answer.status_text, answer.smallest_change) == (None, None, None)


def test_a_time_limit_of_the_queue_is_told() -> None:
    limit = {"Reason": LIMIT, "State": "RUNNABLE", "Action": "TERMINATE", "MaxTimeSeconds": 3600}
    whole = queue_plan(
        environment({GPU: 8}), share("a", {GPU: 2}), JobStateTimeLimitActions=[limit]
    )
    told = "A job state time limit of the queue ends it after 3600 seconds."
    asked = QuotaPlan.of(whole).share("a")
    assert told in asked.explain(GPU, 3).explanation
    assert told not in asked.explain(GPU, 2).explanation
    assert "waits in RUNNABLE" in asked.explain(GPU, 9).explanation  # for another reason


@pytest.mark.parametrize("part", ["queue", "service environment"])
def test_what_is_disabled_starts_no_job(part: str) -> None:
    whole = queue_plan(environment({GPU: 8}), share("a", {GPU: 2}))
    assert whole.environment is not None
    resource = whole.queue if part == "queue" else whole.environment
    resource.properties["State"] = "DISABLED"  # type: ignore[index]
    answer = QuotaPlan.of(whole).share("a").explain(GPU, 2)
    assert f"The {part} is DISABLED: no job starts" in answer.explanation


def test_as_text_it_is_all_of_it() -> None:
    text = str(explained("10", "a 4 R", 5))
    assert text.splitlines()[-2:] == [
        f"AWS will show: {OWN}",
        "-> Raise the limit of 'a' for ml.p5.48xlarge from 4 to 5.",
    ]


def test_a_change_that_promises_too_much_says_so() -> None:
    answer = explained("10", "a 4 R, b 6 L", 5)
    assert answer.smallest_change is not None
    assert answer.smallest_change.endswith(
        "The shares then hold 1 more than the service environment (XR-02)."
    )


# -- Properties --------------------------------------------------------------------------


@examples(100)
@given(st.integers(1, 80), SHARES, st.integers(1, 200))
def test_it_agrees_with_the_plan_for_every_count(held: int, shares: list[Any], count: int) -> None:
    plan = planned(held, shares)
    for number in range(len(shares)):
        largest = of(plan, str(number)).largest_job.known
        answer = plan.share(str(number)).explain(GPU, count)
        assert answer.largest_job == largest == plan.largest_job(str(number), GPU)
        assert largest is not None
        assert answer.runnable is (count <= largest)
        assert (answer.smallest_change is None) is (answer.status_text is None) is answer.runnable


def applied(whole: QueuePlan, name: str, change: Remedy) -> QuotaPlan:
    """Returns the plan of a queue after a change."""
    assert whole.environment is not None
    (found,) = [s for s in whole.shares if s.at(("QuotaShareName",)) == name]
    for resource, most in ((whole.environment, change.environment), (found, change.max_capacity)):
        if most is not None:
            resource.properties["CapacityLimits"][0]["MaxCapacity"] = most
    if change.borrow_limit is not None:
        found.properties["ResourceSharingConfiguration"]["BorrowLimit"] = change.borrow_limit
    return QuotaPlan.of(whole)


@examples(100)
@given(st.integers(1, 80), SHARES, st.integers(1, 200))
def test_the_smallest_change_lets_it_run_and_nothing_less_does(
    held: int, shares: list[Any], count: int
) -> None:
    plan = planned(held, shares)
    (unit,) = plan.units
    asked = of(plan, "0")
    if count <= (asked.largest_job.known or 0):
        return
    change = remedy(unit, asked, count)
    assert change is not None
    after = applied(planned(held, shares).ways[0], "0", change)
    assert after.share("0").explain(GPU, count).runnable
    for field in ("environment", "max_capacity", "borrow_limit"):
        value = getattr(change, field)
        if value is not None:
            less = Remedy(**{**vars(change), field: value - 1})
            short = applied(planned(held, shares).ways[0], "0", less)
            assert not short.share("0").explain(GPU, count).runnable


# -- Wrong questions ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "instance_type", "count", "says"),
    [
        ("reserch", GPU, 1, "Did you mean 'research'?"),
        ("x", GPU, 1, "it has 'research', 'twin', 'twin'."),
        ("twin", GPU, 1, "2 shares of the queue have this name"),
        ("research", "ml.p5.48xlrge", 1, "Did you mean 'ml.p5.48xlarge'?"),
        ("research", "p5.48xlarge", 1, "Did you mean 'ml.p5.48xlarge'?"),
        ("research", "gpu", 1, "Write a type such as 'ml.p5.48xlarge'."),
        ("research", 4, 1, "SageMaker Training has no such instance type."),
        ("research", GPU, 0, "Must be a whole number from 1 to 2147483647."),
        ("research", GPU, 1.5, "Must be a whole number from 1 to 2147483647."),
        ("research", GPU, True, "Must be a whole number from 1 to 2147483647."),
    ],
)
def test_a_wrong_question(name: str, instance_type: Any, count: Any, says: str) -> None:
    plan = plan_of("8", "research 4 L, twin 1 L, twin 1 L")
    assert says in message_of(lambda: plan.share(name).explain(instance_type, count))


def test_both_faults_of_a_question_are_told() -> None:
    with pytest.raises(QuotaManagementError) as raised:
        plan_of("8", "a 4 L").share("a").explain("gpu", 0)
    assert [fault.argument for fault in raised.value.faults] == ["instance_type", "count"]


def test_a_type_that_is_newer_than_the_list_is_no_mistake() -> None:
    new = "ml.p9.48xlarge"
    plan = QuotaPlan.of(queue_plan(environment({new: 8}), share("a", {new: 4})))
    assert plan.largest_job("a", new) == 4


# -- On the constructs -------------------------------------------------------------------


@pytest.mark.cdk
def test_a_queue_and_its_shares_answer_as_they_are(stack: Stack) -> None:
    queue = QuotaManagedTrainingQueue(stack, "Queue", capacity_limits={GPU: 16})
    borrow = ResourceSharing.lend_and_borrow(borrow_limit=50)
    research = queue.add_quota_share("research", capacity_limits={GPU: 10}, resource_sharing=borrow)
    assert queue.largest_job(research, GPU) == research.largest_job(GPU) == 10
    queue.add_quota_share("product", capacity_limits={GPU: 6})
    assert queue.largest_job(research, GPU) == queue.largest_job("research", GPU) == 15
    assert queue.largest_job("product", GPU) == 6
    assert queue.largest_job("product", OTHER) == 0
    answer = research.explain(GPU, 16)
    assert (answer.runnable, answer.status_text) == (False, BORROW)
    assert "ends it after 3600 seconds" in answer.explanation
    assert research.explain(GPU, 15).runnable


@pytest.mark.cdk
def test_a_share_of_an_import_answers_as_far_as_it_is_known(stack: Stack) -> None:
    queue = QuotaManagedTrainingQueue.from_job_queue_arn(
        stack, "Queue", "arn:aws:batch:us-east-1:111122223333:job-queue/elsewhere"
    )
    a = queue.add_quota_share("a", capacity_limits={GPU: 4})
    assert queue.largest_job(a, GPU) is None
    assert a.explain(GPU, 5).runnable is False
    assert a.explain(GPU, 4).runnable is None


@pytest.mark.cdk
def test_a_wrong_question_to_a_queue(stack: Stack) -> None:
    queue = QuotaManagedTrainingQueue(stack, "Queue", capacity_limits={GPU: 16})
    queue.add_quota_share("research", capacity_limits={GPU: 10})
    other = QuotaManagedTrainingQueue(stack, "Other", capacity_limits={GPU: 16})
    foreign = other.add_quota_share("foreign", capacity_limits={GPU: 10})
    message = message_of(lambda: queue.largest_job("reserch", "gpu"))
    assert message.startswith("QuotaManagedTrainingQueue('Queue').largest_job(): 2 faults")
    assert "Did you mean 'research'?" in message
    assert "Ask its own queue." in message_of(lambda: queue.largest_job(foreign, GPU))
    assert "Ask its own queue." in message_of(lambda: queue.largest_job(queue, GPU))  # type: ignore[arg-type]


@pytest.mark.cdk
@pytest.mark.parametrize(
    ("scenario", "expected"),
    [
        (scenarios.aws_guide, {"lend-and-borrow": 10, "lend": 8, "reserve": 2}),
        (scenarios.aws_notebook, {"QS1": 2, "QS2": 1, "QS3": 1}),
    ],
)
def test_awss_own_queues(app: App, scenario: Any, expected: dict[str, int]) -> None:
    scenario(app)
    (share_, *_) = shares = [c for c in app.node.find_all() if isinstance(c, QuotaShare)]
    unit = next(iter(share_.capacity_limits))
    assert {s.node.id.removeprefix("QuotaShare-"): s.largest_job(unit) for s in shares} == expected
