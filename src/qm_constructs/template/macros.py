"""What macros, modules and loops may make of a template beyond what it spells out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from qm_constructs.plan import QUOTA_SHARE
from qm_constructs.rules import Finding
from qm_constructs.template.calls import walk

_SERVERLESS: Final = "AWS::Serverless-2016-10-31"
# What these do to a template leaves the four types as they are.
LANGUAGE_EXTENSIONS: Final = "AWS::LanguageExtensions"
_KNOWN: Final = (_SERVERLESS, LANGUAGE_EXTENSIONS)
# It adds to what it stands in, and changes nothing there.
_INCLUDE: Final = "AWS::Include"
_OPEN: Final = ("Fn::Transform", "Fn::ForEach")
# What is wrong as it is written, and what a macro is there to replace by something else.
_REPLACED: Final = ("CF-01", "CF-02", "CF-04", "JQ-06", "QS-15")
# These say of a map, of an empty list or of nothing that something is missing there.
_MISSING: Final = (
    *("JQ-01", "JQ-02", "JQ-04", "JQ-05", "JQ-11", "JT-01", "QS-01", "QS-04", "QS-05", "QS-07"),
    *("QS-12", "SE-01", "SE-04", "SE-09", "SP-06"),
)


def macros(template: Mapping[str, Any]) -> list[str]:
    """Returns the names of the macros that may make anything of a template."""
    return [name for name in transforms(template) if name not in (*_KNOWN, _INCLUDE)]


def transforms(template: Mapping[str, Any]) -> list[str]:
    """Returns the names of all macros of a template, in its order."""
    given = template.get("Transform")
    found = [*given] if isinstance(given, list) else [given]
    # One that stands among the resources, or beside the sections, is given them all.
    found += [part.get("Fn::Transform") for part in (template, _resources(template))]
    return [_name_of(one) for one in found if one is not None]


def makes_resources(template: Mapping[str, Any]) -> bool:
    """Tells whether a macro makes resources, though none of the four types."""
    return _SERVERLESS in transforms(template)


def may_have_more(template: Mapping[str, Any]) -> bool:
    """Tells whether a template may have resources that it does not spell out."""
    return (
        any(name not in _KNOWN for name in transforms(template))
        or "Modules" in template
        or any(str(key).startswith("Fn::") for key in template)
        or any(
            id.startswith("Fn::") or is_module(body) or _is_open_share(body)
            for id, body in _resources(template).items()
        )
    )


def may_have_more_parameters(template: Mapping[str, Any]) -> bool:
    """Tells whether a template may have parameters that it does not spell out."""
    found = template.get("Parameters")
    return isinstance(found, Mapping) and any(str(key).startswith("Fn::") for key in found)


def is_module(body: Any) -> bool:
    """Tells whether a resource stands for others that a module has."""
    return _type_of(body).endswith("::MODULE")


def is_made_otherwise(body: Any) -> bool:
    """Tells whether a macro, a module or a loop makes a resource, or a part of it."""
    return is_module(body) or _type_of(body).startswith("AWS::Serverless::") or _is_open(body)


def may_be_put_right(found: Finding) -> bool:
    """Tells whether a macro of the template may put in place what a finding says is wrong."""
    is_empty = found.value in (None, []) or isinstance(found.value, Mapping)
    return found.rule.id in _REPLACED or (found.rule.id in _MISSING and is_empty)


def _name_of(transform: Any) -> str:
    name = transform.get("Name", transform) if isinstance(transform, Mapping) else transform
    return name if isinstance(name, str) else json.dumps(name)


def _resources(template: Mapping[str, Any]) -> Mapping[str, Any]:
    found = template.get("Resources")
    return found if isinstance(found, Mapping) else {}


def _is_open_share(body: Any) -> bool:
    """Tells whether a quota share may be of any queue, as a macro adds to its properties."""
    if _type_of(body) != QUOTA_SHARE:
        return False
    properties = body.get("Properties")
    inner = properties if isinstance(properties, Mapping) else ()
    return any(str(key).startswith("Fn::") for key in (*body, *inner))


def _is_open(node: Any) -> bool:
    return any(str(key).startswith(_OPEN) for part in walk(node) for key in part)


def _type_of(body: Any) -> str:
    return str(body.get("Type") if isinstance(body, dict) else None)
