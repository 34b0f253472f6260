"""Terrain, zones of control and movement: each clause that a move can break."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Zones of control and movement", Provenance("rulebook", "2, 3 and 4.1"))
