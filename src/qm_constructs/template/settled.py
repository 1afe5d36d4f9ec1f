"""Stacks as the defaults of their parameters settle them; what these leave open stays unknown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from qm_constructs.changes.values import OneOf, options_of
from qm_constructs.plan import Unknown, UnknownText
from qm_constructs.template.calls import is_call, walk
from qm_constructs.template.parameters import OTHER, possible_values
from qm_constructs.template.scope import Scope, Scopes
from qm_constructs.template.universe import Universe, mentioned_ids, section
from qm_constructs.template.values import NO_VALUE, Atom
from qm_constructs.template.worlds import UndecidedError, World

# In so many branches inside branches a value is looked up.
_DEEPEST: Final = 20


class SettledScopes(Scopes):
    """All stacks, settled.

    Args:
        universe: The stacks.
    """

    def __init__(self, universe: Universe) -> None:
        # A stack stays where it is, whatever it imports before or after.
        universe.set_homes([*range(len(universe.stacks))])
        super().__init__(universe, World())
        self.world.is_settled = True
        self._settled: dict[int, SettledScope] = {}

    def __getitem__(self, stack: int) -> SettledScope:
        if stack not in self._settled:
            self._settled[stack] = SettledScope(self, stack)
        return self._settled[stack]


class SettledScope(Scope):
    """One stack, settled: an expression that stays open is known by itself and all behind it.

    Two such expressions are the same value where they are written alike, and so are the parameters,
    conditions and mappings that they mention.
    """

    def value(self, node: Any) -> Any:
        """Returns what a part of the template means, an ``UnknownText`` where it is not known."""
        try:
            found = super().value(node)
        except UndecidedError:
            return self.opaque(node)
        is_bare = isinstance(found, Unknown) and not isinstance(found, UnknownText)
        return self.opaque(node) if is_bare else found

    def opaque(self, node: Any, other_than: frozenset[str] = frozenset()) -> UnknownText:
        """Returns what stands for a part of the template that is not known.

        Args:
            node: The part.
            other_than: The texts that it is known not to be.
        """
        expression = json.dumps([node, self.behind(node)], sort_keys=True)
        parts = (Atom(self.number, expression, other_than),)
        options = self._branches(node)
        return UnknownText(node, parts) if options is None else OneOf(node, parts, options)

    def _branches(self, node: Any) -> tuple[Any, ...] | None:
        """Returns all that an ``Fn::If`` can be; None for another expression, or where it is open.

        Args:
            node: The expression.
        """
        arguments = node.get("Fn::If") if is_call(node) else None
        if not isinstance(arguments, list) or len(arguments) != 3 or self._depth >= _DEEPEST:
            return None
        self._depth += 1
        try:
            found = [options_of(self.value(branch)) for branch in arguments[1:]]
        finally:
            self._depth -= 1
        told = [options for options in found if options is not None]
        return tuple(option for one in told for option in one) if len(told) == len(found) else None

    def behind(self, node: Any) -> dict[str, str]:
        """Returns the definitions of all that a part of the template mentions.

        Args:
            node: The part.

        Returns:
            By kind and name, the definition as text: for a parameter its value, as far as the
            template tells.
        """
        found: dict[str, str] = {}
        rest = [node]
        while rest:
            for name, definition in self._mentioned(rest.pop()):
                if name not in found:
                    found[name] = json.dumps(definition, sort_keys=True)
                    rest.append(definition)
        return found

    def defaults(self, node: Any) -> dict[str, Any]:
        """Returns the parameters that a part of the template mentions, each with its default."""
        parameters = section(self.stack.template, "Parameters")
        names = [name.removeprefix("parameter ") for name in self.behind(node)]
        found = {name: section(parameters, name) for name in names}
        return {name: given["Default"] for name, given in found.items() if "Default" in given}

    def _mentioned(self, node: Any) -> Iterator[tuple[str, Any]]:
        template = self.stack.template
        for name in mentioned_ids(node):
            parameter = section(template, "Parameters").get(name)
            if isinstance(parameter, Mapping):
                yield f"parameter {name}", self._definition(name, parameter)
        for part in walk(node):
            for kind, named in (
                ("Conditions", part.get("Condition")),
                ("Conditions", _first(part.get("Fn::If"))),
                ("Mappings", _first(part.get("Fn::FindInMap"))),
            ):
                definitions = section(template, kind)
                if isinstance(named, str) and named in definitions:
                    yield f"{kind} {named}", definitions[named]

    def _definition(self, name: str, parameter: Mapping[str, Any]) -> Any:
        passed = self._passed(name)
        if passed is not None:
            scope, node = passed
            assert isinstance(scope, SettledScope)
            return ["passed", scope.number, node, scope.behind(node)]
        return ["default", parameter["Default"]] if "Default" in parameter else []

    def _parameter(self, name: str) -> Any:
        found = self._given(name)
        if found is not NO_VALUE:
            return found
        parameter = section(self.stack.template, "Parameters")[name]
        usual, *allowed = possible_values(parameter, ())[0]
        if usual is not OTHER:
            return usual
        atom = self._atom(name)
        return OneOf(atom.source, atom.parts, tuple(allowed)) if allowed else atom

    def entry(self, items: Any, index: int, node: Any) -> UnknownText:
        """Returns what stands for an entry of a list that is not known."""
        del items, index
        return self.opaque(node)

    def _one_of(self, name: str, values: list[Any], **alone: bool) -> Any:
        del values, alone
        return self._atom(name)


def _first(arguments: Any) -> Any:
    return arguments[0] if isinstance(arguments, list) and arguments else None
