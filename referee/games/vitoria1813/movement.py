"""Movement, zones of control and leaving them, roads, and the effects of passing a train."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.moves import limit
from referee.engine.paths import begins_where_it_stands
from referee.engine.position import UNSEEN, Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade, number
from referee.engine.wording import name_of, names_of
from referee.games.vitoria1813.facts import (
    DISORDERED,
    ROUTED,
    UNCONTROLLED,
    combat_at,
    generals_at,
    in_ezoc,
    is_cavalry,
    is_combat,
    is_general,
    is_neutralised,
    is_on_map,
    pillage_targets,
    the_field,
    threats,
)
from referee.games.vitoria1813.move import Move, is_flight, passes_train
from referee.games.vitoria1813.notes import (
    ALONE_IN,
    APPROACH_DIE,
    CAME_BACK,
    CAME_FROM,
    LEFT,
    LEFT_ZONE,
    MOVED,
    MOVED_FIRST,
    MOVES,
    PAID,
    PAID_FOR,
    PASSED,
    RAN,
    RUN,
    STOOD,
    TRAIL,
    WATCHED,
    WILD_IN,
    Trail,
)
from referee.games.vitoria1813.stacking import may_stay
from vassalgen.game.provenance import Provenance

rules = Section("Movement", Provenance("rulebook", "3, 4, 5"))

CHANGES_OF_HEX = (
    *("move", "enter", "flee", "withdraw", "go wild", "shift", "deploy"),
    *("retreat", "rout", "displace", "advance", "pursue"),
)
"""The verbs with which a counter changes its hex."""
MOST_ROAD = 2
"""The most hexes that a unit enters for a movement point: two of a road."""
GONE = ("left-by-3206", "allied-left", "french-left", "allied-routed", "french-routed")
"""The boxes of counters that have left the map."""


@rules.on("move", clause="2g 4.2b")
def generals_move_once(position: Position, action: Action) -> Breach | None:
    """In the first phase or in the third: moving again breaks 2g if he rode a little first."""
    piece = position.pieces[action.piece]
    if not is_general(piece) or position.phase != "movement":
        return None
    spent = position.note(MOVED_FIRST, piece.id)
    if spent is None:
        return None
    says = (
        f"{name_of(position, piece.id)} moves again; this general already moved in the leader movement phase."
    )
    partly = spent < int(piece.factor("mp") * the_field(position).scale)
    return Breach(says, {"unit": piece.id}, clause="2g" if partly and not action.dragged else "4.2b")


@rules.on("move", clause="4.3a 3.2d")
def a_zone_is_left_by_a_step_out_of_it(position: Position, action: Action) -> Iterator[Breach]:
    """A step into another hex of the same enemy's zone is not a step back; into that of others it breaks
    3.2d.
    """
    if is_flight(position, action):
        return
    further, breach = (Move.of(position, action).breach(clause) for clause in ("4.3a", "3.2d"))
    if further:
        yield further
    if breach is None or not _stays_with(position, action):
        yield from (breach,) if breach else ()
        return
    if further:
        return
    says = (
        f"{name_of(position, action.piece)} leaves an enemy zone of control by a step to "
        f"{action.path[1]}, which is in the zone of the same enemy."
    )
    yield Breach(says, breach.facts, breach.grade)


def _stays_with(position: Position, action: Action) -> bool:
    """Return whether the first step of a path stays in the zone of the same enemy."""
    side = position.pieces[action.piece].side
    return bool({*threats(position, action.path[0], side)} & {*threats(position, action.path[1], side)})


def _march(position: Position, action: Action) -> Move | None:
    """The move of an action, None for routed units: they have rules of their own."""
    return None if is_flight(position, action) else Move.of(position, action)


limit(rules, _march, "move", clauses="3.2a 3.2e 4.1a 4.2a 4.3b 5.2c 5.2d 7.7a 10a")


def _begins_where_it_stands(position: Position, action: Action) -> Breach | None:
    """A counter that has left the map falls under 4.1g."""
    gone = position.pieces[action.piece].where in GONE
    return None if gone else begins_where_it_stands(position, action)


rules.on("move", "flee", clause="4.1a")(_begins_where_it_stands)
for verb, clause in {
    "retreat": "7.4b",
    "rout": "7.4c",
    "displace": "4.5d",
    "advance": "7.5c",
    "pursue": "7.5m",
    "withdraw": "9.2d",
    "shift": "11j",
}.items():
    rules.on(verb, clause=clause)(_begins_where_it_stands)


@rules.on("move", clause="4.1d")
def points_are_not_saved(position: Position, action: Action) -> Breach | None:
    """A unit that did not move in its last player turn and now exceeds its points has saved them."""
    piece, move = position.pieces[action.piece], Move.of(position, action)
    if is_flight(position, action) or "4.1a" not in move.faults or not position.note(STOOD, piece.id):
        return None
    cost = move.cost(frozenset({"4.1a"}))
    scale = the_field(position).scale
    if cost is None or cost > 2 * move.allowance() * scale:
        return None
    says = (
        f"{name_of(position, piece.id)} uses {number(Fraction(cost, scale))} MP, some saved from a turn in"
        f" which it stood still; it has {number(move.allowance())}, and unused MP are lost."
    )
    facts: Facts = {"unit": piece.id, "cost": Fraction(cost, scale), "allowance": move.allowance()}
    return Breach(says, facts, move.grade("4.1a"))


@rules.on("move", "flee", clause="4.1e")
def one_unit_is_finished_before_the_next(position: Position, action: Action) -> Breach | None:
    move = Move.of(position, action)
    if not move.trail or move.is_taken_back():
        return None
    between = _since(position, action.piece, move.trail) or _left_behind(position, action, move)
    if not between:
        return None
    grade = Grade.unproven if move.dragged and move.trail.dragged else Grade.illegal
    says = (
        f"{name_of(position, action.piece)} moves on after {names_of(position, between)} moved; a unit "
        "finishes its move first."
    )
    return Breach(says, {"unit": action.piece, "between": between}, grade)


def _since(position: Position, name: str, begun: Trail) -> tuple[str, ...]:
    """Return the units that began to move, from elsewhere, after a counter last did; none if it only entered.

    The units of a dragged stack are read one after the other: those that came along do not count.
    """
    if begun.entered:
        return ()
    return tuple(
        other
        for other, trail in position.noted(TRAIL).items()
        if trail.order > begun.order
        and trail.start != begun.start
        and other != name
        and not _came_along(position, name, other)
    )


def _left_behind(position: Position, action: Action, move: Move) -> tuple[str, ...]:
    """Return the units that came along and moved on without a counter, which now moves elsewhere, hex by hex.

    A counter that goes where they went follows with the stack.
    """
    begun = move.trail
    if begun is None or begun.entered or move.is_partly_unknown:
        return ()
    return tuple(
        other
        for other, trail in position.noted(TRAIL).items()
        if trail.order > begun.order
        and trail.start == begun.start
        and not trail.dragged
        and position.pieces[other].where != position.pieces[action.piece].where
        and not {*action.path} <= {*(position.note(RUN, other) or ())}
    )


def _came_along(position: Position, name: str, other: str) -> bool:
    """Return whether two units in one hex came there by the same last step, or may have."""
    mine, theirs = (position.note(RUN, one) or () for one in (name, other))
    trails = [position.note(TRAIL, one) for one in (name, other)]
    together = position.pieces[name].where == position.pieces[other].where
    return together and (mine[-2:] == theirs[-2:] or any(trail and trail.dragged for trail in trails))


@rules.on(*CHANGES_OF_HEX, clause="4.1g")
def a_unit_that_left_the_map_is_gone(position: Position, action: Action) -> Breach | None:
    left, where = position.note(LEFT, action.piece), position.pieces[action.piece].where
    if left is not None:
        says = f"{name_of(position, action.piece)} left the map in turn {left} and may not come back."
        return Breach(says, {"unit": action.piece, "turn": left})
    if where in GONE:
        says = f"{name_of(position, action.piece)} has left the map and may not come back."
        return Breach(says, {"unit": action.piece, "box": where})
    return None


@rules.leaving("movement", "fire", "combat", clause="4.2c")
def no_general_comes_alone_into_a_zone(position: Position) -> Iterator[Breach]:
    """Judged when the phase ends, because his troops may come after him."""
    for name, where in position.noted(ALONE_IN).items():
        piece = position.pieces[name]
        if piece.where == where and is_alone_in_a_zone(position, piece):
            yield _comes_alone(position, piece)


@rules.on("move", clause="4.2c")
def no_general_rides_alone_into_a_zone(position: Position, action: Action) -> Breach | None:
    """In the leader phase, and where no unit is near enough to come after him."""
    piece = position.pieces[action.piece]
    if action.end == action.path[0] or not is_general(piece):
        return None
    general = evolve(piece, where=action.end)
    if not is_alone_in_a_zone(position, general) or _may_be_joined(position, general):
        return None
    return _comes_alone(position, general)


def _may_be_joined(position: Position, general: Piece) -> bool:
    """Return whether a combat unit of his side may come to a general in this phase, after him."""
    if position.phase == "leaders":
        return False
    grid, boxes = position.game.map.grid, position.game.map.boxes
    units = [piece for piece in position.pieces.values() if piece.side == general.side and is_combat(piece)]
    near = (
        grid.distance(piece.where, general.where) <= MOST_ROAD * piece.factor("mp")
        for piece in units
        if piece.where in grid
    )
    wait = (
        piece.where in boxes and piece.where not in GONE and not boxes[piece.where].losses for piece in units
    )
    return any(near) or any(wait)


def _comes_alone(position: Position, general: Piece) -> Breach:
    by = threats(position, general.where, general.side)
    says = (
        f"{name_of(position, general.id)} enters the zone of control of {names_of(position, by)} in "
        f"{general.where} alone; a general may enter one only with a friendly combat unit."
    )
    return Breach(says, {"unit": general.id, "hex": general.where, "zone of": by})


def is_alone_in_a_zone(position: Position, general: Piece) -> bool:
    """Return whether a general is in a zone of control, and no combat unit of his side with him."""
    alone = not combat_at(position, general.where, general.side)
    return alone and in_ezoc(position, general.where, general.side)


@rules.follows("move", "enter", "advance", "retreat", "flee", "rout", "displace", "pursue")
def a_lone_general_is_noted(before: Position, after: Position, action: Action) -> Position:
    """A general that enters a zone of control, until a unit is in his hex."""
    piece = after.pieces[action.piece]
    if not is_general(piece):
        for general in generals_at(after, piece.where, piece.side) if is_combat(piece) else ():
            after = after.without_note(ALONE_IN, general.id)
        return after
    stayed = action.verb == "move" and (TRAIL, piece.id) not in after.notes
    is_reported = action.verb == "move" and not _may_be_joined(after, piece)
    if is_alone_in_a_zone(after, piece) and not stayed and not is_reported:
        return after.with_note(ALONE_IN, piece.id, piece.where)
    return after.without_note(ALONE_IN, piece.id)


@rules.leaving("movement", clause="4.3b")
def leaving_a_zone_costs_a_step(position: Position) -> Iterator[Breach]:
    """For each unit except cavalry [3.2c, 4.3b, 4.3c]."""
    for name, start in position.noted(LEFT_ZONE).items():
        if _step_is_certainly_due(position, name):
            says = (
                f"{name_of(position, name)} left an enemy zone of control in {start}; it must lose 1 step "
                "and lost none."
            )
            yield Breach(says, {"unit": name, "from": start})


def _step_is_certainly_due(position: Position, name: str) -> bool:
    """Return whether a step is due in every interpretation, and, in a record that begins late, with any
    bridges.
    """
    piece, start = position.pieces[name], position.note(LEFT_ZONE, name)
    if position.note(UNSEEN) and start and not in_ezoc(position, start, piece.side):
        return False
    waived = position.game.adopted("leaving-artillery") == "free"
    return not (waived and piece.counter.kind in ("artillery", "engineer"))


@rules.follows("move")
def a_unit_that_passes_a_train_is_noted(before: Position, after: Position, action: Action) -> Position:
    if action.dragged:
        return after
    passed = passes_train(before, before.pieces[action.piece], action.path)
    return after.with_note(PASSED, action.piece, passed[0]) if passed else after


@rules.leaving("movement", "fire", "combat", clause="4.5b")
def a_unit_that_passes_a_train_is_disordered(position: Position) -> Iterator[Breach]:
    """In a move, in a retreat and when it makes room; routing units are already worse off."""
    for name, where in position.noted(PASSED).items():
        piece = position.pieces[name]
        shaken = piece.is_(DISORDERED) or piece.is_(ROUTED) or (RAN, name) in position.notes
        if is_on_map(position, piece) and not shaken:
            says = (
                f"{name_of(position, name)} passed the train in {where} and must be marked Disordered;"
                " it is not."
            )
            yield Breach(says, {"unit": name, "hex": where})


@rules.on("move", clause="7.7a")
def a_unit_that_passes_a_train_keeps_out_of_zones(position: Position, action: Action) -> Breach | None:
    """It is disordered at once [4.5b], marked or not."""
    piece = position.pieces[action.piece]
    shaken = piece.is_(DISORDERED) or piece.is_(ROUTED)
    if action.dragged or shaken or not in_ezoc(position, action.end, piece.side):
        return None
    before = position.note(PASSED, piece.id)
    passed = (*((before,) if before else ()), *passes_train(position, piece, action.path))
    if not passed:
        return None
    says = (
        f"{name_of(position, piece.id)} is disordered by the train in {passed[0]} and may not end its "
        f"move in an enemy zone of control, in {action.end}."
    )
    return Breach(says, {"unit": piece.id, "hex": action.end, "train in": passed[0]})


@rules.on("enter", "advance", clause="10a")
def engineers_come_into_no_zone(position: Position, action: Action) -> Breach | None:
    """Not when they arrive or advance either; when driven back they go where they must [7.6]."""
    piece, where = position.pieces[action.piece], action.path[-1] if action.path else action.target
    if piece.counter.kind != "engineer" or not in_ezoc(position, where, piece.side):
        return None
    by = threats(position, where, piece.side)
    says = (
        f"{name_of(position, piece.id)} enter the zone of control of {names_of(position, by)} in {where}; "
        "engineers may not."
    )
    return Breach(says, {"unit": piece.id, "hex": where, "zone of": by})


@rules.on("move", "flee", "advance", "pursue", "exit", clause="11h")
def the_uncontrolled_stay(position: Position, action: Action) -> Breach | None:
    """Until they are driven out; what they do then is only unproven."""
    piece = position.pieces[action.piece]
    if not piece.is_(UNCONTROLLED):
        return None
    says = f"{name_of(position, action.piece)} is out of control and may not leave the hex that it pillages."
    there = any(element.where == piece.where for element in pillage_targets(position))
    stays = (WILD_IN, piece.id) not in position.notes or piece.where == position.note(WILD_IN, piece.id)
    return Breach(says, {"unit": action.piece}, Grade.illegal if there or stays else Grade.unproven)


@rules.on("move", "retreat", "advance", "shift", "exit", clause="11e")
def the_park_does_not_move(position: Position, action: Action) -> Breach | None:
    """Whether it is lost if it must retreat the rules do not say."""
    if position.pieces[action.piece].counter.kind != "park":
        return None
    grade = Grade.unproven if action.verb == "retreat" else Grade.illegal
    return Breach("The Artillery Park may not move.", {"unit": action.piece}, grade)


@rules.on("move", "advance", "exit", "retreat", "withdraw", clause="9.2c")
def the_neutralised_do_not_move(position: Position, action: Action) -> Breach | None:
    """Whether a general who is driven off stays is not said, unless the enemy enters his hex."""
    general, driven = position.pieces[action.piece], action.verb in ("retreat", "withdraw")
    if not is_neutralised(position, general):
        return None
    if action.verb == "withdraw" and (APPROACH_DIE, action.piece) in position.notes:
        return None  # 9.2b is about the die that neutralised him
    if driven and any(one.side != general.side for one in combat_at(position, general.where)):
        return None
    grade = Grade.unproven if driven else Grade.illegal
    says = f"{name_of(position, action.piece)} moves, but is neutralised until the end of the turn."
    return Breach(says, {"unit": action.piece}, grade)


def pays_for_leaving(position: Position, piece: Piece) -> bool:
    """Return whether a unit that leaves a zone of control loses a step and has not lost it yet [4.3b]."""
    pays = is_combat(piece) and not is_cavalry(piece) and not piece.is_(ROUTED)
    return pays and (PAID, piece.id) not in position.notes


@rules.does("move")
def move(position: Position, action: Action) -> Position:
    """Put the counter at the end of its path and remember what it paid; one dragged back has not moved."""
    piece, end = position.pieces[action.piece], action.end
    move = Move.of(position, action)
    after = position.with_piece(piece.id, where=end)
    if move.is_taken_back():
        return _as_if_it_had_not_moved(after, move)
    cost = move.least_cost()
    if cost is None:
        cost = move.paid()
    order, dragged = (position.note(MOVES) or 0) + 1, move.is_partly_unknown
    trail = Trail(move.start, cost, dragged, move.stops_after(), order, arrived=move.arrived)
    if position.phase == "leaders":
        after = after.with_note(MOVED_FIRST, piece.id, cost)
    if move.trail is None and move.leaves_zone() and pays_for_leaving(position, piece):
        after = after.with_note(LEFT_ZONE, piece.id, move.start)
    run = (*(position.note(RUN, piece.id) or action.path[:1]), *action.path[1:])
    return after.with_noted(
        (TRAIL, piece.id, trail),
        (MOVES, "", order),
        (MOVED, piece.id, position.turn),
        (CAME_FROM, piece.id, "" if dragged else action.path[-2]),
        (RUN, piece.id, run),
    )


def with_spent(position: Position, name: str, points: Fraction) -> Position:
    """Note that a counter has moved and spent MP in this phase already."""
    order, cost = (position.note(MOVES) or 0) + 1, int(points * the_field(position).scale)
    after = position.with_note(TRAIL, name, Trail(position.pieces[name].where, cost, order=order))
    return after.with_note(MOVES, "", order).with_note(MOVED, name, position.turn)


@rules.does("come back")
def come_back(position: Position, action: Action) -> Position:
    """It has moved or was only tried out: the hex that it came from last is no longer known."""
    return position.with_note(CAME_FROM, action.piece, "").with_note(CAME_BACK, action.piece, True)


def _as_if_it_had_not_moved(position: Position, move: Move) -> Position:
    """Forget what a counter did since it came to its hex, except how it entered the map."""
    name = move.piece.id
    for note in (TRAIL, LEFT_ZONE, PASSED, RUN, MOVED_FIRST, *(() if move.arrived else (MOVED,))):
        position = position.without_note(note, name)
    position = position.with_note(CAME_BACK, name, True)
    left, retreat = position.note(PAID_FOR, name) or ("", 0)
    if left:  # the step is paid before it leaves the zone of control
        position = position.with_note(PAID_FOR, name, ("", retreat))
        position = position.with_note(PAID, name, move.piece.steps + 1)
    return position.with_note(TRAIL, name, move.arrived) if move.arrived else position


@rules.entering("movement")
def moving_units_are_noted(position: Position) -> Position:
    """For clause 4.1d: from here on it is known who moves in this player turn."""
    return position.with_note(WATCHED, position.side, position.turn)


@rules.entering("leaders")
def units_that_stood_still_are_noted(position: Position) -> Position:
    """For clause 4.1d: the units that did not move in the last player turn of their side, if
    that was seen.
    """
    if position.note(WATCHED, position.side) != position.turn - 1:
        return position
    moved, last = position.noted(MOVED), position.turn - 1
    there = (piece.id for piece in position.of_side(position.side) if is_on_map(position, piece))
    return position.with_noted(*((STOOD, name, moved.get(name) != last) for name in there))


@rules.proposes
def moves(position: Position, piece: Piece) -> Iterator[Action]:
    """Every hex within reach, by the cheapest path."""
    phases = ("leaders", "movement") if is_general(piece) else ("movement",)
    if position.phase not in phases or piece.side != position.side or not is_on_map(position, piece):
        return
    if piece.counter.kind == "park" or piece.is_(ROUTED):
        return
    for path in paths_of(position, piece):
        yield Action("move", (piece.id,), path)


def paths_of(position: Position, piece: Piece) -> Iterator[tuple[str, ...]]:
    """The cheapest paths to all hexes within reach in which a counter may stay."""
    move, names = Move.everywhere(position, piece), position.game.map.grid.names
    if move.trail is not None and (move.trail.stopped or _since(position, piece.id, move.trail)):
        return
    found = move.reach()
    for end in sorted(found.costs):
        if names[end] != piece.where and may_stay(position, piece, names[end]):
            yield tuple(names[at] for at in found.path(end))


@rules.proposes
def passers_by(position: Position, piece: Piece) -> Iterator[Action]:
    """The disorder of units that passed a train."""
    due = position.note(PASSED, piece.id) is not None and is_on_map(position, piece)
    if due and not piece.is_(DISORDERED):
        yield Action("disorder", (piece.id,))
