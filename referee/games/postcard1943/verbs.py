"""The verbs of the game, and how a record writes them."""

from __future__ import annotations

from referee.engine.actions import verb
from referee.engine.idiom import Idiom, MoveVerb

UNITS, AIR = ("unit",), ("air",)

VERBS = (
    verb("deploy PIECES on HEX", "put a unit on the map before the first turn", UNITS, each=True),
    verb("arrive PIECES on HEX", "bring on a reinforcement", UNITS, each=True),
    verb("lend PIECES", "hand units to the other Allied player", UNITS, declared="lend"),
    verb("give back PIECES", "return lent units", UNITS),
    verb("move PIECES PATH", "move in the movement phase", UNITS, each=True),
    verb(
        "roll swamp DIE for PIECE",
        "roll for a unit that entered a swamp",
        UNITS,
        declared="swamp",
        dice="swamp",
    ),
    verb("mark stuck PIECES", "put the Stuck marker on units", UNITS, each=True),
    verb("mark free PIECES", "take the Stuck marker off units", UNITS, each=True),
    verb("attack HEX with PIECES [battle NUMBER]", "declare an attack on all units in a hex", UNITS),
    verb("bomb HEX with PIECES", "send an air unit over an attacked hex", AIR, each=True, declared="bomb"),
    verb(
        "intercept HEX with PIECES",
        "send an air unit against the bombers",
        AIR,
        each=True,
        declared="intercept",
    ),
    verb("station HEX with PIECES", "put an air unit on a hex", AIR, each=True),
    verb(
        "roll air-battle DIE for PIECE",
        "roll whether a bomber gets through",
        AIR,
        declared="air-battle",
        dice="air-battle",
    ),
    verb(
        "roll bombing DIE for PIECE [battle NUMBER]",
        "roll whether bombs Disrupt a unit",
        UNITS,
        declared="bombed",
        dice="bombing",
    ),
    verb("no retreat [battle NUMBER]", "declare that the defender will not retreat", declared="no-retreat"),
    verb(
        "defend as infantry PIECE [battle NUMBER]",
        "declare that armour which may do so defends as infantry",
        UNITS,
        declared="as-infantry",
    ),
    verb(
        "roll press DIE [battle NUMBER]",
        "press the attack: a column up or down",
        declared="press",
        dice="press",
    ),
    verb("call off [battle NUMBER]", "cancel an attack before its die"),
    verb(
        "odds WORD [attack NUMBER] [defence NUMBER] [battle NUMBER]",
        "announce the odds column",
        words=("2:1",),
        choices=("COLUMN",),
    ),
    verb("roll combat DIE [battle NUMBER]", "roll the combat die", dice="combat"),
    verb("result WORD [battle NUMBER]", "announce the result", words=("DR",), choices=("RESULT",)),
    verb("eliminate PIECES [battle NUMBER]", "take a unit off the map", UNITS, each=True),
    verb("disrupt PIECES [battle NUMBER]", "mark a unit as Disrupted", UNITS, each=True),
    verb("retreat PIECES PATH [by choice] [battle NUMBER]", "retreat after combat", UNITS, each=True),
    verb("advance PIECES PATH [battle NUMBER]", "advance after combat", UNITS, each=True),
    verb("settle [battle NUMBER]", "end a battle: its result has been carried out"),
    verb(
        "recover [PIECES]",
        "take off the marker of Disruption; of all who recover now if none is named",
        UNITS,
        each=True,
    ),
    verb("put away PIECES [in BOX]", "put units into a box", (*UNITS, *AIR), each=True),
    verb("claim WORD", "claim victory for a side", choices=("SIDE draw",)),
)

MOVE, ADVANCE = MoveVerb("move"), MoveVerb("advance", passive=False)
RETREAT, FALL_BACK = MoveVerb("retreat", passive=True), MoveVerb("retreat", ("by choice",), passive=True)
CALLED = {
    "no retreat": (
        *("declare no retreat", "no retreat declared", "no retreat is declared"),
        *("defender will not retreat", "defenders will not retreat", "defender does not retreat"),
        *("defenders do not retreat", "no retreat by defender", "no retreat by defenders"),
    ),
    "roll press": ("press", "press attack", "pressed attack"),
    "mark stuck": ("stuck", "get stuck", "stuck in swamp"),
    "mark free": ("free", "freed", "free from swamp"),
    "recover": ("recover from disruption",),
    "give back": ("given back",),
}
"""Other names that players give the verbs."""
TURNED = (
    (r"^(?:the )?attack is pressed(?: with(?: a)?)? (\d)$", r"roll press \1"),
    (r"^.+ declares? no retreat$", "no retreat"),
    (r"\bdisruption marker\b", "Disrupted marker"),
    (r"\bair force\b", "AF"),
    (r"^lend (.+) to the .+$", r"lend \1"),
    (r"\bis lent to the .+$", "is lent"),
)
"""What players put in another order, or say in other words, each with how the game says it."""
IDIOM = Idiom.of(
    VERBS,
    called=CALLED,
    turned=TURNED,
    announced={"retreat": RETREAT, "voluntary-retreat": FALL_BACK, "advance": ADVANCE},
    once=("no-retreat",),
    entering=("swamp",),
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
    overhead={"air": ("bomb", "intercept")},
    idle="station",
    away="put away",
    between="put away",
    lost=("allied-lost", "axis-lost"),
    roll="roll combat",
)
"""What players do in the module, as verbs."""
