"""Winning."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import UNSEEN, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.supply import Supply
from referee.engine.wording import listed
from referee.games.postcard1943.facts import is_sound, supply, towns, units_at
from referee.games.postcard1943.notes import ENTERED
from vassalgen.game.provenance import Provenance

rules = Section("Winning", Provenance("rulebook", "Winning"))

ALLIES, AXIS = "allied", "axis"


def held_towns(position: Position) -> tuple[str, ...]:
    """Return the towns that the Allies hold in supply [win.1]."""
    reading = position.game.adopted("holding-towns")
    held = []
    for name, where in towns(position).items():
        units = units_at(position, where, ALLIES)
        if reading == "sound":
            units = tuple(piece for piece in units if is_sound(piece))
        kept = reading == "last-entered" and not units and position.note(ENTERED, where) == ALLIES
        if kept or any(supply(position, piece.id) is Supply.supplied for piece in units):
            held.append(name)
    return tuple(held)


def winner(position: Position) -> str:
    """Return which side has won now, empty if none has [win.1, win.2]."""
    at_once = position.game.adopted("victory-moment") == "allied-combat"
    test = position.phase == "end" or (at_once and position.side == ALLIES and position.phase == "recovery")
    if test and len(held_towns(position)) == len(towns(position)):
        return ALLIES
    over = position.phase == "end" and position.turn >= position.world.calendar.last_turn
    return AXIS if over and position.game.adopted("last-turn") == "track" else ""


@rules.on("claim", clause="win.1")
def both_towns_in_supply_at_the_end_of_a_turn(position: Position, action: Action) -> Breach | None:
    if action.words[0] != ALLIES or winner(position) == ALLIES:
        return None
    held, grade = held_towns(position), Grade.slip
    if position.phase == "end" and len(held) + len(_unknown_towns(position)) == len(towns(position)):
        grade = Grade.unproven
    says = (
        f"An Allied victory is claimed in the {position.phase} phase with {listed(held) or 'no town'} held in"
        " supply; the Allies win at the end of a turn in which they hold both Tunis and Bizerte in supply."
    )
    return Breach(says, {"held in supply": held, "phase": position.phase, "turn": position.turn}, grade)


def _unknown_towns(position: Position) -> tuple[str, ...]:
    """The empty towns that belong to the side that entered them last, if the record does not
    show which did.
    """
    if position.game.adopted("holding-towns") != "last-entered" or position.note(UNSEEN) is None:
        return ()
    return tuple(
        name
        for name, where in towns(position).items()
        if not position.at(where) and not position.note(ENTERED, where)
    )


@rules.on("claim", clause="win.2")
def the_axis_wins_after_the_last_turn(position: Position, action: Action) -> Breach | None:
    right = winner(position)
    if action.words[0] == ALLIES or action.words[0] == right:
        return None
    last = position.world.calendar.last_turn
    says = (
        f"{_claim(position, action)} is claimed on turn {position.turn}; the Axis wins at the end of turn"
        f" {last} if the Allies have not won, and there is no draw."
    )
    facts: Facts = {"claimed": action.words[0], "turn": position.turn, "held in supply": held_towns(position)}
    return Breach(says, facts, Grade.slip)


def _claim(position: Position, action: Action) -> str:
    side = position.game.sides.get(action.words[0])
    return f"An {side.adjective} victory" if side else "A draw"


@rules.leaving("end", clause="win.1 win.2")
def the_game_ends_when_it_is_won(position: Position) -> Breach | None:
    won = winner(position)
    if not won:
        return None
    facts: Facts = {"turn": position.turn, "held in supply": held_towns(position)}
    if won == ALLIES:
        says = "The Allies hold both Tunis and Bizerte in supply and have won, but play continues."
        return Breach(says, facts, Grade.slip, "win.1")
    says = f"Turn {position.turn}, the last, is over and the Axis has won, but play continues."
    return Breach(says, facts, Grade.slip, "win.2")
