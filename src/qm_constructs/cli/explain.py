"""``qm-constructs explain``: whether a job can ever run, and why not."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Final

from qm_constructs.cli._arguments import Parser, UsageError, did_you_mean
from qm_constructs.cli._output import plain, write
from qm_constructs.cli._paths import (
    PATH_IS,
    add_format,
    check_format,
    check_paths,
    say_unreadable,
    standard_input,
    unreadable_for_programs,
)
from qm_constructs.cli._wording import wrapped
from qm_constructs.errors import Fault
from qm_constructs.explaining import Explanation
from qm_constructs.questions import faults_of_count
from qm_constructs.quota_plan import PlannedShare, QuotaPlan
from qm_constructs.template.quota_plans import PlansRead, read_plans
from qm_constructs.template.report import Unreadable

FORMATS: Final = ("text", "json")

_EXIT_CODE_OF: Final = {True: 0, False: 1, None: 3}
_NEEDED: Final = ("--share", "--instance-type", "--count")
_EXAMPLE: Final = (
    "qm-constructs explain cdk.out --share research --instance-type ml.p5.48xlarge --count 4"
)
_NONE: Final = "a queue needs a scheduling policy with a QuotaSharePolicy (JQ-07)"
_EPILOG: Final = f"""\
{PATH_IS}
Parameters are taken for their defaults.

exit codes:
  0  the job can run
  1  it never can
  2  the question is wrong, or something could not be read
  3  the template does not tell

example:
  qm-constructs explain cdk.out --share research \\
      --instance-type ml.p5.48xlarge --count 4
"""


def run(arguments: Sequence[str]) -> int:
    """Answers the question that the arguments ask, and returns the exit code."""
    parser = _parser()
    given, paths = parser.parse(arguments)
    check_format(parser, given.format, FORMATS)
    check_paths(parser, paths)
    count = _checked(parser, given)
    read = read_plans(paths, standard_input())
    if read.unreadable:
        if given.format == "json":
            write(_json(None, read.unreadable), sys.stdout)
        say_unreadable(read.unreadable)
        return 2
    asked = _asked(parser, given, read)
    found = _share(parser, given, asked)
    for plan in asked if found is None else [found[0]]:
        _raise_first(parser, "--instance-type", plan.faults_of_type(given.instance_type))
    answer = _not_told(given.share)
    if found is not None:
        answer = found[1].explain(given.instance_type, count)
    write(_json(answer) if given.format == "json" else _text(answer), sys.stdout)
    return _EXIT_CODE_OF[answer.runnable]


def _parser() -> Parser:
    parser = Parser(
        "qm-constructs explain",
        "PATH... --share NAME --instance-type TYPE --count N",
        "Tells whether a job can ever run in a quota share, and if not what would help.",
        _EPILOG,
    )
    parser.add_argument("--share", metavar="NAME", help="the quota share's name")
    parser.add_argument("--instance-type", metavar="TYPE", help="such as ml.p5.48xlarge")
    parser.add_argument("--count", metavar="N", help="how many instances the job asks for")
    parser.add_argument(
        "--queue",
        metavar="QUEUE",
        help="the queue, where several have such a share: its name, its logical id, or "
        "Stack/LogicalId",
    )
    add_format(parser, FORMATS)
    return parser


def _checked(parser: Parser, given: Namespace) -> int:
    missing = [name for name in _NEEDED if getattr(given, name[2:].replace("-", "_")) is None]
    if missing:
        problem = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
        raise parser.wrong(problem, _EXAMPLE)
    digits = str(given.count).isascii() and str(given.count).isdigit() and len(given.count) < 19
    count = int(given.count) if digits else given.count
    _raise_first(parser, "--count", faults_of_count(count))
    return int(count)


def _raise_first(parser: Parser, option: str, faults: Sequence[Fault]) -> None:
    for fault in faults:
        problem = f"{option} {plain(str(fault.value))}: {plain(fault.problem)}"
        raise parser.wrong(problem, plain(fault.fix))


def _names_of(plan: QuotaPlan) -> list[str]:
    """Returns what a queue may be called, the most exact last."""
    origin = plan.origin
    names = [plan.name, origin.queue]
    if origin.stack is not None and origin.queue is not None:
        names.append(f"{origin.stack}/{origin.queue}")
    return [name for name in names if name is not None]


def _asked(parser: Parser, given: Namespace, read: PlansRead) -> list[QuotaPlan]:
    """Returns the queues that may be meant; none where a macro may make the one that is."""
    plans = read.plans
    if not plans and not read.by_macro:
        why = plain(" ".join(one.said() for one in read.left_out)) or _NONE
        raise parser.wrong("no queue of AWS Batch quota management was found", why)
    if given.queue is None:
        return [*plans]
    found = [plan for plan in plans if given.queue in _names_of(plan)]
    if found or read.by_macro:
        return found
    known = [name for plan in plans for name in _names_of(plan)]
    hint = did_you_mean(given.queue, known) or _listed("the queues are", known)
    raise parser.wrong(f"there is no queue '{plain(given.queue)}'", hint)


def _share(
    parser: Parser, given: Namespace, plans: Sequence[QuotaPlan]
) -> tuple[QuotaPlan, PlannedShare] | None:
    """Returns the share that is meant with its queue; None where the template may not name it."""
    found = [(plan, s) for plan in plans for s in plan.shares if s.name == given.share]
    if len(found) == 1:
        return found[0]
    name = f"'{plain(given.share)}'"
    if found:
        raise _several(parser, name, [plan for plan, _ in found])
    if not plans or any(_may_have(plan) for plan in plans):
        return None
    known = [s.name for plan in plans for s in plan.shares if s.name is not None]
    hint = did_you_mean(given.share, known) or _listed("the shares are", known)
    raise parser.wrong(f"there is no share {name}", hint)


def _may_have(plan: QuotaPlan) -> bool:
    """Tells whether a queue may have a share of any name."""
    return plan.standing.by_macro or any(share.name is None for share in plan.shares)


def _several(parser: Parser, name: str, plans: Sequence[QuotaPlan]) -> UsageError:
    names = [_names_of(plan)[-1:] for plan in plans]
    if len({*map(id, plans)}) < len(plans):
        return parser.wrong(f"a queue has several shares {name}", "see: qm-constructs check")
    options = [f"--queue {plain(name)}" for found in names for name in found]
    if len({*options}) < len(plans):
        return parser.wrong(f"several queues have a share {name}", "give one template alone")
    return parser.wrong(f"several queues have a share {name}", " or ".join(options))


def _listed(start: str, names: Sequence[str]) -> str:
    shown = [plain(name) for name in dict.fromkeys(names)]
    more = f" and {len(shown) - 9} more" if len(shown) > 10 else ""
    return f"{start} {', '.join(shown[:9] if more else shown)}{more}" if shown else "there is none"


def _not_told(name: str) -> Explanation:
    told = f"The template does not tell the names of all shares; one may be '{plain(name)}'."
    return Explanation(None, None, None, None, None, told)


def _json(answer: Explanation | None, unreadable: Sequence[Unreadable] = ()) -> str:
    told = dict.fromkeys(field.name for field in fields(Explanation))
    if answer is not None:
        told = asdict(answer)
    document = {**told, "unreadable": unreadable_for_programs(unreadable)}
    return json.dumps(document, indent=2) + "\n"


def _text(answer: Explanation) -> str:
    first, *rest = str(answer).splitlines()
    lines = [wrapped(plain(first)), *(wrapped(plain(line), "  ", "    ") for line in rest)]
    return "\n".join(lines) + "\n"
