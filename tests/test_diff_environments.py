"""A service environment serves one queue: what the queues of one deploy take from one another."""

from __future__ import annotations

from typing import Any

import pytest

from tests.test_diff import (
    CANNOT,
    ENDS,
    SAFE,
    SLOWS,
    Template,
    base,
    changed,
    changes,
    effects,
    environment,
    job_queue,
)

ON = "ServiceEnvironmentOrder.0.ServiceEnvironment"
MINE, OTHER, THIRD = ({"Ref": id} for id in ("Environment", "Environment2", "Environment3"))


def two(*edits: tuple[str, Any]) -> Template:
    """Two queues, each on an environment of its own."""
    template = base()
    template["Resources"] |= {"Environment2": environment(), "Queue2": job_queue(OTHER)}
    return changed(*edits, of=template)


NOT_CONFIRMED = "AWS has not confirmed that this fails"
# The edit of two queues, the effects of the queues, what the message says of the first.
ROWS: dict[str, tuple[list[tuple[str, Any]], list[tuple[str, str]], str, bool]] = {
    "an environment that another queue keeps": (
        [(f"Queue.{ON}", OTHER)],
        [(CANNOT, "Queue")],
        "that the queue 'Queue2' keeps, and one serves one queue only",
        True,
    ),
    "two queues that exchange their environments": (
        [(f"Queue.{ON}", OTHER), (f"Queue2.{ON}", MINE)],
        [(CANNOT, "Queue"), (CANNOT, "Queue2"), (SLOWS, "Queue"), (SLOWS, "Queue2")],
        "that the queue 'Queue2' gives up in the same update",
        False,
    ),
    "the environment of a queue that is removed": (
        [(f"Queue.{ON}", OTHER), ("Queue2", None)],
        [(ENDS, "Queue2"), (CANNOT, "Queue"), (SLOWS, "Queue")],
        "that the queue 'Queue2' has until CloudFormation deletes it",
        False,
    ),
    "the environment of a queue that is made anew elsewhere": (
        [
            (f"Queue.{ON}", OTHER),
            ("Queue2.JobQueueName", "gpus"),
            (f"Queue2.{ON}", THIRD),
            ("Environment3", environment()),
        ],
        [(ENDS, "Queue2"), (CANNOT, "Queue"), (SLOWS, "Queue")],
        "that the queue 'Queue2' has until CloudFormation deletes it",
        False,
    ),
    "two queues that go over to one new environment": (
        [
            (f"Queue.{ON}", THIRD),
            (f"Queue2.{ON}", THIRD),
            ("Environment3", environment()),
        ],
        [(CANNOT, "Queue"), (CANNOT, "Queue2")],
        "that the queue 'Queue2' gets too",
        True,
    ),
    "an environment of its own": (
        [(f"Queue.{ON}", THIRD), ("Environment3", environment())],
        [(SLOWS, "Queue")],
        "gets another service environment",
        True,
    ),
    "a new queue on an environment that is in use": (
        [("Queue3", job_queue(OTHER))],
        [(CANNOT, "Queue3")],
        "is made on a service environment that the queue 'Queue2' keeps",
        True,
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_what_a_queue_takes(name: str) -> None:
    edits, expected, said, is_certain = ROWS[name]
    found = [
        one for one in changes(two(), two(*edits)) if one.resource in ("Queue", "Queue2", "Queue3")
    ]
    assert effects(found) == expected
    for one in found:
        if one.hit.effect.value == CANNOT:
            assert (NOT_CONFIRMED in one.hit.message) == (not is_certain)
    assert any(said in one.hit.message for one in found)


def test_the_environment_of_a_retained_queue_stays_with_it() -> None:
    kept = two(("Queue2.DeletionPolicy", "Retain"))
    found = changes(kept, changed((f"Queue.{ON}", OTHER), ("Queue2", None), of=kept))
    assert effects(found) == [(CANNOT, "Queue"), (SAFE, "Queue2")]
    assert "the queue 'Queue2', which is retained, keeps" in found[0].hit.message
    assert NOT_CONFIRMED not in found[0].hit.message
