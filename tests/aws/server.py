"""AWS Batch over HTTP, in the form in which ministack takes a service."""

from __future__ import annotations

import json
import logging
from typing import Any
from urllib.parse import unquote

from ministack.core.responses import error_response_json, get_account_id, get_region
from ministack.services import batch as container_batch

from . import state
from .errors import ClientError
from .service import OPERATIONS, perform
from .shapes import operations_by_path

_log = logging.getLogger("quota-management")
Response = tuple[int, dict[str, str], bytes]
_TAGS = "/v1/tags/"
_TAG_CALLS = {"GET": "ListTagsForResource", "POST": "TagResource", "DELETE": "UntagResource"}


def reset() -> None:
    """Forgets all; ministack calls it when it is reset itself."""
    state.forget_all()
    container_batch.reset()


async def handle_request(
    method: str, path: str, headers: dict[str, str], body: bytes, query: dict[str, list[str]]
) -> Response:
    """Answers a call; what is about containers only is left to ministack's own AWS Batch."""
    if path.startswith(_TAGS):
        operation: str | None = _TAG_CALLS.get(method)
    else:
        operation = operations_by_path().get(path.rstrip("/")) if method == "POST" else None
    if operation not in OPERATIONS:
        answer: Response = await container_batch.handle_request(method, path, headers, body, query)
        return answer
    given: Any = None
    try:
        given = json.loads(body) if body else {}
        if not isinstance(given, dict):
            raise ClientError("The request body must be a JSON object.")
        if path.startswith(_TAGS):
            given["resourceArn"] = unquote(path.removeprefix(_TAGS))
            if method == "DELETE":
                given["tagKeys"] = query.get("tagKeys", [])
        return 200, _JSON.copy(), json.dumps(perform(operation, given)).encode()
    except ClientError as error:
        place = f"{get_account_id()} {get_region()}"
        _log.info("%s refused in %s: %s; given %s", operation, place, error, given)
        return _refusal(error.code, str(error), error.status)
    except json.JSONDecodeError as error:
        return _refusal("ClientException", f"The request body is no JSON: {error}", 400)


_JSON = {"Content-Type": "application/json"}


def _refusal(code: str, message: str, status: int) -> Response:
    answer: Response = error_response_json(code, message, status, content_type="application/json")
    return answer
