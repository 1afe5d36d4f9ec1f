"""How many jobs an account may submit in a second. [SJ-06]"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass

from ministack.core.responses import get_account_id, get_region

from .errors import TooManyRequestsError


@dataclass
class Rate:
    submissions_per_second: int = 5


RATE = Rate()
_submitted: dict[tuple[str, str], deque[float]] = {}


def check_rate() -> None:
    """Refuses a submission that follows too many others of the account in the Region."""
    times = _submitted.setdefault((get_account_id(), get_region()), deque())
    while times and times[0] <= time.monotonic() - 1:
        times.popleft()
    if len(times) >= RATE.submissions_per_second:
        raise TooManyRequestsError("Too Many Requests")
    times.append(time.monotonic())
