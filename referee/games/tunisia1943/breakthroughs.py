"""Armoured breakthrough: armour that continues its move through a zone of control."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from referee.engine.actions import Action
from referee.engine.position import Piece, Position
from referee.engine.rules import Section
from referee.engine.rulings import Breach, Facts, Grade
from referee.engine.wording import counted, is_or_are, name_of, names_of
from referee.games.tunisia1943.cohesion_tests import (
    Modifier,
    breakthrough,
    cohesion,
    modifiers,
    passes,
    stopping_units,
    testers,
)
from referee.games.tunisia1943.facts import (
    controlled,
    has_room,
    held,
    held_by_ems,
    is_armour,
    is_em,
    is_on_map,
    is_tiger,
    is_unit,
    other,
    stacking_limit,
    the_field,
    units_at,
)
from referee.games.tunisia1943.move import MOVE, Move, came_along, start_of
from referee.games.tunisia1943.move_findings import has, paid_for
from referee.games.tunisia1943.notes import BOUND, BREAKTHROUGH, TRAIL, Bound, Breakthrough
from vassalgen.game.provenance import RECONSTRUCTION, Provenance

rules = Section("Armoured breakthrough", Provenance("rulebook", "4.3"))

PASSES_ALL = 99
"""Above any cohesion, for the star of a Tiger."""


def _armour(position: Position, action: Action) -> str:
    """The armour that attempts it: the first piece that is armour, otherwise the first piece."""
    tanks = [name for name in action.pieces if is_armour(position, position.pieces[name])]
    return (tanks or list(action.pieces))[0]


@rules.on("break through", clause="3e")
def only_armour_breaks_through(position: Position, action: Action) -> Breach | None:
    if any(is_armour(position, position.pieces[name]) for name in action.pieces):
        return None
    return Breach(
        f"{names_of(position, action.pieces)} {is_or_are(action.pieces)}"
        f" not armour; only armour may break through.",
        {"units": action.pieces},
    )


@rules.on("break through", clause="4.3a")
def one_armour_unit_and_one_companion(position: Position, action: Action) -> Iterator[Breach]:
    facts: Facts = {"units": action.pieces}
    tanks = [name for name in action.pieces if is_armour(position, position.pieces[name])]
    if len(tanks) > 1:
        yield Breach(f"{names_of(position, tanks)} break through together; each may try alone only.", facts)
    elif len(action.pieces) > 2:
        yield Breach(
            f"{names_of(position, action.pieces)} break through together; armour may take 1 companion.", facts
        )
    ems = [name for name in action.pieces if is_em(position.pieces[name])]
    if ems and position.game.adopted("em-as-companion") == "no":
        yield Breach(
            f"{names_of(position, ems)} cannot join a breakthrough; an EM cannot be a companion.", facts
        )
    if position.phase != "movement" and position.side == position.pieces[action.pieces[0]].side:
        yield Breach(
            f"{names_of(position, action.pieces)} may not break through in the {position.phase} step;"
            " breakthroughs are part of the movement step.",
            facts,
        )


@rules.on("break through", clause="4.3b")
def the_companion_began_in_the_same_hex(position: Position, action: Action) -> Iterator[Breach]:
    armour = _armour(position, action)
    start = start_of(position, armour)
    for name in action.pieces:
        if name != armour and start_of(position, name) != start:
            says = (
                f"{name_of(position, name)} began the step in {start_of(position, name)},"
                f" {name_of(position, armour)} in {start};"
                " only units from the same hex may break through together."
            )
            yield Breach(says, {"armour": armour, "companion": name})
        elif position.pieces[name].where != position.pieces[armour].where:
            says = (
                f"{name_of(position, name)} is not in the same hex as {name_of(position, armour)};"
                " units that break through together must be."
            )
            yield Breach(says, {"armour": armour, "companion": name}, Grade.unproven)


@rules.on("break through", clause="4.3c")
def it_is_declared_on_entering_the_zone(position: Position, action: Action) -> Breach | None:
    armour = _armour(position, action)
    piece, trail = position.pieces[armour], position.note(TRAIL, armour)
    facts: Facts = {"unit": armour, "hex": piece.where}
    if not is_on_map(position, piece):
        says = f"{name_of(position, armour)} is not on the map; only a unit on the map may break through."
        return Breach(says, facts)
    if not controlled(position, piece.side) >> position.game.map.grid.index[piece.where] & 1:
        return Breach(f"{piece.where} is not in an enemy ZOC; no breakthrough is needed.", facts, Grade.slip)
    if trail is None or trail.start == piece.where:
        reading = position.game.adopted("breakthrough-from-start")
        says = (
            f"{name_of(position, armour)} began the step in {piece.where};"
            f" a breakthrough is declared on entering an enemy ZOC."
        )
        grade = Grade.illegal if reading == "no" else Grade.unproven
        return None if reading == "yes" else Breach(says, facts, grade)
    others = (name for name in trail.since if name not in action.pieces)
    since = tuple(name for name in others if not came_along(position, name, armour))
    if since:
        says = (
            f"{names_of(position, since)} moved after {name_of(position, armour)}"
            f" had entered {piece.where}; a breakthrough is declared at once."
        )
        return Breach(says, {**facts, "moved": since})
    return None


@rules.on("break through", clause="4.3d")
def the_goal_is_a_hex_that_can_be_entered(position: Position, action: Action) -> Breach | None:
    armour = _armour(position, action)
    piece, grid = position.pieces[armour], position.game.map.grid
    if not is_on_map(position, piece):
        return None
    facts: Facts = {"unit": armour, "hex": piece.where, "goal": action.target}
    here, there = grid.index[piece.where], grid.index[action.target]
    if not grid.are_neighbours(piece.where, action.target):
        return Breach(
            f"The goal of the breakthrough, {action.target}, is not adjacent to {piece.where}; it must be.",
            facts,
        )
    if not the_field(position).links[here] >> there & 1:
        return Breach(
            f"The goal of the breakthrough, {action.target}, cannot be entered from {piece.where}.",
            facts,
            provenance=RECONSTRUCTION,
        )
    closed = held(position, other(piece.side))
    if position.game.adopted("goal-with-em") == "no":
        closed |= held_by_ems(position, other(piece.side))
    if closed >> there & 1:
        says = (
            f"{name_of(position, armour)} declares a breakthrough into {action.target}, which the enemy"
            " holds; the goal must be a hex that it can enter."
        )
        return Breach(says, facts)
    move = _move_through(position, armour, action.target)
    if move.cost() is None and position.phase == "movement":  # in another step it is reported as such [4.3a]
        says = (
            f"{name_of(position, armour)} needs {paid_for(move) or 'more'}"
            f" MP to reach {action.target}; it has {has(move)}."
        )
        return Breach(says, facts, provenance=RECONSTRUCTION)
    return None


def _affords(position: Position, unit: str, goal: str) -> bool:
    return _move_through(position, unit, goal).cost() is not None


def _move_through(position: Position, unit: str, goal: str) -> Move:
    """The step of a unit into the goal of a breakthrough, if it is let pass."""
    piece = position.pieces[unit]
    attempt = Breakthrough((unit,), unit, piece.where, goal, waived=True)
    trial = position.with_note(BREAKTHROUGH, "", attempt)
    return Move.of(trial, Action(MOVE, (unit,), (piece.where, goal)))


@rules.on("break through", clause="5.1d")
def no_breakthrough_into_a_full_hex(position: Position, action: Action) -> Breach | None:
    pieces = [position.pieces[name] for name in action.pieces]
    side = pieces[0].side
    limit = stacking_limit(position, side)
    if position.game.adopted("breakthrough-limit") == "two":
        limit = min(each.limit for each in position.game.stacking)
    friends = units_at(position, action.target, side)
    if not friends or has_room(position, action.target, side, *pieces, limit=limit):
        return None
    facts: Facts = {"hex": action.target, "units": action.pieces, "limit": limit}
    says = (
        f"{names_of(position, action.pieces)} may not break through into {action.target}, where"
        f" {names_of(position, [piece.id for piece in friends])} {is_or_are(friends)};"
        f" the stacking limit is {counted(limit, 'combat unit')}."
    )
    return Breach(says, facts)


@rules.on("break through", clause="4.3i")
def stopped_armour_does_not_try_again(position: Position, action: Action) -> Breach | None:
    armour = _armour(position, action)
    if not position.note(BOUND, armour) or position.phase != "movement":
        return None
    where = position.pieces[armour].where
    name = name_of(position, armour)
    says = f"{name} breaks through again, but was stopped in {where} and must stay there."
    return Breach(says, {"unit": armour, "hex": where})


@rules.does("break through")
def break_through(position: Position, action: Action) -> Position:
    """The attempt is current until it is answered."""
    armour = _armour(position, action)
    if not is_on_map(position, position.pieces[armour]):
        return position
    attempt = Breakthrough(action.pieces, armour, position.pieces[armour].where, action.target)
    for name in action.pieces:
        if trail := position.note(TRAIL, name):
            position = position.with_note(TRAIL, name, evolve(trail, since=()))
    return position.with_note(BREAKTHROUGH, "", attempt)


@rules.does("let pass")
def let_pass(position: Position, action: Action) -> Position:
    """The other side waives its test [4.3e]."""
    attempt = breakthrough(position)
    return position.with_note(BREAKTHROUGH, "", evolve(attempt, waived=True)) if attempt else position


@rules.on("roll breakthrough", clause="4.3f")
def one_roll_for_all_units(position: Position, action: Action) -> Breach | None:
    attempt = breakthrough(position)
    if attempt is None:
        return Breach(
            "A cohesion test was rolled; a breakthrough must be declared first.",
            {"rolled": sum(action.dice)},
            Grade.slip,
        )
    facts: Facts = {
        "rolled": sum(action.dice),
        "units": tuple(unit.id for unit in testers(position, attempt)),
    }
    if attempt.total:
        return Breach(
            f"The cohesion test against this breakthrough is rolled a second time; the first roll,"
            f" {attempt.total}, counts for all units.",
            facts,
        )
    if attempt.waived:
        return Breach("A test was rolled although the breakthrough had been let pass.", facts)
    return None


@rules.does("roll breakthrough")
def roll(position: Position, action: Action) -> Position:
    """The first roll counts; a unit that passes stops the armour, which must attack it."""
    attempt = breakthrough(position)
    if attempt is None or attempt.is_answered:
        return position
    total = sum(action.dice)
    passed = stopping_units(position, attempt, total)
    attempt = evolve(attempt, total=total, passed=passed)
    position = position.with_note(BREAKTHROUGH, "", attempt)
    targets = passed
    if position.game.adopted("choice-of-stopper") == "nearest" and passed:
        strength = {name: cohesion(position, position.pieces[name]) or PASSES_ALL for name in passed}
        targets = tuple(name for name in passed if strength[name] == max(strength.values()))
    return bind(position, attempt, targets) if passed else position


def bind(position: Position, attempt: Breakthrough, targets: tuple[str, ...]) -> Position:
    """The armour must attack one of the units that stopped it; in another interpretation so must its
    companion.
    """
    bound: tuple[str, ...] = (attempt.armour,)
    if position.game.adopted("stopped-companion") == "bound":
        bound = tuple(name for name in attempt.pieces if is_unit(position, position.pieces[name]))
    for name in bound:
        position = position.with_note(BOUND, name, Bound(targets))
    return position


@rules.on(MOVE, clause="4.3f")
def armour_waits_for_the_answer(position: Position, action: Action) -> Breach | None:
    """If it moves on without a die, the other side may have let it pass without saying so."""
    attempt = Move.of(position, action).attempt
    if attempt is None or attempt.is_answered:
        return None
    says = (
        f"{name_of(position, attempt.armour)} goes on although"
        f" no cohesion test was rolled or waived; one or the other must come first."
    )
    return Breach(says, {"units": attempt.pieces, "hex": attempt.at}, Grade.unproven)


@rules.on(MOVE, clause="4.3b")
def a_companion_without_points_holds_both_back(position: Position, action: Action) -> Iterator[Breach]:
    """An interpretation that is not adopted: by the one that is, the companion stays behind."""
    attempt = Move.of(position, action).attempt
    if attempt is None or position.game.adopted("companion-short-of-mp") == "stays":
        return
    for name in attempt.pieces:
        if position.pieces[name].where == attempt.at and not _affords(position, name, attempt.goal):
            move = _move_through(position, name, attempt.goal)
            says = (
                f"{name_of(position, name)} needs {paid_for(move) or 'more'} MP for the breakthrough into"
                f" {attempt.goal}; it has {has(move)}."
            )
            yield Breach(says, {"units": attempt.pieces})


@rules.leaving("movement", clause="4.3g")
def armour_that_was_not_stopped_goes_on(position: Position) -> Iterator[Breach]:
    """In the adopted interpretation it may stay; letting it pass may have meant nothing."""
    attempt = breakthrough(position)
    if attempt is None or position.game.adopted("declining-to-go-on") == "yes":
        return
    armour = position.pieces[attempt.armour]
    rolled = attempt.is_granted and not attempt.waived
    if not rolled or armour.where != attempt.at or not has_room(position, attempt.goal, armour.side, armour):
        return
    if _affords(position, armour.id, attempt.goal):
        says = (
            f"No unit passed the test with {attempt.total}, but"
            f" {name_of(position, armour.id)} did not go on into {attempt.goal}."
        )
        yield Breach(says, {"unit": armour.id, "hex": attempt.at, "goal": attempt.goal})


@rules.on(MOVE, clause="4.3i 12f 12g")
def a_stopped_unit_stays(position: Position, action: Action) -> Breach | None:
    """A Tiger passes every test and protects its stack; otherwise it was the roll that stopped the unit."""
    attempt = breakthrough(position)
    if attempt is None or action.piece not in attempt.pieces or not attempt.is_stopped:
        return None
    if position.pieces[action.piece].where != attempt.at:
        return None
    pieces = [position.pieces[name] for name in attempt.passed]
    facts: Facts = {
        "unit": action.piece,
        "hex": attempt.at,
        "passed": attempt.passed,
        "rolled": attempt.total,
    }
    says = (
        f"{name_of(position, action.piece)} moves on;"
        f" {names_of(position, attempt.passed)} stopped it in {attempt.at}, where it must stay."
    )
    tiger = is_tiger(position, position.pieces[attempt.armour])
    if any(
        passes(position, piece, attempt.total, tiger) and not is_tiger(position, piece) for piece in pieces
    ):
        return Breach(says, facts, clause="4.3i")
    clause = "12f" if all(is_tiger(position, piece) for piece in pieces) else "12g"
    return Breach(f"{says} A Tiger passes every test.", facts, clause=clause)


@rules.on("stop with", clause="0.1f 4.3l")
def the_unit_named_has_passed_the_test(position: Position, action: Action) -> Breach | None:
    attempt, name = breakthrough(position), name_of(position, action.piece)
    if attempt is None or not attempt.total:
        says = "A unit is named as stopping a breakthrough; the cohesion test must be rolled first."
        return Breach(says, {"unit": action.piece}, Grade.slip, "4.3l")
    if action.piece in attempt.passed or _forgotten_modifier(position, action) is not None:
        return None
    facts: Facts = {"unit": action.piece, "rolled": attempt.total, "passed": attempt.passed}
    if position.pieces[action.piece] not in testers(position, attempt):
        says = f"{name} exerts no ZOC on {attempt.at} and cannot stop the breakthrough."
        return Breach(says, facts, clause="4.3l")
    clause = "4.3l" if attempt.passed else "0.1f"
    says = f"{name} failed the test, {_by_how_much(position, attempt, action.piece)}"
    return Breach(f"{says}; it cannot stop the breakthrough.", facts, clause=clause)


def _by_how_much(position: Position, attempt: Breakthrough, unit: str) -> str:
    tiger = is_tiger(position, position.pieces[attempt.armour])
    return f"{attempt.total} against a cohesion of {cohesion(position, position.pieces[unit], tiger)}"


@rules.on("stop with", clause="9.2d C1.4 12d")
def cohesion_counts_as_modified(position: Position, action: Action) -> Breach | None:
    """A unit that failed only because of a modifier did not pass: that was forgotten."""
    attempt, change = breakthrough(position), _forgotten_modifier(position, action)
    if attempt is None or change is None:
        return None
    says = (
        f"{name_of(position, action.piece)} failed the test,"
        f" {_by_how_much(position, attempt, action.piece)}, {change.amount:+d} included; it cannot stop the"
        " breakthrough."
    )
    facts: Facts = {"unit": action.piece, "rolled": attempt.total, "passed": attempt.passed}
    return Breach(says, facts, clause=change.clause)


def _forgotten_modifier(position: Position, action: Action) -> Modifier | None:
    """The modifier without which the named unit would have passed the test that it failed."""
    attempt, piece = breakthrough(position), position.pieces[action.piece]
    if attempt is None or not attempt.total or piece.id in attempt.passed:
        return None
    if piece not in testers(position, attempt):
        return None
    tiger = is_tiger(position, position.pieces[attempt.armour])
    found = (
        change
        for change in modifiers(position, piece, tiger)
        if passes(position, piece, attempt.total, tiger, (change.clause,))
    )
    return next(found, None)


@rules.does("stop with")
def stop_with(position: Position, action: Action) -> Position:
    """The armour must attack the named unit; what was done is accepted."""
    attempt = breakthrough(position)
    if attempt is None:
        return position
    passed = attempt.passed or (action.piece,)
    stopped = evolve(attempt, stopper=action.piece, passed=passed, total=attempt.total or 1)
    return bind(position.with_note(BREAKTHROUGH, "", stopped), attempt, (action.piece,))


@rules.proposes
def attempts(position: Position, piece: Piece) -> Iterator[Action]:
    """A breakthrough into each adjacent hex, alone or with a companion; and the answers to it."""
    if position.phase != "movement" or piece.side != position.side or not is_on_map(position, piece):
        return
    trail = position.note(TRAIL, piece.id)
    if not is_armour(position, piece) or trail is None or not trail.stopped or trail.since:
        return
    if (attempt := breakthrough(position)) and attempt.armour == piece.id and attempt.at == piece.where:
        yield from _answers(position, attempt)
        return
    companions = [
        other.id
        for other in position.at(piece.where)
        if other.side == piece.side and other.id != piece.id and start_of(position, other.id) == trail.start
    ]
    for goal in position.game.map.grid.neighbours(piece.where):
        yield Action("break through", (piece.id,), target=goal)
        yield from (Action("break through", (piece.id, name), target=goal) for name in companions)


def _answers(position: Position, attempt: Breakthrough) -> Iterator[Action]:
    """What the other side may declare in answer to a breakthrough."""
    if not attempt.is_answered:
        yield Action("let pass")
        faces = range(1, position.game.dice["cohesion"].sides + 1)
        yield from (Action("roll breakthrough", dice=(one, other)) for one in faces for other in faces)
    elif attempt.is_stopped and not attempt.stopper:
        yield from (Action("stop with", (name,)) for name in attempt.passed)
