"""Overrun of headquarters."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Overrun of headquarters", Provenance("rulebook", "4.2"))
