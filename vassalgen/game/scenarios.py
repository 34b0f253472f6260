"""Scenarios: starting positions, arrivals, and victory."""

from __future__ import annotations

from attrs import frozen

from vassalgen.game.counters import StackingLimit
from vassalgen.game.provenance import RECONSTRUCTION, Provenance
from vassalgen.game.sequence import Turn
from vassalgen.game.values import Values


@frozen
class Placement:
    """Counters that start in a hex or box.

    ``zone`` is where their player may place them instead. Without ``at`` they start anywhere in the zone, as
    their player chooses.
    """

    counters: tuple[str, ...]
    at: str = ""
    zone: str = ""
    note: str = ""
    provenance: Provenance = RECONSTRUCTION


@frozen
class Arrival:
    """Counters that arrive later: the turn, the hexes or box where they arrive, the box in which they wait.

    ``entry`` is resolved: hexes, or one box. ``during`` is the side in whose player turn they arrive; by
    default the opening of the turn.
    """

    turn: int
    counters: tuple[str, ...]
    entry: tuple[str, ...]
    waiting: str = ""
    during: str = ""
    note: str = ""
    provenance: Provenance = RECONSTRUCTION


@frozen
class Scenario:
    """One way to start the game.

    ``face_down``: hidden kinds start face down. ``absent`` are counters of the game that it does not use. Its
    ``stacking`` limits apply in addition to the game's. ``rules`` and ``victory`` are values for the rules
    engine; the texts explain them to players.
    """

    id: str
    title: str
    first: str
    turns: tuple[Turn, ...]
    setup: tuple[Placement, ...] = ()
    arrivals: tuple[Arrival, ...] = ()
    stacking: tuple[StackingLimit, ...] = ()
    absent: tuple[str, ...] = ()
    face_down: bool = False
    rules: Values = Values()
    victory: Values = Values()
    victory_text: str = ""
    text: str = ""
    provenance: Provenance = RECONSTRUCTION

    @property
    def counters(self) -> tuple[str, ...]:
        """The ids of all counters that are set up or arrive, in order."""
        entries: tuple[Placement | Arrival, ...] = (*self.setup, *self.arrivals)
        return tuple(name for entry in entries for name in entry.counters)
