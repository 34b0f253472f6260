"""What can be done in the game, and how a record says it."""

from __future__ import annotations

from referee.engine.actions import Verb

UNITS, BATTLEGROUPS, SUPPORT, AIR = ("unit", "battlegroup"), ("battlegroup",), ("support",), ("air",)
GROUND = (*UNITS, *SUPPORT)
PIECES = (*GROUND, *AIR)

SETTING_UP = (
    Verb("deploy", "deploy PIECES on HEX", "put a piece on the map at set-up", each=True, kinds=PIECES),
    Verb("complete", "complete WORD", "a side has set up; after the second one play begins"),
)

MOVING = (
    Verb(
        "move",
        "move PIECES PATH",
        "move in the movement phase; several pieces move as a stack",
        each=True,
        kinds=PIECES,
    ),
)

FIGHTING = (
    Verb("attack", "attack HEX with PIECES [battle NUMBER]", "declare an attack on a hex", kinds=PIECES),
    Verb(
        "leave out",
        "leave out PIECES [battle NUMBER]",
        "leave an asset out of the battle",
        each=True,
        kinds=SUPPORT,
    ),
    Verb(
        "take part",
        "take part PIECES [battle NUMBER]",
        "bring an asset that was left out back into the battle",
        each=True,
        kinds=SUPPORT,
    ),
    Verb("call off", "call off [battle NUMBER]", "cancel an attack before its die"),
    Verb("fly", "fly PIECES [battle NUMBER]", "fly an air asset to the battle", each=True, kinds=AIR),
    Verb("land", "land PIECES", "take a flight back before any die is rolled", each=True, kinds=AIR),
    Verb("no air", "no air WORD [battle NUMBER]", "a side does without air support"),
    Verb("roll air", "roll air DIE for PIECE [battle NUMBER]", "roll for air combat", kinds=AIR),
    Verb(
        "air result",
        "air result NUMBER for PIECE [battle NUMBER]",
        "announce a result of air combat, modified",
        kinds=AIR,
    ),
    Verb("air winner", "air winner WORD [battle NUMBER]", "announce who won the air combat: a side, or none"),
    Verb("roll attack", "roll attack DIE [battle NUMBER]", "make the attack roll"),
    Verb("attack total", "attack total NUMBER [battle NUMBER]", "announce what is added to the attack die"),
    Verb(
        "attack result",
        "attack result WORD [factor NUMBER] [battle NUMBER]",
        "announce a hit or a miss of the attack, and the factor it was compared with",
        words=("hit",),
    ),
    Verb("roll defence", "roll defence DIE [battle NUMBER]", "make the defence roll"),
    Verb(
        "defence total", "defence total NUMBER [battle NUMBER]", "announce what is added to the defence die"
    ),
    Verb(
        "defence result",
        "defence result WORD [factor NUMBER] [battle NUMBER]",
        "announce a hit or a miss of the defence, and the factor it was compared with",
        words=("miss",),
    ),
)

RESULTS = (
    Verb("lose", "lose PIECES [battle NUMBER]", "turn a piece to its reduced side", each=True, kinds=PIECES),
    Verb("eliminate", "eliminate PIECES [battle NUMBER]", "send to the dead pile", each=True, kinds=PIECES),
    Verb(
        "battlegroup",
        "battlegroup PIECE on HEX [battle NUMBER]",
        "put a battlegroup in the place of a unit",
        kinds=BATTLEGROUPS,
    ),
    Verb("to box", "to box PIECES [battle NUMBER]", "send to the Return to Base box", each=True, kinds=AIR),
    Verb("retreat", "retreat PIECES PATH [battle NUMBER]", "retreat after combat", each=True, kinds=GROUND),
    Verb("advance", "advance PIECES PATH [battle NUMBER]", "advance after combat", each=True, kinds=GROUND),
    Verb(
        "break through",
        "break through PIECES PATH [battle NUMBER]",
        "move in a breakthrough",
        each=True,
        kinds=GROUND,
    ),
    Verb("settle", "settle [battle NUMBER]", "be done with a battle: its result has been carried out"),
)

KEEPING = (
    Verb("return", "return PIECES on HEX", "bring an air asset back to an airfield", each=True, kinds=AIR),
    Verb("rebuild", "rebuild PIECES", "turn a reduced piece to its full side", each=True, kinds=PIECES),
    Verb(
        "reclaim", "reclaim PIECES on HEX", "bring a piece back from the dead pile", each=True, kinds=PIECES
    ),
    Verb(
        "supply loss", "supply loss PIECES", "reduce a piece that is out of supply", each=True, kinds=PIECES
    ),
    Verb("roll patton", "roll patton DIE", "roll for the arrival of Patton"),
    Verb("arrive", "arrive PIECES on HEX", "put Patton on the map", each=True, kinds=SUPPORT),
    Verb(
        "swap",
        "swap PIECES on HEX",
        "put a two-star piece in the place of its twin",
        each=True,
        kinds=(*UNITS, *SUPPORT),
    ),
    Verb(
        "withdraw",
        "withdraw PIECES",
        "take a piece off the map for its twin with two stars",
        each=True,
        kinds=(*UNITS, *SUPPORT),
    ),
    Verb("roll rommel", "roll rommel DIE", "roll for the recall of Rommel"),
    Verb("recall", "recall PIECES", "take Rommel out of the game", each=True, kinds=SUPPORT),
    Verb("turn marker", "turn marker NUMBER", "move the turn marker on by so many boxes"),
    Verb("claim", "claim WORD", "claim victory for a side"),
)

VERBS = (*SETTING_UP, *MOVING, *FIGHTING, *RESULTS, *KEEPING)
