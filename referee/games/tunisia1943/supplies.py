"""Supply: lines, the check, and the markers."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Supply", Provenance("rulebook", "9"))
