"""Which output of another stack a function reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from qm_constructs.template.stack import Stack
from qm_constructs.template.values import known, parts_of

if TYPE_CHECKING:
    from qm_constructs.template.scope import Scope


def export_for(scope: Scope, argument: Any) -> tuple[int, Mapping[str, Any]] | None:
    """Returns the stack and the output that an ``Fn::ImportValue`` reads, None where not known.

    Args:
        scope: The stack that imports.
        argument: The argument of the function.
    """
    # None, where it is not known, is the name of none.
    name: Any = known(parts_of(scope.value(argument)))
    found = scope.universe.outputs_by_export.get(name, [])
    here = [
        (stack, output)
        for stack, output in found
        if _may_import(scope.universe.stacks[stack], scope.stack)
    ]
    return here[0] if len(here) == 1 else None


def output_for(scope: Scope, argument: Any) -> tuple[int, Any] | None:
    """Returns the stack and the name of the output that an ``Fn::GetStackOutput`` reads.

    Args:
        scope: The stack that reads.
        argument: The argument of the function.
    """
    given: Any = {key: known(parts_of(scope.value(part))) for key, part in _members(argument)}
    stacks = scope.universe.stacks
    region = given.get("Region") or scope.stack.region
    found = [
        number
        for number in scope.universe.stacks_named.get(given.get("StackName"), [])
        if (stack := stacks[number]).account == scope.stack.account
        and stack.region in (region, None)
        and (stack.region is not None or stack.assembly == scope.stack.assembly)
    ]
    return (found[0], given.get("OutputName")) if len(found) == 1 else None


def imported_from(scope: Scope, function: str, argument: Any) -> int | None:
    """Returns the stack whose output a function reads; None where it may be in another Region.

    Args:
        scope: The stack that reads.
        function: ``Fn::ImportValue`` or ``Fn::GetStackOutput``.
        argument: The argument of the function.
    """
    if function == "Fn::ImportValue":
        exported = export_for(scope, argument)
        return None if exported is None else exported[0]
    is_here = isinstance(argument, Mapping) and not {"Region", "RoleArn"} & set(argument)
    published = output_for(scope, argument) if is_here else None
    return None if published is None else published[0]


def _members(argument: Any) -> Iterable[tuple[str, Any]]:
    return argument.items() if isinstance(argument, Mapping) else ()


def _may_import(exporter: Stack, importer: Stack) -> bool:
    """Tells whether a stack sees another's exports, being in one account and Region with it."""
    place = exporter.account, exporter.region
    if place != (importer.account, importer.region):
        return False
    return None not in place or exporter.assembly == importer.assembly
