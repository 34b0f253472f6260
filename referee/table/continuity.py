"""Whether consecutive logs fit together: each begins where the previous one ended.

Players pass a game on by mail: each replays the log that arrived, and begins a new one, which starts with the
whole position. Any difference at such a joint was made outside the logs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from referee.table.events import STATES
from referee.table.table import Table
from referee.table.things import Piece, PieceType
from vassalgen.vassal import traits
from vassalgen.vassal.traits.dynamic_property import DynamicProperty
from vassalgen.vassal.traits.embellishment import Embellishment

TURN_TRACK = "turn track"


@frozen
class Difference:
    """A piece, identified by its id, or a property, that is not as the previous log left it."""

    what: str
    before: str
    after: str
    piece: str = ""
    part: str = ""
    """The part of a piece that differs, if it is not its place."""

    def __str__(self) -> str:
        return f"{self.what}{f', {self.part}' if self.part else ''}: {self.before} → {self.after}"


@frozen
class Joint:
    """Two consecutive logs, and all changes between them."""

    earlier: str
    later: str
    differences: tuple[Difference, ...]


def differences(before: Table, after: Table) -> tuple[Difference, ...]:
    """Everything that differs between two tables: pieces by id, then turn tracks and properties."""
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
        if was != now and not was.map is now.map is None:
            found.append(Difference(name, str(was), str(now), piece_id))
        found += [
            Difference(name, then, there, piece_id, what)
            for what, then, there in _states(piece, new[piece_id])
        ]
    for piece_id, piece in new.items():
        if piece_id not in old:
            name = after.sight.name(piece) or piece_id
            found.append(Difference(name, "not there", str(after.spot(piece)), piece_id))
    return found


def _states(old: Piece, new: Piece) -> list[tuple[str, str, str]]:
    if old.type.parts[:-1] != new.type.parts[:-1]:
        return [("definition", *_definitions(old.type, new.type))]
    return [
        (_name_of(old.type, place), repr(then), repr(there))
        for place, (then, there) in enumerate(zip(old.states, new.states, strict=False))
        if then != there and place not in old.type.derived_places
    ]


def _definitions(old: PieceType, new: PieceType) -> tuple[str, str]:
    """The differing parts of two definitions."""
    if len(old.parts) != len(new.parts):
        return f"{len(old.parts)} traits", f"{len(new.parts)}"
    for then, now in zip(old.parts[:-1], new.parts[:-1], strict=True):
        if then != now:
            code = traits.code_of(now).rstrip(";")
            if now.startswith(then):
                return f"its trait {code}", f"the same, followed by {now[len(then) :]!r}"
            return f"its trait {code}", f"{traits.code_of(now).rstrip(';')}, not the same"
    return f"{len(old.parts)} traits", "not the same"


def _name_of(type_: PieceType, place: int) -> str:
    """A trait in the words of its module: the name of a property or layer, or else of the trait."""
    trait = type_.traits[place]
    if isinstance(trait, DynamicProperty | Embellishment) and trait.name:
        return trait.name
    code = traits.code_of(type_.parts[place]).rstrip(";")
    return STATES.get(code, code)


MOST_NAMED = 6
"""At most so many pieces with the same difference are named; the others are counted."""


def difference_lines(found: Iterable[Difference]) -> Iterator[str]:
    """Differences as lines; similar ones are combined."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for one in found:
        groups.setdefault((one.part, one.before, one.after), []).append(one.what)
    for (part, before, after), names in groups.items():
        rest = len(names) - MOST_NAMED
        who = ", ".join(names[:MOST_NAMED]) + (f" and {rest:,} more" if rest > 0 else "")
        yield str(Difference(who, before, after, part=part))


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
    """Whether it is a property of dice or trackers, whose last values are not in saved games."""
    return name.endswith(("_result", "_total", "_keep", "_summary", "_command", "_value"))
