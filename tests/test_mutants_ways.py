"""Which ways there are in which a template can turn out, and what is asked of a list in them."""

from __future__ import annotations

from typing import Any

import pytest

from qm_constructs.template.worlds import World, Worlds
from tests.test_combinations import equals, may_both_be, no, ref
from tests.test_lists import LIST, SECOND, asserting, contains

ANY = {"Type": "String"}
# Neither of the two is known.
ALIKE = equals(ref("P"), ref("Q"))


@pytest.mark.parametrize("asserted", [contains("a"), no(contains("a"))], ids=str)
def test_a_rule_of_a_list_is_asked_beside_a_comparison_of_other_parameters(asserted: Any) -> None:
    parameters = {"Teams": LIST, "P": ANY, "Q": ANY}
    both = may_both_be(ALIKE, SECOND, Parameters=parameters, Rules=asserting(asserted))
    assert both is (asserted == contains("a"))


def test_the_single_changes_are_those_from_the_first_way() -> None:
    def ask(world: World) -> str:
        told = "".join(world.choose(n, "ab") for n in range(2))
        return told + world.choose(2, "cde") if told[1] == "b" else told

    told = [ask(world) for world in Worlds(2, changes=9)]
    assert told == ["aa", "abc", "ba", "abc"]


@pytest.mark.parametrize("keeps", [True, False])
def test_defaults_are_kept_in_all_ways_or_in_none(*, keeps: bool) -> None:
    kept = []
    for world in Worlds(2, changes=9, keeps_defaults=keeps):
        kept.append(world.keeps_defaults)
        for n in range(3):
            world.choose(n, "ab")
    assert kept == [keeps] * 5


def test_where_one_parameter_is_set_the_others_are_not_the_least_of_their_lists() -> None:
    world = World([1, 1])
    assert world.choose_alone("P", "ab") == "b"
    assert not world.takes_least()
