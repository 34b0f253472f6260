"""Breaches in disruption and recovery."""

from __future__ import annotations

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.postcard1943.facts import enemy, stack, units

breaker = Breaker()


def _is_quick(piece: Piece) -> bool:
    return piece.counter.nation in ("uk", "nz", "de")


@breaker.breaks("disrupt.4", "roll combat")
def von_broich_is_marked(moment: Moment) -> Broken:
    if stack(moment.position, moment.position.pieces["broich"].where):
        yield moment.action, Action("disrupt", ("broich",), battle=moment.action.battle)


@breaker.breaks("disrupt.5", "next")
def quick_units_recover_too_soon(moment: Moment) -> Broken:
    """In the enemy's player turn, and before the end of their own.

    Not at the end of their own combat phase: the turn track may have been advanced too late.
    """
    position = moment.position
    if not _may_be_late(moment) and position.phase in ("movement", "combat", "recovery"):
        for piece in units(position):
            soon = piece.side != position.side or position.phase == "movement"
            mark = piece.states.get("disrupted")
            if mark is not None and mark.since != position.date and _is_quick(piece) and soon:
                yield (Action("recover", (piece.id,)),)


@breaker.breaks("disrupt.6", "next")
def slow_units_recover_too_soon(moment: Moment) -> Broken:
    """In the game turn in which they were Disrupted, or before the enemy's combat phase of the next turn."""
    position = moment.position
    if _may_be_late(moment):
        return
    for piece in units(position):
        mark = piece.states.get("disrupted")
        if (
            mark is None
            or mark.since in (None, position.date)
            or _is_quick(piece)
            or _was_renewed(moment, piece)
        ):
            continue
        before_combat = (position.side == piece.side and piece.side == "allied") or position.phase in (
            "reinforcements",
            "movement",
        )
        if position.turn == mark.since.turn or (position.turn == mark.since.turn + 1 and before_combat):
            yield (Action("recover", (piece.id,)),)


def _may_be_late(moment: Moment) -> bool:
    """Return whether the turn track is advanced twice here: the last advance may have been too late."""
    following = moment.game[moment.place + 1 :]
    return bool(following) and following[0].action.verb == NEXT.name


def _was_renewed(moment: Moment, piece: Piece) -> bool:
    return _before(moment, piece) is not None


def _before(moment: Moment, piece: Piece) -> int | None:
    """The turn of an earlier Disruption from which a unit had not recovered when it was Disrupted again."""
    now = piece.states["disrupted"].since
    for step in reversed(moment.game[: moment.place]):
        mark = step.before.pieces[piece.id].states.get("disrupted")
        if mark is None or mark.since is None:
            return None
        if mark.since != now:
            return mark.since.turn
    return None


@breaker.breaks("disrupt.7", "next", turns=2)
def a_fresh_disruption_is_forgotten(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "recovery":
        return
    for piece in units(position, enemy(position.side)):
        mark = piece.states.get("disrupted")
        if mark is None or mark.since is None or _is_quick(piece):
            continue
        before = _before(moment, piece)
        if before == position.turn - 1 and mark.since.turn == position.turn:
            yield (Action("recover", (piece.id,)),)
