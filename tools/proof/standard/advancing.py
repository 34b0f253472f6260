"""Wrong advances: too many units, too far, the wrong units, or none."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Piece
from tools.proof.breaking import Broken, Moment, Mutate
from tools.proof.standard.attacks import ON, Fought, Registered
from tools.proof.standard.reading import Reading
from tools.proof.standard.retreating import Retreating
from vassalgen.game.families import NOBODY, Advance, Bar


@frozen
class Advancing(Retreating):
    """A kind of combat with wrong advances after it."""

    def _wrong_advances(self, code: str, rule: Advance) -> Iterator[Registered]:
        """Wrong advances after a result that makes the defenders retreat."""
        if rule.after and self.name not in rule.after:
            return
        title = f"after_{code}_of_{self.name}"
        yield rule.clause, f"a_bystander_advances_{title}", self._by_a_bystander(code)
        yield rule.hexes_clause or rule.clause, f"an_advance_too_far_{title}", self._too_far(code, rule)
        if rule.who.text:
            yield rule.clause, f"an_advance_of_who_may_not_{title}", self._by_who_may_not_advance(code, rule)
        if rule.units and rule.units_clause:
            yield rule.units_clause, f"too_many_advance_{title}", self._by_too_many(code, rule)
        if rule.must and (not rule.must_after or self.name in rule.must_after):
            yield rule.must, f"nobody_advances_{title}", self._by_nobody(code, rule)
        if rule.into_clause and rule.into.text:
            yield rule.into_clause, f"an_advance_where_none_may_{title}", self._not_into(code, rule)
        for label, bar in self.rules.bars.items():
            if bar.is_ban and "advance" in bar.to:
                yield bar.clause, f"an_advance_barred_by_{label}_{title}", self._though_barred(code, bar)
        if rule.state:
            clause = rule.state_clause or rule.clause
            yield clause, f"an_advance_without_its_marker_{title}", self._unmarked_after(code, rule)
        if rule.free != NOBODY:
            yield rule.clause, f"those_who_go_along_advance_alone_{title}", self._alone(code, rule)

    def _vacated(self, moment: Moment, code: str) -> Iterator[tuple[Fought, tuple[Action, ...], list[Piece]]]:
        """Battles whose hex the defenders leave, with the actions up to then, and the attackers
        next to it.
        """
        grid = self.game.map.grid
        for fought in self.fought(moment, code, "defender") if not self.is_amid_moves(moment) else ():
            length, fight = self.steps_back(fought, code, "defender"), fought.fight
            went: list[Action] = []
            for piece in self.of_side(fought, "defender"):
                paths = self.open_beside(fought.position, piece, length)
                free = [path for path in paths if all(path[-1] != action.end for action in went)]
                went += [Action("retreat", (piece.id,), path, battle=fight.number) for path in free[:1]]
            outcome = self.rules.results[self.combat.table][code]
            if any(one.lose == "all" and not one.who for one in outcome.defender):
                went = [Action("eliminate", (name,), battle=fight.number) for name in fight.defenders]
            if len(went) == len(fight.defenders) and not self.steps_back(fought, code, "attacker"):
                mine = self.of_side(fought, "attacker")
                near = [one for one in mine if grid.are_neighbours(one.where, fight.target)]
                yield fought, (*fought.actions, *went), near

    def _able_to_advance(self, fought: Fought, pieces: list[Piece]) -> list[Piece]:
        """The units that no rule prevents from advancing."""
        rule, reading = self.rules.advance, Reading(fought.position, self.rules)
        return [
            one
            for one in pieces
            if rule and reading.fits(rule.who, one) and not self._is_kept_back(reading, one)
        ]

    def _is_kept_back(self, reading: Reading, piece: Piece) -> bool:
        """Whether a bar or a state may prevent a unit from some advances."""
        bars = (one for one in self.rules.bars.values() if not one.to or "advance" in one.to)
        states = (rule for state, rule in self.rules.states.items() if state in piece.states)
        kept = any("advance" in one.forbids for one in states)
        return kept or any(reading.fits(bar.who, piece) for bar in bars)

    @staticmethod
    def _goes(fought: Fought, piece: Piece, *path: str) -> Action:
        return Action("advance", (piece.id,), (piece.where, *path), battle=fought.fight.number)

    def _by_a_bystander(self, code: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought, done, _ in self._vacated(moment, code):
                fight, reading = fought.fight, Reading(fought.position, self.rules)
                free = self.rules.advance.free if self.rules.advance else NOBODY
                for piece in self.idle(moment, fight.side):
                    goes_along = free != NOBODY and reading.fits(free, piece)
                    near = self.game.map.grid.are_neighbours(piece.where, fight.target)
                    if near and not goes_along and piece.id not in fight.attackers:
                        yield *done, self._goes(fought, piece, fight.target)

        return mutate

    def _too_far(self, code: str, rule: Advance) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            grid = self.game.map.grid
            for fought, done, near in self._vacated(moment, code) if not rule.along else ():
                reading = Reading(fought.position, self.rules)
                for piece in self._able_to_advance(fought, near):
                    far = [hexes for who, hexes in rule.hexes.items() if reading.fits(who, piece)]
                    if (far or [1])[0] == 1:
                        beyond = self._open_beyond(fought.position, piece, fought.fight.target, ())
                        away = [to for to in beyond if not grid.are_neighbours(piece.where, to)]
                        for to in moment.rng.sample(away, min(len(away), 1)):
                            yield *done, self._goes(fought, piece, fought.fight.target, to)

        return mutate

    def _by_who_may_not_advance(self, code: str, rule: Advance) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought, done, near in self._vacated(moment, code):
                reading = Reading(fought.position, self.rules)
                for piece in near:
                    if not reading.fits(rule.who, piece) and not self._is_kept_back(reading, piece):
                        yield *done, self._goes(fought, piece, fought.fight.target)

        return mutate

    def _by_too_many(self, code: str, rule: Advance) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought, done, near in self._vacated(moment, code):
                reading, able = Reading(fought.position, self.rules), self._able_to_advance(fought, near)
                counted = [one for one in able if rule.free == NOBODY or not reading.fits(rule.free, one)]
                if len(counted) > rule.units:
                    going = counted[: rule.units + 1]
                    yield *done, *(self._goes(fought, one, fought.fight.target) for one in going)

        return mutate

    def _though_barred(self, code: str, bar: Bar) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought, done, near in self._vacated(moment, code):
                reading = Reading(fought.position, self.rules)
                for piece in near:
                    if reading.fits(bar.who, piece):
                        yield *done, self._goes(fought, piece, fought.fight.target)

        return mutate

    def _unmarked_after(self, code: str, rule: Advance) -> Mutate:
        """A unit advances, and is not marked as its advance requires."""

        def mutate(moment: Moment) -> Broken:
            for fought, done, near in self._vacated(moment, code):
                reading = Reading(fought.position, self.rules)
                for piece in self._able_to_advance(fought, near):
                    if reading.fits(rule.state_who, piece) and not piece.states:
                        yield *done, self._goes(fought, piece, fought.fight.target), ON

        return mutate

    def _by_nobody(self, code: str, rule: Advance) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought, done, near in self._vacated(moment, code):
                reading, mine = Reading(fought.position, self.rules), self.of_side(fought, "attacker")
                spared = rule.must_except != NOBODY and any(
                    reading.fits(rule.must_except, one) for one in mine
                )
                able = self._able_to_advance(fought, near)
                if any(reading.fits(rule.must_who, piece) for piece in able) and not spared:
                    yield *done, ON

        return mutate

    def _not_into(self, code: str, rule: Advance) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            for fought, done, near in self._vacated(moment, code):
                if not Reading(fought.position, self.rules).hex_fits(rule.into, fought.fight.target):
                    for piece in self._able_to_advance(fought, near):
                        yield *done, self._goes(fought, piece, fought.fight.target)

        return mutate

    def _alone(self, code: str, rule: Advance) -> Mutate:
        """Leaders advance from the hex of an attacker without any of the other units there."""

        def mutate(moment: Moment) -> Broken:
            for fought, done, near in self._vacated(moment, code):
                reading, places = Reading(fought.position, self.rules), {one.where for one in near}
                for piece in reading.units(fought.fight.side):
                    alone = piece.where in places and piece.id not in fought.fight.attackers
                    if alone and reading.fits(rule.free, piece):
                        yield *done, self._goes(fought, piece, fought.fight.target), ON

        return mutate
