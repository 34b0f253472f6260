"""Overrun of headquarters: a unit enters the hex of a lone EM, which goes back."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from referee.engine.actions import Action
from referee.engine.position import Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import listed, name_of
from referee.engine.zones import hex_names
from referee.games.tunisia1943.facts import (
    ARTILLERY,
    exerts_zoc,
    held,
    held_by_ems,
    is_em,
    is_on_map,
    is_unit,
    lone_ems,
    on_map,
    other,
    the_field,
    units_at,
    with_friends,
)
from referee.games.tunisia1943.notes import DISPLACED, OVERRUN, OVERRUNNING, TRAIL, VACATED
from vassalgen.game.provenance import Provenance

rules = Section("Overrun of headquarters", Provenance("rulebook", "4.2"))

STEPS = ("movement", "exploitation")
NEAR = 2
"""The distance from an EM within which the zone of control of a unit may reach a hex to which
it can go back.
"""


@rules.on("overrun", clause="4.2a")
def only_combat_units_overrun_lone_ems(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "hex": action.target}
    if not is_unit(position, piece):
        return Breach(f"{name_of(position, piece.id)} is not a combat unit and cannot overrun an EM.", facts)
    if not lone_ems(position, action.target, other(piece.side)):
        says = (
            f"{name_of(position, piece.id)} is to overrun {action.target};"
            " only a lone EM can be overrun, and none is there."
        )
        return Breach(says, facts)
    return None


@rules.does("overrun")
def overrun(position: Position, action: Action) -> Position:
    """The unit will enter the hex: its EMs may go back."""
    return position.with_note(OVERRUNNING, action.target, action.piece)


@rules.on("displace", clause="1b")
def an_em_goes_back_before_an_overrun_only(position: Position, action: Action) -> Breach | None:
    em = position.pieces[action.piece]
    enemy = other(em.side)
    if _is_entered(position, em) or _announced(position, action.path[0], em.side):
        return None
    facts: Facts = {"EM": em.id, "hex": action.path[0]}
    if position.side != enemy or position.phase not in STEPS:
        says = f"{name_of(position, em.id)} goes back although no unit overruns it; only an overrun EM does."
        return Breach(says, facts)
    return None


def is_overrun(position: Position, em: Piece) -> bool:
    """Return whether an enemy has entered an EM's hex, or has announced that he will."""
    return _is_entered(position, em) or _announced(position, em.where, em.side)


def _is_entered(position: Position, em: Piece) -> bool:
    return bool(units_at(position, em.where, other(em.side)))


def _is_entered_now(position: Position, em: Piece) -> bool:
    """Whether an enemy has entered the EM's hex in this step: what was reported once is not
    reported again.
    """
    return any((TRAIL, unit.id) in position.notes for unit in units_at(position, em.where, other(em.side)))


def _announced(position: Position, where: str, side: str) -> bool:
    """Whether an overrun of the EMs of a side in a hex has been announced."""
    unit = position.note(OVERRUNNING, where)
    return unit is not None and position.pieces[unit].side != side


@rules.on("displace", clause="4.2b")
def an_overrun_em_goes_back_one_hex(position: Position, action: Action) -> Iterator[Breach]:
    em, grid = position.pieces[action.piece], position.game.map.grid
    here, there = action.path[0], action.end
    if em.where != here:
        return  # reported as a path that begins elsewhere [4.1a]
    facts: Facts = {"EM": em.id, "path": action.path}
    if not grid.are_neighbours(here, there) or len(action.path) > 2:
        yield Breach(
            f"{name_of(position, em.id)} goes back from {here}"
            f" to {there}; an overrun EM goes back exactly 1 hex.",
            facts,
        )
        return
    paths = paths_back(position, em)
    later = any(there in paths_back(one, em).safe for one in _once_entered(position, em))
    grade = Grade.unproven if later else Grade.illegal
    if there not in paths.open:
        yield Breach(
            f"{name_of(position, em.id)} goes back to {there}, which is impassable or held by the"
            " enemy; it may not.",
            facts,
            grade,
        )
    elif there in paths.safe:
        return
    elif paths.safe:
        says = (
            f"{name_of(position, em.id)} goes back to {there}, in an enemy ZOC; it must go back to"
            f" {listed(paths.safe, 'or')}, which is not in one."
        )
        yield Breach(says, facts, Grade.unproven)
    else:
        says = f"All hexes around {here} are in enemy ZOCs; {name_of(position, em.id)} is destroyed."
        yield Breach(says, facts, grade)


def _once_entered(position: Position, em: Piece) -> Iterator[Position]:
    """The position after a unit has come for which an EM makes room: the announced one, or any nearby.

    It leaves behind the zone of control in the hex from which it comes.
    """
    if _is_entered(position, em):
        return
    grid, announced = position.game.map.grid, position.note(OVERRUNNING, em.where)
    for _, unit in on_map(position, other(em.side)):
        if unit.id == announced or (announced is None and grid.distance(unit.where, em.where) <= NEAR):
            yield position.with_piece(unit.id, where=em.where)


@rules.does("displace")
def displace(position: Position, action: Action) -> Position:
    """The EM goes back and has no artillery for the rest of the turn [4.2c]."""
    em, here = position.pieces[action.piece], action.path[0]
    entered = _is_entered(position, em)
    position = neutralised(position.with_piece(em.id, where=action.end), em.id)
    return position.with_note(VACATED, here, entered).with_note(DISPLACED, em.id, here)


def neutralised(position: Position, em: str) -> Position:
    """An overrun EM has no artillery for the rest of the turn, and is turned down [4.2c]."""
    return position.with_note(OVERRUN, em, True).with_state(em, ARTILLERY, Mark(0))


@frozen
class PathsBack:
    """The hexes to which an EM can go back: all that are open, and those that cost nothing."""

    open: tuple[str, ...]
    safe: tuple[str, ...]


def paths_back(position: Position, em: Piece) -> PathsBack:
    """Return where an EM can go from its hex by the rules of retreat [4.2b, 7.5a to 7.5d].

    The zone of control of the unit that overruns it, if it has come already, does not count.
    """
    if not is_on_map(position, em):
        return PathsBack((), ())
    enemy, here = other(em.side), position.game.map.grid.index[em.where]
    closed = held(position, enemy) | held_by_ems(position, enemy)
    reach, zones, zone = the_field(position).links[here] & ~closed, the_field(position).zones, 0
    for at, unit in on_map(position, enemy):
        if at != here and exerts_zoc(position, unit):
            zone |= zones[at]
    exposed = zone & ~with_friends(position, em.side)
    if position.game.adopted("em-losing-steps") == "unhurt":
        exposed = 0
    return PathsBack(hex_names(position.game, reach), hex_names(position.game, reach & ~exposed))


@rules.leaving("movement", "exploitation", clause="4.2b")
def every_overrun_em_has_gone_back(position: Position) -> Iterator[Breach]:
    """An EM in a hex with an enemy unit was overrun and stayed; one that went back made room for a unit."""
    for piece in position.pieces.values():
        if is_em(piece) and is_on_map(position, piece) and _is_entered_now(position, piece):
            facts: Facts = {"EM": piece.id, "hex": piece.where}
            yield Breach(
                f"{name_of(position, piece.id)} stays in {piece.where} together with an enemy unit;"
                " an overrun EM goes back 1 hex.",
                facts,
            )
    for name, here in position.noted(DISPLACED).items():
        if not position.note(VACATED, here):
            says = (
                f"{name_of(position, name)} left {here} as overrun, but no enemy unit entered that hex;"
                " an EM is overrun only then."
            )
            side = other(position.pieces[name].side)
            came = any(position.pieces[mover].side == side for mover in position.noted(TRAIL))
            meant = came or position.note(OVERRUNNING, here) is not None
            yield Breach(says, {"EM": name, "hex": here}, Grade.unproven if meant else Grade.illegal)


@rules.on("artillery", clause="4.2c")
def an_overrun_em_has_no_artillery(position: Position, action: Action) -> Breach | None:
    if not position.note(OVERRUN, action.piece):
        return None
    return Breach(
        f"{name_of(position, action.piece)} places artillery, but was overrun and has none until the"
        " next turn.",
        {"EM": action.piece},
    )


@rules.proposes
def announcements(position: Position, piece: Piece) -> Iterator[Action]:
    """The lone EMs beside a unit that it may overrun."""
    if position.phase not in STEPS or piece.side != position.side or not is_unit(position, piece):
        return
    for there in position.game.map.grid.neighbours(piece.where) if is_on_map(position, piece) else ():
        if lone_ems(position, there, other(piece.side)) and not _announced(
            position, there, other(piece.side)
        ):
            yield Action("overrun", (piece.id,), target=there)


@rules.proposes
def displacements(position: Position, piece: Piece) -> Iterator[Action]:
    """The hexes to which an EM that is being overrun can go back."""
    if position.phase not in STEPS or not is_em(piece) or not is_on_map(position, piece):
        return
    if _is_entered(position, piece) or _announced(position, piece.where, piece.side):
        for there in paths_back(position, piece).open:
            yield Action("displace", (piece.id,), (piece.where, there))
