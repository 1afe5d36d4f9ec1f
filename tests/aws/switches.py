"""Where AWS has not said what it does: whether the service refuses it, one switch for each fact.

A switch is named by the fact's id. Off is lenient: the service accepts what is in doubt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SWITCHES: Final[Mapping[str, str]] = {
    "SE-13": "an instance type, ml.*, that the published list lacks (off: the list lags behind)",
    "SE-11": "one capacity unit twice in a service environment",
    "QS-17": "one capacity unit twice in a quota share",
    "QS-08": "a borrow limit where the strategy is not LEND_AND_BORROW (off: it is ignored)",
    "XR-01": "a quota share's unit that the service environment lacks",
    "XR-02": "quota shares that hold more of a unit together than the service environment",
    "XR-03": "a quota share that holds more of a unit than the service environment",
    "JT-08": "a job state time limit for an unknown reason (off: it never matches)",
    "SP-06": "a scheduling policy without members, or with an empty quotaSharePolicy",
    "SP-08": "a quota share policy on a second job queue",
    "JQ-13": "instance types in the service environment of a queue without quota shares",
    "UP-04": "a job queue that changes between a fair share and a quota share policy",
    "UP-08": "a service environment that loses a unit which quota shares use",
    "DE-06": "the deletion of a job queue that has quota shares (off: they go with it)",
}

_on: set[str] = set()


def refuses(fact: str) -> bool:
    """Whether the service refuses what this fact leaves open."""
    assert fact in SWITCHES
    return fact in _on


def current() -> dict[str, bool]:
    """Returns every switch, true where the service refuses."""
    return {fact: fact in _on for fact in SWITCHES}


def turn(changes: Mapping[str, object]) -> None:
    """Turns switches on (true) and off (false).

    Raises:
        ValueError: a switch is unknown, or its value is no boolean; then none is turned.
    """
    for fact, on in changes.items():
        if fact not in SWITCHES:
            raise ValueError(f"no switch {fact!r}; there are {', '.join(SWITCHES)}")
        if not isinstance(on, bool):
            raise ValueError(f"switch {fact} is {on!r}; write true (refuse) or false (accept)")
    for fact, on in changes.items():
        (_on.add if on else _on.discard)(fact)
