"""Functions that are given a list in the place of a text, or a text in the place of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from qm_constructs.plan import Given
from qm_constructs.rules._functions import PSEUDO_PARAMETERS, is_as_asked
from qm_constructs.schema import ARN_ATTRIBUTE
from qm_constructs.template.calls import is_call
from qm_constructs.template.macros import is_module
from qm_constructs.template.parameters import is_list
from qm_constructs.template.universe import Universe, section

_IN_SUB: Final = re.compile(r"\$\{([^!}]+)\}")
_OF_LISTS: Final = ("Fn::Join", "Fn::Select")
_OF_ONE_TEXT: Final = ("Fn::Base64", "Fn::GetAZs", "Fn::ImportValue")
_GIVES_LIST: Final = {"Fn::Base64": False, "Fn::Join": False, "Fn::Split": True, "Fn::Sub": False}
_TEXTS: Final = ("AWS::", "Number", "String")
_NOT_TEXT: Final = ("AWS::NoValue", "AWS::NotificationARNs")


def misgiven(universe: Universe, stack: int, function: str, argument: Any) -> Given | None:
    """Returns what a function is given of the wrong kind, None where that is not known.

    Args:
        universe: The stacks.
        stack: The stack of the function, by number.
        function: The function.
        argument: What it is given, which has the form that the function takes.
    """
    if function in _OF_LISTS and _is_list(universe, stack, argument[1]) is False:
        return Given(_shown(argument[1]), is_list=False)
    for shown, node in _texts_of(function, argument):
        if _is_list(universe, stack, node):
            return Given(shown or _shown(node), is_list=True)
    return None


def _texts_of(function: str, argument: Any) -> Iterator[tuple[str, Any]]:
    """Yields what stands in a function where a text belongs, each with how it is shown there."""
    texts: Any = ()
    if function == "Fn::Sub":
        text, values = argument if isinstance(argument, list) else (argument, {})
        # What a macro makes of the values may have any name.
        names = [] if "Fn::Transform" in values else map(str.strip, _IN_SUB.findall(text))
        yield from ((f"${{{name}}}", {"Ref": name}) for name in names if name not in values)
        texts = values.values()
    elif function == "Fn::Join":
        texts = argument[1]
    elif function == "Fn::Select":
        texts = argument[:1]
    elif function == "Fn::Split":
        texts = argument[1:]
    elif function == "Fn::FindInMap":
        texts = argument
    elif function in _OF_ONE_TEXT:
        texts = [argument]
    yield from (("", node) for node in texts if isinstance(node, Mapping))


def _is_list(universe: Universe, stack: int, node: Any) -> bool | None:
    """Tells whether a part of a template gives a list, or a text; None for what is not known."""
    if not is_call(node):
        return None
    function, argument = next(iter(node.items()))
    if not is_as_asked(function, argument):
        return None
    if function == "Ref":
        return _is_list_by_name(universe, stack, argument)
    if function == "Fn::If":
        found = {_is_list(universe, stack, branch) for branch in argument[1:]}
        return found.pop() if len(found) == 1 else None
    if function == "Fn::GetAtt":
        id, attribute = argument.split(".", 1) if isinstance(argument, str) else argument
        known = ARN_ATTRIBUTE.get(str(universe.type_of(stack, id)))
        return False if known is not None and attribute == known else None
    return _GIVES_LIST.get(function)


def _is_list_by_name(universe: Universe, stack: int, name: str) -> bool | None:
    template = universe.stacks[stack].template
    parameters = section(template, "Parameters")
    if name in parameters:
        return _is_list_by_type(parameters[name])
    if name.startswith("AWS::"):
        if name == "AWS::NotificationARNs":
            return True
        return False if name in PSEUDO_PARAMETERS and name not in _NOT_TEXT else None
    # What a module makes of its own name is not known.
    is_known = universe.type_of(stack, name) and not is_module(section(template, "Resources")[name])
    return False if is_known else None


def _is_list_by_type(parameter: Any) -> bool | None:
    if is_list(parameter):
        return True
    type = section({"Parameter": parameter}, "Parameter").get("Type")
    is_text = isinstance(type, str) and type.startswith(_TEXTS)
    return False if is_text else None


def _shown(node: Mapping[str, Any]) -> str:
    function, argument = next(iter(node.items()))
    return f"!Ref {argument}" if function == "Ref" else str(function)
