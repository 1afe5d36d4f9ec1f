"""Whether a file is a quotas file, by what is in it."""

from __future__ import annotations

from typing import Any, Final

_MARKS: Final = ("capacity_limits", "quota_shares")
_AS_CLOSE: Final = 0.85


def is_quotas_file(value: Any) -> bool:
    """Tells whether the value of a whole file is a quotas file and no template.

    A key that is nearly one of a quotas file's counts, so that its slip is told.

    Args:
        value: The value.
    """
    if not isinstance(value, dict) or "Resources" in value:
        return False
    if any(mark in value for mark in _MARKS):
        return True
    return "AWSTemplateFormatVersion" not in value and any(map(_is_nearly_a_mark, value))


def _is_nearly_a_mark(key: str) -> bool:
    # What begins with a capital letter is a property of a template's resource.
    if key[:1].isupper():
        return False
    from difflib import get_close_matches  # noqa: PLC0415

    spelt = key.lower().replace("-", "_")
    if "_" not in spelt:
        return bool(get_close_matches(spelt, [m.replace("_", "") for m in _MARKS], 1, _AS_CLOSE))
    return bool(get_close_matches(spelt, _MARKS, 1, _AS_CLOSE))
