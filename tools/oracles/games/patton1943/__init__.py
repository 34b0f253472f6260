"""Patton's First Victory, read literally: what the rules are asked, and what the clauses answer."""

from __future__ import annotations

from referee.games.patton1943.facts import the_field
from referee.games.patton1943.trip import MOVE, Trip
from tools.oracles.comparing import Comparison, Oracle
from tools.oracles.games.patton1943 import answering, asking
from tools.oracles.games.patton1943.marching import March
from tools.oracles.games.patton1943.scattering import scatter
from tools.oracles.moving import Moves

MOVES = Moves(
    {"movement": MOVE},
    asking.movers,
    asking.near,
    asking.walks,
    Trip.of,
    lambda position: the_field(position).scale,
    March,
)

ORACLE = Oracle(
    scatter,
    (
        Comparison("zones of control", "9a, 9b", asking.zones, answering.zones),
        Comparison("supply", "7.8b to 7.8d", asking.supply, answering.supply),
        *MOVES.comparisons("8c to 8m, 9c", "7.1b, 8c to 8n, 9c, 9e", "7.1a, 8a, 8c to 8n, 9c"),
        Comparison("flights", "7.3a, 7.3d, 7.3j", asking.flights, answering.flights),
        Comparison("dice", "10f, 11e to 11j, 12b to 12d", asking.dice, answering.dice),
        Comparison("retreats", "14a to 14f", asking.retreats, answering.retreats),
        Comparison("stacking", "6a to 6c", asking.stacking, answering.stacking),
        Comparison("places for the reclaimed", "7.7h to 7.7j", asking.reclaims, answering.reclaims),
    ),
)
