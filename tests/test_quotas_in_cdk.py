"""A queue made from a quotas file: the same resources as from Python, and one source for each."""

from __future__ import annotations

import json
import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, CfnResource, Duration, RemovalPolicy, Stack

from qm_constructs import (
    JobStateTimeLimits,
    QuotaManagedTrainingQueue,
    QuotaManagementError,
    QuotaPlan,
    QuotaShareOptions,
    ResourceSharing,
)
from qm_constructs.template.loading import load
from tests.conftest import message_of, resources
from tests.test_quotas_file import EXAMPLE, FULL, HEAD, ROOT, SHARE, Save, plan_of, save

__all__ = ["save"]

pytestmark = pytest.mark.cdk

ARN = "arn:aws:batch:us-east-1:111122223333:service-environment/own"
SNAPSHOT = ROOT / "tests" / "__snapshots__" / "test_snapshots" / "test_sample_template.json"


def test_moving_the_sample_to_a_file_changes_no_resource(app: App) -> None:
    sample = runpy.run_path(str(ROOT / "examples" / "app.py"))
    by_hand = resources(sample["TrainingStack"](App(), "QuotaManagedTraining"))
    stack = Stack(app, "QuotaManagedTraining")
    QuotaManagedTrainingQueue(stack, "Training", plan=QuotaPlan.from_file(EXAMPLE))
    assert resources(stack) == by_hand
    (snapshot,) = json.loads(SNAPSHOT.read_text()).values()
    assert {*by_hand} == {*snapshot["Resources"]}


def test_every_key_is_the_argument_of_its_name(app: App, save: Save) -> None:
    stack, other = Stack(app, "S"), Stack(App(), "S")
    QuotaManagedTrainingQueue(stack, "Queue", plan=QuotaPlan.from_file(save(FULL)))
    QuotaManagedTrainingQueue(
        other,
        "Queue",
        capacity_limits={"ml.p5.48xlarge": 16, "ml.g6.12xlarge": 32},
        job_queue_name="gpus",
        priority=7,
        enabled=False,
        service_environment_name="gpus-environment",
        scheduling_policy_name="gpus-policy",
        job_state_time_limits=JobStateTimeLimits(
            service_environment_max_resource=Duration.hours(2),
            quota_management_limit_exceeded=None,
            insufficient_instance_capacity=Duration.minutes(10),
        ),
        tags={"cost-center": "42", "team": "all"},
        quota_shares=[
            QuotaShareOptions("product", capacity_limits={"ml.p5.48xlarge": 6}),
            QuotaShareOptions(
                "research",
                capacity_limits={"ml.p5.48xlarge": 10, "ml.g6.12xlarge": 8},
                resource_sharing=ResourceSharing.lend_and_borrow(50),
                in_share_preemption=True,
                enabled=False,
                tags={"team": "research"},
            ),
        ],
    )
    assert resources(stack) == resources(other)


def without_references(template: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Returns types and properties of a stack's resources, without what names another one."""
    found = []
    for body in template.values():
        properties = {
            name: value
            for name, value in body["Properties"].items()
            if name not in ("JobQueue", "SchedulingPolicyArn", "ServiceEnvironmentOrder")
        }
        found.append((body["Type"], properties))
    return sorted(found, key=lambda pair: (pair[0], json.dumps(pair[1], sort_keys=True)))


@pytest.mark.parametrize("text", [FULL, SHARE, HEAD, EXAMPLE.read_text()])
def test_the_commands_judge_what_the_app_deploys(stack: Stack, save: Save, text: str) -> None:
    path = save(text)
    QuotaManagedTrainingQueue(stack, "Queue", plan=QuotaPlan.from_file(path))
    ((read,),), _ = load([str(path)], None)  # type: ignore[arg-type]
    assert without_references(read.template["Resources"]) == without_references(resources(stack))


def test_a_renamed_queue_gets_another_environment_in_both_views(save: Save) -> None:
    ids = []
    for name in ("a", "b"):
        path = save(f"{HEAD}job_queue_name: {name}\n")
        stack = Stack(App(), "S")
        QuotaManagedTrainingQueue(stack, "Queue", plan=QuotaPlan.from_file(path))
        ((read,),), _ = load([str(path)], None)  # type: ignore[arg-type]
        ids.append(({*resources(stack, "ServiceEnvironment")}, {*read.template["Resources"]}))
    (made_a, read_a), (made_b, read_b) = ids
    assert not made_a & made_b
    assert read_a & read_b == {"job queue"}


def test_what_the_file_does_not_set_the_call_may(stack: Stack, save: Save) -> None:
    queue = QuotaManagedTrainingQueue(
        stack,
        "Queue",
        plan=QuotaPlan.from_file(save(HEAD)),
        priority=5,
        removal_policy=RemovalPolicy.RETAIN,
        quota_shares=[QuotaShareOptions("a", capacity_limits={"ml.p5.48xlarge": 8})],
    )
    queue.add_quota_share("b", capacity_limits={"ml.p5.48xlarge": 8})
    made = resources(stack)
    assert [body["Properties"]["Priority"] for body in resources(stack, "JobQueue").values()] == [5]
    assert {body["DeletionPolicy"] for body in made.values()} == {"Retain"}
    assert len(resources(stack, "QuotaShare")) == 2


def test_a_template_s_plan_is_a_plan_too(app: App) -> None:
    first = Stack(app, "First")
    QuotaManagedTrainingQueue(first, "Training", plan=QuotaPlan.from_file(EXAMPLE))
    second = Stack(App(), "First")
    template = {"Resources": resources(first)}
    QuotaManagedTrainingQueue(second, "Training", plan=plan_of(template))
    assert resources(second) == resources(first)


# -- What is refused -------------------------------------------------------------------------

BOTH: list[tuple[dict[str, Any], str, str]] = [
    (
        {"capacity_limits": {"ml.p5.48xlarge": 1}},
        "capacity_limits = {'ml.p5.48xlarge': 1}",
        "Exactly one of capacity_limits, service_environment and plan must be given; plan is too, "
        "in quotas.yaml:3:1.",
    ),
    (
        {"service_environment": ARN},
        f"service_environment = '{ARN}'",
        "Exactly one of capacity_limits, service_environment and plan must be given; plan is too.",
    ),
    ({"priority": 1}, "priority = 1", "The plan sets it too, in quotas.yaml:6:1: 7."),
    ({"enabled": True}, "enabled = True", "The plan sets it too, in quotas.yaml:7:1: False."),
    ({"job_queue_name": "x"}, "job_queue_name = 'x'", "in quotas.yaml:2:1: 'gpus'."),
    ({"service_environment_name": "x"}, "service_environment_name = 'x'", "quotas.yaml:8:1"),
    ({"scheduling_policy_name": "x"}, "scheduling_policy_name = 'x'", "quotas.yaml:9:1"),
    (
        {"job_state_time_limits": JobStateTimeLimits.none()},
        "job_state_time_limits =",
        "The plan sets it too, in quotas.yaml:10:1.",
    ),
    ({"tags": {"a": "b"}}, "tags = {'a': 'b'}", "The plan sets it too, in quotas.yaml:14:1."),
    (
        {"quota_shares": [QuotaShareOptions("a", capacity_limits={"ml.p5.48xlarge": 1})]},
        "quota_shares = [<QuotaShareOptions 'a'>]",
        "The plan sets it too, in quotas.yaml:17:1.",
    ),
]


@pytest.mark.parametrize(("given", "head", "problem"), BOTH)
def test_one_thing_is_said_in_one_place(
    stack: Stack, save: Save, given: dict[str, Any], head: str, problem: str
) -> None:
    plan = QuotaPlan.from_file(save(FULL))
    message = message_of(lambda: QuotaManagedTrainingQueue(stack, "Queue", plan=plan, **given))
    text = " ".join(message.split())
    assert text.startswith(f"QuotaManagedTrainingQueue('Queue'): 1 fault {head}")
    assert problem in text


def test_all_that_is_said_twice_is_told_at_once(stack: Stack, save: Save) -> None:
    plan = QuotaPlan.from_file(save(FULL))
    given = {name: value for arguments, _, _ in BOTH for name, value in arguments.items()}
    with pytest.raises(QuotaManagementError) as raised:
        QuotaManagedTrainingQueue(stack, "Queue", plan=plan, **given)
    assert {fault.argument for fault in raised.value.faults} == {*given}


@pytest.mark.parametrize(
    ("plan", "fix"),
    [
        ("quotas.yaml", "Write plan=QuotaPlan.from_file('quotas.yaml')."),
        ({"capacity_limits": {}}, "Write plan=QuotaPlan.from_file('quotas.yaml'), say."),
        (QuotaPlan, "Write plan=QuotaPlan.from_file('quotas.yaml'), say."),
    ],
)
def test_what_is_no_plan_is_refused(stack: Stack, plan: Any, fix: str) -> None:
    message = message_of(lambda: QuotaManagedTrainingQueue(stack, "Queue", plan=plan))
    assert "Must be a QuotaPlan." in message
    assert fix in " ".join(message.split())


def test_a_plan_with_what_only_the_deploy_knows_is_refused(stack: Stack, app: App) -> None:
    first = Stack(app, "First")
    QuotaManagedTrainingQueue(first, "Training", plan=QuotaPlan.from_file(EXAMPLE))
    template: dict[str, Any] = {"Resources": resources(first), "Parameters": {"P": {}}}
    (queue,) = resources(first, "JobQueue")
    template["Resources"][queue]["Properties"]["Priority"] = {"Ref": "P"}
    plan = plan_of(template)
    message = message_of(lambda: QuotaManagedTrainingQueue(stack, "Queue", plan=plan))
    assert "priority = {'Ref': 'P'}" in message


def test_what_only_the_app_tells_is_told_with_its_place_in_the_file(
    placed_stack: Stack, save: Save
) -> None:
    """Another share of the same queue, which was imported before the app makes it."""
    arn = "arn:aws:batch:us-east-1:111122223333:job-queue/gpus"
    imported = QuotaManagedTrainingQueue.from_job_queue_arn(placed_stack, "Imported", arn)
    imported.add_quota_share("research", capacity_limits={"ml.p5.48xlarge": 1})
    plan = QuotaPlan.from_file(save(FULL))
    message = message_of(lambda: QuotaManagedTrainingQueue(placed_stack, "Queue", plan=plan))
    text = " ".join(message.split())
    assert "quotas.yaml:21:3: quota_shares['research'].name = 'research'" in text
    assert "This queue already has a quota share 'research'." in text


def test_an_error_leaves_nothing_in_the_tree(stack: Stack, save: Save) -> None:
    plan = QuotaPlan.from_file(save(FULL))
    message_of(lambda: QuotaManagedTrainingQueue(stack, "Queue", plan=plan, priority=2))
    assert not [child for child in stack.node.find_all() if isinstance(child, CfnResource)]


def test_the_folder_that_the_app_runs_in_does_not_matter(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = QuotaPlan.from_file(Path(EXAMPLE))
    queue = QuotaManagedTrainingQueue(stack, "Queue", plan=plan)
    assert queue.largest_job("research", "ml.p5.48xlarge") == 12
