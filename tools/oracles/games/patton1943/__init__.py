"""Patton's First Victory, read literally: the questions to the rules, and the answers of the clauses."""

from __future__ import annotations

from tools.oracles.comparing import Oracle
from tools.oracles.games.patton1943.asking import COMPARISONS
from tools.oracles.games.patton1943.scattering import scatter

ORACLE = Oracle(scatter, COMPARISONS)
