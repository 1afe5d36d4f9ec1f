"""The paths of a command line, read: each template by itself, each cdk.out as a whole."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

from qm_constructs.quotas.recognising import is_quotas_file
from qm_constructs.template._files import printable, read, read_stream, reason_of
from qm_constructs.template.report import Unreadable
from qm_constructs.template.source import CannotRead, Document, PlaceOf, parse_value, template_in
from qm_constructs.template.stack import Stack

STDIN: Final = "-"
MANIFEST: Final = "manifest.json"
Reader = Callable[[Any, PlaceOf], Document]


def load(paths: Sequence[str], stdin: BinaryIO) -> tuple[list[list[Stack]], list[Unreadable]]:
    """Returns what is to be judged, in groups that are judged together, and what is not readable.

    Args:
        paths: Template files, quotas files, cdk.out folders, and ``-`` for standard input.
        stdin: Standard input.
    """
    groups: list[list[Stack]] = []
    unreadable: list[Unreadable] = []
    for path in _once(paths):
        stacks, problems = load_path(path, stdin)
        unreadable.extend(problems)
        if stacks:
            groups.append(stacks)
    return groups, unreadable


def load_path(
    path: str, stdin: BinaryIO, read_template: Reader = template_in
) -> tuple[list[Stack], list[Unreadable]]:
    """Returns what one path leads to, which is judged together, and what is not readable.

    Args:
        path: A template file, a quotas file, a cdk.out folder, or ``-`` for standard input.
        stdin: Standard input.
        read_template: Returns the template that the value of a file is.
    """
    try:
        return _load(path, stdin, read_template)
    except CannotRead as error:
        return [], [Unreadable(printable(path), error.reason, error.line)]


def _once(paths: Sequence[str]) -> list[str]:
    """Returns the paths without those that lead to the same place as an earlier one."""
    by_place = {_place(path): path for path in reversed(paths)}
    return [path for path in dict.fromkeys(paths) if by_place[_place(path)] is path]


def _place(path: str) -> str:
    try:
        return path if path == STDIN or not path else os.path.realpath(path)
    except (OSError, ValueError):
        return path


def _load(
    path: str, stdin: BinaryIO, read_template: Reader
) -> tuple[list[Stack], list[Unreadable]]:
    if not path:
        raise CannotRead("is an empty path")
    if path != STDIN and _is_folder(path):
        _check_assembly(path)
        # Most checks are of a template, and start sooner without it.
        from qm_constructs.template.assembly import read_assembly  # noqa: PLC0415

        return read_assembly(path)
    value, place_of = parse_value(_stdin(stdin) if path == STDIN else read(path), path)
    if is_quotas_file(value):
        from qm_constructs.quotas.loading import stack_in  # noqa: PLC0415

        return stack_in(value, printable(path), place_of)
    document = read_template(value, place_of)
    return [Stack(document.template, printable(path), line_of=document.line_of)], []


def _stdin(stdin: BinaryIO) -> bytes:
    try:
        return read_stream(stdin)
    except (OSError, ValueError) as error:
        raise CannotRead(reason_of(error)) from None


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except OSError:  # reading it as a file tells why
        return False


def _check_assembly(folder: str) -> None:
    try:
        inside = {child.name for child in Path(folder).iterdir()}
        within = Path(folder, "cdk.out")
        is_inside = (within / MANIFEST).is_file()
    except OSError as error:
        raise CannotRead(reason_of(error)) from None
    if MANIFEST in inside:
        return
    hint = "run `cdk synth`, or name the template files"
    if is_inside:
        hint = f"give {printable(str(within))}"
    raise CannotRead(f"is no cdk.out folder: it has no {MANIFEST}; {hint}")
