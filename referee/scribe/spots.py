"""Spots of the table that the module names in its announcements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import attrs

from referee.scribe.roster import Roster
from referee.table import Log, Replay, events
from referee.table.events import Spot
from referee.table.step_text import plain
from referee.table.table import Table
from referee.table.texts import is_number
from vassalgen import announcements, templates
from vassalgen.announcements import parse_line
from vassalgen.game.game import Game
from vassalgen.problems import FormatError
from vassalgen.templates import Located
from vassalgen.vassal.commands import Chat, MovePiece, read
from vassalgen.vassal.streams import Node


def announced(line: str) -> announcements.ParsedLine | None:
    """An announcement of the module; players' own words never are, whatever they look like."""
    return parse_line(plain(line)) if line.startswith("*") else None


def named_spots(table: Table, log: Log) -> Iterator[tuple[Spot, str]]:
    """Spots of a log that the module named in its announcements, with the table's names of their maps and
    places.
    """
    for spot, name in logged_spots(log):
        map_ = table.map_named(spot.map) if table.module.known else None
        if not table.module.known:
            yield spot, name
        elif map_ is not None:
            yield Spot(map_.name, spot.x, spot.y, table.location_at(map_, spot.x, spot.y)), name


def remembered_spots(table: Table) -> Iterator[tuple[Spot, str]]:
    """Spots where pieces were before, which they store by name."""
    for piece in table.pieces():
        kept = dict(zip(piece.kept[::2], piece.kept[1::2], strict=False))
        x, y, name = kept.get("OldX", ""), kept.get("OldY", ""), kept.get("OldLocationName", "")
        if name and is_number(x) and is_number(y):
            yield Spot(kept.get("OldMap"), int(x), int(y)), name


def logged_spots(log: Log) -> Iterator[tuple[Spot, str]]:
    """The start and end spots of all moves of a step, if its announcements name only one place."""
    for entry in log.stream.steps:
        moved, said = _moves_of(entry)
        origins = {Spot(move.old_map, move.old_x, move.old_y) for move in moved}
        targets = {Spot(move.map, move.x, move.y) for move in moved}
        for spots, names in ((origins, {one.origin for one in said}), (targets, {one.to for one in said})):
            if len(spots) == len(names) == 1:
                yield spots.pop(), names.pop()


def spots_of_counters(game: Game, log: Log) -> list[tuple[Spot, str]]:
    """Spots of counters whose place the module gave in an announcement other than a move."""
    replay, roster = Replay(log), Roster(game)
    found: list[tuple[Spot, str]] = []
    for step in replay.steps():
        parsed = [line for text in step.chat if (line := announced(text)) is not None and not line.undone]
        places = {one.counter.id: one.place for line in parsed for one in _located(line.announcement)}
        moved = {event.piece.id for event in step.events if isinstance(event, events.Moved)}
        for piece in replay.table.pieces() if places else ():
            counter = roster.counter(replay.table, piece)
            if counter is not None and counter.id in places and piece.id not in moved:
                found.append((replay.table.spot(piece), places[counter.id]))
    return found


def _located(said: templates.Announcement) -> Iterator[Located]:
    """The moves of a step, and those announced in it."""
    for value in attrs.astuple(said, recurse=False):
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Located):
                yield one


def _moves_of(entry: Node) -> tuple[list[MovePiece], list[announcements.Moved]]:
    """The moves of a step, and those announced in it."""
    moved: list[MovePiece] = []
    said: list[announcements.Moved] = []
    for node in entry.walk():
        if node.begins(MovePiece.PREFIX):
            with suppress(FormatError):
                command = read(node.bare)
                moved += [command] if isinstance(command, MovePiece) else []
    for node in entry.walk() if moved else ():
        if node.begins(Chat.PREFIX):
            parsed = announced(node.bare.removeprefix(Chat.PREFIX))
            if parsed and not parsed.undone and isinstance(parsed.announcement, announcements.Moved):
                said.append(parsed.announcement)
    return moved, said
