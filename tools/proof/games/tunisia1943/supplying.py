"""Breaches at the supply check: markers removed without a line, left on, placed wrongly, or at the wrong
time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from tools.oracles.board import remembered
from tools.oracles.games.tunisia1943.board import WEST, Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.tunisia1943.facts import EM, led_by, units
from tools.proof.games.tunisia1943.fights import is_surely_no_result

breaker = Breaker()
MARKED = "out-of-supply"
CHECKS = ("in supply", "out of supply", "next")
FEW = 12
ARMIES = {"axis": "9.1b-3", "west": "9.1b-1", "south": "9.1b-2"}


class Friendless(Board):
    """A board on which friends do not keep a line open."""

    def has_friends(self, where: str, side: str, without: Iterable[str] = ()) -> bool:
        """No friends are there."""
        return False


def touched(moment: Moment) -> set[str]:
    """Units that were marked in this phase, or lost the marker: putting it back is a correction."""
    return {name for action in moment.did("in supply", "out of supply") for name in action.pieces}


def checked(moment: Moment) -> Iterator[Piece]:
    """Some units and EMs of the side whose supply is checked now, except those whose EM is destroyed."""
    position = moment.position
    if position.phase != "supply":
        return
    board = Board.of(position)
    found = [*units(position, position.side), *units(position, position.side, EM)]
    done = touched(moment)
    for piece in moment.rng.sample(found, len(found)):
        em = None if piece.counter.kind == EM else board.em_of(piece)
        if piece.id in done:
            continue
        if em is None or not em.where.endswith("-lost"):
            yield piece


def _may_want(position: Position, piece: Piece, clause: str) -> bool:
    """Whether a clause is about such a counter at all."""
    if piece.counter.kind == EM:
        army = "axis" if piece.side == "axis" else "south" if _is_southern(position, piece) else "west"
        return clause in ("9.1a-1", ARMIES[army])
    divisional = any(
        one.counter.kind == EM and one.counter.formation == piece.counter.formation
        for one in position.pieces.values()
    )
    return clause in ("9.1", "9.1a-1", "9.1b-4") if divisional else clause == "9.1b-5"


def _is_southern(position: Position, piece: Piece) -> bool:
    return len(Board.of(position).sources(piece)) > len(WEST)


def want(position: Position, piece: Piece) -> str:
    """The clause by which a piece has no supply; empty if it has supply. Calculated once for
    each position.
    """
    return remembered(position, ("want", piece.id), lambda: _want(position, piece))


def _want(position: Position, piece: Piece) -> str:
    board = Board.of(position)
    if board.is_supplied(piece):
        return ""
    em = None if piece.counter.kind == EM else board.em_of(piece)
    if em is not None:
        if em.where not in board.map.hexes:
            return "9.1"
        if MARKED in em.states or not board.is_supplied(em):
            return "9.1b-4"
        return "9.1" if _reaches(position, piece, board.sources(piece)) else "9.1a-1"
    if piece.counter.kind != EM:
        return "9.1b-5"
    own = board.sources(piece)
    shut = all(board.is_shut(where, piece.side) for where in own)
    others = {where for name in _allies(position, piece) for where in board.sources(name)} - {*own}
    if shut or _reaches(position, piece, others):
        south = _is_southern(position, piece)
        return ARMIES["axis" if piece.side == "axis" else "south" if south else "west"]
    return "9.1a-1"


def _allies(position: Position, piece: Piece) -> list[Piece]:
    return [em for em in position.pieces.values() if em.counter.kind == EM and em.side == piece.side]


def _reaches(position: Position, piece: Piece, sources: Iterable[str]) -> bool:
    """Whether a chain of hexes leads from a piece to some others."""
    board = Board.of(position)
    reached = board.connected([piece.where], lambda _, there: not board.is_shut(there, piece.side))
    return not reached.isdisjoint(sources)


def _suspects(moment: Moment, clause: str) -> list[Piece]:
    """Some of the counters whose supply is checked, and that a clause is about."""
    found = (piece for piece in checked(moment) if _may_want(moment.position, piece, clause))
    return list(islice(found, FEW))


def _register(clause: str) -> None:
    def taken_off(moment: Moment) -> Broken:
        for piece in _suspects(moment, clause):
            if MARKED in piece.states and want(moment.position, piece) == clause:
                yield (Action("in supply", (piece.id,)),)

    def left_off(moment: Moment) -> Broken:
        for piece in _suspects(moment, clause):
            if MARKED not in piece.states and want(moment.position, piece) == clause:
                yield (Action(NEXT.name),)

    name = clause.replace(".", "_").replace("-", "_")
    taken_off.__name__, left_off.__name__ = f"marker_taken_off_{name}", f"marker_left_off_{name}"
    breaker.breaks(clause, *CHECKS)(taken_off)
    breaker.breaks(clause, *CHECKS)(left_off)


for _clause in ("9.1", "9.1a-1", "9.1b-1", "9.1b-2", "9.1b-3", "9.1b-4", "9.1b-5"):
    _register(_clause)


@breaker.breaks("9.1a-2", *CHECKS)
def marked_though_friends_keep_the_line_open(moment: Moment) -> Broken:
    position = moment.position
    for piece in list(checked(moment))[: 2 * FEW] if is_surely_no_result(moment) else ():
        supplied = Board.of(position).is_supplied(piece)
        if MARKED not in piece.states and supplied and not Friendless(position).is_supplied(piece):
            yield (Action("out of supply", (piece.id,)),)


@breaker.breaks("9.3c", "move", "roll combat", "exploit")
def supply_regained_before_the_check(moment: Moment) -> Broken:
    position, board = moment.position, Board(moment.position)
    done = touched(moment)
    found = [piece for piece in (*units(position), *units(position, "", EM)) if piece.id not in done]
    for piece in moment.rng.sample(found, len(found)):
        em = None if piece.counter.kind == EM else board.em_of(piece)
        if MARKED in piece.states and (em is None or not em.where.endswith("-lost")):
            yield (Action("in supply", (piece.id,)),)


@breaker.breaks("6.3i", "return", "next")
def supply_without_a_line_to_the_em_that_returned(moment: Moment) -> Broken:
    position = moment.position
    for em in position.pieces.values() if position.phase == "end" else ():
        mine = led_by(position, em)
        if em.counter.kind != EM or not em.where.endswith("-lost") or not mine:
            continue
        grid = position.game.map.grid
        near = [at for at in grid.names if any(grid.distance(at, one.where) < 4 for one in mine)]
        board = Board(position)
        free = [at for at in near if not board.at(at, board.enemy(em.side), "unit", "em", "garrison")]
        free = [at for at in free if not board.is_impassable(at)]
        for there in moment.rng.sample(free, min(len(free), 4)):
            after = position.with_piece(em.id, where=there)
            for one in mine:
                if MARKED in one.states and not Board(after).is_supplied(one):
                    back = Action("return", (em.id,), target=there)
                    yield (back, Action("in supply", (one.id,)))


@breaker.breaks("9.2g", *CHECKS)
def marked_though_it_has_a_line(moment: Moment) -> Broken:
    """A line that no friend keeps open, not even in the hexes at its ends."""
    board = Friendless(moment.position)
    for piece in list(checked(moment))[:FEW] if is_surely_no_result(moment) else ():
        em = None if piece.counter.kind == EM else board.em_of(piece)
        ends = [one for one in (piece, em) if one is not None and one.where in board.map.hexes]
        near = any(board.is_controlled(piece.side, one.where) for one in ends)
        if MARKED not in piece.states and not near and board.is_supplied(piece):
            yield (Action("out of supply", (piece.id,)),)


@breaker.breaks("6.3h", *CHECKS, boxed=True)
def in_supply_without_an_em(moment: Moment) -> Broken:
    position, board, done = moment.position, Board(moment.position), touched(moment)
    for piece in units(position, position.side) if position.phase == "supply" else ():
        em = board.em_of(piece)
        lost = em is not None and em.where.endswith("-lost")
        if lost and MARKED in piece.states and piece.id not in done:
            yield (Action("in supply", (piece.id,)),)
