"""Stacking."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Stacking", Provenance("rulebook", "5"))
