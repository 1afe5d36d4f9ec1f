"""Whether a file is a quotas file, by what is in it."""

from __future__ import annotations

from typing import Any, Final

_MARKS: Final = ("capacity_limits", "quota_shares")


def is_quotas_file(value: Any) -> bool:
    """Tells whether the value of a whole file is a quotas file and no template.

    Args:
        value: The value.
    """
    return isinstance(value, dict) and "Resources" not in value and any(m in value for m in _MARKS)
