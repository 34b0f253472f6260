"""Advances after combat."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Advances", Provenance("rulebook", "7.6"))
