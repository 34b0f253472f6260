"""The verbs of the game, and how a record writes them."""

from __future__ import annotations

from referee.engine.actions import verb
from referee.engine.idiom import Idiom, MoveVerb
from referee.games.vitoria1813.facts import SIDES

ARMS = ("infantry", "cavalry", "artillery", "engineer")
ARTILLERY, ENGINEERS = ("artillery",), ("engineer",)
GENERALS, TRAIN = ("general",), ("convoy", "park")
BODIES = (*ARMS, "park")
MOVERS = (*ARMS, *GENERALS, *TRAIN)

HIDING = (
    verb("reveal PIECES", "turn a counter up", MOVERS, each=True),
    verb("hide PIECES", "turn a counter down", MOVERS, each=True),
)

MOVING = (
    verb("deploy PIECES on HEX", "put a counter on the map at set-up", MOVERS, each=True),
    verb("move PIECES PATH", "move", MOVERS, each=True),
    verb("come back PIECES", "units were dragged out and back, and have not moved", MOVERS, each=True),
    verb("charge PIECES", "mark cavalry as charging", ARMS, each=True),
    verb("flee PIECES PATH", "move a routed unit in a later turn", ARMS, each=True, others="move"),
    verb("enter PIECES on HEX", "bring on a reinforcement", MOVERS, each=True),
    verb("exit PIECES", "leave the map", MOVERS, each=True),
    verb(
        "roll approach DIE for PIECE",
        "roll for a lone general",
        GENERALS,
        declared="approached",
        dice="general",
    ),
    verb("withdraw PIECES PATH", "a general moves off", GENERALS, each=True, others="retreat"),
    verb("work PIECE across HEX", "begin to work on the bridge to a hex", MOVERS, declared="repair destroy"),
    verb(
        "finish PIECE across HEX WORD",
        "the bridge is destroyed or repaired",
        MOVERS,
        words=("destroyed",),
        choices=("destroyed repaired",),
        declared="repaired destroyed",
    ),
    verb(
        "roll pillage DIE for PIECE",
        "roll for pillage",
        ARMS,
        declared="pillage",
        dice="pillage",
    ),
    verb("go wild PIECES on HEX", "an uncontrolled unit enters the convoy's hex", ARMS),
    verb("mark uncontrolled PIECES", "mark as out of control", ARMS[:3], each=True),
    verb("shift PIECES PATH", "move an element of the convoy aside", TRAIN, each=True),
)

RALLYING = (
    verb(
        "roll rally DIE for PIECES",
        "roll to rally a routed unit: the unit, then the general",
        (*ARMS, *GENERALS),
        declared="rally",
        dice="rally",
    ),
    verb("rally PIECES", "take off the marker of rout", ARMS, each=True),
    verb("recover PIECES", "take off the marker of disorder", ARMS, each=True),
)

FIGHTING = (
    verb(
        "attack HEX with PIECES [battle NUMBER]",
        "declare a melee against a hex",
        (*ARMS, "park"),
        others="lead",
    ),
    verb("also HEX [battle NUMBER]", "attack another hex in the same melee"),
    verb("spare PIECES [battle NUMBER]", "do not attack a unit of the hex", ARMS),
    verb("fire HEX with PIECES [battle NUMBER]", "fire at a hex", (*ARMS, "park"), others="lead"),
    verb("call off [battle NUMBER]", "cancel an attack before its die"),
    verb("lead PIECES [battle NUMBER]", "a general takes part", GENERALS, each=True, declared="lead"),
    verb("support PIECES [battle NUMBER]", "a general helps", GENERALS, each=True, declared="support"),
    verb(
        "odds WORD [attack NUMBER] [defence NUMBER] [battle NUMBER]",
        "announce the column, after shifts, and the sums",
        words=("1:1",),
        choices=("COLUMN",),
    ),
    verb("modifier NUMBER [battle NUMBER]", "announce the modifier of the die"),
    verb("roll combat DIE [battle NUMBER]", "roll the combat die", dice="combat"),
    verb(
        "result WORD [battle NUMBER]",
        "announce the result, the two sides separated by a bar",
        words=("-|1+D",),
        choices=("RESULT",),
    ),
    verb(
        "roll casualty DIE for PIECE [battle NUMBER]",
        "roll for a general",
        GENERALS,
        declared="casualty",
        dice="casualty",
    ),
)

CORRECTING = (
    verb("regain PIECE NUMBER", "give steps back", BODIES),
    verb("mark fired PIECES", "mark as having fired", ARTILLERY, each=True),
    verb("unmark fired PIECES", "take that marker off", ARTILLERY, each=True),
    verb("mark working PIECES", "mark as at work", ENGINEERS, each=True),
    verb("rouse PIECES", "take off the marker of a neutralised general", GENERALS, each=True),
    verb("control PIECES", "take off the marker of a unit out of control", ARMS, each=True),
    verb("put back PIECES", "put into a box of arrivals", MOVERS, each=True),
)

RESULTS = (
    verb("lose PIECE NUMBER [battle NUMBER]", "lose steps", BODIES),
    verb("eliminate PIECES [battle NUMBER]", "take off the map", MOVERS, each=True),
    verb("retreat PIECES PATH [by the enemy] [battle NUMBER]", "retreat", MOVERS, each=True),
    verb("rout PIECES PATH [by the enemy] [battle NUMBER]", "rout", ARMS, each=True, others="retreat"),
    verb(
        "displace PIECES PATH [by the enemy] [battle NUMBER]",
        "make room",
        ARMS,
        each=True,
        others="retreat",
    ),
    verb("disorder PIECES [battle NUMBER]", "mark as disordered", ARMS, each=True),
    verb("mark rout PIECES [battle NUMBER]", "mark as routed", ARMS, each=True),
    verb("neutralise PIECES", "mark a general as neutralised", GENERALS, each=True),
    verb("advance PIECES PATH [battle NUMBER]", "advance", MOVERS, each=True),
    verb("pursue PIECES PATH [battle NUMBER]", "pursue", ARMS, each=True, others="advance"),
    verb("settle [battle NUMBER]", "end a combat: its result has been carried out"),
)

LEVELS = ("strategic", "major", "minor")
CLAIMS = " ".join(("SIDE draw", *(f"{side}-{level}" for side in SIDES for level in LEVELS)))
SCORING = (
    verb(
        "points NUMBER WORD for WORD",
        "announce the points of a side for one thing",
        words=("allied", "convoy"),
        choices=("SIDE", "steps generals convoy evacuation places"),
    ),
    verb(
        "claim WORD [level NUMBER]",
        "claim victory: a side, or draw; strategic, major or minor",
        words=("allied-major",),
        choices=(CLAIMS,),
        declared="claim-strategic claim-major claim-minor claim-draw",
    ),
)

VERBS = (*HIDING, *MOVING, *RALLYING, *FIGHTING, *RESULTS, *CORRECTING, *SCORING)

MOVE, DISPLACE = MoveVerb("move", passive=False), MoveVerb("displace")
FLEE = MoveVerb("flee", passive=False, state="routed")
MAKE_ROOM = MoveVerb("displace", passive=False)
"""In the movement phase friendly units make room, and no undeclared combat can be the cause."""
RETREAT, ROUT, WITHDRAW = MoveVerb("retreat"), MoveVerb("rout"), MoveVerb("withdraw")
ADVANCE, PURSUE = MoveVerb("advance"), MoveVerb("pursue", passive=False)
GO_WILD, SHIFT = MoveVerb("go wild", passive=False), MoveVerb("shift", passive=True)
CALLED = {
    "roll approach": ("approach check", "general check"),
    "roll pillage": ("pillage test", "test for pillage"),
    "roll casualty": ("casualty check", "casualty test"),
    "work": ("begin work", "start work", "work on bridge"),
    "go wild": ("run wild", "pillage"),
    "mark uncontrolled": (
        *("out of control", "go out of control", "run out of control"),
        *("get out of control", "become out of control"),
    ),
    "charge": ("declare charge",),
    "lead": ("take part",),
    "support": ("help", "aid", "assist"),
    "recover": ("recover from disorder",),
    "pursue": ("pursuit",),
    "neutralise": ("neutralize",),
}
"""Other names that players give the verbs."""
_BRIDGE = r"(?:the )?bridge (?:at |over |to |across |between )?"
TURNED = (
    (rf"^(.+?) (?:begins?|starts?) (?:work|working|to work) (?:on|at) {_BRIDGE}", r"\1 works across "),
    (
        rf"^(.+?) (?:begins?|starts?) (?:to (?:destroy|repair|mend)|destroying|repairing|mending) {_BRIDGE}",
        r"\1 works across ",
    ),
    (rf"^(.+?) works? (?:on|at) {_BRIDGE}", r"\1 works across "),
    (rf"^(?:begin |start )?work on {_BRIDGE}(\S+(?: and \d+)?) (?:with|by) (.+)$", r"\2 works across \1"),
    (
        rf"^(.+?) (?:destroys?|blows?(?: up)?|breaks?|demolish(?:es)?) {_BRIDGE}(\S+(?: and \d+)?)$",
        r"\1 finishes across \2 destroyed",
    ),
    (
        rf"^(.+?) (?:repairs?|mends?|rebuilds?|restores?) {_BRIDGE}(\S+(?: and \d+)?)$",
        r"\1 finishes across \2 repaired",
    ),
    (r"^(.+? (?:works|finishes) across \d+) and (?=\d)", r"\1-"),
    (r"^(.+) enters? (.+) to pillage$", r"\1 goes wild on \2"),
    (r" (bonus|modifier) to the (?:attack|defen[cs]e)$", r" \1"),
    (r"\b(?:gives?|adds?|provides?) (?:his|a|the) (?:combat )?(?:bonus|modifier)$", "supports"),
)
"""What players put in another order, or say in other words, each with how the game says it."""
IDIOM = Idiom.of(
    VERBS,
    called=CALLED,
    turned=TURNED,
    helpers=("support", "lead", "charge"),
    words={
        "repaired": "repaired",
        "destroyed": "destroyed",
        "claim-strategic": "{side}-strategic",
        "claim-major": "{side}-major",
        "claim-minor": "{side}-minor",
        "claim-draw": "draw",
    },
    beside={"rally": "rallies"},
    announced={
        "retreat": RETREAT,
        "rout": ROUT,
        "displaced": DISPLACE,
        "advance": ADVANCE,
        "pursue": PURSUE,
        "withdraw": WITHDRAW,
        "aside": SHIFT,
    },
    states={
        "disordered": ("disorder", "recover"),
        "routed": ("mark rout", "rally"),
        "charging": ("charge", ""),
        "uncontrolled": ("mark uncontrolled", "control"),
        "neutralised": ("neutralise", "rouse"),
        "working": ("mark working", ""),
    },
    by_hand={
        "fired": ("mark fired", "unmark fired"),
        "uncontrolled": ("mark uncontrolled", "control"),
        "working": ("mark working", ""),
    },
    steps=("lose", "regain"),
    back="come back",
    faces=("reveal", "hide"),
    move_verbs={
        "leaders": (MOVE,),
        "rally": (MOVE,),
        "movement": (MOVE, FLEE, MAKE_ROOM, WITHDRAW, GO_WILD, SHIFT),
        "fire": (RETREAT, ROUT, DISPLACE, WITHDRAW, MOVE),
        "combat": (RETREAT, ROUT, DISPLACE, ADVANCE, PURSUE, WITHDRAW, MOVE, GO_WILD),
    },
    entries=("enter",),
    between="put back",
    lost=("allied-lost", "french-lost"),
    exits={
        "left-by-3206": "exit",
        "allied-left": "exit",
        "french-left": "exit",
        "allied-routed": "exit",
        "french-routed": "exit",
        "hill-column": "put back",
        "wellington-column": "put back",
        "dalhousie-column": "put back",
        "graham-column": "put back",
    },
    attacks={"fire": "fire"},
    also="also",
    roll="roll combat",
)
"""What players do in the module, as verbs."""
