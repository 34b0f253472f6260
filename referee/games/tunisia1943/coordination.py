"""Coordination of divisions and nations."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Coordination", Provenance("rulebook", "8"))
