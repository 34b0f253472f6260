"""Whether the record read from a log equals the record that was played.

Both are reduced, phase by phase, to what a log can show:

- The moves of a counter in a phase are one, from its first hex to its last. A counter that comes back has
  not moved. Where it was before it was deployed does not matter, nor that it was dragged out and back.
  What follows its set-up in the same phase is part of it. Kinds of movement that a drag does not
  distinguish count as the first of them.
- Counters that act together act separately, in any order within a phase.
- Odds and results are announced with the die, not by themselves. That a battle is settled is not said.
- A battle is identified by its hex and attackers. One that is not bombed, pressed, rolled for or called
  off does not count, whatever is declared in it without a die; further hexes count only if a die was
  rolled.
- Steps are lost one by one, however they are taken off.
- Choosing no points in secret is the same as no choice. A side's declaration about a battle without a
  number is no action. A declaration about the kind of the next move is part of that move.
- Of markers it counts which ones a counter has gained and lost in a phase, whatever placed or removed
  them; not that one is removed at the end of its phase. One that the module places when a move is
  announced is that move.

The positions at each advance of the turn track are compared as well, without markers that are removed by
themselves before anything else is done.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TypeAlias

from attrs import frozen

from referee.engine.actions import NEXT, Action
from referee.engine.clock import Clock
from referee.engine.idiom import Idiom
from referee.engine.position import Battle, Position
from referee.scribe.reading import Reading
from tools.proof.playing import Step
from vassalgen.game.game import Game

Key: TypeAlias = "tuple[object, ...]"


@frozen
class Phase:
    """The actions of a phase, and the counters on the map at its end."""

    done: Tally[Key]
    standing: dict[str, Key]


def steps_read(readings: Iterable[Reading]) -> Iterator[Step]:
    """The actions read from a log, as steps of a game."""
    for one in readings:
        if isinstance(one.statement.content, Action) and one.ruling is not None:
            yield Step(one.statement.content, one.before, one.after, one.ruling)


def differences(played: Sequence[Step], read: Sequence[Step], idiom: Idiom) -> Iterator[str]:
    """Yield all differences between two games, by phase."""
    ours, theirs = phases(played, idiom), phases(read, idiom)
    nothing = Phase(Tally(), {})
    for clock in sorted(ours.keys() | theirs.keys()):
        one, other = ours.get(clock, nothing), theirs.get(clock, nothing)
        for lost in (one.done - other.done).elements():
            yield f"{_at(clock)}: played and not read: {_words(lost)}"
        for more in (other.done - one.done).elements():
            yield f"{_at(clock)}: read and not played: {_words(more)}"
        if other is not nothing:
            for name in sorted(one.standing.keys() | other.standing.keys()):
                if one.standing.get(name) != other.standing.get(name):
                    both = f"{one.standing.get(name)}, read {other.standing.get(name)}"
                    yield f"{_at(clock)}: {name} stands {both}"


def phases(game: Sequence[Step], idiom: Idiom) -> dict[Clock, Phase]:
    """A game by phases, without phases in which nothing was done."""
    found: dict[Clock, list[Step]] = {}
    last: dict[Clock, Position] = {}
    for step in game:
        last[step.before.clock] = step.before if step.action.verb == NEXT.name else step.after
        if step.action.verb != NEXT.name:
            found.setdefault(step.before.clock, []).append(step)
    actions = {clock: Tally(_keys(steps, idiom)) for clock, steps in found.items()}
    busy = sorted(clock for clock, done in actions.items() if done)
    return {
        clock: Phase(actions[clock], _standing(last[clock], until))
        for clock, until in zip_longest(busy, busy[1:])
    }


def _keys(steps: Sequence[Step], idiom: Idiom) -> Iterator[Key]:
    shifts: dict[tuple[str, str], tuple[str, str]] = {}
    said: set[Key] = set()
    silent = {idiom.odds, idiom.modifier, idiom.result, idiom.settle, idiom.attack, "claim"}
    silent.update(*(checked.verbs for checked in idiom.checked.values()))
    idle = {*idiom.declared.values(), idiom.also}
    rolled, fought = _fought(steps, idiom), _fought(steps, idiom, called_off=True)
    marking = {verb for verbs in idiom.states.values() for verb in verbs}
    for step in steps:
        action = step.action
        if action.verb in silent or _is_word(step, idiom):
            continue
        if action.verb in marking:
            continue
        if action.path or action.verb in (idiom.deploy, *idiom.entries):
            _shift(shifts, step, idiom)
        elif action.verb in (*idiom.steps, idiom.eliminate):
            yield from _steps(step, idiom)
        else:
            battle = _battle(step, idiom)
            known = rolled if action.verb == idiom.also else fought
            if action.verb in idle and not action.dice and battle and battle.number not in known:
                continue
            about: Key | str = () if action.verb in idiom.exits.values() else _name(battle) or action.target
            if action.verb == idiom.also:
                about = (*_name(battle), action.target)
            for name in action.pieces or ("",):
                key = (action.verb, name, action.dice, action.words, about)
                if action.dice or key not in said:
                    yield key
                said.add(key)
    laid = _laid_by_moving(steps[0].before.game, idiom)
    for name, state, verb in _marked(steps, idiom):
        if not any((state, path) in laid for path, mover in shifts if mover == name):
            yield verb, name
    for (verb, name), (start, end) in shifts.items():
        if start != end:
            yield verb, name, "" if verb == idiom.deploy else start, end


def _shift(shifts: dict[tuple[str, str], tuple[str, str]], step: Step, idiom: Idiom) -> None:
    """Combine the shifts of a counter for one reason; a move after its entry is part of the entry."""
    action = step.action
    for name in action.pieces:
        entered = (verb for verb in (*idiom.entries, idiom.deploy) if (verb, name) in shifts)
        alike = action.verb in idiom.alike
        verb = next(entered, idiom.alike[0] if alike else " ".join((action.verb, *action.words)))
        start, end = step.before.pieces[name].where, step.after.pieces[name].where
        first = shifts.get((verb, name))
        shifts[verb, name] = (first[0] if first is not None else start, end)


def _is_word(step: Step, idiom: Idiom) -> bool:
    """Return whether an action declares nothing that counts: no points, or a move that follows anyway."""
    if step.action.verb == idiom.back:
        return True
    known = step.before.game.declarations
    for name, verb in idiom.declared.items():
        if verb == step.action.verb and known[name].secret:
            return int(step.action.words[-1]) == 0
        if verb == step.action.verb and known[name].about == "counter" and not known[name].towards:
            return bool(step.action.target)
        if verb == step.action.verb and not known[name].kinds:
            return known[name].about == "battle" and not known[name].dice
    return False


def _steps(step: Step, idiom: Idiom) -> Iterator[Key]:
    """Yield each step that an action takes or gives, by counter."""
    lost, regained = idiom.steps
    for name in step.action.pieces:
        before, after = step.before.pieces[name], step.after.pieces[name]
        gone = after.where in idiom.lost and before.where not in idiom.lost
        change = -before.steps if gone else after.steps - before.steps
        yield from [(regained if change > 0 else lost or idiom.eliminate, name)] * abs(change)


def _marked(steps: Sequence[Step], idiom: Idiom) -> Iterator[tuple[str, str, str]]:
    """Yield the markers that counters on the map gained or lost: the counter, the state, and its verb."""
    before, after, grid = steps[0].before.pieces, steps[-1].after.pieces, steps[0].before.game.map.grid
    for state, (mark, clear) in idiom.states.items():
        ends = steps[0].before.game.states[state].ends
        for name in before:
            has = after[name].is_(state)
            if before[name].is_(state) != has and after[name].where in grid and (has or not ends):
                yield name, state, mark if has else clear


def _laid_by_moving(game: Game, idiom: Idiom) -> frozenset[tuple[str, str]]:
    """The states that the module sets when a move is announced, each with the verb of that move."""
    said = game.declarations
    return frozenset((said[name].state, path.verb) for name, path in idiom.announced.items() if name in said)


def _fought(steps: Sequence[Step], idiom: Idiom, *, called_off: bool = False) -> set[int]:
    """The numbers of the battles in which dice were rolled, or which were called off."""
    ends = {idiom.call_off} if called_off else set()
    found = (_battle(step, idiom) for step in steps if step.action.dice or step.action.verb in ends)
    return {battle.number for battle in found if battle is not None}


def _battle(step: Step, idiom: Idiom) -> Battle | None:
    """The battle of an action: None if its verb has none, the current one for a further hex."""
    action, world = step.action, step.before.world
    if not any(slot in world.rulebook.verbs[action.verb].form for slot in ("NUMBER", "HEX")):
        return None
    for position in (step.before, step.after):
        found: list[Battle] = [one for one in position.battles if action.battle in (0, one.number)]
        if action.target and action.verb != idiom.also:
            found = [one for one in found if one.target == action.target]
        if found:
            return found[-1]
    return None


def _name(battle: Battle | None) -> Key:
    """A battle's hex and attackers, empty if there is no battle."""
    return () if battle is None else (battle.target, tuple(sorted(battle.attackers)))


def _standing(position: Position, until: Clock | None) -> dict[str, Key]:
    """The counters on the map, without states that end by themselves before this step."""
    grid, states = position.game.map.grid, position.game.states
    ending = _ending(position, until)
    return {
        piece.id: (
            piece.where,
            piece.steps,
            *sorted(
                (name, mark.level) for name, mark in piece.states.items() if states[name].ends not in ending
            ),
        )
        for piece in position.pieces.values()
        if piece.where in grid
    }


def _ending(position: Position, until: Clock | None) -> set[str]:
    """The phases that end between two positions, and ``turn`` if a turn does."""
    calendar, clock = position.world.calendar, position.clock
    ending: set[str] = set()
    for _ in calendar.stops:
        ending.add(calendar.phase(clock))
        following = calendar.after(clock)
        if following.turn > clock.turn:
            ending.add("turn")
        clock = following
        if until is not None and until <= clock:
            break
    return ending


def _at(clock: Clock) -> str:
    return f"turn {clock.turn}, stop {clock.stop}"


def _words(key: Key) -> str:
    return " ".join(str(part) for part in key if part not in ("", ()))
