"""Breaches in air support: flights out of range, too many, too late, and omitted air combat."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.games.patton1943.battle import Fight
from tools.oracles.games.patton1943.board import Board
from tools.oracles.games.patton1943.fighting import can_fly
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.facts import UNITS, fight_after, has_flown, on_map

breaker = Breaker()


def _aircraft(moment: Moment, fight: Fight, side: str, *, near: bool = True) -> list[Piece]:
    """The aircraft of a side that have not flown, within reach of the battle or beyond it, in
    random order.
    """
    position, board = moment.position, Board.of(moment.position)
    goal = fight.stood if side == fight.side else fight.target
    found = [
        piece
        for piece in on_map(position, side, "air")
        if not has_flown(position, piece)
        and can_fly(board, piece, goal) is near
        and can_fly(board, piece, piece.where)
    ]
    return moment.rng.sample(found, len(found))


def _fly(piece: Piece, fight: Fight) -> Action:
    return Action("fly", (piece.id,), battle=fight.number)


def _too_far(moment: Moment, *, own: bool) -> Broken:
    fight = fight_after(moment)
    if fight is not None:
        for piece in _aircraft(moment, fight, fight.side if own else fight.enemy, near=False):
            yield moment.action, _fly(piece, fight)


breaker.alike(
    _too_far,
    ("attack",),
    the_attackers_aircraft_fly_too_far=("7.3a", {"own": True}),
    the_defenders_aircraft_fly_too_far=("7.3d", {"own": False}),
)


def _two(moment: Moment, *, own: bool) -> Broken:
    fight = fight_after(moment)
    if fight is not None:
        ready = _aircraft(moment, fight, fight.side if own else fight.enemy)
        for other in ready[1:]:
            yield moment.action, _fly(ready[0], fight), _fly(other, fight)


breaker.alike(
    _two,
    ("attack",),
    two_aircraft_of_the_attacker=("7.3b", {"own": True}),
    two_aircraft_of_the_defender=("7.3h", {"own": False}),
)


def _both(moment: Moment) -> Iterator[tuple[Fight, Action, Action]]:
    """A battle declared by this step, and flights of both sides to it, the attacker's first."""
    fight = fight_after(moment)
    if fight is not None:
        own, opponent = _aircraft(moment, fight, fight.side), _aircraft(moment, fight, fight.enemy)
        if own and opponent:
            yield fight, _fly(own[0], fight), _fly(opponent[0], fight)


@breaker.breaks("7.3f", "attack")
def the_attacker_flies_last(moment: Moment) -> Broken:
    for _, first, second in _both(moment):
        yield moment.action, second, first


@breaker.breaks("7.3j", "attack")
def aircraft_fly_twice(moment: Moment) -> Broken:
    fight, position = fight_after(moment), moment.position
    if fight is None:
        return
    for piece in position.pieces.values():
        if has_flown(position, piece) and piece.where.endswith("-returning"):
            yield moment.action, _fly(piece, fight)


def _attack_die(moment: Moment, fight: Fight) -> Action:
    return Action("roll attack", dice=(moment.rng.randint(2, 11),), battle=fight.number)


@breaker.breaks("7.3i", "attack")
def no_air_combat(moment: Moment) -> Broken:
    for fight, first, second in _both(moment):
        yield moment.action, first, second, _attack_die(moment, fight)


@breaker.breaks("10a", "attack")
def one_die_of_air_combat(moment: Moment) -> Broken:
    for fight, first, second in _both(moment):
        roller = moment.rng.choice((first, second)).pieces
        die = Action("roll air", roller, dice=(moment.rng.randint(1, 12),), battle=fight.number)
        yield moment.action, first, second, die, _attack_die(moment, fight)


def _rolled(moment: Moment) -> Iterator[tuple[Fight, tuple[Action, ...], list[Action], list[Piece]]]:
    """A battle to which both sides fly, the flights, the rolls, and the loser."""
    for fight, *flights in _both(moment):
        pieces = [moment.position.pieces[action.piece] for action in flights]
        dice = [moment.rng.randint(1, 12) for _ in pieces]
        rolled = list(zip(pieces, dice, strict=True))
        results = [die + piece.counter.factor("support", piece.steps) for piece, die in rolled]
        both = results[0] == results[1] or max(results) <= 0
        losers = pieces if both else [pieces[results.index(max(results))]]
        rolls = [Action("roll air", (piece.id,), dice=(die,), battle=fight.number) for piece, die in rolled]
        yield fight, tuple(flights), rolls, losers


def _not_reduced(moment: Moment, count: int) -> Broken:
    """One of the losers in the air goes to the box without losing a step."""
    for fight, flights, rolls, losers in _rolled(moment):
        if len(losers) == count:
            box = Action("to box", (moment.rng.choice(losers).id,), battle=fight.number)
            yield moment.action, *flights, *rolls, box


@breaker.breaks("10c", "attack")
def the_winner_in_the_air_is_reduced(moment: Moment) -> Broken:
    for fight, flights, rolls, losers in _rolled(moment):
        for piece in (moment.position.pieces[one.piece] for one in flights):
            if piece not in losers and piece.steps == 2:
                yield moment.action, *flights, *rolls, Action("lose", (piece.id,), battle=fight.number)


breaker.alike(
    _not_reduced,
    ("attack",),
    the_beaten_aircraft_is_not_reduced=("10d", 1),
    one_of_two_beaten_aircraft_is_not_reduced=("10e", 2),
)


@breaker.breaks("7.4d", "to box")
def aircraft_skip_the_box(moment: Moment) -> Broken:
    position, piece = moment.position, moment.position.pieces[moment.action.piece]
    board = Board.of(position)
    flown = has_flown(position, piece) and piece.is_("flying")
    fields = [at for at in board.airfields(piece.side) if not board.at(at, piece.side, "air")]
    for where in fields if flown else ():
        if where != piece.where:
            yield (Action("move", (piece.id,), (piece.where, where), dragged=True),)


@breaker.breaks("7.4d", "roll attack")
def aircraft_beside_an_attacked_unit_go_to_the_box(moment: Moment) -> Broken:
    """They have not flown, and the attack on the unit in their hex missed."""
    fight, board = fight_after(moment), Board.of(moment.position)
    if fight is None or not board.at(fight.target, fight.enemy, *UNITS):
        return
    for piece in board.at(fight.target, fight.enemy, "air"):
        box = Action("to box", (piece.id,), battle=fight.number)
        defence = Action("roll defence", dice=(12,), battle=fight.number)
        yield evolve(moment.action, dice=(12,)), defence, box


@breaker.breaks("7.3j", "attack")
def aircraft_fly_again_after_air_combat(moment: Moment) -> Broken:
    """The attack was called off after the dice of air combat; the same unit attacks again."""
    for fight, flights, rolls, losers in _rolled(moment):
        winners = [one for one in flights if moment.position.pieces[one.piece] not in losers]
        for flight in winners:
            off = Action("call off", battle=fight.number)
            again = evolve(moment.action, battle=fight.number + 1)
            beaten = [
                Action(verb, (one.id,), battle=fight.number)
                for one in losers
                for verb in (("lose", "to box") if one.steps > 1 else ("eliminate",))
            ]
            second = evolve(flight, battle=fight.number + 1)
            yield moment.action, *flights, *rolls, *beaten, off, again, second
