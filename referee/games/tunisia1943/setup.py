"""Set-up: who stands where before the first turn."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Set-up", Provenance("rulebook", "Campaigns"))
