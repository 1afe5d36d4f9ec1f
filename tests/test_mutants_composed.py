"""A parameter with a default is also what a text that is put together of it is compared with."""

from __future__ import annotations

from typing import Any

import pytest

from tests.test_resolving import join, judged, sub, template

STAGE, PLACE, VERSION = {"Ref": "Stage"}, {"Ref": "Place"}, {"Ref": "Version"}
PARAMETERS = {
    name: {"Type": "String", "Default": default}
    for name, default in (("Stage", "dev"), ("Place", "eu"), ("Version", "1"), ("On", "no"))
}


def said_when(one: Any, other: Any) -> list[str]:
    """Returns what is said of a share that has no valid name when two texts are the same."""
    conditions = {"So": {"Fn::Equals": [one, other]}}
    changes = {"Product.QuotaShareName": {"Fn::If": ["So", "a b", "team"]}}
    found = judged(template(changes, Parameters=PARAMETERS, Conditions=conditions))
    return [one.message.partition("This is so when ")[2] for one in found if one.rule.id == "QS-02"]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (sub("${Stage}/us"), "prod/us"),
        (sub("x-${Stage}"), "x-prod"),
        (sub("${Stage}-${Place}"), "prod-us"),
        (sub("${S}-${P}", S=STAGE, P=PLACE), "prod-us"),
        (sub("${S}-${Place}", S=STAGE), "prod-us"),
        (sub("${S}-${Stage}", S="x"), "x-prod"),
        (sub("${S}-${Stage}", S=2), "2-prod"),
        (sub("${S}-${Stage}", S=True), "true-prod"),
        (join(STAGE, "/us"), "prod/us"),
        (join(STAGE, PLACE, by="-"), "prod-us"),
        (join("x", STAGE, PLACE, by="-"), "x-prod-us"),
        (join(1, STAGE, by="."), "1.prod"),
        (join(STAGE, STAGE, by="+"), "prod+prod"),
    ],
    ids=str,
)
def test_what_a_text_is_compared_with_is_looked_at(written: Any, text: str) -> None:
    for sides in ((written, text), (text, written)):
        assert said_when(*sides) == ["So is true."]
    assert said_when(written, "") == []


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (sub("${Stage}/us"), "prod/eu"),
        (sub("${Stage}-${Stage}"), "prod-dev"),
        (sub("x${!Stage}"), "xprod"),
        (join("x", STAGE, by="-"), "xprod"),
        (join("a", "b", by="-"), "prod"),
    ],
    ids=str,
)
def test_what_no_parameter_can_make_of_a_text_is_not_so(written: Any, text: str) -> None:
    assert said_when(written, text) == []
