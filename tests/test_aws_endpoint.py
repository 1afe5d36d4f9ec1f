"""The endpoint as a process: how it starts, what it keeps out, and that it always ends."""

from __future__ import annotations

import ast
import os
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.scenarios import ACCOUNT, REGION

if TYPE_CHECKING:
    from tests.aws.endpoint import Endpoint

pytestmark = pytest.mark.aws

ROOT = Path(__file__).parents[1]
READY = "AWS endpoint ready on http://127.0.0.1:"


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Starts the command as a user does, in a process that ends with the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.aws", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_says_one_line_and_ends_cleanly(number: signal.Signals) -> None:
    with started() as process:
        line = first_line(process)
        assert line.startswith(READY)
        port = int(line.removeprefix(READY))
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert out == ""
    assert "Traceback" not in err
    with socket.socket() as again:  # the port is free
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", port))


# (arguments, where {port} is one that is taken; what is said)
WRONG = [
    (["--port={port}"], "error: cannot listen on 127.0.0.1:{port}: Address already in use"),
    (["--port=70000"], "error: cannot listen on 127.0.0.1:70000: "),
    (["--refuse=XX-01"], "invalid choice: 'XX-01'"),
]


@pytest.mark.parametrize(("arguments", "says"), WRONG)
def test_what_is_wrong_at_the_start_is_said_in_a_line(arguments: list[str], says: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        given = [argument.format(port=port) for argument in arguments]
        with started(*given) as process:
            out, err = process.communicate(timeout=60)
    assert process.returncode != 0
    assert out == ""
    assert says.format(port=port) in err.splitlines()[-1]
    assert "Traceback" not in err


def test_it_listens_on_loopback_only(endpoint: Endpoint) -> None:
    import psutil

    endpoint.boto3("s3", ACCOUNT, REGION).list_buckets()
    process = psutil.Process(endpoint.pid)
    listening = [
        one.laddr
        for each in (process, *process.children(recursive=True))
        for one in each.net_connections()
        if one.status == psutil.CONN_LISTEN
    ]
    assert [address.ip for address in listening] == ["127.0.0.1"]
    assert endpoint.url == f"http://127.0.0.1:{listening[0].port}"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_it_ends_with_the_test_that_started_it_however_that_ends(
    number: signal.Signals, tmp_path: Path
) -> None:
    import psutil

    program = f"""
        import pathlib, time
        from tests.aws.endpoint import Endpoint
        with Endpoint(pathlib.Path({str(tmp_path)!r})) as endpoint:
            print(endpoint.pid, flush=True)
            time.sleep(60)
    """
    test = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        endpoint = psutil.Process(int(first_line(test)))
        test.send_signal(number)
    finally:
        if number != signal.SIGKILL:
            test.wait(timeout=60)
        test.kill()
        test.communicate()
    _, alive = psutil.wait_procs([endpoint], timeout=60)
    assert not alive


def test_one_that_cannot_start_says_why(tmp_path: Path) -> None:
    from tests.aws.endpoint import Endpoint

    with pytest.raises(RuntimeError, match="invalid choice: 'XX-01'"):
        Endpoint(tmp_path, refuse=["XX-01"]).__enter__()


def test_switches_are_turned_while_it_runs(endpoint: Endpoint) -> None:
    import urllib.error

    endpoint.turn({"SE-11": True, "DE-06": False})
    assert (endpoint.turn({})["SE-11"], endpoint.turn({})["DE-06"]) == (True, False)
    with pytest.raises(urllib.error.HTTPError):
        endpoint.turn({"XX-01": True})


def test_switches_can_be_on_from_the_start(tmp_path: Path) -> None:
    from tests.aws.endpoint import Endpoint

    with Endpoint(tmp_path, refuse=["all"]) as endpoint:
        assert set(endpoint.turn({}).values()) == {True}


def test_a_child_gets_nothing_of_this_environment(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing of a developer's own is used, whatever it says.
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_CA_BUNDLE", "HTTPS_PROXY", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    environment = endpoint.environment(ACCOUNT, REGION, tmp_path)
    program = "import os; print(sorted(os.environ))"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert ast.literal_eval(done.stdout) == sorted(environment)
    assert environment["AWS_ACCESS_KEY_ID"] == ACCOUNT
    assert environment["AWS_ENDPOINT_URL"] == endpoint.url
    assert environment["HOME"] == str(tmp_path)
    assert environment["AWS_CONFIG_FILE"] == os.devnull
    identity = endpoint.boto3("sts", ACCOUNT, REGION).get_caller_identity()
    assert identity["Account"] == ACCOUNT


def test_it_is_a_second_opinion() -> None:
    for path in (ROOT / "tests" / "aws").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            modules = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            for module in modules:
                top = module.split(".")[0]
                assert top not in ("qm_constructs", "aws_cdk", "jsii", "tests"), path
    program = """
        import sys
        sys.modules["qm_constructs"] = sys.modules["aws_cdk"] = None
        from tests.aws import __main__, admin, calls, endpoint, hooks, stacks
        hooks.install()
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], cwd=ROOT, check=True)
