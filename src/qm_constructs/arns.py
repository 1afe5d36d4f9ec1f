"""The ARNs of the four resources, read as text."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_ACCOUNT = "111122223333"

NAME: Final = "[a-zA-Z0-9_-]{1,128}"
"""The pattern of the name of each of the four resources."""

SHAPES: Final = {
    "service-environment": f"service-environment/({NAME})",
    "scheduling-policy": f"scheduling-policy/({NAME})",
    "job-queue": f"job-queue/({NAME})",
    "quota-share": f"job-queue/{NAME}/quota-share/({NAME})",
}

EXAMPLES: Final = {kind: f"arn:aws:batch:us-east-1:{_ACCOUNT}:{kind}/NAME" for kind in SHAPES} | {
    "quota-share": f"arn:aws:batch:us-east-1:{_ACCOUNT}:job-queue/NAME/quota-share/NAME"
}


class Arn(NamedTuple):
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
    """Returns the parts of an ARN, None when the text is no ARN of the kind with all parts known.

    Args:
        text: The text, literal but for the partition, which CDK writes as a token.
        kind: One of ``SHAPES``.
    """
    partition = r"(?:aws[a-z-]*|\$\{Token\[[^\]]*\]\})"
    match = re.fullmatch(rf"arn:{partition}:batch:([a-z0-9-]+):([0-9]{{12}}):{SHAPES[kind]}", text)
    return Arn(*match.groups()) if match else None
