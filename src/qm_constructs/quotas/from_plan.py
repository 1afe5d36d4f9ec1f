"""Any plan as the values of a quotas file, as far as a quotas file can say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from qm_constructs import defaults
from qm_constructs.errors import NOT_GIVEN, Fault, QuotaManagementError
from qm_constructs.plan import Path, QueuePlan, Resource, Unknown, is_whole_number, readable

if TYPE_CHECKING:
    from qm_constructs.quota_plan import QuotaPlan

_STATES: Final = {"ENABLED": True, "DISABLED": False}
_LIMIT_OF: Final = {reason: limit for limit, reason in defaults.TIME_LIMIT_REASONS.items()}
_UNKNOWN: Final = "Only the deploy knows this value."
_TELL: Final = "Write the value itself into the template."


def values_of(plan: QuotaPlan, call: str) -> dict[str, Any]:
    """Returns what a quotas file of a plan holds.

    Args:
        plan: The plan.
        call: The call, as its error will name it.

    Raises:
        QuotaManagementError: The plan has what a quotas file cannot say.
    """
    if plan.source is not None:
        return plan.source.values
    writer = _Writer()
    if len(plan.ways) > 1:
        problem = "The template has conditions, so that the queue can turn out in several ways."
        writer.fault("plan", NOT_GIVEN, problem, "Write a file for each way.")
    if not plan.complete:
        problem = "Other templates may add shares to the queue."
        writer.fault("quota_shares", NOT_GIVEN, problem, "Write the file from all of them.")
    values = writer.queue(plan.ways[0])
    if writer.faults:
        raise QuotaManagementError(call, writer.faults)
    return values


class _Writer:
    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, argument: str, value: Any, problem: str, fix: str) -> None:
        """Keeps what a quotas file cannot say."""
        self.faults.append(Fault(argument, value, problem, fix))

    def queue(self, plan: QueuePlan) -> dict[str, Any]:
        """Returns the values of the whole file."""
        queue, environment = plan.queue, plan.environment
        tags = self._tags(queue, "tags")
        found = {
            "job_queue_name": self._text(queue, ("JobQueueName",), "job_queue_name"),
            "capacity_limits": self._limits(environment, "capacity_limits"),
            "priority": self._priority(queue),
            "enabled": self._flag(queue, ("State",), "enabled", defaults.ENABLED),
            "service_environment_name": None,
            "scheduling_policy_name": None,
            "job_state_time_limits": self._time_limits(queue),
            "tags": tags or None,
        }
        for part, name, key in (
            (environment, "ServiceEnvironmentName", "service_environment_name"),
            (plan.policy, "Name", "scheduling_policy_name"),
        ):
            if part is not None:
                found[key] = self._text(part, (name,), key)
                if self._tags(part, "tags") != tags:
                    problem = "The queue, its environment and its policy have different tags."
                    self.fault("tags", tags, problem, "Give all of them the same.")
        if environment is not None and environment.at(("State",)) == "DISABLED":
            problem = "A quotas file cannot disable the service environment."
            self.fault("service_environment", "DISABLED", problem, "Enable it.")
        shares: dict[str, Any] = {}
        for share in plan.shares:
            name = share.at(("QuotaShareName",))
            if not isinstance(name, str) or name in shares:
                problem = (
                    _UNKNOWN if isinstance(name, Unknown) else "Each share needs its own name."
                )
                self.fault("quota_shares", _source(name), problem, _TELL)
                continue
            shares[name] = self._share(share, readable(("quota_shares", name)), tags)
        found["quota_shares"] = shares or None
        return {key: value for key, value in found.items() if value is not None}

    def _share(self, share: Resource, here: str, tags: Mapping[str, Any]) -> dict[str, Any]:
        own = self._tags(share, f"{here}.tags")
        if not tags.keys() <= own.keys():
            problem = "A quotas file gives a share all tags of its queue."
            self.fault(f"{here}.tags", own, problem, "Give the share the queue's tags too.")
        preemption = ("PreemptionConfiguration", "InSharePreemption")
        found = {
            "capacity_limits": self._limits(share, f"{here}.capacity_limits"),
            "resource_sharing": self._sharing(share, f"{here}.resource_sharing"),
            "in_share_preemption": self._flag(
                share, preemption, f"{here}.in_share_preemption", defaults.IN_SHARE_PREEMPTION
            ),
            "enabled": self._flag(share, ("State",), f"{here}.enabled", defaults.ENABLED),
            "tags": {k: v for k, v in own.items() if tags.get(k) != v} or None,
        }
        return {key: value for key, value in found.items() if value is not None}

    def _limits(self, resource: Resource | None, argument: str) -> dict[str, int]:
        limits = () if resource is None else resource.capacity_limits
        found: dict[str, int] = {}
        for limit in limits:
            unit, most = limit.unit, limit.max_capacity
            if isinstance(unit, str) and is_whole_number(most) and unit not in found:
                found[unit] = most
            else:
                twice = isinstance(unit, str) and unit in found
                problem = "A quotas file has one limit for each type." if twice else _UNKNOWN
                self.fault(
                    f"{argument}", _source(most if isinstance(unit, str) else unit), problem, _TELL
                )
        if not limits:
            problem = "The capacity limits are not known."
            self.fault(argument, NOT_GIVEN, problem, _TELL)
        return found

    def _sharing(self, share: Resource, argument: str) -> dict[str, Any] | None:
        sharing = share.at(("ResourceSharingConfiguration",))
        known = sharing if isinstance(sharing, Mapping) else {}
        strategy, limit = known.get("Strategy"), known.get("BorrowLimit")
        if not isinstance(strategy, str):
            self.fault(argument, _source(strategy), _UNKNOWN, _TELL)
        if limit is not None and not is_whole_number(limit):
            self.fault(f"{argument}.borrow_limit", _source(limit), _UNKNOWN, _TELL)
        found = {"strategy": strategy} | ({} if limit is None else {"borrow_limit": limit})
        return None if found == {"strategy": defaults.STRATEGY} else found

    def _time_limits(self, queue: Resource) -> dict[str, Any] | None:
        argument = "job_state_time_limits"
        actions = queue.at(("JobStateTimeLimitActions",))
        found: dict[str, Any] = dict.fromkeys(defaults.TIME_LIMIT_SECONDS)
        for action in actions if isinstance(actions, list) else [actions] * (actions is not None):
            known = action if isinstance(action, Mapping) else {}
            limit = _LIMIT_OF.get(str(known.get("Reason")))
            seconds = known.get("MaxTimeSeconds")
            if limit is None or not is_whole_number(seconds):
                self.fault(argument, _source(known.get("Reason", action)), _UNKNOWN, _TELL)
            else:
                found[limit] = seconds
        usual = defaults.TIME_LIMIT_SECONDS
        return {k: v for k, v in found.items() if v != usual[k]} or None

    def _priority(self, queue: Resource) -> int | None:
        value = queue.at(("Priority",))
        if is_whole_number(value):
            return None if value == defaults.PRIORITY else value
        self.fault("priority", _source(value), _UNKNOWN, _TELL)
        return None

    def _text(self, resource: Resource, path: Path, argument: str) -> str | None:
        value = resource.at(path)
        if value is None or isinstance(value, str):
            return value
        self.fault(argument, _source(value), _UNKNOWN, _TELL)
        return None

    def _flag(self, resource: Resource, path: Path, argument: str, usual: bool) -> bool | None:
        value = resource.at(path)
        if value is None:
            return None
        if isinstance(value, str) and value in _STATES:
            return None if _STATES[value] == usual else _STATES[value]
        self.fault(argument, _source(value), _UNKNOWN, _TELL)
        return None

    def _tags(self, resource: Resource, argument: str) -> dict[str, Any]:
        tags = resource.at(("Tags",))
        found: dict[str, Any] = {}
        known = tags if isinstance(tags, Mapping) else {}
        for key, value in known.items():
            if isinstance(key, str) and isinstance(value, str):
                found[key] = value
            else:
                self.fault(argument, _source(value), _UNKNOWN, _TELL)
        if tags is not None and not isinstance(tags, Mapping):
            self.fault(argument, _source(tags), _UNKNOWN, _TELL)
        return found


def _source(value: Any) -> Any:
    if value is None:
        return NOT_GIVEN
    return value.source if isinstance(value, Unknown) else value
