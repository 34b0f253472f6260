"""The belligerents: sides, nations and formations."""

from __future__ import annotations

from attrs import frozen

from vassalgen.game.provenance import RECONSTRUCTION, Provenance


@frozen
class Side:
    """One of the two sides of the game. ``adjective`` is the word put before a noun: Allied movement."""

    id: str
    title: str
    adjective: str


@frozen
class Nation:
    """A nationality, belonging to one side or, if none is named, to both.

    ``counts_as`` is the nation whose rules it follows, by default itself.
    """

    id: str
    title: str
    side: str
    counts_as: str


@frozen
class Formation:
    """A division, corps or army to which counters belong; it may be ``part_of`` a larger one."""

    id: str
    title: str
    side: str
    part_of: str = ""
    provenance: Provenance = RECONSTRUCTION
