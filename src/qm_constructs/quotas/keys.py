"""What a quotas file may hold: the table behind its reader, its writer and its JSON Schema.

The keys are the arguments of ``QuotaManagedTrainingQueue`` and of ``QuotaShareOptions``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from qm_constructs import defaults
from qm_constructs.arns import NAME
from qm_constructs.instance_types import TRAINING_INSTANCE_TYPES
from qm_constructs.plan import INSTANCE_TYPE_PREFIX, MAX_INTEGER, STRATEGIES, UNLIMITED
from qm_constructs.rules._checks import MAX_CAPACITY_LIMITS
from qm_constructs.rules.job_queue import MAX_PRIORITY, MIN_PRIORITY
from qm_constructs.rules.quota_share import MAX_SHARES
from qm_constructs.rules.tags import MAX_KEY, MAX_TAGS, MAX_VALUE
from qm_constructs.rules.time_limits import MAX_TIME_SECONDS, MIN_TIME_SECONDS


@dataclass(frozen=True)
class Text:
    """Text.

    Args:
        pattern: What the rules ask of it, as a regular expression for all of it; empty for none.
        longest: The most characters; None for any.
        options: The only texts there are; empty for any.
    """

    pattern: str = ""
    longest: int | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Number:
    """A whole number.

    Args:
        least: The least that the rules take.
        most: The most that they take.
        or_null: Whether null may stand in its place.
    """

    least: int
    most: int = MAX_INTEGER
    or_null: bool = False


@dataclass(frozen=True)
class Flag:
    """True or false."""


@dataclass(frozen=True)
class Entries:
    """A map whose keys are the writer's own.

    Args:
        keys: What the keys are.
        values: What stands behind each.
        article: How a message names it.
        example: One, as YAML has it.
        least: The fewest entries that the rules take.
        most: The most that they take.
        known: Keys to propose.
    """

    keys: Text
    values: AnyKind
    article: str
    example: str
    least: int = 0
    most: int | None = None
    known: tuple[str, ...] = ()


@dataclass(frozen=True)
class Key:
    """A key of a section.

    Args:
        kind: What stands behind it.
        says: What it means, in a sentence.
        default: What counts where it is left out; None for nothing.
    """

    kind: AnyKind
    says: str
    default: Any = None


@dataclass(frozen=True)
class Section:
    """A map whose keys are fixed.

    Args:
        name: What has these keys.
        members: The keys, in the order in which they are written.
        required: The keys that cannot be left out.
        example: One, as YAML has it.
    """

    name: str
    members: Mapping[str, Key]
    required: tuple[str, ...] = ()
    example: str = field(default="", kw_only=True)


AnyKind = Text | Number | Flag | Entries | Section

SCHEMA_KEY: Final = "$schema"
"""Where a JSON file names its JSON Schema for an editor; it means nothing else."""

NOT_LITERAL: Final = r"\{\{resolve:|[$#]\{Token\["
"""What is found in a text that only a deploy or a CDK app would know."""

FUNCTION: Final = r"(Ref$|Fn::)"
"""What a key starts with that CloudFormation takes for a function."""

# What SJ-09 does not allow, as far as it is ASCII.
_NO_TAG_TEXT: Final = "".join(
    re.escape(c) for c in map(chr, range(128)) if not (c.isalnum() or c in " +-=._:/@")
)
_TAG_TEXT: Final = rf"^(?![aA][wW][sS]:)[^{_NO_TAG_TEXT}]*$"

NAME_TEXT: Final = Text(f"^{NAME}$")
LIMITS: Final = Entries(
    keys=Text(f"^{re.escape(INSTANCE_TYPE_PREFIX)}"),
    values=Number(1),
    article="a map of instance types to how many of each",
    example="{ml.p5.48xlarge: 16}",
    least=1,
    most=MAX_CAPACITY_LIMITS,
    known=tuple(sorted(TRAINING_INSTANCE_TYPES)),
)
TAGS: Final = Entries(
    keys=Text(_TAG_TEXT, MAX_KEY),
    values=Text(_TAG_TEXT, MAX_VALUE),
    article="a map of tag keys to texts",
    example="{team: research}",
    most=MAX_TAGS,
)
RESOURCE_SHARING: Final = Section(
    "resource_sharing",
    {
        "strategy": Key(
            Text(options=STRATEGIES),
            "RESERVE keeps idle capacity, LEND lends it, LEND_AND_BORROW also borrows what others "
            "leave idle.",
        ),
        "borrow_limit": Key(
            Number(UNLIMITED),
            "With LEND_AND_BORROW: how much more than its own limits the share may use, in per "
            f"cent of each; {UNLIMITED} for no limit.",
            UNLIMITED,
        ),
    },
    ("strategy",),
    example="{strategy: LEND_AND_BORROW, borrow_limit: 50}",
)
TIME_LIMITS: Final = Section(
    "job_state_time_limits",
    {
        limit: Key(
            Number(MIN_TIME_SECONDS, MAX_TIME_SECONDS, or_null=True),
            f"After how many seconds a job that {waits} is ended; null for never.",
            defaults.TIME_LIMIT_SECONDS[limit],
        )
        for limit, waits in (
            (
                "service_environment_max_resource",
                "is larger than the service environment's capacity limit",
            ),
            (
                "quota_management_limit_exceeded",
                "is larger than its quota share may ever use",
            ),
            ("insufficient_instance_capacity", "waits for AWS to have the instances"),
        )
    },
    example="{insufficient_instance_capacity: 14400}",
)
SHARE: Final = Section(
    "a quota share",
    {
        "capacity_limits": Key(LIMITS, "How many instances of each type are the share's own."),
        "resource_sharing": Key(
            RESOURCE_SHARING,
            "What the share does with idle capacity.",
            {"strategy": defaults.STRATEGY},
        ),
        "in_share_preemption": Key(
            Flag(),
            "Whether a job may stop a running one of lower priority in the same share.",
            defaults.IN_SHARE_PREEMPTION,
        ),
        "enabled": Key(Flag(), "Whether jobs may be submitted to the share.", defaults.ENABLED),
        "tags": Key(TAGS, "Tags of the share, beside those of the queue."),
    },
    ("capacity_limits",),
    example="{capacity_limits: {ml.p5.48xlarge: 8}}",
)
SHARES: Final = Entries(
    keys=NAME_TEXT,
    values=SHARE,
    article="a map of names to what each share has",
    example="{research: {capacity_limits: {ml.p5.48xlarge: 8}}}",
    most=MAX_SHARES,
)
FILE: Final = Section(
    "a quotas file",
    {
        SCHEMA_KEY: Key(Text(), "The JSON Schema of this file, for an editor."),
        "job_queue_name": Key(
            NAME_TEXT, "A physical name for the queue; by default CloudFormation makes one."
        ),
        "capacity_limits": Key(
            LIMITS, "How many instances of each type the queue may use at once."
        ),
        "priority": Key(
            Number(MIN_PRIORITY, MAX_PRIORITY), "The queue's priority.", defaults.PRIORITY
        ),
        "enabled": Key(Flag(), "Whether jobs may be submitted to the queue.", defaults.ENABLED),
        "service_environment_name": Key(
            NAME_TEXT, "A physical name for the service environment; by default it has none."
        ),
        "scheduling_policy_name": Key(
            NAME_TEXT, "A physical name for the scheduling policy; by default it has none."
        ),
        "job_state_time_limits": Key(TIME_LIMITS, "When waiting jobs are ended."),
        "tags": Key(TAGS, "Tags of the policy, the environment, the queue and all its shares."),
        "quota_shares": Key(SHARES, "The quota shares of the queue, by name."),
    },
    ("capacity_limits",),
    example="{capacity_limits: {ml.p5.48xlarge: 16}}",
)
