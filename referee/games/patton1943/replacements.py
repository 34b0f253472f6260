"""Phase 7: replacements."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of, names_of
from referee.games.patton1943.bases import free_airfields
from referee.games.patton1943.facts import (
    ALLIES,
    adjective,
    air_at,
    box,
    has_gaps,
    in_ezoc,
    in_phase,
    is_air,
    is_asset,
    is_battlegroup,
    is_captured_airfield,
    is_friendly_airfield,
    is_on_map,
    is_reduced,
    is_surely_not_of,
    is_unit,
    of_side,
    other,
    owner,
    rommel,
    the_field,
    threats,
    where_it_is,
)
from referee.games.patton1943.notes import (
    BATTLEGROUP_OF,
    REBUILT,
    RECLAIMED,
    REPLACED,
    UNUSED,
)
from referee.games.patton1943.recall import is_recalled
from referee.games.patton1943.stacking import has_room
from vassalgen.game.provenance import Provenance

rules = Section("Replacements", Provenance("rulebook", "7.7"))
MAP = Provenance("reconstruction", remark="villages, ports and airfields")
BOTH = ("rebuild", "reclaim")


def quota(position: Position, side: str) -> int:
    """Return how many pieces a side may rebuild or bring back in its phase [7.7b, 7.7c]."""
    return position.game.values["replacements"].values.integer(side)


@rules.on(*BOTH, clause="7.7a")
def replacements_are_of_the_player_in_turn(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if position.side and piece.side == position.side:
        return None
    when = f"in the {adjective(position, position.side)} player turn" if position.side else in_phase(position)
    done = "is rebuilt" if action.verb == "rebuild" else "is brought back"
    says = f"{name_of(position, piece.id)} {done} {when}; that is done only in its own side's player turn."
    return Breach(says, {"unit": piece.id, "side": position.side or "none", "phase": position.phase})


@rules.on(*BOTH, clause="7.7b 7.7c 7.7k")
def a_side_handles_so_many_pieces(position: Position, action: Action) -> Breach | None:
    """What was saved in the turn before does not count [7.7k]."""
    piece = position.pieces[action.piece]
    used, most = position.note(REPLACED, piece.side) or 0, quota(position, piece.side)
    if used < most or position.note(RECLAIMED, piece.id):
        return None  # turned to its full side as it comes back, it counts once
    facts: Facts = {"unit": piece.id, "used": used, "limit": most}
    name = name_of(position, piece.id)
    if position.note(UNUSED, piece.side):
        says = (
            f"{name} is replacement number {used + 1} of this player turn;"
            f" the limit is {most}, and unused ones do not carry over."
        )
        return Breach(says, facts, clause="7.7k")
    says = (
        f"{name} is replacement number {used + 1} of this player turn;"
        f" the {adjective(position, piece.side)} limit is {most}."
    )
    return Breach(says, facts, clause="7.7c" if piece.side == ALLIES else "7.7b")


@rules.on("reclaim", clause="7.7d 13i")
def dead_units_stay_dead(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if is_battlegroup(piece):
        says = f"{name_of(position, piece.id)} is brought back; an eliminated battlegroup never returns."
        return Breach(says, {"unit": piece.id}, clause="13i")
    if not is_unit(piece):
        return None
    clause = "13i" if _has_battlegroup(position, piece) else "7.7d"
    says = f"{name_of(position, piece.id)} is brought back; an eliminated unit never returns."
    return Breach(says, {"unit": piece.id}, clause=clause)


def _has_battlegroup(position: Position, piece: Piece) -> bool:
    """Return whether a battlegroup of the unit is on the map: it cannot be turned back into the unit."""
    return any(
        unit == piece.id and is_on_map(position, position.pieces[name])
        for name, unit in position.noted(BATTLEGROUP_OF).items()
    )


@rules.on("rebuild", clause="7.7e 9f")
def no_unit_is_rebuilt_in_an_ezoc(position: Position, action: Action) -> Breach | None:
    """A friend in the hex makes no difference [9f]; assets may be rebuilt there."""
    piece = position.pieces[action.piece]
    if not is_unit(piece) or not is_on_map(position, piece) or not in_ezoc(position, piece.where, piece.side):
        return None
    by = threats(position, piece.where, piece.side)
    friends = tuple(each.id for each in of_side(position, piece.where, piece.side) if each.id != piece.id)
    facts: Facts = {"unit": piece.id, "hex": piece.where, "EZOC of": by, "friends": friends}
    says = (
        f"{name_of(position, piece.id)} is rebuilt in {piece.where}, in the EZOC of {names_of(position, by)};"
        " no unit is rebuilt in an EZOC."
    )
    return Breach(says, facts, clause="9f" if friends else "7.7e")


@rules.on("rebuild", clause="7.7f 7.7g 13i")
def only_a_reduced_piece_is_turned_where_it_stands(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "where": piece.where or "none"}
    name = name_of(position, piece.id)
    if is_battlegroup(piece):
        return Breach(f"{name} is a battlegroup; battlegroups are not rebuilt.", facts, clause="13i")
    if not is_on_map(position, piece):
        says = f"{name} is rebuilt {where_it_is(position, piece)}; pieces are rebuilt on the map."
        return Breach(says, facts, clause="7.7f")
    if not is_reduced(piece):
        return Breach(f"{name} is rebuilt; only a reduced piece is.", facts, clause="7.7g")
    return None


@rules.on("reclaim", clause="7.7f")
def what_is_on_the_map_does_not_change_its_hex(position: Position, action: Action) -> Breach | None:
    """A piece that has just come back may still be put in another hex."""
    piece = position.pieces[action.piece]
    if not is_on_map(position, piece) or position.note(RECLAIMED, piece.id):
        return None
    says = (
        f"{name_of(position, piece.id)} goes from {piece.where} to {action.target} as a replacement;"
        " a piece on the map stays in its hex."
    )
    return Breach(says, {"unit": piece.id, "from": piece.where, "to": action.target})


@rules.on("reclaim", clause="7.7g 17d")
def assets_come_back_from_the_dead_pile(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if is_unit(piece) or is_on_map(position, piece):
        return None
    facts: Facts = {"unit": piece.id, "from": piece.where or "none"}
    name = name_of(position, piece.id)
    if piece.id == rommel(position) and is_recalled(position):
        return Breach(f"{name} is brought back; he was recalled and never returns.", facts, clause="17d")
    if piece.where != box(piece.side, "dead"):
        says = (
            f"{name} is brought back;"
            f" only an asset in the dead pile is, and it is {where_it_is(position, piece)}."
        )
        return Breach(says, facts, clause="7.7g")
    return None


@rules.on("reclaim", clause="7.7h 7.7j")
def aircraft_come_back_on_a_free_airfield(position: Position, action: Action) -> Iterator[Breach]:
    piece, where = position.pieces[action.piece], action.target
    if not is_air(piece) or where not in position.game.map.grid:
        return
    facts: Facts = {"unit": piece.id, "hex": where}
    name = name_of(position, piece.id)
    if not _airfields_for(position, piece):
        says = f"{name} is brought back; it needs a free friendly airfield out of EZOC, and there is none."
        yield Breach(says, facts, clause="7.7j", provenance=MAP)
        return
    if not is_friendly_airfield(position, where, piece.side):
        unproven = is_captured_airfield(position, where, piece.side)
        grade = Grade.unproven if unproven else Grade.illegal
        yield Breach(
            f"{name} is placed in {where}; it must be placed on a friendly airfield.",
            facts,
            grade,
            "7.7h",
            MAP,
        )
    elif air_at(position, where, piece.side):
        says = f"{name} is placed on the airfield in {where}; another air asset is there, and the limit is 1."
        yield Breach(says, facts, clause="7.7h")
    yield from placed_in_an_ezoc(position, piece, where, "7.7h")


def placed_in_an_ezoc(position: Position, piece: Piece, where: str, clause: str) -> Iterator[Breach]:
    """Say whose EZOC contains the hex in which a piece enters [7.7h, 7.7i, 16g]."""
    if in_ezoc(position, where, piece.side):
        by = threats(position, where, piece.side)
        says = (
            f"{name_of(position, piece.id)} is placed in {where}, in the EZOC of {names_of(position, by)};"
            " it must be placed out of EZOC."
        )
        yield Breach(says, {"unit": piece.id, "hex": where, "EZOC of": by}, clause=clause)


def _airfields_for(position: Position, piece: Piece) -> tuple[str, ...]:
    free = free_airfields(position, piece.side)
    return tuple(where for where in free if not in_ezoc(position, where, piece.side))


@rules.on("reclaim", clause="7.7i 7.7j")
def ground_assets_come_back_in_own_towns(position: Position, action: Action) -> Iterator[Breach]:
    piece, where = position.pieces[action.piece], action.target
    if not is_asset(piece) or where not in position.game.map.grid:
        return
    facts: Facts = {"unit": piece.id, "hex": where}
    name = name_of(position, piece.id)
    if not towns_for(position, piece):
        says = (
            f"{name} is brought back;"
            " it needs room in a friendly village or port out of EZOC, and there is none."
        )
        grade = Grade.unproven if has_gaps(position) else Grade.illegal
        yield Breach(says, facts, grade, "7.7j", MAP)
        return
    prepared = the_field(position)
    if where not in prepared.villages and where not in prepared.ports.values():
        says = f"{name} is placed in {where}; it must be placed in a village or port."
        yield Breach(says, facts, clause="7.7i", provenance=MAP)
    elif there := tuple(each.id for each in of_side(position, where, other(piece.side))):
        says = (
            f"{name} is placed in {where}, which is held by {names_of(position, there)};"
            " no hex holds pieces of both sides."
        )
        yield Breach(says, facts, clause="7.7i")
    elif owner(position, where) != piece.side:
        whose = owner(position, where) or "neither side"
        grade = Grade.illegal if is_surely_not_of(position, where, piece.side) else Grade.unproven
        says = (
            f"{name} is placed in {where};"
            f" only a town of its own side will do, and this one is {_held_by(position, where)}."
        )
        yield Breach(says, {**facts, "owner": whose}, grade, "7.7i", MAP)
    yield from placed_in_an_ezoc(position, piece, where, "7.7i")


def _held_by(position: Position, where: str) -> str:
    side = owner(position, where)
    return f"{adjective(position, side)}-controlled" if side else "controlled by neither side"


def towns_for(position: Position, piece: Piece, villages_only: bool = False) -> tuple[str, ...]:
    """Return the villages and ports where an asset may be placed [7.7i, 16g]."""
    prepared, side = the_field(position), piece.side
    towns = prepared.villages if villages_only else {*prepared.villages, *prepared.ports.values()}
    return tuple(
        where
        for where in sorted(towns)
        if owner(position, where) == side
        and not in_ezoc(position, where, side)
        and not of_side(position, where, other(side))
        and has_room(position, piece, where)
    )


@rules.does("rebuild")
def rebuild(position: Position, action: Action) -> Position:
    """Turn it to its full-strength side and count it."""
    piece = position.pieces[action.piece]
    after = position.with_piece(piece.id, steps=piece.counter.steps)
    return _used(after, piece).with_note(REBUILT, piece.id, True)


@rules.does("reclaim")
def reclaim(position: Position, action: Action) -> Position:
    """Put it on the map at full strength, and count it."""
    piece = position.pieces[action.piece]
    steps = 1 if position.game.adopted("reclaimed-side") == "reduced" else piece.counter.steps
    after = position.with_piece(piece.id, where=action.target, steps=steps, states={})
    return _used(after, piece).with_note(RECLAIMED, piece.id, True)


def _used(position: Position, piece: Piece) -> Position:
    if position.note(RECLAIMED, piece.id):
        return position
    used = position.note(REPLACED, piece.side) or 0
    return position.with_note(REPLACED, piece.side, used + 1)


@rules.follows("lose", "eliminate")
def what_is_taken_back_was_not_used(before: Position, after: Position, action: Action) -> Position:
    """A rebuilt piece is turned back, or one that came back returns to the dead pile, in the same phase."""
    kind = REBUILT if action.verb == "lose" else RECLAIMED
    side = before.pieces[action.piece].side
    if not before.note(kind, action.piece):
        return after
    used = (before.note(REPLACED, side) or 0) - 1
    return after.without_note(kind, action.piece).with_note(REPLACED, side, used)


@rules.following("supply")
def what_was_not_used_is_noted(position: Position) -> Position:
    """To distinguish a quota that is exceeded from one that was saved up [7.7k]."""
    side = position.side
    left = quota(position, side) - (position.note(REPLACED, side) or 0)
    return position.with_note(UNUSED, side, max(left, 0))


@rules.proposes
def replacements(position: Position, piece: Piece) -> Iterator[Action]:
    """What can be rebuilt or brought back."""
    if position.phase != "replacement" or piece.side != position.side:
        return
    if is_on_map(position, piece):
        if is_reduced(piece):
            yield Action("rebuild", (piece.id,))
    elif piece.where == box(piece.side, "dead") and not is_unit(piece):
        hexes = _airfields_for(position, piece) if is_air(piece) else towns_for(position, piece)
        yield from (Action("reclaim", (piece.id,), target=where) for where in hexes)
