"""Units that must make room for retreating or routing ones, and units that were crossed by them."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, name_of
from referee.games.vitoria1813.battle import SETTLING, fights, undone
from referee.games.vitoria1813.facts import (
    DISORDERED,
    ROUTED,
    combat_at,
    is_combat,
    is_on_map,
    phase_of,
    side_of,
)
from referee.games.vitoria1813.notes import CAME_INTO, CROSSED, DISPLACED, MADE_ROOM_IN, MATE
from referee.games.vitoria1813.paths import open_paths, rout_length
from referee.games.vitoria1813.retreats import needless
from referee.games.vitoria1813.stacking import has_to_make_room, is_crowded, limit, was_crossed
from vassalgen.game.provenance import Provenance

rules = Section("Making room", Provenance("rulebook", "4.5"))


@rules.on("displace", clause="2b 4.5c 4.5d")
def units_make_room_only_if_they_must(position: Position, action: Action) -> Breach | None:
    """One of the units that were in the hex, not the newcomer; a second one without need is unproven.

    Out of a hex that no unit left, crossed or entered it is only a move, and too late [2b].
    """
    piece, where = position.pieces[action.piece], action.path[0]
    facts: Facts = {"unit": piece.id, "from": where, "to": action.end}
    if was_crossed(position, piece, where):
        return None
    full = is_crowded(position, where, piece.side)
    if full and position.note(CAME_INTO, where) == piece.id:
        says = (
            f"{name_of(position, piece.id)} retreated into {where} and is displaced itself; a unit that "
            "was already there must make room."
        )
        return Breach(says, facts, clause="4.5d")
    if full or (CAME_INTO, where) in position.notes:
        needed = full or position.game.adopted("displaced") == "all"
        says = (
            f"{name_of(position, piece.id)} is displaced too, although {where} is no longer"
            " overstacked; no more units may be."
        )
        return None if needed else Breach(says, facts, Grade.unproven, "4.5d")
    if (
        needless(position, where) == "4.5c"
        or position.phase == "movement"
        or (MATE, piece.id) in position.notes
    ):
        says = (
            f"{name_of(position, piece.id)} is displaced from {where}, which is not overstacked;"
            " units make room only in an overstacked hex."
        )
        return Breach(says, facts, clause="4.5c")
    if _may_be_needed(position, piece, where):
        return None
    says = (
        f"{name_of(position, piece.id)} moves in the {side_of(position)} {phase_of(position)};"
        " units move only in their own movement phase."
    )
    return Breach(says, facts, clause="2b")


@rules.follows("displace")
def who_makes_room_early_is_noted(before: Position, after: Position, action: Action) -> Position:
    """Before the retreating unit arrives: it counts as displaced afterwards."""
    piece, where = before.pieces[action.piece], action.path[0]
    if has_to_make_room(before, piece, where) or not _may_be_needed(before, piece, where):
        return after
    after = after.with_note(DISPLACED, piece.id, action.end)
    return after.with_note(MADE_ROOM_IN, piece.id, where)


@rules.leaving("fire", "combat", clause="4.5c")
def room_was_made_for_somebody(position: Position) -> Iterator[Breach]:
    """Find units that made room before a unit entered their hex, if none did."""
    came = {path[-1] for fight in fights(position) for path in fight.gone.values() if path}
    for name, where in position.noted(MADE_ROOM_IN).items():
        if where not in came:
            says = f"{name_of(position, name)} made room in {where}, into which no unit came."
            yield Breach(says, {"unit": name, "from": where})


def _may_be_needed(position: Position, piece: Piece, where: str) -> bool:
    """Return whether a hex is full that a unit which must still retreat may enter."""
    grid = position.game.map.grid
    due = [name for fight in SETTLING.open(position) for name in undone(position, fight)]
    comers = [position.pieces[name] for name in due if position.pieces[name].side == piece.side]
    near = any(grid.distance(comer.where, where) <= rout_length(position) for comer in comers)
    return near and len(combat_at(position, where, piece.side)) == limit(position)


@rules.on("displace", clause="4.5d")
def a_displaced_unit_goes_one_hex(position: Position, action: Action) -> Breach | None:
    """A unit crossed by a rout goes back at least one hex [4.5f]."""
    piece, where = position.pieces[action.piece], action.path[0]
    steps = position.game.map.grid.distance(where, action.end) if action.dragged else len(action.path) - 1
    facts: Facts = {"unit": piece.id, "from": where, "to": action.end, "hexes": steps}
    if steps == 1:
        return None
    if was_crossed(position, piece, where) or not has_to_make_room(position, piece, where):
        return None
    says = (
        f"{name_of(position, piece.id)} is displaced {counted(steps, 'hex')}, to {action.end}; the "
        "limit is 1 hex."
    )
    return Breach(says, facts)


@rules.leaving("movement", "fire", "combat", clause="4.5e")
def the_displaced_are_disordered(position: Position) -> Iterator[Breach]:
    """A unit crossed by a rout falls under 7.8a."""
    for name in position.noted(DISPLACED):
        piece = position.pieces[name]
        if (CROSSED, name) in position.notes:
            continue
        if is_on_map(position, piece) and not piece.is_(DISORDERED) and not piece.is_(ROUTED):
            says = f"{name_of(position, name)} was displaced and must be marked Disordered; it is not."
            yield Breach(says, {"unit": name})


@rules.proposes
def making_room(position: Position, piece: Piece) -> Iterator[Action]:
    """The units in a hex that is overstacked, or that were crossed by a rout."""
    if not is_combat(piece) or not is_on_map(position, piece):
        return
    newcomer = position.note(CAME_INTO, piece.where)
    full = len(combat_at(position, piece.where, piece.side)) > limit(position)
    crossed = (position.note(CROSSED, piece.id) or ("",))[0] == piece.where
    stays = (DISPLACED, piece.id) in position.notes
    if crossed or (full and newcomer not in (None, piece.id) and not stays):
        for path in open_paths(position, piece, 1):
            yield Action("displace", (piece.id,), path)
    shaken = piece.is_(DISORDERED) or piece.is_(ROUTED)
    if not shaken and any((kind, piece.id) in position.notes for kind in (DISPLACED, CROSSED, MATE)):
        yield Action("disorder", (piece.id,))
