"""Which verb is meant if the rulebook has one word for several things, and the position shows which it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import evolve

from referee.engine.actions import ROLL, Action
from referee.engine.position import Piece, Position
from referee.games.vitoria1813.battle import fight_for, fights, party, share
from referee.games.vitoria1813.charges import pursuit_length
from referee.games.vitoria1813.convoy import goes_to_pillage, shifts
from referee.games.vitoria1813.facts import ROUTED, in_ezoc, is_combat, is_general
from referee.games.vitoria1813.notes import APPROACHED, CASUALTY_DIE
from referee.games.vitoria1813.rallying import may_rally
from referee.games.vitoria1813.stacking import has_to_make_room

RALLY_ROLL = "roll rally"


def meant(position: Position, action: Action) -> Action:
    """Return an action with the verb that is meant."""
    if action.verb == RALLY_ROLL or (action.verb == ROLL.name and position.phase == "rally"):
        return _rally_roll(position, action)
    find = _MEANT.get(action.verb)
    if find is None or len(action.pieces) != 1 or not action.path:
        return action
    piece = position.pieces[action.piece]
    verb = find(position, action, piece) if piece.where == action.path[0] else ""
    if verb == "go wild":
        return Action(verb, action.pieces, target=action.end)
    return evolve(action, verb=verb) if verb else action


def _rally_roll(position: Position, action: Action) -> Action:
    """A rally die with the general in the hex of the unit, if none is named: one who may rally it first."""
    unit, *named = (position.pieces[name] for name in action.pieces)
    there = [piece for piece in position.at(unit.where) if is_general(piece) and piece.side == unit.side]
    if named or is_general(unit) or not there:
        return evolve(action, verb=RALLY_ROLL)
    general = max(there, key=lambda piece: (may_rally(position, piece, unit), piece.factor("command")))
    return evolve(action, verb=RALLY_ROLL, pieces=(unit.id, general.id))


def _move(position: Position, action: Action, piece: Piece) -> str:
    """A unit that has failed its test moves to the convoy; the convoy shifts if the unit has passed it [11h,
    11j]. A general next to whom an enemy has come moves off [9.2].

    A drag is what it is called: a log shows in other ways what it was.
    """
    if action.dragged:
        return ""
    if is_general(piece) and position.side != piece.side and (APPROACHED, piece.id) in position.notes:
        return "withdraw"
    if shifts(position, piece):
        return "shift"
    return "go wild" if goes_to_pillage(position, piece, action.end) else ""


def _retreat(position: Position, action: Action, piece: Piece) -> str:
    """Retreating is also leaving a zone, making room, being crossed by a rout [4.3, 4.5, 7.5]."""
    if shifts(position, piece):
        return "shift"
    if is_general(piece):
        return "withdraw" if position.phase == "movement" and (APPROACHED, piece.id) in position.notes else ""
    if position.phase == "movement" and position.side == piece.side:
        if piece.is_(ROUTED):
            return "flee"
        return "move" if in_ezoc(position, piece.where, piece.side) else ""
    fight = fight_for(position, action)
    driven = fight is not None and piece.id in party(fight, piece.side)
    return "displace" if not driven and has_to_make_room(position, piece, piece.where) else ""


def _rout(position: Position, action: Action, piece: Piece) -> str:
    """A rout continues in later movement phases [7.8]."""
    goes_on = position.phase == "movement" and position.side == piece.side and piece.is_(ROUTED)
    return "flee" if goes_on else ""


def _withdraw(position: Position, action: Action, general: Piece) -> str:
    """A general whom no enemy drives off retreats with the troops in his hex."""
    if (APPROACHED, general.id) in position.notes or (CASUALTY_DIE, general.id) in position.notes:
        return ""
    with_them = any(
        fight.rolled
        and share(position, fight, general.side).goes
        and general.where in {fight.stood.get(name) for name in party(fight, general.side)}
        for fight in fights(position)
    )
    return "retreat" if with_them else ""


def _advance(position: Position, action: Action, piece: Piece) -> str:
    """Cavalry that charged and moves beyond the vacated hex pursues [7.5]."""
    fight = fight_for(position, action)
    if fight is None or piece.id not in fight.charging or not is_combat(piece):
        return ""
    length = pursuit_length(position, fight)
    return "pursue" if length and not action.dragged and len(action.path) == length + 2 else ""


_MEANT: Mapping[str, Callable[[Position, Action, Piece], str]] = {
    "move": _move,
    "retreat": _retreat,
    "rout": _rout,
    "withdraw": _withdraw,
    "advance": _advance,
}
