"""What is made anew by a deploy has no jobs yet: what changes in place does not hit it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.test_diff import (
    BLOCKS,
    CANNOT,
    ENDS,
    MOST,
    P5,
    PREEMPTS,
    SAFE,
    SHARE_LIMIT,
    SHARING,
    SLOWS,
    Hit,
    Template,
    base,
    changed,
    changes,
    effects,
    environment,
    flat,
    only,
    parameters,
    policy,
    time_limit,
)

RENAMED = ("Lender.QuotaShareName", "other")
ENABLED = {"InSharePreemption": "ENABLED"}
OTHER_ENVIRONMENT = [{"Order": 1, "ServiceEnvironment": {"Ref": "Environment2"}}]
NAMED = ("Queue.JobQueueName", "gpus")


def retained(*ids: str) -> Template:
    return changed(*((f"{id}.UpdateReplacePolicy", "Retain") for id in ids))


# What changes besides the name of the lender, and what that does without Retain.
BESIDES: dict[str, tuple[list[tuple[str, Any]], list[Hit]]] = {
    "nothing": ([], []),
    "its limit": (
        [(f"Lender.{MOST}", 1)],
        [(PREEMPTS, "Lender", "borrower", P5, 4, 1)],
    ),
    "its state": ([("Lender.State", "DISABLED")], []),
    "its in-share preemption": ([("Lender.PreemptionConfiguration", ENABLED)], []),
    "its tags": ([("Lender.Tags", {"a": "b"})], []),
    "its strategy": (
        [(f"Lender.{SHARING}", {"Strategy": "RESERVE"})],
        [(PREEMPTS, "Lender", "borrower", P5, 4, 0)],
    ),
}


@pytest.mark.parametrize("name", BESIDES)
def test_a_renamed_share_is_hit_by_its_end_alone(name: str) -> None:
    edits, more = BESIDES[name]
    found = changes(base(), changed(RENAMED, *edits))
    gone = (ENDS, "Lender", "lender", None, "lender", "other")
    assert [flat(change) for change in found] == [gone, *more]


@pytest.mark.parametrize("name", BESIDES)
def test_a_retained_share_keeps_and_lends_what_it_had(name: str) -> None:
    old = retained("Lender")
    found = changes(old, changed(RENAMED, *BESIDES[name][0], of=old))
    assert flat(only(found)) == (SAFE, "Lender", "lender", None, "lender", "other")


def test_a_share_that_may_be_renamed_may_also_change_in_place() -> None:
    (new,) = parameters(
        changed(("Lender.QuotaShareName", {"Ref": "Name"}), (f"Lender.{MOST}", 1)),
        Name={"Type": "String"},
    )
    expected = [(ENDS, "lender"), (PREEMPTS, "lender"), (PREEMPTS, "borrower")]
    found = changes(base(), new)
    assert [(one.hit.effect.value, one.hit.share) for one in found] == expected
    old = retained("Lender")
    new["Resources"]["Lender"]["UpdateReplacePolicy"] = "Retain"
    assert [one.hit.share for one in changes(old, new)] == ["lender", "borrower", "lender"]


def of_a_new_queue(*edits: tuple[str, Any], of: Template | None = None) -> Template:
    return changed(
        NAMED,
        ("Queue.ServiceEnvironmentOrder", OTHER_ENVIRONMENT),
        ("Environment2", environment()),
        *edits,
        of=of,
    )


@pytest.mark.parametrize(
    "edits",
    [
        [],
        [("Queue.State", "DISABLED")],
        [("Queue.JobStateTimeLimitActions", [time_limit(SHARE_LIMIT)])],
        [("Policy2", policy()), ("Queue.SchedulingPolicyArn", {"Ref": "Policy2"})],
    ],
)
def test_a_renamed_queue_is_hit_by_its_end_alone(edits: list[tuple[str, Any]]) -> None:
    found = changes(base(), of_a_new_queue(*edits))
    harm = [pair for pair in effects(found) if pair[0] != SAFE]
    assert harm == [(ENDS, id) for id in ("Queue", "Borrower", "Lender", "Reserver")]


def test_a_retained_queue_keeps_its_environment_and_its_jobs() -> None:
    old = retained("Queue", "Borrower", "Lender", "Reserver")
    found = changes(old, of_a_new_queue(of=old))
    assert {effect for effect, _ in effects(found)} == {SAFE}
    assert "The old one is retained and stays as it is: no job ends." in found[0].hit.message


def test_an_environment_made_anew_hits_a_queue_that_stays() -> None:
    new = changed(
        ("Environment.ServiceEnvironmentName", "gpus"),
        (f"Environment.{MOST}", 8),
        ("Environment.State", "DISABLED"),
    )
    blocked, slowed = changes(base(), new)
    assert flat(blocked)[:2] == (BLOCKS, "Environment")
    assert flat(slowed) == (SLOWS, "Environment", None, None, None, "gpus")
    assert f"Its limit of {P5} falls from 16 to 8." in slowed.hit.message
    assert "A waiting job that fits no longer never runs" in slowed.hit.message
    assert "Running jobs stay" not in slowed.hit.message


def test_what_cannot_be_made_anew_is_told_once() -> None:
    old = changed(NAMED)
    new = changed(("Queue.JobQueueType", "ECS"), ("Queue.State", "DISABLED"), of=old)
    assert effects(changes(old, new)) == [(CANNOT, "Queue")]
