"""Cohesion tests in combat, and the ends of the table."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Cohesion in combat", Provenance("rulebook", "7.3"))
