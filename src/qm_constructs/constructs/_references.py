"""What a construct of the library tells of itself to the rest of CDK, made or imported."""

from __future__ import annotations

from typing import Final

from aws_cdk import CfnResource, Fn, Stack
from aws_cdk.interfaces import ResourceEnvironment
from constructs import Construct

from qm_constructs.arns import parse_arn
from qm_constructs.tokens import is_token

NAMES: Final[set[str]] = set()
"""The tokens of names that were given out, which some take for ARNs."""

# Where a resource's own name stands when its ARN is split at "/".
_PLACE_OF_NAME = {
    "scheduling-policy": 1,
    "service-environment": 1,
    "job-queue": 1,
    "quota-share": 3,
}


def name_in(arn: str, kind: str) -> str:
    """Returns the name in an ARN; from a token, a token that depends on the resource."""
    if is_token(arn):
        name = Fn.select(_PLACE_OF_NAME[kind], Fn.split("/", arn))
        NAMES.add(name)
        return name
    return arn.rpartition("/")[2]


def environment_of(
    construct: Construct, resource: CfnResource | None, arn: str, kind: str
) -> ResourceEnvironment:
    """Returns the account and Region of a resource: its stack's, or those in an imported ARN."""
    parts = parse_arn(arn, kind)
    if resource is None and parts is not None:
        return ResourceEnvironment(account=parts.account, region=parts.region)
    stack = Stack.of(construct)
    return ResourceEnvironment(account=stack.account, region=stack.region)


def described(construct: object, name: object) -> str:
    """Returns the repr of a construct, for error messages."""
    kind = type(construct).__name__.replace("_Imported", "imported ")
    return f"<{kind} {name!r}>"
