"""What a changed quota share does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from qm_constructs.capacity import environment_limits, held_by_each
from qm_constructs.changes.capacity_limits import PROPERTY, limit_hits, moved
from qm_constructs.changes.effects import (
    CREATE_SHARES,
    PREEMPTION,
    SHARES,
    UPDATE_SHARE,
    Effect,
    Hit,
)
from qm_constructs.changes.lending import Lending
from qm_constructs.changes.matching import Matching, Pair
from qm_constructs.changes.pool import may_borrow, may_lend
from qm_constructs.changes.reach import ROUNDING, Reach
from qm_constructs.changes.state import may_be_enabled, state_hits
from qm_constructs.changes.time_limits import SHARE_EXCEEDED, what_fits_no_longer
from qm_constructs.changes.values import name_of_share, names, same, told
from qm_constructs.plan import (
    BORROW_LIMIT,
    LEND,
    LEND_AND_BORROW,
    RESERVE,
    STRATEGIES,
    STRATEGY,
    QueuePlan,
    Resource,
    Unknown,
    is_whole_number,
)

SHARING: Final = "ResourceSharingConfiguration"
_STRATEGY: Final = f"{SHARING}.Strategy"
_BORROW_LIMIT: Final = f"{SHARING}.BorrowLimit"
_PREEMPTION: Final = "PreemptionConfiguration.InSharePreemption"
_UNLIMITED: Final = -1
_NOT_SAID: Final = "AWS does not say what becomes of its jobs that run on borrowed instances."


def hits(matching: Matching, pair: Pair, lending: Lending) -> Iterator[Hit]:
    """Yields what the changes of a share's own properties do, other than a replacement.

    Args:
        matching: The resources of both sides.
        pair: The share.
        lending: What can be borrowed before and after.
    """
    share = str(pair.old.share)
    _, plan = matching.plans(pair)
    yield from limit_hits(
        pair.old.resource,
        pair.new.resource,
        partial(_less, share, plan, enabled=may_be_enabled(pair.old.resource)),
        partial(_more, share, plan),
    )
    if pair.differs(SHARING):
        yield from _sharing(share, pair, plan, lending)
    yield from _in_share_preemption(share, pair)
    yield from state_hits(
        pair,
        f"The share '{share}'",
        blocked="It takes no new jobs; queued and running jobs go on to their end.",
        source=UPDATE_SHARE,
        share=share,
    )


def _less(
    share: str,
    plan: QueuePlan | None,
    unit: str | None,
    before: Any,
    after: Any,
    *,
    enabled: bool,
) -> Hit:
    above = f" above {after}" if is_whole_number(after) else ""
    hurt = f"Its jobs that run{above} can be preempted, also under RESERVE and LEND."
    if after is None and unit is not None:
        hurt = (
            "AWS does not say what becomes of its jobs that run on that type: they may be "
            "preempted, also under RESERVE and LEND."
        )
    waiting = what_fits_no_longer(plan, SHARE_EXCEEDED)
    return Hit(
        Effect.PREEMPTS_JOBS,
        PROPERTY,
        f"The limit of the share '{share}' {moved(unit, before, after)}. {hurt}{waiting}",
        "Disable the share and let its jobs finish, then lower the limit and enable it again: two "
        "deploys."
        if enabled
        else "Let its jobs finish first, then lower the limit.",
        PREEMPTION,
        share,
        unit,
        before,
        after,
    )


def _more(share: str, plan: QueuePlan | None, unit: str | None, before: Any, after: Any) -> Hit:
    return Hit(
        Effect.SAFE,
        PROPERTY,
        f"The limit of the share '{share}' {moved(unit, before, after)}.{_too_much(plan, unit)}",
        "",
        SHARES,
        share,
        unit,
        before,
        after,
    )


def _too_much(plan: QueuePlan | None, unit: str | None) -> str:
    """Returns a sentence about shares that hold more of a unit than the environment has."""
    limits = environment_limits(plan) if plan is not None else None
    if plan is None or limits is None or unit is None:
        return ""
    most, held = limits.get(unit, 0), sum(held_by_each(plan, unit))
    if not is_whole_number(most) or held <= most:
        return ""
    return f" The shares then hold {held - most} more than the service environment (XR-02)."


# -- lending and borrowing


def _sharing(share: str, pair: Pair, plan: QueuePlan | None, lending: Lending) -> Iterator[Hit]:
    configurations = [side.resource.at((SHARING,)) for side in (pair.old, pair.new)]
    before, after = (side.resource.at(STRATEGY) for side in (pair.old, pair.new))
    if not all(isinstance(found, Mapping) for found in configurations):
        yield _untold(share, plan, *configurations)
    elif not same(before, after):
        yield _strategy(share, pair, plan, lending.reach(pair))
    elif before == LEND_AND_BORROW or isinstance(before, Unknown):
        limits = [side.resource.at(BORROW_LIMIT) for side in (pair.old, pair.new)]
        if not same(*limits):
            yield _borrow_limit(share, plan, *limits, reach=lending.reach(pair))


def _untold(share: str, plan: QueuePlan | None, *configurations: Any) -> Hit:
    before, after = (None if isinstance(found, Mapping) else found for found in configurations)
    return Hit(
        Effect.SLOWS_JOBS,
        SHARING,
        f"How the share '{share}' lends and borrows may change: the templates do not tell. It may "
        f"be able to borrow less. {_NOT_SAID}{what_fits_no_longer(plan, SHARE_EXCEEDED)}",
        "",
        SHARES,
        share,
        None,
        before,
        after,
    )


def _strategy(share: str, pair: Pair, plan: QueuePlan | None, reach: Reach) -> Hit:
    before, after = (side.resource.at(STRATEGY) for side in (pair.old, pair.new))
    head = f"The share '{share}' goes from {told(before)} to {told(after)}"
    lends_now = not may_lend(pair.old.resource) and may_lend(pair.new.resource)
    effect, source, advice = Effect.SLOWS_JOBS, SHARES, ""
    if reach > Reach.MADE_UP:
        waiting = what_fits_no_longer(plan, SHARE_EXCEEDED)
        if may_borrow(pair.new.resource):
            text = f"{head}. What it lends and borrows is not known then. {_NOT_SAID}{waiting}"
        else:
            text = f"{head} and borrows no more, so its jobs have less to run on."
            text += f" {_NOT_SAID}{waiting}"
        advice = _STRATEGY_ADVICE
    elif lends_now and (borrowers := _borrowers(share, plan)):
        source = CREATE_SHARES
        may = "" if after in STRATEGIES else "may "
        text = (
            f"{head} and {may}lend{'' if may else 's'} what it leaves idle. Its own jobs start at "
            f"once no longer where {borrowers} has it: that job is preempted first."
        )
    else:
        effect = Effect.SAFE
        text = f"{head}. {_KEPT[reach]}"
        borrowed = may_borrow(pair.old.resource) and not may_borrow(pair.new.resource)
        if borrowed and reach is Reach.SAME:
            text = f"{head}. It could borrow nothing, and its own jobs keep all that they have."
    return Hit(effect, _STRATEGY, text, advice, source, share, None, before, after)


_KEPT: Final = {
    Reach.SAME: "Its own jobs keep all that they have.",
    Reach.MADE_UP: "Its own limit rises, and it reaches as much as before.",
}
_STRATEGY_ADVICE: Final = (
    "Disable the share and let its jobs finish, then change the strategy and enable it again: two "
    "deploys."
)


def _borrowers(share: str, plan: QueuePlan | None) -> str:
    """Returns who may borrow from a share, as a message names them; empty where nobody does."""
    if plan is None or not plan.complete:
        return "another share"
    found = [
        name_of_share(other)
        for other in plan.shares
        if other.at(("QuotaShareName",)) != share and other.at(STRATEGY) not in (RESERVE, LEND)
    ]
    return names(found) if len(found) == 1 else "another share" if found else ""


def _borrow_limit(
    share: str, plan: QueuePlan | None, before: Any, after: Any, *, reach: Reach
) -> Hit:
    old, new = (_UNLIMITED if limit is None else limit for limit in (before, after))
    known = is_whole_number(old) and is_whole_number(new)
    less = not known or (new != _UNLIMITED and (old == _UNLIMITED or new < old))
    verb = ("falls" if less else "rises") if known else "may fall"
    text = (
        f"The borrow limit of the share '{share}' {verb} from {_percent(old)} to {_percent(new)}."
    )
    if known and old == new:
        text = f"The borrow limit of the share '{share}' is {_percent(new)} as before."
        less = False
    if less and reach <= Reach.MADE_UP:
        text += (
            " It can borrow as much as before: no more is lent, or fits its environment."
            if reach is Reach.SAME
            else f" {_KEPT[reach]}"
        )
        less = False
    elif less:
        waiting = what_fits_no_longer(plan, SHARE_EXCEEDED)
        rounded = f" may have less to run on: {ROUNDING}" if reach is Reach.ROUNDED else ""
        text += f" Its jobs{rounded or ' have less to run on.'} {_NOT_SAID}{waiting}"
    elif after is None:
        text += (
            " AWS has not confirmed that: an update may leave alone what a template leaves out. "
            "It can only stay as it was or rise."
        )
    advice = _STRATEGY_ADVICE.replace("strategy", "borrow limit") if less else ""
    effect = Effect.SLOWS_JOBS if less else Effect.SAFE
    return Hit(effect, _BORROW_LIMIT, text, advice, SHARES, share, None, before, after)


def _percent(limit: Any) -> str:
    if limit == _UNLIMITED:
        return "unlimited"
    return f"{limit} %" if is_whole_number(limit) else told(limit)


# -- preemption in the share


def _in_share_preemption(share: str, pair: Pair) -> Iterator[Hit]:
    before, after = (_preemption(side.resource) for side in (pair.old, pair.new))
    if same(before, after):
        return
    verb = {"ENABLED": "is enabled", "DISABLED": "is disabled"}.get(str(after), "may be enabled")
    head = f"In-share preemption of the share '{share}' {verb}"
    if after == "DISABLED":
        effect = Effect.SLOWS_JOBS
        text = f"{head}: a job of a higher priority waits for those that run."
        advice = ""
    else:
        effect = Effect.PREEMPTS_JOBS
        text = (
            f"{head}: a waiting job of a higher priority can stop jobs of a lower one that run in "
            "the same share."
        )
        advice = "Enable it while no job runs in the share that must not be stopped."
    yield Hit(effect, _PREEMPTION, text, advice, PREEMPTION, share, None, before, after)


def _preemption(share: Resource) -> Any:
    """Returns the value of the property; all that it is in where that is not known."""
    found = share.at(("PreemptionConfiguration",))
    return found.get("InSharePreemption") if isinstance(found, Mapping) else found
