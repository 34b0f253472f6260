"""Attacks that may not be made: by the wrong units, on the wrong ones, at the wrong time, too often, or
without paying.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from attrs import evolve, frozen

from referee.engine.actions import Action
from referee.engine.position import Piece
from referee.standard.battle import Fight
from referee.standard.notes import ATTACKED, DONE
from referee.standard.odds import calculate
from tools.proof.breaking import Broken, Moment, Mutate
from tools.proof.standard.attacks import ATTACK, ON, Attacks, Registered
from tools.proof.standard.markers import movers
from tools.proof.standard.reading import Reading
from vassalgen.game.families import NOBODY, Bar, Led, Partner, Retreat, Store
from vassalgen.game.words import likeness


@frozen
class Declaring(Attacks):
    """A kind of combat with attacks that may not be declared."""

    def declaring(self) -> Iterator[Registered]:
        """Attacks that may not be made."""
        name = self.name
        yield self.combat.clause, f"{name}_out_of_reach", self._out_of_reach
        if self.combat.who:
            yield self.combat.clause, f"{name}_by_who_may_not", self._by_who_may_not
        if self.combat.unit_once:
            yield self.combat.unit_once, f"{name}_twice_by_a_unit", self._twice_by_a_unit
        if self.combat.target_once:
            yield self.combat.target_once, f"{name}_twice_on_a_hex", self._twice_on_a_hex
        if self.combat.below:
            yield self.combat.below, f"{name}_below_the_table", self._below
        if self.combat.sight and self.combat.blocked_by.text.strip():
            yield self.combat.sight, f"{name}_out_of_sight", self._out_of_sight
        if self.combat.not_after:
            clause = self.combat.not_after_clause or self.combat.clause
            yield clause, f"{name}_after_{'_'.join(self.combat.not_after)}", self._after
        for phase, rule in self.rules.sequence.items():
            if name in rule.does:
                yield rule.clause, f"{name}_by_the_other_side", self._by_the_other_side(phase)
            elif not set(rule.does) & set(self.rules.combat):
                yield rule.clause, f"{name}_in_{phase}", self._in_phase(phase)
        for label, bar in self.rules.bars.items():
            if bar.is_ban and {ATTACK, name} & set(bar.to):
                yield bar.clause, f"{name}_though_barred_by_{label}", self._banned(bar)
            elif not bar.is_ban and {ATTACK, name} & set(bar.to):
                yield bar.clause, f"{name}_where_barred_by_{label}", self._where_barred(bar)
        if self.combat.must_attack:
            yield self.combat.must_attack, f"{name}_is_not_made", self._nobody_attacks
        if self.combat.must_be_attacked:
            yield self.combat.must_be_attacked, f"{name}_leaves_an_enemy_out", self._leaves_out
        if self.combat.from_most:
            clause = self.combat.from_most_clause or self.combat.clause
            yield clause, f"{name}_from_too_many_hexes", self._from_too_many_hexes
        if self.combat.one_hex:
            yield self.combat.one_hex, f"{name}_from_two_hexes", self._from_two_hexes
        for label, partner in self.combat.partners.items():
            yield partner.clause, f"{name}_alone_{label}", self._banned(partner)
        if self.combat.against_most:
            clause = self.combat.against_most_clause or self.combat.clause
            yield clause, f"{name}_on_too_many", self._on_too_many
        if self.combat.points:
            clause = self.combat.points_clause or self.combat.clause
            yield clause, f"{name}_without_points", self._without_points
        if self.combat.most:
            clause = self.combat.most_clause or self.combat.clause
            yield clause, f"{name}_by_too_many", self._too_many_attack
        if self.combat.alike:
            clause = self.combat.alike_clause or self.combat.clause
            yield clause, f"{name}_by_unlike_units", self._unlike
        if self.rules.face_down:
            yield self.rules.face_down.clause, f"{name}_of_face_down_units", self._fights_face_down
        for label, led in self.combat.led.items():
            yield led.clause, f"{name}_with_too_few_leaders_{label}", self._led_badly(led)
        for label, store in self.rules.stores.items():
            if name in store.costs:
                yield store.clause, f"{name}_without_{label}", self._unpaid(label, store)
        if self.rules.retreat and self.rules.retreat.before:
            yield self.rules.retreat.before, f"{name}_left_before_the_dice", self._leaves(self.rules.retreat)
        for state, forbidding in self.rules.states.items():
            if {ATTACK, name} & set(forbidding.forbids):
                yield forbidding.forbidding(name, ATTACK), f"{name}_while_{state}", self._while_in(state)

    def _out_of_reach(self, moment: Moment) -> Broken:
        for piece, reading in self.able(moment):
            far = self.reach(moment, piece) + 1
            for target in self.targets(moment, piece.side):
                if reading.position.game.map.grid.distance(piece.where, target) == far:
                    yield (Action(self.verb(moment), (piece.id,), target=target),)

    def _on_too_many(self, moment: Moment) -> Broken:
        for piece, reading in self.able(moment):
            for target in self.near(moment, piece):
                there = reading.enemies(piece.side, target)
                if sum(reading.fits(self.combat.against, one) for one in there) > self.combat.against_most:
                    yield (Action(self.verb(moment), (piece.id,), target=target),)

    def _without_points(self, moment: Moment) -> Broken:
        """A unit moves up to its target, and has not the points that the attack costs."""
        able = {piece.id for piece, _ in self.able(moment)}
        for piece, name, reading in movers(self.rules, moment):
            movement, grid = self.rules.movement[name], self.game.map.grid
            points = reading.allowance(piece, movement) if piece.id in able else Fraction(0)
            for end, path in reading.reach(piece, name).items() if points else ():
                spent = sum(reading.cost(piece, movement, *step) for step in pairwise(path))
                targets = [to for to in grid.neighbours(end) if reading.enemies(piece.side, to)]
                if spent <= points < spent + self.combat.points and targets:
                    going = Action(name, (piece.id,), path)
                    yield going, Action(self.verb(moment), (piece.id,), target=targets[0])
                    break

    def _by_who_may_not(self, moment: Moment) -> Broken:
        if not self.is_phase(moment):
            return
        reading = Reading(moment.position, self.rules)
        for piece in self.idle(moment, self.side(moment)):
            if not reading.fits(self.combat.who, piece) and not piece.states:
                for target in self.near(moment, piece):
                    yield (Action(self.verb(moment), (piece.id,), target=target),)

    def _twice_by_a_unit(self, moment: Moment) -> Broken:
        for fought in self.fought(moment):
            for name in fought.fight.attackers:
                piece = fought.position.pieces[name]
                if piece.where not in self.game.map.grid or piece.where != moment.position.pieces[name].where:
                    continue
                for target in self.near(moment, piece):
                    if target != fought.fight.target:
                        yield *fought.actions, Action(self.verb(moment), (name,), target=target)

    def _twice_on_a_hex(self, moment: Moment) -> Broken:
        for fought in self.fought(moment):
            for piece, _ in self.able(moment):
                if piece.id not in fought.fight.attackers and fought.fight.target in self.near(moment, piece):
                    yield *fought.actions, Action(self.verb(moment), (piece.id,), target=fought.fight.target)

    def _below(self, moment: Moment) -> Broken:
        ratios = self.game.tables[self.combat.table].ratios if self.combat.kind == "odds" else ()
        least = min((Fraction(left, right) for left, right in ratios), default=None)
        for piece, _ in self.able(moment):
            for target in self.near(moment, piece):
                fight = self.as_fight(moment, (piece.id,), target)
                odds = calculate(moment.position, fight)
                low = odds.below if least is None else odds.attacking < least * odds.defending
                if odds.defending and low:
                    yield (Action(self.verb(moment), (piece.id,), target=target), *self.rolled(fight, 1))

    def _out_of_sight(self, moment: Moment) -> Broken:
        """Attacks at two hexes in a straight line, with terrain in between that blocks the line of sight."""
        grid = self.game.map.grid
        for piece, reading in self.able(moment):
            for target in self.near(moment, piece) if not reading.fits(self.combat.indirect, piece) else ():
                between = {*grid.neighbours(piece.where)} & {*grid.neighbours(target)}
                straight = grid.distance(piece.where, target) == 2 and len(between) == 1
                if straight and reading.hex_fits(self.combat.blocked_by, *between):
                    yield (Action(self.verb(moment), (piece.id,), target=target),)

    def _after(self, moment: Moment) -> Broken:
        """Attacks by units that have done something which forbids them to attack."""
        for piece, reading in self.able(moment):
            done = {*self.combat.not_after} & {*(reading.position.note(DONE, piece.id) or ())}
            if done and not self._may_have_moved_otherwise(moment, piece):
                for target in self.near(moment, piece):
                    yield (Action(self.verb(moment), (piece.id,), target=target),)

    def _may_have_moved_otherwise(self, moment: Moment, piece: Piece) -> bool:
        """Whether a log cannot distinguish the last move of a unit from one after which it may attack."""
        kinds = [name for name in self.rules.movement if name not in self.combat.not_after]
        for step in reversed(moment.game[: moment.place]):
            if piece.id in step.action.pieces and step.action.path:
                others = (evolve(step.action, verb=name, dragged=True) for name in kinds)
                return any(step.before.world.rulebook.allows(step.before, other) for other in others)
        return False

    def _by_the_other_side(self, phase: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            if moment.position.phase != phase:
                return
            reading = Reading(moment.position, self.rules)
            side = next(one for one in self.game.sides if one != self.side(moment))
            for piece in self.idle(moment, side) if self.name not in reading.soon(side) else ():
                if reading.fits(self.combat.who, piece) and not piece.states:
                    for target in self.near(moment, piece):
                        yield (Action(self.verb(moment), (piece.id,), target=target),)

        return mutate

    def _in_phase(self, phase: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            position = moment.position
            if position.phase != phase or not position.side:
                return
            reading = Reading(position, self.rules)
            may_soon = self.name in reading.soon(position.side) or self._is_next_to_its_phase(moment)
            for piece in self.idle(moment, position.side) if not may_soon else ():
                if reading.fits(self.combat.who, piece) and not piece.states:
                    for target in self.near(moment, piece):
                        yield (Action(self.verb(moment), (piece.id,), target=target),)

        return mutate

    def _is_next_to_its_phase(self, moment: Moment) -> bool:
        """Whether nothing is done in the phases in between, so that the track may be early or late."""
        position, calendar = moment.position, moment.position.world.calendar
        stops = [one for one in calendar.stops if one.side == position.side]
        here = next(place for place, one in enumerate(stops) if one.phase.id == position.phase)
        for way in (stops[here + 1 :], stops[:here][::-1]):
            for stop in way:
                rule = self.rules.sequence.get(stop.phase.id)  # type: ignore[call-overload]
                if rule is None or (rule.turns and position.turn not in rule.turns) or not rule.does:
                    continue
                if self.name in rule.does:
                    return True
                break
        return False

    def _banned(self, rule: Bar | Partner) -> Mutate:
        """Attacks of a unit alone that may not attack, or not in this way."""

        def mutate(moment: Moment) -> Broken:
            for piece, reading in self.able(moment, barred=True):
                if reading.fits(rule.who, piece):
                    for target in self.near(moment, piece):
                        enemies = reading.enemies(piece.side, target)
                        if any(reading.fits(rule.against, enemy) for enemy in enemies):
                            yield (Action(self.verb(moment), (piece.id,), target=target),)

        return mutate

    def _where_barred(self, bar: Bar) -> Mutate:
        """Attacks into hexes, or across hexsides, that are barred."""

        def mutate(moment: Moment) -> Broken:
            for piece, reading in self.able(moment):
                for target in self.near(moment, piece) if reading.fits(bar.who, piece) else ():
                    beside = self.game.map.grid.are_neighbours(piece.where, target)
                    across = beside and bool(reading.features(piece.where, target) & {*bar.across})
                    roads = beside and bar.except_by_road and self.game.map.roads_across(piece.where, target)
                    if beside and not roads and (across or reading.hex_fits(bar.into, target)):
                        yield (Action(self.verb(moment), (piece.id,), target=target),)

        return mutate

    def _nobody_attacks(self, moment: Moment) -> Broken:
        """The phase ends without an attack, although a unit that must attack could have done so alone."""
        combat, reading = self.combat, Reading(moment.position, self.rules)
        for piece, target in self._in_contact(moment):
            spared = reading.hex_fits(combat.must_attack_not_in, piece.where)
            whom = [one for one in reading.units() if one.where == target]
            zones = reading.zones(piece.side, piece.where)
            held = [one for one in whom if one.id in zones or piece.id in reading.zones(one.side, target)]
            must = reading.fits(combat.must_attack_who, piece) and any(
                reading.fits(combat.must_attack_whom, one) and reading.fits(combat.against, one)
                for one in held
            )
            if must and not spared:
                yield (ON,)

    def _leaves_out(self, moment: Moment) -> Broken:
        """The phase ends without an attack, although an enemy in a zone could have been attacked."""
        reading = Reading(moment.position, self.rules)
        for piece, target in self._in_contact(moment):
            whom = [one for one in reading.units() if one.where == target]
            whom = [one for one in whom if reading.fits(self.combat.must_be_attacked_whom, one)]
            if any(
                piece.id in reading.zones(one.side, target) and reading.fits(self.combat.against, one)
                for one in whom
            ):
                yield (ON,)

    def _in_contact(self, moment: Moment) -> Iterator[tuple[Piece, str]]:
        """Units that could attack an adjacent hex alone, before any attack in the phase."""
        position = moment.position
        if position.noted(ATTACKED) or self.is_amid_moves(moment):
            return
        for attack, target in self.attacks(moment):
            piece = position.pieces[attack.pieces[0]]
            near = self.game.map.grid.are_neighbours(piece.where, target) and len(attack.pieces) == 1
            if near and not calculate(position, self.as_fight(moment, attack.pieces, target)).below:
                yield piece, target

    def _from_too_many_hexes(self, moment: Moment) -> Broken:
        for target, units in self.in_company(moment):
            places: dict[str, str] = {}
            for piece in units:
                places.setdefault(piece.where, piece.id)
            names = tuple(places.values())[: self.combat.from_most + 1]
            if len(names) > self.combat.from_most:
                yield (Action(self.verb(moment), names, target=target),)

    def _from_two_hexes(self, moment: Moment) -> Broken:
        for target, pieces in self.in_company(moment):
            for one, other in pairwise(pieces):
                if one.where != other.where:
                    yield (Action(self.verb(moment), (one.id, other.id), target=target),)

    def _fights_face_down(self, moment: Moment) -> Broken:
        """The dice are rolled for units that are still face down."""
        for attack, _ in self.attacks(moment):
            position = moment.position.play(attack).position
            fight = position.battles[-1] if position.battles else None
            if isinstance(fight, Fight):
                inside = [one.id for where in fight.hexes for one in position.at(where)]
                if any(position.pieces[name].face == "down" for name in (*fight.attackers, *inside)):
                    yield attack, *self.rolled(fight, 1)

    def _led_badly(self, led: Led) -> Mutate:
        """Attacks of more units than any leader on the map can lead, or of units too far from
        every leader.
        """

        def mutate(moment: Moment) -> Broken:
            for target, pieces in self.in_company(moment):
                reading = Reading(moment.position, self.rules)
                led_ = [piece for piece in pieces if reading.fits(led.who, piece)]
                most = led.without
                for leader in reading.units(self.side(moment)):
                    far = self.number(leader, led.hexes)
                    near = [self.game.map.grid.distance(leader.where, one.where) <= far for one in led_]
                    if reading.fits(led.by, leader) and any(near):
                        most = max(most, self.number(leader, led.most))
                if len(led_) > most:
                    names = tuple(piece.id for piece in led_[: most + 1])
                    yield (Action(self.verb(moment), names, target=target),)

        return mutate

    def _unpaid(self, label: str, store: Store) -> Mutate:
        """Attacks of a side that has spent its points, or never had enough of them."""

        def mutate(moment: Moment) -> Broken:
            side, cost = self.side(moment), store.costs[self.name]  # type: ignore[index]
            for piece, reading in self.able(moment):
                if reading.left_in(label, side) < cost and reading.fits(store.who, piece):
                    for target in self.near(moment, piece):
                        yield (Action(self.verb(moment), (piece.id,), target=target),)

        return mutate

    def _leaves(self, retreat: Retreat) -> Mutate:
        """Attacked units leave before the dice although they may not, or farther than they may."""

        def mutate(moment: Moment) -> Broken:
            for attack, target in self.attacks(moment):
                reading = Reading(moment.position, self.rules)
                attackers = [moment.position.pieces[name] for name in attack.pieces]
                avoided = not retreat.before_in or self.name in retreat.before_in
                by_whom = all(reading.fits(retreat.before_from, one) for one in attackers)
                for piece in reading.enemies(self.side(moment), target):
                    always = retreat.before_always != NOBODY and reading.fits(retreat.before_always, piece)
                    may = avoided and (by_whom or always) and reading.fits(retreat.before_who, piece)
                    far = retreat.before_hexes + 1 if may else 1
                    paths = self.open_beside(moment.position, piece, far)
                    for path in moment.rng.sample(paths, min(len(paths), 1)):
                        yield attack, Action("retreat", (piece.id,), path)

        return mutate

    def _too_many_attack(self, moment: Moment) -> Broken:
        for target, pieces in self.in_company(moment):
            if len(pieces) > self.combat.most:
                names = tuple(piece.id for piece in pieces[: self.combat.most + 1])
                yield (Action(self.verb(moment), names, target=target),)

    def _unlike(self, moment: Moment) -> Broken:
        for target, pieces in self.in_company(moment):
            known = {likeness(piece.counter, self.combat.alike): piece.id for piece in pieces}
            names = [name for which, name in known.items() if which]
            if len(names) > 1:
                yield (Action(self.verb(moment), tuple(names[:2]), target=target),)

    def _while_in(self, state: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            reading = Reading(moment.position, self.rules)
            if not self.is_phase(moment):
                return
            for piece in self.idle(moment, self.side(moment)):
                if state in piece.states and reading.fits(self.combat.who, piece):
                    for target in self.near(moment, piece):
                        yield (Action(self.verb(moment), (piece.id,), target=target),)

        return mutate
