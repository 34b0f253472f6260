"""How what players do in the module is called in records of this game."""

from __future__ import annotations

from referee.scribe.idiom import Idiom, MoveVerb

MOVE, EXPLOIT, DISPLACE = (
    MoveVerb("move", passive=False),
    MoveVerb("exploit", passive=False),
    MoveVerb("displace"),
)
SHIFT = MoveVerb("shift")
RETREAT, ADVANCE = MoveVerb("retreat"), MoveVerb("advance", passive=False)


IDIOM = Idiom(
    declared={
        "sustain": "sustain",
        "breakthrough": "break through",
        "let-pass": "let pass",
        "stop": "stop with",
        "overrun": "overrun",
        "air": "aviation",
        "artillery": "artillery",
        "no-artillery": "no artillery",
    },
    announced={"retreat": RETREAT, "advance": ADVANCE, "displaced": DISPLACE},
    dice={"combat": "roll combat", "cohesion": "roll cohesion"},
    alone={"cohesion": "roll breakthrough"},
    by_hand={"sustained": ("mark sustained", "unmark sustained")},
    points={"artillery-left": "mark artillery"},
    states={
        "out-of-supply": ("out of supply", "in supply"),
        "zoc-lost": ("lose zoc", "regain zoc"),
        "artillery-left": ("face down", "face up"),
    },
    steps=("lose", "restore"),
    move_verbs={
        "sustain": (MOVE, SHIFT),
        "movement": (MOVE, DISPLACE, SHIFT),
        "combat": (RETREAT, ADVANCE, MOVE, SHIFT),
        "exploitation": (EXPLOIT, DISPLACE, SHIFT),
        "supply": (EXPLOIT, SHIFT),
        "end": (MOVE, SHIFT),
    },
    entries=("arrive", "return"),
    out_of=dict.fromkeys(("allied-lost", "axis-lost"), ("return", "arrive")),
    deploy="deploy",
    lost=("allied-lost", "axis-lost"),
    exits={
        "exited-west": "exit",
        "allied-reinforcements": "eliminate",
        "axis-reinforcements": "eliminate",
    },
    eliminate="eliminate",
    attack="attack",
    call_off="call off",
    odds="odds",
    roll="roll combat",
    modifier="modifier",
    result="result",
    settle="settle",
)
