"""CDK tokens told from literals by their form alone, so that no check has to ask Node."""

from __future__ import annotations

import re
import struct
from typing import Any

_IN_TEXT = re.compile(r"[$#]\{Token\[[a-zA-Z0-9:._-]*\]\}")
# What a context lookup gives until the CDK CLI has looked the value up.
_LOOKED_UP_LATER = "dummy-value-for-"
# CDK encodes a number token as a double whose highest sixteen bits are these.
_NUMBER_MARK = b"\xfb\xff"


def is_token(value: object) -> bool:
    """Tells whether a value is a CDK token, or a string with one in it.

    Args:
        value: Anything; strings, floats and resolvable objects can be tokens.
    """
    if isinstance(value, str):
        return _IN_TEXT.search(value) is not None or _LOOKED_UP_LATER in value
    if isinstance(value, float):
        return struct.pack(">d", value)[:2] == _NUMBER_MARK
    return is_resolvable(value)


def is_one_token(value: object) -> bool:
    """Tells whether a string is one token and nothing else, so that it can stand for a number."""
    return isinstance(value, str) and _IN_TEXT.fullmatch(value) is not None


def is_resolvable(value: Any) -> bool:
    """Tells by its class, so without a call to Node, whether a value is an ``IResolvable``."""
    # jsii wraps an object that it knows by its interfaces only; these are behind the wrapper.
    parts = getattr(value, "_delegates", None) or [value]
    return any(
        hasattr(type(part), "creation_stack") and hasattr(type(part), "resolve") for part in parts
    )
