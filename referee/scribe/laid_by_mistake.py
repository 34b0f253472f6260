"""Copies of counters that players put on the map by mistake, as from a palette, and take off again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from attrs import frozen

from referee.scribe import facts
from vassalgen.game.hexes import Grid

SOON = 3
"""How often at most the turn track is advanced or set back while such a copy is on the map."""


@frozen
class Laid:
    """A piece that was taken for a counter when it was put on the map, instead of another piece.

    ``former`` is the id of that other piece; ``step`` is when it was put there, ``gone`` when it was deleted
    while the other piece was still there, 0 for never.
    """

    counter: str
    former: str
    step: int
    gone: int = 0


def mistakes(
    laid: Mapping[str, Laid], steps: Sequence[Sequence[facts.Fact]], things: Collection[str], grid: Grid
) -> frozenset[str]:
    """Return the ids of the pieces that were put on the map, taken off soon, and did nothing in between.

    ``steps`` are the facts of a whole log by step, ``things`` the ids of what is on the table at its end. If
    the former piece is no longer there, the new one has replaced it, unless it was deleted before that.
    """
    return frozenset(
        piece
        for piece, one in laid.items()
        if (one.gone or one.former in things) and _is_taken_off(_afterwards(steps, one), one, grid)
    )


def _afterwards(steps: Sequence[Sequence[facts.Fact]], laid: Laid) -> Iterator[facts.Fact]:
    """What happens to a counter, and the changes of the turn track, after it was put on the map."""
    for found in steps:
        for fact in found:
            concerned = isinstance(fact, facts.Turned) or getattr(fact, "counter", "") == laid.counter
            if fact.step > laid.step and concerned:
                yield fact


def _is_taken_off(happened: Iterator[facts.Fact], laid: Laid, grid: Grid) -> bool:
    """Whether the first thing that happens to a counter is that it leaves the map, soon.

    If another copy lies on the map when it is deleted, it seems to go there.
    """
    turned = 0
    for fact in happened:
        if isinstance(fact, facts.Turned):
            turned += 1
            continue
        is_off = isinstance(fact, facts.Shifted) and (fact.step == laid.gone or fact.target not in grid)
        return is_off and turned <= SOON
    return False
