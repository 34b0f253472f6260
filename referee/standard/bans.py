"""What states, and bars without hexes, forbid: activities that units may not do at all."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach
from referee.engine.wording import name_of
from referee.standard.attackers import kind_for
from referee.standard.facts import allowed, clauses_of, fits, on_map, side_in_turn
from referee.standard.setting import the_setting
from referee.standard.verbs import ATTACK, done_by
from vassalgen.game.families import Activity, Bar, Families, StateId, StateRule
from vassalgen.game.game import Game


def section(game: Game, rules: Families) -> Section:
    """Return the rules that forbid something to units wherever they are."""
    found = Section("What units may not do", rules.provenance)
    for name, rule in rules.states.items():
        if rule.forbids:
            _of_state(found, game, rules, name, rule)
    for bar in rules.bars.values():
        if bar.ends:
            _at_the_end(found, bar)
        elif bar.is_ban:
            _of_bar(found, rules, bar)
    return found


def verbs_for(rules: Families, activities: tuple[Activity, ...]) -> tuple[str, ...]:
    """Return the verbs of activities."""
    verbs: list[str] = []
    for activity in activities:
        if activity == "move":
            verbs += (*rules.movement, *rules.transfers)
        elif activity == ATTACK:
            verbs += [ATTACK, *rules.combat]
        elif activity in rules.combat:
            verbs += [ATTACK, activity]  # by its phase, an attack may be of this kind
        else:
            verbs.append({"replace": "regain"}.get(activity, activity))
    return tuple(dict.fromkeys(verbs))


def _is_meant(position: Position, action: Action, rules: Families, activities: tuple[Activity, ...]) -> bool:
    """Return whether an action is one of the activities: an attack may be of a kind that is not."""
    fights = action.verb in (ATTACK, *rules.combat)
    return not fights or bool({ATTACK, kind_for(position, action)} & set(activities))


def _which(position: Position, bar: Bar) -> str:
    return f"{allowed(position, bar.who)} may not" if bar.who else "no unit may"


def _of_state(found: Section, game: Game, rules: Families, state: StateId, rule: StateRule) -> None:
    forbidden = [verb for verb in verbs_for(rules, rule.forbids) if not _is_for(rules, verb, state, rule)]

    @found.on(*forbidden, clause=clauses_of(rule.clause, *rule.forbids_clauses.values()))
    def a_state_forbids_it(position: Position, action: Action) -> Iterator[Breach]:
        title, clause = game.states[state].title.lower(), _clause_of(position, action, rules, rule)
        for name in action.pieces if _is_meant(position, action, rules, rule.forbids) else ():
            if position.pieces[name].is_(state):
                says = f"{name_of(position, name)} {done_by(action.verb, rules)}, but is {title} and may not."
                yield Breach(says, {"unit": name, "state": state}, clause=clause)


def _clause_of(position: Position, action: Action, rules: Families, rule: StateRule) -> str:
    """Return the clause by which a state forbids an action."""
    if action.verb in (ATTACK, *rules.combat):
        return rule.forbidding(kind_for(position, action), ATTACK)
    if action.verb in (*rules.movement, *rules.transfers):
        return rule.forbidding(action.verb, "move")
    return rule.forbidding({"regain": "replace"}.get(action.verb, action.verb))


def _is_for(rules: Families, verb: str, state: StateId, rule: StateRule) -> bool:
    """Return whether a kind of movement is for units in a state, as flight is for routed ones."""
    if verb not in rules.movement or verb in rule.forbids:
        return False
    who = rules.movement[verb].who
    return who.holds({*who.words}) and not who.holds({*who.words} - {state})


def _at_the_end(found: Section, bar: Bar) -> None:
    @found.leaving(*bar.ends, clause=bar.clause)
    def no_unit_ends_the_phase_so(position: Position) -> Iterator[Breach]:
        side = side_in_turn(position)
        hexes = the_setting(position).hexes(bar.into) if bar.into else -1
        for own in (side,) if side else tuple(position.game.sides):
            for at, piece in on_map(position, own):
                if hexes >> at & 1 and fits(position, piece, bar.who):
                    says = f"{name_of(position, piece.id)} ends the phase in {piece.where}"
                    yield Breach(f"{says}; {_which(position, bar)}.", {"unit": piece.id, "hex": piece.where})


def _of_bar(found: Section, rules: Families, bar: Bar) -> None:
    @found.on(*verbs_for(rules, bar.to), clause=bar.clause)
    def units_may_not_do_it(position: Position, action: Action) -> Iterator[Breach]:
        for name in action.pieces if _is_meant(position, action, rules, bar.to) else ():
            if fits(position, position.pieces[name], bar.who):
                says = f"{name_of(position, name)} {done_by(action.verb, rules)}; {_which(position, bar)}."
                yield Breach(says, {"unit": name, "who": bar.who.text or "all"})
