"""The best time of each side, and how a row is shown with its goal."""

from __future__ import annotations

from collections.abc import Sequence

from check_speed import Action, measured


def best(*actions: Action, runs: int) -> list[float]:
    """Returns the shortest time of each action in seconds."""
    return [times.best for times in measured(*actions, rounds=runs)]


def say(what: str, seconds: Sequence[float], goal: str, met: bool) -> None:
    """Prints a row."""
    figures = " ".join(f"{1000 * taken:>8.0f}" for taken in seconds)
    print(f"{what:<44}{figures}  {'met' if met else 'MISSED'}: {goal}", flush=True)
