"""``QuotaManagedTrainingQueue``: a queue of SageMaker Training jobs that teams divide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import jsii
from aws_cdk import RemovalPolicy
from aws_cdk.aws_batch import CfnJobQueue, CfnSchedulingPolicy
from aws_cdk.interfaces import ResourceEnvironment
from aws_cdk.interfaces.aws_batch import (
    IJobQueueRef,
    ISchedulingPolicyRef,
    IServiceEnvironmentRef,
    JobQueueReference,
)
from constructs import Construct

from qm_constructs.arguments import Arguments
from qm_constructs.constructs import _creating as creating
from qm_constructs.constructs import _references as references
from qm_constructs.constructs._given import imported_queue
from qm_constructs.constructs._identity import key_of
from qm_constructs.constructs._plan_argument import ENABLED, PRIORITY
from qm_constructs.constructs._questions import largest_job
from qm_constructs.constructs._queue_arguments import QueueArguments, read_queue
from qm_constructs.constructs._queue_state import QueueState
from qm_constructs.constructs._validation import watch
from qm_constructs.constructs.job_state_time_limits import DEFAULT, JobStateTimeLimits
from qm_constructs.constructs.quota_share import (
    LEND,
    QuotaShare,
    QuotaShareOptions,
    check_share,
    read_quota_share,
)
from qm_constructs.constructs.scheduling_policy import QuotaShareSchedulingPolicy
from qm_constructs.constructs.service_environment import ServiceEnvironment
from qm_constructs.errors import shown
from qm_constructs.plan import SAGEMAKER_TRAINING
from qm_constructs.quota_plan import QuotaPlan
from qm_constructs.resource_sharing import ResourceSharing


@jsii.implements(IJobQueueRef)
class QuotaManagedTrainingQueueBase(Construct):
    """A queue of quota management, made here or imported: quota shares can be added to it."""

    _id: str
    _state: QueueState
    _resource: CfnJobQueue | None = None
    _arn: str | None = None
    _removal_policy: RemovalPolicy | None = None
    _share_tags: Mapping[str, Any] = {}

    @property
    def _queue_state(self) -> QueueState:
        return self._state.current()

    @property
    def job_queue_arn(self) -> str:
        """The queue's ARN, of an import as it was given."""
        return self._arn or self._queue_state.job_queue_arn

    @property
    def job_queue_name(self) -> str:
        """The queue's name, taken from its ARN, so that a reference carries the dependency."""
        return references.name_in(self.job_queue_arn, "job-queue")

    @property
    def job_queue_ref(self) -> JobQueueReference:
        """What CDK takes wherever it asks for an ``IJobQueueRef``."""
        return JobQueueReference(job_queue_arn=self.job_queue_arn)

    @property
    def env(self) -> ResourceEnvironment:
        """The account and Region of the queue."""
        return references.environment_of(self, self._resource, self.job_queue_arn, "job-queue")

    @property
    def quota_shares(self) -> tuple[QuotaShare, ...]:
        """The queue's shares that this app makes, in the order in which they were made."""
        constructs = self._queue_state.constructs
        shares = (constructs[share] for share in self._queue_state.plan.shares)
        return tuple(share for share in shares if isinstance(share, QuotaShare))

    def add_quota_share(
        self,
        name: str,
        *,
        capacity_limits: Mapping[str, int | float],
        resource_sharing: ResourceSharing = LEND,
        in_share_preemption: bool = False,
        enabled: bool = True,
        removal_policy: RemovalPolicy | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> QuotaShare:
        """Adds one team's share to the queue.

        Args:
            name: The share's name, literal and unique within the queue, 1 to 128 letters, digits,
                hyphens and underscores. Its construct's id is ``QuotaShare-<name>``.
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
            QuotaManagementError: An argument is not one of these, or the queue cannot have the
                share: its name is taken, it would be the 21st, or the environment lacks one of its
                types.

        Source: https://docs.aws.amazon.com/batch/latest/userguide/create-quota-shares.html
        """
        arguments = Arguments(
            f"QuotaManagedTrainingQueue({self._id!r}).add_quota_share({shown(name)})"
        )
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
        state = self._queue_state
        with creating.asking_cdk(arguments, self):
            checked = check_share(
                arguments,
                "name",
                self,
                state,
                properties,
                job_queue_arn=self.job_queue_arn,
                removal_policy=removal_policy or self._removal_policy,
                tags=self._share_tags,
            )
        arguments.raise_faults()
        return QuotaShare._made(self, state, checked)

    def largest_job(self, share: QuotaShare | str, instance_type: str) -> int | None:
        """Returns the most instances that one job of a share can have, as the queue now is.

        Args:
            share: The share, or its name.
            instance_type: A SageMaker instance type, such as ``ml.p5.48xlarge``.

        Returns:
            Whole instances, 0 or more; None when it is not known before the deploy.

        Raises:
            QuotaManagementError: The queue has no such share, or there is no such instance type.

        Source: https://docs.aws.amazon.com/batch/latest/userguide/sm_job_stuck_in_runnable_misconfiguration.html
        """
        return largest_job(self, self._queue_state, share, instance_type)

    def __repr__(self) -> str:
        return references.described(self, self._id)


class QuotaManagedTrainingQueue(QuotaManagedTrainingQueueBase):
    """A job queue of SageMaker Training jobs whose capacity teams divide by quota shares.

    It makes a scheduling policy, a service environment, the queue and a quota share for each team.
    CloudFormation creates them in that order and deletes them in the opposite one.

    Renaming a queue that makes its own environment is meant to work in one deploy: queue, policy,
    environment and shares are made anew, and the jobs of the old queue end. These block it, because
    an environment serves one queue only and CloudFormation makes the new queue before it deletes
    the old one:

    - a fixed ``service_environment_name``: rename both in one deploy. Renaming the environment
      alone is fine.
    - a ``service_environment`` that was given: give the renamed queue another one.
    - a ``job_queue_name`` with a token in it: nothing of it is known, so the environment stays.
    - a share in another stack that imports the queue by a CloudFormation export: remove it first.

    Args:
        scope: The construct that it belongs to, such as the stack.
        id: Its id within the scope.
        capacity_limits: How many instances of each type the queue may use at once, 1 to 5 types of
            1 instance or more, such as ``{"ml.p5.48xlarge": 16}``; these become the service
            environment's. Exactly one of this, ``service_environment`` and ``plan`` is given. (The
            ``float`` in the type is for CDK's number tokens alone.) Lowering a limit stops no
            running job, but a queued job that no longer fits is terminated by the default time
            limits after 1 hour: before lowering limits for maintenance, deploy
            ``JobStateTimeLimits(service_environment_max_resource=None)``.
        quota_shares: Shares to make at once, each a ``QuotaShareOptions``; none by default. More
            come with ``add_quota_share``, 20 in all.
        job_queue_name: A physical name, 1 to 128 letters, digits, hyphens and underscores; by
            default CloudFormation makes one. Another name is another queue.
        priority: A whole number from 0 to 1000, or a token; 1 by default. It has no effect while
            queues cannot share an environment.
        enabled: Whether jobs may be submitted; True by default.
        service_environment: An existing environment that no other queue has: one of this library,
            any ``IServiceEnvironmentRef``, or an ARN.
        service_environment_name: A physical name for the environment that is made here.
        scheduling_policy: An existing quota-share policy: one of this library, any
            ``ISchedulingPolicyRef``, or an ARN; by default one is made.
        scheduling_policy_name: A physical name for the policy that is made here.
        job_state_time_limits: When waiting jobs are ended; by default after 1 hour those that can
            never run.
        removal_policy: What happens to policy, environment, queue and shares made here when they
            leave the stack; by default they are deleted, and so end all jobs.
        tags: Tag keys and values for policy, environment, queue and shares made here, at most 50.
        plan: A quotas file read by ``QuotaPlan.from_file``, in the place of ``capacity_limits``
            and of all else that the file sets.

    Raises:
        QuotaManagementError: An argument is not one of these, or AWS Batch would refuse them
            together.

    Source: https://docs.aws.amazon.com/batch/latest/userguide/create-quota-management-resources.html
    """

    _service_environment: IServiceEnvironmentRef
    _scheduling_policy: ISchedulingPolicyRef

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        capacity_limits: Mapping[str, int | float] | None = None,
        quota_shares: Iterable[QuotaShareOptions] = (),
        job_queue_name: str | None = None,
        priority: int | float = PRIORITY,
        enabled: bool = ENABLED,
        service_environment: IServiceEnvironmentRef | str | None = None,
        service_environment_name: str | None = None,
        scheduling_policy: ISchedulingPolicyRef | str | None = None,
        scheduling_policy_name: str | None = None,
        job_state_time_limits: JobStateTimeLimits = DEFAULT,
        removal_policy: RemovalPolicy | None = None,
        tags: Mapping[str, str] | None = None,
        plan: QuotaPlan | None = None,
    ) -> None:
        arguments = Arguments(creating.call_of(self, id))
        with creating.asking_cdk(arguments, scope):
            read = read_queue(
                arguments,
                scope,
                id,
                capacity_limits=capacity_limits,
                quota_shares=quota_shares,
                job_queue_name=job_queue_name,
                priority=priority,
                enabled=enabled,
                service_environment=service_environment,
                service_environment_name=service_environment_name,
                scheduling_policy=scheduling_policy,
                scheduling_policy_name=scheduling_policy_name,
                job_state_time_limits=job_state_time_limits,
                removal_policy=removal_policy,
                tags=tags,
                plan=plan,
            )
        self._id = id
        self._state = read.state
        self._removal_policy = removal_policy
        self._share_tags = read.queue.at(("Tags",))

        with creating.placed(self, scope, id):
            policy = self._make_policy(read)
            environment = self._make_environment(read)
            self._resource = self._make_queue(read, policy, environment)
            for share in read.shares:
                QuotaShare._made(self, read.state, share)
            if read.findings or read.state.reread_environment or read.state.rivals():
                watch(read.state)
        read.state.publish(read.imports)

    @property
    def service_environment(self) -> IServiceEnvironmentRef:
        """The queue's service environment: the one made here, or what was given."""
        return self._service_environment

    @property
    def scheduling_policy(self) -> ISchedulingPolicyRef:
        """The queue's scheduling policy: the one made here, or what was given."""
        return self._scheduling_policy

    @classmethod
    def from_job_queue_arn(
        cls, scope: Construct, id: str, job_queue_arn: str
    ) -> QuotaManagedTrainingQueueBase:
        """Returns an existing queue of quota management, to which shares can be added.

        Two imports of one ARN are one queue: a share's name is unique over both, and 20 shares are
        counted together. So is the import of a queue that this app makes. An ARN that is a token is
        one queue within a stack.

        Args:
            scope: The construct that the import belongs to.
            id: Its id within the scope.
            job_queue_arn: The queue's ARN, literal or token.

        Raises:
            QuotaManagementError: The text is no ARN of a job queue.
        """
        return _ImportedQueue(scope, id, job_queue_arn)

    def _make_policy(self, read: QueueArguments) -> CfnSchedulingPolicy | str:
        """Makes or takes the policy, and returns what the queue refers to."""
        id = "SchedulingPolicy"
        if read.policy is None:
            given = read.given_policy
            self._scheduling_policy = (
                given.construct
                or QuotaShareSchedulingPolicy.from_scheduling_policy_arn(self, id, given.arn)
            )
            return str(given.arn)
        id = creating.id_of_part(id, read.queue, read.policy.at(("Name",)))
        policy = QuotaShareSchedulingPolicy._made(self, id, read.policy, self._removal_policy)
        resource = policy._resource
        assert resource is not None
        read.state.plan.policy_keys |= {key_of(policy), key_of(resource)}
        self._scheduling_policy = policy
        return resource  # a reference to it costs no call

    def _make_environment(self, read: QueueArguments) -> str:
        """Makes or takes the environment, and returns what the queue refers to."""
        id = "ServiceEnvironment"
        if read.environment is None:
            given = read.given_environment
            self._service_environment = (
                given.construct
                or ServiceEnvironment.from_service_environment_arn(self, id, given.arn)
            )
            return str(given.arn)
        id = creating.id_of_part(id, read.queue, read.environment.at(("ServiceEnvironmentName",)))
        environment = ServiceEnvironment._made(self, id, read.environment, self._removal_policy)
        arn = environment.service_environment_arn
        read.state.plan.environment_keys |= {
            key_of(environment),
            key_of(environment._resource),
        }
        self._service_environment = environment
        return arn

    def _make_queue(
        self, read: QueueArguments, policy: CfnSchedulingPolicy | str, environment: str
    ) -> CfnJobQueue:
        queue = read.queue
        resource = CfnJobQueue(
            self,
            "Resource",
            job_queue_name=creating.rendered(queue.at(("JobQueueName",))),
            job_queue_type=SAGEMAKER_TRAINING,
            job_state_time_limit_actions=creating.rendered(queue.at(("JobStateTimeLimitActions",)))
            or None,
            priority=creating.rendered(queue.at(("Priority",))),
            scheduling_policy_arn=policy,
            service_environment_order=[{"order": 1, "serviceEnvironment": environment}],
            state=queue.at(("State",)),
            tags=creating.rendered_tags(queue.at(("Tags",))),
        )
        creating.apply_removal_policy(resource, self._removal_policy)
        read.state.made(self, resource)
        return resource


class _ImportedQueue(QuotaManagedTrainingQueueBase):
    _made_by = "QuotaManagedTrainingQueue.from_job_queue_arn"

    def __init__(self, scope: Construct, id: str, job_queue_arn: str) -> None:
        arguments = Arguments(creating.call_of(self, id))
        creating.check_place(arguments, scope, id)
        arn = arguments.arn("job_queue_arn", job_queue_arn, "job-queue")
        arguments.raise_faults()
        self._id = id
        self._arn = creating.rendered(arn)
        with creating.asking_cdk(arguments, scope):
            self._state = imported_queue(scope, self._arn)
        with creating.placed(self, scope, id):
            pass
