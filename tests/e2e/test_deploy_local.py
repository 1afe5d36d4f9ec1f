"""``make deploy-local``: what it shows, whose credentials it uses, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.aws.endpoint import ROOT
from tests.e2e.making import make

pytestmark = [pytest.mark.aws, pytest.mark.e2e, pytest.mark.cdk]

MAKE = make("deploy-local")
SCRIPT = (sys.executable, "-m", "scripts.deploy_local")


class Trap:
    """A port at which nobody must call."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.callers = 0
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self) -> None:
        while True:
            try:
                caller, _ = self._socket.accept()
            except OSError:
                return
            self.callers += 1
            caller.close()

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def trap() -> Iterator[Trap]:
    made = Trap()
    yield made
    made.close()


@pytest.fixture
def developer(trap: Trap, tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who is signed in to AWS, all of which leads to the trap."""
    home = tmp_path / "home"
    (home / ".aws").mkdir(parents=True)
    (home / ".aws" / "config").write_text(
        f"[default]\nregion = eu-west-1\nendpoint_url = {trap.url}\n"
        f"[profile production]\nregion = eu-west-1\nendpoint_url = {trap.url}\n"
    )
    keys = "aws_access_key_id = AKIAPOISONED\naws_secret_access_key = poisoned\n"
    (home / ".aws" / "credentials").write_text(f"[default]\n{keys}[production]\n{keys}")
    files = tmp_path / "files"
    files.mkdir()
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(files),
        "AWS_PROFILE": "production",
        "AWS_DEFAULT_PROFILE": "production",
        "AWS_ACCESS_KEY_ID": "AKIAPOISONED",
        "AWS_SECRET_ACCESS_KEY": "poisoned",
        "AWS_SESSION_TOKEN": "poisoned",
        "AWS_REGION": "eu-west-1",
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_ENDPOINT_URL": trap.url,
        "AWS_ENDPOINT_URL_BATCH": trap.url,
        "AWS_ENDPOINT_URL_CLOUDFORMATION": trap.url,
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": trap.url,
        "CDK_DEFAULT_ACCOUNT": "123456789012",
        "HTTP_PROXY": trap.url,
        "HTTPS_PROXY": trap.url,
    }


@contextmanager
def started(
    command: tuple[str, ...], environment: dict[str, str]
) -> Iterator[subprocess.Popen[str]]:
    """Starts a command as a terminal does: with all that it starts, it is one group."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def said_until(process: subprocess.Popen[str], start: str) -> None:
    """Waits for a line that begins so."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith(start):
            return
    raise AssertionError("".join(lines))


def still_running(environment: dict[str, str]) -> list[psutil.Process]:
    """Returns what runs on with files of this test."""
    found = []
    for process in psutil.process_iter():
        try:
            told = " ".join([*process.cmdline(), *process.environ().values()])
        except (psutil.Error, OSError):
            continue
        if environment["TMPDIR"] in told and process.status() != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


def test_it_shows_the_queue_and_uses_nothing_of_the_developer_s(
    developer: dict[str, str], trap: Trap
) -> None:
    # One run is cut off before.
    with started(MAKE, developer) as process:
        said_until(process, "$ cdk deploy")
        (script,) = (
            one for one in still_running(developer) if "scripts.deploy_local" in one.cmdline()
        )
        script.kill()
        process.communicate(timeout=60)
        assert process.returncode != 0
    psutil.wait_procs(still_running(developer), timeout=60)
    assert still_running(developer) == []

    with started(MAKE, developer) as process:
        said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert "runs on http://127.0.0.1:" in said
    assert "QuotaManagedTraining.JobQueueArn = arn:aws:batch:us-east-1:111122223333:" in said
    for shown in ("ENABLED", "VALID", "JobQueue Healthy", "4 x ml.p5.48xlarge", "LEND_AND_BORROW"):
        assert shown in said
    assert "Nothing is left of it." in said
    assert trap.callers == 0
    assert "POISONED" not in said.upper()
    assert still_running(developer) == []


@pytest.mark.parametrize("command", [MAKE, SCRIPT], ids=["make", "script"])
@pytest.mark.parametrize("step", ["$ cdk bootstrap", "$ cdk deploy"])
def test_ctrl_c_ends_all_that_was_started(
    developer: dict[str, str], command: tuple[str, ...], step: str
) -> None:
    with started(command, developer) as process:
        said_until(process, step)
        os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate(timeout=30)
    assert process.returncode != 0
    ours = [line for line in said.splitlines() if not line.startswith("make: ")]
    assert ours == ["interrupted: all that was started has been ended, and nothing is left"]
    assert still_running(developer) == []
    assert list(Path(developer["TMPDIR"]).iterdir()) == []


@pytest.mark.parametrize("seconds", [0.25, 0.5, 1])
def test_ctrl_c_before_anything_was_started(developer: dict[str, str], seconds: float) -> None:
    with started(SCRIPT, developer) as process:
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate(timeout=30)
    ours = "interrupted: all that was started has been ended, and nothing is left"
    assert said.splitlines()[-1:] == [ours]
    assert "Traceback" not in said
    assert still_running(developer) == []


def failure(command: tuple[str, ...], environment: dict[str, str]) -> str:
    """Runs a command that must fail; returns the line that it prints."""
    with started(command, environment) as process:
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    (line,) = said.splitlines()
    assert still_running(environment) == []
    return line


def test_a_port_that_is_taken_is_said_in_a_line(developer: dict[str, str], trap: Trap) -> None:
    assert failure((*SCRIPT, f"--port={trap.port}"), developer) == (
        f"error: the endpoint did not start: cannot listen on 127.0.0.1:{trap.port}: Address "
        "already in use; give another --port, or none for a free one"
    )


def test_no_node_is_said_in_a_line(developer: dict[str, str], tmp_path: Path) -> None:
    # A Python without Node.js beside it, which finds the packages of this one.
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    packages = {"PYTHONPATH": sysconfig.get_path("purelib")}
    assert failure((str(python), *SCRIPT[1:]), {**developer, **packages}) == (
        f"error: Node.js is not there ({python.parent / 'node'}); run `make clean`, then "
        "`make deploy-local`, which sets it up"
    )
