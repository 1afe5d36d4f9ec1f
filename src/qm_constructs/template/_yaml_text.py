"""Plain values as YAML for people."""

from __future__ import annotations

import re
from typing import Any, Final

import yaml

# What YAML 1.2, which most editors read, takes for a number, and PyYAML's 1.1 for text.
_NUMBER: Final = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+"
)


def as_yaml(value: dict[str, Any]) -> str:
    """Returns a map as YAML, without anchors, its keys in their order."""
    return yaml.dump(value, Dumper=_PlainDumper, sort_keys=False, width=96, allow_unicode=True)


class _PlainDumper(yaml.SafeDumper):
    """Writes what stands in several places in each of them."""

    def ignore_aliases(self, data: object) -> bool:
        del data
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "'" if _NUMBER.fullmatch(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_PlainDumper.add_representer(str, _text)
