"""How the rules of Patton's First Victory are broken, with at least one mutator for each clause, and what its
module announces.

Mutators use the literal reading of the rules and the counters on the table, never the rules under proof.
"""

from __future__ import annotations

from tools.proof.breaking import Breaker
from tools.proof.games.patton1943 import (
    advancing,
    ending,
    fighting,
    flying,
    losing,
    moving,
    placing,
    results,
    retreating,
    upkeep,
)
from tools.proof.games.patton1943.known_gaps import DOUBTS, EXPLAINED, UNBROKEN
from tools.proof.games.patton1943.legal_after_all import called_for, finish, is_legal_after_all
from tools.proof.games.patton1943.openings import OPENINGS
from tools.proof.games.patton1943.roll_announcements import ROLL_ANNOUNCEMENTS

__all__ = ["BREAKER", "ROLL_ANNOUNCEMENTS"]

BREAKER = Breaker.of(
    (placing, moving, fighting, flying, losing, results, retreating, advancing, upkeep, ending),
    excuse=is_legal_after_all,
    finish=finish,
    openings=OPENINGS,
    unbroken=UNBROKEN,
    explained=EXPLAINED,
    doubts=DOUBTS,
    called_for=called_for,
)
