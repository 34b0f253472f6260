"""Odds, modifiers and results as announced, and the terms that were left out or counted wrongly."""

from __future__ import annotations

from fractions import Fraction

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.announced import Announced
from referee.engine.combat import Odds
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.wording import counted, listed
from referee.standard.battle import (
    Fight,
    combat_of,
    each_as_aim,
    each_as_target,
    fight_of,
    table_of,
    title_of,
)
from referee.standard.facts import rules_of
from referee.standard.kinds_of_movement import otherwise_moved
from referee.standard.odds import Entered, by_hand, calculate, may_be_entered, odds_clause, term_clauses
from referee.standard.stores import left_in
from vassalgen.game.families import Families, Spending
from vassalgen.game.tables import Table

SHOWN_TERMS = 4


def section(rules: Families) -> Section:
    """Return the rules of what players announce about an attack."""
    found = Section("Announced odds", rules.provenance)
    if rules.combat:
        _odds(found, rules)
    return found


def explain(position: Position, fight: Fight, said: Announced, modifier: int | None = None) -> str:
    """Return the clause whose term the announcement leaves out, or counts although it does not apply.

    Empty if it is right. Where no single term explains it, that is the clause of the combat, or that of the
    modifiers if all have the same. Units may have moved by another kind of movement than the one read, and
    what is right after that is right.
    """
    clause = _mistake(position, fight, said, modifier)
    moved = otherwise_moved(position) if clause else ()
    return "" if any(not _mistake(other, fight, said, modifier) for other in moved) else clause


def _mistake(position: Position, fight: Fight, said: Announced, modifier: int | None) -> str:
    if entered_in(position, fight, said, modifier) is not None:
        return ""
    right, combat = calculate(position, fight), combat_of(position, fight)
    clauses = [part.clause for part in (*right.attack, *right.defence)]
    clauses += [part.clause for part in right.shifts]
    clauses += [part.clause for part in right.modifiers]
    clauses += [combat.halved_once] if combat.halved_once else []
    for clause in dict.fromkeys(clauses):
        if any(
            _is(position, fight, calculate(position, fight, clause, more), said, modifier)
            for more in by_hand(position, fight)
            if not unpaid(position, fight, more)
        ):
            return clause
    for more in by_hand(position, fight):
        clause = unpaid(position, fight, more)
        if clause and _is(position, fight, calculate(position, fight, "", more), said, modifier):
            return clause
    if modifier is None:
        return _entered_wrongly(position, fight, said) or odds_clause(combat)
    left_out = [part.clause for part in right.modifiers if modifier == right.modifier - part.amount]
    worth = [(term.clause, term.worth) for term in combat.terms.values() if term.to == "die" and term.worth]
    worth += [(one.clause, more) for one in combat.by_hand.values() if one.to == "die" for more in one.values]
    counted = [clause for clause, more in worth if modifier == right.modifier + more]
    mine = list({part.clause for part in right.modifiers})
    found = left_out or counted or (mine if len(mine) == 1 else [])
    return found[0] if found else odds_clause(combat)


def _entered_wrongly(position: Position, fight: Fight, said: Announced) -> str:
    """Return the clause of a term that players entered by hand in a battle to which it does not apply."""
    known = combat_of(position, fight).by_hand
    for more in by_hand(position, fight, wrongly=True):
        terms = (known[name] for name, _ in more.terms)
        clause = next((term.clause for term in terms if not may_be_entered(position, fight, term)), "")
        if clause and _is(position, fight, calculate(position, fight, "", more), said, None):
            return clause
    return ""


def entered_in(
    position: Position, fight: Fight, said: Announced, modifier: int | None = None
) -> Entered | None:
    """Return the least that players must have entered by hand for their announcement; None if it is wrong."""
    for one in (aimed for target in each_as_target(fight) for aimed in each_as_aim(position, target)):
        for entered in by_hand(position, fight):
            if not unpaid(position, fight, entered) and _is(
                position, fight, calculate(position, one, "", entered), said, modifier
            ):
                return entered
    return None


def unpaid(position: Position, fight: Fight, entered: Entered) -> str:
    """Return the clause of a store from which a side cannot pay for what it entered by hand."""
    for name, store in rules_of(position).stores.items():
        cost = sum(store.costs.get(Spending(term), 0) * times for term, times in entered.terms)
        if cost and cost > left_in(position, name, store, fight.side):
            return store.clause
    return ""


def word(label: str) -> str:
    """A column's label as one word, as records write it."""
    return "".join(label.split())


def _is(position: Position, fight: Fight, odds: Odds, said: Announced, modifier: int | None) -> bool:
    combat, column = combat_of(position, fight), not said.column or word(said.column) == word(odds.label)
    if combat.kind == "fire":
        said = evolve(said, defence=None)  # the module adds up a factor of the targets all the same
    if not column and combat.lower:
        column = word(said.column) in [word(label) for label in odds.table.columns[: odds.column]]
    return column and said.sums_fit(odds) and modifier in (None, odds.modifier)


def _odds(found: Section, rules: Families) -> None:
    terms = term_clauses(rules)

    @found.on("odds", clause=terms)
    def announced_odds_are_right(position: Position, action: Action) -> Breach | None:
        fight = fight_of(position, action)
        if fight is None or not fight.waits or not fight.attackers:
            return None
        said = Announced.of(action)
        clause = explain(position, fight, said)
        if not clause:
            return None
        right = calculate(position, fight)
        sums = f"{number(right.attacking)} to {number(right.defending)}"
        says = (
            f"Odds of {said.column} are announced for {title_of(position.game, fight)}; the right odds are"
            f" {sums}, column {right.label}{named(right, clause)}."
        )
        facts: Facts = {"announced": " ".join(action.words), "column": right.label, "odds": right.lines()}
        return Breach(says, facts, Grade.slip, clause)

    @found.on("modifier", clause=terms)
    def announced_modifiers_are_right(position: Position, action: Action) -> Breach | None:
        fight = fight_of(position, action)
        if fight is None or not fight.waits or not fight.attackers:
            return None
        said = int(Fraction(action.words[0]))
        clause = explain(position, fight, Announced(), said)
        if not clause:
            return None
        right = calculate(position, fight)
        says = (
            f"A DRM of {said:+d} is announced for {title_of(position.game, fight)}; the right DRM is"
            f" {right.modifier:+d}{named(right, clause)}."
        )
        facts: Facts = {"announced": said, "modifier": right.modifier, "odds": right.lines()}
        return Breach(says, facts, Grade.slip, clause)

    @found.does("odds")
    def announce(position: Position, action: Action) -> Position:
        """The announced values are the ones used in play."""
        fight = fight_of(position, action)
        if fight is None or not fight.waits:
            return position
        columns = [word(label) for label in table_of(position, fight).columns]
        if word(action.words[0]) not in columns:
            return position
        return position.with_battle(evolve(fight, column=columns.index(word(action.words[0]))))

    @found.does("modifier")
    def announce_modifier(position: Position, action: Action) -> Position:
        fight = fight_of(position, action)
        if fight is None or not fight.waits:
            return position
        return position.with_battle(evolve(fight, modifier=int(Fraction(action.words[0]))))

    @found.on("result", clause=terms)
    def the_announced_result_is_that_of_the_table(position: Position, action: Action) -> Breach | None:
        fight = fight_of(position, action)
        if (
            fight is None
            or not fight.rolled
            or action.words[0]
            in (
                fight.result,
                fight.right,
                *fight.aims.values(),
            )
        ):
            return None
        says = (
            f"{action.words[0]} is announced for {title_of(position.game, fight)}; a total of {fight.total}"
            f" gives {fight.right}."
        )
        facts: Facts = {"announced": action.words[0], "right": fight.right}
        return Breach(says, facts, Grade.slip, combat_of(position, fight).clause)

    @found.does("result")
    def note_whose_table_it_is(position: Position, action: Action) -> Position:
        """Note a result that only another kind of combat has: the track showed the wrong phase."""
        fight = fight_of(position, action)
        if fight is None or not fight.rolled or fight.automatic:
            return position
        result = action.words[0]
        if aims := {name: right for name, right in fight.aims.items() if right == result}:
            known = evolve(fight, aims=aims, defenders=tuple(aims), result=result, right=result)
            return position.with_battle(known)
        tables = {combat.table for combat in rules.combat.values()}
        having = {one for one in tables if _has(position.game.tables[one], action.words[0])}
        if not having or combat_of(position, fight).table in having:
            return position
        return position.with_battle(evolve(fight, other_dice=True))


def _has(table: Table, result: str) -> bool:
    return any("+".join(cell.split()) == result for row in table.cells for cell in row)


def named(odds: Odds, clause: str) -> str:
    """Say what the terms of a clause are worth."""
    strengths = [part for part in (*odds.attack, *odds.defence) if part.clause == clause]
    parts = [f"{number(part.amount)} for {part.what}" for part in strengths]
    shifts = [part for part in odds.shifts if part.clause == clause]
    parts += [f"{_columns(part.columns)} for {part.what}" for part in shifts]
    parts += [f"{part.amount:+d} for {part.what}" for part in odds.modifiers if part.clause == clause]
    return f": {listed(parts)}" if parts and len(parts) < SHOWN_TERMS else ""


def _columns(columns: int) -> str:
    return f"{counted(abs(columns), 'column')} {'up' if columns > 0 else 'down'}"
