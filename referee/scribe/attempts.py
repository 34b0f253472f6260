"""One way to read something, tried before it is written."""

from __future__ import annotations

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.engine.rulings import Grade, Ruling


@frozen
class Attempt:
    """One way to read something, tried in a position: the ruling, and the resulting position."""

    action: Action
    before: Position
    ruling: Ruling
    after: Position

    @property
    def grade(self) -> Grade:
        """The grade of the ruling."""
        return self.ruling.grade

    @property
    def is_legal(self) -> bool:
        """Return whether it breaks no rule."""
        return self.grade == Grade.legal
