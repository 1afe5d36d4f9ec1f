"""Whether an answer has the shape that botocore's model gives it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from botocore.model import OperationModel, Shape

from .service import OPERATIONS

_TYPES: dict[str, type | tuple[type, ...]] = {
    "structure": dict,
    "map": dict,
    "list": list,
    "string": str,
    "integer": int,
    "long": int,
    "double": float,
    "float": float,
    "boolean": bool,
}


def faults(shape: Shape, value: Any, path: str = "") -> Iterator[str]:
    """Yields what is wrong with a value: unknown or missing members, types, enums."""
    kind: str = shape.type_name
    is_such: bool = isinstance(value, _TYPES[kind])
    if not is_such or (isinstance(value, bool) and kind != "boolean"):
        yield f"{path}: {value!r} is no {kind}"
    elif kind == "structure":
        yield from (f"{path}: {name} is unknown" for name in value.keys() - shape.members.keys())
        yield from (
            f"{path}: {name} is missing" for name in set(shape.required_members) - value.keys()
        )
        for name in value.keys() & shape.members.keys():
            yield from faults(shape.members[name], value[name], f"{path}.{name}")
    elif kind == "list":
        for number, item in enumerate(value):
            yield from faults(shape.member, item, f"{path}[{number}]")
    elif kind == "map":
        for key, item in value.items():
            yield from faults(shape.key, key, f"{path} key")
            yield from faults(shape.value, item, f"{path}[{key}]")
    elif kind == "string" and shape.enum and value not in shape.enum:
        yield f"{path}: {value!r} is not in the enum"


class Watch:
    """Judges every answer that a client gets, before it is parsed."""

    def __init__(self, client: Any) -> None:
        self.seen: set[str] = set()
        client.meta.events.register("before-parse.batch", self._judge)

    def _judge(
        self, operation_model: OperationModel, response_dict: dict[str, Any], **_: object
    ) -> None:
        # ministack's own calls, those about containers, are no matter of ours.
        if response_dict["status_code"] >= 300 or operation_model.name not in OPERATIONS:
            return
        answer, shape = json.loads(response_dict["body"]), operation_model.output_shape
        self.seen.add(operation_model.name)
        found = list(faults(shape, answer)) if shape else [*answer]
        assert not found, f"{operation_model.name}: {found}"
