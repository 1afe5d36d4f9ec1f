"""What only the synth can say: warnings that can be acknowledged, and faults between queues."""

from __future__ import annotations

from typing import Any

import pytest
from aws_cdk import Acknowledgment, App, Aws, CfnParameter, Environment, Stack, Stage, Validations
from aws_cdk.assertions import Template
from aws_cdk.aws_batch import CfnServiceEnvironment
from constructs import IConstruct

from qm_constructs import (
    QuotaManagedTrainingQueue,
    QuotaShare,
    QuotaShareOptions,
    QuotaShareSchedulingPolicy,
    ResourceSharing,
    ServiceEnvironment,
)
from tests.scenarios import ACCOUNT, REGION, a_stack, arn

UNIT = "ml.p5.48xlarge"
BORROW = ResourceSharing.lend_and_borrow()


def warnings(stack: Stack) -> list[tuple[str, str]]:
    """Returns the path and the text of each warning that a synth shows."""
    app = stack.node.root
    assert isinstance(app, App)
    messages = app.synth().get_stack_by_name(stack.stack_name).messages
    return [(message.id, str(message.entry.data)) for message in messages]


def warned(stack: Stack) -> list[tuple[str, str]]:
    """Returns the path and the rule of each warning that a synth shows."""
    return [
        (path, text.rpartition("[ack: qm-constructs::")[2].rstrip("]"))
        for path, text in warnings(stack)
    ]


def a_queue(stack: Stack, limits: dict[str, int], *shares: QuotaShareOptions) -> Any:
    return QuotaManagedTrainingQueue(stack, "Queue", capacity_limits=limits, quota_shares=shares)


def a_share(name: str, count: int = 1, **kwargs: Any) -> QuotaShareOptions:
    return QuotaShareOptions(name, capacity_limits={UNIT: count}, **kwargs)


class TestWarnings:
    def test_none_where_all_is_well(self, stack: Stack) -> None:
        a_queue(stack, {UNIT: 3}, a_share("a", resource_sharing=BORROW), a_share("b", 2))
        assert warnings(stack) == []

    def test_the_sum_above_the_environment(self, stack: Stack) -> None:
        a_queue(stack, {UNIT: 10}, a_share("a", 6), a_share("b", 6))
        assert warnings(stack) == [
            (
                "/Stack/Queue",
                "capacity_limits['ml.p5.48xlarge'] = 10: The quota shares hold 12 ml.p5.48xlarge "
                "together, the service environment has 10: they cannot all have what they are "
                "promised at once. AWS has not confirmed whether it takes this. Lower the shares' "
                "limits by 2 together, or raise the environment's. [ack: qm-constructs::XR-02]",
            )
        ]

    def test_a_share_above_the_environment(self, stack: Stack) -> None:
        a_queue(stack, {UNIT: 10}, a_share("a", 11))
        ((path, text),) = warnings(stack)
        assert path == "/Stack/Queue/QuotaShare-a"
        assert text.startswith(
            "capacity_limits['ml.p5.48xlarge'] = 11: The share holds 11 ml.p5.48xlarge, the whole "
            "service environment 10: a job above that never runs. AWS has not confirmed whether it "
        )
        assert warned(stack) == [(path, "XR-03")]

    def test_a_borrower_with_no_lender(self, stack: Stack) -> None:
        a_queue(
            stack,
            {UNIT: 10},
            a_share("a", resource_sharing=BORROW),
            a_share("b", resource_sharing=ResourceSharing.reserve()),
        )
        ((path, text),) = warnings(stack)
        assert path == "/Stack/Queue/QuotaShare-a"
        assert text.startswith(
            "resource_sharing = ResourceSharing.lend_and_borrow(borrow_limit=-1)"
        )
        assert (
            "No other share that is made here lends ml.p5.48xlarge, so this one can never" in text
        )
        assert warned(stack) == [(path, "XR-06")]

    def test_a_borrower_of_which_one_unit_has_no_lender(self, stack: Stack) -> None:
        queue = QuotaManagedTrainingQueue(
            stack, "Queue", capacity_limits={UNIT: 4, "ml.g5.xlarge": 4}
        )
        limits = {UNIT: 1, "ml.g5.xlarge": 1}
        queue.add_quota_share("a", capacity_limits=limits, resource_sharing=BORROW)
        queue.add_quota_share("b", capacity_limits={UNIT: 1})
        ((_, text),) = warnings(stack)
        assert "No other share that is made here lends ml.g5.xlarge, so this one can never" in text
        assert "Let another share lend ml.g5.xlarge. [ack" in text

    def test_the_sum_stands_when_one_share_above_is_acknowledged(self, stack: Stack) -> None:
        queue = a_queue(stack, {UNIT: 10}, a_share("a", 11), a_share("b", 6), a_share("c", 6))
        Validations.of(queue.quota_shares[0]).acknowledge(
            Acknowledgment(id="qm-constructs::XR-03", reason="will be lowered")
        )
        assert warned(stack) == [("/Stack/Queue", "XR-02")]

    def test_a_lender_that_comes_later(self, stack: Stack) -> None:
        queue = a_queue(stack, {UNIT: 10}, a_share("a", resource_sharing=BORROW))
        QuotaShare(stack, "Late", job_queue=queue, quota_share_name="b", capacity_limits={UNIT: 1})
        assert warnings(stack) == []

    def test_a_borrow_limit_of_0(self, stack: Stack) -> None:
        a_queue(
            stack,
            {UNIT: 10},
            a_share("a", resource_sharing=ResourceSharing.lend_and_borrow(0)),
        )
        ((_, text),) = warnings(stack)
        assert text.startswith(
            "resource_sharing = ResourceSharing.lend_and_borrow(borrow_limit=0): With a borrow "
        )
        assert warned(stack) == [("/Stack/Queue/QuotaShare-a", "QS-10")]

    def test_an_instance_type_that_no_list_has_warns_once(self, stack: Stack) -> None:
        queue = QuotaManagedTrainingQueue(stack, "Queue", capacity_limits={"ml.p5.48xlrge": 4})
        for name in ("a", "b"):
            queue.add_quota_share(name, capacity_limits={"ml.p5.48xlrge": 1})
        ((path, text),) = warnings(stack)
        assert path == "/Stack/Queue/ServiceEnvironment"
        assert "list of instance types has no 'ml.p5.48xlrge'" in text
        assert "Did you mean 'ml.p5.48xlarge'?" in text
        assert warned(stack) == [(path, "SE-13")]

    def test_in_an_environment_alone_and_in_a_share_of_an_imported_queue(
        self, stack: Stack
    ) -> None:
        ServiceEnvironment(stack, "Environment", capacity_limits={"ml.new.large": 1})
        queue = QuotaManagedTrainingQueue.from_job_queue_arn(stack, "Q", arn("job-queue/q"))
        queue.add_quota_share("a", capacity_limits={"ml.new.large": 1}, resource_sharing=BORROW)
        assert warned(stack) == [
            ("/Stack/Environment", "SE-13"),
            ("/Stack/Q/QuotaShare-a", "SE-13"),
        ]

    def test_one_policy_of_two_queues(self, stack: Stack) -> None:
        policy = QuotaShareSchedulingPolicy(stack, "Policy")
        for id in ("One", "Two"):
            QuotaManagedTrainingQueue(
                stack, id, capacity_limits={UNIT: 1}, scheduling_policy=policy
            )
        ((path, text),) = warnings(stack)
        assert path == "/Stack/Two"
        assert text.startswith("scheduling_policy = <QuotaShareSchedulingPolicy 'Policy'>: This")
        assert "serves the queue 'Stack/One' too." in text
        assert warned(stack) == [("/Stack/Two", "SP-08")]

    def test_one_policy_of_three_queues_names_the_first(self, stack: Stack) -> None:
        def imported(id: str) -> Any:
            policy_arn = arn("scheduling-policy/p")
            return QuotaShareSchedulingPolicy.from_scheduling_policy_arn(stack, id, policy_arn)

        two = imported("P2")
        for id, policy in (("A", imported("P1")), ("B", two), ("C", two)):
            QuotaManagedTrainingQueue(
                stack, id, capacity_limits={UNIT: 1}, scheduling_policy=policy
            )
        named = [text.partition("serves ")[2].partition(" too")[0] for _, text in warnings(stack)]
        assert named == ["the queue 'Stack/A'"] * 2

    def test_the_policy_that_another_queue_made(self, stack: Stack) -> None:
        one = QuotaManagedTrainingQueue(stack, "One", capacity_limits={UNIT: 1})
        QuotaManagedTrainingQueue(
            stack, "Two", capacity_limits={UNIT: 1}, scheduling_policy=one.scheduling_policy
        )
        assert warned(stack) == [("/Stack/Two", "SP-08")]

    @pytest.mark.parametrize("where", ["share", "queue", "stack", "app"])
    @pytest.mark.parametrize("when", ["before", "after"])
    def test_one_acknowledgement_silences(self, stack: Stack, where: str, when: str) -> None:
        queue = a_queue(stack, {UNIT: 10})
        if when == "after":
            queue.add_quota_share("a", capacity_limits={UNIT: 11})
        scopes: dict[str, IConstruct] = {"queue": queue, "stack": stack, "app": stack.node.root}
        if where == "share":
            if when == "before":
                queue.add_quota_share("a", capacity_limits={UNIT: 11})
            scopes["share"] = queue.quota_shares[0]
        Validations.of(scopes[where]).acknowledge(
            Acknowledgment(id="qm-constructs::XR-03", reason="limits will be raised")
        )
        if when == "before" and where != "share":
            queue.add_quota_share("a", capacity_limits={UNIT: 11})
        assert warnings(stack) == []

    def test_a_second_synth_says_nothing_twice(self, stack: Stack) -> None:
        a_queue(stack, {UNIT: 10}, a_share("a", 11))
        Template.from_stack(stack)
        Template.from_stack(stack)
        assert len(warnings(stack)) == 1


class TestTokensAreNeverJudged:
    def test_in_the_environment(self, stack: Stack) -> None:
        count = CfnParameter(stack, "Count", type="Number").value_as_number
        unit = CfnParameter(stack, "Unit").value_as_string
        queue = QuotaManagedTrainingQueue(stack, "Queue", capacity_limits={UNIT: count, unit: 3})
        queue.add_quota_share("a", capacity_limits={UNIT: 100, "ml.g5.xlarge": 5, unit: count})
        assert warnings(stack) == []

    def test_in_the_shares(self, stack: Stack) -> None:
        count = CfnParameter(stack, "Count", type="Number").value_as_number
        unit = CfnParameter(stack, "Unit").value_as_string
        queue = a_queue(stack, {UNIT: 10})
        queue.add_quota_share("a", capacity_limits={UNIT: count}, resource_sharing=BORROW)
        queue.add_quota_share("b", capacity_limits={UNIT: 9, unit: 2})
        for name in ("c", "d"):
            QuotaShare(
                stack,
                name,
                job_queue=queue,
                quota_share_name=unit,
                capacity_limits={unit: count},
                resource_sharing=ResourceSharing.lend_and_borrow(count),
            )
        assert warnings(stack) == []

    def test_what_might_lend_counts_as_a_lender(self, stack: Stack) -> None:
        unit = CfnParameter(stack, "Unit").value_as_string
        queue = a_queue(stack, {UNIT: 10}, a_share("a", resource_sharing=BORROW))
        queue.add_quota_share("b", capacity_limits={unit: 1})
        assert warnings(stack) == []


def synth_error(app: App) -> str:
    """Returns the last line of a synth that must fail."""
    with pytest.raises(RuntimeError) as raised:
        app.synth()
    return str(raised.value).strip().splitlines()[-1].strip()


def a_named_queue(scope: Stack, id: str = "Queue", name: str = "gpu") -> None:
    QuotaManagedTrainingQueue(scope, id, capacity_limits={UNIT: 1}, service_environment_name=name)


HERE = Environment(account=ACCOUNT, region=REGION)
ELSEWHERE = Environment(account=ACCOUNT, region="eu-west-1")
NAMED = "service_environment_name = 'gpu'"
BY_ARN = f"service_environment = '{arn('service-environment/gpu')}'"
FAULT = (
    ": This service environment is that of the queue '{}' already, and one of quota management "
    "serves one queue only. Give each queue a service environment of its own. [SE-12]"
)


class TestOneEnvironmentOfTwoQueues:
    """Said at the synth where the queues were made apart."""

    def test_by_literal_arn(self, app: App) -> None:
        for id in ("One", "Two"):
            QuotaManagedTrainingQueue(
                a_stack(app, id), "Queue", service_environment=arn("service-environment/gpu")
            )
        assert synth_error(app) == f"[Two/Queue] {BY_ARN}{FAULT.format('One/Queue')}"

    def test_by_two_imports(self, app: App) -> None:
        stack = a_stack(app)
        for id in ("One", "Two"):
            environment = ServiceEnvironment.from_service_environment_arn(
                stack, f"{id}Environment", arn("service-environment/gpu")
            )
            QuotaManagedTrainingQueue(stack, id, service_environment=environment)
        given = "service_environment = <imported ServiceEnvironment 'TwoEnvironment'>"
        assert synth_error(app) == f"[Stack/Two] {given}{FAULT.format('Stack/One')}"

    def test_by_literal_name_in_one_stack(self, app: App) -> None:
        stack = a_stack(app)
        a_named_queue(stack, "One")
        a_named_queue(stack, "Two")
        assert synth_error(app) == f"[Stack/Two] {NAMED}{FAULT.format('Stack/One')}"

    def test_by_literal_name_in_one_account_and_region(self, app: App) -> None:
        a_named_queue(a_stack(app, "One", env=HERE))
        a_named_queue(a_stack(app, "Two", env=HERE))
        assert synth_error(app) == f"[Two/Queue] {NAMED}{FAULT.format('One/Queue')}"

    def test_by_name_and_by_arn(self, app: App) -> None:
        a_named_queue(a_stack(app, "One", env=HERE))
        QuotaManagedTrainingQueue(
            a_stack(app, "Two", env=HERE),
            "Queue",
            service_environment=arn("service-environment/gpu"),
        )
        assert synth_error(app) == f"[Two/Queue] {BY_ARN}{FAULT.format('One/Queue')}"

    def test_by_name_of_an_l1(self, app: App) -> None:
        stack = a_stack(app)
        a_named_queue(stack, "One")
        environment = CfnServiceEnvironment(
            stack,
            "Environment",
            service_environment_type="SAGEMAKER_TRAINING",
            service_environment_name="gpu",
            capacity_limits=[{"capacityUnit": UNIT, "maxCapacity": 1}],
        )
        QuotaManagedTrainingQueue(stack, "Two", service_environment=environment)
        given = "service_environment = <aws_cdk.aws_batch.CfnServiceEnvironment>"
        assert synth_error(app) == f"[Stack/Two] {given}{FAULT.format('Stack/One')}"

    def test_in_stages_of_one_environment(self, app: App) -> None:
        for id in ("Blue", "Green"):
            a_named_queue(a_stack(Stage(app, id, env=HERE)))
        assert synth_error(app) == f"[Green/Stack/Queue] {NAMED}{FAULT.format('Blue/Stack/Queue')}"

    def test_never_across_stages_of_different_environments(self, app: App) -> None:
        for id, env in (("Blue", HERE), ("Green", ELSEWHERE), ("Any", None), ("Any2", None)):
            a_named_queue(a_stack(Stage(app, id, env=env)))
        app.synth()

    def test_never_between_stacks_that_may_be_anywhere(self, app: App) -> None:
        for id, env in (("Dev", None), ("Prod", None), ("Test", Environment(region=REGION))):
            a_named_queue(a_stack(app, id, env=env))
        app.synth()

    def test_never_between_regions_names_or_apps(self, app: App) -> None:
        a_named_queue(a_stack(app, "One", env=HERE))
        a_named_queue(a_stack(app, "Two", env=ELSEWHERE))
        a_named_queue(a_stack(app, "Three", env=HERE), name="gpu-2")
        a_named_queue(a_stack(App(), "Four", env=HERE))
        app.synth()

    def test_never_for_a_token(self, app: App) -> None:
        stack = a_stack(app)
        name = CfnParameter(stack, "Name").value_as_string
        a_named_queue(stack, "One", name)
        a_named_queue(stack, "Two", name)
        app.synth()


def test_an_l1_environment_that_lost_a_type_later(app: App) -> None:
    stack = a_stack(app)
    environment = CfnServiceEnvironment(
        stack,
        "Environment",
        service_environment_type="SAGEMAKER_TRAINING",
        capacity_limits=[{"capacityUnit": UNIT, "maxCapacity": 1}],
    )
    queue = QuotaManagedTrainingQueue(stack, "Queue", service_environment=environment)
    queue.add_quota_share("team", capacity_limits={UNIT: 1})
    environment.capacity_limits = [
        CfnServiceEnvironment.CapacityLimitProperty(capacity_unit="ml.g5.xlarge", max_capacity=1)
    ]
    message = synth_error(app)
    assert message.startswith(
        "[Stack/Queue] <QuotaShare 'QuotaShare-team'>: capacity_limits['ml.p5.48xlarge'] = 1: The "
        "service environment has no capacity limit for 'ml.p5.48xlarge'"
    )
    assert message.endswith("[XR-01]")


class TestSharesOfAQueueMadeElsewhere:
    def test_an_import_before_the_queue_is_no_rival_of_it(self, app: App) -> None:
        here, there = a_stack(app, "Here", env=HERE), a_stack(app, "There", env=HERE)
        imported = QuotaManagedTrainingQueue.from_job_queue_arn(
            there, "Import", arn("job-queue/gpu")
        )
        QuotaManagedTrainingQueue(here, "Queue", capacity_limits={UNIT: 1}, job_queue_name="gpu")
        imported.add_quota_share("team", capacity_limits={UNIT: 2})
        assert warned(there) == [("/There/Import/QuotaShare-team", "XR-03")]

    def test_an_arn_with_a_token_is_another_queue_in_another_stack(self, app: App) -> None:
        for id, env in (("Dev", HERE), ("Prod", ELSEWHERE)):
            stack = a_stack(Stage(app, id, env=env))
            queue = QuotaManagedTrainingQueue.from_job_queue_arn(
                stack, "Queue", f"arn:aws:batch:{Aws.REGION}:{Aws.ACCOUNT_ID}:job-queue/shared"
            )
            queue.add_quota_share("team", capacity_limits={UNIT: 1})
        app.synth()

    def test_an_unsaid_lender_may_exist(self, stack: Stack) -> None:
        queue = QuotaManagedTrainingQueue.from_job_queue_arn(stack, "Q", arn("job-queue/q"))
        queue.add_quota_share("a", capacity_limits={UNIT: 1}, resource_sharing=BORROW)
        assert warnings(stack) == []
