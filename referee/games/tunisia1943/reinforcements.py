"""Reinforcements, and units that leave the map."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Reinforcements and exits", Provenance("rulebook", "11 and campaigns"))
