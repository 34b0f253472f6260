"""Tigers in combat; their effects on stacking and breakthroughs are in those modules."""

from __future__ import annotations

from referee.engine.rules import Section
from referee.games.tunisia1943.odds import announced
from vassalgen.game.provenance import Provenance

rules = Section("Tigers", Provenance("rulebook", "12"))

announced(rules, "12d 12e 12f")
