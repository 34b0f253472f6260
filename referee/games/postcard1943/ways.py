"""Ways of retreat: each step with what bars it."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from referee.engine.combat import ways
from referee.engine.position import Piece, Position
from referee.games.postcard1943.battle import Attack
from referee.games.postcard1943.facts import (
    held,
    limit,
    other,
    reach_of,
    the_field,
    threatened,
    units_at,
    weight,
)


@frozen
class Bar:
    """What bars a step of a retreat: the clause, and how it is said."""

    clause: str
    says: str


def bars(
    position: Position, attack: Attack, unit: str, here: int, there: int, *, ends: bool
) -> Iterator[Bar]:
    """Find everything that bars a step of a retreat; ``ends`` if the unit is to stay there."""
    piece = position.pieces[unit]
    prepared, names = the_field(position), position.game.map.grid.names
    if held(position, other(position, piece.side)) >> there & 1:
        yield Bar("retreat.1", f"the enemy stands in {names[there]}")
    near = _attackers_near(position, attack, there)
    if near:
        yield Bar("retreat.1", f"{names[there]} is next to {', '.join(near)}, who attacked")
    elif _shuns_all(position) and threatened(position, piece.side) >> there & 1:
        yield Bar("retreat.1", f"{names[there]} is next to the enemy")
    if not prepared.zone(prepared.kind(unit))[here] >> there & 1:
        yield from closed_hexside(position, unit, here, there)
    if ends and _is_full(position, piece, names[there]):
        counted = [each for each in units_at(position, names[there], piece.side) if each.counter.stack]
        clause = "stack.1" if len(counted) + 1 > limit(position) else "stack.2"
        yield Bar(clause, f"{names[there]} is full")


def _shuns_all(position: Position) -> bool:
    return position.game.adopted("retreat-from-whom") == "all-enemies"


def _attackers_near(position: Position, attack: Attack, there: int) -> tuple[str, ...]:
    """The attackers who stood next to a hex and could move or attack into it [retreat.1, retreat.2]."""
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
    if not prepared.land >> there & 1:
        yield Bar("retreat.1", f"{grid.names[there]} is sea")
    elif not prepared.zone("infantry")[here] >> there & 1:
        yield Bar("move.15", "high mountains are closed to everybody")
    elif prepared.is_(unit, "infantry-in-defence"):
        yield Bar("terrain.8", f"{unit} moves as armour and cannot cross such a hexside")
    else:
        for clause in sorted({prepared.bar(feature) for feature in features} - {""}):
            yield Bar(clause, f"{unit} is armour and cannot cross such a hexside off the road")


def _is_full(position: Position, piece: Piece, where: str) -> bool:
    if position.game.adopted("retreat-stacking") == "later" or piece.where == where:
        return False
    total = weight(position, where, piece.side) + piece.counter.stack
    return piece.counter.stack > 0 and total > limit(position)


def ways_of_retreat(
    position: Position, attack: Attack, unit: str, length: int
) -> tuple[tuple[int, ...], ...]:
    """Return all ways of so many hexes that a unit can retreat from where it is.

    A rout that can end two hexes off must [crt.7]; ways that lead back are left out then.
    """
    grid, piece = position.game.map.grid, position.pieces[unit]
    if piece.where not in grid:
        return ()
    if piece.is_("stuck") and position.game.adopted("stuck-retreat") == "stays":
        return ()

    def is_open(here: int, there: int, left: int) -> bool:
        return not any(bars(position, attack, unit, here, there, ends=left == 0))

    found = ways(grid.adjacent, grid.index[piece.where], length, is_open)
    far = tuple(way for way in found if grid.gap(way[0], way[-1]) == length)
    return far or found


def cornering(position: Position, attack: Attack) -> Attack:
    """Return an attack whose die is thrown with the defenders noted who have no way to retreat."""
    cornered = {
        result: tuple(
            name for name in attack.defenders if not ways_of_retreat(position, attack, name, length)
        )
        for result, length in (("Dr", 1), ("DR", 2))
        if result in (attack.result, attack.right)
    }
    return evolve(attack, cornered={**attack.cornered, **cornered})
