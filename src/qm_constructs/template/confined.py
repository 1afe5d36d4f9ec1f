"""Where alone a resource is there, by the conditions on it, and what it takes from there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from qm_constructs.plan import Path, WholePlace
from qm_constructs.rules._named import NAMED
from qm_constructs.schema import ARN_KIND
from qm_constructs.template.calls import is_call, walk
from qm_constructs.template.compared import compared_with
from qm_constructs.template.stack import around
from qm_constructs.template.universe import Member, Universe, referred_to, section
from qm_constructs.template.values import known, parts_of

if TYPE_CHECKING:
    from qm_constructs.template.scope import Scopes

# The account, the Region and the partition, in the order of a place.
_PLACE: Final = ("AWS::AccountId", "AWS::Region", "AWS::Partition")
_PIECE: Final = r"(\$\{[^}]*\}|[^:]*)"
_IN_ARN: Final = re.compile(f"arn:{_PIECE}:batch:{_PIECE}:{_PIECE}:")
_VARIABLE: Final = re.compile(r"\$\{[^}]*\}")
# Few compare more at once, and it takes long to tell those apart.
_MOST_PIECES: Final = 4
_LONGEST: Final = 256
# A circle of conditions, or of parameters, has no end.
_DEEPEST: Final = 100


class _Choice(NamedTuple):
    """A condition on the way to what a property is, and whether it holds."""

    stack: int
    condition: Any
    holds: bool


def compares_places(universe: Universe, stack: int) -> bool:
    """Tells whether a stack compares its account, Region or partition: most do not.

    Args:
        universe: The stacks.
        stack: The stack, by number.
    """
    known_of = universe.comparing_places
    if stack not in known_of:
        known_of[stack] = any(compared_with(universe, stack, name) for name in _PLACE)
    return known_of[stack]


def place_of(scopes: Scopes, member: Member) -> WholePlace:
    """Returns the place in which alone a resource names what it names.

    That is so by its own condition and those of the stacks around it, and by what chooses the
    resources that it names; the account, the Region or the partition is None where these tell
    nothing of it.

    Args:
        scopes: All stacks in one world.
        member: A resource that is there in that world.
    """
    account, region, partition = (_told(scopes, member, name) for name in _PLACE)
    return account, region, partition


def taken_from_stack(scopes: Scopes, member: Member) -> dict[Path, tuple[bool, bool, bool]]:
    """Returns whether the ARNs in a resource take the account, Region and partition of the stack.

    Args:
        scopes: All stacks in one world.
        member: A resource that is there in that world.
    """
    universe = scopes.universe
    properties = section(member.body, "Properties")
    ends = {
        path: _end(scopes, member.stack, _at(properties, path))[1:]
        for path in NAMED.get(member.type, ())
    }
    return {path: _taken(universe, *end) for path, end in ends.items()}


def _told(scopes: Scopes, member: Member, name: str) -> str | None:
    # Most templates compare neither with anything.
    if member.type not in NAMED or not compared_with(scopes.universe, member.stack, name):
        return None
    if not _is_told(scopes, member, name):
        return None
    return known(parts_of(scopes[member.stack].value({"Ref": name})))


def _is_told(scopes: Scopes, member: Member, name: str) -> bool:
    universe = scopes.universe

    def told(choice: _Choice) -> bool:
        conditions = section(universe.stacks[choice.stack].template, "Conditions")
        known_of = universe.told_by_conditions.setdefault((choice.stack, name), {})
        return _Conditions(conditions, name, known_of).tell(choice.condition, choice.holds)

    if any(map(told, _conditions_around(universe, member))):
        return True
    properties = section(member.body, "Properties")
    for path in NAMED[member.type]:
        choices, stack, node = _end(scopes, member.stack, _at(properties, path))
        for part in _parts_in(node):
            choices += _end(scopes, stack, part)[0]
        if any(map(told, choices)) or any(_looks_up(part, name) for part in walk(node)):
            return True
    return False


def _end(scopes: Scopes, stack: int, node: Any) -> tuple[list[_Choice], int, Any]:
    """Returns what is chosen for a property, with the stack that has it, behind the choices."""
    choices: list[_Choice] = []
    for _ in range(_DEEPEST):
        branch = scopes[stack].branch(node)
        if branch is not None:
            choices.append(_Choice(stack, node["Fn::If"][0], branch[0] == 1))
            node = branch[1]
            continue
        given = _given(scopes.universe, stack, node)
        if given is None:
            break
        stack, node = given
    return choices, stack, node


def _parts_in(node: Any) -> list[Any]:
    """Returns what a text is put together of, other than what is named in it by itself."""
    if not is_call(node):
        return []
    function, argument = next(iter(node.items()))
    if not isinstance(argument, list) or len(argument) != 2:
        return []
    text, values = argument
    if function == "Fn::Join" and isinstance(values, list):
        return values
    if function == "Fn::Sub" and isinstance(values, Mapping):
        return [value for name, value in values.items() if f"${{{name}}}" in str(text)]
    return []


def _taken(universe: Universe, stack: int, node: Any) -> tuple[bool, bool, bool]:
    """Tells whether an ARN takes its account, its Region and its partition from the stack."""
    if is_call(node) and not node.keys().isdisjoint(("Ref", "Fn::GetAtt")):
        is_ours = any(universe.type_of(stack, id) in ARN_KIND for id in referred_to(node))
        return is_ours, is_ours, is_ours
    pieces = _IN_ARN.match(_as_sub(node)) if is_call(node) else None
    if pieces is None:
        return False, False, False
    partition, region, account = pieces.groups()
    is_account, is_region = account == "${AWS::AccountId}", region == "${AWS::Region}"
    return is_account, is_region, partition == "${AWS::Partition}"


def _as_sub(node: Mapping[str, Any]) -> str:
    """Returns a text that is put together as ``Fn::Sub`` writes it, no such text for any other."""
    text = node.get("Fn::Sub")
    text = text[0] if isinstance(text, list) and text else text
    joined = node.get("Fn::Join")
    if isinstance(joined, list) and len(joined) == 2 and isinstance(joined[1], list):
        items = (f"${{{item.get('Ref')}}}" if is_call(item) else str(item) for item in joined[1])
        text = str(joined[0]).join(items)
    return str(text)


def _at(node: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        is_there = (isinstance(node, list) and step == 0 and node) or (
            isinstance(node, Mapping) and step in node
        )
        if not is_there:
            return None
        node = node[step]
    return node


def _conditions_around(universe: Universe, member: Member) -> Iterator[_Choice]:
    """Yields the conditions on which a resource is there."""
    yield _Choice(member.stack, member.body.get("Condition"), holds=True)
    inner, *outer = around(universe.stacks[member.stack])
    for above in outer:
        number = universe.number_of.get(id(above))
        if number is not None:
            body = section(section(above.template, "Resources"), inner.parent_resource)
            yield _Choice(number, body.get("Condition"), holds=True)
        inner = above


def _given(universe: Universe, stack: int, node: Any) -> tuple[int, Any] | None:
    """Returns what a parent gives for a parameter, where that alone stands in a property."""
    name = node.get("Ref") if is_call(node) else None
    return universe.passed(stack, name) if isinstance(name, str) else None


def _looks_up(part: Any, name: str) -> bool:
    """Tells whether a part of a template is a value that a map has for such a place."""
    keys = part.get("Fn::FindInMap")
    return isinstance(keys, list) and {"Ref": name} in keys[1:]


class _Conditions:
    """The conditions of a template, by what they tell of an account, a Region or a partition.

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
        self._is = f"${{{name}}}"

    def tell(self, condition: Any, holds: bool, depth: int = 0) -> bool:
        """Tells whether a condition that holds, or does not, leaves only some of them."""
        if not isinstance(condition, str):
            return False
        key = condition, holds
        if key not in self._told:
            # One that refers to itself tells nothing.
            self._told[key] = False
            self._told[key] = self._tells(self._conditions.get(condition), holds, depth + 1)
        return self._told[key]

    def _tells(self, node: Any, holds: bool, depth: int) -> bool:
        if not is_call(node) or depth > _DEEPEST:
            return False
        function, argument = next(iter(node.items()))
        if function == "Condition":
            return self.tell(argument, holds, depth)
        if not isinstance(argument, list):
            return False
        if function == "Fn::Equals":
            return holds and any(map(self._settles, argument, reversed(argument)))
        if function == "Fn::Not":
            return all(self._tells(part, not holds, depth + 1) for part in argument)
        # Of several that all hold each tells; where one of them does, only what they all tell.
        told = any if (function == "Fn::And") == holds else all
        parts = (self._tells(part, holds, depth + 1) for part in argument)
        return function in ("Fn::And", "Fn::Or") and told(parts)

    def _settles(self, one: Any, other: Any) -> bool:
        """Tells whether it is known what the place is when something is a literal text."""
        if not isinstance(other, str | int) or not is_call(one):
            return False
        text = f"${{{one['Ref']}}}" if "Ref" in one else _as_sub(one)
        return self._is in text and _is_put_together_in_one_way(text, str(other))


def _is_put_together_in_one_way(text: str, literal: str) -> bool:
    """Tells whether what stands for parts of a text is known when the whole is a literal one."""
    pieces = _VARIABLE.split(text)
    if len(pieces) > _MOST_PIECES or len(literal) > _LONGEST:
        return False
    found = [
        re.fullmatch(part.join(map(re.escape, pieces)), literal, re.DOTALL)
        for part in ("(.*)", "(.*?)")
    ]
    # Each part is as long as it can be in the one, and as short in the other.
    longest, shortest = (one.groups() if one else None for one in found)
    return longest is not None and longest == shortest
