"""What is spelt much like a word."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import lru_cache
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
    return _nearest(word, tuple(known), alike)


# The same is asked in each way in which a template can turn out.
@lru_cache(maxsize=256)
def _nearest(word: str, words: tuple[str, ...], alike: float) -> str:
    # Nobody looks through so many, and each takes as long as all that is written before it.
    if len(words) > _MOST:
        return word if word in words else ""
    (near,) = difflib.get_close_matches(word[:_LONGEST], words, n=1, cutoff=alike) or ("",)
    return near
