"""Who fights: sides, nations and formations."""

from __future__ import annotations

from attrs import frozen

from vassalgen.game.provenance import RECONSTRUCTION, Provenance


@frozen
class Side:
    """One of the two parties of the game. ``adjective`` is the word put before a noun: Allied movement."""

    id: str
    title: str
    adjective: str


@frozen
class Nation:
    """A nationality, of one side or, with none named, of either.

    ``counts_as`` is the nation whose rules it follows, itself unless the game says else.
    """

    id: str
    title: str
    side: str
    counts_as: str


@frozen
class Formation:
    """A division, corps or army that counters belong to, itself perhaps ``part_of`` a bigger one."""

    id: str
    title: str
    side: str
    part_of: str = ""
    provenance: Provenance = RECONSTRUCTION
