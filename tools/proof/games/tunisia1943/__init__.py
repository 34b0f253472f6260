"""How the rules of Tunisia 1943 are broken: movement, supply, exploitation, headquarters, arrivals and exits.

Mutators ask the map and the table's plain facts, never the rules under proof.
"""

from __future__ import annotations

from tools.proof.breaking import Breaker
from tools.proof.games.tunisia1943 import keeping, moving

__all__ = ["BREAKER"]

BREAKER = Breaker([mutator for room in (moving, keeping) for mutator in room.breaker.mutators])
