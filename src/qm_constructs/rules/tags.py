"""SJ-09: what AWS asks of the tags of all four resources."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from itertools import filterfalse
from typing import Final

from qm_constructs.plan import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    Resource,
    UnknownText,
)
from qm_constructs.rules._examples import Pair
from qm_constructs.rules._rule import Evidence, Rule, Severity, Violation

MAX_TAGS: Final = 50
MAX_KEY: Final = 128
MAX_VALUE: Final = 256
_SYMBOLS: Final = frozenset("+-=._:/@")
_FIX: Final = "Letters, digits, spaces and + - = . _ : / @ are allowed."

SJ_09 = Rule(
    id="SJ-09",
    title="A resource has at most 50 tags; a key has 1 to 128 characters, a value up to 256",
    why="AWS reserves the prefix 'aws:' and allows letters, digits, spaces and + - = . _ : / @.",
    severity=Severity.ERROR,
    evidence=Evidence.DOCUMENTED,
    source="https://docs.aws.amazon.com/batch/latest/userguide/tag-restrictions.html",
    pair=Pair({"Queue.Tags": {"aws:team": "research"}}, {"Queue.Tags": {"team": "research"}}),
)


@SJ_09.on(SCHEDULING_POLICY, SERVICE_ENVIRONMENT, JOB_QUEUE, QUOTA_SHARE)
def _tags(resource: Resource) -> Iterator[Violation]:
    tags = resource.at(("Tags",))
    if not isinstance(tags, Mapping):
        return
    if len(tags) > MAX_TAGS:
        problem = f"A resource has at most {MAX_TAGS} tags; this one has {len(tags)}."
        yield Violation(("Tags",), problem, f"Leave out {len(tags) - MAX_TAGS}.")
    for key, value in tags.items():
        for what, text, least, most in (("key", key, 1, MAX_KEY), ("value", value, 0, MAX_VALUE)):
            known = text.literals if isinstance(text, UnknownText) else text
            if isinstance(known, str):
                for problem, fix in _text(what, known, least, most):
                    yield Violation(("Tags", key), problem, fix)


def _is_allowed(character: str) -> bool:
    return character in _SYMBOLS or unicodedata.category(character)[0] in {"L", "N", "Z"}


def _text(what: str, text: str, least: int, most: int) -> Iterator[tuple[str, str]]:
    if not least <= len(text) <= most:
        yield (
            f"A tag's {what} has {least} to {most} characters; this one has {len(text)}.",
            f"Give {least} to {most} characters.",
        )
    if text.lower().startswith("aws:"):
        yield f"AWS reserves the prefix 'aws:', so no tag's {what} starts with it.", "Leave it off."
    wrong = [] if text.isalnum() else sorted(filterfalse(_is_allowed, set(text)))
    if wrong:
        yield f"A tag's {what} cannot have {', '.join(map(ascii, wrong))}.", _FIX


RULES = (SJ_09,)
