"""Patton's First Victory, read literally: what the rules are asked, and what the clauses answer."""

from __future__ import annotations

from tools.oracles.comparing import Comparison, Oracle
from tools.oracles.games.patton1943 import answering, asking
from tools.oracles.games.patton1943.strewing import strew

ORACLE = Oracle(
    strew,
    (
        Comparison("zones of control", "9a, 9b", asking.zones, answering.zones),
        Comparison("supply", "7.8b to 7.8d", asking.supply, answering.supply),
        Comparison("reach", "8c to 8m, 9c", asking.reach, answering.reach),
        Comparison("ways", "7.1b, 8c to 8n, 9c, 9e", asking.ways, answering.ways),
        Comparison("drags", "7.1b, 8c to 8n, 9c, 9e", asking.drags, answering.drags),
        Comparison("listed moves", "7.1a, 8a, 8c to 8n, 9c", asking.listed, answering.listed),
        Comparison("flights", "7.3a, 7.3d, 7.3j", asking.flights, answering.flights),
        Comparison("dice", "10f, 11e to 11j, 12b to 12d", asking.dice, answering.dice),
        Comparison("retreats", "14a to 14f", asking.retreats, answering.retreats),
        Comparison("stacking", "6a to 6c", asking.stacking, answering.stacking),
        Comparison("places for the reclaimed", "7.7h to 7.7j", asking.reclaims, answering.reclaims),
    ),
)
