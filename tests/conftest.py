"""What the tests have in common."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

# CDK's own engine costs seconds; the tests that are about it run it in a process of its own.
os.environ["CDK_VALIDATION"] = "false"

import pytest
from aws_cdk import App, Environment, Stack
from jsii._kernel.providers import ProcessProvider

from qm_constructs import QuotaManagementError
from tests.scenarios import ACCOUNT, REGION, a_stack

if TYPE_CHECKING:
    from tests.aws.calls import Calls
    from tests.aws.endpoint import Endpoint

# Statuses that move fast, and no wait between submissions.
ARGUMENTS_OF_AWS = ("--status-seconds=0.01", "--submissions-per-second=1000")

CALLS = ("create", "get", "set", "sget", "sset", "invoke", "sinvoke", "begin", "complete")


# A shell starts what it puts in the background deaf to Ctrl-C, and all that this starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
def stack(app: App) -> Stack:
    """A stack without a literal account and Region."""
    return a_stack(app)


@pytest.fixture
def placed_stack(app: App) -> Stack:
    """A stack of a literal account and Region."""
    return a_stack(app, "Placed", env=Environment(account=ACCOUNT, region=REGION))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every call to Node from here on."""
    made: list[str] = []

    def counted(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(self: Any, request: Any) -> Any:
            made.append(f"{name} {request}")
            return call(self, request)

        return wrapper

    for name in CALLS:
        if hasattr(ProcessProvider, name):
            monkeypatch.setattr(
                ProcessProvider, name, counted(name, getattr(ProcessProvider, name))
            )
    return made


@pytest.fixture(scope="session")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    """The AWS endpoint, one for all tests of a process."""
    from tests.aws.endpoint import Endpoint

    directory = tmp_path_factory.mktemp("endpoint")
    with Endpoint(directory, arguments=ARGUMENTS_OF_AWS) as running:
        yield running


@pytest.fixture(scope="session")
def calls_of_aws(endpoint: Endpoint) -> Calls:
    from tests.aws.calls import Calls

    return Calls(endpoint, ACCOUNT, REGION)


@pytest.fixture
def aws(endpoint: Endpoint, calls_of_aws: Calls) -> Calls:
    """AWS Batch with nothing in it, which accepts what AWS has not confirmed."""
    endpoint.reset()
    endpoint.turn(dict.fromkeys(endpoint.turn({}), False))
    return calls_of_aws


def message_of(call: Callable[[], object]) -> str:
    """Returns what a call that must fail says, as a person reads it."""
    with pytest.raises(QuotaManagementError) as raised:
        call()
    return str(raised.value)


def resources(stack: Stack, type: str | None = None) -> dict[str, Any]:
    """Returns the resources of a stack's template, all or those of a type's last word."""
    template = Stack.of(stack).node.root.synth().get_stack_by_name(stack.stack_name).template  # type: ignore[attr-defined]
    found: dict[str, Any] = template.get("Resources", {})
    if type is None:
        return found
    return {id: body for id, body in found.items() if body["Type"] == f"AWS::Batch::{type}"}
