"""The verbs of the game, and how a record writes them."""

from __future__ import annotations

from referee.engine.actions import verb
from referee.engine.idiom import Idiom, MoveVerb

UNITS, EMS, GARRISONS = ("unit",), ("em",), ("garrison",)
MOVERS = (*UNITS, *EMS)
LOSERS = (*MOVERS, *GARRISONS)
FIGHTERS = (*UNITS, *GARRISONS)

SETTING_UP = (
    verb("deploy PIECES on HEX", "put a unit or EM on the map before the first turn", MOVERS, each=True),
    verb("arrive PIECES on HEX", "bring on a reinforcement", MOVERS, each=True),
)

MOVING = (
    verb("sustain PIECES", "choose an EM to be sustained", EMS, each=True, declared="sustain"),
    verb("mark sustained PIECES", "put the Sustained marker on an EM by hand", EMS, each=True),
    verb("unmark sustained PIECES", "take the marker off by hand", EMS, each=True),
    verb("move PIECES PATH", "move in the movement step", MOVERS, each=True),
    verb("exploit PIECES PATH", "move in the exploitation step", MOVERS, each=True),
    verb(
        "overrun PIECE on HEX",
        "announce that a unit will drive a lone EM out of its hex",
        MOVERS,
        declared="overrun",
    ),
    verb("displace PIECES PATH", "an overrun EM goes back", EMS, each=True),
    verb(
        "break through PIECES to HEX",
        "declare an armoured breakthrough: the armour, its companion if any, the hex it makes for",
        MOVERS,
        declared="breakthrough",
    ),
    verb("let pass", "let the armour go on without a test", declared="let-pass"),
    verb("roll breakthrough DICE", "roll the cohesion test against a breakthrough"),
    verb("stop with PIECE", "name the unit that stops the breakthrough", FIGHTERS, declared="stop"),
    verb("exit PIECES", "leave the map to the west", MOVERS, each=True),
)

FIGHTING = (
    verb(
        "attack HEX with PIECES [battle NUMBER]",
        "declare an attack on a hex, or on the lone EMs in it",
        MOVERS,
    ),
    verb("call off [battle NUMBER]", "cancel an attack"),
    verb("aviation WORD NUMBER [battle NUMBER]", "commit a side's aviation points, 0 to 2", declared="air"),
    verb(
        "artillery PIECE NUMBER [battle NUMBER]", "place artillery points of an EM", EMS, declared="artillery"
    ),
    verb("no artillery WORD [battle NUMBER]", "a side places no artillery", declared="no-artillery"),
    verb(
        "odds WORD [attack NUMBER] [defence NUMBER] [battle NUMBER]",
        "announce the odds column",
        words=("2/1",),
        choices=("COLUMN",),
    ),
    verb("roll cohesion DICE [battle NUMBER]", "roll the cohesion test of the defenders", dice="cohesion"),
    verb("modifier NUMBER [battle NUMBER]", "announce the modifier of the combat die"),
    verb("roll combat DIE [battle NUMBER]", "roll the combat die", dice="combat"),
    verb("result WORD [battle NUMBER]", "announce the result", words=("DD",), choices=("RESULT",)),
)

RESULTS = (
    verb("lose PIECES [battle NUMBER]", "lose a step", LOSERS, each=True),
    verb("restore PIECES", "give a step back", UNITS, each=True),
    verb("exchange PIECE on HEX", "put the second counter of a four-step unit on the map", UNITS),
    verb("eliminate PIECES [battle NUMBER]", "take a unit, EM or garrison off the map", LOSERS, each=True),
    verb("retreat PIECES PATH [battle NUMBER]", "retreat after combat", MOVERS, each=True),
    verb("lose zoc PIECES [battle NUMBER]", "mark a unit as without zone of control", UNITS, each=True),
    verb("regain zoc PIECES", "take the marker off", UNITS, each=True),
    verb("advance PIECES PATH [battle NUMBER]", "advance after combat", MOVERS, each=True),
    verb("settle [battle NUMBER]", "end a battle: its result has been carried out"),
)

KEEPING = (
    verb("face down PIECES", "turn an EM to its back", EMS, each=True),
    verb("face up PIECES", "turn an EM to its front", EMS, each=True),
    verb("mark artillery PIECE NUMBER", "set the points that an EM shows", EMS),
    verb("shift PIECE on HEX", "put a garrison in another hex", GARRISONS),
    verb("out of supply PIECES", "mark as out of supply", MOVERS, each=True),
    verb("in supply PIECES", "take the marker off", MOVERS, each=True),
    verb("return PIECES on HEX", "bring a destroyed EM back", EMS, each=True),
    verb(
        "put away PIECES [in BOX]",
        "put counters from one box into another",
        LOSERS,
        each=True,
    ),
    verb("advance turn", "move the turn marker on"),
    verb("claim WORD", "claim victory for a side", choices=("SIDE draw",)),
)

VERBS = (*SETTING_UP, *MOVING, *FIGHTING, *RESULTS, *KEEPING)

MOVE, EXPLOIT, DISPLACE = (
    MoveVerb("move", passive=False),
    MoveVerb("exploit", passive=False),
    MoveVerb("displace"),
)
SHIFT = MoveVerb("shift")
RETREAT, ADVANCE = MoveVerb("retreat"), MoveVerb("advance", passive=False)
CALLED = {
    "aviation": ("air", "air points", "aviation points", "commit", "play", "use"),
    "artillery": ("give", "add", "commit", "place", "support with"),
    "no artillery": ("decline artillery", "place no artillery", "give no artillery", "use no artillery"),
    "sustain": ("choose",),
    "restore": ("regain",),
    "roll cohesion": ("cohesion test", "2d6", "roll 2d6"),
    "roll breakthrough": ("breakthrough test",),
    "let pass": ("let go",),
    "stop with": ("stop",),
    "face down": ("flip", "turn over", "inactivate"),
    "in supply": ("back in supply",),
}
"""Other names that players give the verbs."""
TURNED = (
    (r"^cohesion test (?:against|for) (?:the )?breakthrough", "roll breakthrough"),
    (r"^roll (\d \d) (?:for|against) (?:the )?breakthrough$", r"roll breakthrough \1"),
    (r"^(?:the )?(?:defenders?|enemy) lets? (?:it|them|the armou?r) pass$", "let pass"),
    (r"^let the armou?r pass$", "let pass"),
    (r"\bzones? of control\b", "zoc"),
    (r"^(?:an? )?loss of zoc marker (?:is placed )?on (.+)$", r"lose zoc \1"),
    (r"\bin supply again$", "back in supply"),
    (r"\b(?:leaves?|exits?) by the west edge$", "exits"),
    (r"\b(EM|HQ) of (?:the )?(?=\w)", r"\1 "),
)
"""What players put in another order, or say in other words, each with how the game says it."""
IDIOM = Idiom.of(
    VERBS,
    called=CALLED,
    turned=TURNED,
    announced={"retreat": RETREAT, "advance": ADVANCE, "displaced": DISPLACE},
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
    out_of=dict.fromkeys(("allied-lost", "axis-lost"), ("return", "arrive", "shift")),
    lost=("allied-lost", "axis-lost"),
    exits={
        "exited-west": "exit",
        "allied-reinforcements": "eliminate",
        "axis-reinforcements": "eliminate",
    },
    between="put away",
    roll="roll combat",
)
"""What players do in the module, as verbs."""
