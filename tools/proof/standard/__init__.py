"""How games whose rules are data are broken: mutators derived from the families in ``rules.toml``, clause by
clause.
"""

from __future__ import annotations

from tools.proof.breaking import Breaker
from tools.proof.standard.coming_back import coming_back
from tools.proof.standard.fighting import fighting, finish
from tools.proof.standard.left_undone import left_undone
from tools.proof.standard.markers import hex_markers
from tools.proof.standard.moving import moving
from tools.proof.standard.roll_announcements import ROLL_ANNOUNCEMENTS
from tools.proof.standard.upkeep import others
from vassalgen.game.families import Families
from vassalgen.game.game import Game

__all__ = ["ROLL_ANNOUNCEMENTS", "breaker_of"]


def breaker_of(game: Game, rules: Families) -> Breaker:
    """Return the mutators of a game for its families."""
    breaker = Breaker(finish=finish, explained=_explained(rules))
    moving(game, rules, breaker)
    fighting(game, rules, breaker)
    others(game, rules, breaker)
    hex_markers(rules, breaker)
    coming_back(rules, breaker)
    left_undone(rules, breaker)
    broken = {mutator.clause for mutator in breaker.mutators}
    breaker.unbroken = {clause: why for clause, why in _not_in_a_log(rules).items() if clause not in broken}
    return breaker


def _explained(rules: Families) -> dict[str, str]:
    """By mutator: the reason why another clause is named, or nothing is proved."""
    found = {"moves_without_paying_for_its_entry": "the points that it lacks are those of its move"}
    left = "who is attacked and may not retreat is read as moving out of turn"
    found |= {f"{kind}_left_before_the_dice": left for kind in rules.combat}
    clauses = {rule.only_roads for rule in rules.movement.values() if rule.only_roads}
    for phase in rules.sequence.values():
        kinds = [kind for kind in phase.does if kind in rules.movement]
        for kind in kinds if len(kinds) > 1 else ():
            why = "a drag may be of another kind of movement, whose limits it breaks"
            found |= {f"{kind}_as_if_without_{clause}": why for clause in clauses}
    return found


def _not_in_a_log(rules: Families) -> dict[str, str]:
    """Clauses whose breach no log shows, with the reason."""
    found: dict[str, str] = {rules.clock: "a turn track that is set back is read as a correction"}
    if rules.victory:
        claims = (rules.victory, *rules.victory.points.values(), *rules.victory.wins.values())
        found |= {one.clause: "nobody claims victory in a log" for one in claims}
    if rules.retreat and rules.retreat.further:
        found[rules.retreat.stacking] = "a retreat that was dragged into a full hex may go on"
    for movement in rules.movement.values():
        found[movement.minimum] = "it allows something"
    for outcomes in rules.results.values():
        for outcome in outcomes.values():
            if not any(one.lose or one.state or one.check for one in (*outcome.attacker, *outcome.defender)):
                found[outcome.clause] = "the retreat that it asks for has clauses of its own"
    return found
