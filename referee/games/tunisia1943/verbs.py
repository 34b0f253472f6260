"""What can be done in the game, and how a record says it."""

from __future__ import annotations

from referee.engine.actions import Verb

UNITS, EMS, GARRISONS = ("unit",), ("em",), ("garrison",)
MOVERS = (*UNITS, *EMS)
LOSERS = (*MOVERS, *GARRISONS)
FIGHTERS = (*UNITS, *GARRISONS)

SETTING_UP = (
    Verb(
        "deploy",
        "deploy PIECES on HEX",
        "put a unit or EM on the map before the first turn",
        each=True,
        kinds=MOVERS,
    ),
    Verb("arrive", "arrive PIECES on HEX", "bring on a reinforcement", each=True, kinds=MOVERS),
)

MOVING = (
    Verb("sustain", "sustain PIECES", "choose an EM to be sustained", each=True, kinds=EMS),
    Verb(
        "mark sustained",
        "mark sustained PIECES",
        "put the Sustained marker on an EM by hand",
        each=True,
        kinds=EMS,
    ),
    Verb("unmark sustained", "unmark sustained PIECES", "take the marker off by hand", each=True, kinds=EMS),
    Verb("move", "move PIECES PATH", "move in the movement step", each=True, kinds=MOVERS),
    Verb("exploit", "exploit PIECES PATH", "move in the exploitation step", each=True, kinds=MOVERS),
    Verb("overrun", "overrun PIECE on HEX", "announce that a lone EM will be driven out of its hex"),
    Verb("displace", "displace PIECES PATH", "an overrun EM goes back", each=True, kinds=EMS),
    Verb(
        "break through",
        "break through PIECES to HEX",
        "declare an armoured breakthrough: the armour, its companion if any, the hex it makes for",
        kinds=MOVERS,
    ),
    Verb("let pass", "let pass", "let the armour go on without a test"),
    Verb("roll breakthrough", "roll breakthrough DICE", "roll the cohesion test against a breakthrough"),
    Verb("stop with", "stop with PIECE", "name the unit that stops the breakthrough", kinds=FIGHTERS),
    Verb("exit", "exit PIECES", "leave the map to the west", each=True, kinds=MOVERS),
)

FIGHTING = (
    Verb(
        "attack",
        "attack HEX with PIECES [battle NUMBER]",
        "declare an attack on a hex, or on the lone EMs in it",
        kinds=MOVERS,
    ),
    Verb("call off", "call off [battle NUMBER]", "cancel an attack"),
    Verb("aviation", "aviation WORD NUMBER [battle NUMBER]", "commit a side's aviation points, 0 to 2"),
    Verb(
        "artillery",
        "artillery PIECE NUMBER [battle NUMBER]",
        "place artillery points of an EM",
        kinds=EMS,
    ),
    Verb("no artillery", "no artillery WORD [battle NUMBER]", "a side places no artillery"),
    Verb(
        "odds",
        "odds WORD [attack NUMBER] [defence NUMBER] [battle NUMBER]",
        "announce the odds column",
        words=("2/1",),
    ),
    Verb("roll cohesion", "roll cohesion DICE [battle NUMBER]", "roll the cohesion test of the defenders"),
    Verb("modifier", "modifier NUMBER [battle NUMBER]", "announce the modifier of the combat die"),
    Verb("roll combat", "roll combat DIE [battle NUMBER]", "roll the combat die"),
    Verb("result", "result WORD [battle NUMBER]", "announce the result", words=("DD",)),
)

RESULTS = (
    Verb("lose", "lose PIECES [battle NUMBER]", "lose a step", each=True, kinds=LOSERS),
    Verb("restore", "restore PIECES", "give a step back", each=True, kinds=UNITS),
    Verb(
        "exchange",
        "exchange PIECE on HEX",
        "put the second counter of a four-step unit on the map",
        kinds=UNITS,
    ),
    Verb(
        "eliminate",
        "eliminate PIECES [battle NUMBER]",
        "take a unit, EM or garrison off the map",
        each=True,
        kinds=LOSERS,
    ),
    Verb("retreat", "retreat PIECES PATH [battle NUMBER]", "retreat after combat", each=True, kinds=MOVERS),
    Verb(
        "lose zoc",
        "lose zoc PIECES [battle NUMBER]",
        "mark a unit as without zone of control",
        each=True,
        kinds=UNITS,
    ),
    Verb("regain zoc", "regain zoc PIECES", "take the marker off", each=True, kinds=UNITS),
    Verb("advance", "advance PIECES PATH [battle NUMBER]", "advance after combat", each=True, kinds=MOVERS),
    Verb("settle", "settle [battle NUMBER]", "be done with a battle: its result has been carried out"),
)

KEEPING = (
    Verb("face down", "face down PIECES", "turn an EM to its back", each=True, kinds=EMS),
    Verb("face up", "face up PIECES", "turn an EM to its front", each=True, kinds=EMS),
    Verb("mark artillery", "mark artillery PIECE NUMBER", "set the points that an EM shows", kinds=EMS),
    Verb("shift", "shift PIECE on HEX", "put a garrison in another hex", kinds=GARRISONS),
    Verb("out of supply", "out of supply PIECES", "mark as out of supply", each=True, kinds=MOVERS),
    Verb("in supply", "in supply PIECES", "take the marker off", each=True, kinds=MOVERS),
    Verb("return", "return PIECES on HEX", "bring a destroyed EM back", each=True, kinds=EMS),
    Verb("advance turn", "advance turn", "move the turn marker on"),
    Verb("claim", "claim WORD", "claim victory for a side"),
)

VERBS = (*SETTING_UP, *MOVING, *FIGHTING, *RESULTS, *KEEPING)
