"""What ``qm-constructs diff`` says of a change beforehand is what the deploy then does."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from qm_constructs import ResourceSharing
from tests.e2e.apps.training import GPU, STACK, synthesize, with_shares

if TYPE_CHECKING:
    from tests.e2e.cloud import Cloud

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk]

ROOT: Final = Path(__file__).parents[2]
OLDER: Final = Path(__file__).parent / "older" / "QuotaManagedTraining.template.json"
SAMPLE: Final = "QuotaManagedTraining"
BORROWER: Final = ResourceSharing.lend_and_borrow()
LESS: Final = ResourceSharing.lend_and_borrow(borrow_limit=25)

# (arguments before, arguments after, the worst that is foretold, whether the job of vision ends)
CHANGES: Final[list[tuple[dict[str, Any], dict[str, Any], str, bool]]] = [
    ({}, with_shares(vision={"capacity_limits": {GPU: 5}}), "safe", False),
    ({}, with_shares(vision={"enabled": False}), "blocks-submissions", False),
    (
        with_shares(vision={"resource_sharing": BORROWER}),
        with_shares(vision={"resource_sharing": LESS}),
        "slows-jobs",
        False,
    ),
    ({}, with_shares(speech=None), "terminates-jobs", False),
    ({}, with_shares(vision=None), "terminates-jobs", True),
    ({"job_queue_name": "old"}, {"job_queue_name": "new"}, "terminates-jobs", True),
]


def foretold(cloud: Cloud, old: Path, new: Path, worst: str) -> list[dict[str, Any]]:
    """Returns the changes that the command foretells, which ends as its worst effect asks."""
    command = [sys.executable, "-m", "qm_constructs", "diff", "--format=json", str(old), str(new)]
    said = cloud.run(*command, fails=worst != "safe")
    changes: list[dict[str, Any]] = json.loads(said)["changes"]
    assert changes[0]["effect"] == worst
    return changes


@pytest.mark.parametrize(("before", "after", "worst", "ends"), CHANGES)
def test_what_is_foretold_comes_true(
    cloud: Cloud, before: dict[str, Any], after: dict[str, Any], worst: str, ends: bool
) -> None:
    old, new = (synthesize(cloud.outdir(), **arguments) for arguments in (before, after))
    changes = foretold(cloud, old, new, worst)
    cloud.deploy(old)
    job, ids = cloud.submit("vision"), cloud.stacks.physical_ids(STACK)
    cloud.deploy(new)
    hit = {change["share"] for change in changes if change["effect"] == "terminates-jobs"}
    assert ("vision" in hit) == ends
    assert cloud.status_of(job) == ("FAILED" if ends else "RUNNING")
    # What is not foretold to go or to be made anew is what it was.
    now = cloud.stacks.physical_ids(STACK)
    touched = {change["resource"] for change in changes if change["effect"] == "terminates-jobs"}
    kept = (ids.keys() & now.keys()) - touched
    assert {id: now[id] for id in kept} == {id: ids[id] for id in kept}
    assert kept or "job_queue_name" in before


def test_an_older_sample_becomes_todays_as_foretold(cloud: Cloud) -> None:
    synthesized = cloud.outdir()
    cloud.cdk("synth", f"--output={synthesized}", "--quiet", cwd=ROOT)
    new = synthesized / f"{SAMPLE}.template.json"
    said = cloud.run(
        *(sys.executable, "-m", "qm_constructs", "diff", "--format=json", str(OLDER), str(new))
    )
    assert json.loads(said)["changes"] == []
    cloud.stacks.create(SAMPLE, OLDER.read_text(encoding="utf-8"))
    ids = cloud.stacks.physical_ids(SAMPLE)
    cloud.deploy(synthesized)
    assert cloud.stacks.physical_ids(SAMPLE) == ids
