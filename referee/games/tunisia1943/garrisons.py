"""Garrisons of the harbours."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Garrisons", Provenance("rulebook", "Garrisons of the Axis harbors"))
