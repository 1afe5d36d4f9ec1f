"""AWS Batch quota management of SageMaker Training jobs, as CDK constructs.

Every public name is loaded when it is first asked for, so that ``import qm_constructs`` alone
starts no Node.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qm_constructs.checks import QuotaManagementChecks
    from qm_constructs.constructs.job_state_time_limits import JobStateTimeLimits
    from qm_constructs.constructs.queue import (
        QuotaManagedTrainingQueue,
        QuotaManagedTrainingQueueBase,
    )
    from qm_constructs.constructs.quota_share import QuotaShare, QuotaShareBase, QuotaShareOptions
    from qm_constructs.constructs.scheduling_policy import (
        QuotaShareSchedulingPolicy,
        QuotaShareSchedulingPolicyBase,
    )
    from qm_constructs.constructs.service_environment import (
        ServiceEnvironment,
        ServiceEnvironmentBase,
    )
    from qm_constructs.errors import Fault, QuotaManagementError
    from qm_constructs.explaining import Explanation
    from qm_constructs.instance_types import TrainingInstanceType
    from qm_constructs.quota_plan import QuotaPlan
    from qm_constructs.resource_sharing import ResourceSharing

_MODULES = {
    "checks": ("QuotaManagementChecks",),
    "errors": ("Fault", "QuotaManagementError"),
    "explaining": ("Explanation",),
    "instance_types": ("TrainingInstanceType",),
    "quota_plan": ("QuotaPlan",),
    "resource_sharing": ("ResourceSharing",),
    "constructs.job_state_time_limits": ("JobStateTimeLimits",),
    "constructs.queue": ("QuotaManagedTrainingQueue", "QuotaManagedTrainingQueueBase"),
    "constructs.quota_share": ("QuotaShare", "QuotaShareBase", "QuotaShareOptions"),
    "constructs.scheduling_policy": (
        "QuotaShareSchedulingPolicy",
        "QuotaShareSchedulingPolicyBase",
    ),
    "constructs.service_environment": ("ServiceEnvironment", "ServiceEnvironmentBase"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Explanation",
    "Fault",
    "JobStateTimeLimits",
    "QuotaManagedTrainingQueue",
    "QuotaManagedTrainingQueueBase",
    "QuotaManagementChecks",
    "QuotaManagementError",
    "QuotaPlan",
    "QuotaShare",
    "QuotaShareBase",
    "QuotaShareOptions",
    "QuotaShareSchedulingPolicy",
    "QuotaShareSchedulingPolicyBase",
    "ResourceSharing",
    "ServiceEnvironment",
    "ServiceEnvironmentBase",
    "TrainingInstanceType",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
