"""A logical id that stands for another type of resource, or for none that can be made."""

from __future__ import annotations

from typing import Any

import pytest

from tests.test_diff import CANNOT, SAFE, base, changed, changes, flat, only

SHARE = "AWS::Batch::QuotaShare"
WITHOUT_TYPE = {"Properties": base()["Resources"]["Reserver"]["Properties"]}


@pytest.mark.parametrize("before", ["AWS::S3::Bucket", "AWS::Batch::JobDefinition"])
def test_a_share_in_the_place_of_another_type(before: str) -> None:
    found = only(changes(changed(("Reserver", {"Type": before})), base()))
    assert flat(found) == (CANNOT, "Reserver", "reserver", None, before, SHARE)
    assert f"takes the place of a resource of the type {before}" in found.hit.message
    assert "does not permit the update" in found.hit.message


@pytest.mark.parametrize("body", ["hello", 7, [], {}, WITHOUT_TYPE, {"Type": 7}])
def test_a_share_that_loses_its_type_is_not_removed(body: Any) -> None:
    found = only(changes(base(), changed(("Reserver", body))))
    assert flat(found) == (CANNOT, "Reserver", "reserver", None, SHARE, None)
    assert "has no Type any more" in found.hit.message
    assert found.hit.advice == f"Write Type: {SHARE}."
    assert "None" not in found.hit.message


def test_what_could_not_be_made_before_is_new() -> None:
    found = only(changes(changed(("Reserver", WITHOUT_TYPE)), base()))
    assert flat(found) == (SAFE, "Reserver", "reserver", None, None, None)
