"""Sequence of play: what may be done in which phase, and for how many turns."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.engine.wording import name_of
from referee.games.vitoria1813.battle import is_driven
from referee.games.vitoria1813.facts import (
    ROUTED,
    is_general,
    is_on_map,
    phase_of,
    side_of,
)
from referee.games.vitoria1813.notes import (
    PLAYED_ON,
)
from vassalgen.game.provenance import Provenance

rules = Section("Sequence of play", Provenance("rulebook", "2"))


@rules.on("move", "flee", "exit", clause="2c")
def only_generals_move_in_the_first_phase(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if position.phase != "leaders" or is_general(piece) or piece.side != position.side:
        return None
    if _is_driven_off(position, action):
        return None
    does = "leaves the map" if action.verb == "exit" else "moves"
    says = f"{name_of(position, piece.id)} {does} in the leader movement phase; only generals may."
    return Breach(says, {"unit": piece.id})


def _is_driven_off(position: Position, action: Action) -> bool:
    """Return whether a counter leaves the map because it must: it may do so at any time [7.5f].

    A counter that is not on the map falls under 4.1g.
    """
    piece = position.pieces[action.piece]
    if action.verb != "exit":
        return False
    return piece.is_(ROUTED) or is_driven(position, piece) or not is_on_map(position, piece)


@rules.on("move", "enter", "exit", "fire", "attack", "roll rally", "rally", clause="2b")
def phases_follow_in_order(position: Position, action: Action) -> Breach | None:
    """A side acts in its own player turn, and moves before it fires and fights.

    Moving in the leader phase breaks 2c.
    """
    piece = position.pieces[action.piece]
    if _is_driven_off(position, action):
        return None
    if piece.side != position.side:
        says = (
            f"{name_of(position, piece.id)} acts in the {side_of(position)} player turn;"
            " each side moves, fires, attacks and rallies only in its own."
        )
        return Breach(says, {"unit": piece.id, "side": position.side})
    if action.verb in ("move", "exit") and position.phase in ("fire", "combat", "rally"):
        does = "leaves the map" if action.verb == "exit" else "moves"
        says = (
            f"{name_of(position, piece.id)} {does} in the {phase_of(position)};"
            " counters move only in the movement phases of their own side."
        )
        return Breach(says, {"unit": piece.id, "phase": position.phase})
    return None


PLAYED = ("move", "flee", "enter", "exit", "roll rally", "attack", "fire")
"""The verbs that show that a phase has begun."""


@rules.on(*PLAYED, clause="2a")
def nothing_is_done_after_the_last_turn(position: Position, action: Action) -> Breach | None:
    return _played_on(position)


@rules.follows(*PLAYED)
def a_turn_too_many_is_noted(before: Position, after: Position, action: Action) -> Position:
    return after.with_note(PLAYED_ON, "", True) if _played_on(before) else after


@rules.leaving("combat", clause="2a")
def the_game_has_its_turns(position: Position) -> Breach | None:
    return _played_on(position)


def _played_on(position: Position) -> Breach | None:
    """Return the breach of a turn after the last, unless it was found before."""
    last = position.world.calendar.last_turn
    if position.turn <= last or (PLAYED_ON, "") in position.notes:
        return None
    return Breach(f"Turn {position.turn} is played; the game has {last} turns.", {"turn": position.turn})


@rules.entering("leaders")
def markers_go_off(position: Position) -> Position:
    """Those that end with the combat phase."""
    for name, piece in position.pieces.items():
        for state in piece.states:
            if position.game.states[state].ends == "combat":
                position = position.with_state(name, state, None)
    return position
