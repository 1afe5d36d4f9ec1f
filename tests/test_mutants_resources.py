"""A resource and a queue's plan as the rules and the numbers see them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from qm_constructs.errors import QuotaManagementError
from qm_constructs.plan import JOB_QUEUE, Resource, Unknown
from qm_constructs.quota_plan import QuotaPlan
from qm_constructs.rules import judge
from tests.test_mutants_queues import changed
from tests.test_resolving import judged, template
from tests.test_rules import action, plan, queue, share

UNIT = "ml.p5.48xlarge"


def test_a_resource_of_no_template_has_neither_id_nor_label() -> None:
    one = Resource(JOB_QUEUE, {})
    assert (one.id, one.label, one.place, one.asked) == (None, "", (None, None, None), ())
    assert one.is_one_region_of_several is False


@pytest.mark.parametrize(
    ("unit", "most", "shown"),
    [
        (UNIT, "six", "six"),
        (UNIT, 1.5, 1.5),
        (UNIT, Unknown("of the deploy"), "of the deploy"),
        (["p5"], 1, ["p5"]),
        (7, 1, 7),
    ],
)
def test_what_is_no_limit_is_shown_where_a_plan_is_written(
    unit: Any, most: Any, shown: Any, tmp_path: Path
) -> None:
    limits = [{"CapacityUnit": unit, "MaxCapacity": most}]
    whole = QuotaPlan.of(plan(share(CapacityLimits=limits)))
    with pytest.raises(QuotaManagementError) as raised:
        whole.to_file(tmp_path / "quotas.yaml")
    faults = [fault for fault in raised.value.faults if "capacity_limits" in fault.argument]
    assert [fault.value for fault in faults] == [shown]


@pytest.mark.parametrize("is_told", [True, False])
def test_a_queue_that_an_output_tells_may_have_more_shares(is_told: bool) -> None:
    outputs = {"Queue": {"Value": {"Ref": "Queue"}}} if is_told else {}
    borrows = {"ResourceSharingConfiguration": {"Strategy": "LEND_AND_BORROW"}}
    whole = {**changed("Research", Product=borrows), "Outputs": outputs}
    assert [one.rule.id for one in judged(whole)] == ([] if is_told else ["XR-06"])


def test_the_region_of_the_stack_is_named_where_the_template_allows_one() -> None:
    given = {"Fn::Contains": [["us-east-1", "us-west-2"], {"Ref": "AWS::Region"}]}
    rules = {"Where": {"Assertions": [{"Assert": given}]}}
    west = "arn:aws:batch:eu-west-1:111122223333:job-queue/shared"
    whole = template({"Product.JobQueue": west}, Rules=rules)
    (message, fix), *_ = [(one.message, one.fix) for one in judged(whole) if one.rule.id == "XR-09"]
    assert "the stack is not;" in message
    assert fix == "Give a job queue of the stack's own Region."


def test_each_action_is_compared_with_those_before_it() -> None:
    actions = [action(600), action(700, State="RUNNING"), action(800), action(900)]
    found = judge(queue(JobStateTimeLimitActions=actions))
    assert [one.path for one in found if one.rule.id == "JT-06"] == [
        ("JobStateTimeLimitActions", 2),
        ("JobStateTimeLimitActions", 3),
    ]
