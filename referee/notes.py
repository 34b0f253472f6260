"""Statements of players and umpire about a game, by step: the notes that an audit takes as fact.

    step 54: die for C3 -- Ada
    step 61-63: taken back -- both
    step 70: phase Allied recovery -- Ben
    turn 4, Allied supply: agreed supply.1 -- umpire

``docs/audit.md`` explains them. Read and written again, they say the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from attrs import field, frozen

from vassalgen.game.reading.documents import read_text
from vassalgen.problems import BadInput, Problem

TO_FILL_IN = "..."
"""The placeholder for the answer in questions."""
NOTHING = "nothing"
"""The purpose of a die that was rolled by mistake."""
_EXAMPLE = "step 54: agreed -- Ada"
_STEPS = re.compile(r"(?:log (\d{1,9}), ?)?steps? (\d{1,9})(?: ?- ?(\d{1,9}))?", re.IGNORECASE)
_TURN = re.compile(r"turn (\d{1,9})(?:, ?(.+))?", re.IGNORECASE)


@frozen
class Steps:
    """Steps of a log, from the first to the last; ``log`` counts from 1, 0 if there is only one."""

    first: int
    last: int
    log: int = 0

    def __str__(self) -> str:
        steps = f"step {self.first}" if self.first == self.last else f"step {self.first}-{self.last}"
        return f"log {self.log}, {steps}" if self.log else steps


@frozen
class Turn:
    """A turn, or one phase of it with the side before it: ``Allied supply``."""

    number: int
    phase: str = ""

    def __str__(self) -> str:
        return f"turn {self.number}, {self.phase}" if self.phase else f"turn {self.number}"


@frozen
class DieFor:
    """The die was rolled for the battle of a hex, for a test of a unit, or for nothing.

    ``attackers`` are the units that attacked the hex, if the note names them.
    """

    target: str
    attackers: tuple[str, ...] = ()

    def __str__(self) -> str:
        by = f" by {', '.join(self.attackers)}" if self.attackers else ""
        return f"die for {self.target}{by}"


@frozen
class TakenBack:
    """The action was taken back by agreement."""

    def __str__(self) -> str:
        return "taken back"


@frozen
class InPhase:
    """The players were in this phase, whatever the turn track showed."""

    phase: str

    def __str__(self) -> str:
        return f"phase {self.phase}"


@frozen
class Agreed:
    """The players agreed on the action: in every respect, or under these clauses only."""

    clauses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join(("agreed", *self.clauses))


Says: TypeAlias = DieFor | TakenBack | InPhase | Agreed


@frozen
class Note:
    """A statement about some steps, or about a turn. ``line`` is its line in the file."""

    where: Steps | Turn
    says: Says
    by: str
    line: int = field(default=0, eq=False)

    def __str__(self) -> str:
        return f"{self.where}: {self.says} -- {self.by}"


@frozen
class Notes:
    """The notes of a file."""

    file: str = ""
    notes: tuple[Note, ...] = ()

    def problem(self, note: Note, wrong: str, right: str = "") -> Problem:
        """Return what is wrong with a note, with its file and line."""
        return Problem(self.file, f"line {note.line}", wrong, right)


NO_NOTES = Notes()


def file_of_notes(path: Path | None, logs: Sequence[Path]) -> Path | None:
    """Return the file of notes about some logs; in a folder it is NAME.notes for the last, NAME.vlog."""
    if path is None or not path.is_dir():
        return path
    file = path / f"{logs[-1].stem}.notes"
    return file if file.exists() else None


def read_notes(path: Path) -> Notes:
    """Read a file of notes; BadInput with every line that is not a note."""
    return parse(read_text(path), str(path))


def parse(text: str, file: str = "") -> Notes:
    """Return the notes of a text, one to a line; empty lines and comments (#) are ignored."""
    notes, problems = [], []
    for number, line in enumerate(text.split("\n"), 1):
        words = " ".join(line.split())
        if not words or words.startswith("#"):
            continue
        try:
            notes.append(_note(words, number))
        except BadInput as error:
            problems += [Problem(file, f"line {number}", one.wrong, one.right) for one in error.problems]
    if problems:
        raise BadInput(problems)
    return Notes(file, tuple(notes))


def write(notes: Iterable[Note]) -> str:
    """Return notes as a text, one to a line."""
    return "".join(f"{note}\n" for note in notes)


def _note(line: str, number: int) -> Note:
    where, colon, rest = line.partition(":")
    if not colon:
        raise _wrong(f"{line!r} is not a note", f"write, for example, {_EXAMPLE!r}")
    said, dashes, by = f"{rest} ".partition(" -- ")
    by = by.strip()
    if not dashes or not by or by == TO_FILL_IN:
        raise _wrong("the note does not name its author", f"end the line with a name: {_EXAMPLE!r}")
    place, says = _where(where.strip()), _says(" ".join(said.split()))
    if isinstance(place, Turn) and not isinstance(says, Agreed):
        raise _wrong(
            f"{str(says)!r} cannot be about a turn", "name a step; only 'agreed' can be about a turn"
        )
    return Note(place, says, by, number)


def _where(text: str) -> Steps | Turn:
    if steps := _STEPS.fullmatch(text):
        log, first, last = steps.groups()
        found = Steps(int(first), int(last or first), int(log or 0))
        if found.last < found.first:
            raise _wrong(f"step {first} comes before step {last}", f"step {last}-{first}")
        return found
    if turn := _TURN.fullmatch(text):
        return Turn(int(turn[1]), turn[2] or "")
    raise _wrong(f"{text!r} is neither a step nor a turn", "write 'step 54:' or 'turn 4, Allied supply:'")


def _says(text: str) -> Says:
    if TO_FILL_IN in text.split():
        raise _wrong(f"{text!r} is not answered", f"put the answer where {TO_FILL_IN} is")
    if text.lower() == "taken back":
        return TakenBack()
    verb, _, rest = text.partition(" ")
    if verb.lower() == "agreed":
        return Agreed(tuple(rest.split()))
    if verb.lower() == "phase" and rest:
        return InPhase(rest)
    if text[:8].lower() == "die for " and text[8:]:
        return _die_for(text[8:])
    right = (
        "'die for HEX', 'die for HEX by UNIT, UNIT', 'die for UNIT', 'die for nothing', 'taken back', "
        "'phase PHASE' or 'agreed'"
    )
    raise _wrong(f"{text!r} is not something that a note can say", right)


def _die_for(text: str) -> DieFor:
    target, by, units = text.partition(" by ")
    attackers = tuple(filter(None, (unit.strip() for unit in units.split(","))))
    if not by or not attackers:
        return DieFor(NOTHING if text.lower() == NOTHING else text)
    if target.lower() == NOTHING:
        raise _wrong(
            f"'die for {NOTHING}' names no attackers", f"'die for {NOTHING}' or 'die for HEX by UNIT'"
        )
    return DieFor(target, attackers)


def _wrong(wrong: str, right: str) -> BadInput:
    return BadInput(Problem("", "", wrong, right))
