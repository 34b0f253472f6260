"""How battles are broken: who attacks whom, wrong odds, results not carried out, or too much of them.

Players at random seldom come to the dice, so most of these begin with an attack of their own, rolled for the
cell of the table that is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from attrs import frozen

from referee.engine.actions import NEXT, Action
from referee.engine.position import Piece, Position
from referee.standard.battle import Fight, calculate, result_at
from referee.standard.combat import faces_of
from referee.standard.notes import DONE, SPENT, SPENT_NOW
from tools.proof.breaking import Breaker, Broken, Moment, Mutate
from tools.proof.standard.reading import Reading
from vassalgen.game.families import (
    Bar,
    Check,
    Combat,
    Consequence,
    Families,
    Led,
    Outcome,
    Partner,
    Retreat,
    Store,
)
from vassalgen.game.game import Game

ATTACK = "attack"
ON = Action(NEXT.name)
MOST_FIGHTS = 4
"""How many attacks are begun at a step."""
BEFORE = (ATTACK, NEXT.name)


def finish(position: Position, action: Action, rng: Random) -> tuple[Action, ...]:
    """An attack that has no dice is none: roll them. What is announced of odds is announced with them."""
    rules = position.game.families
    if (
        rules is None
        or not position.battles
        or action.verb not in (ATTACK, *rules.combat, "odds", "modifier")
    ):
        return ()
    fight = next((one for one in position.battles if one.number == action.battle), position.battles[-1])
    if not isinstance(fight, Fight) or fight.rolled:
        return ()
    dice = position.game.dice[rules.combat[fight.kind].dice]
    faces = tuple(rng.randint(1, dice.sides) for _ in range(dice.count))
    return (Action(f"roll {dice.id}", dice=faces, battle=fight.number),)


def fighting(game: Game, rules: Families, breaker: Breaker) -> None:
    """Register the mutators of combat, results, retreats and advances."""
    for name, combat in rules.combat.items():
        family = Family(game, rules, name, combat)
        for clause, title, mutate in (*family.declaring(), *family.wrong_terms(), *family.results()):
            breaker.breaks(clause, *BEFORE, *((name,) if name != ATTACK else ()))(_named(title, mutate))


def _named(title: str, mutate: Mutate) -> Mutate:
    """A mutator with a name of its own."""

    def broken(moment: Moment) -> Broken:
        return mutate(moment)

    broken.__name__ = title
    return broken


Registered = tuple[str, str, Mutate]


@frozen
class Fought:
    """An attack with its dice: the actions, the position after them, the battle."""

    actions: tuple[Action, ...]
    position: Position
    fight: Fight


@frozen
class Family:
    """A kind of combat and how it is broken."""

    game: Game
    rules: Families
    name: str
    combat: Combat

    # who attacks whom

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
        for label, partner in self.combat.partners.items():
            yield partner.clause, f"{name}_alone_{label}", self._banned(partner)
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
                yield forbidding.clause, f"{name}_while_{state}", self._while_in(state)

    def _out_of_reach(self, moment: Moment) -> Broken:
        for piece, reading in self._able(moment):
            far = self._range(piece) + 1
            for target in self._targets(moment, piece.side):
                if reading.position.game.map.grid.distance(piece.where, target) == far:
                    yield (Action(self._verb(moment), (piece.id,), target=target),)

    def _by_who_may_not(self, moment: Moment) -> Broken:
        if not self._is_phase(moment):
            return
        reading = Reading(moment.position, self.rules)
        for piece in self._idle(moment, self._side(moment)):
            if not reading.fits(self.combat.who, piece) and not piece.states:
                for target in self._near(moment, piece):
                    yield (Action(self._verb(moment), (piece.id,), target=target),)

    def _twice_by_a_unit(self, moment: Moment) -> Broken:
        for fought in self._fought(moment):
            for name in fought.fight.attackers:
                piece = fought.position.pieces[name]
                if piece.where not in self.game.map.grid or piece.where != moment.position.pieces[name].where:
                    continue
                for target in self._near(moment, piece):
                    if target != fought.fight.target:
                        yield *fought.actions, Action(self._verb(moment), (name,), target=target)

    def _twice_on_a_hex(self, moment: Moment) -> Broken:
        for fought in self._fought(moment):
            for piece, _ in self._able(moment):
                if piece.id not in fought.fight.attackers and fought.fight.target in self._near(
                    moment, piece
                ):
                    yield *fought.actions, Action(self._verb(moment), (piece.id,), target=fought.fight.target)

    def _below(self, moment: Moment) -> Broken:
        ratios = self.game.tables[self.combat.table].ratios if self.combat.kind == "odds" else ()
        least = min((Fraction(left, right) for left, right in ratios), default=None)
        for piece, _ in self._able(moment):
            for target in self._near(moment, piece):
                fight = self._as_fight(moment, (piece.id,), target)
                odds = calculate(moment.position, fight)
                low = odds.below if least is None else odds.attacking < least * odds.defending
                if odds.defending and low:
                    yield (Action(self._verb(moment), (piece.id,), target=target), *self._rolled(fight, 1))

    def _out_of_sight(self, moment: Moment) -> Broken:
        """Attacks over two hexes in a straight row, the one between of a kind that blocks the line."""
        grid = self.game.map.grid
        for piece, reading in self._able(moment):
            for target in self._near(moment, piece):
                between = {*grid.neighbours(piece.where)} & {*grid.neighbours(target)}
                straight = grid.distance(piece.where, target) == 2 and len(between) == 1
                if straight and reading.hex_fits(self.combat.blocked_by, *between):
                    yield (Action(self._verb(moment), (piece.id,), target=target),)

    def _after(self, moment: Moment) -> Broken:
        """Attacks of units that did before what keeps them from it."""
        for piece, reading in self._able(moment):
            if {*self.combat.not_after} & {*(reading.position.note(DONE, piece.id) or ())}:
                for target in self._near(moment, piece):
                    yield (Action(self._verb(moment), (piece.id,), target=target),)

    def _by_the_other_side(self, phase: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            if moment.position.phase != phase:
                return
            reading = Reading(moment.position, self.rules)
            side = next(one for one in self.game.sides if one != self._side(moment))
            for piece in self._idle(moment, side):
                if reading.fits(self.combat.who, piece) and not piece.states:
                    for target in self._near(moment, piece):
                        yield (Action(self._verb(moment), (piece.id,), target=target),)

        return mutate

    def _in_phase(self, phase: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            position = moment.position
            if position.phase != phase or not position.side:
                return
            reading = Reading(position, self.rules)
            for piece in self._idle(moment, position.side):
                if reading.fits(self.combat.who, piece) and not piece.states:
                    for target in self._near(moment, piece):
                        yield (Action(self._verb(moment), (piece.id,), target=target),)

        return mutate

    def _banned(self, rule: Bar | Partner) -> Mutate:
        """Attacks of a unit alone that may not attack, or not so."""

        def mutate(moment: Moment) -> Broken:
            for piece, reading in self._able(moment):
                if reading.fits(rule.who, piece):
                    for target in self._near(moment, piece):
                        yield (Action(self._verb(moment), (piece.id,), target=target),)

        return mutate

    def _fights_face_down(self, moment: Moment) -> Broken:
        """The dice are rolled for units that nobody has turned up."""
        for attack, _ in self._attacks(moment):
            position = moment.position.play(attack).position
            fight = position.battles[-1] if position.battles else None
            if isinstance(fight, Fight):
                inside = [one.id for where in fight.hexes for one in position.at(where)]
                if any(position.pieces[name].face == "down" for name in (*fight.attackers, *inside)):
                    yield attack, *self._rolled(fight, 1)

    def _led_badly(self, led: Led) -> Mutate:
        """Attacks of more units than any leader on the map could lead, or of those far from each."""

        def mutate(moment: Moment) -> Broken:
            for target, pieces in self._in_company(moment):
                reading = Reading(moment.position, self.rules)
                led_ = [piece for piece in pieces if reading.fits(led.who, piece)]
                most = led.without
                for leader in reading.units(self._side(moment)):
                    far = self._number(leader, led.hexes)
                    near = [self.game.map.grid.distance(leader.where, one.where) <= far for one in led_]
                    if reading.fits(led.by, leader) and any(near):
                        most = max(most, self._number(leader, led.most))
                if len(led_) > most:
                    names = tuple(piece.id for piece in led_[: most + 1])
                    yield (Action(self._verb(moment), names, target=target),)

        return mutate

    def _number(self, piece: Piece, amount: int | str) -> int:
        printed = amount if isinstance(amount, int) else piece.counter.printed(amount, piece.steps)
        return printed if isinstance(printed, int) else 0

    def _unpaid(self, label: str, store: Store) -> Mutate:
        """Attacks of a side that has spent its points, or never had enough of them."""

        def mutate(moment: Moment) -> Broken:
            side, turn = self._side(moment), moment.position.turn
            key, entry = f"{label} {side}", store.points.get(side, 0)  # type: ignore[call-overload]
            turns = moment.position.scenario.turns or self.game.turns
            got = store.start.get(side, 0) if store.saves or turn <= turns[0].number else 0  # type: ignore[call-overload]
            for one in turns:
                if one.number == turn or (store.saves and one.number < turn):
                    said = entry if isinstance(entry, int) else int(str(one.values.get(entry) or 0))
                    got += said
            used = moment.position.note(SPENT if store.saves else SPENT_NOW, key) or 0
            for piece, reading in self._able(moment):
                if got - used < store.costs[self.name] and reading.fits(store.who, piece):  # type: ignore[index]
                    for target in self._near(moment, piece):
                        yield (Action(self._verb(moment), (piece.id,), target=target),)

        return mutate

    def _leaves(self, retreat: Retreat) -> Mutate:
        """Units that are attacked leave before the dice, though they may not, or farther than they may."""

        def mutate(moment: Moment) -> Broken:
            for attack, target in self._attacks(moment):
                reading = Reading(moment.position, self.rules)
                for piece in reading.enemies(self._side(moment), target):
                    far = retreat.before_hexes + 1 if reading.fits(retreat.before_who, piece) else 1
                    paths = self._open_beside(moment.position, piece, far)
                    for path in moment.rng.sample(paths, min(len(paths), 1)):
                        yield attack, Action("retreat", (piece.id,), path)

        return mutate

    def _in_company(self, moment: Moment) -> Iterator[tuple[str, list[Piece]]]:
        """Hexes with the units that may attack them now."""
        able = [piece for piece, _ in self._able(moment)]
        for target in self._targets(moment, self._side(moment)):
            yield target, [piece for piece in able if target in self._near(moment, piece)]

    def _too_many_attack(self, moment: Moment) -> Broken:
        for target, pieces in self._in_company(moment):
            if len(pieces) > self.combat.most:
                names = tuple(piece.id for piece in pieces[: self.combat.most + 1])
                yield (Action(self._verb(moment), names, target=target),)

    def _unlike(self, moment: Moment) -> Broken:
        for target, pieces in self._in_company(moment):
            known = {getattr(piece.counter, self.combat.alike): piece.id for piece in pieces}
            names = [name for likeness, name in known.items() if likeness]
            if len(names) > 1:
                yield (Action(self._verb(moment), tuple(names[:2]), target=target),)

    def _while_in(self, state: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            reading = Reading(moment.position, self.rules)
            if not self._is_phase(moment):
                return
            for piece in self._idle(moment, self._side(moment)):
                if state in piece.states and reading.fits(self.combat.who, piece):
                    for target in self._near(moment, piece):
                        yield (Action(self._verb(moment), (piece.id,), target=target),)

        return mutate

    # odds and modifiers

    def wrong_terms(self) -> Iterator[Registered]:
        """Odds or modifiers announced without one of their terms."""
        terms = [term.clause for term in self.combat.terms.values()]
        for clause in dict.fromkeys((*self.combat.modifiers.values(), *terms)):
            yield clause, f"{self.name}_without_{clause}", self._without(clause)
        for state, rule in self.rules.states.items():
            if self.combat.attack in self.game.states[state].counts:
                yield rule.clause, f"{self.name}_without_{rule.clause}", self._without(rule.clause)

    def _without(self, clause: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for attack, target in self._attacks(moment):
                fight = self._as_fight(moment, attack.pieces, target)
                right, wrong = calculate(moment.position, fight), calculate(moment.position, fight, clause)
                if right.below or wrong.below:
                    continue
                if wrong.label != right.label:
                    yield attack, Action("odds", words=(wrong.label,), battle=fight.number)
                elif wrong.modifier != right.modifier:
                    yield attack, Action("modifier", words=(str(wrong.modifier),), battle=fight.number)

        return mutate

    # results

    def results(self) -> Iterator[Registered]:
        """Results that are not carried out, or of which more is done than they ask for."""
        for code, outcome in self.rules.results.get(self.combat.table, {}).items():
            for side in ("attacker", "defender"):
                what = outcome.attacker if side == "attacker" else outcome.defender
                if what is None:
                    continue
                yield from self._of_outcome(code, outcome, side, what)
        plain = [
            code
            for code, outcome in self.rules.results.get(self.combat.table, {}).items()
            if not any(one and one.lose for one in (outcome.attacker, outcome.defender))
        ]
        for code in plain:
            yield self.combat.clause, f"a_step_too_many_after_{code}", self._too_much(code)

    def _of_outcome(self, code: str, outcome: Outcome, side: str, what: Consequence) -> Iterator[Registered]:
        if what.lose:
            yield outcome.clause, f"{code}_no_loss_of_the_{side}", self._undone(code, side, what)
        if what.lose == 1:
            for label, check in self.rules.checks.items():
                if check.after_losses:
                    title = f"{code}_no_{label}_of_the_{side}"
                    yield check.clause, title, self._no_check_after_losses(code, side, check)
        if what.check:
            clause = self.rules.checks[what.check].clause
            yield clause, f"{code}_no_check_of_the_{side}", self._undone(code, side, what)
        if what.state:
            yield outcome.clause, f"{code}_no_state_of_the_{side}", self._undone(code, side, what)
        if what.retreat and self.rules.retreat:
            retreat = self.rules.retreat
            title = f"{code}_no_retreat_of_the_{side}"
            yield retreat.clause, title, self._undone(code, side, what, retreat=True)
            if retreat.state and not what.lose and what.retreat != "#":
                title = f"{code}_no_state_of_the_retreated_{side}"
                yield retreat.state_clause or retreat.clause, title, self._unmarked(code, side, retreat)
            if retreat.disorders and not what.lose and what.retreat != "#":
                title = f"{code}_through_friends_of_the_{side}"
                yield retreat.disorders_clause, title, self._through_friends(code, side, retreat)
            if not what.lose and what.retreat != "#":
                yield retreat.clause, f"{code}_too_long_a_retreat_of_the_{side}", self._too_long(code, side)
                if retreat.zoc and not retreat.zoc_loses:
                    title = f"{code}_retreat_into_a_zone_of_the_{side}"
                    yield retreat.zoc, title, self._into_a_zone(code, side)
        if self.rules.advance and side == "defender" and what.lose == "all":
            title = f"an_advance_of_a_bystander_after_{code}"
            yield self.rules.advance.clause, title, self._bystander_advances(code)

    def _undone(self, code: str, side: str, what: Consequence, *, retreat: bool = False) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought in self._fought(moment, code, side):
                reading, pieces = Reading(fought.position, self.rules), self._of_side(fought, side)
                meant = any(reading.fits(what.who, piece) for piece in pieces)
                if meant and (not retreat or self._has_way_out(fought, side)):
                    yield *fought.actions, ON

        return mutate

    def _no_check_after_losses(self, code: str, side: str, check: Check) -> Mutate:
        """A step is lost, and nobody rolls for those who are with the unit."""

        def mutate(moment: Moment) -> Broken:
            for fought in self._fought(moment, code):
                reading = Reading(fought.position, self.rules)
                for piece in self._of_side(fought, side):
                    others = [one for one in reading.units(piece.side) if one.where == piece.where]
                    beside = any(reading.fits(check.who, one) for one in others if one.id != piece.id)
                    if piece.steps > 1 and beside and not reading.fits(check.who, piece):
                        yield *fought.actions, Action("lose", (piece.id,), battle=fought.fight.number), ON

        return mutate

    def _of_side(self, fought: Fought, side: str) -> list[Piece]:
        names = fought.fight.attackers if side == "attacker" else fought.fight.defenders
        return [fought.position.pieces[name] for name in names]

    def _has_way_out(self, fought: Fought, side: str) -> bool:
        """Whether a unit that must retreat surely can: a hex without enemies and zones is next to it."""
        return any(self._open_beside(fought.position, one, far=2) for one in self._of_side(fought, side))

    def _open_beside(self, position: Position, piece: Piece, far: int) -> list[tuple[str, ...]]:
        """Paths of so many hexes that keep clear of enemies, zones and friends."""
        reading, grid = Reading(position, self.rules), position.game.map.grid
        movement = next(iter(self.rules.movement.values()))
        paths: list[tuple[str, ...]] = [(piece.where,)]
        for _ in range(far):
            paths = [
                (*path, to)
                for path in paths
                for to in grid.neighbours(path[-1])
                if to not in path
                and reading.cost(piece, movement, path[-1], to) < 100
                and not position.at(to)
                and not reading.zones(piece.side, to, purpose="retreat")
                and grid.distance(path[0], to) == len(path)
            ]
        return paths

    def _too_much(self, code: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought in self._fought(moment, code):
                outcome = self.rules.results[self.combat.table][code]
                idle = fought.fight.attackers if outcome.attacker is None else fought.fight.defenders
                own = outcome.attacker if idle is fought.fight.attackers else outcome.defender
                for name in idle if own is None else ():
                    if fought.position.pieces[name].steps > 1:
                        yield *fought.actions, Action("lose", (name,), battle=fought.fight.number), ON

        return mutate

    def _too_long(self, code: str, side: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought in self._fought(moment, code, side):
                length = self._length(code, side)
                names = fought.fight.attackers if side == "attacker" else fought.fight.defenders
                for name in names:
                    paths = self._open_beside(fought.position, fought.position.pieces[name], length + 1)
                    for path in moment.rng.sample(paths, min(len(paths), 1)):
                        yield *fought.actions, Action("retreat", (name,), path, battle=fought.fight.number)

        return mutate

    def _unmarked(self, code: str, side: str, retreat: Retreat) -> Mutate:
        """A single unit retreats as it must, and does not get the state that comes of it."""

        def mutate(moment: Moment) -> Broken:
            length = self._length(code, side)
            for fought in self._fought(moment, code, side) if length >= retreat.state_from else ():
                for piece in self._of_side(fought, side):
                    kinds = self.game.states[retreat.state].kinds
                    if piece.counter.kind in kinds and retreat.state not in piece.states:
                        paths = self._open_beside(fought.position, piece, length)
                        for path in moment.rng.sample(paths, min(len(paths), 1)):
                            went = Action("retreat", (piece.id,), path, battle=fought.fight.number)
                            yield *fought.actions, went, ON

        return mutate

    def _through_friends(self, code: str, side: str, retreat: Retreat) -> Mutate:
        """A unit retreats through friends, which do not get the state that comes of it."""

        def mutate(moment: Moment) -> Broken:
            length, grid = self._length(code, side), self.game.map.grid
            for fought in self._fought(moment, code, side) if length else ():
                reading = Reading(fought.position, self.rules)
                for piece in self._of_side(fought, side):
                    for friend in reading.units(piece.side):
                        able = friend.counter.kind in self.game.states[retreat.disorders].kinds
                        near = grid.distance(piece.where, friend.where) == 1
                        if able and near and not friend.states and not self._is_exempt(reading, friend):
                            path = self._over(fought.position, piece, friend.where, length)
                            went = Action("retreat", (piece.id,), path, battle=fought.fight.number)
                            if path and fought.position.world.rulebook.allows(fought.position, went):
                                yield *fought.actions, went, ON

        return mutate

    def _is_exempt(self, reading: Reading, piece: Piece) -> bool:
        retreat = self.rules.retreat
        return retreat is not None and reading.fits(retreat.disorders_not, piece)

    def _over(self, position: Position, piece: Piece, where: str, length: int) -> tuple[str, ...]:
        """A path of so many hexes that goes over a neighbour, straight on and farther away each hex."""
        grid, path = position.game.map.grid, [piece.where, where]
        while len(path) <= length:
            far = [to for to in grid.neighbours(path[-1]) if grid.distance(path[0], to) == len(path)]
            free = [to for to in far if not position.at(to)]
            if not free:
                return ()
            path.append(free[0])
        return tuple(path)

    def _length(self, code: str, side: str) -> int:
        outcome = self.rules.results[self.combat.table][code]
        what = outcome.attacker if side == "attacker" else outcome.defender
        return what.retreat if what is not None and isinstance(what.retreat, int) else 0

    def _into_a_zone(self, code: str, side: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            if self._length(code, side) != 1:
                return
            movement = next(iter(self.rules.movement.values()))
            for fought in self._fought(moment, code, side):
                position = fought.position
                reading, grid = Reading(position, self.rules), position.game.map.grid
                names = fought.fight.attackers if side == "attacker" else fought.fight.defenders
                for name in names:
                    piece = position.pieces[name]
                    for to in grid.neighbours(piece.where):
                        open_ = reading.cost(piece, movement, piece.where, to) < 100 and not position.at(to)
                        if open_ and reading.zones(piece.side, to, purpose="retreat"):
                            path = (piece.where, to)
                            yield (
                                *fought.actions,
                                Action("retreat", (name,), path, battle=fought.fight.number),
                            )
                            break

        return mutate

    def _bystander_advances(self, code: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought in self._fought(moment, code):
                fight, position = fought.fight, fought.position
                lost = tuple(Action("eliminate", (name,), battle=fight.number) for name in fight.defenders)
                for piece in self._idle(moment, fight.side):
                    if piece.id not in fight.attackers and fight.target in position.game.map.grid.neighbours(
                        piece.where
                    ):
                        path = (piece.where, fight.target)
                        yield (
                            *fought.actions,
                            *lost,
                            Action("advance", (piece.id,), path, battle=fight.number),
                        )

        return mutate

    # attacks to begin with

    def _fought(self, moment: Moment, code: str = "", side: str = "") -> Iterator[Fought]:
        """Attacks that are declared and rolled here, for a cell that has a code in it, about a side."""
        if moment.position.battles:
            return
        for attack, target in self._attacks(moment):
            fight = self._as_fight(moment, attack.pieces, target)
            if calculate(moment.position, fight).below:
                continue
            for roll in self._rolled_for(moment, fight, code, side):
                position = moment.position.play(attack).position.play(roll).position
                rolled = position.battle(fight.number)
                if isinstance(rolled, Fight):
                    yield Fought((attack, roll), position, rolled)
                    break

    def _has(self, cell: str, code: str, side: str) -> bool:
        """Whether a cell has a code, in the part that is about a side if it has parts."""
        before, sign, after = cell.partition(self.combat.parts) if self.combat.parts else (cell, "", "")
        part = before if not sign or side == "attacker" else after if side else cell
        codes = self.game.tables[self.combat.table].codes(part)
        return code in codes or (code == "#" and any(one.isdecimal() and int(one) for one in codes))

    def _rolled_for(self, moment: Moment, fight: Fight, code: str, side: str = "") -> Iterator[Action]:
        odds = calculate(moment.position, fight)
        dice = self.game.dice[self.combat.dice]
        totals = list(range(dice.count, dice.count * dice.sides + 1))
        moment.rng.shuffle(totals)
        for total in totals:
            cell = result_at(moment.position, fight, odds.column, total + odds.modifier)
            if not code or self._has(cell, code, side):
                faces = faces_of(total, dice.count, dice.sides)
                yield Action(f"roll {dice.id}", dice=faces, battle=fight.number)

    def _rolled(self, fight: Fight, face: int) -> tuple[Action, ...]:
        dice = self.game.dice[self.combat.dice]
        return (Action(f"roll {dice.id}", dice=(face,) * dice.count, battle=fight.number),)

    def _attacks(self, moment: Moment) -> Iterator[tuple[Action, str]]:
        """Attacks that may be made now: of a unit alone, and of all who can reach the hex."""
        if moment.position.battles:
            return
        able = [piece for piece, _ in self._able(moment)]
        found: list[tuple[Action, str]] = []
        for target in self._targets(moment, self._side(moment)):
            names = [piece.id for piece in able if target in self._near(moment, piece)]
            for pieces in ((name,) for name in names):
                found.append((Action(self._verb(moment), pieces, target=target), target))
            if len(names) > 1:
                found.append((Action(self._verb(moment), tuple(names), target=target), target))
        moment.rng.shuffle(found)
        yield from found[:MOST_FIGHTS]

    def _as_fight(self, moment: Moment, names: tuple[str, ...], target: str) -> Fight:
        number = max((battle.number for battle in moment.position.battles), default=0) + 1
        stood = {name: moment.position.pieces[name].where for name in names}
        return Fight(number, target, names, kind=self.name, side=self._side(moment), stood=stood)

    def _verb(self, moment: Moment) -> str:
        rule = self.rules.sequence.get(moment.position.phase)  # type: ignore[call-overload]
        kinds = [name for name in self.rules.combat if rule is not None and name in rule.does]
        return self.name if len(kinds) > 1 or not kinds else ATTACK

    def _is_phase(self, moment: Moment) -> bool:
        rule = self.rules.sequence.get(moment.position.phase)  # type: ignore[call-overload]
        return rule is not None and self.name in rule.does

    def _side(self, moment: Moment) -> str:
        rule = self.rules.sequence.get(moment.position.phase)  # type: ignore[call-overload]
        side = moment.position.side
        if rule is not None and rule.by == "passive":
            return next(one for one in self.game.sides if one != side)
        return side

    def _range(self, piece: Piece) -> int:
        if isinstance(self.combat.range, int):
            return self.combat.range
        printed = piece.counter.printed(self.combat.range, piece.steps)
        return printed if isinstance(printed, int) else 0

    def _idle(self, moment: Moment, side: str) -> list[Piece]:
        """Units on the map that are in no battle."""
        fighting = {name for battle in moment.position.battles for name in battle.attackers}
        units = Reading(moment.position, self.rules).units(side)
        found = [piece for piece in units if piece.id not in fighting]
        moment.rng.shuffle(found)
        return found

    def _able(self, moment: Moment) -> Iterator[tuple[Piece, Reading]]:
        """Units that may attack now, and have done nothing that forbids it."""
        if not self._is_phase(moment):
            return
        reading = Reading(moment.position, self.rules)
        for piece in self._idle(moment, self._side(moment)):
            printed = piece.counter.printed(self.combat.attack, piece.steps)
            forbidden = any(
                {ATTACK, self.name} & set(rule.forbids)
                for state, rule in self.rules.states.items()
                if state in piece.states
            )
            if (
                isinstance(printed, int)
                and printed > 0
                and not forbidden
                and reading.fits(self.combat.who, piece)
            ):
                yield piece, reading

    def _targets(self, moment: Moment, side: str) -> list[str]:
        reading = Reading(moment.position, self.rules)
        return sorted({piece.where for piece in reading.units() if piece.side != side})

    def _near(self, moment: Moment, piece: Piece) -> list[str]:
        grid = self.game.map.grid
        return [
            target
            for target in self._targets(moment, piece.side)
            if 1 <= grid.distance(piece.where, target) <= self._range(piece)
        ]
