"""How the formats word what they have in common."""

from __future__ import annotations

import textwrap
from typing import Final

from qm_constructs.plan import readable
from qm_constructs.rules import Severity
from qm_constructs.template.report import Located, Note, Report, Unreadable

STDIN: Final = "-"
"""The file of what came by standard input."""

_WIDTH: Final = 79


def property_of(found: Located) -> str:
    """Returns the property at fault with its value: ``Priority = 1001``."""
    path = readable(found.path)
    return f"{path} = {found.value}" if found.value and path else path


def said(found: Located) -> str:
    """Returns what is wrong, with the property and its value where there is one."""
    place = property_of(found)
    return f"{place}: {found.message}" if found.value and place else found.message


def count(number: int, noun: str) -> str:
    """Returns a number of things: ``1 error``, ``2 errors``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def place(file: str, line: int | None) -> str:
    """Returns a place as editors know it: ``file:line``."""
    name = "standard input" if file == STDIN else file
    return name if line is None else f"{name}:{line}"


def unreadable_line(problem: Unreadable) -> str:
    """Returns what could not be read and why."""
    return f"{place(problem.file, problem.line)}: {problem.reason}"


def note_line(note: Note) -> str:
    """Returns a note with its file."""
    return f"{place(note.file, None)}: {note.message}"


def summary(report: Report) -> str:
    """Returns in a line what was found, in how much, and what was left out."""
    return "; ".join(filter(None, [_found(report), _left_out(report), _not_read(report)]))


def _found(report: Report) -> str:
    files = ((report.templates, "template"), (report.quotas_files, "quotas file"))
    read = " and ".join(count(*number) for number in files if number[0])
    if not read:
        return "Nothing was checked"
    if not report.resources:
        found = f"Nothing to check: {read} without a resource of AWS Batch quota management"
        told = report.findings or report.wrong_parts
        return f"{_numbers(report)}; {found}" if told else found
    checked = f"{read} ({count(report.resources, 'resource')} of AWS Batch)"
    return f"{_numbers(report)} in {checked}"


def _numbers(report: Report) -> str:
    numbers = [(report.count(severity), severity.value) for severity in Severity]
    told = [count(*number) for number in numbers if number[0]]
    wrong = report.wrong_parts
    if wrong:
        told.insert(0, "1 wrong key or value" if wrong == 1 else f"{wrong} wrong keys or values")
    return ", ".join(told) or "No errors or warnings"


def _left_out(report: Report) -> str:
    numbers = [(report.acknowledged, "acknowledged"), (report.ignored, "ignored")]
    return ", ".join(f"{number} {how}" for number, how in numbers if number)


def _not_read(report: Report) -> str:
    number = len({problem.file for problem in report.unreadable if not problem.part})
    return f"{count(number, 'file')} could not be read" if number else ""


def wrapped(text: str, indent: str = "", rest: str | None = None) -> str:
    """Returns a text in lines that fit a terminal, long words whole.

    Args:
        text: The text.
        indent: What stands before the first line.
        rest: What stands before the others; the same by default.
    """
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
