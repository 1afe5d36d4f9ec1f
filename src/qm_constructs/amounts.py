"""Numbers of instances of which a template tells only some: each is known to lie between two."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Amount(NamedTuple):
    """A number of instances, as far as it is known.

    Args:
        least: It is this at least, 0 or more.
        most: It is this at most; None where nothing says so.
    """

    least: int = 0
    most: int | None = None

    @property
    def known(self) -> int | None:
        """The number itself; None when it is not known."""
        return self.least if self.least == self.most else None

    def is_below(self, number: int) -> bool:
        """Tells whether it is surely less than a number."""
        return self.most is not None and self.most < number

    def plus(self, other: Amount) -> Amount:
        """Returns it and another together."""
        bounded = self.most is not None and other.most is not None
        return Amount(
            self.least + other.least, (self.most or 0) + (other.most or 0) if bounded else None
        )

    def less(self, other: Amount) -> Amount:
        """Returns what is left of it without another, 0 at least."""
        least = 0 if other.most is None else max(0, self.least - other.most)
        return Amount(least, None if self.most is None else max(0, self.most - other.least))

    def percent(self, percent: int) -> Amount:
        """Returns a percentage of it in whole instances, rounded down.

        AWS does not say how it rounds (QS-11).
        """
        if percent == 0:
            return NONE
        most = None if self.most is None else self.most * percent // 100
        return Amount(self.least * percent // 100, most)


ANY = Amount()
"""A number of which nothing is known."""

NONE = Amount(0, 0)
"""No instance."""


def exactly(number: int) -> Amount:
    """Returns a number that is known."""
    return Amount(number, number)


def up_to(amount: Amount) -> Amount:
    """Returns a number that is known to be at most another."""
    return Amount(0, amount.most)


def smaller(one: Amount, other: Amount) -> Amount:
    """Returns the smaller of two."""
    bounds = [amount.most for amount in (one, other) if amount.most is not None]
    return Amount(min(one.least, other.least), min(bounds, default=None))


def either(amounts: Iterable[Amount]) -> Amount:
    """Returns a number that is one of several, at least one."""
    found = [*amounts]
    bounds = [amount.most for amount in found if amount.most is not None]
    most = max(bounds) if len(bounds) == len(found) else None
    return Amount(min(amount.least for amount in found), most)


class Sum:
    """The sum of many numbers, and of all but one of them.

    Args:
        open: Whether there may be more of them.
    """

    def __init__(self, amounts: Iterable[Amount], *, open: bool = False) -> None:  # noqa: A002
        self._least = self._most = 0
        self._unbounded = int(open)
        for amount in amounts:
            self._least += amount.least
            self._most += amount.most or 0
            self._unbounded += amount.most is None

    def all(self) -> Amount:
        """Returns the sum of all."""
        return Amount(self._least, None if self._unbounded else self._most)

    def without(self, amount: Amount) -> Amount:
        """Returns the sum of all but one.

        Args:
            amount: The one, which is among them.
        """
        unbounded = self._unbounded - (amount.most is None)
        most = None if unbounded else self._most - (amount.most or 0)
        return Amount(self._least - amount.least, most)
