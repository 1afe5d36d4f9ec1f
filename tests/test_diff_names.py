"""Names that something has already: why the new one cannot be made, and what to do about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.test_diff import CANNOT, ENDS, SAFE, Template, base, changed, changes, effects, share
from tests.test_diff_command import app, in_json, told

NEW = ("New", share("reserver", 1, "RESERVE"))


@pytest.mark.parametrize(
    ("old", "edits", "expected", "said", "advice"),
    [
        (
            base(),
            [NEW],
            [(CANNOT, "New")],
            "a name that 'Reserver' has, which stays.",
            "Give the new one another name.",
        ),
        (
            changed(("Reserver.DeletionPolicy", "Retain")),
            [NEW, ("Reserver", None)],
            [(CANNOT, "New"), (SAFE, "Reserver")],
            "a name that 'Reserver' has, which is retained.",
            "Give the new one another name.",
        ),
        (
            base(),
            [NEW, ("Reserver", None)],
            [(CANNOT, "New")],
            "has until the update ends",
            "Keep the logical id 'Reserver' (in CDK: override_logical_id), or",
        ),
        (
            base(),
            [("Lender.QuotaShareName", "reserver"), ("Reserver.QuotaShareName", "lender")],
            [(CANNOT, "Lender"), (CANNOT, "Reserver")],
            "has until the update ends",
            "Give the new one a name that nothing has, or rename 'Reserver' first",
        ),
    ],
)
def test_a_name_that_is_taken(
    old: Template, edits: list[tuple[str, Any]], expected: list[Any], said: str, advice: str
) -> None:
    found = changes(old, changed(*edits, of=old))
    assert effects(found) == expected
    assert said in found[0].hit.message
    assert found[0].hit.advice.startswith(advice)


def depending(folder: Path, stacks: dict[str, Template], **on: list[str]) -> str:
    """Writes a cdk.out of some stacks, of which some depend on others."""
    path = app(folder, stacks)
    manifest = json.loads((folder / "manifest.json").read_text())
    for name, others in on.items():
        manifest["artifacts"][name]["dependencies"] = others
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return path


@pytest.mark.parametrize(
    ("on", "effect"),
    [
        ({"Two": ["One"]}, SAFE),
        ({"Two": ["Mid"], "Mid": ["One"]}, SAFE),
        ({"One": ["Two"]}, CANNOT),
        ({}, CANNOT),
    ],
)
def test_a_share_that_moves_to_a_stack_that_is_deployed_later(
    tmp_path: Path, capsys: Any, on: dict[str, list[str]], effect: str
) -> None:
    arn = "arn:aws:batch:us-east-1:111122223333:job-queue/gpus"
    one = {"Resources": {"Share": share("vision", 2, "LEND", arn)}}
    none: Template = {"Resources": {}}
    old = app(tmp_path / "old", {"One": one, "Two": none, "Mid": none})
    new = depending(tmp_path / "new", {"One": none, "Two": one, "Mid": none}, **on)
    assert told(in_json(capsys, old, new)) == [(ENDS, "One", "Share"), (effect, "Two", "Share")]
    both = depending(tmp_path / "both", {"One": one, "Two": one, "Mid": none}, **on)
    assert told(in_json(capsys, old, both)) == [(CANNOT, "Two", "Share")]
