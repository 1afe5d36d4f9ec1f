"""A quotas file as the stack that its queue would be in, so that all else reads it as one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from qm_constructs import defaults
from qm_constructs.plan import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SAGEMAKER_TRAINING,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    Path,
)
from qm_constructs.quotas.reading import FAULTY, Read
from qm_constructs.template.source import PlaceOf
from qm_constructs.template.stack import Stack, Written

# With a space, which a share's name, and so its logical id, cannot have.
POLICY_ID: Final = "scheduling policy"
ENVIRONMENT_ID: Final = "service environment"
QUEUE_ID: Final = "job queue"

_SHARES: Final = "quota_shares"
_OWNER: Final = {
    "capacity_limits": SERVICE_ENVIRONMENT,
    "service_environment_name": SERVICE_ENVIRONMENT,
    "scheduling_policy_name": SCHEDULING_POLICY,
}
_UNKNOWN: Final = {"Fn::Unknown": ""}


def stack_of(read: Read, file: str, place_of: PlaceOf) -> Stack:
    """Returns the stack of the four resources that a quotas file stands for.

    A share's logical id is its name. As in the construct, an unnamed environment and an unnamed
    policy are others once the queue has another name.

    Args:
        read: What the file holds.
        file: The file, as the user named it.
        place_of: Where each part of it stands.
    """
    return _Builder(read, file, place_of).stack()


class _Builder:
    def __init__(self, read: Read, file: str, place_of: PlaceOf) -> None:
        self._read = read
        self._file = file
        self._place_of = place_of
        self._values = read.values
        self._written: dict[tuple[str, Path], Path] = {}
        self._ids = {
            SCHEDULING_POLICY: self._id_of_part(POLICY_ID, "scheduling_policy_name"),
            SERVICE_ENVIRONMENT: self._id_of_part(ENVIRONMENT_ID, "service_environment_name"),
            JOB_QUEUE: QUEUE_ID,
        }
        self._name_of: dict[str, str] = {}
        shares = self._values.get(_SHARES, {})
        for name in shares if isinstance(shares, Mapping) else ():
            id = f"{name} (quota share)" if name in self._ids.values() else name
            self._name_of[id] = name

    def stack(self) -> Stack:
        """Returns the stack."""
        resources = {
            self._ids[type]: {"Type": type, "Properties": properties}
            for type, properties in (
                (SCHEDULING_POLICY, self._policy()),
                (SERVICE_ENVIRONMENT, self._environment()),
                (JOB_QUEUE, self._queue()),
            )
        }
        for id in self._name_of:
            resources[id] = {"Type": QUOTA_SHARE, "Properties": self._share(id)}
        return Stack(
            {"Resources": resources},
            self._file,
            line_of=self._line_of,
            written=self._as_written,
            faulty=bool(self._read.faults),
        )

    # -- the resources

    def _policy(self) -> dict[str, Any]:
        id = self._ids[SCHEDULING_POLICY]
        fifo = {"QuotaSharePolicy": {"IdleResourceAssignmentStrategy": "FIFO"}}
        name = self._copied(id, "Name", "scheduling_policy_name")
        return {**name, **fifo, **self._tags(id)}

    def _environment(self) -> dict[str, Any]:
        id = self._ids[SERVICE_ENVIRONMENT]
        return {
            **self._copied(id, "ServiceEnvironmentName", "service_environment_name"),
            "ServiceEnvironmentType": SAGEMAKER_TRAINING,
            "State": _state(defaults.ENABLED),
            "CapacityLimits": self._limits(id, ("capacity_limits",)),
            **self._tags(id),
        }

    def _queue(self) -> dict[str, Any]:
        enabled = self._put(QUEUE_ID, ("State",), ("enabled",), defaults.ENABLED)
        priority = self._put(QUEUE_ID, ("Priority",), ("priority",), defaults.PRIORITY)
        environment = {"Ref": self._ids[SERVICE_ENVIRONMENT]}
        return {
            **self._copied(QUEUE_ID, "JobQueueName", "job_queue_name"),
            "JobQueueType": SAGEMAKER_TRAINING,
            **self._time_limits(),
            "Priority": _known(priority),
            "SchedulingPolicyArn": {"Ref": self._ids[SCHEDULING_POLICY]},
            "ServiceEnvironmentOrder": [{"Order": 1, "ServiceEnvironment": environment}],
            "State": _state(enabled),
            **self._tags(QUEUE_ID),
        }

    def _share(self, id: str) -> dict[str, Any]:
        within = (_SHARES, self._name_of[id])
        self._written[id, ("QuotaShareName",)] = within
        preempts = self._put(
            id,
            ("PreemptionConfiguration", "InSharePreemption"),
            (*within, "in_share_preemption"),
            defaults.IN_SHARE_PREEMPTION,
        )
        enabled = self._put(id, ("State",), (*within, "enabled"), defaults.ENABLED)
        return {
            "QuotaShareName": self._name_of[id],
            "JobQueue": {"Ref": QUEUE_ID},
            "CapacityLimits": self._limits(id, (*within, "capacity_limits")),
            "ResourceSharingConfiguration": self._sharing(id, (*within, "resource_sharing")),
            "PreemptionConfiguration": {"InSharePreemption": _state(preempts)},
            "State": _state(enabled),
            **self._tags(id, within),
        }

    # -- their properties

    def _limits(self, id: str, written: Path) -> Any:
        limits = self._put(id, ("CapacityLimits",), written, FAULTY)
        if not isinstance(limits, Mapping):
            return _UNKNOWN
        entries = []
        for index, (unit, most) in enumerate(sorted(limits.items())):
            here: Path = ("CapacityLimits", index)
            for path in (here, (*here, "CapacityUnit"), (*here, "MaxCapacity")):
                self._written[id, path] = (*written, unit)
            entries.append({"CapacityUnit": unit, "MaxCapacity": _known(most)})
        return entries

    def _sharing(self, id: str, written: Path) -> Any:
        owner = "ResourceSharingConfiguration"
        sharing = self._put(id, (owner,), written, {"strategy": defaults.STRATEGY})
        if not isinstance(sharing, Mapping) or FAULTY in sharing.values():
            return _UNKNOWN
        found: dict[str, Any] = {}
        for name, key in (("Strategy", "strategy"), ("BorrowLimit", "borrow_limit")):
            if key in sharing:
                self._written[id, (owner, name)] = (*written, key)
                found[name] = sharing[key]
        return found

    def _time_limits(self) -> dict[str, Any]:
        owner, key = "JobStateTimeLimitActions", "job_state_time_limits"
        given = self._put(QUEUE_ID, (owner,), (key,), {})
        if not isinstance(given, Mapping):
            return {owner: _UNKNOWN}
        actions: list[dict[str, Any]] = []
        for limit, seconds in {**defaults.TIME_LIMIT_SECONDS, **given}.items():
            if seconds is not None:
                self._written[QUEUE_ID, (owner, len(actions))] = (key, limit)
                actions.append(defaults.time_limit_action(limit, _known(seconds)))
        return {owner: actions} if actions else {}

    def _tags(self, id: str, within: Path = ()) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for written in dict.fromkeys([("tags",), (*within, "tags")]):
            tags = self._at(written, {})
            if not isinstance(tags, Mapping):
                return {"Tags": _UNKNOWN}
            if tags:
                self._written[id, ("Tags",)] = written
            for key, value in tags.items():
                self._written[id, ("Tags", key)] = (*written, key)
                found[key] = _known(value)
        return {"Tags": found} if found else {}

    def _copied(self, id: str, name: str, key: str) -> dict[str, Any]:
        value = self._put(id, (name,), (key,), None)
        return {} if value is None else {name: _known(value)}

    def _put(self, id: str, path: Path, written: Path, default: Any) -> Any:
        """Returns what stands in the file for a property, and keeps where that is."""
        self._written[id, path] = written
        return self._at(written, default)

    def _at(self, written: Path, default: Any) -> Any:
        value: Any = self._values
        for step in written:
            if value is FAULTY:
                return FAULTY
            if step not in value:
                return default
            value = value[step]
        return value

    def _id_of_part(self, id: str, name_key: str) -> str:
        name = self._values.get("job_queue_name")
        if self._values.get(name_key) is not None or not isinstance(name, str):
            return id
        return f"{id} of {name}"

    # -- where they are written

    def _place(self, id: str, path: Path) -> Path:
        """Returns the keys from the top of the file, as deep as a property is written there."""
        for end in range(len(path), 0, -1):
            if (id, path[:end]) in self._written:
                return self._written[id, path[:end]]
        return (_SHARES, self._name_of[id]) if id in self._name_of else ()

    def _line_of(self, path: Path) -> int:
        # Of ("Resources", id, "Properties", ...).
        id = str(path[1]) if len(path) > 1 else ""
        return self._place_of(self._place(id, path[3:]))[0]

    def _as_written(self, id: str, path: Path) -> Written:
        # Of ("Properties", ...).
        place = self._place(id, path[1:])
        value = self._at(place, None)
        if place[:1] == (_SHARES,):
            owner = next(id for id, name in self._name_of.items() if name == place[1])
            # A share's name is the resource itself, and no value of it.
            return Written(owner, place[2:], value if place[2:] else None)
        owner = self._ids[_OWNER.get(str(place[0]), JOB_QUEUE)] if place else id
        return Written(owner, place, value)


def _known(value: Any) -> Any:
    return _UNKNOWN if value is FAULTY else value


def _state(enabled: Any) -> Any:
    if isinstance(enabled, bool):
        return "ENABLED" if enabled else "DISABLED"
    return _UNKNOWN
