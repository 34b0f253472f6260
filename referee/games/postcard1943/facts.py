"""Plain facts of a position: where units are, undisrupted, threatening, in supply."""

from __future__ import annotations

from fractions import Fraction

from referee.engine.position import Piece, Position, of_force, prepared_as
from referee.engine.supply import Supply
from referee.engine.zones import bits, indices
from referee.games.postcard1943.field import Field
from referee.games.postcard1943.notes import DISRUPTION_DUE, ENTERED, FREED_IN_ERROR
from vassalgen.game.values import fraction

the_field = prepared_as(Field)
"""The prepared map of a position, with the values of the counters."""


def other(position: Position, side: str) -> str:
    """Return the enemy of a side."""
    return next(name for name in position.game.sides if name != side)


def is_unit(position: Position, piece: Piece) -> bool:
    """Return whether a piece is a ground unit and no air unit."""
    return piece.id in the_field(position).units


def units_at(position: Position, where: str, side: str = "") -> tuple[Piece, ...]:
    """Return the ground units in a hex, of one side if one is named."""
    units = the_field(position).units
    return tuple(
        piece for piece in position.at(where) if piece.id in units and (not side or piece.side == side)
    )


def on_map(position: Position, side: str) -> tuple[tuple[int, Piece], ...]:
    """Return a side's ground units on the map with the indices of their hexes."""
    return position.on_map(side, the_field(position).units)


def put(position: Position, unit: str, where: str) -> Position:
    """Put a unit in a hex.

    A unit that leaves its swamp is no longer stuck in it. The side that entered a town last is noted; if none
    has been seen to, it is the side of the unit that leaves it.
    """
    piece = position.pieces[unit]
    if piece.where != where and piece.is_("stuck"):
        position = position.with_state(unit, "stuck", None)
    decisive = towns(position).values()
    if piece.where in decisive and (ENTERED, piece.where) not in position.notes:
        position = position.with_note(ENTERED, piece.where, piece.side)
    if where in decisive:
        position = position.with_note(ENTERED, where, piece.side)
    return position.with_piece(unit, where=where)


def towns(position: Position) -> dict[str, str]:
    """Return the towns that decide the game, with their hexes."""
    places = position.game.map.places
    return {name: places[name].hex for name in position.scenario.victory.words("hexes")}


@of_force()
def held(position: Position, side: str) -> int:
    """Return the hexes with ground units of a side, as bits."""
    return bits(at for at, _ in on_map(position, side))


def is_sound(piece: Piece) -> bool:
    """Return whether a unit is not Disrupted."""
    return not piece.is_("disrupted")


def is_disrupted(position: Position, piece: Piece) -> bool:
    """Return whether a unit is Disrupted, even if its marker is late, forgotten, or was removed too early."""
    unmarked = piece.id in position.noted(DISRUPTION_DUE) or piece.id in position.noted(FREED_IN_ERROR)
    return unmarked or not is_sound(piece)


def reach_of(position: Position, piece: Piece) -> int:
    """Return the adjacent hexes that a unit could move or attack into, as bits [move.12, combat.6].

    None for a unit stuck in a swamp, Disrupted or not.
    """
    index = position.game.map.grid.index
    if piece.is_("stuck") or piece.where not in index:
        return 0
    field = the_field(position)
    kind = field.kind(piece.id)
    if field.is_(piece.id, "infantry-in-defence") and position.game.adopted("nz-threat") == "infantry":
        kind = "infantry"
    return field.zone(kind)[index[piece.where]]


def threatened(position: Position, side: str) -> int:
    """Return the hexes threatened by the enemies of a side, as bits [move.12]."""
    return _threatened_by(position, other(position, side))


@of_force(DISRUPTION_DUE, FREED_IN_ERROR)
def _threatened_by(position: Position, side: str) -> int:
    mask = 0
    for _, piece in on_map(position, side):
        if not is_disrupted(position, piece):
            mask |= reach_of(position, piece)
    if position.game.adopted("threat-and-stacking") == "not":
        names = position.game.map.grid.names
        for at in indices(mask):
            if weight(position, names[at], side) >= limit(position):
                mask &= ~(1 << at)
    return mask


def threats(position: Position, side: str, where: str) -> tuple[str, ...]:
    """Return the enemies of a side that threaten a hex."""
    at = position.game.map.grid.index[where]
    return tuple(
        piece.id
        for _, piece in on_map(position, other(position, side))
        if not is_disrupted(position, piece) and reach_of(position, piece) >> at & 1
    )


def supply_of(position: Position, unit: str) -> Supply | None:
    """Return the state of supply of a ground unit on the map, None for any other piece."""
    piece = position.pieces[unit]
    on_map = piece.where in position.game.map.grid
    return supply(position, unit) if on_map and is_unit(position, piece) else None


def supply(position: Position, unit: str) -> Supply:
    """Return the state of supply of a unit where it is now [supply.1 to 4]."""
    piece = position.pieces[unit]
    return supply_at(position, unit, piece.where)


def supply_at(position: Position, unit: str, where: str) -> Supply:
    """Return the state of supply that a unit would have in a hex."""
    game = position.game
    if where not in game.map.grid:
        return Supply.far
    piece = position.pieces[unit]
    enemies = blockers(position, piece.side)
    sources = sources_of(position, unit)
    if game.adopted("enemy-at-source") == "serves":
        # supply starts beside the enemy in the source; only the roads on from it must be free
        enemies &= ~sources
    state = _state(position, game.map.grid.index[where], sources, enemies, _stretch(position, piece))
    if state is Supply.far and game.adopted("too-far") == "supplied":
        return Supply.supplied
    return state


def unsupplied(position: Position, unit: str) -> int:
    """Return the hexes, as bits, in which a unit would not be in supply."""
    key = ("unsupplied", unit)
    if key not in position.memory:
        names = position.game.map.grid.names
        position.memory[key] = bits(
            at for at, name in enumerate(names) if supply_at(position, unit, name) is not Supply.supplied
        )
    found: int = position.memory[key]
    return found


def _stretch(position: Position, piece: Piece) -> int | None:
    """The MF that the path beside the road may cost a unit, in parts; None if it is not limited."""
    if position.game.adopted("off-road-supply") == "all-but-mountains":
        return None
    return int(fraction(piece.counter.factor("mf")) * the_field(position).scale)


def _state(position: Position, at: int, sources: int, blocked: int, budget: int | None) -> Supply:
    """Supply depends on few things and is needed often: all answers are kept with the prepared map."""
    kept = the_field(position).supplies
    key = sources, blocked, budget
    if key not in kept:
        net = the_field(position).net()
        kept[key] = net.reached(sources, blocked, budget), net.reached(sources, 0, budget)
    reached, near = kept[key]
    return Supply.supplied if reached >> at & 1 else Supply.cut if near >> at & 1 else Supply.far


def blockers(position: Position, side: str) -> int:
    """Return the hexes in which enemies cut the supply of a side [supply.4]."""
    enemy = other(position, side)
    if position.game.adopted("blocking") == "cut":
        return held(position, enemy)
    return _sound(position, enemy)


@of_force()
def _sound(position: Position, side: str) -> int:
    """The hexes with units of a side that are not Disrupted, as bits."""
    return bits(at for at, piece in on_map(position, side) if is_sound(piece))


def sources_of(position: Position, unit: str) -> int:
    """Return the hexes from which a unit draws supply [supply.1, supply.2]."""
    field, counter = the_field(position), position.pieces[unit].counter
    reading = position.game.adopted("alamein-sources")
    own = field.source(counter.formation)
    if own and reading == "h6-only":
        return own
    if reading == "all":
        formations = (name for name, found in position.game.formations.items() if found.side == counter.side)
        own = field.source(*formations)
    return own | field.source(counter.side)


def halved(position: Position, amount: Fraction) -> Fraction:
    """Halve a number of factors or MFs of a unit out of supply [supply.5]."""
    half = amount * fraction(position.game.values["supply"].values.number("halved"))
    reading = position.game.adopted("halving")
    if reading == "down":
        return Fraction(half.__floor__())
    return Fraction(half.__ceil__()) if reading == "up" else half


def limit(position: Position) -> int:
    """Return the stacking limit [stack.1]."""
    return min(limit.limit for limit in position.game.stacking)


def weight(position: Position, where: str, side: str) -> int:
    """Return how much the ground units of a side in a hex count for stacking [stack.1 to 3]."""
    return sum(piece.counter.stack for piece in units_at(position, where, side))
