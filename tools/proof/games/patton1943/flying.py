"""Air support broken: flights out of range, of too many, too late, and dice of air combat left out."""

from __future__ import annotations

from referee.engine.actions import Action
from referee.games.patton1943.battle import Fight
from tools.oracles.games.patton1943.fighting import can_fly
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.plain import board_of, fight_after, on_map

breaker = Breaker()


def _flights(moment: Moment, *, own: bool, near: bool) -> Broken:
    """Flights to the battle at hand by aircraft that have not flown, within reach or not."""
    fight, position = fight_after(moment), moment.position
    if fight is None or fight.rolled:
        return
    side, goal = (fight.side, fight.stood) if own else (fight.enemy, fight.target)
    board = board_of(position)
    for piece in on_map(position, side, "air"):
        if ("flown", piece.id) in position.notes or piece.id in moment.action.pieces:
            continue
        if can_fly(board, piece, goal) is near and can_fly(board, piece, piece.where):
            yield (moment.action, Action("fly", (piece.id,), battle=fight.number))


@breaker.breaks("7.3a", "attack")
def the_attackers_aircraft_fly_too_far(moment: Moment) -> Broken:
    return _flights(moment, own=True, near=False)


@breaker.breaks("7.3d", "attack")
def the_defenders_aircraft_fly_too_far(moment: Moment) -> Broken:
    return _flights(moment, own=False, near=False)


@breaker.breaks("7.3b", "fly")
def two_aircraft_of_the_attacker(moment: Moment) -> Broken:
    if moment.position.pieces[moment.action.piece].side == moment.position.side:
        yield from _flights(moment, own=True, near=True)


@breaker.breaks("7.3h", "fly")
def two_aircraft_of_the_defender(moment: Moment) -> Broken:
    if moment.position.pieces[moment.action.piece].side != moment.position.side:
        yield from _flights(moment, own=False, near=True)


@breaker.breaks("7.3f", "fly")
def the_attacker_flies_last(moment: Moment) -> Broken:
    fight = fight_after(moment)
    if (
        fight is not None
        and moment.position.pieces[moment.action.piece].side == fight.enemy
        and not fight.flown.get(fight.side)
    ):
        yield from _flights(moment, own=True, near=True)


@breaker.breaks("7.3j", "attack")
def aircraft_fly_twice(moment: Moment) -> Broken:
    fight, position = fight_after(moment), moment.position
    if fight is None:
        return
    for piece in position.pieces.values():
        if ("flown", piece.id) in position.notes and piece.where.endswith("-returning"):
            yield moment.action, Action("fly", (piece.id,), battle=fight.number)


@breaker.breaks("7.3i", "fly")
def no_air_combat(moment: Moment) -> Broken:
    fight = fight_after(moment)
    if fight is not None and fight.both_fly and not fight.rolled:
        roll = Action("roll attack", dice=(moment.rng.randint(2, 11),), battle=fight.number)
        yield moment.action, roll


@breaker.breaks("10a", "roll air")
def one_die_of_air_combat(moment: Moment) -> Broken:
    fight = fight_after(moment)
    if fight is not None and len(fight.air_dice) == 1 and not fight.rolled:
        roll = Action("roll attack", dice=(moment.rng.randint(2, 11),), battle=fight.number)
        yield moment.action, roll


def _spared(moment: Moment, count: int) -> Broken:
    """Who lost in the air, one or both, goes to the box without a loss."""
    piece = moment.position.pieces[moment.action.piece]
    fight = moment.position.battle(moment.action.battle)
    lost = fight.beaten if isinstance(fight, Fight) and not fight.rolled else ()
    if piece.id in lost and len(lost) == count:
        yield (Action("to box", (piece.id,)),)


@breaker.breaks("10d", "lose", "eliminate")
def the_beaten_aircraft_is_spared(moment: Moment) -> Broken:
    return _spared(moment, 1)


@breaker.breaks("10e", "lose", "eliminate")
def one_of_two_beaten_aircraft_is_spared(moment: Moment) -> Broken:
    return _spared(moment, 2)


@breaker.breaks("7.4d", "to box")
def aircraft_skip_the_box(moment: Moment) -> Broken:
    position, piece = moment.position, moment.position.pieces[moment.action.piece]
    board = board_of(position)
    flown = ("flown", piece.id) in position.notes and piece.is_("flying")
    fields = [at for at in board.airfields(piece.side) if not board.at(at, piece.side, "air")]
    for where in fields if flown else ():
        if where != piece.where:
            yield (Action("move", (piece.id,), (piece.where, where), dragged=True),)
