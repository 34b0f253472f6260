"""The rules of Vitoria 1813: a module for each part of its rulebook, in their order.

``field`` and ``facts`` have the map and plain facts, ``verbs`` the verbs, ``move`` a counter's move,
``battle`` a combat in progress, ``sight`` the lines of sight, ``unseen`` what may have happened before a log.
"""

from __future__ import annotations

from referee.engine.rulebook import Bridges, Rulebook
from referee.games.vitoria1813 import (
    advances,
    announced,
    approaches,
    casualties,
    causes,
    charges,
    combat,
    convoy,
    displacement,
    engineers,
    fire,
    flights,
    generals,
    hiding,
    losses,
    melee,
    movement,
    rallying,
    reinforcements,
    retreats,
    routs,
    sequence,
    stacking,
    victory,
)
from referee.games.vitoria1813.field import Field
from referee.games.vitoria1813.meant import meant
from referee.games.vitoria1813.move import Move
from referee.games.vitoria1813.notes import DESTROYED
from referee.games.vitoria1813.readings import UNJUDGED
from referee.games.vitoria1813.unseen import as_bridges_may_stand, as_rules_may_be_read
from referee.games.vitoria1813.verbs import IDIOM, VERBS

RESULTS = (
    *("lose", "eliminate", "retreat", "rout", "displace", "disorder", "mark rout", "neutralise"),
    *("advance", "pursue", "withdraw", "mark uncontrolled", "go wild"),
)
"""What a combat, or fire, may require."""
LATE = (*RESULTS, "shift", "roll casualty", "roll approach", "roll pillage")
"""What may be made up after a phase has ended."""

RULES = Rulebook(
    game="vitoria1813",
    own_verbs=VERBS,
    idiom=IDIOM,
    meant=meant,
    sections=(
        hiding.rules,
        sequence.rules,
        movement.rules,
        approaches.rules,
        stacking.rules,
        fire.rules,
        melee.rules,
        combat.rules,
        announced.rules,
        losses.rules,
        retreats.rules,
        displacement.rules,
        routs.rules,
        advances.rules,
        flights.rules,
        rallying.rules,
        charges.rules,
        generals.rules,
        casualties.rules,
        causes.rules,
        engineers.rules,
        convoy.rules,
        reinforcements.rules,
        victory.rules,
    ),
    clock_clause="2b",
    prepare=Field.of,
    ground=("infantry", "cavalry", "artillery", "engineer", "general"),
    consequences={
        "rally": ("rally",),
        "movement": ("lose", "eliminate", "withdraw", "neutralise", "disorder", "mark uncontrolled", "shift"),
        **dict.fromkeys(("fire", "combat"), RESULTS),
    },
    may_be_late={"rally": ("rally",), **dict.fromkeys(("leaders", "movement", "fire", "combat"), LATE)},
    may_follow=("hide",),
    spent=movement.with_spent,
    unseen=(
        "which bridges are destroyed",
        "which side was last in the hexes of victory",
        "what was lost, pillaged or has left the map",
        "which counters have moved and fought",
    ),
    bridges=Bridges("bridge", DESTROYED),
    moves=dict.fromkeys(("move", "flee"), Move.of),
    unjudged=UNJUDGED,
    recount=combat.current_odds,
    unseen_alternatives=as_bridges_may_stand,
    unclear_alternatives=as_rules_may_be_read,
    winner=victory.winner,
)
