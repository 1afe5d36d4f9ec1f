"""Break the rules and the template reader in every small way, and see which breaks no test finds.

It works on a copy in .cache/mutants. mutmut makes the mutants there; the tests are collected once,
and each mutant is a fork of that process which runs the tests that come to what it changes, until
one fails.

docs/mutants.md lists the mutants that no test can find, with why. They count as left and are not
run again; what is left beside those is printed, and what it lists and is gone. Exit code 1 when
less than 95 % of all mutants are found. All of them take an hour or two; --drawn 400 tells the
share of all to within two percent.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import gc
import os
import pickle
import random
import re
import resource
import shutil
import signal
import sys
import time
from array import array
from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest
from _pytest.runner import runtestprotocol
from coverage import Coverage
from hypothesis import settings
from mutmut.mutation.file_mutation import MutatedFile, mutate_file_contents
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state

ROOT = Path(__file__).parent.parent
WORK = ROOT / ".cache" / "mutants"
PACKAGE = WORK / "src" / "qm_constructs"
LISTED = ROOT / "docs" / "mutants.md"
MUTATED = ("rules/*", "template/*", "capacity.py", "schema.py", "plan.py", "spelling.py")
TESTS = (
    "test_rules",
    "test_judging",
    "test_resolving",
    "test_stacks",
    "test_reading",
    "test_assembly",
    "test_messages",
    "test_waiving",
    "test_combinations",
    "test_beside",
    "test_references",
    "test_functions_as_asked",
    "test_made_elsewhere",
    "test_nested_twice",
    "test_on_shares_alone",
    "test_put_together",
    "test_keys_of_a_resource",
    "test_nested_parameters",
    "test_one_place",
    "test_confined",
    "test_bounds",
    "test_leading_nowhere",
    "test_lists",
    "test_told_names",
    "test_occasions",
    "test_one_cause",
    "test_fixes",
    "test_diff",
    "test_diff_environments",
    "test_diff_names",
    "test_diff_reach",
    "test_diff_refused",
    "test_diff_replacement",
    "test_diff_types",
    "test_diff_wording",
    "test_explain",
    "test_plan",
    "test_capacity",
    "test_quotas_file",
    "test_quotas_command",
    "test_diff_command",
    "test_mutants_*",
)
GOAL = 0.95
# Of a processor, beside twice what the test takes without the mutant.
SECONDS_OF_ONE_TEST = 10
# Of a processor: of a test that takes longer only the functions are noted that it reaches.
SLOW = 0.2

# They run while their module is loaded, before a mutant is chosen: what they make is judged by the
# tests of each rule and of its pair.
AT_IMPORT = {
    *("pair", "pair_of", "_pair", "_pair_of", "shares", "_shares", "fifo_queue"),
    *("Rule.on", "Rule.on_resources", "Rule.on_queue", "Rule.on_queues", "Kind.__init__"),
}

UNUSED = ("cacheprovider", "xdist", "logging", "warnings", "unraisableexception", "threadexception")
CONFIGURATION = """\
[tool.mutmut]
source_paths = ["src"]
track_dependencies = false

[tool.pytest.ini_options]
pythonpath = ["src"]
tmp_path_retention_policy = "none"
markers = ["cdk", "lint", "nag", "validator", "slow"]
"""
PYTEST = ("-q", "-s", "--assert=plain", "--noconftest", *(f"-pno:{plugin}" for plugin in UNUSED))
# Those that measure the cost of large input take longer than all others together.
CHOSEN = ("-m", "not cdk and not lint", "-k", "not bomb and not cost")


@dataclass(frozen=True)
class Mutant:
    """One small change of one function.

    Args:
        name: What mutmut calls it.
        module: The file, from the package on.
        function: The function, or Class.method.
        diff: The lines that it takes away and adds.
        lines: The lines in the file of the statement that it changes; none for the signature.
    """

    name: str
    module: str
    function: str
    diff: str
    lines: range

    @property
    def key(self) -> str:
        """What is the same from run to run."""
        return f"{self.module} {self.function} {' '.join(self.diff.split())}"

    @property
    def reached_as(self) -> str:
        """What mutmut calls the function that it changes."""
        return self.name.rpartition("__mutmut_")[0]


def prepare(patterns: list[str]) -> list[Mutant]:
    """Make the copy with all mutants in it, and return them in the order of the patterns."""
    shutil.rmtree(WORK, ignore_errors=True)
    no_cache = shutil.ignore_patterns("__pycache__")
    for folder in ("src", "tests", "examples", "docs"):
        shutil.copytree(ROOT / folder, WORK / folder, ignore=no_cache)
    (WORK / "pyproject.toml").write_text(CONFIGURATION)
    os.chdir(WORK)
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        module = str(path.relative_to(PACKAGE))
        if any(fnmatch(module, pattern) for pattern in patterns):
            mutated = mutate_file_contents(str(path), undecorated(path.read_text()))
            path.write_text(mutated.code)
            found += mutants_of(module, mutated)
    found.sort(key=lambda one: [fnmatch(one.module, pattern) for pattern in patterns].index(True))
    return [one for one in found if one.function not in AT_IMPORT]


def undecorated(source: str) -> str:
    """Return a module in which each decorated function is registered by a call after it.

    mutmut leaves what is decorated alone, and the checks of the rules are.
    """
    lines = source.splitlines()
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    for function in reversed(functions):
        if function.decorator_list:
            calls = [f"{ast.unparse(d)}({function.name})" for d in function.decorator_list[::-1]]
            assert function.end_lineno is not None
            lines[function.end_lineno : function.end_lineno] = calls
            del lines[function.decorator_list[0].lineno - 1 : function.lineno - 1]
    return "\n".join(lines) + "\n"


def mutants_of(module: str, mutated: MutatedFile) -> list[Mutant]:
    lines = mutated.code.splitlines()
    statements = statements_in(mutated.code)

    def body(name: str) -> list[str]:
        span = mutated.line_span_by_function_name[name]
        text = lines[span.start - 1 : span.end]
        return [line.replace(name, "f").strip() for line in text]

    found = []
    for name in mutated.mutant_names:
        original = name.rpartition("__mutmut_")[0] + "__mutmut_orig"
        changed = list(difflib.unified_diff(body(original), body(name), n=0, lineterm=""))[2:]
        diff = "\n".join(line for line in changed if not line.startswith("@@"))
        function = re.sub(r"^x_|^xǁ|__mutmut_.*", "", name).replace("ǁ", ".")
        dotted = ["qm_constructs", *Path(module).with_suffix("").parts]
        package = ".".join(part for part in dotted if part != "__init__")
        span = mutated.line_span_by_function_name[original]
        first = re.search(r"(?m)^@@ -(\d+)", "\n".join(changed))
        assert first is not None
        line = span.start - 1 + int(first[1])
        found.append(Mutant(f"{package}.{name}", module, function, diff, statements[line]))
    return found


def statements_in(code: str) -> defaultdict[int, range]:
    """Return the lines of the innermost statement that each line of a module is of.

    Of one that holds others these are its first lines; there are none for that of a function.
    """
    found: defaultdict[int, range] = defaultdict(lambda: range(0))
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.stmt)]
    for node in sorted(nodes, key=lambda node: node.lineno):
        body = getattr(node, "body", None)
        end = body[0].lineno - 1 if body else node.end_lineno
        whole = range(node.lineno, max(node.lineno, end or 0) + 1)
        is_function = isinstance(node, ast.FunctionDef)
        found.update(dict.fromkeys(whole, range(0) if is_function else whole))
    return found


class Reach(NamedTuple):
    """What a test reaches without any mutant.

    Args:
        seconds: Of a processor, that it takes.
        test: The test.
        has_failed: Whether it fails.
        functions: What mutmut calls the functions.
        lines: By file, the lines; none where the test is slow.
    """

    seconds: float
    test: str
    has_failed: bool
    functions: list[str]
    lines: dict[str, array[int]]


def reach_of(item: pytest.Item) -> Reach:
    """Run a test, and once more to see its lines, which takes three times as long."""
    state()._stats.clear()
    start = time.process_time()
    has_failed = failed(item)
    seconds = time.process_time() - start
    functions = [*state()._stats]
    lines: dict[str, array[int]] = {}
    if seconds < SLOW:
        tracer = Coverage(data_file=None, include=[f"{PACKAGE}/*"], messages=False)
        tracer.set_option("run:disable_warnings", ["no-data-collected"])
        tracer.start()
        failed(item)
        tracer.stop()
        data = tracer.get_data()
        for file in data.measured_files():
            module = str(Path(file).relative_to(PACKAGE))
            lines[module] = array("L", data.lines(file) or ())
    return Reach(seconds, item.nodeid, has_failed, functions, lines)


@dataclass
class Run:
    """The pytest plugin that runs the mutants in place of the tests.

    Args:
        mutants: Those to run.
        processes: How many at once.
        known: Those that docs/mutants.md lists.
        left: Those that no test has found; grows.
        seconds_of_one: Of a processor, after which no further test is run against a mutant.
    """

    mutants: list[Mutant]
    processes: int
    known: set[str]
    left: list[Mutant]
    seconds_of_one: float
    seconds: dict[str, float] = field(default_factory=dict)
    # Those of which it is not known which lines they reach.
    slow: set[pytest.Item] = field(default_factory=set)
    # By what mutmut calls a function, and by file and line.
    reached_by: defaultdict[Hashable, list[pytest.Item]] = field(
        default_factory=lambda: defaultdict(list)
    )
    # What found one mutant of a function or a file mostly finds the next one too: the last, first.
    finders: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    running: dict[int, tuple[Mutant, int]] = field(default_factory=dict)
    # In the process of a mutant: where to say what has found it.
    found_by: int | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """End the process of a mutant that is found, which no report is needed of."""
        expected = (pytest.skip.Exception, pytest.xfail.Exception)
        if self.found_by is not None and call.excinfo and not call.excinfo.errisinstance(expected):
            os.write(self.found_by, item.nodeid.encode())
            os._exit(1)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._run_unbroken(session)
        gc.freeze()
        for done, mutant in enumerate(self.mutants):
            if len(self.running) == self.processes:
                self._wait()
            self._start(mutant)
            if done % 100 == 99:
                print(f"{done + 1} of {len(self.mutants)}, {len(self.left)} left", flush=True)
        while self.running:
            self._wait()
        return True

    def _run_unbroken(self, session: pytest.Session) -> None:
        """Run all tests, and note which functions and lines each of them reaches."""
        set_mutant_under_test("stats")
        # Each call of a function that has mutants goes through several others.
        sys.setrecursionlimit(20_000)
        # The folder of all temporary files is made once, before there are two processes.
        in_files = (one for one in session.items if "tmp_path" in getattr(one, "fixturenames", ()))
        failed(next(in_files, session.items[0]))
        of_other = WORK / "reached"
        pid = os.fork()
        if pid == 0:
            of_other.write_bytes(pickle.dumps([reach_of(item) for item in session.items[::2]]))
            os._exit(0)
        reached = [reach_of(item) for item in session.items[1::2]]
        os.waitpid(pid, 0)
        by_id = {item.nodeid: item for item in session.items}
        for reach in sorted([*reached, *pickle.loads(of_other.read_bytes())]):
            if reach.has_failed:
                pytest.exit(f"{reach.test} fails without any mutant", returncode=2)
            self.seconds[reach.test] = reach.seconds
            in_lines = ((file, line) for file, lines in reach.lines.items() for line in lines)
            for place in (*reach.functions, *in_lines):
                self.reached_by[place].append(by_id[reach.test])
            if not reach.lines:
                self.slow.add(by_id[reach.test])

    def _start(self, mutant: Mutant) -> None:
        items = self.reached_by[mutant.reached_as]
        if mutant.lines:
            by_line = [self.reached_by[mutant.module, line] for line in mutant.lines]
            slow = [item for item in items if item in self.slow]
            items = list(dict.fromkeys([*chain.from_iterable(by_line), *slow]))
        finders = [*self.finders[mutant.reached_as], *self.finders[mutant.module]]
        ranks = {found: rank for rank, found in enumerate(dict.fromkeys(finders))}
        items = sorted(items, key=lambda item: ranks.get(item.nodeid, len(ranks)))
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            self.found_by = writing
            self._run_mutant(mutant, items)
        os.close(writing)
        self.running[pid] = (mutant, reading)

    def _wait(self) -> None:
        pid, status = os.wait()
        mutant, reading = self.running.pop(pid)
        with os.fdopen(reading) as pipe:
            found_by = pipe.read()
        for name in (mutant.reached_as, mutant.module) if found_by else ():
            others = [one for one in self.finders[name] if one != found_by]
            self.finders[name] = [found_by, *others]
        if status == 0:
            self.left.append(mutant)
            if mutant.key not in self.known:
                print(f"\n{mutant.module}: {mutant.function}\n{mutant.diff}\n", flush=True)

    def _run_mutant(self, mutant: Mutant, items: list[pytest.Item]) -> NoReturn:
        """Run the tests that reach a mutant, and end the process: with 0 when none of them fails.

        A mutant that never ends, or eats all memory, is found.
        """
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
        set_mutant_under_test(mutant.name)
        left = True
        start = time.process_time()
        try:
            for item in items:
                if time.process_time() - start > self.seconds_of_one:
                    break
                seconds = SECONDS_OF_ONE_TEST + 2 * self.seconds[item.nodeid]
                signal.setitimer(signal.ITIMER_PROF, seconds)
                signal.alarm(6 * int(seconds))
                if failed(item):
                    left = False
                    break
        except BaseException:
            left = False
        os._exit(0 if left else 1)


def failed(item: pytest.Item) -> bool:
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def listed() -> set[str]:
    """Return the mutants that docs/mutants.md lists, as Mutant.key names them."""
    module = function = ""
    keys = set()
    text = LISTED.read_text() if LISTED.exists() else ""
    for found in re.finditer(r"(?ms)^## `([^`]+)`|^### `([^`]+)`|^```diff\n(.*?)^```", text):
        module, function = found[1] or module, found[2] or function
        for diff in found[3].split("\n\n") if found[3] else ():
            keys.add(f"{module} {function} {' '.join(diff.split())}")
    return keys


def printed(output: Path) -> set[str]:
    """Return the mutants that a run has printed as left, as Mutant.key names them."""
    blocks = re.findall(r"(?m)^(\S+\.py): (\S+)\n((?:[-+].*\n)+)", output.read_text())
    return {f"{module} {function} {' '.join(diff.split())}" for module, function, diff in blocks}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("patterns", nargs="*", default=list(MUTATED), help="files, such as rules/*")
    parser.add_argument("--again", action="store_true", help="run those too that are listed")
    parser.add_argument("--drawn", type=int, help="how many mutants to draw at random; all of them")
    parser.add_argument("--seed", type=int, default=0, help="which are drawn (default: 0)")
    parser.add_argument("--processes", type=int, default=2, help="how many at once")
    parser.add_argument(
        "--left", type=Path, help="only those that a run whose output is in this file has left"
    )
    parser.add_argument(
        "--tests", nargs="+", default=TESTS, help="files of tests (default: those of all that runs)"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=float("inf"),
        help="of tests run against one mutant, the quickest first; a mutant that they do not find "
        "counts as left (default: all tests)",
    )
    options = parser.parse_args()
    settings.register_profile("mutants", derandomize=True, database=None, deadline=None)
    settings.load_profile("mutants")
    before = None if options.left is None else printed(options.left)
    mutants = prepare(options.patterns)
    if before is not None:
        mutants = [mutant for mutant in mutants if mutant.key in before]
    if options.drawn is not None:
        mutants = random.Random(options.seed).sample(mutants, min(options.drawn, len(mutants)))
    known = listed()
    left = [] if options.again else [mutant for mutant in mutants if mutant.key in known]
    to_run = [one for one in mutants if one not in left]
    run = Run(to_run, options.processes, known, left, options.seconds)
    files = sorted(str(path) for name in options.tests for path in Path("tests").glob(f"{name}.py"))
    code = pytest.main([*PYTEST, *CHOSEN, f"--basetemp={WORK / 'tmp'}", *files], plugins=[run])
    if code != 0:
        return 2
    report(mutants, run, whole=options.drawn is None and options.left is None)
    return 0 if len(run.left) <= (1 - GOAL) * len(mutants) else 1


def report(mutants: list[Mutant], run: Run, *, whole: bool) -> None:
    print()
    for module in dict.fromkeys(mutant.module for mutant in mutants):
        of_it = [mutant for mutant in mutants if mutant.module == module]
        print_share(module, of_it, [mutant for mutant in run.left if mutant.module == module])
    print_share("all", mutants, run.left)
    unlisted = sum(mutant.key not in run.known for mutant in run.left)
    print(f"{unlisted} of those that are left are not listed in docs/mutants.md")
    made, modules = {mutant.key for mutant in mutants}, {mutant.module for mutant in mutants}
    for key in sorted(run.known - made):
        if whole and key.split(" ")[0] in modules:
            print(f"docs/mutants.md lists what is gone: {key}")


def print_share(name: str, mutants: list[Mutant], left: list[Mutant]) -> None:
    found = len(mutants) - len(left)
    print(f"{name:30} {found:5} of {len(mutants):5} found {found / len(mutants):7.1%}")


if __name__ == "__main__":
    sys.exit(main())
