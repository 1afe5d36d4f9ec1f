"""``qm-constructs``: gives each command its arguments, and the shell its exit code."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final

from qm_constructs._version import VERSION
from qm_constructs.cli._arguments import Parser, UsageError, did_you_mean
from qm_constructs.cli._output import OutputError, plain, write

COMMANDS: Final = {
    "check": "look for mistakes about AWS Batch quota management in templates",
    "plan": "show how the shares of each queue divide its capacity",
    "explain": "tell whether a job can ever run, and if not what would help",
    "diff": "say what a change of templates does to running and queued jobs",
    "rules": "list the rules, or show some of them in full",
    "schema": "print the JSON Schema of a quotas file, for editors",
}
"""Each command, which is a module beside this one, and what it does."""

# Python looks for garbage every 700 objects, which costs a short command a fifth of its time.
OBJECTS_BETWEEN_COLLECTIONS: Final = 200_000
_USAGE_ERROR: Final = 2
_INTERRUPTED: Final = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code.

    Args:
        argv: The arguments after the program's name; those of this process by default.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except UsageError as error:
        write(f"{error}\n", sys.stderr)
    except OutputError as error:
        write(f"qm-constructs: the output was not written: {error}\n", sys.stderr)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except SystemExit:
        return 0  # argparse has shown the help
    finally:
        if argv is None:
            gc.freeze()  # this process ends, and need not look for garbage once more
    return _USAGE_ERROR


def _run(arguments: list[str]) -> int:
    if arguments and arguments[0] in COMMANDS:
        command = import_module(f"qm_constructs.cli.{arguments[0]}")
        run: Callable[[Sequence[str]], int] = command.run
        return run(arguments[1:])
    return _without_command(arguments)


def _without_command(arguments: Sequence[str]) -> int:
    commands = "\n".join(f"  {name:<11} {does}" for name, does in COMMANDS.items())
    parser = Parser(
        "qm-constructs",
        "COMMAND ...",
        f"commands:\n{commands}",
        "qm-constructs COMMAND --help says more about each.",
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    options, words = parser.parse(arguments)
    if options.version:
        write(f"qm-constructs {VERSION}\n", sys.stdout)
        return 0
    if not words:
        raise parser.wrong("no command was given", "qm-constructs check cdk.out")
    raise _unknown_command(parser, words)


def _unknown_command(parser: Parser, words: Sequence[str]) -> UsageError:
    problem = f"there is no command '{plain(words[0])}'"
    if os.access(words[0], os.F_OK):
        return parser.wrong(problem, f"did you mean: qm-constructs check {plain(words[0])}")
    return parser.wrong(problem, did_you_mean(words[0], COMMANDS) or "see qm-constructs --help")
