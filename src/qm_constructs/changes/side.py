"""What is compared: the resources of the four types before a change, and those after it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from qm_constructs.plan import QUOTA_SHARE, QueuePlan, Resource
from qm_constructs.schema import NAME_PROPERTY

Key = tuple[int, str]
"""A resource: its stack, by a number that is the same before and after, and its logical id."""

RETAINING: Final = ("Retain", "RetainExceptOnCreate")


@dataclass(frozen=True)
class Reference:
    """What a property names.

    Args:
        target: What identifies it: the ``Key`` of a resource of the same side, or its name.
        by_name: Whether it is named by its name alone, not by its ARN.
        is_known: Whether the name is known, and not only the expression that stands for it.
        is_here: Whether the place in an ARN is known to be that of the stack.
    """

    target: Hashable
    by_name: bool = False
    is_known: bool = True
    is_here: bool = True


@dataclass(eq=False)
class Deployed:
    """One resource of the four types.

    Args:
        key: Its stack and its logical id.
        resource: The resource as CloudFormation sees it.
        stack: The name of its stack, at the top where it is nested; None when it is not known.
        nested: The logical ids of the nested stacks that it is in, from the outside.
        place: The account and the Region that it is deployed to, each None when it is not known.
        references: What its properties name.
        deletion_policy: Its DeletionPolicy.
        replace_policy: Its UpdateReplacePolicy.
        condition: What decides whether it is there; None where that is known.
        stack_is_kept: Whether a nested stack around it is retained when it is taken out.
        line: Returns the line in the file, from 1; None when it is not known.
        defaults: Returns the parameters behind a property, each with its default.
        written: Returns how a quotas file writes a property; None for a template.
    """

    key: Key
    resource: Resource
    stack: str | None = None
    nested: tuple[str, ...] = ()
    place: tuple[str | None, str | None] = (None, None)
    references: Mapping[str, Reference] = field(default_factory=dict)
    deletion_policy: Any = None
    replace_policy: Any = None
    condition: Hashable = None
    stack_is_kept: bool = False
    line: Callable[[], int | None] = lambda: None
    defaults: Callable[[str], Mapping[str, Any]] = lambda _: {}
    written: Callable[[str], str] | None = None

    @property
    def id(self) -> str:
        """Its logical id."""
        return self.key[1]

    @property
    def type(self) -> str:
        """Its CloudFormation type."""
        return self.resource.type

    @property
    def name(self) -> Any:
        """The name that the template gives it; None where it gives none."""
        return self.resource.at((NAME_PROPERTY[self.type],))

    @property
    def share(self) -> str | None:
        """The name of a share as far as it is known, its logical id otherwise; None for others."""
        if self.type != QUOTA_SHARE:
            return None
        return self.name if isinstance(self.name, str) else self.id


@dataclass(eq=False)
class Side:
    """All resources of the four types, before a change or after it.

    Args:
        deployed: The resources by their key, in the order of the templates.
        plans: The queues, each with what belongs to it.
        stacks: The stacks that there are, by number.
        root_of: By stack, the stack that it is nested in at the top; itself where it is not nested.
        type_of: Returns the type of any resource of the templates: empty where it has none, None
            where there is no such resource.
        file_of: By stack, the file of its template.
        defaults_of: Returns the parameters behind the condition of a resource, there or not, each
            with its default.
        awaits: By stack, those that the app has deployed before it.
    """

    deployed: dict[Key, Deployed]
    plans: list[QueuePlan]
    stacks: frozenset[int]
    root_of: Mapping[int, int]
    type_of: Callable[[Key], str | None]
    file_of: Mapping[int, str]
    defaults_of: Callable[[Key], Mapping[str, Any]] = lambda _: {}
    awaits: Mapping[int, AbstractSet[int]] = field(default_factory=dict)

    @cached_property
    def of_resource(self) -> dict[Resource, Deployed]:
        """What is known of each resource of the plans."""
        return {deployed.resource: deployed for deployed in self.deployed.values()}

    @cached_property
    def plan_of(self) -> dict[Resource, QueuePlan]:
        """The plan of each queue and each share."""
        found: dict[Resource, QueuePlan] = {}
        for plan in self.plans:
            found[plan.queue] = plan
            found.update(dict.fromkeys(plan.shares, plan))
        return found

    @cached_property
    def plans_on(self) -> dict[Resource, list[QueuePlan]]:
        """The queues on each service environment."""
        found: dict[Resource, list[QueuePlan]] = {}
        for plan in self.plans:
            if plan.environment is not None:
                found.setdefault(plan.environment, []).append(plan)
        return found
