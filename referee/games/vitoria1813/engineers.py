"""Engineers and bridges."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.actions import Action
from referee.engine.clock import Date
from referee.engine.position import UNSEEN, Mark, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import name_of
from referee.games.vitoria1813.facts import (
    WORKING,
    destroyed,
    is_before,
    is_on_map,
    is_ordered,
    phase_of,
    side_of,
    the_field,
)
from referee.games.vitoria1813.notes import (
    DESTROYED,
    FINISHED_IN,
    FOUGHT_ON,
    MARKED_WORKING,
    MOVED,
    TRAIL,
    WORK_BEGUN,
    WORKED_IN,
)
from vassalgen.game.provenance import Provenance

rules = Section("Engineers", Provenance("rulebook", "10"))


def _side(position: Position, action: Action) -> tuple[str, str]:
    """The hexside of the bridge: work begins where the engineers are; when they finish, they
    may have left.
    """
    grid, here = position.game.map.grid, position.pieces[action.piece].where
    if action.verb == "finish":
        here = _stood_in(position, action.piece)
        if (WORK_BEGUN, action.piece) in position.notes:
            here = position.note(WORKED_IN, action.piece) or here
    if here in grid and grid.are_neighbours(here, action.target):
        return grid.side(here, action.target)
    return here, action.target


def _stood_in(position: Position, name: str) -> str:
    """Return where a counter was when the phase began, or where it entered the map."""
    trail = position.note(TRAIL, name)
    return trail.start if trail else position.pieces[name].where


@rules.on("work", "finish", "mark working", clause="10c")
def only_engineers_in_order_work(position: Position, action: Action) -> Breach | None:
    piece = position.pieces[action.piece]
    if action.verb == "mark working" and _is_at_work(position, piece):
        return None
    if piece.counter.kind != "engineer":
        says = f"{name_of(position, piece.id)} works on a bridge; only engineers may."
        return Breach(says, {"unit": piece.id})
    if not is_ordered(piece):
        says = f"{name_of(position, piece.id)} are disordered and may not work on a bridge."
        return Breach(says, {"unit": piece.id})
    return None


@rules.on("work", "finish", clause="10d")
def the_bridge_is_next_to_them(position: Position, action: Action) -> Breach | None:
    if _side(position, action) in the_field(position).bridges:
        return None
    where, name = position.pieces[action.piece].where, name_of(position, action.piece)
    says = f"{name} work on a bridge between {where} and {action.target}; there is none."
    return Breach(says, {"unit": action.piece, "to": action.target})


@rules.on("work", clause="10d")
def the_work_begins_in_the_own_movement_phase(position: Position, action: Action) -> Breach | None:
    """If it is announced later it may have begun in time."""
    if position.phase == "movement" and position.side == position.pieces[action.piece].side:
        return None
    says = (
        f"{name_of(position, action.piece)} begin to work in the {side_of(position)} "
        f"{phase_of(position)}; they may do so only in their own movement phase."
    )
    return Breach(says, {"unit": action.piece, "phase": position.phase}, Grade.unproven)


def _is_at_work(position: Position, piece: Piece) -> bool:
    return piece.is_(WORKING) or (WORK_BEGUN, piece.id) in position.notes


def _bridge_near(position: Position, where: str) -> bool:
    grid = position.game.map.grid
    bridges = the_field(position).bridges
    return where in grid and any(grid.side(where, near) in bridges for near in grid.neighbours(where))


@rules.on("mark working", clause="10d")
def they_are_marked_next_to_a_bridge(position: Position, action: Action) -> Breach | None:
    """In their own movement phase they may still reach one; in others they may have begun in time."""
    piece = position.pieces[action.piece]
    mine = position.phase == "movement" and position.side == piece.side
    if mine or _is_at_work(position, piece):
        return None
    near = _bridge_near(position, piece.where)
    nowhere = f"they must be next to one, and {piece.where} is not"
    why = "work begins in their own movement phase" if near else nowhere
    says = f"{name_of(position, piece.id)} are marked as at work on a bridge; {why}."
    return Breach(says, {"unit": piece.id, "hex": piece.where}, Grade.unproven if near else Grade.illegal)


@rules.leaving("movement", clause="10d")
def engineers_at_work_are_next_to_a_bridge(position: Position) -> Iterator[Breach]:
    """About engineers that were marked in this phase before they came to a bridge."""
    for name in position.noted(MARKED_WORKING):
        piece = position.pieces[name]
        begun = (WORK_BEGUN, name) in position.notes
        if piece.is_(WORKING) and not begun and not _bridge_near(position, piece.where):
            says = (
                f"{name_of(position, piece.id)} are marked as at work; they must be next to a bridge, and "
                f"none is next to {piece.where}."
            )
            yield Breach(says, {"unit": name, "hex": piece.where})


@rules.does("mark working")
def mark_working(position: Position, action: Action) -> Position:
    """Mark them."""
    after = position.with_note(MARKED_WORKING, action.piece, True)
    return after.with_state(action.piece, WORKING, Mark(since=position.date))


@rules.on("finish", clause="10d 10e")
def the_work_takes_a_whole_sequence(position: Position, action: Action) -> Breach | None:
    """From their own movement phase to their next one, without combat; then they finish it as they leave."""
    piece, begun = position.pieces[action.piece], position.note(WORK_BEGUN, action.piece)
    facts: Facts = {"unit": piece.id, "turn": position.turn}
    if begun is None:
        there = _side(position, action) in the_field(position).bridges
        return _not_begun(position, action, facts) if there else None
    if _stood_in(position, piece.id) != position.note(WORKED_IN, piece.id):
        says = (
            f"{name_of(position, piece.id)} left the bridge before the work was done;"
            " the work is done on the spot."
        )
        return Breach(says, {**facts, "hex": piece.where}, clause="10d")
    if begun.turn >= position.turn:
        says = (
            f"{name_of(position, piece.id)} began to work in this turn; work on a bridge takes until "
            "their next movement phase."
        )
        return Breach(says, {**facts, "begun": begun.turn}, clause="10d")
    fought = position.note(FOUGHT_ON, piece.id)
    if fought is not None and not is_before(position, fought, begun):
        says = (
            f"{name_of(position, piece.id)} fought in turn {fought.turn}, during their work on the"
            " bridge; the work must be done without combat."
        )
        return Breach(says, {**facts, "fought": fought.turn}, clause="10d")
    return _late(position, action, facts)


def _not_begun(position: Position, action: Action, facts: Facts) -> Breach | None:
    """What is wrong with unannounced work: engineers that entered in this turn cannot have done it.

    For engineers that may not work [10c] it does not matter when they began.
    """
    name, moved = action.piece, position.note(MOVED, action.piece)
    trail, fought = position.note(TRAIL, name), position.note(FOUGHT_ON, name)
    came = moved == position.turn and (trail is None or trail.entered)
    if came or (position.phase != "movement" and moved == position.turn):
        says = (
            f"{name_of(position, name)} came to the bridge only in turn {moved}; the work takes until "
            "their next movement phase."
        )
        return Breach(says, {**facts, "came": position.turn}, clause="10d")
    own = position.pieces[name].side
    if fought is not None and not is_before(position, fought, Date(position.turn - 1, own)):
        says = (
            f"{name_of(position, name)} fought in turn {fought.turn}, during their work on the bridge;"
            " the work must be done without combat."
        )
        return Breach(says, {**facts, "fought": fought.turn}, clause="10d")
    late = _late(position, action, facts)
    if only_engineers_in_order_work(position, action):
        return late
    says = (
        f"{name_of(position, name)} finish work on a bridge;"
        " they must announce when they begin, and never did."
    )
    return late or Breach(says, facts, Grade.unproven, "10d")


def _late(position: Position, action: Action, facts: Facts) -> Breach | None:
    """Work is finished in the movement phase of its own side."""
    if position.phase == "movement" and position.side == position.pieces[action.piece].side:
        return None
    says = (
        f"{name_of(position, action.piece)} finish their work in the {side_of(position)} "
        f"{phase_of(position)}; they may do so only in their own movement phase."
    )
    return Breach(says, {**facts, "phase": position.phase}, clause="10e")


@rules.on("finish", clause="10e")
def only_destroyed_bridges_are_repaired(position: Position, action: Action) -> Breach | None:
    """Nor is a bridge destroyed twice; its state before a log begins is not known."""
    known = position.note(DESTROYED, "/".join(_side(position, action)))
    if known is None and position.note(UNSEEN):
        return None
    word = action.words[0]
    if (word == "destroyed") != bool(known):
        return None
    says = (
        f"Work is finished on the bridge to {action.target}, which is already"
        f" {'destroyed' if known else 'intact'}."
    )
    return Breach(says, {"unit": action.piece, "to": action.target}, Grade.slip)


@rules.entering("leaders", "fire")
def engineers_that_leave_break_off_the_work(position: Position) -> Position:
    """Engineers that come back to the bridge begin again."""
    for name in position.noted(WORK_BEGUN):
        if position.pieces[name].where != position.note(WORKED_IN, name):
            position = position.with_note(WORKED_IN, name, "")
    return position


@rules.leaving("movement", clause="10e")
def they_leave_the_hex_when_it_is_done(position: Position) -> Breach | None:
    for name, where in position.noted(FINISHED_IN).items():
        piece = position.pieces[name]
        if is_on_map(position, piece) and piece.where == where:
            says = (
                f"{name_of(position, name)} finished work on a bridge and must leave {where} in the same "
                "phase; they are still there."
            )
            return Breach(says, {"unit": name, "hex": where})
    return None


@rules.does("work")
def begin(position: Position, action: Action) -> Position:
    """They are at work from now on."""
    where = position.pieces[action.piece].where
    after = position.with_note(WORK_BEGUN, action.piece, position.date)
    after = after.with_note(WORKED_IN, action.piece, where)
    if position.pieces[action.piece].counter.kind == "engineer":
        after = after.with_state(action.piece, WORKING, Mark(since=position.date))
    return after


@rules.does("finish")
def finish(position: Position, action: Action) -> Position:
    """The bridge is destroyed or intact again; for engineers off the map it is not known at which bridge they
    were.

    Nothing changes if the bridge is known to be so already: the work can still be finished.
    """
    here, there = _side(position, action)
    after, known = position, position.note(DESTROYED, f"{here}/{there}")
    if known is not None and known == (action.words[0] == "destroyed"):
        return position
    if here in position.game.map.grid and there in position.game.map.grid:
        after = position.with_note(DESTROYED, f"{here}/{there}", action.words[0] == "destroyed")
    where = _stood_in(position, action.piece)
    after = after.with_note(FINISHED_IN, action.piece, where).without_note(WORK_BEGUN, action.piece)
    return after.with_state(action.piece, WORKING, None)


@rules.proposes
def works(position: Position, piece: Piece) -> Iterator[Action]:
    """Bridges next to engineers, and those on which they have worked long enough."""
    grid, mine = position.game.map.grid, position.phase == "movement" and piece.side == position.side
    if piece.counter.kind != "engineer" or not mine or not is_on_map(position, piece):
        return
    begun = position.note(WORK_BEGUN, piece.id)
    if begun is not None and begun.turn < position.turn:
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
