"""Rules about the path of a piece that are the same in every game."""

from __future__ import annotations

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of


def begins_where_it_stands(position: Position, action: Action) -> Breach | None:
    """A path begins where the piece is; a different start is only a wrong label.

    But a piece that waits in a box moves without having entered the map, and a piece that cannot have come so
    far from its hex does not move at all. Other clauses say that eliminated pieces do nothing. A game
    registers this for its movement verbs, under its own clause.
    """
    where = position.pieces[action.piece].where
    if where == action.path[0]:
        return None
    boxes = position.game.map.boxes
    place = f"“{boxes[where].title}”" if where in boxes else where or "no hex"
    waits = where in boxes and not boxes[where].losses
    name = name_of(position, action.piece)
    says = f"{name} moves from {action.path[0]}, but is not there: it is in {place}"
    far = _is_out_of_reach(position, action)
    if far:
        says += f" and cannot move to {action.end}"
    facts: Facts = {"unit": action.piece, "hex": where or "none"}
    return Breach(f"{says}.", facts, Grade.illegal if waits or far else Grade.slip)


def goes_from_where_it_stands(position: Position, action: Action) -> Breach | None:
    """The same where no other clause says that the lost do nothing: a piece in any box does not move."""
    where, boxes = position.pieces[action.piece].where, position.game.map.boxes
    if where not in boxes:
        return begins_where_it_stands(position, action)
    name = name_of(position, action.piece)
    says = f"{name} moves, but it is not on the map: it is in {boxes[where].title}."
    return Breach(says, {"unit": action.piece, "box": where})


def _is_out_of_reach(position: Position, action: Action) -> bool:
    """Return whether a piece on the map certainly cannot move from its hex to the end of a path."""
    where, moving = position.pieces[action.piece].where, position.world.rulebook.moves.get(action.verb)
    if moving is None or where not in position.game.map.grid or where == action.end:
        return False
    move = moving(position, evolve(action, path=(where, action.end), dragged=True))
    return any(move.grade(clause) is Grade.illegal for clause in move.faults)
