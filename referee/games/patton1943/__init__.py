"""The rules of Patton's First Victory: a module for each section of its rulebook, in their order.

``field`` and ``facts`` have the map and plain facts, ``verbs`` the verbs, ``move`` a piece's move, ``battle``
a battle in progress, ``retreat_paths`` the paths of retreat.
"""

from __future__ import annotations

from referee.engine.rulebook import Rulebook
from referee.games.patton1943 import (
    advances,
    air_losses,
    attacks,
    bases,
    boxes,
    breakthroughs,
    flights,
    generals,
    losses,
    movement,
    recall,
    replacements,
    retreats,
    rolls,
    sequence,
    setup,
    stacking,
    supplies,
    supply_paths,
    victory,
)
from referee.games.patton1943.battle import odds_of, recount
from referee.games.patton1943.field import Field
from referee.games.patton1943.move import BREAK_THROUGH, MOVE, Move
from referee.games.patton1943.readings import UNJUDGED
from referee.games.patton1943.verbs import IDIOM, VERBS

RESULTS = ("lose", "eliminate", "battlegroup", "to box", "retreat")
"""What a battle may require."""

RULES = Rulebook(
    game="patton1943",
    own_verbs=VERBS,
    idiom=IDIOM,
    sections=(
        victory.rules,
        setup.rules,
        stacking.rules,
        sequence.rules,
        movement.rules,
        attacks.rules,
        flights.rules,
        rolls.rules,
        losses.rules,
        air_losses.rules,
        retreats.rules,
        advances.rules,
        breakthroughs.rules,
        bases.rules,
        replacements.rules,
        supplies.rules,
        generals.rules,
        recall.rules,
        boxes.rules,
    ),
    clock_clause="7b",
    prepare=Field.of,
    odds=odds_of,
    recount=recount,
    moves=dict.fromkeys((MOVE, BREAK_THROUGH), Move.of),
    supply=supply_paths.supply,
    ground=("unit", "battlegroup", "support"),
    spare=("battlegroup",),
    consequences=dict.fromkeys(("battles", "return"), (*RESULTS, "advance", "break through")),
    may_be_late={
        "battles": RESULTS,
        "return": ("return", "eliminate"),
        "supply": ("supply loss", "lose", "eliminate"),
        "end": ("roll patton", "arrive", "swap", "withdraw", "roll rommel", "recall"),
    },
    spent=movement.with_spent,
    unseen=(
        "whose each hex is",
        "which replacements were saved",
        "where pieces were lost",
        "whether Patton and Rommel have come and gone",
    ),
    unjudged=UNJUDGED,
    winner=victory.winner,
)
