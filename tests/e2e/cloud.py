"""An account on the endpoint, and its user at the command lines."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Final

from tests.aws.calls import Calls, wait_until
from tests.aws.endpoint import Endpoint
from tests.e2e.inventory import arn_of, delete_all, inventory
from tests.e2e.stacks import Stacks
from tests.scenarios import ACCOUNT, REGION

Json = dict[str, Any]
_PATIENCE: Final = 180


class Cloud:
    """One account and Region, as its user works in it.

    Args:
        endpoint: where it is.
        home: the user's home directory.
    """

    def __init__(self, endpoint: Endpoint, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.endpoint = endpoint
        self.home = home
        self.batch = Calls(endpoint, ACCOUNT, REGION)
        self.stacks = Stacks(endpoint, ACCOUNT, REGION)
        self.directory = home
        self._printed: list[str] = []
        self._log_before = 0
        self._assemblies = 0

    # -- A test's beginning and end ------------------------------------------------------

    def begin(self, directory: Path) -> None:
        """Begins a test, whose files are kept in a directory; accepts what is not confirmed."""
        self.directory = directory
        self._printed = []
        self._log_before = self.endpoint.log.stat().st_size
        self.stacks.begin()
        self.refuse_all(False)

    def clear(self) -> None:
        """Deletes all that a test has left, but the bootstrap."""
        self.refuse_all(False)
        self.stacks.delete_all()
        delete_all(self.batch)

    def what_happened(self) -> list[tuple[str, str]]:
        """Returns what a person needs who looks into a failure, each part with its title."""
        return [
            ("Output of the command lines", "\n".join(self._printed)),
            ("Events of the stacks", self.stacks.events()),
            ("Log of the endpoint", self.log_of_test()),
        ]

    def log_of_test(self) -> str:
        """Returns what the endpoint has logged since the test began."""
        return self.endpoint.log.read_bytes()[self._log_before :].decode(errors="replace")

    # -- What there is ---------------------------------------------------------------------

    def has(self) -> list[str]:
        """Returns the ARNs of all that the account has, the bootstrap's too."""
        return inventory(self.endpoint, ACCOUNT, REGION)

    def described(self) -> dict[str, Json]:
        """Returns how AWS Batch describes each resource that there is, by ARN."""
        return {arn_of(one): one for one in self.batch.all()}

    def queue_arn(self) -> str:
        """Returns the ARN of the one queue that there is."""
        (queue,) = self.batch.client.describe_job_queues()["jobQueues"]
        return str(queue["jobQueueArn"])

    def submit(self, share: str, **given: Any) -> str:
        """Submits a job that runs until it is ended; returns its id once it runs."""
        given = {"jobQueue": self.queue_arn(), "quotaShareName": share, **given}
        job = self.batch.submit(**given)
        wait_until(lambda: self.status_of(job) == "RUNNING")
        return job

    def status_of(self, job: str) -> str:
        return str(self.batch.job(job)["status"])

    # -- What AWS has not confirmed --------------------------------------------------------

    def refuse_all(self, refused: bool) -> None:
        self.endpoint.turn(dict.fromkeys(self.endpoint.turn({}), refused))

    def refuse(self, fact: str, refused: bool) -> None:
        self.endpoint.turn({fact: refused})

    # -- The user at the command lines -----------------------------------------------------

    def run(
        self,
        *command: str,
        fails: bool = False,
        cwd: Path | None = None,
        account: str = ACCOUNT,
        region: str = REGION,
    ) -> str:
        """Runs a command; returns all that it printed, and fails unless it ends as it should."""
        done = subprocess.run(
            command,
            cwd=cwd or self.directory,
            env=self.endpoint.environment(account, region, self.home),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
        said = done.stdout + done.stderr
        self._printed.append(f"$ {' '.join(command)}\n{said}-> {done.returncode}\n")
        assert (done.returncode != 0) == fails, f"{' '.join(command)} -> {done.returncode}\n{said}"
        return said

    def cdk(self, *arguments: str, **options: Any) -> str:
        """Runs CDK's command line."""
        return self.run("cdk", *arguments, "--no-notices", **options)

    def aws(self, *arguments: str) -> Any:
        """Runs the AWS command line; returns what it answers."""
        return json.loads(self.run("aws", *arguments, "--output=json"))

    def bootstrap(self, account: str = ACCOUNT, region: str = REGION, *arguments: str) -> None:
        self.cdk(
            "bootstrap", f"aws://{account}/{region}", *arguments, account=account, region=region
        )

    def outdir(self) -> Path:
        """Returns a new directory for an app's templates."""
        self._assemblies += 1
        return self.directory / f"cdk.out-{self._assemblies}"

    def deploy(self, assembly: Path, *arguments: str, **options: Any) -> str:
        """Deploys what an app has synthesized."""
        arguments = arguments or ("--all",)
        return self.cdk(
            "deploy", *arguments, f"--app={assembly}", "--require-approval=never", **options
        )

    def destroy(self, assembly: Path, *arguments: str, **options: Any) -> str:
        arguments = arguments or ("--all",)
        return self.cdk("destroy", *arguments, f"--app={assembly}", "--force", **options)
