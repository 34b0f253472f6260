"""The rules of Tunisia 1943: a module for each section of its rulebook, in their order.

``field`` and ``facts`` have the map and plain facts, ``verbs`` the verbs, ``move`` a unit's move, ``battle``
an attack with its odds, ``account`` the steps that its result costs, ``retreat_paths`` the paths of retreat.
"""

from __future__ import annotations

from referee.engine.rulebook import Rulebook
from referee.games.tunisia1943 import (
    advances,
    artillery,
    attacks,
    aviation,
    breakthroughs,
    cohesion,
    companions,
    components,
    coordination,
    duties,
    exploitation,
    garrisons,
    headquarters,
    losses,
    movement,
    overruns,
    reinforcements,
    resolution,
    results,
    retreats,
    sequence,
    setup,
    stacking,
    supplies,
    victory,
)
from referee.games.tunisia1943.field import Field
from referee.games.tunisia1943.meant import meant
from referee.games.tunisia1943.move import EXPLOIT, MOVE, Move
from referee.games.tunisia1943.readings import UNJUDGED
from referee.games.tunisia1943.unseen import as_it_may_be
from referee.games.tunisia1943.verbs import IDIOM, VERBS

RULES = Rulebook(
    game="tunisia1943",
    own_verbs=VERBS,
    idiom=IDIOM,
    meant=meant,
    once_fixed=("7.3g",),
    sections=(
        losses.rules,
        components.rules,
        sequence.rules,
        movement.rules,
        overruns.rules,
        breakthroughs.rules,
        duties.rules,
        stacking.rules,
        artillery.rules,
        headquarters.rules,
        companions.rules,
        attacks.rules,
        resolution.rules,
        cohesion.rules,
        results.rules,
        retreats.rules,
        advances.rules,
        coordination.rules,
        supplies.rules,
        exploitation.rules,
        aviation.rules,
        garrisons.rules,
        setup.rules,
        reinforcements.rules,
        victory.rules,
    ),
    clock_clause="1c",
    prepare=Field.of,
    odds=resolution.odds_of,
    consequences=dict.fromkeys(
        ("movement", "combat", "exploitation", "supply"),
        ("lose", "eliminate", "restore", "retreat", "advance", "lose zoc"),
    ),
    keeping=exploitation.still_sustained,
    moves=dict.fromkeys((MOVE, EXPLOIT), Move.of),
    supply=supplies.supply,
    ground=("unit", "em"),
    spare=("garrison",),
    impossible=setup.impossible,
    spent=movement.with_spent,
    unseen=(
        "when EMs were destroyed",
        "which units were out of supply at their last check",
        "whether the Axis has held Tebessa",
    ),
    unjudged=UNJUDGED,
    recount=resolution.odds_of_battle,
    unseen_alternatives=as_it_may_be,
    winner=victory.winner,
)
