"""The flight of routed units in their later movement phases."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import UNDERWAY, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, listed, name_of
from referee.games.vitoria1813.facts import (
    ALLIES,
    FRENCH,
    ROUTED,
    UNCONTROLLED,
    combat_at,
    coverings,
    in_ezoc,
    is_combat,
    is_on_map,
    phase_of,
    side_of,
)
from referee.games.vitoria1813.move import Move, is_flight
from referee.games.vitoria1813.movement import move, paths_of
from referee.games.vitoria1813.notes import (
    CAME_BACK,
    CROSSED,
    MOVED,
    ROUT_UNSEEN,
    RUN,
    STEPS_DUE,
    TRAIL,
    ZONES_MET,
)
from referee.games.vitoria1813.paths import rout_length, steps_of
from vassalgen.game.provenance import Provenance

rules = Section("Flight", Provenance("rulebook", "4.3, 4.5, 7.6, 7.8"))
ON_THE_WAY = ("3.2a", "3.2d", "3.2e", "4.3a", "5.2c", "5.2d")
"""Clauses on movement that hold for a flight as for any other move."""


@rules.on("flee", clause="2b")
def the_routed_run_in_their_movement_phase(position: Position, action: Action) -> Breach | None:
    """In the leader phase it breaks 2c."""
    mine = position.side == position.pieces[action.piece].side
    if mine and position.phase in ("leaders", "movement"):
        return None
    says = (
        f"{name_of(position, action.piece)} makes its rout move in the {side_of(position)} "
        f"{phase_of(position)}; it may do so only in its own movement phase."
    )
    return Breach(says, {"unit": action.piece, "phase": position.phase, "side": position.side})


@rules.on("flee", "move", clause="7.8c 7.8d")
def the_routed_run_home(position: Position, action: Action) -> Breach | None:
    """The French to the east edge, the Allies to their entry hex: each step at least as near as the last.

    Coming no nearer where that was open is unproven; a step back is one where another was open.
    """
    piece, grid = position.pieces[action.piece], position.game.map.grid
    clause = _clause(piece)
    if not is_flight(position, action) or Move.of(position, action).is_taken_back():
        return None
    if not piece.is_(ROUTED):
        says = f"{name_of(position, piece.id)} makes a rout move, but is not routed."
        return Breach(says, {"unit": piece.id}, clause=clause)
    goals = _goals(position, piece)
    gaps = [min(grid.distance(where, goal) for goal in goals) for where in action.path]
    where = _home(position, piece)
    facts: Facts = {"unit": piece.id, "before": gaps[0], "after": gaps[-1]}
    if gaps[-1] > gaps[0] or action.end == action.path[0]:
        says = (
            f"{name_of(position, piece.id)} routs to {action.end}, {counted(gaps[-1], 'hex')} from "
            f"{where}; it started {counted(gaps[0], 'hex')} away."
        )
        return Breach(says, facts, clause=clause)
    for here, (near, far) in zip(action.path, pairwise(gaps), strict=False):
        if not action.dragged and far > near and _comes_nearer(position, piece, here, goals, near):
            says = (
                f"{name_of(position, piece.id)} moves from {here} away from {where};"
                " a hex closer to it was open."
            )
            return Breach(says, {**facts, "hex": here}, clause=clause)
    if gaps[-1] == gaps[0] and _comes_nearer(position, piece, action.path[0], goals, gaps[0] - 1):
        says = (
            f"{name_of(position, piece.id)} routs to {action.end}, no closer to {where}; a closer hex was "
            "open."
        )
        return Breach(says, facts, Grade.unproven, clause)
    return None


def _comes_nearer(position: Position, piece: Piece, here: str, goals: tuple[str, ...], most: int) -> bool:
    """Return whether a step out of a hex is open that leads as near to the goals."""
    grid, is_open = position.game.map.grid, steps_of(position, piece)
    return any(
        is_open(grid.index[here], grid.index[there])
        for there in grid.neighbours(here)
        if min(grid.distance(there, goal) for goal in goals) <= most
    )


@rules.on("flee", "move", clause="4.1a 4.3b")
def the_routed_run_on_their_points(position: Position, action: Action) -> Iterator[Breach]:
    """In another interpretation, they run five hexes: so far it is unproven; so is whether they pay for a
    zone.
    """
    if not is_flight(position, action):
        return
    move, grid = Move.of(position, action), position.game.map.grid
    run = (*(position.note(RUN, action.piece) or ())[:-1], *action.path)
    walked = all(grid.are_neighbours(here, there) for here, there in pairwise(run))
    steps = len(run) - 1 if walked else grid.distance(move.start, action.end)
    for clause in ("4.1a", "4.3b"):
        if (breach := move.breach(clause)) is not None:
            can = move.is_possible(frozenset(("4.1a", "4.3b")))
            unproven = clause == "4.3b" or (can and steps <= rout_length(position))
            yield evolve(breach, grade=Grade.unproven) if unproven else breach


@rules.on("flee", "move", clause=" ".join(ON_THE_WAY))
def a_flight_is_a_move(position: Position, action: Action) -> Iterator[Breach]:
    move = Move.of(position, action) if is_flight(position, action) else None
    for clause in ON_THE_WAY if move else ():
        if move and (breach := move.breach(clause)) is not None:
            yield breach


@rules.leaving("movement", clause="7.8f")
def the_routed_do_not_stand_still(position: Position) -> Iterator[Breach]:
    """The rules say that they move, if not how far; only if a path home is open."""
    for piece in () if position.note(UNDERWAY) else position.of_side(position.side):
        runs = piece.is_(ROUTED) and is_combat(piece) and not piece.is_(UNCONTROLLED)
        runs = runs and (CAME_BACK, piece.id) not in position.notes
        if runs and any(position.world.rulebook.allows(position, one) for one in flights(position, piece)):
            says = (
                f"{name_of(position, piece.id)} is routed and must move towards "
                f"{_home(position, piece)}; it has stayed in {piece.where}."
            )
            yield Breach(says, {"unit": piece.id, "hex": piece.where}, Grade.unproven)


def _home(position: Position, piece: Piece) -> str:
    """A text for the place to which a routed unit moves."""
    return "the east edge" if piece.side == FRENCH else listed(_goals(position, piece)[:3], "or")


def _clause(piece: Piece) -> str:
    return "7.8c" if piece.side == ALLIES else "7.8d"


def _goals(position: Position, piece: Piece) -> tuple[str, ...]:
    if piece.side == FRENCH:
        return position.game.map.zones[position.game.values["rout"].values.text("french")].hexes
    own = tuple(
        where
        for arrival in position.scenario.arrivals
        if piece.id in arrival.counters
        for where in arrival.entry
    )
    return own or tuple(where for arrival in position.scenario.arrivals for where in arrival.entry)


rules.does("flee")(move)


@rules.follows("flee", "move")
def whom_a_flight_crosses_is_noted(before: Position, after: Position, action: Action) -> Position:
    """And the step that a zone of control costs [4.5f, 7.6]."""
    position, piece = before, before.pieces[action.piece]
    if not is_flight(position, action) or (TRAIL, piece.id) not in after.notes:
        return after  # dragged back it has not moved
    if action.dragged:
        after = after.with_note(ROUT_UNSEEN, piece.id, (action.path[0], action.end))
    for where in () if action.dragged else action.path[1:-1]:
        for each in combat_at(position, where, piece.side):
            after = after.with_note(CROSSED, each.id, (where, piece.id))
    if in_ezoc(position, action.end, piece.side) and not combat_at(position, action.end, piece.side):
        after = after.with_note(STEPS_DUE, piece.id, 1)
        after = after.with_note(ZONES_MET, piece.id, coverings(position, action.end, piece.side))
    return after


@rules.proposes
def flights(position: Position, piece: Piece) -> Iterator[Action]:
    """Routed units move, as far as they can or less."""
    here = position.phase == "movement" and piece.side == position.side and is_on_map(position, piece)
    if not here or not piece.is_(ROUTED) or position.note(MOVED, piece.id) == position.turn:
        return
    for path in paths_of(position, piece):
        yield Action("flee", (piece.id,), path)
    if piece.where in _goals(position, piece) and position.game.map.grid.edges(piece.where):
        yield Action("exit", (piece.id,))
