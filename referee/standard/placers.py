"""Which unit may have placed a marker. It is not said at the table; where units stand, and what they may do,
leave only some.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.position import LAID, Piece, Position
from referee.standard.facts import fits, on_map, points_of, rules_of
from referee.standard.notes import PLACERS
from referee.standard.sight import not_seen
from vassalgen.game.families import Families, Marker


def placers(position: Position, rule: Marker, where: str) -> tuple[Piece, ...]:
    """Return the units that can place a marker in a hex now: those in the hex or, if it is placed at a
    distance, those of the side whose phase it is that are near enough and see the hex.
    """
    return tuple(piece for piece in in_reach(position, rule, where) if sees(position, rule, piece, where))


def in_reach(position: Position, rule: Marker, where: str) -> tuple[Piece, ...]:
    """Return the units that can place a marker in a hex if they see it."""
    grid = position.game.map.grid
    sides = [position.side] if position.side and rule.laid_within else position.game.sides
    return tuple(
        piece
        for side in sides
        for _, piece in on_map(position, side)
        if fits(position, piece, rule.laid_by)
        and grid.distance(piece.where, where) <= points_of(position, piece, rule.laid_within)
    )


def sees(position: Position, rule: Marker, piece: Piece, where: str) -> bool:
    """Return whether a unit sees a hex well enough to place a marker there."""
    combat = rules_of(position).combat.get(rule.laid_seen)
    return combat is None or not not_seen(position, piece, where, combat)


def with_placers(position: Position, rules: Families, marker: str, where: str) -> Position:
    """Note which units may have placed a marker that is placed now."""
    known = position.note(PLACERS, f"{marker} {where}") or ()
    names = {
        piece.id
        for rule in rules.markers.values()
        if rule.marker == marker and rule.laid_by.text
        for piece in placers(position, rule, where)
    }
    return position.with_note(PLACERS, f"{marker} {where}", (*known, tuple(sorted(names))))


def without_placers(position: Position, marker: str, where: str) -> Position:
    """Forget who may have placed a marker that is taken off. Which of several it was is not known."""
    known: tuple[tuple[str, ...], ...] = position.note(PLACERS, f"{marker} {where}") or ()
    if len(known) < 2:
        return position.without_note(PLACERS, f"{marker} {where}")
    anybody = tuple(sorted({name for one in known for name in one}))
    return position.with_note(PLACERS, f"{marker} {where}", (anybody,) * (len(known) - 1))


def one_too_many(position: Position, rule: Marker, where: str) -> bool:
    """Return whether a marker placed in a hex would be one more than its unit may have on the map, whichever
    unit placed which.
    """
    copies = [names for _, names in copies_of(position, rule)]
    copies.append(tuple(piece.id for piece in placers(position, rule, where)))
    owned: dict[str, list[int]] = {}

    def finds_owner(copy: int, asked: set[str]) -> bool:
        for name in copies[copy]:
            if name in asked:
                continue
            asked.add(name)
            mine = owned.setdefault(name, [])
            if len(mine) < rule.most_each:
                mine.append(copy)
                return True
            for other in mine:
                if finds_owner(other, asked):
                    mine[mine.index(other)] = copy
                    return True
        return False

    return bool(copies[-1]) and not all(finds_owner(copy, set()) for copy in range(len(copies)))


def copies_of(position: Position, rule: Marker) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the markers of a rule on the map whose placers are known: the hex, and the units that may have
    placed it.
    """
    for where, laid in position.noted(LAID).items():
        known: tuple[tuple[str, ...], ...] = position.note(PLACERS, f"{rule.marker} {where}") or ()
        yield from ((where, names) for names in known if names and rule.marker in laid)


def has_left(position: Position, rule: Marker, where: str) -> tuple[str, ...]:
    """Return the units that may have placed a marker in a hex, if none of them is still there, or as it must
    be, so that the marker is taken off; otherwise nothing.
    """
    for hex_, names in copies_of(position, rule) if rule.placer_stays or rule.placer.text else ():
        pieces = [position.pieces[name] for name in names]
        kept = any(
            fits(position, piece, rule.placer)
            and piece.where in position.game.map.grid
            and (not rule.placer_stays or piece.where == where)
            for piece in pieces
        )
        if hex_ == where and not kept:
            return names
    return ()
