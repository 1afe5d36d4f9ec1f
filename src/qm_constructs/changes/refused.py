"""What CloudFormation or AWS Batch refuses of a resource as it is written now."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from qm_constructs.changes.effects import Effect, Hit
from qm_constructs.changes.side import Deployed, Side
from qm_constructs.changes.values import limits_of, same, same_in_any_order
from qm_constructs.plan import QUOTA_SHARE, SCHEDULING_POLICY, Path, Resource
from qm_constructs.rules import Finding, Severity, judge


def refused(who: str, new: Side, now: Deployed, old: Side, before: Deployed | None) -> list[Hit]:
    """Returns a hit for each property that is refused, and was not the same before.

    Args:
        who: How a message names the resource.
        new: The side after.
        now: The resource after.
        old: The side before.
        before: The resource before; None where there was none.
    """
    found = list(_errors(new, now.resource))
    if before is not None and found:
        known = set(map(_fault, _errors(old, before.resource)))
        found = [
            error
            for error in found
            if _fault(error) not in known or _differs(before, now, error.path)
        ]
    return [_hit(who, now, before, error) for error in found]


def _errors(side: Side, resource: Resource) -> Iterator[Finding]:
    for found in judge(resource, _is_managed(side, resource)):
        if found.rule.severity is Severity.ERROR:
            yield found


def _fault(error: Finding) -> tuple[str, Path | str]:
    """Returns what two findings have in common when they are of one property."""
    return error.rule.id, error.path[:1] or error.problem


def _is_managed(side: Side, resource: Resource) -> bool | None:
    """Tells whether a resource is of quota management; None where it is not known."""
    if resource.type == QUOTA_SHARE:
        return True
    if resource.type == SCHEDULING_POLICY:
        return resource.at(("QuotaSharePolicy",)) is not None
    plan = side.plan_of.get(resource)
    plans = [plan] if plan is not None else side.plans_on.get(resource, [])
    return any(one.quota_management for one in plans) if plans else None


def _differs(before: Deployed, now: Deployed, path: Path) -> bool:
    if not path:
        return False  # what is missing has no value
    one, other = (side.resource.at(path[:1]) for side in (before, now))
    return not same(one, other) and not same_in_any_order(one, other)


def _hit(who: str, now: Deployed, before: Deployed | None, error: Finding) -> Hit:
    unconfirmed = f" {error.rule.unconfirmed}" if error.rule.unconfirmed else ""
    unit, was, value = _values(now, before, error.path)
    return Hit(
        Effect.CANNOT_DEPLOY,
        ".".join(str(step) for step in takewhile(_is_name, error.path)),
        f"The {who} is refused as it is written now. {error.problem}{unconfirmed}",
        error.fix,
        error.rule.source,
        now.share,
        unit,
        was,
        value,
    )


def _is_name(step: object) -> bool:
    return isinstance(step, str)


def _values(now: Deployed, before: Deployed | None, path: Path) -> tuple[str | None, Any, Any]:
    """Returns the unit at fault, and what is at fault before and after, as far as it is a value."""
    after = now.resource.at(path)
    unit = now.resource.at((*path[:2], "CapacityUnit")) if path[:1] == ("CapacityLimits",) else None
    unit = unit if isinstance(unit, str) and path[2:] == ("MaxCapacity",) else None
    if before is None:
        was = None
    else:
        was = limits_of(before.resource).by_unit.get(unit) if unit else before.resource.at(path)
    is_plain = not any(isinstance(value, dict | list) for value in (was, after))
    return unit, *((was, after) if is_plain else (None, None))
