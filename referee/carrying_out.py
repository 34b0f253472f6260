"""Statements of a record carried out in a position."""

from __future__ import annotations

from attrs import evolve

from referee.engine import machine
from referee.engine.actions import NEXT, Action
from referee.engine.position import LAID, TO_BEGIN, UNDERWAY, UNSEEN, Mark, Position
from referee.engine.rulebook import Played, placed
from referee.engine.rulings import Ruling
from referee.record import (
    Adopt,
    At,
    Content,
    Place,
    PlaceMarkers,
    SetBridge,
    SetTerrain,
    SetUp,
    Spend,
    Statement,
)
from referee.record.forms import missing
from vassalgen.problems import BadInput, Failure, Problem


def carry_out(position: Position, statement: Statement) -> tuple[Ruling | None, Position]:
    """Carry out one statement; the ruling is None if it is not an action.

    An action at which a rule fails has a ruling that says so, and changes nothing but the clock.
    """
    content = statement.content
    if not isinstance(content, Action):
        return None, _stated(position, content)
    verb = position.world.rulebook.verbs.get(content.verb)
    if verb is not None and (slot := missing(verb, content)):
        raise BadInput(Problem("", content.verb, f"{slot.lower()} is missing", verb.form))
    try:
        played: Played = position.play(content)
    except BadInput:
        raise
    except Exception as error:
        return Ruling(content, failure=Failure.of(error)), _passed_over(position, content)
    return played.ruling, played.position


def _stated(position: Position, content: Content | None) -> Position:
    """The position after a statement that is not an action."""
    match content:
        case At():
            return _at(position, content)
        case SetUp():
            return _set_up(position)
        case Adopt():
            game = position.game.with_rulings({content.ruling: content.reading})
            return evolve(position, world=position.world.rulebook.world(game, position.scenario.id))
        case Place():
            return _placed(position, content)
        case PlaceMarkers():
            return _with_markers(position, content)
        case SetTerrain():
            return _with_terrain(position, content)
        case SetBridge():
            return _with_bridge(position, content)
        case Spend():
            return _with_spent(position, content)
    return position


def _passed_over(position: Position, action: Action) -> Position:
    """The position after an action that cannot be carried out."""
    if action.verb != NEXT.name:
        return position
    return machine.skip(position, action.clock or position.world.calendar.after(position.clock))


def _set_up(position: Position) -> Position:
    """The set-up of the scenario in the phase of the record, which is begun if necessary."""
    start = evolve(position.world.rulebook.start(position.world), clock=position.clock)
    for note in (TO_BEGIN, UNDERWAY, UNSEEN):
        start = start.with_note(note, "", True) if position.note(note) else start.without_note(note)
    return start


def _at(position: Position, at: At) -> Position:
    """The position in another phase; what happened in turns that are skipped is unknown."""
    skipped = at.clock.turn > position.clock.turn
    if at.clock != position.clock:
        position = machine.skip(position, at.clock)
    position = position.without_note(TO_BEGIN).without_note(UNDERWAY)
    position = position.with_note(UNDERWAY if at.underway else TO_BEGIN, "", True)
    return position.with_note(UNSEEN, "", True) if skipped else position


def _with_terrain(position: Position, content: SetTerrain) -> Position:
    here, game = position.game.map, position.game
    changed = evolve(here.hexes[content.hex], terrain=content.terrain)
    game = evolve(game, map=evolve(here, hexes={**here.hexes, content.hex: changed}))
    return evolve(position, world=position.world.rulebook.world(game, position.scenario.id))


def _with_markers(position: Position, content: PlaceMarkers) -> Position:
    if content.where:
        there = position.note(LAID, content.where) or ()
        return position.with_note(LAID, content.where, (*there, *content.markers))
    for where, laid in position.noted(LAID).items():
        left = tuple(name for name in laid if name not in content.markers)
        position = position.with_note(LAID, where, left)
    return position


def _with_bridge(position: Position, content: SetBridge) -> Position:
    bridges = position.world.rulebook.bridges
    if bridges is None:
        raise ValueError("no bridge of this game can be destroyed")
    return position.with_note(bridges.destroyed, "/".join(content.hexes), content.destroyed)


def _with_spent(position: Position, content: Spend) -> Position:
    spent = position.world.rulebook.spent
    if spent is None:
        raise ValueError("the rules of this game do not note spent movement")
    for name in content.pieces:
        position = spent(position, name, content.points)
    return position


def _placed(position: Position, content: Place) -> Position:
    today = position.date
    states = {
        state: Mark(mark.level, mark.since or (today if position.game.states[state].dated else None))
        for state, mark in content.states.items()
    }
    position = placed(position, content.pieces, content.where, states)
    if content.steps is not None:
        for name in content.pieces:
            position = position.with_piece(name, steps=content.steps)
    if content.face:
        for name in content.pieces:
            position = position.with_piece(name, face=content.face)
    return position
