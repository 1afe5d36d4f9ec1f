"""The rules in a CDK app: what is synthesized is judged, whoever wrote it, and said once."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import aws_cdk
import pytest
from aws_cdk import (
    Acknowledgment,
    App,
    CfnOutput,
    CfnResource,
    Environment,
    Fn,
    NestedStack,
    Stack,
    Stage,
    Validations,
)
from aws_cdk.aws_batch import CfnJobQueue, CfnQuotaShare, CfnSchedulingPolicy, CfnServiceEnvironment
from aws_cdk.cloudformation_include import CfnInclude
from constructs import Construct, IConstruct

from qm_constructs import (
    QuotaManagedTrainingQueue,
    QuotaShareOptions,
    QuotaShareSchedulingPolicy,
    ResourceSharing,
    ServiceEnvironment,
    checks,
)
from qm_constructs._version import VERSION
from qm_constructs.checks import QuotaManagementChecks
from qm_constructs.rules import RULES
from tests.scenarios import ACCOUNT, REGION, a_stack

pytestmark = [
    pytest.mark.cdk,
    pytest.mark.skipif(
        not hasattr(aws_cdk, "PolicyValidationStack"),
        reason="before it, CDK has no report in JSON and acknowledges nothing of a plugin",
    ),
]

ROOT = Path(__file__).parents[1]
CASES = Path(__file__).parent / "cases"
UNIT = "ml.p5.48xlarge"
IN_REPORT = "@aws-cdk/core:annotationsInValidationReport"


class Said(NamedTuple):
    """One entry of the report, as far as most tests look at it."""

    severity: str
    rule: str
    construct: str


@pytest.fixture(autouse=True)
def outside_of_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CDK_OUTDIR", raising=False)


@pytest.fixture
def app() -> App:
    """An app with the checks, whose own warnings are shown by ``app.synth()`` too."""
    return checked(App(context={IN_REPORT: True}))


def checked(app: App) -> App:
    Validations.of(app).add_plugins(QuotaManagementChecks())
    return app


def synth(app: App) -> str:
    """Returns what ends the synth, nothing when it goes well."""
    try:
        app.synth()
    except RuntimeError as error:
        return str(error)
    return ""


def report(app: App) -> list[dict[str, Any]]:
    """Returns the plugins that the report has something of."""
    synth(app)
    file = Path(app.outdir) / "validation-report.json"
    plugins: list[dict[str, Any]] = json.loads(file.read_text())["pluginReports"]
    return plugins


def violations(app: App) -> list[dict[str, Any]]:
    return [violation for plugin in report(app) for violation in plugin["violations"]]


def said(app: App) -> list[Said]:
    """Returns what a synth says by our rules, by the checks and by the constructs."""
    return [
        Said(
            violation["severity"],
            violation["ruleName"].removeprefix("qm-constructs::"),
            construct["constructPath"],
        )
        for violation in violations(app)
        for construct in violation["violatingConstructs"]
        if not violation["ruleName"].startswith("Annotation::")  # CDK's own
    ]


def an_environment(scope: Construct, id: str = "Environment", count: int = 10) -> Any:
    return CfnServiceEnvironment(
        scope,
        id,
        service_environment_type="SAGEMAKER_TRAINING",
        capacity_limits=[
            CfnServiceEnvironment.CapacityLimitProperty(capacity_unit=UNIT, max_capacity=count)
        ],
    )


def a_share(scope: Construct, queue: str, count: int = 6, id: str = "Share", **sharing: Any) -> Any:
    return CfnQuotaShare(
        scope,
        id,
        quota_share_name=id.lower(),
        job_queue=queue,
        capacity_limits=[
            CfnQuotaShare.QuotaShareCapacityLimitProperty(capacity_unit=UNIT, max_capacity=count)
        ],
        preemption_configuration=CfnQuotaShare.QuotaSharePreemptionConfigurationProperty(
            in_share_preemption="DISABLED"
        ),
        resource_sharing_configuration=CfnQuotaShare.QuotaShareResourceSharingConfigurationProperty(
            strategy="LEND", **sharing
        ),
    )


def a_hand_made_queue(scope: Construct, environment: str) -> CfnJobQueue:
    policy = CfnSchedulingPolicy(
        scope,
        "Policy",
        quota_share_policy=CfnSchedulingPolicy.QuotaSharePolicyProperty(
            idle_resource_assignment_strategy="FIFO"
        ),
    )
    return CfnJobQueue(
        scope,
        "JobQueue",
        job_queue_type="SAGEMAKER_TRAINING",
        priority=1,
        scheduling_policy_arn=policy.ref,
        service_environment_order=[
            CfnJobQueue.ServiceEnvironmentOrderProperty(order=1, service_environment=environment)
        ],
    )


def a_queue(scope: Construct, *counts: int) -> QuotaManagedTrainingQueue:
    """Makes a queue of this library with 10 instances and shares of so many."""
    shares = [
        QuotaShareOptions(f"share-{number}", capacity_limits={UNIT: count})
        for number, count in enumerate(counts)
    ]
    return QuotaManagedTrainingQueue(
        scope, "Queue", capacity_limits={UNIT: 10}, quota_shares=shares
    )


def two_queues_of_one_policy(stack: Stack) -> None:
    policy = QuotaShareSchedulingPolicy(stack, "Policy")
    for id in ("First", "Second"):
        QuotaManagedTrainingQueue(stack, id, capacity_limits={UNIT: 10}, scheduling_policy=policy)


def shares(*options: QuotaShareOptions, unit: str = UNIT) -> Callable[[Stack], object]:
    """Returns what makes a queue with 10 instances and these shares."""
    return lambda stack: QuotaManagedTrainingQueue(
        stack, "Queue", capacity_limits={unit: 10}, quota_shares=options
    )


def of(name: str, count: int = 1, unit: str = UNIT, **kwargs: Any) -> QuotaShareOptions:
    return QuotaShareOptions(name, capacity_limits={unit: count}, **kwargs)


BORROW = ResourceSharing.lend_and_borrow
MADE: dict[str, Callable[[Stack], object]] = {
    "SP-08": two_queues_of_one_policy,
    "SE-13": shares(
        of("a", unit="ml.new.large"), of("b", unit="ml.new.large"), unit="ml.new.large"
    ),
    "QS-03-CASE": shares(of("a"), of("A")),
    "QS-10": shares(of("a", resource_sharing=BORROW(0)), of("b")),
    "QS-11": shares(of("a", resource_sharing=BORROW(50)), of("b")),
    "XR-02": shares(of("a", 6), of("b", 6)),
    "XR-03": shares(of("a", 11)),
    "XR-06": shares(of("a", resource_sharing=BORROW())),
}
"""By rule, what the constructs of this library warn of and the checks see too."""


class TestWhatIsSeen:
    @pytest.mark.parametrize("shown", [True, False])
    def test_nothing_where_all_is_well(self, shown: bool) -> None:
        app = checked(App(context={IN_REPORT: shown}))
        a_queue(a_stack(app), 4, 6)
        assert synth(app) == ""
        assert report(app) == []

    def test_what_cdk_itself_adds_to_a_stack_is_no_fault(self) -> None:
        app = checked(App(analytics_reporting=True))
        a_queue(Stack(app, "Stack"), 4, 6)
        assert said(app) == []

    def test_a_stack_without_resources(self, app: App) -> None:
        a_stack(app)
        Stack(app, "Other")
        assert said(app) == []

    def test_an_app_without_stacks(self, app: App) -> None:
        assert synth(app) == ""

    def test_an_error_in_an_l1_ends_the_synth(self, app: App) -> None:
        an_environment(a_stack(app), count=0)
        message = synth(app)
        assert (
            "ERROR CapacityLimits[0].MaxCapacity = 0: A capacity limit is a whole number of "
            "instances, 1 or more. (qm-constructs)" in message
        )
        assert "Stack/Environment (Environment) aws-cdk-lib.aws_batch.CfnServiceEn" in message
        assert (
            "Suggested fix: Give a whole number, 1 or more, or leave the instance type out."
            in message
        )
        assert "Acknowledge with 'qm-constructs::SE-08'" in message

    def test_a_warning_does_not(self, app: App, capfd: pytest.CaptureFixture[str]) -> None:
        stack = a_stack(app)
        queue = a_hand_made_queue(stack, an_environment(stack).ref)
        a_share(stack, queue.ref, 11)
        assert synth(app) == ""
        printed = ""
        deadline = time.monotonic() + 30
        # What Node prints may still be on its way.
        while "qm-constructs::XR-03'" not in printed and time.monotonic() < deadline:
            time.sleep(0.05)
            printed += capfd.readouterr().err
        warning = "WARNING CapacityLimits[0].MaxCapacity = 11: The share holds 11 ml.p5.48xlarge, "
        assert warning in printed
        assert "AWS has not confirmed" in printed
        assert "Acknowledge with 'qm-constructs::XR-03'" in printed

    def test_an_entry_of_the_report(self, app: App) -> None:
        an_environment(a_stack(app), count=0)
        (plugin,) = report(app)
        assert (plugin["pluginName"], plugin["conclusion"]) == ("qm-constructs", "failure")
        assert plugin["pluginVersion"] == VERSION
        (violation,) = plugin["violations"]
        (construct,) = violation["violatingConstructs"]
        assert construct["constructPath"] == "Stack/Environment"
        assert construct["cloudFormationResource"] == {
            "templatePath": "Stack.template.json",
            "logicalId": "Environment",
            "propertyPaths": ["Properties.CapacityLimits.0.MaxCapacity"],
        }
        assert violation["severity"] == "error"
        assert violation["suggestedFix"].startswith("Give a whole number, 1 or more")
        assert violation["ruleMetadata"] == {
            "title": RULES["SE-08"].title,
            "source": RULES["SE-08"].source,
        }

    def test_an_override(self, app: App) -> None:
        queue = a_queue(a_stack(app), 4)
        share = queue.quota_shares[0].node.default_child
        assert isinstance(share, CfnResource)
        share.add_property_override("CapacityLimits.0.MaxCapacity", 0)
        assert said(app) == [Said("error", "QS-05", "Stack/Queue/QuotaShare-share-0/Resource")]

    def test_an_included_template(self, app: App) -> None:
        file = CASES / "time-limit-cancel.template.json"
        CfnInclude(a_stack(app), "Included", template_file=str(file))
        assert said(app) == [Said("error", "JT-03", "Stack/Included/JQ")]

    def test_a_resource_without_a_class_of_its_own(self, app: App) -> None:
        CfnResource(
            a_stack(app),
            "Environment",
            type="AWS::Batch::ServiceEnvironment",
            properties={"ServiceEnvironmentType": "SAGEMAKER_TRAINING", "CapacityLimits": []},
        )
        assert said(app) == [Said("error", "SE-04", "Stack/Environment")]

    @pytest.mark.parametrize("asset_metadata", [True, False])
    def test_nested_stacks(self, asset_metadata: bool) -> None:
        # The context is what the command line sets.
        app = checked(App(context={"aws:cdk:enable-asset-metadata": asset_metadata}))
        outer = NestedStack(a_stack(app), "Outer")
        inner = NestedStack(outer, "Inner")
        for stack in (outer, inner):
            an_environment(stack, count=0)
        assert said(app) == [
            Said("error", "SE-08", "Stack/Outer/Environment"),
            Said("error", "SE-08", "Stack/Outer/Inner/Environment"),
        ]

    def test_a_share_of_a_queue_in_another_stack(self, app: App) -> None:
        infrastructure, team = a_stack(app, "Infrastructure"), a_stack(app, "Team")
        queue = a_hand_made_queue(infrastructure, an_environment(infrastructure).ref)
        a_share(team, queue.ref, 11)
        assert said(app) == [Said("warning", "XR-03", "Team/Share")]

    def test_an_import_of_what_another_stack_exports(self, app: App) -> None:
        infrastructure, team = a_stack(app, "Infrastructure"), a_stack(app, "Team")
        queue = a_hand_made_queue(infrastructure, an_environment(infrastructure).ref)
        CfnOutput(infrastructure, "Output", value=queue.ref, export_name="the-queue")
        a_share(team, Fn.import_value("the-queue"), 11)
        assert said(app) == [Said("warning", "XR-03", "Team/Share")]

    def test_the_place_of_a_stack(self, app: App) -> None:
        stack = a_stack(app, env=Environment(account=ACCOUNT, region="eu-west-1"))
        queue = f"arn:aws:batch:{REGION}:{ACCOUNT}:job-queue/a"
        a_share(stack, queue)
        assert said(app) == [Said("error", "XR-09", "Stack/Share")]

    def test_stages(self, app: App) -> None:
        for stage in ("Test", "Prod"):
            an_environment(a_stack(Stage(app, stage)), count=0)
        an_environment(a_stack(app), count=0)
        assert sorted(said(app)) == [
            Said("error", "SE-08", "Prod/Stack/Environment"),
            Said("error", "SE-08", "Stack/Environment"),
            Said("error", "SE-08", "Test/Stack/Environment"),
        ]

    def test_only_the_stages_that_it_was_added_to(self) -> None:
        app, plugin = App(), QuotaManagementChecks()
        for name in ("Test", "Beta", "Prod"):
            stage = Stage(app, name)
            an_environment(NestedStack(a_stack(stage), "Nested"), count=0)
            if name != "Beta":
                Validations.of(stage).add_plugins(plugin)
        assert said(app) == [
            Said("error", "SE-08", "Test/Stack/Nested/Environment"),
            Said("error", "SE-08", "Prod/Stack/Nested/Environment"),
        ]

    @pytest.mark.parametrize(("ignored", "rules"), [("SE-08", []), ("SE-09", ["SE-08"])])
    def test_what_a_resource_waives_in_its_metadata(
        self, ignored: str, rules: list[str], app: App
    ) -> None:
        environment = an_environment(a_stack(app), count=0)
        environment.add_metadata("qm-constructs", {"ignore": [ignored]})
        assert [entry.rule for entry in said(app)] == rules


class TestOnce:
    """A fault that the construct has warned of already is not told by the checks again."""

    def test_the_sum_which_the_queue_tells_and_the_environment_has(self, app: App) -> None:
        a_queue(a_stack(app), 6, 6)
        assert said(app) == [Said("warning", "XR-02", "Stack/Queue")]

    def test_in_nested_stacks_and_stages_of_the_same_logical_ids(self, app: App) -> None:
        stack = a_stack(app)
        for scope in (stack, NestedStack(stack, "Nested"), a_stack(Stage(app, "Prod"))):
            a_queue(scope, 6, 6)
        assert sorted(said(app)) == [
            Said("warning", "XR-02", "Prod/Stack/Queue"),
            Said("warning", "XR-02", "Stack/Nested/Queue"),
            Said("warning", "XR-02", "Stack/Queue"),
        ]

    def test_a_share_and_an_environment(self, app: App) -> None:
        a_queue(a_stack(app), 11)
        ServiceEnvironment(a_stack(app, "Other"), "Alone", capacity_limits={"ml.new.large": 1})
        assert sorted(said(app)) == [
            Said("warning", "SE-13", "Other/Alone"),
            Said("warning", "XR-03", "Stack/Queue/QuotaShare-share-0"),
        ]

    @pytest.mark.parametrize("rule", MADE)
    def test_a_warning_of_each_rule(self, rule: str, app: App) -> None:
        MADE[rule](a_stack(app))
        assert [entry.rule for entry in said(app)] == [rule]

    def test_the_sum_in_an_environment_of_its_own(self, app: App) -> None:
        stack = a_stack(app)
        environment = ServiceEnvironment(stack, "Alone", capacity_limits={UNIT: 10})
        queue = QuotaManagedTrainingQueue(stack, "Queue", service_environment=environment)
        for name in ("a", "b"):
            queue.add_quota_share(name, capacity_limits={UNIT: 6})
        assert [entry.rule for entry in said(app)] == ["XR-02"]

    def test_the_same_fault_of_two_queues_is_told_of_both(self, app: App) -> None:
        stack = a_stack(app)
        a_queue(stack, 6, 6)
        queue = a_hand_made_queue(stack, an_environment(stack).ref)
        for id in ("A", "B"):
            a_share(stack, queue.ref, 6, id)
        assert sorted(said(app)) == [
            Said("warning", "XR-02", "Stack/Environment"),
            Said("warning", "XR-02", "Stack/Queue"),
        ]

    @pytest.mark.parametrize(("overridden", "told"), [(0, 1), (1, 0)])
    def test_a_second_fault_of_the_rule_that_an_override_makes(
        self, overridden: int, told: int, app: App
    ) -> None:
        limits = {"ml.g5.xlarge": 12, UNIT: 12}
        limits[list(limits)[told]] = 10
        queue = QuotaManagedTrainingQueue(a_stack(app), "Queue", capacity_limits=limits)
        for name in ("a", "b"):
            queue.add_quota_share(name, capacity_limits=dict.fromkeys(limits, 6))
        environment = queue.node.find_child("ServiceEnvironment").node.default_child
        assert isinstance(environment, CfnResource)
        environment.add_property_override(f"CapacityLimits.{overridden}.MaxCapacity", 11)
        by_checks, by_constructs = report(app)
        assert len(by_constructs["violations"]) == 1
        (violation,) = by_checks["violations"]
        (construct,) = violation["violatingConstructs"]
        assert construct["cloudFormationResource"]["propertyPaths"] == [
            f"Properties.CapacityLimits.{overridden}.MaxCapacity"
        ]

    def test_an_override_that_changes_what_was_told_is_told_once(self, app: App) -> None:
        queue = a_queue(a_stack(app), 6, 6)
        environment = queue.node.find_child("ServiceEnvironment").node.default_child
        assert isinstance(environment, CfnResource)
        environment.add_property_override("CapacityLimits.0.MaxCapacity", 11)
        assert said(app) == [Said("warning", "XR-02", "Stack/Queue")]

    def test_by_the_checks_where_cdk_does_not_show_what_constructs_say(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        app = checked(App())
        a_queue(a_stack(app), 6, 6)
        assert said(app) == [Said("warning", "XR-02", "Stack/Queue/ServiceEnvironment/Resource")]
        monkeypatch.setenv("CDK_OUTDIR", app.outdir)  # the command line shows it then
        app = checked(App())
        a_queue(a_stack(app), 6, 6)
        assert said(app) == []


class TestAcknowledging:
    @pytest.mark.parametrize("shown", [True, False])
    @pytest.mark.parametrize("where", ["Prod/Stack/Queue", "Prod/Stack", "Prod", ""])
    def test_one_silences_the_construct_and_the_checks(self, where: str, shown: bool) -> None:
        app = checked(App(context={IN_REPORT: shown}))
        a_queue(a_stack(Stage(app, "Prod")), 6, 6)
        acknowledge(at(app, where), "XR-02")
        assert said(app) == []

    @pytest.mark.parametrize("where", ["Stack/Environment", "Stack", ""])
    def test_an_error(self, where: str, app: App) -> None:
        an_environment(a_stack(app), count=0)
        acknowledge(at(app, where), "SE-08")
        assert synth(app) == ""
        (plugin,) = report(app)
        (suppressed,) = plugin["suppressedViolations"]
        assert (suppressed["acknowledgedId"], suppressed["reason"]) == (
            "qm-constructs::SE-08",
            "as agreed",
        )

    def test_another_rule_or_another_place_silences_nothing(self, app: App) -> None:
        stack = a_stack(app)
        an_environment(stack, count=0)
        acknowledge(stack, "SE-09")
        other = a_stack(app, "Other")
        an_environment(other)
        acknowledge(other, "SE-08")
        assert said(app) == [Said("error", "SE-08", "Stack/Environment")]

    def test_one_of_two_errors_leaves_the_other(self, app: App) -> None:
        stack = a_stack(app)
        an_environment(stack, count=0)
        acknowledge(an_environment(stack, "Other", count=0), "SE-08")
        assert "Stack/Environment" in synth(app)
        assert said(app) == [Said("error", "SE-08", "Stack/Environment")]


def at(app: App, path: str) -> IConstruct:
    found: IConstruct = app
    for id in path.split("/") if path else ():
        found = found.node.find_child(id)
    return found


def acknowledge(scope: IConstruct, rule: str) -> None:
    Validations.of(scope).acknowledge(
        Acknowledgment(id=f"qm-constructs::{rule}", reason="as agreed")
    )


class TestFailing:
    def fail(self, stacks: object) -> None:
        del stacks
        raise KeyError("no such\nthing")

    def test_the_reason_is_told_and_ends_the_synth(
        self, app: App, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(checks, "judge_stacks", self.fail)
        a_queue(a_stack(app))
        message = synth(app)
        assert "ERROR Nothing has been checked, the checks themselves have failed: KeyError: " in (
            message
        )
        assert "no such" in message
        assert "(test_checks.py:" in message
        assert "Acknowledge with 'qm-constructs::CHECKS-FAILED'" in message

    def test_it_can_be_acknowledged_until_it_is_mended(
        self, app: App, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(checks, "judge_stacks", self.fail)
        a_queue(a_stack(app))
        acknowledge(app, "CHECKS-FAILED")
        assert synth(app) == ""

    def test_a_template_that_cannot_be_read_is_told(
        self, app: App, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("qm_constructs.template._files.MAX_BYTES", 1000)
        a_queue(a_stack(app))
        message = synth(app)
        assert "ERROR Not all has been checked: " in message
        assert f"{app.outdir}/manifest.json: is larger than 16 MiB" in message


def test_it_costs_few_calls(app: App, calls: list[str]) -> None:
    a_queue(a_stack(app), 1, 2, 3)
    app.synth()
    with_checks = len(calls)
    del calls[:]
    bare = App(context={IN_REPORT: True})
    a_queue(a_stack(bare), 1, 2, 3)
    bare.synth()
    assert with_checks - len(calls) <= 10


@pytest.mark.nag
def test_beside_cdk_nag(app: App) -> None:
    from cdk_nag import AwsSolutionsChecks

    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    stack = a_stack(app)
    an_environment(stack, count=0)
    CfnResource(stack, "Topic", type="AWS::SNS::Topic")
    assert Said("error", "SE-08", "Stack/Environment") in said(app)


APP = """\
from aws_cdk import App, Stack, Validations
from aws_cdk.aws_batch import CfnServiceEnvironment
from qm_constructs import QuotaManagedTrainingQueue
from qm_constructs.checks import QuotaManagementChecks

app = App()
Validations.of(app).add_plugins(QuotaManagementChecks())
stack = Stack(app, "Stack")
queue = QuotaManagedTrainingQueue(stack, "Queue", capacity_limits={"ml.p5.48xlarge": 10})
for name in ("a", "b"):
    queue.add_quota_share(name, capacity_limits={"ml.p5.48xlarge": SHARE})
CfnServiceEnvironment(
    stack,
    "Environment",
    service_environment_type="SAGEMAKER_TRAINING",
    capacity_limits=[{"capacityUnit": "ml.g5.xlarge", "maxCapacity": LIMIT}],
)
app.synth()
"""


@pytest.mark.parametrize(
    ("counts", "code", "rules"),
    [
        ((5, 1), 0, []),
        ((6, 1), 0, ["WARNING XR-02"]),
        ((5, 0), 1, ["ERROR SE-08"]),
        ((6, 0), 1, ["ERROR SE-08", "WARNING XR-02"]),
    ],
)
@pytest.mark.parametrize("command_line", [True, False])
def test_a_process_of_its_own(
    command_line: bool, counts: tuple[int, int], code: int, rules: list[str], tmp_path: Path
) -> None:
    text = APP.replace("SHARE", str(counts[0])).replace("LIMIT", str(counts[1]))
    (tmp_path / "app.py").write_text(text)
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    python = [sys.executable, "app.py"]
    cdk = [f"{ROOT}/node_modules/.bin/cdk", "synth", "--quiet", "--no-notices", "--no-color"]
    run = subprocess.run(
        [*cdk, "--app", " ".join(python)] if command_line else python,
        cwd=tmp_path,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    printed = run.stdout + run.stderr
    assert run.returncode == code, printed
    assert rules or command_line or not printed
    # jsii prints Node's words from a thread of its own: Python's traceback may begin the same line.
    severities = re.findall(r"(ERROR|WARNING) .*\(qm.constructs\)", printed)
    acknowledged = re.findall(r"Acknowledge with 'qm-constructs::([A-Z0-9-]+)'", printed)
    assert [" ".join(pair) for pair in zip(severities, acknowledged, strict=True)] == rules
