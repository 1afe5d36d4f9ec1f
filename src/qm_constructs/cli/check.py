"""``qm-constructs check``: what is wrong in templates."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final

from qm_constructs.cli._arguments import Parser
from qm_constructs.cli._output import write
from qm_constructs.cli._paths import (
    PATH_IS,
    add_format,
    check_format,
    check_paths,
    say_unreadable,
    standard_input,
)
from qm_constructs.cli._rule_ids import rule_id
from qm_constructs.rules import Severity
from qm_constructs.template.check import check
from qm_constructs.template.report import Report

FORMATS: Final = ("text", "json", "sarif", "github")
"""Each format, which is the module ``as_...`` beside this one."""

_FOR_PEOPLE: Final = ("text", "github")

_EPILOG: Final = f"""\
{PATH_IS}

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
    check_format(parser, given.format, FORMATS)
    check_paths(parser, paths)
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
    add_format(parser, FORMATS)
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
    return check(paths, standard_input(), ignore)


def _show(report: Report, form: str) -> None:
    render: Callable[[Report], str] = import_module(f"qm_constructs.cli.as_{form}").render
    write(render(report), sys.stdout)
    if form in _FOR_PEOPLE:
        say_unreadable(report.unreadable)


def _exit_code(report: Report, strict: bool) -> int:
    if report.unreadable:
        return 2
    fatal = report.findings if strict else report.count(Severity.ERROR)
    return 1 if fatal else 0
