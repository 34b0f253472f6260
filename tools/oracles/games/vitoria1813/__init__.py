"""Vitoria 1813, read literally: what the rules are asked, and what the clauses answer."""

from __future__ import annotations

from tools.oracles.comparing import Oracle
from tools.oracles.games.vitoria1813.asking import COMPARISONS
from tools.oracles.games.vitoria1813.scattering import scatter

ORACLE = Oracle(scatter, COMPARISONS)
