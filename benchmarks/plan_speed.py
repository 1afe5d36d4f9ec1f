"""Measure how long a plan takes, beside an empty Python, and how that grows.

Every pair is measured alternately in this one run, and the best of each side counts: the machine's
other work only ever adds to it. Run it with `make bench`.
"""

from __future__ import annotations

import copy
import gc
import sys
import tempfile
from functools import partial
from pathlib import Path

import _templates
from check_speed import best, command, say

from qm_constructs.cli.main import OBJECTS_BETWEEN_COLLECTIONS
from qm_constructs.template.quota_plans import plans_of
from qm_constructs.template.stack import Stack

PLAN = [str(Path(sys.executable).parent / "qm-constructs"), "plan"]
EMPTY = [sys.executable, "-c", "pass"]
FORMATS = ("text", "markdown", "json", "html", "svg")
QUEUES, SHARES = 50, 20


def divided_queues(queues: int, shares: int) -> _templates.Template:
    """Returns a template in which each queue has as many shares, of two units."""
    template = _templates.queues(queues)
    resources = template["Resources"]
    for queue in range(queues):
        first = resources[f"Queue{queue}Share0"]
        del resources[f"Queue{queue}Share1"]
        for share in range(1, shares):
            resources[f"Queue{queue}Share{share}"] = another = copy.deepcopy(first)
            another["Properties"]["QuotaShareName"] = f"team-{share}"
    return template


def after_start(folder: Path) -> None:
    """The whole command, less what a plan of one queue with one share takes."""
    print(f"{QUEUES} queues of {SHARES} shares, in ms: the command, one of 1 share, python -c pass")
    small, large = folder / "small.json", folder / "large.json"
    small.write_text(_templates.as_json(divided_queues(1, 1)))
    large.write_text(_templates.as_json(divided_queues(QUEUES, SHARES)))
    for form in FORMATS:
        arguments = [*PLAN, "--format", form]
        times = best(
            command(*arguments, str(large)),
            command(*arguments, str(small)),
            command(*EMPTY),
            runs=5,
        )
        taken = times[0] - times[1]
        say(form, times, f"500 ms after the start ({1000 * taken:.0f})", taken <= 0.5)


def scaling(folder: Path) -> None:
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)  # as the command does
    print("\nPlanned in one process, in ms: 1,000 shares, 10,000 shares")
    for what, few, many in (
        ("ten times the queues", (QUEUES, SHARES), (10 * QUEUES, SHARES)),
        ("ten times the shares of each", (5, SHARES), (5, 10 * SHARES)),
    ):
        stacks = [[Stack(divided_queues(*size), "t")] for size in (few, many)]
        gc.collect()
        gc.freeze()  # what was read counts neither way
        times = best(*(partial(_plan, each) for each in stacks), runs=5)
        ratio = times[1] / times[0]
        say(what, times, f"11 times at most ({ratio:.1f})", ratio <= 11)
    print("\nThe command, in ms: 1,000 shares, 10,000 shares")
    paths = [folder / f"{size}.json" for size in (QUEUES, 10 * QUEUES)]
    for path in paths:
        path.write_text(_templates.as_json(divided_queues(int(path.stem), SHARES)))
    for form in FORMATS:
        times = best(*(command(*PLAN, "--format", form, str(p)) for p in paths), runs=2)
        ratio = times[1] / times[0]
        say(form, times, f"11 times at most ({ratio:.1f})", ratio <= 11)


def _plan(stacks: list[Stack]) -> None:
    for plan in plans_of(stacks):
        assert plan.units


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        after_start(Path(name))
        scaling(Path(name))


if __name__ == "__main__":
    main()
