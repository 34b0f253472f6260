"""Breaches in battles: wrong attackers and targets, wrong odds, results not carried out or exceeded."""

from __future__ import annotations

from itertools import chain
from random import Random

from referee.engine.actions import NEXT, Action
from referee.engine.position import Position
from referee.standard.battle import Fight
from tools.proof.breaking import Breaker, Broken, Moment, Mutate
from tools.proof.standard.attacks import ATTACK
from tools.proof.standard.declaring import Declaring
from tools.proof.standard.results import Results
from tools.proof.standard.retreating import IN_A_CIRCLE
from tools.proof.standard.terms import Terms
from vassalgen.game.families import Families
from vassalgen.game.game import Game

BEFORE = (ATTACK, NEXT.name)


def finish(position: Position, action: Action, rng: Random) -> tuple[Action, ...]:
    """An attack without dice does not count, so they are rolled. Odds are announced with the dice."""
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
        rooms = (
            Declaring(game, rules, name, combat).declaring(),
            Terms(game, rules, name, combat).wrong_terms(),
            Results(game, rules, name, combat).results(),
        )
        for clause, title, mutate in chain.from_iterable(rooms):
            verbs = (*BEFORE, *((name,) if name != ATTACK else ()))
            shown = IN_A_CIRCLE not in title or clause == getattr(rules.retreat, "each_step", "")
            breaker.breaks(clause, *verbs, shown=shown)(_named(title, mutate))


def _named(title: str, mutate: Mutate) -> Mutate:
    """A mutator with a name of its own."""

    def broken(moment: Moment) -> Broken:
        return mutate(moment)

    broken.__name__ = title
    return broken
