"""Breaches at the end of player turns: returning aircraft, replacements, supply."""

from __future__ import annotations

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Position
from referee.games.patton1943.notes import BATTLEGROUP_OF
from tools.oracles.games.patton1943.board import Board
from tools.proof.breaking import Breaker, Broken, Moment
from tools.proof.games.patton1943.facts import UNITS, enemy, on_map

breaker = Breaker()


@breaker.breaks("7.6a", "return")
def aircraft_return_to_no_airfield(moment: Moment) -> Broken:
    board, piece = Board.of(moment.position), moment.position.pieces[moment.action.piece]
    fields = {at for side in ("axis", "allied") for at in board.map.zones[f"{side}-airfields"].hexes}
    for where in board.around(moment.action.target):
        if where not in fields and board.is_ground(where) and not board.is_enemy_there(where, piece.side):
            yield (Action("return", (piece.id,), target=where),)


@breaker.breaks("7.6b", "return")
def two_aircraft_return_to_a_field(moment: Moment) -> Broken:
    board, piece = Board.of(moment.position), moment.position.pieces[moment.action.piece]
    for where in board.airfields(piece.side):
        if board.at(where, piece.side, "air"):
            yield (Action("return", (piece.id,), target=where),)


@breaker.breaks("7.6d", "return")
def the_passive_side_returns_first(moment: Moment) -> Broken:
    position, board = moment.position, Board.of(moment.position)
    if position.pieces[moment.action.piece].side != position.side:
        return
    other = enemy(position.side)
    for piece in position.at(f"{other}-returning"):
        for where in board.airfields(other):
            if not board.at(where, other, "air"):
                yield (Action("return", (piece.id,), target=where),)


@breaker.breaks("7.6c", "eliminate")
def aircraft_without_a_field_stay_in_the_box(moment: Moment) -> Broken:
    if moment.position.phase == "return":
        yield (Action("next"),)


def _reduced(moment: Moment, side: str, *, near: bool) -> Broken:
    position = moment.position
    if position.phase != "replacement":
        return
    for piece in on_map(position, side, *UNITS):
        if (
            piece.counter.steps == 2
            and piece.steps == 1
            and Board.of(position).is_controlled(side, piece.where) is near
        ):
            yield (Action("rebuild", (piece.id,)),)


@breaker.breaks("7.7a", "rebuild", "reclaim", "next")
def the_enemy_is_rebuilt(moment: Moment) -> Broken:
    """After the phase has begun: before, the change might come from an undeclared battle."""
    is_first = moment.game[0].before.clock == moment.position.clock
    if moment.position.side and (is_first or moment.did()):
        yield from _reduced(moment, enemy(moment.position.side), near=False)


@breaker.breaks("7.7e", "rebuild", "reclaim", "next")
def rebuilt_in_a_zone_of_control(moment: Moment) -> Broken:
    position = moment.position
    for (action,) in _reduced(moment, position.side, near=True) if position.side else ():
        piece = position.pieces[action.piece]
        if len(Board.of(position).at(piece.where, piece.side)) == 1 and not moment.did():
            yield (action,)


@breaker.breaks("9f", "rebuild", "reclaim", "next")
def rebuilt_in_a_zone_of_control_beside_friends(moment: Moment) -> Broken:
    position = moment.position
    for (action,) in _reduced(moment, position.side, near=True) if position.side else ():
        piece = position.pieces[action.piece]
        if len(Board.of(position).at(piece.where, piece.side)) > 1 and not moment.did():
            yield (action,)


def _too_many(moment: Moment, side: str, limit: int) -> Broken:
    """One piece more than the side may rebuild."""
    position = moment.position
    if position.side != side or position.phase != "replacement" or moment.did():
        return
    found = [action for (action,) in _reduced(moment, side, near=False)]
    if len(found) > limit:
        yield tuple(found[: limit + 1])


breaker.alike(
    _too_many,
    ("rebuild", "reclaim", "next"),
    the_axis_rebuilds_two=("7.7b", "axis", 1),
    the_allies_rebuild_three=("7.7c", "allied", 2),
)


@breaker.breaks("7.7k", "rebuild", "reclaim", "next")
def what_was_spared_is_used(moment: Moment) -> Broken:
    """Nothing is done for a turn; then the side rebuilds one piece more than it may."""
    for side, limit in (("axis", 1), ("allied", 2)):
        for rebuilt in _too_many(moment, side, limit):
            yield *_a_turn(moment.position), *rebuilt


def _a_turn(position: Position) -> tuple[Action, ...]:
    """The ends of all phases until the same phase begins again."""
    clock = evolve(position.clock, turn=position.clock.turn + 1)
    ends = []
    while position.clock < clock:
        ends.append(Action("next"))
        position = position.play(ends[-1]).position
    return tuple(ends)


def _reclaimed(moment: Moment, kind: str, *, to_airfields: bool, near: bool | None = None) -> Broken:
    """Dead pieces of a kind, placed somewhere in their own country."""
    position, side = moment.position, moment.position.side
    if position.phase != "replacement" or moment.did():
        return
    board = Board.of(position)
    hexes = board.airfields(side) if to_airfields else board.towns("village", "port")
    for piece in position.at(f"{side}-dead"):
        for where in hexes if piece.counter.kind == kind else ():
            if near is not None and board.is_controlled(side, where) is not near:
                continue
            if not board.is_enemy_there(where, side) and board.room(where, piece):
                yield (Action("reclaim", (piece.id,), target=where),)


@breaker.breaks("7.7d", "rebuild", "reclaim", "next")
def a_dead_unit_comes_back(moment: Moment) -> Broken:
    """One that left no battlegroup [13i]."""
    replaced = moment.position.noted(BATTLEGROUP_OF).values()
    for (action,) in _reclaimed(moment, "unit", to_airfields=False) if moment.position.side else ():
        if action.piece not in replaced:
            yield (action,)


@breaker.breaks("7.7h", "rebuild", "reclaim", "next")
def aircraft_come_back_beside_the_enemy(moment: Moment) -> Broken:
    return _reclaimed(moment, "air", to_airfields=True, near=True) if moment.position.side else ()


@breaker.breaks("7.7i", "rebuild", "reclaim", "next")
def an_asset_comes_back_beside_the_enemy(moment: Moment) -> Broken:
    return _reclaimed(moment, "support", to_airfields=False, near=True) if moment.position.side else ()


@breaker.breaks("7.7g", "rebuild", "reclaim", "next")
def an_asset_that_was_exchanged_comes_back(moment: Moment) -> Broken:
    position, board = moment.position, Board.of(moment.position)
    if position.phase != "replacement" or position.side != "allied" or moment.did():
        return
    for piece in position.at("allied-out"):
        for where in board.towns("village", "port") if piece.counter.kind == "support" else ():
            if not board.is_enemy_there(where, "allied") and board.room(where, piece):
                yield (Action("reclaim", (piece.id,), target=where),)


@breaker.breaks("7.7j", "rebuild", "reclaim", "next")
def aircraft_come_back_to_no_field_at_all(moment: Moment) -> Broken:
    position, side = moment.position, moment.position.side
    if position.phase != "replacement":
        return
    board = Board.of(position)
    free = [at for at in board.airfields(side) if not board.at(at, side, "air")]
    if all(board.is_controlled(side, at) for at in free):
        yield from _reclaimed(moment, "air", to_airfields=True)


@breaker.breaks("17d", "rebuild", "reclaim", "next")
def rommel_comes_back(moment: Moment) -> Broken:
    position, board = moment.position, Board.of(moment.position)
    rommel = position.pieces["de-rommel"]
    if position.phase != "replacement" or position.side != "axis" or rommel.where != "axis-out":
        return
    for where in () if moment.did() else board.towns("village", "port"):
        if not board.is_enemy_there(where, "axis") and board.room(where, rommel):
            yield (Action("reclaim", (rommel.id,), target=where),)


@breaker.breaks("13i", "rebuild", "reclaim", "next")
def a_battlegroup_becomes_its_unit_again(moment: Moment) -> Broken:
    """The dead unit is placed in the hex of its battlegroup."""
    position = moment.position
    if position.phase != "replacement":
        return
    made = [
        step.action.piece
        for step in moment.game[: moment.place]
        if step.action.verb == "battlegroup" and step.before.turn == position.turn
    ]
    for name in made:
        group, unit = position.pieces[name], position.note(BATTLEGROUP_OF, name)
        if unit is not None and group in on_map(position, position.side):
            yield (Action("reclaim", (unit,), target=group.where),)


def _reduced_in_supply(moment: Moment, *, near: bool) -> Broken:
    """Supply losses of pieces that are in supply, with pieces of their side in zones of control or not."""
    position, board = moment.position, Board.of(moment.position)
    if position.phase != "supply" or not moment.did():
        return
    mine = on_map(position, position.side)
    if any(board.is_controlled(position.side, piece.where) for piece in mine) is not near:
        return
    for piece in mine:
        if piece.counter.kind == "unit" and piece.steps == 2 and board.is_supplied(piece):
            yield (Action("supply loss", (piece.id,)),)


breaker.alike(
    _reduced_in_supply,
    ("supply loss", "next"),
    a_piece_in_supply_is_reduced=("7.8b", {"near": False}),
    a_piece_in_supply_near_the_enemy_is_reduced=("7.8c", {"near": True}),
)


@breaker.breaks("7.8a", "supply loss", "next")
def the_enemy_is_out_of_supply(moment: Moment) -> Broken:
    position = moment.position
    if position.phase == "supply" and moment.did():
        for piece in on_map(position, enemy(position.side), *UNITS):
            if piece.steps == 2:
                yield (Action("supply loss", (piece.id,)),)


@breaker.breaks("7.8e", "supply loss")
def a_unit_out_of_supply_loses_nothing(moment: Moment) -> Broken:
    yield (Action("next"),)


@breaker.breaks("7.7f", "rebuild")
def a_rebuilt_unit_goes_elsewhere(moment: Moment) -> Broken:
    position, piece = moment.step.after, moment.position.pieces[moment.action.piece]
    board = Board.of(position)
    if position.phase != "replacement" or piece.side != position.side or piece.counter.kind == "air":
        return
    for there in board.around(piece.where):
        if board.is_passable(piece.where, there) and not board.is_enemy_there(there, piece.side):
            yield moment.action, Action("move", (piece.id,), (piece.where, there))
