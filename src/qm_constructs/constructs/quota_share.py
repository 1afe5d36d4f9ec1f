"""``QuotaShare``: one team's part of a queue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import jsii
from aws_cdk import RemovalPolicy
from aws_cdk.aws_batch import CfnQuotaShare
from aws_cdk.interfaces import ResourceEnvironment
from aws_cdk.interfaces.aws_batch import IJobQueueRef, IQuotaShareRef, QuotaShareReference
from constructs import Construct

from qm_constructs.arguments import NOT_KNOWN, Arguments, argument_behind, source_of
from qm_constructs.constructs import _creating as creating
from qm_constructs.constructs import _references as references
from qm_constructs.constructs._given import given_queue
from qm_constructs.constructs._identity import check_same_place
from qm_constructs.constructs._queue_state import QueueState
from qm_constructs.constructs._validation import watch
from qm_constructs.errors import shown
from qm_constructs.explaining import Explanation
from qm_constructs.plan import JOB_QUEUE, QUOTA_SHARE, Resource, UnknownArn
from qm_constructs.quota_plan import PlannedShare
from qm_constructs.resource_sharing import ResourceSharing, read_resource_sharing
from qm_constructs.rules import Finding, judge

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

    Source: https://docs.aws.amazon.com/batch/latest/userguide/create-quota-shares.html
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
        properties = read_quota_share(
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
        creating.check_literal_name(arguments, properties)
        arguments.findings(judge(Resource(QUOTA_SHARE, properties)), _argument_of("name"))
        arguments.raise_faults()
        self._properties = properties
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

    Removing or renaming a share ends its jobs. Lowering its limits makes its running jobs
    above them eligible for preemption.

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

    Source: https://docs.aws.amazon.com/batch/latest/userguide/quota-shares.html
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
        with creating.asking_cdk(arguments, scope):
            queue = None
            if not arguments.faults_of("scope"):
                queue = given_queue(arguments, scope, job_queue)
            state, arn = queue or (None, "")
            checked = check_share(
                arguments,
                "quota_share_name",
                scope,
                state,
                properties,
                job_queue_arn=arn,
                removal_policy=removal_policy,
            )
        arguments.raise_faults()
        assert state is not None
        self._build(scope, id, state, checked)

    def _build(self, scope: Construct, id: str, state: QueueState, checked: CheckedShare) -> None:
        share = checked.share
        self._id = id
        self._view = share
        self._state = state
        with creating.placed(self, scope, id):
            self._resource = CfnQuotaShare(
                self,
                "Resource",
                capacity_limits=creating.rendered(share.at(("CapacityLimits",))),
                job_queue=checked.job_queue_arn or state.job_queue_arn,
                preemption_configuration=creating.rendered(share.at(("PreemptionConfiguration",))),
                quota_share_name=creating.rendered(share.at(("QuotaShareName",))),
                resource_sharing_configuration=creating.rendered(
                    share.at(("ResourceSharingConfiguration",))
                ),
                state=share.at(("State",)),
                tags=creating.rendered_tags(share.at(("Tags",))),
            )
            creating.apply_removal_policy(self._resource, checked.removal_policy)
            creating.warn(self, checked.of_the_share)
            if not state.made_here:
                # Nothing more will be known of a queue that is made elsewhere.
                creating.warn(self, [f for f in checked.of_the_queue if f.resource is share])
            elif checked.of_the_queue:
                watch(state)
            state.add(share, self)

    @classmethod
    def _made(cls, scope: Construct, state: QueueState, checked: CheckedShare) -> QuotaShare:
        """Makes a share of which everything has been checked already."""
        made = cls.__new__(cls)
        name = checked.share.at(("QuotaShareName",))
        made._build(scope, f"QuotaShare-{name}", state, checked)
        return made

    @property
    def capacity_limits(self) -> Mapping[str, int | float]:
        """How many instances of each type are the share's own."""
        limits = self._view.capacity_limits
        return {source_of(limit.unit): source_of(limit.max_capacity) for limit in limits}

    def largest_job(self, instance_type: str) -> int | None:
        """Returns the most instances that one job of the share can have, as the queue now is.

        Args:
            instance_type: A SageMaker instance type, such as ``ml.p5.48xlarge``.

        Returns:
            Whole instances, 0 or more; None when it is not known before the deploy.

        Raises:
            QuotaManagementError: There is no such instance type.

        Source: https://docs.aws.amazon.com/batch/latest/userguide/sm_job_stuck_in_runnable_misconfiguration.html
        """
        return self._planned().largest_job(instance_type)

    def explain(self, instance_type: str, count: int) -> Explanation:
        """Returns whether a job of the share can ever run, and why, as the queue now is.

        Args:
            instance_type: A SageMaker instance type, such as ``ml.p5.48xlarge``.
            count: How many instances the job asks for, a whole number from 1 to 2147483647.

        Raises:
            QuotaManagementError: There is no such instance type, or the count is no such number.

        Source: https://docs.aws.amazon.com/batch/latest/userguide/sm_job_stuck_in_runnable_misconfiguration.html
        """
        return self._planned().explain(instance_type, count)

    def _planned(self) -> PlannedShare:
        return self._state.current().planned().share_of(self._view)

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
    _made_by = "QuotaShare.from_quota_share_arn"

    def __init__(self, scope: Construct, id: str, quota_share_arn: str) -> None:
        arguments = Arguments(creating.call_of(self, id))
        creating.check_place(arguments, scope, id)
        arn = arguments.arn("quota_share_arn", quota_share_arn, "quota-share")
        arguments.raise_faults()
        self._id = id
        self._arn = creating.rendered(arn)
        with creating.placed(self, scope, id):
            pass


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
        "JobQueue": NOT_KNOWN,
    }
    creating.check_removal_policy(arguments, "removal_policy", removal_policy)
    return properties


@dataclass(frozen=True)
class CheckedShare:
    """A share that may be made.

    Args:
        share: The share.
        removal_policy: Its removal policy.
        job_queue_arn: The ARN of its queue as it was given; empty for a queue not made yet.
        of_the_share: What is odd about it by itself.
        of_the_queue: What is odd about its queue once it has the share.
    """

    share: Resource
    removal_policy: RemovalPolicy | None
    job_queue_arn: str
    of_the_share: list[Finding]
    of_the_queue: list[Finding]


def check_share(
    arguments: Arguments,
    name_argument: str,
    scope: Construct,
    state: QueueState | None,
    properties: Mapping[str, Any],
    *,
    job_queue_arn: str,
    removal_policy: RemovalPolicy | None,
    tags: Mapping[str, Any] | None = None,
) -> CheckedShare:
    """Keeps a fault for all that is wrong with a share and that it would bring into its queue."""
    share = share_of(properties, tags)
    of_the_share = judge(share)
    arguments.findings(of_the_share, _argument_of(name_argument))
    of_the_queue: list[Finding] = []
    if state is not None:
        of_the_queue = state.judge_with([share])
        its_own = [finding for finding in of_the_queue if finding.resource is share]
        arguments.findings(its_own, _argument_of(name_argument))
        if not arguments.faults and scope is not state.construct:
            account, region = state.place()
            queue = UnknownArn(job_queue_arn, account=account, region=region)
            placed = Resource(QUOTA_SHARE, {"JobQueue": queue})
            check_same_place(arguments, scope, Resource(JOB_QUEUE, {}), [placed])
    return CheckedShare(share, removal_policy, job_queue_arn, of_the_share, of_the_queue)


def share_of(properties: Mapping[str, Any], tags: Mapping[str, Any] | None = None) -> Resource:
    """Returns a share as a resource, with the tags that its queue hands down."""
    return Resource(QUOTA_SHARE, {**properties, "Tags": {**(tags or {}), **properties["Tags"]}})


def _argument_of(name_argument: str) -> Any:
    return partial(argument_behind, renamed={"QuotaShareName": name_argument})
