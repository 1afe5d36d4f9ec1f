"""What the tests of a queue's life share: one endpoint and one bootstrap for each worker."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ARGUMENTS_OF_AWS

if TYPE_CHECKING:
    from tests.e2e.cloud import Cloud

# An hour of a job state time limit takes a second.
ARGUMENTS = (*ARGUMENTS_OF_AWS, "--time-limit-scale=0.0003")


@pytest.fixture(scope="session")
def bootstrapped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    """An account and Region with nothing in it but CDK's bootstrap."""
    from tests.aws.endpoint import Endpoint
    from tests.e2e.cloud import Cloud

    directory = tmp_path_factory.mktemp("cloud")
    with Endpoint(directory / "endpoint", arguments=ARGUMENTS) as endpoint:
        cloud = Cloud(endpoint, directory / "home")
        cloud.begin(directory)
        cloud.bootstrap()
        yield cloud


@pytest.fixture
def cloud(bootstrapped: Cloud, tmp_path: Path) -> Iterator[Cloud]:
    """The same for each test, which accepts what AWS has not confirmed."""
    bootstrapped.begin(tmp_path)
    yield bootstrapped
    bootstrapped.clear()


@pytest.fixture(params=[False, True], ids=["lenient", "strict"])
def either_way(cloud: Cloud, request: pytest.FixtureRequest) -> Cloud:
    """The same, which accepts all that AWS has not confirmed, and then refuses all of it."""
    cloud.refuse_all(request.param)
    return cloud


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Shows, where a test fails, what was printed, what became of the stacks, and the log."""
    report = yield
    cloud = getattr(item, "funcargs", {}).get("cloud")
    if call.when == "call" and report.failed and cloud is not None:
        report.sections.extend(cloud.what_happened())
    return report
