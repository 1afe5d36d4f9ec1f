"""What is wrong with a question about a plan: a name, an instance type or a count."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from qm_constructs.errors import Fault, shown
from qm_constructs.instance_types import TRAINING_INSTANCE_TYPES
from qm_constructs.plan import MAX_INTEGER, is_whole_number
from qm_constructs.rules._checks import similar_unit


def faults_of_name(name: object, known: Sequence[str | None]) -> list[Fault]:
    """Returns what is wrong with the name of a share that somebody asks about.

    Args:
        name: The name.
        known: The names of the queue's shares.
    """
    named = known.count(name) if isinstance(name, str) else 0
    if named == 1:
        return []
    if named:
        problem = f"{named} shares of the queue have this name (QS-03)."
        return [Fault("share", name, problem, "Give each share a name of its own.")]
    names = [other for other in known if other is not None]
    close = difflib.get_close_matches(str(name), names, n=1)
    has = f"The queue has no such share; it has {_listed(names)}."
    return [Fault("share", name, has, _meant(close, "Name one of its shares."))]


def faults_of_instance_type(instance_type: object, held: Iterable[str]) -> list[Fault]:
    """Returns what is wrong with an instance type that somebody asks about.

    Args:
        instance_type: The type.
        held: The units of the queue, which may be newer than the list of this library (SE-13).
    """
    known = TRAINING_INSTANCE_TYPES.union(held)
    if isinstance(instance_type, str) and instance_type in known:
        return []
    near = similar_unit(instance_type, known) if isinstance(instance_type, str) else None
    problem = "SageMaker Training has no such instance type."
    fix = _meant([near] if near else [], "Write a type such as 'ml.p5.48xlarge'.")
    return [Fault("instance_type", instance_type, problem, fix)]


def faults_of_count(count: object) -> list[Fault]:
    """Returns what is wrong with a number of instances that somebody asks about."""
    if is_whole_number(count) and 1 <= count <= MAX_INTEGER:
        return []
    problem = f"Must be a whole number from 1 to {MAX_INTEGER}."
    return [Fault("count", count, problem, "Give a number such as 4.")]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(shown(name) for name in names) if names else "none"


def _meant(close: Sequence[str], otherwise: str) -> str:
    return f"Did you mean {shown(close[0])}?" if close else otherwise
