"""Quotas files read: for the commands as a stack, in Python as a plan or an error."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from qm_constructs.errors import NOT_GIVEN, Fault, QuotaManagementError, as_written, shown
from qm_constructs.plan import QUOTA_SHARE, Path, readable
from qm_constructs.quota_plan import QuotaPlan
from qm_constructs.quotas.as_stack import stack_of
from qm_constructs.quotas.reading import Read, ShapeFault, read
from qm_constructs.rules import Severity
from qm_constructs.template import _files as files
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.loading import STDIN
from qm_constructs.template.quota_plans import plans_of
from qm_constructs.template.report import Located, Unreadable
from qm_constructs.template.source import CannotRead, PlaceOf, parse_value
from qm_constructs.template.stack import Stack


@dataclass(frozen=True)
class Source:
    """The quotas file that a plan was read from.

    Args:
        file: The file, as the user named it.
        values: What it holds.
        place_of: Where each part of it stands.
    """

    file: str
    values: dict[str, Any]
    place_of: PlaceOf

    def place(self, path: Path) -> str:
        """Returns where a key stands: ``quotas.yaml:7:5``."""
        line, column = self.place_of(path)
        return f"{self.file}:{line}:{column}"


def stack_in(value: Any, file: str, place_of: PlaceOf) -> tuple[list[Stack], list[Unreadable]]:
    """Returns a quotas file as a stack, and what of it cannot be read.

    Args:
        value: The value of the whole file.
        file: The file, as the user named it.
        place_of: Where each part of it stands.
    """
    found = read(value)
    in_order = sorted(found.faults, key=lambda fault: place_of(fault.path))
    problems = [_problem(fault, file, place_of) for fault in in_order]
    return [stack_of(found, file, place_of)], problems


def plan_from(path: str | os.PathLike[str]) -> QuotaPlan:
    """Returns the plan of the queue that a quotas file stands for.

    Args:
        path: The file.

    Raises:
        QuotaManagementError: It cannot be read, or has what AWS Batch would refuse.
    """
    call = f"QuotaPlan.from_file({shown(path)})"
    name = _name(call, path)
    file = files.printable(name)
    try:
        value, place_of = parse_value(files.read(name, or_dash=False), name)
        _check_whole(value)
    except CannotRead as error:
        problem, fix = f"The file {error.reason}.", error.fix
        otherwise = "Give a quotas file, in YAML or JSON."
        if name == STDIN:
            otherwise = "Give a file: standard input is for the commands."
        fault = Fault("path", path, problem, fix or otherwise)
        if error.line is not None:
            place = f"{file}:{error.line}" + (f":{error.column}" if error.column else "")
            fault = Fault("", NOT_GIVEN, problem, fix or "Mend it there.", place=place)
        raise QuotaManagementError(call, [fault]) from None
    found = read(value)
    stack = stack_of(found, file, place_of)
    source = Source(file, found.values, place_of)
    faults = [*_faults(found, source), *_broken_rules(stack, source)]
    if faults:
        raise QuotaManagementError(call, [fault for _, fault in sorted(faults, key=_first)])
    (plan,) = plans_of([stack])
    plan.source = source
    return plan


def _name(call: str, path: Any) -> str:
    try:
        return os.fsdecode(path)
    except TypeError:
        fix = "Write QuotaPlan.from_file('quotas.yaml'), say."
        fault = Fault("path", path, "Must be the path of a quotas file.", fix)
        raise QuotaManagementError(call, [fault]) from None


def _check_whole(value: Any) -> None:
    if not isinstance(value, dict):
        raise CannotRead("is no quotas file: it holds no map of capacity_limits and quota_shares")
    if "Resources" in value:
        raise CannotRead("is a CloudFormation template, and no quotas file")


def _first(pair: tuple[tuple[int, int], Fault]) -> tuple[int, int]:
    return pair[0]


def _faults(found: Read, source: Source) -> Iterator[tuple[tuple[int, int], Fault]]:
    for fault in found.faults:
        argument = readable(fault.path)
        place = source.place(fault.path)
        yield (
            source.place_of(fault.path),
            Fault(argument, fault.value, fault.problem, fault.fix, place=place),
        )


def _broken_rules(stack: Stack, source: Source) -> Iterator[tuple[tuple[int, int], Fault]]:
    for found in judge_stacks([stack]):
        if found.rule.severity is Severity.ERROR:
            path = _from_the_top(stack, found)
            value = _at(source.values, path)
            fault = Fault(
                readable(path),
                NOT_GIVEN if isinstance(value, Mapping) and value else value,
                found.message,
                found.fix,
                found.rule.id,
                source.place(path),
            )
            yield source.place_of(path), fault


def _from_the_top(stack: Stack, found: Located) -> Path:
    body = stack.template["Resources"][found.resource]
    if body["Type"] != QUOTA_SHARE:
        return found.path
    return ("quota_shares", body["Properties"]["QuotaShareName"], *found.path)


def _at(values: Any, path: Path) -> Any:
    for step in path:
        if not isinstance(values, Mapping) or step not in values:
            return NOT_GIVEN
        values = values[step]
    return values


def _problem(fault: ShapeFault, file: str, place_of: PlaceOf) -> Unreadable:
    line, column = place_of(fault.path)
    what = readable(fault.path)
    if fault.value is not NOT_GIVEN:
        what = f"{what} = {as_written(fault.value)}"
    said = f"{what}: {fault.problem} {fault.fix}".removeprefix(": ")
    return Unreadable(file, f"{said} (column {column})", line, part=True)
