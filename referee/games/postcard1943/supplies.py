"""Supply in combat; its effects on movement are in ``movement``."""

from __future__ import annotations

from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.supply import Supply
from referee.games.postcard1943.combat import announced
from referee.games.postcard1943.facts import supply
from vassalgen.game.provenance import Provenance

rules = Section("Supply", Provenance("rulebook", "Supply"))


def supply_of(position: Position, name: str) -> Supply | None:
    """Return the state of supply of a ground unit on the map, None for any other piece."""
    piece = position.pieces[name]
    on_map = piece.where in position.game.map.grid
    return supply(position, name) if on_map and piece.counter.kind == "unit" else None


announced(rules, "supply.5 supply.6")
