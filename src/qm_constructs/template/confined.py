"""In which account and Region alone a resource is there, by the conditions that lead to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from qm_constructs.rules._named import NAMED
from qm_constructs.template.calls import walk
from qm_constructs.template.compared import compared_with
from qm_constructs.template.stack import around
from qm_constructs.template.universe import Member, Universe, section
from qm_constructs.template.values import known, parts_of

if TYPE_CHECKING:
    from qm_constructs.template.scope import Scopes

_ACCOUNT: Final = "AWS::AccountId"
_REGION: Final = "AWS::Region"
# A circle of conditions, or of parameters, has no end.
_DEEPEST: Final = 100


def place_of(scopes: Scopes, member: Member) -> tuple[str | None, str | None]:
    """Returns the account and the Region in which alone a resource names what it names.

    That is so by its own condition and those of the stacks around it, and by what chooses the
    resources that it names; None where these tell nothing.

    Args:
        scopes: All stacks in one world.
        member: A resource that is there in that world.
    """
    return _told(scopes, member, _ACCOUNT), _told(scopes, member, _REGION)


def _told(scopes: Scopes, member: Member, name: str) -> str | None:
    # Most templates compare neither with anything.
    if member.type not in NAMED or not compared_with(scopes.universe, member.stack, name):
        return None
    if not _is_told(scopes, member, name):
        return None
    return known(parts_of(scopes[member.stack].value({"Ref": name})))


def _is_told(scopes: Scopes, member: Member, name: str) -> bool:
    universe = scopes.universe

    def told(stack: int, condition: Any, holds: bool) -> bool:
        conditions = section(universe.stacks[stack].template, "Conditions")
        told = universe.told_by_conditions.setdefault((stack, name), {})
        return _Conditions(conditions, name, told).tell(condition, holds)

    if any(
        told(number, condition, True) for number, condition in _conditions_around(universe, member)
    ):
        return True
    properties = section(member.body, "Properties")
    for path in NAMED[member.type]:
        stack, node = member.stack, _at(properties, path)
        for _ in range(_DEEPEST):
            branch = scopes[stack].branch(node)
            if branch is not None:
                if told(stack, node["Fn::If"][0], branch[0] == 1):
                    return True
                node = branch[1]
                continue
            given = _given(universe, stack, node)
            if given is None:
                break
            stack, node = given
        if any(_looks_up(part, name) for part in walk(node)):
            return True
    return False


def _at(node: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        is_there = (isinstance(node, list) and step == 0 and node) or (
            isinstance(node, Mapping) and step in node
        )
        if not is_there:
            return None
        node = node[step]
    return node


def _conditions_around(universe: Universe, member: Member) -> Iterator[tuple[int, Any]]:
    """Yields the conditions on which a resource is there, each with its stack."""
    yield member.stack, member.body.get("Condition")
    inner, *outer = around(universe.stacks[member.stack])
    for above in outer:
        number = universe.number_of.get(id(above))
        if number is not None:
            body = section(section(above.template, "Resources"), inner.parent_resource)
            yield number, body.get("Condition")
        inner = above


def _given(universe: Universe, stack: int, node: Any) -> tuple[int, Any] | None:
    """Returns what a parent gives for a parameter, where that alone stands in a property."""
    name = node.get("Ref") if _is_call(node) else None
    return universe.passed(stack, name) if isinstance(name, str) else None


def _looks_up(part: Any, name: str) -> bool:
    """Tells whether a part of a template is a value that a map has for an account or a Region."""
    keys = part.get("Fn::FindInMap")
    return isinstance(keys, list) and {"Ref": name} in keys[1:3]


class _Conditions:
    """The conditions of a template, by what they tell of an account or a Region.

    Args:
        conditions: The conditions.
        name: The pseudo parameter.
        told: What was told already, to which the rest is added.
    """

    def __init__(
        self, conditions: Mapping[str, Any], name: str, told: dict[tuple[str, bool], bool]
    ) -> None:
        self._conditions = conditions
        self._told = told
        self._are = ({"Ref": name}, {"Fn::Sub": f"${{{name}}}"})

    def tell(self, condition: Any, holds: bool, depth: int = 0) -> bool:
        """Tells whether a condition that holds, or does not, leaves only some of them."""
        if not isinstance(condition, str) or depth >= _DEEPEST:
            return False
        key = condition, holds
        if key not in self._told:
            # One that refers to itself tells nothing.
            self._told[key] = False
            self._told[key] = self._tells(self._conditions.get(condition), holds, depth + 1)
        return self._told[key]

    def _tells(self, node: Any, holds: bool, depth: int) -> bool:
        function, argument = next(iter(node.items())) if _is_call(node) else ("", None)
        if function == "Condition":
            return self.tell(argument, holds, depth)
        if not isinstance(argument, list) or depth > _DEEPEST:
            return False
        if function == "Fn::Equals":
            is_compared = any(one in self._are for one in argument)
            return holds and is_compared and any(isinstance(one, str | int) for one in argument)
        if function == "Fn::Not":
            return all(self._tells(part, not holds, depth + 1) for part in argument)
        if function not in ("Fn::And", "Fn::Or"):
            return False
        # Of several that all hold each tells; where one of them does, only what they all tell.
        parts = (self._tells(part, holds, depth + 1) for part in argument)
        return any(parts) if (function == "Fn::And") == holds else all(parts)


def _is_call(node: Any) -> bool:
    return isinstance(node, Mapping) and len(node) == 1
