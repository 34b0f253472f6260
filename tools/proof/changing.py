"""Unexplained changes: something happens to a counter on the table without a cause in the game.

At random steps of every phase a counter is removed, loses or regains a step, gets or loses a state, is put
elsewhere, or comes back from the losses. No verb of the rules is involved: a player changes it by hand, and
the rest of the legal game is played as far as it is still legal. The audit must find the change at its step,
under any clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from random import Random

from attrs import evolve, frozen

from referee.audit import Finding
from referee.engine.actions import NEXT, Action
from referee.engine.idiom import Idiom
from referee.engine.position import Mark, Piece, Position
from referee.engine.rulings import Grade
from referee.games import find_idiom
from tools.proof.breaking import Breaker, going_on
from tools.proof.judging import Manner, audit_logged, seats_of
from tools.proof.logs.game_logger import GameLogger, logger_of
from tools.proof.logs.loggable import PLAIN
from tools.proof.logs.opening import Opening
from tools.proof.playing import Step
from vassalgen.game.game import Game
from vassalgen.parts.boxes import loss_box

REMOVED, STEP_LOST, STEP_REGAINED = "removed", "loses a step", "regains a step"
MOVED, BOXED, COMES_BACK, COMES_ON = "moved", "put in a box", "back from the losses", "out of a box"
REBOXED = "put from one box into another"
MANNER = Manner(PLAIN, module_in=4)
TRIES = 4
"""How many counters are tried for one kind of change at a step."""
TURNS_BEFORE = 1
"""How many turns before the change are logged: some rules consider what was done in the turn before."""


@frozen
class Change:
    """A change of a counter: its kind, and the counter after it."""

    kind: str
    piece: Piece


@frozen
class ChangedGame:
    """A part of a legal game with an unexplained change after some of its steps."""

    change: Change
    before: tuple[Step, ...]
    after: tuple[Step, ...]
    position: Position
    """The position before the change."""

    @property
    def phase(self) -> str:
        """The phase of the change."""
        return self.position.phase


@frozen
class Seen:
    """The result of auditing a changed game: the gravest finding at the step of the change (None if there is
    none), the findings there, and the findings elsewhere.
    """

    grade: Grade | None
    here: tuple[Finding, ...]
    elsewhere: tuple[Finding, ...]


def kinds_of_change(game: Game) -> tuple[str, ...]:
    """Return every kind of change that is possible for the counters of a game."""
    states = [kind for one in game.states.values() for kind in (_gets(one.title), _loses(one.title))]
    return (REMOVED, STEP_LOST, STEP_REGAINED, *states, MOVED, BOXED, REBOXED, COMES_BACK, COMES_ON)


def _gets(title: str) -> str:
    return f"gets {title}"


def _loses(title: str) -> str:
    return f"loses {title}"


def changed_games(game: Sequence[Step], breaker: Breaker, rng: Random) -> Iterator[ChangedGame]:
    """Yield a legal game with one change of each kind in each of its phases, where that is possible."""
    known, idiom = game[0].before.game, find_idiom(game[0].before.game)
    places = _places(game)
    for phase in dict.fromkeys(step.before.phase for step in game):
        stops = [list(steps) for _, steps in groupby(game, key=lambda step: step.before.clock)]
        stops = [steps for steps in stops if steps[0].before.phase == phase]
        for kind in kinds_of_change(known):
            if (found := _change(stops, kind, breaker, idiom, places, rng)) is not None:
                yield _changed(game, *found)


def _places(game: Sequence[Step]) -> tuple[str, ...]:
    """The hexes that contain a counter at any time: no counter is put into the sea."""
    grid = game[0].before.game.map.grid
    turns = [step.before for step in game if step.action.verb == NEXT.name]
    found = {piece.where for position in (game[0].before, *turns) for piece in position.pieces.values()}
    return tuple(sorted(where for where in found if where in grid))


def _change(
    stops: Sequence[Sequence[Step]],
    kind: str,
    breaker: Breaker,
    idiom: Idiom,
    places: Sequence[str],
    rng: Random,
) -> tuple[Step, Change] | None:
    """A step in these phases, and a change of a kind that is possible there and has no cause."""
    for steps in rng.sample(stops, min(TRIES, len(stops))):
        step = rng.choice(steps)
        fought = _fought(steps)
        by_kind: dict[str, list[Piece]] = {}
        for piece in step.before.pieces.values():
            by_kind.setdefault(piece.counter.kind, []).append(piece)
        for pieces in rng.sample(list(by_kind.values()), len(by_kind)):
            for piece in rng.sample(pieces, min(TRIES, len(pieces))):
                change = change_of(step.before, piece, kind, idiom, places, rng)
                if (
                    change is None
                    or piece.id in fought
                    or breaker.called_for(step.before, piece, change.piece)
                ):
                    continue
                return step, change
    return None


def _fought(steps: Sequence[Step]) -> set[str]:
    """The counters that acted or changed in a phase, or were in a battle: the rules may still require a
    change of them.
    """
    names = {name for step in steps for name in step.action.pieces}
    for step in steps:
        for battle in step.after.battles:
            names.update(battle.attackers, (piece.id for piece in step.after.at(battle.target)))
    first, last = steps[0].before.pieces, steps[-1].before.pieces
    return names | {name for name, piece in first.items() if last[name] != piece}


def change_of(
    position: Position, piece: Piece, kind: str, idiom: Idiom, places: Sequence[str], rng: Random
) -> Change | None:
    """The change of a kind that is possible for a piece in a position; None if there is none."""
    grid, boxes, side = position.game.map.grid, position.game.map.boxes, piece.side
    after = piece
    if piece.where in grid:
        if kind == REMOVED and side:
            after = evolve(piece, where=loss_box(position.game, side).id)
        elif kind == STEP_LOST and piece.steps > 1:
            after = evolve(piece, steps=piece.steps - 1)
        elif kind == STEP_REGAINED and piece.steps < piece.counter.steps:
            after = evolve(piece, steps=piece.steps + 1)
        elif kind == MOVED:
            after = evolve(piece, where=_elsewhere(position, piece, places, rng))
        elif kind == BOXED:
            after = evolve(
                piece, where=rng.choice([box for box in boxes if box not in idiom.lost] or [piece.where])
            )
        else:
            after = _in_another_state(position, piece, kind)
    elif kind == REBOXED and piece.where in boxes:
        after = evolve(piece, where=rng.choice([box for box in boxes if box != piece.where] or [piece.where]))
    elif (kind == COMES_BACK and piece.where in idiom.lost) or (
        kind == COMES_ON and piece.where in boxes and piece.where not in idiom.lost
    ):
        after = evolve(piece, where=rng.choice(places))
    return Change(kind, after) if after != piece else None


def _elsewhere(position: Position, piece: Piece, places: Sequence[str], rng: Random) -> str:
    """Another hex; in half of all cases a near one."""
    grid = position.game.map.grid
    near = [one for one in grid.neighbours(piece.where) if one in places]
    return rng.choice(near) if near and rng.random() < 0.5 else rng.choice(places)


def _in_another_state(position: Position, piece: Piece, kind: str) -> Piece:
    for name, state in position.game.states.items():
        if piece.counter.kind not in state.kinds:
            continue
        if kind == _gets(state.title) and not piece.is_(name) and state.most(piece.counter):
            mark = Mark(0 if state.is_count else 1, position.date if state.dated else None)
            return evolve(piece, states={**piece.states, name: mark})
        if kind == _loses(state.title) and piece.is_(name):
            return evolve(piece, states={one: mark for one, mark in piece.states.items() if one != name})
    return piece


def _changed(game: Sequence[Step], step: Step, change: Change) -> ChangedGame:
    place = next(number for number, one in enumerate(game) if one is step)
    start = next(
        number for number, one in enumerate(game) if one.before.turn >= step.before.turn - TURNS_BEFORE
    )
    position = evolve(step.before, pieces={**step.before.pieces, change.piece.id: change.piece})
    after = tuple(going_on(position, game[place:], Action("change", (change.piece.id,))))
    return ChangedGame(change, tuple(game[start:place]), after, step.before)


def audit_changed(opening: Opening, changed: ChangedGame, seed: int) -> Seen:
    """Write a changed game as a log, and audit it."""
    first = changed.before[0].before if changed.before else changed.position
    logger = logger_of(opening, first, seed, PLAIN, seats_of(first.game, seed))
    logger.perform(changed.before)
    start = logger.writer.number + 1
    _do(logger, changed.position.pieces[changed.change.piece.id], changed.change)
    stop = logger.writer.number
    logger.perform(changed.after)
    report = audit_logged(opening, logger, first, seed, MANNER)
    here = [
        one
        for one in report.findings
        if (one.steps[-1] >= start and one.steps[0] <= stop) or _is_seen_as_a_phase_ends(one, changed)
    ]
    elsewhere = [one for one in report.findings if one not in here]
    return Seen(max((one.grade for one in here), default=None), tuple(here), tuple(elsewhere))


def _is_seen_as_a_phase_ends(finding: Finding, changed: ChangedGame) -> bool:
    """Return whether a finding concerns the changed counter and was made at the end of its phase, or of the
    one before.

    A marker that may still have a cause in its phase is examined again when the phase ends.
    """
    content, then = finding.reading.statement.content, finding.reading.before.clock
    if not isinstance(content, Action) or content.verb != NEXT.name:
        return False
    phases = (then, changed.position.world.calendar.after(then))
    return changed.position.clock in phases and changed.change.piece.id in finding.units


def _do(logger: GameLogger, before: Piece, change: Change) -> None:
    """Make the change on the table."""
    after, counter_actions = change.piece, logger.counter_actions
    if change.kind == REMOVED:
        logger.eliminate(after.id, after.where)
    elif after.where != before.where:
        counter_actions.drag((after.id,), after.where)
    elif after.steps != before.steps:
        counter_actions.lose(after.id, after.steps)
    else:
        for state in before.states.keys() ^ after.states.keys():
            counter_actions.state(after.id, state, on=after.is_(state))
