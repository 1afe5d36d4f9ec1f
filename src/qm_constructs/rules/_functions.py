"""The intrinsic functions of CloudFormation: what there is, and what each takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from qm_constructs.errors import shown
from qm_constructs.plan import Miswritten
from qm_constructs.schema import ARN_ATTRIBUTE
from qm_constructs.spelling import nearest

PSEUDO_PARAMETERS: Final = (
    "AWS::AccountId",
    "AWS::NoValue",
    "AWS::NotificationARNs",
    "AWS::Partition",
    "AWS::Region",
    "AWS::StackId",
    "AWS::StackName",
    "AWS::URLSuffix",
)

# Those whose arguments are not looked at; some are of conditions, of rules, or of loops alone.
_OTHERS: Final = (
    "Condition",
    "Fn::And",
    "Fn::Cidr",
    "Fn::Contains",
    "Fn::EachMemberEquals",
    "Fn::EachMemberIn",
    "Fn::Equals",
    "Fn::ForEach",
    "Fn::GetStackOutput",
    "Fn::Length",
    "Fn::Not",
    "Fn::Or",
    "Fn::RefAll",
    "Fn::ToJsonString",
    "Fn::Transform",
    "Fn::ValueOf",
    "Fn::ValueOfAll",
)
_ALIKE: Final = 0.7


@dataclass(frozen=True)
class _Form:
    """What a function takes.

    Args:
        takes: It in words.
        example: The function as it can be written.
        fits: Tells whether an argument is that.
    """

    takes: str
    example: str
    fits: Callable[[Any], bool]


def _is_any_text(part: Any) -> bool:
    return isinstance(part, str)


def _is_text(part: Any) -> bool:
    return isinstance(part, str) and part != ""


def _is_map(part: Any) -> bool:
    return isinstance(part, Mapping)


def _is_text_or_function(part: Any) -> bool:
    return _is_text(part) or _is_map(part)


def _is_scalar(part: Any) -> bool:
    return isinstance(part, str | int | float)


def _is_scalar_or_function(part: Any) -> bool:
    return _is_scalar(part) or isinstance(part, Mapping)


def _is_list_or_function(part: Any) -> bool:
    return isinstance(part, list | Mapping)


def _is_anything(part: Any) -> bool:
    del part
    return True


def _is_index(part: Any) -> bool:
    if isinstance(part, str):
        return part.strip().isdecimal() or "{{" in part
    return isinstance(part, int | float | Mapping) and not isinstance(part, bool)


def _are(fits: Sequence[Callable[[Any], bool]], argument: Any) -> bool:
    """Tells whether an argument is a list of as many entries, each of which fits."""
    if not isinstance(argument, list) or len(argument) != len(fits):
        return False
    return all(fits[place](part) for place, part in enumerate(argument))


def _is_substitution(argument: Any) -> bool:
    return isinstance(argument, str) or _are((_is_any_text, _is_map), argument)


def _is_attribute(argument: Any) -> bool:
    parts = argument.split(".", 1) if isinstance(argument, str) else argument
    return _are((_is_text, _is_text_or_function), parts)


_FORMS: Final[Mapping[str, _Form]] = {
    "Ref": _Form(
        "the name of a parameter or the id of a resource, as text", "!Ref Queue", _is_text
    ),
    "Fn::GetAtt": _Form(
        "the id of a resource and an attribute of it, neither empty",
        "!GetAtt Policy.Arn",
        _is_attribute,
    ),
    "Fn::Sub": _Form(
        "a text, or a list of a text and a map of values",
        "!Sub '${AWS::StackName}-queue'",
        _is_substitution,
    ),
    "Fn::Join": _Form(
        "a delimiter and a list, or a function that gives a list",
        "!Join ['-', [a, b]]",
        partial(_are, (_is_scalar, _is_list_or_function)),
    ),
    "Fn::If": _Form(
        "the name of a condition and two values",
        "!If [IsProduction, 16, !Ref AWS::NoValue]",
        partial(_are, (_is_scalar, _is_anything, _is_anything)),
    ),
    "Fn::Select": _Form(
        "an index and a list, or a function that gives a list",
        "!Select [0, [a, b]]",
        partial(_are, (_is_index, _is_list_or_function)),
    ),
    "Fn::Split": _Form(
        "a delimiter and a text, or a function that gives a text",
        "!Split [',', !ImportValue Teams]",
        partial(_are, (_is_scalar, _is_scalar_or_function)),
    ),
    "Fn::FindInMap": _Form(
        "the name of a map and two keys",
        "!FindInMap [Sizes, !Ref AWS::Region, Most]",
        lambda argument: isinstance(argument, list) and len(argument) in (3, 4),
    ),
    "Fn::ImportValue": _Form(
        "the name of an export", "!ImportValue Queue", lambda argument: argument not in (None, "")
    ),
    "Fn::Base64": _Form("a text", "!Base64 text", lambda argument: argument is not None),
    "Fn::GetAZs": _Form(
        "the name of a Region", "!GetAZs ''", lambda argument: argument is not None
    ),
}


def is_known(function: str) -> bool:
    """Tells whether CloudFormation, or a tool that writes its templates, may know a function."""
    # A loop has a name of its own; so have the functions of tools, such as Fn::Rain::Embed.
    return function in _FORMS or function in _OTHERS or "::" in function.removeprefix("Fn::")


def is_as_asked(function: str, argument: Any) -> bool:
    """Tells whether an argument has the form that a function takes, as far as that is known."""
    form = _FORMS.get(function)
    return form is None or form.fits(argument)


def mended(call: Miswritten) -> tuple[str, str]:
    """Returns what is wrong with a function as a sentence, and how to mend it as another."""
    form = _FORMS.get(call.function)
    if form is None:
        near = _near(call.function)
        known = ", ".join(_FORMS)
        fix = f"Did you mean {near}?" if near else f"Write one of {known}."
        return f"CloudFormation has no function {shown(call.function)}.", fix
    problem = f"{call.function} takes {form.takes}."
    if call.function == "Fn::GetAtt" and call.resource:
        return problem, _attribute_of(call)
    return problem, f"Write {form.example}, say."


def _attribute_of(call: Miswritten) -> str:
    right = ARN_ATTRIBUTE.get(str(call.type))
    if right is None:
        return f"Write !GetAtt {call.resource}.Attribute, with the attribute that is meant."
    return f"Write !GetAtt {call.resource}.{right}, or !Ref {call.resource}, which is the same."


def _near(function: str) -> str | None:
    names = {name.removeprefix("Fn::").lower(): name for name in (*_FORMS, *_OTHERS)}
    wanted = function.removeprefix("Fn::").lower()
    return names.get(nearest(wanted, names, _ALIKE))
