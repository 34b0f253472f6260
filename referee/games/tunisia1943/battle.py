"""An attack in progress, and its odds: column by column, with the modifiers of the die."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from attrs import evolve, field, frozen

from referee.engine.battles import Battles
from referee.engine.combat import Ends, Modifier, Odds, Shift, Strength, ladder_odds
from referee.engine.position import Battle, Piece, Position
from referee.engine.settling import Settling
from referee.games.tunisia1943.cohesion_tests import passes
from referee.games.tunisia1943.facts import (
    division_of,
    ems_at,
    garrison_at,
    is_armour,
    is_flooded,
    is_tiger,
    other,
    the_field,
    units_at,
)
from referee.games.tunisia1943.lines import fights_out_of_supply
from referee.games.tunisia1943.notes import FOUGHT
from vassalgen.game.values import fraction


@frozen
class Attack(Battle):
    """An attack, from its declaration on.

    ``stood`` are the attackers' hexes, ``defenders`` the combat units and garrison in the target and ``ems``
    the EMs with them, at the time of the die roll, ``own_ems`` those with the attackers, and where; ``steps``
    are the steps of all of them then. ``isolated`` are lone EMs, for which no die is rolled.
    ``attacked_before`` are attackers that had attacked, and units in the target that had been attacked, when
    it was declared. ``air`` is by side, ``artillery`` by EM; ``answered`` are the sides that placed artillery
    or declined. ``tests`` are the totals rolled. ``late_air``: aviation was committed after artillery,
    perhaps by both sides, which reveal it together. ``left_out`` are units that had to make this attack and
    take no part, which was reported when it was declared. ``column`` and ``modifier`` are the announced ones,
    ``claims`` the clauses that explain mistakes in them, ``odds`` those of the roll, ``result`` their result
    or, if ``as_said``, the announced one that differs. ``right`` is the result of the correct odds,
    ``right_odds``, if it is another; ``right_hemmed_in`` are the units that cannot retreat by it, and
    ``wrong`` is the clause of the mistake, if it was bookkeeping until then.

    The last fields are what has been carried out: steps ``lost`` by unit, paths of units that ``retreated``,
    the fewest and most steps they cost (``path_costs``), units that went ``past_friends`` into enemy zones of
    control, and units that could not retreat when the result was rolled (``hemmed_in``), with the steps this
    costs and the clause.
    """

    side: str = ""
    stood: Mapping[str, str] = field(factory=dict, hash=False)
    defenders: tuple[str, ...] = ()
    ems: tuple[str, ...] = ()
    own_ems: Mapping[str, str] = field(factory=dict, hash=False)
    isolated: tuple[str, ...] = ()
    attacked_before: tuple[str, ...] = ()
    air: Mapping[str, int] = field(factory=dict, hash=False)
    artillery: Mapping[str, int] = field(factory=dict, hash=False)
    answered: tuple[str, ...] = ()
    late_air: bool = False
    left_out: tuple[str, ...] = ()
    tests: tuple[int, ...] = ()
    column: int | None = None
    modifier: int | None = None
    claims: Mapping[str, str] = field(factory=dict, hash=False)
    die: int | None = None
    odds: Odds | None = None
    result: str = ""
    as_said: bool = False
    right: str = ""
    right_odds: Odds | None = None
    right_hemmed_in: Mapping[str, tuple[int, str]] = field(factory=dict, hash=False)
    wrong: str = ""
    steps: Mapping[str, int] = field(factory=dict, hash=False)
    lost: Mapping[str, int] = field(factory=dict, hash=False)
    retreated: Mapping[str, tuple[str, ...]] = field(factory=dict, hash=False)
    hemmed_in: Mapping[str, tuple[int, str]] = field(factory=dict, hash=False)
    path_costs: Mapping[str, tuple[int, int]] = field(factory=dict, hash=False)
    past_friends: tuple[str, ...] = ()
    advanced: tuple[str, ...] = ()

    @property
    def rolled(self) -> bool:
        """Return whether the combat die has been rolled, or none is needed."""
        return self.die is not None or bool(self.isolated)

    @property
    def is_begun(self) -> bool:
        """Return whether anything has been committed to it or announced about it."""
        return bool(self.rolled or self.air or self.answered or self.tests)

    @property
    def has_star(self) -> bool:
        """Return whether the result removes the defenders' zones of control [7.4g]."""
        return self.result.endswith("*")

    @property
    def code(self) -> str:
        """The result without its star."""
        return self.result.removesuffix("*")

    def points(self, position: Position, side: str) -> int:
        """Return the artillery points that a side has placed."""
        return sum(count for em, count in self.artillery.items() if position.pieces[em].side == side)


SETTLING = Settling(Attack, "settle", ("combat",))
"""Results are carried out before the end of the step at the latest."""
ATTACKS = Battles(Attack, lambda position, attack: participants(attack))
attacks, attack_of, attack_for = ATTACKS.all, ATTACKS.of, ATTACKS.after


def outcomes(attack: Attack) -> tuple[Attack, ...]:
    """Return an attack with the announced outcome, and with the correct one if the odds were wrong.

    Players who announce wrong odds and carry out the correct result have changed nothing; others carry out
    the announced one.
    """
    if not attack.right or attack.as_said:
        return (attack,)
    return attack, evolve(attack, result=attack.right, hemmed_in=attack.right_hemmed_in)


def kept(position: Position, attack: Attack) -> Position:
    """Return the position with an attack changed, also in the notes for what is carried out late."""
    return position.with_battle(attack).with_note(FOUGHT, str(attack.number), attack)


def fought_since(position: Position, attack: Attack) -> tuple[Attack, ...]:
    """Return the attacks that were rolled after one, however they were declared."""
    numbers = list(position.noted(FOUGHT))
    later = numbers[numbers.index(str(attack.number)) + 1 :]
    return tuple(one for one in attacks(position) if str(one.number) in later)


def late_attack(position: Position, piece: str) -> Attack | None:
    """Return the last attack of an earlier step of the player turn in which a piece took part."""
    if position.phase == "combat":
        return None
    fought = [one for one in position.noted(FOUGHT).values() if isinstance(one, Attack)]
    mine = [one for one in fought if piece in participants(one)]
    return mine[-1] if mine else None


def is_fixed(position: Position, attack: Attack) -> bool:
    """Return whether an attack can no longer be withdrawn or changed [7.3e].

    It cannot once aviation has been committed; without any, once both sides have declined it, or from the
    first artillery or dice.
    """
    if attack.rolled or attack.tests or any(attack.air.values()):
        return True
    if position.game.adopted("no-aviation") == "dice":
        return False
    return len(attack.air) > 1 or bool(attack.artillery)


def participants(attack: Attack) -> tuple[str, ...]:
    """Return all participants, with the EMs beside the defenders."""
    return (*attack.attackers, *attack.defenders, *attack.ems, *attack.isolated)


def defenders(position: Position, attack: Attack) -> tuple[Piece, ...]:
    """Return the combat units and garrison that defend, at the time of the die if it was rolled
    [7.1g, G.2].
    """
    if attack.rolled:
        return tuple(position.pieces[name] for name in attack.defenders)
    garrison = garrison_at(position, attack.target)
    enemy = other(attack.side)
    mine = (garrison,) if garrison is not None and garrison.side == enemy else ()
    return (*units_at(position, attack.target, enemy), *mine)


def is_garrison(piece: Piece) -> bool:
    """Return whether a piece is a garrison [G.1]."""
    return piece.counter.kind == "garrison"


def divisional(position: Position, attack: Attack, em: str) -> tuple[str, ...]:
    """Return the units of an EM's division that take part on its side."""
    side = position.pieces[em].side
    mine = (
        attack.attackers if side == attack.side else tuple(piece.id for piece in defenders(position, attack))
    )
    division = division_of(position, em)
    return tuple(name for name in mine if division_of(position, name) == division)


def calculate_odds(position: Position, attack: Attack, mistake: str = "") -> Odds:
    """Calculate the present odds of an attack.

    ``mistake`` is the name of a mistake in them [odds.MISTAKES]; with it the odds are those of players who
    make it.
    """
    game = position.game
    table = game.tables["crt"]
    odds = ladder_odds(
        table,
        attack_strengths(position, attack, mistake),
        defence_strengths(position, attack, mistake),
        shifts(position, attack, mistake),
        modifiers(position, attack, mistake),
        Ends("7.3h", "7.3f", 0 if mistake == "no modifier beyond" else table.beyond),
    )
    if mistake == "rounded up":
        odds = _cut(evolve(odds, natural=odds.natural + 1))
    if odds.below and game.adopted("compulsory-below") == "half":
        return _cut(odds, forgiven=odds.natural)
    if (game.adopted("shifts-before-limits") == "first") != (mistake == "cut first"):
        return _cut(odds)
    return odds


def _cut(odds: Odds, forgiven: int = 0) -> Odds:
    """The odds if columns are limited before they are shifted, and again afterwards; the columns cut off
    modify the die, except the ``forgiven`` ones.
    """
    last = len(odds.table.columns) - 1
    natural = min(max(odds.natural, 0), last)
    shifted = natural + sum(shift.columns for shift in odds.shifts)
    column = min(max(shifted, 0), last)
    kept = tuple(part for part in odds.modifiers if part.clause not in ("7.3f", "7.3h"))
    beyond = odds.natural - forgiven - natural * (not forgiven) + shifted - column
    added = (Modifier("columns cut off", beyond, "7.3f" if beyond > 0 else "7.3h"),) if beyond else ()
    return evolve(odds, column=column, modifiers=(*kept, *added))


def attack_strengths(position: Position, attack: Attack, mistake: str = "") -> list[Strength]:
    """The attack values of the visible faces, 1 for each unit out of supply [7.2b, 9.2b]."""
    most = position.game.values["out-of-supply"].values.integer("attack")
    found = []
    for name in attack.attackers:
        piece = position.pieces[name]
        if piece.counter.kind != "unit" or piece.steps < 1:
            continue
        value = _value(piece, "attack", mistake)
        short = fights_out_of_supply(position, piece) and mistake != "full attack without supply"
        if short and (value or position.game.adopted("attack-of-the-weak") == "yes"):
            found.append(Strength(f"{name}, out of supply", Fraction(most), "9.2b"))
        else:
            found.append(Strength(name, value, "7.2b"))
    return found


def defence_strengths(position: Position, attack: Attack, mistake: str = "") -> list[Strength]:
    """The defenders' values, each halved if out of supply, doubled in cities; garrisons unchanged."""
    game = position.game
    half = fraction(game.values["out-of-supply"].values.number("defence"))
    times = game.values["city"].values.integer("defence")
    city = city_of(position, attack.target)
    double_first = bool(city) and game.adopted("half-then-double") == "double-first"
    together = (game.adopted("halving-each") == "sum") != (mistake == "halved together")
    found: list[Strength] = []
    fixed: list[Strength] = []
    for piece in defenders(position, attack):
        value = Fraction(piece.counter.factor("defence", piece.steps or 1))
        if is_garrison(piece):
            if mistake != "no garrison":
                fixed.append(Strength(piece.id, value, "G.2"))
            continue
        if mistake == f"without {piece.id}":
            continue
        value = _value(piece, "defence", mistake)
        if fights_out_of_supply(position, piece) and mistake != "full defence without supply":
            value *= half * (times if double_first else 1)
            if not together:
                value = Fraction(value.__ceil__())
            found.append(Strength(f"{piece.id}, out of supply", value, "9.2c"))
        else:
            found.append(Strength(piece.id, value, "7.1g"))
    if together and found:
        total = sum((part.amount for part in found), Fraction(0))
        found.append(Strength("rounded", total.__ceil__() - total, "9.2c"))
    if mistake == "garrison doubled":
        found, fixed = [*found, *fixed], []
    if city and found and mistake != "no city":
        doubled = [part for part in found if not (double_first and part.clause == "9.2c")]
        more = sum((part.amount for part in doubled), Fraction(0)) * (times - 1)
        found.append(Strength(f"{city}, times {times}", more, "7.2c"))
    return [*found, *fixed]


def _value(piece: Piece, factor: str, mistake: str) -> Fraction:
    steps = piece.counter.steps if mistake == "full strength" else piece.steps
    return Fraction(piece.counter.factor(factor, steps or 1))


def city_of(position: Position, where: str) -> str:
    """Return the city in a hex, in which defence counts double [7.2c]."""
    kinds = position.game.values["city"].values.words("places")
    for place in position.game.map.places.values():
        if place.hex == where and place.kind in kinds:
            return place.name
    return ""


def shifts(position: Position, attack: Attack, mistake: str = "") -> list[Shift]:
    """The shifts by aviation and by the armour's cohesion test [11d, 11e, 7.3b]."""
    found = []
    ours, theirs = attack.air.get(attack.side, 0), attack.air.get(other(attack.side), 0)
    net = ours - theirs
    if mistake == "not cancelled":
        net = ours or -theirs
    elif mistake == "one column only":
        net = max(min(net, 1), -1)
    if net and mistake != "no aviation":
        found.append(Shift(f"aviation, {ours} against {theirs}", net, "11e"))
    column = position.game.values["combat"].values.integer("cohesion_column")
    won = is_test_won(position, attack, mistake)
    if mistake == "test reversed":
        won = not won and has_armour(position, attack)
    if won:
        total = f"after {attack.tests[0]}" if attack.tests else "without a roll"
        found.append(Shift(f"armour: no defender passed {total}", column, "7.3b"))
        if mistake == "a column for each test":
            found.append(Shift("armour again", column * (len(attack.tests) - 1), "7.3a"))
    alone = all(is_garrison(piece) for piece in defenders(position, attack))
    if alone and position.game.adopted("garrison-fixed") == "nothing":
        return [shift for shift in found if shift.columns < 0]
    return found


def has_armour(position: Position, attack: Attack) -> bool:
    """Return whether armour attacks [7.3a]."""
    return any(is_armour(position, position.pieces[name]) for name in attack.attackers)


def is_test_won(position: Position, attack: Attack, mistake: str = "") -> bool:
    """Return whether no defender passes the test that armour imposes [7.3a to 7.3c]."""
    if mistake == "conceded":
        return has_armour(position, attack)
    if not attack.tests or not has_armour(position, attack):
        return False
    return not passers(position, attack, attack.tests[0], mistake)


def passers(position: Position, attack: Attack, total: int, mistake: str = "") -> tuple[str, ...]:
    """Return the defenders that pass a cohesion test with a total rolled [7.3c, G.3]."""
    tigers = sum(is_tiger(position, piece) for piece in _whose_tigers_count(position, attack))
    found = []
    for piece in defenders(position, attack):
        if is_tiger(position, piece) and mistake == "12f":
            continue
        if is_garrison(piece) and mistake == "garrison does not test":
            continue
        rolled = total + (mistake == "must be below")
        if mistake == "Tigers add up":
            rolled -= position.game.values["tiger"].values.integer("cohesion") * max(tigers - 1, 0)
        if passes(position, piece, rolled, tigers > 0, (mistake,)):
            found.append(piece.id)
    return tuple(found)


def _whose_tigers_count(position: Position, attack: Attack) -> tuple[Piece, ...]:
    """The pieces whose Tigers lower cohesion: the attackers, or in another interpretation all
    in their hexes.
    """
    if position.game.adopted("tiger-must-take-part") == "takes-part":
        return tuple(position.pieces[name] for name in attack.attackers)
    hexes = dict.fromkeys(attack.stood[name] for name in attack.attackers)
    return tuple(piece for where in hexes for piece in units_at(position, where, attack.side))


def modifiers(position: Position, attack: Attack, mistake: str = "") -> list[Modifier]:
    """The modifiers of the die: artillery and terrain [6.2g, 2.1a, 7.2g]."""
    found = []
    for em, count in attack.artillery.items():
        ours = position.pieces[em].side == attack.side
        if mistake == "no defending artillery" and not ours:
            continue
        found.append(Modifier(f"artillery of {em}", count if ours else -count, "6.2g"))
    if mistake == "no artillery":
        found = []
    elif mistake == "artillery of one":
        found = _greatest(found)
    return [*found, *([] if mistake == "no terrain" else terrain(position, attack, mistake))]


def _greatest(artillery: list[Modifier]) -> list[Modifier]:
    """The most that a single EM adds, and the most that one subtracts."""
    ours = [part for part in artillery if part.amount > 0]
    theirs = [part for part in artillery if part.amount < 0]
    return [max(parts, key=lambda part: abs(part.amount)) for parts in (ours, theirs) if parts]


def terrain(position: Position, attack: Attack, mistake: str = "") -> list[Modifier]:
    """The terrain of the target, and that of hexsides across which every attacker attacks [2.1a, 2.1b]."""
    game = position.game
    row = game.terrain[game.map.hexes[attack.target].terrain]
    found = []
    if amount := row.effects.integer("die", 0):
        found.append(Modifier(f"{row.title.lower()} in {attack.target}", amount, "2.1a"))
    flooded = is_flooded(position) != (mistake == "flood")
    for name in _across(position, attack):
        feature = game.features[name]
        amount = int(the_field(position).crossing(feature.effects, flooded, "die"))
        if amount:
            wet = "flooded" in feature.effects
            found.append(Modifier(f"all across {feature.title.lower()}", amount, "2.1b" if wet else "2.1a"))
    least = game.values["terrain"].values.integer("die_least")
    total = sum(part.amount for part in found)
    if total < least:
        found.append(Modifier(f"terrain to {least} at most", least - total, "2.1a"))
    return found


def _across(position: Position, attack: Attack) -> tuple[str, ...]:
    """The features of hexsides that every attacker has between itself and the target."""
    map_ = position.game.map
    sides = []
    for name in attack.attackers:
        where = attack.stood.get(name, "")
        if where not in map_.grid or not map_.grid.are_neighbours(where, attack.target):
            return ()
        sides.append(map_.hexside(where, attack.target).features)
    return tuple(name for name in sides[0] if all(name in side for side in sides)) if sides else ()


def ems_beside(position: Position, attack: Attack) -> tuple[str, ...]:
    """Return the EMs in the target with its defenders."""
    return tuple(piece.id for piece in ems_at(position, attack.target, other(attack.side)))
