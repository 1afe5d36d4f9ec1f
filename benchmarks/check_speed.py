"""Measure how long a check takes, beside cfn-lint and beside an empty Python.

Every pair is measured alternately in this one run, and the best of each side counts: the machine's
other work only ever adds to it. Run it with `make bench`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import _templates

from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack

BIN = Path(sys.executable).parent
ROOT = Path(__file__).parent.parent
CORRECT = str(ROOT / "tests" / "cases" / "correct.template.json")
CHECK = [str(BIN / "qm-constructs"), "check"]
LINT = [str(BIN / "cfn-lint"), "--template"]
EMPTY = [sys.executable, "-c", "pass"]
SHAPES = (
    _templates.queues,
    _templates.named_queues,
    _templates.queues_by_arn,
    _templates.outside_shares,
    _templates.shares_of_parameters,
    _templates.conditions,
    _templates.shared_conditions,
    _templates.parameters,
    _templates.fifo_queues_on_one,
    _templates.fifo_queues_by_name,
    _templates.faulty,
)


def best(*actions: Callable[[], object], runs: int) -> list[float]:
    """Return the shortest time of each action in seconds, measured alternately."""
    times: list[list[float]] = [[] for _ in actions]
    for _ in range(runs):
        for action, taken in zip(actions, times, strict=True):
            start = time.perf_counter()
            action()
            taken.append(time.perf_counter() - start)
    return [min(taken) for taken in times]


def command(*arguments: str) -> Callable[[], object]:
    def run() -> object:
        return subprocess.run(arguments, capture_output=True, check=False)

    return run


def say(what: str, seconds: Sequence[float], goal: str, met: bool) -> None:
    figures = " ".join(f"{1000 * taken:>8.0f}" for taken in seconds)
    print(f"{what:<44}{figures}  {'met' if met else 'MISSED'}: {goal}", flush=True)


def cold_start(folder: Path) -> None:
    print("One template, in ms: check, python -c pass, cfn-lint")
    yaml = folder / "correct.yaml"
    yaml.write_text(_templates.as_yaml(json.loads(Path(CORRECT).read_text())))
    for what, *arguments in (("JSON", CORRECT), ("YAML", str(yaml))):
        ours, empty = best(command(*CHECK, *arguments), command(*EMPTY), runs=15)
        (lint,) = best(command(*LINT, *arguments), runs=3)
        say(what, (ours, empty, lint), "3 x + 100 ms", ours <= 3 * empty + 0.1)
        say(what, (ours, empty, lint), "a tenth of cfn-lint", ours <= lint / 10)


def large(folder: Path) -> None:
    print("\n500 resources, in ms: check, cfn-lint")
    template = _templates.queues(500 // _templates.RESOURCES_IN_BLOCK)
    for name, text in (
        ("large.json", _templates.as_json(template)),
        ("large.yaml", _templates.as_yaml(template)),
    ):
        path = folder / name
        path.write_text(text)
        (ours,) = best(command(*CHECK, str(path)), runs=7)
        (lint,) = best(command(*LINT, str(path)), runs=2)
        say(name, (ours, lint), f"20 times faster ({lint / ours:.0f})", ours <= lint / 20)


def scaling() -> None:
    print("\nJudged in one process, in ms: 500 resources, 5,000 resources")
    for shape in SHAPES:
        few, many = ([Stack(shape(blocks), "t")] for blocks in (100, 1000))
        times = best(partial(judge_stacks, few), partial(judge_stacks, many), runs=5)
        ratio = times[1] / times[0]
        say(shape.__name__, times, f"11 times at most ({ratio:.1f})", ratio <= 11)


def many_templates(folder: Path) -> None:
    print("\nOne call, in ms: 100 templates, 1,000 templates")
    text = _templates.as_json(_templates.queues(1))
    paths = [folder / f"t{number}.json" for number in range(1000)]
    for path in paths:
        path.write_text(text)
    few, many = (command(*CHECK, *map(str, paths[:count])) for count in (100, 1000))
    times = best(few, many, runs=5)
    ratio = times[1] / times[0]
    say("templates of 5 resources", times, f"11 times at most ({ratio:.1f})", ratio <= 11)


def assembly(folder: Path) -> None:
    print("\nA cdk.out whose stacks import from one another, in ms: 50 stacks, 500 stacks")
    folders = []
    for blocks in (500, 5000):
        folders.append(folder / f"cdk.out.{blocks}")
        _templates.write_assembly(folders[-1], blocks)
    times = best(*(command(*CHECK, str(path)) for path in folders), runs=2)
    ratio = times[1] / times[0]
    say("stacks of 50 resources", times, f"11 times at most ({ratio:.1f})", ratio <= 11)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cold_start(folder)
        large(folder)
        scaling()
        many_templates(folder)
        assembly(folder)


if __name__ == "__main__":
    main()
