"""A rule's example templates as YAML for people."""

from __future__ import annotations

from typing import Any, Final

from qm_constructs.rules import SOUND, Rule
from qm_constructs.template._yaml_text import as_yaml

_MOST_SHOWN: Final = 3


def excerpt(rule: Rule, template: dict[str, Any]) -> str:
    """Returns what differs between the two templates of a rule, as one of them has it.

    Args:
        rule: The rule.
        template: Its faulty template, or its correct one.
    """
    resources = rule.pair.excerpt(template)["Resources"]
    if not resources:
        return f"Resources:\n  # as above, without {', '.join(_gone(template))}\n"
    names = [*resources]
    left_out = names[1:-1] if len(names) > _MOST_SHOWN else []
    text = as_yaml({"Resources": {n: resources[n] for n in names if n not in left_out}})
    gone = _gone(template)
    notes = [
        f"and {len(left_out)} more like them" if left_out else "",
        f"without {', '.join(gone)}" if gone else "",
    ]
    return text + "".join(f"  # {note}\n" for note in notes if note)


def _gone(template: dict[str, Any]) -> list[str]:
    return [name for name in SOUND["Resources"] if name not in template["Resources"]]
