"""Tags of all that the service keeps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from .errors import ClientError, does_not_exist
from .state import LOCK, Json, here

_TEXT: Final = re.compile(r"[\w\s+\-=.:/@]*")
AWS: Final = "aws:"


def check_tags(tags: Mapping[str, str]) -> None:
    """Refuses tags that AWS does not take. [SJ-09]"""
    for key, value in tags.items():
        if key.lower().startswith(AWS):
            raise ClientError(f"Tag key {key!r} must not start with 'aws:'.")
        if not 1 <= len(key) <= 128 or not _TEXT.fullmatch(key):
            raise ClientError(f"Tag key {key!r} should match a valid pattern.")
        if len(value) > 256 or not _TEXT.fullmatch(value):
            raise ClientError(f"Tag value {value!r} should match a valid pattern.")
    _check_count(tags)


def _check_count(keys: Iterable[str]) -> None:
    if sum(not key.startswith(AWS) for key in keys) > 50:
        raise ClientError("A resource has at most 50 tags.")


def tags_of(arn: str) -> dict[str, str]:
    """Returns the tags of a resource, to read or to change."""
    place = here()
    for kept in (place.policies, place.environments, place.queues, place.shares, place.jobs):
        for one in kept.values():
            if one.arn == arn:
                found: dict[str, str] = one.tags
                return found
    raise does_not_exist(arn)


def mark(arn: str, tags: Mapping[str, str]) -> None:
    """Puts on a resource the tags that only AWS itself can give it."""
    with LOCK:
        tags_of(arn).update(tags)


def tag_resource(given: Json) -> Json:
    tags = tags_of(given["resourceArn"])
    check_tags(given["tags"])
    _check_count({*tags, *given["tags"]})
    tags.update(given["tags"])
    return {}


def untag_resource(given: Json) -> Json:
    tags = tags_of(given["resourceArn"])
    for key in given["tagKeys"]:
        if key.startswith(AWS):
            raise ClientError(f"Tag key {key!r} must not start with 'aws:'.")
        tags.pop(key, None)
    return {}


def list_tags_for_resource(given: Json) -> Json:
    return {"tags": dict(tags_of(given["resourceArn"]))}
