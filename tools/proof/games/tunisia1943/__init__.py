"""How Tunisia 1943 is talked about and its rules are broken.

Mutators ask the map, the table's plain facts and slow literal readings, never the rules under proof.
"""

from __future__ import annotations

from tools.proof.breaking import Breaker
from tools.proof.games.tunisia1943 import (
    attacking,
    breaking_through,
    keeping,
    moving,
    reckoning,
    results,
    supporting,
)
from tools.proof.games.tunisia1943.openings import OPENINGS
from tools.proof.games.tunisia1943.shown import finish, is_legal_after_all
from tools.proof.games.tunisia1943.talking import TALK

__all__ = ["BREAKER", "TALK"]

BREAKER = Breaker(
    [
        mutator
        for room in (moving, breaking_through, attacking, supporting, reckoning, results, keeping)
        for mutator in room.breaker.mutators
    ],
    is_legal_after_all,
    finish,
    OPENINGS,
)
