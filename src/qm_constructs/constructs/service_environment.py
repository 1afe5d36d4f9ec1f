"""``ServiceEnvironment``: the instances of each type that a queue of quota management may use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jsii
from aws_cdk import RemovalPolicy
from aws_cdk.aws_batch import CfnServiceEnvironment
from aws_cdk.interfaces import ResourceEnvironment
from aws_cdk.interfaces.aws_batch import IServiceEnvironmentRef, ServiceEnvironmentReference
from constructs import Construct

from qm_constructs.arguments import Arguments, source_of
from qm_constructs.constructs import _creating as creating
from qm_constructs.constructs import _references as references
from qm_constructs.plan import SAGEMAKER_TRAINING, SERVICE_ENVIRONMENT, Resource
from qm_constructs.rules import judge


@jsii.implements(IServiceEnvironmentRef)
class ServiceEnvironmentBase(Construct):
    """A service environment of quota management, made here or imported."""

    _id: str
    _view: Resource | None = None
    _resource: CfnServiceEnvironment | None = None
    _arn: str | None = None

    @property
    def service_environment_arn(self) -> str:
        """The environment's ARN."""
        if self._arn is None:
            assert self._resource is not None
            self._arn = self._resource.ref
        return self._arn

    @property
    def service_environment_name(self) -> str:
        """The environment's name, taken from its ARN: a reference carries the dependency."""
        return references.name_in(self.service_environment_arn, "service-environment")

    @property
    def service_environment_ref(self) -> ServiceEnvironmentReference:
        """What CDK takes wherever it asks for an ``IServiceEnvironmentRef``."""
        return ServiceEnvironmentReference(service_environment_arn=self.service_environment_arn)

    @property
    def capacity_limits(self) -> Mapping[str, int | float] | None:
        """How many instances of each type; None for an import that does not say."""
        if self._view is None:
            return None
        limits = self._view.capacity_limits
        return {source_of(limit.unit): source_of(limit.max_capacity) for limit in limits}

    @property
    def env(self) -> ResourceEnvironment:
        """The account and Region of the environment."""
        arn = self.service_environment_arn
        return references.environment_of(self, self._resource, arn, "service-environment")

    def __repr__(self) -> str:
        return references.described(self, self._id)


class ServiceEnvironment(ServiceEnvironmentBase):
    """The instances of each type that one queue of quota management may use at once.

    Args:
        scope: The construct that it belongs to.
        id: Its id within the scope.
        capacity_limits: How many instances of each type, 1 to 5 types of 1 instance or more, such
            as ``{"ml.p5.48xlarge": 16}``. Lowering a limit stops no running job, but a
            queued job that no longer fits waits, and the queue's time limit for
            SERVICE_ENVIRONMENT_MAX_RESOURCE, 1 hour by default, then ends it: turn that limit off
            before lowering limits for maintenance.
        service_environment_name: A physical name, 1 to 128 letters, digits, hyphens and
            underscores; by default CloudFormation makes one. Another name is another environment.
        enabled: Whether queued jobs are started; True by default.
        removal_policy: What happens to it when it leaves the stack; by default it is deleted.
        tags: Tag keys and values, at most 50.

    Raises:
        QuotaManagementError: An argument is not one of these.

    Source: https://docs.aws.amazon.com/batch/latest/userguide/create-quota-management-resources.html
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        capacity_limits: Mapping[str, int | float],
        service_environment_name: str | None = None,
        enabled: bool = True,
        removal_policy: RemovalPolicy | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        arguments = Arguments(creating.call_of(self, id))
        creating.check_place(arguments, scope, id)
        creating.check_removal_policy(arguments, "removal_policy", removal_policy)
        environment = read_service_environment(
            arguments,
            capacity_limits,
            name=service_environment_name,
            enabled=enabled,
            tags=arguments.tags("tags", tags),
        )
        arguments.raise_faults()
        self._build(scope, id, environment, removal_policy)

    def _build(
        self, scope: Construct, id: str, environment: Resource, removal_policy: RemovalPolicy | None
    ) -> None:
        self._id = id
        self._view = environment
        with creating.placed(self, scope, id):
            self._resource = CfnServiceEnvironment(
                self,
                "Resource",
                capacity_limits=creating.rendered(environment.at(("CapacityLimits",))),
                service_environment_name=creating.rendered(
                    environment.at(("ServiceEnvironmentName",))
                ),
                service_environment_type=SAGEMAKER_TRAINING,
                state=environment.at(("State",)),
                tags=creating.rendered_tags(environment.at(("Tags",))),
            )
            creating.apply_removal_policy(self._resource, removal_policy)
            creating.warn(self, judge(environment))

    @classmethod
    def _made(
        cls, scope: Construct, id: str, environment: Resource, removal_policy: RemovalPolicy | None
    ) -> ServiceEnvironment:
        """Makes one of which everything has been checked already."""
        made = cls.__new__(cls)
        made._build(scope, id, environment, removal_policy)
        return made

    @classmethod
    def from_service_environment_arn(
        cls, scope: Construct, id: str, service_environment_arn: str
    ) -> ServiceEnvironmentBase:
        """Returns an existing service environment, whose capacity limits are not known.

        Args:
            scope: The construct that the import belongs to.
            id: Its id within the scope.
            service_environment_arn: The environment's ARN, literal or token.

        Raises:
            QuotaManagementError: The text is no ARN of a service environment.
        """
        call = "ServiceEnvironment.from_service_environment_arn"
        return _ImportedServiceEnvironment(call, scope, id, service_environment_arn, None)

    @classmethod
    def from_service_environment_attributes(
        cls,
        scope: Construct,
        id: str,
        *,
        service_environment_arn: str,
        capacity_limits: Mapping[str, int | float] | None = None,
    ) -> ServiceEnvironmentBase:
        """Returns an existing service environment that can state its limits, for the checks.

        Args:
            scope: The construct that the import belongs to.
            id: Its id within the scope.
            service_environment_arn: The environment's ARN, literal or token.
            capacity_limits: How many instances of each type it has; by default not known.

        Raises:
            QuotaManagementError: The text is no ARN of a service environment, or no environment of
                quota management could have such limits.
        """
        call = "ServiceEnvironment.from_service_environment_attributes"
        return _ImportedServiceEnvironment(
            call, scope, id, service_environment_arn, capacity_limits
        )


class _ImportedServiceEnvironment(ServiceEnvironmentBase):
    def __init__(
        self,
        call: str,
        scope: Construct,
        id: str,
        service_environment_arn: str,
        capacity_limits: Mapping[str, int | float] | None,
    ) -> None:
        self._made_by = call
        arguments = Arguments(creating.call_of(self, id))
        creating.check_place(arguments, scope, id)
        arn = arguments.arn(
            "service_environment_arn", service_environment_arn, "service-environment"
        )
        if capacity_limits is not None:
            self._view = read_service_environment(arguments, capacity_limits)
        arguments.raise_faults()
        self._id = id
        self._arn = creating.rendered(arn)
        with creating.placed(self, scope, id):
            pass


def read_service_environment(
    arguments: Arguments,
    capacity_limits: Any,
    *,
    name: Any = None,
    enabled: Any = True,
    tags: dict[str, Any] | None = None,
) -> Resource:
    """Returns the CloudFormation view of a service environment; what is wrong becomes a fault."""
    properties: dict[str, Any] = {
        "CapacityLimits": arguments.capacity_limits("capacity_limits", capacity_limits),
        "ServiceEnvironmentType": SAGEMAKER_TRAINING,
        "State": creating.state(arguments.boolean("enabled", enabled)),
        "Tags": tags or {},
    }
    if name is not None:
        properties["ServiceEnvironmentName"] = arguments.text("service_environment_name", name)
    environment = Resource(SERVICE_ENVIRONMENT, properties)
    arguments.findings(judge(environment))
    return environment
