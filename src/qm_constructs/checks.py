"""The rules in a CDK app: a policy validation plugin that judges what was synthesized."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import jsii
from aws_cdk import (
    IPolicyValidationContext,
    IPolicyValidationPlugin,
    PolicyValidationPluginReport,
    PolicyViolatingResource,
    PolicyViolation,
)

from qm_constructs._version import VERSION
from qm_constructs.cli._wording import property_of, unreadable_line
from qm_constructs.errors import shown
from qm_constructs.rules import NAMESPACE, RULES, Severity
from qm_constructs.template.assembly import read_assembly
from qm_constructs.template.check import waived
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.report import Located, Unreadable

FAILED: Final = "CHECKS-FAILED"
"""What is acknowledged in the place of a rule where the checks themselves have failed."""

_WARNINGS_IN_REPORT: Final = "@aws-cdk/core:annotationsInValidationReport"
_SET_BY_COMMAND_LINE: Final = "CDK_OUTDIR"


@jsii.implements(IPolicyValidationPlugin)
class QuotaManagementChecks:
    """Judges the templates of an app, whoever wrote them, by the rules of quota management.

    It is added to an app or a stage, beside cdk-nag's packs:
    ``Validations.of(app).add_plugins(QuotaManagementChecks())``. Errors end the synth, warnings do
    not. Both are acknowledged by ``qm-constructs::XR-02``, on a construct or on what it is in.
    """

    @property
    def name(self) -> str:
        """What stands before a rule's id."""
        return NAMESPACE

    @property
    def version(self) -> str:
        """The version of this library."""
        return VERSION

    @property
    def rule_ids(self) -> list[str]:
        """The rules that are checked."""
        return list(RULES)

    def validate(self, context: IPolicyValidationContext) -> PolicyValidationPluginReport:
        """Returns what is wrong with the templates.

        Args:
            context: What CDK tells of the app.
        """
        try:
            violations = list(_violations(context))
        # Of a plugin that raises, the CDK command line says nothing, and exits with 0.
        except Exception as error:
            violations = [_failed(error, context.template_paths)]
        errors = any(violation.severity == Severity.ERROR for violation in violations)
        return PolicyValidationPluginReport(success=not errors, violations=violations)


def _violations(context: IPolicyValidationContext) -> Iterator[PolicyViolation]:
    files = [os.path.abspath(file) for file in context.template_paths]  # noqa: PTH100
    # CDK does not list nested stacks; a stage's stacks are all in its folder.
    folders = [os.path.dirname(file) for file in files]  # noqa: PTH120
    stacks, unreadable = read_assembly(os.path.commonpath(folders))
    yield from map(_unread, unreadable)
    by_file = {stack.file: stack for stack in stacks}
    found = [
        located
        for located in judge_stacks(stacks)
        if located.rule.id not in waived(by_file[located.file], located.resource)
    ]
    warnings = list(_warnings(files))
    if warnings and _warnings_are_shown(context):
        found = _unsaid(found, warnings)
    yield from map(_violation, found)


def _violation(found: Located) -> PolicyViolation:
    return PolicyViolation(
        rule_name=found.rule.id,
        description=": ".join(filter(None, [property_of(found), found.message])),
        fix=found.fix,
        severity=found.rule.severity.value,
        violating_resources=[
            PolicyViolatingResource(
                resource_logical_id=found.resource,
                template_path=found.file,
                # Dots, so that CDK finds the line that set the property.
                locations=[".".join(map(str, found.path))],
            )
        ],
        rule_metadata={"title": found.rule.title, "source": found.rule.source},
    )


def _unread(problem: Unreadable) -> PolicyViolation:
    return PolicyViolation(
        rule_name=FAILED,
        description=f"Not all has been checked: {unreadable_line(problem)}",
        fix="Mend that first.",
        severity=Severity.ERROR.value,
        # Without a resource a violation is printed by nobody, and fails nothing.
        violating_resources=[PolicyViolatingResource(template_path=problem.file, locations=[])],
    )


def _failed(error: Exception, files: Sequence[str]) -> PolicyViolation:
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    return PolicyViolation(
        rule_name=FAILED,
        description=f"Nothing has been checked, the checks themselves have failed: "
        f"{type(error).__name__}: {shown(str(error))} ({where})",
        fix=f"This is a fault of {NAMESPACE} {VERSION}, not of your app: please report it with "
        "the line above. To go on without the checks, acknowledge it on the app.",
        severity=Severity.ERROR.value,
        violating_resources=[PolicyViolatingResource(template_path=files[0], locations=[])],
    )


@dataclass(frozen=True)
class _Warning:
    """A warning that a construct of this library has put on itself."""

    rule: str
    construct: str
    text: str

    def speaks_of(self, found: Located, same_text: bool) -> bool:
        """Tells whether a finding is of the rule, on the construct or on one below it."""
        return (
            found.rule.id == self.rule
            and f"{found.construct}/".startswith(f"{self.construct}/")
            and (not same_text or found.message in self.text)
        )


def _warnings_are_shown(context: IPolicyValidationContext) -> bool:
    # Outside of the command line CDK shows what stands on constructs only with this flag.
    return _SET_BY_COMMAND_LINE in os.environ or bool(
        context.app_construct.node.try_get_context(_WARNINGS_IN_REPORT)
    )


def _unsaid(found: Iterable[Located], warnings: Sequence[_Warning]) -> list[Located]:
    """Returns the findings without the one that each warning speaks of."""
    left = list(found)
    for same_text in (True, False):  # an override changes the text, a name in it may differ
        unmatched = []
        for warning in warnings:
            matches = (one for one in left if warning.speaks_of(one, same_text))
            said = next(matches, None)
            if said is None:
                unmatched.append(warning)
            else:
                left.remove(said)
        warnings = unmatched
    return left


def _warnings(files: Iterable[str]) -> Iterator[_Warning]:
    """Yields what the constructs of this library warn of in the stacks of the templates."""
    for file in files:
        source = Path(file.removesuffix(".template.json") + ".metadata.json")
        metadata = json.loads(source.read_bytes()) if source.is_file() else {}
        for path, entries in metadata.items():
            for entry in entries:
                text, _, rule = str(entry.get("data")).rpartition(f" [ack: {NAMESPACE}::")
                if entry["type"] == "aws:cdk:warning" and text:
                    yield _Warning(rule.removesuffix("]"), path.removeprefix("/"), text)
