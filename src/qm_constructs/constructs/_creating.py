"""What every construct of the library does while it is made: check, create, render, warn."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from aws_cdk import CfnResource, RemovalPolicy, Stage, Token, Validations
from constructs import Construct
from jsii.errors import JavaScriptError

from qm_constructs.arguments import Arguments, argument_behind, value_behind
from qm_constructs.errors import Fault, QuotaManagementError, shown
from qm_constructs.plan import Resource, Unknown, UnknownNumber
from qm_constructs.rules import NAMESPACE, Finding, Severity
from qm_constructs.tokens import is_resolvable, is_token

Written = Mapping[str, tuple[str, Any]]
"""By property, the argument and the value that a queue's caller wrote for it."""

_NO_STACK = re.compile("scope of a Stack|InStackScope|[Nn]o [Ss]tack")

_REMOVAL_POLICIES = (
    RemovalPolicy.DESTROY,
    RemovalPolicy.RETAIN,
    RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
)


def call_of(construct: Construct, id: object) -> str:
    """Returns how an error names the making of a construct."""
    return f"{getattr(construct, '_made_by', type(construct).__name__)}({shown(id)})"


def check_place(arguments: Arguments, scope: object, id: object) -> None:
    """Keeps a fault for a scope that is in no stack and for an id that is no literal text."""
    fix = "Give the stack, or self within it."
    if not isinstance(scope, Construct):
        arguments.fault("scope", scope, "Must be a construct in a stack.", fix)
    elif isinstance(scope, Stage):  # an App is one
        arguments.fault(
            "scope", scope, "Must be a construct in a stack; an app or a stage is none.", fix
        )
    if not isinstance(id, str) or not id or is_token(id):
        problem = "Must be literal text, not empty and without tokens."
        arguments.fault("id", id, problem, "Write an id such as 'Training'.")


def check_removal_policy(arguments: Arguments, argument: str, value: object) -> None:
    """Keeps a fault for what is no removal policy of the four resources."""
    if value is None or any(value is policy for policy in _REMOVAL_POLICIES):
        return
    known = ", ".join(f"RemovalPolicy.{policy.name}" for policy in _REMOVAL_POLICIES)
    arguments.fault(argument, value, f"Must be one of {known}, or None.", "Choose one of them.")


def check_literal_name(arguments: Arguments, properties: Mapping[str, Any]) -> None:
    """Keeps a fault for a name that is a token, where the construct's id is made of it."""
    name = properties["QuotaShareName"]
    if isinstance(name, Unknown) and is_token(name.source):
        arguments.fault(
            "name",
            name.source,
            "Must be literal text, because the construct's id is made of it.",
            "Make the share with QuotaShare(..., quota_share_name=...), which takes a token.",
        )


@contextmanager
def asking_cdk(arguments: Arguments, scope: object) -> Iterator[None]:
    """Reads what only CDK knows; a scope in no stack is found out by it."""
    try:
        yield
    except RuntimeError as error:
        if not _is_about_the_stack(error):
            raise
        problem = f"Must be a construct in a stack; CDK says: {_reason(error)}."
        arguments.fault("scope", scope, problem, "Give the stack, or self within it.")
        arguments.raise_faults()


@contextmanager
def placed(construct: Construct, scope: Construct, id: str) -> Iterator[None]:
    """Puts a construct into the tree, and takes it out again where something in it is refused."""
    call = call_of(construct, id)
    try:
        Construct.__init__(construct, scope, id)
    except RuntimeError as error:
        if not isinstance(error.__cause__, JavaScriptError):
            raise
        taken = "already a Construct" in str(error)
        fix = "Choose another id." if taken else "Mend that first."
        raise QuotaManagementError(
            call, [Fault("id", id, f"CDK refuses it: {_reason(error)}.", fix)]
        ) from None
    try:
        yield
    except Exception as error:
        scope.node.try_remove_child(construct.node.id)
        if isinstance(error, QuotaManagementError):
            # Of a part, which the caller has not heard of.
            raise QuotaManagementError(call, error.faults) from None
        if not _is_about_the_stack(error):
            raise
        problem = f"CDK refuses what is made in it: {_reason(error)}."
        fault = Fault("scope", scope, problem, "Give the stack, or self within it.")
        raise QuotaManagementError(call, [fault]) from None


def _is_about_the_stack(error: Exception) -> bool:
    return isinstance(error.__cause__, JavaScriptError) and bool(_NO_STACK.search(str(error)))


def _reason(error: Exception) -> str:
    return str(error).strip().splitlines()[0].rstrip(".")


def rendered(value: Any) -> Any:
    """Returns a part of the CloudFormation view as an L1 takes it, with camelCase names."""
    if isinstance(value, Unknown):
        source = value.source
        if isinstance(value, UnknownNumber):
            return source if isinstance(source, float) else Token.as_number(source)
        return Token.as_string(source) if is_resolvable(source) else source
    if isinstance(value, Mapping):
        return {key[:1].lower() + key[1:]: rendered(part) for key, part in value.items()}
    if isinstance(value, list):
        return [rendered(part) for part in value]
    return value


def rendered_tags(tags: Mapping[Any, Any]) -> dict[str, str] | None:
    """Returns tags as an L1 takes them, None when there are none."""
    return {rendered(key): rendered(value) for key, value in tags.items()} or None


def state(enabled: bool) -> str:
    """Returns a ``State``, which is always rendered: an update keeps what a template leaves out."""
    return "ENABLED" if enabled else "DISABLED"


def apply_removal_policy(resource: CfnResource, removal_policy: RemovalPolicy | None) -> None:
    """Gives a resource a removal policy, if there is one."""
    if removal_policy is not None:
        resource.apply_removal_policy(removal_policy)


def warn(
    construct: Construct, findings: Iterable[Finding], written: Written = MappingProxyType({})
) -> None:
    """Adds each finding that is a warning to a construct, where its rule's id acknowledges it."""
    for finding in findings:
        if finding.rule.severity is Severity.WARNING:
            id = f"{NAMESPACE}::{finding.rule.id}"
            if not _acknowledged(construct, id):
                Validations.of(construct).add_warning(id, _warning_text(finding, written))


def _acknowledged(construct: Construct, id: str) -> bool:
    # CDK forgets an app's acknowledgement, and some versions the construct's own, of what is only
    # found at the synth.
    key = Validations.ACKNOWLEDGED_RULES_METADATA_KEY
    return any(
        entry.type == key and id in entry.data
        for scope in construct.node.scopes
        for entry in scope.node.metadata
    )


def _warning_text(finding: Finding, written: Written) -> str:
    text = f"{_subject(finding, written)}: {finding.problem} {finding.rule.unconfirmed}"
    return f"{text} {finding.fix}"


def error_text(finding: Finding, written: Written) -> str:
    """Returns an error in one line, for what only the synth can find."""
    text = f"{_subject(finding, written)}: {finding.problem}"
    return f"{text} {finding.fix} [{finding.rule.id}]"


def _subject(finding: Finding, written: Written) -> str:
    given = written.get(str(finding.path[0]))
    argument, value = given or (argument_behind(finding), value_behind(finding))
    return f"{argument} = {shown(value)}"


def id_of_part(id: str, queue: Resource, name: str | Unknown | None) -> str:
    """Returns the id of an unnamed environment or policy, which another name of the queue changes.

    CloudFormation makes the renamed queue before it deletes the old one, which still has the old
    environment. The text of a token changes from run to run, so it adds nothing.
    """
    queue_name = queue.at(("JobQueueName",))
    if name is not None or not isinstance(queue_name, str):
        return id
    return f"{id}-{hashlib.sha256(queue_name.encode()).hexdigest()[:8]}"
