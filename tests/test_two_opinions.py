"""What the check says of a template, and what AWS does with it on the endpoint: one opinion.

The endpoint's rules are written from the facts about the service and share no line with the check.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from qm_constructs.rules import RULES
from tests.opinions.compared import Opinions
from tests.opinions.decisions import NEVER_REFUSED, OF_WRITTEN
from tests.opinions.generated import of_seeds
from tests.opinions.sayings import OF_CHANGES, OPEN, QUOTED
from tests.opinions.written import of_files, of_rules

if TYPE_CHECKING:
    from tests.aws.endpoint import Endpoint

pytestmark = pytest.mark.aws

SEEDS = int(os.environ.get("FUZZ_EXAMPLES", "100"))


@pytest.mark.usefixtures("aws")
def test_of_what_somebody_wrote_both_say_the_same(endpoint: Endpoint) -> None:
    cases = [*of_rules(), *of_files()]
    assert len(cases) > 400
    opinions = Opinions(endpoint, cases)
    _decided(opinions.disagreements(), OF_WRITTEN)
    assert opinions.agreed.keys() == RULES.keys() - NEVER_REFUSED
    for rule, texts in QUOTED.items():
        for text in texts:
            assert any(said.startswith(text) for said in opinions.agreed[rule]), text
    assert set(OPEN.values()) == endpoint.turn({}).keys() - OF_CHANGES


@pytest.mark.usefixtures("aws")
def test_of_what_nobody_wrote_both_say_the_same(endpoint: Endpoint) -> None:
    opinions = Opinions(endpoint, [*of_seeds(range(SEEDS))])
    assert opinions.disagreements() == []


@pytest.mark.parametrize(
    ("rule", "text"), [(rule, text) for rule, texts in QUOTED.items() for text in texts]
)
def test_the_rule_quotes_the_words_that_aws_says(rule: str, text: str) -> None:
    assert text in RULES[rule].why


def _decided(disagreements: list[str], decisions: Mapping[str, str]) -> None:
    """Sees that what differs is what was decided, and that all that was decided differs."""
    used = {
        line: [pattern for pattern in decisions if re.search(pattern, line)]
        for line in disagreements
    }
    assert [line for line, patterns in used.items() if not patterns] == []
    idle = decisions.keys() - {pattern for patterns in used.values() for pattern in patterns}
    assert idle == set(), "no longer so: these decisions can go"
