"""How the formats for people word a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from qm_constructs.amounts import Amount
from qm_constructs.capacity import ShareCapacity, UnitCapacity
from qm_constructs.cli._output import plain
from qm_constructs.cli._wording import count, place
from qm_constructs.plan import LEND_AND_BORROW, UNLIMITED
from qm_constructs.quota_plan import QuotaPlan
from qm_constructs.template.quota_plans import LeftOut

UNKNOWN: Final = "unknown"
COLUMNS: Final = (
    "share",
    "limit",
    "strategy",
    "borrow limit",
    "can lend",
    "can borrow",
    "largest job",
)
ROUNDING: Final = (
    "Instances are counted whole: what a borrow limit lets a share borrow is rounded down. "
    "How AWS rounds is not documented."
)
NO_QUEUES: Final = "No queue of AWS Batch quota management was found."


def number(amount: Amount) -> str:
    """Returns a number of instances."""
    return UNKNOWN if amount.known is None else str(amount.known)


def share_name(share: ShareCapacity) -> str:
    """Returns a share's name as text that nothing obeys."""
    if share.share is not None:
        return plain(share.share)
    return f"{UNKNOWN} ({plain(share.id)})" if share.id is not None else UNKNOWN


def unit_name(unit: UnitCapacity) -> str:
    """Returns a capacity unit's name as text that nothing obeys."""
    return f"{UNKNOWN} instance type" if unit.name is None else plain(unit.name)


def borrow_limit(share: ShareCapacity) -> str:
    """Returns a borrow limit: a percentage, or a word."""
    if share.borrow_limit is None:
        return UNKNOWN
    if share.strategy != LEND_AND_BORROW and share.borrow_limit == 0:
        return "none"
    return "unlimited" if share.borrow_limit == UNLIMITED else f"{share.borrow_limit} %"


def cells(share: ShareCapacity) -> tuple[str, ...]:
    """Returns what the columns hold for a share."""
    return (
        share_name(share),
        number(share.max_capacity),
        share.strategy or UNKNOWN,
        borrow_limit(share),
        number(share.lendable),
        number(share.borrowable),
        number(share.largest_job),
    )


def queue_title(plan: QuotaPlan) -> str:
    """Returns what a queue is called: its name, or where that is not known its logical id."""
    if plan.name is None and plan.origin.queue is None:
        return "No queue" if plan.origin.is_none else "A queue that is made elsewhere"
    return plain(_resource(plan) if plan.name is None else plan.name)


def queue_place(plan: QuotaPlan) -> str:
    """Returns where a queue was written: ``(Training/Queue in cdk.out/Training.template.json)``."""
    names = [_resource(plan) if plan.name is not None else None]
    names.append(None if plan.origin.file is None else place(plan.origin.file, None))
    found = " in ".join(filter(None, names))
    return plain(f"({found})") if found else ""


def _resource(plan: QuotaPlan) -> str:
    return "/".join(filter(None, [plan.origin.stack, plan.origin.queue]))


def unit_summary(unit: UnitCapacity) -> str:
    """Returns in a line what of a unit is whose."""
    environment = f"service environment {number(unit.environment)}"
    if unit.environment.known == 0:
        environment = "not in the service environment"
    return (
        f"{environment}, allocated {number(unit.allocated)}, unallocated {number(unit.unallocated)}"
    )


def unit_notes(unit: UnitCapacity) -> Iterator[str]:
    """Yields what is to be said of a unit beside its numbers."""
    if unit.environment.known == 0:
        yield "The service environment has no limit for it, so no job on it can run (XR-01)."
        return
    held, there = unit.allocated.least, unit.environment.most
    if there is not None and held > there:
        yield (
            f"The shares hold {held - there} more than the service environment: they cannot all "
            "have what they are promised at once (XR-02)."
        )


def queue_notes(plan: QuotaPlan, called: Callable[[str], str] = str) -> Iterator[str]:
    """Yields what is to be said of a queue beside its numbers.

    Args:
        plan: The queue.
        called: Returns how a name or a text out of the template is written in the format.
    """
    if plan.origin.is_none:
        yield "What these shares name as their queue is none."
    elif not plan.complete:
        yield f"{plan.standing.more_shares}, so the sums over its shares are open."
    if not plan.units:
        yield "It has no capacity limit."
    yield from plan.circumstances.stopped()
    if plan.complete and not plan.shares:
        yield "It has no quota share, so no job can be submitted to it (QS-19)."
    shares = {share.key: share for unit in plan.units for share in unit.shares}.values()
    off = [share for share in shares if share.enabled is False]
    if off:
        names = ", ".join(called(share_name(share)) for share in off)
        yield f"DISABLED, so that no job can be submitted: {names}."
    if any(share.lendable.most != 0 for share in off):
        yield "What a DISABLED share lends is counted; AWS does not say whether it lends."
    yield from (called(plain(error)) for error in plan.standing.errors)


def of_no_plan(
    plans: Sequence[QuotaPlan], left_out: Sequence[LeftOut], called: Callable[[str], str] = str
) -> list[str]:
    """Returns what is to be said where there is no queue, and of those that are no such queue.

    Args:
        plans: The queues.
        left_out: Those that are none.
        called: Returns how a name out of the template is written in the format.
    """
    others = [one.said(lambda name: called(plain(name))) for one in left_out]
    return [*([] if plans else [NO_QUEUES]), *others]


def says_unknown(plans: Sequence[QuotaPlan]) -> bool:
    """Tells whether something in the plans is unknown."""
    return any(
        UNKNOWN in cells(share)[1:] or number(unit.environment) == UNKNOWN
        for plan in plans
        for unit in plan.units
        for share in unit.shares
    )


def notes(plans: Sequence[QuotaPlan]) -> list[str]:
    """Returns what is to be said once of all plans."""
    found = [ROUNDING]
    if says_unknown(plans):
        refused = any(plan.standing.errors for plan in plans)
        found.append(
            "Unknown is what the template does not tell (a parameter without a default, a value "
            "made elsewhere), "
            f"{'what AWS would refuse, ' if refused else ''}and what depends on it."
        )
    return found if any(plan.units for plan in plans) else []


def shares_in(unit: UnitCapacity) -> str:
    """Returns how many shares hold a unit."""
    return count(len(unit.shares), "share")
