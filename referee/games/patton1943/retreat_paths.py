"""The paths of retreat."""

from __future__ import annotations

from referee.engine.combat import paths
from referee.engine.position import Piece, Position
from referee.games.patton1943.battle import Fight
from referee.games.patton1943.facts import controlled, other, standing, the_field
from referee.games.patton1943.stacking import has_room

NOTHING: frozenset[str] = frozenset()


def retreat_paths(
    position: Position, fight: Fight, piece: Piece, waived: frozenset[str] = NOTHING
) -> tuple[tuple[str, ...], ...]:
    """Return the paths by which a piece can retreat two hexes from the attacked hex [14b to 14e].

    Clauses in ``waived`` are waived.
    """
    grid = position.game.map.grid
    length = position.game.values["limits"].values.integer("retreat")
    start = grid.index[fight.target]
    found = paths(
        grid.adjacent, start, length, lambda at, to, left: may_step(position, piece, (at, to), waived)
    )
    kept = []
    for path in found:
        if grid.gap(start, path[-1]) != length and "14b" not in waived:
            continue
        names = tuple(grid.names[at] for at in path)
        if "14d" not in waived and not has_room(position, piece, names[-1]):
            continue
        if _leads_back(position, fight, names):
            continue
        kept.append(names)
    return tuple(kept)


def may_step(
    position: Position, piece: Piece, step: tuple[int, int], waived: frozenset[str] = NOTHING
) -> bool:
    """Return whether a retreat can make a step [14c, 14e]."""
    at, to = step
    if "14c" not in waived and not the_field(position).links[at] >> to & 1:
        return False
    if "14e" in waived:
        return True
    barred = standing(position, other(piece.side)) | controlled(position, piece.side)
    return not barred >> to & 1


def _leads_back(position: Position, fight: Fight, path: tuple[str, ...]) -> bool:
    """In an interpretation that is not adopted, a retreat leads farther from the attacker [14g]."""
    if position.game.adopted("retreat-towards") == "free" or fight.stood not in position.game.map.grid:
        return False
    gap = position.game.map.grid.distance
    return gap(path[-1], fight.stood) <= gap(path[0], fight.stood)
