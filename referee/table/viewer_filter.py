"""What a viewer of a replay may know: nothing about invisible pieces, and only the places of masked ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from referee.table import events
from referee.table.continuity import Difference
from referee.table.events import Event, Step
from referee.table.sight import Hiding
from referee.table.table import Table
from referee.table.things import Piece

_OPEN = (events.Moved, events.Added, events.Removed, events.MarkedMoved, events.Hidden)
"""The facts that may be reported about a masked piece."""


class ViewerFilter:
    """A table as its viewer may know it, step by step; with ``reveal`` everything."""

    def __init__(self, table: Table, *, reveal: bool = False) -> None:
        self.table = table
        self.reveal = reveal
        self._scene = -1
        self._hiding: dict[str, Hiding] = {}
        self._look(())

    def hides(self, piece: Piece) -> Hiding:
        """Whether a piece is invisible to the viewer, or masked."""
        return "" if self.reveal else self.table.sight.hiding(piece)

    def shown(self, step: Step) -> Step:
        """A step that was just played, without what the viewer may not know."""
        if self.reveal:
            return step
        before = dict(self._hiding)
        self._look(_touched(step.events))
        return attrs.evolve(step, events=tuple(self._open(step.events, before)))

    def open_differences(self, differences: Iterable[Difference]) -> Iterator[Difference]:
        """The differences between two logs that the viewer may know."""
        return (one for one in differences if self.reveal or not self._hiding.get(one.piece))

    def _look(self, touched: Iterable[str]) -> None:
        """Record what is hidden now; pieces that a step does not touch are unchanged, unless
        players change.
        """
        if self.reveal:
            return
        if self._scene != self.table.scene:
            self._scene = self.table.scene
            touched = [piece.id for piece in self.table.pieces()]
        for piece_id in touched:
            piece = self.table.things.get(piece_id)
            if isinstance(piece, Piece):
                self._hiding[piece_id] = self.table.sight.hiding(piece)

    def _open(self, happened: Iterable[Event], before: dict[str, Hiding]) -> Iterator[Event]:
        for event in happened:
            if isinstance(event, events.Undone):
                yield attrs.evolve(event, events=tuple(self._open(event.events, before)))
                continue
            piece = getattr(event, "piece", None)
            states = {before.get(piece.id, ""), self._hiding.get(piece.id, "")} if piece else {""}
            hidden = "hidden" in states and not isinstance(event, events.Hidden)
            if not hidden and ("masked" not in states or isinstance(event, _OPEN)):
                yield event


def _touched(happened: Iterable[Event]) -> Iterator[str]:
    for event in happened:
        if isinstance(event, events.Undone):
            yield from _touched(event.events)
        if isinstance(piece := getattr(event, "piece", None), events.Subject):
            yield piece.id
