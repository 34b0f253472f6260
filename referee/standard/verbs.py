"""What can be done in a game by data, and how its records say it."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Verb
from referee.engine.idiom import ADD, REMOVE
from referee.standard.hex_markers import markers_of
from vassalgen.game.families import Families, PhaseId, Victory, Win
from vassalgen.game.game import Game

ATTACK = "attack"
DOES = {
    "enter": "enters the map",
    "exit": "leaves the map",
    "replace": "regains a step",
    "regain": "regains a step",
    "recover": "recovers",
    "retreat": "retreats",
    "advance": "advances",
}
"""How findings describe activities that are neither movement nor combat."""
OF_ANY_KIND = "of any kind"
"""How a record marks a move from a log in a phase with several kinds of movement: which one is unknown."""


def combats_in(rules: Families, phase: str) -> tuple[str, ...]:
    """Return the kinds of combat that are fought in a phase."""
    found = rules.sequence.get(PhaseId(phase))
    return tuple(name for name in rules.combat if found and name in found.activities)


def moves_in(rules: Families, phase: str) -> tuple[str, ...]:
    """Return the kinds of movement that a phase has, of either side."""
    found = rules.sequence.get(PhaseId(phase))
    return tuple(name for name in (*rules.movement, *rules.transfers) if found and name in found.activities)


def done_by(verb: str, rules: Families) -> str:
    """Return the verb of a finding for an activity: ``moves``, ``attacks (fire)``."""
    if verb in rules.movement or verb in rules.transfers:
        return "moves" if verb == "move" else f"moves ({verb})"
    if verb in rules.combat or verb == ATTACK:
        return "attacks" if verb == ATTACK else f"attacks ({verb})"
    return DOES[verb]


def verbs_of(game: Game, rules: Families) -> tuple[Verb, ...]:
    """Return the verbs of a game by data."""
    return tuple(dict.fromkeys(_verbs(game, rules)))


def _verbs(game: Game, rules: Families) -> Iterator[Verb]:
    yield Verb("deploy", "deploy PIECES on HEX", "put a unit on the map before the first turn", each=True)
    if any(scenario.arrivals for scenario in game.scenarios.values()):
        yield Verb("enter", "enter PIECES on HEX", "bring on a reinforcement", each=True)
    label = f" [{OF_ANY_KIND}]" if any(len(moves_in(rules, phase)) > 1 for phase in rules.sequence) else ""
    for name in (*rules.movement, *rules.transfers):
        does = "move" if name == "move" else f"move by {name}"
        yield Verb(name, f"{name} PIECES PATH{label}", does, each=True)
    if rules.combat:
        yield from _of_battles(game, rules)
    yield Verb("lose", "lose PIECES [battle NUMBER]", "take a step off a unit", each=True)
    yield Verb("eliminate", "eliminate PIECES [battle NUMBER]", "take a unit off the map", each=True)
    for state in game.states.values():
        title = state.title.lower()
        form = f"mark {state.id} PIECES [battle NUMBER]"
        yield Verb(f"mark {state.id}", form, f"mark units as {title}", each=True, kinds=state.kinds)
        form = f"clear {state.id} PIECES"
        yield Verb(f"clear {state.id}", form, f"units are no longer {title}", each=True, kinds=state.kinds)
    rolled = [one.dice for one in rules.states.values() if one.dice]
    rolled += [one.dice for one in rules.checks.values() if one.dice]
    for dice in dict.fromkeys(rolled):
        yield Verb(f"roll {dice}", f"roll {dice} {_faces(game, dice)} for PIECE", f"roll {dice} for a unit")
    for dice in dict.fromkeys(one.dice for one in rules.rolls.values()):
        title = game.dice[dice].title.lower() if dice in game.dice else dice
        yield Verb(f"roll {dice}", f"roll {dice} {_faces(game, dice)}", f"roll the {title} of a phase")
    if markers := markers_of(rules):
        named, first = (" ".join(markers),), markers[:1]
        yield Verb(ADD, "add WORD on HEX", "put a marker into a hex", words=first, choices=named)
        yield Verb(REMOVE, "remove WORD from HEX", "take a marker off a hex", words=first, choices=named)
    if rules.replacements:
        yield Verb("regain", "regain PIECES [on HEX]", "regain a step by replacements", each=True)
    elif rules.combat:
        yield Verb("regain", "regain PIECES", "put a step back that was taken off by mistake", each=True)
    if rules.exits:
        boxes = tuple(dict.fromkeys(one.to for one in rules.exits.values()))
        yield Verb("exit", "exit PIECES to BOX", "leave the map", each=True, words=boxes[:1])
    yield Verb("put away", "put away PIECES", "take units off the map into a box", each=True)
    if rules.victory:
        claims = " ".join(("SIDE draw", *claims_of(rules.victory)))
        yield Verb("claim", "claim WORD", "claim victory for a side", choices=(claims,))


def claims_of(rule: Victory) -> dict[str, Win]:
    """Return the wins by the words that claim one of them: its side and its name, ``blue-decisive``."""
    return {f"{win.side}-{name}": win for name, win in rule.wins.items()}


def _faces(game: Game, dice: str) -> str:
    return "DICE" if dice in game.dice and game.dice[dice].count > 1 else "DIE"


def _of_battles(game: Game, rules: Families) -> Iterator[Verb]:
    for name in dict.fromkeys((ATTACK, *rules.combat)):
        form = f"{name} HEX with PIECES [battle NUMBER]"
        yield Verb(name, form, "declare an attack on the units in a hex")
    if any(combat.several for combat in rules.combat.values()):
        yield Verb("also", "also HEX [battle NUMBER]", "attack another hex together with the first")
    yield Verb("call off", "call off [battle NUMBER]", "cancel an attack before its dice")
    form = "odds WORD [attack NUMBER] [defence NUMBER] [battle NUMBER]"
    yield Verb("odds", form, "announce the column of the table", words=("2:1",), choices=("COLUMN",))
    yield Verb("modifier", "modifier NUMBER [battle NUMBER]", "announce the modifier of the dice")
    for dice in dict.fromkeys(one.dice for one in rules.combat.values()):
        form = f"roll {dice} {_faces(game, dice)} [battle NUMBER]"
        yield Verb(f"roll {dice}", form, "roll the dice of a battle")
    yield Verb(
        "result", "result WORD [battle NUMBER]", "announce the result", words=("DR",), choices=("RESULT",)
    )
    if rules.face_down:
        kinds = tuple(kind.id for kind in game.kinds.values() if kind.hidden)
        yield Verb("reveal", "reveal PIECES", "turn units face up", each=True, kinds=kinds)
        yield Verb("hide", "hide PIECES", "turn units face down", each=True, kinds=kinds)
    if rules.retreat:
        if rules.retreat.displaces:
            yield Verb("displace", "displace PIECES PATH", "make room for a unit that retreats", each=True)
        form = "retreat PIECES PATH [battle NUMBER]"
        yield Verb("retreat", form, "retreat after combat", each=True)
    if rules.advance:
        form = "advance PIECES PATH [battle NUMBER]"
        yield Verb("advance", form, "advance after combat", each=True)
    yield Verb("settle", "settle [battle NUMBER]", "end a battle: its result has been carried out")
