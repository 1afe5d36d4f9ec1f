"""What is spelt much like a word."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

_MOST: Final = 1000
_LONGEST: Final = 256


def nearest(word: str, known: Iterable[str], alike: float = 0.6) -> str:
    """Returns what is spelt most like a word; empty where nothing is.

    Args:
        word: The word.
        known: What may be meant.
        alike: How much alike the two are at least, from 0 to 1.
    """
    words = [*known]
    # Nobody looks through so many, and each takes as long as all that is written before it.
    if len(words) > _MOST:
        return word if word in words else ""
    (near,) = difflib.get_close_matches(word[:_LONGEST], words, n=1, cutoff=alike) or ("",)
    return near
