"""Reinforcements, and units that leave the map."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from referee.engine.actions import Action
from referee.engine.moves import NOTHING
from referee.engine.paths import begins_where_it_stands
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.wording import listed, name_of
from referee.games.tunisia1943.companions import removed_from
from referee.games.tunisia1943.facts import (
    AXIS,
    LOST,
    exit_box,
    held,
    held_by_ems,
    is_em,
    is_on_map,
    is_out_of_supply,
    is_unit,
    other,
    put_back,
    taken_off_from,
    the_field,
)
from referee.games.tunisia1943.losses import spared_in, with_spared
from referee.games.tunisia1943.move import STILL, Move
from referee.games.tunisia1943.notes import ENTRY, TRAIL
from referee.games.tunisia1943.sequence import now
from vassalgen.game.hexes import NOWHERE
from vassalgen.game.maps import Box
from vassalgen.game.provenance import RECONSTRUCTION, Provenance
from vassalgen.game.scenarios import Arrival
from vassalgen.game.values import fraction

rules = Section("Reinforcements and exits", Provenance("rulebook", "1st campaign"))

GOES = {
    "move": "moves",
    "exploit": "moves",
    "retreat": "retreats",
    "advance": "advances",
    "displace": "goes back",
}
"""The verbs for moving along a path, in the words of findings."""


def _arrival(position: Position, name: str) -> Arrival | None:
    return next((one for one in position.scenario.arrivals if name in one.counters), None)


@rules.on("arrive", clause="S.2")
def reinforcements_come_when_and_where_they_are_due(position: Position, action: Action) -> Iterator[Breach]:
    piece = position.pieces[action.piece]
    facts: Facts = {"unit": piece.id, "turn": position.turn, "hex": action.target}
    if is_on_map(position, piece):
        yield Breach(
            f"{name_of(position, piece.id)} arrives but is on the map already, in {piece.where}.", facts
        )
        return
    if spared_in(position, piece.id) == action.target:
        return
    if stood := taken_off_from(position, piece):
        if action.target != stood:
            says = (
                f"{name_of(position, piece.id)} is put back in {action.target};"
                f" it was taken off {stood}, though nothing had destroyed it."
            )
            yield Breach(says, facts, Grade.unproven)
        return
    if piece.where and piece.where in (LOST[piece.side], exit_box(position)):
        gone = "was destroyed" if piece.where == LOST[piece.side] else "has left the map"
        yield Breach(f"{name_of(position, piece.id)} {gone} and cannot come back.", facts)
        return
    if position.game.adopted("arrival-chart") == "data":
        yield from _against_the_chart(position, action, facts)
    at, enemy = position.game.map.grid.index[action.target], other(piece.side)
    if (held(position, enemy) | held_by_ems(position, enemy)) >> at & 1:
        yield Breach(
            f"{name_of(position, piece.id)} cannot arrive in {action.target}, which the enemy holds.", facts
        )
    yield from _in_time(position, piece, facts)


@rules.on("put away", clause="S.2 6.3e C1.13 G.6")
def counters_off_the_map_stay_in_their_box(position: Position, action: Action) -> Breach | None:
    """A counter taken out of the losses was perhaps put there by mistake; it may not come back."""
    piece, boxes = position.pieces[action.piece], position.game.map.boxes
    name, facts = name_of(position, piece.id), {"unit": piece.id, "box": piece.where}
    to = boxes.get(next(iter(action.words), ""))
    if to is not None and to.id == piece.where:
        return None
    if piece.where and piece.where == exit_box(position):
        says = f"{name} is taken out of “{boxes[piece.where].title}”; units that left the map do not return."
        return Breach(says, facts, Grade.unproven, "C1.13")
    if piece.where != LOST[piece.side]:
        return _put_where_it_is_not(position, piece, to) if to is not None else None
    if is_em(piece):
        says = f"{name} is taken out of “{boxes[piece.where].title}”; a destroyed EM returns to a hex."
        return Breach(says, facts, Grade.unproven, "6.3e")
    says = f"{name} is taken out of “{boxes[piece.where].title}”; it was destroyed and cannot come back."
    return Breach(says, facts, Grade.unproven, "S.2" if is_unit(position, piece) else "G.6")


def _put_where_it_is_not(position: Position, piece: Piece, box: Box) -> Breach | None:
    """A reinforcement is not in play, whatever box it is in: this is bookkeeping."""
    says = f"{name_of(position, piece.id)} is put into “{box.title}”"
    facts: Facts = {"unit": piece.id, "box": box.id}
    if box.side not in ("", piece.side):
        return Breach(f"{says}, a box of the other side.", facts, Grade.slip, "S.2")
    if box.losses:
        return Breach(f"{says}; nothing has destroyed it.", facts, Grade.slip, "S.2")
    if box.id == exit_box(position):
        return Breach(f"{says}; it has not left the map.", facts, Grade.slip, "C1.13")
    return None


@rules.on(*GOES, clause="4.1a S.2 6.3e")
def a_unit_goes_from_where_it_stands(position: Position, action: Action) -> Breach | None:
    """A piece that waits, is lost or has left the map does not move; a path with another beginning is a slip.

    A piece that need not have been lost may be put back.
    """
    piece, boxes = position.pieces[action.piece], position.game.map.boxes
    if piece.where not in boxes or _is_spared(position, piece):
        return begins_where_it_stands(position, action)
    goes, clause = f"{name_of(position, piece.id)} {GOES[action.verb]}", "S.2"
    if piece.where not in (LOST[piece.side], exit_box(position)):
        says = f"{goes}, but has not arrived: it waits in “{boxes[piece.where].title}”."
    elif is_unit(position, piece):
        gone = "was destroyed" if piece.where == LOST[piece.side] else "has left the map"
        says = f"{goes}, but {gone} and cannot come back."
    else:
        says, clause = f"{goes}, but was destroyed and has not returned.", "6.3e"
    return Breach(says, {"unit": piece.id}, clause=clause)


def _is_spared(position: Position, piece: Piece) -> bool:
    """Whether a piece was removed in a battle that may spare it, or although nothing had destroyed it."""
    stood = spared_in(position, piece.id), removed_from(position, piece.id), taken_off_from(position, piece)
    return any(stood)


def _against_the_chart(position: Position, action: Action, facts: Facts) -> Iterator[Breach]:
    piece, arrival = position.pieces[action.piece], _arrival(position, action.piece)
    if arrival is None:
        yield Breach(
            f"{name_of(position, piece.id)} arrives, but is not a reinforcement of this campaign.",
            facts,
            provenance=RECONSTRUCTION,
        )
        return
    late = position.turn > arrival.turn and position.game.adopted("arrival-delay") == "lapse"
    if position.turn < arrival.turn or late:
        yield Breach(
            f"{name_of(position, piece.id)} arrives on turn"
            f" {position.turn}; it is due on turn {arrival.turn}.",
            facts,
            provenance=RECONSTRUCTION,
        )
    if action.target not in arrival.entry:
        says = (
            f"{name_of(position, piece.id)} arrives in {action.target};"
            f" it may enter only at {listed(arrival.entry, 'or')}."
        )
        yield Breach(says, facts, provenance=RECONSTRUCTION)


def _in_time(position: Position, piece: Piece, facts: Facts) -> Iterator[Breach]:
    if position.side == piece.side and position.phase == "movement":
        return
    slip = position.side == piece.side and position.phase == "sustain"
    says = (
        f"{name_of(position, piece.id)} arrives in the {now(position)}"
        f" step; reinforcements arrive in the movement step of their side."
    )
    yield Breach(says, facts, Grade.slip if slip else Grade.unproven, provenance=RECONSTRUCTION)


@rules.does("arrive")
def arrive(position: Position, action: Action) -> Position:
    """Put the piece in its entry hex, and remember how much of its move that costs."""
    if spared_in(position, action.piece) == action.target:
        return with_spared(position, action.piece)
    if taken_off_from(position, position.pieces[action.piece]):
        return put_back(position, action)
    position = position.with_piece(action.piece, where=action.target)
    cost = int(_entry_cost(position, action.target) * the_field(position).scale)
    return position.with_note(ENTRY, action.piece, cost)


def _entry_cost(position: Position, where: str) -> Fraction:
    """The MP of an entry hex: its terrain, or the road that leads off the map there."""
    game = position.game
    if game.adopted("arrival-cost") == "nothing" or where not in game.map.grid:
        return Fraction(0)
    kinds = {road.kind for road in game.map.roads.values() if where in road.exits}
    costs = [game.terrain[game.map.hexes[where].terrain].effects.number("move", 1)]
    costs += [game.road_kinds[kind].effects.number("move") for kind in kinds]
    return min(map(fraction, costs))


@rules.on("exit", clause="C1.13")
def axis_units_leave_by_main_roads_of_the_west_edge(position: Position, action: Action) -> Iterator[Breach]:
    piece, victory = position.pieces[action.piece], position.scenario.victory
    facts: Facts = {"unit": piece.id, "hex": piece.where or "none"}
    if "exit_by" not in victory:
        yield Breach(
            f"{name_of(position, piece.id)} leaves the map; no unit may do so in this campaign.", facts
        )
        return
    if piece.side != AXIS or not is_unit(position, piece):
        yield Breach(
            f"{name_of(position, piece.id)} leaves the map to the west; only Axis combat units may.", facts
        )
    hexes = position.game.map.zones[victory.text("exit_by")].hexes
    if piece.where not in hexes:
        says = (
            f"Axis units may exit only from {listed(hexes, 'or')};"
            f" {name_of(position, piece.id)} left from {_place(position, piece)}."
        )
        if (grade := _grade_of_leaving(position, piece, hexes)) is not Grade.legal:
            yield Breach(says, facts, grade, provenance=RECONSTRUCTION)
            return
    if position.phase not in ("movement", "exploitation") and position.side == piece.side:
        yield Breach(
            f"{name_of(position, piece.id)} leaves the map in the"
            f" {now(position)} step; units exit in movement or exploitation.",
            {**facts, "phase": position.phase},
        )
    if position.game.adopted("what-exits") == "supplied" and is_out_of_supply(position, piece):
        yield Breach(f"{name_of(position, piece.id)} is out of supply and cannot leave the map.", facts)
    price, left = _road_step(position), _left(position, piece)
    if left < price and piece.where in hexes:
        says = (
            f"{name_of(position, piece.id)} needs {number(price)} MP"
            f" to leave the map by road; it has {number(left)} left."
        )
        yield Breach(says, {**facts, "cost": number(price)}, provenance=RECONSTRUCTION)


def _grade_of_leaving(position: Position, piece: Piece, hexes: tuple[str, ...]) -> Grade:
    """What is proved if a unit is taken off another hex: it may have been dragged off along the road.

    Armour may have broken through on its way without an announcement. A unit at the map's edge left there.
    """
    grid = position.game.map.grid
    if piece.where not in grid or NOWHERE in grid.adjacent[grid.index[piece.where]]:
        return Grade.illegal
    verb = "exploit" if position.phase == "exploitation" else "move"
    moves = [
        Move.of(position, Action(verb, (piece.id,), (piece.where, there), dragged=True)) for there in hexes
    ]
    most = moves[0].allowance() - _road_step(position)
    for grade, waived in ((Grade.legal, NOTHING), (Grade.unproven, STILL)):
        for move in moves:
            cost, stopped = move.cost(waived), move.stops_after() and not waived
            in_time = cost is not None and Fraction(cost, move.scale) <= most
            if in_time and not stopped and all(move.is_unproven(clause) for clause in waived):
                return grade
    return Grade.illegal


def _place(position: Position, piece: Piece) -> str:
    box = position.game.map.boxes.get(piece.where)
    return f"“{box.title}”" if box else piece.where or "off the map"


def _road_step(position: Position) -> Fraction:
    return min(fraction(kind.effects.number("move")) for kind in position.game.road_kinds.values())


def _left(position: Position, piece: Piece) -> Fraction:
    """The MP that a piece has left in this step; a unit that entered a zone of control has none [3b]."""
    trail = position.note(TRAIL, piece.id)
    verb = "exploit" if position.phase == "exploitation" else "move"
    allowed = Move.everywhere(position, piece, verb).allowance()
    if trail is None:
        return allowed
    return Fraction(0) if trail.stopped else allowed - Fraction(trail.spent, the_field(position).scale)


@rules.does("exit")
def leave(position: Position, action: Action) -> Position:
    """Put the unit into the box of those that left."""
    return position.with_piece(action.piece, where=exit_box(position))


@rules.proposes
def entries(position: Position, piece: Piece) -> Iterator[Action]:
    """Where a piece that waits may come in."""
    arrival = _arrival(position, piece.id)
    if arrival is None or is_on_map(position, piece) or piece.where != arrival.waiting:
        return
    if position.phase == "movement" and position.side == piece.side and position.turn >= arrival.turn:
        yield from (Action("arrive", (piece.id,), target=where) for where in arrival.entry)


@rules.proposes
def exits(position: Position, piece: Piece) -> Iterator[Action]:
    """Units that may leave the map."""
    if "exit_by" not in position.scenario.victory or not is_on_map(position, piece):
        return
    hexes = position.game.map.zones[position.scenario.victory.text("exit_by")].hexes
    moving = position.phase in ("movement", "exploitation") and piece.side == position.side
    if moving and piece.where in hexes:
        yield Action("exit", (piece.id,))
