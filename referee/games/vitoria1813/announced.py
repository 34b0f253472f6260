"""What is announced of a combat: sums, column, modifier, result; and whether the correct one is
carried out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from attrs import evolve, frozen

from referee.engine.actions import Action
from referee.engine.combat import Odds, Strength, column, odds
from referee.engine.outcomes import grade_of_outcome
from referee.engine.position import Position
from referee.engine.rules import Found, Section, of_clause
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.games.vitoria1813.battle import (
    FIGHTS,
    OTHERWISE_HALVED,
    SETTLING,
    Fight,
    added_by_each_hex,
    calculated_odds,
    fight_of,
    fires_from_next_hex,
    modifiers,
    odds_allowed,
    result_of,
    total,
)
from referee.games.vitoria1813.facts import is_cavalry
from referee.games.vitoria1813.fire import CHART
from referee.games.vitoria1813.outcomes import is_done, is_left_undone
from vassalgen.game.provenance import Provenance, weakest
from vassalgen.game.tables import Table

rules = Section("What is announced of a combat", Provenance("rulebook", "5.3, 6, 7.1 to 7.3, 8"))

MISTAKES = (
    ("8e", "charge all the same", "A pursuit into difficult terrain may no longer count as a charge"),
    ("5.3b", "no terrain", "Cavalry and artillery fight at half value in woods and built-up hexes"),
    ("5.3e", OTHERWISE_HALVED, "Cavalry and artillery are halved otherwise out of such a hex into another"),
    ("6.2c", "no doubling", "Artillery is doubled against 2 units in a hex"),
    ("6.2c", "doubled against one", "Artillery is doubled only against 2 units in a hex"),
    ("6.2c", "rounded first", "Artillery that is halved and doubled is rounded once, at the end"),
    ("6.2c", "doubled in defence", "Artillery is doubled against 2 units in a hex when it attacks"),
    ("7.7c", "no disorder", "Disordered units defend at half value"),
    ("7.7c", "disorder up", "Halving for disorder rounds down"),
    ("8d", "no charge", "Charging cavalry is doubled"),
    ("7.3b", "rounding down", "Reduced values are rounded up"),
    ("7.1h", "one defender", "All attacked units defend together"),
)
"""By clause: the mistake in a sum [battle.calculated_odds], and the rule in words."""
DOUBTED = ("charge all the same", "rounded first", "doubled in defence")
"""Mistakes that the rules do not quite exclude."""
ANNOUNCED = "5.3b 5.3d 5.3e 6.1e 6.1g 6.2c 7.1h 7.1i 7.2d 7.2e 7.3b 7.3c 7.3d 7.7c 8c 8d 8e 10g"
"""The clauses about which announcements may be wrong."""


@frozen
class Sums:
    """The announced sums of a combat, beside the correct ones."""

    fight: Fight
    right: Odds
    word: str
    attack: Fraction | None
    defence: Fraction | None

    @property
    def is_attack_wrong(self) -> bool:
        """Return whether the announced sum of the attack is wrong."""
        return self.attack not in (None, self.right.attacking)

    @property
    def is_wrong(self) -> bool:
        """Return whether an announced sum is wrong, or the column if no sum was announced."""
        if self.is_column_alone:
            shifted = _is_unshifted(self) or _is_shifted_from_afar(self)
            return self.word in self.right.table.columns and self.word != self.right.label and not shifted
        return self.is_attack_wrong or self.defence not in (None, self.right.defending)

    @property
    def is_column_alone(self) -> bool:
        """Return whether no sum was announced."""
        return self.attack is None and self.defence is None

    @property
    def facts(self) -> Facts:
        """The facts of a finding."""
        said = (self.attack, self.defence)
        stated = [
            f"{name} {number(one)}"
            for name, one in zip(("attack", "defence"), said, strict=True)
            if one is not None
        ]
        right = self.right
        facts: Facts = {"announced": " ".join((self.word, *stated)), "attack": right.attacking}
        return {**facts, "defence": right.defending, "column": right.label}

    @property
    def corrected(self) -> str:
        """A text with the correct sums beside the announced ones, or with the column if there were none."""
        if self.is_column_alone:
            return f"the column is {self.right.label}, not {self.word}"
        pairs = (
            ("attack", self.right.attacking, self.attack),
            ("defence", self.right.defending, self.defence),
        )
        return ", and ".join(
            f"the {what} is {number(sum_)}, not {number(said or 0)}"
            for what, sum_, said in pairs
            if said not in (None, sum_)
        )

    def fit(self, other: Odds) -> bool:
        """Return whether these are the sums of odds with a mistake, or their column if it was alone."""
        if self.is_column_alone:
            return other.label == self.word
        fits = self.attack in (None, other.attacking) and self.defence in (None, other.defending)
        return fits and (other.attacking, other.defending) != (self.right.attacking, self.right.defending)


def _sums(position: Position, action: Action) -> Sums | None:
    """The announced odds of a combat, beside the correct ones that come nearest."""
    fight = fight_of(position, action)
    if fight is None:
        return None
    said = {word.split()[0]: Fraction(word.split()[1]) for word in action.words[1:]}
    allowed, attack = odds_allowed(position, fight), said.get("attack")
    word = _column_of(allowed[0].table, action.words[0])
    fits = (one for one in allowed if (one.label == word if attack is None else one.attacking == attack))
    return Sums(fight, next(fits, allowed[0]), word, attack, said.get("defence"))


def _column_of(table: Table, word: str) -> str:
    """Return the column of announced odds: 2:1 for 2/1, the last one beyond an end of the table."""
    label = word.replace("/", ":")
    attack, _, defence = label.partition(":")
    if label in table.columns or not (attack.isdecimal() and defence.isdecimal() and int(defence)):
        return label
    place, below = column(table, Fraction(attack), Fraction(defence), "defender")
    return table.columns[place] if below or place == len(table.columns) - 1 else label


def _judge_sums(clause: str) -> None:
    @rules.on("odds", clause=clause)
    def the_announced_sums_are_those_of_the_units(position: Position, action: Action) -> Found:
        """According to this clause."""
        return of_clause(clause, _wrong_sum(position, action))


for _clause in ["5.3b", "5.3e", "6.2c", "7.1h", "7.1i", "7.3b", "7.7c", "8c", "8d", "8e"]:
    _judge_sums(_clause)


def _wrong_sum(position: Position, action: Action) -> Breach | None:
    """A wrong sum is attributed to the first clause that explains it if neglected."""
    key = ("wrong sum", action)
    if key not in position.memory:
        sums = _sums(position, action)
        wrong = sums is not None and sums.is_wrong
        position.memory[key] = _attributed(position, sums) if sums is not None and wrong else None
    found: Breach | None = position.memory[key]
    return found


def _attributed(position: Position, sums: Sums) -> Breach | None:
    """The breach in wrong sums; None for a wrong column without sums that no mistake explains."""
    fight, facts = sums.fight, sums.facts
    for clause, mistake, says in MISTAKES:
        if (clause != "8e" or fight.pursuit) and sums.fit(calculated_odds(position, fight, mistake)):
            named = "8e" if clause == "8d" and fight.pursuit else clause
            grade = Grade.unproven if mistake in DOUBTED else Grade.slip
            return Breach(f"{says}: {sums.corrected}.", facts, grade, named, CHART)
    riders = tuple(name for name in fight.attackers if is_cavalry(position.pieces[name]))
    if not fight.is_fire and sums.fit(calculated_odds(position, evolve(fight, charging=riders))):
        says = f"Cavalry without a Charge marker is not doubled: {sums.corrected}."
        return Breach(says, facts, Grade.slip, "8c", CHART)
    if sums.is_column_alone:
        return None
    clause = "7.1i" if sums.is_attack_wrong else "7.1h"
    says = f"The announced combat values are not the sums of the units: {sums.corrected}."
    return Breach(says, facts, Grade.slip, clause, CHART)


@rules.on("odds", clause="6.1g 7.3c")
def fire_at_the_next_hex_shifts_the_column(position: Position, action: Action) -> Breach | None:
    """By 7.3c if sums were announced too, so that only the shift was left out.

    The rules do not say what is shifted if some batteries are next to the target and others are not.
    """
    sums = _sums(position, action)
    if sums is not None and _is_shifted_from_afar(sums):
        says = "The odds were shifted 1 column to the right, but not all batteries are next to the target."
        grade = Grade.unproven if fires_from_next_hex(position, sums.fight, any) else Grade.slip
        return Breach(says, sums.facts, grade, "6.1g", CHART)
    if sums is None or not _is_unshifted(sums):
        return None
    clause = "6.1g" if sums.attack is None else "7.3c"
    says = "Fire at an adjacent hex shifts the odds 1 column to the right; the shift was left out."
    return Breach(says, sums.facts, Grade.slip, clause, CHART)


@rules.on("odds", clause="7.2d 6.1e")
def the_ratio_is_rounded_for_the_defender(position: Position, action: Action) -> Breach | None:
    """Of the announced sums, if there were any."""
    sums = _sums(position, action)
    if sums is None or sums.word not in sums.right.table.columns:
        return None
    if sums.is_column_alone and _wrong_sum(position, action):
        return None
    theirs = _by_their_sums(sums)
    if sums.word == theirs.label or _is_unshifted(sums) or _is_shifted_from_afar(sums):
        return None
    says = (
        f"Odds of {number(theirs.attacking)} to {number(theirs.defending)} are {theirs.label}; "
        f"{sums.word} was announced."
    )
    return Breach(says, sums.facts, Grade.slip, "6.1e" if sums.fight.is_fire else "7.2d", CHART)


def _by_their_sums(sums: Sums) -> Odds:
    """The odds for the announced sums."""
    attack = sums.right.attacking if sums.attack is None else sums.attack
    defence = sums.right.defending if sums.defence is None else sums.defence
    both = ([Strength("attack", attack, "7.1i")], [Strength("defence", defence, "7.1h")])
    return odds(sums.right.table, *both, sums.right.shifts)


def _is_unshifted(sums: Sums) -> bool:
    """Return whether the announced column is the one without the shift for fire at an adjacent hex."""
    theirs = _by_their_sums(sums)
    plain = evolve(theirs, column=min(max(theirs.natural, 0), len(theirs.table.columns) - 1))
    return sums.word == plain.label != theirs.label


def _is_shifted_from_afar(sums: Sums) -> bool:
    """Return whether fire that causes no shift was announced one column to the right."""
    theirs = _by_their_sums(sums)
    columns = theirs.table.columns
    further = columns[min(theirs.column + 1, len(columns) - 1)]
    return sums.fight.is_fire and not theirs.shifts and sums.word == further != theirs.label


@FIGHTS.does(rules, "odds", stage="waiting")
def announce_odds(position: Position, action: Action, fight: Fight) -> Position:
    """The announced odds are those that are played."""
    table = position.game.tables["crt"]
    label = _column_of(table, action.words[0])
    if label not in table.columns:
        return position
    wrong = {**fight.wrong, **_got_wrong(position, action)}
    return position.with_battle(evolve(fight, column=table.columns.index(label), wrong=wrong))


def _got_wrong(position: Position, action: Action) -> Mapping[str, tuple[str, str]]:
    """The first clause that an announcement breaks, by its verb, and how."""
    breaches = (breach for rule in rules.rules[action.verb] for breach in rule.breaches(position, action))
    found = next(breaches, None)
    return {action.verb: (found.clause, found.says) if found else ("", "")}


@FIGHTS.on(rules, "modifier", clause="5.3d 5.3e 7.3d 10g")
def the_die_is_modified_rightly(position: Position, action: Action, fight: Fight) -> Breach | None:
    """A wrong modifier is attributed to a clause that explains it if neglected, otherwise to 7.3d."""
    right, said = modifiers(position, fight), int(action.words[0])
    if said in added_by_each_hex(position, fight):
        return None
    made = tuple(f"{part.amount:+d} {part.what}" for part in right)
    facts: Facts = {"announced": said, "right": total(right), "made of": made}
    parts = f" ({', '.join(made)})" if made else ""
    says = f"The DRM is {total(right):+d}{parts}; {said:+d} was announced."
    return Breach(says, facts, Grade.slip, _clause_of_modifier(position, fight, said), CHART)


def _clause_of_modifier(position: Position, fight: Fight, said: int) -> str:
    right = modifiers(position, fight)
    engineers = sum(part.amount for part in right if part.clause == "10g")
    by = position.game.values["engineers"].values.integer("built_up")
    if said == total(right) - engineers if engineers else said == total(right) + by:
        around = [near for where in fight.targets for near in position.game.map.grid.within(where, 1)]
        there = [piece for where in around for piece in position.at(where) if piece.side == fight.enemy]
        if any(piece.counter.kind == "engineer" for piece in there):
            return "10g"
    for clause, mistake in (("5.3e", "one terrain"), ("5.3d", "road shelters")):
        if said == total(modifiers(position, fight, mistake)):
            return clause
    return "7.3d"


@FIGHTS.does(rules, "modifier", stage="waiting")
def announce_modifier(position: Position, action: Action, fight: Fight) -> Position:
    """The announced modifier is the one that is played."""
    wrong = {**fight.wrong, **_got_wrong(position, action)}
    return position.with_battle(evolve(fight, modifier=int(action.words[0]), wrong=wrong))


@rules.on("result", clause="7.2e")
def the_result_is_that_of_the_table(position: Position, action: Action) -> Breach | None:
    """In the announced column."""
    fight = fight_of(position, action)
    if fight is None or not fight.rolled:
        says = "A result was announced; the combat die must be rolled first."
        return Breach(says, {"announced": action.words[0]}, Grade.unproven)
    said, right = action.words[0].replace("+", " "), _of_the_table(position, fight)
    if said == right or said in fight.rights:
        return None
    label = position.game.tables["crt"].columns[fight.column or 0]
    says = (
        f"A {fight.die} with a DRM of {fight.modifier or 0:+d} at {label} gives {right}; {said} was "
        "announced."
    )
    return Breach(says, {"announced": said, "right": right, "column": label}, Grade.slip, "7.2e", CHART)


def _of_the_table(position: Position, fight: Fight) -> str:
    """The result of the die in the announced column, and with the announced modifier."""
    return result_of(position, fight, fight.column or 0, fight.die + (fight.modifier or 0))


@rules.does("result")
def announce_result(position: Position, action: Action) -> Position:
    """The announced result is the one that is played."""
    fight = fight_of(position, action)
    said = action.words[0].replace("+", " ")
    if fight is None or not fight.rolled or "|" not in said:
        return position
    try:
        position.game.tables["crt"].codes(said)
    except ValueError:
        return position
    wrong = {**fight.wrong, **_got_wrong(position, action)}
    return position.with_battle(evolve(fight, given=said, said=(*fight.said, said), wrong=wrong))


def _judge_outcome(clause: str) -> None:
    @SETTLING.rule(rules, clause=clause)
    def the_right_result_is_carried_out(position: Position, fight: Fight) -> Iterator[Breach]:
        """Although the announced odds, DRM or result broke this clause."""
        return of_clause(clause, _wrong_outcome(position, fight))


for _clause in ANNOUNCED.split():
    _judge_outcome(_clause)


def _wrong_outcome(position: Position, fight: Fight) -> Iterator[Breach]:
    """Find a wrong result that was carried out, with the clause of the mistake in the announcement."""
    if not fight.disputed or is_left_undone(position, fight):
        return
    if any(is_done(position, fight, right) for right in fight.rights):
        return
    table = position.game.tables["crt"]
    column = table.columns[fight.column or 0]
    clause, why = _cause(position, fight, column)
    facts: Facts = {"played": fight.given, "right": fight.right, "die": fight.die, "column played": column}
    first = fight.said[0] if fight.said else ""
    says = f"{fight.given} is carried out in {fight.target}; the right result is {fight.right}. {why}"
    provenance = weakest(table.provenance, *(row.provenance for row in position.game.terrain.values()))
    grade = grade_of_outcome(fight.given, fight.right, provenance, announced=first)
    yield Breach(says, facts, grade, clause, provenance)


def _cause(position: Position, fight: Fight, column: str) -> tuple[str, str]:
    """The cause of a wrong result, which may be the result, the odds or the modifier: its clause, and the
    reason.
    """
    table = _of_the_table(position, fight)
    if fight.given != table:
        drm = f"a DRM of {fight.modifier or 0:+d} at {column}"
        why = f"A {fight.die} with {drm} gives {table}."
        return _said_wrong(fight, "result", "7.2e", why)
    modifier = _said_wrong(fight, "modifier", "7.3d", f"The DRM is {fight.added:+d}.")
    in_column = result_of(position, fight, fight.column or 0, fight.die + fight.added)
    if in_column in fight.rights:
        return modifier
    if not _is_noted(fight, "odds") and _is_noted(fight, "modifier"):
        return modifier
    return _said_wrong(fight, "odds", "7.2d", f"The odds are not {column}.")


def _said_wrong(fight: Fight, what: str, clause: str, why: str) -> tuple[str, str]:
    """A noted mistake, with its clause and sentence, or else the given ones."""
    return fight.wrong[what] if _is_noted(fight, what) else (clause, why)


def _is_noted(fight: Fight, what: str) -> bool:
    return bool(fight.wrong.get(what, ("", ""))[0])
