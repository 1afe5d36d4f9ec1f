"""What the rules of a template forbid and ask for, and what is said of what is left."""

from __future__ import annotations

import copy
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from qm_constructs.rules import SOUND
from qm_constructs.template import explored, judge
from qm_constructs.template.judge import judgement
from qm_constructs.template.loading import load
from qm_constructs.template.stack import Stack
from tests.test_leading_nowhere import IS_EAST
from tests.test_mutants_forbidden import asserts, is_refused
from tests.test_mutants_judge import IN_MAP, when_too_many
from tests.test_occasions import _when, either, equals, noting_rules, numbers, ref
from tests.test_one_place import nest

Body = dict[str, Any]
SWITCH = {"Type": "String", "AllowedValues": ["no", "yes"]}


def when(whole: Body) -> list[str]:
    findings = judgement([Stack({**copy.deepcopy(SOUND), **whole}, "a.json")]).findings
    return [_when(one.message) for one in findings]


def of_priority(priority: Any, **sections: Any) -> Body:
    whole = {**copy.deepcopy(SOUND), **sections}
    whole["Resources"]["Queue"]["Properties"]["Priority"] = priority
    return whole


def test_a_rule_forbids_only_where_what_it_is_about_is_asked_for() -> None:
    # In the east the queue hangs on the switch; elsewhere it does not.
    priority = either("East", either("IsOn", 1, 2), 1001)
    conditions = {"East": IS_EAST, "IsOn": equals(ref("Switch"), "yes")}
    on = {"Assertions": [{"Assert": equals(ref("Switch"), "yes")}]}
    sections = {"Parameters": {"Switch": SWITCH}, "Conditions": conditions, "Rules": {"R": on}}
    assert when(of_priority(priority, **sections)) == [" when East is false"]


def test_what_the_rules_of_each_stack_leave_is_said() -> None:
    def rule(name: str) -> Body:
        asserted = [{"Assert": equals(ref(name), "yes")}]
        return {"R": {"RuleCondition": IS_EAST, "Assertions": asserted}}

    switches = dict.fromkeys("AB", SWITCH)
    parent = Stack({"Parameters": switches, "Rules": rule("A"), "Resources": {}}, "top.json")
    east = {"Parameters": {"B": SWITCH}, "Conditions": {"East": IS_EAST}}
    inner = of_priority(either("East", 1001, 1), Rules=rule("B"), **east)
    (found,) = judgement([parent, nest(inner, parent, B=ref("B"))]).findings
    told = "A is 'yes' and B of 'top.json' is 'yes' and East is true."
    assert found.message.endswith(f" This is so when {told}")


IS_ACCOUNT = equals(ref("AWS::AccountId"), "111122223333")


def test_rules_that_contradict_each_other_are_tried_though_they_are_big() -> None:
    either_way = ({"Fn::Not": [IS_ACCOUNT]}, IS_ACCOUNT)
    assert is_refused(*(asserts(IS_EAST, one, size=1000) for one in either_way))


def test_big_rules_are_looked_at_in_few_of_the_ways_that_others_leave(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = noting_rules(monkeypatch)
    many = [{"Fn::Or": [equals(ref(f"Q{n}"), text) for text in ("no", "yes")]} for n in range(1, 6)]
    off = {"Fn::Not": [IS_EAST]}
    ways = asserts(off, {"Fn::And": [equals(ref("Q0"), "yes"), *many]})
    big = {f"B{n}": asserts(off, equals(ref(f"R{n}"), "no"), size=100) for n in range(30)}
    names = [f"Q{n}" for n in range(6)] + [f"R{n}" for n in range(30)]
    whole = of_priority(
        either("East", 1001, 1),
        Parameters=dict.fromkeys(names, SWITCH),
        Conditions={"East": IS_EAST},
        Rules={"A": ways, **big},
    )
    assert when(whole) == [" when East is true and Q0 is 'yes'"]
    assert 0 < len(asked) < 400


QUOTAS = """\
priority: 1001
service_environment_name: c d
job_queue_name: a b
quota_shares:
  x y:
    capacity_limits: {ml.p5.48xlarge: 8}
capacity_limits: {ml.p5.48xlarge: 0}
"""


def test_what_is_wrong_with_a_quotas_file_is_told_from_its_top_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "quotas.yaml"
    path.write_text(QUOTAS)
    [stacks], _ = load([str(path)], BytesIO())
    assert [one.line for one in judgement(stacks).findings] == [1, 2, 3, 5, 7]


def test_it_is_said_of_what_not_all_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explored, "_SURE_WORLDS", 4)
    monkeypatch.setattr(explored, "_FEWEST_WORLDS", 4)
    monkeypatch.setattr(judge, "_BUDGET", 0)
    names = ["A", "B", "C"]
    whole = of_priority(
        [either(name, 1, 2) for name in names],
        Parameters=dict.fromkeys(names, SWITCH),
        Conditions={name: equals(ref(name), "yes") for name in names},
    )
    (note,) = judgement([Stack(whole, "a.json")]).notes
    assert note.message == (
        "The conditions and parameters that Queue and what belongs to it depend on have too many "
        "combinations: not all of them were judged."
    )


def test_where_a_map_has_nothing_nothing_is_wrong_and_nothing_is_said_of_it() -> None:
    sections = {
        "Conditions": {"East": IS_EAST, "Prod": equals(ref("Stage"), "prod")},
        "Mappings": {"M": {"eu-west-1": {"n": "x"}}},
        "Outputs": {"Name": {"Value": IN_MAP}},
    }
    assert when(of_priority(either("East", 1001, 1), **sections)) == []
    stage = {"Type": "String", "AllowedValues": ["dev", "prod"]}
    parameters = {"Stage": stage, "Size": numbers(4, 32, 64, default=4)}
    found = when_too_many(["Prod", "East"], Parameters=parameters, **sections)
    assert found == [", for example, when Size is '32'"]
