"""Odds and modifiers that are announced without one of their terms."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.rulings import number
from referee.standard.odds import calculate
from tools.proof.breaking import Broken, Moment, Mutate
from tools.proof.standard.attacks import Attacks, Registered


@frozen
class Terms(Attacks):
    """A kind of combat whose odds are announced wrong."""

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
            for attack, target in self.attacks(moment):
                fight = self.as_fight(moment, attack.pieces, target)
                right, wrong = calculate(moment.position, fight), calculate(moment.position, fight, clause)
                if right.below or wrong.below:
                    continue
                if wrong.label != right.label:
                    sums = f"attack {number(wrong.attacking)}", f"defence {number(wrong.defending)}"
                    yield attack, Action("odds", words=(wrong.label, *sums), battle=fight.number)
                elif wrong.modifier != right.modifier:
                    yield attack, Action("modifier", words=(str(wrong.modifier),), battle=fight.number)

        return mutate
