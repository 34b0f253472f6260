"""Breaches in fire and melee: wrong attackers, targets and support, and wrong announcements."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece
from referee.games.vitoria1813.battle import Fight
from referee.games.vitoria1813.notes import FIRED, SERVICES
from tools.oracles.games.vitoria1813.board import Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.vitoria1813.facts import commands, enemy, generals, is_open, stack, units, zone_of

breaker = Breaker()
TURN = Action(NEXT.name)
RANGE = 2
NEW = 90


def _fights(moment: Moment, *, rolled: bool) -> list[Fight]:
    """The combats of the phase that have been rolled for, or have not."""
    found = [one for one in moment.position.battles if isinstance(one, Fight)]
    return [one for one in found if one.rolled == rolled]


def _fresh(moment: Moment, *kinds: str) -> Iterator[Piece]:
    """Units of the active side, in order, that have not fired or fought in this phase."""
    position = moment.position
    busy = {name for fight in position.battles for name in fight.attackers}
    for piece in units(position, position.side, kinds):
        fired = (FIRED, piece.id) in position.notes
        if piece.id not in busy and not piece.states and not fired:
            yield piece


def _die(moment: Moment) -> Action:
    return Action("roll combat", dice=(moment.rng.randint(1, 6),), battle=NEW)


def _fire(*names: str, at: str) -> Action:
    return Action("fire", names, target=at, battle=NEW)


def _attack(*names: str, on: str) -> Action:
    return Action("attack", names, target=on, battle=NEW)


@breaker.breaks("6.1a", "fire", "next")
def at_three_hexes(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for piece in _fresh(moment, "artillery") if position.phase == "fire" else ():
        for target in units(position, enemy(piece.side)):
            if RANGE < grid.distance(piece.where, target.where) < 2 * RANGE + 1:
                yield (_fire(piece.id, at=target.where),)


def _unseen(moment: Moment, clause: str) -> Broken:
    position, board = moment.position, Board.of(moment.position)
    for piece in _fresh(moment, "artillery") if position.phase == "fire" else ():
        for target in units(position, enemy(piece.side)):
            far = board.grid.distance(piece.where, target.where) == RANGE
            if far and board.sight(piece.where, target.where) == clause:
                yield (_fire(piece.id, at=target.where),)


breaker.alike(
    _unseen,
    ("fire", "next"),
    through_a_wood=("6.1b", "6.1b"),
    over_units=("6.1c", "6.1c"),
    through_a_village_or_a_height=("6.1d", "6.1d"),
)


@breaker.breaks("2h", "attack", "advance", "retreat", "hide")
def fire_after_melee(moment: Moment) -> Broken:
    position, board = moment.position, Board.of(moment.position)
    if position.phase != "combat" or not _fights(moment, rolled=True):
        return
    for piece in _fresh(moment, "artillery"):
        for target in units(position, enemy(piece.side)):
            near = board.grid.distance(piece.where, target.where) <= RANGE
            if near and not board.sight(piece.where, target.where):
                yield (_fire(piece.id, at=target.where),)


@breaker.breaks("7.1f", "fire", "next")
def fired_on_twice(moment: Moment) -> Broken:
    position, board = moment.position, Board.of(moment.position)
    for fight in _fights(moment, rolled=True) if position.phase == "fire" else ():
        for piece in _fresh(moment, "artillery"):
            near = board.grid.distance(piece.where, fight.target) <= RANGE
            there = stack(position, fight.target, fight.enemy)
            if near and there and not board.sight(piece.where, fight.target):
                yield (_fire(piece.id, at=fight.target),)


@breaker.breaks("6.0b", "attack", "next")
def a_battery_that_fired_attacks(moment: Moment) -> Broken:
    position = moment.position
    if position.phase != "combat":
        return
    for piece in units(position, position.side, ("artillery",)):
        fired = (FIRED, piece.id) in position.notes
        for target in (
            units(position, enemy(piece.side)) if fired and "disordered" not in piece.states else ()
        ):
            if piece in zone_of(position, target.where, piece.side):
                yield (_attack(piece.id, on=target.where),)


@breaker.breaks("2i", "attack")
def at_two_hexes(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for piece in _fresh(moment, "infantry", "cavalry") if position.phase == "combat" else ():
        for target in units(position, enemy(piece.side)):
            if grid.distance(piece.where, target.where) == 2:
                yield (_attack(piece.id, on=target.where),)


@breaker.breaks("7.1a", "attack")
def no_unit_fights(moment: Moment) -> Broken:
    if _has_lasted(moment):
        yield (TURN,)


@breaker.breaks("7.1b", "attack")
def enemies_are_left_alone(moment: Moment) -> Broken:
    if _has_lasted(moment):
        yield (TURN,)


def _has_lasted(moment: Moment) -> bool:
    """Whether an attacker has been in the zone of an enemy that is not yet attacked since the phase began."""
    position, action = moment.position, moment.action
    begun = moment.begun
    attacked = {name for fight in _fights(moment, rolled=True) for name in fight.defenders}
    still = {name for name, piece in position.pieces.items() if begun.pieces[name].where == piece.where}
    opponents = {one.id for one in stack(position, action.target, enemy(position.side))} & still - attacked
    return any(
        opponent.id in opponents
        for name in still.intersection(action.pieces)
        for opponent in zone_of(begun, begun.pieces[name].where, enemy(position.side))
    )


@breaker.breaks("7.1e", "attack", "hide")
def attacks_again(moment: Moment) -> Broken:
    position = moment.position
    attacked = {name for fight in _fights(moment, rolled=True) for name in fight.defenders}
    for fight in _fights(moment, rolled=True):
        for name in fight.attackers if position.phase == "combat" and not fight.pursuit else ():
            piece = position.pieces[name]
            for target in units(position, fight.enemy):
                able = piece in zone_of(position, target.where, fight.side)
                if able and target.id not in attacked and not piece.states:
                    yield (_attack(name, on=target.where),)


@breaker.breaks("7.1f", "attack", "hide")
def attacked_twice(moment: Moment) -> Broken:
    position = moment.position
    for fight in _fights(moment, rolled=True) if position.phase == "combat" else ():
        for name in fight.defenders:
            target = position.pieces[name]
            if any(mate.id not in fight.defenders for mate in stack(position, target.where, fight.enemy)):
                continue  # it may be attacked with another one that was not
            for piece in _fresh(moment, "infantry"):
                if target.where and piece in zone_of(position, target.where, fight.side):
                    yield (_attack(piece.id, on=target.where),)


def _shaken(moment: Moment, state: str) -> Broken:
    position = moment.position
    for piece in units(position, position.side, ("infantry", "cavalry")):
        for there in position.game.map.grid.neighbours(piece.where) if state in piece.states else ():
            if stack(position, there, enemy(piece.side)) and is_open(position, piece.where, there):
                yield (_attack(piece.id, on=there),)


breaker.alike(
    _shaken,
    ("attack",),
    the_disordered_attack=("7.7a", "disordered"),
    the_routed_attack=("7.8e", "routed"),
)


@breaker.breaks("7.1g", "attack")
def across_water(moment: Moment) -> Broken:
    position = moment.position
    for piece in _fresh(moment, "infantry") if position.phase == "combat" else ():
        for there in position.game.map.grid.neighbours(piece.where):
            opponents = stack(position, there, enemy(piece.side))
            if opponents and piece not in zone_of(position, there, piece.side):
                yield (_attack(piece.id, on=there),)


@breaker.breaks("7.2a", "reveal")
def face_down_in_melee(moment: Moment) -> Broken:
    position = moment.position
    name = moment.action.piece
    for target in units(position, enemy(position.side)):
        piece = position.pieces[name]
        able = piece.side == position.side and piece in zone_of(position, target.where, piece.side)
        if able and not position.battles and not piece.states:
            yield _attack(name, on=target.where), _die(moment)


def _helpers(moment: Moment, *, verb: str = "support") -> Iterator[tuple[Fight, Piece, Action]]:
    position = moment.position
    for fight in position.battles:
        if isinstance(fight, Fight) and not fight.is_fire:
            for general in generals(position, fight.side):
                if general.id not in (*fight.leaders, *fight.helpers):
                    yield fight, general, Action(verb, (general.id,), battle=fight.number)


@breaker.breaks("7.2c", "lose", "retreat", "advance")
def announced_after_the_die(moment: Moment) -> Broken:
    for fight, _, action in _helpers(moment):
        if fight.rolled and not fight.settled and fight is moment.position.battles[-1]:
            yield (action,)


@breaker.breaks("9.1a", "roll combat")
def help_for_the_troops_of_another(moment: Moment) -> Broken:
    pieces, grid = moment.position.pieces, moment.position.game.map.grid
    for fight, general, action in _helpers(moment):
        mine = fight.attackers if general.side == fight.side and not fight.rolled else ()
        strange = not any(commands(moment.position, general, (name,)) for name in mine)
        near = [name for name in mine if grid.distance(general.where, pieces[name].where) <= 1]
        if strange and near:
            yield (action,)


@breaker.breaks("9.1b", "roll combat")
def help_from_too_far(moment: Moment) -> Broken:
    pieces, grid = moment.position.pieces, moment.position.game.map.grid
    for fight, general, action in _helpers(moment):
        if fight.rolled or not commands(moment.position, general, fight.attackers):
            continue
        gaps = [grid.distance(general.where, pieces[name].where) for name in fight.attackers]
        if min(gaps) > general.factor("range"):
            yield (action,)


@breaker.breaks("9.1c", "roll combat")
def help_out_of_a_zone(moment: Moment) -> Broken:
    for fight, general, action in _helpers(moment):
        if not fight.rolled and zone_of(moment.position, general.where, fight.enemy):
            yield (action,)


@breaker.breaks("9.1f", "roll combat")
def two_generals(moment: Moment) -> Broken:
    for fight, _, action in _helpers(moment):
        mine = [
            one for one in (*fight.leaders, *fight.helpers) if moment.position.pieces[one].side == fight.side
        ]
        if mine and not fight.rolled:
            yield (action,)


@breaker.breaks("9.1g", "roll combat")
def takes_part_from_afar(moment: Moment) -> Broken:
    for fight, general, action in _helpers(moment, verb="lead"):
        places = {moment.position.pieces[name].where for name in fight.attackers}
        if not fight.rolled and general.where not in places:
            yield (action,)


@breaker.breaks("9.1i", "roll combat")
def serves_twice(moment: Moment) -> Broken:
    position = moment.position
    for fight, general, action in _helpers(moment):
        served = [one for one in position.note(SERVICES, general.id) or () if not one.startswith("rally")]
        if not fight.rolled and any(one.endswith(position.side) for one in served):
            yield (action,)


def _sums(moment: Moment) -> tuple[Fight, int, int] | None:
    """The sums of a combat between infantry in order over open ground: the steps of each side."""
    position = moment.position
    waiting = _fights(moment, rolled=False)
    if not waiting or waiting[-1].is_fire or waiting[-1].charging:
        return None
    fight = waiting[-1]
    attack = [position.pieces[name] for name in fight.attackers]
    defence = [
        piece for where in fight.targets for piece in position.at(where) if piece.counter.kind != "general"
    ]
    plain = all(piece.counter.kind == "infantry" and not piece.states for piece in (*attack, *defence))
    return (fight, sum(one.steps for one in attack), sum(one.steps for one in defence)) if plain else None


def _column(attack: int, defence: int) -> str:
    """The ratio, rounded in the defender's favour [7.2d]; between 1:1 and 2:1 the table has 3:2."""
    if attack >= defence:
        whole = min(attack // defence, 5)
        return "3:2" if whole == 1 and 2 * attack >= 3 * defence else f"{whole}:1"
    return f"1:{min(-(-defence // attack), 3)}"


@breaker.breaks("7.1i", "roll combat")
def one_too_many_in_attack(moment: Moment) -> Broken:
    if found := _sums(moment):
        fight, attack, defence = found
        words = (_column(attack + 1, defence), f"attack {attack + 1}", f"defence {defence}")
        yield (Action("odds", words=words, battle=fight.number),)


@breaker.breaks("7.1h", "roll combat")
def one_too_many_in_defence(moment: Moment) -> Broken:
    if found := _sums(moment):
        fight, attack, defence = found
        words = (_column(attack, defence + 1), f"attack {attack}", f"defence {defence + 1}")
        yield (Action("odds", words=words, battle=fight.number),)


@breaker.breaks("7.2d", "roll combat")
def a_column_too_far(moment: Moment) -> Broken:
    if found := _sums(moment):
        fight, attack, defence = found
        columns = moment.position.game.tables["crt"].columns
        place = columns.index(_column(attack, defence))
        other = columns[place - 1 if place else 1]
        words = (other, f"attack {attack}", f"defence {defence}")
        yield (Action("odds", words=words, battle=fight.number),)
