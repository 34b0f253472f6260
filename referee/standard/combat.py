"""Combat: who attacks whom, the odds as announced, the dice."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, islice

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.announced import Announced
from referee.engine.combat import Modifier, Odds
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.settling import settled
from referee.engine.wording import counted, listed, name_of, names_of
from referee.standard.battle import (
    Fight,
    by_hand,
    calculate,
    combat_of,
    defenders,
    each_as_target,
    fight_of,
    fights,
    is_off_table,
    odds_clause,
    result_at,
    shifted,
    table_of,
    title_of,
)
from referee.standard.facts import (
    did,
    enemies_at,
    fits,
    has_done,
    held,
    may_do,
    on_map,
    phase_rule,
    rules_of,
    set_state,
    units_at,
    worth,
)
from referee.standard.notes import ATTACKED, TARGETS, TRAIL, Trail
from referee.standard.setting import the_setting, true_of
from referee.standard.trip import Trip, movers
from referee.standard.verbs import ATTACK, combats_in
from vassalgen.game.families import Combat, Families
from vassalgen.game.hexes import Grid

SHOWN_TERMS = 4
SHOWN = 24
"""How many ways of joining forces against a hex are proposed."""


def section(rules: Families) -> Section:
    """Return the rules of combat."""
    found = Section("Combat", rules.provenance)
    if not rules.combat:
        return found
    verbs = tuple(dict.fromkeys((ATTACK, *rules.combat)))
    _who_attacks(found, rules, verbs)
    _once(found, rules, verbs)
    _declaring(found, rules, verbs)
    if any(combat.several for combat in rules.combat.values()):
        _several(found, rules)
    _odds(found, rules)
    _dice(found, rules)
    _proposals(found, rules)
    return found


def _clauses(*clauses: str) -> str:
    return " ".join(dict.fromkeys(clause for clause in clauses if clause))


def kind_for(position: Position, action: Action) -> str:
    """Return the kind of combat that is declared: the one named, or the one of the phase for that side."""
    rules = rules_of(position)
    here = combats_in(rules, position.phase)
    if action.verb in here or (action.verb in rules.combat and action.verb != ATTACK):
        return action.verb
    if action.pieces:
        first = position.pieces[action.piece]
        here = tuple(name for name in here if may_do(position, first, name)) or here
    return here[0] if here else next(iter(rules.combat))


def _who_attacks(found: Section, rules: Families, verbs: tuple[str, ...]) -> None:
    first = next(iter(rules.combat.values())).clause
    plain = _clauses(*(combat.clause for combat in rules.combat.values()))

    @found.on(*verbs, clause=plain)
    def an_attack_is_made_on_enemies(position: Position, action: Action) -> Breach | None:
        combat = rules.combat[kind_for(position, action)]
        side = position.pieces[action.piece].side if action.pieces else position.side
        enemies = enemies_at(position, action.target, side)
        if not enemies:
            does = "attacks" if len(action.pieces) == 1 else "attack"
            says = f"{names_of(position, action.pieces)} {does} {action.target}; no enemy is there."
            return Breach(says, {"hex": action.target}, clause=combat.clause)
        barred = [piece.id for piece in enemies if not fits(position, piece, combat.against)]
        if len(barred) == len(enemies):
            says = f"{names_of(position, barred)} in {action.target} may not be attacked so."
            return Breach(says, {"hex": action.target, "units": tuple(barred)}, clause=combat.clause)
        return None

    @found.on(*verbs, clause=plain)
    def only_some_attack(position: Position, action: Action) -> Iterator[Breach]:
        combat = rules.combat[kind_for(position, action)]
        for name in action.pieces:
            if not fits(position, position.pieces[name], combat.who):
                says = f"{name_of(position, name)} may not attack: only {combat.who.text} may."
                yield Breach(says, {"unit": name}, clause=combat.clause)

    ranged = _clauses(first, *(combat.range_clause or combat.clause for combat in rules.combat.values()))

    @found.on(*verbs, clause=ranged)
    def attackers_are_in_reach(position: Position, action: Action) -> Iterator[Breach]:
        combat, grid = rules.combat[kind_for(position, action)], position.game.map.grid
        for name in action.pieces:
            piece = position.pieces[name]
            gap = grid.distance(piece.where, action.target) if piece.where in grid else 0
            most = reach_of(position, piece, combat)
            if 1 <= gap <= most:
                continue
            unit = name_of(position, name)
            if gap:
                far = counted(gap, "hex")
                says = (
                    f"{unit} attacks {action.target} from {piece.where}, {far} away; it reaches"
                    f" {counted(most, 'hex')}."
                )
            else:
                says = f"{unit} attacks {action.target}; it is not on the map next to it."
            facts: Facts = {"unit": name, "hex": piece.where or "none", "distance": gap}
            # one that was lost after it joined was there: of two attacks, which came first is not known
            grade = Grade.illegal if piece.where in grid else Grade.unproven
            yield Breach(says, facts, grade, combat.range_clause or combat.clause)

    barred = [bar for bar in rules.bars.values() if set(bar.to) & {ATTACK, *rules.combat}]
    if barred:

        @found.on(*verbs, clause=_clauses(*(bar.clause for bar in barred)))
        def no_attack_across_what_bars_it(position: Position, action: Action) -> Iterator[Breach]:
            setting, grid, kind = the_setting(position), position.game.map.grid, kind_for(position, action)
            to = grid.index[action.target]
            for name in action.pieces:
                piece = position.pieces[name]
                if piece.where not in grid or not grid.are_neighbours(piece.where, action.target):
                    continue
                at = grid.index[piece.where]
                direction = grid.adjacent[at].index(to)
                roads = bool(position.game.map.road_kinds[at][direction])
                for one in setting.bars_for(true_of(position, piece), ATTACK, kind):
                    bar = rules.bars[one]
                    if setting.is_barred(bar, at, to, setting.features(at, direction), roads):
                        says = f"{name_of(position, name)} may not attack {action.target} from {piece.where}."
                        yield Breach(says, {"unit": name, "hex": piece.where}, clause=bar.clause)

    sights = {name: combat.sight for name, combat in rules.combat.items() if combat.sight}
    if sights:

        @found.on(*verbs, clause=_clauses(*sights.values()))
        def attackers_see_their_target(position: Position, action: Action) -> Iterator[Breach]:
            kind = kind_for(position, action)
            combat, grid = rules.combat[kind], position.game.map.grid
            for name in action.pieces if kind in sights else ():
                where = position.pieces[name].where
                if where not in grid or grid.distance(where, action.target) < 2:
                    continue
                if blocking := blocked_sight(position, where, action.target, combat):
                    blocks = "blocks" if len(blocking) == 1 else "block"
                    says = (
                        f"{name_of(position, name)} cannot see {action.target} from {where}:"
                        f" {listed(blocking)} {blocks} the line of sight."
                    )
                    yield Breach(says, {"unit": name, "hexes": blocking}, clause=sights[kind])

    _who_with_whom(found, rules, verbs)
    stacks = {name: combat.whole_stack for name, combat in rules.combat.items() if combat.whole_stack}
    if stacks:

        @found.on(*verbs, clause=_clauses(*stacks.values()))
        def whole_stacks_attack(position: Position, action: Action) -> Iterator[Breach]:
            kind = kind_for(position, action)
            combat = rules.combat[kind]
            if kind not in stacks:
                return
            for where in dict.fromkeys(position.pieces[name].where for name in action.pieces):
                side = position.pieces[action.piece].side
                idle = [
                    piece.id
                    for piece in units_at(position, where, side)
                    if piece.id not in action.pieces and fits(position, piece, combat.who)
                ]
                if idle and where in position.game.map.grid:
                    says = (
                        f"{names_of(position, idle)} in {where} take no part; units of one hex attack"
                        " together."
                    )
                    yield Breach(says, {"hex": where, "units": tuple(idle)}, clause=stacks[kind])


def _who_with_whom(found: Section, rules: Families, verbs: tuple[str, ...]) -> None:
    together = {name: combat.one_hex for name, combat in rules.combat.items() if combat.one_hex}
    if together:

        @found.on(*verbs, clause=_clauses(*together.values()))
        def attackers_are_in_one_hex(position: Position, action: Action) -> Breach | None:
            kind = kind_for(position, action)
            places = tuple(dict.fromkeys(position.pieces[name].where for name in action.pieces))
            if kind not in together or len(places) < 2:
                return None
            says = (
                f"{names_of(position, action.pieces)} attack from {listed(places)}; they must be in one hex."
            )
            return Breach(says, {"units": action.pieces, "hexes": places}, clause=together[kind])

    moved = {name: combat.moved for name, combat in rules.combat.items() if combat.moved}
    if moved:

        @found.on(*verbs, clause=_clauses(*moved.values()))
        def only_units_that_moved_are_attacked(position: Position, action: Action) -> Breach | None:
            kind = kind_for(position, action)
            if kind not in moved:
                return None
            enemies = enemies_at(position, action.target, position.pieces[action.piece].side)
            if not enemies or any(position.note(TRAIL, piece.id) is not None for piece in enemies):
                return None
            names = names_of(position, (piece.id for piece in enemies))
            says = (
                f"{names} in {action.target} did not move in this phase and may not be attacked so ({kind})."
            )
            return Breach(says, {"hex": action.target}, clause=moved[kind])

    seen = {name: combat.observer_clause for name, combat in rules.combat.items() if combat.observer_clause}
    if seen:

        @found.on(*verbs, clause=_clauses(*seen.values()))
        def a_friend_sees_the_target(position: Position, action: Action) -> Iterator[Breach]:
            kind, grid = kind_for(position, action), position.game.map.grid
            if kind not in seen:
                return
            combat, side = rules.combat[kind], position.pieces[action.piece].side
            if any(
                grid.distance(piece.where, action.target) <= combat.observer_hexes
                for _, piece in on_map(position, side)
                if fits(position, piece, combat.observer)
            ):
                return
            for name in action.pieces:
                where = position.pieces[name].where
                if where in grid and grid.distance(where, action.target) > 1:
                    near = counted(combat.observer_hexes, "hex")
                    says = (
                        f"{name_of(position, name)} attacks {action.target}; no {combat.observer.text} within"
                        f" {near} of it observes."
                    )
                    yield Breach(says, {"unit": name, "hex": action.target}, clause=seen[kind])

    paid = {name: combat for name, combat in rules.combat.items() if combat.points}
    if paid:

        @found.on(*verbs, clause=_clauses(*(one.points_clause or one.clause for one in paid.values())))
        def attackers_have_the_points(position: Position, action: Action) -> Iterator[Breach]:
            kind = kind_for(position, action)
            for name in action.pieces if kind in paid else ():
                trip = trip_of(position, name)
                if trip is None:
                    continue
                combat, left_ = paid[kind], trip.budget - trip.spent
                if combat.points * trip.setting.scale > left_:
                    needs, unit = counted(combat.points, trip.way.unit), name_of(position, name)
                    has = number(Fraction(left_, trip.setting.scale))
                    says = f"{unit} attacks {action.target}; that costs {needs}, and it has {has} left."
                    yield Breach(says, {"unit": name}, clause=combat.points_clause or combat.clause)


def trip_of(position: Position, unit: str) -> Trip | None:
    """Return the movement of a unit in this phase as far as it has come; None if it moves in no way."""
    piece = position.pieces[unit]
    trail = position.note(TRAIL, unit)
    name = trail.way if trail else next(iter(movers(position, piece)), "")
    if name not in rules_of(position).movement or piece.where not in position.game.map.grid:
        return None
    return Trip.of(position, Action(name, (unit,), (piece.where, piece.where), dragged=True))


def blocked_sight(position: Position, here: str, there: str, combat: Combat) -> tuple[str, ...]:
    """Return the hexes that break the line of sight; none if it is free along one edge of it at least."""
    grid, setting = position.game.map.grid, the_setting(position)
    blocking = setting.hexes(combat.blocked_by) if combat.blocked_by else 0
    if combat.units_block:
        blocking |= held(position, tuple(position.game.sides))
    found = []
    for line in lines_between(grid, here, there):
        hit = tuple(name for name in line if blocking >> grid.index[name] & 1)
        if not hit:
            return ()
        found.append(hit)
    return found[0]


def lines_between(grid: Grid, here: str, there: str) -> tuple[tuple[str, ...], ...]:
    """Return the hexes between two along the straight line; along hexsides those on either side of it."""
    start, end = grid.cubes[grid.index[here]], grid.cubes[grid.index[there]]
    steps, lines = grid.distance(here, there), []
    for nudge in (1e-6, -1e-6):
        line = []
        for step in range(1, steps):
            share = step / steps
            point = [a + (b - a) * share for a, b in zip(start, end, strict=True)]
            cube = _rounded(point[0] + nudge, point[1] + 2 * nudge, point[2] - 3 * nudge)
            if cube in grid.by_cube:
                line.append(grid.names[grid.by_cube[cube]])
        lines.append(tuple(line))
    return tuple(dict.fromkeys(lines))


def _rounded(first: float, second: float, third: float) -> tuple[int, int]:
    """The hex in which a point lies, in cube coordinates."""
    near = [round(first), round(second), round(third)]
    gaps = [abs(near[0] - first), abs(near[1] - second), abs(near[2] - third)]
    widest = gaps.index(max(gaps))
    near[widest] -= sum(near)
    return near[0], near[1]


def reach_of(position: Position, piece: Piece, combat: Combat) -> int:
    """Return how far a unit attacks."""
    return combat.range if isinstance(combat.range, int) else worth(position, piece, combat.range)


def _once(found: Section, rules: Families, verbs: tuple[str, ...]) -> None:
    units = _clauses(*(combat.unit_once for combat in rules.combat.values()))
    targets = _clauses(*(combat.target_once for combat in rules.combat.values()))
    if units:

        @found.on(*verbs, clause=units)
        def a_unit_attacks_once(position: Position, action: Action) -> Iterator[Breach]:
            combat = rules.combat[kind_for(position, action)]
            for name in action.pieces:
                before = position.note(ATTACKED, name) or ()
                before += tuple(
                    one.target for one in fights(position) if name in one.attackers and not one.rolled
                )
                if before and combat.unit_once:
                    says = (
                        f"{name_of(position, name)} attacks {action.target}; it has attacked {before[0]} in"
                        " this phase."
                    )
                    yield Breach(says, {"unit": name, "before": before}, clause=combat.unit_once)

    if targets:

        @found.on(*verbs, clause=targets)
        def a_hex_is_attacked_once(position: Position, action: Action) -> Breach | None:
            kind = kind_for(position, action)
            combat = rules.combat[kind]
            declared = any(action.target in one.hexes and not one.rolled for one in fights(position))
            if combat.target_once and (declared or kind in (position.note(TARGETS, action.target) or ())):
                says = f"{action.target} is attacked again; a hex is attacked once in a phase."
                return Breach(says, {"hex": action.target}, clause=combat.target_once)
            return None

    after = _clauses(
        *(combat.not_after_clause or combat.clause for combat in rules.combat.values() if combat.not_after)
    )
    if after:

        @found.on(*verbs, clause=after)
        def not_after_other_things(position: Position, action: Action) -> Iterator[Breach]:
            combat = rules.combat[kind_for(position, action)]
            for name in action.pieces:
                if done := has_done(position, name, combat.not_after):
                    says = f"{name_of(position, name)} attacks after it did {done[0]} in this player turn."
                    yield Breach(says, {"unit": name}, clause=combat.not_after_clause or combat.clause)


def _declaring(found: Section, rules: Families, verbs: tuple[str, ...]) -> None:
    first = next(iter(rules.combat.values())).clause

    @found.does(*verbs)
    def declare(position: Position, action: Action) -> Position:
        number_ = action.battle or max((battle.number for battle in position.battles), default=0) + 1
        side = position.pieces[action.piece].side if action.pieces else position.side
        stood = {name: position.pieces[name].where for name in action.pieces}
        kind = kind_for(position, action)
        return position.with_battle(
            Fight(number_, action.target, action.pieces, kind=kind, side=side, stood=stood)
        )

    @found.on("call off", clause=first)
    def an_attack_is_called_off_before_its_dice(position: Position, action: Action) -> Breach | None:
        fight = fight_of(position, action)
        if fight is None or not fight.rolled:
            return None
        return Breach(
            f"{_upper(title_of(position.game, fight))} is called off after its dice.", {"hex": fight.target}
        )

    @found.does("call off")
    def call_off(position: Position, action: Action) -> Position:
        fight = fight_of(position, action)
        if fight is None:
            return position
        return (
            position.with_battle(settled_fight(fight))
            if fight.rolled
            else position.without_battle(fight.number)
        )

    @found.does("settle")
    def settle(position: Position, action: Action) -> Position:
        fight = fight_of(position, action)
        return settled(position, fight) if fight and fight.rolled else position


def settled_fight(fight: Fight) -> Fight:
    """Return a battle as settled."""
    return evolve(fight, settled=True)


def _several(found: Section, rules: Families) -> None:
    """Further hexes that are attacked together with the first."""
    clause = _clauses(*(combat.several for combat in rules.combat.values()))

    @found.on("also", clause=clause)
    def each_attacker_reaches_every_hex(position: Position, action: Action) -> Iterator[Breach]:
        fight, grid = fight_of(position, action), position.game.map.grid
        if fight is None or fight.rolled:
            return
        combat = combat_of(position, fight)
        owed = combat.several or combat.clause
        if not combat.several:
            says = f"{action.target} is attacked together with {fight.target}; one hex is attacked at a time."
            yield Breach(says, {"hex": action.target}, clause=owed)
            return
        if not enemies_at(position, action.target, fight.side):
            says = f"{action.target} is attacked together with {fight.target}; no enemy is there."
            yield Breach(says, {"hex": action.target}, clause=owed)
        for name in fight.attackers:
            piece = position.pieces[name]
            gap = grid.distance(piece.where, action.target) if piece.where in grid else 0
            if gap > reach_of(position, piece, combat):
                says = (
                    f"{name_of(position, name)} in {piece.where} attacks {fight.target} and {action.target};"
                    f" it reaches only the first."
                )
                yield Breach(says, {"unit": name, "hex": action.target, "distance": gap}, clause=owed)

    targets = _clauses(*(combat.target_once for combat in rules.combat.values() if combat.several))
    if targets:

        @found.on("also", clause=targets)
        def a_further_hex_is_attacked_once(position: Position, action: Action) -> Breach | None:
            fight = fight_of(position, action)
            if fight is None or fight.rolled or not combat_of(position, fight).target_once:
                return None
            before = fight.kind in (position.note(TARGETS, action.target) or ())
            declared = any(
                action.target in one.hexes for one in fights(position) if one is not fight and not one.rolled
            )
            if not before and not declared:
                return None
            says = f"{action.target} is attacked again; a hex is attacked once in a phase."
            return Breach(says, {"hex": action.target}, clause=combat_of(position, fight).target_once)

    @found.does("also")
    def add_hex(position: Position, action: Action) -> Position:
        fight = fight_of(position, action)
        if fight is None or fight.rolled or action.target in fight.hexes:
            return position
        return position.with_battle(evolve(fight, further=(*fight.further, action.target)))


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _term_clauses(rules: Families) -> str:
    found: list[str] = [odds_clause(combat) for combat in rules.combat.values()]
    found += [combat.per_hex_clause or combat.clause for combat in rules.combat.values() if combat.per_hex]
    found += [clause for combat in rules.combat.values() for clause in combat.modifiers.values()]
    found += [combat.at_range_clause for combat in rules.combat.values()]
    found += [rule.clause for rule in rules.states.values()]
    found += [rules.supply.clause] if rules.supply else []
    return _clauses(*found)


def explain(position: Position, fight: Fight, said: Announced, modifier: int | None = None) -> str:
    """Return the clause whose term was left out or counted though it does not hold, of what was announced.

    Empty if it is right. Where no single term explains it, that is the clause of the combat.
    """
    right, combat = calculate(position, fight), combat_of(position, fight)
    entered = by_hand(combat)
    hexes = [right, *(calculate(position, one) for one in each_as_target(fight)[1:])]
    if any(_is(shifted(odds, *more), said, modifier) for odds in hexes for more in entered):
        return ""
    clauses = [part.clause for part in (*right.attack, *right.defence)]
    clauses += [part.clause for part in right.shifts]
    clauses += [part.clause for part in right.modifiers]
    for clause in dict.fromkeys(clauses):
        odds = calculate(position, fight, clause)
        if any(_is(shifted(odds, *more), said, modifier) for more in entered):
            return clause
    return odds_clause(combat)


def _word(label: str) -> str:
    """A column's label as one word, as records write it."""
    return "".join(label.split())


def _is(odds: Odds, said: Announced, modifier: int | None) -> bool:
    column = not said.column or _word(said.column) == _word(odds.label)
    return column and said.sums_fit(odds) and modifier in (None, odds.modifier)


def _odds(found: Section, rules: Families) -> None:
    terms = _term_clauses(rules)

    @found.on("odds", clause=terms)
    def announced_odds_are_right(position: Position, action: Action) -> Breach | None:
        fight = fight_of(position, action)
        if fight is None or fight.rolled or not fight.attackers:
            return None
        said = Announced.of(action)
        clause = explain(position, fight, said)
        if not clause:
            return None
        right = calculate(position, fight)
        sums = f"{number(right.attacking)} to {number(right.defending)}"
        says = (
            f"{said.column} is announced for {title_of(position.game, fight)}; the right column is"
            f" {right.label} ({sums}){_named(right, clause)}."
        )
        facts: Facts = {"announced": " ".join(action.words), "column": right.label, "odds": right.lines()}
        return Breach(says, facts, Grade.slip, clause)

    @found.on("modifier", clause=terms)
    def announced_modifiers_are_right(position: Position, action: Action) -> Breach | None:
        fight = fight_of(position, action)
        if fight is None or fight.rolled or not fight.attackers:
            return None
        said = int(Fraction(action.words[0]))
        clause = explain(position, fight, Announced(), said)
        if not clause:
            return None
        right = calculate(position, fight)
        says = (
            f"{said:+d} is announced for {title_of(position.game, fight)}; the dice are modified by"
            f" {right.modifier:+d}{_named(right, clause)}."
        )
        facts: Facts = {"announced": said, "modifier": right.modifier, "odds": right.lines()}
        return Breach(says, facts, Grade.slip, clause)

    @found.does("odds")
    def announce(position: Position, action: Action) -> Position:
        """What the players announce is what they play by."""
        fight = fight_of(position, action)
        if fight is None or fight.rolled:
            return position
        columns = [_word(label) for label in table_of(position, fight).columns]
        if _word(action.words[0]) not in columns:
            return position
        return position.with_battle(evolve(fight, column=columns.index(_word(action.words[0]))))

    @found.does("modifier")
    def announce_modifier(position: Position, action: Action) -> Position:
        fight = fight_of(position, action)
        if fight is None or fight.rolled:
            return position
        return position.with_battle(evolve(fight, modifier=int(Fraction(action.words[0]))))

    @found.on("result", clause=terms)
    def the_announced_result_is_that_of_the_table(position: Position, action: Action) -> Breach | None:
        fight = fight_of(position, action)
        if fight is None or not fight.rolled or action.words[0] in (fight.result, fight.right):
            return None
        says = (
            f"{action.words[0]} is announced for {title_of(position.game, fight)}; a {fight.total} gives"
            f" {fight.right}."
        )
        facts: Facts = {"announced": action.words[0], "right": fight.right}
        return Breach(says, facts, Grade.slip, combat_of(position, fight).clause)


def _named(odds: Odds, clause: str) -> str:
    """Say what the terms of a clause are worth."""
    strengths = [part for part in (*odds.attack, *odds.defence) if part.clause == clause]
    parts = [f"{part.what} counts {number(part.amount)}" for part in strengths]
    shifts = [part for part in odds.shifts if part.clause == clause]
    parts += [f"{part.what} shifts {part.columns:+d}" for part in shifts]
    parts += [f"{part.what} adds {part.amount:+d}" for part in odds.modifiers if part.clause == clause]
    return f": {listed(parts)}" if parts and len(parts) < SHOWN_TERMS else ""


def _dice(found: Section, rules: Families) -> None:
    dice = tuple(dict.fromkeys(combat.dice for combat in rules.combat.values()))
    verbs = tuple(f"roll {one}" for one in dice)
    plain = _clauses(*(combat.clause for combat in rules.combat.values()))

    @found.on(*verbs, clause=plain)
    def dice_belong_to_an_attack(position: Position, action: Action) -> Breach | None:
        fight = fight_of(position, action)
        first = next(iter(rules.combat.values())).clause
        if fight is None:
            return Breach("The combat dice are rolled, but no attack was declared.", {}, Grade.slip, first)
        clause = combat_of(position, fight).clause
        if fight.rolled:
            says = (
                f"The combat dice for {title_of(position.game, fight)} have already been rolled:"
                f" {fight.total}."
            )
            return Breach(says, {"first": fight.total}, Grade.unproven, clause)
        used = position.game.dice[combat_of(position, fight).dice]
        if len(action.dice) != used.count or not all(1 <= face <= used.sides for face in action.dice):
            rolled = "+".join(map(str, action.dice))
            says = f"{rolled} is rolled; the roll is made with {used.count}d{used.sides}."
            return Breach(says, {"rolled": rolled}, Grade.slip, clause)
        return None

    below = _clauses(*(combat.below for combat in rules.combat.values()))
    if below:

        @found.on(*verbs, clause=below)
        def not_below_the_first_column(position: Position, action: Action) -> Breach | None:
            fight = fight_of(position, action)
            if fight is None or fight.rolled or not fight.attackers or not combat_of(position, fight).below:
                return None
            odds = calculate(position, fight)
            if not odds.below and not is_off_table(odds):
                return None
            first = odds.table.columns[0]
            sums = f"{number(odds.attacking)} to {number(odds.defending)}"
            says = (
                f"{_upper(title_of(position.game, fight))} is made at {sums}, which is worse than {first};"
                " no attack may be."
            )
            if not odds.below:
                says = (
                    f"{_upper(title_of(position.game, fight))} is made at {sums}; shifted, that is worse than"
                    f" {first}."
                )
            grade = Grade.illegal if odds.below else Grade.unproven
            return Breach(says, {"odds": odds.lines()}, grade, combat_of(position, fight).below)

    @found.does(*verbs)
    def roll(position: Position, action: Action) -> Position:
        """Fix who fights and the result by what was announced, and the right one."""
        fight = fight_of(position, action)
        if fight is None or fight.rolled:
            return position
        right = calculate(position, fight)
        column = right.column if fight.column is None else fight.column
        more = right.modifier if fight.modifier is None else fight.modifier
        faces = sum(action.dice)
        said = Announced(right.table.columns[column])
        mistake = explain(position, fight, said, more)
        true = right
        if not mistake:  # what players entered by hand holds
            true = evolve(right, column=column, modifiers=(Modifier("as announced", more, ""),))
        units = tuple(piece.id for piece in defenders(position, fight))
        pieces = {name: position.pieces[name] for name in (*fight.attackers, *units)}
        fought = evolve(
            fight,
            has_die=True,
            off_table=is_off_table(right),
            other_dice=action.verb != f"roll {combat_of(position, fight).dice}",
            column=column,
            modifier=more,
            total=faces + more,
            defenders=units,
            stood={name: piece.where for name, piece in pieces.items()},
            strong={name: piece.steps for name, piece in pieces.items()},
            had={name: tuple(piece.states) for name, piece in pieces.items()},
            result=result_at(position, fight, column, faces + more),
            right=result_at(position, fight, true.column, faces + true.modifier),
            mistake=mistake,
            why=_named(right, mistake) if mistake else "",
        )
        for name in fight.attackers:
            before = position.note(ATTACKED, name) or ()
            position = position.with_note(ATTACKED, name, (*before, *fight.hexes))
            position = _paid(position, name, combat_of(position, fight))
            position = did(position, name, ATTACK, fight.kind)
            state = combat_of(position, fight).state_after
            if state and name in position.pieces and not position.pieces[name].is_(state):
                position = set_state(position, name, state)
        for where in fight.hexes:
            kinds = position.note(TARGETS, where) or ()
            position = position.with_note(TARGETS, where, (*kinds, fight.kind))
        return position.with_battle(fought)


def _paid(position: Position, unit: str, combat: Combat) -> Position:
    """Take the points of movement off a unit that an attack costs; it may go on if it has stopped."""
    trip = trip_of(position, unit) if combat.points else None
    if trip is None:
        return position
    trail = trip.trail or Trail(trip.start, way=trip.name)
    spent = trip.spent + combat.points * trip.setting.scale
    return position.with_note(TRAIL, unit, evolve(trail, spent=min(spent, trip.budget), stopped=False))


def odds_of(position: Position, target: str, units: tuple[str, ...]) -> Odds:
    """Return the odds that units have against a hex, if they attacked it now."""
    stood = {name: position.pieces[name].where for name in units}
    kind = kind_for(position, Action(ATTACK, units, target=target))
    return calculate(
        position, Fight(0, target, units, kind=kind, side=position.pieces[units[0]].side, stood=stood)
    )


def current_odds(position: Position, number: int) -> Odds | None:
    """Return the odds of a current battle."""
    battle = position.battle(number)
    return calculate(position, battle) if isinstance(battle, Fight) and battle.attackers else None


def _proposals(found: Section, rules: Families) -> None:
    @found.proposes
    def possible_attacks(position: Position, piece: Piece) -> Iterator[Action]:
        """Attacks of a unit, alone and with the friends who reach the same hex."""
        grid, phase = position.game.map.grid, phase_rule(position)
        kinds = combats_in(rules, position.phase)
        if phase is None or not kinds or piece.where not in grid:
            return
        for kind in kinds:
            combat = rules.combat[kind]
            if (
                not may_do(position, piece, kind)
                or not fits(position, piece, combat.who)
                or piece.id not in the_setting(position).units
            ):
                continue
            for target in grid.within(piece.where, reach_of(position, piece, combat)):
                if target == piece.where or not enemies_at(position, target, piece.side):
                    continue
                friends = [
                    friend.id
                    for _, friend in on_map(position, piece.side)
                    if friend.id > piece.id
                    and 1 <= grid.distance(friend.where, target) <= reach_of(position, friend, combat)
                ]
                verb = kind if len(kinds) > 1 or kind == ATTACK else ATTACK
                joined = (
                    with_ for count in range(len(friends), -1, -1) for with_ in combinations(friends, count)
                )
                for with_ in islice(joined, SHOWN):
                    yield Action(verb, (piece.id, *with_), target=target)

    @found.proposes
    def dice_and_calls(position: Position, piece: Piece) -> Iterator[Action]:
        """The rolls and calls that a current attack allows, proposed by its first attacker."""
        for fight in fights(position):
            if not fight.attackers or fight.attackers[0] != piece.id:
                continue
            if fight.rolled:
                if not fight.settled:
                    yield Action("settle", battle=fight.number)
                continue
            dice = position.game.dice[combat_of(position, fight).dice]
            for total in range(dice.count, dice.count * dice.sides + 1):
                yield Action(
                    f"roll {dice.id}", dice=_faces(total, dice.count, dice.sides), battle=fight.number
                )
            yield Action("call off", battle=fight.number)
            yield from _further_hexes(position, fight)
            right = calculate(position, fight)
            yield Action("odds", words=(_word(right.label),), battle=fight.number)


def _further_hexes(position: Position, fight: Fight) -> Iterator[Action]:
    """Propose to attack a neighbour of the target with it."""
    if combat_of(position, fight).several and not fight.further:
        for where in position.game.map.grid.neighbours(fight.target):
            if enemies_at(position, where, fight.side):
                yield Action("also", target=where, battle=fight.number)


def _faces(total: int, count: int, sides: int) -> tuple[int, ...]:
    """Return faces of so many dice that make a total."""
    found = []
    for left in range(count - 1, -1, -1):
        face = min(sides, total - left)
        found.append(face)
        total -= face
    return tuple(found)
