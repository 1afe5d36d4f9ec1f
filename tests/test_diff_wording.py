"""What diff says: one share is one share, and no sentence takes back another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.test_diff import (
    G5,
    MOST,
    P5,
    PREEMPTS,
    SAFE,
    Template,
    base,
    changed,
    changes,
    job_queue,
    only,
    retained,
    share,
)
from tests.test_diff_command import in_json, shown, written

ROOT = Path(__file__).parents[1]
STOPPED = ("Reserver.State", "DISABLED")


def test_a_queue_with_one_share() -> None:
    old: Template = {"Resources": {"Queue": job_queue(), "One": share("one", 1, "LEND")}}
    found = changes(old, {"Resources": {}})
    assert "It has the share 'one'." in found[0].hit.message
    assert "It has the shares" in changes(base(), {"Resources": {}})[0].hit.message


def test_what_becomes_of_jobs_on_a_unit_that_goes_is_said_once() -> None:
    two = [{"CapacityUnit": unit, "MaxCapacity": 2} for unit in (P5, G5)]
    old = changed(("Reserver.CapacityLimits", two))
    found = only(changes(old, changed(("Reserver.CapacityLimits", two[:1]))))
    assert found.hit.effect.value == PREEMPTS
    said = "AWS does not say what becomes of its jobs that run on that type: they may be preempted"
    assert said in found.hit.message
    assert "can be preempted" not in found.hit.message


@pytest.mark.parametrize(
    "edit", [("Reserver", None), ("Reserver.QuotaShareName", "x"), (f"Reserver.{MOST}", 1)]
)
def test_a_share_that_is_disabled_is_not_to_be_disabled(edit: tuple[str, Any]) -> None:
    old = changed(STOPPED)
    advice = only(changes(old, changed(edit, of=old))).hit.advice
    assert "isable" not in advice
    assert "finish" in advice
    assert "isable" in only(changes(base(), changed(edit))).hit.advice


def test_what_is_deleted_after_the_update_may_stay_instead() -> None:
    gone = changed(("Policy", None), ("Environment", None), ("Queue", None))
    for shares in ("Borrower", "Lender", "Reserver"):
        del gone["Resources"][shares]
    old = retained("Queue", "Borrower", "Lender", "Reserver")
    told = [one.hit.message for one in changes(old, gone) if one.resource == "Policy"]
    assert "AWS has not confirmed that the deploy fails" in told[0]


def test_one_queue_written_in_two_ways() -> None:
    arn = {"Fn::Sub": "${Queue.JobQueueArn}"}
    arns = [{"Ref": "Queue"}, {"Fn::Join": ["", ["", {"Ref": "Queue"}]]}, arn]
    for one in arns:
        for other in arns:
            pair = [changed(("Lender.JobQueue", queue)) for queue in (one, other)]
            assert {change.hit.effect.value for change in changes(*pair)} <= {SAFE}
    whole = "arn:${AWS::Partition}:batch:${AWS::Region}:${AWS::AccountId}:job-queue/gpus"
    named = changed(("Queue.JobQueueName", "gpus"))
    found = only(changes(named, changed(("Lender.JobQueue", {"Fn::Sub": whole}), of=named)))
    assert found.hit.message == "The same queue as before, written in another way."
    assert (found.hit.before, found.hit.after) == (None, None)


def test_a_quotas_file_has_true_and_false(tmp_path: Path, capsys: Any) -> None:
    text = (ROOT / "examples" / "quotas.yaml").read_text()
    old = written(tmp_path / "old.yaml", text)
    later = text.replace("in_share_preemption: true", "in_share_preemption: false")
    later = later.replace("  inference:\n", "  inference:\n    enabled: false\n")
    new = written(tmp_path / "new.yaml", later)
    blocked, slowed = in_json(capsys, old, new)
    assert (blocked["before"], blocked["after"]) == (True, False)
    assert (slowed["before"], slowed["after"]) == (True, False)
    code, out, _ = shown(capsys, old, new)
    assert code == 1
    assert "in_share_preemption  true -> false" in out
    assert "ENABLED" not in out
    assert "DISABLED" not in out
