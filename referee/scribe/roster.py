"""Identifies the counter of the game that a piece on the table is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from referee.table.table import Table
from referee.table.things import Piece
from vassalgen.announcements import CID
from vassalgen.game.counters import Counter
from vassalgen.game.game import Game

NO_ONE: Mapping[str, str] = MappingProxyType({})


class Roster:
    """Identifies pieces: by the module's marker trait, or else by a name that only one counter has.

    ``foreign`` are the names of pieces that are not counters of the game, ``doubles`` those of pieces that
    claim to be a counter that another piece already is. ``holders`` are the pieces by their counters;
    ``before`` are those of the previous log.
    """

    def __init__(self, game: Game, before: Mapping[str, str] = NO_ONE) -> None:
        self.game = game
        self.foreign: dict[str, str] = {}
        self.doubles: dict[str, str] = {}
        self._by_piece: dict[str, str | None] = {}
        self.holders: dict[str, str] = dict(before)
        self._names = _unique_names(game)

    def counter(self, table: Table, piece: Piece) -> Counter | None:
        """The counter that a piece is, None for a foreign one."""
        if piece.id not in self._by_piece or self.doubles.pop(piece.id, "") != "":
            self._by_piece[piece.id] = self._identify(table, piece)
        name = self._by_piece[piece.id]
        return self.game.counters[name] if name is not None else None

    def claimed(self, table: Table, piece: Piece) -> str:
        """The id of the counter that a piece claims to be and another piece is, empty if there is none."""
        return (self._name_of(table, piece) or "") if piece.id in self.doubles else ""

    def copies(self, table: Table, name: str) -> Iterator[Piece]:
        """The pieces on the table that claim to be a counter that another piece is."""
        for piece_id in self.doubles:
            piece = table.things.get(piece_id)
            if isinstance(piece, Piece) and self._name_of(table, piece) == name:
                yield piece

    def replace(self, name: str, piece: Piece) -> str:
        """Treat a piece as a counter from now on, instead of the one that it was; return the id of that."""
        former = self.holders[name]
        self.doubles[former] = self.doubles.pop(piece.id)
        self._by_piece |= {former: None, piece.id: name}
        self.holders[name] = piece.id
        return former

    def known(self, piece_id: str) -> str | None:
        """The id of the counter that a piece was, once it has been identified."""
        return self._by_piece.get(piece_id)

    def is_known(self, piece_id: str) -> bool:
        """Whether a piece has been identified."""
        return piece_id in self._by_piece

    def is_another(self, piece_id: str) -> bool:
        """Whether its counter is another piece now: *Refresh Counters* replaces all pieces."""
        name = self._by_piece.get(piece_id)
        return name is not None and self.holders.get(name, piece_id) != piece_id

    def _identify(self, table: Table, piece: Piece) -> str | None:
        name = self._name_of(table, piece)
        shown = table.sight.true_name(piece) or piece.id
        if name is None:
            markers = table.sight.markers(piece)
            own = markers.get(CID, "").startswith("_")  # the module's own: its clerk, its turn marker
            if not own and (shown != piece.id or markers):
                self.foreign[piece.id] = shown
            return None
        if self.game.kinds[self.game.counters[name].kind].marker:
            return name
        holder = self.holders.setdefault(name, piece.id)
        if holder != piece.id and holder in table.things:
            self.doubles[piece.id] = shown
            return None
        self.holders[name] = piece.id
        return name

    def _name_of(self, table: Table, piece: Piece) -> str | None:
        marker = table.sight.markers(piece).get(CID)
        if marker is not None:
            return marker if marker in self.game.counters else None
        for name in (table.sight.true_name(piece), piece.type.basic_name):
            if name in self._names:
                return self._names[name]
        return None


def _unique_names(game: Game) -> dict[str, str]:
    """Names, labels and ids that belong to exactly one counter."""
    found: dict[str, set[str]] = {}
    for counter in game.counters.values():
        for name in {counter.id, counter.name, counter.label} - {""}:
            found.setdefault(name, set()).add(counter.id)
    return {name: next(iter(ids)) for name, ids in found.items() if len(ids) == 1}
