"""What several families of rules ask of a value; each passes over what is not known."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from qm_constructs.arns import NAME
from qm_constructs.errors import shown
from qm_constructs.instance_types import TRAINING_INSTANCE_TYPES
from qm_constructs.plan import (
    INSTANCE_TYPE_PREFIX,
    Path,
    Resource,
    Unknown,
    UnknownArn,
    UnknownText,
    is_whole_number,
)
from qm_constructs.rules import _spelt
from qm_constructs.rules._rule import Violation
from qm_constructs.schema import TYPES, Struct, kind_at
from qm_constructs.spelling import nearest

MAX_CAPACITY_LIMITS: Final = 5
NUM_INSTANCES: Final = "NUM_INSTANCES"
STATES: Final = ("ENABLED", "DISABLED")

_NAME: Final = re.compile(NAME)
# What somebody wrote for a reference in a text.
_IN_SUB: Final = re.compile(r"\$\{[A-Za-z0-9:.]+\}")
# A number as people write it, with a sign for per cent or with spaces.
_SURROUNDED: Final = re.compile(r"\s*([-+]?[0-9]{1,9})\s*%?\s*", re.ASCII)
_IN_NUMBERS: Final = re.compile(r"[-+0-9.eE\s]*")


def name(resource: Resource, path: Path) -> Iterator[Violation]:
    """Yields a violation when a name breaks the pattern that all four resources share."""
    value = resource.at(path)
    whole = isinstance(value, str)
    text = value.literals if isinstance(value, UnknownText) else value
    if not isinstance(text, str) or _NAME.fullmatch(text):
        return
    allowed = "A name has 1 to 128 characters: letters, digits, hyphens and underscores"
    if not text:
        if whole:
            otherwise = "" if is_required(resource, path) else ", or leave it out"
            yield Violation(path, f"{allowed}; this one is empty.", f"Write a name{otherwise}.")
        return
    if len(text) > 128:
        problem = f"{allowed}; this one has {len(text)} characters{'' if whole else ' or more'}."
        yield Violation(path, problem, "Choose a shorter name.")
        return
    wrong = ", ".join(dict.fromkeys(map(_character, re.findall(r"[^a-zA-Z0-9_-]", text))))
    valid = valid_name(text) if whole else ""
    yield Violation(
        path,
        f"{allowed}; this one has {wrong}.",
        by_sub(text, f"Write {valid!r}, say." if valid else "Choose another name."),
    )


def valid_name(text: str) -> str:
    """Returns a name that is like one that is not valid; empty where there is none."""
    return re.sub(r"[^a-zA-Z0-9_-]+", "-", text).strip("-")


def by_sub(value: object, fix: str) -> str:
    """Returns how to mend a value: by ``Fn::Sub`` where it is a text that was meant for it.

    Args:
        value: The value.
        fix: How to mend any other, as a sentence.
    """
    if isinstance(value, str) and _IN_SUB.search(value):
        return (
            "Write it with Fn::Sub (!Sub in YAML), which fills in what is in ${}, but not in ${!}."
        )
    return fix


def _character(character: str) -> str:
    # Some letters of other alphabets look like those that are allowed.
    code = "" if character.isascii() else f" (U+{ord(character):04X})"
    return f"{shown(character)}{code}"


def number_of_limits(resource: Resource, owner: str) -> Iterator[Violation]:
    """Yields a violation when a resource has no capacity limit, or more than five."""
    path: Path = ("CapacityLimits",)
    limits = resource.at(path)
    if not isinstance(limits, list) or 1 <= len(limits) <= MAX_CAPACITY_LIMITS:
        return
    allowed = f"{owner} has 1 to {MAX_CAPACITY_LIMITS} capacity limits; this one has {len(limits)}."
    fix = (
        "Name at least one instance type, such as 'ml.p5.48xlarge', and how many of it."
        if not limits
        else f"Keep {MAX_CAPACITY_LIMITS} instance types, and divide the rest in another queue."
    )
    yield Violation(path, allowed, fix)


def whole_number(
    resource: Resource, path: Path, range_: tuple[float, float], allowed: str, fix: str
) -> Iterator[Violation]:
    """Yields a violation when a value is no whole number in a range, both ends included."""
    value = resource.at(path)
    if value is None or isinstance(value, dict | list):
        return
    least, most = range_
    if isinstance(value, Unknown):
        outside = _outside(value, least, most)
        if outside or is_no_number(value):
            yield Violation(path, f"{allowed}{outside}", fix)
        return
    if not is_whole_number(value) or not least <= value <= most:
        meant = _SURROUNDED.fullmatch(value) if isinstance(value, str) else None
        is_one = meant is not None and least <= int(meant[1]) <= most
        yield Violation(
            path, allowed, f"Write {int(meant[1])}." if meant and is_one else by_sub(value, fix)
        )


def _outside(value: Unknown, least: float, most: float) -> str:
    """Says how much a value that is not known is, where no number of a range is that."""
    if isinstance(value, UnknownText):
        if value.least is not None and value.least > most:
            return f" This one is {value.least} or more."
        if value.most is not None and value.most < least:
            return f" This one is {value.most} or less."
    return ""


def capacity_at_least_one(resource: Resource) -> Iterator[Violation]:
    """Yields a violation for each limit that is not at least one instance."""
    for index, _ in entries(resource, ("CapacityLimits",)):
        yield from whole_number(
            resource,
            ("CapacityLimits", index, "MaxCapacity"),
            (1, math.inf),
            "A capacity limit is a whole number of instances, 1 or more.",
            "Give a whole number, 1 or more, or leave the instance type out.",
        )


def one_of(
    resource: Resource, path: Path, what: str, allowed: Sequence[str]
) -> Iterator[Violation]:
    """Yields a violation when a text is none of those that are allowed."""
    value = resource.at(path)
    if value in allowed or not (isinstance(value, str) or identifies_a_resource(value)):
        return
    near = nearest(value.upper(), allowed, 0.8) if isinstance(value, str) else ""
    choices = allowed[0] if len(allowed) == 1 else f"one of {', '.join(allowed)}"
    instead = f"Write {allowed[0]}." if len(allowed) == 1 else "Choose one of them."
    yield Violation(
        path,
        f"{what} is {choices}.",
        f"Did you mean {near!r}?" if near else by_sub(value, instead),
    )


def identifies_a_resource(value: object) -> bool:
    """Tells whether a value that is not known surely is the id, the name or the ARN of something.

    Args:
        value: The value; an attribute of what is not of the four types may be anything.
    """
    if not isinstance(value, UnknownArn) or value.kind is None:
        return False
    if "::" not in value.kind:
        return True
    # Only a reference of a template is to a type, and that is well written.
    asked = value.source.get("Fn::GetAtt")
    attribute = asked[1] if isinstance(asked, list) else asked
    return "Ref" in value.source or (isinstance(attribute, str) and attribute.endswith("Arn"))


def is_no_number(value: Unknown) -> bool:
    """Tells whether a value that is not known surely is no number.

    Args:
        value: The value.
    """
    letters = isinstance(value, UnknownText) and not _IN_NUMBERS.fullmatch(value.literals)
    return letters or identifies_a_resource(value)


def has_arn_within(value: object) -> bool:
    """Tells whether a text that is put together has an ARN in it that does not begin it.

    Args:
        value: What a property has that names a resource.
    """
    if not isinstance(value, UnknownText) or not value.parts or not isinstance(value.parts[0], str):
        return False
    return "arn:" in value.literals[1:]


def other_resource(value: object) -> str:
    """Says what a property has in the place of one of ours: another type, or an ARN in a text.

    Args:
        value: What the property has.
    """
    if has_arn_within(value):
        return " This one has an ARN within another text; Ref gives a whole ARN."
    if not isinstance(value, UnknownArn) or "::" not in str(value.kind):
        return ""
    return f" This one names an {value.kind}."


def entries(resource: Resource, path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yields the maps in a list, each with its index."""
    found = resource.at(path)
    for index, entry in enumerate(found if isinstance(found, list) else ()):
        if isinstance(entry, dict):
            yield index, entry


def missing(resource: Resource, path: Path, what: str) -> Iterator[Violation]:
    """Yields a violation for all the required members that a map lacks."""
    owner = resource.at(path)
    kind = kind_at(resource.type, path)
    if not isinstance(owner, dict) or not isinstance(kind, Struct):
        return
    # What is spelt otherwise, or stands elsewhere, is CF-01's.
    lacking = [
        name
        for name in kind.required
        if name not in owner and not _spelt.is_written(resource, *path, name)
    ]
    if lacking:
        are = "which is required" if len(lacking) == 1 else "which are required"
        problem = f"{what} has no {listed(lacking, ' and no ', ', no ')}, {are}."
        yield Violation(path, problem, f"Add {listed(lacking)}.", apart=problem)


def listed(names: Sequence[str], last: str = " and ", comma: str = ", ") -> str:
    """Returns names as a list in a sentence."""
    return last.join(filter(None, [comma.join(names[:-1]), *names[-1:]]))


def is_required(resource: Resource, path: Path) -> bool:
    """Tells whether CloudFormation's schema requires a property, or all of them together."""
    if not path:
        return bool(TYPES[resource.type].required)
    owner = kind_at(resource.type, path[:-1])
    return isinstance(owner, Struct) and path[-1] in owner.required


def counts_instance_types(environment: Resource) -> bool:
    """Tells whether a service environment counts instance types, as quota management does."""
    known = [unit for _, unit in units(environment)]
    return bool(known) and all(unit.startswith(INSTANCE_TYPE_PREFIX) for unit in known)


def units(resource: Resource) -> Iterator[tuple[Path, str]]:
    """Yields each capacity unit that is known, with its path."""
    for limit in resource.capacity_limits:
        if not isinstance(limit.unit, Unknown):
            yield ("CapacityLimits", limit.place, "CapacityUnit"), limit.unit


def unit_twice(resource: Resource, owner: str) -> Iterator[Violation]:
    """Yields a violation for each capacity unit that has a limit already."""
    seen: set[str] = set()
    for path, unit in units(resource):
        if unit in seen:
            yield Violation(
                path,
                f"{owner} has a capacity limit for {unit!r} already.",
                "Keep one limit for each instance type.",
            )
        seen.add(unit)


def not_an_instance_type(resource: Resource) -> Iterator[Violation]:
    """Yields a violation for each capacity unit that cannot be a SageMaker instance type."""
    for limit in resource.capacity_limits:
        unit = limit.unit
        if isinstance(unit, Unknown):
            is_wrong = identifies_a_resource(unit) or _starts_otherwise(unit)
        else:
            is_wrong = unit != NUM_INSTANCES and not unit.startswith(INSTANCE_TYPE_PREFIX)
        if is_wrong:
            meant = similar_unit(unit) if isinstance(unit, str) else None
            yield Violation(
                ("CapacityLimits", limit.place, "CapacityUnit"),
                f"A capacity unit is a SageMaker instance type, and those start with "
                f"{INSTANCE_TYPE_PREFIX!r}.",
                f"Did you mean {meant!r}?"
                if meant
                else by_sub(unit, "Name the type, such as 'ml.p5.48xlarge'."),
            )


def _starts_otherwise(unit: Unknown) -> bool:
    """Tells whether a text that is known in part starts as no capacity unit does."""
    start = unit.parts[0] if isinstance(unit, UnknownText) and unit.parts else None
    return isinstance(start, str) and not any(
        known.startswith(start) or start.startswith(known)
        for known in (INSTANCE_TYPE_PREFIX, NUM_INSTANCES)
    )


def similar_unit(unit: str, known: Iterable[str] = TRAINING_INSTANCE_TYPES) -> str | None:
    """Returns the capacity unit that somebody probably meant, None when there is no likely one."""
    known = sorted(known)
    wanted = unit.strip().lower()
    if not wanted.startswith(INSTANCE_TYPE_PREFIX):
        wanted = INSTANCE_TYPE_PREFIX + wanted
    if wanted in known:
        return wanted
    return nearest(wanted, known, 0.85) or None
