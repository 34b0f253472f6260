"""Results of combat."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Results", Provenance("rulebook", "7.4"))
