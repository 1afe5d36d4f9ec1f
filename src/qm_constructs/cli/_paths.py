"""What the commands that read templates have in common: the paths, and what cannot be read."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

from qm_constructs.cli._arguments import Parser, did_you_mean
from qm_constructs.cli._output import plain, write
from qm_constructs.cli._wording import STDIN, unreadable_line
from qm_constructs.template.report import Unreadable

PATH_IS = (
    "PATH is a template or a quotas file (JSON or YAML), a cdk.out folder, or - for\n"
    "standard input."
)


def check_paths(parser: Parser, paths: Sequence[str]) -> None:
    """Raises the error for paths that no command takes."""
    if not paths:
        raise parser.wrong("no template was given", f"{parser.prog} cdk.out")
    if paths.count(STDIN) > 1:
        raise parser.wrong("'-' is given twice", "standard input can be read once")


def check_format(parser: Parser, given: str, formats: Sequence[str]) -> None:
    """Raises the error for a format that a command does not have."""
    if given not in formats:
        raise parser.wrong(
            f"there is no format '{plain(given)}'",
            did_you_mean(given, formats) or f"it is one of {', '.join(formats)}",
        )


def add_format(parser: Parser, formats: Sequence[str]) -> None:
    """Adds the option that chooses a format, the first by default."""
    parser.add_argument(
        "--format",
        default=formats[0],
        metavar="FORMAT",
        help=f"{', '.join(formats[:-1])} or {formats[-1]} (default: {formats[0]})",
    )


def standard_input() -> BinaryIO:
    """Returns standard input, empty where the shell has closed it."""
    return sys.stdin.buffer if sys.stdin is not None else io.BytesIO()


def say_unreadable(unreadable: Iterable[Unreadable]) -> None:
    """Says what could not be read, one line each."""
    for problem in unreadable:
        # A file's name at the start of a line could be a command to a CI's log reader.
        write(f"qm-constructs: {plain(unreadable_line(problem))}\n", sys.stderr)


def unreadable_for_programs(unreadable: Iterable[Unreadable]) -> list[dict[str, Any]]:
    """Returns what could not be read, as the JSON documents of the commands have it."""
    return [
        {"file": problem.file, "line": problem.line, "reason": problem.reason}
        for problem in unreadable
    ]
