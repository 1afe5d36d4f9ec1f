"""Deploy the sample to an AWS endpoint on this machine, show it, and take it down again."""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tests.aws.endpoint import Endpoint

ROOT: Final = Path(__file__).parent.parent
ACCOUNT: Final = "111122223333"
REGION: Final = "us-east-1"
QUEUES: Final = "jobQueues[].{name: jobQueueName, state: state, status: status, why: statusReason}"
SHARES: Final = (
    "quotaShares[].{share: quotaShareName, state: state, status: status, "
    "sharing: resourceSharingConfiguration.strategy, "
    "limits: join(', ', capacityLimits[].join(' x ', [to_string(maxCapacity), capacityUnit]))}"
)

INTERRUPTS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LEASH: Final = ROOT / "scripts" / "leash.py"


class CommandError(Exception):
    """A command that failed, whose output has been shown."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="deploy_local", description=__doc__)
    parser.add_argument(
        "--port", type=int, default=0, help="the endpoint's port; by default any free one"
    )
    arguments = parser.parse_args()
    for number in INTERRUPTS:
        signal.signal(number, _interrupt)
    begun = time.monotonic()
    # Each run has files of its own, so that one that was cut off stands in no other's way.
    directory = Path(tempfile.mkdtemp(prefix="deploy-local-"))
    try:
        # Loaded only here: that takes a second, in which Ctrl-C may come.
        from tests.aws.endpoint import Endpoint  # noqa: PLC0415

        _check_tools()
        with Endpoint(directory, arguments=[f"--port={arguments.port}"]) as endpoint:
            print(f"An AWS endpoint runs on {endpoint.url}, and is account {ACCOUNT}.")
            _life(_User(endpoint, directory))
    except KeyboardInterrupt:
        return _ended("interrupted: all that was started has been ended, and nothing is left", 130)
    except CommandError as error:
        return _ended(f"error: {error}", 1)
    except RuntimeError as error:
        # The endpoint's last line says why it did not start.
        reason = str(error).strip().rpartition("\n")[2].removeprefix("error: ")
        return _ended(f"error: the endpoint did not start: {reason}", 1)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    print(f"\nDone in {time.monotonic() - begun:.0f} s. The endpoint has ended.")
    return 0


def _interrupt(_number: int, _frame: object) -> None:
    for number in INTERRUPTS:
        signal.signal(number, signal.SIG_IGN)  # ending takes a moment, and is not cut off
    raise KeyboardInterrupt


def _check_tools() -> None:
    tools = {
        "the CDK command line": ROOT / "node_modules" / ".bin" / "cdk",
        "Node.js": Path(sys.executable).parent / "node",
    }
    for name, path in tools.items():
        if not path.exists():
            raise CommandError(
                f"{name} is not there ({path}); run `make clean`, then `make deploy-local`, "
                "which sets it up"
            )


def _ended(line: str, status: int) -> int:
    print(line, file=sys.stderr)
    return status


class _User:
    """Somebody at a terminal, with an environment and a home directory of their own."""

    def __init__(self, endpoint: Endpoint, home: Path) -> None:
        self._environment = endpoint.environment(ACCOUNT, REGION, home)
        self._output = f"--output={home / 'cdk.out'}"

    def cdk(self, *arguments: str, quiet: bool = False) -> None:
        print(f"\n$ cdk {' '.join(arguments)}", flush=True)
        self._run(["cdk", *arguments, self._output, "--no-notices"], quiet)

    def aws(self, *arguments: str, query: str) -> None:
        print(f"\n$ aws {' '.join(arguments)} --query ...", flush=True)
        self._run(["aws", *arguments, f"--query={query}", "--output=table"], quiet=False)

    def read(self, *arguments: str) -> str:
        return self._run(["aws", *arguments, "--output=text"], quiet=True).strip()

    def _run(self, command: list[str], quiet: bool) -> str:
        """Runs a command to its end; shows what it prints, a quiet one's only where it fails."""
        with subprocess.Popen(
            [sys.executable, "-I", LEASH, *command],
            cwd=ROOT,
            env=self._environment,
            stdin=subprocess.PIPE,  # the leash, closed when this process ends
            stdout=subprocess.PIPE if quiet else None,
            stderr=subprocess.STDOUT if quiet else None,
            text=True,
            start_new_session=True,
        ) as process:
            said = process.stdout.read() if process.stdout else ""
            process.wait()
        if process.returncode != 0:
            print(said, file=sys.stderr)
            raise CommandError(f"`{' '.join(command[:2])}` ended with {process.returncode}")
        return said


def _life(user: _User) -> None:
    user.cdk("bootstrap", f"aws://{ACCOUNT}/{REGION}", quiet=True)
    user.cdk("deploy", "--require-approval=never")
    user.aws("batch", "describe-job-queues", query=QUEUES)
    queue = user.read("batch", "describe-job-queues", "--query=jobQueues[0].jobQueueArn")
    user.aws("batch", "list-quota-shares", f"--job-queue={queue}", query=SHARES)
    user.cdk("destroy", "--force", quiet=True)
    left = user.read("batch", "describe-job-queues", "--query=length(jobQueues)")
    if left != "0":
        raise CommandError(f"{left} job queues are left")
    print("\nNothing is left of it.")


if __name__ == "__main__":
    sys.exit(main())
