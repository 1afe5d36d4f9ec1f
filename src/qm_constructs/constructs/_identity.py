"""What an ARN identifies: two texts may be one resource, and one text may be two."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence

from aws_cdk import Intrinsic, Reference, Stack, Tokenization
from constructs import Construct, IConstruct

from qm_constructs.arguments import Arguments
from qm_constructs.arns import parse_arn
from qm_constructs.plan import QueuePlan, Resource
from qm_constructs.rules import judge_queue
from qm_constructs.tokens import is_one_token, is_token


class _Same:
    """Any object, equal to itself alone."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __hash__(self) -> int:
        return id(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._value is other._value


def key_of(value: object) -> Hashable:
    """Returns what an object is known by: jsii may give another Python object at each access."""
    reference = getattr(value, "__jsii_ref__", None)
    known: str | None = getattr(reference, "ref", None)
    return known or _Same(value)


def root_of(scope: IConstruct) -> Hashable:
    """Returns what the app that a construct is in is known by."""
    return key_of(scope.node.root)


def construct_behind(arn: object) -> IConstruct | None:
    """Returns the resource whose reference or attribute a text is, None for any other text."""
    if not isinstance(arn, str) or not is_one_token(arn):
        return None
    token = Tokenization.reverse_complete_string(arn)
    return token.target if isinstance(token, Reference) else None


def identity_of(scope: Construct, arn: str, kind: str) -> Hashable:
    """Returns what an ARN is known by, so that two of one resource are known by the same.

    A literal ARN is one resource in the whole app. A token may stand for another resource in each
    stack; within a stack, two imports of one value are one.

    Args:
        scope: Where the ARN is used.
        arn: The ARN, literal or token.
        kind: The kind of resource.
    """
    parts = parse_arn(arn, kind)
    if parts is not None:
        return root_of(scope), kind, parts
    stack = Stack.of(scope)
    if is_one_token(arn):
        token = Tokenization.reverse_complete_string(arn)
        # A Lazy is not looked into: what it gives now may not be what it gives at the synth.
        if isinstance(token, Intrinsic):
            return key_of(stack), json.dumps(stack.resolve(token), sort_keys=True)
    return key_of(stack), arn


def literal_environment(scope: IConstruct) -> tuple[str | None, str | None]:
    """Returns the account and the Region of a construct's stack, each None when it is a token."""
    stack = Stack.of(scope)
    account, region = stack.account, stack.region
    return None if is_token(account) else account, None if is_token(region) else region


def check_same_place(
    arguments: Arguments, scope: Construct, queue: Resource, shares: Sequence[Resource] = ()
) -> None:
    """Keeps a fault for what is in another account or Region than the stack.

    Args:
        arguments: The call.
        scope: What is made, in its stack.
        queue: The queue, with the ARNs that it refers to.
        shares: Its shares, with the ARN of the queue.
    """
    account, region = literal_environment(scope)
    plan = QueuePlan(queue, shares=[*shares], account=account, region=region)
    arguments.findings(judge_queue(plan))
