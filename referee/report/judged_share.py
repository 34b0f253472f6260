"""The share of a game that was judged: how each change on the table and each die roll was treated."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, repeat
from typing import Any, Literal

from attrs import field, frozen

from referee.audit import Report
from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.wording import counted
from referee.record import Place
from referee.scribe import facts
from referee.scribe.fact_finder import LoggedFacts, StepFacts
from referee.scribe.facts import Changed, Faced, Fact, Shifted, Stepped
from referee.scribe.reading import Certainty, Reading
from referee.table import events
from vassalgen.game.game import Game

Change = Shifted | Stepped | Changed | Faced
Verdict = Literal["certain", "inferred", "doubtful", "undone", "as_found"]

_UNDONE: Verdict = "undone"
_AS_FOUND: Verdict = "as_found"

ENOUGH = 0.75
"""If less than this share of the changes was judged, the audit begins with a warning that it is
incomplete.
"""

_VERDICTS: Mapping[Certainty, Verdict] = {
    Certainty.announced: "certain",
    Certainty.seen: "certain",
    Certainty.inferred: "inferred",
    Certainty.ambiguous: "doubtful",
}


@frozen
class Tally:
    """The number of facts of a kind by how they were treated; each is counted once.

    ``certain``, ``inferred`` and ``doubtful`` ones belong to an action that was ruled on: it was announced or
    obvious; only one interpretation fits; other interpretations are possible. ``undone`` ones cancelled each
    other before they had any effect. ``as_found`` ones were taken over from the table without a ruling.
    """

    certain: int = 0
    inferred: int = 0
    doubtful: int = 0
    undone: int = 0
    as_found: int = 0

    @classmethod
    def of(cls, verdicts: Iterable[Verdict]) -> Tally:
        """Count verdicts."""
        found = list(verdicts)
        return cls(*(found.count(one) for one in ("certain", "inferred", "doubtful", "undone", "as_found")))

    @property
    def judged(self) -> int:
        """The number that belongs to actions that were ruled on."""
        return self.certain + self.inferred + self.doubtful

    @property
    def total(self) -> int:
        """The total number."""
        return self.judged + self.undone + self.as_found


@frozen
class Share:
    """How much of some logs was judged: the ``changes`` on the table and the ``rolls`` of dice.

    A change is a counter that moved, lost or regained steps, was turned over, or entered or left a state,
    each in one step that was not undone. Changes made by the turn track itself are counted separately, in
    ``by_track``. A step at which this program failed counts as one change taken over as found. ``foreign``
    are the steps that moved only pieces that are not counters of the game.
    """

    changes: Tally = field(factory=Tally)
    rolls: Tally = field(factory=Tally)
    by_track: int = 0
    foreign: int = 0

    @classmethod
    def of(cls, report: Report) -> Share:
        """The share of an audit that was judged."""
        sources = _Sources.of(report.readings)
        changes: list[Verdict] = []
        rolls: list[Verdict] = []
        by_track = foreign = 0
        for number, log in enumerate(report.logged_facts):
            kept = _by_track(report.world.game, log)
            by_track += len(kept)
            changes += _verdicts(number, log, kept, sources)
            rolls += (one for step in log.steps for one in sources.rolls(number, step))
            foreign += sum(1 for _ in _foreign(log))
        return cls(Tally.of(changes), Tally.of(rolls), by_track, foreign)

    @property
    def is_enough(self) -> bool:
        """Whether enough was judged for an audit without findings to mean something."""
        missing = self.changes.as_found + self.foreign
        judged = self.changes.judged
        return judged > 0 and judged >= ENOUGH * (judged + missing)

    @property
    def warning(self) -> str:
        """The warning at the start of an audit if little or nothing was judged; empty if enough was."""
        if self.is_enough:
            return ""
        changes = self.changes
        if not changes.total and not self.foreign:
            return "Nothing was judged: no counter changed on the table."
        if not changes.total:
            return f"Nothing was judged: only pieces that are not of this game changed{self._elsewhere}."
        of = f"{counted(changes.total, 'change')} on the table"
        if not changes.judged:
            return f"Nothing was judged: none of {of} could be read as an action."
        return (
            f"Little was judged: {changes.judged} of {of}"
            f"{f'; other pieces changed{self._elsewhere}' if self.foreign else ''}. "
            "Breaches in the rest are not found."
        )

    @property
    def says(self) -> str:
        """A sentence that says how much was judged."""
        changes, rolls = self.changes, self.rolls
        of = f"{changes.judged} of {counted(changes.total, 'change')}"
        parts = [f"{of} on the table{_how(changes)}"]
        if rolls.total:
            of = f"{rolls.judged} of {counted(rolls.total, 'roll')}"
            parts.append(f"{of}{_how(rolls, plain=True)}")
        rest = [
            f"{counted(changes.as_found, 'change')} taken over as found",
            f"{counted(changes.undone, 'change')} put right by the players",
            f"{counted(rolls.as_found, 'roll')} of unknown purpose",
            f"{counted(self.foreign, 'step')} with other pieces only",
        ]
        others = [text for text in rest if not text.startswith("0 ")]
        return f"Judged: {'; '.join([', '.join(parts), *others])}."

    @property
    def _elsewhere(self) -> str:
        return f" in {counted(self.foreign, 'step')}"


def share_json(report: Report) -> dict[str, Any]:
    """Return the judged share of an audit as plain values, with its sentence."""
    return _json(Share.of(report))


def uncounted_json() -> dict[str, Any]:
    """Return the same if counting fails."""
    text = "What was judged could not be counted."
    return {**_json(Share()), "says": text, "warning": text}


def _json(share: Share) -> dict[str, Any]:
    return {
        "changes": _tally_json(share.changes),
        "rolls": _tally_json(share.rolls),
        "by_track": share.by_track,
        "foreign": share.foreign,
        "says": share.says,
        "warning": share.warning,
    }


def _tally_json(tally: Tally) -> dict[str, int]:
    return {
        "total": tally.total,
        "certain": tally.certain,
        "inferred": tally.inferred,
        "doubtful": tally.doubtful,
        "undone": tally.undone,
        "as_found": tally.as_found,
    }


def _how(tally: Tally, *, plain: bool = False) -> str:
    """How certain the judged part is; for ``plain`` ones only if some of it is not certain."""
    if not tally.judged or (plain and tally.judged == tally.certain):
        return ""
    counts = {"certain": tally.certain, "inferred": tally.inferred, "ambiguous": tally.doubtful}
    return f" ({', '.join(f'{count} {word}' for word, count in counts.items() if count)})"


@frozen
class _Sources:
    """The readings in order, with log and step, and indexed by log and step."""

    readings: Sequence[Reading]
    places: Sequence[tuple[int, int]]
    at: Mapping[tuple[int, int], Sequence[Reading]]

    @classmethod
    def of(cls, readings: Sequence[Reading]) -> _Sources:
        """Readings by log and step."""
        at: dict[tuple[int, int], list[Reading]] = {}
        for one in readings:
            for step in one.steps:
                at.setdefault((one.log, step), []).append(one)
        places = accumulate(((one.log, one.steps[-1]) for one in readings), max)
        return cls(readings, list(places), at)

    def verdict(self, log: int, fact: Change) -> Verdict | None:
        """How a change was judged, None if it belongs to no action.

        If several actions in a step concern its counter, the least certain one counts. If the change was
        taken over as found, an earlier action explains it only if it made the same change.
        """
        found: list[Reading] = []
        for one in self.at.get((log, fact.step), ()):
            if _is_about(one, fact.counter):
                found.append(one)
            elif isinstance(one.statement.content, Place) and _changes(one, fact):
                found = [action for action in found if _changes(action, fact)]
        return _least_certain(found or self._already(log, fact))

    def _already(self, log: int, fact: Change) -> Iterator[Reading]:
        """The action in this phase that had the same result before the change was made on the table, if there
        is one.
        """
        for one in reversed(self.readings[: bisect_right(self.places, (log, fact.step))]):
            if one.log != log or _is_next(one):
                return
            if _changes(one, fact):
                if _is_about(one, fact.counter) and _leads_to(one.after, fact):
                    yield one
                return

    def rolls(self, log: int, step: StepFacts) -> Iterator[Verdict]:
        """How each roll of a step was judged: each belongs to one action with dice."""
        rolled = [fact for fact in step.facts if getattr(fact, "faces", ())]
        dice = [one for one in self.at.get((log, step.step), ()) if _has_dice(one)]
        for place in range(len(rolled)):
            yield _least_certain(dice[place : place + 1]) or _AS_FOUND


def _is_judged(reading: Reading) -> bool:
    """Whether a reading is an action that was ruled on."""
    return reading.ruling is not None and not reading.ruling.failure


def _is_next(reading: Reading) -> bool:
    content = reading.statement.content
    return isinstance(content, Action) and content.clock is not None


def _has_dice(reading: Reading) -> bool:
    return (
        _is_judged(reading)
        and isinstance(reading.statement.content, Action)
        and bool(reading.statement.content.dice)
    )


def _is_about(reading: Reading, counter: str) -> bool:
    """Whether a reading is an action that was ruled on and names a counter or affects it."""
    content = reading.statement.content
    if not isinstance(content, Action) or _is_next(reading) or not _is_judged(reading):
        return False
    return counter in content.pieces or _piece(reading.before, counter) != _piece(reading.after, counter)


def _piece(position: Position, counter: str) -> Piece | None:
    return position.pieces.get(counter)


def _changes(reading: Reading, fact: Change) -> bool:
    """Whether a reading changed what the change changed."""
    return _aspect(reading.before, fact) != _aspect(reading.after, fact)


def _leads_to(position: Position, fact: Change) -> bool:
    """Whether a position agrees with the table after a change; off the map all places are equivalent."""
    piece = _piece(position, fact.counter)
    if piece is None:
        return False
    match fact:
        case Shifted():
            grid = position.game.map.grid
            return piece.where == fact.target or (piece.where not in grid and fact.target not in grid)
        case Stepped():
            return piece.steps == fact.new
        case Changed():
            mark = piece.states.get(fact.state)
            return (mark.level if mark else 0) == fact.new
        case Faced():
            return piece.face == fact.face


def _aspect(position: Position, fact: Change) -> object:
    """The part of a position that a change concerns."""
    piece = _piece(position, fact.counter)
    if piece is None:
        return None
    match fact:
        case Shifted():
            return piece.where
        case Stepped():
            return piece.steps
        case Changed():
            return piece.states.get(fact.state)
        case Faced():
            return piece.face


def _least_certain(readings: Iterable[Reading]) -> Verdict | None:
    order: tuple[Verdict, ...] = ("doubtful", "inferred", "certain")
    found = {_VERDICTS[one.certainty] for one in readings if one.certainty in _VERDICTS}
    return next((one for one in order if one in found), None)


def _verdicts(log: int, seen: LoggedFacts, kept: Collection[int], sources: _Sources) -> Iterator[Verdict]:
    """How each change of a log was treated, except those ``kept`` by the track."""
    open_: dict[tuple[str, ...], list[Change]] = {}
    for fact in (fact for step in seen.steps for fact in step.facts):
        if isinstance(fact, facts.Turned):
            yield from _left_open(open_)
        elif isinstance(fact, facts.UnreadStep):
            yield _AS_FOUND
        if not isinstance(fact, Change) or id(fact) in kept:
            continue
        verdict = sources.verdict(log, fact)
        waiting = open_.setdefault(_subject(fact), [])
        if verdict is None:
            waiting.append(fact)
        else:
            yield verdict
        back = next((at for at, one in enumerate(waiting) if _was(one) == _is(fact)), None)
        if back is not None:
            yield from repeat(_UNDONE, len(waiting) - back)
            del waiting[back:]
    yield from _left_open(open_)


def _left_open(open_: dict[tuple[str, ...], list[Change]]) -> Iterator[Verdict]:
    """What belongs to no action and was not undone before the turn track advanced."""
    for waiting in open_.values():
        yield from repeat(_AS_FOUND, len(waiting))
    open_.clear()


def _subject(fact: Change) -> tuple[str, ...]:
    return type(fact).__name__, fact.counter, fact.state if isinstance(fact, Changed) else ""


def _was(fact: Change) -> object:
    if isinstance(fact, Faced):
        return "up" if fact.face == "down" else "down"
    return fact.origin if isinstance(fact, Shifted) else fact.old


def _is(fact: Change) -> object:
    if isinstance(fact, Faced):
        return fact.face
    return fact.target if isinstance(fact, Shifted) else fact.new


def _by_track(game: Game, seen: LoggedFacts) -> frozenset[int]:
    """The changes that the turn track makes itself: in the steps that advance it, and in adjacent steps that
    consist only of them. They are identified by ``id``, because a log may contain equal changes.
    """
    steps = _steps_of_the_track(game, seen)
    happened = (fact for step in seen.steps if step.step in steps for fact in step.facts)
    return frozenset(id(fact) for fact in happened if _is_kept(game, fact))


def _steps_of_the_track(game: Game, seen: LoggedFacts) -> frozenset[int]:
    """The steps that advance the track, and the adjacent steps that consist only of its changes."""
    found: set[int] = set()
    for steps in (seen.steps, seen.steps[::-1]):
        near = False
        for step in steps:
            near = _is_turned(step) or (near and bool(step.facts) and _may_be_of_the_track(game, step))
            if near:
                found.add(step.step)
    return frozenset(found)


def _is_turned(step: StepFacts) -> bool:
    return any(isinstance(fact, facts.Turned) for fact in step.facts)


def _may_be_of_the_track(game: Game, step: StepFacts) -> bool:
    return all(
        isinstance(fact, facts.LeftBattle | facts.Remark) or _is_kept(game, fact) for fact in step.facts
    )


def _is_kept(game: Game, fact: Fact) -> bool:
    """Whether a change is one that the track makes: states end, and points are restored."""
    if not isinstance(fact, Changed):
        return False
    return fact.new == 0 or (game.states[fact.state].is_count and fact.new > fact.old)


def _foreign(seen: LoggedFacts) -> Iterator[int]:
    """The steps that moved pieces, but no counters of the game, and were not undone.

    Steps next to those that advance the track are left out: the module moves its own pieces there.
    """
    turned = {step.step for step in seen.steps if _is_turned(step)}
    taken_back = {*seen.undone, *seen.undone.values()}
    for step in seen.steps:
        known = step.after or not all(isinstance(fact, facts.Remark | facts.Mentioned) for fact in step.facts)
        if known or step.seen is None or step.step in taken_back:
            continue
        moved = any(isinstance(one, events.Moved) for one in step.seen.events)
        if moved and not {step.step - 1, step.step, step.step + 1} & turned:
            yield step.step
