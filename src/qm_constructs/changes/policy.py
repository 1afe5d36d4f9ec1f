"""What a changed scheduling policy does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from qm_constructs.changes.effects import UPDATE_POLICY, Effect, Hit
from qm_constructs.changes.matching import Matching, Pair
from qm_constructs.plan import Resource

KINDS: Final = ("QuotaSharePolicy", "FairsharePolicy")


def hits(matching: Matching, pair: Pair) -> Iterator[Hit]:
    """Yields what the changes of a scheduling policy do, other than a replacement."""
    del matching
    before, after = (_kinds(side.resource) for side in (pair.old, pair.new))
    if before != after and "Name" not in pair.replaced_by:
        yield Hit(
            Effect.CANNOT_DEPLOY,
            after[0] if after else before[0],
            f"The scheduling policy '{pair.new.id}' goes from {_told(before)} to {_told(after)}: a "
            "policy stays what it was made as.",
            "Make a new policy, with another logical id or name; whether a queue can change over "
            "to a policy of another kind AWS does not say.",
            UPDATE_POLICY,
        )


def _kinds(policy: Resource) -> tuple[str, ...]:
    return tuple(kind for kind in KINDS if policy.at((kind,)) is not None)


def _told(kinds: tuple[str, ...]) -> str:
    return " with ".join(kinds) or "neither kind"
