"""What counters that a record sets up can never be: in the sea, with an enemy, in a state still to come."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Piece, Position


@frozen
class Misplaced:
    """A counter that is where or what no rule leads to, and what would be right.

    ``other`` is an enemy in its hex.
    """

    piece: str
    wrong: str
    right: str
    other: str = ""


def misplaced(position: Position, names: Collection[str]) -> Iterator[Misplaced]:
    """Return those of some counters that are in a closed hex, in one with an enemy, or in a future state."""
    game, ground = position.game, position.world.rulebook.ground
    for piece in map(position.pieces.__getitem__, names):
        yield from _ahead_of_time(position, piece)
        if piece.where not in game.map.grid or piece.counter.kind not in ground:
            continue
        terrain = game.terrain[game.map.hexes[piece.where].terrain]
        if terrain.closed:
            wrong = f"{piece.id} cannot be in {piece.where}, which is {terrain.title.lower()}"
            yield Misplaced(piece.id, wrong, "a hex that can be entered, or '... as found'")
        for enemy in _enemies(position, piece):
            wrong = f"{piece.id} and {enemy} are enemies and cannot both be in {piece.where}"
            yield Misplaced(piece.id, wrong, "another hex, or '... as found'", enemy)


def _ahead_of_time(position: Position, piece: Piece) -> Iterator[Misplaced]:
    calendar = position.world.calendar
    for state, mark in piece.states.items():
        if mark.since and mark.since.turn > position.turn:
            wrong = f"{piece.id} cannot be {state} since {calendar.say_date(mark.since)}"
            yield Misplaced(piece.id, wrong, f"it is {calendar.say(position.clock)}")


def _enemies(position: Position, piece: Piece) -> Iterator[str]:
    for other in position.at(piece.where):
        if other.side != piece.side and other.counter.kind in position.world.rulebook.ground:
            yield other.id


def never_placed(before: Position, after: Position, action: Action) -> tuple[str, ...]:
    """Return the counters that act though no statement has put them anywhere.

    One that comes from nowhere with the action is set up by it.
    """
    ground = before.world.rulebook.ground
    return tuple(
        name
        for name in action.pieces
        if not before.pieces[name].where
        and before.pieces[name].counter.kind in ground
        and (action.path or not after.pieces[name].where)
    )
