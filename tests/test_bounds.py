"""Parameters without a default, of which the template tells how much or how little they may be."""

from __future__ import annotations

from typing import Any

import pytest

from tests.test_resolving import judged, rules_of, template

BOTH = ["XR-02", "XR-03"]
UNIT = "CapacityLimits.0.MaxCapacity"


def found(changes: dict[str, Any], **parameter: Any) -> list[str]:
    given = {"N": {"Type": "Number", **parameter}, "M": {"Type": "Number", "MinValue": 9}}
    return [rule for rule, _ in rules_of(judged(template(changes, Parameters=given)))]


@pytest.mark.parametrize(
    ("parameter", "rules"),
    [
        ({"MaxValue": 9}, BOTH),
        ({"MaxValue": "9.5"}, BOTH),
        ({"MaxValue": 9, "MinValue": 1}, BOTH),
        ({"MaxValue": 9, "Default": 40}, BOTH),  # its bound forbids the default
        ({"MaxValue": 15}, ["XR-02"]),
        ({"MaxValue": 16}, []),
        ({"MinValue": 1}, []),
        ({"MaxValue": "nine"}, []),
        ({"MaxValue": "inf"}, []),
        ({"MaxValue": 9, "Type": "String"}, []),
        ({"MaxValue": 20, "Default": 16}, []),
        # No environment has so few, which is said of that alone.
        ({"MaxValue": 0}, ["SE-08"]),
        ({"MaxValue": -1}, ["SE-08"]),
    ],
)
def test_an_environment_has_no_more_than_its_parameter_allows(
    parameter: dict[str, Any], rules: list[str]
) -> None:
    assert found({f"Environment.{UNIT}": {"Ref": "N"}}, **parameter) == rules


def test_what_the_parameter_allows_is_said() -> None:
    changes = {f"Environment.{UNIT}": {"Ref": "N"}}
    given = {"N": {"Type": "Number", "MaxValue": 9}}
    together, share = judged(template(changes, Parameters=given))
    assert "16 ml.p5.48xlarge together, the service environment has 9 or less:" in together.message
    assert together.fix == (
        "Lower the shares' limits by 7 or more together, or raise the environment's."
    )
    assert "holds 10 ml.p5.48xlarge, the whole service environment 9 or less:" in share.message
    assert share.fix == "Lower it to 9, or raise the environment's limit."
    assert "This is so" not in together.message + share.message


def test_what_a_share_has_at_least_is_said_in_the_sum() -> None:
    given = {"N": {"Type": "Number", "MinValue": 8}}
    (one,) = judged(template({f"Product.{UNIT}": {"Ref": "N"}}, Parameters=given))
    assert one.message.startswith("The quota shares hold 18 or more ml.p5.48xlarge together,")
    assert one.fix.startswith("Lower the shares' limits by 2 or more together,")


def test_both_may_be_told_by_parameters() -> None:
    both = {f"Environment.{UNIT}": {"Ref": "N"}, f"Product.{UNIT}": {"Ref": "M"}}
    assert found({**both, f"Research.{UNIT}": 2}, MaxValue=11) == []
    assert found({**both, f"Research.{UNIT}": 3}, MaxValue=11) == ["XR-02"]
    assert found({**both, f"Research.{UNIT}": 2}, MaxValue=8) == BOTH


@pytest.mark.parametrize(
    ("place", "parameter", "rules"),
    [
        ("Queue.Priority", {"MinValue": 1001}, ["JQ-01"]),
        ("Queue.Priority", {"MinValue": 1000}, []),
        ("Queue.Priority", {"MaxValue": -1}, ["JQ-01"]),
        ("Queue.Priority", {"MaxValue": 0}, []),
        ("Queue.Priority", {"MinValue": 1001, "Default": 1}, ["JQ-01"]),
        (f"Product.{UNIT}", {"MaxValue": 0}, ["QS-05"]),
        (f"Product.{UNIT}", {"MaxValue": 1}, []),
        ("Research.ResourceSharingConfiguration.BorrowLimit", {"MaxValue": -2}, ["QS-09"]),
        ("Research.ResourceSharingConfiguration.BorrowLimit", {"MaxValue": -1}, []),
        ("Queue.Priority", {"MinValue": 1001, "Type": "String"}, []),
    ],
)
def test_a_parameter_may_allow_no_number_that_there_may_be(
    place: str, parameter: dict[str, Any], rules: list[str]
) -> None:
    assert found({place: {"Ref": "N"}}, **parameter) == rules


def test_what_no_number_fits_is_said() -> None:
    for bound, said in (({"MinValue": 1001}, "1001 or more"), ({"MaxValue": -1}, "-1 or less")):
        given = {"N": {"Type": "Number", **bound}}
        (one,) = judged(template({"Queue.Priority": {"Ref": "N"}}, Parameters=given))
        assert one.message.endswith(f"from 0 to 1000. This one is {said}.")
