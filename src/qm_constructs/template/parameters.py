"""What the parameters of a template can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from qm_constructs.template.values import known, parts_of

OTHER: Final = object()
"""Stands for any value that is not listed."""


def possible_values(
    parameter: Mapping[str, Any], compared: Sequence[str]
) -> tuple[list[Any], bool]:
    """Returns what a parameter can be, the default first, and whether that is the usual case.

    Args:
        parameter: The parameter as the template declares it.
        compared: The texts that it is compared with somewhere, so that each makes a difference.
    """
    kind = str(parameter.get("Type", ""))
    default = known(parts_of(parameter.get("Default")))
    if kind.startswith("AWS::SSM::"):  # the default is the name of what holds the value
        return [OTHER], True
    if kind == "CommaDelimitedList" or kind.startswith("List<"):
        return [[item.strip() for item in default.split(",")] if default else OTHER], True
    usual = [] if default is None else [default]
    allowed = parameter.get("AllowedValues")
    texts = [known(parts_of(value)) for value in allowed] if isinstance(allowed, list) else []
    rest = [text for text in texts if text is not None and text not in usual]
    if not compared:
        first: list[Any] = [*usual] or [OTHER]
        return [*first, *rest], True
    if texts:
        return [*usual, *rest], False
    return [*usual, *(text for text in compared if text not in usual), OTHER], False


def settled_values(parameter: Mapping[str, Any], compared: Sequence[str]) -> tuple[list[Any], bool]:
    """Returns what a parameter can be where nobody sets it: its default, if it has one.

    Args:
        parameter: The parameter as the template declares it.
        compared: The texts that it is compared with somewhere, so that each makes a difference.
    """
    values, alone = possible_values(parameter, compared)
    if known(parts_of(parameter.get("Default"))) is not None:
        return values[:1], alone
    return ([OTHER] if alone else values), alone
