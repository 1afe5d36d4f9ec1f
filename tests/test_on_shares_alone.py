"""What is wrong with a queue whatever the conditions of its shares are."""

from __future__ import annotations

from typing import Any

import pytest

from tests.test_resolving import judged, template

NEITHER = {"Type": "AWS::Batch::SchedulingPolicy", "Properties": {}}
CONDITIONS = {
    name: {"Fn::Equals": [{"Ref": name}, "yes"]} for name in ("HasResearch", "HasProduct")
}
PARAMETERS = {name: {"Type": "String"} for name in CONDITIONS}
NEEDS = "A queue of quota management needs a quota-share policy; this is another policy."
HAS_NEITHER = "This scheduling policy has neither a QuotaSharePolicy nor a FairsharePolicy."
UNCONFIRMED = " AWS has not confirmed whether it takes this."
POLICY = "Queue.SchedulingPolicyArn"


def said(changes: dict[str, Any], **conditions: str) -> list[tuple[str, str]]:
    """Returns what SP-06 and JQ-07 say of a template whose shares are there on conditions."""
    whole = template(changes, Conditions=CONDITIONS, Parameters=PARAMETERS)
    for id, condition in conditions.items():
        whole["Resources"][id]["Condition"] = condition
    found = (one for one in judged(whole) if one.rule.id in ("SP-06", "JQ-07"))
    return [(one.resource, one.message) for one in found]


@pytest.mark.parametrize(
    "conditions",
    [
        {},
        {"Product": "HasProduct"},
        {"Research": "HasProduct", "Product": "HasProduct"},
        {"Research": "HasResearch", "Product": "HasProduct"},
    ],
    ids=str,
)
def test_a_policy_of_no_kind_is_wrong_whichever_shares_are_there(
    conditions: dict[str, str],
) -> None:
    assert said({"Policy": NEITHER}, **conditions) == [("Queue", NEEDS)]


def test_a_policy_of_no_kind_where_no_share_is_meant() -> None:
    other = {"Product.JobQueue": "other", "Research.JobQueue": "other"}
    assert said({"Policy": NEITHER, **other}) == [("Policy", HAS_NEITHER + UNCONFIRMED)]


def test_what_the_policy_itself_depends_on_is_said() -> None:
    conditions = {"Research": "HasProduct", "Product": "HasProduct"}
    chosen = {"Fn::If": ["HasProduct", {"Ref": "Policy"}, {"Ref": "AWS::NoValue"}]}
    when = " This is so when HasProduct is true."
    assert said({"Policy": NEITHER, POLICY: chosen}, **conditions) == [("Queue", NEEDS + when)]
    quota = {"IdleResourceAssignmentStrategy": "FIFO"}
    chosen = {"Fn::If": ["HasProduct", quota, {"Ref": "AWS::NoValue"}]}
    # Without its shares the queue is of no quota management.
    when = " This is so when HasProduct is false."
    assert said({"Policy.QuotaSharePolicy": chosen}, **conditions) == [
        ("Policy", HAS_NEITHER + when + UNCONFIRMED)
    ]


def test_a_policy_of_no_kind_is_told_at_each_branch_that_names_it() -> None:
    whole = template({"Policy": NEITHER}, Conditions=CONDITIONS, Parameters=PARAMETERS)
    properties = whole["Resources"]["Queue"]["Properties"]
    arn = properties["SchedulingPolicyArn"]
    properties["SchedulingPolicyArn"] = {"Fn::If": ["HasResearch", arn, arn]}
    for id in ("Research", "Product"):
        whole["Resources"][id]["Condition"] = "HasProduct"
    found = [(one.rule.id, one.path[-1], one.message) for one in judged(whole)]
    assert found == [
        ("JQ-07", 1, f"{NEEDS} This is so when HasResearch is true."),
        ("JQ-07", 2, f"{NEEDS} This is so when HasResearch is false."),
    ]


FAIR = {"Type": "AWS::Batch::SchedulingPolicy", "Properties": {"FairsharePolicy": {}}}


@pytest.mark.parametrize("changes", [{"Policy": FAIR}, {POLICY: {"Ref": "AWS::NoValue"}}], ids=str)
@pytest.mark.parametrize("of_research", [None, "HasResearch", "HasProduct"])
def test_a_queue_that_lacks_a_policy_is_told_once_for_all_its_shares(
    changes: dict[str, Any], of_research: str | None
) -> None:
    whole = template(changes, Conditions=CONDITIONS, Parameters=PARAMETERS)
    whole["Resources"]["Product"]["Condition"] = "HasProduct"
    if of_research is not None:
        whole["Resources"]["Research"]["Condition"] = of_research
    found = [(one.rule.id, one.resource) for one in judged(whole) if one.rule.id != "XR-06"]
    assert found == [("QS-20", "Queue")]


def test_a_queue_without_shares_that_lacks_a_policy_is_told_itself() -> None:
    for id in ("Research", "Product"):
        changes = {"Policy": FAIR, "Research.JobQueue": "other", "Product.JobQueue": "other"}
        whole = template(changes, Conditions=CONDITIONS, Parameters=PARAMETERS)
        whole["Resources"][id]["Condition"] = "HasProduct"
        assert [(one.rule.id, one.resource) for one in judged(whole)] == [("JQ-13", "Queue")]
