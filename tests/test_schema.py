"""What is said of the four types is what CloudFormation's schemas and the AWS Batch API say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from qm_constructs import schema
from qm_constructs.plan import (
    JOB_QUEUE,
    QUOTA_SHARE,
    SAGEMAKER_TRAINING,
    SCHEDULING_POLICY,
    SERVICE_ENVIRONMENT,
    STRATEGIES,
)
from qm_constructs.rules import _checks, job_queue, quota_share, region, time_limits
from qm_constructs.schema import AnyKind, Kind, ListOf, Struct

pytestmark = pytest.mark.lint

TYPES = [SCHEDULING_POLICY, SERVICE_ENVIRONMENT, JOB_QUEUE, QUOTA_SHARE]
Path = tuple[str, ...]


def registry(type: str) -> dict[str, Any]:
    """Returns CloudFormation's schema of a type."""
    from cfnlint.schema import PROVIDER_SCHEMA_MANAGER

    found: dict[str, Any] = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", type).schema
    return found


def resolved(node: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        node = whole["definitions"][node["$ref"].rpartition("/")[2]]
    return node


def kinds_of_the_registry(type: str) -> Iterator[tuple[Path, str, tuple[str, ...]]]:
    """Yields each property that can be written: its path, its kind, and what it requires."""
    whole = registry(type)
    written = {name.rpartition("/")[2] for name in whole["readOnlyProperties"]}
    rest: list[tuple[Path, dict[str, Any]]] = [((), whole)]
    while rest:
        path, node = rest.pop()
        if path and path[-1] == "Tags":
            yield path, "tags", ()
            continue
        if node.get("type", "object") == "object":
            assert node["additionalProperties"] is False
            yield path, "map", tuple(sorted(node.get("required", ())))
            for name, part in node["properties"].items():
                if path or name not in written:
                    rest.append(((*path, name), resolved(part, whole)))
        elif node["type"] == "array":
            yield path, "list", ()
            rest.append(((*path, "*"), resolved(node["items"], whole)))
        else:
            yield path, {"string": "text"}.get(node["type"], "a whole number"), ()


def kinds_of_ours(kind: AnyKind, path: Path = ()) -> Iterator[tuple[Path, str, tuple[str, ...]]]:
    if isinstance(kind, Struct):
        yield path, "map", tuple(sorted(kind.required))
        for name, part in kind.members.items():
            yield from kinds_of_ours(part, (*path, name))
    elif isinstance(kind, ListOf):
        yield path, "list", ()
        yield from kinds_of_ours(kind.item, (*path, "*"))
    else:
        assert isinstance(kind, Kind)
        yield path, "tags" if kind is schema.TAGS else kind.article, ()


@pytest.mark.parametrize("type", TYPES)
def test_the_properties_are_those_of_the_registry(type: str) -> None:
    ours = {path: (kind, required) for path, kind, required in kinds_of_ours(schema.TYPES[type])}
    theirs = {path: (kind, required) for path, kind, required in kinds_of_the_registry(type)}
    # What is nobody's business here is known by its name only.
    left_alone = [path for path, (kind, _) in ours.items() if kind == schema.ANYTHING.article]
    for path in left_alone:
        assert path in theirs
        theirs = {p: t for p, t in theirs.items() if p[: len(path)] != path}
        del ours[path]
    assert ours == theirs


@pytest.mark.parametrize("type", TYPES)
def test_the_attributes_are_those_of_the_registry(type: str) -> None:
    whole = registry(type)
    assert whole["readOnlyProperties"] == [f"/properties/{schema.ARN_ATTRIBUTE[type]}"]
    assert whole["primaryIdentifier"] == whole["readOnlyProperties"]
    assert schema.NAME_PROPERTY[type] in whole["properties"]
    replacing = {f"/properties/{name}" for name in schema.CREATE_ONLY[type]}
    assert set(whole["createOnlyProperties"]) == replacing


def test_the_ranges_are_those_of_the_registry() -> None:
    queue, share = registry(JOB_QUEUE), registry(QUOTA_SHARE)
    priority = queue["properties"]["Priority"]
    assert (priority["minimum"], priority["maximum"]) == (
        job_queue.MIN_PRIORITY,
        job_queue.MAX_PRIORITY,
    )
    seconds = queue["definitions"]["JobStateTimeLimitAction"]["properties"]["MaxTimeSeconds"]
    assert (seconds["minimum"], seconds["maximum"]) == (
        time_limits.MIN_TIME_SECONDS,
        time_limits.MAX_TIME_SECONDS,
    )
    sharing = share["definitions"]["QuotaShareResourceSharingConfiguration"]["properties"]
    assert sharing["BorrowLimit"]["minimum"] == quota_share.UNLIMITED
    limit = share["definitions"]["QuotaShareCapacityLimit"]["properties"]
    assert limit["MaxCapacity"]["minimum"] == 1


def enum(shape: str, member: str) -> list[str]:
    """Returns the values that the AWS Batch API has for a member."""
    import botocore.session

    model = botocore.session.get_session().get_service_model("batch")
    return list(model.shape_for(shape).members[member].enum)


@pytest.mark.parametrize(
    ("shape", "member", "ours"),
    [
        ("QuotaShareResourceSharingConfiguration", "strategy", STRATEGIES),
        ("QuotaSharePreemptionConfiguration", "inSharePreemption", _checks.STATES),
        ("CreateQuotaShareRequest", "state", _checks.STATES),
        ("CreateJobQueueRequest", "state", _checks.STATES),
        ("CreateServiceEnvironmentRequest", "state", _checks.STATES),
        ("CreateServiceEnvironmentRequest", "serviceEnvironmentType", [SAGEMAKER_TRAINING]),
        ("QuotaSharePolicy", "idleResourceAssignmentStrategy", ["FIFO"]),
        ("JobStateTimeLimitAction", "state", [time_limits.RUNNABLE]),
    ],
)
def test_the_values_are_those_of_the_api(shape: str, member: str, ours: list[str]) -> None:
    assert sorted(enum(shape, member)) == sorted(ours)


def test_what_the_api_has_more_values_of() -> None:
    assert SAGEMAKER_TRAINING in enum("CreateJobQueueRequest", "jobQueueType")
    assert time_limits.TERMINATE in enum("JobStateTimeLimitAction", "action")


@pytest.mark.parametrize(
    ("shape", "type", "otherwise"),
    [
        ("CreateQuotaShareRequest", QUOTA_SHARE, set()),
        # CloudFormation makes up the names that the API requires.
        ("CreateServiceEnvironmentRequest", SERVICE_ENVIRONMENT, {"serviceenvironmentname"}),
        ("CreateJobQueueRequest", JOB_QUEUE, {"jobqueuename"}),
        ("CreateSchedulingPolicyRequest", SCHEDULING_POLICY, {"name"}),
    ],
)
def test_what_is_required_is_what_the_api_requires(
    shape: str, type: str, otherwise: set[str]
) -> None:
    import botocore.session

    model = botocore.session.get_session().get_service_model("batch").shape_for(shape)
    required = {name.lower() for name in model.required_members} - otherwise
    assert {name.lower() for name in schema.TYPES[type].required} == required
    assert {name.lower() for name in schema.TYPES[type].members} == {
        name.lower() for name in model.members
    }


def test_the_regions_without_quota_shares_are_those_of_the_registry() -> None:
    from cfnlint.helpers import REGIONS
    from cfnlint.schema import PROVIDER_SCHEMA_MANAGER

    lacking = []
    for name in REGIONS:
        try:
            types = PROVIDER_SCHEMA_MANAGER.get_resource_types(name)
        except Exception:  # cfn-lint has no data at all of some Regions
            continue
        if types and QUOTA_SHARE not in types:
            lacking.append(name)
    assert tuple(lacking) == region.REGIONS_WITHOUT_QUOTA_SHARE
