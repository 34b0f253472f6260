"""Attackers and targets: reach, line of sight, which units attack together, and how often."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.wording import counted, listed, name_of, names_of
from referee.standard.battle import Fight, doubted_before, fights, undeclared
from referee.standard.facts import (
    allowed,
    clauses_of,
    closed_features,
    enemies_at,
    fits,
    has_done,
    may_do,
    on_map,
    points_of,
    rules_of,
    units_at,
)
from referee.standard.kinds_of_movement import movers
from referee.standard.move import Move
from referee.standard.notes import ATTACKED, TARGETS, TRAIL
from referee.standard.own_words import relations_of, true_of
from referee.standard.setting import the_setting
from referee.standard.sight import not_seen
from referee.standard.verbs import ATTACK, combats_in
from vassalgen.game.families import Bar, Combat, Families, Led
from vassalgen.game.words import likeness


def section(rules: Families) -> Section:
    """Return the rules on attackers and targets."""
    found = Section("Attackers", rules.provenance)
    if rules.combat:
        verbs = tuple(dict.fromkeys((ATTACK, *rules.combat)))
        _who_attacks(found, rules, verbs)
        _once(found, rules, verbs)
    return found


def kind_for(position: Position, action: Action) -> str:
    """Return the kind of combat that is declared: the one named, or the one of the phase for that side.

    Where that leaves several, it is one that all attackers may make.
    """
    rules = rules_of(position)
    here = combats_in(rules, position.phase) or tuple(rules.combat)
    if action.verb in here or (action.verb in rules.combat and action.verb != ATTACK):
        return action.verb
    pieces = [position.pieces[name] for name in on_their_own(position, action)]
    if pieces:
        here = tuple(name for name in here if may_do(position, pieces[0], name)) or here
    if len(here) > 1:
        who = {name: rules.combat[name].who for name in here}
        here = tuple(name for name in here if all(fits(position, one, who[name]) for one in pieces)) or here
    return here[0]


def on_their_own(position: Position, action: Action) -> tuple[str, ...]:
    """Return the attackers without those that only go along, such as a leader, with another in their hex."""
    kinds, pieces = position.game.kinds, position.pieces
    fighting = {pieces[name].where for name in action.pieces if not kinds[pieces[name].counter.kind].along}
    return tuple(
        name
        for name in action.pieces
        if not kinds[pieces[name].counter.kind].along or pieces[name].where not in fighting
    )


def _who_attacks(found: Section, rules: Families, verbs: tuple[str, ...]) -> None:
    plain = clauses_of(*(combat.clause for combat in rules.combat.values()))

    @found.on(*verbs, clause=plain)
    def an_attack_is_made_on_enemies(position: Position, action: Action) -> Breach | None:
        combat = rules.combat[kind_for(position, action)]
        side = position.pieces[action.piece].side if action.pieces else position.side
        enemies = enemies_at(position, action.target, side)
        if not enemies:
            does = "attacks" if len(action.pieces) == 1 else "attack"
            says = (
                f"{names_of(position, action.pieces)} {does} {action.target};"
                " only a hex with an enemy may be attacked."
            )
            return Breach(says, {"hex": action.target}, clause=combat.clause)
        barred = [piece.id for piece in enemies if not fits(position, piece, combat.against)]
        if len(barred) == len(enemies):
            says = f"{names_of(position, barred)} in {action.target} may not be attacked this way."
            return Breach(says, {"hex": action.target, "units": tuple(barred)}, clause=combat.clause)
        return None

    @found.on(*verbs, clause=plain)
    def only_some_attack(position: Position, action: Action) -> Iterator[Breach]:
        combat = rules.combat[kind_for(position, action)]
        for name in on_their_own(position, action):
            if not fits(position, position.pieces[name], combat.who):
                says = f"{name_of(position, name)} may not attack: only {allowed(position, combat.who)} may."
                yield Breach(says, {"unit": name}, clause=combat.clause)

    ranged = clauses_of(plain, *(combat.range_clause for combat in rules.combat.values()))

    @found.on(*verbs, clause=ranged)
    def attackers_are_in_reach(position: Position, action: Action) -> Iterator[Breach]:
        combat, grid = rules.combat[kind_for(position, action)], position.game.map.grid
        for name in on_their_own(position, action):
            piece = position.pieces[name]
            gap = grid.distance(piece.where, action.target) if piece.where in grid else 0
            most = reach_of(position, piece, combat)
            if 1 <= gap <= most:
                continue
            unit = name_of(position, name)
            if gap:
                far = counted(gap, "hex")
                says = (
                    f"{unit} attacks {action.target} from {piece.where}, {far} away; its range"
                    f" is {counted(most, 'hex')}."
                )
            else:
                says = (
                    f"{unit} attacks {action.target}; a unit attacks from a hex of the map, and it is in"
                    " none."
                )
            facts: Facts = {"unit": name, "hex": piece.where or "none", "distance": gap}
            # one that was lost after it joined was there: of two attacks, which came first is not known
            grade = Grade.illegal if piece.where in grid else Grade.unproven
            clause = combat.range_clause if most > 1 else ""
            yield Breach(says, facts, grade, clause or combat.clause)

    barred = [bar for bar in rules.bars.values() if set(bar.to) & {ATTACK, *rules.combat}]
    if barred:

        @found.on(*verbs, clause=clauses_of(*(bar.clause for bar in barred)))
        def no_attack_across_what_bars_it(position: Position, action: Action) -> Iterator[Breach]:
            setting, grid, kind = the_setting(position), position.game.map.grid, kind_for(position, action)
            to = grid.index[action.target]
            for name in action.pieces:
                piece = position.pieces[name]
                for bar in rules.bars.values():
                    enemies = enemies_at(position, action.target, piece.side) if bar.against else ()
                    found_ = tuple(one.id for one in enemies if fits(position, one, bar.against))
                    if found_ and _is_barred_from(position, bar, piece, kind):
                        says = f"{name_of(position, name)} may not attack {names_of(position, found_)}"
                        facts: Facts = {"unit": name, "hex": action.target}
                        yield Breach(f"{says} in {action.target}.", facts, clause=bar.clause)
                if piece.where not in grid:
                    continue
                at, features, roads = grid.index[piece.where], frozenset[str](), False
                if grid.are_neighbours(piece.where, action.target):  # from afar nothing is crossed
                    direction, shut = grid.adjacent[at].index(to), closed_features(position)
                    features = setting.features(at, direction, shut)
                    roads = bool(setting.road_kinds(at, direction, shut))
                for one in setting.bars_for(true_of(position, piece), ATTACK, kind):
                    bar = rules.bars[one]
                    if not bar.against and setting.is_barred(bar, at, to, features, roads):
                        says = f"{name_of(position, name)} may not attack {action.target} from {piece.where}."
                        yield Breach(says, {"unit": name, "hex": piece.where}, clause=bar.clause)

    sights = {name: combat.sight for name, combat in rules.combat.items() if combat.sight}
    if sights:

        @found.on(*verbs, clause=clauses_of(*sights.values()))
        def attackers_see_their_target(position: Position, action: Action) -> Iterator[Breach]:
            kind = kind_for(position, action)
            combat = rules.combat[kind]
            for name in on_their_own(position, action) if kind in sights else ():
                piece = position.pieces[name]
                if why := not_seen(position, piece, action.target, combat):
                    says, hexes = why
                    yield Breach(says, {"unit": name, "hexes": hexes}, clause=sights[kind])

    _who_with_whom(found, rules, verbs)
    _together(found, rules, verbs)
    stacks = {name: combat.whole_stack for name, combat in rules.combat.items() if combat.whole_stack}
    if stacks:

        @found.on(*verbs, clause=clauses_of(*stacks.values()))
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

        @found.on(*verbs, clause=clauses_of(*together.values()))
        def attackers_are_in_one_hex(position: Position, action: Action) -> Breach | None:
            kind = kind_for(position, action)
            places = tuple(dict.fromkeys(position.pieces[name].where for name in action.pieces))
            if kind not in together or len(places) < 2:
                return None
            says = (
                f"{names_of(position, action.pieces)} attack from {listed(places)}; they must be in one hex."
            )
            return Breach(says, {"units": action.pieces, "hexes": places}, clause=together[kind])

    limited = [one.from_most_clause or one.clause for one in rules.combat.values() if one.from_most]
    if limited:

        @found.on(*verbs, clause=clauses_of(*limited))
        def attackers_are_in_few_hexes(position: Position, action: Action) -> Breach | None:
            combat = rules.combat[kind_for(position, action)]
            places = tuple(dict.fromkeys(position.pieces[name].where for name in action.pieces))
            if not combat.from_most or len(places) <= combat.from_most:
                return None
            says = f"{names_of(position, action.pieces)} attack {action.target} from {listed(places)}; they"
            clause = combat.from_most_clause or combat.clause
            says = f"{says} may from {counted(combat.from_most, 'hex')}."
            return Breach(says, {"units": action.pieces, "hexes": places}, clause=clause)

    moved = {name: combat.moved for name, combat in rules.combat.items() if combat.moved}
    if moved:

        @found.on(*verbs, clause=clauses_of(*moved.values()))
        def only_units_that_moved_are_attacked(position: Position, action: Action) -> Breach | None:
            kind = kind_for(position, action)
            if kind not in moved:
                return None
            enemies = enemies_at(position, action.target, position.pieces[action.piece].side)
            if not enemies or any(position.note(TRAIL, piece.id) is not None for piece in enemies):
                return None
            names = names_of(position, (piece.id for piece in enemies))
            says = (
                f"{names} in {action.target} did not move in this phase and may not be attacked this way"
                f" ({kind})."
            )
            return Breach(says, {"hex": action.target}, clause=moved[kind])

    seen = {name: combat.observer_clause for name, combat in rules.combat.items() if combat.observer_clause}
    if seen:

        @found.on(*verbs, clause=clauses_of(*seen.values()))
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
                        f"{name_of(position, name)} attacks {action.target}; no"
                        f" {allowed(position, combat.observer)} within"
                        f" {near} of it observes."
                    )
                    yield Breach(says, {"unit": name, "hex": action.target}, clause=seen[kind])

    paid = {name: combat for name, combat in rules.combat.items() if combat.points}
    if paid:

        @found.on(*verbs, clause=clauses_of(*(one.points_clause or one.clause for one in paid.values())))
        def attackers_have_the_points(position: Position, action: Action) -> Iterator[Breach]:
            kind = kind_for(position, action)
            for name in action.pieces if kind in paid else ():
                move = move_of(position, name)
                if move is None:
                    continue
                combat, left_ = paid[kind], move.budget - move.spent
                if combat.points * move.setting.scale > left_:
                    needs, unit = counted(combat.points, move.movement.unit), name_of(position, name)
                    has = number(Fraction(left_, move.setting.scale))
                    says = f"{unit} attacks {action.target}; that costs {needs}, and it has {has} left."
                    yield Breach(says, {"unit": name}, clause=combat.points_clause or combat.clause)


def _is_barred_from(position: Position, bar: Bar, piece: Piece, kind: str) -> bool:
    """Whether a bar keeps a unit from attacks of a kind."""
    return bool({ATTACK, kind} & {*bar.to}) and fits(position, piece, bar.who)


def _together(found: Section, rules: Families, verbs: tuple[str, ...]) -> None:
    """Which units may attack together, how many, and which may not without others."""
    partners = [one.clause for combat in rules.combat.values() for one in combat.partners.values()]
    if partners:

        @found.on(*verbs, clause=clauses_of(*partners))
        def some_attack_only_with_others(position: Position, action: Action) -> Iterator[Breach]:
            pieces = [position.pieces[name] for name in action.pieces]
            setting, at = the_setting(position), position.game.map.grid.index[action.target]
            for one in rules.combat[kind_for(position, action)].partners.values():
                if one.hexes and not setting.hexes(one.hexes) >> at & 1:
                    continue
                enemies = enemies_at(position, action.target, pieces[0].side)
                if one.against and not any(fits(position, enemy, one.against) for enemy in enemies):
                    continue
                alone = tuple(piece.id for piece in pieces if fits(position, piece, one.who))
                with_them = sum(fits(position, piece, one.one) for piece in pieces)
                if alone and with_them < (len(alone) if one.each else 1):
                    does = "attacks" if len(alone) == 1 else "attack"
                    says = (
                        f"{names_of(position, alone)} {does} {action.target} without"
                        f" {allowed(position, one.one)}; they may not."
                    )
                    if with_them:
                        says = (
                            f"{names_of(position, alone)} {does} {action.target} with only {with_them} of"
                            f" {allowed(position, one.one)}; each needs one."
                        )
                    yield Breach(says, {"units": alone}, clause=one.clause)

    led = [one.clause for combat in rules.combat.values() for one in combat.led.values()]
    if led:

        @found.on(*verbs, clause=clauses_of(*led))
        def leaders_limit_the_number(position: Position, action: Action) -> Iterator[Breach]:
            for one in rules.combat[kind_for(position, action)].led.values():
                yield from _not_led(position, action, one)

    alike = [one.alike_clause or one.clause for one in rules.combat.values() if one.alike]
    if alike:

        @found.on(*verbs, clause=clauses_of(*alike))
        def attackers_are_alike(position: Position, action: Action) -> Breach | None:
            combat = rules.combat[kind_for(position, action)]
            if not combat.alike:
                return None
            found_ = {
                likeness(position.pieces[name].counter, combat.alike)
                for name in on_their_own(position, action)
            } - {""}
            if len(found_) < 2:
                return None
            says = f"{names_of(position, action.pieces)} attack {action.target} together; they are not of one"
            clause = combat.alike_clause or combat.clause
            return Breach(f"{says} {combat.alike}.", {"units": action.pieces}, clause=clause)

    against = [one.against_most_clause or one.clause for one in rules.combat.values() if one.against_most]
    if against:

        @found.on(*verbs, clause=clauses_of(*against))
        def not_too_many_are_attacked(position: Position, action: Action) -> Breach | None:
            combat, side = rules.combat[kind_for(position, action)], position.pieces[action.piece].side
            enemies = enemies_at(position, action.target, side)
            there = [one for one in enemies if fits(position, one, combat.against)]
            if not combat.against_most or len(there) <= combat.against_most:
                return None
            names = names_of(position, (one.id for one in there))
            says = f"{names_of(position, action.pieces)} attack {names} in {action.target}; at most"
            says = f"{says} {counted(combat.against_most, 'unit')} may be attacked."
            facts: Facts = {"units": tuple(one.id for one in there), "hex": action.target}
            return Breach(says, facts, clause=combat.against_most_clause or combat.clause)

    most = [one.most_clause or one.clause for one in rules.combat.values() if one.most]
    if most:

        @found.on(*verbs, clause=clauses_of(*most))
        def not_too_many_attack(position: Position, action: Action) -> Breach | None:
            combat = rules.combat[kind_for(position, action)]
            if not combat.most or len(on_their_own(position, action)) <= combat.most:
                return None
            says = f"{names_of(position, action.pieces)} attack {action.target} together; at most"
            clause = combat.most_clause or combat.clause
            return Breach(
                f"{says} {counted(combat.most, 'unit')} may.", {"units": action.pieces}, clause=clause
            )


def _not_led(position: Position, action: Action, rule: Led) -> Iterator[Breach]:
    """Find more attackers than their leader, or the lack of one, allows.

    Units with other leaders, such as those of another formation, are counted separately.
    """
    grid, pieces = position.game.map.grid, [position.pieces[name] for name in action.pieces]
    led: dict[tuple[str, ...], list[Piece]] = {}
    for piece in pieces:
        if fits(position, piece, rule.who) and piece.where in grid:
            friends = [friend for _, friend in on_map(position, piece.side)]
            known = tuple(one.id for one in friends if _leads(position, one, piece, rule))
            led.setdefault(known, []).append(piece)
    for leaders, limited in led.items():
        most, leader = rule.without, ""
        for friend in (position.pieces[name] for name in leaders):
            far = points_of(position, friend, rule.hexes)
            if all(grid.distance(friend.where, one.where) <= far for one in limited):
                value = points_of(position, friend, rule.most)
                most, leader = (value, friend.id) if value > most else (most, leader)
        if len(limited) <= most:
            continue
        units = tuple(piece.id for piece in limited)
        names, does = names_of(position, units), "attacks" if len(limited) == 1 else "attack"
        by = f"with {name_of(position, leader)}" if leader else f"without a leader ({rule.by.text}) in range"
        says = f"{names} {does} {action.target}; {by} {counted(most, 'unit')} may."
        if not most:
            says = f"{names} {does} {action.target} {by}; no unit may."
        yield Breach(says, {"units": units, "most": most}, clause=rule.clause)


def _leads(position: Position, leader: Piece, piece: Piece, rule: Led) -> bool:
    """Return whether a piece is a leader of a unit, near it or not."""
    return rule.by.holds({*true_of(position, leader), *relations_of(position, piece, leader)})


def move_of(position: Position, unit: str) -> Move | None:
    """Return the movement of a unit in this phase so far; None if it cannot move."""
    piece = position.pieces[unit]
    trail = position.note(TRAIL, unit)
    name = trail.movement if trail else next(iter(movers(position, piece)), "")
    if name not in rules_of(position).movement or piece.where not in position.game.map.grid:
        return None
    return Move.of(position, Action(name, (unit,), (piece.where, piece.where), dragged=True))


def reach_of(position: Position, piece: Piece, combat: Combat) -> int:
    """Return how far a unit attacks."""
    far = next((far for who, far in combat.range_of.items() if fits(position, piece, who)), combat.range)
    reach = points_of(position, piece, far)
    return min(reach, combat.range_most) if combat.range_most else reach


def declared_anew(position: Position, action: Action) -> Position:
    """Return the position before the declaration of a battle without dice that is now declared again with
    other units.
    """
    known = position.battle(action.battle) if action.battle else None
    return undeclared(position, known) if isinstance(known, Fight) and known.automatic else position


def _once(found: Section, rules: Families, verbs: tuple[str, ...]) -> None:
    units = clauses_of(*(combat.unit_once for combat in rules.combat.values()))
    targets = clauses_of(*(combat.target_once for combat in rules.combat.values()))
    if units:

        @found.on(*verbs, clause=units)
        def a_unit_attacks_once(position: Position, action: Action) -> Iterator[Breach]:
            combat = rules.combat[kind_for(position, action)]
            position = declared_anew(position, action)
            for name in on_their_own(position, action):
                before = position.note(ATTACKED, name) or ()
                before += tuple(
                    one.target for one in fights(position) if name in one.attackers and not one.rolled
                )
                if before and combat.unit_once:
                    says = (
                        f"{name_of(position, name)} attacks {action.target}; it has attacked {before[0]} in"
                        " this phase."
                    )
                    grade = doubted_before(position, units=(name,))
                    yield Breach(says, {"unit": name, "before": before}, grade, combat.unit_once)

    if targets:

        @found.on(*verbs, clause=targets)
        def a_hex_is_attacked_once(position: Position, action: Action) -> Breach | None:
            kind = kind_for(position, action)
            combat, position = rules.combat[kind], declared_anew(position, action)
            declared = any(action.target in one.hexes and not one.rolled for one in fights(position))
            if combat.target_once and (declared or kind in (position.note(TARGETS, action.target) or ())):
                says = f"{action.target} is attacked again; a hex is attacked only once in a phase."
                grade = doubted_before(position, target=action.target)
                return Breach(says, {"hex": action.target}, grade, combat.target_once)
            return None

    after = clauses_of(
        *(combat.not_after_clause or combat.clause for combat in rules.combat.values() if combat.not_after)
    )
    if after:

        @found.on(*verbs, clause=after)
        def not_after_other_things(position: Position, action: Action) -> Iterator[Breach]:
            combat = rules.combat[kind_for(position, action)]
            for name in on_their_own(position, action):
                if done := has_done(position, name, combat.not_after):
                    says = f"{name_of(position, name)} attacks after its {done[0]} in this player turn."
                    yield Breach(says, {"unit": name}, clause=combat.not_after_clause or combat.clause)
