"""Whether a job can ever run, in words: the arithmetic, what AWS will show, and what would help."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from qm_constructs.amounts import Amount
from qm_constructs.capacity import ShareCapacity, UnitCapacity, reach
from qm_constructs.errors import shown
from qm_constructs.plan import LEND_AND_BORROW, UNLIMITED
from qm_constructs.remedies import Remedy, remedy
from qm_constructs.rules.time_limits import (
    QUOTA_MANAGEMENT_LIMIT_EXCEEDED,
    SERVICE_ENVIRONMENT_MAX_RESOURCE,
)

# Source: the AWS Batch User Guide, "Jobs stuck in RUNNABLE due to misconfiguration".
_ENVIRONMENT_TEXT: Final = (
    "Service environment(s) associated with the job queue cannot meet the capacity requirement of "
    "the job."
)
_OWN_TEXT: Final = "Job requirements exceed quota share capacity limits."
_OWN_AND_BORROW_TEXT: Final = (
    "Job requirements exceed quota share capacity limits and borrow limits."
)
_LENDERS_TEXT: Final = "Job requires borrowing that exceeds all configured borrowable capacity."

ENVIRONMENT_PART: Final = "service environment"
"""How a sentence names the environment of a queue."""


@dataclass(frozen=True)
class Explanation:
    """Whether a job can ever run, and why; as text it is all of it.

    Args:
        runnable: Whether it can; None when the template does not tell.
        largest_job: The most instances that one job of the share can have; None when the template
            does not tell.
        reason: The reason that AWS will give while the job is stuck; None for a job that can run,
            and where the template does not tell which of two it is.
        status_text: The job's status reason while it is stuck, likewise; None also where the
            reason is known and AWS's words for it are not.
        smallest_change: What surely lets it run, as a sentence; None for a job that can run, and
            where the template does not tell what is enough.
        explanation: The verdict, the arithmetic and what else counts, a line each.
    """

    runnable: bool | None
    largest_job: int | None
    reason: str | None
    status_text: str | None
    smallest_change: str | None
    explanation: str

    def __str__(self) -> str:
        parts = [self.explanation]
        if self.status_text is not None:
            parts.append(f"AWS will show: {self.status_text}")
        elif self.reason is not None:
            parts.append(f"AWS will show: {self.reason}; the text that follows it is not known.")
        if self.smallest_change is not None:
            parts.append(f"-> {self.smallest_change}")
        return "\n".join(parts)


@dataclass(frozen=True)
class Circumstances:
    """What of a queue counts beside its capacity.

    Args:
        disabled: What of it takes no job: ``queue``, ``service environment``.
        time_limits: By reason, after how many seconds the queue ends a job that is stuck; None
            when they are not known.
        errors: A sentence for each error of the queue and of what belongs to it.
    """

    disabled: tuple[str, ...] = ()
    time_limits: tuple[tuple[str, int], ...] | None = ()
    errors: tuple[str, ...] = ()

    def stopped(self) -> Iterator[str]:
        """Yields a sentence for each part that is disabled."""
        for part in self.disabled:
            fact = " (UP-11)" if part == ENVIRONMENT_PART else ""
            yield f"The {part} is DISABLED: no job starts until it is enabled{fact}."


def explain(
    unit: UnitCapacity, share: ShareCapacity, count: int, circumstances: Circumstances
) -> Explanation:
    """Returns whether a job of a share can ever run (XR-07, SE-14), and why.

    Args:
        unit: The instance type that it asks for.
        share: Its share.
        count: How many instances it asks for, at least 1.
        circumstances: What else of the queue counts.
    """
    question = _Question(unit, share, count)
    reasons = _reasons(question)
    reason = reasons[0] if len(reasons) == 1 else None
    text = _text(question, reason)
    change = remedy(unit, share, count) if question.runnable is False else None
    lines = [*_verdict(question), *_arithmetic(question)]
    if reasons:
        lines += _while_stuck(question, reasons, circumstances)
    lines += _notes(question, circumstances)
    told = None if change is None else _in_words(question, change)
    if change is not None and not change.enough:
        lines.append(f"This is needed, and maybe more, which the template does not tell: {told}")
    return Explanation(
        question.runnable,
        share.largest_job.known,
        reason,
        None if text is None else f"{reason} - {text}",
        told[:1].upper() + told[1:] if told and change and change.enough else None,
        "\n".join(lines),
    )


class _Question:
    def __init__(self, unit: UnitCapacity, share: ShareCapacity, count: int) -> None:
        self.unit = unit
        self.share = share
        self.count = count
        self.name = shown(share.share) if share.share is not None else f"{share.id}"
        self.type = "of this type" if unit.name is None else unit.name
        self.reach = share.max_capacity.plus(share.borrowable)
        self.beyond_environment = unit.environment.is_below(count)
        self.beyond_share = self.reach.is_below(count)

    @property
    def runnable(self) -> bool | None:
        if self.count <= self.share.largest_job.least:
            return True
        return False if self.share.largest_job.is_below(self.count) else None


def _number(amount: Amount) -> str:
    return "unknown" if amount.known is None else str(amount.known)


# -- The arithmetic


def _arithmetic(asked: _Question) -> Iterator[str]:
    share, environment = asked.share, asked.unit.environment
    own = _number(share.max_capacity)
    yield f"Own limit: {own if share.holds else 'none'}."
    yield f"Borrowing: {_borrowing(asked)}"
    if share.borrowable.known != 0:
        yield f"Reach: {own} + {_number(share.borrowable)} = {_number(asked.reach)}."
    yield f"Service environment: {_number(environment) if environment.most != 0 else 'no limit'}."
    yield f"Largest job: {_number(share.largest_job)}."


def _borrowing(asked: _Question) -> str:
    share = asked.share
    if share.strategy is None and share.borrowable.known == 0:
        return "nothing, whatever its strategy turns out to be."
    if share.strategy is None:
        return f"{_number(share.borrowable)}, because its strategy is not known."
    if share.strategy != LEND_AND_BORROW:
        return f"nothing, its strategy is {share.strategy}."
    if not share.holds:
        return "nothing, it has no limit of its own (AWS has not confirmed this, XR-08)."
    return f"{_number(share.borrowable)}; {_borrow_limit(share)}; {_lenders(asked)}."


def _borrow_limit(share: ShareCapacity) -> str:
    limit, own = share.borrow_limit, share.max_capacity.known
    if limit is None:
        return "its borrow limit is not known"
    if limit == UNLIMITED:
        return "its borrow limit is unlimited"
    if own is None:
        return f"its borrow limit is {limit} % of its own"
    allowed = f"its borrow limit is {limit} % of {own}, which is {own * limit // 100}"
    if own * limit % 100:
        return f"{allowed} in whole instances (how AWS rounds is not documented)"
    return allowed


def _lenders(asked: _Question) -> str:
    others = [o for o in asked.unit.shares if o.key != asked.share.key and o.lendable.most != 0]
    told = [f"{_called(other)} {_number(other.lendable)}" for other in others]
    total = _number(asked.share.lent_by_others)
    if not told:
        return "no other share lends" if total == "0" else "what others lend is not known"
    return f"the others lend {total} ({', '.join(told)})"


def _called(share: ShareCapacity) -> str:
    return shown(share.share) if share.share is not None else f"{share.id}"


# -- The verdict


def _verdict(asked: _Question) -> Iterator[str]:
    wanted = f"job of {asked.count} {asked.type} in {asked.name}"
    job = f"A {wanted}"
    if asked.runnable is None:
        yield f"The template does not tell whether a {wanted} can run: {_open(asked)}."
    elif asked.runnable:
        yield f"{job} can run{_on_what(asked)}."
    elif asked.unit.environment.most == 0:
        yield f"{job} can never run: the service environment has no limit for this type."
    else:
        yield f"{job} can never run: {_exceeded(asked)}."


def _open(asked: _Question) -> str:
    share = asked.share
    borrows = share.borrowable.known is None
    facts = (
        ("its own limit", share.max_capacity.known),
        ("its strategy", share.strategy if borrows else 0),
        ("its borrow limit", share.borrow_limit if borrows and share.strategy is not None else 0),
        ("what others lend", share.lent_by_others.known if borrows else 0),
        ("the service environment's limit", asked.unit.environment.known),
    )
    unknown = [name for name, fact in facts if fact is None]
    return f"{' and '.join(unknown)} {'is' if len(unknown) == 1 else 'are'} not known"


def _on_what(asked: _Question) -> str:
    own = asked.share.max_capacity.known
    if own is None or asked.count <= own:
        return ""
    return (
        f", with {asked.count - own} borrowed: it waits until the others leave them idle, and can "
        "be preempted when they want them back"
    )


def _exceeded(asked: _Question) -> str:
    if asked.beyond_environment and asked.beyond_share:
        return "it is larger than the service environment and than its share's reach"
    if asked.beyond_environment:
        return "it is larger than the service environment"
    if not asked.share.holds:
        return "its share has no limit for this type"
    if asked.beyond_share:
        return "it is larger than its share's reach"
    return "however the template turns out, it is larger than one of its limits"


def _reasons(asked: _Question) -> tuple[str, ...]:
    """Returns the reasons of which AWS will give one for a job that can never run."""
    if asked.runnable is not False:
        return ()
    if asked.beyond_environment:
        return (SERVICE_ENVIRONMENT_MAX_RESOURCE,)
    if asked.beyond_share and asked.count <= asked.unit.environment.least:
        return (QUOTA_MANAGEMENT_LIMIT_EXCEEDED,)
    return SERVICE_ENVIRONMENT_MAX_RESOURCE, QUOTA_MANAGEMENT_LIMIT_EXCEEDED


def _text(asked: _Question, reason: str | None) -> str | None:
    if reason is None:
        return None
    is_environment = reason == SERVICE_ENVIRONMENT_MAX_RESOURCE
    return _ENVIRONMENT_TEXT if is_environment else _share_text(asked)


def _share_text(asked: _Question) -> str | None:
    share = asked.share
    if share.strategy is None:
        return None
    if share.strategy != LEND_AND_BORROW:
        return _OWN_TEXT
    if not share.holds:
        # A borrow limit that is unlimited is not exceeded; what AWS says then is not known.
        return None if share.borrow_limit in (None, UNLIMITED) else _OWN_AND_BORROW_TEXT
    allowed = share.max_capacity.plus(reach(share.max_capacity, share.borrow_limit))
    if allowed.is_below(asked.count):
        return _OWN_AND_BORROW_TEXT
    return _LENDERS_TEXT if asked.count <= allowed.least else None


def _while_stuck(
    asked: _Question, reasons: tuple[str, ...], circumstances: Circumstances
) -> Iterator[str]:
    limits = circumstances.time_limits
    seconds = {dict(limits or ()).get(reason) for reason in reasons}
    # To a share that is DISABLED none can be submitted any more.
    job = "one that was submitted before" if asked.share.enabled is False else "it"
    waits = f"{job[:1].upper()}{job[1:]} waits in RUNNABLE"
    if limits is None or len(seconds) > 1:
        yield (
            f"{waits}, and blocks its share, until somebody or a job state time limit of the "
            "queue ends it."
        )
    elif seconds == {None}:
        yield f"{waits} until somebody terminates it, and blocks its share meanwhile."
    else:
        yield f"A job state time limit of the queue ends {job} after {seconds.pop()} seconds."


def _notes(asked: _Question, circumstances: Circumstances) -> Iterator[str]:
    reasons = _reasons(asked)
    if len(reasons) > 1:
        too = "The service environment may be too small as well: " if asked.beyond_share else ""
        yield f"{too}which reason AWS will show is not known, {' or '.join(reasons)}."
    elif asked.beyond_environment and asked.reach.least < asked.count:
        yield "That AWS names the service environment first, and not the share, is not confirmed."
    if asked.share.enabled is False:
        yield "The share is DISABLED: no job can be submitted to it until it is enabled."
    yield from circumstances.stopped()
    yield from circumstances.errors
    off = [
        _called(other)
        for other in asked.unit.shares
        if other.enabled is False and other.key != asked.share.key and other.lendable.most != 0
    ]
    if off and asked.share.strategy in (None, LEND_AND_BORROW):
        yield f"{', '.join(off)} is DISABLED and counted; AWS does not say whether it lends."


# -- What would help


def _in_words(asked: _Question, change: Remedy) -> str:
    return f"{', and '.join(_steps(asked, change))}.{_oversubscribed(asked, change)}"


def _steps(asked: _Question, change: Remedy) -> Iterator[str]:
    share, environment = asked.share, asked.unit.environment
    if change.borrow_limit is not None:
        yield (
            f"raise the borrow limit of {asked.name} from {share.borrow_limit} % to "
            f"{change.borrow_limit} %"
        )
    if change.max_capacity is not None and share.holds:
        yield (
            f"raise the limit of {asked.name} for {asked.type}{_from(share.max_capacity)} "
            f"to {change.max_capacity}"
        )
    elif change.max_capacity is not None:
        yield f"give {asked.name} a limit of {change.max_capacity} for {asked.type}"
    if change.environment is not None and environment.most:
        yield (
            f"raise the service environment's limit for {asked.type}{_from(environment)} "
            f"to {change.environment}"
        )
    elif change.environment is not None:
        yield f"give the service environment a limit of {change.environment} for {asked.type}"


def _from(amount: Amount) -> str:
    return "" if amount.known is None else f" from {amount.known}"


def _oversubscribed(asked: _Question, change: Remedy) -> str:
    """Says that a share is then promised what another has; empty where it is not."""
    there = change.environment or asked.unit.environment.known
    held, own = asked.unit.allocated.known, asked.share.max_capacity.known
    if change.max_capacity is None or None in (there, held, own):
        return ""
    assert there is not None
    assert held is not None
    assert own is not None
    over = held + change.max_capacity - own - there
    if over <= 0:
        return ""
    return f" The shares then hold {over} more than the service environment (XR-02)."
