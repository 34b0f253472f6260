"""Positions derived from one another have the same knowledge as positions made from scratch."""

from __future__ import annotations

import pytest
from attrs import evolve

from referee.engine.actions import Action, Anywhere
from referee.engine.position import Note, Pieces, Position, World, of_force
from referee.engine.rulings import Grade
from referee.games import find_rules
from vassalgen.game.finding import open_game

FLAG = Note("flag", bool)
OTHER = Note("other", int, "never")


@pytest.fixture(scope="module")
def world() -> World:
    game = open_game("vitoria1813")
    return find_rules(game).world(game)


@pytest.fixture
def start(world: World) -> Position:
    return world.rulebook.start(world)


def same(position: Position) -> None:
    """The places and sides of a position are those of one made of its pieces."""
    anew = Pieces(dict(position.pieces))
    assert position.by_place == anew.by_place
    for side in position.game.sides:
        assert position.of_side(side) == anew.force(side).pieces


def test_a_unit_moves_onto_others_and_back(start: Position) -> None:
    by_place = start.by_place
    stacked = next(pieces for where, pieces in by_place.items() if len(pieces) > 1)
    unit, other = stacked[0], next(one for one in start.pieces.values() if one.where != stacked[0].where)
    for where in (other.where, "", stacked[0].where):
        start = start.with_piece(unit.id, where=where)
        same(start)
    assert start.by_place == by_place


def test_a_unit_is_changed_where_it_stands(start: Position) -> None:
    unit = next(iter(start.by_place.values()))[0]
    same(start.with_piece(unit.id, steps=0))


def test_what_is_known_of_a_side_is_found_anew_when_one_of_its_pieces_changes(start: Position) -> None:
    asked: list[str] = []

    @of_force(FLAG)
    def count(position: Position, side: str, steps: int) -> int:
        asked.append(side)
        return sum(piece.steps == steps for piece in position.of_side(side))

    mine, theirs = (start.of_side(side)[0] for side in start.game.sides)
    before = count(start, mine.side, 1)
    after = start.with_piece(theirs.id, steps=mine.steps + 7).with_note(OTHER, "", 1)
    assert count(after, mine.side, 1) == before
    assert asked == [mine.side]
    after = after.with_piece(mine.id, steps=77)
    assert count(after, mine.side, 77) == 1
    assert count(after.with_note(FLAG, "", True), mine.side, 77) == 1
    assert asked == [mine.side] * 3


def test_what_is_known_of_a_side_holds_in_one_world(start: Position) -> None:
    @of_force()
    def reading(position: Position, side: str) -> str:
        return position.game.adopted("slipping")

    name, ruling = "slipping", start.game.rulings["slipping"]
    other = next(one for one in ruling.readings if one != ruling.adopted)
    side = next(iter(start.game.sides))
    assert reading(start, side) == ruling.adopted
    game = start.game.with_rulings({name: other})
    assert reading(evolve(start, world=start.world.rulebook.world(game)), side) == other


def test_notes_are_written_and_forgotten(world: World) -> None:
    start = world.rulebook.empty(world)
    noted = start.with_note(FLAG, "a", True).with_note(OTHER, "a", 1).with_note(OTHER, "b", 2)
    assert dict(noted.notes) == {(FLAG, "a"): True, (OTHER, "a"): 1, (OTHER, "b"): 2}
    assert (OTHER, "a") in noted.notes
    assert (OTHER, "c") not in noted.notes
    assert dict(noted.without_notes(["phase"]).notes) == {(OTHER, "a"): 1, (OTHER, "b"): 2}
    assert noted.without_note(OTHER, "a").noted(OTHER) == {"b": 2}
    assert noted.without_note(FLAG, "a") == noted.without_notes(["phase"])
    assert noted.without_note(FLAG, "b") == noted


def test_what_is_ruled_out_is_illegal(start: Position) -> None:
    """A counter may be dragged from its box to any hex: most are ruled out by the first rule asked."""
    rulebook, waiting = start.world.rulebook, start.scenario.arrivals[0]
    position, checked = start, 0
    for name in start.game.map.grid.names[::7]:
        action = Action("enter", (waiting.counters[0],), target=name)
        if rulebook.rules_out(position, action):
            checked += 1
            assert rulebook.judge(position, action).grade is Grade.illegal
        else:
            assert rulebook.judge(position, action).grade is not Grade.illegal
    assert checked


def test_what_is_forbidden_in_any_hex_is_ruled_out_without_one(start: Position) -> None:
    assert start.world.rulebook.rules_out(start, Anywhere("enter", ("fr-rey",)))
