"""Sequence of play: what may be done in which phase."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade
from referee.engine.wording import name_of, names_of
from referee.games.postcard1943.notes import COMBAT_DICE
from referee.games.postcard1943.reinforcements import on_arrival
from vassalgen.game.provenance import Provenance

rules = Section("Sequence of play", Provenance("rulebook", "Turn Sequence"))


@on_arrival(rules, "seq.1")
def reinforcements_come_before_anyone_moves(position: Position, action: Action) -> Breach | None:
    if position.phase == "reinforcements":
        return None
    own_movement = position.phase == "movement" and position.side == position.pieces[action.piece].side
    if own_movement and position.game.adopted("placing-arrivals") == "own-movement":
        return None
    name = name_of(position, action.piece)
    says = f"{name} arrives in the {_now(position)} phase; reinforcements arrive at the start of the turn."
    grade = Grade.unproven if own_movement else Grade.illegal
    return Breach(says, {"unit": action.piece, "phase": _now(position)}, grade)


@rules.on("move", "attack", clause="seq.2")
def only_the_side_whose_turn_it_is_moves_and_attacks(position: Position, action: Action) -> Breach | None:
    wrong = [name for name in action.pieces if position.pieces[name].side != position.side]
    if not wrong:
        return None
    done = f"{action.verb}s" if len(wrong) == 1 else action.verb
    says = (
        f"{names_of(position, wrong)} {done} in the {_now(position)} phase; units move and attack only in"
        " their own side's player turn."
    )
    return Breach(says, {"units": tuple(wrong), "phase": _now(position)})


@rules.on("move", clause="seq.3")
def movement_is_over_once_attacks_begin(position: Position, action: Action) -> Breach | None:
    """A late move is unproven until a combat die is rolled that could have influenced it."""
    unit = position.pieces[action.piece]
    if unit.side != position.side or position.game.adopted("move-then-attack") == "unit-by-unit":
        return None
    attacked = position.note(COMBAT_DICE, position.side)
    if position.phase == "movement" and attacked is None:
        return None
    grade = Grade.illegal if attacked else Grade.unproven
    over = "after attacks have begun" if attacked else f"in the {_now(position)} phase"
    says = f"{name_of(position, action.piece)} moves {over}; all movement comes before the attacks."
    return Breach(says, {"unit": action.piece, "phase": _now(position), "attacks": attacked or 0}, grade)


@rules.on("attack", clause="seq.3")
def attacks_come_in_the_combat_phase(position: Position, action: Action) -> Breach | None:
    """An attack while the marker still shows movement: the marker was forgotten, and movement has ended."""
    if position.phase == "combat" or any(
        position.pieces[name].side != position.side for name in action.pieces
    ):
        return None
    if position.phase == "movement":
        says = (
            f"{action.target} is attacked while the turn track still shows the {_now(position)} phase;"
            " attacks are made in the combat phase."
        )
        return Breach(says, {"phase": _now(position)}, Grade.slip)
    says = f"{action.target} is attacked in the {_now(position)} phase; attacks are made in the combat phase."
    return Breach(says, {"phase": _now(position)})


def _now(position: Position) -> str:
    return position.world.calendar.stop_names[position.clock.stop]
