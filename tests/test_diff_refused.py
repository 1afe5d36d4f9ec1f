"""What is refused has no effect on jobs: a value that AWS Batch or CloudFormation does not take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.test_diff import (
    CANNOT,
    G5,
    MOST,
    P5,
    PREEMPTS,
    STRATEGY,
    Hit,
    base,
    changed,
    changes,
    flat,
    only,
    share,
)
from tests.test_diff_command import in_json, told, written

ROOT = Path(__file__).parents[1]

# What is refused, and how it is told of the share or the queue at fault.
REFUSED: dict[str, tuple[list[tuple[str, Any]], Hit]] = {
    "a limit of nothing": (
        [(f"Lender.{MOST}", 0)],
        (CANNOT, "Lender", "lender", P5, 4, 0),
    ),
    "a limit below nothing": (
        [(f"Lender.{MOST}", -4)],
        (CANNOT, "Lender", "lender", P5, 4, -4),
    ),
    "a limit of an environment": (
        [(f"Environment.{MOST}", 0)],
        (CANNOT, "Environment", None, P5, 16, 0),
    ),
    "a strategy that there is not": (
        [(f"Reserver.{STRATEGY}", "RESRVE")],
        (CANNOT, "Reserver", "reserver", None, "RESERVE", "RESRVE"),
    ),
    "a property that there is not": (
        [("Reserver.CapacityLimit", 5)],
        (CANNOT, "Reserver", "reserver", None, None, 5),
    ),
    "a name that there cannot be": (
        [("Reserver.QuotaShareName", "team a")],
        (CANNOT, "Reserver", "team a", None, "reserver", "team a"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_hurts_nobody(name: str) -> None:
    edits, expected = REFUSED[name]
    new = changed(*edits)
    found = only(changes(base(), new))
    assert flat(found) == expected
    assert "is refused as it is written now" in found.hit.message
    assert found.hit.advice
    assert changes(new, new) == []
    assert [change for change in changes(new, base()) if change.hit.effect.value == CANNOT] == []


def test_what_was_refused_and_stays_is_no_change() -> None:
    old = changed((f"Lender.{MOST}", 0))
    found = only(changes(old, changed(("Lender.Tags", {"a": "b"}), of=old)))
    assert found.hit.property == "Tags"


def test_what_else_changes_is_told_as_well() -> None:
    new = changed(
        (f"Reserver.{STRATEGY}", "RESRVE"),
        (f"Reserver.{MOST}", 2),
    )
    assert [flat(one)[0] for one in changes(base(), new)] == [PREEMPTS, CANNOT]


def test_a_new_share_that_is_refused() -> None:
    found = only(changes(base(), changed(("New", share("new", 0, "LEND")))))
    assert flat(found) == (CANNOT, "New", "new", P5, None, 0)


def test_a_queue_whose_new_name_is_refused_ends_no_jobs() -> None:
    found = changes(base(), changed(("Queue.JobQueueName", "gpu queue")))
    assert {(one.hit.effect.value, one.resource) for one in found} == {(CANNOT, "Queue")}


def test_a_reference_to_an_environment_that_is_gone() -> None:
    found = changes(base(), changed(("Environment", None)))
    (queue,) = [one for one in found if one.resource == "Queue"]
    assert queue.hit.effect.value == CANNOT
    assert "Environment" in queue.hit.message
    assert "another service environment" not in queue.hit.message


def test_a_reference_to_what_a_condition_leaves_out_is_not_refused() -> None:
    def with_one(created: str) -> dict[str, Any]:
        other = {"CapacityUnit": G5, "MaxCapacity": {"Fn::If": ["No", {"Ref": "Extra"}, 2]}}
        limits = [{"CapacityUnit": P5, "MaxCapacity": 4}, other]
        template = changed(("Lender.CapacityLimits", limits), ("Extra", share("x", 1, "LEND")))
        template["Resources"]["Extra"]["Condition"] = "No"
        template["Resources"]["Lender"]["Properties"]["Tags"] = {"of": created}
        template["Conditions"] = {"No": {"Fn::Equals": ["a", "b"]}}
        return template

    found = only(changes(with_one("one"), with_one("two")))
    assert found.hit.property == "Tags"
    one, two = with_one("one"), with_one("one")
    two["Resources"]["Lender"]["Properties"]["CapacityLimits"][1]["MaxCapacity"]["Fn::If"][2] = 3
    assert [flat(change)[3:] for change in changes(one, two)] == [(G5, 2, 3)]


def test_a_quotas_file(tmp_path: Path, capsys: Any) -> None:
    text = (ROOT / "examples" / "quotas.yaml").read_text()
    old = written(tmp_path / "old.yaml", text)
    for new in ("strategy: RESRVE", "strategy: RESERV"):
        path = written(tmp_path / "new.yaml", text.replace("strategy: RESERVE", new))
        found = in_json(capsys, old, path)
        assert told(found) == [(CANNOT, None, "inference")]
        assert found[0]["property"] == "resource_sharing.strategy"
        assert f"strategy: {found[0]['after']}" == new


def test_what_was_missing_and_still_is() -> None:
    old = changed(("Lender.QuotaShareName", None))
    assert only(changes(old, changed(("Lender.Tags", {}), of=old))).hit.property == "Tags"
    lost = [one for one in changes(base(), old) if one.hit.effect.value == CANNOT]
    assert "no QuotaShareName, which is required" in only(lost).hit.message
