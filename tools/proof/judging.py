"""Games and broken games put through the whole chain: written as logs, replayed, read and judged."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from referee.audit import Finding, Report, audit
from referee.engine.actions import NEXT, Action
from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.table import EMPTY_MODULE
from tools.proof.breaking import BrokenGame
from tools.proof.logs.game_logger import NONE, GameLogger, log_game
from tools.proof.logs.loggable import HABITS, PLAIN, Habits
from tools.proof.logs.opening import SOLO, Opening
from tools.proof.logs.writer import Seat
from tools.proof.playing import Step
from vassalgen.game.game import Game

RARELY = 4
"""Auditing a log with the module takes twice as long: one in so many broken games is audited with it."""
EXACT, OTHERWISE, MISSED = "exact", "otherwise", "missed"


@frozen
class Manner:
    """How a game is logged and audited: the habits of the players, and the steps whose paths they drag hex by
    hex.

    With ``apart`` each side has its own player; otherwise so in every second game. The module is used in one
    of ``module_in`` games; in all if that is 1.
    """

    habits: Habits = HABITS
    walked: range = NONE
    apart: bool = False
    module_in: int = 2


@frozen
class Verdict:
    """The verdict of an audit on a broken game: the breach was found with its clause, found with another, or
    missed.

    ``findings`` are those at ``steps``, the first and last step of the breach. ``wrong`` are false
    accusations: any finding before the breach, and after it those under clauses that nothing in the game
    breaks.
    """

    outcome: str
    findings: tuple[Finding, ...]
    wrong: tuple[Finding, ...]
    report: Report
    logger: GameLogger
    steps: tuple[int, int]


NATURAL, SIMPLE = Manner(), Manner(PLAIN)
"""With habits and without."""


def seats_of(game: Game, seed: int, *, apart: bool = False) -> tuple[Seat, ...]:
    """The players: one for all sides in every second game, unless each side is to have its own."""
    if seed % 2 and not apart:
        return SOLO
    return tuple(
        Seat(name, f"not-a-secret-{name.lower()}", side.title)
        for name, side in zip(("Ada", "Ben", "Cleo"), game.sides.values(), strict=False)
    )


def audit_game(
    opening: Opening, game: Sequence[Step], seed: int, manner: Manner = NATURAL
) -> tuple[Report, GameLogger]:
    """Write a game as a log, and audit it.

    A log that does not say where counters are at its beginning always needs the module.
    """
    first = game[0].before
    seats = seats_of(first.game, seed, apart=manner.apart)
    logger = log_game(opening, game, seed, manner.habits, seats, manner.walked)
    return audit_logged(opening, logger, first, seed, manner), logger


def audit_logged(
    opening: Opening, logger: GameLogger, first: Position, seed: int, manner: Manner, *, cautious: bool = True
) -> Report:
    """Audit a log that begins with a position."""
    log = logger.writer.log(f"random-{seed}.vlog")
    is_known = seed // 2 % manner.module_in == min(1, manner.module_in - 1) or _is_unlogged(first)
    module = opening.module if is_known else EMPTY_MODULE
    report = audit([log], first.game, module, first.scenario.id, cautious=cautious)
    if report.unjudged:
        raise RuntimeError(f"the referee failed:\n{report.unjudged[0].failure.trace}")
    return report


def _is_unlogged(position: Position) -> bool:
    """Return whether counters came to a box, or onto a map that was empty at set-up, before the log begins.

    Without the module, a log shows a hex by the counters that were in it at set-up, and shows no boxes.
    """
    start, grid = position.world.rulebook.start(position.world), position.game.map.grid
    boxes = position.game.map.boxes
    if not any(piece.where in grid for piece in start.pieces.values()):
        return any(piece.where in grid for piece in position.pieces.values())
    moved = (
        piece.where for name, piece in position.pieces.items() if piece.where != start.pieces[name].where
    )
    return any(where in boxes and not boxes[where].losses for where in moved)


def manner_of(broken: BrokenGame, module_in: int) -> Manner:
    """Return how a broken game must be logged and audited so that the breach shows."""
    mutator = broken.mutator
    walked = range(broken.first, broken.last + 1) if mutator.walked or mutator.in_parts else NONE
    habits = evolve(PLAIN, in_parts=mutator.in_parts)
    return Manner(habits, walked, mutator.apart, 1 if mutator.boxed else module_in)


def audit_broken(opening: Opening, broken: BrokenGame, seed: int) -> Verdict:
    """Write a broken game as a log, and audit it."""
    report, logger = audit_game(opening, broken.steps, seed, manner_of(broken, RARELY))
    first, last = steps_of(broken, logger)
    here = found_at(broken, report, (first, last))
    known = here if logger.lines[broken.last] else []  # what is left undone shows in no step of its own
    known_ids = {one.id for one in known}
    done = _broken_clauses(broken)
    wrong = [
        one
        for one in report.findings
        if one.grade is Grade.illegal
        and one.id not in known_ids
        and not _is_of(one, broken)
        and (one.steps[-1] < first or one.clause not in done)
    ]
    exact = any(one.clause == broken.clause for one in here)
    outcome = EXACT if exact else OTHERWISE if here else MISSED
    return Verdict(outcome, tuple(here), tuple(wrong), report, logger, (first, last))


def found_at(broken: BrokenGame, report: Report, steps: tuple[int, int]) -> list[Finding]:
    """Return the findings at the steps of the breach, and those on what it left undone."""
    first, last = steps
    return [
        one
        for one in report.findings
        if (one.steps[-1] >= first and one.steps[0] <= last) or _is_left_undone(one, broken)
    ]


def _is_of(finding: Finding, broken: BrokenGame) -> bool:
    """Return whether a finding concerns the battle that should not have been fought: its result is not
    carried out.
    """
    breach, content = broken.steps[broken.last].action, finding.reading.statement.content
    if not isinstance(content, Action) or not content.battle or not breach.target:
        return False
    battle = finding.reading.before.battle(content.battle)
    return (
        battle is not None and battle.target == breach.target and set(battle.attackers) >= set(breach.pieces)
    )


def _is_left_undone(finding: Finding, broken: BrokenGame) -> bool:
    """Return whether a finding is about something that was not done before the turn track was advanced, nor
    later.
    """
    breach = broken.steps[broken.last]
    undone = {(one.clause, one.says) for one in breach.ruling.breaches}
    return breach.action.verb == NEXT.name and (finding.clause, finding.says) in undone


def _broken_clauses(broken: BrokenGame) -> set[str]:
    """The clauses broken by any step from the breach on."""
    rulings = [step.ruling for step in broken.steps[broken.first :]]
    return {broken.clause, *(breach.clause for ruling in rulings for breach in ruling.breaches)}


def steps_of(broken: BrokenGame, logger: GameLogger) -> tuple[int, int]:
    """Return the first and last step of the log in which the breach shows.

    Something left undone in a battle shows from the battle's phase until the turn track is advanced.
    """
    lines, breach = logger.lines, broken.steps[broken.last]
    first, last = lines[broken.first].start, lines[broken.last + broken.finishing].stop - 1
    if breach.action.verb == NEXT.name or lines[broken.last]:
        return first, last
    phase = [place for place, step in enumerate(broken.steps) if step.before.clock == breach.before.clock]
    turned = [place for place in phase if broken.steps[place].action.verb == NEXT.name]
    return lines[phase[0]].start, lines[turned[-1]].stop - 1 if turned else logger.writer.number
