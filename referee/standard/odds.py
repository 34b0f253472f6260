"""The odds of a battle of a game by data, as a series of named terms."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import prod

from attrs import evolve, frozen

from referee.engine.combat import Modifier, Odds, Shift, Strength, column
from referee.engine.position import Piece, Position
from referee.engine.wording import name_of
from referee.standard.battle import Fight, combat_of, defenders, table_of
from referee.standard.facts import clauses_of, closed_features, fits, half, on_map, points_of, rules_of, worth
from referee.standard.own_words import relations_of, true_of
from referee.standard.setting import the_setting
from referee.standard.track import entry_of_turn
from vassalgen.game.families import NOBODY, NOBODY_NEAR, AtRange, ByHand, Combat, Families, Term, Who
from vassalgen.game.modifiers import BattleModifier, conditions
from vassalgen.game.tables import ChartRow, Table, span


@frozen
class Entered:
    """What players entered by hand, all terms together, and how often each was entered."""

    columns: int = 0
    die: int = 0
    attack: int = 0
    defence: int = 0
    terms: tuple[tuple[str, int], ...] = ()

    @property
    def times(self) -> int:
        """How often terms were entered in all."""
        return sum(times for _, times in self.terms)

    def with_term(self, name: str, to: str, value: int, times: int) -> Entered:
        """Return this with a term more."""
        return evolve(self, **{to: getattr(self, to) + value, "terms": (*self.terms, (name, times))})


NOT_ENTERED = Entered()
BY_PLAYERS = "entered by players"


def calculate(position: Position, fight: Fight, without: str = "", entered: Entered = NOT_ENTERED) -> Odds:
    """Calculate the current column and modifier of a battle, as a series of named terms.

    ``without``: as if the terms of this clause were forgotten. ``entered`` is what players add by hand.
    """
    combat, table = combat_of(position, fight), table_of(position, fight)
    attackers = [position.pieces[name] for name in fight.attackers]
    units = list(defenders(position, fight))
    attack = [_strength(position, fight, piece, combat.attack, combat, without) for piece in attackers]
    defence = [_strength(position, fight, piece, combat.defence, combat, without) for piece in units]
    if combat.kind == "fire":
        defence = []
    elif combat.defence_of != "sum" and defence:
        able = [
            part
            for part, unit in zip(defence, units, strict=True)
            if unit.counter.printed(combat.defence, unit.steps) is not None
        ]
        pick = max if combat.defence_of == "best" else min
        defence = [pick(able or defence, key=lambda part: part.amount)]
    shifts: list[Shift] = []
    modifiers: list[Modifier] = []
    clause = combat.at_range_clause or combat.clause
    if combat.at_range and clause != without:
        ranged = _at_farthest(position, fight, combat)
        shifts += [Shift("range", ranged.columns, clause)] if ranged.columns else []
        modifiers += [Modifier("range", ranged.die, clause)] if ranged.die else []
    if combat.per_hex and combat.per_hex_clause != without:
        far = _farthest(position, fight) - 1
        if far > 0:
            clause = combat.per_hex_clause or combat.clause
            modifiers.append(Modifier("range", combat.per_hex * far, clause))
    for one, source in combat.modifiers.items():
        if source == without or one not in position.game.modifiers:
            continue
        modifier = position.game.modifiers[one]
        amount = amount_of(position, fight, modifier, attackers, units)
        if not amount:
            continue
        if modifier.to == "die":
            modifiers.append(Modifier(modifier.title, amount, source))
        elif modifier.to == "columns":
            shifts.append(Shift(modifier.title, amount, source))
        elif modifier.to == "attack":
            attack.append(Strength(modifier.title, Fraction(amount), source))
        else:
            defence.append(Strength(modifier.title, Fraction(amount), source))
    for name, amount in _counting(position, fight, combat, without).items():
        term = combat.terms[name]
        if term.to == "die":
            modifiers.append(Modifier(_titled(name), amount, term.clause))
        elif term.to == "columns":
            shifts.append(Shift(_titled(name), amount, term.clause))
        else:
            side = attack if term.to == "attack" else defence
            side.append(Strength(_titled(name), Fraction(amount), term.clause))
    attack += [Strength(BY_PLAYERS, Fraction(entered.attack), "")] if entered.attack else []
    defence += [Strength(BY_PLAYERS, Fraction(entered.defence), "")] if entered.defence else []
    shifts += [Shift(BY_PLAYERS, entered.columns, "")] if entered.columns else []
    modifiers += [Modifier(BY_PLAYERS, entered.die, "")] if entered.die else []
    if combat.within_clause != without or not without:
        limited = combat.within_clause or odds_clause(combat)
        excess = _excess(sum(shift.columns for shift in shifts), combat.columns_within)
        shifts += [Shift("limit", -excess, limited)] if excess else []
        excess = _excess(sum(one.amount for one in modifiers), combat.die_within)
        modifiers += [Modifier("limit", -excess, limited)] if excess else []
    attacking, defending = _total(attack, combat), _total(defence, combat)
    natural, below = _column(combat, table, attacking, defending)
    shifted = natural + sum(shift.columns for shift in shifts)
    final = min(max(shifted, 0), len(table.columns) - 1)
    return Odds(table, tuple(attack), tuple(defence), natural, tuple(shifts), final, below, tuple(modifiers))


def _total(parts: list[Strength], combat: Combat) -> Fraction:
    """Return the strength of a side; what rounding takes from it or adds to it becomes a part of its own."""
    total = sum((part.amount for part in parts), Fraction(0))
    rounded = half(total, combat.totals or "exact")
    if rounded != total:
        parts.append(Strength(f"rounded {combat.totals}", rounded - total, odds_clause(combat)))
    return rounded


def _farthest(position: Position, fight: Fight) -> int:
    """How far the farthest attacker is from the target."""
    grid = position.game.map.grid
    places = [fight.stood.get(name, position.pieces[name].where) for name in fight.attackers]
    return max((grid.distance(where, fight.target) for where in places if where in grid), default=0)


def _at_farthest(position: Position, fight: Fight, combat: Combat) -> AtRange:
    """Return what depends on the range of the farthest attackers, if anything does."""
    far, grid = _farthest(position, fight), position.game.map.grid
    ranged = at_range(combat, far)
    for name in fight.attackers:
        where = fight.stood.get(name, position.pieces[name].where)
        farthest = where in grid and grid.distance(where, fight.target) == far
        if farthest and fits(position, position.pieces[name], ranged.who):
            return ranged
    return AtRange()


def at_range(combat: Combat, distance: int) -> AtRange:
    """Return what a distance changes."""
    for label, found in combat.at_range.items():
        low, high = span(label)
        if low <= distance <= high:
            return found
    return AtRange()


def _counting(position: Position, fight: Fight, combat: Combat, without: str) -> dict[str, int]:
    """Return what the terms of rules.toml add, one of each group."""
    found: dict[str, int] = {}
    greatest: dict[str, str] = {}
    for name, term in combat.terms.items():
        if term.clause == without or not (amount := worth_of(position, fight, term)):
            continue
        known = greatest.get(term.group, "") if term.group else ""
        if known and abs(found[known]) >= abs(amount):
            continue
        found.pop(known, None)
        found[name] = amount
        greatest[term.group] = name
    return found


def _excess(total: int, within: tuple[int, ...]) -> int:
    """Return by how much a total exceeds the higher of two numbers or, as a negative number, falls below the
    lower.
    """
    return total - min(max(total, within[0]), within[-1]) if within else 0


def by_hand(position: Position, fight: Fight, *, wrongly: bool = False) -> tuple[Entered, ...]:
    """Return the possible sums of the terms that players enter by hand, no term first; ``wrongly``: also of
    those that they may not enter in this battle.
    """
    found = [NOT_ENTERED]
    for name, term in combat_of(position, fight).by_hand.items():
        if wrongly or may_be_entered(position, fight, term):
            more = [(value, times) for times, value in enumerate(term.values, 1)]
            found += [one.with_term(name, term.to, *value) for one in tuple(found) for value in more]
    return tuple(sorted(found, key=lambda one: one.times))


def may_be_entered(position: Position, fight: Fight, term: ByHand) -> bool:
    """Return whether players may enter a term in a battle."""
    if term.hexes and not the_setting(position).hexes(term.hexes) >> _target(position, fight) & 1:
        return False
    attackers = [position.pieces[name] for name in fight.attackers]
    sides = ((term.attacker, attackers), (term.defender, defenders(position, fight)))
    return all(not who or any(fits(position, one, who) for one in pieces) for who, pieces in sides)


def _target(position: Position, fight: Fight) -> int:
    return position.game.map.grid.index[fight.target]


def _column(combat: Combat, table: Table, attack: Fraction, defence: Fraction) -> tuple[int, bool]:
    if combat.kind == "odds":
        if combat.rounding == "attacker":
            fitting = [
                place for place, (high, low) in enumerate(table.ratios) if attack * low >= defence * high
            ]
            above = fitting[-1] if fitting else 0
            exact = bool(fitting) and attack * table.ratios[above][1] == defence * table.ratios[above][0]
            return min(above + (bool(fitting) and not exact), len(table.columns) - 1), not fitting
        return column(table, attack, defence, combat.rounding)
    value = attack - defence if combat.kind == "differential" else attack
    ranges = table.column_ranges
    fitting = [place for place, (low, high) in enumerate(ranges) if low <= value <= high]
    if fitting:
        return fitting[0], False
    below = value < min(low for low, _ in ranges)
    reached = [place for place, (low, _) in enumerate(ranges) if low <= value]
    return (0, True) if below else (reached[-1], False)


def is_off_table(odds: Odds) -> bool:
    """Return whether shifts lead below the first column, and the table has none for that."""
    shifted_ = odds.natural + sum(shift.columns for shift in odds.shifts)
    return shifted_ < 0 and not odds.table.below.startswith("as ")


def odds_clause(combat: Combat) -> str:
    """Return the clause of the column and of factors as printed."""
    return combat.odds or combat.clause


def _strength(
    position: Position, fight: Fight, piece: Piece, factor: str, combat: Combat, without: str
) -> Strength:
    """What a unit adds: its printed factor, changed by its states, multiplied and halved by the ground."""
    rules = rules_of(position)
    printed = piece.counter.printed(factor, piece.steps)
    whole = printed if isinstance(printed, int) else 0
    value, clause, what = worth(position, piece, factor), odds_clause(combat), name_of(position, piece.id)
    changed = [name for name in piece.states if factor in position.game.states[name].counts]
    if value != whole and changed:
        state = position.game.states[changed[0]]
        rule = rules.states.get(state.id)  # type: ignore[call-overload]
        supply = rules.supply
        source = (
            rule.clause_of(factor)
            if rule
            else supply.clause
            if supply and supply.state == state.id
            else clause
        )
        if source == without:
            value = whole
        else:
            clause, what = source, f"{what}, {state.title.lower()}"
    once = bool(combat.halved_once) and combat.halved_once != without
    amount, halved = Fraction(value), once and value < whole
    rounding = "exact" if combat.totals else "up"
    to = "attack" if piece.id in fight.attackers else "defence"
    for one, source in combat.modifiers.items():
        modifier = position.game.modifiers.get(one)
        if modifier is None or modifier.to != to or source == without:
            continue
        times = _times(position, fight, modifier, piece)
        if times == 1 or (times < 1 and halved) or not _applies(position, fight, modifier):
            continue
        halved = halved or times < 1
        amount = half(amount * times, rounding) if times < 1 else amount * times
        clause, what = source, f"{what}, {modifier.title.lower()}"
    for name, term in _multiplying(position, fight, piece, combat, without):
        if once and halved and term.times < 1:
            continue
        halved = halved or term.times < 1
        amount = half(amount * term.times, rounding if combat.totals else term.round)
        clause, what = term.clause, f"{what}, {_titled(name)}"
    if to == "attack" and combat.multiply != 1:
        amount = half(amount * combat.multiply, rounding)
    source = combat.at_range_clause or combat.clause
    if to == "attack" and combat.at_range and source != without:
        where, grid = fight.stood.get(piece.id, piece.where), position.game.map.grid
        ranged = at_range(combat, grid.distance(where, fight.target) if where in grid else 0)
        if ranged.times != 1 and fits(position, piece, ranged.who):
            amount = half(amount * ranged.times, rounding)
            clause, what = source, f"{what}, at this range"
    return Strength(what, amount, clause)


def _multiplying(
    position: Position, fight: Fight, piece: Piece, combat: Combat, without: str
) -> tuple[tuple[str, Term], ...]:
    """Return the terms of rules.toml that multiply a unit, of each group the one that changes it most."""
    to = "attack" if piece.id in fight.attackers else "defence"
    found: dict[str, tuple[str, Term]] = {}
    for name, term in combat.terms.items():
        who = term.attacker if to == "attack" else term.defender
        if term.to != to or term.times == 1 or term.clause == without:
            continue
        known = found.get(f"group {term.group}") if term.group else None
        if known and _change(known[1].times) >= _change(term.times):
            continue
        if fits(position, piece, who) and holds(position, fight, term):
            found[f"group {term.group}" if term.group else name] = (name, term)
    return tuple(found.values())


def _change(times: Fraction) -> Fraction:
    """Return how much a multiplication changes: a half as much as a double, by 0 the most."""
    return max(times, 1 / times) if times else Fraction(1_000_000)


def _titled(name: str) -> str:
    """The name of an entry as findings write it."""
    return name.replace("-", " ").replace("_", " ")


def worth_of(position: Position, fight: Fight, term: Term) -> int:
    """Return what a term of rules.toml adds to a battle, 0 if it does not apply."""
    if term.times != 1 or not holds(position, fight, term):
        return 0
    total = term.worth
    if term.factor:
        pieces = [position.pieces[name] for name in fight.attackers]
        total += _best(position, fight, term, term.factor, pieces, term.attacker)
    if term.less:
        total -= _best(position, fight, term, term.less, defenders(position, fight), term.defender)
    total = total if term.least is None else max(total, term.least)
    return total if term.most is None else min(total, term.most)


def _best(
    position: Position, fight: Fight, term: Term, factor: str, pieces: Iterable[Piece], who: Who
) -> int:
    """Return the best factor of some units of a battle, or of the friends near them that a term names."""
    units = [piece for piece in pieces if fits(position, piece, who)]
    if term.near != NOBODY:
        grid = position.game.map.grid
        places = [fight.stood.get(piece.id, piece.where) for piece in units]
        places = [where for where in places if where in grid]
        units = [
            friend
            for side in dict.fromkeys(piece.side for piece in units)
            for _, friend in on_map(position, side)
            if fits(position, friend, term.near)
            and any(
                grid.distance(friend.where, where) <= points_of(position, friend, term.near_hexes)
                for where in places
            )
        ]
    return max((worth(position, piece, factor) for piece in units), default=0)


def holds(position: Position, fight: Fight, term: Term) -> bool:
    """Return whether a term of rules.toml applies in a battle."""
    grid, at = position.game.map.grid, _target(position, fight)
    if term.hexes and not the_setting(position).hexes(term.hexes) >> at & 1:
        return False
    attackers = [position.pieces[name] for name in fight.attackers]
    sides = (
        (term.attacker, term.all_attackers, term.also_attacker, term.no_attacker, attackers),
        (
            term.defender,
            term.all_defenders,
            term.also_defender,
            term.no_defender,
            defenders(position, fight),
        ),
    )
    for who, each, also, nobody, pieces in sides:
        if nobody != NOBODY and any(fits(position, piece, nobody) for piece in pieces):
            return False
        fitting = [piece for piece in pieces if fits(position, piece, who)]
        if pieces is attackers and (term.across or term.not_across):
            fitting = [piece for piece in fitting if _attacks_across(position, fight, term, piece)]
            if not fitting:
                return False
        if who and not (fitting and (not each or len(fitting) == len(pieces))):
            return False
        if also != NOBODY_NEAR and not any(
            sum(
                also.holds(true_of(position, other).union(relations_of(position, piece, other)))
                for other in pieces
                if other.id != piece.id
            )
            >= term.also_count
            for piece in fitting
        ):
            return False
    if not {*term.attacker_kinds} <= {piece.counter.kind for piece in attackers}:
        return False
    places = {fight.stood.get(name, position.pieces[name].where) for name in fight.attackers}
    places = {one for one in places if one in grid}
    around = [
        grid.adjacent[at].index(grid.index[one]) for one in places if grid.are_neighbours(one, fight.target)
    ]
    if term.opposite and not any((direction + 3) % 6 in around for direction in around):
        return False
    return len(places) >= term.from_hexes


def _attacks_across(position: Position, fight: Fight, term: Term, piece: Piece) -> bool:
    """Return whether a unit attacks across hexsides as a term requires."""
    grid, where = position.game.map.grid, fight.stood.get(piece.id, piece.where)
    features: frozenset[str] = frozenset()
    if where in grid and grid.are_neighbours(where, fight.target):
        at = grid.index[where]
        direction = grid.adjacent[at].index(grid.index[fight.target])
        features = the_setting(position).features(at, direction, closed_features(position))
    return not features & {*term.not_across} and (not term.across or bool(features & {*term.across}))


def _times(position: Position, fight: Fight, one: BattleModifier, piece: Piece) -> Fraction:
    """How many times a unit's factor counts by a modifier."""
    game, where = position.game, fight.stood.get(piece.id, piece.where)
    if where not in game.map.grid:
        return Fraction(1)
    if one.twice_against:
        many = len(defenders(position, fight)) >= one.twice_against
        return Fraction(2 if many and piece.counter.kind in one.kinds else 1)
    halves = ((one.halved, where), (one.halved_into, fight.target))
    if any(
        effect and piece.counter.kind in game.terrain[game.map.hexes[at].terrain].effects.words(effect, ())
        for effect, at in halves
    ):
        return Fraction(1, 2)
    if one.halved_across and _is_halved_across(position, fight, one, where, piece):
        return Fraction(1, 2)
    if one.times and (not one.kinds or piece.counter.kind in one.kinds):
        found = _multiples(position, fight, one, where)
        total = max(found, default=1) if one.highest else prod(max(number, 1) for number in found)
        total = total if one.least is None else max(total, one.least)
        return Fraction(max(total if one.most is None else min(total, one.most), 1))
    return Fraction(1)


def _multiples(position: Position, fight: Fight, one: BattleModifier, where: str) -> list[int]:
    """What terrain, hexsides and places multiply a factor by."""
    game = position.game
    season = entry_of_turn(position, one.season) if one.season else ""
    found = []
    if one.terrain:
        at = where if one.to == "defence" else fight.target
        found.append(_effect(game.terrain[game.map.hexes[at].terrain], one.terrain, season))
    if one.hexside:
        found.append(_across(position, fight, one, [position.pieces[n] for n in fight.attackers], season))
    return found + [one.places[place.kind] for place in game.map.places_of(where) if place.kind in one.places]


def _is_halved_across(
    position: Position, fight: Fight, one: BattleModifier, where: str, piece: Piece
) -> bool:
    """Return whether a unit attacks across a hexside that halves it."""
    grid, game = position.game.map.grid, position.game
    if not grid.are_neighbours(where, fight.target):
        return False
    at = grid.index[where]
    direction, shut = grid.adjacent[at].index(grid.index[fight.target]), closed_features(position)
    features = the_setting(position).features(at, direction, shut)
    return any(
        piece.counter.kind in game.features[name].effects.words(one.halved_across, ()) for name in features
    )


def amount_of(
    position: Position, fight: Fight, one: BattleModifier, attackers: list[Piece], units: list[Piece]
) -> int:
    """Return the value of a modifier in a battle, 0 if it does not apply."""
    if one.times or one.halves or one.twice_against or not _applies(position, fight, one):
        return 0
    game, target = position.game, fight.target
    season = entry_of_turn(position, one.season) if one.season else ""
    found = [one.worth] if one.worth else []
    if one.terrain:
        found.append(_effect(game.terrain[game.map.hexes[target].terrain], one.terrain, season))
    found += [one.places[place.kind] for place in game.map.places_of(target) if place.kind in one.places]
    if one.hexside:
        found.append(_across(position, fight, one, attackers, season))
    if one.best:
        found.append(max((worth(position, piece, one.best) for piece in attackers), default=0))
    if one.less:
        found.append(-max((worth(position, piece, one.less) for piece in units), default=0))
    total = max(found, default=0) if one.highest else sum(found)
    total = total if one.least is None else max(total, one.least)
    return total if one.most is None else min(total, one.most)


def _across(
    position: Position, fight: Fight, one: BattleModifier, attackers: list[Piece], season: str
) -> int:
    """The value of hexsides across which all attackers, or those with most of the factors, attack."""
    setting, grid = the_setting(position), position.game.map.grid
    combat = combat_of(position, fight)
    to = grid.index[fight.target]
    by_value: dict[str, list[Piece]] = {}
    for piece in attackers:
        where = fight.stood.get(piece.id, piece.where)
        features: frozenset[str] = frozenset()
        if where in grid and grid.are_neighbours(where, fight.target):
            at = grid.index[where]
            features = setting.features(at, grid.adjacent[at].index(to), closed_features(position))
        for name in features:
            by_value.setdefault(name, []).append(piece)
    found = []
    strength = sum(worth(position, piece, combat.attack) for piece in attackers)
    for name, pieces in by_value.items():
        amount = _effect(position.game.features[name], one.hexside, season)
        share = sum(worth(position, piece, combat.attack) for piece in pieces)
        enough = len(pieces) == len(attackers) if one.across == "all" else 2 * share > strength
        if enough and amount:
            found.append(amount)
    return max(found, default=0) if one.highest else sum(found)


def _effect(row: ChartRow, effect: str, season: str) -> int:
    group = row.effects.group(season) if season and season in row.effects else row.effects
    found = group.get(effect)
    found = row.effects.get(effect) if found is None else found
    return found if isinstance(found, int) and not isinstance(found, bool) else 0


def _applies(position: Position, fight: Fight, one: BattleModifier) -> bool:
    """Return whether a modifier applies, given the attackers and the defenders."""
    attackers = [position.pieces[name] for name in fight.attackers]
    units = list(defenders(position, fight))
    if (one.no_attacker and _some_fit(position, one.no_attacker, attackers)) or (
        one.no_defender and _some_fit(position, one.no_defender, units)
    ):
        return False
    return all(
        _some_fit(position, text, pieces)
        for text, pieces in (
            (one.attacker, attackers),
            (one.also_attacker, attackers),
            (one.defender, units),
            (one.also_defender, units),
        )
    )


def _some_fit(position: Position, text: str, pieces: list[Piece]) -> bool:
    if not text:
        return True
    return any(
        any((word in true_of(position, piece)) == asked for piece in pieces)
        for word, asked in conditions(text)
    )


def term_clauses(rules: Families) -> str:
    """Return the clauses of all terms of battles."""
    found: list[str] = [odds_clause(combat) for combat in rules.combat.values()]
    found += [combat.per_hex_clause or combat.clause for combat in rules.combat.values() if combat.per_hex]
    found += [clause for combat in rules.combat.values() for clause in combat.modifiers.values()]
    found += [term.clause for combat in rules.combat.values() for term in combat.terms.values()]
    found += [combat.at_range_clause for combat in rules.combat.values()]
    found += [combat.halved_once for combat in rules.combat.values()]
    found += [combat.within_clause for combat in rules.combat.values()]
    found += [store.clause for store in rules.stores.values()]
    found += [clause for rule in rules.states.values() for clause in rule.clauses]
    found += [rules.supply.clause] if rules.supply else []
    return clauses_of(*found)
