"""Logs written again as players may have meant them: what was taken back, moves put together, dice for
something else.

Each way to write a log again needs a trace of it in the log. Without one, it is the same log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from attrs import evolve, frozen

from referee.engine.clock import Calendar
from referee.scribe import facts
from referee.scribe.engagements import is_taken_off
from referee.scribe.fact_finder import LoggedFacts, StepFacts
from referee.scribe.facts import Condition, Standing
from referee.scribe.left_lying import called_dead, without_dead
from referee.scribe.open_play import played_openly, with_nothing_turned
from referee.scribe.put_right import put_aside, put_right
from vassalgen.game.game import Game

NEAR = 2
"""How often the turn track is advanced between a finding and what may be written again."""
FIGHTS_NEAR = 5
"""The same for dice and attacks declared ahead of the track."""
MOST_DICE = 6
"""How many dice without a declaration, the nearest ones, may have been for something else."""
TAKEN_BACK = "what was taken back in the same phase was not meant"
MEANT = "what seems to be taken back in the same phase was meant"
AS_SHOWN = "what seems to be done before or after its phase was done in the phase that the turn track showed"
CALLED_OFF = "the attacks that were called off or left, and declared again differently, were never made"
EXCHANGED = "two counters that were dragged each to the place of the other were exchanged"
AT_LAST = "all drags of a counter in the same phase were one move, made with the last of them"
AT_FIRST = "all drags of a counter in the same phase were one move, made with the first of them"
AHEAD = (
    "attacks declared before the turn track was advanced, and not rolled for, are of the phase that follows"
)
PUT_RIGHT = "a hex was wrong, and was put right after the player turn"
PUT_ASIDE = (
    "counters that were put among enemies in the turn of the other side waited there for their own turn"
)
LEFT_LYING = "a counter that players named in the chat, and never used again, was dead and left lying"
OPENLY = "counters that were turned face up and left so lay open by agreement"
JOINED_LATE = "counters that joined an attack after its dice were in it from the beginning"
ON_ITS_WAY = "where a reinforcement was dragged first, it was on its way from where it had entered"
OUT_AT_ONCE = "counters that were taken off the map late were out at once"
IN_ITS_BOX = "a counter that was put from box to box, and came onto the map later, came from the first"
OF_TWO = "of two rolls for the same the second counts"
OTHER_BUTTON = "the die in step {} was rolled with the wrong button"
FOR_NOTHING = "the die in step {} was rolled for nothing"
PLACE, STEPS = "place", "steps"

UNTOLD = facts.Remark | facts.Mentioned
BESIDE = facts.JoinedBattle | facts.Declared
Change = facts.Shifted | facts.Stepped | facts.Changed
Phase: TypeAlias = list[StepFacts]


@frozen
class Rewritten:
    """A log written again, and what it assumes; ``die`` is the step of a die that is for something else."""

    says: str
    log: LoggedFacts
    die: int = 0


def rewritings(
    log: LoggedFacts,
    accused: Collection[int],
    names: Collection[str],
    game: Game,
    calendar: Calendar,
    unclear: Collection[int],
    elsewhere: Collection[int] = (),
) -> Iterator[Rewritten]:
    """Yield the log written again in each way that changes something near the ``accused`` steps.

    ``names`` are the counters accused, ``unclear`` the steps with something of which nobody knows for certain
    what it was for, ``elsewhere`` those with something read as done in another phase than the turn track
    showed.
    """
    phases = _phases(log)
    if open_ := with_nothing_turned(log, game, played_openly(log, game)):
        yield Rewritten(OPENLY, open_)
    ways: tuple[tuple[str, Callable[[Phase], Phase]], ...] = (
        (TAKEN_BACK, _net),
        (MEANT, partial(_meant, names=names)),
        (MEANT, _meant),
        (CALLED_OFF, _without_called_off),
        (JOINED_LATE, _joined_in_time),
        (ON_ITS_WAY, partial(_entered_and_moved, names=names, elsewhere=elsewhere, game=game)),
        (OUT_AT_ONCE, partial(_out_at_once, game=game)),
        (OF_TWO, _with_the_second_of_two),
        (EXCHANGED, _exchanged),
        (AT_LAST, partial(_as_one, game=game, names=names, made=-1)),
        (AT_FIRST, partial(_as_one, game=game, names=names, made=0)),
        (AT_LAST, partial(_as_one, game=game, made=-1)),
        (AT_FIRST, partial(_as_one, game=game, made=0)),
    )
    written = set[tuple[object, ...]]()
    for steps in _together_and_apart(phases, accused):
        near = _near(phases, steps, NEAR)
        for way, (says, write) in enumerate(ways):
            again = {place: one for place in near if (one := write(phases[place])) is not phases[place]}
            if again and (way, *again) not in written:
                written.add((way, *again))
                yield Rewritten(says, _with_phases(log, phases, again))
        for says, across in (PUT_RIGHT, put_right), (PUT_ASIDE, put_aside):
            changes = across(log, game, calendar, names, steps)
            if changes and (says, *changes) not in written:
                written.add((says, *changes))
                yield Rewritten(says, evolve(log, steps=tuple(_changed(log.steps, changes))))
    if theirs := {one.step for one in log.steps if one.step in elsewhere and _acted(one) & {*names}}:
        yield Rewritten(AS_SHOWN, _as_shown(log, theirs))
    if stayed := _in_their_boxes(log.steps, names, game):
        yield Rewritten(IN_ITS_BOX, evolve(log, steps=tuple(stayed)))
    if declared := _declared_ahead(phases, _near(phases, accused, FIGHTS_NEAR)):
        yield Rewritten(AHEAD, evolve(log, steps=tuple(declared)))
    if without := without_dead(log, game, called_dead(log, names)):
        yield Rewritten(LEFT_LYING, without)
    around = [step for place in _near(phases, accused, FIGHTS_NEAR) for step in phases[place]]
    if any(step.step in unclear for step in around):
        yield from _with_other_dice(log, around, accused, game)


def _together_and_apart(phases: Sequence[Phase], accused: Collection[int]) -> Iterator[Collection[int]]:
    """All accused steps; then, if they are in several phases, those of each phase alone."""
    yield accused
    apart = [[step.step for step in phase if step.step in accused] for phase in phases]
    if len(groups := [steps for steps in apart if steps]) > 1:
        yield from groups


def _phases(log: LoggedFacts) -> list[Phase]:
    """The steps of a log by what the turn track shows; each advance is by itself."""
    phases: list[Phase] = [[]]
    for step in log.steps:
        if any(isinstance(fact, facts.Turned) for fact in step.facts):
            phases += [[step], []]
        else:
            phases[-1].append(step)
    return phases


def _near(phases: Sequence[Phase], accused: Collection[int], turns: int) -> list[int]:
    """The places of phases near some steps: up to some turns of the track before and after."""
    near = {
        at
        for place, phase in enumerate(phases)
        if any(step.step in accused for step in phase)
        for at in range(place - 2 * turns, place + 2 * turns + 1)
    }
    return [place for place in range(len(phases)) if place in near]


def _with_phases(log: LoggedFacts, phases: Sequence[Phase], others: Mapping[int, Phase]) -> LoggedFacts:
    """The log with other phases in some places."""
    again = (others.get(place, phase) for place, phase in enumerate(phases))
    return evolve(log, steps=tuple(step for phase in again for step in phase))


def _as_shown(log: LoggedFacts, steps: Collection[int]) -> LoggedFacts:
    """The log with what was done in some steps done for certain in the phase that the track shows."""
    again = (
        evolve(one, facts=tuple(evolve(fact, sure=True) for fact in one.facts)) if one.step in steps else one
        for one in log.steps
    )
    return evolve(log, steps=tuple(again))


def _acted(step: StepFacts) -> set[str]:
    """The counters that moved or lost steps; markers are placed at any time."""
    return {fact.counter for fact in step.facts if isinstance(fact, facts.Shifted | facts.Stepped)}


def _net(phase: Phase) -> Phase:
    """The steps of a phase without changes after which everything is as it was before them."""
    gone = {id(fact) for fact in _taken_back(phase)}
    return _changed(phase, dict.fromkeys(gone)) if gone else phase


def _meant(phase: Phase, names: Collection[str] = ()) -> Phase:
    """The steps of a phase with changes meant after which everything is as it was before them; if there are
    ``names``, only those of these counters.
    """
    taken_back = _taken_back(phase)
    meant = {id(fact): evolve(fact, meant=True) for fact in taken_back if not names or fact.counter in names}
    return _changed(phase, meant) if meant else phase


def _taken_back(phase: Phase) -> list[Change]:
    """The changes in a phase after which everything is as it was before them."""
    kept: dict[tuple[str, str], list[tuple[Change, str | int, str | int]]] = {}
    found = list[Change]()
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
                found += [fact, *(one for one, _, _ in done[back:])]
                del done[back:]
    return found


def _without_called_off(phase: Phase) -> Phase:
    """The steps of a phase without attacks that were called off before a die was rolled, if one of those who
    attacked, or were attacked, fights in another battle; and without those that were left for others.
    """
    found = [fact for step in phase for fact in step.facts]
    rolled = {getattr(fact, "battle", 0) for fact in found if facts.has_dice(fact)}
    joined = [fact for fact in found if isinstance(fact, facts.JoinedBattle)]
    attacked = {fact.counter: fact.battle for fact in joined if fact.role == "A"}  # the last attack of each
    left = {fact.battle for fact in joined if fact.role == "A" and attacked[fact.counter] in rolled}
    off = ({fact.battle for fact in found if isinstance(fact, facts.CalledOff)} | left) - rolled
    fighting = {fact.counter for fact in joined if fact.battle not in off}
    off &= {fact.battle for fact in joined if fact.counter in fighting}
    gone = [fact for fact in found if getattr(fact, "battle", 0) in off]
    return _changed(phase, dict.fromkeys(map(id, gone))) if off else phase


def _joined_in_time(phase: Phase) -> Phase:
    """The steps of a phase in which counters that joined an attack after its dice, and fought in no other,
    had joined it with the last who did so in time.
    """
    found = [fact for step in phase for fact in step.facts]
    rolled, last = set[int](), dict[int, facts.JoinedBattle]()
    late: list[facts.JoinedBattle] = []
    for fact in found:
        if facts.has_dice(fact):
            rolled.add(getattr(fact, "battle", 0))
        elif isinstance(fact, facts.JoinedBattle) and fact.battle not in rolled:
            last[fact.battle] = fact
        elif isinstance(fact, facts.JoinedBattle) and fact.role == "A" and fact.battle in last:
            late.append(fact)
    fought = {fact.counter for fact in found if isinstance(fact, facts.JoinedBattle) and fact not in late}
    late = [fact for fact in late if fact.counter not in fought]
    battles = {fact.battle for fact in late}
    dice = {id(fact): _unannounced(fact) for fact in found if getattr(fact, "battle", 0) in battles}
    joined = [(last[fact.battle], fact) for fact in late]
    return _changed(phase, {**dice, **dict.fromkeys(map(id, late))}, joined) if late else phase


def _out_at_once(phase: Phase, game: Game) -> Phase:
    """The steps of a phase in which counters that are taken off the map were taken off after the dice of
    their battle; without a battle, before the first enemy came to their hex.
    """
    joined, rolled = dict[str, int](), dict[int, facts.Fact]()
    came, out = dict[tuple[str, str], facts.Fact | None](), list[tuple[facts.Fact, facts.Fact]]()
    found = [fact for step in phase for fact in step.facts if not isinstance(fact, UNTOLD)]
    for before, fact in zip([None, *found], found, strict=False):
        if facts.has_dice(fact):
            rolled[getattr(fact, "battle", 0)] = fact
        elif isinstance(fact, facts.JoinedBattle):
            joined[fact.counter] = fact.battle
        elif isinstance(fact, facts.Shifted):
            side = game.counters[fact.counter].side
            came.setdefault((side, fact.target), before)
            if not is_taken_off(game, fact) or fact.origin not in game.map.grid:
                continue
            enemies = [
                came[one, fact.origin] for one in game.sides if one != side and (one, fact.origin) in came
            ]
            since = rolled.get(joined.get(fact.counter, -1)) or next(iter(enemies), None)
            out += [(since, fact)] if since is not None and since is not before else []
    return _changed(phase, dict.fromkeys(id(fact) for _, fact in out), out) if out else phase


def _entered_and_moved(phase: Phase, names: Collection[str], elsewhere: Collection[int], game: Game) -> Phase:
    """The steps of a phase with reinforcements, of the ``names``, dragged from their box to where they were
    dragged next, if that was in a phase that the turn track did not show.
    """
    grid, entered = game.map.grid, dict[str, facts.Shifted]()
    changes: dict[int, facts.Fact | None] = {}
    for fact in (fact for step in phase for fact in step.facts if isinstance(fact, facts.Shifted)):
        first = entered.pop(fact.counter, None)
        if fact.counter in names and fact.origin not in grid and fact.target in grid:
            entered[fact.counter] = fact
        elif first is not None and fact.target in grid and fact.step in elsewhere:
            changes |= {id(first): None, id(fact): evolve(fact, origin=first.origin)}
    return _changed(phase, changes) if changes else phase


def _in_their_boxes(steps: Sequence[StepFacts], names: Collection[str], game: Game) -> Phase:
    """The steps in which those of the ``names`` that were put from box to box, and came onto the map later,
    come from the first box; none if there are no such counters.
    """
    boxes, put = game.map.boxes, dict[str, list[facts.Shifted]]()
    changes: dict[int, facts.Fact | None] = {}
    for fact in (fact for step in steps for fact in step.facts if isinstance(fact, facts.Shifted)):
        if fact.counter not in names:
            continue
        before = put.pop(fact.counter, [])
        if fact.origin in boxes and fact.target in boxes:
            put[fact.counter] = [*before, fact]
        elif before and fact.target in game.map.grid:
            changes |= dict.fromkeys(map(id, before)) | {id(fact): evolve(fact, origin=before[0].origin)}
    return _changed(steps, changes) if changes else []


def _unannounced(fact: facts.Fact) -> facts.Fact:
    """A die without the odds and the result that the module calculated before some had joined the attack."""
    if isinstance(fact, facts.Resolved):
        return facts.Rolled(
            step=fact.step, side=fact.side, dice=fact.dice, faces=fact.faces, battle=fact.battle
        )
    return fact


def _declared_ahead(phases: Sequence[Phase], near: Collection[int]) -> Phase:
    """The steps of phases with the turn track advanced before attacks without dice whose participants are
    still in them when it is; none if there are no such attacks.
    """
    again = list(phases)
    for place in near:
        first = _first_open(phases[place])
        if first is not None and place + 1 < len(phases):
            phase, turned = phases[place : place + 2]
            again[place : place + 2] = [*phase[:first], *turned], phase[first:]
    return [step for phase in again for step in phase] if again != phases else []


def _first_open(phase: Phase) -> int | None:
    """The first step of a phase in which a counter joins an attack without dice that is not over at its end;
    None if there is none.
    """
    found = [fact for step in phase for fact in step.facts]
    over = {getattr(fact, "battle", 0) for fact in found if facts.has_dice(fact)}
    over |= {fact.battle for fact in found if isinstance(fact, facts.LeftBattle | facts.CalledOff)}
    joined = (
        at
        for at, step in enumerate(phase)
        for fact in step.facts
        if isinstance(fact, facts.JoinedBattle) and fact.battle not in over
    )
    return next(joined, None)


def _exchanged(phase: Phase) -> Phase:
    """The steps of a phase without the first drags of two counters that were dragged each to where the other
    was to go, and then exchanged.
    """
    last: dict[str, tuple[int, facts.Shifted]] = {}
    again: dict[tuple[str, str], tuple[int, int, facts.Shifted, facts.Shifted]] = {}
    changes: dict[int, facts.Fact | None] = {}
    for number, fact in _drags(phase):
        if not isinstance(fact, facts.Shifted):
            continue
        since, before = last.get(fact.counter, (number, fact))
        last[fact.counter] = number, fact
        if before.target != fact.origin:
            continue
        began, goes_on, wrong, right = again.get((fact.target, fact.origin), (number, number, fact, fact))
        if wrong.counter != fact.counter and max(began, since) < min(goes_on, number):
            changes |= {id(wrong): None, id(right): evolve(right, origin=wrong.origin)}
            changes |= {id(before): None, id(fact): evolve(fact, origin=before.origin)}
        again[fact.origin, fact.target] = since, number, before, fact
    return _changed(phase, changes) if changes else phase


def _drags(phase: Phase) -> Iterator[tuple[int, facts.Fact]]:
    """The drags and dice of a phase, each with how much happened before it."""
    happened = (fact for step in phase for fact in step.facts)
    for number, fact in enumerate(one for one in happened if not isinstance(one, UNTOLD)):
        if isinstance(fact, facts.Shifted) or facts.has_dice(fact):
            yield number, fact


def _as_one(phase: Phase, game: Game, made: int, names: Collection[str] = ()) -> Phase:
    """The steps of a phase with all drags of a counter until a die is rolled, up to the last that leads to a
    hex, as one move, if something else was done in between.

    It is the first of these drags, or the last with ``made`` -1; if there are ``names``, only for these
    counters. A reinforcement that was taken off again, or sorted out of a heap of them, entered where it lies
    at last; any other may have entered and moved.
    """
    grid = set(game.map.grid.names)
    runs: list[list[tuple[int, facts.Shifted]]] = []
    open_: dict[str, list[tuple[int, facts.Shifted]]] = {}
    for number, fact in _drags(phase):
        if not isinstance(fact, facts.Shifted):
            open_ = {}
        elif not names or fact.counter in names:
            if fact.counter not in open_:
                runs.append(open_.setdefault(fact.counter, []))
            open_[fact.counter].append((number, fact))
    heaps = Counter(run[0][1].target for run in runs if run[0][1].origin not in grid)
    changes: dict[int, facts.Fact | None] = {}
    for run in runs:
        while run and run[-1][1].target not in grid:
            run.pop()
        if not run or run[-1][0] - run[0][0] == len(run) - 1:
            continue
        has_come, off = run[0][1].origin not in grid, any(fact.target not in grid for _, fact in run)
        if has_come and not off and heaps[run[0][1].target] == 1:
            continue
        moves = [fact for _, fact in run]
        changes |= dict.fromkeys(map(id, moves))
        if moves[0].origin != moves[-1].target:
            changes[id(moves[made])] = evolve(moves[made], origin=moves[0].origin, target=moves[-1].target)
    return _changed(phase, changes) if changes else phase


def _with_the_second_of_two(phase: Phase) -> Phase:
    """The steps of a phase without rolls that are repeated for the same counter and battle."""
    later, gone = set[tuple[str, str, int]](), set[int]()
    for step in reversed(phase):
        for fact in reversed(step.facts):
            if not isinstance(fact, facts.Declared | facts.Rolled | facts.Resolved) or not fact.faces:
                continue
            named, counter = getattr(fact, "declaration", ""), getattr(fact, "counter", "")
            if counter or fact.battle:
                roll = named or getattr(fact, "dice", ""), counter, fact.battle
                gone |= {id(fact)} if roll in later else set()
                later.add(roll)
    return _changed(phase, dict.fromkeys(gone)) if gone else phase


def _with_other_dice(
    log: LoggedFacts, near: Phase, accused: Collection[int], game: Game
) -> Iterator[Rewritten]:
    """The log with one of the dice of some steps rolled with another button; of two of a kind, without it."""
    dice = [fact for step in near for fact in step.facts if isinstance(fact, facts.Rolled)]
    bare = sorted(filter(facts.is_bare, dice), key=lambda die: min(abs(die.step - at) for at in accused))
    for die in bare[:MOST_DICE]:
        known = game.dice.get(die.dice)
        others = [
            name
            for name, one in game.dice.items()
            if known is not None and name != die.dice and (one.count, one.sides) == (known.count, known.sides)
        ]
        for name in others:
            changed = _replaced(log, die, evolve(die, dice=name))
            yield Rewritten(OTHER_BUTTON.format(die.step), changed, die.step)
        if sum(one.dice == die.dice for one in dice) > 1:
            yield Rewritten(FOR_NOTHING.format(die.step), _replaced(log, die, None))


def _replaced(log: LoggedFacts, die: facts.Rolled, other: facts.Fact | None) -> LoggedFacts:
    """The log with another fact, or none, in place of a die."""
    steps = (
        evolve(step, facts=tuple(one for fact in step.facts if (one := other if fact is die else fact)))
        if step.step == die.step
        else step
        for step in log.steps
    )
    return evolve(log, steps=tuple(steps))


def _change(fact: Change) -> tuple[str, str | int, str | int]:
    """What a fact changes of its counter, from what to what."""
    match fact:
        case facts.Shifted():
            return PLACE, fact.origin, fact.target
        case facts.Stepped():
            return STEPS, fact.old, fact.new
        case _:
            return fact.state, fact.old, fact.new


def _changed(
    phase: Sequence[StepFacts],
    changes: Mapping[int, facts.Fact | None],
    more: Sequence[tuple[facts.Fact, facts.Fact]] = (),
) -> Phase:
    """Steps with facts changed, left out or added after others, and counters as they would stand then."""
    known: dict[tuple[str, str], str | int] = {}
    real: dict[str, str] = {}
    found = list[StepFacts]()
    for step in phase:
        left = list[facts.Fact]()
        for fact in step.facts:
            now = changes.get(id(fact), fact)
            if isinstance(fact, Change):
                what, old, _ = _change(fact)
                known.setdefault((fact.counter, what), old)
                if isinstance(fact, facts.Shifted):
                    real[fact.counter] = fact.target
                if isinstance(now, Change):
                    known[now.counter, what] = _change(now)[2]
            elif isinstance(fact, BESIDE) and now is fact and fact.place == real.get(fact.counter):
                now = evolve(fact, place=str(known[fact.counter, PLACE]))
            left += [now] if now is not None else []
            for one in (evolve(one, step=step.step) for before, one in more if before is fact):
                left.append(one)
                if isinstance(one, Change):
                    known[one.counter, _change(one)[0]] = _change(one)[2]
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
