"""Where the check and the AWS endpoint are not of one opinion."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from qm_constructs.rules import Severity
from qm_constructs.template.judge import judge_stacks
from qm_constructs.template.stack import Stack
from tests.opinions.deployed import Deployer, Deployment, Place, Refusal, in_reverse
from tests.opinions.sayings import ENTAILED, OPEN, rules_that_say
from tests.opinions.written import Case, place_of

if TYPE_CHECKING:
    from tests.aws.endpoint import Endpoint

_ACCOUNTS = ("111122223333", "123456789012")
_REGIONS = ("us-east-1", "us-west-2", "eu-west-1", "eu-west-2", "eu-central-1")
PLACES = [Place(account, region) for account in _ACCOUNTS for region in _REGIONS]


class Opinions:
    """What both say of some templates.

    Args:
        endpoint: The endpoint, with nothing in it.
        cases: The templates; each has a name of its own.
    """

    def __init__(self, endpoint: Endpoint, cases: Sequence[Case]) -> None:
        self._deployer = Deployer(endpoint, PLACES)
        self._switches = frozenset(endpoint.turn({}))
        self._deployments = {
            case.name: Deployment(case.name, case.template, _place(case, number))
            for number, case in enumerate(cases)
        }
        assert len(self._deployments) == len(cases)
        self.errors: dict[str, set[str]] = {}
        # Of errors and warnings those that AWS has not said that it refuses.
        self.open: dict[str, set[str]] = {}
        for name, deployment in self._deployments.items():
            found = _checked(deployment)
            self.open[name] = {rule for rule, _ in found if rule in OPEN}
            self.errors[name] = {
                rule for rule, severity in found if severity is Severity.ERROR and rule not in OPEN
            }
        # By rule, what AWS said where the check said the same.
        self.agreed: defaultdict[str, set[str]] = defaultdict(set)

    def disagreements(self) -> list[str]:
        """Returns one line for each template and way in which the two are not of one opinion."""
        said = self._deployed_in_both_orders()
        told = [
            line for name in said for line in self._compared(name, self.errors[name], said[name])
        ]
        sound = [name for name in said if not self.errors[name] and not said[name]]
        return [*told, *self._where_what_is_open_is_refused(sound)]

    def _deployed_in_both_orders(self) -> dict[str, list[Refusal]]:
        said = self._deployer.refusals(self._deployments)
        made = [self._deployments[name] for name in said if not said[name]]
        reversed_ = {one.name: replace(one, template=in_reverse(one.template)) for one in made}
        return said | self._deployer.refusals(reversed_)

    def _where_what_is_open_is_refused(self, names: Iterable[str]) -> Iterator[str]:
        """Yields where a switch changes what it should not, or does not what it should."""
        by_switches: defaultdict[frozenset[str], list[str]] = defaultdict(list)
        for name in names:
            switches = {OPEN[rule] for rule in self.open[name]}
            for switch in switches:
                by_switches[frozenset({switch})].append(name)
            named = switches.union(*(ENTAILED.get(switch, ()) for switch in switches))
            by_switches[self._switches - named].append(name)
        for refused, some in by_switches.items():
            deployments = {name: self._deployments[name] for name in some}
            said = self._deployer.refusals(deployments, refused)
            which = min(refused) if len(refused) == 1 else "all that it does not name"
            how = f"where {which} is refused"
            for name, refusals in said.items():
                rules = {rule for rule in self.open[name] if OPEN[rule] in refused}
                yield from self._compared(f"{name} {how}", rules, refusals)

    def _compared(self, name: str, rules: set[str], refusals: Iterable[Refusal]) -> Iterator[str]:
        checked = ", ".join(sorted(rules)) or "nothing"
        texts = [refusal.text for refusal in refusals]
        if rules and not texts:
            yield f"{name}: the check says {checked}, AWS nothing"
        for text in texts:
            agreed = rules & rules_that_say(text)
            for rule in agreed:
                self.agreed[rule].add(text)
            if not agreed:
                yield f"{name}: the check says {checked}, AWS {text[:200]!r}"


def _place(case: Case, number: int) -> Place:
    account, region = place_of(case.template)
    fitting = [
        place
        for place in PLACES
        if account in (None, place.account) and region in (None, place.region)
    ]
    return (fitting or PLACES)[number % len(fitting or PLACES)]


def _checked(deployment: Deployment) -> set[tuple[str, Severity]]:
    account, region = deployment.place
    stack = Stack(deployment.template, "template", account=account, region=region)
    return {(found.rule.id, found.rule.severity) for found in judge_stacks([stack])}
