"""What holds for the difference of any two templates, whatever is wrong with them."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from qm_constructs.changes import HARMS, Change, Effect, compare
from qm_constructs.cli import changes_as_github, changes_as_json, changes_as_markdown
from qm_constructs.cli._changes import Difference
from qm_constructs.template.sides import read_sides
from qm_constructs.template.source import CannotRead
from tests.strategies import Template, examples, rewritten, templates
from tests.test_diff import (
    BORROW,
    MOST,
    STRATEGY,
    base,
    changed,
    environment,
    flat,
    job_queue,
    policy,
    share,
    time_limit,
)
from tests.test_properties import read

LISTS = ("CapacityLimits", "JobStateTimeLimitActions")


def difference(old: Template, new: Template) -> list[Change]:
    return compare(*read_sides([read(json.dumps(old))], [read(json.dumps(new))]))


def is_readable(template: Template) -> bool:
    try:
        read(json.dumps(template))
    except CannotRead:
        return False
    return True


damaged = templates(damages=4).filter(is_readable)


@examples(100)
@given(damaged)
def test_a_template_is_no_change_to_itself(template: Template) -> None:
    assert difference(template, copy.deepcopy(template)) == []


@examples(100)
@given(damaged, damaged)
def test_any_two_templates_can_be_compared_and_shown(old: Template, new: Template) -> None:
    found = difference(old, new)
    ranks = [change.hit.effect.rank for change in found]
    assert ranks == sorted(ranks)
    for change in found:
        assert change.resource in {**old["Resources"], **new["Resources"]}
        assert change.hit.message.endswith(".")
    shown = Difference(found)
    assert json.loads(changes_as_json.render(shown))["changes"] != [] or not found
    assert changes_as_markdown.render(shown).count("\n| **") == len(found)
    assert changes_as_github.render(shown).count("\n") == len(found) + 1


@examples(80)
@given(templates(damages=1).filter(is_readable), st.data())
def test_a_damaged_template_can_be_compared_with_the_sound_one(
    old: Template, data: st.DataObject
) -> None:
    new = data.draw(templates(damages=2).filter(is_readable))
    mixed = {**new, "Resources": {**old["Resources"], **new["Resources"]}}
    difference(old, mixed)
    difference(mixed, old)


def in_another_order(node: Any, by: random.Random, name: str = "") -> Any:
    if isinstance(node, dict):
        return {key: in_another_order(part, by, key) for key, part in node.items()}
    if isinstance(node, list) and name in LISTS:
        return by.sample(node, len(node))
    return node


@examples(100)
@given(templates(), st.randoms(use_true_random=False))
def test_lists_in_another_order_are_safe(template: Template, by: random.Random) -> None:
    new = {**template, "Resources": in_another_order(template["Resources"], by)}
    assert {change.hit.effect for change in difference(template, new)} <= {Effect.SAFE}


@examples(100)
@given(rewritten())
def test_what_is_written_in_another_way_is_no_harm(pair: tuple[Template, Template]) -> None:
    for old, new in (pair, pair[::-1]):
        assert {change.hit.effect for change in difference(old, new)} <= {Effect.SAFE}


@examples(100)
@given(templates())
def test_what_is_new_hurts_nobody_and_what_goes_is_told(template: Template) -> None:
    nothing: Template = {**template, "Resources": {}}
    for change in difference(nothing, template):
        refusals = ("is refused as it is written now", "one serves one queue only")
        is_refused = any(refusal in change.hit.message for refusal in refusals)
        assert change.hit.effect is (Effect.CANNOT_DEPLOY if is_refused else Effect.SAFE)
    gone = {change.resource for change in difference(template, nothing)}
    there = {change.resource for change in difference(nothing, template)}
    assert gone == there


# -- parts

# Changes of which none has to do with another, in two queues.
PARTS: tuple[tuple[tuple[str, Any], ...], ...] = (
    ((f"Borrower.{MOST}", 3),),
    ((f"Borrower.{BORROW}", 150),),
    (("Borrower.State", "DISABLED"),),
    ((f"Lender.{MOST}", 2),),
    (("Lender.Tags", {"a": "b"}),),
    (("Lender.PreemptionConfiguration.InSharePreemption", "ENABLED"),),
    (("Reserver.QuotaShareName", "other"),),
    (("Queue.Priority", 7),),
    (("Queue.State", "DISABLED"),),
    (("Queue.JobStateTimeLimitActions", [time_limit("CAPACITY:X", 700)]),),
    ((f"Environment.{MOST}", 9),),
    (("Environment.State", "DISABLED"),),
    (("Policy.Tags", {"a": "b"}),),
    (("Extra", share("extra", 1, "RESERVE")),),
    ((f"Lender2.{STRATEGY}", "RESERVE"),),
    (("Lender3.CapacityLimits.0.MaxCapacity", 6),),
    (("Reserver2", None),),
    (("Queue2.SchedulingPolicyArn", None),),
    (("Environment2.CapacityLimits.1", None),),
    (("Policy2", policy(FairsharePolicy={"ShareDecaySeconds": 600})),),
)


def two_queues() -> Template:
    template = base()
    queue = {"Ref": "Queue2"}
    template["Resources"] |= {
        "Policy2": policy(),
        "Environment2": environment(),
        "Queue2": job_queue({"Ref": "Environment2"}, SchedulingPolicyArn={"Ref": "Policy2"}),
        "Borrower2": share("borrower", 4, "LEND_AND_BORROW", queue),
        "Lender2": share("lender", 4, "LEND", queue),
        "Lender3": share("other", 4, "LEND", queue),
        "Reserver2": share("reserver", 4, "RESERVE", queue),
    }
    return template


def test_the_parts_are_of_every_effect() -> None:
    old = two_queues()
    found = {
        change.hit.effect for part in PARTS for change in difference(old, changed(*part, of=old))
    }
    assert found == {*HARMS, Effect.SAFE}


@examples(80)
@given(st.sets(st.integers(0, len(PARTS) - 1)))
def test_the_effects_of_a_difference_are_those_of_its_parts(chosen: set[int]) -> None:
    old = two_queues()
    parts = [PARTS[number] for number in sorted(chosen)]
    together = difference(old, changed(*(edit for part in parts for edit in part), of=old))
    alone = [change for part in parts for change in difference(old, changed(*part, of=old))]
    assert Counter(map(flat, together)) == Counter(map(flat, alone))
