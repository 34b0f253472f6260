"""Postcard Tunisia 1943, read literally: what the rules are asked, and what the clauses answer."""

from __future__ import annotations

from referee.games.postcard1943.facts import the_field
from referee.games.postcard1943.trip import Trip
from tools.oracles.comparing import Comparison, Oracle
from tools.oracles.games.postcard1943 import answering, asking, questions
from tools.oracles.games.postcard1943.marching import March
from tools.oracles.games.postcard1943.scattering import scatter
from tools.oracles.moving import Moves

MOVES = Moves(
    {"movement": "move"},
    questions.movers,
    questions.elsewhere,
    questions.walks,
    Trip.of,
    lambda position: the_field(position).scale,
    March,
)

ORACLE = Oracle(
    scatter,
    (
        Comparison("threatened hexes", "move.12", asking.threats, answering.threats),
        Comparison("supply", "supply.1 to supply.4", asking.supply, answering.supply),
        *MOVES.comparisons(
            "move.1 to move.15, supply.5, supply.6",
            "move.1 to move.15, stack.1, terrain.6",
            "move.1 to move.15",
        ),
        Comparison("attacks", "combat.3, disrupt.2, terrain.7", asking.attacks, answering.attacks),
        Comparison("odds", "combat.3, terrain.1 to terrain.4, church.1", asking.odds, answering.odds),
        Comparison("strengths", "combat.3, terrain.1 to terrain.4", asking.strengths, answering.strengths),
        Comparison(
            "Germans to be attacked", "combat.5, combat.6", asking.to_be_attacked, answering.to_be_attacked
        ),
        Comparison("retreats", "retreat.1 to retreat.4, crt.7", asking.retreats, answering.retreats),
        Comparison(
            "dragged retreats", "retreat.1 to retreat.4", asking.retreat_drags, answering.retreat_drags
        ),
        Comparison("advances", "advance.1, advance.3, advance.4", asking.advances, answering.advances),
        Comparison("left undone", "crt.2 to crt.8, advance.2", asking.undone, answering.undone),
        Comparison("stacking", "stack.1 to stack.3", asking.stacking, answering.stacking),
        Comparison("recovery", "disrupt.5, disrupt.6", asking.recovery, answering.recovery),
        Comparison("victory", "win.1", asking.victory, answering.victory),
    ),
)
