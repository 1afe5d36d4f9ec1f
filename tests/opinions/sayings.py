"""What AWS says when it refuses, and the rules that say the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

_PATTERN: Final = "should match a valid pattern."

# By rule, the words in which AWS was seen to refuse.
QUOTED: Final[Mapping[str, tuple[str, ...]]] = {
    "SP-02": (f"Scheduling policy name {_PATTERN}",),
    "SP-03": ("Idle resource assignment strategy must be one of [FIFO].",),
    "SP-04": (
        "A scheduling policy can have either fairsharePolicy or quotaSharePolicy, but not both.",
    ),
    "SE-03": (f"Service environment name {_PATTERN}", "Object already exists"),
    "SE-04": ("Capacitylimits are required.", "Number of capacity limits exceeds 5."),
    "SE-06": (
        "Capacity units must specify either number of instances OR instance type, but not both",
    ),
    "SE-07": ("VCPU is unknown capacity unit in [ml.",),
    "SE-08": ("Max capacity must be more than 0.",),
    "JQ-02": (
        "The jobQueueType provided is ECS, which is incompatible with the provided "
        "serviceEnvironmentOrder.",
    ),
    "JQ-03": ("Job queue can only have 1 service environment.",),
    "JQ-04": ("Job queues of type SAGEMAKER_TRAINING must have serviceEnvironmentOrder.",),
    "JQ-06": (
        "Service environments must be created and valid before attaching them to a job queue.",
    ),
    "JQ-07": ("Quota Management feature is only supported for SageMaker Training job queues.",),
    "JQ-08": ("Only scheduling policy Arn can be allowed.",),
    "JQ-09": (f"Job Queue name {_PATTERN}",),
    "JT-03": ("Invalid job action. Valid job actions: [TERMINATE]",),
    "JT-06": ("Duplicate job state limit actions are not allowed.",),
}

# By pattern, all that the endpoint says.
_SAID: Final[Mapping[str, str]] = {
    **{f"^{re.escape(text)}": rule for rule, texts in QUOTED.items() for text in texts},
    "^Max capacity must be more than": "SE-09",
    r" is unknown capacity unit in \[ml\.": "SE-05 SE-07 SE-09 SE-13",
    r" is unknown capacity unit$": "QS-06 SE-13",
    "^Capacity units must specify either": "SE-05",
    "^Quota management requires instance types": "SE-05",
    r"^Service environment \S+ is already connected": "SE-12",
    "^Object already exists: ": "QS-03",
    r"^The jobQueueType provided is \w+, which is incompatible": "JQ-02",
    r"^SchedulingPolicy \S+ not found\.": "XR-09 JQ-06",
    r"^arn:\S+ does not exist": "XR-09 QS-20",
    r"^\S+ does not exist": "QS-15 QS-20",
    "^Service environments must be created and valid": "JQ-11 XR-09",
    f"^Quota share name {_PATTERN}": "QS-02",
    "^A quota share must have 1 to 5 capacity limits": "QS-04",
    "^A job queue can have at most 20 quota shares": "QS-16",
    "^Quota shares require a job queue with a quota share policy": "QS-20 JQ-07",
    "^(Tag (key|value)|A resource has at most 50 tags|Invalid length for parameter tags)": "SJ-09",
    r"^state is \S*, must be one of \[ENABLED, DISABLED\]": "SE-10 QS-13",
    "^Requested attribute": "CF-03 CF-05",
    # What AWS leaves open, and the endpoint refuses where its switch is on.
    "^Duplicate capacity units": "SE-11 QS-17",
    "^borrowLimit can only be set": "QS-08",
    r"^The service environment has no capacity limit for": "XR-01",
    "^Quota shares exceed the service environment": "XR-02",
    "^The quota share exceeds the service environment": "XR-03",
    r"^Invalid reason\. Valid reasons:": "JT-05 JT-08",
    "^(Missing required parameter in quotaSharePolicy|A scheduling policy must have)": "SP-06",
    "^The quota share policy is attached to another": "SP-08",
    "^Instance types as capacity units require": "JQ-13",
}

# By property, the rules that say what CloudFormation's schemas say of it.
_OF_PROPERTIES: Final[Mapping[str, str]] = {
    "ServiceEnvironmentType": "SE-01 SE-02",
    "CapacityLimits": "SE-01 QS-01",
    "CapacityUnit": "QS-05 QS-06",
    "MaxCapacity": "SE-08 QS-05",
    "State": "JQ-10 QS-13 JT-01 JT-02",
    "Priority": "JQ-01",
    "JobQueueType": "JQ-02",
    "JobQueueName": "JQ-09",
    "SchedulingPolicyArn": "JQ-08",
    "Order": "JQ-11",
    "ServiceEnvironment": "JQ-11",
    "Reason": "JT-01",
    "MaxTimeSeconds": "JT-01 JT-04",
    "Action": "JT-01 JT-03",
    "QuotaShareName": "QS-01 QS-02",
    "JobQueue": "QS-01",
    "ResourceSharingConfiguration": "QS-01",
    "Strategy": "QS-07",
    "BorrowLimit": "QS-09",
    "PreemptionConfiguration": "QS-01",
    "InSharePreemption": "QS-12",
}
_SCHEMA: Final = re.compile("^Properties validation failed for resource")
_FAULT: Final = re.compile(
    r"#(?P<path>[^:\]]*): (?:(?P<other>\d subschemas matched)|(?P<extra>extraneous key)"
    r"|required key \[(?P<key>\w+)\]|(?P<kind>[^,]*keyword \[type\])|)"
)


def rules_that_say(text: str) -> set[str]:
    """Returns the rules that say the same as a refusal."""
    if _SCHEMA.match(text):
        return {rule for rules in _of_schema(text) for rule in rules.split()}
    return {
        rule
        for pattern, rules in _SAID.items()
        if re.search(pattern, text)
        for rule in rules.split()
    }


def _of_schema(text: str) -> Iterator[str]:
    for fault in _FAULT.finditer(text):
        if fault["other"]:
            yield "JQ-04 JQ-05"
        elif fault["extra"]:
            yield "CF-01"
        else:
            steps = [step for step in fault["path"].split("/") if not step.isdecimal()]
            yield _OF_PROPERTIES.get(fault["key"] or steps[-1], "")
        if fault["kind"]:
            yield "CF-02"


# By rule, the fact that AWS leaves open, under which the endpoint refuses what the rule is about.
OPEN: Final[Mapping[str, str]] = {
    "SP-06": "SP-06",
    "SP-08": "SP-08",
    "SE-11": "SE-11",
    "SE-13": "SE-13",
    "JQ-13": "JQ-13",
    "JT-08": "JT-08",
    "QS-17": "QS-17",
    "XR-02": "XR-02",
    "XR-03": "XR-03",
    # These are errors, though AWS has not said that it refuses them.
    "JT-05": "JT-08",
    "QS-08": "QS-08",
    "XR-01": "XR-01",
}
# What the check does not say beside the first, because one fault is one finding, or because it is
# not known which of two limits counts.
ENTAILED: Final[Mapping[str, tuple[str, ...]]] = {
    "XR-01": ("SE-13",),
    "XR-03": ("XR-02",),
    "SE-11": ("XR-02", "XR-03"),
    "QS-17": ("XR-02", "XR-03"),
}
# Those that are no matter of a template by itself.
OF_CHANGES: Final = frozenset({"UP-04", "UP-08", "DE-06"})
