"""Paths of retreat: hex by hex, with the steps that each path costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from attrs import evolve, frozen

from referee.engine.position import Piece, Position
from referee.engine.zones import bits, indices
from referee.games.tunisia1943.facts import (
    controlled,
    has_room,
    held,
    held_by_ems,
    is_em,
    other,
    the_field,
    with_friends,
)

MOST = 6
"""More hexes than any retreat that continues because hexes are full."""


@frozen
class Exits:
    """Where a retreating unit can go next: ``free`` hexes, or else ``costly`` ones at a step each.

    ``unproven`` are those in enemy zones of control while there are free ones: the text implies that free
    ones must be taken [7.5b]. They certainly cost a step only if zones cover the free ones as well, which
    friends hold (``covered``) [7.5c]. ``bar`` is the clause by which there is no exit at all.
    """

    free: int
    costly: int
    unproven: int
    covered: bool = False
    bar: Literal["", "7.5a", "7.5d"] = ""


def friends(position: Position, side: str, company: frozenset[str] = frozenset()) -> int:
    """Return the hexes, as bits, in which friendly units keep a path of retreat open [7.5c].

    Units that retreat in the same ``company`` do not.
    """
    combat_units_only = position.game.adopted("friends-in-retreat") == "no"
    if not company and not combat_units_only:
        return with_friends(position, side)
    index = position.game.map.grid.index
    return bits(
        index[piece.where]
        for piece in position.of_side(side)
        if piece.where in index and piece.id not in company and not (combat_units_only and is_em(piece))
    )


def exits(position: Position, side: str, at: int, company: frozenset[str] = frozenset()) -> Exits:
    """Return where a unit of a side can go next in a retreat [7.5a to 7.5d, 4.2b].

    Hexes outside enemy zones of control are free, and those with a friendly unit [7.5c].
    """
    enemy, around = other(side), position.game.map.grid.adjacent[at]
    enemies = held(position, enemy) | held_by_ems(position, enemy)
    links = the_field(position).links[at]
    open_ = links & ~enemies
    zones = controlled(position, side)
    free = open_ & (~zones | friends(position, side, company))
    if free:
        others, covered = open_ & ~free, not free & ~zones
        if position.game.adopted("through-zoc") == "any":
            return Exits(free, others, 0, covered)
        return Exits(free, 0, others, covered)
    if open_:
        return Exits(0, open_, 0)
    hemmed = all(to >= 0 and enemies >> to & 1 for to in around)
    return Exits(0, 0, 0, bar="7.5a" if hemmed else "7.5d")


@frozen
class RetreatPath:
    """A path of retreat by index, start included: the steps it costs each unit, and whether it is unproven.

    ``least``: the steps that it certainly costs. ``bar``: it ends where it does because nothing leads on,
    which costs two more steps.
    """

    hexes: tuple[int, ...]
    loss: int = 0
    least: int = 0
    is_unproven: bool = False
    bar: str = ""

    @property
    def end(self) -> int:
        """The last hex."""
        return self.hexes[-1]

    @property
    def steps(self) -> int:
        """The number of hexes."""
        return len(self.hexes) - 1


def retreat_paths(
    position: Position, piece: Piece, start: str, length: int, company: frozenset[str] = frozenset()
) -> tuple[RetreatPath, ...]:
    """Return the paths of a retreat of a number of hexes [7.5].

    A path goes on if the hex where it would end is full [7.5e] and stops at closed hexes. Paths that end
    nearer than they are long are left out if another does not and is not unproven [7.5f].
    """
    search = _Search(position, piece, length, company)
    found = tuple(search.paths(RetreatPath((position.game.map.grid.index[start],))))
    far = tuple(path for path in found if _is_far(position, path))
    if position.game.adopted("length-of-retreat") == "any":
        return found
    return far if any(not path.is_unproven for path in far) else found


def _is_far(position: Position, path: RetreatPath) -> bool:
    return path.bar != "" or position.game.map.grid.gap(path.hexes[0], path.end) == path.steps


def _on(path: RetreatPath, to: int, loss: int, least: int) -> RetreatPath:
    """The path, one hex longer."""
    return evolve(path, hexes=(*path.hexes, to), loss=path.loss + loss, least=path.least + least)


@frozen
class _Search:
    """The search for retreat paths of one piece."""

    position: Position
    piece: Piece
    length: int
    company: frozenset[str]

    def paths(self, path: RetreatPath) -> Iterator[RetreatPath]:
        """Continue a path."""
        position, values = self.position, self.position.game.values["retreat"].values
        if path.steps >= self.length and (path.steps >= MOST or self._has_room(path.end)):
            yield path
            return
        found = exits(position, self.piece.side, path.end, self.company)
        if found.bar:
            cost = self._cost_of(found, path.end)
            yield evolve(path, loss=path.loss + cost, least=path.least + cost, bar=found.bar)
            return
        through = values.integer("through_zoc")
        certain = through if found.covered else 0
        for mask, loss, least in ((found.free, 0, 0), (found.costly, through, through)):
            for to in indices(mask & ~bits(path.hexes)):
                yield from self.paths(_on(path, to, loss, least))
        for to in indices(found.unproven & ~bits(path.hexes)):
            yield from self.paths(evolve(_on(path, to, through, certain), is_unproven=True))

    def _has_room(self, at: int) -> bool:
        name = self.position.game.map.grid.names[at]
        return has_room(self.position, name, self.piece.side, self.piece)

    def _cost_of(self, found: Exits, at: int) -> int:
        """The cost of having no exit: two steps, or all if the map's edge is the only one."""
        edge = any(to < 0 for to in self.position.game.map.grid.adjacent[at])
        if edge and found.bar == "7.5d" and self.position.game.adopted("map-edge") == "lost":
            return self.piece.counter.steps
        return self.position.game.values["retreat"].values.integer("hemmed_in")
