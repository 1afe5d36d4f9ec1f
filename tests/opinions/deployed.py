"""Stacks on the AWS endpoint: several at once, each in a place where nothing else is."""

from __future__ import annotations

import copy
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tests.aws.endpoint import Endpoint

Json = dict[str, Any]


class Place(NamedTuple):
    """An account and a Region."""

    account: str
    region: str


class Refusal(NamedTuple):
    """Why something was not made.

    Args:
        resource: Its logical id; empty where CloudFormation refuses the template.
        text: What AWS says.
    """

    resource: str
    text: str


@dataclass(frozen=True)
class Deployment:
    """A template, and where it is deployed to."""

    name: str
    template: Json
    place: Place


class Deployer:
    """Deploys templates.

    Args:
        endpoint: The endpoint.
        places: Where to; one stack at a time in each.
    """

    def __init__(self, endpoint: Endpoint, places: Sequence[Place]) -> None:
        self._endpoint = endpoint
        self._clients = {place: endpoint.boto3("cloudformation", *place) for place in places}
        self._number = 0

    def refusals(
        self, deployments: Mapping[str, Deployment], refused: frozenset[str] = frozenset()
    ) -> dict[str, list[Refusal]]:
        """Returns what AWS says against each of some templates; nothing where it makes the stack.

        Args:
            deployments: The templates, by name.
            refused: What AWS has not said that it takes, and here refuses.
        """
        switches = self._endpoint.turn({})
        self._endpoint.turn({fact: fact in refused for fact in switches})
        self._number += 1

        def deploy_to(place: Place) -> dict[str, list[Refusal]]:
            return {
                name: self._deployed(deployment, f"stack-{self._number}-{number}")
                for number, (name, deployment) in enumerate(deployments.items())
                if deployment.place == place
            }

        with ThreadPoolExecutor(len(self._clients)) as pool:
            found = {
                name: said
                for some in pool.map(deploy_to, self._clients)
                for name, said in some.items()
            }
        return {name: found[name] for name in deployments}

    def _deployed(self, deployment: Deployment, name: str) -> list[Refusal]:
        client, body = self._clients[deployment.place], json.dumps(deployment.template)
        try:
            id = client.create_stack(StackName=name, TemplateBody=body)["StackId"]
        except client.exceptions.ClientError as error:
            return [Refusal("", error.response["Error"]["Message"])]

        def status() -> str:
            (stack,) = client.describe_stacks(StackName=id)["Stacks"]
            return str(stack["StackStatus"])

        created = _settled(status) == "CREATE_COMPLETE"
        events = [] if created else client.describe_stack_events(StackName=id)["StackEvents"]
        client.delete_stack(StackName=id)
        assert _settled(status) == "DELETE_COMPLETE"
        refusals = [
            Refusal(event["LogicalResourceId"], event["ResourceStatusReason"])
            for event in events
            if event["ResourceStatus"] == "CREATE_FAILED"
        ]
        assert created or refusals
        return refusals


def _settled(status: Callable[[], str]) -> str:
    for _ in range(600):
        time.sleep(0.06)
        found = status()
        if not found.endswith("IN_PROGRESS"):
            return found
    raise TimeoutError(found)


def in_reverse(template: Json) -> Json:
    """Returns a template whose logical ids have the opposite order.

    The endpoint makes resources one after the other, by logical id where none waits for another;
    CloudFormation makes those at once.
    """
    ids = sorted(template["Resources"], reverse=True)
    new = {id: f"R{number:03}{re.sub(r'[^a-zA-Z0-9]', '', id)}" for number, id in enumerate(ids)}
    changed: Json = _renamed(copy.deepcopy(template), new)
    changed["Resources"] = {new[id]: body for id, body in changed["Resources"].items()}
    return changed


_IN_TEXT = re.compile(r"\$\{([a-zA-Z0-9]+)(?=[.}])")


def _renamed(node: Any, new: Mapping[str, str]) -> Any:
    if isinstance(node, list):
        return [_renamed(part, new) for part in node]
    if not isinstance(node, dict):
        return node
    changed = {key: _renamed(part, new) for key, part in node.items()}
    for key in ("Ref", "DependsOn", "Fn::GetAtt", "Fn::Sub"):
        if key in changed:
            changed[key] = _named(key, changed[key], new)
    return changed


def _named(key: str, value: Any, new: Mapping[str, str]) -> Any:
    if isinstance(value, list) and value:
        if key == "DependsOn":
            return [_named(key, part, new) for part in value]
        return [_named(key, value[0], new), *value[1:]]
    if not isinstance(value, str):
        return value
    if key == "Fn::Sub":
        return _IN_TEXT.sub(lambda found: f"${{{new.get(found[1], found[1])}", value)
    id, dot, attribute = value.partition(".")
    return f"{new.get(id, id)}{dot}{attribute}"
