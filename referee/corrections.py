"""Actions of a record that take the one before back or put it right: judged as if that had not been."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from referee.engine.actions import NEXT, Action
from referee.engine.position import Position
from referee.engine.rulings import Grade, Ruling

TAKEN_BACK = "the action before is taken back"
PUT_RIGHT = "the action before is put right, and it is judged as if done instead"


@frozen
class Corrected:
    """An action that corrects the one before it: its ruling, what it leads to, and which of the two it is."""

    ruling: Ruling
    position: Position
    remark: str


def corrected(before: Position, last: Ruling, now: Position, ruling: Ruling) -> Corrected | None:
    """Return the ruling on an illegal action that corrects the last one; None if it corrects nothing.

    It is by the same pieces in the same phase. It takes the last one back if all pieces are as they were
    before that; a legal one only by the same verb or if it cost steps, which are due again. It puts an
    illegal one right if it would have been legal in its place.
    """
    action, first = ruling.action, last.action
    if NEXT.name in (action.verb, first.verb) or before.clock != now.clock or not action.pieces:
        return None
    if action.pieces != first.pieces or ruling.grade is not Grade.illegal:
        return None
    is_known = bool(action.path) and not action.dragged
    may_be = action.verb == first.verb or last.grade is Grade.illegal or _lost_steps(before, first, now)
    if may_be and not is_known and now.play(action).position.pieces == before.pieces != now.pieces:
        return Corrected(Ruling(action), before, TAKEN_BACK)
    for instead in _instead(before, first, now, action) if last.grade is Grade.illegal else ():
        played = before.play(instead)
        if played.ruling.grade is Grade.legal:
            return Corrected(evolve(played.ruling, action=action), played.position, PUT_RIGHT)
    return None


def _lost_steps(before: Position, first: Action, now: Position) -> bool:
    """Return whether an action cost its pieces steps, and they are on the map."""
    pieces, grid = ((before.pieces[name], now.pieces[name]) for name in first.pieces), now.game.map.grid
    return all(then.steps > piece.steps and piece.where in grid for then, piece in pieces)


def _instead(before: Position, first: Action, now: Position, action: Action) -> Iterator[Action]:
    """What would have been done in the place of the first action: from where its pieces stood before it."""
    if action.verb == first.verb and first.path and action.path:
        yield evolve(action, path=(first.path[0], action.end), dragged=True)
    piece, grid = now.pieces[action.piece], now.game.map.grid
    if action.path and piece.where not in grid and before.pieces[action.piece].where == action.path[0]:
        yield action
