"""Whether logs that are said to follow each other do: each begins where the one before it ended.

Players pass a game on by mail: each replays the log that came, and begins a new one, which starts with the
whole position. Whatever differs at such a joint was done outside the logs.
"""

from __future__ import annotations

from attrs import frozen

from referee.table.table import Table
from referee.table.things import Piece
from vassalgen.vassal import traits

TURN_TRACK = "turn track"


@frozen
class Difference:
    """A piece, known by its id, or a property, that is not as the log before left it."""

    what: str
    before: str
    after: str
    piece: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.before} → {self.after}"


@frozen
class Joint:
    """Two logs that follow each other, and all that changed between them."""

    earlier: str
    later: str
    differences: tuple[Difference, ...]


def differences(before: Table, after: Table) -> tuple[Difference, ...]:
    """Everything that is not the same on two tables: pieces by their ids, then turn tracks and properties."""
    return (*_pieces(before, after), *_values(before, after))


def _pieces(before: Table, after: Table) -> list[Difference]:
    found: list[Difference] = []
    old = {piece.id: piece for piece in before.pieces()}
    new = {piece.id: piece for piece in after.pieces()}
    for piece_id, piece in old.items():
        name = before.sight.name(piece) or piece_id
        if piece_id not in new:
            found.append(Difference(name, str(before.spot(piece)), "gone", piece_id))
            continue
        was, now = before.spot(piece), after.spot(new[piece_id])
        if was != now:
            found.append(Difference(name, str(was), str(now), piece_id))
        found += [
            Difference(f"{name}, {what}", then, there, piece_id)
            for what, then, there in _states(piece, new[piece_id])
        ]
    for piece_id, piece in new.items():
        if piece_id not in old:
            name = after.sight.name(piece) or piece_id
            found.append(Difference(name, "not there", str(after.spot(piece)), piece_id))
    return found


def _states(old: Piece, new: Piece) -> list[tuple[str, str, str]]:
    if old.type.parts[:-1] != new.type.parts[:-1]:
        return [("definition", f"{len(old.type.parts)} traits", f"{len(new.type.parts)}, not the same")]
    pairs = zip(old.type.parts[:-1], old.states, new.states, strict=False)
    return [
        (traits.code_of(part).rstrip(";"), repr(then), repr(there))
        for part, then, there in pairs
        if then != there
    ]


def _values(before: Table, after: Table) -> list[Difference]:
    found = [
        Difference(TURN_TRACK, before.globals.turn_text(key) or old, after.globals.turn_text(key) or new)
        for key, old in before.turns.items()
        if (new := after.turns.get(key, old)) != old
    ]
    for container, values in before.globals.values.items():
        now = after.globals.values.get(container, {})
        found += [
            Difference(f"property {name}", repr(value), repr(now[name]))
            for name, value in values.items()
            if name in now and now[name] != value and not _is_of_dice(name)
        ]
    return found


def _is_of_dice(name: str) -> bool:
    """Saves do not hold what dice showed last, nor what trackers did."""
    return name.endswith(("_result", "_total", "_keep", "_summary", "_command", "_value"))
