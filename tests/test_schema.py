"""What is said of the four types is what CloudFormation's schemas and the AWS Batch API say.

``registry`` is CloudFormation's, as cfn-lint carries it; ``api`` is botocore's model of AWS Batch.
A path has ``*`` for each entry of a list, and is written as in a template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import pytest

from qm_constructs import schema
from qm_constructs.arns import EXAMPLES, parse_arn
from qm_constructs.plan import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SAGEMAKER_TRAINING,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    UNLIMITED,
    Resource,
)
from qm_constructs.rules import job_queue, judge, region, tags, time_limits
from qm_constructs.schema import AnyKind, Kind, ListOf, Struct

pytestmark = pytest.mark.lint

TYPES = [SCHEDULING_POLICY, SERVICE_ENVIRONMENT, JOB_QUEUE, QUOTA_SHARE]
BOUNDS = {"minimum", "maximum", "minLength", "maxLength"}
Path = tuple[str, ...]


class Said(NamedTuple):
    """What a source says of a property."""

    kind: str
    required: frozenset[str] = frozenset()
    values: frozenset[str] | None = None
    bounds: Mapping[str, int] = {}


# -- CloudFormation


def registry(type: str) -> dict[str, Any]:
    """Returns CloudFormation's schema of a type."""
    from cfnlint.schema import PROVIDER_SCHEMA_MANAGER

    found: dict[str, Any] = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", type).schema
    return found


def by_registry(type: str) -> dict[Path, Said]:
    """Returns what CloudFormation says of each property that can be written."""
    whole = registry(type)
    found = dict(_in_registry(whole, whole, ()))
    attributes = {(name.rpartition("/")[2],) for name in whole["readOnlyProperties"]}
    return _without_left_alone(type, {p: said for p, said in found.items() if p not in attributes})


def _in_registry(
    node: dict[str, Any], whole: dict[str, Any], path: Path
) -> Iterator[tuple[Path, Said]]:
    while "$ref" in node:
        node = whole["definitions"][node["$ref"].rpartition("/")[2]]
    if path[-1:] == ("Tags",):
        yield path, Said("tags")
    elif node.get("type", "object") == "object":
        assert node["additionalProperties"] is False, f"{path} takes properties of any name"
        yield path, Said("map", frozenset(node.get("required", ())))
        for name, part in node["properties"].items():
            yield from _in_registry(part, whole, (*path, name))
    elif node["type"] == "array":
        yield path, Said("list")
        yield from _in_registry(node["items"], whole, (*path, "*"))
    else:
        # cfn-lint's copy has some of the values in small letters.
        values = node.get("enum", node.get("enumCaseInsensitive"))
        yield (
            path,
            Said(
                {"string": "text", "integer": "a whole number"}.get(node["type"], node["type"]),
                values=None if values is None else frozenset(value.upper() for value in values),
                bounds={key: node[key] for key in BOUNDS & node.keys()},
            ),
        )


# -- The AWS Batch API


def api(shape: str) -> Any:
    import botocore.session

    return botocore.session.get_session().get_service_model("batch").shape_for(shape)


def by_api(type: str) -> dict[Path, Said]:
    """Returns what the AWS Batch API says of each argument, named as in a template."""
    shape = api(f"Create{type.rpartition('::')[2]}Request")
    return _without_left_alone(type, dict(_in_api(shape, ())))


def _in_api(shape: Any, path: Path) -> Iterator[tuple[Path, Said]]:
    if shape.type_name == "structure":
        yield path, Said("map", frozenset(map(_capital, shape.required_members)))
        for name, part in shape.members.items():
            yield from _in_api(part, (*path, _capital(name)))
    elif shape.type_name == "list":
        yield path, Said("list")
        yield from _in_api(shape.member, (*path, "*"))
    else:
        kinds = {"string": "text", "integer": "a whole number", "map": "tags"}
        values = frozenset(getattr(shape, "enum", ())) or None
        yield path, Said(kinds.get(shape.type_name, shape.type_name), values=values)


def _capital(name: str) -> str:
    return name[0].upper() + name[1:]


# -- Ours


def by_us(type: str) -> dict[Path, Said]:
    return _without_left_alone(type, dict(_in_ours(schema.TYPES[type], ())))


def _in_ours(kind: AnyKind, path: Path) -> Iterator[tuple[Path, Said]]:
    if isinstance(kind, Struct):
        yield path, Said("map", frozenset(kind.required))
        for name, part in kind.members.items():
            yield from _in_ours(part, (*path, name))
    elif isinstance(kind, ListOf):
        yield path, Said("list")
        yield from _in_ours(kind.item, (*path, "*"))
    else:
        assert isinstance(kind, Kind)
        yield path, Said("tags" if kind is schema.TAGS else kind.article)


def _without_left_alone(type: str, found: dict[Path, Said]) -> dict[Path, Said]:
    """Keeps only the name of what our table says nothing about."""
    members = schema.TYPES[type].members
    left_alone = {name for name, kind in members.items() if kind is schema.ANYTHING}
    kept = {
        path: said for path, said in found.items() if path[:1] not in {(n,) for n in left_alone}
    }
    return kept | {(name,): Said("anything") for name in left_alone if (name,) in found}


def findings(type: str, path: Path, value: Any) -> list[tuple[str, str]]:
    """Returns the rule and the problem of each finding at a property that has a value."""
    for step in reversed(path):
        value = [value] if step == "*" else {step: value}
    place = tuple(0 if step == "*" else step for step in path)
    # Some rules are for queues of the one type only.
    properties = {"JobQueueType": SAGEMAKER_TRAINING, **value}
    found = judge(Resource(type, properties if type == JOB_QUEUE else value))
    return [(finding.rule.id, finding.problem) for finding in found if finding.path == place]


# -- Properties


def shape_of(said: dict[Path, Said]) -> dict[Path, tuple[str, list[str]]]:
    return {path: (one.kind, sorted(one.required)) for path, one in said.items()}


@pytest.mark.parametrize("type", TYPES)
def test_the_properties_are_those_of_the_registry(type: str) -> None:
    assert shape_of(by_us(type)) == shape_of(by_registry(type))


REQUIRED_BY_THE_API_ALONE: Final[dict[str, dict[Path, set[str]]]] = {
    # CloudFormation makes up the names.
    SCHEDULING_POLICY: {
        (): {"Name"},
        ("QuotaSharePolicy",): {"IdleResourceAssignmentStrategy"},
    },
    SERVICE_ENVIRONMENT: {(): {"ServiceEnvironmentName"}},
    JOB_QUEUE: {(): {"JobQueueName"}},
    QUOTA_SHARE: {},
}


@pytest.mark.parametrize("type", TYPES)
def test_the_properties_are_those_of_the_api(type: str) -> None:
    theirs = by_api(type)
    for path, names in REQUIRED_BY_THE_API_ALONE[type].items():
        assert names <= theirs[path].required
        theirs[path] = theirs[path]._replace(required=theirs[path].required - names)
    assert shape_of(by_us(type)) == shape_of(theirs)


@pytest.mark.parametrize("type", TYPES)
def test_the_attributes_are_those_of_the_registry(type: str) -> None:
    whole = registry(type)
    assert whole["readOnlyProperties"] == [f"/properties/{schema.ARN_ATTRIBUTE[type]}"]
    assert whole["primaryIdentifier"] == whole["readOnlyProperties"]
    assert f"/properties/{schema.NAME_PROPERTY[type]}" in whole["createOnlyProperties"]
    replacing = {f"/properties/{name}" for name in schema.CREATE_ONLY[type]}
    assert set(whole["createOnlyProperties"]) == replacing


def test_a_queue_has_environments_of_one_kind() -> None:
    kinds = ["ComputeEnvironmentOrder", "ServiceEnvironmentOrder"]
    assert registry(JOB_QUEUE)["oneOf"] == [{"required": [kind]} for kind in kinds]


# -- Values

ACTION: Final = "JobStateTimeLimitActions"
VALUES: Final[dict[str, dict[Path, str]]] = {
    SCHEDULING_POLICY: {("QuotaSharePolicy", "IdleResourceAssignmentStrategy"): "SP-03"},
    SERVICE_ENVIRONMENT: {("ServiceEnvironmentType",): "SE-02", ("State",): "SE-10"},
    JOB_QUEUE: {
        ("State",): "JQ-10",
        (ACTION, "*", "State"): "JT-02",
    },
    QUOTA_SHARE: {
        ("State",): "QS-13",
        ("ResourceSharingConfiguration", "Strategy"): "QS-07",
        ("PreemptionConfiguration", "InSharePreemption"): "QS-12",
    },
}
# What has other values for queues of other types.
VALUES_OF_TRAINING: Final[dict[Path, str]] = {
    ("JobQueueType",): SAGEMAKER_TRAINING,
    (ACTION, "*", "Action"): time_limits.TERMINATE,
}
WITHOUT_VALUES_IN_THE_REGISTRY: Final = {SERVICE_ENVIRONMENT: {("State",)}}


def values_we_allow(type: str) -> dict[Path, list[str]]:
    """Returns what the rules let a property be, as their messages list it."""
    found = {}
    for path, rule in VALUES[type].items():
        (problem,) = [text for id, text in findings(type, path, "no such value") if id == rule]
        found[path] = sorted(re.findall(r"\b[A-Z][A-Z_]+\b", problem))
    return found


def values_in(said: dict[Path, Said]) -> dict[Path, list[str]]:
    found = {path: sorted(one.values) for path, one in said.items() if one.values is not None}
    for path, ours in VALUES_OF_TRAINING.items():
        if path in found:
            assert ours in found.pop(path)
    return found


@pytest.mark.parametrize("type", TYPES)
def test_the_values_are_those_of_the_registry(type: str) -> None:
    unsaid = WITHOUT_VALUES_IN_THE_REGISTRY.get(type, set())
    ours = {path: values for path, values in values_we_allow(type).items() if path not in unsaid}
    assert ours == values_in(by_registry(type))


@pytest.mark.parametrize("type", TYPES)
def test_the_values_are_those_of_the_api(type: str) -> None:
    assert values_we_allow(type) == values_in(by_api(type))


def test_what_has_other_values_for_other_queues_is_listed_by_both() -> None:
    for said in (by_registry(JOB_QUEUE), by_api(JOB_QUEUE)):
        for path, ours in VALUES_OF_TRAINING.items():
            assert ours in (said[path].values or ())


# -- Ranges and lengths

NAME_LENGTH: Final = {"minLength": 1, "maxLength": 128}
RANGES: Final[dict[str, dict[Path, dict[str, int]]]] = {
    SCHEDULING_POLICY: {},
    SERVICE_ENVIRONMENT: {},
    JOB_QUEUE: {
        ("JobQueueName",): NAME_LENGTH,
        ("Priority",): {"minimum": job_queue.MIN_PRIORITY, "maximum": job_queue.MAX_PRIORITY},
        (ACTION, "*", "MaxTimeSeconds"): {
            "minimum": time_limits.MIN_TIME_SECONDS,
            "maximum": time_limits.MAX_TIME_SECONDS,
        },
    },
    QUOTA_SHARE: {
        ("QuotaShareName",): NAME_LENGTH,
        ("CapacityLimits", "*", "MaxCapacity"): {"minimum": 1},
        ("ResourceSharingConfiguration", "BorrowLimit"): {"minimum": UNLIMITED},
    },
}


@pytest.mark.parametrize("type", TYPES)
def test_the_ranges_are_those_of_the_registry(type: str) -> None:
    theirs = {path: dict(said.bounds) for path, said in by_registry(type).items() if said.bounds}
    assert RANGES[type] == theirs


@pytest.mark.parametrize(
    ("type", "path", "bound", "last"),
    [
        pytest.param(type, path, bound, last, id=f"{'.'.join(path)}-{bound}")
        for type, ranges in RANGES.items()
        for path, bounds in ranges.items()
        for bound, last in bounds.items()
    ],
)
def test_the_rules_keep_to_the_ranges(type: str, path: Path, bound: str, last: int) -> None:
    beyond = last - 1 if bound.startswith("min") else last + 1
    inside, outside = ("x" * last, "x" * beyond) if "Length" in bound else (last, beyond)
    assert findings(type, path, inside) == []
    assert len(findings(type, path, outside)) == 1


# -- Tags


def test_the_tags_are_those_of_the_api() -> None:
    bounds = [api(shape).metadata for shape in ("TagrisTagsMap", "TagKey", "TagValue")]
    assert bounds == [
        {"min": 1, "max": tags.MAX_TAGS},
        {"min": 1, "max": tags.MAX_KEY},
        {"max": tags.MAX_VALUE},
    ]


@pytest.mark.parametrize("type", TYPES)
def test_the_registry_asks_only_text_of_tags(type: str) -> None:
    found = registry(type)["properties"]["Tags"]
    assert found["patternProperties"] == {".*": {"type": "string"}}
    assert found["additionalProperties"] is False


# -- ARNs


@pytest.mark.parametrize(
    "arn",
    [
        EXAMPLES["quota-share"],
        EXAMPLES["job-queue"],
        EXAMPLES["quota-share"].replace("arn:aws:", "arn:aws-cn:"),
        EXAMPLES["quota-share"].replace("111122223333", "1111"),
        EXAMPLES["quota-share"].replace("us-east-1", "US"),
        EXAMPLES["quota-share"].replace("/NAME", f"/{'x' * 128}"),
        EXAMPLES["quota-share"].replace("/NAME", f"/{'x' * 129}"),
        EXAMPLES["quota-share"].replace("/NAME", "/a.b"),
        EXAMPLES["quota-share"] + "/more",
    ],
)
def test_the_arn_of_a_share_is_that_of_the_registry(arn: str) -> None:
    pattern = registry(QUOTA_SHARE)["definitions"]["ResourceArn"]["pattern"]
    assert bool(parse_arn(arn, "quota-share")) is bool(re.search(pattern, arn))


def test_the_registry_takes_the_arn_of_a_policy() -> None:
    pattern = registry(JOB_QUEUE)["definitions"]["ResourceArn"]["pattern"]
    assert re.fullmatch(pattern, EXAMPLES["scheduling-policy"])


# -- Regions


def test_the_regions_without_quota_shares_are_those_of_the_registry() -> None:
    from cfnlint.helpers import REGIONS
    from cfnlint.schema import PROVIDER_SCHEMA_MANAGER

    # Of a Region that it has no data of, cfn-lint answers as of another.
    lacking = [
        name
        for name in REGIONS
        if QUOTA_SHARE not in PROVIDER_SCHEMA_MANAGER.get_resource_types(name)
    ]
    assert lacking == list(region.REGIONS_WITHOUT_QUOTA_SHARE)
