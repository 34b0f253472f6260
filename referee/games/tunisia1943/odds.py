"""Announced odds compared with the correct ones; a difference is attributed to a clause."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Self

from attrs import evolve, frozen

from referee.engine.actions import Action
from referee.engine.announced import Announced, Explanation, explained
from referee.engine.combat import Odds, rung_label
from referee.engine.position import Position
from referee.engine.rulings import Grade, number
from referee.engine.wording import name_of
from referee.games.tunisia1943.air import left
from referee.games.tunisia1943.battle import Attack, calculate_odds, defenders, has_armour
from referee.games.tunisia1943.facts import is_tiger, other, stray_garrison, unstated_garrison
from referee.games.tunisia1943.notes import CAME_BACK

MISTAKES = (
    ("7.2b", "full strength", "the values of the face that shows count"),
    ("9.2b", "full attack without supply", "a unit out of supply attacks with 1"),
    ("9.2c", "full defence without supply", "the defence of a unit out of supply is halved"),
    ("9.2c", "halved together", "each unit is halved separately, and rounded up"),
    ("G.2", "no garrison", "the garrison adds its own defence value of 3"),
    ("G.2", "garrison doubled", "the defence value of a garrison is never modified"),
    ("7.2c", "no city", "a city doubles the defence"),
    ("7.3f", "no modifier beyond", "each column above the table is a DRM of +1"),
    ("7.3h", "no modifier beyond", "each column below the table is a DRM of -1"),
    ("7.3f", "cut first", "columns beyond the table become DRMs only after all shifts"),
    ("7.3h", "cut first", "columns beyond the table become DRMs only after all shifts"),
    ("11d", "not cancelled", "aviation points of both sides cancel each other"),
    ("11e", "one column only", "each aviation point not cancelled shifts 1 column"),
    ("11e", "no aviation", "each aviation point not cancelled shifts 1 column"),
    ("12f", "12f", "a Tiger passes every test"),
    ("12d", "12d", "an attacking Tiger lowers the cohesion of the defenders by 2"),
    ("12e", "Tigers add up", "two Tigers lower the cohesion by no more than one Tiger"),
    ("9.2d", "9.2d", "the cohesion of units out of supply is lower"),
    ("C1.4", "C1.4", "the cohesion of American units is lower in the first turns"),
    ("G.3", "garrison does not test", "the garrison takes the test too"),
    ("0.1f", "must be below", "a unit passes on a roll of its cohesion or less"),
    ("7.3a", "a column for each test", "one test is rolled, and it shifts 1 column at most"),
    ("6.2i", "artillery of one", "the artillery points of all divisions are added up"),
    ("6.2g", "no artillery", "each point of artillery changes the die by 1"),
    ("6.2g", "no defending artillery", "the defender's artillery points are subtracted from the die"),
    ("2.1b", "flood", "wadis are in flood on turns 1 to 3 of the first campaign, and on no others"),
    ("2.1a", "no terrain", "the terrain chart gives a DRM"),
)
"""Clauses, the mistakes that are made about them, and what is right."""

OF_THE_TEST = ("12f", "12d", "12e", "9.2d", "C1.4", "G.3", "0.1f")
"""The clauses of mistakes about which units pass the cohesion test."""


@frozen
class Said(Announced):
    """What players announced about an attack: the column with the sums, if any, or the modifier
    of the die.
    """

    modifier: Fraction | None = None

    @classmethod
    def of(cls, action: Action) -> Self:
        """Read it from an action."""
        return cls(modifier=Fraction(action.words[0])) if action.verb == "modifier" else super().of(action)

    @property
    def in_words(self) -> str:
        """What was announced, as the subject of a sentence: ``Odds of 3/2 are``, ``A DRM of +1 is``."""
        if self.modifier is not None:
            return f"A DRM of {int(self.modifier):+d} is"
        sums = " to ".join(number(one) for one in (self.attack, self.defence) if one is not None)
        return f"Odds of {self.column} ({sums}) are" if sums else f"Odds of {self.column} are"

    def fits(self, odds: Odds) -> bool:
        """Return whether these are the odds; a column beyond the table may be named by its own ratio."""
        if self.modifier is not None:
            return self.modifier == odds.modifier
        reached = odds.natural + sum(shift.columns for shift in odds.shifts)
        return self.column in (odds.label, rung_label(odds.table, reached)) and self.sums_fit(odds)


def explain(position: Position, attack: Attack, said: Said) -> Explanation | None:
    """Return what explains wrong odds or a wrong modifier, None if they are right."""
    return explained(position, attack, said, _explain)


def _may_concede(position: Position, attack: Attack, said: Said) -> bool:
    may = position.game.adopted("conceding-the-test") == "yes" and not attack.tests
    return may and said.fits(calculate_odds(position, attack, "conceded"))


def _explain(position: Position, attack: Attack, said: Said) -> Explanation | None:
    if said.fits(calculate_odds(position, attack)) or _may_concede(position, attack, said):
        return None
    stray = stray_garrison(position, attack.target)
    if stray is not None and said.fits(calculate_odds(position.without_note(CAME_BACK, stray.id), attack)):
        return None  # described in the section on garrisons [G.6]
    garrison = unstated_garrison(position, attack.target)
    if garrison is not None and garrison.side != attack.side:
        lives = position.with_piece(garrison.id, where=attack.target)
        return None if said.fits(calculate_odds(lives, attack)) else _explain(lives, attack, said)
    if said.column and said.column not in _labels(position):
        return Explanation("7.2b", f"the combat table has no column {said.column}")
    explanations = [*_partial(position, attack, said), *_mistaken(position, attack, said)]
    if attack.tests and said.defence is None:  # a roll that only such a mistake can explain proves more
        explanations.sort(key=lambda found: found.clause not in OF_THE_TEST)
    for found in explanations:
        return found
    if said.column and not attack.air and _secret(position, attack, said):
        return Explanation("7.2d", "aviation that would change them was not declared", Grade.unproven)
    if said.modifier is not None:
        return Explanation("7.2g", "the DRM adds up artillery, terrain and columns beyond the table")
    return Explanation("7.2b", "attack is compared with defence, rounded in the defender's favour")


def _labels(position: Position) -> tuple[str, ...]:
    table = position.game.tables["crt"]
    return tuple(rung_label(table, place) for place in range(-60, 60))


def _partial(position: Position, attack: Attack, said: Said) -> Iterator[Explanation]:
    """Defence calculated without one of the defenders; proved if the sum was announced [7.1g]."""
    units = [piece for piece in defenders(position, attack) if piece.counter.kind == "unit"]
    if len(units) < 2 or said.modifier is not None:
        return
    for piece in units:
        if said.fits(calculate_odds(position, attack, f"without {piece.id}")):
            grade = Grade.illegal if said.defence is not None else Grade.slip
            yield Explanation(
                "7.1g", f"all units in the hex defend, {name_of(position, piece.id)} among them", grade
            )


def _mistaken(position: Position, attack: Attack, said: Said) -> Iterator[Explanation]:
    """The mistakes that explain it; for a modifier first those that leave the column as it should be."""
    found = []
    for clause, mistake, right in MISTAKES:
        wrong = calculate_odds(position, attack, mistake)
        if not wrong.defending or not said.fits(wrong):
            continue
        if clause in ("7.3f", "7.3h") and not _is_beyond(position, attack, clause):
            continue
        reason = (clause, right)
        if clause == "11e" and said.modifier is not None:
            reason = _at_an_end(position, attack) or reason
        found.append((said.modifier is not None and _is_elsewhere(position, attack, wrong), *reason))
    for _, clause, right in sorted(found, key=lambda one: one[0]):
        yield Explanation(clause, right)
    if not attack.tests and has_armour(position, attack):
        yield from _conceded(position, attack, said)
    elif has_armour(position, attack) and said.fits(calculate_odds(position, attack, "test reversed")):
        won = any(shift.clause == "7.3b" for shift in calculate_odds(position, attack).shifts)
        if won:
            yield Explanation("7.3b", "no defender passed the test, which shifts 1 column for the attacker")
        else:
            yield Explanation("7.3c", "a defender passed the test, so armour shifts no column")
    if said.column and said.fits(calculate_odds(position, attack, "rounded up")):
        yield Explanation("7.2b", "the ratio is rounded in the defender's favour")


def _at_an_end(position: Position, attack: Attack) -> tuple[str, str] | None:
    """The clause by which aviation changes the die alone: the odds are those of an end column without it."""
    odds = calculate_odds(position, attack)
    if odds.natural >= len(odds.table.columns) - 1:
        return "7.3f", "each column above the table is a DRM of +1"
    return ("7.3h", "each column below the table is a DRM of -1") if odds.natural <= 0 else None


def _is_elsewhere(position: Position, attack: Attack, wrong: Odds) -> bool:
    """Whether a mistake changes the sums or shifts that lead to the column, limited or not."""
    right = calculate_odds(position, attack)
    return (wrong.natural, wrong.shifts) != (right.natural, right.shifts)


def _conceded(position: Position, attack: Attack, said: Said) -> Iterator[Explanation]:
    """The column of armour without a roll: the defender may have conceded the test [7.3a]."""
    if any(is_tiger(position, piece) for piece in defenders(position, attack)):
        return
    if said.fits(calculate_odds(position, attack, "conceded")):
        unproven = position.game.adopted("conceding-the-test") == "unproven"
        grade = Grade.unproven if unproven else Grade.slip
        yield Explanation("7.3a", "the cohesion test must be rolled; it cannot be conceded", grade)


def _is_beyond(position: Position, attack: Attack, clause: str) -> bool:
    odds = calculate_odds(position, attack)
    reached = odds.natural + sum(shift.columns for shift in odds.shifts)
    both = (odds.natural, reached)
    return min(both) < 0 if clause == "7.3h" else max(both) >= len(odds.table.columns)


def _secret(position: Position, attack: Attack, said: Said) -> bool:
    """Return whether undeclared but available aviation would explain a column."""
    most = position.game.values["air"].values.integer("per_combat")
    enemy = other(attack.side)
    ours, theirs = (min(left(position, side), most) for side in (attack.side, enemy))
    return any(
        said.fits(calculate_odds(position, evolve(attack, air={attack.side: mine, enemy: his})))
        for mine in range(ours + 1)
        for his in range(theirs + 1)
    )
