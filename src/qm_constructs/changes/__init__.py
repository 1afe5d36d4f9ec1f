"""Whom a change hurts: what the difference of two templates does to running and queued jobs."""

from __future__ import annotations

from qm_constructs.changes.compare import compare
from qm_constructs.changes.effects import HARMS, Change, Effect, Hit
from qm_constructs.changes.side import Deployed, Key, Reference, Side

__all__ = ["HARMS", "Change", "Deployed", "Effect", "Hit", "Key", "Reference", "Side", "compare"]
