"""How Tunisia 1943 is talked about and its rules are broken.

Mutators ask the map and the table's plain facts, never the rules under proof.
"""

from __future__ import annotations

from tools.proof.breaking import Breaker
from tools.proof.games.tunisia1943 import keeping, moving
from tools.proof.games.tunisia1943.talking import TALK

__all__ = ["BREAKER", "TALK"]

BREAKER = Breaker([mutator for room in (moving, keeping) for mutator in room.breaker.mutators])
