"""Break the rules and the template reader in every small way, and see which breaks no test finds.

It works on a copy in .cache/mutants. The checks of the rules are decorated, and mutmut leaves what
is decorated alone, so in the copy each is a plain function that is registered after it.
Exit code 1 when less than 95 % of the mutants are found.
"""

from __future__ import annotations

import argparse
import ast
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
WORK = ROOT / ".cache" / "mutants"
PACKAGE = "src/qm_constructs"
TESTS = (
    "test_rules",
    "test_judging",
    "test_resolving",
    "test_stacks",
    "test_reading",
    "test_assembly",
    "test_messages",
    "test_waiving",
    "test_worlds",
)
MUTATED = ("rules/*", "template/*", "capacity.py")
GOAL = 0.95
FOUND = ("killed", "timeout")
STATE = re.compile(r"^\s+(\S+): ([a-z ]+)$", re.MULTILINE)
# They run while their module is loaded, before mutmut breaks anything; the tests of the pairs judge
# what they make.
AT_IMPORT = re.compile(r"\.x_+(pair|pair_of|shares|fifo_queue)__mutmut|_examples\.")

CONFIGURATION = """\
[tool.pytest.ini_options]
markers = ["cdk", "lint", "nag", "validator", "slow"]

[tool.mutmut]
source_paths = ["src"]
only_mutate = [{only}]
pytest_add_cli_args = ["--noconftest", "-p", "no:cacheprovider", "-p", "no:xdist",
    "-m", "not cdk", "-k", "not bomb"]
pytest_add_cli_args_test_selection = [{tests}]
also_copy = ["tests", "src"]
use_git_change_detection = false
timeout_constant = 5.0
"""


def prepare(patterns: list[str]) -> None:
    """Make the copy."""
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.copytree(ROOT / PACKAGE, WORK / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests", WORK / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (WORK / PACKAGE / "rules").glob("*.py"):
        path.write_text(undecorated(path.read_text()))
    names = [f"tests/{name}.py" for name in TESTS if (ROOT / "tests" / f"{name}.py").exists()]
    text = CONFIGURATION.format(
        only=", ".join(f'"{PACKAGE}/{pattern}"' for pattern in patterns),
        tests=", ".join(f'"{name}"' for name in names),
    )
    (WORK / "pyproject.toml").write_text(text)


def undecorated(source: str) -> str:
    """Return a module in which each decorated function is registered by a call after it."""
    lines = source.splitlines()
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    for function in reversed(functions):
        if function.decorator_list:
            calls = [f"{ast.unparse(d)}({function.name})" for d in function.decorator_list[::-1]]
            assert function.end_lineno is not None
            lines[function.end_lineno : function.end_lineno] = calls
            del lines[function.decorator_list[0].lineno - 1 : function.lineno - 1]
    return "\n".join(lines) + "\n"


def run(*arguments: str) -> str:
    command = [sys.executable, "-m", "mutmut", *arguments]
    done = subprocess.run(command, cwd=WORK, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("patterns", nargs="*", default=list(MUTATED), help="files, such as rules/*")
    parser.add_argument("--show", action="store_true", help="show the mutants that are left")
    parser.add_argument("--processes", default="2", help="how many at once")
    options = parser.parse_args()
    prepare(options.patterns)
    log = run("run", "--max-children", options.processes)
    states = dict(STATE.findall(run("results", "--all", "true")))
    states = {name: state for name, state in states.items() if not AT_IMPORT.search(name)}
    if not states:
        print(log[-3000:], file=sys.stderr)
        return 1
    found = Counter(states.values())
    left = [name for name, state in states.items() if state not in FOUND]
    for name in left:
        print(run("show", name).strip() if options.show else name)
    share = 1 - len(left) / len(states)
    print(f"{len(states) - len(left)} of {len(states)} mutants are found ({share:.1%}): {found}")
    return 0 if share >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
