"""Resolution of combat: the order, the ratio, the die."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Resolution of combat", Provenance("rulebook", "7.2"))
