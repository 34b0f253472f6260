"""Engineers and bridges."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.position import Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.games.vitoria1813.facts import destroyed, is_on_map, is_ordered, the_field
from referee.games.vitoria1813.notes import (
    DESTROYED,
    FINISHED_IN,
    FOUGHT,
    MOVED,
    TRAIL,
    WORK_BEGUN,
    WORKED_IN,
)
from vassalgen.game.provenance import Provenance

rules = Section("Engineers", Provenance("rulebook", "10"))


def _side(position: Position, action: Action) -> tuple[str, str]:
    piece = position.pieces[action.piece]
    grid = position.game.map.grid
    here = position.note(WORKED_IN, piece.id) or piece.where
    if here in grid and grid.are_neighbours(here, action.target):
        return grid.side(here, action.target)
    return here, action.target


@rules.on("work", "finish", clause="10c")
def only_engineers_in_order_work(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if piece.counter.kind != "engineer":
        return Breach(f"{piece.id} are no engineers", {"unit": piece.id})
    if not is_ordered(piece):
        return Breach(f"{piece.id} are disordered and do not work", {"unit": piece.id})
    return None


@rules.on("work", clause="10d")
def the_bridge_is_next_to_them(position: Position, action: Action) -> Breach | None:
    if _side(position, action) in the_field(position).bridges:
        return None
    says = f"there is no bridge from {position.pieces[action.piece].where} to {action.target}"
    return Breach(says, {"unit": action.piece, "to": action.target})


@rules.on("finish", clause="10d")
def the_work_takes_a_whole_sequence(position: Position, action: Action) -> Breach | None:
    """From their own movement phase to their next one, without combat."""
    begun = position.note(WORK_BEGUN, action.piece)
    facts: Facts = {"unit": action.piece, "turn": position.turn}
    if begun is None:
        stood = position.note(MOVED, action.piece)
        if stood is None or stood < position.turn - 1 or (stood == position.turn - 1):
            says = f"{action.piece} have not said that they work"
            return Breach(says, facts, Grade.unproven)
        return Breach(f"{action.piece} came only in turn {stood}", {**facts, "came": stood})
    trail = position.note(TRAIL, action.piece)
    here = trail.start if trail else position.pieces[action.piece].where
    if here != position.note(WORKED_IN, action.piece):
        return Breach(f"{action.piece} left the bridge before the work was done", {**facts, "hex": here})
    fought = position.note(FOUGHT, action.piece)
    if begun >= position.turn or position.phase != "movement":
        return Breach(f"{action.piece} began in turn {begun}", {**facts, "begun": begun})
    if fought is not None and fought >= begun:
        return Breach(f"{action.piece} fought in turn {fought}", {**facts, "fought": fought})
    return None


@rules.leaving("movement", clause="10e")
def they_leave_the_hex_when_it_is_done(position: Position) -> Breach | None:
    for name, where in position.noted(FINISHED_IN).items():
        piece = position.pieces[name]
        if is_on_map(position, piece) and piece.where == where:
            says = f"{name} finished the work and stay in {where}"
            return Breach(says, {"unit": name, "hex": where})
    return None


@rules.does("work")
def begin(position: Position, action: Action) -> Position:
    """They are at work from now on."""
    where = position.pieces[action.piece].where
    after = position.with_note(WORK_BEGUN, action.piece, position.turn)
    after = after.with_note(WORKED_IN, action.piece, where)
    if position.pieces[action.piece].counter.kind == "engineer":
        after = after.with_state(action.piece, "working", Mark(since=position.date))
    return after


@rules.does("finish")
def finish(position: Position, action: Action) -> Position:
    """The bridge is destroyed or stands again."""
    here, there = _side(position, action)
    after = position.with_note(DESTROYED, f"{here}/{there}", action.words[0] == "destroyed")
    trail = position.note(TRAIL, action.piece)
    where = trail.start if trail else position.pieces[action.piece].where
    after = after.with_note(FINISHED_IN, action.piece, where).without_note(WORK_BEGUN, action.piece)
    return after.with_state(action.piece, "working", None)


@rules.proposes
def works(position: Position, piece: Piece) -> Iterator[Action]:
    """Bridges next to engineers, and those on which they have worked long enough."""
    grid, mine = position.game.map.grid, position.phase == "movement" and piece.side == position.side
    if piece.counter.kind != "engineer" or not mine or not is_on_map(position, piece):
        return
    begun = position.note(WORK_BEGUN, piece.id)
    if begun is not None and begun < position.turn:
        here = position.note(WORKED_IN, piece.id) or piece.where
        for near in grid.neighbours(here) if here == piece.where else ():
            if grid.side(here, near) in the_field(position).bridges:
                broken = grid.side(here, near) in destroyed(position)
                word = "repaired" if broken else "destroyed"
                yield Action("finish", (piece.id,), target=near, words=(word,))
    elif begun is None:
        for near in grid.neighbours(piece.where):
            if grid.side(piece.where, near) in the_field(position).bridges:
                yield Action("work", (piece.id,), target=near)
