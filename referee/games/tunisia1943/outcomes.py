"""The outcome of an attack: the announced one, the correct one if that differs, and the one carried out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import TypeAlias

from attrs import field, frozen

from referee.engine.outcomes import grade_of_outcome
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.games.tunisia1943.account import Account, Side, demand, is_destroyed
from referee.games.tunisia1943.battle import SETTLING, Attack, calculate_odds, outcomes
from referee.games.tunisia1943.facts import ZOC_LOST
from vassalgen.game.provenance import Provenance, weakest

Duty: TypeAlias = Callable[[Position, Attack], Iterable[Breach]]
TERRAIN = ("2.1a", "2.1b")


def under_all(attack: Attack, find: Callable[[Attack], Iterable[Breach]]) -> tuple[Breach, ...]:
    """Return the breaches of an action after the die, none if one of the outcomes allows it."""
    found = [tuple(find(one)) for one in outcomes(attack)]
    return found[0] if all(found) else ()


@frozen
class Duties:
    """What the outcome of an attack requires: rules that are checked for the outcome that was carried out."""

    finds: list[Duty] = field(factory=list)

    def rule(self, rules: Section, clause: str) -> Callable[[Duty], Duty]:
        """Register a rule on what an attack leaves undone."""

        def register(find: Duty) -> Duty:
            @wraps(find)
            def by_the_outcome(position: Position, attack: Attack) -> Iterable[Breach]:
                return find(position, self.carried_out(position, attack))

            self.finds.append(find)
            SETTLING.rule(rules, clause)(by_the_outcome)
            return find

        return register

    def carried_out(self, position: Position, attack: Attack) -> Attack:
        """Return the attack with the outcome that was carried out: the correct one if the actions fit it."""
        played, *right = outcomes(attack)
        if not right or self.misfit(position, right[0]) > min(Grade.slip, self.misfit(position, played)):
            return played
        return right[0]

    def misfit(self, position: Position, attack: Attack) -> Grade:
        """Return the worst of what an outcome leaves undone, or what was done without need."""
        if _is_too_much(position, attack):
            return Grade.illegal
        breaches = (breach for find in self.finds for breach in find(position, attack))
        marked = any(
            position.pieces[name].is_(ZOC_LOST) and not is_destroyed(position, name)
            for name in attack.defenders
        )
        without = Grade.slip if marked and not attack.has_star else Grade.legal
        return max((breach.grade for breach in breaches), default=without)


DUTIES = Duties()


def _is_too_much(position: Position, attack: Attack) -> bool:
    """Whether more steps were lost than an outcome costs, or units retreated farther."""
    sides: tuple[Side, ...] = ("attackers", "defenders")
    lost = any(Account.of(position, attack, side).excess() for side in sides)
    length = demand(attack).retreat
    gone = [len(attack.retreated[name]) - 1 for name in attack.defenders if name in attack.retreated]
    return lost or any(steps > length for steps in gone if not length or attack.right)


def wrong_outcome(position: Position, attack: Attack) -> Iterator[Breach]:
    """Find that a wrong outcome was carried out; the clause of the mistake is known."""
    if not attack.wrong or attack.die is None or DUTIES.carried_out(position, attack) is not attack:
        return
    if DUTIES.misfit(position, attack) > Grade.slip:
        return  # what it leaves undone is reported
    right = attack.right_odds or calculate_odds(position, attack)
    facts: Facts = {
        "played": attack.result or "nothing",
        "right": attack.right,
        "die": attack.die,
        "column": right.label,
        "modifier": f"{right.modifier:+d}",
        "odds": right.lines(),
    }
    says = (
        f"{attack.result or 'No result'} was carried out on {attack.target}; a roll of {attack.die}"
        f" with DRM {right.modifier:+d} in column {right.label} gives {attack.right}."
    )
    data = _data(position, attack)
    yield Breach(says, facts, grade_of_outcome(attack.result, attack.right, data), attack.wrong, data)


def _data(position: Position, attack: Attack) -> Provenance:
    """The least certain of the charts on which the correct outcome relies."""
    game = position.game
    table = game.tables["crt"].provenance
    if attack.wrong not in TERRAIN:
        return table
    hexes = [where for where in attack.stood.values() if game.map.grid.are_neighbours(where, attack.target)]
    features = {name for where in hexes for name in game.map.hexside(where, attack.target).features}
    rows = [game.terrain[game.map.hexes[attack.target].terrain], *(game.features[name] for name in features)]
    return weakest(table, *(row.provenance for row in rows))
