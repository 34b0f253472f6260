"""Lines of sight of artillery."""

from __future__ import annotations

from attrs import frozen

from referee.engine.position import Position
from referee.engine.rulings import Grade
from referee.engine.wording import name_of
from referee.games.vitoria1813.facts import is_combat


@frozen
class Block:
    """What blocks a line of sight: the hex, the clause, and the grade."""

    where: str
    clause: str
    says: str
    grade: Grade = Grade.illegal


def between(position: Position, here: str, there: str) -> tuple[str, ...]:
    """Return the hexes that a line at range two crosses, not counting edges: one, or none [6.1c, 6.1d]."""
    grid = position.game.map.grid
    if grid.distance(here, there) != 2:
        return ()
    common = [name for name in grid.neighbours(here) if grid.are_neighbours(name, there)]
    return tuple(common) if len(common) == 1 else ()


def blocked_by(position: Position, here: str, there: str) -> tuple[Block, ...]:
    """Return what blocks the line from a battery to its target: units, woods, towns, heights."""
    grid, game = position.game.map.grid, position.game
    if here not in grid or there not in grid:
        return ()
    found: list[Block] = []
    hexes = game.map.hexes
    for where in between(position, here, there):
        row = game.terrain[hexes[where].terrain]
        own, target, middle = hexes[here].level, hexes[there].level, hexes[where].level
        if not row.effects.flag("sight", True):
            found.append(Block(where, _clause(row.id), f"the {row.title.lower()} in {where}"))
        elif middle > max(own, target):
            found.append(Block(where, "6.1d", f"the high ground in {where}"))
        elif middle > min(own, target) and game.adopted("height-block") == "as-high":
            says = f"the ground in {where}, higher than the lower end of the line,"
            found.append(Block(where, "6.1d", says))
        elif middle == max(own, target) > min(own, target):
            says = f"the ground in {where}, as high as one end of the line,"
            found.append(Block(where, "6.1d", says, Grade.unproven))
        units = sorted(position.at(where), key=is_combat, reverse=True)
        level = own == target == middle or game.adopted("level-block") == "always"
        if units and level:  # the rules do not say whether generals and the convoy are units here
            says = f"{name_of(position, units[0].id)}, on the same level in {where},"
            grade = Grade.illegal if is_combat(units[0]) else Grade.unproven
            found.append(Block(where, "6.1c", says, grade))
    return tuple(found)


def _clause(terrain: str) -> str:
    """A wood blocks by the general clause on lines of sight, a built-up hex by that on obstacles."""
    return "6.1b" if terrain == "wood" else "6.1d"
