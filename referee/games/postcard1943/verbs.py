"""What can be done in the game, and how a record says it."""

from __future__ import annotations

from referee.engine.actions import Verb

UNITS, AIR = ("unit",), ("air",)

VERBS = (
    Verb(
        "deploy",
        "deploy PIECES on HEX",
        "put a unit on the map before the first turn",
        each=True,
        kinds=UNITS,
    ),
    Verb("arrive", "arrive PIECES on HEX", "bring on a reinforcement", each=True, kinds=UNITS),
    Verb("lend", "lend PIECES", "hand units to the other Allied player", kinds=UNITS),
    Verb("give back", "give back PIECES", "return lent units", kinds=UNITS),
    Verb("move", "move PIECES PATH", "move in the movement phase", each=True, kinds=UNITS),
    Verb("roll swamp", "roll swamp DIE for PIECE", "roll for a unit that entered a swamp", kinds=UNITS),
    Verb("mark stuck", "mark stuck PIECES", "put the Stuck marker on units", each=True, kinds=UNITS),
    Verb("mark free", "mark free PIECES", "take the Stuck marker off units", each=True, kinds=UNITS),
    Verb(
        "attack",
        "attack HEX with PIECES [battle NUMBER]",
        "declare an attack on all units in a hex",
        kinds=UNITS,
    ),
    Verb("bomb", "bomb HEX with PIECES", "send an air unit over an attacked hex", each=True, kinds=AIR),
    Verb(
        "intercept", "intercept HEX with PIECES", "send an air unit against the bombers", each=True, kinds=AIR
    ),
    Verb("station", "station HEX with PIECES", "put an air unit on a hex", each=True, kinds=AIR),
    Verb("roll air-battle", "roll air-battle DIE for PIECE", "roll whether a bomber gets through", kinds=AIR),
    Verb(
        "roll bombing",
        "roll bombing DIE for PIECE [battle NUMBER]",
        "roll whether bombs Disrupt a unit",
        kinds=UNITS,
    ),
    Verb("no retreat", "no retreat [battle NUMBER]", "declare that the defender will not retreat"),
    Verb(
        "defend as infantry",
        "defend as infantry PIECE [battle NUMBER]",
        "declare that armour which may do so defends as infantry",
        kinds=UNITS,
    ),
    Verb("roll press", "roll press DIE [battle NUMBER]", "press the attack: a column up or down"),
    Verb("call off", "call off [battle NUMBER]", "cancel an attack before its die"),
    Verb(
        "odds",
        "odds WORD [attack NUMBER] [defence NUMBER] [battle NUMBER]",
        "announce the odds column",
        words=("2:1",),
    ),
    Verb("roll combat", "roll combat DIE [battle NUMBER]", "roll the combat die"),
    Verb("result", "result WORD [battle NUMBER]", "announce the result", words=("DR",)),
    Verb("eliminate", "eliminate PIECES [battle NUMBER]", "take a unit off the map", each=True, kinds=UNITS),
    Verb("disrupt", "disrupt PIECES [battle NUMBER]", "mark a unit as Disrupted", each=True, kinds=UNITS),
    Verb(
        "retreat",
        "retreat PIECES PATH [by choice] [battle NUMBER]",
        "retreat after combat",
        each=True,
        kinds=UNITS,
    ),
    Verb("advance", "advance PIECES PATH [battle NUMBER]", "advance after combat", each=True, kinds=UNITS),
    Verb("settle", "settle [battle NUMBER]", "be done with a battle: its result has been carried out"),
    Verb(
        "recover",
        "recover [PIECES]",
        "take off the marker of Disruption; of all who recover now if none is named",
        each=True,
        kinds=UNITS,
    ),
    Verb("put away", "put away PIECES", "take units off the map into a box", each=True, kinds=UNITS),
    Verb("claim", "claim WORD", "claim victory for a side"),
)
