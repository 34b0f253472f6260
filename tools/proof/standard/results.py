"""Results that are not carried out, or that are exceeded."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from referee.engine.actions import Action
from referee.standard.odds import calculate
from tools.proof.breaking import Broken, Moment, Mutate
from tools.proof.standard.advancing import Advancing
from tools.proof.standard.attacks import ON, Fought, Registered
from tools.proof.standard.reading import Reading
from vassalgen.game.families import NOBODY, Check, Consequence, Outcome
from vassalgen.game.tables import span


@frozen
class Results(Advancing):
    """A kind of combat whose results are not carried out."""

    def results(self) -> Iterator[Registered]:
        """Results that are not carried out, or exceeded."""
        for code, outcome in self.rules.results.get(self.combat.table, {}).items():
            for side in ("attacker", "defender"):
                for place, what in enumerate(outcome.of(side)):
                    for clause, title, mutate in self._of_outcome(code, outcome, side, what):
                        yield clause, f"{title}_{place + 1}" if place else title, mutate
        if self.combat.goes_on and "move" in self.rules.movement:
            clause = self.combat.goes_on_clause or self.combat.clause
            yield clause, f"{self.name}_and_goes_on", self._goes_on
        plain = [
            code
            for code, outcome in self.rules.results.get(self.combat.table, {}).items()
            if not any(one.lose for one in (*outcome.attacker, *outcome.defender))
        ]
        for label, outcome in self.combat.natural.items():
            if any(one.state for one in outcome.attacker):
                title = f"{self.name}_nothing_marked_after_{label}"
                yield outcome.clause, title, self._no_state_after(label, outcome)
        for label, check in self.rules.checks.items():
            if self.name in check.before:
                yield check.clause, f"{self.name}_without_{label}", self._no_check_before(check)
        for code in plain:
            yield self.combat.clause, f"a_step_too_many_after_{code}", self._too_much(code)

    def _no_state_after(self, label: str, outcome: Outcome) -> Mutate:
        """The dice show what puts attackers into a state, and none is marked."""

        def mutate(moment: Moment) -> Broken:
            low, _ = span(label)
            dice = self.game.dice[self.combat.dice]
            for attack, target in self.attacks(moment) if dice.count == 1 else ():
                reading, fight = (
                    Reading(moment.position, self.rules),
                    self.as_fight(moment, attack.pieces, target),
                )
                for what in outcome.attacker:
                    mine = [moment.position.pieces[name] for name in attack.pieces]
                    if what.state and any(reading.fits(what.who, one) and not one.states for one in mine):
                        yield attack, *self.rolled(fight, int(low)), ON

        return mutate

    def _no_check_before(self, check: Check) -> Mutate:
        """An attack for which units should have rolled, and have not."""

        def mutate(moment: Moment) -> Broken:
            for fought in self.fought(moment):
                reading = Reading(fought.position, self.rules)
                units, enemies = self.of_side(fought, "attacker"), self.of_side(fought, "defender")
                if check.before_by == "defender":
                    units, enemies = enemies, units
                against = any(reading.fits(check.before_against, one) for one in enemies)
                if against and any(reading.fits(check.who, one) for one in units):
                    yield *fought.actions, ON

        return mutate

    def _goes_on(self, moment: Moment) -> Broken:
        """Attackers that move on after an attack that ends their move."""
        for fought in self.fought(moment):
            cell = fought.fight.result
            codes = self.rules.results.get(self.combat.table, {}).items()
            if any(one.attacker and self.has(cell, code, "attacker") for code, one in codes):
                continue  # what it moves may be its retreat
            for piece in self.of_side(fought, "attacker"):
                there = self.of_side(fought, "defender")
                cleared = not any(one.where in fought.fight.hexes for one in there)
                if self.combat.goes_on == "cleared" and cleared:
                    continue
                for path in self.open_beside(fought.position, piece, far=1):
                    yield *fought.actions, Action("move", (piece.id,), path)

    def _of_outcome(self, code: str, outcome: Outcome, side: str, what: Consequence) -> Iterator[Registered]:
        clause = what.clause or outcome.clause
        if what.lose == "all" and self.combat.automatic:
            title = f"{code}_without_dice_one_of_the_{side}_is_spared"
            yield clause, title, self._half_done(code, side)
        if what.lose:
            yield clause, f"{code}_no_loss_of_the_{side}", self._undone(code, side, what)
        if isinstance(what.lose, int) and what.lose and (what.first != NOBODY or what.first_by):
            first = what.first_clause or clause
            yield first, f"{code}_the_wrong_{side}_loses_first", self._wrong_first(code, side, what)
        if what.lose == 1:
            for label, check in self.rules.checks.items():
                if check.after_losses and self.name in (check.after_losses_in or (self.name,)):
                    title = f"{code}_no_{label}_of_the_{side}"
                    yield check.clause, title, self._no_check_after_losses(code, side, check)
        if what.check:
            check_clause = self.rules.checks[what.check].clause
            yield check_clause, f"{code}_no_check_of_the_{side}", self._undone(code, side, what)
        if what.state:
            yield clause, f"{code}_no_state_of_the_{side}", self._undone(code, side, what)
        if what.retreat and self.rules.retreat:
            retreat = self.rules.retreat
            title = f"{code}_no_retreat_of_the_{side}"
            yield retreat.clause, title, self._undone(code, side, what, retreat=True)
            if not what.lose and not what.who:
                title = f"{code}_too_short_a_retreat_of_the_{side}"
                yield retreat.clause, title, self._too_short(code, side)
            if not what.lose and not what.who:
                yield from self._wrong_ways(code, side, retreat)
            if side == "defender" and not what.lose and not what.who and self.rules.advance:
                yield from self._wrong_advances(code, self.rules.advance)
            advance = self.rules.advance
            if advance and advance.along and side == "defender" and not what.lose and not what.who:
                yield advance.along, f"{code}_advance_off_the_path", self._off_the_path(code, advance)
            if retreat.state and not what.lose and what.retreat != "#":
                title = f"{code}_no_state_of_the_retreated_{side}"
                yield retreat.state_clause or retreat.clause, title, self._unmarked(code, side, retreat)
            if retreat.disorders and not what.lose and what.retreat != "#":
                title = f"{code}_through_friends_of_the_{side}"
                yield retreat.disorders_clause, title, self._through_friends(code, side, retreat)
            if not what.lose:
                yield retreat.clause, f"{code}_too_long_a_retreat_of_the_{side}", self._too_long(code, side)
                if retreat.zoc and not retreat.zoc_loses:
                    title = f"{code}_retreat_into_a_zone_of_the_{side}"
                    yield retreat.zoc, title, self._into_a_zone(code, side)
        if self.rules.advance and side == "defender" and what.lose == "all":
            title = f"an_advance_of_a_bystander_after_{code}"
            yield self.rules.advance.clause, title, self._bystander_advances(code)
            yield from self._wrong_advances(code, self.rules.advance) if not what.who else ()

    def _undone(self, code: str, side: str, what: Consequence, *, retreat: bool = False) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought in self.fought(moment, code, side):
                reading, pieces = Reading(fought.position, self.rules), self.of_side(fought, side)
                kinds = self.game.states[what.state].kinds if what.state and not what.lose else None
                able = [piece for piece in pieces if kinds is None or piece.counter.kind in kinds]
                meant = any(reading.fits(what.who, piece) for piece in able)
                if meant and (not retreat or self._has_way_out(fought, side)):
                    yield *fought.actions, ON

        return mutate

    def _wrong_first(self, code: str, side: str, what: Consequence) -> Mutate:
        """Units that must not lose the first step lose everything that the result costs."""

        def mutate(moment: Moment) -> Broken:
            for fought in self.fought(moment, code, side):
                reading, pieces = Reading(fought.position, self.rules), self.of_side(fought, side)
                kinds = self.game.kinds
                mine = [piece for piece in pieces if reading.fits(what.who, piece)]
                mine = [piece for piece in mine if not kinds[piece.counter.kind].along]
                leading = [p for p in mine if what.first == NOBODY or reading.fits(what.first, p)]
                if what.first_by:
                    most = max((self.number(piece, what.first_by) for piece in leading), default=0)
                    leading = [piece for piece in leading if self.number(piece, what.first_by) == most]
                for piece in mine:
                    if leading and piece not in leading and piece.steps > int(what.lose):
                        lost = Action("lose", (piece.id,), battle=fought.fight.number)
                        yield *fought.actions, *(lost,) * int(what.lose), ON

        return mutate

    def _half_done(self, code: str, side: str) -> Mutate:
        """An attack that needs no dice, after which one of the units that are lost stays."""

        def mutate(moment: Moment) -> Broken:
            for attack, target in self.attacks(moment):
                fight = self.as_fight(moment, attack.pieces, target)
                odds = calculate(moment.position, fight)
                cells = {row[odds.column] for row in odds.table.cells}
                if odds.below or len(cells) > 1 or not self.has(min(cells), code, side):
                    continue
                enemies = Reading(moment.position, self.rules).enemies(self.side(moment), target)
                names = attack.pieces if side == "attacker" else [one.id for one in enemies]
                for name in names[:1] if len(names) > 1 else ():
                    yield attack, Action("eliminate", (name,), battle=fight.number), ON

        return mutate

    def _no_check_after_losses(self, code: str, side: str, check: Check) -> Mutate:
        """A step is lost, and the roll for the other units in the hex is omitted."""

        def mutate(moment: Moment) -> Broken:
            for fought in self.fought(moment, code):
                reading = Reading(fought.position, self.rules)
                for piece in self.of_side(fought, side):
                    others = [one for one in reading.units(piece.side) if one.where == piece.where]
                    beside = any(reading.fits(check.who, one) for one in others if one.id != piece.id)
                    if piece.steps > 1 and beside and not reading.fits(check.who, piece):
                        yield *fought.actions, Action("lose", (piece.id,), battle=fought.fight.number), ON

        return mutate

    def _has_way_out(self, fought: Fought, side: str) -> bool:
        """Whether a unit that must retreat certainly can: an adjacent hex is free of enemies and zones."""
        return any(self.open_beside(fought.position, one, far=2) for one in self.of_side(fought, side))

    def _too_much(self, code: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought in self.fought(moment, code):
                outcome = self.rules.results[self.combat.table][code]
                idle = fought.fight.defenders if outcome.attacker else fought.fight.attackers
                own = outcome.of("defender" if outcome.attacker else "attacker")
                for name in idle if not own else ():
                    if fought.position.pieces[name].steps > 1:
                        yield *fought.actions, Action("lose", (name,), battle=fought.fight.number), ON

        return mutate

    def _bystander_advances(self, code: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought in self.fought(moment, code):
                fight, position = fought.fight, fought.position
                reading = Reading(position, self.rules)
                free = self.rules.advance.free if self.rules.advance else NOBODY
                lost = tuple(Action("eliminate", (name,), battle=fight.number) for name in fight.defenders)
                for piece in self.idle(moment, fight.side):
                    if free != NOBODY and reading.fits(free, piece):
                        continue  # it may go along
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
