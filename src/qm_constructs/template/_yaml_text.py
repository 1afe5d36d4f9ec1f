"""Plain values as YAML for people."""

from __future__ import annotations

from typing import Any

import yaml


def as_yaml(value: dict[str, Any]) -> str:
    """Returns a map as YAML, without anchors, its keys in their order."""
    return yaml.dump(value, Dumper=_PlainDumper, sort_keys=False, width=96, allow_unicode=True)


class _PlainDumper(yaml.SafeDumper):
    """Writes what stands in several places in each of them."""

    def ignore_aliases(self, data: object) -> bool:
        del data
        return True
