"""The scribe's result for a log: readings, each a statement of the record with its certainty."""

from __future__ import annotations

from enum import Enum

from attrs import field, frozen

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rulings import Grade, Ruling
from referee.record import Statement
from vassalgen.problems import Failure


class Certainty(Enum):
    """The source of a reading."""

    announced = "announced in chat"
    seen = "counter positions"
    inferred = "inferred: only one interpretation fits"
    ambiguous = "ambiguous: other interpretations are possible"
    adopted = "taken from the board"


@frozen
class Reading:
    """A statement read from steps of a log, carried out in a position.

    ``log`` is the index of the log among those audited, from 0; ``side`` acted, and ``player`` is the
    player's name, both empty if the log does not say. ``ruling`` is None for what is not an action.
    """

    statement: Statement
    steps: tuple[int, ...]
    certainty: Certainty
    before: Position = field(repr=False)
    after: Position = field(repr=False)
    ruling: Ruling | None = None
    log: int = 0
    side: str = ""
    player: str = ""

    @property
    def broken(self) -> set[str]:
        """The clauses that it certainly breaks."""
        breaches = self.ruling.breaches if self.ruling is not None else ()
        return {one.clause for one in breaches if one.grade is Grade.illegal}


@frozen
class Unread:
    """Something in a log that is not an action: a foreign counter, an undone roll, an unreadable step.

    ``hidden``: it is about a piece that some players cannot see.
    """

    step: int
    text: str
    log: int = 0
    hidden: bool = False


@frozen
class Unjudged:
    """Something that could not be judged because the referee itself failed.

    ``step`` is 0 for the log as a whole, ``action`` None for what was not read as one.
    """

    log: int
    step: int
    failure: Failure
    action: Action | None = None
