"""Vitoria 1813, read literally: what the rules are asked, and what the clauses answer."""

from __future__ import annotations

from referee.games.vitoria1813.facts import the_field
from referee.games.vitoria1813.trip import Trip
from tools.oracles.comparing import Comparison, Oracle
from tools.oracles.games.vitoria1813 import answering, asking
from tools.oracles.games.vitoria1813.marching import March
from tools.oracles.games.vitoria1813.scattering import scatter
from tools.oracles.moving import Moves

MOVEMENT = "3.2a to 3.2e, 4.1 to 4.3, 5.2, 7.7a, 10a"
MOVES = Moves(
    {"movement": "move"},
    asking.marchers,
    asking.near,
    asking.walks,
    Trip.of,
    lambda position: the_field(position).scale,
    March,
)

ORACLE = Oracle(
    scatter,
    (
        Comparison("zones of control", "3.1a to 3.1d, 3.2h", asking.zones, answering.zones),
        *MOVES.comparisons(MOVEMENT, MOVEMENT),
        Comparison("lines of sight", "6.1b to 6.1d", asking.sight, answering.sight),
        Comparison("retreats", "7.4b", asking.retreats, answering.retreats),
    ),
)
