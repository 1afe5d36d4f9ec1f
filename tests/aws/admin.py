"""The paths of the endpoint that AWS does not have, and its word that it is ready."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

from . import switches

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

# GET answers every switch, PUT turns those that it names: {"DE-06": true}.
SWITCHES_PATH: Final = "/_endpoint/switches"


def with_admin(app: App, announce: Callable[[], None]) -> App:
    """Returns an ASGI application with those paths, which announces when it is ready."""

    async def wrapped(scope: Message, receive: Receive, send: Send) -> None:
        async def send_and_announce(message: Message) -> None:
            await send(message)
            if message["type"] == "lifespan.startup.complete":
                announce()

        if scope["type"] == "lifespan":
            await app(scope, receive, send_and_announce)
        elif scope["type"] == "http" and scope["path"] == SWITCHES_PATH:
            status, answer = _turn(scope["method"], await _body(receive))
            headers = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": json.dumps(answer).encode()})
        else:
            await app(scope, receive, send)

    return wrapped


def _turn(method: str, body: bytes) -> tuple[int, Message]:
    if method == "PUT":
        try:
            switches.turn(json.loads(body))
        except (ValueError, AttributeError) as error:
            return 400, {"message": str(error)}
    return 200, switches.current()


async def _body(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body
