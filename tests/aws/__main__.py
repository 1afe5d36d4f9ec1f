"""Start the endpoint: ``python -m tests.aws --port 4566``."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

from .switches import SWITCHES

HOST = "127.0.0.1"
READY = "AWS endpoint ready on "
_GRACE = 10.0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.aws", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="the default is any free port")
    parser.add_argument(
        "--refuse",
        action="append",
        default=[],
        metavar="FACT",
        choices=[*SWITCHES, "all"],
        help="refuse what AWS has not said it takes: a fact's id, or 'all'; can be repeated",
    )
    parser.add_argument(
        "--status-seconds", type=float, default=0.05, help="how long a status moves"
    )
    parser.add_argument(
        "--job-seconds", type=float, help="how long a job runs; left out, until it is ended"
    )
    parser.add_argument(
        "--time-limit-scale",
        type=float,
        default=1.0,
        help="what a second of a job state time limit takes",
    )
    parser.add_argument(
        "--submissions-per-second", type=int, default=5, help="how many jobs an account may submit"
    )
    parser.add_argument(
        "--until-stdin-closes",
        action="store_true",
        help="end when standard input does, and so with whoever started it",
    )
    return parser.parse_args()


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((HOST, port))
    listening.listen(128)
    return listening


def _settle_ministack(port: int) -> None:
    """Says to ministack, before it is imported, where it is and what not to open."""
    os.environ.update(
        GATEWAY_PORT=str(port),
        BIND_HOST=HOST,
        MINISTACK_HOST="localhost",
        SFTP_ENABLED="0",
        IOT_MTLS_ENABLED="0",
        PERSIST_STATE="0",
        S3_PERSIST="0",
        # No daemon there: ministack starts no containers.
        DOCKER_HOST="unix:///nonexistent/docker.sock",
    )
    for name in ("LOCALSTACK_PERSISTENCE", "SERVICES", "USE_SSL"):
        os.environ.pop(name, None)


async def _serve(listening: socket.socket, until_stdin_closes: bool) -> None:
    from hypercorn.asyncio import serve
    from hypercorn.config import Config
    from ministack.app import app as ministack

    from .admin import with_admin

    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    if until_stdin_closes:

        def watch() -> None:
            while os.read(sys.stdin.fileno(), 1):  # a lock of sys.stdin would outlive this thread
                pass
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(ended.set)
            time.sleep(_GRACE)
            os._exit(1)  # the loop is stuck, and nobody is left to end it

        threading.Thread(target=watch, daemon=True).start()

    def announce() -> None:
        print(f"{READY}http://{HOST}:{listening.getsockname()[1]}", flush=True)

    config = Config()
    config.bind = [f"fd://{listening.fileno()}"]
    config.graceful_timeout = 1
    config.keep_alive_timeout = 75
    config.accesslog = "-" if os.environ.get("LOG_LEVEL") == "DEBUG" else None
    app: Any = with_admin(ministack, announce)
    await serve(app, config, shutdown_trigger=_trigger(ended))


def _trigger(ended: asyncio.Event) -> Callable[[], Awaitable[Any]]:
    async def wait() -> None:
        await ended.wait()

    return wait


def main() -> int:
    arguments = _arguments()
    try:
        listening = _listen(arguments.port)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        print(
            f"error: cannot listen on {HOST}:{arguments.port}: {reason}; "
            "give another --port, or none for a free one",
            file=sys.stderr,
        )
        return 1
    _settle_ministack(listening.getsockname()[1])
    from . import hooks, lifecycle, rate, running, switches

    hooks.install()
    refused = SWITCHES if "all" in arguments.refuse else arguments.refuse
    switches.turn(dict.fromkeys(refused, True))
    lifecycle.Life.SECONDS = arguments.status_seconds
    running.PACE.job_seconds = arguments.job_seconds
    running.PACE.time_limit_scale = arguments.time_limit_scale
    rate.RATE.submissions_per_second = arguments.submissions_per_second
    asyncio.run(_serve(listening, arguments.until_stdin_closes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
