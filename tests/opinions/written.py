"""The templates that somebody wrote: of the rules, of the cases, and of the folder of templates."""

from __future__ import annotations

import copy
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qm_constructs.plan import JOB_QUEUE, QUOTA_SHARE, SCHEDULING_POLICY, SERVICE_ENVIRONMENT
from qm_constructs.rules import RULES
from qm_constructs.template.source import parse

Json = dict[str, Any]
HERE = Path(__file__).parents[1]
# What the CDK puts into each template for its own command line.
_BOOTSTRAP = {"Parameters": "BootstrapVersion", "Rules": "CheckBootstrapVersion"}
_SAM = "AWS::Serverless-2016-10-31"
_OURS = (SCHEDULING_POLICY, SERVICE_ENVIRONMENT, JOB_QUEUE, QUOTA_SHARE)
_MOST_SETTINGS = 8


@dataclass(frozen=True)
class Case:
    """A template with all that it needs.

    Args:
        name: Where it is from, and which values its parameters have.
        template: The template.
    """

    name: str
    template: Json


def of_rules() -> Iterator[Case]:
    """Yields the faulty and the correct template of each rule."""
    for id, rule in RULES.items():
        yield Case(f"{id} faulty", rule.faulty)
        yield Case(f"{id} correct", rule.correct)


def of_files() -> Iterator[Case]:
    """Yields the whole templates of the folders, once for each way to set their parameters."""
    paths = [*(HERE / "cases").glob("*.template.json")]
    for folder in ("faulty", "correct", "human"):
        paths += (HERE / "templates" / folder).iterdir()
    for path in sorted(paths):
        template = _only_ours(parse(path.read_bytes(), path.name).template)
        if _is_whole(template):
            yield from _settled(f"{path.parent.name}/{path.name}", template)


def _only_ours(template: Any) -> Json:
    """Returns a template without the resources of other services, but those that ours name."""
    changed: Json = copy.deepcopy(template)
    for section, name in _BOOTSTRAP.items():
        if changed.get(section, {}).pop(name, None) is not None and not changed[section]:
            del changed[section]
    resources = changed["Resources"]
    others = [id for id, body in resources.items() if not _is_ours(body)]
    cut = {id: resources.pop(id) for id in others}
    text = json.dumps(resources)
    resources |= {id: body for id, body in cut.items() if re.search(rf"\b{id}\b", text)}
    if cut:
        changed.pop("Outputs", None)
    if changed.get("Transform") == _SAM:
        del changed["Transform"]
    return changed


def _is_ours(body: Any) -> bool:
    return isinstance(body, dict) and body.get("Type") in _OURS


def _is_whole(template: Json) -> bool:
    text = json.dumps(template)
    return (
        "Transform" not in text
        and "Fn::ImportValue" not in text
        and "{{resolve:" not in text
        and "AWS::SSM::Parameter::Value" not in text
        and all(map(_is_ours, template["Resources"].values()))
    )


def _settled(name: str, template: Json) -> Iterator[Case]:
    parameters = template.get("Parameters", {})
    values = {id: _values(id, parameters[id], template) for id in parameters}
    if not all(values.values()):
        return
    for setting in _settings(values):
        changed = copy.deepcopy(template)
        for id, value in setting.items():
            changed["Parameters"][id] |= {"Default": value, "AllowedValues": [value]}
        said = ", ".join(f"{id}={value}" for id, value in setting.items())
        yield Case(f"{name} {said}".strip(), changed)


def _values(id: str, parameter: Json, template: Json) -> list[Any]:
    """Returns what a parameter may be, the usual value first; nothing where nobody says."""
    usual = [parameter["Default"]] if "Default" in parameter else []
    allowed = parameter.get("AllowedValues")
    if allowed is None:
        compared = [*_compared(id, template.get("Conditions", {}))]
        # Something that it is not compared with leads the other way.
        allowed = [*compared, *["otherwise"][: len(compared)]]
    return list(dict.fromkeys([*usual, *allowed]))


def _compared(id: str, node: Any) -> Iterator[Any]:
    parts = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for part in parts:
        yield from _compared(id, part)
    sides = node.get("Fn::Equals", ()) if isinstance(node, dict) else ()
    if {"Ref": id} in sides:
        yield from (side for side in sides if not isinstance(side, dict))


def _settings(values: dict[str, list[Any]]) -> list[Json]:
    """Returns every way to set parameters, or each change of the usual way if they are many."""
    every = itertools.product(*values.values())
    found = [dict(zip(values, one, strict=True)) for one in itertools.islice(every, 100)]
    if len(found) <= _MOST_SETTINGS:
        return found
    usual = {id: some[0] for id, some in values.items()}
    changes = ((id, other) for id, some in values.items() for other in some[1:])
    return [usual, *({**usual, id: other} for id, other in changes)][: 2 * _MOST_SETTINGS]


_ARN = re.compile(r"arn:aws:batch:([a-z]{2}-[a-z]+-\d):(\d{12}):")
_REGION = re.compile(r'"([a-z]{2}-[a-z]+-\d)"')


def place_of(template: Json) -> tuple[str | None, str | None]:
    """Returns the account and the Region that a template is written for, as far as it says so."""
    text = json.dumps(template)
    arn, region = _ARN.search(text), _REGION.search(text)
    if arn is not None:
        return arn[2], arn[1]
    return None, region and region[1]
