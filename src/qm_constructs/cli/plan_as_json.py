"""Plans for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from qm_constructs.capacity import ShareCapacity, UnitCapacity
from qm_constructs.cli import _plan_wording as wording
from qm_constructs.cli._paths import unreadable_for_programs
from qm_constructs.quota_plan import QuotaPlan
from qm_constructs.template.report import Unreadable


def render(
    plans: Sequence[QuotaPlan],
    unreadable: Sequence[Unreadable] = (),
    notes: Sequence[str] = (),
) -> str:
    """Returns the plans as a JSON document in ASCII; what is not known is null.

    Args:
        plans: The plans.
        unreadable: What could not be read.
        notes: What is to be said of all.
    """
    document = {
        "queues": [_queue(plan) for plan in plans],
        "notes": [*notes],
        "unreadable": unreadable_for_programs(unreadable),
    }
    return json.dumps(document, indent=2) + "\n"


def _queue(plan: QuotaPlan) -> dict[str, Any]:
    return {
        "file": plan.origin.file,
        "stack": plan.origin.stack,
        "queue": plan.origin.queue,
        "name": plan.name,
        "units": [_unit(unit) for unit in plan.units],
        "notes": [*wording.queue_notes(plan)],
    }


def _unit(unit: UnitCapacity) -> dict[str, Any]:
    return {
        "capacity_unit": unit.name,
        "environment": unit.environment.known,
        "allocated": unit.allocated.known,
        "unallocated": unit.unallocated.known,
        "shares": [_share(share) for share in unit.shares],
        "notes": [*wording.unit_notes(unit)],
    }


def _share(share: ShareCapacity) -> dict[str, Any]:
    return {
        "share": share.share,
        "max_capacity": share.max_capacity.known,
        "strategy": share.strategy,
        "borrow_limit": share.borrow_limit,
        "lendable": share.lendable.known,
        "borrowable": share.borrowable.known,
        "largest_job": share.largest_job.known,
    }
