"""Breaches in charges and pursuits: ground, length, and the units that they meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.vitoria1813.battle import Fight
from referee.games.vitoria1813.notes import TRAIL
from tools.oracles.games.vitoria1813.board import Board
from tools.oracles.games.vitoria1813.marching import March
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.vitoria1813.facts import enemy, stack, units
from tools.proof.games.vitoria1813.moving import movers

breaker = Breaker()
RUN = 3
COVER = ("wood", "village", "town")
NEW = 90


def _runs(moment: Moment, length: int) -> Iterator[tuple[Piece, tuple[str, ...]]]:
    """Straight runs of cavalry that end in the first zone of control that they meet, within its points."""
    position, board = moment.position, Board.of(moment.position)
    for piece in movers(moment, ("cavalry",)):
        if board.zone_holders(piece.where, piece.side):
            continue
        for way in position.game.map.grid.directions:
            path, spent = [piece.where], 0.0
            while len(path) <= length:
                there = position.game.map.grid.neighbour(path[-1], way)
                cost = March(board, piece).step(path[-1], there) if there else None
                if (
                    there is None
                    or cost is None
                    or (len(path) > 1 and board.zone_holders(path[-1], piece.side))
                ):
                    break
                path.append(there)
                spent += float(cost)
            met = board.zone_holders(path[-1], piece.side)
            room = len(stack(position, path[-1], piece.side)) < 2
            if len(path) == length + 1 and met and room and spent <= piece.factor("mp"):
                yield piece, tuple(path)


def _charges(moment: Moment, length: int, is_bad: Callable[[Board, tuple[str, ...]], bool]) -> Broken:
    board = Board.of(moment.position)
    for piece, path in _runs(moment, length):
        if is_bad(board, path[-RUN:]):
            yield Action("move", (piece.id,), path), Action("charge", (piece.id,))


def _is_barred(board: Board, path: tuple[str, ...]) -> bool:
    """Whether a run crosses water or a bridge, or goes up or down a slope."""
    for here, there in pairwise(path):
        found, levels = board.features(here, there), {board.map.hexes[one].level for one in (here, there)}
        if found & {"stream", "bridge", "river", "ford"} or ("slope" in found and len(levels) > 1):
            return True
    return False


def _is_covered(board: Board, path: tuple[str, ...]) -> bool:
    return any(board.map.hexes[where].terrain in COVER for where in path[1:])


breaker.alike(
    _charges,
    ("move", "charge", "next"),
    walked=True,
    a_charge_across_water_or_a_slope=("5.3c", RUN, _is_barred),
    a_charge_through_a_wood=("8b", RUN, _is_covered),
)


@breaker.breaks("8a", "move", "charge", "next")
def a_charge_from_the_next_hex(moment: Moment) -> Broken:
    return _charges(moment, 1, lambda board, path: not _is_barred(board, path))


def _pursuits(moment: Moment) -> Iterator[tuple[Fight, Piece]]:
    for fight in moment.position.battles:
        if isinstance(fight, Fight) and fight.rolled:
            riders = (moment.position.pieces[name] for name in fight.pursued)
            yield from ((fight, rider) for rider in riders if rider.where in moment.position.game.map.grid)


@breaker.breaks("7.5o", "attack", "advance", "hide", "next", "pursue")
def the_pursuers_attack_another_unit(moment: Moment) -> Broken:
    position = moment.position
    for fight, piece in _pursuits(moment):
        for where in position.game.map.grid.neighbours(piece.where):
            there = stack(position, where, enemy(piece.side))
            if there and not {one.id for one in there} & {*fight.defenders}:
                yield (Action("attack", (piece.id,), target=where, battle=NEW),)


@breaker.breaks("7.5p", "advance", "hide", "next")
def two_hexes_after_a_pursuit(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for fight in position.battles:
        if not isinstance(fight, Fight) or not fight.pursuit or not fight.rolled:
            continue
        if set("RD") & set(fight.given.partition("|")[0]):
            continue  # they are the ones that retreat
        riders = (position.pieces[name] for name in fight.attackers)
        for piece in (
            rider for rider in riders if rider.face == "up"
        ):  # otherwise it is not known which unit announces it
            for where in grid.within(piece.where, 2) if piece.where in grid else ():
                if grid.distance(piece.where, where) == 2 and not position.at(where):
                    path = (piece.where, where)
                    yield (Action("advance", (piece.id,), path, dragged=True, battle=fight.number),)


@breaker.breaks("8a", "move", "charge")
def a_charge_without_a_run(moment: Moment) -> Broken:
    position = moment.position
    for piece in units(position, position.side, ("cavalry",)) if position.phase == "movement" else ():
        if not piece.states and (TRAIL, piece.id) not in position.notes:
            yield (Action("charge", (piece.id,)),)


@breaker.breaks("8c", "attack", "reveal")
def a_charge_in_the_combat_phase(moment: Moment) -> Broken:
    position = moment.position
    for piece in units(position, position.side, ("cavalry",)) if position.phase == "combat" else ():
        if not piece.states and position.battles:
            yield (Action("charge", (piece.id,)),)
