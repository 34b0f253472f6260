"""Reinforcements, and leaving the map."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.wording import is_or_are, listed, name_of, names_of
from referee.games.vitoria1813.battle import is_driven
from referee.games.vitoria1813.facts import (
    FRENCH,
    bodies_at,
    combat_at,
    due,
    in_ezoc,
    is_combat,
    is_general,
    is_on_map,
    is_waiting,
    occupied,
    other,
    phase_of,
    the_field,
)
from referee.games.vitoria1813.movement import GONE, pays_for_leaving
from referee.games.vitoria1813.notes import LEFT, LEFT_ZONE, MOVED, MOVES, TRAIL, Trail
from referee.games.vitoria1813.stacking import may_stay
from vassalgen.game.provenance import Provenance

NEAR = 3
"""The distance from the entry hex within which arrivals are listed."""

rules = Section("Reinforcements", Provenance("rulebook", "12.1"))


@rules.on("enter", clause="2f")
def no_unit_arrives_before_its_turn(position: Position, action: Action) -> Breach | None:
    """A unit that is late may come later."""
    arrival = due(position, action.piece)
    facts: Facts = {"unit": action.piece, "turn": position.turn}
    if arrival is None and position.pieces[action.piece].where in GONE:
        return None  # reported as a unit that does not come back
    if arrival is None:
        says = f"{name_of(position, action.piece)} enters the map; only reinforcements do."
        return Breach(says, facts)
    if position.phase != "movement":
        says = (
            f"{name_of(position, action.piece)} enters the map in the {phase_of(position)}; "
            "reinforcements enter in the movement phase."
        )
        return Breach(says, facts)
    if position.turn >= arrival.turn:
        return None
    says = (
        f"{name_of(position, action.piece)} enters in turn {position.turn}; it is due in turn {arrival.turn}."
    )
    return Breach(says, {**facts, "due": arrival.turn}, provenance=arrival.provenance)


@rules.on("enter", clause="12.1a")
def a_unit_on_the_map_does_not_arrive(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if not is_on_map(position, piece):
        return None
    says = f"{name_of(position, piece.id)} enters the map, but is already in {piece.where}."
    return Breach(says, {"unit": piece.id, "hex": piece.where})


@rules.on("enter", clause="12.1b")
def no_unit_arrives_among_enemies(position: Position, action: Action) -> Breach | None:
    enemies = bodies_at(position, action.target, other(position.pieces[action.piece].side))
    if not enemies:
        return None
    names = tuple(piece.id for piece in enemies)
    says = (
        f"{name_of(position, action.piece)} enters in {action.target}, which {names_of(position, names)} "
        "occupies; it must enter in a free hex."
    )
    return Breach(says, {"unit": action.piece, "hex": action.target, "enemies": names})


@rules.on("enter", clause="12.1a")
def an_arriving_unit_pays_for_the_hex(position: Position, action: Action) -> Breach | None:
    """By road if it is alone there [5.2d]; a unit without enough points cannot enter."""
    piece, prepared = position.pieces[action.piece], the_field(position)
    cost = _price(position, piece, action.target)
    if cost <= piece.factor("mp") * prepared.scale:
        return None
    needed, points = number(Fraction(cost, prepared.scale)), number(piece.factor("mp"))
    says = f"{name_of(position, piece.id)} needs {needed} MP to enter in {action.target}; it has {points}."
    return Breach(says, {"unit": piece.id, "hex": action.target, "cost": Fraction(cost, prepared.scale)})


def _price(position: Position, piece: Piece, where: str) -> int:
    alone = is_general(piece) or not bodies_at(position, where, piece.side)
    return the_field(position).entry(piece.counter.kind, where, by_road=alone)


@rules.on("enter", clause="12.1a 12.1b")
def it_comes_where_it_is_due(position: Position, action: Action) -> Breach | None:
    """If the hex is occupied, in the nearest free one outside zones of control."""
    arrival, grid = due(position, action.piece), position.game.map.grid
    side = position.pieces[action.piece].side
    if arrival is None or action.target in arrival.entry or bodies_at(position, action.target, other(side)):
        return None
    facts: Facts = {"unit": action.piece, "hex": action.target, "due": arrival.entry}
    open_ = [where for where in arrival.entry if not _is_taken(position, where, side)]
    if open_:
        says = (
            f"{name_of(position, action.piece)} enters in {action.target}; it is due in "
            f"{listed(arrival.entry, 'or')}."
        )
        return Breach(says, facts, clause="12.1a", provenance=arrival.provenance)
    gap = min(grid.distance(action.target, where) for where in arrival.entry)
    closer = (
        name
        for name in _free_edge(position, side)
        if min(grid.distance(name, where) for where in arrival.entry) < gap
    )
    nearer = tuple(islice(closer, 3))
    if nearer or not grid.edges(action.target) or in_ezoc(position, action.target, side):
        better = nearer[0] if nearer else "another edge hex"
        says = (
            f"{name_of(position, action.piece)} enters in {action.target}; it must enter in the nearest free "
            f"hex, and {better} was closer to its entry hex and free."
        )
        return Breach(says, {**facts, "nearer": nearer}, clause="12.1b")
    return None


def _free_edge(position: Position, side: str) -> tuple[str, ...]:
    """The hexes at the edge of the map that are free and in no zone of control of a side's enemies."""
    key = ("free edge", side)
    if key not in position.memory:
        position.memory[key] = tuple(
            name
            for name in position.game.map.grid.rim
            if not combat_at(position, name) and not in_ezoc(position, name, side)
        )
    found: tuple[str, ...] = position.memory[key]
    return found


def _is_taken(position: Position, where: str, side: str) -> bool:
    index = position.game.map.grid.index
    return bool(occupied(position, other(side)) >> index[where] & 1 or combat_at(position, where, side))


@rules.on("enter", clause="12.1b")
def it_does_not_join_a_friend_where_it_is_due(position: Position, action: Action) -> Breach | None:
    """In an interpretation that is not adopted: the hex must be free, as long as another is."""
    arrival, side = due(position, action.piece), position.pieces[action.piece].side
    if position.game.adopted("free-arrival") != "any-unit" or arrival is None:
        return None
    there = combat_at(position, action.target, side)
    free = [where for where in arrival.entry if not _is_taken(position, where, side)]
    free += _free_edge(position, side)
    if action.target not in arrival.entry or not there or not free:
        return None
    says = (
        f"{name_of(position, action.piece)} enters in {action.target},"
        f" where {names_of(position, (piece.id for piece in there))} {is_or_are(there)};"
        f" it must enter in a free hex, such as {free[0]}."
    )
    return Breach(says, {"unit": action.piece, "hex": action.target, "free": tuple(free[:3])})


@rules.does("enter")
def enter(position: Position, action: Action) -> Position:
    """Put the counter on the edge of the map; it pays for the hex."""
    piece, prepared = position.pieces[action.piece], the_field(position)
    after = position.with_piece(action.piece, where=action.target)
    spent = min(_price(position, piece, action.target), piece.factor("mp") * prepared.scale)
    stopped = in_ezoc(position, action.target, piece.side)
    order = position.note(MOVES) or 0
    trail = Trail(action.target, spent, stopped=stopped, order=order, entered=True)
    after = after.with_note(TRAIL, piece.id, trail)
    return after.with_note(MOVED, action.piece, position.turn)


@rules.on("put back", clause="7.4f 4.1g 2f")
def a_counter_off_the_map_stays_in_its_box(position: Position, action: Action) -> Breach | None:
    """A counter taken out of the losses was perhaps put there by mistake; it may not come back."""
    piece = position.pieces[action.piece]
    box, arrival = position.game.map.boxes.get(piece.where), due(position, action.piece)
    if box is None:
        return None
    name, facts = name_of(position, piece.id), {"unit": piece.id, "box": box.id}
    if box.losses:
        says = f"{name} is taken out of “{box.title}”; a destroyed unit never returns."
        return Breach(says, facts, Grade.unproven, "7.4f")
    if arrival is None or piece.where != arrival.waiting:
        says = f"{name} is taken out of “{box.title}”; a unit that left the map may not come back."
        return Breach(says, facts, Grade.unproven, "4.1g")
    says = f"{name} is put into another box; it waits in “{box.title}” to arrive."
    return Breach(says, facts, Grade.slip, "2f")


@rules.on("put back", clause="2f")
def a_unit_on_the_map_stays(position: Position, action: Action) -> Breach | None:
    """A unit that entered in this phase may be taken back; one put aside for a moment is unproven."""
    piece = position.pieces[action.piece]
    trail = position.note(TRAIL, piece.id)
    if not is_on_map(position, piece) or (trail is not None and (trail.entered or trail.arrived is not None)):
        return None
    says = (
        f"{name_of(position, piece.id)} is taken from {piece.where} and put into a box of arrivals; it is "
        "no longer due."
    )
    return Breach(says, {"unit": piece.id, "hex": piece.where}, Grade.unproven)


@rules.does("put back")
def put_back(position: Position, action: Action) -> Position:
    """It waits for its arrival again; a counter off the map stays where it is."""
    if position.pieces[action.piece].where in position.game.map.boxes:
        return position
    arrival = due(position, action.piece) or position.scenario.arrivals[0]
    return position.with_piece(action.piece, where=arrival.waiting).without_note(TRAIL, action.piece)


@rules.on("exit", clause="4.1g")
def the_map_is_left_over_its_edge(position: Position, action: Action) -> Breach | None:
    where = position.pieces[action.piece].where
    if where in position.game.map.grid and position.game.map.grid.edges(where):
        return None
    box = position.game.map.boxes.get(where)
    if is_waiting(position, position.pieces[action.piece]):
        says = (
            f"{name_of(position, action.piece)} is put among the units that have left the map;"
            " it has not yet arrived."
        )
        return Breach(says, {"unit": action.piece}, Grade.unproven)
    if where in GONE:
        return None  # reported as a unit that does not come back
    place = f"“{box.title}”" if box else where or "no hex"
    says = (
        f"{name_of(position, action.piece)} leaves the map from {place}, which is not on the map edge;"
        " counters may leave only from a hex on the map edge."
    )
    return Breach(says, {"unit": action.piece})


@rules.on("exit", clause="3.2a")
def who_has_come_into_a_zone_does_not_leave_the_map(position: Position, action: Action) -> Breach | None:
    """The zone ends its move, also at the edge; a unit that is driven off goes where it must."""
    piece, trail = position.pieces[action.piece], position.note(TRAIL, action.piece)
    if trail is None or not trail.stopped or is_driven(position, piece):
        return None
    says = (
        f"{name_of(position, piece.id)} leaves the map after entering an enemy zone of control in "
        f"{piece.where}, where it must stop."
    )
    return Breach(says, {"unit": piece.id, "hex": piece.where})


@rules.does("exit")
def leave(position: Position, action: Action) -> Position:
    """Take it off for good; by 3206 the French score for it. A counter that waits goes on waiting.

    Leaving from an enemy zone of control costs what leaving one costs any unit [4.3b].
    """
    piece = position.pieces[action.piece]
    if is_waiting(position, piece):
        return position
    by_road = piece.where in position.game.map.zones["exit-bayonne"].hexes and piece.side == FRENCH
    begins = position.phase == "movement" and (TRAIL, piece.id) not in position.notes
    at_the_edge = piece.where in position.game.map.grid and position.game.map.grid.edges(piece.where)
    pays = begins and at_the_edge and pays_for_leaving(position, piece)
    if pays and in_ezoc(position, piece.where, piece.side):
        position = position.with_note(LEFT_ZONE, piece.id, piece.where)
    position = position.with_note(LEFT, piece.id, position.turn)
    if piece.is_("routed") or (is_combat(piece) and is_driven(position, piece)):  # lost [7.5f, 12.2c]
        box = f"{piece.side}-routed"
    else:
        box = "left-by-3206" if by_road else f"{piece.side}-left"
    return position.with_piece(piece.id, where=box)


@rules.proposes
def arrivals(position: Position, piece: Piece) -> Iterator[Action]:
    """The units that are due, where they are due or at the next free hex of the edge."""
    arrival, grid = due(position, piece.id), position.game.map.grid
    if arrival is None or position.phase != "movement" or piece.side != position.side:
        return
    if piece.where != arrival.waiting or position.turn < arrival.turn:
        return
    near = {name for where in arrival.entry for name in grid.rim if grid.distance(where, name) <= NEAR}
    for where in (*arrival.entry, *sorted(near - {*arrival.entry})):
        if (
            may_stay(position, piece, where)
            and not occupied(position, other(piece.side)) >> grid.index[where] & 1
        ):
            yield Action("enter", (piece.id,), target=where)


@rules.proposes
def evacuations(position: Position, piece: Piece) -> Iterator[Action]:
    """The French leave by the road to Bayonne."""
    exits = position.game.map.zones["exit-bayonne"].hexes
    free = piece.side == position.side == FRENCH and position.phase == "movement"
    if free and piece.where in exits and piece.counter.kind != "park" and not piece.is_("routed"):
        yield Action("exit", (piece.id,))
