"""How a person names a rule."""

from __future__ import annotations

from qm_constructs.cli._arguments import Parser, did_you_mean
from qm_constructs.cli._output import plain
from qm_constructs.rules import NAMESPACE, RULES


def rule_id(parser: Parser, text: str) -> str:
    """Returns the id of a rule that was named as ``XR-02``, ``xr-02`` or ``qm-constructs::XR-02``.

    Args:
        parser: The command's, for the error when there is no such rule.
        text: What was given.
    """
    id = text.strip()
    if id.lower().startswith(f"{NAMESPACE}::"):
        id = id[len(NAMESPACE) + 2 :]
    if id.upper() in RULES:
        return id.upper()
    near = did_you_mean(id.upper(), RULES)
    raise parser.wrong(
        f"there is no rule '{plain(text)}'",
        f"{near} All are listed by: qm-constructs rules".strip(),
    )
