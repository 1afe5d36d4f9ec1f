"""The queues that a template hands to what is not judged with it, which may make shares of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from qm_constructs.plan import JOB_QUEUE
from qm_constructs.schema import ARN_KIND, NAME_PROPERTY, TYPES
from qm_constructs.template.components import mentioned_in
from qm_constructs.template.scope import Scopes
from qm_constructs.template.universe import (
    NESTED_STACK,
    GivenAway,
    Member,
    Universe,
    parameters_given,
    section,
)
from qm_constructs.template.values import Parts, parts_of, target
from qm_constructs.template.worlds import World

# Of AWS's own types these make other resources, or hold a text for other templates to read.
_MAKE_OR_TELL: Final = (
    "AWS::CloudFormation::",
    "AWS::SSM::Parameter",
    "AWS::Serverless::Application",
    "AWS::ServiceCatalog::CloudFormationProvisionedProduct",
)

_Part = tuple[int, Any]


def given_away(universe: Universe) -> GivenAway:
    """Returns the queues that a share may name in a template that is not judged here.

    Args:
        universe: The stacks.
    """
    if universe.given_away is None:
        scopes = Scopes(universe, World())
        named = [
            (queue, name)
            for queue in _queues(universe)
            if (name := _name_of(scopes, queue)) is not None
        ]
        made, told = (
            _reached(universe, scopes, named, parts)
            for parts in (_for_others(universe), _outputs(universe))
        )
        universe.given_away = GivenAway(made, told)
    return universe.given_away


def _queues(universe: Universe) -> Iterator[Member]:
    return (member for member in universe.members if member.type == JOB_QUEUE)


def _name_of(scopes: Scopes, queue: Member) -> Parts | None:
    written = section(queue.body, "Properties").get(NAME_PROPERTY[JOB_QUEUE])
    return parts_of(scopes[queue.stack].value(written))


def _reached(
    universe: Universe, scopes: Scopes, named: list[tuple[Member, Parts]], parts: Iterable[_Part]
) -> frozenset[Member]:
    """Returns the queues that parts of templates refer to, or hold the name or the ARN of."""
    found: set[Member] = set()
    for stack, part in parts:
        found.update(mentioned_in(universe, stack, part))
        for written in _texts(part) if named else ():
            meant = target(scopes[stack].value(written))
            if meant is not None and meant.kind in (None, ARN_KIND[JOB_QUEUE]):
                found.update(queue for queue, name in named if name == meant.name)
    return frozenset(member for member in found if member.type == JOB_QUEUE)


def _texts(node: Any) -> Iterator[Any]:
    """Yields what may be a text in a part of a template: literals and calls of functions."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, list):
        for item in node:
            yield from _texts(item)
    elif isinstance(node, Mapping):
        yield node
        for key, value in node.items():
            if key not in ("Ref", "Fn::GetAtt"):
                yield from _texts(value)


def _for_others(universe: Universe) -> Iterator[_Part]:
    """Yields what is handed to what may make shares, or may tell others of a queue."""
    for number, stack in enumerate(universe.stacks):
        for id, body in section(stack.template, "Resources").items():
            nested = universe.nested.get((number, id))
            if nested is None:
                yield number, _handed(id, body)
            elif nested in universe.with_more:
                yield number, parameters_given(body)
        if len(universe.stacks) == 1:
            outputs = section(stack.template, "Outputs").values()
            yield from ((0, out) for out in outputs if isinstance(out, Mapping) and "Export" in out)


def _handed(id: str, body: Any) -> Any:
    """Returns what a resource that may make or tell is given, None for any other resource."""
    if not isinstance(body, Mapping) or any(str(key).startswith("Fn::") for key in (id, *body)):
        # What a macro is given for a type may be anything.
        return None if isinstance(body, Mapping) and str(body.get("Type")) in TYPES else body
    type_ = str(body.get("Type"))
    if type_ == NESTED_STACK:
        return parameters_given(body)
    is_other = type_.startswith("AWS::") and not type_.startswith(_MAKE_OR_TELL)
    return None if is_other else body.get("Properties")


def _outputs(universe: Universe) -> Iterator[_Part]:
    """Yields the outputs of templates that may be nested in one that is not here."""
    for number, stack in enumerate(universe.stacks):
        # A stack of an app has a name; what reads its outputs is in the app, or a person.
        if stack.name is None and id(stack.parent) not in universe.number_of:
            for output in section(stack.template, "Outputs").values():
                if isinstance(output, Mapping):
                    yield number, output.get("Value")
