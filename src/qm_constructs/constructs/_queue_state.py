"""What is known about a queue while an app is built: its plan, and whose its parts are."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from typing import Final

from aws_cdk import Stack
from aws_cdk.aws_batch import CfnJobQueue
from constructs import Construct

from qm_constructs.arns import Arn, parse_arn
from qm_constructs.constructs._creating import Written
from qm_constructs.constructs._identity import key_of, literal_environment, root_of
from qm_constructs.plan import QueuePlan, Resource
from qm_constructs.quota_plan import QuotaPlan
from qm_constructs.rules import Finding, judge_queue, judge_queues

KNOWN_QUEUES: Final[dict[Hashable, QueueState]] = {}
"""Each queue that this process has met, by its L1 or by what its ARN identifies."""

QUEUES_BY_NAME: Final[defaultdict[str, list[QueueState]]] = defaultdict(list)
"""The queues made here that have a literal name."""

IMPORTS_BY_NAME: Final[defaultdict[str, list[QueueState]]] = defaultdict(list)
"""The queues that were imported by a literal ARN."""

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
        self.construct: Construct | None = None
        self.environment_construct: Construct | None = None
        self.imported_into: Hashable = None
        self.made_here = False
        self.watched = False
        self.reread_environment: Callable[[], Resource] | None = None
        self.constructs: dict[Resource, Construct] = {}
        self.written: Written = {}
        self.environment: Arn | str | None = None
        self.policy: Arn | str | None = None
        self.serial = next(_SERIAL)
        self._resource: CfnJobQueue | None = None
        self._successor: QueueState | None = None
        self._place: tuple[str | None, str | None] | None = None
        self._identified = False

    def judge_with(self, shares: list[Resource]) -> list[Finding]:
        """Returns what would be wrong with the queue if it had these shares too."""
        self._reread()
        return judge_queue(self.plan.with_shares(shares))

    def planned(self) -> QuotaPlan:
        """Returns what can be told of the queue as it now is."""
        self._reread()
        return QuotaPlan.of(self.plan)

    def add(self, share: Resource, construct: Construct) -> None:
        """Counts a share that has been made."""
        self.plan.shares.append(share)
        self.constructs[share] = construct

    def made(self, construct: Construct, resource: CfnJobQueue) -> None:
        """Says that the queue itself has been made, for the shares that are made with it."""
        self.job_queue_arn = resource.ref
        self.construct = construct
        self.made_here = True
        self.constructs[self.plan.queue] = construct
        self._resource = resource

    def publish(self, imports: list[QueueState]) -> None:
        """Says that all has been made, for the shares and the queues made later.

        Args:
            imports: The imports of this queue that came before it, which now speak for it.
        """
        assert self._resource is not None
        KNOWN_QUEUES[key_of(self._resource)] = self
        name = self.plan.queue.at(("JobQueueName",))
        if isinstance(name, str):
            QUEUES_BY_NAME[name].append(self)
        for key in self._claims():
            _CLAIMS[key].append(self)
        for state in imports:
            self.constructs.update(state.constructs)
            state._successor = self

    def current(self) -> QueueState:
        """Returns the state that speaks for the queue: its own, once the queue is made here."""
        return self._successor or self

    def place(self) -> tuple[str | None, str | None]:
        """Returns the account and the Region of the queue, each None when it is not known."""
        if self._place is None:
            arn = parse_arn(self.job_queue_arn, "job-queue")
            if arn is not None:
                self._place = arn.account, arn.region
            elif self.construct is not None:
                self._place = literal_environment(self.construct)
            else:
                self._place = None, None
        return self._place

    def is_at(self, root: Hashable, arn: Arn) -> bool:
        """Tells whether an ARN with the queue's name in it is that of the queue."""
        construct = self.constructs[self.plan.queue]
        return root_of(construct) == root and self.place() == (arn.account, arn.region)

    def construct_of(self, resource: Resource) -> Construct | None:
        """Returns the construct to speak of when a resource is at fault."""
        if resource is self.plan.environment:
            return self.environment_construct or self.constructs.get(self.plan.queue)
        return self.constructs.get(resource)

    def rivals(self) -> list[QueueState]:
        """Returns the other queues that may have the same environment or policy."""
        met: dict[int, QueueState] = {}
        for key in self._claims():
            met.update((state.serial, state) for state in _CLAIMS.get(key, ()))
        met.pop(self.serial, None)
        return [met[serial] for serial in sorted(met)]

    def judge_at_synth(self) -> Iterator[Finding]:
        """Yields what only the whole app tells of this queue, its shares and its rivals."""
        self._reread()
        yield from judge_queue(self.plan)
        rivals = self.rivals()
        if rivals:
            states = sorted([*rivals, self], key=lambda state: state.serial)
            for state in states:
                state.identify()
            for finding in judge_queues([state.plan for state in states]):
                if finding.resource is self.plan.queue:
                    yield finding

    def identify(self) -> None:
        """Finds out what the literal names and ARNs of environment and policy identify."""
        if self._identified:
            return
        self._identified = True
        construct = self.constructs[self.plan.queue]
        self.plan.label = f"the queue {construct.node.path!r}"
        root, stack = root_of(construct), key_of(Stack.of(construct))
        place = self.place()
        for keys, named in (
            (self.plan.environment_keys, self.environment),
            (self.plan.policy_keys, self.policy),
        ):
            if isinstance(named, Arn):
                keys.add((root, named.account, named.region, named.name))
            elif named is not None:
                # Stacks that may be anywhere may be in two places.
                keys.add((root, *place, named) if None not in place else (stack, named))

    def _reread(self) -> None:
        if self.reread_environment is not None:
            self.plan.environment = self.reread_environment()

    def _claims(self) -> set[Hashable]:
        keys = self.plan.environment_keys | self.plan.policy_keys
        for kind, named in (("environment", self.environment), ("policy", self.policy)):
            if named is not None:
                keys = keys | {(kind, named.name if isinstance(named, Arn) else named)}
        return keys
