"""What counters are: the back of an EM. Losses of steps are told in ``losses``."""

from __future__ import annotations

from referee.engine.rules import Section
from vassalgen.game.provenance import Provenance

rules = Section("Components", Provenance("rulebook", "0"))
