"""The rules of Postcard Tunisia 1943: a module for each section of its rulebook, in their order.

``field`` and ``facts`` have the map and plain facts, ``verbs`` the verbs, ``move`` a unit's move, ``battle``
an attack with its odds and the time when its result must be carried out, ``retreat_paths`` the paths of
retreat.
"""

from __future__ import annotations

from referee.engine.rulebook import Rulebook
from referee.games.postcard1943 import (
    advances,
    air,
    armies,
    combat,
    disruption,
    facts,
    movement,
    pressed,
    reinforcements,
    results,
    retreats,
    sequence,
    setup,
    stacking,
    swamps,
    terrain,
    victory,
)
from referee.games.postcard1943.field import Field
from referee.games.postcard1943.move import Move
from referee.games.postcard1943.verbs import IDIOM, VERBS

RESULTS = ("eliminate", "disrupt", "retreat", "advance")
"""What a battle may require."""

RULES = Rulebook(
    game="postcard1943",
    own_verbs=VERBS,
    idiom=IDIOM,
    sections=(
        victory.rules,
        setup.rules,
        armies.rules,
        sequence.rules,
        reinforcements.rules,
        stacking.rules,
        movement.rules,
        swamps.rules,
        terrain.rules,
        combat.rules,
        results.rules,
        retreats.rules,
        advances.rules,
        pressed.rules,
        disruption.rules,
        air.rules,
    ),
    clock_clause="seq.2",
    prepare=Field.of,
    odds=combat.odds_of,
    moves=dict.fromkeys(("move",), Move.of),
    recount=combat.current_odds,
    supply=facts.supply_of,
    ground=("unit",),
    impossible=setup.impossible,
    consequences=dict.fromkeys(("combat", "recovery"), RESULTS),
    may_be_late={"reinforcements": ("deploy",), "combat": RESULTS},
    spent=movement.with_spent,
    unseen=(
        "which side entered each town last",
        "when units were Disrupted",
        "which bombers were beaten off",
    ),
    winner=victory.winner,
)
