"""What hypothesis draws: templates of the four types, whole and damaged, and plans of queues."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import yaml
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from qm_constructs.plan import JOB_QUEUE, QUOTA_SHARE, SCHEDULING_POLICY, SERVICE_ENVIRONMENT, Path
from qm_constructs.schema import (
    ANYTHING,
    ARN_ATTRIBUTE,
    ARN_KIND,
    NAME_PROPERTY,
    TAGS,
    TYPES,
    AnyKind,
    ListOf,
    Struct,
)

T = TypeVar("T")
Template = dict[str, Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]

FUZZ = int(os.environ.get("FUZZ_EXAMPLES", "0"))


def examples(number: int) -> settings:
    """Returns the settings of a test of so many examples, the same ones in every run."""
    return settings(
        max_examples=FUZZ or number,
        derandomize=not FUZZ,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


UNITS = ("ml.p5.48xlarge", "ml.g5.xlarge", "ml.m5.large", "ml.trn1.32xlarge", "ml.g6.xlarge")
NAMES = ("alpha", "beta", "Alpha", "gamma-2", "delta_3", "x" * 128)
REASONS = (
    "MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE",
    "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED",
    "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY",
)
ACCOUNT, REGION = "111122223333", "us-east-1"
NO_VALUE = {"Ref": "AWS::NoValue"}
ALWAYS, NEVER = "Always", "Never"
CONDITIONS = {
    ALWAYS: {"Fn::Equals": ["a", "a"]},
    NEVER: {"Fn::Not": [{"Condition": ALWAYS}]},
}

_ODD_NAMES = ("", "two words", "x" * 129, "a.b", "a/b", "ümlaut", "{{resolve:ssm:/name}}", 7, True)
_SWITCH = (("ENABLED", "DISABLED"), ("enabled", "ON", "", True))
_KIND = (("SAGEMAKER_TRAINING",), ("ECS", "sagemaker_training", "", 0))

# By property: what AWS takes, and what it may not.
VALUES: dict[str, tuple[Sequence[Any], Sequence[Any]]] = {
    **dict.fromkeys(NAME_PROPERTY.values(), (NAMES, _ODD_NAMES)),
    "State": _SWITCH,
    "InSharePreemption": _SWITCH,
    "ServiceEnvironmentType": _KIND,
    "JobQueueType": _KIND,
    "Priority": ((1, 0, 1000), (-1, 1001, 2.5, "high", 10**12, "7")),
    "Order": ((1, 2), (0, -1, "1", 1.5, "first")),
    "CapacityUnit": (
        UNITS[:1],
        (*UNITS[1:4], "NUM_INSTANCES", "p5.48xlarge", "ml.p99.large", "", 4),
    ),
    "MaxCapacity": ((8, 16, 4, 1), (0, -1, "16", 3.5, 8.0, "many", 10**12, False)),
    "Strategy": (("LEND", "RESERVE", "LEND_AND_BORROW"), ("lend", "BORROW", "", 1)),
    "BorrowLimit": ((50, -1, 200), (0, 1, -2, "50", 0.5, "50%")),
    "IdleResourceAssignmentStrategy": (("FIFO",), ("fifo", "LIFO", "", 1)),
    "Reason": (
        REASONS,
        ("QUOTA_MANAGEMENT_LIMIT_EXCEEDED", "MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT", "", 3),
    ),
    "MaxTimeSeconds": ((600, 3600, 86400), (599, 86401, "3600", 0.5, "1h")),
    "Action": (("TERMINATE",), ("CANCEL", "terminate", "", 2)),
}
_STATES = (("RUNNABLE",), ("RUNNING", "runnable", "", 4))
_TAG_KEYS = ("team", "cost-center", "aws:own", "", "k" * 129, "a b", "star*", "ключ")
_TAG_VALUES = ("research", "", "v" * 257, "star*", 7, True, None, ["list"])
_NAMED_BY = {
    "JobQueue": JOB_QUEUE,
    "ServiceEnvironment": SERVICE_ENVIRONMENT,
    "SchedulingPolicyArn": SCHEDULING_POLICY,
}
_FUNCTIONS = (
    *("Ref", "Condition", "Fn::And", "Fn::Equals", "Fn::FindInMap", "Fn::ForEach::Loop"),
    *("Fn::GetAtt", "Fn::GetStackOutput", "Fn::If", "Fn::ImportValue", "Fn::Join", "Fn::Length"),
    *("Fn::Not", "Fn::Or", "Fn::Select", "Fn::Split", "Fn::Sub", "Fn::Transform", "Fn::Unheard"),
)
_ARGUMENTS: Sequence[Any] = (
    *(None, 0, -1, 1.5, True, "", "x", [], {}, [None], [[]], {"": None}, ["", ""], ["x"]),
    *("AWS::Region", "AWS::NoValue", "Queue0", "Queue0.", ".", "Queue0.JobQueueArn", ALWAYS),
    *("${", "${}", "${!x}", "${Queue0}", "${Queue0.JobQueueArn}", "${AWS::Region}", "a${ x }b"),
    *(["${a}", {"a": 1}], ["${a}", {"a": None}], ["${a}", []], ["${a}", {"a": ["x"]}]),
    *([0, ["a"]], ["9", ["a"]], ["x", ["a"]], [0, {}], [-1, ["a"]], [["0"], ["a"]]),
    *([",", "a,b"], ["", "ab"], [",", ["a", None]], [None, ["a"]], [",", [{}]]),
    *([ALWAYS, 1], [ALWAYS, 1, 2], ["Nobody", 1, 2], [None, 1, 2], [{}, 1, 2], [["x"], 1, 2]),
    *(["Map", "a", "b"], [None, None, None], [{}, [], 0], ["Map", "a", "b", {"DefaultValue": 1}]),
    *({"Ref": "Queue0"}, {"Ref": {"Ref": "x"}}, [{"Condition": ALWAYS}], [{"Ref": "x"}] * 2),
    *(["Queue0", "JobQueueArn"], ["Queue0", 1], [1, "Arn"], ["Queue0", {"Ref": "x"}], "no.where"),
    *(["X", ["a", "b"], {"K${X}": "${X}"}], ["X", None, None], {"StackName": "s"}),
)
JUNK: Sequence[Any] = (
    *(None, [], {}, 0, -1, 1.5, 10**30, 1e300, True, "", "x", "null", " ", "\t", "é\x07", "${x}"),
    *([None], [[]], [{}], {"": None}, {"x": {"y": 1}}, ["a", 1, None], [1, 1], "9" * 150),
)


class Author:
    """Writes one template; every choice is drawn, and the plainest is the first.

    Args:
        draw: What hypothesis draws with.
        plain: How many of twelve values are as they should be, and are written as literals.
    """

    def __init__(self, draw: Draw, plain: int = 10) -> None:
        self._draw = draw
        self._plain = plain
        self.template: Template = {"Conditions": {**CONDITIONS}, "Resources": {}}

    def number(self, most: int) -> int:
        """Returns a number from 0."""
        drawn: int = self._draw(st.integers(0, most))
        return drawn

    def chosen(self, options: Sequence[T]) -> T:
        """Returns one of several."""
        return options[self.number(len(options) - 1)]

    def seldom(self) -> bool:
        """Tells whether this time something is not as it should be."""
        return self.number(11) >= self._plain

    # -- resources

    def write(self) -> Template:
        """Returns a template of one to three queues with what belongs to them."""
        for queue in range(1 + self.number(2)):
            policy, environment = f"Policy{queue}", f"Environment{queue}"
            self._resource(policy, SCHEDULING_POLICY)
            self._resource(environment, SERVICE_ENVIRONMENT)
            self._resource(f"Queue{queue}", JOB_QUEUE, queue)
            for share in range(self.number(3)):
                self._resource(f"Share{queue}{share}", QUOTA_SHARE, queue)
        if self.seldom():
            queue = self.template["Resources"]["Queue0"]
            condition = {"Condition": queue["Condition"]} if "Condition" in queue else {}
            self.template["Outputs"] = {
                "Arn": {
                    **condition,
                    "Value": {"Ref": "Queue0"},
                    "Export": {"Name": self.chosen(("QueueArn", {"Fn::Sub": "${AWS::Region}-q"}))},
                }
            }
        if self.seldom():
            self._loop()
        return self.template

    def _resource(self, id: str, type: str, queue: int = 0) -> None:
        properties = self._struct(TYPES[type], queue, type)
        body: dict[str, Any] = {"Type": type, "Properties": properties}
        if self.seldom():
            body["Condition"] = self.chosen((self._condition(), ALWAYS, NEVER, "Nobody"))
        if self.seldom():
            body["DependsOn"] = self.chosen(("Queue0", ["Queue0", "Environment0"], []))
        if self.seldom():
            body["Metadata"] = {"aws:cdk:path": f"Stack/{id}", "qm-constructs": {"ignore": "XR-02"}}
        self.template["Resources"][id] = body

    def _loop(self) -> None:
        body = {"Type": QUOTA_SHARE, "Properties": self._struct(TYPES[QUOTA_SHARE], 0, QUOTA_SHARE)}
        self.template["Transform"] = "AWS::LanguageExtensions"
        loop = ["Team", ["A", "B"], {"Share${Team}": body}]
        self.template["Resources"]["Fn::ForEach::Shares"] = loop

    def _struct(self, kind: Struct, queue: int, type: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, member in kind.members.items():
            usual = name in kind.required or name in _USUAL.get(type, ())
            # What is usual is left out less often than the rest is there.
            if not (self.seldom() and self.seldom()) if usual else self.seldom():
                found[name] = self._property(name, member, queue, type)
        if self.seldom() and self.seldom():
            found["Extra"] = 1
        return found

    def _property(self, name: str, kind: AnyKind, queue: int, type: str) -> Any:
        if isinstance(kind, Struct):
            return self.written(self._struct(kind, queue, name))
        if isinstance(kind, ListOf):
            assert isinstance(kind.item, Struct)
            length = self.chosen((0, 2, 6)) if self.seldom() else 1
            items = [self.written(self._struct(kind.item, queue, name)) for _ in range(length)]
            return self.written(items)
        if kind is TAGS:
            keys = [self.chosen(_TAG_KEYS) for _ in range(self.number(2))]
            return {key: self.written(self.chosen(_TAG_VALUES)) for key in keys}
        if kind is ANYTHING:
            return copy.deepcopy(self.chosen(([], [{"ComputeEnvironment": "c"}], {"x": 1}, *JUNK)))
        if name in _NAMED_BY:
            return self._reference(_NAMED_BY[name], queue)
        values = _STATES if (type, name) == ("JobStateTimeLimitActions", "State") else VALUES[name]
        return self.written(self.chosen(values[1] if self.seldom() else values[0]))

    def _reference(self, type: str, queue: int) -> Any:
        queue = self.number(2) if self.seldom() else queue
        id = {JOB_QUEUE: "Queue", SERVICE_ENVIRONMENT: "Environment"}.get(type, "Policy")
        id = f"{id}{queue}"
        if not self.seldom():
            return {"Ref": id}
        attribute, name = ARN_ATTRIBUTE[type], self.chosen(NAMES)
        arn = f"arn:aws:batch:{REGION}:{ACCOUNT}:{ARN_KIND[type]}/"
        place = "arn:${AWS::Partition}:batch:${AWS::Region}:${AWS::AccountId}"
        way: tuple[Any, ...] = (
            {"Fn::GetAtt": [id, attribute]},
            {"Fn::GetAtt": f"{id}.{attribute}"},
            {"Fn::Sub": f"${{{id}}}"},
            {"Fn::Sub": f"${{{id}.{attribute}}}"},
            name,
            arn + name,
            {"Fn::Sub": f"{place}:{ARN_KIND[type]}/{name}"},
            {"Fn::Join": ["/", [{"Fn::Sub": f"{place}:{ARN_KIND[type]}"}, name]]},
            {"Fn::Select": [1, {"Fn::Split": ["/", {"Ref": id}]}]},
            {"Fn::ImportValue": "QueueArn"},
            {"Ref": "Environment0"},
            {"Ref": "Nowhere"},
            self.written({"Ref": id}),
        )
        return self.chosen(way)

    # -- values

    def written(self, value: Any) -> Any:
        """Returns a value, or something that can turn out as it, or as something else."""
        if not self.seldom():
            return value
        ways: list[Callable[[Any, Template], Any]] = [_if_always, self._either, self._optional]
        if isinstance(value, dict | list):
            ways += [self._looped]
        else:
            ways += [*SAME, self._free, self._one_of, self._by_region]
            ways += [self._put_together, self._imported]
        return self.chosen(ways)(value, self.template)

    def _condition(self) -> str:
        """Returns a condition that can turn out both ways."""
        name = f"Is{self.number(3)}"
        self._parameter(name, {"Type": "String"})
        self.template["Conditions"][name] = {"Fn::Equals": [{"Ref": name}, "yes"]}
        return name

    def _parameter(self, name: str, parameter: dict[str, Any]) -> dict[str, str]:
        self.template.setdefault("Parameters", {})[name] = parameter
        return {"Ref": name}

    def _either(self, value: Any, _: Template) -> Any:
        other = self.chosen((value, "beta", 1, [], {}, {"Ref": "Queue0"}, None))
        return {"Fn::If": [self._condition(), value, other]}

    def _optional(self, value: Any, _: Template) -> Any:
        branches = [value, NO_VALUE]
        way = self.number(2)
        return NO_VALUE if way == 2 else {"Fn::If": [self._condition(), *branches[:: 1 - 2 * way]]}

    def _looped(self, value: Any, _: Template) -> Any:
        if isinstance(value, list):
            return [*value, {"Fn::ForEach::More": ["X", ["a"], {"${X}": 1}]}]
        return {**value, "Fn::ForEach::More": ["X", ["State", "Tags"], {"${X}": "ENABLED"}]}

    def _free(self, *_: Any) -> Any:
        kind = self.chosen(("String", "Number", "CommaDelimitedList", "AWS::SSM::Parameter::Value"))
        return self._parameter(f"Free{self.number(2)}", {"Type": kind})

    def _one_of(self, value: Any, _: Template) -> Any:
        number = self.number(2)
        parameter = {"Type": "String", "AllowedValues": [value, "beta", 1][: number + 1]}
        if self.number(1):
            parameter["Default"] = value
        return self._parameter(f"OneOf{number}", parameter)

    def _by_region(self, value: Any, _: Template) -> Any:
        mapping = {REGION: {"Value": value}, "eu-west-1": {"Value": "gamma-2"}}
        self.template.setdefault("Mappings", {})["ByRegion"] = mapping
        return {"Fn::FindInMap": ["ByRegion", {"Ref": "AWS::Region"}, "Value"]}

    def _put_together(self, value: Any, _: Template) -> Any:
        unknown = self.chosen(({"Ref": "AWS::StackName"}, {"Ref": "AWS::Region"}, NO_VALUE))
        return {"Fn::Join": [self.chosen(("", "-", " ")), [str(value), unknown]]}

    def _imported(self, *_: Any) -> Any:
        return {"Fn::ImportValue": self.chosen(("QueueArn", "Else", {"Ref": "Free0"}))}


_USUAL: dict[str, tuple[str, ...]] = {
    SCHEDULING_POLICY: ("QuotaSharePolicy",),
    "QuotaSharePolicy": ("IdleResourceAssignmentStrategy",),
    "CapacityLimits": ("CapacityUnit", "MaxCapacity"),
    JOB_QUEUE: ("JobQueueType", "SchedulingPolicyArn", "ServiceEnvironmentOrder"),
}


# -- other ways to write a literal


def _by_parameter(value: Any, template: Template) -> Any:
    parameters = template.setdefault("Parameters", {})
    name = f"Given{len(parameters)}"
    kind = "String" if isinstance(value, str) else "Number"
    parameters[name] = {"Type": kind, "Default": value}
    return {"Ref": name}


def _if_always(value: Any, template: Template) -> Any:
    del template
    return {"Fn::If": [ALWAYS, value, "otherwise"]}


def _if_never(value: Any, template: Template) -> Any:
    del template
    return {"Fn::If": [NEVER, NO_VALUE, value]}


def _by_mapping(value: Any, template: Template) -> Any:
    mappings = template.setdefault("Mappings", {})
    name = f"Map{len(mappings)}"
    mappings[name] = {"Top": {"Second": value, "Other": "otherwise"}}
    return {"Fn::FindInMap": [name, "Top", "Second"]}


def _by_sub(value: Any, template: Template) -> Any:
    del template
    return {"Fn::Sub": re.sub(r"\$\{", "${!", str(value))}


def _by_sub_map(value: Any, template: Template) -> Any:
    del template
    return {"Fn::Sub": ["${Value}", {"Value": value}]}


def _by_join(value: Any, template: Template) -> Any:
    del template
    text = str(value)
    return {"Fn::Join": ["", [text[: len(text) // 2], NO_VALUE, text[len(text) // 2 :]]]}


def _by_select(value: Any, template: Template) -> Any:
    del template
    return {"Fn::Select": ["1", ["otherwise", value]]}


def _by_split(value: Any, template: Template) -> Any:
    del template
    return {"Fn::Select": [1, {"Fn::Split": ["|", f"otherwise|{value}"]}]}


def _by_list_parameter(value: Any, template: Template) -> Any:
    parameters = template.setdefault("Parameters", {})
    name = f"List{len(parameters)}"
    parameters[name] = {"Type": "CommaDelimitedList", "Default": f"{value},otherwise"}
    return {"Fn::Select": [0, {"Ref": name}]}


def _as_text(value: Any, template: Template) -> Any:
    del template
    return str(value)


SAME: tuple[Callable[[Any, Template], Any], ...] = (
    _as_text,
    _by_parameter,
    _if_always,
    _if_never,
    _by_mapping,
    _by_sub,
    _by_sub_map,
    _by_join,
    _by_select,
    _by_split,
    _by_list_parameter,
)
"""Each writes a text or a number so that CloudFormation makes the same of it."""


def same(author: Author, value: Any, template: Template) -> Any:
    """Returns another way to write a value."""
    ways: list[Any] = [_if_always, _if_never]
    named = template["Resources"].get(value.get("Ref"), {}) if isinstance(value, dict) else {}
    # What refers to a resource that is not there cannot be deployed in either way.
    if named.get("Type") and named.get("Condition", ALWAYS) == ALWAYS:
        ways += [_by_attribute, _by_attribute_in_text, _by_reference_in_text]
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        ways += SAME
    return author.chosen(ways)(value, template)


def _by_attribute(value: Any, template: Template) -> Any:
    return {"Fn::GetAtt": [value["Ref"], _attribute(value["Ref"], template)]}


def _by_attribute_in_text(value: Any, template: Template) -> Any:
    return {"Fn::Sub": f"${{{value['Ref']}.{_attribute(value['Ref'], template)}}}"}


def _by_reference_in_text(value: Any, template: Template) -> Any:
    del template
    return {"Fn::Sub": f"${{{value['Ref']}}}"}


def _attribute(id: str, template: Template) -> str:
    return ARN_ATTRIBUTE[template["Resources"][id]["Type"]]


def _is_function(node: Any) -> bool:
    return isinstance(node, dict) and any(key == "Ref" or key.startswith("Fn::") for key in node)


def properties(template: Template) -> list[Path]:
    """Returns where the resources have their properties, as deep as they are no functions."""
    found: list[Path] = []
    for id, body in template["Resources"].items():
        if isinstance(body, dict):
            found += places(body["Properties"], ("Resources", id, "Properties"), _is_function)
    return [path for path in found if len(path) > 3]


def places(
    node: Any, path: Path = (), closed: Callable[[Any], bool] = lambda _: False
) -> Iterator[Path]:
    """Yields the path of a part of a template and those of all that is in it.

    Args:
        node: The part.
        path: Its path.
        closed: Tells of which parts the inside is left out.
    """
    yield path
    parts: Any = enumerate(node) if isinstance(node, list) else ()
    parts = node.items() if isinstance(node, dict) else parts
    for step, part in () if closed(node) else parts:
        yield from places(part, (*path, step), closed)


def at(node: Any, path: Path) -> Any:
    """Returns a part of a template; raises LookupError or TypeError where there is none."""
    for step in path:
        node = node[step]
    return node


def put(template: Template, path: Path, value: Any) -> None:
    """Puts a value in the place of a part of a template."""
    at(template, path[:-1])[path[-1]] = value


def as_yaml(template: Template, dumper: Any = yaml.CSafeDumper) -> str:
    """Returns a template as YAML text."""
    return yaml.dump(template, Dumper=dumper, sort_keys=False, allow_unicode=True)


# -- damage


def _nest(author: Author) -> Any:
    ways: Sequence[Callable[[Any], Any]] = (
        lambda inner: [inner],
        lambda inner: {"x": inner},
        lambda inner: {"Fn::If": [ALWAYS, inner, 1]},
        lambda inner: {"Fn::Sub": ["${a}", {"a": inner}]},
        lambda inner: {"Fn::Not": [inner]},
        lambda inner: {"Fn::Join": ["", ["a", inner]]},
    )
    wrap = author.chosen(ways)
    node: Any = author.chosen(JUNK)
    for _ in range(author.chosen((3, 9, 40))):
        node = wrap(node)
    return node


def _junk(author: Author) -> Any:
    return copy.deepcopy(author.chosen(JUNK))


def _call(author: Author) -> Any:
    return {author.chosen(_FUNCTIONS): copy.deepcopy(author.chosen(_ARGUMENTS))}


def _replace(author: Author, template: Template, path: Path) -> None:
    put(template, path, author.chosen((_junk, _call, _nest))(author))


def _wrap(author: Author, template: Template, path: Path) -> None:
    node = at(template, path)
    several = [node] * (21 if len(str(node)) < 200 else 2)
    wrapped = ([node], {"x": node}, {author.chosen(_FUNCTIONS): node}, str(node)[:200], several)
    put(template, path, author.chosen(wrapped))


def _remove(author: Author, template: Template, path: Path) -> None:
    del author
    del at(template, path[:-1])[path[-1]]


def _rename(author: Author, template: Template, path: Path) -> None:
    parent, key = at(template, path[:-1]), path[-1]
    if isinstance(parent, dict) and isinstance(key, str):
        snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower()
        camel = key[:1].lower() + key[1:]
        new = (snake, camel, key + "s", key.upper(), "", "Fn::ForEach::X", "Ref")
        parent[author.chosen(new)] = parent.pop(key)


def _graft(author: Author, template: Template, path: Path) -> None:
    other = author.chosen([*places(template)][1:])
    put(template, path, copy.deepcopy(at(template, other)))


def damage(author: Author, template: Template) -> None:
    """Damages one place of a template."""
    where = [*places(template)][1:]
    if where:
        change = author.chosen((_replace, _replace, _wrap, _remove, _rename, _graft))
        change(author, template, author.chosen(where))


@st.composite
def templates(draw: Draw, *, damages: int = 0, plain: int = 10) -> Template:
    """Draws a template.

    Args:
        draw: What hypothesis draws with.
        damages: How many places of it may be damaged.
        plain: How many of twelve values are as they should be, and are written as literals.
    """
    author = Author(draw, plain)
    template = copy.deepcopy(author.write())
    for _ in range(author.number(damages)):
        damage(author, template)
    return template


@st.composite
def rewritten(draw: Draw) -> tuple[Template, Template]:
    """Draws a template, and the same one with some values written in another way."""
    author = Author(draw, 10)
    first = copy.deepcopy(author.write())
    second = copy.deepcopy(first)
    for _ in range(1 + author.number(30)):
        where = [path for path in properties(second) if _can_be_rewritten(at(second, path))]
        single = [path for path in where if not isinstance(at(second, path), dict | list)]
        path = author.chosen(where if author.seldom() or not single else single)
        put(second, path, same(author, at(second, path), second))
    return first, second


def _can_be_rewritten(value: Any) -> bool:
    # A dynamic reference is no literal; and who knows what CloudFormation does about a null.
    return value is not None and "{{" not in str(value)


@st.composite
def with_an_unknown(draw: Draw) -> tuple[Template, Template, Path]:
    """Draws a template, the same with one value that is not known, and where that is."""
    author = Author(draw, draw(st.sampled_from((12, 10))))
    first = copy.deepcopy(author.write())
    second = copy.deepcopy(first)
    path = author.chosen(properties(second))
    kind = author.chosen(("String", "Number"))
    second.setdefault("Parameters", {})["NotKnown"] = {"Type": kind}
    put(second, path, {"Ref": "NotKnown"})
    return first, second, path


# -- plans of queues


@dataclass(frozen=True)
class Parameter:
    """Stands for a parameter of the template in the place of a text or a number.

    Args:
        default: Its default; None for none.
    """

    default: Any = None


@dataclass(frozen=True)
class ShareSpec:
    """What a quota share is made from."""

    name: Any
    limits: dict[Any, Any]
    strategy: str = "LEND"
    borrow_limit: Any = None
    preemption: bool = False
    enabled: bool = True
    tags: dict[str, Any] = field(default_factory=dict)
    way: int = 0


@dataclass(frozen=True)
class QueueSpec:
    """What a queue is made from."""

    stack: int
    limits: dict[Any, Any]
    priority: Any = 1
    enabled: bool = True
    names: tuple[Any, Any, Any] = (None, None, None)
    seconds: tuple[Any, Any, Any] = (3600, 3600, None)
    tags: dict[str, Any] = field(default_factory=dict)
    shares: tuple[ShareSpec, ...] = ()


_GOOD_TAGS: Sequence[dict[str, Any]] = (
    *({}, {"team": "research"}, {"a+b=c.d_e:f/g@h": ""}, {"k" * 128: "v" * 256}),
    {"team": Parameter("research"), "stage": Parameter()},
)
_ODD_TAGS: Sequence[dict[str, Any]] = (
    *({"aws:own": "x"}, {"": "x"}, {"k" * 129: "x"}, {"k": "v" * 257}, {"star*": "x"}),
    {f"key-{number}": "" for number in range(51)},
)


class Planner:
    """Plans one queue.

    Args:
        draw: What hypothesis draws with.
        number: Which queue it is, so that its names are its own.
        odd: How many of a hundred arguments may be what the constructs refuse; all are literals
            then.
    """

    def __init__(self, draw: Draw, number: int, odd: int) -> None:
        self._draw = draw
        self._number = number
        self._odd = odd

    def plan(self) -> QueueSpec:
        """Returns what the queue is made from."""
        units = self._some((*UNITS, "ml.p99.large", *[Parameter()][self._odd :]), 1, 5)
        if self._is_odd(10):
            units = self._one(([], [*UNITS, "ml.c5.large"], ["p5.48xlarge"], ["NUM_INSTANCES"]))
        return QueueSpec(
            stack=self._draw(st.integers(0, 2)),
            limits={unit: self._count(unit) for unit in units},
            priority=self._value((1, 0, 1000, Parameter(), Parameter(7)), (-1, 1001)),
            enabled=self._one((True, False)),
            names=(self._name("queue"), self._name("environment"), self._name("policy")),
            seconds=(self._seconds(), self._seconds(), self._seconds()),
            tags=self._value(_GOOD_TAGS, _ODD_TAGS),
            shares=tuple(self._shares(units)),
        )

    def _shares(self, units: list[Any]) -> Iterator[ShareSpec]:
        names = [*NAMES[:4], *(f"team-{number}" for number in range(17))]
        names = names[: self._one((0, 1, 2, 3, 4, 20))]
        if self._is_odd(10):
            names = self._one((["a", "a"], [f"share-{number}" for number in range(21)], [""]))
        for name in names:
            held = self._some([unit for unit in units if unit != Parameter()] or UNITS, 1, 5)
            if self._is_odd(4):
                held = self._one(([], [*UNITS, "ml.c5.large"], ["p5.48xlarge"], ["ml.r5.large"]))
            strategy = self._one(("LEND", "RESERVE", "LEND_AND_BORROW"))
            borrows = strategy == "LEND_AND_BORROW"
            yield ShareSpec(
                name=self._value((name,), ("two words", "x" * 129, "a.b")),
                limits={unit: self._count(unit) for unit in held},
                strategy=strategy,
                borrow_limit=self._value((None, -1, 0, 1, 50, 200, Parameter()), (-2,))
                if borrows
                else self._value((None,), (50,)),
                preemption=self._one((False, True)),
                enabled=self._one((True, False)),
                tags=self._value(_GOOD_TAGS, _ODD_TAGS),
                way=self._draw(st.integers(0, 2)),
            )

    def _count(self, unit: Any) -> Any:
        # A token beside a token would be told by nothing but the other.
        good = (8, 1, 2, 16, 100) if unit == Parameter() else (8, 1, 2, 16, 100, Parameter())
        return self._value(good, (0, -1))

    def _name(self, of: str) -> Any:
        own = f"{of}-{self._number}"
        good = (None, own, Parameter(own), Parameter())
        return self._value(good, ("", "two words", "x" * 129, "a.b"))

    def _seconds(self) -> Any:
        return self._value((None, 600, 3600, 86400, Parameter(), Parameter(700)), (0, 599, 86401))

    def _value(self, good: Sequence[Any], odd: Sequence[Any]) -> Any:
        return self._one(odd if self._is_odd() else good)

    def _is_odd(self, times: int = 1) -> bool:
        return self._odd > 0 and self._draw(st.integers(0, 99)) >= 100 - times * self._odd

    def _one(self, options: Sequence[T]) -> T:
        if self._odd:
            options = [option for option in options if not _holds_parameter(option)]
        return options[self._draw(st.integers(0, len(options) - 1))]

    def _some(self, options: Sequence[Any], fewest: int, most: int) -> list[Any]:
        found: list[Any] = self._draw(
            st.lists(st.sampled_from(options), min_size=fewest, max_size=most, unique=True)
        )
        return found


def _holds_parameter(value: Any) -> bool:
    parts = value.values() if isinstance(value, dict) else [value]
    return any(isinstance(part, Parameter) for part in parts)


@st.composite
def plans(draw: Draw, *, queues: int, odd: int = 0) -> list[QueueSpec]:
    """Draws what some queues are made from.

    Args:
        draw: What hypothesis draws with.
        queues: How many.
        odd: How many of a hundred arguments may be what the constructs refuse.
    """
    return [Planner(draw, number, odd).plan() for number in range(queues)]
