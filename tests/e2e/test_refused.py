"""What AWS Batch refuses: it is rolled back, and with the checks on it is never deployed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.aws.endpoint import ROOT
from tests.e2e.apps.refused import STACK

if TYPE_CHECKING:
    from tests.e2e.cloud import Cloud

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk]

# (the rule that the app breaks, what AWS says at the deploy)
REFUSED = [
    ("JT-03", "Invalid job action. Valid job actions: [TERMINATE]"),
    ("SE-05", "Quota management requires instance types as the capacity units"),
    ("QS-02", "Quota share name should match a valid pattern."),
]


def deploy(cloud: Cloud, fault: str, *arguments: str, fails: bool = True) -> str:
    """Runs the app as its user does; returns what was printed, in one line."""
    said = cloud.cdk(
        "deploy",
        "--app=python tests/e2e/apps/refused.py",
        f"--output={cloud.outdir()}",
        "--require-approval=never",
        f"--context=fault={fault}",
        *arguments,
        fails=fails,
        cwd=ROOT,
    )
    return re.sub(r"\s+", " ", said)


@pytest.mark.parametrize(("rule", "says"), REFUSED)
def test_a_first_deploy_is_rolled_back_and_leaves_nothing(
    cloud: Cloud, rule: str, says: str
) -> None:
    before = cloud.has()
    assert says in deploy(cloud, rule)
    assert cloud.stacks.statuses() == {STACK: "ROLLBACK_COMPLETE"}
    assert cloud.has() == before


@pytest.mark.parametrize("rule", [row[0] for row in REFUSED])
def test_with_the_checks_on_the_same_app_never_reaches_aws(cloud: Cloud, rule: str) -> None:
    log = cloud.log_of_test()
    said = deploy(cloud, rule, "--context=checks=on")
    assert f"qm-constructs::{rule}" in said
    assert cloud.stacks.statuses() == {}
    assert cloud.stacks.events() == ""
    assert cloud.log_of_test() == log


def test_a_later_deploy_is_rolled_back_to_what_was_and_then_mended(cloud: Cloud) -> None:
    deploy(cloud, "none", "--context=checks=on", fails=False)
    before, job = cloud.described(), cloud.submit("vision")
    assert REFUSED[0][1] in deploy(cloud, REFUSED[0][0])
    assert cloud.stacks.statuses() == {STACK: "UPDATE_ROLLBACK_COMPLETE"}
    assert cloud.described() == before
    assert cloud.status_of(job) == "RUNNING"
    deploy(cloud, "none", fails=False)
    assert cloud.described() == before


def test_a_failure_shows_output_events_and_log(cloud: Cloud) -> None:
    deploy(cloud, "QS-02")
    shown = dict(cloud.what_happened())
    assert "$ cdk deploy" in shown["Output of the command lines"]
    assert f"{STACK}: ROLLBACK_COMPLETE" in shown["Events of the stacks"]
    assert "CREATE_FAILED Share" in shown["Events of the stacks"]
    assert "Failed to provision Share" in shown["Log of the endpoint"]
