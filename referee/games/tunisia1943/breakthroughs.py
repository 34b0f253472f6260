"""Armoured breakthrough."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Armoured breakthrough", Provenance("rulebook", "4.3"))
