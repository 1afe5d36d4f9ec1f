"""The JSON Schema of a quotas file, made from the table of its keys.

It is draft 7, which every editor knows. What it cannot say (a share's types are those of the queue,
the share's tags and the queue's together) is told when the file is read.
"""

from __future__ import annotations

from typing import Any, Final

from qm_constructs.plan import LEND_AND_BORROW, STRATEGIES
from qm_constructs.quotas.keys import (
    FILE,
    FUNCTION,
    LIMITS,
    NOT_LITERAL,
    RESOURCE_SHARING,
    TAGS,
    AnyKind,
    Entries,
    Flag,
    Number,
    Section,
    Text,
)

Schema = dict[str, Any]

_DRAFT: Final = "http://json-schema.org/draft-07/schema#"
_LIMITS_AT: Final = "#/definitions/capacity_limits"
_INSTANCES_AT: Final = "#/definitions/instances"


def json_schema() -> Schema:
    """Returns the JSON Schema of a quotas file."""
    return {
        "$schema": _DRAFT,
        "title": "Quotas of an AWS Batch queue of SageMaker Training jobs",
        **_of(FILE),
        "definitions": {"capacity_limits": _limits(), "instances": _of(LIMITS.values)},
    }


def _of(kind: AnyKind) -> Schema:
    if kind is LIMITS:
        # By reference, because its list of types is long.
        return {"allOf": [{"$ref": _LIMITS_AT}]}
    if isinstance(kind, Section):
        return _section(kind)
    if isinstance(kind, Entries):
        return _entries(kind)
    if isinstance(kind, Number):
        type_ = ["integer", "null"] if kind.or_null else "integer"
        return {"type": type_, "minimum": kind.least, "maximum": kind.most}
    return {"type": "boolean"} if isinstance(kind, Flag) else _text(kind)


def _section(kind: Section) -> Schema:
    found: Schema = {"type": "object", "additionalProperties": False}
    if kind.required:
        found["required"] = [*kind.required]
    found["properties"] = {}
    for name, key in kind.members.items():
        usual = {} if key.default is None else {"default": key.default}
        found["properties"][name] = {"description": key.says, **_of(key.kind), **usual}
    return {**found, **_ONLY_BORROWERS} if kind is RESOURCE_SHARING else found


# QS-08
_ONLY_BORROWERS: Final[Schema] = {
    "if": {
        "required": ["strategy"],
        "properties": {"strategy": {"enum": [s for s in STRATEGIES if s != LEND_AND_BORROW]}},
    },
    "then": {"properties": {"borrow_limit": False}},
}


def _entries(kind: Entries) -> Schema:
    keys = _text(kind.keys)
    if kind is TAGS:
        # One that is empty has no character at fault, and is no key.
        keys = {"minLength": 1, **keys, "not": {"pattern": f"{NOT_LITERAL}|^{FUNCTION}"}}
    found = {"type": "object", "propertyNames": keys, "additionalProperties": _of(kind.values)}
    return {**found, **_size(kind)}


def _limits() -> Schema:
    instances = {"$ref": _INSTANCES_AT}
    return {
        "type": "object",
        "propertyNames": {"not": {"pattern": NOT_LITERAL}},
        # Named one by one, so that an editor proposes them; AWS may have others.
        "properties": dict.fromkeys(LIMITS.known, instances),
        "patternProperties": {LIMITS.keys.pattern: instances},
        "additionalProperties": False,
        **_size(LIMITS),
    }


def _size(kind: Entries) -> Schema:
    least = {"minProperties": kind.least} if kind.least else {}
    return least if kind.most is None else {**least, "maxProperties": kind.most}


def _text(kind: Text) -> Schema:
    if kind.options:
        return {"enum": [*kind.options]}
    found: Schema = {"type": "string"}
    if kind.longest is not None:
        found["maxLength"] = kind.longest
    if kind.pattern:
        found["pattern"] = kind.pattern
    return {**found, "not": {"pattern": NOT_LITERAL}}
