"""Odds and modifiers announced without one of their terms."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from referee.engine.actions import Action
from referee.engine.combat import Odds
from referee.engine.position import Position
from referee.engine.rulings import number
from referee.standard.battle import Fight
from referee.standard.odds import Entered, by_hand, calculate
from referee.standard.setting import the_setting
from referee.standard.stores import left_in
from tools.proof.breaking import Broken, Moment, Mutate
from tools.proof.standard.attacks import Attacks, Registered
from vassalgen.game.families import ANYBODY, ANYWHERE, ByHand, Spending, Store


@frozen
class Terms(Attacks):
    """A kind of combat whose odds are announced wrongly."""

    def wrong_terms(self) -> Iterator[Registered]:
        """Odds or modifiers announced without one of their terms."""
        terms = [term.clause for term in self.combat.terms.values()]
        for clause in dict.fromkeys((*self.combat.modifiers.values(), *terms)):
            yield clause, f"{self.name}_without_{clause}", self._without(clause)
        for label, term in self.combat.by_hand.items():
            if term.attacker or term.defender or term.hexes:
                yield (
                    term.clause,
                    f"{self.name}_with_{label}_though_it_may_not",
                    self._entered_wrongly(label, term),
                )
        if self.combat.columns_within or self.combat.die_within:
            clause = self.combat.within_clause or self.combat.clause
            yield clause, f"{self.name}_beyond_its_limit", self._without(clause)
        for label, store in self.rules.stores.items():
            if any(term in store.costs for term in self.combat.by_hand):
                yield store.clause, f"{self.name}_with_support_not_paid", self._unpaid_support(label, store)
        for state, rule in self.rules.states.items():
            if self.combat.attack in self.game.states[state].counts:
                clause = rule.clause_of(self.combat.attack)
                yield clause, f"{self.name}_without_{clause}", self._without(clause)
        if self.combat.halved_once:
            clause = self.combat.halved_once
            yield clause, f"{self.name}_halved_twice", self._without(clause)
        if not self.combat.by_hand:
            clause = self.combat.odds or self.combat.clause
            yield clause, f"{self.name}_a_column_too_high", self._a_column_too_high
        if self.combat.at_range:
            clause = self.combat.at_range_clause or self.combat.clause
            yield clause, f"{self.name}_without_its_range", self._without(clause)
            if any(ranged.who.text for ranged in self.combat.at_range.values()):
                yield self.combat.clause, f"{self.name}_at_a_range_for_all", self._at_a_range_for_all

    def _a_column_too_high(self, moment: Moment) -> Broken:
        """The next column, whatever the factors are."""
        for attack, target in self.attacks(moment):
            fight = self.as_fight(moment, attack.pieces, target)
            odds = calculate(moment.position, fight)
            if not odds.below and odds.column + 1 < len(odds.table.columns):
                label = odds.table.columns[odds.column + 1]
                yield attack, Action("odds", words=(label,), battle=fight.number)

    def _without(self, clause: str) -> Mutate:
        def mutate(moment: Moment) -> Broken:
            return self._announced(moment, moment.position, clause)

        return mutate

    def _entered_wrongly(self, label: str, term: ByHand) -> Mutate:
        """A term that players enter by hand, in a battle to which it does not apply."""
        for_all = evolve(term, attacker=ANYBODY, defender=ANYBODY, hexes=ANYWHERE)
        lenient = evolve(self.combat, by_hand={**self.combat.by_hand, label: for_all})
        rules = evolve(self.rules, combat={**self.rules.combat, self.name: lenient})

        def mutate(moment: Moment) -> Broken:
            prepared = evolve(the_setting(moment.position), rules=rules)
            believed = evolve(moment.position, world=evolve(moment.position.world, prepared=prepared))
            for attack, target in self.attacks(moment):
                fight = self.as_fight(moment, attack.pieces, target)
                right = {
                    self._said(calculate(moment.position, fight, "", one))
                    for one in by_hand(moment.position, fight)
                }
                for one in by_hand(believed, fight):
                    wrong = calculate(believed, fight, "", one)
                    alone = [name for name, _ in one.terms] == [label]
                    if alone and self._said(wrong) not in right and not wrong.below:
                        yield attack, *self._saying(wrong, fight)

        return mutate

    def _unpaid_support(self, label: str, store: Store) -> Mutate:
        """Odds with more of a term entered by hand than the side can pay for."""

        def mutate(moment: Moment) -> Broken:
            left = left_in(moment.position, label, store, self.side(moment))
            for attack, target in self.attacks(moment):
                fight = self.as_fight(moment, attack.pieces, target)
                right = {
                    self._said(calculate(moment.position, fight, "", one))
                    for one in by_hand(moment.position, fight)
                    if self._price(store, one) <= left
                }
                for one in by_hand(moment.position, fight):
                    wrong = calculate(moment.position, fight, "", one)
                    if self._price(store, one) > left and self._said(wrong) not in right and not wrong.below:
                        yield attack, *self._saying(wrong, fight)

        return mutate

    @staticmethod
    def _price(store: Store, entered: Entered) -> int:
        return sum(store.costs.get(Spending(term), 0) * times for term, times in entered.terms)

    @staticmethod
    def _said(odds: Odds) -> tuple[str, int]:
        return odds.label, odds.modifier

    @staticmethod
    def _saying(odds: Odds, fight: Fight) -> tuple[Action, Action]:
        """The actions that announce odds: the modifier of the dice, and the column."""
        return (
            Action("modifier", words=(str(odds.modifier),), battle=fight.number),
            Action("odds", words=(odds.label,), battle=fight.number),
        )

    def _at_a_range_for_all(self, moment: Moment) -> Broken:
        """Odds as if the range had the same effect for every attacker."""
        for_all = {label: evolve(ranged, who=ANYBODY) for label, ranged in self.combat.at_range.items()}
        rules = evolve(
            self.rules, combat={**self.rules.combat, self.name: evolve(self.combat, at_range=for_all)}
        )
        world = moment.position.world
        believed = evolve(world, prepared=evolve(the_setting(moment.position), rules=rules))
        return self._announced(moment, evolve(moment.position, world=believed))

    def _announced(self, moment: Moment, believed: Position, clause: str = "") -> Broken:
        """The odds or modifier of another position, or without a clause, where they differ."""
        for attack, target in self.attacks(moment):
            fight = self.as_fight(moment, attack.pieces, target)
            right, wrong = calculate(moment.position, fight), calculate(believed, fight, clause)
            if right.below or wrong.below:
                continue
            if wrong.label != right.label:
                sums = f"attack {number(wrong.attacking)}", f"defence {number(wrong.defending)}"
                yield attack, Action("odds", words=(wrong.label, *sums), battle=fight.number)
            elif wrong.modifier != right.modifier:
                yield attack, Action("modifier", words=(str(wrong.modifier),), battle=fight.number)
