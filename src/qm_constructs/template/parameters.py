"""What the parameters of a template can be."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Final

from qm_constructs.template.values import known, parts_of

OTHER: Final = object()
"""Stands for any value that is not listed."""

# So few repeats, none inside another, over so short a text end in no time.
_REPEATED: Final = re.compile(r"[*+?}]")
_REPEATED_GROUP: Final = re.compile(r"\)[*+?{]")
_MOST_REPEATED: Final = 3
_LONGEST: Final = 256


_LIST: Final = re.compile(
    r"CommaDelimitedList|List<.*|AWS::SSM::Parameter::Value<(CommaDelimitedList|List<.*)"
)


def is_list(parameter: Any) -> bool:
    """Tells whether a parameter is a list.

    Args:
        parameter: The parameter as the template declares it; anything else is none.
    """
    kind = parameter.get("Type") if isinstance(parameter, Mapping) else None
    return isinstance(kind, str) and _LIST.match(kind) is not None


def entry_values(parameter: Mapping[str, Any], compared: Sequence[str]) -> list[Any]:
    """Returns what an entry of a list can be.

    Args:
        parameter: The list, as the template declares it.
        compared: The texts that the entry is compared with somewhere.
    """
    allowed = [text for text in _allowed(parameter) if text is not None]
    return allowed or [*compared, OTHER]


def possible_values(
    parameter: Mapping[str, Any], compared: Sequence[str] | None
) -> tuple[list[Any], bool]:
    """Returns what a parameter can be, the default first, and whether that is the usual case.

    Args:
        parameter: The parameter as the template declares it.
        compared: The texts that it is compared with somewhere, so that each makes a difference;
            None where it is compared nowhere.
    """
    # Of what is stored elsewhere the default is the name there.
    is_stored = str(parameter.get("Type")).startswith("AWS::SSM::")
    default = default_of(parameter)
    texts = [] if is_stored else _allowed(parameter)
    if is_list(parameter):
        usual: list[Any] = [items_of(default)] if default else []
        if compared is None:
            return usual or [OTHER], True
        lists = [items for items in map(items_of, compared) if items not in usual]
        lists = [items for items in lists if not texts or all(item in texts for item in items)]
        return [*usual, *lists, OTHER], False
    if is_stored:
        return [OTHER], True
    taken = [text for text in texts if text is not None and _is_taken(parameter, text)]
    has_default = default is not None and _is_taken(parameter, default)
    usual = [default] if has_default and (not texts or default in texts) else []
    if default is None and len(taken) == 1 == len(texts):
        usual = taken  # nobody can give another
    rest = [text for text in taken if text not in usual]
    if not compared:
        first: list[Any] = [*usual] or [OTHER]
        return [*first, *rest], True
    if texts:
        return [*usual, *rest] or [OTHER], False
    told = [text for text in compared if text not in usual and _is_taken(parameter, text)]
    return [*usual, *told, OTHER], False


def default_of(parameter: Mapping[str, Any]) -> str | None:
    """Returns what a parameter is where nobody sets it; None where the template does not tell.

    Args:
        parameter: The parameter as the template declares it.
    """
    is_stored = str(parameter.get("Type")).startswith("AWS::SSM::")
    return None if is_stored else known(parts_of(parameter.get("Default")))


def options_of(parameter: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the texts of which a parameter is one; none where it may be any.

    Args:
        parameter: The parameter as the template declares it.
    """
    kind = str(parameter.get("Type"))
    if kind == "CommaDelimitedList" or kind.startswith(("AWS::SSM::", "List<")):
        return ()
    texts = _allowed(parameter)
    taken = [text for text in texts if text is not None and _is_taken(parameter, text)]
    return () if None in texts else tuple(taken)


def is_allowed(parameter: Mapping[str, Any], text: str) -> bool:
    """Tells whether CloudFormation takes a text for a parameter, as far as it can be told.

    Args:
        parameter: The parameter as the template declares it.
        text: The text.
    """
    texts = _allowed(parameter)
    return (not texts or None in texts or text in texts) and _is_taken(parameter, text)


def items_of(text: str) -> list[str]:
    """Returns the entries of a list that is given as text."""
    return [item.strip() for item in text.split(",")]


def _allowed(parameter: Mapping[str, Any]) -> list[str | None]:
    allowed = parameter.get("AllowedValues")
    return [known(parts_of(value)) for value in allowed] if isinstance(allowed, list) else []


def least_value(parameter: Mapping[str, Any]) -> str | None:
    """Returns the least number that a parameter without a default allows; None for any other.

    Args:
        parameter: The parameter as the template declares it.
    """
    texts = [] if "Default" in parameter else _allowed(parameter)
    taken = [text for text in texts if text is not None and _is_taken(parameter, text)]
    if not taken or None in map(_number, taken):
        return None
    return min(taken, key=float)


def bounds(parameter: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Returns the whole numbers that a parameter is at least and at most, None where it may be any.

    Args:
        parameter: The parameter as the template declares it.
    """
    if parameter.get("Type") != "Number":
        return None, None
    least, most = _bound(parameter, "MinValue"), _bound(parameter, "MaxValue")
    return None if least is None else math.ceil(least), None if most is None else math.floor(most)


def _bound(parameter: Mapping[str, Any], name: str) -> float | None:
    number = _number(str(known(parts_of(parameter.get(name)))))
    return None if number is None or not math.isfinite(number) else number


def _is_taken(parameter: Mapping[str, Any], text: str) -> bool:
    """Tells whether CloudFormation takes a text for a parameter, as far as it can be told."""
    if not _is_within(parameter, "Length", len(text)):
        return False
    if parameter.get("Type") == "Number":
        number = _number(text)
        return number is not None and _is_within(parameter, "Value", number)
    pattern = parameter.get("AllowedPattern")
    return not isinstance(pattern, str) or _matches(pattern, text)


def _is_within(parameter: Mapping[str, Any], what: str, number: float) -> bool:
    least, most = (
        _number(str(known(parts_of(parameter.get(f"{bound}{what}"))))) for bound in ("Min", "Max")
    )
    return (least is None or least <= number) and (most is None or number <= most)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _matches(pattern: str, text: str) -> bool:
    """Tells whether a text matches a pattern; one that might take for ever matches anything."""
    is_cheap = (
        len(text) <= _LONGEST
        and len(_REPEATED.findall(pattern)) <= _MOST_REPEATED
        and not _REPEATED_GROUP.search(pattern)
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return not is_cheap or bool(re.fullmatch(pattern, text))
    # Java's patterns are not all Python's.
    except (re.error, Warning, RecursionError, OverflowError):
        return True


def settled_values(
    parameter: Mapping[str, Any], compared: Sequence[str] | None
) -> tuple[list[Any], bool]:
    """Returns what a parameter can be where nobody sets it: its default, if it has one.

    Args:
        parameter: The parameter as the template declares it.
        compared: The texts that it is compared with somewhere, so that each makes a difference;
            None where it is compared nowhere.
    """
    values, alone = possible_values(parameter, compared)
    default = default_of(parameter)
    if default is not None and values[0] in (default, items_of(default)):
        return values[:1], alone
    return ([OTHER] if alone else values), alone
