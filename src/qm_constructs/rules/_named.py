"""The properties that name another resource by its ARN, and how to fill in one that does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from qm_constructs.plan import (
    ENVIRONMENT,
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    Path,
)
from qm_constructs.schema import ARN_ATTRIBUTE, TEXT, WHOLE_NUMBER, kind_at

NAMED: Final[Mapping[str, Mapping[Path, str]]] = {
    JOB_QUEUE: {("SchedulingPolicyArn",): SCHEDULING_POLICY, ENVIRONMENT: SERVICE_ENVIRONMENT},
    QUOTA_SHARE: {("JobQueue",): JOB_QUEUE},
}
"""By type, the properties that name a resource, and the type of that."""

_TAGS: Final = "Tags"
_CHOICE: Final = "Fn::If"


def instead(owner: str | None, path: Path, id: str, type: str) -> str:
    """Returns how to mend what asks a resource for an attribute that it lacks, as a sentence.

    Args:
        owner: The type of the resource that asks; None where it is none of the four.
        path: Where it stands in the properties, with the functions on its way.
        id: The logical id of the resource that is asked.
        type: The type of that resource.
    """
    if owner is None or not path or path[0] == _TAGS:
        return by_arn(id, type)
    written = _property(path)
    expected = NAMED.get(owner, {}).get(written)
    if expected is None:
        name = next((step for step in reversed(written) if isinstance(step, str)), "value")
        is_plain = kind_at(owner, written) in (TEXT, WHOLE_NUMBER)
        parameter = ", or !Ref of a parameter that has it" if is_plain else ""
        return f"Write the {name} itself{parameter}."
    return by_arn(id, type) if expected == type else f"Write !Ref of an {expected}."


def by_arn(id: str, type: str) -> str:
    """Returns how to name a resource of the template, as a sentence.

    Args:
        id: Its logical id.
        type: Its type.
    """
    return f"Write !GetAtt {id}.{ARN_ATTRIBUTE[type]}, or !Ref {id}, which is the same."


def _property(path: Path) -> Path:
    """Returns a property without the functions in it; every entry of a list is its first."""
    steps: list[str | int] = []
    left = iter(path)
    for step in left:
        if step == _CHOICE:
            next(left, None)
        elif str(step).startswith("Fn::"):
            break
        else:
            steps.append(0 if isinstance(step, int) else step)
    return tuple(steps)
