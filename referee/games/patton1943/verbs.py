"""The verbs of the game, and how a record writes them."""

from __future__ import annotations

from referee.engine.actions import verb
from referee.engine.idiom import Checked, Idiom, MoveVerb

UNITS, BATTLEGROUPS, SUPPORT, AIR = ("unit", "battlegroup"), ("battlegroup",), ("support",), ("air",)
GROUND = (*UNITS, *SUPPORT)
PIECES = (*GROUND, *AIR)

SETTING_UP = (
    verb("deploy PIECES on HEX", "put a piece on the map at set-up", PIECES, each=True),
    verb("complete WORD", "a side has set up; after the second one play begins", declared="begin"),
)

MOVING = (
    verb("move PIECES PATH", "move in the movement phase; several pieces move as a stack", PIECES, each=True),
)

FIGHTING = (
    verb("attack HEX with PIECES [battle NUMBER]", "declare an attack on a hex", PIECES),
    verb(
        "leave out PIECES [battle NUMBER]",
        "leave an asset out of the battle",
        SUPPORT,
        each=True,
        declared="leave-out",
    ),
    verb(
        "take part PIECES [battle NUMBER]",
        "bring an asset that was left out back into the battle",
        SUPPORT,
        each=True,
    ),
    verb("call off [battle NUMBER]", "cancel an attack before its die"),
    verb("fly PIECES [battle NUMBER]", "fly an air asset to the battle", AIR, each=True, declared="fly"),
    verb("land PIECES", "take a flight back before any die is rolled", AIR, each=True),
    verb("no air WORD [battle NUMBER]", "a side does without air support", declared="no-air"),
    verb(
        "roll air DIE for PIECE [battle NUMBER]",
        "roll for air combat",
        AIR,
        declared="air-combat",
        dice="air",
    ),
    verb("air result NUMBER for PIECE [battle NUMBER]", "announce a result of air combat, modified", AIR),
    verb(
        "air winner WORD [battle NUMBER]",
        "announce who won the air combat: a side, or none",
        choices=("SIDE none",),
    ),
    verb("roll attack DIE [battle NUMBER]", "make the attack roll", declared="attack-roll", dice="attack"),
    verb("attack total NUMBER [battle NUMBER]", "announce what is added to the attack die"),
    verb(
        "attack result WORD [factor NUMBER] [battle NUMBER]",
        "announce a hit or a miss of the attack, and the factor it was compared with",
        words=("hit",),
        choices=("hit miss",),
    ),
    verb(
        "roll defence DIE [battle NUMBER]", "make the defence roll", declared="defence-roll", dice="defence"
    ),
    verb("defence total NUMBER [battle NUMBER]", "announce what is added to the defence die"),
    verb(
        "defence result WORD [factor NUMBER] [battle NUMBER]",
        "announce a hit or a miss of the defence, and the factor it was compared with",
        words=("miss",),
        choices=("hit miss",),
    ),
)

RESULTS = (
    verb("lose PIECES [battle NUMBER]", "turn a piece to its reduced side", PIECES, each=True),
    verb("eliminate PIECES [battle NUMBER]", "send to the dead pile", PIECES, each=True),
    verb(
        "battlegroup PIECE on HEX [battle NUMBER]", "put a battlegroup in the place of a unit", BATTLEGROUPS
    ),
    verb("to box PIECES [battle NUMBER]", "send to the Return to Base box", AIR, each=True),
    verb("retreat PIECES PATH [battle NUMBER]", "retreat after combat", PIECES, each=True),
    verb("advance PIECES PATH [battle NUMBER]", "advance after combat", PIECES, each=True),
    verb("break through PIECES PATH [battle NUMBER]", "move in a breakthrough", GROUND, each=True),
    verb("settle [battle NUMBER]", "end a battle: its result has been carried out"),
)

KEEPING = (
    verb("return PIECES on HEX", "bring an air asset back to an airfield", AIR, each=True),
    verb("rebuild PIECES", "turn a reduced piece to its full side", PIECES, each=True),
    verb("reclaim PIECES on HEX", "bring a piece back from the dead pile", PIECES, each=True),
    verb("supply loss PIECES", "reduce a piece that is out of supply", PIECES, each=True),
    verb("roll patton DIE", "roll for the arrival of Patton"),
    verb("arrive PIECES on HEX", "put Patton on the map", SUPPORT, each=True),
    verb(
        "swap PIECES on HEX", "put a two-star piece in the place of its twin", (*UNITS, *SUPPORT), each=True
    ),
    verb(
        "withdraw PIECES",
        "take a piece off the map for its twin with two stars",
        (*UNITS, *SUPPORT),
        each=True,
    ),
    verb("put away PIECES", "put pieces from one box into another", PIECES, each=True),
    verb("roll rommel DIE", "roll for the recall of Rommel"),
    verb("recall PIECES", "take Rommel out of the game", SUPPORT, each=True),
    verb("turn marker NUMBER", "move the turn marker on by so many boxes"),
    verb("claim WORD", "claim victory for a side"),
)

VERBS = (*SETTING_UP, *MOVING, *FIGHTING, *RESULTS, *KEEPING)

MARCH, BREAK = MoveVerb("move", passive=False), MoveVerb("break through", passive=False)
RETREAT, ADVANCE = MoveVerb("retreat", passive=True), MoveVerb("advance", passive=False)
RETURN, RECLAIM, ARRIVE = (MoveVerb(verb, passive=False) for verb in ("return", "reclaim", "arrive"))
TRAYS = ("axis-pool", "allied-crests", "allied-others", "axis-germans", "axis-italians")
"""Where counters wait for set-up or entry: one that is put back there is off the map."""
CALLED = {
    "leave out": ("without", "do not take part"),
    "fly": ("fly in support", "intercept", "support"),
    "no air": ("no air support", "no aircraft", "fly no aircraft", "decline air support"),
    "roll air": ("air combat", "roll air combat", "air combat roll"),
    "air winner": ("win air combat",),
    "attack total": ("attack modifier", "attack drm"),
    "roll defence": ("roll defense", "defense roll", "defense", "defense die"),
    "defence total": ("defence modifier", "defence drm", "defense modifier", "defense drm"),
    "defence result": ("defense result", "defense"),
    "battlegroup": ("replace",),
    "to box": (
        *("return to box", "return to base", "go to return to base", "sent to return to base"),
        *("rtb", "go to rtb", "sent to rtb"),
    ),
    "return": ("land at", "land on"),
    "rebuild": ("rebuilt",),
    "reclaim": ("bring back", "replace"),
    "supply loss": ("out of supply",),
    "swap": ("exchange",),
}
"""Other names that players give the verbs."""
TURNED = (
    (r"^(?:the )?(attack|defen[cs]e) (?:is successful|succeeds)$", r"\1 result hit"),
    (r"^(?:the )?(attack|defen[cs]e) (?:is unsuccessful|fails)$", r"\1 result miss"),
    (r"^roll (?:a )?(\d+) in defen[cs]e$", r"defence roll \1"),
    (r"\bis out of supply and (?:is )?reduced$", "is out of supply"),
    (r"^(.+) (?:is reduced|loses a step) for lack of supply$", r"supply loss \1"),
    (r"^(.+) is left out$", r"leave out \1"),
    (r"^(.+) stays out of the (?:battle|combat|attack)$", r"leave out \1"),
    (r"^(.+) is placed in the (?:rtb|return to base) box$", r"to box \1"),
    (r"\bmakes? a breakthrough move\b", "breaks through"),
    (r"^battlegroup (\S+) at (\w+)$", r"battlegroup \1 on \2"),
)
"""What players put in another order, or say in other words, each with how the game says it."""
IDIOM = Idiom.of(
    VERBS,
    called=CALLED,
    turned=TURNED,
    exchanged=("swap", "twin"),
    announced={"retreat": RETREAT, "advance": ADVANCE, "breakthrough": BREAK},
    checked={
        "attack-roll": Checked("attack total", "attack result"),
        "defence-roll": Checked("defence total", "defence result"),
        "air-combat": Checked(makes="air result", winner="air winner"),
    },
    alone={"patton": "roll patton", "rommel": "roll rommel"},
    by_hand={"flying": ("fly", "land"), "left-out": ("leave out", "take part")},
    answers=("defence",),
    steps=("lose", "rebuild"),
    move_verbs={
        "movement": (MARCH,),
        "battles": (RETREAT, ADVANCE, BREAK, MARCH),
        "return": (MARCH, RETURN),
        "replacement": (MARCH, RECLAIM),
        "supply": (MARCH,),
        "end": (MARCH, ARRIVE),
    },
    entries=("return", "battlegroup", "reclaim", "arrive", "swap"),
    out_of={
        "allied-returning": ("return",),
        "axis-returning": ("return",),
        "allied-dead": ("reclaim",),
        "axis-dead": ("reclaim",),
        "allied-pool": ("battlegroup", "swap"),
        "allied-pool us-patton": ("arrive",),
        "axis-pool": ("battlegroup",),
    },
    begin="complete",
    overhead={"air": ("fly", "fly")},
    lost=("allied-dead", "axis-dead"),
    exits={
        "allied-returning": "to box",
        "axis-returning": "to box",
        "allied-out": "withdraw",
        "allied-pool": "withdraw",
        "axis-out": "recall",
        **dict.fromkeys(TRAYS, "eliminate"),
    },
    between="put away",
    instead={"supply": {"lose": "supply loss", "eliminate": "supply loss"}},
    losses={"out-of-supply": "supply loss"},
    roll="roll attack",
)
"""What players do in the module, as verbs."""
