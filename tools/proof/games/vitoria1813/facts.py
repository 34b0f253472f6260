"""Plain facts of a position, read from the map and the counters."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.position import Piece, Position
from referee.games.vitoria1813.battle import Fight
from referee.games.vitoria1813.notes import TRAIL
from tools.oracles.games.vitoria1813.board import Board

ARMS = ("infantry", "cavalry", "artillery", "engineer")
SHAKEN = ("disordered", "routed", "uncontrolled")


def units(position: Position, side: str = "", kinds: tuple[str, ...] = ARMS) -> list[Piece]:
    """Return the counters of some kinds on the map."""
    grid = position.game.map.grid
    return [
        piece
        for piece in position.pieces.values()
        if piece.counter.kind in kinds and piece.where in grid and side in ("", piece.side)
    ]


def generals(position: Position, side: str) -> list[Piece]:
    """Return the generals of a side on the map who are not neutralised."""
    return [piece for piece in units(position, side, ("general",)) if not piece.states]


def commands(position: Position, general: Piece, names: tuple[str, ...]) -> bool:
    """Return whether a general is a chief, or all units are of his army."""
    armies = position.game.formations
    own = general.counter.formation
    units_ = [position.pieces[name].counter.formation for name in names]
    chief = general.counter.extra.text("rank", "") in ("chief", "staff")
    return chief or all((armies[one].part_of or one) == own for one in units_)


def enemy(side: str) -> str:
    """Return the other side."""
    return "french" if side == "allied" else "allied"


def stack(position: Position, where: str, side: str = "") -> list[Piece]:
    """Return the combat units in a hex."""
    return [
        piece
        for piece in position.at(where)
        if piece.counter.kind in ARMS and (not side or piece.side == side)
    ]


def is_open(position: Position, here: str, there: str) -> bool:
    """Return whether there is only clear ground between two hexes and in the second."""
    map_ = position.game.map
    return map_.hexes[there].terrain == "clear" and not map_.hexside(here, there).features


def is_empty(position: Position, where: str) -> bool:
    """Return whether a hex is empty."""
    return not position.at(where)


def zone_of(position: Position, where: str, side: str) -> list[Piece]:
    """Return the units of a side whose zones are in a hex: units in order, and not across water."""
    return Board.of(position).zone_holders(where, enemy(side)) if where in position.game.map.grid else []


def is_fresh(position: Position, piece: Piece) -> bool:
    """Return whether a counter has not moved in this phase and has no marker."""
    return (TRAIL, piece.id) not in position.notes and not piece.states


def steps_out(position: Position, piece: Piece) -> list[str]:
    """Return the empty hexes next to a counter over open ground."""
    return [
        there
        for there in position.game.map.grid.neighbours(piece.where)
        if is_open(position, piece.where, there) and is_empty(position, there)
    ]


def rolled(position: Position) -> Iterator[tuple[Fight, str, str]]:
    """The last combat with a die, and each side's part of the result."""
    found = [one for one in position.battles if isinstance(one, Fight) and one.rolled]
    for fight in found[-1:]:
        attackers, _, defenders = fight.given.partition("|")
        yield fight, fight.side, "-" if fight.is_fire else attackers
        yield fight, fight.enemy, defenders


def current_dice(position: Position) -> set[int]:
    """The dice of the combats that are not settled."""
    fights = [one for one in position.battles if isinstance(one, Fight) and not one.settled]
    return {fight.die for fight in fights if fight.rolled}


def party(fight: Fight, side: str) -> tuple[str, ...]:
    """Return the units of a side in a combat."""
    return fight.attackers if side == fight.side else fight.defenders
