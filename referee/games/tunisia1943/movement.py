"""Terrain, zones of control and movement: each clause that a move can break.

Whether a trip can be made, and which clause it breaks if it cannot, is found in ``trip``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.paths import begins_where_it_stands
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Grade
from referee.engine.wording import name_of
from referee.games.tunisia1943.exploitation import may_exploit
from referee.games.tunisia1943.facts import (
    EXPLOITATION,
    division_of,
    is_em,
    is_on_map,
    is_unit,
    the_field,
)
from referee.games.tunisia1943.notes import ACTED, BREAKTHROUGH, EXPLOITS, SPENT, TRAIL, VACATED, Trail
from referee.games.tunisia1943.trials import breakthrough
from referee.games.tunisia1943.trip import EXPLOIT, MOVE, Trip, came_along

rules = Section("Zones of control and movement")
BOTH = (MOVE, EXPLOIT)
ENOUGH = 4
"""Pieces moved since that are remembered: more than can take part in one breakthrough."""


@rules.on(*BOTH, clause="2.1a")
def hexsides_cost_what_the_chart_says(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("2.1a")


@rules.on(*BOTH, clause="2.1b")
def wadis_in_flood_cost_more(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("2.1b")


@rules.on(*BOTH, clause="2.1c")
def the_road_is_followed_hex_by_hex(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("2.1c")


@rules.on(*BOTH, clause="2.1d")
def only_a_road_cancels_the_cost_of_water(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("2.1d")


@rules.on(MOVE, clause="3b")
def a_unit_stops_on_entering_a_zone_of_control(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("3b")


@rules.on(MOVE, clause="3c")
def no_step_from_zone_to_zone(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("3c")


@rules.on(MOVE, clause="4.1a")
def a_unit_has_its_movement_points(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("4.1a")


rules.on(*BOTH, "retreat", "advance", "displace", clause="4.1a")(begins_where_it_stands)


@rules.on(MOVE, clause="4.1b")
def one_unit_is_finished_before_the_next(position: Position, action: Action) -> Breach | None:
    """Of a stack dragged together one may go on: its members are read one after the other."""
    trip = Trip.of(position, action)
    if trip.trail is None or trip.is_taken_back():
        return None
    if all(came_along(position, name, action.piece) for name in trip.trail.since):
        return None
    says = f"{name_of(position, action.piece)} moves on after another unit has moved."
    return Breach(says, {"unit": action.piece, "began in": trip.trail.start}, _grade_of_resuming(trip))


def _grade_of_resuming(trip: Trip) -> Grade:
    """What may be a correction is only doubtful: a drag after a drag, or the path back to where it began."""
    names = trip.position.game.map.grid.names
    back = trip.trail is not None and names[trip.path[-1]] == trip.trail.start
    dragged = trip.dragged and trip.trail is not None and trip.trail.dragged
    return Grade.unproven if back or dragged else Grade.illegal


@rules.on(*BOTH, clause="4.1c")
def the_hex_entered_is_paid_for(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("4.1c")


@rules.on(EXPLOIT, clause="4.1d")
def unspent_points_are_lost(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("4.1d")


@rules.on(*BOTH, clause="4.1f")
def nobody_enters_what_the_enemy_holds(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("4.1f")


@rules.on(*BOTH, clause="4.1g")
def nobody_enters_impassable_terrain(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("4.1g")


@rules.on(*BOTH, clause="9.2e")
def units_out_of_supply_have_one_point(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("9.2e")


@rules.on(*BOTH, clause="9.2i")
def ems_out_of_supply_have_two_points(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("9.2i")


@rules.on(*BOTH, clause="6.3h")
def units_without_their_em_have_one_point(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("6.3h")


@rules.on(*BOTH, clause="C2.4")
def want_of_fuel_leaves_three_points(position: Position, action: Action) -> Breach | None:
    return Trip.of(position, action).breach("C2.4")


@rules.does(MOVE, EXPLOIT)
def move(position: Position, action: Action) -> Position:
    """Put the piece at the end of its path and remember what it paid; one dragged back has not moved."""
    trip, piece, end = Trip.of(position, action), action.piece, action.end
    after = position.with_piece(piece, where=end)
    if trip.is_taken_back():
        return after.without_note(TRAIL, piece)
    cost = trip.cost()
    if cost is None:  # what was done is adopted, and all MP with it
        cost = int(trip.allowance() * the_field(position).scale)
    after = _close_others(after, piece)
    dragged = action.dragged or (trip.trail is not None and trip.trail.dragged)
    trail = Trail(trip.start, cost, dragged, stopped=trip.stops_after())
    after = after.with_note(TRAIL, piece, trail)
    if action.verb == MOVE:
        after = after.with_note(SPENT, piece, cost)
    elif division := division_of(position, piece):
        after = after.with_note(EXPLOITS, division, True)
    for where, entered in position.noted(VACATED).items():
        if not entered and _overruns(position, action, where):
            after = after.with_note(VACATED, where, True)
    return after.with_note(ACTED, position.pieces[piece].side, True)


def with_spent(position: Position, name: str, points: Fraction) -> Position:
    """Note that a piece has moved and spent MP in this step already."""
    cost = int(points * the_field(position).scale)
    after = position.with_note(TRAIL, name, Trail(position.pieces[name].where, cost))
    return after.with_note(SPENT, name, cost) if position.phase == "movement" else after


def _overruns(position: Position, action: Action, where: str) -> bool:
    """Whether a combat unit went into the hex that an EM has left for it, or if dragged may have [4.2a]."""
    if not is_unit(position, position.pieces[action.piece]):
        return False
    if not action.dragged or where in action.path[1:]:
        return where in action.path[1:]
    through = evolve(action, pieces=(action.piece,), path=(action.path[0], where, action.end))
    return Trip.of(position, through).cost() is not None


def _close_others(position: Position, piece: str) -> Position:
    """The moves of all others are over, but of those that break through together [4.1b, 4.3b]."""
    attempt = breakthrough(position)
    together = attempt.pieces if attempt and piece in attempt.pieces else (piece,)
    notes = dict(position.notes)
    for name, trail in position.noted(TRAIL).items():
        if name not in together and piece not in trail.since[:ENOUGH]:
            notes[TRAIL, name] = evolve(trail, since=(*trail.since[:ENOUGH], piece))
    position = evolve(position, notes=notes)
    if attempt and piece not in attempt.pieces:
        position = position.without_note(BREAKTHROUGH)
    return position


def price(position: Position, action: Action) -> tuple[Fraction | None, tuple[str, ...]]:
    """Return what a move costs in MP, earlier ones of the step included, and its cheapest path."""
    trip, names = Trip.of(position, action), position.game.map.grid.names
    cost = trip.cost()
    if cost is None:
        return None, ()
    path = trip.reach().path(trip.path[-1]) if action.dragged and len(trip.path) == 2 else trip.path
    if path[0] != trip.path[0]:  # a move of one hex beyond the allowance
        path = trip.path
    return Fraction(cost, the_field(position).scale), tuple(names[at] for at in path)


@rules.proposes
def moves(position: Position, piece: Piece) -> Iterator[Action]:
    """Every hex within reach, by the cheapest path, and the neighbours."""
    verb = {"movement": MOVE, EXPLOITATION: EXPLOIT}.get(position.phase)
    if verb is None or piece.side != position.side or not is_on_map(position, piece):
        return
    if not is_unit(position, piece) and not is_em(piece):
        return
    if verb == EXPLOIT and not may_exploit(position, piece):
        return
    trip, grid = Trip.everywhere(position, piece, verb), position.game.map.grid
    if trip.trail is not None and trip.trail.since and verb == MOVE:
        return
    paths: dict[str, tuple[str, ...]] = {}
    if trip.trail is None or not trip.trail.stopped or verb == EXPLOIT:
        found, paths = trip.reach(), {piece.where: (piece.where,)}
        for end in found.costs:  # each after the hex before it
            if end in found.before:
                there = grid.names[end]
                paths[there] = (*paths[grid.names[found.before[end]]], there)
    for neighbour in grid.neighbours(piece.where):
        paths.setdefault(neighbour, (piece.where, neighbour))
    for where, path in sorted(paths.items()):
        if where != piece.where:
            yield Action(verb, (piece.id,), path)
