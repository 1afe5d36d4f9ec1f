"""What a template settles by itself: values that are known, and queues as nobody sets them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from io import BytesIO
from typing import Any

import pytest

from qm_constructs.changes.values import OneOf, options_of, same
from qm_constructs.plan import UnknownText
from qm_constructs.quota_plan import Origin, QuotaPlan
from qm_constructs.template import quota_plans
from qm_constructs.template.quota_plans import LeftOut, plans_of, read_plans
from qm_constructs.template.settled import SettledScope, SettledScopes
from qm_constructs.template.stack import Stack
from qm_constructs.template.universe import NESTED_STACK, Universe
from tests.plan_scenarios import GPU, limits, template

# -- values ------------------------------------------------------------------------------


def scopes(*templates: Mapping[str, Any]) -> SettledScopes:
    return SettledScopes(Universe([Stack(one, f"{n}.json") for n, one in enumerate(templates)]))


def scope(**sections: Any) -> SettledScope:
    return scopes(sections)[0]


def parameters(**given: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: {"Type": "String", **more} for name, more in given.items()}


def macro(**arguments: Any) -> Any:
    return {"Fn::Transform": {"Name": "Macro", "Parameters": arguments}}


OPEN = {"Stage": {"Fn::Equals": [{"Ref": "AWS::AccountId"}, "111122223333"]}}
BESIDE = {"Fn::ForEach::Unit": ["U", ["a"], {}], "Key": 1}
SIZES = {"a": {"n": 1}, "b": {"n": 2}}


def either(one: Any, other: Any) -> Any:
    return {"Fn::If": ["Stage", one, other]}


def nested(depth: int) -> Any:
    node: Any = 0
    for number in range(1, depth + 1):
        node = either(number, node)
    return node


def test_entries_of_a_list_that_is_not_known_are_told_apart() -> None:
    here = scope(Parameters={"L": {"Type": "CommaDelimitedList"}})
    first, second, again = (
        here.value({"Fn::Select": [index, {"Ref": "L"}]}) for index in (0, 1, "0")
    )
    assert same(first, again)
    assert not same(first, second)


@pytest.mark.parametrize("node", [BESIDE, macro(a=1), {"Fn::Split": [",", {"Fn::Other": 1}]}])
def test_what_is_not_known_is_the_same_where_it_is_written_alike(node: Any) -> None:
    here = scope()
    found = here.value(node)
    assert type(found) is UnknownText
    assert found.source == node
    assert same(found, here.value(deepcopy(node)))
    assert not same(found, here.value({**BESIDE, "Key": 2}))


def test_the_order_of_keys_makes_no_difference() -> None:
    here = scope()
    assert same(here.value(macro(a=1, b=2)), here.value(macro(b=2, a=1)))
    node = {"Fn::FindInMap": ["Sizes", {"Ref": "AWS::StackName"}, "n"]}
    turned = dict(reversed(SIZES.items()))
    one, other = (scope(Mappings={"Sizes": sizes}).value(node) for sizes in (SIZES, turned))
    assert same(one, other)


def test_what_is_not_known_is_of_its_stack() -> None:
    both = scopes({}, {})
    assert not same(both[0].value(macro(a=1)), both[1].value(macro(a=1)))


def test_a_stack_is_in_a_place_of_its_own_whatever_it_imports() -> None:
    exports = {"Outputs": {"Out": {"Value": 1, "Export": {"Name": "out"}}}}
    both = scopes(exports, {"Resources": {"R": {"Properties": {"P": {"Fn::ImportValue": "out"}}}}})
    assert both[0].place() != both[1].place()


def test_a_value_with_a_condition_that_is_open_is_one_of_its_branches() -> None:
    here = scope(Conditions=OPEN)
    found = here.value(either(4, either(5, 6)))
    assert isinstance(found, OneOf)
    assert found.options == (4, 5, 6)
    assert found.source == either(4, either(5, 6))


@pytest.mark.parametrize(
    "node",
    [
        either(1, macro(a=1)),
        {"Fn::If": ["Stage", 1]},
        {"Fn::If": "Stage"},
        {**either(1, 2), "Fn::ForEach::Unit": ["U", ["a"], {}]},
    ],
    ids=str,
)
def test_any_other_value_may_be_anything(node: Any) -> None:
    found = scope(Conditions=OPEN).value(node)
    assert type(found) is UnknownText
    assert options_of(found) is None


def test_branches_are_looked_up_twenty_deep_however_many_were_before() -> None:
    here = scope(Conditions=OPEN)
    for _ in range(25):
        assert options_of(here.value(nested(20))) == tuple(range(20, -1, -1))
        assert options_of(here.value(nested(21))) is None


def test_a_list_is_one_value_that_is_not_known() -> None:
    assert type(scope().opaque([macro(a=1)])) is UnknownText


CONDITION = {"Fn::Equals": [{"Ref": "P"}, "a"]}
SECTIONS = {
    "Parameters": parameters(P={}, D={"Default": "x"}),
    "Conditions": {"Stage": CONDITION},
    "Mappings": {"Sizes": SIZES},
}
OF_CONDITION = {"Conditions Stage": CONDITION, "parameter P": []}


@pytest.mark.parametrize(
    ("node", "behind"),
    [
        ({"Ref": "P"}, {"parameter P": []}),
        ({"Ref": "D"}, {"parameter D": ["default", "x"]}),
        ({"Ref": "Gone"}, {}),
        ({"Condition": "Stage"}, OF_CONDITION),
        ({"Condition": "Gone"}, {}),
        ({"Condition": ["Stage"]}, {}),
        (either(1, 2), OF_CONDITION),
        ({"Fn::If": ["Gone", 1, 2]}, {}),
        ({"Fn::If": []}, {}),
        ({"Fn::FindInMap": ["Sizes", "a", "n"]}, {"Mappings Sizes": SIZES}),
        ({"Fn::FindInMap": ["Gone", "a", "n"]}, {}),
    ],
    ids=str,
)
def test_what_is_behind_a_part_of_a_template(node: Any, behind: Mapping[str, Any]) -> None:
    found = scope(**SECTIONS).behind(node)
    assert {name: json.loads(text) for name, text in found.items()} == behind


def test_a_function_that_is_given_a_text_names_nothing_by_its_first_letter() -> None:
    assert scope(Conditions={"S": CONDITION}).behind({"Fn::If": "Stage"}) == {}


def test_behind_a_parameter_of_a_nested_stack_is_what_its_parent_gives() -> None:
    given = {"P": {"Ref": "Above"}, "Q": 3}
    body = {"Type": NESTED_STACK, "Properties": {"Parameters": given}}
    above = {"Parameters": parameters(Above={"Default": "x"}), "Resources": {"Inner": body}}
    parent = Stack(above, "parent.json")
    child = {"Parameters": parameters(P={"Default": "y"}, Q={}, R={"Default": "z"})}
    inner = Stack(child, "child.json", parent=parent, parent_resource="Inner")
    here = SettledScopes(Universe([parent, inner]))[1]
    assert [here.value({"Ref": name}) for name in "PQR"] == ["x", 3, "z"]
    found = here.behind([{"Ref": name} for name in "PQR"])
    behind = {"parameter Above": '["default", "x"]'}
    assert {name: json.loads(text) for name, text in found.items()} == {
        "parameter P": ["passed", 0, {"Ref": "Above"}, behind],
        "parameter Q": ["passed", 0, 3, {}],
        "parameter R": ["default", "z"],
    }


def test_a_parameter_without_default_is_one_of_its_allowed_values_and_itself() -> None:
    allowed = {"AllowedValues": ["a", "b"]}
    here = scope(Parameters=parameters(One=allowed, Two=allowed, Any={}, Set={"Default": "c"}))
    one, two, any_ = (here.value({"Ref": name}) for name in ("One", "Two", "Any"))
    assert isinstance(one, OneOf)
    assert options_of(any_) is None
    assert one.options == ("a", "b")
    assert one.source == {"Ref": "One"}
    assert same(one, here.value({"Ref": "One"}))
    assert not same(one, two)
    assert here.value({"Fn::Join": ["-", ["x", {"Ref": "One"}]]}).parts == ("x-", *one.parts)
    assert here.value({"Ref": "Set"}) == "c"


# -- queues ------------------------------------------------------------------------------

ELSEWHERE = "arn:aws:batch:us-east-1:111122223333:scheduling-policy/other"
SHARES = {"a": ({GPU: 4}, "LEND", None), "b": ({GPU: 6}, "LEND", None)}


def whole(shares: Mapping[str, Any] = SHARES, **changes: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a template of a queue, some properties changed; None leaves one out."""
    made = template({GPU: 16}, shares)
    for id, properties in changes.items():
        new = {**made["Resources"][id]["Properties"], **properties}
        made["Resources"][id]["Properties"] = {k: v for k, v in new.items() if v is not None}
    return made


def plan(made: Mapping[str, Any], **attributes: Any) -> QuotaPlan:
    (found,) = plans_of([Stack(made, "queue.json", **attributes)])
    return found


def left_out(*templates: Mapping[str, Any]) -> list[LeftOut]:
    """Returns the queues that are none, of templates each given by itself."""
    return [
        one
        for made in templates
        for one in read_plans(["-"], BytesIO(json.dumps(made).encode())).left_out
    ]


def none(why: str) -> list[LeftOut]:
    return [LeftOut("Queue", "-", f"{{queue}} in {{file}} is none: {why}.")]


NO_POLICY = none("it has no scheduling policy, and quota management needs one (JQ-07)")
NO_QUOTA_SHARE_POLICY = none(
    "its scheduling policy has no QuotaSharePolicy, which quota management needs (JQ-07)"
)
NOT_READ = none("it has no quota share, and its scheduling policy is not in what was read")
WITHOUT = {"SchedulingPolicyArn": None}


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (whole(), []),
        (whole(Queue=WITHOUT), NO_POLICY),
        (whole({}, Queue=WITHOUT), NO_POLICY),
        (whole(Queue={**WITHOUT, "JobQueueType": "EC2"}), NO_POLICY),
        (whole({}, Queue={**WITHOUT, "JobQueueType": "EC2"}), []),
        (whole(Policy={"QuotaSharePolicy": None, "FairsharePolicy": {}}), NO_QUOTA_SHARE_POLICY),
        (whole({}, Queue={"SchedulingPolicyArn": ELSEWHERE}), NOT_READ),
    ],
)
def test_a_queue_that_seems_to_be_meant_and_is_none_is_told_with_the_reason(
    made: Mapping[str, Any], said: list[LeftOut]
) -> None:
    assert left_out(made) == said


def test_beside_a_sound_queue_one_without_shares_is_not_told() -> None:
    both = whole()
    both["Resources"]["Beside"] = deepcopy(both["Resources"]["Queue"])
    del both["Resources"]["Beside"]["Properties"]["SchedulingPolicyArn"]
    read = read_plans(["-"], BytesIO(json.dumps(both).encode()))
    assert [one.origin.queue for one in read.plans] == ["Queue"]
    assert read.left_out == []


def test_a_macro_that_may_make_queues_is_none_of_them() -> None:
    (found,) = left_out({"Transform": "Macro", "Resources": {"A": {"Type": "AWS::S3::Bucket"}}})
    assert found.queue == ""
    assert found.said() == "A macro, a module or an Fn::ForEach of the template - may make queues."


def test_a_queue_of_many_shares_is_planned() -> None:
    many = {f"s{number}": ({GPU: 1}, "LEND", None) for number in range(80)}
    assert len(plan(whole(many)).shares) == 80


def conditional(count: int) -> dict[str, Any]:
    """Returns a template of as many shares, each there on a condition of its own."""
    made = whole({f"s{number}": ({GPU: 1}, "LEND", None) for number in range(count)})
    made["Parameters"] = parameters(**{f"P{number}": {} for number in range(count)})
    made["Conditions"] = {
        f"C{number}": {"Fn::Equals": [{"Ref": f"P{number}"}, "yes"]} for number in range(count)
    }
    for number in range(count):
        made["Resources"][f"Share{number}"]["Condition"] = f"C{number}"
    return made


def test_a_queue_is_looked_at_in_so_many_ways_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    some = plan(conditional(2))
    assert len(some.ways) == 4
    assert some.standing.whole is True
    monkeypatch.setattr(quota_plans, "_MOST_WORLDS", 2)
    many = plan(conditional(6))
    assert len(many.ways) == 4
    assert many.standing.whole is False


def test_a_way_that_cloudformation_refuses_is_none() -> None:
    size = {"Fn::FindInMap": ["Sizes", {"Ref": "Size"}, "n"]}
    made = whole(Env={"CapacityLimits": limits({GPU: {"Fn::If": ["Stage", 16, size]}})})
    made["Parameters"] = parameters(Size={"AllowedValues": ["a", "c"]})
    made["Conditions"] = {"Stage": {"Fn::Equals": [{"Ref": "Size"}, "a"]}}
    made["Mappings"] = {"Sizes": SIZES}
    assert [unit.environment.known for unit in plan(made).units] == [16]
    made["Parameters"] = parameters(Size={"AllowedValues": ["c", "d"]})
    assert [unit.environment.known for unit in plan(made).units] == [None]


def test_a_way_in_which_a_queue_is_none_of_quota_management_is_none() -> None:
    kind = {
        "Fn::If": ["Stage", {"IdleResourceAssignmentStrategy": "FIFO"}, {"Ref": "AWS::NoValue"}]
    }
    made = whole(Policy={"QuotaSharePolicy": kind, "FairsharePolicy": {}})
    made["Conditions"] = OPEN
    (way,) = plan(made).ways
    assert way.quota_management


def test_why_a_queue_may_have_shares_that_are_not_listed() -> None:
    assert (
        plan(whole()).standing.more_shares
        == "A share whose queue the template does not tell may be one of this queue"
    )


QUEUE_ARN = "arn:aws:batch:us-east-1:111122223333:job-queue/other"


@pytest.mark.parametrize(
    ("queue", "name", "is_none"),
    [
        ("other", "other", False),
        (QUEUE_ARN, "other", False),
        (None, None, True),
        ({"Ref": "Gone"}, None, True),
        ({"Fn::Sub": "${Gone}"}, None, True),
        ({"Fn::Join": ["", [{"Ref": "Gone"}]]}, None, True),
        ({"Ref": "Given"}, None, False),
        ({"Fn::FindInMap": ["Sizes", "gone", "n"]}, None, False),
        ({"Fn::GetAtt": ["Queue"]}, None, False),
        ({"Fn::Sub": "${Queue}-b"}, None, False),
    ],
    ids=str,
)
def test_the_queue_of_shares_that_is_made_elsewhere(
    queue: Any, name: str | None, is_none: bool
) -> None:
    made = whole({"a": SHARES["a"]}, Share0={"JobQueue": queue})
    made["Parameters"] = parameters(Given={})
    made["Mappings"] = {"Sizes": SIZES}
    origins = [one.origin for one in plans_of([Stack(made, "queue.json", "Training")])]
    assert Origin("queue.json", "Training", name=name, is_none=is_none) in origins


def test_what_another_property_asks_for_does_not_count_for_the_queue() -> None:
    made = whole(
        {"a": SHARES["a"]}, Share0={"JobQueue": "other", "QuotaShareName": {"Ref": "Gone"}}
    )
    assert [one.origin.is_none for one in plans_of([Stack(made, "queue.json")])] == [False, False]
