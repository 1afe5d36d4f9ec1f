"""The values of a template as CloudFormation takes them for the properties of a type."""

from __future__ import annotations

import re
from typing import Any, Final

from qm_constructs.plan import UnknownArn, UnknownText
from qm_constructs.schema import ANYTHING, TAGS, TEXT, WHOLE_NUMBER, AnyKind, ListOf, Struct
from qm_constructs.template.values import known, parts_of, target

_WHOLE_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,18}(\.0*)?")
_POWER: Final = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{0,18})?[eE][+-]?[0-9]{1,3}")


def coerced(kind: AnyKind, value: Any) -> Any:
    """Returns a value as CloudFormation takes it: "16" is a number, and 16 is a text.

    Args:
        kind: What the property holds.
        value: What the template gives it.
    """
    if isinstance(value, UnknownText):
        return value if isinstance(value, UnknownArn) else _with_place(value)
    if kind is WHOLE_NUMBER:
        return _number(value)
    if kind is TEXT:
        return known(parts_of(value)) if isinstance(value, int | float) else value
    return _inside(kind, value)


def _inside(kind: AnyKind, value: Any) -> Any:
    if kind is TAGS and isinstance(value, dict):
        return {key: coerced(TEXT, member) for key, member in value.items()}
    if isinstance(kind, ListOf) and isinstance(value, list):
        return [coerced(kind.item, item) for item in value]
    if isinstance(kind, Struct) and isinstance(value, dict):
        kinds = kind.members
        # Most of what there is is text where text belongs.
        return {
            key: member
            if type(member) is str and kinds.get(key) is TEXT
            else coerced(kinds.get(key, ANYTHING), member)
            for key, member in value.items()
        }
    return value


def _number(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and _WHOLE_NUMBER.fullmatch(value):
        return int(value.split(".")[0])
    if isinstance(value, str) and _POWER.fullmatch(value) and float(value).is_integer():
        # AWS does not say whether CloudFormation takes such a text for the number.
        return UnknownText(value, (value,))
    return value


def _with_place(value: UnknownText) -> UnknownText:
    named = target(value)
    if named is None or named.kind is None:
        return value
    return UnknownArn(
        value.source,
        value.parts,
        account=known(named.account),
        region=known(named.region),
        kind=named.kind,
        partition=known(named.partition),
    )
