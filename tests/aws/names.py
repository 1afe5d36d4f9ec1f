"""Names and ARNs, as the service takes and gives them."""

from __future__ import annotations

import re
from typing import Final

from ministack.core.responses import get_account_id, get_region

from .errors import ClientError

_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,128}")


def check_name(name: str, kind: str) -> None:
    """Refuses a name that AWS Batch does not take."""
    if not _NAME.fullmatch(name):
        raise ClientError(f"{kind} name should match a valid pattern.")


def _partition(region: str) -> str:
    if region.startswith("cn-"):
        return "aws-cn"
    return "aws-us-gov" if region.startswith("us-gov-") else "aws"


def arn_of(kind: str, name: str) -> str:
    """Returns the ARN of a resource in the caller's account and Region."""
    region = get_region()
    return f"arn:{_partition(region)}:batch:{region}:{get_account_id()}:{kind}/{name}"


def name_from(kind: str, given: str) -> str:
    """Returns the name of a resource of the caller's account and Region, given its name or ARN.

    The ARN of another kind, account or Region is returned as it is: it is nobody's name here.
    """
    prefix = arn_of(kind, "")
    return given.removeprefix(prefix) if given.startswith(prefix) else given
