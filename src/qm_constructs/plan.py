"""What a queue promises: its environment's capacity limits and the quota shares that divide them.

Everything here is the CloudFormation view of a resource: property names and nesting as in a
template, whoever wrote it. A value that is known only at deploy time is an ``Unknown``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeGuard

SCHEDULING_POLICY: Final = "AWS::Batch::SchedulingPolicy"
SERVICE_ENVIRONMENT: Final = "AWS::Batch::ServiceEnvironment"
JOB_QUEUE: Final = "AWS::Batch::JobQueue"
QUOTA_SHARE: Final = "AWS::Batch::QuotaShare"

SAGEMAKER_TRAINING: Final = "SAGEMAKER_TRAINING"
"""The only job queue type and service environment type of quota management."""

INSTANCE_TYPE_PREFIX: Final = "ml."
"""What the capacity units of quota management start with: SageMaker's instance types."""

RESERVE: Final = "RESERVE"
LEND: Final = "LEND"
LEND_AND_BORROW: Final = "LEND_AND_BORROW"
STRATEGIES: Final = (RESERVE, LEND, LEND_AND_BORROW)
LENDING_STRATEGIES: Final = (LEND, LEND_AND_BORROW)

UNLIMITED: Final = -1
"""The borrow limit that sets none, which is also what a share without one has."""

MAX_INTEGER: Final = 2**31 - 1
"""The most that a number of the AWS Batch API can be (botocore model, shape Integer)."""

Path = tuple[str | int, ...]
"""Where a property stands in a resource, such as ``("CapacityLimits", 0, "CapacityUnit")``."""

_PLAIN_KEY: Final = re.compile(r"[\w:$-]+")


def readable(path: Path) -> str:
    """Returns a path as people write it: ``CapacityLimits[0].CapacityUnit``."""
    steps = path[1:] if len(path) > 1 and path[0] == "Properties" else path
    return "".join(map(_step, steps)).removeprefix(".")


def _step(step: str | int) -> str:
    if isinstance(step, str) and _PLAIN_KEY.fullmatch(step):
        return f".{step}"
    return f"[{step!r}]"


STRATEGY: Final[Path] = ("ResourceSharingConfiguration", "Strategy")
ENVIRONMENT: Final[Path] = ("ServiceEnvironmentOrder", 0, "ServiceEnvironment")
BORROW_LIMIT: Final[Path] = ("ResourceSharingConfiguration", "BorrowLimit")


class Unknown:
    """A value that only the deploy knows; two of them are never known to be equal.

    Args:
        source: What stands for the value: a CDK token, or an intrinsic function of a template.
    """

    def __init__(self, source: Any) -> None:
        self.source = source


class UnknownText(Unknown):
    """A text of which some parts are known; two of the same parts are the same text.

    Args:
        source: What stands for the text.
        parts: Literal text, and between it whatever identifies a part that is not known.
        options: The texts of which it is one; empty where it may be any.
        least: The number that it is at least; None where it may be any.
        most: The number that it is at most; None where it may be any.
    """

    def __init__(
        self,
        source: Any,
        parts: tuple[Hashable, ...] = (),
        options: tuple[Any, ...] = (),
        least: int | None = None,
        most: int | None = None,
    ) -> None:
        super().__init__(source)
        self.parts = parts
        self.options = options
        self.least = least
        self.most = most

    @property
    def literals(self) -> str:
        """What is known of the text."""
        return "".join(part for part in self.parts if isinstance(part, str))


class UnknownList(UnknownText):
    """A list of which nothing is known, and what stands for it."""


class UnknownNumber(Unknown):
    """An ``Unknown`` in the place of a number."""


class UnknownArn(UnknownText):
    """An ``UnknownText`` in the place of an ARN, of a resource whose place may be known.

    Args:
        source: What stands for the ARN.
        parts: What is known of it.
        account: The account that the resource is in; None when it is not known.
        region: The Region that the resource is in; None when it is not known.
        kind: The kind of resource, such as ``job-queue``, or the CloudFormation type of one that
            AWS Batch does not name by ARN here; None when it is not known.
        partition: The partition in the ARN; None when it is not known.
    """

    def __init__(
        self,
        source: Any,
        parts: tuple[Hashable, ...] = (),
        *,
        account: str | None = None,
        region: str | None = None,
        kind: str | None = None,
        partition: str | None = None,
    ) -> None:
        super().__init__(source, parts)
        self.account = account
        self.region = region
        self.kind = kind
        self.partition = partition


def is_whole_number(value: object) -> TypeGuard[int]:
    """Tells whether a value is a whole number, which True and False are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def text_key(value: object) -> Hashable:
    """Returns what two values have in common when they are the same text; None for no text."""
    if isinstance(value, UnknownText):
        return value.parts or None
    return (value,) if isinstance(value, str) else None


class CapacityLimit(NamedTuple):
    """One capacity limit of a service environment or a quota share.

    Args:
        place: Its place in the resource's ``CapacityLimits``.
        unit: The capacity unit, a SageMaker instance type.
        max_capacity: How many instances.
    """

    place: int
    unit: str | Unknown
    max_capacity: int | Unknown


class Asked(NamedTuple):
    """An attribute that a property asks for: of one of the four types, or of nothing there is.

    Args:
        path: Where it stands in the properties, with the functions on its way.
        resource: The logical id of the resource that it is an attribute of.
        type: The CloudFormation type of that resource; None where there is none of the id.
        attribute: The attribute; empty for ``Ref``, and where it does not matter.
        near: An id of the template that is spelt much like one that it lacks; empty for none.
        is_absent: The resource has a condition, which does not hold.
        what: It is no attribute, but a "condition" or a "map" that the template lacks, or a "key"
            of the map or an "output" of the nested stack in the place of the attribute; empty
            otherwise.
    """

    path: Path
    resource: str
    type: str | None
    attribute: str = ""
    near: str = ""
    is_absent: bool = False
    what: str = ""


class Given(NamedTuple):
    """What a function is given where something of another kind belongs.

    Args:
        shown: It as people write it, such as ``!Ref Teams``.
        is_list: It is a list where a text belongs; a text where a list belongs, if not.
    """

    shown: str
    is_list: bool


class Miswritten(NamedTuple):
    """An intrinsic function that a property holds, and that CloudFormation does not take.

    Args:
        path: Where it stands in the properties, with the functions on its way.
        function: The function, such as ``Fn::GetAtt``.
        resource: The logical id of the resource that it asks an attribute of; empty for none.
        type: The CloudFormation type of that resource; None where there is none.
        argument: What the function is given.
        beside: Another key of the map that holds it, which is to be alone there; empty for none.
        given: What it is given of another kind than it takes; None where that is not the fault.
    """

    path: Path
    function: str
    resource: str = ""
    type: str | None = None
    argument: Any = None
    beside: str = ""
    given: Given | None = None


# The account, the Region and the partition, None where they are not known.
WholePlace = tuple[str | None, str | None, str | None]
_NONE_FROM_STACK: Final[Mapping[Path, tuple[bool, bool, bool]]] = {}


class Resource:
    """One resource as CloudFormation sees it.

    Args:
        type: The CloudFormation type, such as ``AWS::Batch::QuotaShare``.
        properties: Its properties, named and nested as in a template.
        asked: What its properties ask of others, and the functions that are not well written.
        id: Its logical id; None where it is of no template.
        label: How messages name it.
        place: The account, the Region and the partition in which alone it is there, by its
            conditions; None where they tell nothing.
        from_stack: By property, whether the ARN there takes the account, the Region and the
            partition from the stack itself; left out where it takes none.
        is_one_region_of_several: Whether the template's own rules let it be in other Regions than
            the one that is looked at.
    """

    def __init__(
        self,
        type: str,
        properties: Mapping[str, Any],
        asked: tuple[Asked | Miswritten, ...] = (),
        id: str | None = None,
        *,
        label: str = "",
        place: WholePlace = (None, None, None),
        from_stack: Mapping[Path, tuple[bool, bool, bool]] = _NONE_FROM_STACK,
        is_one_region_of_several: bool = False,
    ) -> None:
        self.type: Final = type
        self.properties: Final = properties
        self.asked: Final = asked
        self.id: Final = id
        self.label: Final = label
        self.place: Final = place
        self.from_stack: Final = from_stack
        self.is_one_region_of_several: Final = is_one_region_of_several

    def at(self, path: Path) -> Any:
        """Returns the value at a path, or None where the path leads nowhere."""
        value: Any = self.properties
        try:
            for step in path:
                value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
        return value

    @cached_property
    def capacity_limits(self) -> tuple[CapacityLimit, ...]:
        """The capacity limits of a service environment or a quota share, as far as they are any."""
        entries = self.at(("CapacityLimits",))
        return tuple(_limits_in(entries) if isinstance(entries, list) else ())


def _limits_in(entries: Iterable[Any]) -> Iterator[CapacityLimit]:
    for index, entry in enumerate(entries):
        # An entry that is not known may be of any unit.
        known = entry if isinstance(entry, dict) else {}
        unit, most = known.get("CapacityUnit"), known.get("MaxCapacity")
        yield CapacityLimit(
            index,
            unit if isinstance(unit, str | Unknown) else Unknown(unit),
            most if is_whole_number(most) or isinstance(most, Unknown) else Unknown(most),
        )


class QueuePlan:
    """A queue with everything that is judged together with it.

    Args:
        queue: The job queue; its properties are empty when it is made elsewhere.
        label: How messages name the queue.
        environment: Its service environment; None when its capacity limits are not known.
        policy: Its scheduling policy; None when its kind is not known.
        shares: Its quota shares, in the order in which they were made.
        complete: False when shares that are not listed here may exist (an imported queue).
        quota_management: False when it is not known to be a queue of quota management.
        account: The account that the queue is deployed to; None when it is not known.
        region: The Region that the queue is deployed to; None when it is not known.
        environment_keys: What identifies the environment: two queues with a key in common share it.
        policy_keys: What identifies the policy, likewise.
        places: The account and the Region that a share is deployed to, where not the queue's own.
        not_awaited: The resources that name another one which CloudFormation may not have made
            yet, with the property that names it.
        spelt_ids: The resources that give the logical id of another one where AWS Batch looks for a
            name, with the property and the id.
        in_outputs: Whether an output of the template tells the queue, so that a share in a template
            which nests this one may name it.
    """

    def __init__(
        self,
        queue: Resource,
        label: str = "this queue",
        *,
        environment: Resource | None = None,
        policy: Resource | None = None,
        shares: Iterable[Resource] = (),
        complete: bool = True,
        quota_management: bool = True,
        account: str | None = None,
        region: str | None = None,
        environment_keys: Iterable[Hashable] = (),
        policy_keys: Iterable[Hashable] = (),
        places: Mapping[Resource, tuple[str | None, str | None]] | None = None,
        not_awaited: Iterable[tuple[Resource, Path]] = (),
        spelt_ids: Iterable[tuple[Resource, Path, str]] = (),
        in_outputs: bool = False,
    ) -> None:
        self.queue = queue
        self.label = label
        self.environment = environment
        self.policy = policy
        self.shares = [*shares]
        self.complete = complete
        self.quota_management = quota_management
        self.account = account
        self.region = region
        self.environment_keys = {*environment_keys}
        self.policy_keys = {*policy_keys}
        self.places = {**(places or {})}
        self.not_awaited = [*not_awaited]
        self.spelt_ids = [*spelt_ids]
        self.in_outputs = in_outputs

    def with_shares(self, shares: Iterable[Resource]) -> QueuePlan:
        """Returns the same plan with more quota shares.

        Args:
            shares: What it has besides.
        """
        plan = copy(self)
        plan.shares = [*self.shares, *shares]
        return plan

    def without_environment(self) -> QueuePlan:
        """Returns the same plan, of which the service environment is not known."""
        plan = copy(self)
        plan.environment = None
        return plan


def sharing(
    plans: Sequence[QueuePlan], keys: Callable[[QueuePlan], set[Hashable]]
) -> Iterator[tuple[QueuePlan, QueuePlan]]:
    """Yields each queue that has a key in common with an earlier one, with that earlier one.

    Args:
        plans: The queues, in the order in which they were made.
        keys: What identifies the thing that two queues may share.
    """
    first_with: dict[Hashable, int] = {}
    for index, plan in enumerate(plans):
        earlier = [first_with.setdefault(key, index) for key in keys(plan)]
        if earlier and min(earlier) < index:
            yield plan, plans[min(earlier)]
