"""What a change does to running and queued jobs, the worst first, and how that is told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

_GUIDE: Final = "https://docs.aws.amazon.com/batch/latest/userguide"
_API: Final = "https://docs.aws.amazon.com/batch/latest/APIReference"
_CLOUDFORMATION: Final = "https://docs.aws.amazon.com/AWSCloudFormation/latest"

# The AWS pages that say what a change does.
PREEMPTION: Final = f"{_GUIDE}/preemption.html"
SHARES: Final = f"{_GUIDE}/quota-shares.html"
CREATE_SHARES: Final = f"{_GUIDE}/create-quota-shares.html"
QUOTA_MANAGEMENT: Final = f"{_GUIDE}/create-quota-management-resources.html"
ENVIRONMENT_UPDATES: Final = f"{_GUIDE}/updating-service-environments.html"
TIME_LIMITS: Final = f"{_GUIDE}/sm_job_stuck_in_runnable_time_limit_actions.html"
DELETE_SHARE: Final = f"{_API}/API_DeleteQuotaShare.html"
DELETE_QUEUE: Final = f"{_API}/API_DeleteJobQueue.html"
DELETE_POLICY: Final = f"{_API}/API_DeleteSchedulingPolicy.html"
DELETE_ENVIRONMENT: Final = f"{_API}/API_DeleteServiceEnvironment.html"
UPDATE_SHARE: Final = f"{_API}/API_UpdateQuotaShare.html"
UPDATE_QUEUE: Final = f"{_API}/API_UpdateJobQueue.html"
UPDATE_POLICY: Final = f"{_API}/API_UpdateSchedulingPolicy.html"
CUSTOM_NAME: Final = "https://repost.aws/knowledge-center/cloudformation-custom-name"
UPDATES: Final = f"{_CLOUDFORMATION}/UserGuide/using-cfn-updating-stacks-update-behaviors.html"
DELETION_POLICY: Final = f"{_CLOUDFORMATION}/TemplateReference/aws-attribute-deletionpolicy.html"
REPLACE_POLICY: Final = (
    f"{_CLOUDFORMATION}/TemplateReference/aws-attribute-updatereplacepolicy.html"
)


class Effect(str, Enum):
    """What a change does, the worst first.

    First what stops jobs that run: ended ones are lost, preempted ones start again. Then what
    cannot be deployed: it hurts no job, and has to be written anew before anything is deployed.
    Then what only new and waiting jobs feel: they are refused, wait longer, or fit no longer.
    """

    TERMINATES_JOBS = "terminates-jobs"
    PREEMPTS_JOBS = "preempts-jobs"
    CANNOT_DEPLOY = "cannot-deploy"
    BLOCKS_SUBMISSIONS = "blocks-submissions"
    SLOWS_JOBS = "slows-jobs"
    SAFE = "safe"

    @property
    def rank(self) -> int:
        """Its place in the order of harm, from 0 for the worst."""
        return _RANK[self]


_RANK: Final = {effect: rank for rank, effect in enumerate(Effect)}
HARMS: Final = tuple(effect for effect in Effect if effect is not Effect.SAFE)


@dataclass(frozen=True)
class Hit:
    """What one change of a resource does.

    Args:
        effect: What it does.
        property: The property that changes, as people write it; empty for the whole resource.
        message: What changes and whom that hits, in sentences.
        advice: How to do it without harm, in sentences; empty where there is no such way.
        source: The AWS page that says so.
        share: The name of the share that is hit; None where it is none or several.
        unit: The capacity unit that is hit; None where it is none or several.
        before: The value before; None for no value, an ``Unknown`` where it is not known.
        after: The value after, likewise.
    """

    effect: Effect
    property: str
    message: str
    advice: str = ""
    source: str = UPDATES
    share: str | None = None
    unit: str | None = None
    before: Any = None
    after: Any = None


@dataclass(frozen=True)
class Change:
    """A hit, with the resource whose change it is.

    Args:
        hit: What the change does.
        resource: The logical id of the resource that changes.
        type: Its CloudFormation type.
        stack: The name of its stack; None when it is not known.
        file: The file of the new template; None where the resource is in none.
        line: The line in that file, from 1; None when it is not known.
        nested: The logical ids of the nested stacks around it, from the outside.
    """

    hit: Hit
    resource: str
    type: str
    stack: str | None = None
    file: str | None = None
    line: int | None = None
    nested: tuple[str, ...] = ()
