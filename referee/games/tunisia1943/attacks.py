"""Attacks: who, whom, how often."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Attacks", Provenance("rulebook", "7.1"))
