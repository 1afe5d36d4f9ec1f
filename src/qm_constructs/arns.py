"""The ARNs of the four resources, read as text."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_ID = "111122223333"

NAME: Final = "[a-zA-Z0-9_-]{1,128}"
"""The pattern of the name of each of the four resources."""

ACCOUNT: Final = "[0-9]{12}"
"""The pattern of the id of an account."""

REGION: Final = "[a-z]{2,}(?:-[a-z]+)+-[0-9]+"
"""The pattern of the name of a Region."""

SHAPES: Final = {
    "service-environment": f"service-environment/({NAME})",
    "scheduling-policy": f"scheduling-policy/({NAME})",
    "job-queue": f"job-queue/({NAME})",
    "quota-share": f"job-queue/{NAME}/quota-share/({NAME})",
}

EXAMPLES: Final = {kind: f"arn:aws:batch:us-east-1:{_ID}:{kind}/NAME" for kind in SHAPES} | {
    "quota-share": f"arn:aws:batch:us-east-1:{_ID}:job-queue/NAME/quota-share/NAME"
}


_OF_AWS: Final = re.compile("(?:af|ap|ca|eu|il|me|mx|sa|us)-[a-z]+-[0-9]+")
_OTHER_PARTITIONS: Final = {
    "cn-": "aws-cn",
    "eu-isoe-": "aws-iso-e",
    "eusc-": "aws-eusc",
    "us-gov-": "aws-us-gov",
    "us-iso-": "aws-iso",
    "us-isob-": "aws-iso-b",
    "us-isof-": "aws-iso-f",
}


def partition_of(region: str) -> str | None:
    """Returns the partition that a Region belongs to, None for a Region of no known kind.

    Source: botocore's ``partitions.json``

    Args:
        region: The Region, such as ``us-east-1``.
    """
    if _OF_AWS.fullmatch(region):
        return "aws"
    return next((p for start, p in _OTHER_PARTITIONS.items() if region.startswith(start)), None)


class Arn(NamedTuple):
    """The ARN of one of the four resources.

    Source: Service Authorization Reference, "Actions, resources, and condition keys for AWS Batch"

    Args:
        region: The Region, such as ``us-east-1``.
        account: The account, 12 digits.
        name: The resource's own name, the last part of the ARN.
        partition: The partition, such as ``aws``; None where CDK writes it as a token.
    """

    region: str
    account: str
    name: str
    partition: str | None = None


def parse_arn(text: str, kind: str) -> Arn | None:
    """Returns the parts of an ARN, None when the text is no ARN of the kind with all parts known.

    Args:
        text: The text, literal but for the partition, which CDK writes as a token.
        kind: One of ``SHAPES``.
    """
    start = r"arn:(?:(aws[a-z-]*)|\$\{Token\[[^\]]*\]\})"
    match = re.fullmatch(rf"{start}:batch:([a-z0-9-]+):({ACCOUNT}):{SHAPES[kind]}", text)
    if match is None:
        return None
    partition, region, account, name = match.groups()
    return Arn(region, account, name, partition)
