"""Lines of sight: what blocks them, and who sees for others."""

from __future__ import annotations

from itertools import pairwise

from referee.engine.position import Piece, Position
from referee.engine.wording import listed, name_of
from referee.standard.facts import allowed, closed_features, fits, held, marked_hexes, on_map
from referee.standard.own_words import relations_of, true_of
from referee.standard.setting import the_setting
from vassalgen.game.families import Combat
from vassalgen.game.hexes import Grid


def not_seen(
    position: Position, piece: Piece, there: str, combat: Combat
) -> tuple[str, tuple[str, ...]] | None:
    """Say why an attacker may not attack what it does not see, with what blocks its line of sight; nothing
    if it or a spotter sees it.
    """
    blind = fits(position, piece, combat.blind)
    blocking = () if blind else blocked_sight(position, piece, there, combat)
    if not blind and not blocking:
        return None
    says = f"{name_of(position, piece.id)} cannot see {there} from {piece.where}: {listed(blocking)}"
    says = f"{says} {'blocks' if len(blocking) == 1 else 'block'} the line of sight"
    if blind:
        says = f"{name_of(position, piece.id)} sees nothing itself"
    if blind or fits(position, piece, combat.indirect):
        if _is_spotted(position, piece, there, combat):
            return None
        either = "" if blind else " either"
        says = f"{says}, and no {allowed(position, combat.spotters)} sees {there if blind else 'it'}{either}"
    return f"{says}.", blocking


def _is_spotted(position: Position, attacker: Piece, target: str, combat: Combat) -> bool:
    """Return whether a spotter of an attacker sees a hex."""
    return any(
        combat.spotters.holds({*true_of(position, piece), *relations_of(position, attacker, piece)})
        and not blocked_sight(position, piece, target, combat)
        for _, piece in on_map(position, attacker.side)
        if not fits(position, piece, combat.blind)
    )


def blocked_sight(position: Position, piece: Piece, there: str, combat: Combat) -> tuple[str, ...]:
    """Return the hexes and hexsides that block a unit's line of sight; none if it is clear along at least
    one edge. Adjacent hexes are always seen, some units see over everything, and a unit off the map sees
    nothing.
    """
    grid, setting, here = position.game.map.grid, the_setting(position), piece.where
    if here not in grid or grid.distance(here, there) < 2 or fits(position, piece, combat.sight_not):
        return ()
    blocking = setting.hexes(combat.blocked_by) if combat.blocked_by else 0
    if combat.units_block:
        blocking |= held(position, tuple(position.game.sides))
    for marker in combat.marked_block:
        blocking |= marked_hexes(position, marker)
    found = []
    for line in lines_between(grid, here, there):
        hit = tuple(name for name in line if blocking >> grid.index[name] & 1)
        if combat.levels:
            hit = tuple(name for name in line if _rises(position, here, name, there, name in hit))
        hit += _sides(position, line, combat)
        if not hit:
            return ()
        found.append(hit)
    return found[0]


def _sides(position: Position, line: tuple[str, ...], combat: Combat) -> tuple[str, ...]:
    """Return the hexsides that block a line between two hexes: not those of its first and last hex."""
    grid, setting = position.game.map.grid, the_setting(position)
    if not combat.blocked_across:
        return ()
    shut, found = closed_features(position), []
    for one, other in pairwise(line):
        if not grid.are_neighbours(one, other):
            continue
        at, to = grid.index[one], grid.index[other]
        features = {*setting.features(at, grid.adjacent[at].index(to), shut)} & {*combat.blocked_across}
        titles = " or ".join(position.game.features[name].title.lower() for name in sorted(features))
        found += [f"the {titles} between {one} and {other}"] if features else []
    return tuple(found)


def _rises(position: Position, here: str, between: str, there: str, grown: bool) -> bool:
    """Return whether a hex blocks the line of sight between two by its height, including what is on it."""
    hexes, gap = position.game.map.hexes, position.game.map.grid.distance
    high = hexes[between].level + grown
    low, top = sorted((here, there), key=lambda end: hexes[end].level)
    if high > hexes[top].level:
        return True
    return high > hexes[low].level and gap(low, between) <= gap(between, top)


def lines_between(grid: Grid, here: str, there: str) -> tuple[tuple[str, ...], ...]:
    """Return the hexes between two along the straight line; where it runs along hexsides, those on either
    side.
    """
    start, end = grid.cubes[grid.index[here]], grid.cubes[grid.index[there]]
    steps, lines = grid.distance(here, there), []
    for nudge in (1e-6, -1e-6):
        line = []
        for step in range(1, steps):
            share = step / steps
            point = [a + (b - a) * share for a, b in zip(start, end, strict=True)]
            cube = _rounded(point[0] + nudge, point[1] + 2 * nudge, point[2] - 3 * nudge)
            if cube in grid.by_cube:
                line.append(grid.names[grid.by_cube[cube]])
        lines.append(tuple(line))
    return tuple(dict.fromkeys(lines))


def _rounded(first: float, second: float, third: float) -> tuple[int, int]:
    """The hex that contains a point, in cube coordinates."""
    near = [round(first), round(second), round(third)]
    gaps = [abs(near[0] - first), abs(near[1] - second), abs(near[2] - third)]
    widest = gaps.index(max(gaps))
    near[widest] -= sum(near)
    return near[0], near[1]
