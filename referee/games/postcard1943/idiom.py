"""How what players do in the module is called in records of this game."""

from __future__ import annotations

from referee.scribe.idiom import Idiom, MoveVerb

MOVE, ADVANCE = MoveVerb("move"), MoveVerb("advance", passive=False)
RETREAT, FALL_BACK = MoveVerb("retreat", passive=True), MoveVerb("retreat", ("by choice",), passive=True)


IDIOM = Idiom(
    declared={
        "bomb": "bomb",
        "intercept": "intercept",
        "air-battle": "roll air-battle",
        "bombed": "roll bombing",
        "no-retreat": "no retreat",
        "press": "roll press",
        "swamp": "roll swamp",
        "lend": "lend",
        "as-infantry": "defend as infantry",
    },
    announced={"retreat": RETREAT, "voluntary-retreat": FALL_BACK, "advance": ADVANCE},
    once=("no-retreat",),
    entering=("swamp",),
    dice={
        "combat": "roll combat",
        "air-battle": "roll air-battle",
        "bombing": "roll bombing",
        "press": "roll press",
        "swamp": "roll swamp",
    },
    states={"disrupted": ("disrupt", "recover")},
    by_hand={"stuck": ("mark stuck", "mark free"), "lent": ("lend", "give back")},
    move_verbs={
        "reinforcements": (MOVE,),
        "movement": (MOVE,),
        "combat": (RETREAT, FALL_BACK, ADVANCE, MOVE),
        "recovery": (MOVE,),
        "end": (MOVE,),
    },
    entries=("arrive",),
    deploy="deploy",
    overhead={"air": ("bomb", "intercept")},
    idle="station",
    away="put away",
    lost=("allied-lost", "axis-lost"),
    eliminate="eliminate",
    attack="attack",
    call_off="call off",
    odds="odds",
    roll="roll combat",
    result="result",
    settle="settle",
)
