"""Tunisia 1943, read literally: what the rules are asked, and what the clauses answer."""

from __future__ import annotations

from referee.games.tunisia1943.facts import the_field
from referee.games.tunisia1943.trip import Trip
from tools.oracles.comparing import Comparison, Oracle
from tools.oracles.games.tunisia1943 import answering, asking
from tools.oracles.games.tunisia1943.marching import VERBS, March
from tools.oracles.games.tunisia1943.scattering import scatter
from tools.oracles.moving import Moves

MOVEMENT = "2.1a to 4.2a, 9.2e, 9.2i, 10b, 10c, C2.4"
MOVES = Moves(
    VERBS,
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
        Comparison("zones of control", "3a, 2.1e, 7.4g", asking.zones, answering.zones),
        Comparison("supply", "9.1 to 9.1b-5", asking.supply, answering.supply),
        Comparison("supply checks", "9.2g, 6.3h", asking.checks, answering.checks),
        *MOVES.comparisons(MOVEMENT, MOVEMENT, "2.1a to 4.2a, 10b, 10c"),
        Comparison("breakthroughs", "4.3f, 9.2d, 12d to 12g, C1.4", asking.tests, answering.tests),
        Comparison("odds", "2.1a, 7.2b, 7.2c, 9.2b, 9.2c, G.2", asking.odds, answering.odds),
        Comparison("retreats", "7.5a to 7.5f", asking.retreats, answering.retreats),
        Comparison("stacking", "5.1a, 5.1e, 12b, C1.5", asking.stacking, answering.stacking),
    ),
)
