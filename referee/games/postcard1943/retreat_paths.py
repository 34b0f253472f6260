"""Paths of retreat: each step, with everything that bars it."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from referee.engine.combat import paths
from referee.engine.position import Piece, Position
from referee.engine.wording import is_or_are, name_of, names_of
from referee.games.postcard1943.battle import Attack
from referee.games.postcard1943.facts import (
    held,
    limit,
    other,
    reach_of,
    the_field,
    threatened,
    threats,
    units_at,
    weight,
)


@frozen
class Bar:
    """What forbids a step of a retreat: the clause, and the explanation."""

    clause: str
    says: str


def bars(
    position: Position, attack: Attack, unit: str, here: int, there: int, *, ends: bool
) -> Iterator[Bar]:
    """Find everything that bars a step of a retreat; ``ends`` if it is the last one."""
    piece = position.pieces[unit]
    prepared, names = the_field(position), position.game.map.grid.names

    def refused(why: str) -> str:
        return f"{name_of(position, unit)} may not retreat into {names[there]}: {why}."

    if held(position, other(position, piece.side)) >> there & 1:
        enemies = units_at(position, names[there], other(position, piece.side))
        those = names_of(position, (each.id for each in enemies))
        yield Bar("retreat.1", refused(f"{those} {is_or_are(enemies)} there"))
    near = _attackers_near(position, attack, there)
    if near:
        yield Bar("retreat.1", refused(f"it is adjacent to {names_of(position, near)}, which attacked it"))
    elif _avoids_all(position) and threatened(position, piece.side) >> there & 1:
        enemies_near = threats(position, piece.side, names[there])
        yield Bar("retreat.1", refused(f"it is threatened by {names_of(position, enemies_near)}"))
    if not prepared.zone(prepared.kind(unit))[here] >> there & 1:
        yield from closed_hexside(position, unit, here, there)
    if ends and _is_full(position, piece, names[there]):
        counted = [each for each in units_at(position, names[there], piece.side) if each.counter.stack]
        clause = "stack.1" if len(counted) + 1 > limit(position) else "stack.2"
        total = weight(position, names[there], piece.side) + piece.counter.stack
        says = f"the stack there would count {total}; the stacking limit is {limit(position)}"
        yield Bar(clause, refused(says))


def _avoids_all(position: Position) -> bool:
    return position.game.adopted("retreat-from-whom") == "all-enemies"


def _attackers_near(position: Position, attack: Attack, there: int) -> tuple[str, ...]:
    """The attackers that were adjacent to a hex and could move or attack into it [retreat.1, retreat.2]."""
    grid = position.game.map.grid
    near, reaching = [], []
    for name in attack.attackers:
        if name in attack.lost or attack.stood[name] not in grid:
            continue
        at = grid.index[attack.stood[name]]
        if grid.gap(at, there) == 1:
            near.append(name)
            standing = position.pieces[name]
            if standing.where != attack.stood[name]:
                standing = position.with_piece(name, where=attack.stood[name]).pieces[name]
            if reach_of(position, standing) >> there & 1:
                reaching.append(name)
    if position.game.adopted("shelter") == "one" and len(reaching) < len(near):
        return ()
    return tuple(reaching)


def closed_hexside(position: Position, unit: str, here: int, there: int) -> Iterator[Bar]:
    """Find the clauses that close a hexside to a unit after combat."""
    prepared, grid = the_field(position), position.game.map.grid
    features = position.game.map.hexside(grid.names[here], grid.names[there]).features
    name, hexside = name_of(position, unit), f"hexside between {grid.names[here]} and {grid.names[there]}"
    if not prepared.land >> there & 1:
        yield Bar("retreat.1", f"{name} cannot go to {grid.names[there]}, which is sea.")
    elif not prepared.zone("infantry")[here] >> there & 1:
        yield Bar("move.15", f"{name} cannot cross the high-mountain {hexside}; no unit can.")
    elif prepared.is_(unit, "infantry-in-defence"):
        yield Bar("terrain.8", f"{name} moves as armour and cannot cross the {hexside} without a road.")
    else:
        for clause in sorted({prepared.bar(feature) for feature in features} - {""}):
            kind = "river" if clause == "move.5" else "all-hill"
            yield Bar(clause, f"{name} is armour and cannot cross the {kind} {hexside} without a road.")


def _is_full(position: Position, piece: Piece, where: str) -> bool:
    if position.game.adopted("retreat-stacking") == "later" or piece.where == where:
        return False
    total = weight(position, where, piece.side) + piece.counter.stack
    return piece.counter.stack > 0 and total > limit(position)


def retreat_paths(position: Position, attack: Attack, unit: str, length: int) -> tuple[tuple[int, ...], ...]:
    """Return all paths of a number of hexes by which a unit can retreat from where it is.

    A rout that can end two hexes away must [crt.7]; paths that lead back are left out then.
    """
    grid, piece = position.game.map.grid, position.pieces[unit]
    if piece.where not in grid:
        return ()
    if piece.is_("stuck") and position.game.adopted("stuck-retreat") == "stays":
        return ()

    def is_open(here: int, there: int, left: int) -> bool:
        return not any(bars(position, attack, unit, here, there, ends=left == 0))

    found = paths(grid.adjacent, grid.index[piece.where], length, is_open)
    far = tuple(path for path in found if grid.gap(path[0], path[-1]) == length)
    return far or found


def with_cornered(position: Position, attack: Attack) -> Attack:
    """Return an attack that has been rolled for, with the defenders that have no path of retreat."""
    cornered = {
        result: tuple(name for name in attack.defenders if not retreat_paths(position, attack, name, length))
        for result, length in (("Dr", 1), ("DR", 2))
        if result in (attack.result, attack.right)
    }
    return evolve(attack, cornered={**attack.cornered, **cornered})
