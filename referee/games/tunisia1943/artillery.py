"""Artillery of the headquarters."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Artillery", Provenance("rulebook", "6.2"))
