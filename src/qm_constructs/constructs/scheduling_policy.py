"""``QuotaShareSchedulingPolicy``: the policy that makes a queue one of quota management."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jsii
from aws_cdk import RemovalPolicy
from aws_cdk.aws_batch import CfnSchedulingPolicy
from aws_cdk.interfaces import ResourceEnvironment
from aws_cdk.interfaces.aws_batch import ISchedulingPolicyRef, SchedulingPolicyReference
from constructs import Construct

from qm_constructs.arguments import Arguments
from qm_constructs.constructs import _creating as creating
from qm_constructs.constructs import _references as references
from qm_constructs.plan import SCHEDULING_POLICY, Resource
from qm_constructs.rules import judge

IDLE_RESOURCE_ASSIGNMENT_STRATEGY = "FIFO"
"""The only way that AWS has of giving idle capacity to borrowing shares."""


@jsii.implements(ISchedulingPolicyRef)
class QuotaShareSchedulingPolicyBase(Construct):
    """A quota-share scheduling policy, made here or imported."""

    _id: str
    _view: Resource | None = None
    _resource: CfnSchedulingPolicy | None = None
    _arn: str | None = None

    @property
    def scheduling_policy_arn(self) -> str:
        """The policy's ARN."""
        if self._arn is None:
            assert self._resource is not None
            self._arn = self._resource.ref
        return self._arn

    @property
    def scheduling_policy_name(self) -> str:
        """The policy's name, taken from its ARN."""
        return references.name_in(self.scheduling_policy_arn, "scheduling-policy")

    @property
    def scheduling_policy_ref(self) -> SchedulingPolicyReference:
        """What CDK takes wherever it asks for an ``ISchedulingPolicyRef``."""
        return SchedulingPolicyReference(scheduling_policy_arn=self.scheduling_policy_arn)

    @property
    def env(self) -> ResourceEnvironment:
        """The account and Region of the policy."""
        arn = self.scheduling_policy_arn
        return references.environment_of(self, self._resource, arn, "scheduling-policy")

    def __repr__(self) -> str:
        return references.described(self, self._id)


class QuotaShareSchedulingPolicy(QuotaShareSchedulingPolicyBase):
    """A scheduling policy that divides a queue by quota shares.

    Args:
        scope: The construct that it belongs to.
        id: Its id within the scope.
        scheduling_policy_name: A physical name, 1 to 128 letters, digits, hyphens and underscores;
            by default CloudFormation makes one. Another name is another policy.
        removal_policy: What happens to it when it leaves the stack; by default it is deleted.
        tags: Tag keys and values, at most 50.

    Raises:
        QuotaManagementError: An argument is not one of these.

    Source: https://docs.aws.amazon.com/batch/latest/APIReference/API_CreateSchedulingPolicy.html
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        scheduling_policy_name: str | None = None,
        removal_policy: RemovalPolicy | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        arguments = Arguments(creating.call_of(self, id))
        creating.check_place(arguments, scope, id)
        creating.check_removal_policy(arguments, "removal_policy", removal_policy)
        policy = read_scheduling_policy(
            arguments, scheduling_policy_name, arguments.tags("tags", tags)
        )
        arguments.raise_faults()
        self._build(scope, id, policy, removal_policy)

    def _build(
        self, scope: Construct, id: str, policy: Resource, removal_policy: RemovalPolicy | None
    ) -> None:
        self._id = id
        self._view = policy
        with creating.placed(self, scope, id):
            self._resource = CfnSchedulingPolicy(
                self,
                "Resource",
                name=creating.rendered(policy.at(("Name",))),
                quota_share_policy=creating.rendered(policy.at(("QuotaSharePolicy",))),
                tags=creating.rendered_tags(policy.at(("Tags",))),
            )
            creating.apply_removal_policy(self._resource, removal_policy)

    @classmethod
    def _made(
        cls, scope: Construct, id: str, policy: Resource, removal_policy: RemovalPolicy | None
    ) -> QuotaShareSchedulingPolicy:
        """Makes one of which everything has been checked already."""
        made = cls.__new__(cls)
        made._build(scope, id, policy, removal_policy)
        return made

    @classmethod
    def from_scheduling_policy_arn(
        cls, scope: Construct, id: str, scheduling_policy_arn: str
    ) -> QuotaShareSchedulingPolicyBase:
        """Returns an existing quota-share scheduling policy.

        Args:
            scope: The construct that the import belongs to.
            id: Its id within the scope.
            scheduling_policy_arn: The policy's ARN, literal or token.

        Raises:
            QuotaManagementError: The text is no ARN of a scheduling policy.
        """
        return _ImportedSchedulingPolicy(scope, id, scheduling_policy_arn)


class _ImportedSchedulingPolicy(QuotaShareSchedulingPolicyBase):
    _made_by = "QuotaShareSchedulingPolicy.from_scheduling_policy_arn"

    def __init__(self, scope: Construct, id: str, scheduling_policy_arn: str) -> None:
        arguments = Arguments(creating.call_of(self, id))
        creating.check_place(arguments, scope, id)
        arn = arguments.arn("scheduling_policy_arn", scheduling_policy_arn, "scheduling-policy")
        arguments.raise_faults()
        self._id = id
        self._arn = creating.rendered(arn)
        with creating.placed(self, scope, id):
            pass


def read_scheduling_policy(arguments: Arguments, name: Any, tags: dict[str, Any]) -> Resource:
    """Returns the CloudFormation view of a quota-share policy; what is wrong becomes a fault."""
    properties: dict[str, Any] = {
        "QuotaSharePolicy": {"IdleResourceAssignmentStrategy": IDLE_RESOURCE_ASSIGNMENT_STRATEGY},
        "Tags": tags or {},
    }
    if name is not None:
        properties["Name"] = arguments.text("scheduling_policy_name", name)
    policy = Resource(SCHEDULING_POLICY, properties)
    arguments.findings(judge(policy))
    return policy
