"""What `diff` compares: which stacks are the same, and what is known of their resources."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from qm_constructs.changes.side import Deployed, Reference, Side
from qm_constructs.changes.values import identity
from qm_constructs.plan import Path
from qm_constructs.template.pairing import PairingError, pair_stacks
from qm_constructs.template.sides import read_sides
from qm_constructs.template.stack import Stack, Written
from tests.test_diff import base, changed, job_queue, policy, share

Template = dict[str, Any]
ACCOUNT, OTHER = "111122223333", "123456789012"
REGION = "us-east-1"
EMPTY: Template = {"Resources": {}}
NEVER = {"Fn::Equals": ["a", "b"]}
NESTED = {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "https://t"}}


def of(*ids: str) -> Template:
    return {"Resources": {id: share(id, 1, "RESERVE", "queue") for id in ids}}


def app(*names: str, resources: Sequence[str] = ()) -> list[Stack]:
    return [Stack(of(*resources), f"{name}.json", name) for name in names]


Paired = list[tuple[str | None, str | None]]


def paired(old: Sequence[Stack], new: Sequence[Stack]) -> Paired:
    """Returns the files of the stacks at each place."""
    found = pair_stacks(old, new)
    return [
        (
            one.file if number in found.in_old else None,
            other.file if number in found.in_new else None,
        )
        for number, (one, other) in enumerate(zip(found.old, found.new, strict=True))
    ]


def at(file: str, account: str | None, region: str | None) -> Stack:
    return Stack(EMPTY, file, "A", account, region)


# -- which stacks are the same


@pytest.mark.parametrize("is_template_old", [True, False])
def test_a_template_is_the_stack_that_has_most_of_its_ids(*, is_template_old: bool) -> None:
    template = [Stack(of("X", "Y"), "t.json")]
    stacks = [
        Stack(of("Z"), "a.json", "A"),
        Stack(of("X"), "b.json", "B"),
        Stack(of("Z", "W"), "c.json", "C"),
    ]
    if is_template_old:
        assert paired(template, stacks) == [("t.json", "b.json")]
    else:
        assert paired(stacks, template) == [("b.json", "t.json")]


@pytest.mark.parametrize("is_template_old", [True, False])
def test_a_template_is_the_only_stack_whatever_is_in_it(*, is_template_old: bool) -> None:
    template, (whole,) = [Stack(of("X"), "t.json")], app("A")
    nested = Stack(of("X"), "n.json", "Nested", parent=whole, parent_resource="Nested")
    if is_template_old:
        assert paired(template, [whole, nested]) == [("t.json", "A.json")]
    else:
        assert paired([whole, nested], template) == [("A.json", "t.json")]


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("AB", "A.json, B.json"),
        ("ABCDE", "A.json, B.json, C.json, D.json, E.json"),
        ("ABCDEF", "A.json, B.json, C.json, D.json, E.json, ..."),
        ("ABCDEFG", "A.json, B.json, C.json, D.json, E.json, ..."),
    ],
)
@pytest.mark.parametrize("ids", [(), ("X",)])
def test_five_stacks_are_told_that_a_template_may_be(
    names: str, told: str, ids: Sequence[str]
) -> None:
    text = f"it is not known which stack t.json is: give one of {told}"
    for old, new in (
        ([Stack(of("X"), "t.json")], app(*names, resources=ids)),
        (app(*names, resources=ids), [Stack(of("X"), "t.json")]),
    ):
        with pytest.raises(PairingError, match=f"^{re.escape(text)}$"):
            pair_stacks(old, new)


def test_stacks_without_a_name_are_the_same_by_their_file() -> None:
    old = [Stack(EMPTY, file) for file in ("cdk.out/old/a.json", "cdk.out/old/b.json")]
    new = [Stack(EMPTY, file) for file in ("out/new/main/b.json", "out/new/main/a.json")]
    assert paired(old, new) == [(old[0].file, new[1].file), (old[1].file, new[0].file)]


def test_stacks_of_one_name_and_place_are_the_same_in_their_order() -> None:
    old = [at(f"old{number}.json", ACCOUNT, REGION) for number in (1, 2, 3)]
    new = [at(f"new{number}.json", ACCOUNT, REGION) for number in (1, 2, 3)]
    assert paired(old, new) == [
        ("old1.json", "new1.json"),
        ("old2.json", "new2.json"),
        ("old3.json", "new3.json"),
    ]


TOGETHER: Paired = [("old", "new")]
APART: Paired = [("old", None), (None, "new")]


@pytest.mark.parametrize(
    ("account", "region", "found"),
    [
        (None, None, TOGETHER),
        (ACCOUNT, None, TOGETHER),
        (None, REGION, TOGETHER),
        (OTHER, None, APART),
        (None, "us-west-2", APART),
        (OTHER, "us-west-2", APART),
    ],
)
def test_a_stack_of_one_name_is_the_same_unless_it_is_elsewhere(
    account: str | None, region: str | None, found: Paired
) -> None:
    assert paired([at("old", account, region)], [at("new", ACCOUNT, REGION)]) == found


def test_of_two_stacks_that_may_be_one_neither_is() -> None:
    one, two, new = at("1", ACCOUNT, None), at("2", None, REGION), at("new", ACCOUNT, REGION)
    assert paired([one, two], [new]) == [("1", None), ("2", None), (None, "new")]


def test_nested_stacks_are_the_same_by_all_logical_ids_around_them() -> None:
    def nested(*chains: str) -> list[Stack]:
        (root,) = app("A")
        found = [root]
        for chain in chains:
            parent = root
            for id in chain:
                parent = Stack(EMPTY, chain, parent=parent, parent_resource=id)
            found.append(parent)
        return found

    old, new = nested("X", "Y", "XZ", "YZ"), nested("YZ", "XZ", "Y", "X")
    assert paired(old, new) == [
        ("A.json", "A.json"),
        ("X", "X"),
        ("Y", "Y"),
        ("XZ", "XZ"),
        ("YZ", "YZ"),
    ]


def test_a_hundred_levels_of_nesting_are_looked_at() -> None:
    def nested(name: str, levels: int) -> list[Stack]:
        stack = Stack(EMPTY, "root.json", name)
        for _ in range(levels):
            stack = Stack(EMPTY, "n.json", parent=stack, parent_resource="N")
        return [stack, *app("Other")]

    assert ("n.json", None) in paired(nested("A", 100), nested("B", 100))
    assert ("n.json", "n.json") in paired(nested("A", 101), nested("B", 101))


def test_a_stack_that_is_on_one_side_only_has_no_resources_on_the_other() -> None:
    (root,) = app("A")
    nested = Stack(of("X"), "n.json", parent=root, parent_resource="Nested")
    found = pair_stacks(app("A"), [root, nested])
    (at_nested,) = found.in_new - found.in_old
    assert found.old[at_nested].template == EMPTY
    assert found.old[at_nested].parent is None
    assert found.new[at_nested].template == of("X")
    assert found.new[at_nested].parent is found.new[1 - at_nested]


@pytest.mark.parametrize("is_placed_old", [True, False])
def test_what_one_side_tells_of_name_and_place_holds_for_both(*, is_placed_old: bool) -> None:
    sides = [at("one", ACCOUNT, REGION)], [Stack(EMPTY, "two")]
    found = pair_stacks(*(sides if is_placed_old else sides[::-1]))
    for stack in (*found.old, *found.new):
        assert (stack.name, stack.account, stack.region) == ("A", ACCOUNT, REGION)


def test_what_a_stack_tells_of_its_place_comes_first() -> None:
    found = pair_stacks([Stack(EMPTY, "t", None, OTHER, "us-west-2")], [at("a", ACCOUNT, REGION)])
    (old,), (new,) = found.old, found.new
    assert (old.account, old.region) == (OTHER, "us-west-2")
    assert (new.account, new.region) == (ACCOUNT, REGION)


# -- what is there


def side(*stacks: Stack) -> Side:
    return read_sides(stacks, stacks)[0]


def nested_app(outer: Any, inner: Any, **conditions: Any) -> Side:
    """Returns an app of three stacks, one in the other: in Outer is Inner, and in that a share."""
    conditions = {"Conditions": conditions}
    root = Stack({**conditions, "Resources": {"Outer": outer}}, "r.json", "A")
    middle = Stack(
        {**conditions, "Resources": {"Inner": inner}}, "m", parent=root, parent_resource="Outer"
    )
    return side(root, middle, Stack(of("X"), "i.json", parent=middle, parent_resource="Inner"))


LEFT_OUT = {**NESTED, "Condition": "Never"}
OPEN = {**NESTED, "Condition": "Open"}
IS_OPEN = {"Fn::Equals": [{"Ref": "AWS::AccountId"}, ACCOUNT]}


@pytest.mark.parametrize(
    ("outer", "inner", "there"),
    [
        (NESTED, NESTED, {0, 1, 2}),
        (NESTED, OPEN, {0, 1, 2}),
        (OPEN, NESTED, {0, 1, 2}),
        (NESTED, LEFT_OUT, {0, 1}),
        (LEFT_OUT, NESTED, {0}),
        (LEFT_OUT, OPEN, {0}),
    ],
)
def test_a_nested_stack_is_there_where_none_around_it_is_left_out(
    outer: Template, inner: Template, there: set[int]
) -> None:
    found = nested_app(outer, inner, Never=NEVER, Open=IS_OPEN)
    assert found.stacks == there
    assert set(found.deployed) == ({(2, "X")} if 2 in there else set())
    assert found.type_of((2, "X")) == ("AWS::Batch::QuotaShare" if 2 in there else None)
    assert found.type_of((1, "Inner")) == (NESTED["Type"] if 2 in there else None)


@pytest.mark.parametrize(
    ("body", "is_kept"),
    [
        (NESTED, False),
        ({**NESTED, "DeletionPolicy": "Delete"}, False),
        ({**NESTED, "DeletionPolicy": "Retain"}, True),
        ({**NESTED, "DeletionPolicy": "RetainExceptOnCreate"}, True),
        ({**NESTED, "DeletionPolicy": {"Ref": "AWS::Region"}}, False),
        ("no resource", False),
    ],
    ids=str,
)
def test_a_stack_is_kept_by_the_deletion_policy_of_any_around_it(body: Any, is_kept: bool) -> None:
    for outer, inner in ((body, NESTED), (NESTED, body)):
        assert nested_app(outer, inner).deployed[2, "X"].stack_is_kept is is_kept


def of_condition(name: Any, equals: str) -> Stack:
    template = of("X")
    template["Resources"]["X"]["Condition"] = name
    template["Conditions"] = {"C": {"Fn::Equals": [{"Ref": "P"}, equals]}}
    template["Parameters"] = {"P": {"Type": "String"}, "Q": {"Type": "String", "Default": "q"}}
    return Stack(template, "t.json")


def test_a_condition_is_another_when_its_definition_changes() -> None:
    old, same, other = (of_condition("C", equals) for equals in "aab")
    before, after = (found.deployed[0, "X"].condition for found in read_sides([old], [same]))
    assert before is not None
    assert before == after
    assert read_sides([old], [other])[1].deployed[0, "X"].condition != before


def test_only_a_name_is_a_condition_with_parameters() -> None:
    assert side(of_condition({"Ref": "Q"}, "a")).defaults_of((0, "X")) == {}


# -- what a resource names

ARN = f"arn:aws:batch:us-west-2:{OTHER}:job-queue/queue"
PLACE = ((ACCOUNT,), (REGION,))
ELSEWHERE = ((OTHER,), ("us-west-2",))


def deployed(template: Template, id: str, **attributes: Any) -> Deployed:
    return side(Stack(template, "t.json", "A", ACCOUNT, REGION, **attributes)).deployed[0, id]


@pytest.mark.parametrize(
    ("queue", "reference"),
    [
        ("queue", Reference(("outside", ("queue",), PLACE), by_name=True)),
        (ARN, Reference(("outside", ("queue",), ELSEWHERE))),
        ("no/arn", Reference(identity("no/arn"), is_known=False)),
        ("other/arn", Reference(identity("other/arn"), is_known=False)),
        (["queue"], Reference(identity(["queue"]), is_known=False)),
    ],
    ids=str,
)
def test_what_is_made_elsewhere_is_known_by_its_name_and_place(
    queue: Any, reference: Reference
) -> None:
    template = {"Resources": {"X": share("x", 1, "RESERVE", queue)}}
    (found,) = deployed(template, "X").references.values()
    assert found == reference
    assert found.is_known is reference.is_known


def test_a_queue_that_a_parameter_names_is_not_known() -> None:
    template = {
        "Parameters": {"Name": {"Type": "String"}},
        "Resources": {"X": share("x", 1, "RESERVE", {"Ref": "Name"})},
    }
    found = deployed(template, "X").references["JobQueue"]
    assert (found.by_name, found.is_known) == (True, False)


def test_a_queue_without_an_environment_names_its_policy() -> None:
    queue = job_queue(ServiceEnvironmentOrder=None)
    del queue["Properties"]["ServiceEnvironmentOrder"]
    template = {"Resources": {"Queue": queue, "Policy": policy()}}
    assert deployed(template, "Queue").references == {
        "SchedulingPolicyArn": Reference((0, "Policy"))
    }


# -- where it stands


def test_a_property_is_told_as_a_quotas_file_writes_it() -> None:
    def written(id: str, path: Path) -> Written:
        return Written(id, ("quotas", id, *path), None)

    tell = deployed(base(), "Lender", written=written).written
    assert tell is not None
    assert tell("ResourceSharingConfiguration.Strategy") == (
        "quotas.Lender.Properties.ResourceSharingConfiguration.Strategy"
    )


def test_no_parameter_is_behind_a_property_that_is_not_there() -> None:
    template = changed(("Lender.State", {"Ref": "State"}))
    template["Parameters"] = {"State": {"Type": "String", "Default": "ENABLED"}}
    lender = deployed(template, "Lender")
    assert lender.defaults("State") == {"State": "ENABLED"}
    assert lender.defaults("Tags") == {}


def test_a_stack_awaits_the_stack_of_an_artifact_and_not_one_nested_in_it() -> None:
    before = Stack(EMPTY, "b.json", "Before", artifact="Before")
    nested = Stack(EMPTY, "n.json", artifact="Before", parent=before, parent_resource="Nested")
    after = Stack(EMPTY, "a.json", "After", artifact="After", dependencies={"Before"})
    assert side(before, nested, after).awaits == {0: set(), 1: set(), 2: {0}}
