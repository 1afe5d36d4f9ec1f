"""``qm-constructs diff``: what a change does to running and queued jobs."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import BinaryIO, Final

from qm_constructs.changes import HARMS, Effect, compare
from qm_constructs.cli._arguments import Parser, did_you_mean
from qm_constructs.cli._changes import Difference
from qm_constructs.cli._output import plain, write
from qm_constructs.cli._wording import STDIN, unreadable_line
from qm_constructs.template.loading import load_path
from qm_constructs.template.pairing import PairingError
from qm_constructs.template.report import Unreadable
from qm_constructs.template.sides import read_sides
from qm_constructs.template.source import answer_in
from qm_constructs.template.stack import Stack

FORMATS: Final = ("text", "markdown", "json", "github")
"""Each format, which is the module ``changes_as_...`` beside this one."""

_FOR_PEOPLE: Final = ("text", "markdown", "github")
_NAMES: Final = [effect.value for effect in Effect]
_TWO: Final = 2

_EPILOG: Final = """\
OLD and NEW are templates (JSON or YAML), cdk.out folders, or - for standard
input; also what `aws cloudformation get-template` prints; or two quotas files.

effects, the worst first:
  terminates-jobs     jobs are ended, running and queued
  preempts-jobs       jobs that run can be stopped, and start again
  cannot-deploy       the deploy fails; no job is hurt
  blocks-submissions  new jobs are refused, or not started
  slows-jobs          jobs wait longer, or fit no longer
  safe                nothing of that; with --fail-on: any change

exit codes:
  0  all is safe
  1  some change has another effect (with --fail-on: this one, or a worse one)
  2  something could not be read, or these arguments are wrong or no pair

examples:
  qm-constructs diff main/cdk.out cdk.out
  aws cloudformation get-template --stack-name Training | \\
    qm-constructs diff --fail-on preempts-jobs - cdk.out
"""


def run(arguments: Sequence[str]) -> int:
    """Compares what the arguments name, and returns the exit code."""
    parser = _parser()
    given, paths = parser.parse(arguments)
    _check_choice(parser, "format", given.format, FORMATS)
    _check_choice(parser, "effect", given.fail_on, _NAMES)
    if len(paths) != _TWO:
        told = "no template was" if not paths else f"{len(paths)} path{'s' * (len(paths) > 1)}"
        were = "" if not paths else (" was" if len(paths) == 1 else " were")
        raise parser.wrong(f"{told}{were} given", f"{parser.prog} OLD NEW")
    if paths.count(STDIN) > 1:
        raise parser.wrong("'-' is given twice", "standard input can be read once")
    difference = _difference(parser, paths, Effect(given.fail_on))
    _show(difference, given.format)
    return difference.exit_code


def _parser() -> Parser:
    parser = Parser(
        "qm-constructs diff",
        "[OPTION]... OLD NEW",
        "Says what a change of templates does to running and queued jobs.",
        _EPILOG,
    )
    parser.add_argument(
        "--format",
        default="text",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]} (default: text)",
    )
    parser.add_argument(
        "--fail-on",
        default=HARMS[-1].value,
        metavar="EFFECT",
        help=f"end with 1 on this effect and on worse ones only (default: {HARMS[-1].value})",
    )
    return parser


def _check_choice(parser: Parser, what: str, given: str, known: Sequence[str]) -> None:
    if given not in known:
        raise parser.wrong(
            f"there is no {what} '{plain(given)}'",
            did_you_mean(given, known) or f"it is one of {', '.join(known)}",
        )


def _difference(parser: Parser, paths: Sequence[str], fail_on: Effect) -> Difference:
    stdin: BinaryIO = sys.stdin.buffer if sys.stdin is not None else io.BytesIO()
    (old, not_old), (new, not_new) = (load_path(path, stdin, answer_in) for path in paths)
    if not_old or not_new:
        # What is missing for want of reading must not look removed.
        return Difference(unreadable=[*not_old, *not_new], fail_on=fail_on)
    quotas_file, other = _unlike(old, new)
    if quotas_file is not None:
        reason = (
            f"is a quotas file, and {other} is none: compare a quotas file with a quotas file, or "
            "cdk.out with cdk.out, for their logical ids differ"
        )
        return Difference(unreadable=[Unreadable(quotas_file, reason)], fail_on=fail_on)
    try:
        before, after = read_sides(old, new)
    except PairingError as error:
        raise parser.wrong(plain(str(error)), "compare a template with a template") from None
    return Difference(
        changes=compare(before, after),
        resources=len({*before.deployed, *after.deployed}),
        fail_on=fail_on,
    )


def _unlike(old: Sequence[Stack], new: Sequence[Stack]) -> tuple[str | None, str]:
    """Returns the quotas file and the other one, where only one of the two is a quotas file."""
    if not old or not new:
        return None, ""
    one, other = old[0], new[0]
    if (one.written is None) == (other.written is None):
        return None, ""
    return (other.file, one.file) if one.written is None else (one.file, other.file)


def _show(difference: Difference, form: str) -> None:
    render: Callable[[Difference], str] = import_module(
        f"qm_constructs.cli.changes_as_{form}"
    ).render
    if not difference.unreadable or form not in _FOR_PEOPLE:
        write(render(difference), sys.stdout)
    if form in _FOR_PEOPLE:
        for problem in difference.unreadable:
            write(f"qm-constructs: {plain(unreadable_line(problem))}\n", sys.stderr)
