"""Sequence of play: what may be done in which phase."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.engine.wording import listed, names_of
from referee.standard.attackers import kind_for
from referee.standard.battle import fight_of_a_loss
from referee.standard.facts import allowed, clauses_of, fits, may_do, phase_rule
from referee.standard.verbs import ATTACK, combats_in, done_by
from vassalgen.game.families import Families, PhaseRule, SideId

VERBS = {"enter": "enter", "exit": "exit", "replace": "regain"}
"""The verbs of activities that are neither movement nor combat."""


def section(rules: Families) -> Section:
    """Return the rules of the sequence of play."""
    found = Section("Sequence of play", rules.provenance)
    clause = clauses_of(*(rule.clause for rule in rules.sequence.values())) or rules.clock
    activities = {name: name for name in (*rules.movement, *rules.transfers)}
    activities |= {name: name for name in (*rules.combat, *([ATTACK] if rules.combat else []))}
    activities |= {verb: activity for activity, verb in VERBS.items()}
    verbs = tuple(activities)

    @found.on(*verbs, clause=clause)
    def everything_has_its_phase(position: Position, action: Action) -> Iterator[Breach]:
        activity = activities[action.verb]
        if action.verb == ATTACK and combats_in(rules, position.phase):
            activity = kind_for(position, action)
        if action.verb == "regain" and not rules.replacements and fight_of_a_loss(position, action.piece):
            return  # a step that was taken off by mistake
        yield from _out_of_order(position, action, activity, rules)

    return found


def _out_of_order(position: Position, action: Action, activity: str, rules: Families) -> Iterator[Breach]:
    phase, now = phase_rule(position), position.world.calendar.stop_names[position.clock.stop]
    names = names_of(position, action.pieces)
    does = f"{done_by(activity, rules)} in the {now} phase"
    facts: Facts = {"units": action.pieces, "phase": now}
    if phase is None or activity not in phase.activities or not is_in_turn(position, phase):
        meant = {activity, *rules.combat} if activity == ATTACK else {activity}
        phases = [title for title, rule in _titled(position, rules) if meant & {*rule.activities}]
        if phase and activity in phase.activities:
            turns = titled_turns(phase.turns_of.get(SideId(position.side), phase.turns))
            says = f"{names} {does} in turn {position.turn}; its side has this phase only in {turns}."
            yield Breach(says, facts, clause=phase.clause)
            return
        right = f"only the {listed(phases, 'or')} phase allows it" if phases else "no phase allows it"
        clauses = [rule.clause for rule in rules.sequence.values() if activity in rule.activities]
        clause = phase.clause if phase else next(iter(clauses), rules.clock)
        yield Breach(f"{names} {does}; {right}.", facts, clause=clause)
        return
    wrong = tuple(name for name in action.pieces if not may_do(position, position.pieces[name], activity))
    if wrong:
        active = phase.by == "active" and activity in phase.does
        whose = "the active side" if active else "the inactive side"
        says = f"{names_of(position, wrong)} {does}; only units of {whose} may."
        yield Breach(says, {"units": wrong, "phase": now}, clause=phase.clause)
    unfit = tuple(name for name in action.pieces if not fits(position, position.pieces[name], phase.who))
    if unfit:
        says = f"{names_of(position, unfit)} {does}; only {allowed(position, phase.who)} may."
        yield Breach(says, {"units": unfit, "phase": now}, clause=phase.clause)


def titled_turns(turns: Collection[int]) -> str:
    """Return what findings call some turns: ``turns 2 to 5``."""
    first, last = min(turns), max(turns)
    if len(turns) > 2 and last - first == len(turns) - 1:
        return f"turns {first} to {last}"
    return f"turn{'s' if len(turns) > 1 else ''} {listed([str(turn) for turn in sorted(turns)])}"


def is_in_turn(position: Position, phase: PhaseRule) -> bool:
    """Return whether the activities of a phase take place in this turn."""
    turns = phase.turns_of.get(SideId(position.side), phase.turns)
    return not turns or position.turn in turns


def _titled(position: Position, rules: Families) -> Iterator[tuple[str, PhaseRule]]:
    titles = {phase.id: phase.title for phase in position.game.sequence.phases}
    for name, rule in rules.sequence.items():
        yield titles.get(name, str(name)).lower(), rule
