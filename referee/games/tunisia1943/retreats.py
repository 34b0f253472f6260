"""Retreats."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Retreats", Provenance("rulebook", "7.5"))
