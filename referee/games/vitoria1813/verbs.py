"""What can be done in the game, and how a record says it."""

from __future__ import annotations

from referee.engine.actions import Verb

ARMS = ("infantry", "cavalry", "artillery", "engineer")
CAVALRY, ARTILLERY, ENGINEERS = ("cavalry",), ("artillery",), ("engineer",)
GENERALS, TRAIN = ("general",), ("convoy", "park")
BODIES = (*ARMS, "park")
MOVERS = (*ARMS, *GENERALS, *TRAIN)

HIDING = (
    Verb("reveal", "reveal PIECES", "turn a counter up", each=True, kinds=MOVERS),
    Verb("hide", "hide PIECES", "turn a counter down", each=True, kinds=MOVERS),
)

MOVING = (
    Verb("deploy", "deploy PIECES on HEX", "put a counter on the map at set-up", each=True, kinds=MOVERS),
    Verb("move", "move PIECES PATH", "move", each=True, kinds=MOVERS),
    Verb("come back", "come back PIECES", "be dragged out and back", each=True, kinds=MOVERS),
    Verb("charge", "charge PIECES", "mark cavalry as charging", each=True, kinds=CAVALRY),
    Verb("flee", "flee PIECES PATH", "move a routed unit in a later turn", each=True, kinds=ARMS),
    Verb("enter", "enter PIECES on HEX", "bring on a reinforcement", each=True, kinds=MOVERS),
    Verb("exit", "exit PIECES", "leave the map", each=True, kinds=MOVERS),
    Verb("roll approach", "roll approach DIE for PIECE", "roll for a lone general", kinds=GENERALS),
    Verb("withdraw", "withdraw PIECES PATH", "a general moves off", each=True, kinds=GENERALS),
    Verb("work", "work PIECE across HEX", "begin to work on the bridge to a hex", kinds=MOVERS),
    Verb(
        "finish",
        "finish PIECE across HEX WORD",
        "the bridge is destroyed or repaired",
        words=("destroyed",),
        kinds=MOVERS,
    ),
    Verb("roll pillage", "roll pillage DIE for PIECE", "roll for temptation to pillage", kinds=ARMS),
    Verb("go wild", "go wild PIECES on HEX", "an uncontrolled unit enters the convoy's hex", kinds=ARMS),
    Verb(
        "mark uncontrolled", "mark uncontrolled PIECES", "mark as out of control", each=True, kinds=ARMS[:3]
    ),
    Verb("shift", "shift PIECES PATH", "move an element of the convoy aside", each=True, kinds=TRAIN),
)

RALLYING = (
    Verb(
        "roll rally",
        "roll rally DIE for PIECES",
        "roll to rally a routed unit: the unit, then the general",
        kinds=(*ARMS, *GENERALS),
    ),
    Verb("rally", "rally PIECES", "take off the marker of rout", each=True, kinds=ARMS),
    Verb("recover", "recover PIECES", "take off the marker of disorder", each=True, kinds=ARMS),
)

FIGHTING = (
    Verb(
        "attack",
        "attack HEX with PIECES [battle NUMBER]",
        "declare a melee against a hex",
        kinds=(*ARMS, "park"),
    ),
    Verb("also", "also HEX [battle NUMBER]", "attack another hex in the same melee"),
    Verb("spare", "spare PIECES [battle NUMBER]", "do not attack a unit of the hex", kinds=ARMS),
    Verb("fire", "fire HEX with PIECES [battle NUMBER]", "fire at a hex", kinds=(*ARMS, "park")),
    Verb("call off", "call off [battle NUMBER]", "cancel an attack before its die"),
    Verb("lead", "lead PIECES [battle NUMBER]", "a general takes part", each=True, kinds=GENERALS),
    Verb("support", "support PIECES [battle NUMBER]", "a general helps", each=True, kinds=GENERALS),
    Verb(
        "odds",
        "odds WORD [attack NUMBER] [defence NUMBER] [battle NUMBER]",
        "announce the column, after shifts, and the sums",
        words=("1/1",),
    ),
    Verb("modifier", "modifier NUMBER [battle NUMBER]", "announce what is added to the die"),
    Verb("roll combat", "roll combat DIE [battle NUMBER]", "roll the combat die"),
    Verb(
        "result",
        "result WORD [battle NUMBER]",
        "announce the result, the sides parted by a bar",
        words=("-|1+D",),
    ),
    Verb(
        "roll casualty", "roll casualty DIE for PIECE [battle NUMBER]", "roll for a general", kinds=GENERALS
    ),
)

CORRECTING = (
    Verb("regain", "regain PIECE NUMBER", "give steps back", kinds=BODIES),
    Verb("mark fired", "mark fired PIECES", "mark as having fired", each=True, kinds=ARTILLERY),
    Verb("unmark fired", "unmark fired PIECES", "take that marker off", each=True, kinds=ARTILLERY),
    Verb("mark working", "mark working PIECES", "mark as at work", each=True, kinds=ENGINEERS),
    Verb("rouse", "rouse PIECES", "take off the marker of a neutralised general", each=True, kinds=GENERALS),
    Verb("control", "control PIECES", "take off the marker of a unit out of control", each=True, kinds=ARMS),
    Verb("put back", "put back PIECES", "put into a box of arrivals", each=True, kinds=MOVERS),
)

RESULTS = (
    Verb("lose", "lose PIECE NUMBER [battle NUMBER]", "lose steps", kinds=BODIES),
    Verb("eliminate", "eliminate PIECES [battle NUMBER]", "take off the map", each=True, kinds=MOVERS),
    Verb("retreat", "retreat PIECES PATH [by the enemy] [battle NUMBER]", "retreat", each=True, kinds=MOVERS),
    Verb("rout", "rout PIECES PATH [by the enemy] [battle NUMBER]", "rout", each=True, kinds=ARMS),
    Verb(
        "displace", "displace PIECES PATH [by the enemy] [battle NUMBER]", "make room", each=True, kinds=ARMS
    ),
    Verb("disorder", "disorder PIECES [battle NUMBER]", "mark as disordered", each=True, kinds=ARMS),
    Verb("mark rout", "mark rout PIECES [battle NUMBER]", "mark as routed", each=True, kinds=ARMS),
    Verb("neutralise", "neutralise PIECES", "mark a general as neutralised", each=True, kinds=GENERALS),
    Verb("advance", "advance PIECES PATH [battle NUMBER]", "advance", each=True, kinds=MOVERS),
    Verb("pursue", "pursue PIECES PATH [battle NUMBER]", "pursue", each=True, kinds=CAVALRY),
    Verb("settle", "settle [battle NUMBER]", "be done with a combat: its result has been carried out"),
)

SCORING = (
    Verb(
        "points",
        "points NUMBER WORD for WORD",
        "announce the points of a side for one thing",
        words=("allied", "convoy"),
    ),
    Verb("claim", "claim WORD [level NUMBER]", "claim victory: a side, or draw; strategic, major or minor"),
)

VERBS = (*HIDING, *MOVING, *RALLYING, *FIGHTING, *RESULTS, *CORRECTING, *SCORING)
