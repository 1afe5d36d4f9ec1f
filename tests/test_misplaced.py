"""Properties that stand in another map of a resource than the one that has them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from qm_constructs.plan import Path
from qm_constructs.rules import SOUND
from tests.test_resolving import judged, template

Body = dict[str, Any]

NAMED = ("JobQueue", "SchedulingPolicyArn", "ServiceEnvironment")


def maps(node: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(node, dict):
        yield path
    parts = node.items() if isinstance(node, dict) else enumerate(node)
    for step, part in parts if isinstance(node, dict | list) else ():
        if step not in NAMED and isinstance(part, dict | list):
            yield from maps(part, (*path, step))


def at(node: Any, path: Path) -> Any:
    for step in path:
        node = node[step]
    return node


def moves() -> Iterator[tuple[str, Path, str, Path]]:
    """Yields each property of the sound template with each other map that could have it."""
    for id, body in SOUND["Resources"].items():
        properties = body["Properties"]
        for owner in maps(properties):
            for key in at(properties, owner):
                for other in maps(properties):
                    is_inside = other[: len(owner) + 1] == (*owner, key)
                    if other != owner and not is_inside and key not in at(properties, other):
                        yield id, owner, key, other


@pytest.mark.parametrize(("id", "owner", "key", "other"), [*moves()], ids=str)
def test_a_property_in_another_map_is_told_once_with_where_it_belongs(
    id: str, owner: Path, key: str, other: Path
) -> None:
    whole = copy.deepcopy(SOUND)
    properties = whole["Resources"][id]["Properties"]
    at(properties, other)[key] = at(properties, owner).pop(key)
    (one,) = judged(whole)
    assert (one.rule.id, one.resource, one.path) == ("CF-01", id, ("Properties", *other, key))
    where = f"within {owner[0]}" if owner else "directly within Properties"
    entry = where.replace("within ", "within an entry of ") if len(owner) > 1 else where
    assert one.fix == f"Write {key} {entry}."


def test_a_property_in_another_map_may_be_spelt_otherwise() -> None:
    changes = {"Product.borrow_limit": 50, "Product.max-capacity": 3}
    fixes = {one.path[-1]: one.fix for one in judged(template(changes))}
    assert fixes == {
        "borrow_limit": "Write BorrowLimit within ResourceSharingConfiguration.",
        "max-capacity": "Write MaxCapacity within an entry of CapacityLimits.",
    }


def test_what_is_where_it_belongs_already_is_left_out_elsewhere() -> None:
    (one,) = judged(template({"Research.BorrowLimit": 50}))
    assert one.fix == "Leave it out."


@pytest.mark.parametrize("key", ["DependsOn", "DeletionPolicy", "Condition", "Metadata"])
@pytest.mark.parametrize("owner", ["Product", "Product.PreemptionConfiguration"])
def test_an_attribute_of_a_resource_stands_beside_its_properties(owner: str, key: str) -> None:
    (one,) = judged(template({f"{owner}.{key}": "Queue"}))
    assert (one.rule.id, one.fix) == ("CF-01", f"Write {key} beside Properties.")


def test_a_property_of_a_map_may_stand_beside_the_properties() -> None:
    whole = copy.deepcopy(SOUND)
    whole["Resources"]["Product"]["BorrowLimit"] = 50
    (one,) = judged(whole)
    assert one.fix == "Write BorrowLimit within ResourceSharingConfiguration."


def test_a_property_of_two_maps_belongs_in_neither() -> None:
    (one,) = judged(template({"Queue.ServiceEnvironmentOrder.0.State": "ENABLED"}))
    assert one.fix == "Leave it out."
