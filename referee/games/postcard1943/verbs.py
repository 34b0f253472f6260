"""What can be done in the game, and how a record says it."""

from __future__ import annotations

from referee.engine.actions import Verb

VERBS = (
    Verb("deploy", "deploy PIECES on HEX", "put a unit on the map before the first turn", each=True),
    Verb("arrive", "arrive PIECES on HEX", "bring on a reinforcement", each=True),
    Verb("lend", "lend PIECES", "hand a unit to the other Allied player"),
    Verb("move", "move PIECES PATH", "move in the movement phase", each=True),
    Verb("roll swamp", "roll swamp DIE for PIECE", "throw for a unit that entered a swamp"),
    Verb("attack", "attack HEX with PIECES [battle NUMBER]", "declare an attack on all units in a hex"),
    Verb("bomb", "bomb HEX with PIECES", "send an air unit over an attacked hex", each=True),
    Verb("intercept", "intercept HEX with PIECES", "send an air unit against the bombers", each=True),
    Verb("roll air-battle", "roll air-battle DIE for PIECE", "throw whether the bomber gets through"),
    Verb("roll bombing", "roll bombing DIE for PIECE [battle NUMBER]", "throw whether bombs Disrupt a unit"),
    Verb("no retreat", "no retreat [battle NUMBER]", "declare that the defender will not retreat"),
    Verb("roll press", "roll press DIE [battle NUMBER]", "press the attack: a column up or down"),
    Verb("call off", "call off [battle NUMBER]", "cancel an attack before its die"),
    Verb("odds", "odds WORD [attack NUMBER] [defence NUMBER] [battle NUMBER]", "announce the odds column"),
    Verb("roll combat", "roll combat DIE [battle NUMBER]", "throw the combat die"),
    Verb("result", "result WORD [battle NUMBER]", "announce the result"),
    Verb("eliminate", "eliminate PIECES [battle NUMBER]", "take a unit off the map", each=True),
    Verb("disrupt", "disrupt PIECES [battle NUMBER]", "mark a unit as Disrupted", each=True),
    Verb("retreat", "retreat PIECES PATH [by choice] [battle NUMBER]", "retreat after combat", each=True),
    Verb("advance", "advance PIECES PATH [battle NUMBER]", "advance after combat", each=True),
    Verb("settle", "settle [battle NUMBER]", "be done with a battle: its result has been carried out"),
    Verb(
        "recover",
        "recover [PIECES]",
        "take off the marker of Disruption; of all who recover now if none is named",
        each=True,
    ),
    Verb("claim", "claim WORD", "claim victory for a side"),
)
