"""Sequence of play: who acts when."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Sequence of play", Provenance("rulebook", "1"))
