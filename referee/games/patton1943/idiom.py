"""How what players do in the module is called in records of this game."""

from __future__ import annotations

from referee.games.patton1943.trip import BREAK_THROUGH, MOVE
from referee.scribe.idiom import Checked, Idiom, MoveVerb

MARCH, BREAK = MoveVerb(MOVE, passive=False), MoveVerb(BREAK_THROUGH, passive=False)
RETREAT, ADVANCE = MoveVerb("retreat", passive=True), MoveVerb("advance", passive=False)
TRAYS = ("axis-pool", "allied-crests", "allied-others", "axis-germans", "axis-italians")
"""Where counters wait for the set-up, or to come in: one that is put back there is off the map."""


IDIOM = Idiom(
    declared={
        "begin": "complete",
        "fly": "fly",
        "no-air": "no air",
        "air-combat": "roll air",
        "leave-out": "leave out",
        "attack-roll": "roll attack",
        "defence-roll": "roll defence",
    },
    announced={"retreat": RETREAT, "advance": ADVANCE, "breakthrough": BREAK},
    dice={"attack": "roll attack", "defence": "roll defence", "air": "roll air"},
    checked={
        "attack-roll": Checked("attack total", "attack result"),
        "defence-roll": Checked("defence total", "defence result"),
        "air-combat": Checked(makes="air result", winner="air winner"),
    },
    alone={"patton": "roll patton", "rommel": "roll rommel"},
    by_hand={"flying": ("fly", "land"), "left-out": ("leave out", "take part")},
    answers=("defence",),
    steps=("lose", "rebuild"),
    move_verbs={
        "movement": (MARCH,),
        "battles": (RETREAT, ADVANCE, BREAK, MARCH),
        "return": (MARCH,),
        "replacement": (MARCH,),
        "supply": (MARCH,),
        "end": (MARCH,),
    },
    entries=("return", "battlegroup", "reclaim", "arrive", "swap"),
    out_of={
        "allied-returning": ("return",),
        "axis-returning": ("return",),
        "allied-dead": ("reclaim",),
        "axis-dead": ("reclaim",),
        "allied-pool": ("battlegroup", "swap"),
        "allied-pool us-patton": ("arrive",),
        "axis-pool": ("battlegroup",),
    },
    deploy="deploy",
    begin="complete",
    overhead={"air": ("fly", "fly")},
    lost=("allied-dead", "axis-dead"),
    exits={
        "allied-returning": "to box",
        "axis-returning": "to box",
        "allied-out": "withdraw",
        "allied-pool": "withdraw",
        "axis-out": "recall",
        **dict.fromkeys(TRAYS, "eliminate"),
    },
    instead={"supply": {"lose": "supply loss", "eliminate": "supply loss"}},
    losses={"out-of-supply": "supply loss"},
    eliminate="eliminate",
    attack="attack",
    call_off="call off",
    roll="roll attack",
    settle="settle",
)
