"""The corrections to a counter that make the position agree with the table."""

from __future__ import annotations

from referee.engine.clock import Date
from referee.engine.position import Face, Mark, Piece, Position
from referee.record import Place
from referee.scribe.draft import Draft
from referee.scribe.facts import NOWHERE, UNKNOWN, Condition, Standing


def adoption(
    draft: Draft,
    name: str,
    standing: Standing,
    *,
    everything: bool = False,
    begins: bool = False,
    position: Position | None = None,
) -> Place | None:
    """Return the correction that puts a counter into its state on the table, None if there is no difference.

    Off the map all boxes are equivalent, and states do not matter; only states for which the game has verbs
    count. At the beginning of a log (``begins``) all states count, in the first log ``everything``.
    ``position`` is used instead of the current one.
    """
    piece = (position or draft.position).pieces.get(name)
    if piece is None:
        return None
    where = _place_of(draft, piece, standing, everything=everything)
    grid = draft.game.map.grid
    where_now = where or piece.where
    if not everything and where is None and where_now not in grid:
        return None
    steps = standing.steps if standing.steps not in (None, piece.steps) else None
    states = _states_of(
        draft, piece, standing, (position or draft.position).date, everything=everything or begins
    )
    face: Face = standing.face if draft.idiom.faces[0] and standing.face != piece.face else ""
    if where is None and steps is None and not face and states == dict(piece.states):
        return None
    return Place((name,), where, steps, states, face)


def _place_of(draft: Draft, piece: Piece, standing: Standing, *, everything: bool) -> str | None:
    grid = draft.game.map.grid
    place = standing.place
    if place in draft.idiom.lost:  # in that of either side
        place = draft.lost_box(piece.id) or place
    if place in (UNKNOWN, NOWHERE) and everything and not piece.where:
        return _waiting_box(draft, piece.id)
    if place == UNKNOWN:
        return None
    is_lost = draft.is_lost_in(piece.id, place) and not draft.is_setting_up
    is_lost |= draft.is_off_the_hexes(place)
    if place == NOWHERE or (is_lost and not everything):
        return draft.lost_box(piece.id) if piece.where in grid else None
    if piece.where not in grid and draft.is_off_the_hexes(place):
        return None
    if place == piece.where or (not everything and place not in grid and piece.where not in grid):
        return None
    return place


def _states_of(
    draft: Draft, piece: Piece, standing: Standing, today: Date, *, everything: bool
) -> dict[str, Mark]:
    wanted = dict(piece.states)
    for state in draft.game.states if everything else draft.idiom.states:
        condition = standing.states.get(state)
        if state in standing.unseen and condition is None:
            continue
        if draft.game.states[state].is_count:
            _count(draft, piece.id, state, condition, wanted)
        elif condition is None:
            waits = state in draft.idiom.implied or (piece.id, state) in (draft.marks.coming_off or {})
            if not waits and not _is_marked_by_hand(draft, piece.id, state):
                wanted.pop(state, None)
        elif state not in wanted:
            since = condition.since or (today if draft.game.states[state].dated else None)
            wanted[state] = Mark(condition.level, since)
    return wanted


def _count(draft: Draft, name: str, state: str, condition: Condition | None, wanted: dict[str, Mark]) -> None:
    """Points left; a counter that has all of them is not listed."""
    if condition is None:
        return
    if condition.level == draft.game.states[state].most(draft.game.counters[name]):
        wanted.pop(state, None)
    elif state not in wanted or wanted[state].level != condition.level:
        wanted[state] = Mark(condition.level)


def _is_marked_by_hand(draft: Draft, name: str, state: str) -> bool:
    return any(one.state == state and name in one.counters for one in draft.marks.laid.values())


def _waiting_box(draft: Draft, name: str) -> str | None:
    """The box in which a counter starts according to the scenario, if nothing better is known."""
    scenario, boxes = draft.world.scenario, draft.game.map.boxes
    found = [one.waiting for one in scenario.arrivals if name in one.counters]
    found += [one.at for one in scenario.setup if name in one.counters]
    return next((box for box in found if box in boxes), None)
