"""The errors of queues that stand however the template turns out, as sentences beside a plan."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from qm_constructs.plan import ENVIRONMENT, Path, QueuePlan, readable, sharing
from qm_constructs.rules import Severity
from qm_constructs.template.locating import located
from qm_constructs.template.one_world import by_key
from qm_constructs.template.plans import Group
from qm_constructs.template.report import Located
from qm_constructs.template.universe import Member, Universe

_ONE_QUEUE: Final = "SE-12"
# A plan says these of a capacity unit.
_SAID_OTHERWISE: Final = ("XR-01",)
_MOST: Final = 5
_ORDER: Final[Path] = ENVIRONMENT[:1]


class StandingErrors:
    """The errors in a group of resources that stand in all of its worlds.

    Args:
        universe: The stacks.
        groups: The group in each of its worlds, at least one.
    """

    def __init__(self, universe: Universe, groups: list[Group]) -> None:
        met = {
            key: finding
            for key, finding in by_key(groups[0]).items()
            if finding.rule.severity is Severity.ERROR and key.rule not in _SAID_OTHERWISE
        }
        for group in groups[1:]:
            if not met:
                break
            here = by_key(group)
            met = {key: finding for key, finding in met.items() if key in here}
        found = [(key.member, located(universe, key, finding, "")) for key, finding in met.items()]
        self._found: list[tuple[Member, Located]] = found

    def of(self, members: AbstractSet[Member], rivals: AbstractSet[Member]) -> tuple[str, ...]:
        """Returns a sentence for each error of a queue.

        Args:
            members: The queue, its environment, its policy and its shares.
            rivals: The queues that name its service environment too.
        """
        told = [
            _sentence(found)
            for member, found in self._found
            if member in members or (member in rivals and found.rule.id == _ONE_QUEUE)
        ]
        # What a quotas file writes once may be a property of several resources.
        told = list(dict.fromkeys(told))
        more = len(told) - _MOST
        return (*told[:_MOST], *([f"qm-constructs check finds {more} more."] if more > 0 else []))


def _sentence(found: Located) -> str:
    path = readable(found.path)
    where = " ".join(filter(None, [found.resource, path]))
    value = f" = {found.value}" if found.value and path else ""
    return f"qm-constructs check finds an error, {found.rule.id}: {where}{value}: {found.message}"


def rivals_in(group: Group) -> dict[QueuePlan, list[QueuePlan]]:
    """Returns the queues that share a service environment, which is one queue's alone (SE-12).

    Args:
        group: The resources.
    """
    found: dict[QueuePlan, list[QueuePlan]] = {}
    for later, first in sharing(group.plans, lambda plan: plan.environment_keys):
        if later.quota_management or first.quota_management:
            found.setdefault(later, []).append(first)
            found.setdefault(first, []).append(later)
    return found


def has_one_environment(plan: QueuePlan) -> bool:
    """Tells whether a queue names no more than one service environment (JQ-03)."""
    order = plan.queue.at(_ORDER)
    return not isinstance(order, list) or len(order) <= 1
