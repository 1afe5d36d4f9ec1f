"""What an ARN identifies: two texts may be one resource, and one text may be two."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable
from typing import Final

from aws_cdk import Intrinsic, Reference, Stack, Tokenization
from constructs import Construct, IConstruct

from qm_constructs.tokens import is_token

_ONE_TOKEN: Final = re.compile(r"\$\{Token\[[a-zA-Z0-9:._-]*\]\}")


def construct_behind(arn: object) -> IConstruct | None:
    """Returns the resource whose reference or attribute a text is, None for any other text."""
    if not isinstance(arn, str) or not _ONE_TOKEN.fullmatch(arn):
        return None
    token = Tokenization.reverse_complete_string(arn)
    return token.target if isinstance(token, Reference) else None


def identity_of(scope: Construct, arn: str) -> Hashable:
    """Returns what an ARN is known by, so that two of one resource are known by the same.

    A literal ARN is one resource in the whole app. A token may stand for another resource in each
    stack; within a stack, two imports of one value are one.

    Args:
        scope: Where the ARN is used.
        arn: The ARN, literal or token.
    """
    if not is_token(arn):
        return scope.node.root, arn
    stack = Stack.of(scope)
    if _ONE_TOKEN.fullmatch(arn):
        token = Tokenization.reverse_complete_string(arn)
        # A Lazy is not looked into: what it gives now may not be what it gives at the synth.
        if isinstance(token, Intrinsic):
            return stack, json.dumps(stack.resolve(token), sort_keys=True)
    return stack, arn


def literal_environment(scope: IConstruct) -> tuple[str | None, str | None]:
    """Returns the account and the Region of a construct's stack, each None when it is a token."""
    stack = Stack.of(scope)
    account, region = stack.account, stack.region
    return None if is_token(account) else account, None if is_token(region) else region
