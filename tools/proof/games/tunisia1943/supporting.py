"""Wrong use of artillery, aviation and tests: whose, how many, when."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.games.tunisia1943.battle import Attack
from referee.games.tunisia1943.notes import ARTILLERY_USED, AVIATION, OVERRUN
from tools.oracles.games.tunisia1943.board import Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.tunisia1943.attacking import attack as declare
from tools.proof.games.tunisia1943.attacking import attacks_of, open_attacks, plain_attacks
from tools.proof.games.tunisia1943.facts import EM, enemy, is_armour, units

breaker = Breaker()
ROLLED = ("lose", "retreat", "advance", "next", "attack")
OPEN = ("roll combat", "artillery", "no artillery", "aviation", "roll cohesion", "next")
MOST, REACH = 3, 4


def left(em: Piece) -> int:
    """The points that an EM has left, as its face shows."""
    mark = em.states.get("artillery-left")
    return mark.level if mark is not None else em.counter.factor("artillery")


def served(position: Position, attack: Attack, em: Piece) -> list[Piece]:
    """The units of an EM's division in an attack, on its side."""
    mine = [position.pieces[name] for name in attack.attackers]
    if em.side != attack.side:
        mine = [piece for piece in units(position, em.side) if piece.where == attack.target]
    return [piece for piece in mine if piece.counter.formation == em.counter.formation]


def placing(moment: Moment) -> Iterator[tuple[Attack, Piece]]:
    """Attacks that have not been tested, with the EMs on the map whose side may still place artillery."""
    position = moment.position
    for attack in open_attacks(position):
        for em in units(position, "", EM):
            before = attack.answered and attack.answered[0] != attack.side
            closed = em.side == attack.side and (len(attack.answered) == 2 or before)
            if not attack.tests and not closed:
                yield attack, em


def place(attack: Attack, em: Piece, points: int) -> tuple[Action, ...]:
    """Points of an EM for an attack."""
    return (Action("artillery", (em.id,), words=(str(points),), battle=attack.number),)


def placed(position: Position, attack: Attack, side: str) -> int:
    """The points that a side has placed in an attack."""
    return sum(count for name, count in attack.artillery.items() if position.pieces[name].side == side)


def is_supplied(position: Position, em: Piece) -> bool:
    """Return whether an EM has no out-of-supply marker."""
    return not Board(position).is_out_of_supply(em)


def is_ready(position: Position, attack: Attack, em: Piece) -> bool:
    """Return whether no rule forbids an EM to place one point."""
    mine = served(position, attack, em)
    fits = left(em) > 0 and placed(position, attack, em.side) < MOST and is_supplied(position, em)
    supplied = any(not Board(position).is_out_of_supply(piece) for piece in mine)
    return fits and supplied and (OVERRUN, em.id) not in position.notes


def serving(moment: Moment) -> Iterator[tuple[Attack, Piece]]:
    """Those of them that are in supply, were not overrun, and have units in the attack."""
    position = moment.position
    for attack, em in placing(moment):
        fresh = is_supplied(position, em) and (OVERRUN, em.id) not in position.notes
        if fresh and served(position, attack, em):
            yield attack, em


def divisional(position: Position, attack: Attack, side: str) -> bool:
    """Return whether a unit of a division fights on a side."""
    return any(
        served(position, attack, em)
        for em in position.pieces.values()
        if em.counter.kind == EM and em.side == side
    )


def _artillery_without_its_division(moment: Moment, fighting: str) -> Broken:
    """By an EM without a unit in the attack, on a side on which units of divisions fight, or none do."""
    position = moment.position
    for attack, em in placing(moment):
        side = "attackers" if em.side == attack.side else "defenders"
        fits = fighting == (side if divisional(position, attack, em.side) else "none")
        if fits and not served(position, attack, em) and left(em) and is_supplied(position, em):
            yield place(attack, em, 1)


breaker.alike(
    _artillery_without_its_division,
    OPEN,
    artillery_of_a_division_that_does_not_attack=("6.2a", "attackers"),
    artillery_of_a_division_that_is_not_attacked=("6.2f", "defenders"),
    artillery_for_units_of_no_division=("6.2k", "none"),
)


@breaker.breaks("6.2j", *OPEN)
def four_points_in_a_combat(moment: Moment) -> Broken:
    position = moment.position
    for attack, em in serving(moment):
        least = MOST + 1 - placed(position, attack, em.side)
        yield from (place(attack, em, points) for points in range(max(least, 1), left(em) + 1))


@breaker.breaks("6.2l", *OPEN)
def two_points_from_afar(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for attack, em in serving(moment):
        far = min(grid.distance(em.where, one.where) for one in served(position, attack, em)) > REACH
        if far and is_ready(position, attack, em) and left(em) > 1:
            yield place(attack, em, 2)


@breaker.breaks("9.2h", *OPEN)
def artillery_of_an_em_without_supply(moment: Moment) -> Broken:
    position = moment.position
    for attack, em in placing(moment):
        if served(position, attack, em) and left(em) and not is_supplied(position, em):
            yield place(attack, em, 1)


@breaker.breaks("9.2a", *OPEN)
def artillery_for_units_without_supply(moment: Moment) -> Broken:
    position, board = moment.position, Board(moment.position)
    for attack, em in serving(moment):
        if left(em) and all(map(board.is_out_of_supply, served(position, attack, em))):
            yield place(attack, em, 1)


@breaker.breaks("6.2e", *OPEN)
def more_points_than_an_em_has_left(moment: Moment) -> Broken:
    position = moment.position
    for attack, em in serving(moment):
        used = left(em) < em.counter.factor("artillery")
        short = left(em) > 0 and placed(position, attack, em.side) + left(em) < MOST
        today = {*(position.note(ARTILLERY_USED, em.id) or {}).keys()}
        if short and used and em.side == position.side and today == {position.date}:
            yield place(attack, em, left(em) + 1)


@breaker.breaks("6.2e", "attack", "next")
def more_points_than_are_left_in_the_same_attack(moment: Moment) -> Broken:
    position, grid = moment.position, moment.position.game.map.grid
    for target, near in plain_attacks(moment):
        for em in units(position, position.side, EM):
            mine = [piece for piece in near if piece.counter.formation == em.counter.formation]
            mine = [piece for piece in mine if grid.distance(piece.where, em.where) <= REACH]
            ready = mine and is_supplied(position, em) and (OVERRUN, em.id) not in position.notes
            if (
                ready
                and left(em) == em.counter.factor("artillery") == MOST - 1
                and is_supplied(position, mine[0])
            ):
                points = (Action("artillery", (em.id,), words=(str(count),)) for count in (1, MOST - 1))
                yield (*declare(target, mine[:1]), *points)


@breaker.breaks("7.2e", *ROLLED)
def artillery_after_the_die(moment: Moment) -> Broken:
    position = moment.position
    for attack in attacks_of(position):
        for em in units(position, "", EM) if attack.die is not None else ():
            mine = [
                name
                for name in (*attack.attackers, *attack.defenders)
                if position.pieces[name].side == em.side
            ]
            known = [name for name in mine if position.pieces[name].counter.formation == em.counter.formation]
            if known and left(em) and is_supplied(position, em):
                yield place(attack, em, 1)


def _late_artillery(moment: Moment, first: bool) -> Broken:
    """By the attacker after the defender has placed artillery or declined: more of it, or for
    the first time.
    """
    position = moment.position
    for attack in open_attacks(position):
        placed_ = any(position.pieces[name].side == attack.side for name in attack.artillery)
        late = attack.answered == (enemy(attack.side),) if first else placed_ and len(attack.answered) == 2
        for em in units(position, attack.side, EM) if late and not attack.tests else ():
            if is_ready(position, attack, em) and served(position, attack, em):
                yield place(attack, em, 1)


breaker.alike(
    _late_artillery,
    OPEN,
    more_artillery_after_the_reply=("6.2h", False),
    the_attacker_places_after_the_defender=("7.2e", True),
)


def fly(attack: Attack, side: str, points: int) -> tuple[Action, ...]:
    """Commit points of aviation to an attack."""
    return (Action("aviation", words=(side, str(points)), battle=attack.number),)


def air_of(position: Position, side: str) -> int:
    """The points of a side in a turn, by the tables of the two campaigns [C1.3, C2.3, C2.5]."""
    turn = position.turn
    if position.scenario.rules.integer("campaign") == 1:
        early, late = (2, 3) if side == "axis" else (0, 1)
        return early if turn < 3 else late
    if side == "allied":
        return 3
    return 2 if turn < 7 else 0


def flown(position: Position, side: str) -> dict[object, int]:
    """The points of a side that are used up, by player turn in which it had any."""
    found = position.note(AVIATION, side)
    return {date: points for date, points in (found or {}).items() if points}


def flying(moment: Moment) -> Iterator[tuple[Attack, str, int, int]]:
    """Attacks for which a side has not chosen, with its points of the turn and those that are left."""
    position = moment.position
    for attack in open_attacks(position):
        for side in ("axis", "allied"):
            if side not in attack.air and not attack.answered and not attack.tests:
                has = air_of(position, side)
                yield attack, side, has, has - sum(flown(position, side).values())


def _aviation_of_nobody(moment: Moment, campaign: int) -> Broken:
    """Aviation of a side that has none in a campaign."""
    if moment.position.scenario.rules.integer("campaign") == campaign:
        for attack, side, has, _ in flying(moment):
            if not has:
                yield fly(attack, side, 1)


breaker.alike(
    _aviation_of_nobody,
    OPEN,
    aviation_of_a_side_that_has_none=("11a", 1),
    aviation_that_was_withdrawn=("C2.5", 2),
)


def _all_used(moment: Moment, now: bool) -> Broken:
    """In this player turn alone, or also in the other one."""
    position = moment.position
    for attack, side, has, rest in flying(moment):
        earlier = set(flown(position, side)) - {position.date}
        if has and rest <= 0 and bool(earlier) != now:
            yield fly(attack, side, 1)


breaker.alike(
    _all_used,
    OPEN,
    aviation_that_is_all_used=("11f", True),
    aviation_that_flew_in_the_other_player_turn=("11g", False),
)


def _too_many(moment: Moment, campaign: int) -> Broken:
    for attack, side, has, rest in flying(moment):
        if moment.position.scenario.rules.integer("campaign") == campaign and has and 0 < rest < 2:
            yield fly(attack, side, rest + 1)


breaker.alike(
    _too_many,
    OPEN,
    a_point_too_many_in_the_first_campaign=("C1.3", 1),
    a_point_too_many_in_the_second_campaign=("C2.3", 2),
)


def _late_aviation(moment: Moment, tested: bool) -> Broken:
    """By the attacker, after the test or after artillery."""
    position = moment.position
    for attack in open_attacks(position):
        rest = air_of(position, attack.side) - sum(flown(position, attack.side).values())
        late = attack.tests if tested else any(attack.artillery.values()) and not attack.tests
        if late and not attack.air and rest > 0:
            yield fly(attack, attack.side, 1)


breaker.alike(_late_aviation, OPEN, aviation_after_artillery=("7.2d", False))
breaker.alike(_late_aviation, ("roll combat",), aviation_after_the_test=("7.2a", True))


def _with_armour(position: Position, attack: Attack) -> bool:
    return any(is_armour(position.pieces[name]) for name in attack.attackers)


def _test(moment: Moment, attack: Attack) -> tuple[Action, ...]:
    dice = moment.rng.randint(1, 6), moment.rng.randint(1, 6)
    return (Action("roll cohesion", dice=dice, battle=attack.number),)


@breaker.breaks("7.2a", *ROLLED)
def a_test_after_the_die(moment: Moment) -> Broken:
    for attack in attacks_of(moment.position):
        if attack.die is not None and _with_armour(moment.position, attack) and not attack.tests:
            yield _test(moment, attack)


@breaker.breaks("7.3a", "roll combat")
def a_test_though_no_armour_attacks(moment: Moment) -> Broken:
    for attack in open_attacks(moment.position):
        if not _with_armour(moment.position, attack):
            yield _test(moment, attack)


@breaker.breaks("7.2f", "roll cohesion")
def armour_without_a_test(moment: Moment) -> Broken:
    position = moment.position
    for attack in open_attacks(position):
        tigers = [one for one in position.at(attack.target) if one.counter.extra.flag("tiger", False)]
        if _with_armour(position, attack) and not attack.tests and not tigers:
            yield (Action("roll combat", dice=(moment.rng.randint(1, 6),), battle=attack.number),)


@breaker.breaks("0.1m", "next")
def points_back_too_early(moment: Moment) -> Broken:
    position = moment.position
    first = position.side == position.world.calendar.order[0]  # at the end of the turn it is only early
    for em in units(position, "", EM) if first and position.phase in ("exploitation", "supply") else ():
        mark = em.states.get("artillery-left")
        if mark is not None and not mark.level:
            yield (Action("face up", (em.id,)),)
