"""The statuses of a resource: on its way for a moment, then where it was going."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import ClassVar, Literal

Moving = Literal["CREATING", "UPDATING", "DELETING"]


@dataclass
class Life:
    """Where a resource stands between its creation and its end."""

    # How long a resource is on its way.
    SECONDS: ClassVar[float] = 0.05

    moving: Moving = "CREATING"
    until: float = field(default_factory=lambda: time.monotonic() + Life.SECONDS)

    @property
    def status(self) -> str:
        if self.moving == "DELETING":
            return "DELETING"
        return "VALID" if time.monotonic() >= self.until else self.moving

    @property
    def is_valid(self) -> bool:
        return self.status == "VALID"

    @property
    def is_over(self) -> bool:
        return self.moving == "DELETING" and time.monotonic() >= self.until

    def move(self, to: Moving) -> None:
        self.moving, self.until = to, time.monotonic() + Life.SECONDS
