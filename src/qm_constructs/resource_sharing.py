"""How a quota share treats idle capacity: it reserves it, lends it, or lends and borrows."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import Any, Final

from qm_constructs.arguments import NOT_KNOWN, Arguments
from qm_constructs.plan import LEND, LEND_AND_BORROW, QUOTA_SHARE, RESERVE, UNLIMITED, Resource
from qm_constructs.rules import judge

_ARGUMENT_OF: Final = {"Strategy": "strategy", "BorrowLimit": "borrow_limit"}
_FACTORIES: Final = {
    RESERVE: "ResourceSharing.reserve()",
    LEND: "ResourceSharing.lend()",
    LEND_AND_BORROW: "ResourceSharing.lend_and_borrow()",
}


@dataclass(frozen=True)
class ResourceSharing:
    """The resource sharing configuration of a quota share; the three factories make it.

    Args:
        strategy: The resource sharing strategy: ``RESERVE``, ``LEND`` or ``LEND_AND_BORROW``.
        borrow_limit: With ``LEND_AND_BORROW``: per cent of the share's own limits, a whole number
            from -1 (unlimited, the default) or a token; else None.

    Raises:
        QuotaManagementError: A strategy or a borrow limit that AWS does not have.

    Source: https://docs.aws.amazon.com/batch/latest/userguide/quota-shares.html
    """

    strategy: str
    borrow_limit: int | float | None = None
    _view: dict[str, Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        given: Any = self.strategy  # anything at all, until it is read
        borrows = isinstance(given, str) and given == LEND_AND_BORROW
        arguments = Arguments(
            "ResourceSharing.lend_and_borrow()" if borrows else "ResourceSharing()"
        )
        if borrows and self.borrow_limit is None:
            # The dataclass is frozen for others.
            object.__setattr__(self, "borrow_limit", UNLIMITED)
        configuration: dict[str, Any] = {"Strategy": arguments.text("strategy", self.strategy)}
        if self.borrow_limit is not None:
            limit = arguments.whole_number(
                "borrow_limit", self.borrow_limit, "a whole number of per cent"
            )
            configuration["BorrowLimit"] = limit
        share = Resource(QUOTA_SHARE, {"ResourceSharingConfiguration": configuration})
        arguments.findings(
            (
                found
                for found in judge(share)
                if found.path[:1] == ("ResourceSharingConfiguration",)
            ),
            lambda found: _ARGUMENT_OF[str(found.path[1])],
        )
        arguments.raise_faults()
        object.__setattr__(self, "_view", configuration)

    @classmethod
    def reserve(cls) -> ResourceSharing:
        """Keeps idle capacity for the share's own jobs: it neither lends nor borrows.

        Own jobs start sooner, and the queue as a whole is used less.

        Source: https://docs.aws.amazon.com/batch/latest/userguide/create-quota-shares.html
        """
        return cls(RESERVE)

    @classmethod
    def lend(cls) -> ResourceSharing:
        """Lends idle capacity and never borrows: no other share preempts its jobs.

        Source: https://docs.aws.amazon.com/batch/latest/userguide/preemption.html
        """
        return cls(LEND)

    @classmethod
    def lend_and_borrow(cls, borrow_limit: int | float | None = None) -> ResourceSharing:
        """Lends idle capacity and borrows what others leave idle, until they want it back.

        Args:
            borrow_limit: How much more than its own capacity limits the share may use, in per
                cent of each limit; a whole number from -1, or a token (the ``float`` in the type
                is for tokens alone). None, the default, and -1 set no limit. 0 means that it
                cannot borrow, which warns (QS-10). With 50, a share of 10 instances uses up to 15.

        Raises:
            QuotaManagementError: The limit is no whole number, or below -1.

        Source: https://docs.aws.amazon.com/batch/latest/APIReference/API_QuotaShareResourceSharingConfiguration.html
        """
        return cls(LEND_AND_BORROW, borrow_limit)


def read_resource_sharing(arguments: Arguments, argument: str, value: Any) -> dict[str, Any]:
    """Returns the configuration for the CloudFormation view; anything else than one is a fault."""
    if isinstance(value, ResourceSharing):
        return value._view
    fix = f"Choose one of {', '.join(_FACTORIES.values())}."
    if isinstance(value, str):
        wanted = value.replace("-", "_").replace(" ", "_").upper()
        joined = {strategy.replace("_", ""): strategy for strategy in _FACTORIES}
        close = difflib.get_close_matches(wanted.replace("_", ""), joined, n=1)
        if close:
            fix = f"Write {_FACTORIES[joined[close[0]]]}."
    elif callable(value) and getattr(value, "__self__", None) is ResourceSharing:
        factory = _FACTORIES.get(getattr(value, "__name__", "").upper())
        fix = f"Call it: {factory}." if factory else fix
    arguments.fault(argument, value, "Must be a ResourceSharing.", fix)
    return {"Strategy": NOT_KNOWN}
