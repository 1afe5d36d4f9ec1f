"""What is spelt much like a word."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str], alike: float = 0.6) -> str:
    """Returns what is spelt most like a word; empty where nothing is.

    Args:
        word: The word.
        known: What may be meant.
        alike: How much alike the two are at least, from 0 to 1.
    """
    (near,) = difflib.get_close_matches(word, [*known], n=1, cutoff=alike) or ("",)
    return near
