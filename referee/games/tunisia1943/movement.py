"""Terrain, zones of control and movement: each clause that a move can break.

Whether a move is possible, and which clause it breaks if not, is found in ``move``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.moves import limit
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade
from referee.engine.wording import name_of, names_of
from referee.games.tunisia1943.cohesion_tests import breakthrough
from referee.games.tunisia1943.exploitation import may_exploit
from referee.games.tunisia1943.facts import (
    EXPLOITATION,
    division_of,
    is_em,
    is_on_map,
    is_unit,
    the_field,
)
from referee.games.tunisia1943.move import EXPLOIT, MOVE, Move, came_along
from referee.games.tunisia1943.notes import ACTED, BREAKTHROUGH, EXPLOITS, SPENT, TRAIL, VACATED, Trail

rules = Section("Zones of control and movement")
BOTH = (MOVE, EXPLOIT)
ENOUGH = 5
"""How many pieces moved since are remembered: more than can take part in one breakthrough."""


TERRAIN, ALLOWED = "2.1a 2.1b 2.1c 2.1d", "4.1c 4.1f 4.1g 4.2a"
CAPPED = "9.2e 9.2i 6.3h C2.4"
limit(rules, Move.of, MOVE, clauses=f"{TERRAIN} 3b 3c 4.1a {ALLOWED} {CAPPED} 4.3d 4.3g 4.3h")
limit(rules, Move.of, EXPLOIT, clauses=f"{TERRAIN} {ALLOWED} 4.1d {CAPPED} 10b 10c")


@rules.on(MOVE, clause="4.1b")
def one_unit_is_finished_before_the_next(position: Position, action: Action) -> Breach | None:
    """One of a stack dragged together may move on: its members are read one after the other."""
    move = Move.of(position, action)
    if move.trail is None or move.is_taken_back():
        return None
    others = [name for name in move.trail.since if not came_along(position, name, action.piece)]
    if not others:
        return None
    says = (
        f"{name_of(position, action.piece)} moves on after {names_of(position, others)} moved;"
        " one unit finishes moving before the next moves."
    )
    return Breach(says, {"unit": action.piece, "began in": move.trail.start}, _grade_of_resuming(move))


def _grade_of_resuming(move: Move) -> Grade:
    """A possible correction is only unproven: a drag after a drag, or the path back to its start."""
    names = move.position.game.map.grid.names
    back = move.trail is not None and names[move.path[-1]] == move.trail.start
    dragged = move.dragged and move.trail is not None and move.trail.dragged
    return Grade.unproven if back or dragged else Grade.illegal


@rules.does(MOVE, EXPLOIT)
def move(position: Position, action: Action) -> Position:
    """Put the piece at the end of its path and remember what it paid; one dragged back has not moved."""
    move, piece, end = Move.of(position, action), action.piece, action.end
    after = position.with_piece(piece, where=end)
    if move.is_taken_back():
        return _unmoved(after, action)
    cost = move.paid()
    after = _close_others(after, piece)
    trail = Trail(move.start, cost, move.is_partly_unknown, stopped=move.stops_after())
    after = after.with_noted((TRAIL, piece, trail), (ACTED, position.pieces[piece].side, True))
    if action.verb == MOVE:
        after = after.with_note(SPENT, piece, cost)
    elif division := division_of(position, piece):
        after = after.with_note(EXPLOITS, division, True)
    for where, entered in position.noted(VACATED).items():
        if not entered and _overruns(position, action, where):
            after = after.with_note(VACATED, where, True)
    return after


def _unmoved(position: Position, action: Action) -> Position:
    """The position in which a piece has not moved in this step, nor has its division because of it."""
    position = position.without_note(TRAIL, action.piece)
    if action.verb == MOVE:
        return position.without_note(SPENT, action.piece)
    division = division_of(position, action.piece)
    if any(division_of(position, name) == division for name in position.noted(TRAIL)):
        return position
    return position.without_note(EXPLOITS, division)


def with_spent(position: Position, name: str, points: Fraction) -> Position:
    """Note that a piece has moved and spent MP in this step already."""
    cost = int(points * the_field(position).scale)
    after = position.with_note(TRAIL, name, Trail(position.pieces[name].where, cost))
    return after.with_note(SPENT, name, cost) if position.phase == "movement" else after


def _overruns(position: Position, action: Action, where: str) -> bool:
    """Whether a combat unit entered the hex that an EM has left for it, or may have if it was
    dragged [4.2a].
    """
    if not is_unit(position, position.pieces[action.piece]):
        return False
    if not action.dragged or where in action.path[1:]:
        return where in action.path[1:]
    through = evolve(action, pieces=(action.piece,), path=(action.path[0], where, action.end))
    return Move.of(position, through).cost() is not None


def _close_others(position: Position, piece: str) -> Position:
    """The moves of all others are over, except those that break through together [4.1b, 4.3b]."""
    attempt = breakthrough(position)
    together = attempt.pieces if attempt and piece in attempt.pieces else (piece,)
    trails = position.noted(TRAIL)
    followed = {
        name: trail.followed_by(piece)
        for name, trail in trails.items()
        if len(trail.since) < ENOUGH and name not in together and piece not in trail.since
    }
    if followed:
        position = position.with_notes(position.notes.changed(TRAIL, {**trails, **followed}))
    if attempt and piece not in attempt.pieces:
        position = position.without_note(BREAKTHROUGH)
    return position


@rules.proposes
def moves(position: Position, piece: Piece) -> Iterator[Action]:
    """Every hex within reach, by the cheapest path, and the neighbours."""
    verb = {"movement": MOVE, EXPLOITATION: EXPLOIT}.get(position.phase)
    if verb is None or piece.side != position.side or not is_on_map(position, piece):
        return
    if not is_unit(position, piece) and not is_em(piece):
        return
    if verb == EXPLOIT and not may_exploit(position, piece):
        return
    move = Move.everywhere(position, piece, verb)
    if move.trail is not None and move.trail.since and verb == MOVE:
        return
    for path in move.options(move.trail is None or not move.trail.stopped or verb == EXPLOIT).values():
        yield Action(verb, (piece.id,), path)
