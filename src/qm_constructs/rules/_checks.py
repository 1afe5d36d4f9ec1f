"""What several families of rules ask of a value; each passes over what is not known."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import Final

from qm_constructs.arns import NAME
from qm_constructs.instance_types import TRAINING_INSTANCE_TYPES
from qm_constructs.plan import Path, Resource, Unknown
from qm_constructs.rules._rule import Violation

MAX_CAPACITY_LIMITS: Final = 5
INSTANCE_TYPE_PREFIX: Final = "ml."
NUM_INSTANCES: Final = "NUM_INSTANCES"

_NAME: Final = re.compile(NAME)


def name(resource: Resource, path: Path) -> Iterator[Violation]:
    """Yields a violation when a name breaks the pattern that all four resources share."""
    value = resource.at(path)
    if not isinstance(value, str) or _NAME.fullmatch(value):
        return
    allowed = "A name has 1 to 128 characters: letters, digits, hyphens and underscores"
    if not value:
        yield Violation(path, f"{allowed}; this one is empty.", "Write a name, or leave it out.")
        return
    if len(value) > 128:
        problem = f"{allowed}; this one has {len(value)} characters."
        yield Violation(path, problem, "Choose a shorter name.")
        return
    wrong = ", ".join(dict.fromkeys(ascii(c) for c in re.findall(r"[^a-zA-Z0-9_-]", value)))
    valid = re.sub(r"[^a-zA-Z0-9_-]+", "-", value).strip("-")
    yield Violation(
        path,
        f"{allowed}; this one has {wrong}.",
        f"Write {valid!r}, say." if valid else "Choose another name.",
    )


def number_of_limits(resource: Resource, owner: str) -> Iterator[Violation]:
    """Yields a violation when a resource has no capacity limit, or more than five."""
    path: Path = ("CapacityLimits",)
    limits = resource.at(path)
    if not isinstance(limits, list) or 1 <= len(limits) <= MAX_CAPACITY_LIMITS:
        return
    allowed = f"{owner} has 1 to {MAX_CAPACITY_LIMITS} capacity limits; this one has {len(limits)}."
    fix = (
        "Name at least one instance type and how many, such as {'ml.p5.48xlarge': 16}."
        if not limits
        else f"Keep {MAX_CAPACITY_LIMITS} instance types, and divide the rest in another queue."
    )
    yield Violation(path, allowed, fix)


def capacity_at_least_one(resource: Resource) -> Iterator[Violation]:
    """Yields a violation for each limit below one instance."""
    for limit in resource.capacity_limits:
        if isinstance(limit.max_capacity, int) and limit.max_capacity < 1:
            yield Violation(
                ("CapacityLimits", limit.index, "MaxCapacity"),
                "A capacity limit is a whole number of instances, 1 or more.",
                "Give 1 or more, or leave the instance type out.",
            )


def units(resource: Resource) -> Iterator[tuple[Path, str]]:
    """Yields each capacity unit that is known, with its path."""
    for limit in resource.capacity_limits:
        if not isinstance(limit.unit, Unknown):
            yield ("CapacityLimits", limit.index, "CapacityUnit"), limit.unit


def not_an_instance_type(resource: Resource) -> Iterator[Violation]:
    """Yields a violation for each capacity unit that cannot be a SageMaker instance type."""
    for path, unit in units(resource):
        if unit == NUM_INSTANCES or unit.startswith(INSTANCE_TYPE_PREFIX):
            continue
        meant = similar_unit(unit)
        yield Violation(
            path,
            f"A capacity unit is a SageMaker instance type, and those start with "
            f"{INSTANCE_TYPE_PREFIX!r}.",
            f"Did you mean {meant!r}?" if meant else "Name the type, such as 'ml.p5.48xlarge'.",
        )


def similar_unit(unit: str, known: Iterable[str] = TRAINING_INSTANCE_TYPES) -> str | None:
    """Returns the capacity unit that somebody probably meant, None when there is no likely one."""
    known = sorted(known)
    wanted = unit.strip().lower()
    if not wanted.startswith(INSTANCE_TYPE_PREFIX):
        wanted = INSTANCE_TYPE_PREFIX + wanted
    if wanted in known:
        return wanted
    close = difflib.get_close_matches(wanted, known, n=1, cutoff=0.8)
    return close[0] if close else None
