"""Headquarters that survive when they should be lost, are lost without cause, or return and support when they
may not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from referee.games.tunisia1943.notes import ARTILLERY_USED, LOST_EM, OVERRUN
from tools.oracles.games.tunisia1943.board import Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.tunisia1943.attacking import targets
from tools.proof.games.tunisia1943.facts import EM, UNIT, enemy, free_around, is_free, led_by, units
from tools.proof.games.tunisia1943.fights import consequence, is_surely_no_result, led_up_to
from tools.proof.games.tunisia1943.legal_actions import done, may_attack
from tools.proof.games.tunisia1943.moving import movers
from tools.proof.games.tunisia1943.paying import Spending
from tools.proof.games.tunisia1943.results import rolled, standing
from tools.proof.games.tunisia1943.supporting import (
    MOST,
    OPEN,
    is_supplied,
    left,
    place,
    placed,
    placing,
    served,
    serving,
)
from tools.proof.playing import Step

breaker = Breaker()
ON = Action(NEXT.name)
AFTER = ("lose", "retreat", "eliminate", "next")
FEW = 6


def _is_lost(piece: Piece) -> bool:
    return piece.where.endswith("-lost")


def _has(position: Position, em: Piece) -> int:
    """What an EM still has after this turn's actions: what its face shows, and what it has used."""
    return em.counter.factor("artillery") - sum((position.note(ARTILLERY_USED, em.id) or {}).values())


@breaker.breaks("6.2b", *OPEN)
def points_that_served_in_the_turn_already(moment: Moment) -> Broken:
    position = moment.position
    for attack, em in serving(moment):
        short = left(em) == _has(position, em) < em.counter.factor("artillery")
        if em.side != position.side and short and placed(position, attack, em.side) + left(em) < MOST:
            yield place(attack, em, left(em) + 1)


@breaker.breaks("6.2d", *OPEN)
def artillery_of_an_em_that_has_used_all(moment: Moment) -> Broken:
    position = moment.position
    for attack, em in serving(moment):
        spent = left(em) == _has(position, em) == 0
        today = position.note(ARTILLERY_USED, em.id) or {}
        open_ = placed(position, attack, em.side) < MOST
        if em.side == position.side and spent and open_ and set(today) == {position.date}:
            yield place(attack, em, 1)


@breaker.breaks("6.2d", "next", "move")
def an_em_with_points_turned_down(moment: Moment) -> Broken:
    position = moment.position
    if not is_surely_no_result(moment):
        return
    for em in moment.rng.sample(units(position, "", EM), len(units(position, "", EM)))[:FEW]:
        if left(em) and (OVERRUN, em.id) not in position.notes and position.phase != "end":
            yield (Action("face down", (em.id,)),)


@breaker.breaks("0.1l", *OPEN)
def artillery_of_an_em_that_lies_face_down(moment: Moment) -> Broken:
    position = moment.position
    for attack, em in serving(moment):
        hidden = not left(em) and _has(position, em) == em.counter.factor("artillery")
        if hidden and placed(position, attack, em.side) < MOST:
            yield place(attack, em, 1)


@consequence(breaker, "6.3c", "eliminate")
def an_em_outlives_its_companions(moment: Moment) -> Broken:
    position = moment.position
    for attack in rolled(position):
        gone = attack.defenders and all(_is_lost(position.pieces[name]) for name in attack.defenders)
        if gone and not attack.isolated and moment.action.piece in attack.ems:
            yield (ON,)


@consequence(breaker, "6.3d", *AFTER)
def an_em_dies_with_a_companion_alive(moment: Moment) -> Broken:
    position = moment.position
    for attack in rolled(position):
        alive = standing(position, attack.defenders)
        for name in attack.ems if any(piece.steps > 2 for piece in alive) else ():
            if position.pieces[name].where == attack.target:
                yield (Action("eliminate", (name,), battle=attack.number), ON)


@consequence(breaker, "6.3d", "retreat")
def an_em_stays_behind(moment: Moment) -> Broken:
    position = moment.position
    for attack in rolled(position):
        mine = [name for name in moment.action.pieces if name in attack.ems]
        alive = standing(position, attack.defenders)
        gone = alive and not any(piece.where == attack.target for piece in alive)
        if mine and attack.retreated and gone:
            yield (ON,)


@consequence(breaker, "6.3g", "eliminate", "next")
def an_em_outlives_its_division(moment: Moment) -> Broken:
    position = moment.position
    if position.phase not in ("movement", "combat", "exploitation", "supply"):
        return
    for em in units(position, "", EM):
        mine = [
            piece
            for piece in position.pieces.values()
            if piece.counter.kind == UNIT and piece.counter.formation == em.counter.formation
        ]
        if any(map(_is_lost, mine)) and all(_is_lost(piece) or not piece.where for piece in mine):
            yield (ON,)


@breaker.breaks("6.3e", "next", "return")
def an_em_returns_too_early(moment: Moment) -> Broken:
    position = moment.position
    late = position.phase == "end" and is_surely_no_result(moment)
    for em in position.pieces.values() if late else ():
        if em.counter.kind == EM and position.note(LOST_EM, em.id) == position.turn:
            yield from ((Action("return", (em.id,), target=at),) for at in _near(moment, em))


def _near(moment: Moment, em: Piece) -> Iterator[str]:
    """Some free hexes next to units of an EM's division."""
    for one in led_by(moment.position, em):
        yield from free_around(moment.position, one.where)[:2]


def _lost_before(position: Position) -> Iterator[tuple[Piece, list[Piece]]]:
    """At the end of a turn, the EMs that were lost before the log shows anything, with their units on the
    map.
    """
    for em in position.pieces.values() if position.phase == "end" else ():
        if em.counter.kind == EM and _is_lost(em) and (LOST_EM, em.id) not in position.notes:
            yield em, led_by(position, em)


@breaker.breaks("6.3e", "next", "return")
def an_em_returns_far_from_its_units(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for em, mine in _lost_before(position):
        for there in moment.rng.sample(grid.names, 60) if mine else ():
            if is_free(position, there) and min(grid.distance(one.where, there) for one in mine) > 4:
                yield (Action("return", (em.id,), target=there),)


@breaker.breaks("6.3f", "next", "return")
def an_em_returns_without_units(moment: Moment) -> Broken:
    position = moment.position
    for em, mine in _lost_before(position):
        for there in moment.rng.sample(position.game.map.grid.names, 6) if not mine else ():
            if is_free(position, there):
                yield (Action("return", (em.id,), target=there),)


@breaker.breaks("10a", "sustain", "next")
def an_em_that_is_not_there_is_sustained(moment: Moment) -> Broken:
    position = moment.position
    for em in position.pieces.values() if position.phase == "sustain" else ():
        away = em.counter.kind == EM and em.side == position.side and _is_lost(em)
        if away and not em.counter.extra.flag("panzer_division", False):
            yield (Action("sustain", (em.id,)),)


def _overruns(moment: Moment) -> Iterator[tuple[Piece, str, list[Piece]]]:
    """Units next to lone enemy EMs that they can reach, with these EMs."""
    position, board = moment.position, Board(moment.position)
    for piece in movers(moment):
        opponent = enemy(piece.side)
        for there in board.around(piece.where):
            alone = board.has_lone_em(there, opponent)
            near = board.is_controlled(piece.side, there) and board.is_controlled(piece.side, piece.where)
            cost = board.cost(piece.where, there) + 2 if alone else 0
            if alone and not near and cost <= piece.counter.factor("movement", piece.steps):
                yield piece, there, [em for em in position.at(there) if em.counter.kind == EM]


@breaker.breaks("4.2b", "move", "next", "overrun")
def an_overrun_em_stays(moment: Moment) -> Broken:
    for piece, there, _ in list(_overruns(moment))[:FEW]:
        yield (Action("move", (piece.id,), (piece.where, there)), ON)


@breaker.breaks("4.2b", "move", "next", "overrun")
def an_overrun_em_goes_two_hexes(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for piece, there, ems in list(_overruns(moment))[:FEW]:
        far = (at for at in grid.names if grid.distance(at, there) == 2)
        for at in [at for at in far if is_free(position, at)][:3]:
            back = Action("displace", (ems[0].id,), (there, at), dragged=True)
            yield (Action("overrun", (piece.id,), target=there), back)


def overrun_before(moment: Moment) -> Iterator[tuple[tuple[Action, ...], Moment]]:
    """Steps of attacks on a division whose EM was overrun in movement, with the actions before."""
    for piece, there, ems in islice(_overruns(moment), 2):
        steps = _driven_off(moment, piece, there, ems)
        if not steps:
            continue
        on = done(steps[-1].after, ON)
        for target, near in targets(on.after, piece.side):
            division = {one.counter.formation for one in on.after.at(target)}
            if any(em.counter.formation in division for em in ems) and may_attack(on.after, target, near[:1]):
                declared = done(on.after, Action("attack", (near[0].id,), target=target))
                game = [*steps, on, declared, done(declared.after, ON)]
                yield tuple(step.action for step in game[:-1]), Moment(game, len(game) - 1, moment.rng)
                break


def _driven_off(moment: Moment, piece: Piece, there: str, ems: list[Piece]) -> list[Step]:
    """An announced overrun, with all EMs moved back one hex and the unit in their place; None if that is not
    possible.
    """
    position = moment.position
    if there not in Spending(position, piece).reach():
        return []
    steps = [done(position, Action("overrun", (piece.id,), target=there))]
    for em in ems:
        paths = _paths_back(Board(steps[-1].after), em, there)
        if not paths:
            return []
        steps.append(done(steps[-1].after, Action("displace", (em.id,), (there, paths[0]), dragged=True)))
    return [*steps, done(steps[-1].after, Action("move", (piece.id,), (piece.where, there)))]


def _paths_back(board: Board, em: Piece, there: str) -> list[str]:
    """The hexes to which an EM can go back without loss [4.2b]."""
    opponent = enemy(em.side)
    return [
        at
        for at in board.around(there)
        if not board.is_impassable(at)
        and not board.at(at, opponent, UNIT, EM, "garrison")
        and (board.has_friends(at, em.side) or not board.is_controlled(em.side, at))
    ]


def artillery_of_an_em_that_was_overrun(moment: Moment) -> Broken:
    position = moment.position
    for attack, em in placing(moment):
        overrun = (OVERRUN, em.id) in position.notes and is_supplied(position, em)
        if overrun and served(position, attack, em):
            yield place(attack, em, 1)


led_up_to(breaker, "4.2c", OPEN, ("move", "next"), overrun_before)(artillery_of_an_em_that_was_overrun)
