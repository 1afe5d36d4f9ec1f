"""Measure how long a diff takes: 50 queues of 20 shares, and ten times that.

Run it with `make bench`.
"""

from __future__ import annotations

import copy
import gc
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import _templates
from _timing import best, say
from check_speed import BIN, command

from qm_constructs.changes import Change, compare
from qm_constructs.cli.main import OBJECTS_BETWEEN_COLLECTIONS
from qm_constructs.template.sides import read_sides
from qm_constructs.template.stack import Stack

DIFF = [str(BIN / "qm-constructs"), "diff"]
QUEUES = 50
SHARES = 20


def template(queues: int) -> _templates.Template:
    """Return queues with twenty shares each, of which every fifth borrows."""
    found = _templates.queues(queues)
    resources: dict[str, Any] = found["Resources"]
    for queue in range(queues):
        first = resources.pop(f"Queue{queue}Share0")
        del resources[f"Queue{queue}Share1"]
        for number in range(SHARES):
            share = copy.deepcopy(first)
            share["Properties"]["QuotaShareName"] = f"team-{number}"
            if number % 5:
                share["Properties"]["ResourceSharingConfiguration"] = {"Strategy": "LEND"}
            resources[f"Queue{queue}Share{number}"] = share
    return found


def changed(old: _templates.Template) -> _templates.Template:
    """Return a template in which every share and every environment has less of a unit."""
    new = copy.deepcopy(old)
    for resource in new["Resources"].values():
        for limit in resource["Properties"].get("CapacityLimits", []):
            limit["MaxCapacity"] -= 1
    return new


def compared(old: _templates.Template, new: _templates.Template) -> list[Change]:
    return compare(*read_sides([Stack(old, "old")], [Stack(new, "new")]))


def main() -> None:
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    old = template(QUEUES)
    new = changed(old)
    more = template(10 * QUEUES)
    print("Compared in one process, in ms: 50 queues of 20 shares, 500 queues of 20 shares")
    for what, few, many in (
        ("nothing changed", (old, old), (more, more)),
        ("every limit lowered", (old, new), (more, changed(more))),
    ):
        times = best(partial(compared, *few), partial(compared, *many), runs=5)
        ratio = times[1] / times[0]
        say(what, times, f"11 times at most ({ratio:.1f})", ratio <= 11)
    print("\nThe command, in ms: 50 queues of 20 shares")
    with tempfile.TemporaryDirectory() as name:
        paths = [Path(name, "old.json"), Path(name, "new.json")]
        for path, content in zip(paths, (old, new), strict=True):
            path.write_text(_templates.as_json(content), encoding="utf-8")
        (taken,) = best(command(*DIFF, *map(str, paths)), runs=5)
        say("every limit lowered", (taken,), "2 s", taken <= 2)


if __name__ == "__main__":
    main()
