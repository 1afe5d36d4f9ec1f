"""The texts that parameters are compared with, or looked up by: each of them makes a difference."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeGuard

from qm_constructs.rules._functions import index_in
from qm_constructs.template.calls import is_call, walk
from qm_constructs.template.parameters import possible_values, settled_values
from qm_constructs.template.places import owner_of
from qm_constructs.template.universe import Universe, section
from qm_constructs.template.values import Parts, may_be, ways

_ANY_IN_SUB: Final = re.compile(r"\$\{([^}!]*)\}")
# In how many ways a text is taken apart for what its parts may be compared with.
_MOST_WAYS: Final = 8
_REGION: Final = "AWS::Region"
_OF_LISTS: Final = ("Fn::Contains", "Fn::EachMemberEquals", "Fn::EachMemberIn")
# What a stack gives another to compare, that gives it on, and so on.
_FARTHEST: Final = 100


class _Named(NamedTuple):
    """A parameter in a text that is put together, or an entry of one that is a list."""

    name: str
    list_: str = ""

    def __str__(self) -> str:
        return self.name


def possible(universe: Universe, stack: int, name: str, settled: bool) -> tuple[list[Any], bool]:
    """Returns what a parameter can be, the default first, and whether that is the usual case.

    Args:
        universe: The stacks.
        stack: The stack, by number.
        name: A parameter that the stack declares.
        settled: Whether it is its default where it has one.
    """
    key = stack, name, settled
    if key not in universe.possible:
        parameter = section(universe.stacks[stack].template, "Parameters")[name]
        read = settled_values if settled else possible_values
        universe.possible[key] = read(parameter, _compared(universe, stack, name))
    return universe.possible[key]


def compared_with(universe: Universe, stack: int, name: str) -> list[str]:
    """Returns the texts that a parameter or pseudo parameter is compared with, or looked up by.

    Args:
        universe: The stacks.
        stack: The stack, by number.
        name: What ``Ref`` names.
    """
    return _compared(universe, stack, name) or []


def _compared(universe: Universe, stack: int, name: str) -> list[str] | None:
    if universe.compared is None:
        universe.compared = _comparisons(universe)
    return universe.compared.get((owner_of(universe, stack, name), name))


def entry_of(list_: str, index: int) -> str:
    """Returns how an entry of a list is named beside the parameters.

    Args:
        list_: The parameter that is the list.
        index: The place of the entry, from 0.
    """
    return f"{list_}[{index}]"


def names_its_regions(universe: Universe, stack: int) -> bool:
    """Tells whether the ``Rules`` of a template say in which Regions alone it is deployed.

    Args:
        universe: The stacks.
        stack: The stack, by number.
    """
    if stack not in universe.named_regions:
        rules = section(universe.stacks[stack].template, "Rules").values()
        universe.named_regions[stack] = any(map(_names_regions, rules))
    return universe.named_regions[stack]


def _names_regions(rule: Any) -> bool:
    """Tells whether a rule of a template asserts by itself which Region it is."""
    given = section({"Rule": rule}, "Rule").get("Assertions")
    if not isinstance(given, list) or "RuleCondition" in rule:
        return False
    return any(
        name == _REGION
        for one in given
        if isinstance(one, Mapping) and isinstance(one.get("Assert"), Mapping)
        for node, _ in _compared_in(one["Assert"])
        for name, _ in _named_in(node, [])
    )


def _comparisons(universe: Universe) -> dict[tuple[int, str], list[str]]:
    found: defaultdict[tuple[int, str], dict[str, None]] = defaultdict(dict)
    for number, stack in enumerate(universe.stacks):
        for part in _deciding(universe, number):
            maps = section(stack.template, "Mappings")
            for node, texts in (*_compared_in(part), *_looked_up_in(part, maps)):
                given = [one for text in texts for one in _written(universe, number, text)]
                for (told_of, name), told in _told_apart(universe, number, node, given):
                    key = owner_of(universe, told_of, name), name
                    found[key].update(dict.fromkeys(one for one in told if may_be(name, one)))
            for name in _lists_asked(part):
                found[number, name].update()
    return {key: list(texts) for key, texts in found.items()}


def _deciding(universe: Universe, stack: int) -> Iterator[Mapping[str, Any]]:
    """Yields the mappings in a template on which something of ours may depend."""
    template = universe.stacks[stack].template
    if not any(name in template for name in ("Conditions", "Mappings", "Rules")):
        return
    bodies: list[Any] = [member.body for member in universe.members_of[stack]]
    if len(universe.stacks) > 1:
        resources = section(template, "Resources")
        bodies += [body for id, body in resources.items() if (stack, id) in universe.nested]
        bodies.append(section(template, "Outputs"))
    bodies += [output for number, output in universe.judged_outputs if number == stack]
    rules = list(section(template, "Rules").values())
    yield from walk([*bodies, *conditions_behind(template, bodies).values(), *rules])


def conditions_behind(template: Mapping[str, Any], bodies: Sequence[Any]) -> dict[str, Any]:
    """Returns the conditions on which parts of a template depend, by their names.

    Args:
        template: The template.
        bodies: The parts.
    """
    conditions, found = section(template, "Conditions"), dict[str, Any]()
    rest: list[Any] = [*bodies]
    while rest:
        for node in walk(rest.pop()):
            arguments = node.get("Fn::If")
            asked = arguments[0] if isinstance(arguments, list) and arguments else None
            for name in (node.get("Condition"), asked):
                if isinstance(name, str) and name in conditions and name not in found:
                    found[name] = conditions[name]
                    rest.append(conditions[name])
    return found


def _compared_in(node: Mapping[str, Any]) -> Iterator[tuple[Any, list[Any]]]:
    """Yields what a function compares, each with all that it is compared with."""
    sides = node.get("Fn::Equals")
    if _is_pair(sides):
        yield sides[0], [sides[1]]
        yield sides[1], [sides[0]]
    allowed = node.get("Fn::Contains")
    if _is_pair(allowed) and isinstance(allowed[0], list):
        yield allowed[1], allowed[0]
    equal = node.get("Fn::EachMemberEquals")
    if _is_pair(equal) and isinstance(equal[0], list):
        for item in equal[0]:
            yield item, [equal[1]]


def _looked_up_in(
    node: Mapping[str, Any], mappings: Mapping[str, Any]
) -> Iterator[tuple[Any, list[str]]]:
    """Yields what a function looks up in a map, each with all keys that there are."""
    keys = node.get("Fn::FindInMap")
    if isinstance(keys, list) and len(keys) >= 3 and isinstance(keys[0], str):
        tops = section(mappings, keys[0])
        yield keys[1], [str(key) for key in tops]
        inner = [key for top in tops.values() if isinstance(top, Mapping) for key in top]
        yield keys[2], [str(key) for key in inner]


def _written(universe: Universe, stack: int, node: Any) -> list[str]:
    """Returns the text that something is compared with, none where it is not spelt out."""
    for _ in range(_FARTHEST):
        found = next(_behind(universe, stack, node), None)
        if found is None:
            break
        stack, node = found
    return [_scalar(node)] if isinstance(node, str | int | float) else []


def _told_apart(
    universe: Universe, stack: int, node: Any, texts: list[str], far: int = 0
) -> Iterator[tuple[tuple[int, str], list[str]]]:
    """Yields what the parameters behind a part of a template are when it is one of some texts."""
    if not texts or far == _FARTHEST:
        return
    for other, part in _behind(universe, stack, node):
        yield from _told_apart(universe, other, part, texts, far + 1)
    for name, told in _named_in(node, texts):
        yield (stack, name), told
        passed = None if _referred(node) else universe.passed(stack, name)
        if passed is not None:
            yield from _told_apart(universe, *passed, told, far + 1)
        list_, _, index = name.rstrip("]").partition("[")
        given = universe.passed(stack, list_)
        if given is not None:
            entry = {"Fn::Select": [index, joined_by_commas(given[1])]}
            yield from _told_apart(universe, given[0], entry, told)


def _behind(universe: Universe, stack: int, node: Any) -> Iterator[tuple[int, Any]]:
    """Yields what stands in another stack for a reference to what that gives."""
    if not is_call(node):
        return
    function, argument = next(iter(node.items()))
    if function == "Ref" and isinstance(argument, str):
        passed = universe.passed(stack, argument)
        if passed is not None:
            yield passed
    elif function == "Fn::ImportValue" and isinstance(argument, str):
        for number, output in universe.outputs_by_export.get(argument, ()):
            yield number, output.get("Value")
    elif function == "Fn::GetAtt":
        id, attribute = argument if _is_pair(argument) else str(argument).partition(".")[::2]
        nested = universe.nested.get((stack, id)) if isinstance(id, str) else None
        if nested is not None:
            outputs = section(universe.stacks[nested].template, "Outputs")
            name = str(attribute).removeprefix("Outputs.")
            yield nested, section(outputs, name).get("Value")


def _named_in(node: Any, texts: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yields what the parameters in a part of a template are when it is one of some texts."""
    name = _referred(node)
    if name:
        yield name, texts
        return
    branches = node.get("Fn::If") if isinstance(node, Mapping) else None
    for branch in branches[1:] if isinstance(branches, list) else ():
        yield from _named_in(branch, texts)
    yield from _lists_in(node, texts)
    parts = _composed(node)
    for text in texts:
        for way in (ways(parts, text) or [])[:_MOST_WAYS]:
            yield from ((str(part), [piece]) for part, piece in way.items())
            yield from ((part.list_, []) for part in way if isinstance(part, _Named) and part.list_)


def _lists_in(node: Any, texts: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yields what a list and its entries are when one of these, or all joined, is a text."""
    list_, entry = _selected(node)
    if entry:
        yield entry, texts
        # It counts that it is compared at all.
        yield list_, []
    argument = node.get("Fn::Join") if is_call(node) else None
    delimiter, items = argument if _is_pair(argument) else (None, None)
    if isinstance(delimiter, str) and _referred(items):
        # As its parameter is given: with commas.
        yield (
            _referred(items),
            [text.replace(delimiter, ",") for text in texts] if delimiter else texts,
        )


def _selected(node: Any) -> tuple[str, str]:
    """Returns the list that a part of a template chooses an entry of, and how that is named."""
    argument = node.get("Fn::Select") if is_call(node) else None
    index, items = argument if _is_pair(argument) else ("", None)
    list_ = _referred(items)
    number = index_in(str(index))
    if not list_ or number is None:
        return "", ""
    return list_, entry_of(list_, number)


def _lists_asked(node: Mapping[str, Any]) -> list[str]:
    """Returns the lists of which a function asks what all or one of their entries are."""
    asked = [node.get(function) for function in _OF_LISTS]
    return [name for one in asked if _is_pair(one) for side in one if (name := _referred(side))]


def joined_by_commas(node: Any) -> Any:
    """Returns the list that a text is of, as a list is given to a nested stack; None for none."""
    argument = node.get("Fn::Join") if is_call(node) else None
    return argument[1] if _is_pair(argument) and argument[0] == "," else None


def _composed(node: Any) -> Parts:
    """Returns the parts of a text put together of literals and parameters, empty for no such text.

    A parameter is the mark of its name.
    """
    argument = node.get("Fn::Join") if is_call(node) else None
    if isinstance(argument, list) and len(argument) == 2 and isinstance(argument[1], list):
        delimiter, items = argument
        joined = [part for item in items for part in (delimiter, _part(item))][1:]
        return () if None in joined or not isinstance(delimiter, str) else tuple(joined)
    argument = node.get("Fn::Sub") if is_call(node) else None
    text, values = argument if _is_pair(argument) else (argument, {})
    if not isinstance(text, str) or not isinstance(values, Mapping):
        return ()
    pieces = _ANY_IN_SUB.split(text)
    parts = [
        _part(values.get(piece, {"Ref": piece})) if index % 2 else piece
        for index, piece in enumerate(pieces)
    ]
    return () if None in parts else tuple(parts)


def _part(node: Any) -> Hashable:
    if isinstance(node, str | int | float):
        return _scalar(node)
    name = _referred(node)
    list_, entry = _selected(node)
    return _Named(name or entry, list_) if name or entry else None


def _is_pair(argument: Any) -> TypeGuard[list[Any]]:
    return isinstance(argument, list) and len(argument) == 2


def _scalar(value: str | int | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _referred(node: Any) -> str:
    name = node.get("Ref") if is_call(node) else None
    return name if isinstance(name, str) else ""
