"""Impossible set-ups in a record: counters in the sea or with an enemy, future states, impossible rolls."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rulings import number
from referee.engine.wording import listed


@frozen
class Misplaced:
    """A counter in an impossible place or state, and what would be right.

    ``other`` is an enemy in its hex.
    """

    piece: str
    wrong: str
    right: str
    other: str = ""


def misplaced(position: Position, names: Collection[str]) -> Iterator[Misplaced]:
    """Return the counters that are in an impossible place or state."""
    for piece in map(position.pieces.__getitem__, names):
        yield from never_in_state(position, piece)
        yield from _in_a_wrong_box(position, piece)
        yield from _in_a_wrong_hex(position, piece)


def never_in_state(position: Position, piece: Piece) -> Iterator[Misplaced]:
    """Return the states of a counter that are still to come, or that the rules make impossible."""
    calendar = position.world.calendar
    for state, mark in piece.states.items():
        if mark.since and mark.since.turn > position.turn:
            wrong = f"{piece.id} cannot be {state} since {calendar.say_date(mark.since)}"
            yield Misplaced(piece.id, wrong, f"it is {calendar.say(position.clock)}")
    for wrong, right in position.world.rulebook.impossible(position, piece):
        yield Misplaced(piece.id, wrong, f"{right}, or '... as found'")


def _in_a_wrong_box(position: Position, piece: Piece) -> Iterator[Misplaced]:
    boxes = position.game.map.boxes
    box = boxes.get(piece.where)
    if box is not None and box.side not in ("", piece.side):
        own = [name for name, other in boxes.items() if other.side in ("", piece.side)]
        wrong = f"{piece.id} cannot be in {box.id}, a box of the other side"
        yield Misplaced(piece.id, wrong, f"{listed(own, 'or')}, or '... as found'")


def _in_a_wrong_hex(position: Position, piece: Piece) -> Iterator[Misplaced]:
    game, ground = position.game, position.world.rulebook.ground
    if piece.where not in game.map.grid or piece.counter.kind not in ground:
        return
    terrain = game.terrain[game.map.hexes[piece.where].terrain]
    if terrain.closed:
        wrong = f"{piece.id} cannot be in {piece.where}, which is {terrain.title.lower()}"
        yield Misplaced(piece.id, wrong, "a hex that can be entered, or '... as found'")
    for enemy in _enemies(position, piece):
        wrong = f"{piece.id} and {enemy} are enemies and cannot both be in {piece.where}"
        yield Misplaced(piece.id, wrong, "another hex, or '... as found'", enemy)


def _enemies(position: Position, piece: Piece) -> Iterator[str]:
    for other in position.at(piece.where):
        if other.side != piece.side and other.counter.kind in position.world.rulebook.ground:
            yield other.id


def overspent(position: Position, spent: Mapping[str, Fraction]) -> Iterator[Misplaced]:
    """Return the counters that cannot have spent so many points: they are off the map or have fewer.

    Current limits of a counter may not have applied when it moved, so no clause counts.
    """
    rulebook, grid = position.world.rulebook, position.game.map.grid
    every = frozenset(position.game.clauses)
    for name, points in spent.items():
        where = position.pieces[name].where
        if where not in grid:
            yield Misplaced(
                name, f"{name} has spent points of movement but is not on the map", "place it first"
            )
            continue
        drags = {verb: Action(verb, (name,), (where, where), dragged=True) for verb in rulebook.moves}
        moves = [moving(position, drags[verb]) for verb, moving in rulebook.moves.items()]
        most = max((max(move.allowance(), move.allowance(every)) for move in moves), default=points)
        if points > most:
            unit = moves[0].unit
            wrong = f"{name} cannot have spent {number(points)} {unit}"
            yield Misplaced(name, wrong, f"it has {number(most)}")


def never_rolled(position: Position, action: Action) -> Iterator[tuple[str, str]]:
    """Return the numbers of an action that its dice cannot show, each with those that they can.

    Of several dice the total may stand alone.
    """
    if not action.dice:
        return
    verb, known = position.world.rulebook.verbs[action.verb], position.game.dice
    named = [known[name] for name in (*verb.dice, verb.name.split()[-1]) if name in known]
    dice = named or list(known.values())
    most = max((one.sides for one in dice), default=0)
    if len(action.dice) == 1:
        most *= max((one.count for one in dice), default=1)
    for face in action.dice:
        if most and not 1 <= face <= most:
            yield f"no {verb.name.removeprefix('roll ')} roll is {face}", f"1 to {most}"


def never_placed(before: Position, after: Position, action: Action) -> tuple[str, ...]:
    """Return the counters that act although no statement has placed them.

    A counter that enters with the action is set up by it.
    """
    ground = before.world.rulebook.ground
    return tuple(
        name
        for name in action.pieces
        if not before.pieces[name].where
        and before.pieces[name].counter.kind in ground
        and (action.path or not after.pieces[name].where)
    )
