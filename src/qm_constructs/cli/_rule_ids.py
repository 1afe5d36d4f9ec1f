"""How a person names a rule."""

from __future__ import annotations

from typing import Final

from qm_constructs.cli._arguments import Parser, did_you_mean
from qm_constructs.cli._output import plain
from qm_constructs.rules import NAMESPACE, RULES, Rule, Severity

_FAMILIES: Final = ("SP", "SE", "JQ", "JT", "QS", "XR", "SJ", "CF", "LA")


def lint_id(rule: Rule) -> str:
    """Returns the id of a rule as cfn-lint writes ids: ``E9502`` for QS-02."""
    family, number = rule.id.split("-")[:2]
    letter = "E" if rule.severity is Severity.ERROR else "W"
    return f"{letter}9{_FAMILIES.index(family) + 1}{number}"


def by_lint_id() -> dict[str, str]:
    """Returns the id of each rule by the one that it has in cfn-lint."""
    return {lint_id(rule): rule.id for rule in RULES.values()}


def rule_id(parser: Parser, text: str) -> str:
    """Returns the id of a rule that was named as ``XR-02``, ``qm-constructs::XR-02`` or ``W9602``.

    Args:
        parser: The command's, for the error when there is no such rule.
        text: What was given.
    """
    id = text.strip()
    if id.lower().startswith(f"{NAMESPACE}::"):
        id = id[len(NAMESPACE) + 2 :]
    if id.upper() in RULES:
        return id.upper()
    if id.upper() in by_lint_id():
        return by_lint_id()[id.upper()]
    near = did_you_mean(id.upper(), RULES)
    raise parser.wrong(
        f"there is no rule '{plain(text)}'",
        f"{near} All are listed by: qm-constructs rules".strip(),
    )
