"""How what players do in the module is called in records of this game."""

from __future__ import annotations

from referee.scribe.idiom import Idiom, MoveVerb

MOVE, FLEE, DISPLACE = MoveVerb("move", passive=False), MoveVerb("flee", passive=False), MoveVerb("displace")
MAKE_ROOM = MoveVerb("displace", passive=False)
"""In the movement phase friends make room, and no combat that nobody declared can be the cause."""
RETREAT, ROUT, WITHDRAW = MoveVerb("retreat"), MoveVerb("rout"), MoveVerb("withdraw")
ADVANCE, PURSUE = MoveVerb("advance"), MoveVerb("pursue", passive=False)
GO_WILD, SHIFT = MoveVerb("go wild", passive=False), MoveVerb("shift", passive=True)


IDIOM = Idiom(
    declared={
        "rally": "roll rally",
        "lead": "lead",
        "support": "support",
        "approached": "roll approach",
        "casualty": "roll casualty",
        "pillage": "roll pillage",
        "repair": "work",
        "destroy": "work",
        "repaired": "finish",
        "destroyed": "finish",
        "claim-strategic": "claim",
        "claim-major": "claim",
        "claim-minor": "claim",
        "claim-draw": "claim",
    },
    words={
        "repaired": "repaired",
        "destroyed": "destroyed",
        "claim-strategic": "{side}-strategic",
        "claim-major": "{side}-major",
        "claim-minor": "{side}-minor",
        "claim-draw": "draw",
    },
    beside={"rally": "rallies"},
    announced={
        "retreat": RETREAT,
        "rout": ROUT,
        "displaced": DISPLACE,
        "advance": ADVANCE,
        "pursue": PURSUE,
        "withdraw": WITHDRAW,
        "aside": SHIFT,
    },
    dice={
        "combat": "roll combat",
        "rally": "roll rally",
        "general": "roll approach",
        "casualty": "roll casualty",
        "pillage": "roll pillage",
    },
    states={
        "disordered": ("disorder", "recover"),
        "routed": ("mark rout", "rally"),
        "charging": ("charge", ""),
        "uncontrolled": ("mark uncontrolled", "control"),
        "neutralised": ("neutralise", "rouse"),
        "working": ("mark working", ""),
    },
    by_hand={
        "fired": ("mark fired", "unmark fired"),
        "uncontrolled": ("mark uncontrolled", "control"),
        "working": ("mark working", ""),
    },
    steps=("lose", "regain"),
    back="come back",
    faces=("reveal", "hide"),
    move_verbs={
        "leaders": (MOVE,),
        "rally": (MOVE,),
        "movement": (MOVE, FLEE, MAKE_ROOM, WITHDRAW, GO_WILD, SHIFT),
        "fire": (RETREAT, ROUT, DISPLACE, WITHDRAW, MOVE),
        "combat": (RETREAT, ROUT, DISPLACE, ADVANCE, PURSUE, WITHDRAW, MOVE, GO_WILD),
    },
    entries=("enter",),
    deploy="deploy",
    lost=("allied-lost", "french-lost"),
    exits={
        "left-by-3206": "exit",
        "allied-left": "exit",
        "french-left": "exit",
        "allied-routed": "exit",
        "french-routed": "exit",
        "hill-column": "put back",
        "wellington-column": "put back",
        "dalhousie-column": "put back",
        "graham-column": "put back",
    },
    eliminate="eliminate",
    attack="attack",
    attacks={"fire": "fire"},
    also="also",
    call_off="call off",
    odds="odds",
    roll="roll combat",
    modifier="modifier",
    result="result",
    settle="settle",
)
