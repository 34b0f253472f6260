"""How what players do in the module is called in records of this game."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rulings import number
from referee.games.tunisia1943.facts import allowance
from referee.games.tunisia1943.movement import price as price_of
from referee.games.tunisia1943.resolution import odds_of
from referee.scribe.idiom import Idiom, MoveVerb

MOVE, EXPLOIT, DISPLACE = (
    MoveVerb("move", passive=False),
    MoveVerb("exploit", passive=False),
    MoveVerb("displace"),
)
SHIFT = MoveVerb("shift")
RETREAT, ADVANCE = MoveVerb("retreat"), MoveVerb("advance", passive=False)


def price(position: Position, action: Action) -> str:
    """What a move costs of the movement points."""
    if action.verb not in (MOVE.verb, EXPLOIT.verb):
        return ""
    cost, _ = price_of(position, action)
    most = number(allowance(position, position.pieces[action.piece]))
    return f"{number(cost)} of {most} MP" if cost is not None else ""


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
    price=price,
    calculate=odds_of,
)
