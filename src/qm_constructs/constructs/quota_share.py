"""``QuotaShare``: one team's part of a queue."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import jsii
from aws_cdk import RemovalPolicy
from aws_cdk.aws_batch import CfnQuotaShare
from aws_cdk.interfaces import ResourceEnvironment
from aws_cdk.interfaces.aws_batch import IJobQueueRef, IQuotaShareRef, QuotaShareReference
from constructs import Construct

from qm_constructs.arguments import Arguments, argument_behind, source_of
from qm_constructs.arns import parse_arn
from qm_constructs.constructs import _creating as creating
from qm_constructs.constructs import _references as references
from qm_constructs.constructs._given import given_queue
from qm_constructs.constructs._queue_state import QueueState
from qm_constructs.constructs._validation import QueueValidation
from qm_constructs.errors import shown
from qm_constructs.plan import QUOTA_SHARE, Resource, Unknown, capacity_limits
from qm_constructs.resource_sharing import ResourceSharing, read_resource_sharing
from qm_constructs.rules import judge
from qm_constructs.tokens import is_token

LEND: Final = ResourceSharing.lend()
"""The resource sharing of a share that asks for no other."""


class QuotaShareOptions:
    """A quota share to be made together with its queue, as ``add_quota_share`` would make it.

    Args:
        name: The share's name, literal, 1 to 128 letters, digits, hyphens and underscores.
        capacity_limits: How many instances of each type are the share's own: 1 to 5 types of 1
            instance or more, each a type of the queue's service environment.
        resource_sharing: What happens to idle capacity; ``ResourceSharing.lend()`` by default.
        in_share_preemption: Whether a job may stop a running one of lower priority in the same
            share; False by default.
        enabled: Whether jobs may be submitted; True by default.
        removal_policy: What happens to the share when it leaves the stack; by default what the
            queue was given.
        tags: Tag keys and values, at most 50 together with the queue's.

    Raises:
        QuotaManagementError: An argument is not one of these.

    Source: QS-01 to QS-18; https://docs.aws.amazon.com/batch/latest/userguide/create-quota-shares.html
    """

    def __init__(
        self,
        name: str,
        *,
        capacity_limits: Mapping[str, int | float],
        resource_sharing: ResourceSharing = LEND,
        in_share_preemption: bool = False,
        enabled: bool = True,
        removal_policy: RemovalPolicy | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        arguments = Arguments(f"QuotaShareOptions({shown(name)})")
        self._properties = read_quota_share(
            arguments,
            "name",
            name=name,
            capacity_limits=capacity_limits,
            resource_sharing=resource_sharing,
            in_share_preemption=in_share_preemption,
            enabled=enabled,
            removal_policy=removal_policy,
            tags=tags,
        )
        check_literal_name(arguments, self._properties)
        arguments.raise_faults()
        self._removal_policy = removal_policy

    def __repr__(self) -> str:
        return f"<QuotaShareOptions {self._properties['QuotaShareName']!r}>"


@jsii.implements(IQuotaShareRef)
class QuotaShareBase(Construct):
    """A quota share, made here or imported."""

    _id: str
    _resource: CfnQuotaShare | None = None
    _arn: str | None = None

    @property
    def quota_share_arn(self) -> str:
        """The share's ARN, which is its queue's with ``/quota-share/`` and its name."""
        if self._arn is None:
            assert self._resource is not None
            self._arn = self._resource.ref
        return self._arn

    @property
    def quota_share_name(self) -> str:
        """The share's name, taken from its ARN, so that a reference carries the dependency."""
        return references.name_in(self.quota_share_arn, "quota-share")

    @property
    def quota_share_ref(self) -> QuotaShareReference:
        """What CDK takes wherever it asks for an ``IQuotaShareRef``."""
        return QuotaShareReference(quota_share_arn=self.quota_share_arn)

    @property
    def env(self) -> ResourceEnvironment:
        """The account and Region of the share."""
        arn = self.quota_share_arn
        return references.environment_of(self, self._resource, arn, "quota-share")

    def __repr__(self) -> str:
        return references.described(self, self._id)


class QuotaShare(QuotaShareBase):
    """One team's part of a queue: capacity that is its own, and what it lends and borrows.

    Removing or renaming a share ends its jobs (DE-01). Lowering its limits makes its running jobs
    above them eligible for preemption (UP-07).

    Args:
        scope: The construct that it belongs to, in any stack of the queue's account and Region.
        id: Its id within the scope.
        job_queue: A queue of quota management: one of this library, any ``IJobQueueRef``, or an
            ARN.
        quota_share_name: The share's name, unique within the queue, literal or token, 1 to 128
            letters, digits, hyphens and underscores. Another name is another share.
        capacity_limits: How many instances of each type are the share's own: 1 to 5 types of 1
            instance or more, each a type of the queue's service environment.
        resource_sharing: What happens to idle capacity; ``ResourceSharing.lend()`` by default.
        in_share_preemption: Whether a job may stop a running one of lower priority in the same
            share; False by default.
        enabled: Whether jobs may be submitted; True by default. Jobs that were submitted before
            finish all the same.
        removal_policy: What happens to it when it leaves the stack; by default it is deleted.
        tags: Tag keys and values, at most 50.

    Raises:
        QuotaManagementError: An argument is not one of these, or the queue cannot have the share:
            its name is taken, it would be the 21st, or the environment lacks one of its types.

    Source: QS-01 to QS-20; https://docs.aws.amazon.com/batch/latest/userguide/quota-shares.html
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        job_queue: IJobQueueRef | str,
        quota_share_name: str,
        capacity_limits: Mapping[str, int | float],
        resource_sharing: ResourceSharing = LEND,
        in_share_preemption: bool = False,
        enabled: bool = True,
        removal_policy: RemovalPolicy | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        arguments = Arguments(creating.call_of(self, id))
        creating.check_place(arguments, scope, id)
        properties = read_quota_share(
            arguments,
            "quota_share_name",
            name=quota_share_name,
            capacity_limits=capacity_limits,
            resource_sharing=resource_sharing,
            in_share_preemption=in_share_preemption,
            enabled=enabled,
            removal_policy=removal_policy,
            tags=tags,
        )
        arguments.given["job_queue"] = job_queue
        state = None
        if isinstance(scope, Construct):
            state = given_queue(arguments, scope, job_queue)
        share = Resource(QUOTA_SHARE, properties)
        if state is not None:
            share = share_of(state, properties)
            check_share(arguments, "quota_share_name", scope, state, share)
        arguments.raise_faults()
        assert state is not None
        self._build(scope, id, state, share, removal_policy)

    def _build(
        self,
        scope: Construct,
        id: str,
        state: QueueState,
        share: Resource,
        removal_policy: RemovalPolicy | None,
    ) -> None:
        self._id = id
        self._view = share
        creating.create(self, scope, id)
        self._resource = CfnQuotaShare(
            self,
            "Resource",
            capacity_limits=creating.rendered(share.at(("CapacityLimits",))),
            job_queue=state.job_queue_arn,
            preemption_configuration=creating.rendered(share.at(("PreemptionConfiguration",))),
            quota_share_name=creating.rendered(share.at(("QuotaShareName",))),
            resource_sharing_configuration=creating.rendered(
                share.at(("ResourceSharingConfiguration",))
            ),
            state=share.at(("State",)),
            tags=creating.rendered_tags(share.at(("Tags",))),
        )
        creating.apply_removal_policy(self._resource, removal_policy)
        state.add(share, self)
        creating.warn(self, judge(share))
        if not state.judges_itself:
            self.node.add_validation(QueueValidation(state, only=share))

    @classmethod
    def _made(
        cls,
        scope: Construct,
        state: QueueState,
        share: Resource,
        removal_policy: RemovalPolicy | None,
    ) -> QuotaShare:
        """Makes a share of which everything has been checked already."""
        made = cls.__new__(cls)
        made._build(
            scope, f"QuotaShare-{share.at(('QuotaShareName',))}", state, share, removal_policy
        )
        return made

    @property
    def capacity_limits(self) -> Mapping[str, int | float]:
        """How many instances of each type are the share's own."""
        limits = capacity_limits(self._view)
        return {source_of(limit.unit): source_of(limit.max_capacity) for limit in limits}

    @classmethod
    def from_quota_share_arn(
        cls, scope: Construct, id: str, quota_share_arn: str
    ) -> QuotaShareBase:
        """Returns an existing quota share.

        Args:
            scope: The construct that the import belongs to.
            id: Its id within the scope.
            quota_share_arn: The share's ARN, literal or token.

        Raises:
            QuotaManagementError: The text is no ARN of a quota share.
        """
        return _ImportedQuotaShare(scope, id, quota_share_arn)


class _ImportedQuotaShare(QuotaShareBase):
    def __init__(self, scope: Construct, id: str, quota_share_arn: str) -> None:
        arguments = Arguments(f"QuotaShare.from_quota_share_arn {shown(id)}")
        creating.check_place(arguments, scope, id)
        arn = arguments.arn("quota_share_arn", quota_share_arn, "quota-share")
        arguments.raise_faults()
        self._id = id
        self._arn = creating.rendered(arn)
        creating.create(self, scope, id)


def read_quota_share(
    arguments: Arguments,
    name_argument: str,
    *,
    name: Any,
    capacity_limits: Any,
    resource_sharing: Any,
    in_share_preemption: Any,
    enabled: Any,
    removal_policy: Any,
    tags: Any,
) -> dict[str, Any]:
    """Returns a share's properties in the CloudFormation view; what is wrong becomes a fault."""
    properties = {
        "QuotaShareName": arguments.text(name_argument, name),
        "CapacityLimits": arguments.capacity_limits("capacity_limits", capacity_limits),
        "ResourceSharingConfiguration": read_resource_sharing(
            arguments, "resource_sharing", resource_sharing
        ),
        "PreemptionConfiguration": {
            "InSharePreemption": creating.state(
                arguments.boolean("in_share_preemption", in_share_preemption)
            )
        },
        "State": creating.state(arguments.boolean("enabled", enabled)),
        "Tags": arguments.tags("tags", tags),
    }
    creating.check_removal_policy(arguments, "removal_policy", removal_policy)
    arguments.findings(
        judge(Resource(QUOTA_SHARE, properties)), argument_of=_argument_of(name_argument)
    )
    return properties


def check_literal_name(arguments: Arguments, properties: Mapping[str, Any]) -> None:
    """Keeps a fault for a name that is a token, where the construct's id is made of it."""
    name = properties["QuotaShareName"]
    if isinstance(name, Unknown) and is_token(name.source):
        arguments.fault(
            "name",
            name.source,
            "This name is literal text, because the construct's id is made of it.",
            "Make the share with QuotaShare(..., quota_share_name=...), which takes a token.",
        )


def share_of(
    state: QueueState, properties: Mapping[str, Any], tags: Mapping[str, Any] | None = None
) -> Resource:
    """Returns a share as a resource of its queue, with the tags that the queue hands down."""
    arn = state.job_queue_arn
    return Resource(
        QUOTA_SHARE,
        {
            **properties,
            "JobQueue": Unknown(arn) if is_token(arn) else arn,
            "Tags": {**(tags or {}), **properties["Tags"]},
        },
    )


def check_share(
    arguments: Arguments, name_argument: str, scope: Construct, state: QueueState, share: Resource
) -> None:
    """Keeps a fault for all that a share would bring into its queue."""
    if parse_arn(state.job_queue_arn, "job-queue"):
        state.plan.account, state.plan.region = creating.literal_environment(scope)
    arguments.findings(state.judge_new_shares([share]), _argument_of(name_argument))
    arguments.findings(judge(share), _argument_of(name_argument))


def _argument_of(name_argument: str) -> Any:
    return partial(argument_behind, renamed={"QuotaShareName": name_argument})
