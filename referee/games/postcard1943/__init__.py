"""The rules of Postcard Tunisia 1943, a file for each section of its rulebook and in their order.

``field`` and ``facts`` are what the rules look at, ``verbs`` what can be done.
"""

from __future__ import annotations

from referee.engine.rules import Rulebook
from referee.games.postcard1943 import (
    movement,
    reinforcements,
    sequence,
    setup,
    stacking,
    swamps,
)
from referee.games.postcard1943.field import Field
from referee.games.postcard1943.verbs import VERBS

RULES = Rulebook.of(
    "postcard1943",
    VERBS,
    (
        setup.rules,
        sequence.rules,
        reinforcements.rules,
        stacking.rules,
        movement.rules,
        swamps.rules,
    ),
    clock_clause="seq.2",
    prepare=Field.of,
)
