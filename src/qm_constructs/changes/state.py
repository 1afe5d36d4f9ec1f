"""What a changed ``State`` does, of a share, a queue or a service environment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from qm_constructs.changes.effects import Effect, Hit
from qm_constructs.changes.matching import Pair
from qm_constructs.changes.values import told
from qm_constructs.plan import Resource

_PROPERTY: Final = "State"
_ENABLED: Final = "ENABLED"
_LEFT_ALONE: Final = (
    " AWS has not confirmed that: an update may leave alone what a template leaves out, and the "
    "state then stays as it was."
)


def may_be_enabled(resource: Resource) -> bool:
    """Tells whether a resource takes jobs, or may do so."""
    state = resource.at((_PROPERTY,))
    return not (isinstance(state, str) and state == "DISABLED")


def state_hits(
    pair: Pair, who: str, blocked: str, source: str, share: str | None = None
) -> Iterator[Hit]:
    """Yields what a changed state does.

    Args:
        pair: The resource before and after.
        who: How a message names it at its start.
        blocked: What it means that it is disabled, in a sentence.
        source: The AWS page that says so.
        share: The name of the share, where it is one.
    """
    if not pair.differs(_PROPERTY):
        return
    before, after = (side.resource.at((_PROPERTY,)) for side in (pair.old, pair.new))
    old, new = (_ENABLED if state is None else state for state in (before, after))
    if new == _ENABLED:
        effect = Effect.SAFE
        text = f"{who} is enabled{' as before' if old == new else ''}."
        if after is None and old != _ENABLED:
            text += _LEFT_ALONE
    elif new == "DISABLED":
        effect, text = Effect.BLOCKS_SUBMISSIONS, f"{who} is disabled. {blocked}"
    else:
        effect = Effect.BLOCKS_SUBMISSIONS
        text = f"{who} may be disabled: its state is {told(new)}. {blocked}"
    if old == "DISABLED" and new == "DISABLED":
        return
    advice = (
        "" if effect is Effect.SAFE else "Tell those who submit to it, and enable it afterwards."
    )
    yield Hit(effect, _PROPERTY, text, advice, source, share, None, before, after)
