"""What a queue under construction answers about the jobs of its shares."""

from __future__ import annotations

from typing import Any

from constructs import Construct

from qm_constructs.constructs._queue_state import QueueState
from qm_constructs.errors import Fault, QuotaManagementError, shown
from qm_constructs.questions import faults_of_name


def largest_job(queue: Construct, state: QueueState, share: Any, instance_type: str) -> int | None:
    """Returns the most instances that one job of a share can have; None when it is not known.

    Args:
        queue: The queue, for the error.
        state: The queue's state.
        share: The share's construct, or its name.
        instance_type: The instance type.
    """
    plan = state.planned()
    view = next((view for view in state.plan.shares if state.constructs[view] is share), None)
    faults: list[Fault] = []
    if view is None and isinstance(share, Construct):
        faults.append(Fault("share", share, "The queue has no such share.", "Ask its own queue."))
    elif view is None:
        faults += faults_of_name(share, [planned.name for planned in plan.shares])
    faults += plan.faults_of_type(instance_type)
    if faults:
        call = f"QuotaManagedTrainingQueue({shown(queue.node.id)}).largest_job()"
        raise QuotaManagementError(call, faults)
    planned = plan.share(share) if view is None else plan.share_of(view)
    return planned.largest_job(instance_type)
