"""The rules for cfn-lint: ``cfn-lint --append-rules qm_constructs.cfn_lint template.yaml``.

QS-02 is E9502 here and XR-02 is W9602: E for an error or W for a warning, then 9, the family and
the number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final
from weakref import WeakKeyDictionary

from cfnlint.rules import CloudFormationLintRule, RuleMatch
from cfnlint.template import Template

from qm_constructs.cli._rule_ids import lint_id
from qm_constructs.cli._wording import property_of
from qm_constructs.rules import RULES, Rule
from qm_constructs.template.check import waived
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.report import Located
from qm_constructs.template.stack import Stack

# cfn-lint's own default, so nobody may have meant it.
_DEFAULT_REGION: Final = "us-east-1"

_JUDGED: Final[WeakKeyDictionary[Template, list[Located]]] = WeakKeyDictionary()


class _QuotaManagementRule(CloudFormationLintRule):  # type: ignore[misc] # cfn-lint has no types
    rule: ClassVar[Rule]

    def match(self, cfn: Template) -> list[RuleMatch]:
        """Returns where a template breaks the rule."""
        return [
            RuleMatch([*found.place], _message(found))
            for found in _judged(cfn)
            if found.rule is self.rule
        ]


def _judged(cfn: Template) -> list[Located]:
    """Returns what is wrong with a template by any rule, judged once for all of them."""
    if cfn not in _JUDGED:
        _JUDGED[cfn] = []  # a judgement that fails is told by the first rule alone
        _JUDGED[cfn] = list(_unwaived(cfn))
    return _JUDGED[cfn]


def _unwaived(cfn: Template) -> Iterator[Located]:
    regions = [region for region in cfn.regions if region != _DEFAULT_REGION]
    region = regions[0] if len(regions) == len(cfn.regions) == 1 else None
    stack = Stack(_plain(cfn.template), cfn.filename or "-", region=region)
    for found in judge_stacks([stack]):
        if found.rule.id not in waived(stack, found.resource):
            yield found


def _plain(node: Any) -> Any:
    """Returns a part of a template without cfn-lint's own types, which carry its lines."""
    if isinstance(node, dict):
        return {_plain(key): _plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_plain(entry) for entry in node]
    return str(node) if isinstance(node, str) else node


def _message(found: Located) -> str:
    text = ": ".join(filter(None, [property_of(found), found.message]))
    return f"{text} {found.fix} [{found.rule.id}]"


def _class_of(rule: Rule) -> type[CloudFormationLintRule]:
    members = {
        "__doc__": rule.title,
        "__module__": __name__,
        "rule": rule,
        "id": lint_id(rule),
        "shortdesc": rule.title,
        "description": rule.why,
        "source_url": rule.source,
        "tags": ["resources", "batch", "quota-management", rule.id],
    }
    return type(lint_id(rule), (_QuotaManagementRule,), members)


# cfn-lint takes the classes that a module has.
globals().update({lint_id(rule): _class_of(rule) for rule in RULES.values()})
