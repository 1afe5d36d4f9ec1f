"""Answers that come in pages."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import ClientError
from .state import Json


def page(items: Sequence[Json], given: Json, member: str) -> Json:
    """Returns the page of an answer that a call asks for."""
    start = given.get("nextToken", "0")
    if not start.isdecimal():
        raise ClientError(f"Invalid next token {start!r}.")
    first, count = int(start), given.get("maxResults") or 100
    if not 1 <= count <= 100:
        raise ClientError("maxResults must be between 1 and 100.")
    answer: Json = {member: list(items[first : first + count])}
    if len(items) > first + count:
        answer["nextToken"] = str(first + count)
    return answer
