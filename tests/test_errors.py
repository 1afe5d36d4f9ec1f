"""What a call says that is given what AWS Batch would refuse, or what nobody can mean."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, Duration, Environment, Fn, RemovalPolicy, Stack, Stage, Token
from aws_cdk.assertions import Template
from aws_cdk.aws_batch import (
    CfnJobQueue,
    CfnSchedulingPolicy,
    CfnServiceEnvironment,
    FairshareSchedulingPolicy,
    JobQueue,
)
from aws_cdk.aws_ssm import StringParameter
from aws_cdk.cloudformation_include import CfnInclude
from aws_cdk.interfaces.aws_batch import ServiceEnvironmentReference
from constructs import Construct

from qm_constructs import (
    JobStateTimeLimits,
    QuotaManagedTrainingQueue,
    QuotaManagementError,
    QuotaShare,
    QuotaShareOptions,
    QuotaShareSchedulingPolicy,
    ResourceSharing,
    ServiceEnvironment,
)
from tests.conftest import message_of, resources
from tests.scenarios import ACCOUNT, REGION, a_stack, arn

UNIT = "ml.p5.48xlarge"
LIMITS = {UNIT: 16}
Given = dict[str, Any]


def make_queue(scope: Any, id: Any = "Queue", **kwargs: Any) -> QuotaManagedTrainingQueue:
    return QuotaManagedTrainingQueue(scope, id, **kwargs)


def says(message: str, *parts: str) -> None:
    """Asserts that a message has these parts, however its lines are broken."""
    text = " ".join(message.split())
    for part in parts:
        assert part in text


class Ambiguous:
    """Like an array: it has no truth value, and is equal to nothing that can be said."""

    def __bool__(self) -> bool:
        raise ValueError("ambiguous")

    def __eq__(self, other: object) -> Any:
        return self

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "<ambiguous>"


# -- A queue ------------------------------------------------------------------------------

QUEUE: list[tuple[Given, tuple[str, ...]]] = [
    (
        {"capacity_limits": None},
        (
            "QuotaManagedTrainingQueue('Queue'): 1 fault capacity_limits",
            "Exactly one of capacity_limits, service_environment and plan must be given; ",
            "none is (None is not).",
            "-> Give capacity_limits={'ml.p5.48xlarge': 16}, say, a service environment or a plan.",
        ),
    ),
    (
        {"service_environment": arn("service-environment/e")},
        ("capacity_limits = {'ml.p5.48xlarge': 16}", "must be given; both are."),
    ),
    (
        {"capacity_limits": {}},
        (
            "capacity_limits = {}",
            "A service environment has 1 to 5 capacity limits; this one has 0.",
            "such as 'ml.p5.48xlarge', and how many of it. [SE-04]",
        ),
    ),
    (
        {"capacity_limits": {f"ml.g5.{n}xlarge": 1 for n in (2, 4, 8, 12, 16, 24)}},
        (
            "this one has 6.",
            "Keep 5 instance types, and divide the rest in another queue. [SE-04]",
        ),
    ),
    (
        {"capacity_limits": {"NUM_INSTANCES": 3}},
        (
            "capacity_limits['NUM_INSTANCES'] = 3",
            "Quota management counts instances of one type each, not NUM_INSTANCES.",
            "Name the instance type, such as 'ml.p5.48xlarge'. [SE-05]",
        ),
    ),
    (
        {"capacity_limits": {"p5.48xlarge": 3}},
        (
            "capacity_limits['p5.48xlarge'] = 3",
            "A capacity unit is a SageMaker instance type, and those start with 'ml.'.",
            "Did you mean 'ml.p5.48xlarge'? [SE-07]",
        ),
    ),
    (
        {"capacity_limits": {"VCPU": 3}},
        ("Name the type, such as 'ml.p5.48xlarge'. [SE-07]",),
    ),
    (
        {"capacity_limits": {UNIT: 0}},
        (
            "capacity_limits['ml.p5.48xlarge'] = 0",
            "A capacity limit is a whole number of instances, 1 or more.",
            "Give a whole number, 1 or more, or leave the instance type out. [SE-08]",
        ),
    ),
    (
        {"capacity_limits": {UNIT: -3}},
        ("capacity_limits['ml.p5.48xlarge'] = -3", "[SE-08]"),
    ),
    (
        {"capacity_limits": {UNIT: "16"}},
        (
            "capacity_limits['ml.p5.48xlarge'] = '16'",
            "Must be a whole number or a token.",
            "Write 16, unquoted; int() turns a context value into a number.",
        ),
    ),
    ({"capacity_limits": {UNIT: "many"}}, ("= 'many'", "-> Give a whole number.")),
    ({"capacity_limits": {UNIT: 16.0}}, ("= 16.0", "-> Write 16.")),
    ({"capacity_limits": {UNIT: 2.5}}, ("= 2.5", "-> Give a whole number.")),
    ({"capacity_limits": {UNIT: float("nan")}}, ("= nan", "-> Give a whole number.")),
    ({"capacity_limits": {UNIT: float("inf")}}, ("= inf", "-> Give a whole number.")),
    ({"capacity_limits": {UNIT: True}}, ("= True", "-> Give a whole number.")),
    ({"capacity_limits": {UNIT: None}}, ("= None", "-> Give a whole number.")),
    (
        {"capacity_limits": {UNIT: 2**31}},
        (
            "Must fit into 32 bits, as the AWS Batch API has it.",
            "Give a number of at most 2147483647.",
        ),
    ),
    (
        {"capacity_limits": {None: 3}},
        ("A key of capacity_limits = None", "Must be a string or a token.", "Give a string."),
    ),
    ({"capacity_limits": {5: 3}}, ("A key of capacity_limits = 5",)),
    (
        {"capacity_limits": [{"max_capacity": 3, "capacity_unit": "ml.g5.xlarge"}]},
        (
            "capacity_limits = [{'capacity_unit': 'ml.g5.xlarge', 'max_capacity': 3}]",
            "Must map instance types to how many of each.",
            "Write {'ml.g5.xlarge': 3}.",
        ),
    ),
    (
        {"capacity_limits": [{"MaxCapacity": 3, "CapacityUnit": "ml.g5.xlarge"}]},
        ("Write {'ml.g5.xlarge': 3}.",),
    ),
    (
        {"capacity_limits": [{"maxCapacity": 3, "capacityUnit": "ml.g5.xlarge"}]},
        ("Write {'ml.g5.xlarge': 3}.",),
    ),
    (
        {"capacity_limits": {"CapacityUnit": "ml.g5.xlarge", "MaxCapacity": 3}},
        ("1 fault", "Must map instance types to how many of each.", "Write {'ml.g5.xlarge': 3}."),
    ),
    (
        {
            "capacity_limits": [
                CfnServiceEnvironment.CapacityLimitProperty(
                    capacity_unit="ml.g5.xlarge", max_capacity=3
                )
            ]
        },
        ("Write {'ml.g5.xlarge': 3}.",),
    ),
    (
        {"priority": int(Token.as_number("a token"))},
        ("this was a token before int().", "Give the token itself."),
    ),
    (
        {"quota_shares": {QuotaShareOptions("a", capacity_limits={UNIT: 1})}},
        ("quota_shares = {<QuotaShareOptions 'a'>}", "Must be a list of QuotaShareOptions."),
    ),
    ({"quota_shares": {"a": {UNIT: 1}}}, ("quota_shares = {'a': {'ml.p5.48xlarge': 1}}",)),
    (
        {"capacity_limits": None, "service_environment": ServiceEnvironment},
        ("service_environment = <class", "Must be the ARN of a service environment."),
    ),
    (
        {"scheduling_policy": QuotaShareSchedulingPolicy},
        ("scheduling_policy = <class", "Must be the ARN of a scheduling policy."),
    ),
    ({"capacity_limits": []}, ("capacity_limits = []", "Write {'ml.p5.48xlarge': 16}, say.")),
    ({"capacity_limits": ["ml.g5.xlarge"]}, ("Write {'ml.p5.48xlarge': 16}, say.",)),
    ({"capacity_limits": "ml.g5.xlarge"}, ("Write {'ml.p5.48xlarge': 16}, say.",)),
    ({"capacity_limits": 16}, ("capacity_limits = 16", "Must map instance types")),
    (
        {"priority": 1001},
        (
            "priority = 1001",
            "A job queue's priority is a whole number from 0 to 1000.",
            "Give a whole number from 0 to 1000. [JQ-01]",
        ),
    ),
    ({"priority": -1}, ("priority = -1", "[JQ-01]")),
    ({"priority": "5"}, ("priority = '5'", "Write 5, unquoted")),
    ({"priority": None}, ("priority = None", "Give a whole number.")),
    (
        {"enabled": "yes"},
        ("enabled = 'yes'", "Must be True or False.", "Write True or False, unquoted."),
    ),
    ({"enabled": Ambiguous()}, ("enabled = <ambiguous>", "Must be True or False.")),
    ({"removal_policy": Ambiguous()}, ("removal_policy = <ambiguous>", "Must be one of")),
    ({"priority": 1e308}, ("priority = 1e+308", "-> Give a whole number.")),
    ({"priority": 10**5000}, ("priority = <int>", "Must fit into 32 bits")),
    ({"priority": "a${Token[TOKEN.1]}"}, ("Must be a whole number or a token.",)),
    ({"capacity_limits": [(UNIT, 4)]}, ("Write {'ml.p5.48xlarge': 4}.",)),
    ({"enabled": None}, ("enabled = None", "Must be True or False.")),
    (
        {"job_queue_name": "gpu queue!"},
        (
            "job_queue_name = 'gpu queue!'",
            "letters, digits, hyphens and underscores; this one has ' ', '!'.",
            "Write 'gpu-queue', say. [JQ-09]",
        ),
    ),
    (
        {"job_queue_name": "x" * 129},
        ("this one has 129 characters.", "Choose a shorter name. [JQ-09]"),
    ),
    ({"job_queue_name": ""}, ("this one is empty.", "Write a name, or leave it out. [JQ-09]")),
    ({"job_queue_name": "é!"}, ("this one has 'é' (U+00E9), '!'.", "Choose another name.")),
    ({"job_queue_name": 7}, ("job_queue_name = 7", "Give a string.")),
    ({"service_environment_name": "a/b"}, ("Write 'a-b', say. [SE-03]",)),
    ({"scheduling_policy_name": "a.b"}, ("Write 'a-b', say. [SP-02]",)),
    (
        {"job_state_time_limits": None},
        (
            "job_state_time_limits = None",
            "Write JobStateTimeLimits.none() for no limits, or leave it out for the default.",
        ),
    ),
    (
        {"job_state_time_limits": Duration.hours(1)},
        (
            "job_state_time_limits = <aws_cdk.Duration>",
            "Write JobStateTimeLimits(insufficient_instance_capacity=Duration.hours(4)), say.",
        ),
    ),
    (
        {"removal_policy": "RETAIN"},
        (
            "removal_policy = 'RETAIN'",
            "Must be one of RemovalPolicy.DESTROY, RemovalPolicy.RETAIN, "
            "RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, or None.",
        ),
    ),
    (
        {"removal_policy": RemovalPolicy.SNAPSHOT},
        ("removal_policy = <RemovalPolicy.SNAPSHOT",),
    ),
    (
        {"tags": ["team"]},
        ("tags = ['team']", "Must map tag keys to tag values.", "Write {'team': 'research'}"),
    ),
    ({"tags": {3: "x"}}, ("A key of tags = 3", "Must be a string.")),
    ({"tags": {"a": None}}, ("tags['a'] = None", "Give a string.")),
    (
        {"tags": {"aws:x": "1"}},
        ("tags['aws:x'] = '1'", "AWS reserves the prefix 'aws:', so no tag's key", "[SJ-09]"),
    ),
    ({"tags": {"a": "AWS:x"}}, ("so no tag's value starts with it.",)),
    ({"tags": {"": "x"}}, ("tags['']", "A tag's key has 1 to 128 characters; this one has 0.")),
    (
        {"tags": {"k" * 129: "x"}},
        ("A tag's key has 1 to 128 characters; this one has 129.",),
    ),
    ({"tags": {"a": "v" * 257}}, ("A tag's value has 0 to 256 characters; this one has 257.",)),
    ({"tags": {"a!": "x"}}, ("A tag's key cannot have '!'.", "+ - = . _ : / @ are allowed.")),
    (
        {"tags": {f"k{n}": "v" for n in range(51)}},
        ("A resource has at most 50 tags; this one has 51.", "Leave out 1. [SJ-09]"),
    ),
    (
        {"quota_shares": None},
        (
            "quota_shares = None",
            "Must be a list of QuotaShareOptions.",
            "Write quota_shares=[QuotaShareOptions('research', capacity_limits={...})], say.",
        ),
    ),
    ({"quota_shares": "research"}, ("Must be a list of QuotaShareOptions.",)),
    (
        {"quota_shares": [{"name": "research"}]},
        ("quota_shares[0] = {'name': 'research'}", "Must be a QuotaShareOptions."),
    ),
    (
        {"scheduling_policy": arn("job-queue/x")},
        (
            "scheduling_policy = 'arn:aws:batch:us-east-1:111122223333:job-queue/x'",
            "Must be the ARN of a scheduling policy.",
            "'arn:aws:batch:us-east-1:111122223333:scheduling-policy/NAME', or the construct "
            "itself. [JQ-08]",
        ),
    ),
    (
        {"scheduling_policy": 5},
        ("Must be the ARN of a scheduling policy.", "or the construct itself. [JQ-08]"),
    ),
    (
        {"scheduling_policy": arn("scheduling-policy/p"), "scheduling_policy_name": "p"},
        (
            "scheduling_policy_name = 'p'",
            "scheduling_policy is given, and has its name already.",
            "Leave out scheduling_policy_name or scheduling_policy.",
        ),
    ),
    (
        {
            "capacity_limits": None,
            "service_environment": arn("service-environment/e"),
            "service_environment_name": "e",
        },
        ("service_environment is given, and has its name already.",),
    ),
    (
        {"capacity_limits": None, "service_environment": "gpu"},
        ("service_environment = 'gpu'", "Must be the ARN of a service environment."),
    ),
]


@pytest.mark.parametrize(("given", "parts"), QUEUE, ids=range(len(QUEUE)))
def test_a_queue(stack: Stack, calls: list[str], given: Given, parts: tuple[str, ...]) -> None:
    calls.clear()
    says(message_of(lambda: make_queue(stack, **{"capacity_limits": LIMITS, **given})), *parts)
    assert not [call for call in calls if call.startswith("create")]
    assert resources(stack) == {}


@pytest.mark.parametrize("scope", [None, "stack", 3, Stack])
def test_a_scope_that_is_no_construct(scope: object) -> None:
    message = message_of(lambda: make_queue(scope, capacity_limits=LIMITS))
    says(message, f"scope = {scope!r}", "Must be a construct in a stack.", "Give the stack")


def test_every_construct_asks_for_its_place() -> None:
    makers: list[Callable[[Any, Any], object]] = [
        lambda scope, id: QuotaManagedTrainingQueue(scope, id, capacity_limits=LIMITS),
        lambda scope, id: ServiceEnvironment(scope, id, capacity_limits=LIMITS),
        QuotaShareSchedulingPolicy,
        lambda scope, id: QuotaShare(
            scope,
            id,
            job_queue=arn("job-queue/q"),
            quota_share_name="team",
            capacity_limits=LIMITS,
        ),
        lambda scope, id: QuotaManagedTrainingQueue.from_job_queue_arn(scope, id, "q"),
        lambda scope, id: QuotaShare.from_quota_share_arn(scope, id, "s"),
        lambda scope, id: ServiceEnvironment.from_service_environment_arn(scope, id, "e"),
        lambda scope, id: QuotaShareSchedulingPolicy.from_scheduling_policy_arn(scope, id, "p"),
    ]
    for make in makers:
        says(message_of(lambda make=make: make(Duration.hours(1), 7)), "scope = ", "id = 7")  # type: ignore[misc]


@pytest.mark.parametrize("above", [App(), Stage(App(), "Stage")])
def test_a_scope_that_is_above_all_stacks(above: Construct) -> None:
    message = message_of(lambda: make_queue(above, capacity_limits=LIMITS))
    says(
        message,
        "scope = ",
        "Must be a construct in a stack; an app or a stage is none.",
        "Give the stack",
    )
    assert above.node.try_find_child("Queue") is None


def test_what_cdk_refuses_leaves_nothing_behind() -> None:
    scope = Construct(App(), "InNoStack")
    for make in (
        lambda: make_queue(scope, capacity_limits=LIMITS),
        lambda: ServiceEnvironment(scope, "Queue", capacity_limits=LIMITS),
        lambda: QuotaShareSchedulingPolicy(scope, "Queue"),
    ):
        says(message_of(make), "scope = ", "CDK refuses what is made in it: ", "Stack")
        assert scope.node.children == []


@pytest.mark.parametrize("id", [None, "", 3, "a${Token[TOKEN.3]}"])
def test_an_id_that_is_no_literal(stack: Stack, id: object) -> None:
    message = message_of(lambda: make_queue(stack, id, capacity_limits=LIMITS))
    says(message, f"id = {id!r}", "Must be literal text, not empty and without tokens.")


def test_an_id_that_is_taken(stack: Stack) -> None:
    Construct(stack, "Queue")
    message = message_of(lambda: make_queue(stack, capacity_limits=LIMITS))
    says(message, "id = 'Queue'", "There is already a Construct with name 'Queue'", "another id")


def test_all_faults_of_one_call_at_once(stack: Stack) -> None:
    with pytest.raises(QuotaManagementError) as raised:
        make_queue(
            stack,
            capacity_limits={"ml.p5.48xlarge": 0, "g5.xlarge": "2"},
            priority=5000,
            job_queue_name="a b",
            enabled=1,
        )
    assert str(raised.value).startswith("QuotaManagedTrainingQueue('Queue'): 6 faults\n")
    assert sorted((fault.argument, fault.rule or "") for fault in raised.value.faults) == [
        ("capacity_limits['g5.xlarge']", ""),
        ("capacity_limits['g5.xlarge']", "SE-07"),
        ("capacity_limits['ml.p5.48xlarge']", "SE-08"),
        ("enabled", ""),
        ("job_queue_name", "JQ-09"),
        ("priority", "JQ-01"),
    ]


def test_an_error_is_a_value_error_that_users_can_import() -> None:
    assert issubclass(QuotaManagementError, ValueError)
    assert QuotaManagementError.__module__ == "qm_constructs"


def test_lines_fit_a_terminal(stack: Stack) -> None:
    message = message_of(
        lambda: make_queue(
            stack,
            capacity_limits=[{"max_capacity": 3, "capacity_unit": "ml.g5.xlarge"}],
            scheduling_policy="policy",
            removal_policy="RETAIN",
            quota_shares=None,
        )
    )
    assert max(map(len, message.splitlines())) <= 79


def test_what_a_name_holds_is_text(stack: Stack) -> None:
    message = message_of(
        lambda: make_queue(stack, capacity_limits=LIMITS, job_queue_name="\x1b[31m\u202ered")
    )
    assert "\x1b" not in message
    assert "\u202e" not in message


def test_a_value_whose_repr_fails_is_only_bad_input(stack: Stack) -> None:
    class Unfriendly:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    says(message_of(lambda: make_queue(stack, capacity_limits=Unfriendly())), "Unfriendly")


def test_an_unknown_keyword_stays_python_s_own_error(stack: Stack) -> None:
    with pytest.raises(TypeError, match="capacity_limit"):
        make_queue(stack, capacity_limit=LIMITS)


# -- A share ------------------------------------------------------------------------------

SHARE: list[tuple[Given, tuple[str, ...]]] = [
    ({"name": "my team"}, ("name = 'my team'", "Write 'my-team', say. [QS-02]")),
    ({"name": "x" * 129}, ("this one has 129 characters.", "[QS-02]")),
    ({"name": ""}, ("this one is empty.", "[QS-02]")),
    ({"name": None}, ("name = None", "Must be a string or a token.")),
    ({"capacity_limits": {}}, ("A quota share has 1 to 5 capacity limits", "[QS-04]")),
    (
        {"capacity_limits": {f"ml.g5.{n}xlarge": 1 for n in (2, 4, 8, 12, 16, 24)}},
        ("A quota share has 1 to 5 capacity limits; this one has 6.", "[QS-04]"),
    ),
    ({"capacity_limits": {UNIT: 0}}, (f"capacity_limits['{UNIT}'] = 0", "1 or more", "[QS-05]")),
    (
        {"capacity_limits": {"NUM_INSTANCES": 1}},
        (
            "1 fault",
            "A quota share counts instances of one type each, not NUM_INSTANCES.",
            "[QS-06]",
        ),
    ),
    ({"capacity_limits": {"p5.48xlarge": 1}}, ("Did you mean 'ml.p5.48xlarge'? [QS-06]",)),
    ({"capacity_limits": None}, ("Must map instance types to how many of each.",)),
    (
        {"resource_sharing": "LendAndBorrow"},
        (
            "resource_sharing = 'LendAndBorrow'",
            "Must be a ResourceSharing.",
            "Write ResourceSharing.lend_and_borrow().",
        ),
    ),
    ({"resource_sharing": "LEND"}, ("Write ResourceSharing.lend().",)),
    ({"resource_sharing": "reserved"}, ("Write ResourceSharing.reserve().",)),
    (
        {"resource_sharing": "?"},
        (
            "Choose one of ResourceSharing.reserve(), ResourceSharing.lend(), "
            "ResourceSharing.lend_and_borrow().",
        ),
    ),
    ({"resource_sharing": None}, ("resource_sharing = None", "Choose one of")),
    ({"resource_sharing": ResourceSharing.mro}, ("Choose one of",)),
    ({"resource_sharing": ResourceSharing.lend}, ("Call it: ResourceSharing.lend().",)),
    ({"in_share_preemption": None}, ("in_share_preemption = None", "True or False")),
    ({"enabled": 1}, ("enabled = 1", "True or False")),
    ({"removal_policy": "KEEP"}, ("removal_policy = 'KEEP'", "RemovalPolicy.RETAIN")),
    ({"tags": {"aws:x": "y"}}, ("tags['aws:x'] = 'y'", "[SJ-09]")),
]


@pytest.mark.parametrize(("given", "parts"), SHARE, ids=range(len(SHARE)))
def test_a_share(stack: Stack, calls: list[str], given: Given, parts: tuple[str, ...]) -> None:
    """All three ways of making a share say the same, each with its own name for the name."""
    queue = make_queue(stack, capacity_limits={UNIT: 16})
    queue_alone = resources(stack)
    arguments = {"name": "team", "capacity_limits": {UNIT: 1}, **given}
    name = arguments.pop("name")
    in_a_constructor = tuple(
        f"quota_share_{part}" if part.startswith("name =") else part for part in parts
    )
    calls.clear()
    says(message_of(lambda: queue.add_quota_share(name, **arguments)), *parts)
    says(message_of(lambda: QuotaShareOptions(name, **arguments)), *parts)
    says(
        message_of(
            lambda: QuotaShare(stack, "Share", job_queue=queue, quota_share_name=name, **arguments)
        ),
        *in_a_constructor,
    )
    assert calls == []
    assert resources(stack) == queue_alone


def test_a_share_s_name_must_be_literal_where_its_id_is_made_of_it(stack: Stack) -> None:
    queue = make_queue(stack, capacity_limits=LIMITS)
    token = stack.stack_id
    for message in (
        message_of(lambda: queue.add_quota_share(token, capacity_limits=LIMITS)),
        message_of(lambda: QuotaShareOptions(token, capacity_limits=LIMITS)),
    ):
        says(message, "Must be literal text", "QuotaShare(..., quota_share_name=...)")


class TestWhatACallCompletes:
    """Raised by that call, before its first call to Node."""

    @pytest.fixture
    def queue(self, stack: Stack) -> QuotaManagedTrainingQueue:
        return make_queue(stack, capacity_limits={UNIT: 40, "ml.g5.xlarge": 1})

    def fails(self, calls: list[str], call: Callable[[], object], *parts: str) -> None:
        calls.clear()
        says(message_of(call), *parts)
        assert calls == []

    def test_a_name_twice(self, queue: QuotaManagedTrainingQueue, calls: list[str]) -> None:
        queue.add_quota_share("team", capacity_limits={UNIT: 1})
        said = ("'team'", "This queue already has a quota share 'team'.", "another name. [QS-03]")
        self.fails(calls, lambda: queue.add_quota_share("team", capacity_limits={UNIT: 1}), *said)
        stack = Stack.of(queue)
        l1 = queue.node.default_child
        assert isinstance(l1, CfnJobQueue)
        self.fails(
            calls,
            lambda: QuotaShare(
                stack, "S", job_queue=queue, quota_share_name="team", capacity_limits={UNIT: 1}
            ),
            *said,
        )
        for reference in (l1, queue.job_queue_arn, l1.attr_job_queue_arn):
            message = message_of(
                lambda reference=reference: QuotaShare(  # type: ignore[misc]
                    stack,
                    "S",
                    job_queue=reference,
                    quota_share_name="team",
                    capacity_limits={UNIT: 1},
                )
            )
            says(message, *said)

    def test_names_that_differ_in_case_are_two(self, queue: QuotaManagedTrainingQueue) -> None:
        queue.add_quota_share("team", capacity_limits={UNIT: 1})
        queue.add_quota_share("Team", capacity_limits={UNIT: 1})

    def test_the_21st_share(self, queue: QuotaManagedTrainingQueue, calls: list[str]) -> None:
        for number in range(20):
            queue.add_quota_share(f"team-{number}", capacity_limits={UNIT: 1})
        self.fails(
            calls,
            lambda: queue.add_quota_share("late", capacity_limits={UNIT: 1}),
            "name = 'late'",
            "A queue has at most 20 quota shares; this would be number 21.",
            "or make a second queue with its own service environment. [QS-16]",
        )
        assert len(queue.quota_shares) == 20

    def test_a_unit_that_the_environment_lacks(
        self, queue: QuotaManagedTrainingQueue, calls: list[str]
    ) -> None:
        self.fails(
            calls,
            lambda: queue.add_quota_share("team", capacity_limits={"ml.p5.48xlrge": 1}),
            "capacity_limits['ml.p5.48xlrge'] = 1",
            "The service environment has no capacity limit for 'ml.p5.48xlrge', so a job on it "
            "could never run; it has ml.g5.xlarge, ml.p5.48xlarge.",
            "Did you mean 'ml.p5.48xlarge'? If not, add 'ml.p5.48xlrge' to the service "
            "environment, or leave it out of the share. [XR-01]",
        )
        self.fails(
            calls,
            lambda: queue.add_quota_share("team", capacity_limits={"ml.g6.xlarge": 1}),
            "-> Add 'ml.g6.xlarge' to the service environment",
        )

    def test_an_environment_given_to_a_second_queue(
        self, queue: QuotaManagedTrainingQueue, calls: list[str]
    ) -> None:
        stack = Stack.of(queue)
        environment = queue.service_environment
        self.fails(
            calls,
            lambda: make_queue(stack, "Second", service_environment=environment),
            "service_environment = <ServiceEnvironment 'ServiceEnvironment'>",
            "This service environment is that of the queue 'Queue' already, and one of quota "
            "management serves one queue only.",
            "Give each queue a service environment of its own. [SE-12]",
        )
        assert isinstance(environment, ServiceEnvironment)
        l1 = environment.node.default_child
        assert isinstance(l1, CfnServiceEnvironment)
        for same in (l1, l1.attr_service_environment_arn, environment.service_environment_arn):
            message = message_of(
                lambda same=same: make_queue(stack, "Second", service_environment=same)  # type: ignore[misc]
            )
            says(message, "is that of the queue 'Queue' already")

    def test_an_imported_environment_given_to_a_second_queue(self, stack: Stack) -> None:
        environment = ServiceEnvironment.from_service_environment_arn(
            stack, "E", arn("service-environment/e")
        )
        make_queue(stack, "First", service_environment=environment)
        says(
            message_of(lambda: make_queue(stack, "Second", service_environment=environment)),
            "service_environment = <imported ServiceEnvironment 'E'>",
            "is that of the queue 'First' already, ",
        )

    def test_an_environment_of_one_export_given_twice_in_one_stack(self, app: App) -> None:
        def make(stack: Stack, id: str) -> object:
            return make_queue(stack, id, service_environment=Fn.import_value("E"))

        stack = a_stack(app)
        make(stack, "First")
        says(message_of(lambda: make(stack, "Second")), "[SE-12]")
        make(a_stack(app, "Other"), "Third")

    def test_several_shares_in_one_call(self, stack: Stack, calls: list[str]) -> None:
        def share(name: str, unit: str = UNIT) -> QuotaShareOptions:
            return QuotaShareOptions(name, capacity_limits={unit: 1})

        shares = [share("a"), share("a"), share("b", "ml.g5.xlarge")]
        self.fails(
            calls,
            lambda: make_queue(stack, capacity_limits=LIMITS, quota_shares=shares),
            "2 faults",
            "quota_shares[1].name = 'a' This queue already has a quota share 'a'.",
            "quota_shares[2].capacity_limits['ml.g5.xlarge'] = 1",
        )
        many = [share(f"t{number}") for number in range(21)]
        self.fails(
            calls,
            lambda: make_queue(stack, capacity_limits=LIMITS, quota_shares=many),
            "quota_shares[20].name = 't20'",
            "[QS-16]",
        )

    def test_tags_together_with_the_queue_s(self, stack: Stack) -> None:
        queue = make_queue(
            stack, capacity_limits=LIMITS, tags={f"q{number}": "" for number in range(40)}
        )
        message = message_of(
            lambda: queue.add_quota_share(
                "team", capacity_limits=LIMITS, tags={f"s{number}": "" for number in range(11)}
            )
        )
        says(message, "A resource has at most 50 tags; this one has 51.")


class TestNoStack:
    """A construct that is in no stack, which only CDK can tell."""

    CALLS: tuple[Callable[[Construct], object], ...] = (
        lambda c: make_queue(c, "a/b", capacity_limits=LIMITS),
        lambda c: make_queue(c, service_environment=arn("service-environment/e")),
        lambda c: make_queue(c, service_environment=Fn.import_value("E")),
        lambda c: make_queue(c, capacity_limits=LIMITS, scheduling_policy=Fn.import_value("P")),
        lambda c: QuotaShare(
            c, "S", job_queue=arn("job-queue/q"), quota_share_name="s", capacity_limits=LIMITS
        ),
        lambda c: QuotaShare(
            c, "S", job_queue=Fn.import_value("Q"), quota_share_name="s", capacity_limits=LIMITS
        ),
        lambda c: QuotaManagedTrainingQueue.from_job_queue_arn(
            c, "Q", arn("job-queue/q")
        ).add_quota_share("s", capacity_limits=LIMITS),
        lambda c: QuotaManagedTrainingQueue.from_job_queue_arn(c, "Q2", Fn.import_value("Q")),
    )

    @pytest.mark.parametrize("call", CALLS, ids=range(len(CALLS)))
    def test_is_one_error_and_leaves_nothing(self, call: Callable[[Construct], object]) -> None:
        scope = Construct(App(), "InNoStack")
        says(message_of(lambda: call(scope)), "1 fault scope = ", "Stack")
        left = [type(child).__name__ for child in scope.node.children]
        assert left in ([], ["_ImportedQueue"])  # an import alone needs no stack

    @pytest.mark.parametrize("call", CALLS, ids=range(len(CALLS)))
    def test_an_app_is_none(self, call: Callable[[Construct], object]) -> None:
        says(
            message_of(lambda: call(App())), "scope = <aws_cdk.App> Must be a construct in a stack"
        )


class TestWhatWasMadeBefore:
    def test_a_refused_queue_is_forgotten(
        self, placed_stack: Stack, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        environment = ServiceEnvironment(placed_stack, "E", capacity_limits=LIMITS)
        shares = [QuotaShareOptions("team", capacity_limits=LIMITS)]

        def make() -> object:
            return make_queue(
                placed_stack,
                service_environment=environment,
                quota_shares=shares,
                job_queue_name="gpu",
            )

        def refuse(*_: object, **__: object) -> None:
            raise RuntimeError("Refused: for the test")

        with monkeypatch.context() as patched:
            patched.setattr("qm_constructs.constructs.quota_share.CfnQuotaShare", refuse)
            with pytest.raises(RuntimeError, match="Refused: for the test"):
                make()
        assert [child.node.id for child in placed_stack.node.children] == ["E"]
        imported = QuotaManagedTrainingQueue.from_job_queue_arn(
            placed_stack, "I", arn("job-queue/gpu")
        )
        imported.add_quota_share("other", capacity_limits=LIMITS)
        make()
        share = resources(placed_stack, "QuotaShare").values()
        assert arn("job-queue/gpu") in [body["Properties"]["JobQueue"] for body in share]

    def test_an_error_of_the_caller_s_own_passes_through(self, stack: Stack) -> None:
        def shares() -> Any:
            yield QuotaShareOptions("team", capacity_limits=LIMITS)
            raise RuntimeError("my database is down")

        with pytest.raises(RuntimeError, match=r"^my database is down$"):
            make_queue(stack, capacity_limits=LIMITS, quota_shares=shares())
        assert stack.node.children == []

    def test_a_locked_tree(self, stack: Stack) -> None:
        stack.node.lock()
        message = message_of(lambda: make_queue(stack, capacity_limits=LIMITS))
        says(message, "CDK refuses it: Cannot add children", "Mend that first.")


class TestTwoImportsAreOneQueue:
    def test_in_a_stack_without_an_app(self) -> None:
        stack = Stack(env=Environment(account=ACCOUNT, region=REGION))
        imports = [
            QuotaManagedTrainingQueue.from_job_queue_arn(stack, id, arn("job-queue/q"))
            for id in ("One", "Two")
        ]
        imports[0].add_quota_share("team", capacity_limits=LIMITS)
        message = message_of(lambda: imports[1].add_quota_share("team", capacity_limits=LIMITS))
        says(message, "[QS-03]")

    def test_an_l1_of_an_included_template(self, stack: Stack, tmp_path: Path) -> None:
        template = tmp_path / "template.json"
        template.write_text(
            json.dumps(
                {
                    "Resources": {
                        "E": {
                            "Type": "AWS::Batch::ServiceEnvironment",
                            "Properties": {
                                "ServiceEnvironmentType": "SAGEMAKER_TRAINING",
                                "CapacityLimits": [{"CapacityUnit": UNIT, "MaxCapacity": 1}],
                            },
                        }
                    }
                }
            )
        )
        included = CfnInclude(stack, "Included", template_file=str(template))
        environment: Any = included.get_resource("E")
        make_queue(stack, "One", service_environment=environment)
        for same in (included.get_resource("E"), environment.ref):
            refused = partial(make_queue, stack, "Two", service_environment=same)
            says(message_of(refused), "[SE-12]")

    def test_of_a_literal_arn(self, placed_stack: Stack) -> None:
        imports = [
            QuotaManagedTrainingQueue.from_job_queue_arn(placed_stack, id, arn("job-queue/q"))
            for id in ("One", "Two")
        ]
        imports[0].add_quota_share("team", capacity_limits=LIMITS)
        message = message_of(lambda: imports[1].add_quota_share("team", capacity_limits=LIMITS))
        says(message, "QuotaManagedTrainingQueue('Two').add_quota_share('team')", "[QS-03]")
        by_arn = message_of(
            lambda: QuotaShare(
                placed_stack,
                "Share",
                job_queue=arn("job-queue/q"),
                quota_share_name="team",
                capacity_limits=LIMITS,
            )
        )
        says(by_arn, "[QS-03]")

    def test_of_a_queue_of_the_same_app(self, stack: Stack) -> None:
        queue = make_queue(stack, capacity_limits=LIMITS)
        imported = QuotaManagedTrainingQueue.from_job_queue_arn(stack, "I", queue.job_queue_arn)
        queue.add_quota_share("team", capacity_limits=LIMITS)
        says(
            message_of(lambda: imported.add_quota_share("team", capacity_limits=LIMITS)), "[QS-03]"
        )

    def test_of_a_queue_of_the_same_app_by_its_literal_arn(self, app: App) -> None:
        here = Environment(account=ACCOUNT, region=REGION)
        stack, other = a_stack(app, "One", env=here), a_stack(app, "Two", env=here)
        queue = make_queue(stack, capacity_limits=LIMITS, job_queue_name="gpu")
        queue.add_quota_share("team", capacity_limits=LIMITS)
        imported = QuotaManagedTrainingQueue.from_job_queue_arn(other, "I", arn("job-queue/gpu"))
        message = message_of(
            lambda: imported.add_quota_share("team", capacity_limits={"ml.g5.xlarge": 1})
        )
        says(message, "[QS-03]", "[XR-01]")
        elsewhere = a_stack(app, "Three", env=Environment(account=ACCOUNT, region="eu-west-1"))
        QuotaManagedTrainingQueue.from_job_queue_arn(
            elsewhere, "I", arn("job-queue/gpu").replace(REGION, "eu-west-1")
        ).add_quota_share("team", capacity_limits={"ml.g5.xlarge": 1})

    @pytest.mark.parametrize("made_first", [True, False])
    def test_an_import_by_literal_arn_stays_what_was_written(
        self, app: App, made_first: bool
    ) -> None:
        here = Environment(account=ACCOUNT, region=REGION)
        one = a_stack(Stage(app, "Platform", env=here), "One")
        two = a_stack(Stage(app, "Team", env=here), "Two")

        def make() -> Any:
            return make_queue(one, capacity_limits=LIMITS, job_queue_name="gpu")

        def share(id: str) -> object:
            queue = QuotaManagedTrainingQueue.from_job_queue_arn(two, id, arn("job-queue/gpu"))
            return queue.add_quota_share("team", capacity_limits=LIMITS)

        if made_first:
            make()
            share("I")
        else:
            share("I")
            before = QuotaManagedTrainingQueue.from_job_queue_arn(
                two, "Before", arn("job-queue/gpu")
            )
            queue = make()
            assert len(queue.quota_shares) == 1
            queue.add_quota_share("other", capacity_limits=LIMITS)
            message = message_of(
                lambda: before.add_quota_share("other", capacity_limits={"ml.g5.xlarge": 1})
            )
            says(message, "[QS-03]", "[XR-01]")
            message = message_of(lambda: queue.add_quota_share("team", capacity_limits=LIMITS))
            says(message, "[QS-03]")
        says(message_of(lambda: share("J")), "[QS-03]")
        app.synth()
        Template.from_stack(two).has_resource_properties(
            "AWS::Batch::QuotaShare", {"JobQueue": arn("job-queue/gpu")}
        )

    def test_by_an_arn_that_cdk_formats(self, placed_stack: Stack) -> None:
        formatted = placed_stack.format_arn(
            service="batch", resource="job-queue", resource_name="gpu"
        )
        make_queue(placed_stack, capacity_limits=LIMITS, job_queue_name="gpu").add_quota_share(
            "team", capacity_limits=LIMITS
        )
        imported = QuotaManagedTrainingQueue.from_job_queue_arn(placed_stack, "I", formatted)
        message = message_of(lambda: imported.add_quota_share("team", capacity_limits=LIMITS))
        says(message, "[QS-03]")

    def test_of_one_export_in_one_stack(self, app: App) -> None:
        def imported(stack: Stack, id: str) -> Any:
            return QuotaManagedTrainingQueue.from_job_queue_arn(stack, id, Fn.import_value("Q"))

        stack = a_stack(app)
        imported(stack, "One").add_quota_share("team", capacity_limits=LIMITS)
        two = imported(stack, "Two")
        says(message_of(lambda: two.add_quota_share("team", capacity_limits=LIMITS)), "[QS-03]")
        imported(a_stack(app, "Other"), "Three").add_quota_share("team", capacity_limits=LIMITS)

    def test_but_not_in_another_app(self) -> None:
        for app in (App(), App()):
            QuotaManagedTrainingQueue.from_job_queue_arn(
                a_stack(app), "One", arn("job-queue/q")
            ).add_quota_share("team", capacity_limits=LIMITS)


# -- What is given in the place of an ARN ---------------------------------------------------


class TestGivenConstructs:
    @pytest.mark.parametrize("how", ["L2", "imported L2", "L1"])
    def test_a_fair_share_policy(self, stack: Stack, how: str) -> None:
        policy: Any
        if how == "L2":
            policy = FairshareSchedulingPolicy(stack, "Policy")
        elif how == "L1":
            fair = CfnSchedulingPolicy.FairsharePolicyProperty(share_decay_seconds=600)
            policy = CfnSchedulingPolicy(stack, "Policy", fairshare_policy=fair)
        else:
            policy = FairshareSchedulingPolicy.from_fairshare_scheduling_policy_arn(
                stack, "Policy", arn("scheduling-policy/p")
            )
        says(
            message_of(lambda: make_queue(stack, capacity_limits=LIMITS, scheduling_policy=policy)),
            "A queue of quota management needs a quota-share policy; this is a fair-share policy.",
            "Give it a scheduling policy with a QuotaSharePolicy. [JQ-07]",
        )

    def test_an_import_of_a_reference_is_what_it_refers_to(self, stack: Stack) -> None:
        def imported(id: str, arn: str) -> Any:
            return ServiceEnvironment.from_service_environment_arn(stack, id, arn)

        environment = ServiceEnvironment(stack, "E", capacity_limits=LIMITS)
        first = make_queue(stack, "First", service_environment=environment)
        again = imported("I", environment.service_environment_arn)
        says(message_of(lambda: make_queue(stack, "No", service_environment=again)), "[SE-12]")
        exported = [imported(id, Fn.import_value("E")) for id in ("X1", "X2")]
        second = make_queue(stack, "Second", service_environment=exported[0])
        for same in (exported[1], Fn.import_value("E"), second.service_environment):
            refused = partial(make_queue, stack, "No", service_environment=same)
            says(message_of(refused), "[SE-12]")
        assert first.service_environment is environment
        third = imported(
            "I3", ServiceEnvironment(stack, "E3", capacity_limits=LIMITS).service_environment_arn
        )
        queue = make_queue(stack, "Third", service_environment=third)
        wrong = {"ml.g5.xlarge": 1}
        says(message_of(lambda: queue.add_quota_share("a", capacity_limits=wrong)), "[XR-01]")
        fair = FairshareSchedulingPolicy(stack, "Fair").scheduling_policy_arn
        policy = QuotaShareSchedulingPolicy.from_scheduling_policy_arn(stack, "I4", fair)
        message = message_of(
            lambda: make_queue(stack, capacity_limits=LIMITS, scheduling_policy=policy)
        )
        says(message, "[JQ-07]")

    def test_a_reference_to_another_kind(self, stack: Stack) -> None:
        queue = make_queue(stack, "Other", capacity_limits=LIMITS)
        share = queue.add_quota_share("team", capacity_limits=LIMITS)
        message = message_of(lambda: make_queue(stack, service_environment=queue.job_queue_arn))
        says(message, "Must be a service environment; this is the reference of a CfnJobQueue.")
        policy = share.quota_share_arn
        message = message_of(
            lambda: make_queue(stack, capacity_limits=LIMITS, scheduling_policy=policy)
        )
        says(message, "this is the reference of a CfnQuotaShare.", "[JQ-08]")
        environment = queue.service_environment.service_environment_ref.service_environment_arn
        says(self.share_of(stack, environment), "Must be a job queue; this is the reference of a")

    def test_a_value_that_the_cli_has_yet_to_look_up(self, placed_stack: Stack) -> None:
        dummy = StringParameter.value_from_lookup(placed_stack, "/gpu/environment")
        make_queue(placed_stack, service_environment=dummy, job_queue_name=f"prod-{dummy}")
        QuotaManagedTrainingQueue.from_job_queue_arn(placed_stack, "I", arn(f"job-queue/{dummy}"))

    def test_a_name_in_the_place_of_an_arn(self, stack: Stack) -> None:
        queue = make_queue(stack, "Other", capacity_limits=LIMITS)
        policy = QuotaShareSchedulingPolicy(stack, "Policy")
        said = ("Must be an ARN; this is the name.", "Give the construct itself, or its ARN.")
        says(self.share_of(stack, queue.job_queue_name), "job_queue = ", *said)
        name = policy.scheduling_policy_name
        message = message_of(
            lambda: make_queue(stack, capacity_limits=LIMITS, scheduling_policy=name)
        )
        says(message, "scheduling_policy = ", *said)

    def test_another_kind_that_cdk_formats(self, placed_stack: Stack) -> None:
        formatted = placed_stack.format_arn(
            service="batch", resource="job-queue", resource_name="q"
        )
        message = message_of(
            lambda: make_queue(placed_stack, capacity_limits=LIMITS, scheduling_policy=formatted)
        )
        says(message, "Must be the ARN of a scheduling policy.", "[JQ-08]")

    def test_a_reference_that_python_made(self, stack: Stack) -> None:
        @dataclass
        class Reference:  # equal by its fields, so that it has no hash
            service_environment_ref: ServiceEnvironmentReference

        reference: Any = Reference(
            ServiceEnvironmentReference(service_environment_arn=Fn.import_value("E"))
        )
        make_queue(stack, "One", service_environment=reference)
        refused = partial(make_queue, stack, "Two", service_environment=reference)
        says(message_of(refused), "[SE-12]")

    def test_a_fair_share_policy_by_reference(self, stack: Stack) -> None:
        policy = FairshareSchedulingPolicy(stack, "Policy")
        l1 = policy.node.default_child
        assert isinstance(l1, CfnSchedulingPolicy)
        for reference in (policy.scheduling_policy_arn, l1.ref, l1.attr_arn):
            message = message_of(
                lambda reference=reference: make_queue(  # type: ignore[misc]
                    stack, capacity_limits=LIMITS, scheduling_policy=reference
                )
            )
            says(message, "this is a fair-share policy.", "[JQ-07]")

    def test_a_policy_of_neither_kind(self, stack: Stack) -> None:
        policy = CfnSchedulingPolicy(stack, "Policy")
        says(
            message_of(lambda: make_queue(stack, capacity_limits=LIMITS, scheduling_policy=policy)),
            "this is another policy.",
            "[JQ-07]",
        )

    def test_an_environment_that_counts_num_instances(self, stack: Stack) -> None:
        environment = CfnServiceEnvironment(
            stack,
            "E",
            service_environment_type="SAGEMAKER_TRAINING",
            capacity_limits=[{"capacityUnit": "NUM_INSTANCES", "maxCapacity": 3}],
        )
        says(
            message_of(lambda: make_queue(stack, service_environment=environment)),
            "service_environment.capacity_limits['NUM_INSTANCES'] = 3",
            "[SE-05]",
        )

    def test_the_limits_of_an_l1_environment_are_looked_at_each_time(self, stack: Stack) -> None:
        environment = CfnServiceEnvironment(
            stack,
            "E",
            service_environment_type="SAGEMAKER_TRAINING",
            capacity_limits=[{"capacityUnit": UNIT, "maxCapacity": 3}],
        )
        queue = make_queue(stack, service_environment=environment)
        limits = {"ml.g5.xlarge": 1}
        says(message_of(lambda: queue.add_quota_share("a", capacity_limits=limits)), "[XR-01]")
        environment.capacity_limits = [
            CfnServiceEnvironment.CapacityLimitProperty(
                capacity_unit="ml.g5.xlarge", max_capacity=3
            )
        ]
        queue.add_quota_share("a", capacity_limits=limits)

    def test_the_limits_of_an_import_count_when_it_states_them(self, stack: Stack) -> None:
        environment = ServiceEnvironment.from_service_environment_attributes(
            stack,
            "E",
            service_environment_arn=arn("service-environment/e"),
            capacity_limits=LIMITS,
        )
        queue = make_queue(stack, service_environment=environment)
        message = message_of(
            lambda: queue.add_quota_share("a", capacity_limits={"ml.g5.xlarge": 1})
        )
        says(message, "[XR-01]")

    def test_stated_limits_are_judged(self, stack: Stack) -> None:
        message = message_of(
            lambda: ServiceEnvironment.from_service_environment_attributes(
                stack,
                "E",
                service_environment_arn="e",
                capacity_limits={UNIT: 0},
            )
        )
        says(
            message,
            "ServiceEnvironment.from_service_environment_attributes('E'): 2 faults",
            "service_environment_arn = 'e' Must be the ARN of a service environment.",
            "[SE-08]",
        )

    def share_of(self, stack: Stack, queue: object) -> str:
        return message_of(
            lambda: QuotaShare(
                stack,
                "Share",
                job_queue=queue,  # type: ignore[arg-type]
                quota_share_name="team",
                capacity_limits=LIMITS,
            )
        )

    def test_a_share_of_no_queue(self, stack: Stack) -> None:
        says(
            self.share_of(stack, "gpu-queue"),
            "job_queue = 'gpu-queue' Must be the ARN of a job queue.",
            "'arn:aws:batch:us-east-1:111122223333:job-queue/NAME', or the construct itself.",
        )
        says(self.share_of(stack, None), "job_queue = None Must be the ARN of a job queue.")

    def test_a_share_of_a_queue_that_is_not_of_quota_management(self, stack: Stack) -> None:
        l2 = JobQueue(stack, "L2")
        says(
            self.share_of(stack, l2),
            "Only a queue of quota management takes quota shares: one with the type "
            "SAGEMAKER_TRAINING; this queue has none.",
            "Give the queue the type SAGEMAKER_TRAINING and a scheduling policy with a "
            "QuotaSharePolicy. [QS-20]",
        )
        order = [{"order": 1, "serviceEnvironment": "e"}]
        ecs = CfnJobQueue(
            stack, "ECS", priority=1, job_queue_type="ECS", service_environment_order=order
        )
        says(self.share_of(stack, ecs), "this queue has ECS.", "[QS-20]")
        fifo = CfnJobQueue(
            stack,
            "FIFO",
            priority=1,
            job_queue_type="SAGEMAKER_TRAINING",
            service_environment_order=order,
        )
        says(self.share_of(stack, fifo), "this queue has no policy.", "[QS-20]")

    @pytest.mark.parametrize(
        ("place", "what"),
        [("us-west-2:111122223333", "Region"), ("us-east-1:123456789012", "account")],
    )
    def test_another_account_or_region(self, placed_stack: Stack, place: str, what: str) -> None:
        elsewhere = f"arn:aws:batch:{place}"
        said = (f"It is in {what} {place.split(':')[what == 'account']}, the stack in", "[XR-09]")
        says(
            message_of(
                lambda: make_queue(
                    placed_stack, service_environment=f"{elsewhere}:service-environment/e"
                )
            ),
            "service_environment = ",
            *said,
        )
        says(
            message_of(
                lambda: make_queue(
                    placed_stack,
                    capacity_limits=LIMITS,
                    scheduling_policy=f"{elsewhere}:scheduling-policy/p",
                )
            ),
            "scheduling_policy = ",
            *said,
        )
        says(self.share_of(placed_stack, f"{elsewhere}:job-queue/q"), "job_queue = ", *said)
        imported = QuotaManagedTrainingQueue.from_job_queue_arn(
            placed_stack, "Imported", f"{elsewhere}:job-queue/q"
        )
        says(
            message_of(lambda: imported.add_quota_share("team", capacity_limits=LIMITS)),
            "job_queue = ",
            *said,
        )

    def test_a_construct_in_another_account_or_region(self, app: App) -> None:
        here = a_stack(app, "Here", env=Environment(account=ACCOUNT, region=REGION))
        there = a_stack(app, "There", env=Environment(account=ACCOUNT, region="eu-west-1"))
        queue = make_queue(there, capacity_limits=LIMITS)
        said = ("It is in Region eu-west-1, the stack in us-east-1", "[XR-09]")
        for same in (queue, queue.node.default_child, queue.job_queue_arn):
            says(self.share_of(here, same), *said)
        environment = ServiceEnvironment(there, "Environment", capacity_limits=LIMITS)
        policy = QuotaShareSchedulingPolicy(there, "Policy")
        message = message_of(
            lambda: make_queue(here, service_environment=environment, scheduling_policy=policy)
        )
        says(message, "2 faults", *said)

    def test_an_import_by_token_may_be_anywhere(self, app: App) -> None:
        here = a_stack(app, "Here", env=Environment(account=ACCOUNT, region=REGION))
        there = a_stack(app, "There", env=Environment(account=ACCOUNT, region="eu-west-1"))
        token = Fn.import_value("Arn")
        make_queue(
            here,
            service_environment=ServiceEnvironment.from_service_environment_arn(there, "E", token),
            scheduling_policy=QuotaShareSchedulingPolicy.from_scheduling_policy_arn(
                there, "P", token
            ),
        )
        QuotaShare(
            here,
            "Share",
            job_queue=QuotaManagedTrainingQueue.from_job_queue_arn(there, "Q", token),
            quota_share_name="team",
            capacity_limits=LIMITS,
        )

    def test_a_queue_that_cdk_imported(self, placed_stack: Stack) -> None:
        queue = JobQueue.from_job_queue_arn(placed_stack, "Queue", arn("job-queue/q"))
        for name in ("a", "b"):
            QuotaShare(
                placed_stack,
                name,
                job_queue=queue,
                quota_share_name=name,
                capacity_limits=LIMITS,
            )
        says(
            message_of(
                lambda: QuotaShare(
                    placed_stack,
                    "c",
                    job_queue=arn("job-queue/q"),
                    quota_share_name="a",
                    capacity_limits=LIMITS,
                )
            ),
            "[QS-03]",
        )

    def test_a_stack_that_may_be_anywhere(self, stack: Stack) -> None:
        make_queue(stack, service_environment=arn("service-environment/e"))


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (QuotaManagedTrainingQueue.from_job_queue_arn, "job queue"),
        (QuotaShare.from_quota_share_arn, "quota share"),
        (QuotaShareSchedulingPolicy.from_scheduling_policy_arn, "scheduling policy"),
        (ServiceEnvironment.from_service_environment_arn, "service environment"),
    ],
)
def test_an_import_of_another_kind(
    stack: Stack, make: Callable[[Stack, str, Any], object], kind: str
) -> None:
    says(
        message_of(lambda: make(stack, "Import", "arn:aws:s3:::bucket")),
        f"{make.__qualname__}('Import'): 1 fault",
        f"Must be the ARN of a {kind}.",
    )
    says(message_of(lambda: make(stack, "Import", None)), f"Must be the ARN of a {kind}.")


# -- The smaller pieces -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (
            lambda: ResourceSharing.lend_and_borrow(borrow_limit=-2),
            (
                "ResourceSharing.lend_and_borrow(): 1 fault borrow_limit = -2",
                "a whole number of per cent of the share's own capacity limits, or -1 for "
                "unlimited.",
                "Give a whole number such as 50, without a sign for per cent, or -1 for unlimited. "
                "[QS-09]",
            ),
        ),
        (
            lambda: ResourceSharing.lend_and_borrow("50"),  # type: ignore[arg-type]
            ("borrow_limit = '50'", "Write 50, unquoted"),
        ),
        (
            lambda: ResourceSharing.lend_and_borrow(0.5),
            ("borrow_limit = 0.5", "Must be a whole number of per cent or a token."),
        ),
        (lambda: ResourceSharing(Ambiguous()), ("strategy = <ambiguous>",)),  # type: ignore[arg-type]
        (
            lambda: JobStateTimeLimits(service_environment_max_resource=10**6000),  # type: ignore[arg-type]
            ("Must be a Duration of aws_cdk", "Write Duration.hours(1), say."),
        ),
        (lambda: ResourceSharing.lend_and_borrow(True), ("borrow_limit = True",)),
        (
            lambda: ResourceSharing("LEND", 50),
            (
                "ResourceSharing(): 1 fault borrow_limit = 50",
                "Only a share with the strategy LEND_AND_BORROW has a borrow limit; this one has "
                "LEND.",
                "[QS-08]",
            ),
        ),
        (
            lambda: ResourceSharing("LendAndBorrow"),
            ("strategy = 'LendAndBorrow'", "Did you mean 'LEND_AND_BORROW'? [QS-07]"),
        ),
        (
            lambda: JobStateTimeLimits(insufficient_instance_capacity=Duration.minutes(5)),
            (
                "JobStateTimeLimits(): 1 fault",
                "insufficient_instance_capacity = Duration.seconds(300)",
                "A job state time limit is 600 to 86400 seconds (10 minutes to 24 hours)",
                "Give a duration in that range, or no limit. [JT-04]",
            ),
        ),
        (
            lambda: JobStateTimeLimits(service_environment_max_resource=Duration.hours(25)),
            ("Duration.seconds(90000)", "[JT-04]"),
        ),
        (
            lambda: JobStateTimeLimits(service_environment_max_resource=3600),  # type: ignore[arg-type]
            (
                "service_environment_max_resource = 3600",
                "Must be a Duration of aws_cdk, or None for no limit.",
                "Write Duration.seconds(3600), say.",
            ),
        ),
        (
            lambda: JobStateTimeLimits(
                quota_management_limit_exceeded=datetime.timedelta(hours=1)  # type: ignore[arg-type]
            ),
            ("Write Duration.seconds(3600), say.",),
        ),
        (
            lambda: JobStateTimeLimits(quota_management_limit_exceeded="1h"),  # type: ignore[arg-type]
            ("Write Duration.hours(1), say.",),
        ),
        (
            lambda: JobStateTimeLimits(
                quota_management_limit_exceeded=datetime.timedelta,  # type: ignore[arg-type]
                service_environment_max_resource=3600.0,  # type: ignore[arg-type]
                insufficient_instance_capacity=float("nan"),  # type: ignore[arg-type]
            ),
            ("3 faults", "Write Duration.seconds(3600), say.", "Write Duration.hours(1), say."),
        ),
        (
            lambda: JobStateTimeLimits(
                service_environment_max_resource=Duration.minutes(Token.as_number("a token"))
            ),
            ("service_environment_max_resource = a Duration of a token",),
        ),
        (
            lambda: JobStateTimeLimits(service_environment_max_resource=Duration.millis(600_500)),
            (
                "service_environment_max_resource = Duration.millis(600500)",
                "Must be a whole number of seconds; a token can be counted in seconds only.",
                "Write it with Duration.seconds().",
            ),
        ),
    ],
)
def test_the_smaller_pieces(call: Callable[[], object], parts: tuple[str, ...]) -> None:
    says(message_of(call), *parts)
