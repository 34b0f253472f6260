"""Headquarters attacked, destroyed and returning."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Headquarters", Provenance("rulebook", "6.3"))
