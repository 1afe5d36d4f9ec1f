"""The intrinsic functions of one template, as far as they are known, in one world."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final

from qm_constructs.arns import partition_of
from qm_constructs.plan import JOB_QUEUE, QUOTA_SHARE, Unknown, UnknownArn, UnknownList, UnknownText
from qm_constructs.schema import ARN_ATTRIBUTE, ARN_KIND
from qm_constructs.template.calls import is_call
from qm_constructs.template.compared import (
    compared_with,
    entry_of,
    joined_by_commas,
    names_its_regions,
    possible,
)
from qm_constructs.template.functions import FUNCTIONS
from qm_constructs.template.imports import export_for, output_for
from qm_constructs.template.parameters import (
    OTHER,
    bounds,
    default_of,
    entry_values,
    is_allowed,
    is_list,
    items_of,
)
from qm_constructs.template.places import (
    home_of,
    homes_by_imports,
    homes_by_nesting,
    owner_of,
)
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import NESTED_STACK, Universe, section
from qm_constructs.template.values import (
    NO_VALUE,
    Atom,
    Parts,
    is_other_than,
    known,
    literal,
    parts_of,
    text,
    ways,
)
from qm_constructs.template.worlds import OtherThan, UndecidedError, World

# What these give may be the name or the ARN of anything.
_MAY_NAME_ANY: Final = (
    "AWS::CloudFormation::",
    "AWS::SSM::",
    "AWS::Serverless::",
    "AWS::ServiceCatalog::",
)
_RULE_FUNCTIONS: Final = ("Fn::Contains", "Fn::EachMemberEquals", "Fn::EachMemberIn")
# More than any template needs; a circle of references has no end.
_DEEPEST: Final = 100


class Scopes:
    """All stacks in one world.

    Args:
        universe: The stacks.
        world: The world.
    """

    def __init__(self, universe: Universe, world: World) -> None:
        self.universe = universe
        self.world = world
        self._scopes: dict[int, Scope] = {}
        if universe.homes is None:
            universe.set_homes(homes_by_nesting(universe))
            universe.set_homes(homes_by_imports(Scopes(universe, World())))

    def __getitem__(self, stack: int) -> Scope:
        if stack not in self._scopes:
            self._scopes[stack] = Scope(self, stack)
        return self._scopes[stack]


class Scope:
    """One stack in one world: what its expressions mean there.

    Args:
        scopes: All stacks in the world.
        number: The stack, by number.
    """

    def __init__(self, scopes: Scopes, number: int) -> None:
        self.number = number
        self.stack: Stack = scopes.universe.stacks[number]
        self._scopes = scopes
        self._world = scopes.world
        self.universe = scopes.universe
        self._given_values: dict[str, Any] = {}
        self._depth = 0

    def value(self, node: Any) -> Any:
        """Returns what a part of the template means, ``Unknown`` where it is not known.

        Args:
            node: The part, as the template has it.
        """
        if isinstance(node, str):
            return literal(node, self.number)
        if isinstance(node, list):
            return [found for item in node if (found := self.value(item)) is not NO_VALUE]
        if not isinstance(node, dict):
            return node
        function = self._function(node)
        if function is not None:
            self._depth += 1
            try:
                found = function() if self._depth < _DEEPEST else self.opaque(node)
                return literal(found, self.number) if isinstance(found, str) else found
            finally:
                self._depth -= 1
        for key in node:
            # What a loop or a macro adds is not known, nor what is meant by two functions.
            if key == "Ref" or str(key).startswith("Fn::"):
                return Unknown(node)
        value = self.value
        return {
            key: found for key, member in node.items() if (found := value(member)) is not NO_VALUE
        }

    def region(self) -> str | None:
        """Returns the Region of the stack, None where it is not known."""
        if self.stack.region is None and names_its_regions(self.universe, self.number):
            return known(parts_of(self._pseudo("AWS::Region")))
        return self.stack.region

    def is_one_region_of_several(self) -> bool:
        """Tells whether the ``Rules`` of the template may let the stack be in other Regions too."""
        if self.stack.region is not None or not names_its_regions(self.universe, self.number):
            return False
        return len(compared_with(self.universe, self.number, "AWS::Region")) > 1

    def account(self) -> str | None:
        """Returns the account of the stack, None where it is not known."""
        return self.stack.account

    def place(self) -> tuple[Parts, Parts]:
        """Returns the account and the Region of the stack, as parts of a text."""
        account, region = (
            (given or Atom(home_of(self.universe, self.number), f"AWS::{name}"),)
            for name, given in (("AccountId", self.account()), ("Region", self.region()))
        )
        return account, region

    def condition(self, name: object) -> bool:
        """Tells whether a condition holds in this world.

        Args:
            name: Its name.
        """
        key = (self.number, str(name))
        if key not in self._world.conditions:
            # A condition that refers to itself is no condition.
            self._world.conditions[key] = False
            node = section(self.stack.template, "Conditions").get(str(name))
            try:
                self._world.conditions[key] = self._truth(node, key)
            except UndecidedError:
                del self._world.conditions[key]
                raise
        return self._world.conditions[key]

    def branch(self, node: Any) -> tuple[int, Any] | None:
        """Returns which branch of an ``Fn::If`` counts, with its index; None for no ``Fn::If``.

        Args:
            node: The part of the template that may be one.
        """
        arguments = node.get("Fn::If") if is_call(node) else None
        if not isinstance(arguments, list) or len(arguments) != 3:
            return None
        name = arguments[0]
        if isinstance(name, str) and not self.universe.may_have_condition(self.number, name):
            return None
        index = 1 if self._truth({"Condition": arguments[0]}, str(arguments[0])) else 2
        return index, arguments[index]

    # -- conditions

    def _truth(self, node: Any, variable: Hashable) -> bool:
        key, parts = next(iter(node.items())) if is_call(node) else ("", None)
        found = None
        if self._depth < _DEEPEST:
            self._depth += 1
            try:
                if key == "Condition" and isinstance(parts, str):
                    found = self.condition(parts)
                elif isinstance(parts, list):
                    found = self._truth_of(key, parts, variable)
            finally:
                self._depth -= 1
        if found is None:
            return bool(self._world.choose((self.number, variable), (True, False)))
        return found

    def _truth_of(self, key: str, parts: list[Any], variable: Hashable) -> bool | None:
        """Tells whether a function of conditions holds; None where that is not known."""
        if key == "Fn::Not" and len(parts) == 1:
            return not self._truth(parts[0], variable)
        if key in ("Fn::And", "Fn::Or"):
            truths = (self._truth(part, (variable, i)) for i, part in enumerate(parts))
            return all(truths) if key == "Fn::And" else any(truths)
        if key == "Fn::Equals" and len(parts) == 2:
            return self._equal(self.value(parts[0]), self.value(parts[1]))
        if key in _RULE_FUNCTIONS and len(parts) == 2:
            one, other = self.value(parts[0]), self.value(parts[1])
            items, values = {
                "Fn::Contains": (one, [other]),
                "Fn::EachMemberEquals": ([other], one),
            }.get(key, (other, one))
            if isinstance(items, list) and isinstance(values, list):
                return all(self._contains(items, value) for value in values)
            return self._has(items, values) if key == "Fn::Contains" else self._is_of(values, items)
        return None

    def _has(self, list_: Any, values: list[Any]) -> bool | None:
        """Tells whether a list that is not known has an entry; None where nothing tells."""
        key, text_ = self._list(list_), known(parts_of(values[0]))
        is_one = key is not None and text_ in self._world.entries_of(key)
        return True if is_one else None

    def _is_of(self, list_: Any, items: Any) -> bool | None:
        """Tells whether all entries of a list that is not known are some; None where none tells."""
        key = self._list(list_)
        if key is None or not isinstance(items, list):
            return None
        texts = [known(parts_of(item)) for item in items]
        entries = (parts_of(entry) or () for entry in self._world.entries_of(key))
        is_none = any(
            all(text_ is not None and is_other_than(parts, text_) for text_ in texts)
            for parts in entries
        )
        return False if is_none else None

    def _list(self, value: Any) -> tuple[int, str] | None:
        """Returns the parameter that a list is of which nothing is known; None for any other."""
        parts = parts_of(value) or ()
        atom = parts[0] if len(parts) == 1 else None
        if not isinstance(atom, Atom):
            return None
        parameters = section(self.universe.stacks[atom.owner].template, "Parameters")
        is_one = is_list(parameters.get(atom.expression))
        return (atom.owner, atom.expression) if is_one else None

    def _contains(self, items: list[Any], value: Any) -> bool:
        return any(self._equal(item, value) for item in items)

    def _equal(self, one: Any, other: Any) -> bool:
        left, right = parts_of(one), parts_of(other)
        if left is None or right is None:
            return bool(self._world.choose((self.number, repr((one, other))), (True, False)))
        if left == right:
            return True
        for value, parts, against in ((one, left, right), (other, right, left)):
            text_ = known(against)
            if text_ is not None:
                options = value.options if isinstance(value, UnknownText) else ()
                if options and text_ not in options:
                    return False
                return known(parts) is None and self._is(parts, text_)
        return bool(self._world.choose(frozenset((left, right)), (True, False)))

    def _is(self, parts: Parts, text_: str) -> bool:
        """Tells whether a text that is not known is a literal one in this world."""
        found = ways(parts, text_)
        if found == []:
            return False
        if found is not None and len(found) == 1 and len(parts) > 1:
            return all(self._is((part,), piece) for part, piece in found[0].items())
        taken = self._world.taken
        # What is one text in this world is no other.
        if parts not in taken and self._world.choose((parts, text_), (True, False)):
            taken[parts] = text_
        return taken.get(parts) == text_

    # -- functions

    def _function(self, node: Mapping[str, Any]) -> Callable[[], Any] | None:
        if len(node) != 1:
            return None
        key, argument = next(iter(node.items()))
        if key == "Ref" and isinstance(argument, str):
            return lambda: self._ref(argument, node)
        if key in _FUNCTIONS:
            return lambda: _FUNCTIONS[key](self, argument, node)
        if key.startswith("Fn::ForEach"):
            return None
        return (lambda: self.opaque(node)) if key.startswith("Fn::") or key == "Ref" else None

    def opaque(self, node: Any, other_than: frozenset[str] = frozenset()) -> UnknownText:
        """Returns what stands for a part of the template that is not known.

        Args:
            node: The part.
            other_than: The texts that it is known not to be.
        """
        expression = json.dumps(node, sort_keys=True)
        return UnknownText(node, (Atom(self.number, expression, other_than),))

    def entry(self, items: Any, index: int, node: Any) -> Any:
        """Returns an entry of a list that is not known.

        Args:
            items: What stands for the list.
            index: The place of the entry, from 0.
            node: The part of the template that asks for it.
        """
        key = self._list(items)
        if key is None:
            return self.opaque(node)
        return self._scopes[key[0]]._entry(key[1], index)

    def _entry(self, name: str, index: int) -> Any:
        entry = self.number, entry_of(name, index)
        compared = compared_with(self.universe, *entry)
        if not compared:
            return UnknownText(entry, (Atom(*entry),))
        parameter = section(section(self.stack.template, "Parameters"), name)
        values = entry_values(parameter, compared)
        texts = [value for value in values if value is not OTHER]
        other = UnknownText(entry, (Atom(*entry, frozenset(texts)),))
        options = [other if value is OTHER else value for value in values]
        chosen = self._world.choose(entry, options)
        is_told = isinstance(chosen, str)
        self._world.chosen[entry] = chosen if is_told else OtherThan(tuple(sorted(texts)))
        return chosen

    def is_chosen_list(self, node: Any) -> bool:
        """Tells whether a part is a list that is one of several in the worlds.

        Args:
            node: The part.
        """
        return is_call(node) and self._world.decides((self.number, node.get("Ref")))

    @property
    def is_refused(self) -> bool:
        """Whether CloudFormation refuses the template in this world anyhow."""
        return self._world.cannot_be

    def refuse(self) -> None:
        """Notes that CloudFormation would refuse the template in this world."""
        self._world.cannot_be = True

    def is_chosen(self) -> bool:
        """Tells whether this world is not the only one: a condition or a parameter is chosen."""
        return bool(self._world.conditions or self._world.unusual or self._world.chosen)

    def default_items(self, items: Any) -> list[str] | None:
        """Returns the entries of a list of which only the default is known; None for any other.

        Args:
            items: What stands for the list.
        """
        key = self._list(items)
        if key is None:
            return None
        stack = self.universe.stacks[key[0]]
        text = default_of(section(section(stack.template, "Parameters"), key[1]))
        return items_of(text) if text else None

    def is_by_default(self, names: Iterable[str]) -> bool:
        """Tells whether parameters are their defaults, in a world in which nobody sets anything.

        Args:
            names: The parameters.
        """
        parameters = section(self.stack.template, "Parameters")
        if any(
            default_of(section(parameters, name)) is None or self._passed(name) for name in names
        ):
            return False
        return all(
            self._scopes[stack]._has_default(name, value)
            for (stack, name), value in self._world.parameters().items()
        )

    def _has_default(self, name: str, value: Any) -> bool:
        name, _, entry = name.partition("[")
        text = default_of(section(section(self.stack.template, "Parameters"), name))
        # Who sets what has none may set the rest too.
        if text is None or not isinstance(value, str | list):
            return False
        usual = items_of(text) if entry or isinstance(value, list) else text
        if not entry:
            return value == usual
        place = int(entry.rstrip("]"))
        return place < len(usual) and value == usual[place]

    def breaks(self, name: str) -> bool:
        """Tells whether the values of this world break one of the ``Rules`` of the template.

        Args:
            name: The name of the rule.
        """
        rule = section(section(self.stack.template, "Rules"), name)
        assertions = rule.get("Assertions")
        assertions = assertions if isinstance(assertions, list) else ()
        given = [one.get("Assert") for one in assertions if isinstance(one, Mapping)]
        if "RuleCondition" in rule and not self._truth(rule["RuleCondition"], (name,)):
            return False
        return not all(self._truth(node, (name, place)) for place, node in enumerate(given))

    def _ref(self, name: str, node: Any) -> Any:
        if name == "AWS::NoValue":
            return NO_VALUE
        parameter = section(self.stack.template, "Parameters").get(name)
        if isinstance(parameter, Mapping):
            return self._parameter(name)
        if name.startswith("AWS::"):
            return self._pseudo(name)
        return self._resource(name, node)

    def _pseudo(self, name: str) -> Any:
        fixed = {
            "AWS::Region": self.stack.region,
            "AWS::AccountId": self.stack.account,
            "AWS::StackName": self.stack.name,
        }.get(name)
        if fixed is not None:
            return fixed
        if name == "AWS::Partition":
            region = known(parts_of(self._pseudo("AWS::Region")))
            partition = partition_of(region) if region is not None else None
            if partition is not None:
                return partition
        compared = compared_with(self.universe, self.number, name)
        return self._one_of(name, [*compared, OTHER])

    def _parameter(self, name: str) -> Any:
        if name not in self._given_values:
            self._given_values[name] = self._given(name)
        found = self._given_values[name]
        if found is not NO_VALUE:
            return found
        settled = self._world.keeps_defaults or self._is_default(name)
        values, alone = possible(self.universe, self.number, name, settled)
        least = self.universe.least_values.get((self.number, name))
        if alone and least is not None and self._world.takes_least():
            self._world.unusual[self.number, name] = least
            return least
        return self._one_of(name, values, alone=alone)

    def _given(self, name: str) -> Any:
        """Returns what the parent of a nested stack gives for a parameter, if it gives any."""
        passed = self._passed(name)
        if passed is None:
            return NO_VALUE
        scope, node = passed
        parameter = section(section(self.stack.template, "Parameters"), name)
        if is_list(parameter):
            return _list_given(scope, node)
        found = scope.value(node)
        # The name of what holds the value, as the default of such a parameter is.
        is_stored = str(parameter.get("Type")).startswith("AWS::SSM::Parameter::Value")
        if is_stored and found is not NO_VALUE:
            return self._atom(name)
        return self._as_allowed(name, found)

    def _as_allowed(self, name: str, found: Any) -> Any:
        """Returns what a nested stack is given, which is no value that its parameter forbids."""
        parameter = section(section(self.stack.template, "Parameters"), name)
        text_ = known(parts_of(found))
        if text_ is not None and not is_allowed(parameter, text_):
            self.refuse()
        # What identifies a resource is no choice of a few texts.
        if type(found) is UnknownText and not found.options:
            options = self.universe.options(self.number, name)
            return UnknownText(found.source, found.parts, options, *bounds(parameter))
        return found

    def _is_default(self, name: str) -> bool:
        """Tells whether a parameter that the parent does not give can be nothing else."""
        return self._passed(name) is not None or self.universe.gives_no_more(self.number)

    def _one_of(self, name: str, values: list[Any], *, alone: bool = False) -> Any:
        key = (owner_of(self.universe, self.number, name), name)
        if self._world.decides(key):
            return self._world.choose(key, ())
        known_of = self.universe.choices
        place = self.number, name, alone, len(values)
        if place not in known_of:
            known_of[place] = self._options(name, values, alone=alone)
        listed, options = known_of[place]
        if len(options) == 1:
            return options[0]
        chosen = (
            self._world.choose_alone(key, options, is_open=values[0] is OTHER)
            if alone
            else self._world.choose(key, options)
        )
        if isinstance(chosen, str | list):
            is_usual = alone and chosen == options[0]
            told = self._world.unusual if alone else self._world.chosen
            (self._world.usual if is_usual else told)[key] = _as_given(chosen)
        elif listed:
            self._world.chosen[key] = OtherThan(tuple(sorted(listed)))
        return chosen

    def _options(
        self, name: str, values: list[Any], *, alone: bool
    ) -> tuple[frozenset[str], list[Any]]:
        """Returns the texts that a parameter can be, and those with what stands for any other."""
        listed = frozenset() if alone else frozenset(_as_given(v) for v in values if v is not OTHER)
        compared = () if alone else compared_with(self.universe, self.number, name)
        other_than = listed.union(compared)
        return listed, [self._atom(name, other_than) if v is OTHER else v for v in values]

    def _atom(self, name: str, other_than: frozenset[str] = frozenset()) -> UnknownText:
        node = {"Ref": name}
        parameter = section(self.stack.template, "Parameters").get(name)
        atom = Atom(owner_of(self.universe, self.number, name), name, other_than)
        if not isinstance(parameter, Mapping):
            return UnknownText(node, (atom,))
        if is_list(parameter):
            return UnknownList(node, (atom,))
        return UnknownText(
            node, (atom,), self.universe.options(self.number, name), *bounds(parameter)
        )

    def _passed(self, name: str) -> tuple[Scope, Any] | None:
        passed = self.universe.passed(self.number, name)
        return None if passed is None else (self._scopes[passed[0]], passed[1])

    def _resource(self, id: str, node: Any) -> Any:
        type_ = str(self.universe.type_of(self.number, id))
        kind = ARN_KIND.get(type_)
        if kind is not None:
            return text(self._arn(id, kind), node, self.number)
        found = self.opaque(node)
        may_be_any = not type_.startswith("AWS::") or type_.startswith(_MAY_NAME_ANY)
        # What such a stack puts out may be anything; it is itself but a stack.
        may_be_any = may_be_any and not (type_ == NESTED_STACK and "Ref" in node)
        if may_be_any or self.universe.gives_a_name(self.number, id):
            return found
        return UnknownArn(node, found.parts, kind=type_)

    def _arn(self, id: str, kind: str) -> Parts:
        account, region = self.place()
        partition = parts_of(self._pseudo("AWS::Partition")) or ()
        place = ("arn:", *partition, ":batch:", *region, ":", *account, ":")
        name = self._name_of(id)
        if kind == ARN_KIND[QUOTA_SHARE]:
            queue = Atom(self.number, f"the queue of {id}")
            return (*place, f"{ARN_KIND[JOB_QUEUE]}/", queue, "/quota-share/", name)
        return (*place, f"{kind}/", name)

    def _name_of(self, id: str) -> Atom:
        return Atom(self.number, f"the name of {id}", resource=id)

    def _get_att(self, argument: Any, node: Any) -> Any:
        if isinstance(argument, str):
            argument = argument.split(".", 1)
        if not isinstance(argument, list) or len(argument) != 2 or not isinstance(argument[0], str):
            return self.opaque(node)
        id, attribute = argument[0], known(parts_of(self.value(argument[1])))
        type_ = str(self.universe.type_of(self.number, id))
        if type_ == NESTED_STACK and attribute is not None and attribute.startswith("Outputs."):
            nested = self.universe.nested.get((self.number, id))
            output = attribute.removeprefix("Outputs.")
            return self.opaque(node) if nested is None else self._output(nested, output, node)
        if attribute is not None and ARN_ATTRIBUTE.get(type_, attribute) != attribute:
            # That is a fault by itself: it is known which resource is meant, and no text of it.
            return UnknownText(node, (self._name_of(id),))
        return self.opaque(node) if attribute is None else self._resource(id, node)

    def _output(self, stack: int, name: str, node: Any) -> Any:
        output = section(self.universe.stacks[stack].template, "Outputs").get(name)
        if not isinstance(output, Mapping) or "Value" not in output:
            return self.opaque(node)
        return self._elsewhere(stack, output["Value"], node)

    def _elsewhere(self, stack: int, value: Any, node: Any) -> Any:
        scope = self._scopes[stack]
        if scope._depth + self._depth >= _DEEPEST:
            return self.opaque(node)
        scope._depth, before = scope._depth + self._depth, scope._depth
        try:
            return scope.value(value)
        finally:
            scope._depth = before

    def _import_value(self, argument: Any, node: Any) -> Any:
        exported = export_for(self, argument)
        if exported is None:
            return self.opaque(node)
        stack, output = exported
        return self._elsewhere(stack, output.get("Value"), node)

    def _get_stack_output(self, argument: Any, node: Any) -> Any:
        published = output_for(self, argument)
        return self.opaque(node) if published is None else self._output(*published, node)

    def _if(self, argument: Any, node: Any) -> Any:
        del argument
        branch = self.branch(node)
        return self.opaque(node) if branch is None else self.value(branch[1])


def _list_given(scope: Scope, node: Any) -> Any:
    """Returns the list that a parent gives to a nested stack, as text alone can be given."""
    items = joined_by_commas(node)
    found = scope.value(node if items is None else items)
    text_ = known(parts_of(found))
    if text_ is not None:
        return items_of(text_)
    return UnknownList(node, found.parts) if isinstance(found, UnknownText) else found


def _as_given(value: str | list[str]) -> str:
    """Returns the text by which a parameter is given a value."""
    return value if isinstance(value, str) else ",".join(value)


_FUNCTIONS: Final[Mapping[str, Callable[[Scope, Any, Any], Any]]] = {
    **FUNCTIONS,
    "Fn::GetAtt": Scope._get_att,
    "Fn::GetStackOutput": Scope._get_stack_output,
    "Fn::If": Scope._if,
    "Fn::ImportValue": Scope._import_value,
}
