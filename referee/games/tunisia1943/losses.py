"""Losses of steps: what a unit becomes, and the second counter of four-step units."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Steps", Provenance("rulebook", "0.1"))
