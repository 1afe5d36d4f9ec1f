"""Texts of others in Markdown: shown as they are, whatever Markdown would make of them."""

from __future__ import annotations

import re
from typing import Final

_HARMLESS: Final = re.compile(r"[A-Za-z0-9./('_][A-Za-z0-9._:/ '\"(),;=%\[\]-]*")


def code(text: str) -> str:
    """Returns a text as code, in which nothing is a link, a mention, a cell's end or an element.

    Args:
        text: A text without control characters.
    """
    if _HARMLESS.fullmatch(text) and not text.endswith(" "):
        return f"`{text}`"
    return f"<code>{''.join(map(_entity, text))}</code>" if text else "(empty)"


def _entity(character: str) -> str:
    return character if character.isalnum() else f"&#{ord(character)};"
