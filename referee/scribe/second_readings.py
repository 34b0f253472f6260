"""Logs read again, without what players took back within a phase, and with all of it.

Much of a careless log is not play: counters are dragged out and back, steps and states are set and reset.
What seems to be taken back may also have been meant, in phases that the turn track does not show. A finding
that one of these readings does not have is not proved.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.rulings import Breach, Grade, doubted
from referee.scribe import facts
from referee.scribe.draft import Draft
from referee.scribe.fact_finder import LoggedFacts, StepFacts
from referee.scribe.facts import Condition, Standing
from referee.scribe.reading import Reading

TAKEN_BACK = "what was taken back in the same phase was not meant"
MEANT = "what seems to be taken back in the same phase was meant"
NEAR = 4
"""How many steps of the turn track before and after a finding something may be taken back."""
PLACE, STEPS = "place", "steps"

Key = tuple[int, str, str]
BESIDE = facts.JoinedBattle | facts.Declared
Change = facts.Shifted | facts.Stepped | facts.Changed


def doubt_by_second_readings(
    draft: Draft, log: LoggedFacts, first: int, read: Callable[[Draft, LoggedFacts], Draft], before: Draft
) -> None:
    """Make findings unproven that a second reading does not have, if it is more innocent.

    ``first`` is the first reading of the log in its draft; ``before`` is the draft that ``read`` continues.
    Logs in which nothing is taken back around what is illegal are not read again.
    """
    steps = {step for one in draft.readings[first:] if one.broken for step in one.steps}
    net = _net(log, steps) if steps else log
    if net is log:
        return
    _doubt(draft, read(before, net), first, TAKEN_BACK)
    if any(one.broken for one in draft.readings[first:]):
        _doubt(draft, read(evolve(before, corrects=False), log), first, MEANT)


def _doubt(draft: Draft, other: Draft, first: int, unless: str) -> None:
    """Make findings unproven that another draft does not have, if it has fewer others in their place."""
    here, there = list(_findings(draft, first)), list(_findings(other, first))
    known = {key for _, keys in here for key in keys}
    proved = {key for grade, keys in there if grade is Grade.illegal for key in keys}
    new = [keys for grade, keys in there if grade is Grade.illegal and not keys & known]
    gone = [keys for grade, keys in here if grade is Grade.illegal and not keys & proved]
    if len(new) >= len(gone):
        return
    for place, reading in enumerate(draft.readings[first:], first):
        if reading.ruling is not None and reading.broken:
            breaches = tuple(
                one if proved & _keys(reading, one) else doubted(one, unless)
                for one in reading.ruling.breaches
            )
            draft.readings[place] = evolve(reading, ruling=evolve(reading.ruling, breaches=breaches))


def _findings(draft: Draft, first: int) -> Iterator[tuple[Grade, set[Key]]]:
    """Each finding with its keys."""
    for reading in draft.readings[first:]:
        for breach in reading.ruling.breaches if reading.ruling is not None else ():
            yield breach.grade, _keys(reading, breach)


def _keys(reading: Reading, breach: Breach) -> set[Key]:
    """A finding by turn, clause and counter."""
    content, counters = reading.statement.content, reading.before.game.counters
    values = (one if isinstance(one, tuple) else (one,) for one in breach.facts.values())
    names = {word for value in values for word in value if isinstance(word, str) and word in counters}
    names |= {*content.pieces} if isinstance(content, Action) else set()
    return {(reading.before.turn, breach.clause, name) for name in names or ("",)}


def _net(log: LoggedFacts, accused: Collection[int]) -> LoggedFacts:
    """The log without what was taken back in the phases around some steps.

    It is the same log if that is nothing.
    """
    phases: list[list[StepFacts]] = [[]]
    for step in log.steps:
        if any(isinstance(fact, facts.Turned) for fact in step.facts):
            phases += [[step], []]
        else:
            phases[-1].append(step)
    near = {
        at
        for place, phase in enumerate(phases)
        if any(step.step in accused for step in phase)
        for at in range(place - NEAR, place + NEAR + 1)
    }
    changed, steps = False, list[StepFacts]()
    for place, phase in enumerate(phases):
        net = _net_phase(phase) if place in near else phase
        changed = changed or net is not phase
        steps += net
    return evolve(log, steps=tuple(steps)) if changed else log


def _net_phase(phase: list[StepFacts]) -> list[StepFacts]:
    """The steps of a phase without changes after which everything is as it was before them."""
    kept: dict[tuple[str, str], list[tuple[Change, str | int, str | int]]] = {}
    gone: set[int] = set()
    for step in phase:
        for fact in step.facts:
            if not isinstance(fact, Change):
                continue
            what, old, new = _change(fact)
            done = kept.setdefault((fact.counter, what), [])
            back = next((at for at, (_, was, _) in enumerate(done) if was == new), None)
            if back is None and old != new:
                done.append((fact, old, new))
            elif back is not None:
                gone |= {id(fact), *(id(one) for one, _, _ in done[back:])}
                del done[back:]
    return _without(phase, gone) if gone else phase


def _change(fact: Change) -> tuple[str, str | int, str | int]:
    """What a fact changes of its counter, from what to what."""
    match fact:
        case facts.Shifted():
            return PLACE, fact.origin, fact.target
        case facts.Stepped():
            return STEPS, fact.old, fact.new
        case _:
            return fact.state, fact.old, fact.new


def _without(phase: Sequence[StepFacts], gone: Collection[int]) -> list[StepFacts]:
    """The steps of a phase without some of their facts, with counters as if these had not happened."""
    known: dict[tuple[str, str], str | int] = {}
    real: dict[str, str] = {}
    found = list[StepFacts]()
    for step in phase:
        left = list[facts.Fact]()
        for fact in step.facts:
            if isinstance(fact, Change):
                what, old, new = _change(fact)
                known.setdefault((fact.counter, what), old)
                if isinstance(fact, facts.Shifted):
                    real[fact.counter] = fact.target
                if id(fact) not in gone:
                    known[fact.counter, what] = new
                    left.append(fact)
            elif isinstance(fact, BESIDE) and fact.place == real.get(fact.counter):
                left.append(evolve(fact, place=str(known[fact.counter, PLACE])))
            else:
                left.append(fact)
        after = {name: _standing(one, name, known) for name, one in step.after.items()}
        found.append(evolve(step, facts=tuple(left), after=after))
    return found


def _standing(seen: Standing, name: str, known: Mapping[tuple[str, str], str | int]) -> Standing:
    """A counter as it would stand."""
    for (counter, what), value in known.items():
        if counter != name:
            continue
        if isinstance(value, str):
            seen = evolve(seen, place=value)
        elif what == STEPS:
            seen = evolve(seen, steps=value)
        elif (seen.states[what].level if what in seen.states else 0) != value:
            others = {state: one for state, one in seen.states.items() if state != what}
            seen = evolve(seen, states={**others, what: Condition(value)} if value else others)
    return seen
