"""Patton's First Victory, read literally: what the rules are asked, and what the clauses answer."""

from __future__ import annotations

from tools.oracles.comparing import Oracle
from tools.oracles.games.patton1943.asking import COMPARISONS
from tools.oracles.games.patton1943.scattering import scatter

ORACLE = Oracle(scatter, COMPARISONS)
