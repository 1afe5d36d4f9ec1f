"""What macros, choices and other faults leave to be said of a template."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.plan import QUOTA_SHARE
from qm_constructs.template.check import check
from tests.test_made_elsewhere import QUEUE, TEXT, assembly, found, lacks_a_lender, nesting
from tests.test_occasions import either, equals, ref
from tests.test_resolving import judged, rules_of, template

INCLUDE = {"Fn::Transform": {"Name": "AWS::Include", "Parameters": {"Location": "s3://b/k"}}}
NOWHERE = {"Ref": "Nowhere"}
STAGES: dict[str, Any] = {
    "Parameters": {"Stage": TEXT, "Use": TEXT},
    "Conditions": {
        "Prod": equals(ref("Stage"), "prod"),
        "InUse": equals(ref("Use"), "yes"),
    },
}
# It is of no quota management.
FAIR_SHARE = {"Type": "AWS::Batch::SchedulingPolicy", "Properties": {"FairsharePolicy": {}}}


def test_a_loop_beside_the_sections_may_make_a_lender() -> None:
    assert not lacks_a_lender({}, **{"Fn::ForEach::Teams": ["Team", ["a"], {"${Team}": {}}]})


@pytest.mark.parametrize(
    ("share", "rules"),
    [
        (INCLUDE, []),
        ({**INCLUDE, "Properties": {"QuotaShareName": "x"}}, []),
        ({"Properties": INCLUDE}, []),
        ({"Properties": "x", **INCLUDE}, []),
        # It has no queue, and nothing gives it one.
        ({"Properties": "x"}, ["CF-02", "XR-06"]),
    ],
    ids=str,
)
def test_what_is_included_in_a_share_of_a_nested_stack_may_name_the_queue_that_it_is_given(
    share: Any, rules: list[str], tmp_path: Path
) -> None:
    top = template({"Team": nesting("team", Given=QUEUE)})
    del top["Resources"]["Product"]
    team = {"Parameters": {"Given": TEXT}, "Resources": {"Lender": {"Type": QUOTA_SHARE, **share}}}
    report = check([assembly(tmp_path, top=top, team=team)], io.BytesIO())
    assert sorted(one.rule.id for one in report.findings) == rules


def test_beside_what_a_macro_may_replace_the_rest_is_judged() -> None:
    changes = {"Environment.Fancy": 3, "Queue.Priority": 1001}
    assert found(changes) == ["CF-01", "JQ-01"]
    assert found(changes, Transform="Anybody") == ["JQ-01"]


def test_beside_what_the_queue_is_the_cause_of_the_rest_is_judged() -> None:
    changes = {"Policy": FAIR_SHARE, "Environment.CapacityLimits.0.MaxCapacity": 1}
    assert sorted(found(changes)) == ["QS-20", "XR-02", "XR-03", "XR-03"]


def test_what_is_wrong_with_two_functions_in_a_choice_is_said_of_each() -> None:
    tags = either("Prod", {"a": NOWHERE, "b": NOWHERE}, {"a": "c"})
    paths = [one.path for one in judged(template({"Product.Tags": tags}, **STAGES))]
    assert paths == [("Properties", "Tags", "Fn::If", 1, key) for key in "ab"]


def test_a_policy_that_is_chosen_is_told_of_the_queue_alone_where_it_may_have_shares() -> None:
    policy = {"Type": "AWS::Batch::SchedulingPolicy", "Properties": {"Name": "x"}}
    arn = either("Prod", ref("Policy"), ref("Policy"))
    whole = template({"Queue.SchedulingPolicyArn": arn, "Policy": policy}, **STAGES)
    for share in ("Product", "Research"):
        whole["Resources"][share]["Condition"] = "InUse"
    assert rules_of(judged(whole)) == [("JQ-07", "Queue")] * 2


def test_after_two_functions_in_one_map_the_others_are_looked_at() -> None:
    tags = {"a": {"Fn::Sub": "x", "Fn::Join": ["-", ["x"]]}, "b": {"Ref": 5}}
    paths = [one.path[-1] for one in judged(template({"Product.Tags": tags}))]
    assert paths == ["a", "b"]


def test_each_of_three_faults_of_one_key_is_said() -> None:
    assert found({"Product.Tags": {f"aws:#{'x' * 200}": ""}}) == ["SJ-09"] * 3
