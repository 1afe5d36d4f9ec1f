"""``qm-constructs plan``: who gets what of each queue in templates."""

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
from qm_constructs.quota_plan import QuotaPlan
from qm_constructs.template.quota_plans import LeftOut, read_plans

FORMATS: Final = ("text", "markdown", "json", "html", "svg")
"""Each format, which is the module ``plan_as_...`` beside this one."""

_EPILOG: Final = f"""\
{PATH_IS}
Parameters are taken for their defaults; what the template does not tell is
unknown, and so is all that depends on it.

exit codes:
  0  the plan was made
  2  something could not be read, or these arguments are wrong

examples:
  qm-constructs plan cdk.out
  qm-constructs plan --format html cdk.out > plan.html
"""


def run(arguments: Sequence[str]) -> int:
    """Shows the plans of the queues that the arguments name, and returns the exit code."""
    parser = Parser(
        "qm-constructs plan",
        "[OPTION]... PATH...",
        "Shows how the quota shares of each queue divide its service environment.",
        _EPILOG,
    )
    add_format(parser, FORMATS)
    given, paths = parser.parse(arguments)
    check_format(parser, given.format, FORMATS)
    check_paths(parser, paths)
    found = read_plans(paths, standard_input())
    if given.format == "json":
        from qm_constructs.cli import _plan_wording, plan_as_json  # noqa: PLC0415

        notes = _plan_wording.of_no_plan(found.plans, found.left_out) if found.templates else []
        notes += _plan_wording.notes(found.plans)
        write(plan_as_json.render(found.plans, found.unreadable, notes), sys.stdout)
    elif found.templates:
        module = import_module(f"qm_constructs.cli.plan_as_{given.format}")
        render: Callable[[Sequence[QuotaPlan], Sequence[LeftOut]], str] = module.render
        write(render(found.plans, found.left_out), sys.stdout)
    say_unreadable(found.unreadable)
    return 2 if found.unreadable else 0
