"""The endpoint as a test uses it: in a process of its own, ended with the test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, final

import boto3
import botocore.session
from botocore.config import Config

from .__main__ import READY
from .admin import SWITCHES_PATH

ROOT: Final = Path(__file__).parents[2]
_OPENER: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@final
class Endpoint:
    """An AWS endpoint on a free port of 127.0.0.1, for the length of a ``with`` block.

    Args:
        directory: where its log is kept; a new temporary directory by default.
        refuse: the switches that are on from the start (``switches.SWITCHES``).
        arguments: further arguments of ``python -m tests.aws``.
    """

    def __init__(
        self,
        directory: Path | None = None,
        refuse: Iterable[str] = (),
        arguments: Iterable[str] = (),
    ) -> None:
        directory = directory or Path(tempfile.mkdtemp(prefix="aws-endpoint-"))
        directory.mkdir(parents=True, exist_ok=True)
        self.log = directory / "endpoint.log"
        self.url = ""
        self._arguments = [*(f"--refuse={fact}" for fact in refuse), *arguments]
        self._home = directory
        self._process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def __enter__(self) -> Endpoint:
        with self.log.open("w") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.aws", "--until-stdin-closes", *self._arguments],
                cwd=ROOT,
                env={"PATH": os.defpath, "HOME": str(self._home), "TMPDIR": str(self._home)},
                stdin=subprocess.PIPE,  # closed when this process ends, however it ends
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,  # Ctrl-C is for the test, which ends the endpoint
            )
        try:
            assert self._process.stdout is not None
            line = self._process.stdout.readline()
            if not line.startswith(READY):
                raise RuntimeError(f"the endpoint did not start:\n{line}{self.log.read_text()}")
        except BaseException:
            self._end()
            raise
        self.url = line.removeprefix(READY).strip()
        return self

    def __exit__(
        self,
        type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end()

    def _end(self) -> None:
        process = self._process
        if process is None:
            return
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def environment(self, account: str, region: str, home: Path) -> dict[str, str]:
        """Returns a whole environment for a child process: nothing of this one's reaches it.

        Args:
            account: the account that the child works in, 12 digits.
            region: the Region that it works in.
            home: its home directory, empty for a first run.
        """
        directories = (Path(sys.executable).parent, ROOT / "node_modules" / ".bin")
        return {
            "PATH": os.pathsep.join([*map(str, directories), "/usr/bin", "/bin"]),
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": account,
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": region,
            "AWS_DEFAULT_REGION": region,
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            "AWS_PAGER": "",
            # The CDK command line keeps there which account a key is of.
            "CDK_HOME": str(home / ".cdk"),
            "CDK_DISABLE_CLI_TELEMETRY": "true",
            "CDK_DISABLE_VERSION_CHECK": "true",
            "JSII_RUNTIME_PACKAGE_CACHE_ROOT": str(ROOT / ".cache" / "jsii"),
        }

    def boto3(self, service: str, account: str, region: str) -> Any:
        """Returns boto3's client of a service, which reads no profile and no environment."""
        nothing: Mapping[str, Any] = {
            "profile": (None, None, None, None),
            "config_file": (None, None, os.devnull, None),
            "credentials_file": (None, None, os.devnull, None),
        }
        session = boto3.session.Session(
            botocore_session=botocore.session.Session(session_vars=nothing)
        )
        return session.client(
            service,
            region_name=region,
            endpoint_url=self.url,
            aws_access_key_id=account,
            aws_secret_access_key="test",
            config=Config(proxies={}, retries={"mode": "standard", "max_attempts": 8}),
        )

    def turn(self, switches: Mapping[str, bool]) -> dict[str, bool]:
        """Turns switches on (refuse) and off (accept); returns all of them as they stand."""
        return self._ask("PUT", SWITCHES_PATH, json.dumps(switches).encode())

    def reset(self) -> None:
        """Forgets all that any account has."""
        self._ask("POST", "/_ministack/reset", b"")

    def _ask(self, method: str, path: str, body: bytes) -> dict[str, Any]:
        request = urllib.request.Request(self.url + path, body, method=method)
        with _OPENER.open(request, timeout=30) as response:
            answer: dict[str, Any] = json.load(response)
        return answer
