"""How results are misapplied: too little, too much, the wrong way, by the wrong ones."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from referee.games.tunisia1943.battle import Attack
from referee.games.tunisia1943.notes import LOST_IN_ERROR, OVERRUN, OVERRUNNING
from tools.oracles.games.tunisia1943.board import Board
from tools.oracles.games.tunisia1943.retreating import Retreat
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.tunisia1943.attacking import attacks_of
from tools.proof.games.tunisia1943.facts import EM, UNIT, enemy, free_around, is_free, is_sea, led_by, units
from tools.proof.games.tunisia1943.fights import consequence, is_surely_no_result

breaker = Breaker()
ON = (Action(NEXT.name),)
AFTER = ("lose", "retreat", "advance", "next", "lose zoc", "eliminate")
ATTACKERS = {"BA": "7.4a", "RA": "7.4b", "FA": "7.4c", "FF": "7.4d"}
DEFENDERS = {"DD": "7.4e", "SD": "7.4f", "SU": "7.4h"}
LENGTHS = {"DD": 1, "SD": 2}


def rolled(position: Position) -> Iterator[Attack]:
    """Attacks that have been rolled for, on units, and are not settled."""
    for attack in attacks_of(position):
        if attack.die is not None and not attack.settled and position.phase == "combat":
            yield attack


def standing(position: Position, names: tuple[str, ...]) -> list[Piece]:
    """The units that are still on the map."""
    grid = position.game.map.grid
    pieces = [position.pieces[name] for name in names]
    return [piece for piece in pieces if piece.where in grid and piece.counter.kind == UNIT]


def path_out(board: Board, attack: Attack) -> list[str]:
    """The hexes around an attacked one that the defenders can enter."""
    return [
        there
        for there in board.around(attack.target)
        if not board.is_impassable(there) and not board.at(there, attack.side, "unit", "em", "garrison")
    ]


def after(attack: Attack, verb: str, piece: Piece, *path: str, dragged: bool = False) -> Action:
    """Return what a piece does after the die of an attack: it loses a step, or takes a path."""
    hexes = (piece.where, *path) if path else ()
    return Action(verb, (piece.id,), hexes, dragged=dragged, battle=attack.number)


def retreating(position: Position) -> Iterator[tuple[Attack, Piece]]:
    """Defenders that must retreat, and have not."""
    for attack in rolled(position):
        for piece in standing(position, attack.defenders) if attack.code in LENGTHS else ():
            if piece.where == attack.target and piece.id not in attack.retreated:
                yield attack, piece


def _left_undone(moment: Moment, code: str) -> Broken:
    """The phase ends before a unit with several steps has lost one, or before a unit that can retreat has
    retreated.
    """
    position, board = moment.position, Board(moment.position)
    for attack in rolled(position):
        names = attack.attackers if code in ATTACKERS else attack.defenders
        whole = [piece for piece in standing(position, names) if piece.steps > 1 or code == "SU"]
        alone = len([one for one in rolled(position) if one.code not in ("", "FA")]) == 1
        hemmed = code in LENGTHS and not path_out(board, attack)
        untouched = not attack.lost and not attack.retreated and not hemmed
        if attack.code == code and untouched and whole and alone:
            yield ON


def _too_much(moment: Moment, code: str) -> Broken:
    """A further step is lost after all the losses of the result."""
    position = moment.position
    for attack in rolled(position):
        for piece in standing(position, attack.attackers) if attack.code == code else ():
            if piece.steps > 1:
                yield (after(attack, "lose", piece),)


def _register(code: str, clause: str) -> None:
    def left_undone(moment: Moment) -> Broken:
        return _left_undone(moment, code)

    def too_much(moment: Moment) -> Broken:
        return _too_much(moment, code)

    left_undone.__name__, too_much.__name__ = f"{code}_left_undone", f"more_lost_than_{code}_takes"
    if code != "FA":
        consequence(breaker, clause, "lose", "eliminate", "retreat")(left_undone)
    if code in ATTACKERS:
        consequence(breaker, clause, "next")(too_much)


for _code, _clause in (*ATTACKERS.items(), *DEFENDERS.items()):
    _register(_code, _clause)


def _the_weak_stay(moment: Moment, steps: int) -> Broken:
    """Attackers with a certain number of steps stay, although the result takes one."""
    position = moment.position
    for attack in rolled(position):
        pieces = [position.pieces[name] for name in attack.attackers]
        weak = all(piece.counter.steps == steps and piece.steps == 1 for piece in pieces)
        if attack.code in ("BA", "RA") and weak and not attack.lost and len(list(rolled(position))) == 1:
            yield ON


@consequence(breaker, "0.1i", "lose", "eliminate")
def a_unit_of_one_step_stays(moment: Moment) -> Broken:
    return _the_weak_stay(moment, 1)


@consequence(breaker, "0.1h", "lose", "eliminate")
def a_reduced_unit_stays(moment: Moment) -> Broken:
    return _the_weak_stay(moment, 2)


@breaker.breaks("0.1h", "next", "move")
def a_step_given_back(moment: Moment) -> Broken:
    position = moment.position
    if any(attack.lost for attack in attacks_of(position)) or not is_surely_no_result(moment):
        return
    for piece in units(position):
        if piece.steps < piece.counter.steps and (LOST_IN_ERROR, piece.id) not in position.notes:
            yield (Action("restore", (piece.id,)),)


@consequence(breaker, "7.4i", *AFTER)
def a_bystander_loses_a_step(moment: Moment) -> Broken:
    position = moment.position
    for attack in rolled(position):
        known = {name for one in attacks_of(position) for name in (*one.attackers, *one.defenders)}
        if attack.code in ("DD", "SD", "FF") and not attack.lost and not attack.retreated:
            side = attack.side
            for piece in units(position, side):
                if piece.id not in known and piece.steps > 1:
                    yield (after(attack, "lose", piece),)


@breaker.breaks("7.4i", "move")
def a_step_lost_without_a_combat(moment: Moment) -> Broken:
    """In the movement step: after combat it may belong to an undeclared battle."""
    position = moment.position
    if position.phase == "movement":
        for piece in moment.rng.sample(units(position), min(len(units(position)), 3)):
            if piece.steps > 1:
                yield (Action("lose", (piece.id,)),)


@consequence(breaker, "7.4g", *AFTER)
def a_zone_lost_without_a_star(moment: Moment) -> Broken:
    position = moment.position
    struck = {name for attack in attacks_of(position) if attack.has_star for name in attack.defenders}
    fought = any(attack.die is not None for attack in attacks_of(position))
    for piece in units(position, enemy(position.side))[:6] if fought else ():
        if piece.id not in struck and "zoc-lost" not in piece.states:
            yield (Action("lose zoc", (piece.id,)),)


@consequence(breaker, "7.5f", "retreat")
def three_hexes_back(moment: Moment) -> Broken:
    position, board = moment.position, Board(moment.position)
    for attack, piece in retreating(position):
        far, company = LENGTHS[attack.code] + 2, [*attack.defenders, *attack.ems]
        paths = Retreat(board, piece, attack.target, attack.code, company).paths
        for there in set(board.map.grid.names) - {path[-1] for path in paths}:
            if is_free(position, there) and board.distance(piece.where, there) == far:
                yield (after(attack, "retreat", piece, there, dragged=True),)


@breaker.breaks("7.5f", "retreat", in_parts=True)
def a_retreat_that_goes_on(moment: Moment) -> Broken:
    """A unit goes one hex beyond a complete retreat, and announces that again."""
    position, action, after_it = moment.position, moment.action, moment.step.after
    alone = len(action.pieces) == 1 and position.pieces[action.piece].counter.kind == UNIT
    for attack in rolled(position) if alone else ():
        gone = position.game.map.grid.distance(attack.target, action.end)
        if action.path[0] != attack.target or gone != LENGTHS.get(attack.code):
            continue
        for there in free_around(after_it, action.end):
            if position.game.map.grid.distance(attack.target, there) > gone:
                farther = evolve(action, path=(action.end, there), dragged=False)
                yield (action, farther)


@consequence(breaker, "7.5f", "retreat")
def one_hex_back_of_two(moment: Moment) -> Broken:
    position, board = moment.position, Board(moment.position)
    for attack, piece in retreating(position):
        alone = len(standing(position, attack.defenders)) == 1
        for there in free_around(position, piece.where) if attack.code == "SD" and alone else ():
            if not board.is_controlled(piece.side, there):
                yield (after(attack, "retreat", piece, there), *ON)


@consequence(breaker, "7.4e", "retreat")
def no_unit_goes_back(moment: Moment) -> Broken:
    position = moment.position
    for attack, piece in retreating(position) if len(list(rolled(position))) == 1 else ():
        last = moment.action.pieces == (piece.id,) and len(attack.defenders) == 1
        if attack.code == "DD" and attack.lost and last:
            yield ON


@consequence(breaker, "7.5d", "retreat")
def back_into_the_sea(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for attack, piece in retreating(position):
        for there in grid.neighbours(piece.where):
            if is_sea(position, there) and attack.code == "DD":
                yield (after(attack, "retreat", piece, there),)


@consequence(breaker, "1b", *AFTER)
def a_unit_retreats_that_was_not_attacked(moment: Moment) -> Broken:
    position = moment.position
    known = {name for attack in attacks_of(position) for name in attack.defenders}
    targets = {attack.target for attack in attacks_of(position)}
    for attack in rolled(position):
        for piece in units(position, enemy(attack.side))[:8] if not (attack.lost or attack.retreated) else ():
            for there in free_around(position, piece.where):
                if piece.id not in known and piece.where not in targets:
                    yield (after(attack, "retreat", piece, there),)


@consequence(breaker, "7.4a", *AFTER)
def defenders_retreat_though_the_attack_was_beaten(moment: Moment) -> Broken:
    position = moment.position
    for attack in rolled(position):
        for piece in standing(position, attack.defenders) if attack.code == "BA" else ():
            yield from ((after(attack, "retreat", piece, at),) for at in free_around(position, piece.where))


@consequence(breaker, "7.6a", *AFTER)
def an_advance_into_a_held_hex(moment: Moment) -> Broken:
    position = moment.position
    for attack in rolled(position):
        for piece in standing(position, attack.attackers):
            held = any(one.where == attack.target for one in units(position, enemy(attack.side)))
            if held and piece.id not in attack.advanced:
                yield (after(attack, "advance", piece, attack.target),)


@consequence(breaker, "7.6a", "advance", "next")
def a_unit_advances_that_did_not_attack(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for attack in rolled(position):
        if any(piece.side != attack.side for piece in position.at(attack.target)):
            continue
        known = {name for one in attacks_of(position) for name in one.attackers}
        for piece in units(position, attack.side):
            if piece.id not in known and grid.are_neighbours(piece.where, attack.target):
                yield (after(attack, "advance", piece, attack.target),)


@consequence(breaker, "7.6d", "advance", "next")
def an_advance_beyond_the_hex(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for attack in rolled(position):
        if position.at(attack.target):
            continue
        for piece in standing(position, attack.attackers):
            for there in free_around(position, attack.target) if piece.id not in attack.advanced else ():
                if grid.distance(piece.where, there) == 2:
                    yield (after(attack, "advance", piece, attack.target, there),)


@consequence(breaker, "7.6b", "advance")
def three_units_advance(moment: Moment) -> Broken:
    position = moment.position
    for attack in rolled(position):
        able = [piece for piece in standing(position, attack.attackers) if piece.where != attack.target]
        able = [piece for piece in able if not piece.counter.extra.flag("tiger", False)]
        rest = 3 - len(attack.advanced)
        if not any(piece.side != attack.side for piece in position.at(attack.target)) and len(able) >= rest:
            yield tuple(after(attack, "advance", piece, attack.target) for piece in able[:rest])


@breaker.breaks("6.3b", "move", "next")
def an_em_destroyed_for_no_reason(moment: Moment) -> Broken:
    """Not after combat: then it may belong to an undeclared battle."""
    position = moment.position
    fighting = position.phase in ("combat", "exploitation")
    fighting |= bool(position.noted(OVERRUNNING) or position.noted(OVERRUN))
    for em in units(position, "", EM)[:5] if not fighting else ():
        if led_by(position, em):
            yield (Action("eliminate", (em.id,)),)
