"""What must follow an action for a log to show it, and what is legal after all in a slow literal reading."""

from __future__ import annotations

from random import Random

from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from referee.games.tunisia1943.battle import Attack
from referee.games.tunisia1943.notes import TRAIL
from tools.oracles.games.tunisia1943.board import WEST, Board
from tools.oracles.games.tunisia1943.fighting import COLUMNS
from tools.oracles.games.tunisia1943.marching import VERBS, March, may_exploit
from tools.proof.games.tunisia1943.odds import faces_of_a_better_column

ANNOUNCED = ("attack", "odds", "modifier")


def finish(position: Position, action: Action, rng: Random) -> tuple[Action, ...]:
    """An attack without a die does not count, and odds are announced with the die: it is rolled.

    If only a column is announced, its result is carried out. The cost of a retreat past a friend is missing
    only when the turn track is advanced [7.5c].
    """
    if action.verb == "retreat" and _is_past_a_friend(position, action):
        return (Action(NEXT.name),)
    if action.verb not in ANNOUNCED or not position.battles:
        return ()
    number = action.battle or position.battles[-1].number
    attack = position.battle(number)
    if action.verb == "odds" and len(action.words) == 1 and isinstance(attack, Attack):
        faces = faces_of_a_better_column(position, attack, COLUMNS.index(action.words[0]))
        if faces:
            face = rng.choice(faces)
            return Action("roll combat", dice=(face,), battle=number), Action(NEXT.name)
    return (Action("roll combat", dice=(rng.randint(1, 6),), battle=number),)


def _is_past_a_friend(position: Position, action: Action) -> bool:
    """Return whether a retreat of one hex led into a zone of control, with a friend next to its start."""
    board, piece, attack = Board(position), position.pieces[action.piece], position.battle(action.battle)
    if not isinstance(attack, Attack) or len(action.path) != 2 or action.dragged:
        return False
    company = (*attack.defenders, *attack.ems)
    friends = [at for at in board.around(action.path[0]) if board.has_friends(at, piece.side, company)]
    exposed = board.is_controlled(piece.side, action.end) and action.end not in friends
    return bool(friends) and exposed and not board.is_impassable(action.end)


def is_legal_after_all(position: Position, action: Action) -> bool:
    """A log shows only the start and the end of a move: it is legal if any path is."""
    if VERBS.get(position.phase) != action.verb or len(action.pieces) != 1:
        return False
    name = action.piece
    if position.note(TRAIL, name) is not None or position.pieces[name].side != position.side:
        return False
    if action.verb == "exploit" and not may_exploit(position, name):
        return False
    return March(position, name).drags().get(action.end) == "legal"


def called_for(position: Position, before: Piece, after: Piece) -> bool:
    """Return whether the clauses may require a change of a counter in a phase, or in one next to it."""
    if after.where != before.where:
        return _may_come(position, before, after.where)
    if after.states != before.states:
        changed = {*before.states, *after.states} - {
            state for state in before.states if after.states.get(state) == before.states[state]
        }
        return all(_may_change(position, before, state, gets=state in after.states) for state in changed)
    return False


def _may_come(position: Position, piece: Piece, where: str) -> bool:
    """Whether a piece may move, arrive, return or leave, in this step or in one that a log does not
    distinguish from it.
    """
    board = Board(position)
    if piece.counter.kind == "garrison":
        return False
    if piece.where not in board.map.hexes:
        arrivals = [one for one in position.scenario.arrivals if piece.id in one.counters]
        due = any(one.turn <= position.turn and where in one.entry for one in arrivals)
        return due or (
            piece.counter.kind == "em" and piece.where.endswith("-lost") and position.phase == "end"
        )
    if piece.counter.kind == "em":
        mine = [one for one in board.pieces if one.counter.formation == piece.counter.formation]
        if not any(one.counter.kind == "unit" for one in mine):
            return True  # it is removed with its last unit [6.3g]
    if position.side not in ("", piece.side):
        return False
    if where not in board.map.hexes:
        return piece.where in WEST and piece.side == "axis" and not where.endswith("-lost")
    return March(position, piece.id).drags().get(where, "illegal") != "illegal"


def _may_change(position: Position, piece: Piece, state: str, *, gets: bool) -> bool:
    """Whether a marker may be placed or removed now."""
    if state == "out-of-supply":
        checked = position.phase in ("supply", "end", "sustain")  # or just before
        return checked and Board(position).is_supplied(piece) != gets
    coming = evolve(position, clock=position.world.calendar.after(position.clock))
    if state == "sustained":  # chosen before anything moves, or just before; the marker comes off at the end
        begins = ("sustain", "movement")
        chosen = gets and coming.side == piece.side and coming.phase == "sustain"
        own = position.phase in (begins if gets else (*begins, "supply"))
        return chosen or (position.side == piece.side and own)
    if state == "zoc-lost":
        return not gets and position.phase not in ("combat", "exploitation")
    return not gets and ("end" in (position.phase, coming.phase) or position.phase == "sustain")
