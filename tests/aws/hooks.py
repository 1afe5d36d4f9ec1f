"""Where our AWS Batch is put into ministack: its registries, and two functions that are wrapped."""

from __future__ import annotations

from typing import Any

from ministack import app
from ministack.services.cloudformation import provisioners, stacks

from . import server
from .cloudformation import HANDLERS
from .resource_schemas import JOB_QUEUE, SERVICE_ENVIRONMENT, create_only

# A replacement under a custom name that stays is refused. A share's name is its own under each
# queue, so that of a replaced queue's share may stay.
_CUSTOM_NAMES = {JOB_QUEUE: "JobQueueName", SERVICE_ENVIRONMENT: "ServiceEnvironmentName"}


def install() -> None:
    """Adds AWS Batch quota management to ministack, before it serves."""
    app._loaded_modules["batch"] = server
    for handler in HANDLERS:
        provisioners._RESOURCE_HANDLERS[handler.type] = handler.registered()
        provisioners._REPLACING_PROPERTIES[handler.type] = create_only(handler.type)
        provisioners._STACK_TAG_PROPERTY[handler.type] = ("Tags", "map")
    for type, name in _CUSTOM_NAMES.items():
        provisioners._CUSTOM_NAME_REPLACEMENT[type] = {"name": name}

    ours = {handler.type for handler in HANDLERS}
    runs_on_worker_thread = stacks._runs_on_worker_thread

    # Our handlers wait for a status, so that they must not hold up the server.
    def runs_on_worker_thread_too(type: str) -> bool:
        return type in ours or bool(runs_on_worker_thread(type))

    stacks._runs_on_worker_thread = runs_on_worker_thread_too
    with_stack_tags = stacks._with_stack_tags

    # ministack makes a map of whatever tags it finds; faulty ones are to reach our handlers.
    def with_stack_tags_where_it_can(type: str, properties: Any, *others: Any) -> Any:
        if type in ours and not _are_tags(properties.get("Tags", {})):
            return properties
        return with_stack_tags(type, properties, *others)

    stacks._with_stack_tags = with_stack_tags_where_it_can


def _are_tags(given: Any) -> bool:
    return isinstance(given, dict) and not any(
        value is None or isinstance(value, dict | list) for value in given.values()
    )
