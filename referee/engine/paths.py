"""What holds in every game of a path that a piece takes."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of


def begins_where_it_stands(position: Position, action: Action) -> Breach | None:
    """A path begins where the piece stands; another beginning is a label gone wrong.

    But one that waits in a box moves without having come on the map. What is lost does nothing, which other
    clauses say. A game registers this for its verbs of movement, under its own clause.
    """
    where = position.pieces[action.piece].where
    if where == action.path[0]:
        return None
    boxes = position.game.map.boxes
    place = f"“{boxes[where].title}”" if where in boxes else where or "no hex"
    says = (
        f"{name_of(position, action.piece)} moves from {action.path[0]}, but is not there: it is in {place}."
    )
    facts: Facts = {"unit": action.piece, "hex": where or "none"}
    waits = where in boxes and not boxes[where].losses
    return Breach(says, facts, Grade.illegal if waits else Grade.slip)
