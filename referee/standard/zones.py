"""Zones of control: which units exert them, which hexes they cover, and which units are in them."""

from __future__ import annotations

from collections.abc import Mapping

from referee.engine.position import Piece, Position
from referee.engine.zones import indices
from referee.standard.battle import fights, with_right_result
from referee.standard.facts import closed_features, fits, held, on_map, others, rules_of
from referee.standard.outcomes import affected, consequences
from referee.standard.own_words import true_of
from referee.standard.setting import the_setting
from vassalgen.game.families import ANYBODY, Who
from vassalgen.game.hexes import NOWHERE


def exerts(position: Position, piece: Piece) -> bool:
    """Return whether a unit has a zone of control now: a result holds before its marker is placed."""
    zoc = rules_of(position).zoc
    if zoc is None or not fits(position, piece, zoc.who):
        return False
    due = _states_due(position).get(piece.id)
    return due is None or zoc.who.holds(true_of(position, piece) | due)


def _states_due(position: Position) -> Mapping[str, frozenset[str]]:
    """The states, by unit, that results of this phase cause, whether marked or not."""
    key = ("states due",)
    if key not in position.memory:
        position.memory[key] = found = dict[
            str, frozenset[str]
        ]()  # none, for conditions that are evaluated meanwhile
        due = [
            (name, what.state)
            for fight in fights(position)
            if fight.rolled and not fight.other_dice
            for played in {fight, with_right_result(fight)}
            for side in ("attacker", "defender")
            for _, _, what, _ in consequences(position, played, side)
            if what.state and not what.one
            for name in affected(position, played, side, what)
        ]
        for name, state in due:
            found[name] = found.get(name, frozenset()) | {state}
    known: Mapping[str, frozenset[str]] = position.memory[key]
    return known


def zone_of(position: Position, at: int, piece: Piece) -> int:
    """Return the hexes that a unit in a hex controls, as bits."""
    setting, zoc = the_setting(position), rules_of(position).zoc
    if zoc is None or not exerts(position, piece):
        return 0
    closed = closed_features(position)
    zone = setting.reach(closed)[at]
    if zoc.where_can_move:
        true = true_of(position, piece)
        for name in setting.bars_for(true, *setting.rules.movement, *setting.rules.combat):
            bar = setting.rules.bars[name]
            for direction, to in enumerate(position.game.map.grid.adjacent[at]):
                roads = bool(setting.road_kinds(at, direction, closed))
                if to >= 0 and setting.is_barred(bar, at, to, setting.features(at, direction, closed), roads):
                    zone &= ~(1 << to)
    return zone


def controlled(position: Position, side: str, purpose: str = "", against: Who = ANYBODY) -> int:
    """Return the hexes that the enemies of a side control, as bits.

    ``purpose``: friends in a hex may cancel the zones in it for moving, retreating or supply. ``against``:
    only the zones of these enemies.
    """
    key = ("controlled", side, purpose, against)
    if key not in position.memory:
        zoc, mask = rules_of(position).zoc, 0
        if zoc is not None:
            for enemy in others(position, side):
                for at, piece in on_map(position, enemy):
                    if fits(position, piece, against):
                        mask |= zone_of(position, at, piece)
            if purpose in zoc.cancelled_for:
                mask &= ~held(position, (side,), zoc.cancelled_by)
        position.memory[key] = mask
    found: int = position.memory[key]
    return found


def controllers(position: Position, where: str, side: str) -> tuple[str, ...]:
    """Return the enemies of a side in whose zones of control a hex is."""
    index = position.game.map.grid.index[where]
    return tuple(
        piece.id
        for enemy in others(position, side)
        for at, piece in on_map(position, enemy)
        if zone_of(position, at, piece) >> index & 1
    )


def in_zone(position: Position, unit: str, purpose: str = "") -> bool:
    """Return whether a unit is in an enemy zone of control."""
    piece, grid = position.pieces[unit], position.game.map.grid
    if piece.where not in grid:
        return False
    return bool(controlled(position, piece.side, purpose) >> grid.index[piece.where] & 1)


def zone_at(position: Position, where: str, side: str) -> bool:
    """Return whether a hex is in a zone of control of a side's enemies."""
    return bool(controlled(position, side) >> position.game.map.grid.index[where] & 1)


def near_enemies(position: Position, side: str, distance: int) -> int:
    """Return the hexes nearer to an enemy than a distance, as bits."""
    key = ("near", side, distance)
    if key not in position.memory:
        grid, found = position.game.map.grid, 0
        for enemy in others(position, side):
            for at, _ in on_map(position, enemy):
                reached = edge = 1 << at
                for _ in range(distance - 1):
                    edge = _around(grid.adjacent, edge) & ~reached
                    reached |= edge
                found |= reached
        position.memory[key] = found
    mask: int = position.memory[key]
    return mask


def _around(adjacent: tuple[tuple[int, ...], ...], hexes: int) -> int:
    found = 0
    for at in indices(hexes):
        for to in adjacent[at]:
            if to != NOWHERE:
                found |= 1 << to
    return found
