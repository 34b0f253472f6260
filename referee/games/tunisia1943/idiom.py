"""How what players do in the module is called in records of this game."""

from __future__ import annotations

from referee.scribe.idiom import Idiom, Way

MOVE, EXPLOIT, DISPLACE = Way("move", passive=False), Way("exploit", passive=False), Way("displace")
RETREAT, ADVANCE = Way("retreat"), Way("advance", passive=False)

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
    states={"out-of-supply": ("out of supply", "in supply"), "zoc-lost": ("lose zoc", "regain zoc")},
    steps=("lose", "restore"),
    ways={
        "sustain": (MOVE,),
        "movement": (MOVE, DISPLACE),
        "combat": (RETREAT, ADVANCE, MOVE),
        "exploitation": (EXPLOIT, DISPLACE),
        "supply": (EXPLOIT,),
        "end": (MOVE,),
    },
    entries=("arrive", "return"),
    deploy="deploy",
    lost=("allied-lost", "axis-lost"),
    exits={"exited-west": "exit"},
    eliminate="eliminate",
    attack="attack",
    call_off="call off",
    odds="odds",
    roll="roll combat",
    modifier="modifier",
    result="result",
    settle="settle",
)
