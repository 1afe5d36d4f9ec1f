"""Names are given and changed, each in one deploy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from aws_cdk import App

from tests.e2e.apps.training import LIMITS, SHARES, STACK, TrainingStack, synthesize

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.cloud import Cloud

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk]


def names(cloud: Cloud) -> dict[str, list[str]]:
    """Returns the names of all that there is, by type."""
    found: dict[str, list[str]] = {}
    for arn in cloud.described():
        type, _, name = arn.rpartition(":")[2].partition("/")
        found.setdefault(type, []).append(name)
    return {type: sorted(names) for type, names in found.items()}


def shares_of(queue: str) -> list[str]:
    """Returns the names of a queue and of its shares, as they are in ARNs."""
    return sorted([queue, *(f"{queue}/quota-share/{name}" for name in SHARES)])


def test_a_queue_is_renamed_and_the_jobs_of_the_old_one_end(either_way: Cloud) -> None:  # UP-10
    cloud = either_way
    cloud.deploy(synthesize(cloud.outdir(), job_queue_name="old"))
    before, job = cloud.described(), cloud.submit("vision")
    cloud.deploy(synthesize(cloud.outdir(), job_queue_name="new"))
    assert cloud.status_of(job) == "FAILED"
    assert names(cloud)["job-queue"] == shares_of("new")
    # Policy and environment are new ones too, and of each there is one.
    assert before.keys().isdisjoint(cloud.described())
    assert {type: len(found) for type, found in names(cloud).items()} == {
        "job-queue": 3,
        "scheduling-policy": 1,
        "service-environment": 1,
    }
    assert cloud.status_of(cloud.submit("vision")) == "RUNNING"


def test_an_environment_is_named_renamed_renamed_with_its_queue_and_swapped(
    either_way: Cloud,
) -> None:
    cloud = either_way
    cloud.deploy(synthesize(cloud.outdir(), job_queue_name="queue"))
    job, ids = cloud.submit("vision"), cloud.stacks.physical_ids(STACK)

    for name in ("first", "second"):
        app = synthesize(cloud.outdir(), job_queue_name="queue", service_environment_name=name)
        cloud.deploy(app)
        assert names(cloud)["service-environment"] == [name]
        # All else is what it was, and jobs run on.
        others = {arn for arn in ids.values() if ":service-environment/" not in arn}
        assert others < cloud.described().keys()
        assert cloud.status_of(job) == "RUNNING"

    # The queue alone cannot be renamed while its environment keeps its name.
    before = cloud.described()
    app = synthesize(cloud.outdir(), job_queue_name="new", service_environment_name="second")
    assert "already connected to job queue" in cloud.deploy(app, fails=True)
    assert cloud.stacks.statuses() == {STACK: "UPDATE_ROLLBACK_COMPLETE"}
    assert cloud.described() == before
    assert cloud.status_of(job) == "RUNNING"

    app = synthesize(cloud.outdir(), job_queue_name="new", service_environment_name="third")
    cloud.deploy(app)
    assert names(cloud)["service-environment"] == ["third"]
    assert names(cloud)["job-queue"] == shares_of("new")
    assert cloud.status_of(job) == "FAILED"

    job, ids = cloud.submit("vision"), cloud.stacks.physical_ids(STACK)
    cloud.batch(
        "CreateServiceEnvironment",
        serviceEnvironmentName="imported",
        capacityLimits=[
            {"capacityUnit": unit, "maxCapacity": most} for unit, most in LIMITS.items()
        ],
    )
    cloud.deploy(with_imported_environment(cloud.outdir(), cloud))
    assert names(cloud)["service-environment"] == ["imported"]
    others = {arn for arn in ids.values() if ":service-environment/" not in arn}
    assert set(cloud.stacks.physical_ids(STACK).values()) == others
    assert cloud.status_of(job) == "RUNNING"

    # What was imported stays.
    cloud.destroy(with_imported_environment(cloud.outdir(), cloud))
    assert names(cloud) == {"service-environment": ["imported"]}


def with_imported_environment(outdir: Path, cloud: Cloud) -> Path:
    """Synthesizes the queue over an environment that is there already."""
    app = App(outdir=str(outdir))
    TrainingStack(
        app,
        STACK,
        job_queue_name="new",
        service_environment=cloud.batch.arn("service-environment", "imported"),
    )
    app.synth()
    return outdir
