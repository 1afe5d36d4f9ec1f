"""What is known about a queue while an app is built: its plan, and whose its parts are."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from typing import Final

from aws_cdk import Stack, Stage
from constructs import Construct

from qm_constructs.arns import Arn
from qm_constructs.constructs._creating import Written
from qm_constructs.plan import QueuePlan, Resource
from qm_constructs.rules import Finding, judge_queue, judge_queues
from qm_constructs.tokens import is_token

KNOWN_QUEUES: Final[dict[Hashable, QueueState]] = {}
"""Each queue that this process has met, by its ARN's token or by the place of an import."""

_CLAIMS: Final[defaultdict[Hashable, list[QueueState]]] = defaultdict(list)
_SERIAL: Final = itertools.count()


class QueueState:
    """A queue's plan with the constructs behind it.

    Args:
        plan: The plan, which grows as shares are added.
        job_queue_arn: The queue's ARN, literal or token.
    """

    def __init__(self, plan: QueuePlan, job_queue_arn: str = "") -> None:
        self.plan = plan
        self.job_queue_arn = job_queue_arn
        self.made_here = False
        self.watched = False
        self.reread_environment: Callable[[], Resource] | None = None
        self.constructs: dict[Resource, Construct] = {}
        self.written: Written = {}
        self.environment: Arn | str | None = None
        self.policy: Arn | str | None = None
        self.serial = next(_SERIAL)
        self._placed: tuple[set[Hashable], set[Hashable]] | None = None

    def judge_with(self, shares: list[Resource]) -> list[Finding]:
        """Returns what would be wrong with the queue if it had these shares too."""
        self._reread()
        return judge_queue(replace(self.plan, shares=[*self.plan.shares, *shares]))

    def add(self, share: Resource, construct: Construct) -> None:
        """Counts a share that has been made."""
        self.plan.shares.append(share)
        self.constructs[share] = construct

    def made(self, construct: Construct, job_queue_arn: str) -> None:
        """Says that this queue has been made, for the shares and the queues made later."""
        self.job_queue_arn = job_queue_arn
        self.made_here = True
        self.constructs[self.plan.queue] = construct
        KNOWN_QUEUES[job_queue_arn] = self
        for key in self._claims():
            _CLAIMS[key].append(self)

    def construct_of(self, resource: Resource) -> Construct | None:
        """Returns the construct to speak of when a resource is at fault."""
        if resource is self.plan.environment:
            resource = self.plan.queue
        return self.constructs.get(resource)

    def rivals(self) -> list[QueueState]:
        """Returns the queues that may have the same environment or policy, the oldest first."""
        met: dict[int, QueueState] = {}
        for key in self._claims():
            met.update((id(state), state) for state in _CLAIMS.get(key, ()))
        return [state for state in met.values() if state is not self]

    def judge_at_synth(self) -> Iterator[Finding]:
        """Yields what only the whole app tells of this queue, its shares and its rivals."""
        self._reread()
        yield from judge_queue(self.plan)
        rivals = self.rivals()
        if rivals:
            states = [*rivals, self]
            for state in states:
                state.find_place()
            made = sorted(states, key=lambda state: state.serial)
            for finding in judge_queues([state.plan for state in made]):
                if finding.resource is self.plan.queue:
                    yield finding

    def find_place(self) -> None:
        """Finds what identifies environment and policy in their account and Region."""
        if self._placed is not None:
            return
        construct = self.constructs[self.plan.queue]
        stack = Stack.of(construct)
        self.plan.label = f"the queue {construct.node.path!r}"
        root, stage = construct.node.root, Stage.of(construct)
        account, region = stack.account, stack.region

        def keys(named: Arn | str | None) -> set[Hashable]:
            if isinstance(named, Arn):
                return {(root, named.account, named.region, named.name)}
            if named is None:
                return set()
            # A stack without a literal environment is only known to be where its own stage is.
            known = not is_token(account) and not is_token(region)
            return {(root if known else stage, account, region, named)}

        self._placed = keys(self.environment), keys(self.policy)
        self.plan.environment_keys |= self._placed[0]
        self.plan.policy_keys |= self._placed[1]

    def _reread(self) -> None:
        if self.reread_environment is not None:
            self.plan.environment = self.reread_environment()

    def _claims(self) -> set[Hashable]:
        keys = self.plan.environment_keys | self.plan.policy_keys
        for kind, named in (("environment", self.environment), ("policy", self.policy)):
            if named is not None:
                keys = keys | {(kind, named.name if isinstance(named, Arn) else named)}
        return keys
