"""Wrong declarations of attacks: attackers, targets, how often, and changes that come too late."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from referee.games.tunisia1943.battle import Attack
from referee.games.tunisia1943.notes import ACTED, ATTACKED, BOUND, WAS_ATTACKED
from tools.oracles.games.tunisia1943.board import Board
from tools.oracles.games.tunisia1943.fighting import Fight
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.tunisia1943.facts import EM, UNIT, enemy, free_around, is_held, units

breaker = Breaker()
COMBAT = ("attack", "roll combat", "next", "aviation", "artillery")
NEW = 90
"""A battle number that does not occur in any game."""


def attacks_of(position: Position) -> list[Attack]:
    """Return the current attacks."""
    return [battle for battle in position.battles if isinstance(battle, Attack)]


def open_attacks(position: Position) -> list[Attack]:
    """Return the attacks that are not on lone EMs and have not been rolled for."""
    return [attack for attack in attacks_of(position) if attack.die is None and not attack.isolated]


def fresh(position: Position, side: str) -> list[Piece]:
    """Return the units that have no part in any attack of this player turn."""
    busy = {name for attack in attacks_of(position) for name in attack.attackers}
    return [
        piece
        for piece in units(position, side)
        if piece.id not in busy and (ATTACKED, piece.id) not in position.notes
    ]


def targets(position: Position, side: str) -> Iterator[tuple[str, list[Piece]]]:
    """The hexes held by an enemy that was not attacked, with the fresh units that can reach them."""
    able = fresh(position, side)
    grid = position.game.map.grid
    before = {attack.target for attack in attacks_of(position)}
    for where in sorted({piece.where for piece in units(position, enemy(side))}):
        hurt = any((WAS_ATTACKED, piece.id) in position.notes for piece in position.at(where))
        near = [piece for piece in able if grid.are_neighbours(piece.where, where)]
        if near and where not in before and not hurt:
            yield where, near


def attack(target: str, pieces: list[Piece] | tuple[Piece, ...]) -> tuple[Action, ...]:
    """An attack of pieces."""
    return (Action("attack", tuple(piece.id for piece in pieces), target=target),)


def strong(position: Position, target: str, pieces: list[Piece] | tuple[Piece, ...]) -> bool:
    """Return whether the ratio is at least that of the first column."""
    fight = Fight(Board(position), target, tuple(piece.id for piece in pieces))
    return 2 * fight.attack >= fight.defence


def plain_attacks(moment: Moment) -> Iterator[tuple[str, list[Piece]]]:
    """Targets in the combat step."""
    if moment.position.phase == "combat":
        found = list(targets(moment.position, moment.position.side))
        moment.rng.shuffle(found)
        yield from found[:6]


@breaker.breaks("7.1a", *COMBAT)
def from_afar(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for target, _ in plain_attacks(moment):
        far = [one for one in fresh(position, position.side) if grid.distance(one.where, target) == 2]
        yield from (attack(target, (one,)) for one in far if strong(position, target, (one,)))


@breaker.breaks("6.3a", *COMBAT)
def an_em_attacks(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for target, near in plain_attacks(moment):
        ems = [em for em in units(position, position.side, EM) if grid.are_neighbours(em.where, target)]
        yield from (attack(target, (near[0], em)) for em in ems if strong(position, target, near[:1]))


@breaker.breaks("7.1b", "attack", "next", "lose")
def a_unit_attacks_twice(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    if position.phase != "combat":
        return
    done = [name for one in attacks_of(position) if one.die is not None for name in one.attackers]
    for target, _ in plain_attacks(moment):
        for name in done:
            piece = position.pieces[name]
            near = piece.where in grid and grid.are_neighbours(piece.where, target)
            if near and strong(position, target, (piece,)):
                yield attack(target, (piece,))


@breaker.breaks("7.1c", "attack", "next", "lose")
def a_unit_is_attacked_twice(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for one in attacks_of(position) if position.phase == "combat" else ():
        there = [position.pieces[name] for name in one.defenders if position.pieces[name].where == one.target]
        if one.die is None or len(there) != len(one.defenders) or not there:
            continue
        near = [p for p in fresh(position, position.side) if grid.are_neighbours(p.where, one.target)]
        yield from (attack(one.target, (piece,)) for piece in near if strong(position, one.target, (piece,)))


@breaker.breaks("7.1d", "next", "attack", "eliminate")
def another_attack_after_that_on_an_em(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for one in attacks_of(position) if position.phase == "combat" else ():
        for name in one.attackers if one.isolated else ():
            piece = position.pieces[name]
            for target, _ in plain_attacks(moment):
                if grid.are_neighbours(piece.where, target) and strong(position, target, (piece,)):
                    yield attack(target, (piece,))


@breaker.breaks("7.1d", *COMBAT)
def an_attack_on_an_em_and_another(moment: Moment) -> Broken:
    position, board = moment.position, Board(moment.position)
    found = list(plain_attacks(moment))
    for where in {em.where for em in units(position, enemy(position.side), EM)} if found else ():
        ems = (
            board.at(where, enemy(position.side), "em")
            if board.has_lone_em(where, enemy(position.side))
            else []
        )
        for piece in fresh(position, position.side) if ems else ():
            for target, near in found:
                if (
                    piece in near
                    and where in board.around(piece.where)
                    and strong(position, target, (piece,))
                ):
                    gone = (Action("eliminate", (em.id,)) for em in ems)
                    yield (*attack(where, (piece,)), *gone, *attack(target, (piece,)))


def _nations(moment: Moment) -> Broken:
    position = moment.position
    known = position.game.nations
    early = position.scenario.rules.integer("campaign") == 1 and position.turn <= 3
    for target, near in plain_attacks(moment) if early and position.side == "allied" else ():
        for pair in combinations(near, 2):
            if len({known[piece.counter.nation].counts_as for piece in pair}) == 2:
                yield attack(target, pair)


breaker.alike(
    _nations,
    COMBAT,
    allies_of_two_nations=("8b",),
    allies_of_two_nations_in_the_first_turns=("C1.6",),
)


@breaker.breaks("8a", *COMBAT)
def three_divisions(moment: Moment) -> Broken:
    position = moment.position
    divisions = {em.counter.formation for em in position.pieces.values() if em.counter.kind == EM}
    for target, near in plain_attacks(moment):
        for group in combinations([one for one in near if one.counter.formation in divisions], 3):
            apart = len({piece.where for piece in group}) == 3
            if apart and len({piece.counter.formation for piece in group}) == 3:
                yield attack(target, group)


@breaker.breaks("7.3g", *COMBAT)
def against_hopeless_odds(moment: Moment) -> Broken:
    position = moment.position
    for target, near in plain_attacks(moment):
        for piece in near:
            bound = (BOUND, piece.id) in position.notes
            if not bound and not strong(position, target, (piece,)):
                roll = Action("roll combat", dice=(moment.rng.randint(1, 6),))
                yield (*attack(target, (piece,)), roll)


@breaker.breaks("7.1a", *COMBAT)
def an_empty_hex_attacked(moment: Moment) -> Broken:
    position = moment.position
    for piece in fresh(position, position.side)[:8] if position.phase == "combat" else ():
        yield from (attack(there, (piece,)) for there in free_around(position, piece.where))


@breaker.breaks("1b", *COMBAT)
def the_inactive_side_attacks(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    acted = position.note(ACTED, position.side)
    for piece in units(position, enemy(position.side)) if position.phase == "combat" and acted else ():
        for there in grid.neighbours(piece.where):
            open_ = not any((WAS_ATTACKED, one.id) in position.notes for one in position.at(there))
            if is_held(position, there, position.side) and open_ and strong(position, there, (piece,)):
                yield attack(there, (piece,))


@breaker.breaks("7.3e", "roll combat", "roll cohesion")
def a_fixed_attack_is_called_off(moment: Moment) -> Broken:
    position = moment.position
    for one in open_attacks(position):
        if any(one.air.values()) or one.tests:
            yield (Action("call off", battle=one.number),)


@breaker.breaks("7.3e", "roll combat", "roll cohesion")
def the_die_of_a_fixed_attack_is_never_rolled(moment: Moment) -> Broken:
    if any(any(one.air.values()) or one.tests for one in open_attacks(moment.position)):
        yield (Action(NEXT.name),)


@breaker.breaks("7.3e", "next", "attack", "exploit")
def a_lone_em_is_spared_that_is_destroyed(moment: Moment) -> Broken:
    position = moment.position
    for one in attacks_of(position) if position.phase == "combat" else ():
        if one.isolated and all(position.pieces[name].where.endswith("-lost") for name in one.isolated):
            yield (Action("call off", battle=one.number),)


@breaker.breaks("7.1i", *COMBAT)
def another_attack_is_rolled_first(moment: Moment) -> Broken:
    position = moment.position
    fixed = [one for one in open_attacks(position) if any(one.air.values())]
    for target, near in plain_attacks(moment):
        for piece in near if fixed else ():
            if strong(position, target, (piece,)) and piece.counter.kind == UNIT:
                roll = Action("roll combat", dice=(moment.rng.randint(1, 6),))
                yield (*attack(target, (piece,)), roll)
