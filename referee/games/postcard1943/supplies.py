"""Supply in combat; what movement does without it is told under movement."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.games.postcard1943.combat import announced
from vassalgen.game.provenance import Provenance

rules = Section("Supply", Provenance("rulebook", "Supply"))


@rules.on("odds", clause="supply.5")
def attack_factors_are_halved_without_supply(position: Position, action: Action) -> Breach | None:
    return announced(position, action, "supply.5")


@rules.on("odds", clause="supply.6")
def supply_is_judged_anew_for_the_attack(position: Position, action: Action) -> Breach | None:
    return announced(position, action, "supply.6")
