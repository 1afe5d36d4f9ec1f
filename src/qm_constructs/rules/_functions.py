"""The intrinsic functions of CloudFormation: what there is, and what each takes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from qm_constructs.errors import shown
from qm_constructs.plan import Miswritten
from qm_constructs.rules._named import instead
from qm_constructs.schema import TYPES
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

OF_SECTIONS: Final = {
    **dict.fromkeys(("Fn::And", "Fn::Equals", "Fn::Not", "Fn::Or"), "Conditions"),
    **dict.fromkeys(
        (
            *("Fn::Contains", "Fn::EachMemberEquals", "Fn::EachMemberIn", "Fn::RefAll"),
            *("Fn::ValueOf", "Fn::ValueOfAll"),
        ),
        "Rules",
    ),
}
"""The functions of conditions and rules, and where in a template they stand alone."""

# Those whose arguments are not looked at.
_OTHERS: Final = (
    "Condition",
    "Fn::Cidr",
    "Fn::ForEach",
    "Fn::GetStackOutput",
    "Fn::Length",
    "Fn::ToJsonString",
    "Fn::Transform",
    *OF_SECTIONS,
)
_ALIKE: Final = 0.7
_INDEX: Final = re.compile("[0-9]{1,9}")
_MOST_ENTRIES: Final = 1_000_000_000
_IN_SUB: Final = re.compile(r"\$\{([^}]*)\}")
_SUB_NAME: Final = re.compile(r"[A-Za-z0-9_.:]+")


class _Form(NamedTuple):
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
    return isinstance(part, dict)


def _is_text_or_function(part: Any) -> bool:
    return _is_text(part) or _is_map(part)


def _is_scalar(part: Any) -> bool:
    return isinstance(part, str | int | float)


def _is_scalar_or_function(part: Any) -> bool:
    return _is_scalar(part) or isinstance(part, dict)


def _is_list_or_function(part: Any) -> bool:
    return isinstance(part, list | dict)


def _is_anything(part: Any) -> bool:
    del part
    return True


def index_in(text: str | None) -> int | None:
    """Returns the index that a text is, None where it is none."""
    return None if text is None or not _INDEX.fullmatch(text) else int(text)


def _is_index(part: Any) -> bool:
    if isinstance(part, str):
        return index_in(part.strip()) is not None or "{{" in part
    if isinstance(part, int | float) and not isinstance(part, bool):
        return 0 <= part < _MOST_ENTRIES and part % 1 == 0
    return isinstance(part, dict)


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


ONE_ENTRY: Final = "Choose one entry by Fn::Select."
"""How to mend a list that stands where a text belongs."""


def is_known(function: str) -> bool:
    """Tells whether CloudFormation, or a tool that writes its templates, may know a function."""
    # A loop has a name of its own; so have the functions of tools, such as Fn::Rain::Embed.
    return function in _FORMS or function in _OTHERS or "::" in function.removeprefix("Fn::")


def _wrong_within(function: str, argument: Any) -> tuple[str, str] | None:
    """Returns what is wrong with an argument of the right form, and how to mend it."""
    if function == "Fn::Sub":
        return _wrong_names(argument if isinstance(argument, str) else argument[0])
    return _beyond(*argument) if function == "Fn::Select" else None


def _wrong_names(text: str) -> tuple[str, str] | None:
    # What is not closed is no name, and CloudFormation leaves it as it is.
    for name in _IN_SUB.findall(text):
        if not is_name_in_sub(name):
            problem = (
                "Between ${ and } in Fn::Sub stands a name of letters, digits, underscores, "
                f"periods and colons; this one has {shown(name)}."
            )
            return problem, f"Name what is meant, or write ${{!{name}}} for the text itself."
    return None


def is_name_in_sub(name: str) -> bool:
    """Tells whether what stands between braces in ``Fn::Sub`` is a name, or text by a ``!``."""
    return name.startswith("!") or bool(_SUB_NAME.fullmatch(name.strip()))


def _beyond(index: Any, items: Any) -> tuple[str, str] | None:
    # What a function gives is told where it is known what that is.
    if isinstance(index, dict) or "{{" in str(index) or not isinstance(items, list):
        return None
    # A macro may put several in its place.
    is_open = any(isinstance(item, dict) and "Fn::Transform" in item for item in items)
    number = len(items)
    if is_open or int(index) < number:
        return None
    entries = "1 entry" if number == 1 else f"{number} entries"
    problem = f"Fn::Select asks for the entry {int(index)}, counted from 0; the list has {entries}."
    if number < 2:
        return problem, "Give the index 0." if number else "Add what is meant."
    return problem, f"Give an index from 0 to {number - 1}."


def is_as_asked(function: str, argument: Any) -> bool:
    """Tells whether an argument has the form that a function takes, as far as that is known."""
    form = _FORMS.get(function)
    return form is None or (form.fits(argument) and not _wrong_within(function, argument))


def mended(call: Miswritten, owner: str | None = None) -> tuple[str, str]:
    """Returns what is wrong with a function as a sentence, and how to mend it as another.

    Args:
        call: The function.
        owner: The type of the resource that it stands in; None where it is none of the four.
    """
    if call.beside:
        problem = f"{call.function} is alone in its map; this one has {shown(call.beside)} too."
        return problem, "Leave out one of the two."
    if call.function in OF_SECTIONS:
        where = OF_SECTIONS[call.function]
        instead_ = " and choose by Fn::If" if where == "Conditions" else " or leave it out"
        problem = f"{call.function} stands in the {where} of a template, and in no property."
        return problem, f"Write it there,{instead_}."
    form = _FORMS.get(call.function)
    if form is None:
        near = _near(call.function)
        known = ", ".join(_FORMS)
        fix = f"Did you mean {near}?" if near else f"Write one of {known}."
        return f"CloudFormation has no function {shown(call.function)}.", fix
    return _wrong_arguments(call, form, owner)


def _wrong_arguments(call: Miswritten, form: _Form, owner: str | None) -> tuple[str, str]:
    within = _wrong_within(call.function, call.argument) if form.fits(call.argument) else None
    if within is not None:
        return within
    given = call.given
    if given is not None and given.is_list:
        return f"{given.shown} gives a list, which {call.function} does not take there.", ONE_ENTRY
    but = "" if given is None else f"; {given.shown} gives a text"
    problem = f"{call.function} takes {form.takes}{but}."
    if call.function == "Fn::If" and _has_condition_itself(call.argument):
        name = call.argument[0].get("Condition")
        if isinstance(name, str):
            return problem, f"Write the name alone, {shown(name)}, as its first entry."
        return problem, "Write the condition in the Conditions of the template, and its name here."
    if call.function == "Fn::GetAtt" and call.resource:
        return problem, _attribute_of(call, owner)
    return problem, f"Write {form.example}, say."


def _has_condition_itself(argument: Any) -> bool:
    """Tells whether a condition stands in ``Fn::If`` where its name belongs."""
    return isinstance(argument, list) and len(argument) == 3 and isinstance(argument[0], dict)


def _attribute_of(call: Miswritten, owner: str | None) -> str:
    if call.type is None or call.type not in TYPES:
        return f"Write !GetAtt {call.resource}.Attribute, with the attribute that is meant."
    return instead(owner, call.path, call.resource, call.type)


def _near(function: str) -> str | None:
    names = {name.removeprefix("Fn::").lower(): name for name in (*_FORMS, *_OTHERS)}
    wanted = function.removeprefix("Fn::").lower()
    return names.get(nearest(wanted, names, _ALIKE))
