"""Results: who must make room for those who retreat or rout, and who was crossed by them."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts
from referee.games.vitoria1813.facts import DISORDERED, ROUTED, combat_at, is_combat, is_on_map
from referee.games.vitoria1813.notes import CAME_INTO, CROSSED, DISPLACED, MATE
from referee.games.vitoria1813.paths import open_ways
from referee.games.vitoria1813.retreats import needless
from referee.games.vitoria1813.stacking import has_to_make_room, limit, was_crossed
from vassalgen.game.provenance import Provenance

rules = Section("Making room", Provenance("rulebook", "4.5"))


@rules.on("displace", clause="2b 4.5c 4.5d")
def who_makes_room_goes_one_hex(position: Position, action: Action) -> Breach | None:
    """Out of a hex that is full, and no farther; without need nobody goes.

    Out of a hex that nobody left, crossed or came into it is no more than a move, and too late [2b].
    """
    piece = position.pieces[action.piece]
    where, grid = action.path[0], position.game.map.grid
    facts: Facts = {"unit": piece.id, "from": where, "to": action.end}
    if was_crossed(position, piece, where):
        return None
    if not has_to_make_room(position, piece, where):
        if needless(position, where) == "4.5c" or position.phase == "movement":
            return Breach(f"{piece.id} is displaced without need", facts, clause="4.5c")
        return Breach(f"{piece.id} moves in the {position.phase} phase", facts, clause="2b")
    if grid.distance(where, action.end) != 1:
        return Breach(f"{piece.id} is displaced to {action.end}, more than a hex", facts, clause="4.5d")
    return None


@rules.leaving("fire", "combat", clause="4.5e")
def the_displaced_are_disordered(position: Position) -> Iterator[Breach]:
    for name in position.noted(DISPLACED):
        piece = position.pieces[name]
        if is_on_map(position, piece) and not piece.is_(DISORDERED) and not piece.is_(ROUTED):
            yield Breach(f"{name} was displaced and is not disordered", {"unit": name})


@rules.proposes
def making_room(position: Position, piece: Piece) -> Iterator[Action]:
    """Those who stand in a hex that is too full, or were crossed by a rout."""
    if not is_combat(piece) or not is_on_map(position, piece):
        return
    newcomer = position.note(CAME_INTO, piece.where)
    full = len(combat_at(position, piece.where, piece.side)) > limit(position)
    crossed = position.note(CROSSED, piece.id) == piece.where and not position.note(MATE, piece.id)
    stays = (DISPLACED, piece.id) in position.notes
    if crossed or (full and newcomer not in (None, piece.id) and not stays):
        for way in open_ways(position, piece, 1):
            yield Action("displace", (piece.id,), way)
    shaken = piece.is_(DISORDERED) or piece.is_(ROUTED)
    if not shaken and ((DISPLACED, piece.id) in position.notes or (CROSSED, piece.id) in position.notes):
        yield Action("disorder", (piece.id,))
