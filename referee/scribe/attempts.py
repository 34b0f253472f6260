"""One way to read something, tried before it is written."""

from __future__ import annotations

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rulings import Breach, Grade, Ruling

RANGE = 2
"""Within how many hexes of enemies a counter may have been attacked, also by artillery."""


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


def is_overstacked(position: Position, breach: Breach) -> bool:
    """Return whether a breach is about overstacking, however it came about."""
    pieces = [position.pieces[name] for name in {*breach.words} & position.pieces.keys()]
    return len({piece.where for piece in pieces}) == 1 and any(
        sum(piece.counter.stack for piece in pieces if piece.counter.kind in limit.kinds) > limit.limit
        for limit in position.game.stacking
        if limit.side in ("", pieces[0].side) and (not limit.turns or position.clock.turn in limit.turns)
    )


def is_near_enemies(piece: Piece, *positions: Position) -> bool:
    """Return whether enemies are so near a piece in one of some positions that it may have been attacked or
    fired at.
    """
    grid = positions[0].game.map.grid
    near = grid.within(piece.where, RANGE) if piece.where in grid else (piece.where,)
    return any(
        one.side not in ("", piece.side) for hex_ in near for here in positions for one in here.at(hex_)
    )
