"""Movement and zones of control: each clause that a move can break.

Whether a move can be made, and to which clause it is attributed if it cannot, is calculated in ``move``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from referee.engine.actions import Action
from referee.engine.moves import limit
from referee.engine.paths import begins_where_it_stands
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade
from referee.engine.wording import name_of, names_of
from referee.games.patton1943.battle import fights, goes_along, without_flight
from referee.games.patton1943.facts import (
    FLYING,
    adjective,
    box,
    in_phase,
    is_air,
    is_airfield,
    is_asset,
    is_on_map,
    is_unit,
    occupied,
    passed,
    seen,
    the_field,
)
from referee.games.patton1943.move import BREAK_THROUGH, MOVE, Move
from referee.games.patton1943.notes import MOVED, REBUILT, SETTING_UP, USED_MOVEMENT, Trail
from vassalgen.game.provenance import Provenance

rules = Section("Movement", Provenance("rulebook", "7.1, 8, 9"))


@rules.on(MOVE, clause="7.1a")
def a_player_moves_his_own_pieces(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if not position.side or piece.side == position.side or piece.is_(FLYING):
        return None
    says = (
        f"{name_of(position, piece.id)} moves in the {adjective(position, position.side)} player turn;"
        " pieces move only in their own side's player turn."
    )
    return Breach(says, {"unit": piece.id, "phase": position.phase})


@rules.on(MOVE, clause="7b 7.2a 7.7f 8p")
def movement_is_made_in_the_movement_phase(position: Position, action: Action) -> Breach | None:
    """A piece with points left that moves later uses the ones it had before [8p]; rebuilt pieces stay [7.7f].

    Another piece that moves after the first attack breaks 7.2a.
    """
    piece = position.pieces[action.piece]
    own = not position.side or piece.side == position.side
    if position.phase == "movement" or not own or piece.is_(FLYING) or goes_along(position, action):
        return None
    facts = {"unit": piece.id, "phase": position.phase}
    name = name_of(position, piece.id)
    if position.note(REBUILT, piece.id):
        says = (
            f"{name} was rebuilt in {piece.where} and moves to {action.end};"
            " a rebuilt piece stays in its hex."
        )
        return Breach(says, facts, clause="7.7f")
    if position.note(USED_MOVEMENT, piece.id):
        says = f"{name} moves on {in_phase(position)}; MP not spent in the Movement Phase are lost."
        return Breach(says, facts, clause="8p")
    if any(fight.rolled for fight in fights(position)):
        return Breach(
            f"{name} moves after an attack has been made; all normal moves come before the first attack.",
            facts,
            clause="7.2a",
        )
    says = f"{name} moves {in_phase(position)}; pieces move only in the Movement Phase."
    return Breach(says, facts, clause="7b")


@rules.on(MOVE, clause="7.1b 8b")
def one_piece_is_finished_before_the_next(position: Position, action: Action) -> Breach | None:
    """Two pieces that move in turns break 8b; one that moves again after another has moved breaks 7.1b."""
    move = _on_the_ground(position, action)
    if move is None or position.game.adopted("moves-in-turn") == "sum":
        return None
    if not move.trail or move.is_taken_back():
        return None
    between = _moved_since(position, move)
    if not between:
        return None
    by_turns = any(trail.resumed for name, trail in position.noted(MOVED).items() if name in between)
    corrected = move.dragged and move.trail.dragged
    says = (
        f"{name_of(position, action.piece)} moves on after {names_of(position, between)} moved;"
        " one piece completes the move before the next begins."
    )
    grade = Grade.unproven if corrected else Grade.illegal
    return Breach(says, {"unit": action.piece, "between": between}, grade, "8b" if by_turns else "7.1b")


def _moved_since(position: Position, move: Move) -> tuple[str, ...]:
    """The pieces that moved after this one, except those that began with it: a stack is one move [7.1c].

    In another interpretation, assets may join it where it passes.
    """
    if move.trail is None:
        return ()
    here = position.game.map.grid.names[move.path[0]]
    joined = position.game.adopted("riding-assets") == "on-the-way"
    return tuple(
        name
        for name, trail in position.noted(MOVED).items()
        if trail.order > move.trail.order
        and trail.start != move.trail.start
        and not (joined and trail.start == here and is_asset(position.pieces[name]))
    )


@rules.on(MOVE, clause="8a")
def aircraft_do_not_move(position: Position, action: Action) -> Breach | None:
    """A flying one is wherever players put it [7.3a]; moves in other phases break 7b or 7.1a."""
    piece = position.pieces[action.piece]
    if not is_air(piece) or piece.is_(FLYING) or Move.of(position, action).is_taken_back():
        return None
    if position.phase != "movement":
        return None
    says = f"{name_of(position, piece.id)} is an air asset; air assets do not move in the Movement Phase."
    return Breach(says, {"unit": piece.id})


@rules.on(MOVE, clause="8c")
def a_move_begins_where_the_piece_stands(position: Position, action: Action) -> Breach | None:
    """Aircraft on the map have no movement points: 8a says what they may do."""
    piece = position.pieces[action.piece]
    if is_air(piece) and piece.where in position.game.map.grid:
        return None
    return begins_where_it_stands(position, action)


@rules.on(MOVE, clause="7.7d")
def a_dead_unit_moves_no_more(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if not is_unit(piece) or piece.where != box(piece.side, "dead"):
        return None
    says = (
        f"{name_of(position, piece.id)} moves, but is in the dead pile; an eliminated unit never comes back."
    )
    return Breach(says, {"unit": piece.id})


def _on_the_ground(position: Position, action: Action) -> Move | None:
    return None if is_air(position.pieces[action.piece]) else Move.of(position, action)


limit(rules, _on_the_ground, MOVE, clauses="7.1d 8c 8j 8l 8m 8n 8q 9c 9e")
limit(rules, _on_the_ground, BREAK_THROUGH, clauses="7.1d 8l 8m 8n 8q 9c 9e")


@rules.does(MOVE)
def move(position: Position, action: Action) -> Position:
    """Put the piece at the end of its path and remember what it paid; one dragged back has not moved."""
    piece, end = position.pieces[action.piece], action.end
    after = position.with_piece(piece.id, where=end)
    if is_air(piece):
        return _landed(after, piece.id, end) if is_airfield(position, end) else after
    move = Move.of(position, action)
    if move.is_taken_back():
        return after.without_note(MOVED, piece.id).without_note(USED_MOVEMENT, piece.id)
    order = _next(position)
    resumed = bool(_moved_since(position, move)) or (move.trail is not None and move.trail.resumed)
    known = (move.start, move.paid(), move.is_partly_unknown, move.stops_after())
    trail = Trail(*known, order, resumed, move.stops_again())
    after = after.with_noted((MOVED, piece.id, trail), (USED_MOVEMENT, piece.id, True))
    return gone_through(position, after, action)


def _landed(position: Position, name: str, end: str) -> Position:
    """An air asset that is dragged to an airfield no longer flies, unless that is where its battle is."""
    if any(end in (fight.stood, fight.target) and not fight.rolled for fight in fights(position)):
        return position
    return without_flight(position, name).with_state(name, FLYING, None)


def with_spent(position: Position, name: str, points: Fraction) -> Position:
    """Note that a piece has moved and spent MF in this phase already."""
    cost = int(points * the_field(position).scale)
    trail = Trail(position.pieces[name].where, cost, order=_next(position))
    return position.with_note(MOVED, name, trail).with_note(USED_MOVEMENT, name, True)


def _next(position: Position) -> int:
    """The number of the next piece that moves in the phase."""
    return max((trail.order for trail in position.noted(MOVED).values()), default=0) + 1


@rules.entering("battles")
def moves_are_over(position: Position) -> Position:
    """Units own the hexes in which they have ended their moves, not those from which they moved on."""
    for piece in position.pieces.values():
        if piece.side == position.side and is_unit(piece) and is_on_map(position, piece):
            position = occupied(position, piece, piece.where)
    return position


def settled_in(before: Position, after: Position, action: Action) -> Position:
    """Note the owner of the hexes that a piece has entered or passed, as far as its path is known."""
    after = gone_through(before, after, action)
    return occupied(after, before.pieces[action.piece], action.end)


def gone_through(before: Position, after: Position, action: Action) -> Position:
    """Note the hexes that a piece has passed, as far as its path is known."""
    piece = before.pieces[action.piece]
    after = passed(after, piece, action.path[1:])
    if before.game.adopted("mareth-history") == "passed":
        after = seen(after, piece.side, action.path[1:-1])
    return after


@rules.proposes
def moves(position: Position, piece: Piece) -> Iterator[Action]:
    """Every hex within reach, by the cheapest path, and the neighbours."""
    if position.phase != "movement" or piece.side != position.side or not is_on_map(position, piece):
        return
    if not is_air(piece) and not position.noted(SETTING_UP):
        move = Move.everywhere(position, piece)
        for path in move.options(move.trail is None or not move.trail.stopped).values():
            yield Action(MOVE, (piece.id,), path)
