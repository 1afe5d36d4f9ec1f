"""``qm-constructs check``: what is wrong in templates."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import BinaryIO, Final

from qm_constructs.cli._arguments import Parser, did_you_mean
from qm_constructs.cli._output import plain, write
from qm_constructs.cli._rule_ids import rule_id
from qm_constructs.cli._wording import STDIN, unreadable_line
from qm_constructs.rules import Severity
from qm_constructs.template.check import check
from qm_constructs.template.report import Report

FORMATS: Final = ("text", "json", "sarif", "github")
"""Each format, which is the module ``as_...`` beside this one."""

_FOR_PEOPLE: Final = ("text", "github")

_EPILOG: Final = """\
PATH is a template (JSON or YAML), a cdk.out folder, or - for standard input.

exit codes:
  0  no error
  1  errors; with --strict also warnings
  2  something could not be read, or these arguments are wrong

examples:
  qm-constructs check cdk.out
  qm-constructs check --strict --ignore XR-02 queue.yaml shares.json
  cat queue.json | qm-constructs check --format json -
"""


def run(arguments: Sequence[str]) -> int:
    """Checks the templates that the arguments name, and returns the exit code."""
    parser = _parser()
    given, paths = parser.parse(arguments)
    if given.format not in FORMATS:
        raise parser.wrong(
            f"there is no format '{plain(given.format)}'",
            did_you_mean(given.format, FORMATS) or f"it is one of {', '.join(FORMATS)}",
        )
    if not paths:
        raise parser.wrong("no template was given", f"{parser.prog} cdk.out")
    if paths.count(STDIN) > 1:
        raise parser.wrong("'-' is given twice", "standard input can be read once")
    report = _check(paths, _ignored(parser, given.ignore))
    _show(report, given.format)
    return _exit_code(report, given.strict)


def _parser() -> Parser:
    parser = Parser(
        "qm-constructs check",
        "[OPTION]... PATH...",
        "Looks for mistakes about AWS Batch quota management in CloudFormation templates.",
        _EPILOG,
    )
    parser.add_argument(
        "--format",
        default="text",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]} (default: text)",
    )
    parser.add_argument("--strict", action="store_true", help="warnings count as errors do")
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="ID",
        help="leave out what a rule finds, uncounted: XR-02, several with commas or by "
        "repeating the option",
    )
    return parser


def _ignored(parser: Parser, given: Sequence[str]) -> frozenset[str]:
    return frozenset(rule_id(parser, id) for ids in given for id in ids.split(","))


def _check(paths: Sequence[str], ignore: frozenset[str]) -> Report:
    stdin: BinaryIO = sys.stdin.buffer if sys.stdin is not None else io.BytesIO()
    return check(paths, stdin, ignore)


def _show(report: Report, form: str) -> None:
    render: Callable[[Report], str] = import_module(f"qm_constructs.cli.as_{form}").render
    write(render(report), sys.stdout)
    if form in _FOR_PEOPLE:
        for problem in report.unreadable:
            # A file's name at the start of a line could be a command to a CI's log reader.
            write(f"qm-constructs: {plain(unreadable_line(problem))}\n", sys.stderr)


def _exit_code(report: Report, strict: bool) -> int:
    if report.unreadable:
        return 2
    fatal = report.findings if strict else report.count(Severity.ERROR)
    return 1 if fatal else 0
