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

VERDICT = "who has won is told by the program; no log holds a claim"
UNBROKEN = {
    **dict.fromkeys(("C1.9", "C1.10", "C1.11", "C1.12", "C2.8", "C2.9"), VERDICT),
    "0.1k": "the module has one counter for both of a unit of four steps",
}
"""Clauses that nothing in a log can break, and why."""

BREAKER = Breaker(
    [
        mutator
        for room in (moving, breaking_through, attacking, supporting, reckoning, results, keeping)
        for mutator in room.breaker.mutators
    ],
    is_legal_after_all,
    finish,
    OPENINGS,
    UNBROKEN,
)
