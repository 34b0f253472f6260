"""How the rules of Postcard Tunisia 1943 are broken, with at least one mutator for each enforced clause.

Mutators use the slow literal reading of the rules and the plain facts of the table, never the rules under
proof.
"""

from __future__ import annotations

from tools.proof.breaking import Breaker
from tools.proof.games.postcard1943 import (
    entering,
    fighting,
    flying,
    moving,
    odds,
    recovering,
    results,
)
from tools.proof.games.postcard1943.known_gaps import DOUBTS, EXPLAINED, UNBROKEN
from tools.proof.games.postcard1943.legal_after_all import called_for, finish, is_legal_after_all
from tools.proof.games.postcard1943.openings import OPENINGS
from tools.proof.games.postcard1943.roll_announcements import ROLL_ANNOUNCEMENTS

__all__ = ["BREAKER", "ROLL_ANNOUNCEMENTS"]

BREAKER = Breaker.of(
    (entering, moving, fighting, odds, results, flying, recovering),
    excuse=is_legal_after_all,
    finish=finish,
    openings=OPENINGS,
    unbroken=UNBROKEN,
    explained=EXPLAINED,
    doubts=DOUBTS,
    called_for=called_for,
)
