"""The ARNs of the four resources, read as text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_ACCOUNT = "111122223333"

SHAPES: Final = {
    "service-environment": r"service-environment/([a-zA-Z0-9_-]{1,128})",
    "scheduling-policy": r"scheduling-policy/([a-zA-Z0-9_-]{1,128})",
    "job-queue": r"job-queue/([a-zA-Z0-9_-]{1,128})",
    "quota-share": r"job-queue/[a-zA-Z0-9_-]{1,128}/quota-share/([a-zA-Z0-9_-]{1,128})",
}

EXAMPLES: Final = {kind: f"arn:aws:batch:us-east-1:{_ACCOUNT}:{kind}/NAME" for kind in SHAPES} | {
    "quota-share": f"arn:aws:batch:us-east-1:{_ACCOUNT}:job-queue/NAME/quota-share/NAME"
}


@dataclass(frozen=True)
class Arn:
    """The ARN of one of the four resources.

    Source: Service Authorization Reference, "Actions, resources, and condition keys for AWS Batch"

    Args:
        region: The Region, such as ``us-east-1``.
        account: The account, 12 digits.
        name: The resource's own name, the last part of the ARN.
    """

    region: str
    account: str
    name: str


def parse_arn(text: str, kind: str) -> Arn | None:
    """Returns the parts of an ARN, None when the text is no ARN of the kind.

    Args:
        text: The literal text.
        kind: One of ``SHAPES``.
    """
    match = re.fullmatch(rf"arn:aws[a-z-]*:batch:([a-z0-9-]+):([0-9]{{12}}):{SHAPES[kind]}", text)
    return Arn(*match.groups()) if match else None
