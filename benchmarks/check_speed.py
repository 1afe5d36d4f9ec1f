"""What a check costs: beside cfn-lint, beside an empty Python, and for ten times as much.

Everything is measured in this one run, the sides of a row in turn, after one round that does not
count. A figure is the best of the rounds in ms, with the median in brackets.

- "one template" is by the clock. A goal is judged by the best of each side, as the machine's other
  work only ever adds to it; with a load near the number of cores the figures mean little.
- All else is CPU time, which other work hardly touches; each side runs on one core.
- In each shape of template, and ten times as much of it, "judge" is the judgement alone of
  templates that are read already, "check" the whole command within this process, "process" the
  command as it is typed, Python's start included. The goal is 11 times at most for each.

The last lines list the goals that were missed. Name sections to run only those; all of them take
some ten minutes.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final

import _templates

from qm_constructs.cli.main import OBJECTS_BETWEEN_COLLECTIONS
from qm_constructs.cli.main import main as qm_constructs
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.loading import load

BIN: Final = Path(sys.executable).parent
ROOT: Final = Path(__file__).parent.parent
CORRECT: Final = ROOT / "tests" / "cases" / "correct.template.json"
CHECK: Final = (str(BIN / "qm-constructs"), "check")
LINT: Final = (str(BIN / "cfn-lint"),)
EMPTY: Final = (sys.executable, "-c", "pass")

FEW, MANY = 100, 1000
"""How many blocks of five resources are compared with ten times as many."""

Action = Callable[[], object]


@dataclass(frozen=True)
class Times:
    """Seconds of each round of one side, by the clock and of CPU."""

    passed: Sequence[float]
    cpu: Sequence[float]

    @property
    def best(self) -> float:
        return min(self.passed)


@dataclass
class Goals:
    """Which goals were met, and which were missed."""

    met: int = 0
    missed: list[str] = field(default_factory=list)

    def judge(self, what: str, is_met: bool) -> str:
        """Notes a goal, and returns how it is shown."""
        if is_met:
            self.met += 1
            return f"met: {what}"
        self.missed.append(what)
        return f"MISSED: {what}"


def measured(*sides: Action, rounds: int) -> list[Times]:
    """Returns what the sides take, run in turn; who goes first changes."""
    taken: list[tuple[list[float], list[float]]] = [([], []) for _ in sides]
    for number in range(-1, rounds):
        for index in range(len(sides))[:: 1 if number % 2 else -1]:
            gc.collect()  # what the other side left is not this one's
            passed, cpu = time.perf_counter(), cpu_used()
            sides[index]()
            if number >= 0:
                taken[index][0].append(time.perf_counter() - passed)
                taken[index][1].append(cpu_used() - cpu)
    return [Times(passed, cpu) for passed, cpu in taken]


def cpu_used() -> float:
    """Returns the CPU seconds of this process and of the commands that it has run."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def command(*arguments: str, codes: Sequence[int] = (0, 1)) -> Action:
    def run() -> None:
        done = subprocess.run(arguments, capture_output=True, check=False)
        if done.returncode not in codes:
            raise SystemExit(f"{' '.join(arguments)} failed: {done.stderr.decode()}")

    return run


# cfn-lint's exit code is made of the severities that it found.
def lint(path: Path) -> Action:
    return command(*LINT, str(path), codes=range(16))


def in_process(path: Path) -> Action:
    def run() -> None:
        with redirect_stdout(io.StringIO()):
            qm_constructs(["check", str(path)])

    return run


def judgement(path: Path) -> Action:
    (stacks,), unreadable = load([str(path)], io.BytesIO())
    if unreadable:
        raise SystemExit(unreadable[0].reason)
    return partial(judge_stacks, stacks)


def show(what: str, sides: Sequence[Sequence[float]], *verdicts: str) -> None:
    figures = (f"{1000 * min(side):7.0f} ({1000 * statistics.median(side):6.0f})" for side in sides)
    print(f"{what:<36}", *figures, " ", "; ".join(verdicts), flush=True)


def heading(what: str, *sides: str) -> None:
    print(f"\n{what:<36}", *(f"{side:>16}" for side in sides))


# -- Sections


def one_template(folder: Path, rounds: int, goals: Goals) -> None:
    """Measures the cold start, in each format, on JSON and on YAML."""
    yaml = folder / "correct.yaml"
    template = json.loads(CORRECT.read_text(encoding="utf-8"))
    yaml.write_text(_templates.as_yaml(template), encoding="utf-8")
    heading("one template", "check", "python -c pass", "cfn-lint")
    for path, form in ((CORRECT, "text"), (CORRECT, "json"), (CORRECT, "sarif"), (yaml, "text")):
        sides = command(*CHECK, "--format", form, str(path)), command(*EMPTY), lint(path)
        ours, empty, theirs = measured(*sides, rounds=3 * rounds)
        what = f"{path.suffix.removeprefix('.')} template, as {form}"
        show(
            what,
            [ours.passed, empty.passed, theirs.passed],
            goals.judge(
                f"{what}: 3 x python + 100 ms = {3000 * empty.best + 100:.0f} ms",
                ours.best <= 3 * empty.best + 0.1,
            ),
            goals.judge(
                f"a tenth of cfn-lint = {100 * theirs.best:.0f} ms", ours.best <= theirs.best / 10
            ),
        )


def large_template(folder: Path, rounds: int, goals: Goals) -> None:
    """Measures 500 resources beside cfn-lint."""
    template = _templates.queues(500 // _templates.RESOURCES_IN_BLOCK)
    heading("500 resources, CPU time", "check", "cfn-lint")
    for name, text in (
        ("large.json", _templates.as_json(template)),
        ("large.yaml", _templates.as_yaml(template)),
    ):
        path = folder / name
        path.write_text(text, encoding="utf-8")
        ours, theirs = measured(command(*CHECK, str(path)), lint(path), rounds=min(rounds, 3))
        ratio = min(theirs.cpu) / min(ours.cpu)
        verdict = goals.judge(f"{name}: 20 times faster, {ratio:.1f}", ratio >= 20)
        show(name, [ours.cpu, theirs.cpu], verdict)


def ten_times(folder: Path, rounds: int, goals: Goals) -> None:
    """Measures ten times the resources, for every shape of template."""
    for shape, make in _templates.SHAPES.items():
        paths = [folder / f"shape.{blocks}.json" for blocks in (FEW, MANY)]
        for path, blocks in zip(paths, (FEW, MANY), strict=True):
            path.write_text(_templates.as_json(make(blocks)), encoding="utf-8")
        scaling(shape, paths, rounds, goals)
    paths = [folder / f"shape.{blocks}.yaml" for blocks in (FEW, MANY)]
    for path, blocks in zip(paths, (FEW, MANY), strict=True):
        path.write_text(_templates.as_yaml(_templates.queues(blocks)), encoding="utf-8")
    scaling("many small queues, as YAML", paths, rounds, goals)
    for by_sub in (False, True):
        paths = [folder / f"cdk.out.{blocks}.{by_sub}" for blocks in (FEW, MANY)]
        for path, blocks in zip(paths, (FEW, MANY), strict=True):
            _templates.write_assembly(path, blocks, by_sub=by_sub)
        scaling(f"cdk.out, imports by {'Sub' if by_sub else 'name'}", paths, rounds, goals)


def scaling(shape: str, paths: Sequence[Path], rounds: int, goals: Goals) -> None:
    """Measures one template and one ten times as large, in three ways."""
    heading(f"{shape}, CPU time", "500 resources", "5,000 resources")
    ways = {
        "judge": [judgement(path) for path in paths],
        "check": [in_process(path) for path in paths],
        "process": [command(*CHECK, str(path)) for path in paths],
    }
    for way, sides in ways.items():
        show_ratio(f"  {way}", f"{shape}, {way}", sides, rounds, goals)


def many_templates(folder: Path, rounds: int, goals: Goals) -> None:
    """Measures ten times as many templates in one call."""
    text = _templates.as_json(_templates.queues(1))
    paths = [folder / f"template.{number}.json" for number in range(1000)]
    for path in paths:
        path.write_text(text, encoding="utf-8")
    heading("one call, CPU time", "100 templates", "1,000 templates")
    few, many = (command(*CHECK, *map(str, paths[:count])) for count in (100, 1000))
    show_ratio("templates of 5 resources", "a thousand templates", (few, many), rounds, goals)


def show_ratio(what: str, goal: str, sides: Sequence[Action], rounds: int, goals: Goals) -> None:
    few, many = measured(*sides, rounds=rounds)
    ratio = min(many.cpu) / min(few.cpu)
    show(what, [few.cpu, many.cpu], goals.judge(f"{goal}: 11 times, {ratio:.1f}", ratio <= 11))


SECTIONS: Final = {
    "one-template": one_template,
    "large-template": large_template,
    "ten-times": ten_times,
    "many-templates": many_templates,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each row (default: 5)")
    arguments = parser.parse_args()
    if unknown := set(arguments.sections) - set(SECTIONS):
        parser.error(f"there is no section {', '.join(sorted(unknown))}")
    print(
        f"Python {platform.python_version()}, cfn-lint {version('cfn-lint')}, "
        f"{os.cpu_count()} cores with a load of {os.getloadavg()[0]:.1f}; ms, best of several "
        "rounds (median)"
    )
    goals = Goals()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)  # as the command does
    with tempfile.TemporaryDirectory() as name:
        # Installed packages have their bytecode, which an editable one may lack: so all get it.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(name, "bytecode"))
        for section in arguments.sections or SECTIONS:
            SECTIONS[section](Path(name), arguments.rounds, goals)
    print(f"\n{goals.met} goals met, {len(goals.missed)} missed")
    for missed in goals.missed:
        print(f"  missed: {missed}")


if __name__ == "__main__":
    main()
