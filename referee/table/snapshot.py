"""The table as plain data for programs: what VASSAL's own objects would return, field by field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from referee.table.module import MODULE
from referee.table.table import Table
from referee.table.things import Deck, Piece, Stack, Thing
from referee.table.viewer_filter import ViewerFilter

_PLACE = ("id", "kind", "name", "map", "x", "y", "location", "board", "zone", "stack", "stackIndex", "moved")
"""The fields that are reported for a masked piece."""


def things(table: Table) -> Iterator[dict[str, Any]]:
    """Every piece, every deck, and every stack that is not empty, in the order of their ids."""
    shown = (thing for thing in table.things.values() if _counts(thing))
    for thing in sorted(shown, key=lambda one: _order(one.id)):
        yield describe(table, thing)


def _counts(thing: Thing) -> bool:
    return not isinstance(thing, Stack) or isinstance(thing, Deck) or bool(thing.members)


def _order(thing_id: str) -> tuple[int, str]:
    return len(thing_id), thing_id


class Watch:
    """The result of :func:`things` as the game progresses, updated only where it may have changed.

    ``texts`` are the descriptions as JSON, by id, as of the last :meth:`look`.
    """

    def __init__(self, table: Table, viewer_filter: ViewerFilter | None = None) -> None:
        self._table = table
        self._viewer_filter = viewer_filter or ViewerFilter(table, reveal=True)
        self._scene = -1
        self._seen: dict[str, tuple[object, ...]] = {}
        self.texts: dict[str, str] = {}

    def look(self) -> tuple[list[str], list[str]]:
        """The ids of what is new or has changed since the last look, and of what is gone."""
        table = self._table
        if table.scene != self._scene:
            self._scene = table.scene
            self._seen.clear()
        seen = {thing.id: self._marks(thing) for thing in table.things.values() if self._is_there(thing)}
        changed = []
        for thing_id, marks in seen.items():
            if marks is None or self._seen.get(thing_id) != marks:
                text = json.dumps(self._described(table.things[thing_id]), ensure_ascii=False)
                if self.texts.get(thing_id) != text:
                    self.texts[thing_id] = text
                    changed.append(thing_id)
        gone = sorted(self.texts.keys() - seen.keys(), key=_order)
        for thing_id in gone:
            del self.texts[thing_id]
        self._seen = {thing_id: marks for thing_id, marks in seen.items() if marks is not None}
        return sorted(changed, key=_order), gone

    def _is_there(self, thing: Thing) -> bool:
        """Whether the viewer sees anything of it: a stack of hidden pieces is not reported."""
        if isinstance(thing, Piece):
            return self._viewer_filter.hides(thing) != "hidden"
        members = thing.members if isinstance(thing, Stack) else ()
        return _counts(thing) and (not members or any(map(self._is_there, members)))

    def _described(self, thing: Thing) -> dict[str, Any]:
        found = describe(self._table, thing)
        if isinstance(thing, Stack) and not self._viewer_filter.reveal:
            found["contents"] = [
                one.id for one in thing.members if self._viewer_filter.hides(one) != "hidden"
            ]
        elif isinstance(thing, Piece) and self._viewer_filter.hides(thing):
            return {name: value for name, value in found.items() if name in _PLACE}
        return found

    @staticmethod
    def _marks(thing: Thing) -> tuple[object, ...] | None:
        """A value that is the same as long as a thing looks the same; None if there is none."""
        if isinstance(thing, Stack):
            changes = thing.changes
            for member in thing.members:
                if member.depends:
                    return None
                changes += member.changes
            return thing, thing.changes, changes
        assert isinstance(thing, Piece)
        if thing.depends:
            return None
        return thing, thing.changes, thing.parent.changes if thing.parent else 0

    def in_order(self) -> Iterator[str]:
        """All descriptions, in the order of their ids."""
        return (self.texts[thing_id] for thing_id in sorted(self.texts, key=_order))


def describe(table: Table, thing: Thing) -> dict[str, Any]:
    """One thing. Fields that do not apply, or that require a module, are left out."""
    map_, (x, y) = thing.map, thing.position
    found: dict[str, Any] = {
        "id": thing.id,
        "kind": "deck" if isinstance(thing, Deck) else "stack" if isinstance(thing, Stack) else "piece",
        "name": table.sight.name(thing),
        "map": map_.name if map_ else None,
        "x": x,
        "y": y,
    }
    if table.module.known:
        found["location"] = table.location_of(thing)
        if map_ is not None:
            found["board"] = table.board_at(map_, x, y)
            found["zone"] = table.zone_at(map_, x, y)
    if isinstance(thing, Stack):
        found["contents"] = [member.id for member in thing.members]
        if isinstance(thing, Deck):
            found["faceDown"] = thing.face_down
    elif isinstance(thing, Piece):
        found.update(_piece(table, thing))
    return found


def _piece(table: Table, piece: Piece) -> dict[str, Any]:
    sight, parent = table.sight, piece.parent
    found: dict[str, Any] = {
        "basicName": sight.property(piece, "BasicName"),
        "gpid": piece.gpid,
        "stack": parent.id if parent else None,
        "stackIndex": parent.index_of(piece) if parent else -1,
    }
    moved = sight.moved(piece)
    if moved is not None:
        found["moved"] = moved
    layers = [
        {
            "name": layer.name,
            "level": layer.level,
            "active": layer.active,
            "levelName": layer.level_name,
        }
        for layer in sight.layers(piece)
    ]
    rotation = {
        name: {"angle": angle, "state": state} for name, (angle, state) in sight.rotations(piece).items()
    }
    parts = {
        "layers": layers,
        "dynamic": sight.dynamic(piece),
        "markers": sight.markers(piece),
        "rotation": rotation,
        "labels": sight.labels(piece),
    }
    found.update({name: value for name, value in parts.items() if value})
    return found


def globals_of(table: Table) -> dict[str, Any]:
    """The properties of the module, its maps and zones, including the counts of decks."""
    containers = {name: dict(values) for name, values in table.globals.values.items()}
    for stack in table.stacks():
        if isinstance(stack, Deck) and stack.own_map:
            counts = containers.setdefault(stack.own_map.name, {})
            counts[f"{stack.name}_numPieces"] = str(len(stack.members))
    found: dict[str, Any] = {"module": _sorted(containers.pop(MODULE, {}))}
    maps = {name.replace(":", "/", 1): _sorted(values) for name, values in containers.items() if values}
    if maps:
        found["maps"] = maps
    return found


def _sorted(values: dict[str, str]) -> dict[str, str]:
    return dict(sorted(values.items()))


def turns_of(table: Table) -> list[dict[str, Any]]:
    """The turn trackers."""
    if not table.module.known:
        return [{"id": key, "state": state} for key, state in table.turns.items()]
    return [
        {
            "name": tracker.name,
            "id": tracker.id,
            "state": table.turns.get(tracker.id),
            "text": table.globals.turn_text(tracker.id),
        }
        for tracker in table.module.trackers
    ]
